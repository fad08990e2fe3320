"""The demonstration as it is drawn in a terminal [pure]: a frame in, lines of text out."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from board_driver.boards.table import Table
from board_driver.lights.looks import LOOKS
from board_driver.lights.picture import Meaning, Picture
from rules.pieces import Piece, Role
from rules.squares import Colour

PANEL_WIDTH = 44
WIDTH, HEIGHT = 88, 20
"""What a frame needs of a terminal, in characters; a long ruling may take a few lines more."""

GLYPHS = {Role.PAWN: "♟", Role.KNIGHT: "♞", Role.BISHOP: "♝", Role.ROOK: "♜", Role.QUEEN: "♛", Role.KING: "♚"}

SIGNS: Mapping[Meaning, str] = {
    Meaning.OWED: "!",
    Meaning.DESTINATION: "o",
    Meaning.CAPTURE: "x",
    Meaning.CASTLING_KING: "K",
    Meaning.CASTLING_ROOK: "R",
    Meaning.PROMOTION: "*",
    Meaning.REMOVE: "^",
    Meaning.ILLEGAL: "#",
    Meaning.TAKE_AWAY: "^",
    Meaning.PUT_HERE: "v",
    Meaning.CANNOT_MOVE: "/",
    Meaning.UNCLEAR: "?",
    Meaning.LAST_MOVE: ".",
    Meaning.CHECK: "+",
    Meaning.COMMAND_FROM: "<",
    Meaning.COMMAND_TO: ">",
    Meaning.HINT: "~",
    Meaning.PROMOTE_QUEEN: "Q",
    Meaning.PROMOTE_ROOK: "R",
    Meaning.PROMOTE_BISHOP: "B",
    Meaning.PROMOTE_KNIGHT: "N",
    Meaning.RESULT: "=",
}
"""What stands in the corner of a lit square, so that colour is not the only sign."""

RESET = "\x1b[0m"
_LIGHT, _DARK = (190, 166, 128), (132, 100, 70)
_INK = {Colour.WHITE: (255, 255, 255), Colour.BLACK: (20, 16, 13)}


@dataclass(frozen=True, slots=True)
class Frame:
    """All that is to be seen at one moment."""

    table: Table
    picture: Picture
    moves: Sequence[str]
    """SAN, from the first."""
    ruling: str
    remedy: str
    story: str
    """What the hands are about to do."""


def draw(frame: Frame) -> list[str]:
    """The frame for a terminal of `WIDTH` by `HEIGHT` characters with colours."""
    beside = _panel(frame)
    return [f"{left}  {right}" for left, right in zip_longest(_board(frame), beside, fillvalue="")]


def lights_in_words(picture: Picture) -> str:
    """What is lit, by meaning: `destination f3 h3, owed g1`."""
    by_meaning: dict[Meaning, list[str]] = {}
    for square in sorted(picture):
        by_meaning.setdefault(picture[square], []).append(_name(square))
    return ", ".join(f"{meaning.value} {' '.join(names)}" for meaning, names in by_meaning.items())


def score(moves: Sequence[str]) -> list[str]:
    """`1. e4 e5`, one line for two moves."""
    pairs = zip_longest(moves[::2], moves[1::2], fillvalue="")
    return [f"{number:3}. {white:8} {black}".rstrip() for number, (white, black) in enumerate(pairs, 1)]


def _board(frame: Frame) -> list[str]:
    lines = []
    for rank in range(7, -1, -1):
        squares = range(8 * rank, 8 * rank + 8)
        lines.append("  " + "".join(_upper(square, frame.picture.get(square)) for square in squares) + RESET)
        lines.append(f"{rank + 1} " + "".join(_lower(square, frame) for square in squares) + RESET)
    return [*lines, "  " + "".join(f"  {letter}  " for letter in "abcdefgh")]


def _upper(square: int, meaning: Meaning | None) -> str:
    return f"{_ground(square, meaning)}{_ink(Colour.BLACK)}{SIGNS[meaning] if meaning else ' '}    "


def _lower(square: int, frame: Frame) -> str:
    piece = frame.table.squares[square]
    man = " " if piece is None else f"{_ink(piece.colour)}{GLYPHS[piece.role]}"
    return f"{_ground(square, frame.picture.get(square))}  {man}  "


def _ground(square: int, meaning: Meaning | None) -> str:
    red, green, blue = _LIGHT if (square ^ square >> 3) & 1 else _DARK
    if meaning is not None:
        lit = LOOKS[meaning].colour
        red, green, blue = ((board + light) // 2 for board, light in zip((red, green, blue), lit, strict=True))
    return f"\x1b[48;2;{red};{green};{blue}m"


def _ink(colour: Colour) -> str:
    red, green, blue = _INK[colour]
    return f"\x1b[38;2;{red};{green};{blue}m"


def _panel(frame: Frame) -> list[str]:
    held = [f"in hand: {hand.piece}" for hand in frame.table.hands if hand]
    parts = [
        *_wrapped(frame.story, "\x1b[3m"),
        "",
        *_wrapped(frame.ruling, "\x1b[1m"),
        *_wrapped(frame.remedy, "\x1b[1;31m"),
        *held,
        "",
        *score(frame.moves)[-6:],
    ]
    return [*parts, *[""] * (16 - len(parts)), _tray(frame.table.tray)]


def _wrapped(text: str, style: str) -> list[str]:
    return [f"{style}{line}{RESET}" for line in textwrap.wrap(text, PANEL_WIDTH)]


def _tray(tray: Sequence[Piece]) -> str:
    white, black = (
        " ".join(sorted(piece.letter for piece in tray if piece.colour is colour)) for colour in Colour
    )
    return f"beside the board: {white} {black}"


def _name(square: int) -> str:
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]
