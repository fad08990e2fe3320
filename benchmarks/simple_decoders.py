"""Two simple ways to read moves off an occupancy board, written to stand for how most programs do it.

`Settled` matches settled pictures of the board to the legal moves, with the kindest filter known: a lift counts at
once, a place after 200 ms of rest. `LiftThenPlace` follows single events: a man of the side to move is lifted, perhaps
a man of the other side, and where something is put down the move is made.

Both take scans in order and publish moves with the time at which they do; neither takes anything back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from board_driver.scan import Occupancy, Scan
from rules.move import Move
from rules.position import Position
from rules.squares import Bitboard

PLACE_MS = 200
"""How long a man must stand before the filter believes it."""


@dataclass(frozen=True, slots=True)
class Published:
    """A move, and when it was published."""

    t_ms: int
    move: Move


@dataclass(slots=True)
class Filter:
    """Lifts at once, places after `PLACE_MS`: turns raw occupancies into settled ones, each with its time."""

    settled: Bitboard | None = None
    _raw: Bitboard = 0
    _since: dict[int, int] = field(default_factory=dict)

    def take(self, t_ms: int, occupied: Bitboard) -> list[tuple[int, Bitboard]]:
        """The settled pictures up to and at this scan."""
        if self.settled is None:
            self.settled = self._raw = occupied
            return [(t_ms, occupied)]
        pictures = self.until(t_ms)
        for square in _bits(occupied & ~self._raw):
            self._since[square] = t_ms
        for square in _bits(~occupied & self._raw):
            self._since.pop(square, None)
        self._raw = occupied
        lifted = self.settled & ~occupied
        if lifted:
            self.settled &= ~lifted
            pictures.append((t_ms, self.settled))
        return pictures

    def until(self, t_ms: int) -> list[tuple[int, Bitboard]]:
        """The settled pictures that come of men standing still, up to that time."""
        assert self.settled is not None
        due = sorted((since + PLACE_MS, square) for square, since in self._since.items() if since + PLACE_MS <= t_ms)
        pictures = []
        for when, square in due:
            del self._since[square]
            if not self.settled >> square & 1:
                self.settled |= 1 << square
                pictures.append((when, self.settled))
        return pictures


def read_settled(start: Position, scans: Iterable[Scan]) -> list[Published]:
    """Match settled pictures to legal moves; captures need the victim to have been lifted."""
    position, lifted, published = start, 0, []
    before = start.occupied
    for t_ms, picture in _pictures(scans):
        lifted |= before & ~picture
        before = picture
        move = _explaining(position, picture, lifted)
        if move is not None:
            published.append(Published(t_ms, move))
            position = position.play(move)
            lifted = 0
    return published


def _explaining(position: Position, picture: Bitboard, lifted: Bitboard) -> Move | None:
    """The legal move that leads to the picture and whose squares were all lifted; a queen before a lesser piece."""
    best = None
    for move in position.legal_moves():
        victim = position.victim_square(move)
        needed = 1 << move.origin | (0 if victim is None else 1 << victim)
        if (
            needed & ~lifted == 0
            and _occupied_after(position, move) == picture
            and (best is None or _rank_of(move) > _rank_of(best))
        ):
            best = move
    return best


def _occupied_after(position: Position, move: Move) -> Bitboard:
    gone = 1 << move.origin
    victim = position.victim_square(move)
    come = 1 << move.landing
    if victim is not None:
        gone |= 1 << victim
    if move.rook_origin is not None and move.rook_landing is not None:
        gone |= 1 << move.rook_origin
        come |= 1 << move.rook_landing
    return position.occupied & ~gone | come


def _rank_of(move: Move) -> int:
    return 0 if move.promotion is None else int(move.promotion)


def read_lift_then_place(start: Position, scans: Iterable[Scan]) -> list[Published]:
    """Follow lifts and places: the last own man lifted goes where something is put down, if that is legal."""
    position, published = start, []
    before, in_hand = start.occupied, None
    for t_ms, picture in _pictures(scans):
        for square in _bits(before & ~picture):
            if position.occupied_by(position.turn) >> square & 1:
                in_hand = square
        for square in _bits(picture & ~before):
            if in_hand is not None and square != in_hand:
                moves = [m for m in position.legal_moves() if m.origin == in_hand and m.landing == square]
                if moves:
                    move = max(moves, key=_rank_of)
                    published.append(Published(t_ms, move))
                    position = position.play(move)
                    in_hand = None
        before = picture
    return published


def _pictures(scans: Iterable[Scan]) -> Iterable[tuple[int, Bitboard]]:
    filtered = Filter()
    t_ms = 0
    for scan in scans:
        assert isinstance(scan.reading, Occupancy)
        t_ms = scan.t_ms
        yield from filtered.take(t_ms, scan.reading.occupied)
    yield from filtered.until(t_ms + PLACE_MS)


def _bits(bitboard: Bitboard) -> list[int]:
    squares = []
    while bitboard:
        low = bitboard & -bitboard
        squares.append(low.bit_length() - 1)
        bitboard ^= low
    return squares
