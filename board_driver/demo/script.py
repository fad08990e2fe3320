"""What the hands do in the demonstration, step by step [pure].

The game was really played over the board; what goes wrong in it here was not. Each incident ends with everything put
right, so that the game goes on as it did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from board_driver.scan import ButtonName
from rules.fen import START_FEN, parse_fen
from rules.move import Move
from rules.pieces import Piece
from rules.position import Position
from rules.squares import Colour, Square, parse_square
from rules.uci import parse_uci

GAME = """
e2e4 e7e5 g1f3 d7d6 d2d4 f7f5 d4e5 f5e4 f3g5 d6d5 e5e6 g8h6 b1c3 c7c6 g5e4 d5e4 d1h5 g7g6 h5e5 h8g8 c1h6 f8h6
a1d1 d8g5 e5c7 c8e6 c7b7 e4e3 f2f3 g5e7 b7a8 e8f7 c3e4 h6f4 f1e2 f7g7 e1g1 e7c7 e4c5 f4h2 g1h1 e6c8 d1d4 h2g3
d4e4 g7h8 f1d1 c7g7 e4h4 g3h4 a8b8 c8a6 b8h2 a6e2 d1d7 g7h6 c5e4 e2c4 e4f6 e3e2 d7e7 h6c1 h2g1 c1g1 h1g1 e2e1q
e7e1 h4e1
"""
"""A real game, as UCI moves."""


@dataclass(frozen=True, slots=True)
class Lift:
    """A hand takes up what stands there."""

    square: Square


@dataclass(frozen=True, slots=True)
class Put:
    """The hand sets it down."""

    square: Square


@dataclass(frozen=True, slots=True)
class SetAside:
    """The hand lays it beside the board."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """The hand takes such a piece from beside the board."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class Choose:
    """A button."""

    name: ButtonName
    value: str


@dataclass(frozen=True, slots=True)
class Say:
    """What is about to be seen, for the person who watches."""

    text: str


@dataclass(frozen=True, slots=True)
class Look:
    """A moment to read what the arbiter says."""


@dataclass(frozen=True, slots=True)
class Reach:
    """By now the game must have so many plies."""

    plies: int


Act = Lift | Put | SetAside | Fetch | Choose | Say | Look | Reach

PROMOTION_PLY = 65
"""The ply of `GAME`, from 0, that is a promotion."""


def acts() -> Iterator[Act]:
    """The whole demonstration. It ends with White's resignation."""
    position = parse_fen(START_FEN)
    for ply, uci in enumerate(GAME.split()):
        move = parse_uci(position, uci)
        yield from _incident(ply)
        yield from _promotion(move) if ply == PROMOTION_PLY else hands_of(position, move)
        yield Reach(ply + 1)
        position = position.play(move)
    yield Say("White has seen enough and resigns.")
    yield Choose(ButtonName.RESIGN, Colour.WHITE.word)
    yield Look()


def hands_of(position: Position, move: Move) -> Iterator[Act]:
    """How careful hands make a move: the victim off first, the king before the rook."""
    victim = position.victim_square(move)
    if victim is not None:
        yield Lift(victim)
        yield SetAside()
    yield Lift(move.origin)
    yield Put(move.landing)
    if move.rook_origin is not None and move.rook_landing is not None:
        yield Lift(move.rook_origin)
        yield Put(move.rook_landing)


def _incident(ply: int) -> Iterator[Act]:
    """What goes wrong before that ply, from 0."""
    match ply:
        case 2:
            yield from _touch_move()
        case 17:
            yield from _missed_check()
        case 36:
            yield from _rook_first()


def _touch_move() -> Iterator[Act]:
    yield Say("White touches the king's knight, puts it back, and plays the other one.")
    yield from _go("g1", "g1")
    yield from _go("b1", "c3")
    yield Look()
    yield Say("The arbiter wants the other knight back, and the touched one moved.")
    yield from _go("c3", "b1")
    yield Look()


def _missed_check() -> Iterator[Act]:
    yield Say("Black is in check and overlooks it.")
    yield from _go("g7", "g5")
    yield Look()
    yield Say("The pawn goes back. It was touched, so it must move if it can: and it can.")
    yield from _go("g5", "g7")
    yield Look()


def _rook_first() -> Iterator[Act]:
    yield Say("White castles, but with the rook first.")
    yield from _go("h1", "f1")
    yield from _go("e1", "g1")
    yield Look()
    yield Say("The rook's move stands. In a friendly game both may agree to take it back.")
    yield from _go("g1", "e1")
    yield from _go("f1", "h1")
    yield Choose(ButtonName.TAKEBACK, Colour.WHITE.word)
    yield Choose(ButtonName.TAKEBACK, Colour.BLACK.word)
    yield Look()
    yield Say("And now as it should be: the king first.")


def _promotion(move: Move) -> Iterator[Act]:
    """The pawn walks to the last rank and is exchanged there by hand (Article 4.6)."""
    yield Say("The pawn arrives. Black exchanges it for a queen from beside the board.")
    yield Choose(ButtonName.PROMOTE, "q")
    yield Lift(move.origin)
    yield Put(move.landing)
    yield Look()
    yield Lift(move.landing)
    yield SetAside()
    assert move.promotion is not None
    yield Fetch(Piece(Colour.BLACK, move.promotion))
    yield Put(move.landing)


def _go(origin: str, destination: str) -> Iterator[Act]:
    yield Lift(parse_square(origin))
    yield Put(parse_square(destination))
