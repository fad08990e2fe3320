"""Squares and wires in words [pure]."""

from __future__ import annotations

from board_driver.doctor.layout import Layout, Line, LineKind
from rules.squares import Bitboard, names_of


def whole_lines(ill: Bitboard, layout: Layout, *kinds: LineKind) -> list[Line]:
    """Lines of those kinds, in their order, all of whose squares are ill; a line within others' squares is left out."""
    found: list[Line] = []
    left = ill
    for kind in kinds:
        for line in layout.lines:
            if line.kind is kind and line.squares & left == line.squares and line.squares.bit_count() > 1:
                found.append(line)
                left &= ~line.squares
    return found


def named(squares: Bitboard) -> str:
    names = names_of(squares)
    if len(names) > 12:
        return f"{len(names)} squares ({', '.join(names[:6])} …)"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def is_or_are(squares: Bitboard) -> str:
    return "is" if squares.bit_count() == 1 else "are"


def it_or_them(squares: Bitboard) -> str:
    return "it" if squares.bit_count() == 1 else "them"


def itself(squares: Bitboard) -> str:
    return "itself" if squares.bit_count() == 1 else "themselves"


def does(squares: Bitboard, verb: str) -> str:
    if squares.bit_count() != 1:
        return verb
    return verb + ("es" if verb == "do" else "s")
