"""Boards that lie turned or mirrored under their pieces: eight ways to read the same sensors.

A start array looks the same to occupancy sensors from either side and in a mirror, and stands on files instead of
ranks where the wires are crossed. Which way it is, is told by the first moves.
"""

from __future__ import annotations

from enum import Enum

from rules.squares import FULL


class Turn(Enum):
    """How the board lies. The likelier ones first."""

    AS_IS = "as it should"
    HALF = "turned by 180 degrees"
    RIGHT = "turned by 90 degrees"
    LEFT = "turned by 270 degrees"
    FILES = "mirrored: the a-file is read as the h-file"
    RANKS = "mirrored: the first rank is read as the eighth"
    DIAGONAL = "mirrored: files are read as ranks"
    COUNTER = "mirrored: files are read as ranks, from the far corner"

    def square(self, sensor: int) -> int:
        """The square of the board over that sensor."""
        file, rank = sensor & 7, sensor >> 3
        match self:
            case Turn.AS_IS:
                pass
            case Turn.HALF:
                file, rank = 7 - file, 7 - rank
            case Turn.RIGHT:
                file, rank = rank, 7 - file
            case Turn.LEFT:
                file, rank = 7 - rank, file
            case Turn.FILES:
                file = 7 - file
            case Turn.RANKS:
                rank = 7 - rank
            case Turn.DIAGONAL:
                file, rank = rank, file
            case Turn.COUNTER:
                file, rank = 7 - rank, 7 - file
        return rank * 8 + file

    def turned(self, planes: int) -> int:
        """A reading given as planes, as it is with the board lying that way."""
        if self is Turn.AS_IS:
            return planes
        out = shift = 0
        while planes:
            out |= self._plane(planes & FULL) << shift
            planes >>= 64
            shift += 64
        return out

    def _plane(self, plane: int) -> int:
        out = 0
        for sensor, square in enumerate(_SQUARES[self]):
            if plane >> sensor & 1:
                out |= 1 << square
        return out


_SQUARES = {turn: tuple(turn.square(sensor) for sensor in range(64)) for turn in Turn}
