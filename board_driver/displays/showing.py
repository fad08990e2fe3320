"""Keeping displays up to date: what they show is worked out in the loop, and sent in a thread, since I²C is slow.

House rules:

1. A display is written to only when what it shows differs, and at the moment when a second on it is over.
2. One that does not answer is a fault that is told once; it is tried again every `RETRY_S`.
3. The newest face counts: while one is being sent, those between are skipped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from board_driver.daemon import Daemon
from board_driver.displays.display import Display
from board_driver.displays.face import Face, Running
from board_driver.events import Event
from board_driver.gamerecord import GameRecord
from board_driver.profile.displays import Displays, Hd44780, Ssd1306
from rules.clock import write_time_control
from rules.san import move_numeral, write_san
from rules.squares import Colour

RETRY_S = 10.0
IDLE_S = 5.0


def display_of(wiring: Displays) -> Display:
    """The driver of that display."""
    match wiring:
        case Hd44780():
            from board_driver.displays.hd44780 import TextDisplay  # noqa: PLC0415

            return TextDisplay(wiring)
        case Ssd1306():
            from board_driver.displays.oled import OledDisplay  # noqa: PLC0415

            return OledDisplay(wiring)


def face_of(daemon: Daemon) -> tuple[Face, int | None]:
    """What displays show now, and when that will be different if nobody does anything."""
    summary, game, now_ms = daemon.mind.summary(), daemon.mind.games()[-1], daemon.clock.now_ms()
    shown = summary.get("clock")
    running = Running(shown, now_ms) if isinstance(shown, dict) else None
    white, black = (None, None) if running is None else (running.timer(Colour.WHITE), running.timer(Colour.BLACK))
    move, turn = _move_and_turn(game)
    result = summary.get("result")
    if result:
        turn = f"{result} {_words(summary.get('reason'))}"
        move = "" if len(turn) > 8 else move
    face = Face(white, black, move, turn, _more(daemon, summary))
    return face, None if running is None or result else running.next_change_ms()


def _move_and_turn(game: GameRecord) -> tuple[str, str]:
    before = game.before_last()
    if not game.plies:
        return "", before.turn.word.capitalize()
    text = f"{move_numeral(before)}{write_san(before, game.plies[-1].move)}"
    return text, before.turn.opponent.word.capitalize()


def _more(daemon: Daemon, summary: dict[str, object]) -> tuple[str, ...]:
    found = ""
    match summary.get("illegal"), summary.get("obligation"):
        case {"why": str(why)}, _:
            found = f"illegal: {_words(why)}"
        case _, {"kind": str(kind), "squares": [str(square), *_]} if kind != "none":
            found = f"{kind}: {square}"
        case _:
            pass
    control = daemon.settings.time_control
    return (found, "" if control is None else write_time_control(control))


def _words(text: object) -> str:
    return str(text or "").replace("-", " ")


class Showing:
    """The displays of one daemon's board. `run` is its life."""

    def __init__(self, daemon: Daemon, displays: Sequence[Display]) -> None:
        self._daemon = daemon
        self._displays = displays
        self._changed = {id(display): asyncio.Event() for display in displays}
        daemon.listen(self._hear)

    async def run(self) -> None:
        """Show what there is, until cancelled; the displays are cleared then."""
        async with asyncio.TaskGroup() as tasks:
            for display in self._displays:
                tasks.create_task(self._keep(display))

    def _hear(self, events: Sequence[Event]) -> None:
        if events:
            for changed in self._changed.values():
                changed.set()

    async def _keep(self, display: Display) -> None:
        trouble = ""
        try:
            while True:
                try:
                    await asyncio.to_thread(display.open)
                    if trouble:
                        self._tell(f"{display.name} is back")
                    trouble = ""
                    await self._show(display)
                except OSError as problem:
                    if str(problem) != trouble:
                        trouble = str(problem)
                        self._tell(trouble)
                await asyncio.sleep(RETRY_S)
        finally:
            await asyncio.shield(asyncio.to_thread(display.close))

    async def _show(self, display: Display) -> None:
        changed = self._changed[id(display)]
        while True:
            changed.clear()
            face, changes_ms = face_of(self._daemon)
            await asyncio.to_thread(display.show, face)
            wait_s = IDLE_S if changes_ms is None else max(0.02, self._daemon.clock.seconds_until(changes_ms))
            with suppress(TimeoutError):
                async with asyncio.timeout(min(wait_s, IDLE_S)):
                    await changed.wait()

    def _tell(self, text: str) -> None:
        self._daemon.inbox.report("display", text)
