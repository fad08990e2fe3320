"""Push buttons on GPIO lines, through gpiozero: choices, clock presses, a new game.

A contact bounces when it closes and when it opens. So a press counts at once, at its first edge, but only if the
contact had been still for `bounce_ms` before.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

from gpiozero import Button as Contact
from gpiozero.exc import GPIOZeroError

from board_driver.boards.board import Inbox, NewGame
from board_driver.boards.gpiozerolines import default_factory
from board_driver.boards.lines import numbers
from board_driver.profile.schema import Buttons
from board_driver.scan import Button, ButtonName, Press
from rules.squares import Colour

Make = Callable[[int], Press | Button | NewGame]
"""What a press at that time means."""


def _choice(name: ButtonName, value: str | None = None) -> Make:
    return lambda t_ms: Button(t_ms, name, value)


MEANINGS: dict[str, Make] = {
    "promote_queen": _choice(ButtonName.PROMOTE, "q"),
    "promote_rook": _choice(ButtonName.PROMOTE, "r"),
    "promote_bishop": _choice(ButtonName.PROMOTE, "b"),
    "promote_knight": _choice(ButtonName.PROMOTE, "n"),
    "adjust": _choice(ButtonName.ADJUST),
    "claim": _choice(ButtonName.CLAIM),
    "draw": _choice(ButtonName.DRAW),
    "draw_white": _choice(ButtonName.DRAW, "white"),
    "draw_black": _choice(ButtonName.DRAW, "black"),
    "resign": _choice(ButtonName.RESIGN),
    "resign_white": _choice(ButtonName.RESIGN, "white"),
    "resign_black": _choice(ButtonName.RESIGN, "black"),
    "takeback": _choice(ButtonName.TAKEBACK),
    "hint": _choice(ButtonName.HINT),
    "white_clock": lambda t_ms: Press(t_ms, Colour.WHITE),
    "black_clock": lambda t_ms: Press(t_ms, Colour.BLACK),
    "pause": _choice(ButtonName.PAUSE),
    "new_game": NewGame,
}
"""By the keys of a profile. Without a value, a choice is that of the player having the move."""


class PushButtons:
    """The buttons of a profile. `factory` is gpiozero's pin factory; None: its default."""

    def __init__(self, buttons: Buttons, factory: Any = None) -> None:
        self._buttons = buttons
        self._factory = factory
        self._contacts: list[Any] = []

    @property
    def has_clock(self) -> bool:
        """Whether both players can press their side of a clock."""
        return self._buttons.white_clock is not None and self._buttons.black_clock is not None

    def open(self, inbox: Inbox) -> None:
        """Begin. Raises OSError, naming the button, if a line cannot be had; nothing is held then."""
        self.close()
        pins = self._buttons.pins()
        if not pins:
            return
        factory = self._factory or default_factory()
        for name, line in zip(pins, numbers(list(pins.values())), strict=True):
            try:
                contact = Contact(line, pull_up=True, pin_factory=factory)
            except (GPIOZeroError, OSError, _lgpio_error()) as problem:
                self.close()
                raise OSError(f"the button {name} cannot have GPIO {line}: {str(problem).strip(chr(39))}") from problem
            self._contacts.append(contact)
            gate = _Gate(MEANINGS[name], inbox, self._buttons.bounce_ms)
            contact.when_pressed = gate.close
            contact.when_released = gate.open

    def close(self) -> None:
        """End. Never raises."""
        contacts, self._contacts = self._contacts, []
        for contact in contacts:
            with suppress(GPIOZeroError, OSError):
                contact.close()


class _Gate:
    """One button's edges, told by a thread of gpiozero's."""

    def __init__(self, meaning: Make, inbox: Inbox, bounce_ms: int) -> None:
        self._meaning = meaning
        self._inbox = inbox
        self._bounce_ms = bounce_ms
        self._edge_ms: int | None = None

    def close(self) -> None:
        t_ms = self._inbox.now_ms()
        if self._is_still(t_ms):
            self._inbox.put(self._meaning(t_ms))

    def open(self) -> None:
        self._is_still(self._inbox.now_ms())

    def _is_still(self, t_ms: int) -> bool:
        """Whether no edge came shortly before; this one is noted."""
        before, self._edge_ms = self._edge_ms, t_ms
        return before is None or t_ms - before >= self._bounce_ms


def _lgpio_error() -> type[Exception]:
    """What lgpio raises through gpiozero, where it is installed."""
    try:
        from board_driver.boards.lgpiolines import library  # noqa: PLC0415

        return cast(type[Exception], library().error)
    except OSError:
        return cast(type[Exception], GPIOZeroError)
