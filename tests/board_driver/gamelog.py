"""Sensor logs of given moves, made by careful hands: one lift or place at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from board_driver.scan import Button, ButtonName, Colours, Identity, Input, Occupancy, Reading, Scan, Sensing
from board_driver.sensorlog.header import Header, header_fields
from board_driver.sensorlog.lines import line_fields
from rules.fen import START_FEN, parse_fen
from rules.move import Move
from rules.pieces import Piece, Role
from rules.position import Position
from rules.squares import Colour
from rules.uci import parse_uci

GAMES = Path(__file__).parent.parent / "data" / "games.txt"
STEP_MS = 700


@dataclass(frozen=True)
class KnownGame:
    """A line of games.txt."""

    name: str
    result: str
    start_fen: str
    chess960: bool
    moves: tuple[str, ...]


def known_games() -> list[KnownGame]:
    games = []
    for line in GAMES.read_text(encoding="utf-8").splitlines():
        name, result, fen, chess960, moves = line.split("\t")
        games.append(KnownGame(name, result, START_FEN if fen == "-" else fen, chess960 == "1", tuple(moves.split())))
    return games


def steps_of(position: Position, move: Move) -> list[int]:
    """The squares whose filling changes, in the order in which a careful hand changes them."""
    if move.is_castling:
        assert move.rook_origin is not None
        assert move.rook_landing is not None
        if position.chess960:  # king off the board, rook to its square, king to its square
            return [move.origin, move.rook_origin, move.rook_landing, move.landing]
        return [move.origin, move.landing, move.rook_origin, move.rook_landing]
    victim = position.victim_square(move)
    if victim is None:
        return [move.origin, move.landing]
    if victim == move.landing:
        return [move.origin, victim, move.landing]
    return [move.origin, move.landing, victim]


def reading_of(men: Mapping[int, Piece], sensing: Sensing) -> Reading:
    """What sensors read of these men; those of field strengths are not here."""
    white, black = (sum(1 << s for s, man in men.items() if man.colour is colour) for colour in Colour)
    match sensing:
        case Sensing.COLOUR:
            return Colours(white, black)
        case Sensing.IDENTITY:
            return Identity(tuple(men.get(s) for s in range(64)))
        case _:
            return Occupancy(white | black)


def inputs_of_move(position: Position, move: Move, t_ms: int, step_ms: int = STEP_MS) -> Iterator[Input]:
    """The scans, and the button of a choice, of one move whose first square changes `step_ms` after `t_ms`."""
    occupied = position.occupied
    for square in steps_of(position, move):
        t_ms += step_ms
        occupied ^= 1 << square
        yield Scan(t_ms, Occupancy(occupied))
    if move.promotion not in (None, Role.QUEEN):
        assert move.promotion is not None
        yield Button(t_ms + 1, ButtonName.PROMOTE, move.promotion.letter.lower())
    assert position.play(move).occupied == occupied


def inputs_of(start: Position, moves: Iterable[str], step_ms: int = STEP_MS) -> Iterator[Input]:
    """The scans and buttons of those moves, the first scan at 0."""
    position, t_ms = start, 0
    yield Scan(0, Occupancy(start.occupied))
    for text in moves:
        move = parse_uci(position, text)
        yield from inputs_of_move(position, move, t_ms, step_ms)
        t_ms += step_ms * len(steps_of(position, move))
        position = position.play(move)


def log_text(header: Header, moves: Iterable[str], step_ms: int = STEP_MS) -> str:
    """A whole log."""
    start = parse_fen(header.start_fen, chess960=header.chess960)
    objects = [header_fields(header), *(line_fields(item) for item in inputs_of(start, moves, step_ms))]
    return "".join(json.dumps(fields) + "\n" for fields in objects)
