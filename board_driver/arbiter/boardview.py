"""What stands on the board, settled, and when each square was last left and last set down on.

A *stamp* numbers the batches of changes that began in one scan, so that "before" and "at once" can be told.
"""

from __future__ import annotations

from collections.abc import Mapping

from board_driver.sensing.cells import SOMETHING, Cell, Cells, occupied_of
from board_driver.sensing.settle import SettledChange
from rules.move import Move
from rules.pieces import Piece, Role
from rules.squares import Bitboard, Colour


class BoardView:
    """The settled board. `live` are the squares whose sensors work; all others are never believed."""

    __slots__ = ("began_ms", "cells", "lifted", "lifted_ms", "live", "occupied", "placed", "reversed", "stamp", "wrong")

    def __init__(self, cells: Cells, live: Bitboard) -> None:
        self.cells: list[Cell] = list(cells)
        self.occupied: Bitboard = occupied_of(cells)
        self.live = live
        self.reversed: Bitboard = 0
        """Homes of men whose magnets are in upside down: they read as the other colour, wherever they go."""
        self.wrong: Bitboard = 0
        """Filled squares on which the sensors see another man than the position has there. See `compare`."""
        self.stamp = 0
        self.began_ms: int | None = None
        self.lifted = [-1] * 64
        """Stamp of the last lift from each square; -1 if there was none."""
        self.lifted_ms = [-1] * 64
        """When the last lift from each square began."""
        self.placed = [-1] * 64
        """Stamp of the last placement on each square; -1 if there was none."""

    def take(self, change: SettledChange) -> None:
        """Take one change in. Changes that began together share a stamp."""
        if change.began_ms != self.began_ms:
            self.stamp += 1
            self.began_ms = change.began_ms
        square = change.square
        if change.lifted:
            self.lifted[square] = self.stamp
            self.lifted_ms[square] = change.began_ms
        if change.placed:
            self.placed[square] = self.stamp
            self.occupied |= 1 << square
        else:
            self.occupied &= ~(1 << square)
        self.cells[square] = change.after

    def compare(self, men: Mapping[int, Piece]) -> None:
        """Look which of a position's men are seen to be others. Nothing to see on a board that senses occupancy."""
        self.wrong = 0
        for square, man in men.items():
            cell = self.cells[square]
            if cell is not SOMETHING and cell is not None and not self.agrees(square, man, square):
                self.wrong |= 1 << square
        self.wrong &= self.live

    def shown(self) -> object:
        """Equal as long as nothing changes of what stands where, and of when it was set down or its square was left."""
        seen = self.occupied, self.live, self.wrong, self.reversed
        return seen, tuple(self.cells), tuple(self.lifted), tuple(self.placed)

    def missing(self, occupied: Bitboard) -> Bitboard:
        """Squares of a position where its man is not."""
        return occupied & (~self.occupied | self.wrong) & self.live

    def surplus(self, occupied: Bitboard) -> Bitboard:
        """Squares that hold something which the position does not have there."""
        return self.occupied & (~occupied | self.wrong) & self.live

    def agrees(self, square: int, piece: Piece, home: int) -> bool:
        """Whether what is sensed on `square` can be that piece, which comes from `home`."""
        cell = self.cells[square]
        if cell is None or cell is SOMETHING:
            return True
        if isinstance(cell, Colour):
            return cell is (piece.colour.opponent if self.reversed >> home & 1 else piece.colour)
        if isinstance(cell, Piece) and cell.role is Role.PAWN and square >> 3 in (0, 7):
            # A pawn that has promoted and is not exchanged yet.
            return cell.colour is piece.colour
        return cell == piece

    def shows_colour(self, square: int, colour: Colour) -> bool:
        """Whether the sensors positively say that a piece of that colour stands there."""
        cell = self.cells[square]
        if isinstance(cell, Colour):
            return cell is colour
        return isinstance(cell, Piece) and cell.colour is colour

    def unfollow(self, move: Move) -> None:
        """That move was taken back: a man with an upside-down magnet is followed home."""
        gone = self.reversed >> move.landing & 1
        self.reversed &= ~(1 << move.origin | 1 << move.landing)
        self.reversed |= gone << move.origin
        if move.rook_origin is not None and move.rook_landing is not None:
            gone = self.reversed >> move.rook_landing & 1
            self.reversed &= ~(1 << move.rook_landing)
            self.reversed |= gone << move.rook_origin

    def follow(self, move: Move) -> None:
        """A move was made: a man with an upside-down magnet is followed to where it went."""
        gone = self.reversed >> move.origin & 1
        self.reversed &= ~(1 << move.origin | 1 << move.landing)
        self.reversed |= gone << move.landing
        if move.rook_origin is not None and move.rook_landing is not None:
            gone = self.reversed >> move.rook_origin & 1
            self.reversed &= ~(1 << move.rook_origin)
            self.reversed |= gone << move.rook_landing
