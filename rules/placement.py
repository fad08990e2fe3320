"""The first field of FEN: the men, rank by rank.

Reading: the text of a rank is worth a number, and the eight of them add up to the whole board: 64 bits for each of
seven layers (pawns, knights, diagonal movers, straight movers, kings, Black's men, all men), and above them the
material, a byte for each kind of man. So men are placed, and counted, by eight look-ups. Writing: the bytes of a rank
in six layers are the key to its text.
"""

from __future__ import annotations

from functools import partial
from struct import Struct

from rules.memo import Memo
from rules.position import Army, Position

Material = bytes
"""How many men there are of each kind, a byte each: `PNRQKBpnrqkb`, bishops on light squares; `Bb` on dark ones."""

_LAYERS = {
    letter: [layer for layer, men in enumerate(("Pp", "Nn", "BbQq", "RrQq", "Kk", "pnbrqk")) if letter in men] + [6]
    for letter in "PNBRQKpnbrqk"
}
_BOARD = Struct("<7Q14s")
_KINDS = "PNRQKBpnrqkb"


def _worth(rank: int, text: str) -> int:
    """KeyError or ValueError if it is not the text of a rank."""
    worth = 0
    square = 8 * rank
    for letter in text:
        if letter in "12345678":
            square += int(letter)
            continue
        if square > 8 * rank + 7:
            raise ValueError(text)
        for layer in _LAYERS[letter]:
            worth += 1 << 64 * layer + square
        worth += 1 << 448 + 8 * _kind(letter, square)
        square += 1
    if square != 8 * rank + 8:
        raise ValueError(text)
    return worth


def _kind(letter: str, square: int) -> int:
    """Which byte of the material counts the man."""
    on_light = (square ^ square >> 3) & 1
    return _KINDS.index(letter) if letter not in "Bb" or on_light else 12 + "Bb".index(letter)


_WORTHS = tuple(Memo[str, int](partial(_worth, rank)) for rank in range(7, -1, -1))


def read_placement(ranks: list[str]) -> tuple[Army, Army, Material]:
    """White's and Black's men and the material, from the texts of the eighth rank to the first.

    KeyError or ValueError if these are not the texts of eight ranks.
    """
    if len(ranks) != 8:
        raise ValueError(ranks)
    board = 0
    for worths, text in zip(_WORTHS, ranks):  # noqa: B905 (hot, and checked)
        board += worths[text]
    pawns, knights, diagonal, straight, kings, black, men, material = _BOARD.unpack(board.to_bytes(70, "little"))
    white = men ^ black
    return (
        (pawns & white, knights & white, diagonal & white, straight & white, kings & white, white),
        (pawns & black, knights & black, diagonal & black, straight & black, kings & black, black),
        material,
    )


def _is_sound(material: Material) -> bool:
    """One king on each side, and no more men than the missing pawns can have become."""
    white, black = [*material[:6], material[12]], [*material[6:12], material[13]]
    for pawns, knights, rooks, queens, kings, *bishops in (white, black):
        extra = [knights - 2, rooks - 2, queens - 1, *[count - 1 for count in bishops]]
        if kings != 1 or pawns > 8 or pawns + sum(max(0, count) for count in extra) > 8:
            return False
    return True


IS_SOUND = Memo(_is_sound)
"""By material: can a game have got there, one king on each side?"""


def _write_rank(layers: tuple[int, ...]) -> str:
    """The text of a rank from the bytes of pawns, knights, diagonal and straight movers, kings, Black's men."""
    text = ""
    gap = 0
    for file in range(8):
        pawn, knight, diagonal, straight, king, black = [layer >> file & 1 for layer in layers]
        letter = "P" * pawn or "N" * knight or "Q" * (diagonal & straight) or "B" * diagonal or "R" * straight
        letter = letter or "K" * king
        if letter:
            text += (str(gap) if gap else "") + (letter.lower() if black else letter)
            gap = 0
        else:
            gap += 1
    return text + (str(gap) if gap else "")


_RANK_TEXTS = Memo(_write_rank)


def write_placement(position: Position) -> str:
    """The field, from the eighth rank to the first."""
    us, them = position.us, position.them
    layers = [ours | theirs for ours, theirs in zip(us[:5], them)]  # noqa: B905 (hot)
    layers.append(us[5] if position.side.turn else them[5])
    ranks = zip(*[layer.to_bytes(8, "big") for layer in layers])  # noqa: B905 (hot)
    return "/".join([_RANK_TEXTS[rank] for rank in ranks])
