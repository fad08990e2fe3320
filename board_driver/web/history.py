"""What a page shows of the present game beside its record: how plies came about, and the draw that is on offer."""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.daemon import Daemon
from board_driver.events import Ended, Event, Moved, Notice, Revised, Touched
from rules.squares import Colour


class History:
    """Listens to a daemon; `clear` when another game begins."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon
        self.revised: dict[int, list[str]] = {}
        """For each ply that was something else before: what, as UCI, oldest first."""
        self.taken_back: dict[int, str] = {}
        """The plies that were withdrawn, as UCI; one that was played anew stays here."""
        self.offer: Colour | None = None
        """Who offers a draw, as long as the offer stands."""
        self.end_told = True
        """False while an end, if there is one, hangs on a promotion that may still be another."""

    def hear(self, events: Sequence[Event]) -> None:
        """Take the events of one step."""
        for event in events:
            match event:
                case Notice(kind="new-game"):
                    self.clear()
                case Notice(kind="draw", colour=Colour() as colour):
                    self._say(colour, event.details.get("answer"))
                case Revised():
                    self._revise(event)
                    self.end_told = False
                case Touched():
                    self._answer(event)
                case Moved():
                    self._answer(event)
                    self.end_told = False
                case Ended():
                    self.offer = None
                    self.end_told = True
                case _:
                    pass

    def clear(self) -> None:
        """It was of another game."""
        self.revised.clear()
        self.taken_back.clear()
        self.offer = None
        self.end_told = True

    def _revise(self, event: Revised) -> None:
        if event.now is None:
            self.taken_back[event.ply] = event.was
            self.revised.pop(event.ply, None)
        else:
            was = self.revised.setdefault(event.ply, [])
            if event.was not in was:
                was.append(event.was)

    def _say(self, colour: Colour, answer: object) -> None:
        match answer:
            case "offered":
                self.offer = colour
            case "declined":
                self.offer = None
            case _:
                pass

    def _answer(self, event: Touched | Moved) -> None:
        """An offer is refused by touching a piece (FIDE Laws 9.1.2.1), so a move refuses it too."""
        if self.offer is None:
            return
        game = self._daemon.mind.games()[-1]
        turn = game.start.turn if len(game.plies) % 2 == 0 else game.start.turn.opponent
        mover = turn.opponent if isinstance(event, Moved) else turn
        if mover is self.offer.opponent:
            self.offer = None
