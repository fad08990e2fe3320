"""Moves as a mind would have been given them by careful hands [pure]: one piece at a time, each left to settle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from board_driver.mind import Settings
from board_driver.scan import Button, ButtonName, Colours, Command, Field, Identity, Occupancy, Reading, Scan, Sensing
from board_driver.store.rows import Given, Passed
from rules.move import Move
from rules.pieces import Piece, Role
from rules.position import Position
from rules.squares import Colour, Square
from rules.uci import write_uci

STRENGTH = 100.0
"""What a Hall sensor is made to read under a piece where no calibration says more."""


def retell(
    settings: Settings, start: Position, moves: Sequence[Move], clocks_ms: Mapping[Colour, int] | None = None
) -> Iterator[Given]:
    """The inputs that show `moves` made from `start`, beginning at 0, and time enough after the last.

    A chess clock is paused meanwhile; afterwards it shows `clocks_ms` and waits for the next touch.
    """
    step_ms = settings.settle_ms + 500
    squares = [start.piece_at(square) for square in range(64)]
    position, t_ms = start, 0
    yield Scan(t_ms, reading_of(squares, settings))
    if settings.time_control is not None:
        yield Button(step_ms, ButtonName.PAUSE, "on")
        t_ms = 2 * step_ms
    for move in moves:
        if position.turn in settings.handless:
            t_ms += step_ms
            yield Command(t_ms, write_uci(position, move))
        for square, piece in _steps(position, move):
            t_ms += step_ms
            squares[square] = piece
            yield Scan(t_ms, reading_of(squares, settings))
        if move.promotion not in (None, Role.QUEEN):
            assert move.promotion is not None
            t_ms += 1
            yield Button(t_ms, ButtonName.PROMOTE, move.promotion.letter.lower())
        position = position.play(move)
    if settings.time_control is not None:
        t_ms += step_ms
        for colour, ms in (clocks_ms or {}).items():
            yield Button(t_ms, ButtonName.TIME, f"{colour.word} {max(1, ms)}")
        yield Button(t_ms, ButtonName.PAUSE, "off")
        yield Button(t_ms, ButtonName.PAUSE, "interrupted")
    yield Passed(t_ms + 4 * step_ms)


def _steps(position: Position, move: Move) -> Iterator[tuple[Square, Piece | None]]:
    """What comes to stand on which square, in order."""
    moved = position.piece_at(move.origin)
    assert moved is not None
    lands = moved if move.promotion is None else Piece(moved.colour, move.promotion)
    victim = position.victim_square(move)
    yield move.origin, None
    if victim is not None:
        yield victim, None
    if move.is_castling and position.chess960:
        assert move.rook_origin is not None
        assert move.rook_landing is not None
        yield move.rook_origin, None
        yield move.rook_landing, Piece(moved.colour, Role.ROOK)
    yield move.landing, lands
    if move.is_castling and not position.chess960:
        assert move.rook_origin is not None
        assert move.rook_landing is not None
        yield move.rook_origin, None
        yield move.rook_landing, Piece(moved.colour, Role.ROOK)


def reading_of(squares: Sequence[Piece | None], settings: Settings) -> Reading:
    """What sensors of that kind read of these pieces."""
    white = sum(1 << s for s, piece in enumerate(squares) if piece is not None and piece.colour is Colour.WHITE)
    black = sum(1 << s for s, piece in enumerate(squares) if piece is not None and piece.colour is Colour.BLACK)
    match settings.sensing:
        case Sensing.OCCUPANCY:
            return Occupancy(white | black)
        case Sensing.COLOUR:
            return Colours(white, black)
        case Sensing.FIELD:
            return Field(tuple(_strength(square, piece, settings) for square, piece in enumerate(squares)))
        case Sensing.IDENTITY:
            return Identity(tuple(squares))


def _strength(square: int, piece: Piece | None, settings: Settings) -> float:
    calibration = settings.calibration
    zero = 0.0 if calibration is None else calibration.zeros[square]
    if piece is None:
        return zero
    strength = STRENGTH if calibration is None else 2 * calibration.on * calibration.polarity
    return zero + (strength if piece.colour is Colour.WHITE else -strength)
