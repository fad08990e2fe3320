"""Which man stands where, as far as hands can be followed: more than the sensors of most boards tell [pure]."""

from __future__ import annotations

from collections.abc import Mapping

from board_driver.arbiter.restoring import Act, Step
from board_driver.sensing.cells import Cell
from rules.pieces import Piece
from rules.position import Position
from rules.squares import Colour, Square


class Belief:
    """The men on the board and those in hands. Nobody is listed of whom it is not known who he is."""

    __slots__ = ("_aside", "hand", "men")

    def __init__(self, men: Mapping[int, Piece], hand: Mapping[int, Piece] | None = None) -> None:
        self.men = dict(men)
        self.hand: list[Piece] = list((hand or {}).values())
        """Taken up and not seen since, the last one at the end."""
        self._aside: list[Piece] = []
        """Taken up as was asked, the last one at the end."""

    def lift(self, square: Square, step: Step | None) -> None:
        """What stood there was taken up: to be laid aside, if that was what `step` asked for."""
        man = self.men.pop(square, None)
        aside = step is not None and step.act is Act.TAKE_OFF and step.take == square
        if man is not None:
            (self._aside if aside else self.hand).append(man)

    def place(self, square: Square, cell: Cell, target: Position, step: Step | None) -> None:
        """Something was set down there, which reads as `cell`; `step` was asked for.

        It is what was asked for there; else the man that belongs there, if he was taken up; else the only one who was.
        """
        self.men.pop(square, None)
        man = self._who(square, cell, target, step)
        if man is None:
            return
        self.men[square] = man
        where = self.hand if man in self.hand else self._aside
        if man in where:
            del where[len(where) - 1 - where[::-1].index(man)]

    def _who(self, square: Square, cell: Cell, target: Position, step: Step | None) -> Piece | None:
        if isinstance(cell, Piece):
            return cell
        able = [man for man in self.hand or self._aside[-1:] if not isinstance(cell, Colour) or man.colour is cell]
        if step is not None and step.put == square and (step.act is Act.SET_DOWN or step.piece in self.hand):
            return step.piece
        wanted = target.piece_at(square)
        if wanted in able:
            return wanted
        return able[0] if len(set(able)) == 1 else None
