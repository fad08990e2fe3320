"""Which square answers for which, and the simplest way to say so [pure].

A person puts a piece on one square after the other; where it is felt says how the wires run. Ways are tried from the
simplest: as it should be; the board turned or mirrored as a whole (eight ways); ranks among themselves and files among
themselves mixed up, perhaps with ranks and files exchanged; squares one by one. The first that agrees with everything
seen is the answer, if no other of its sort does too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rules.squares import Bitboard, square_name

Pairs = Mapping[int, int]
"""Where a piece stood, and the square on which it was felt."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """In words, and for every square that it speaks of where a piece on it is felt."""

    text: str
    felt: Mapping[int, int]

    @property
    def is_complete(self) -> bool:
        """Whether it says it for all squares, no two alike: then it can be put right in the profile."""
        return len(self.felt) == 64 == len(set(self.felt.values()))


def _transform(move: Callable[[int, int], tuple[int, int]]) -> dict[int, int]:
    felt = {}
    for square in range(64):
        file, rank = move(square % 8, square // 8)
        felt[square] = 8 * rank + file
    return felt


SYMMETRIES: Mapping[str, Mapping[int, int]] = {
    "the board is turned by 180°": _transform(lambda f, r: (7 - f, 7 - r)),
    "the board is turned by 90°, a quarter to the right": _transform(lambda f, r: (r, 7 - f)),
    "the board is turned by 90°, a quarter to the left": _transform(lambda f, r: (7 - r, f)),
    "left and right are exchanged: file a is read as h": _transform(lambda f, r: (7 - f, r)),
    "rank 1 is read as rank 8: the ranks run the wrong way": _transform(lambda f, r: (f, 7 - r)),
    "rows and columns are exchanged: ranks are read as files": _transform(lambda f, r: (r, f)),
    "rows and columns are exchanged, and both run the wrong way": _transform(lambda f, r: (7 - r, 7 - f)),
}
"""The square on which a piece is felt, by the square on which it stands."""


def explain(pairs: Pairs) -> Explanation | None:
    """Why pieces were felt where they were; None if all were where they stood."""
    wrong = {stood: felt for stood, felt in pairs.items() if stood != felt}
    if not wrong:
        return None
    fitting = [(text, felt) for text, felt in SYMMETRIES.items() if all(felt[s] == at for s, at in pairs.items())]
    if len(fitting) == 1:
        return Explanation(*fitting[0])
    return _lines_mixed(pairs) or _one_by_one(pairs)


def array_turned(occupied: Bitboard) -> bool:
    """Whether that is the start array, or most of it, on files a, b, g and h: turned, or rows and columns exchanged."""
    return occupied & ~_OUTER_FILES == 0 and occupied.bit_count() >= 24


_OUTER_FILES: Bitboard = 0xC3C3_C3C3_C3C3_C3C3


def _lines_mixed(pairs: Pairs) -> Explanation | None:
    """Each rank read as some other rank and each file as some other file, perhaps ranks as files."""
    for crossed in (False, True):
        ranks: dict[int, int] = {}
        files: dict[int, int] = {}
        agrees = True
        for stood, felt in pairs.items():
            felt_file, felt_rank = (felt // 8, felt % 8) if crossed else (felt % 8, felt // 8)
            agrees &= ranks.setdefault(stood // 8, felt_rank) == felt_rank
            agrees &= files.setdefault(stood % 8, felt_file) == felt_file
        if agrees and _complete(ranks) and _complete(files):
            return _mixed(ranks, files, crossed=crossed)
    return None


def _complete(lines: dict[int, int]) -> bool:
    """Whether all eight are known; one that is not is the one that is left."""
    missing = [n for n in range(8) if n not in lines]
    if len(missing) == 1:
        (left,) = set(range(8)) - set(lines.values()) or {-1}
        lines[missing[0]] = left
    return sorted(lines.values()) == list(range(8)) and len(lines) == 8


def _mixed(ranks: dict[int, int], files: dict[int, int], *, crossed: bool) -> Explanation:
    felt = {}
    for square in range(64):
        rank, file = ranks[square // 8], files[square % 8]
        felt[square] = 8 * file + rank if crossed else 8 * rank + file
    parts = ["rows and columns are exchanged"] if crossed else []
    parts += [text for text in (_said("rank", ranks, "12345678"), _said("file", files, "abcdefgh")) if text]
    return Explanation("; ".join(parts), felt)


def _said(word: str, lines: Mapping[int, int], names: str) -> str:
    moved = [n for n in range(8) if lines[n] != n]
    if len(moved) == 2:
        return f"{word}s {names[moved[0]]} and {names[moved[1]]} are exchanged"
    return (
        f"{word}s are mixed up: " + ", ".join(f"{names[n]} is read as {names[lines[n]]}" for n in moved)
        if moved
        else ""
    )


def _one_by_one(pairs: Pairs) -> Explanation:
    """Squares not seen are taken to be right where nothing contradicts, and the one that is left for the last."""
    felt = dict(pairs)
    free = set(range(64)) - set(felt.values())
    for square in sorted(set(range(64)) - set(felt)):
        if square in free:
            felt[square] = square
            free.discard(square)
    rest = sorted(set(range(64)) - set(felt))
    if len(rest) == 1 == len(free):
        felt[rest[0]] = free.pop()
    wrong = [(stood, at) for stood, at in pairs.items() if stood != at]
    some = ", ".join(f"{square_name(stood)} is read as {square_name(at)}" for stood, at in _first(wrong))
    more = f", and {len(wrong) - 6} more" if len(wrong) > 6 else ""
    return Explanation(f"single wires are exchanged: {some}{more}", felt)


def _first(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return list(pairs)[:6]
