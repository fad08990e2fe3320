"""How each meaning looks: its colour, its rhythm, and which of two meanings a square shows [pure].

Every meaning has a rhythm of its own, so that nobody needs to see colours and lights of one colour say as much. A
rhythm is 16 slots of 100 ms that repeat. They fall into families that the eye tells apart at once:

* on with short gaps: where the touched piece may go (steady), take (one gap), clear to finish (two), promote (three);
* even blinking, the faster the more urgent: owed, unclear, illegal, take away;
* mostly dark with short flashes, counted: last move (one), castling king (two), castling rook (three), check (four),
  a man to move for the opponent (five), a hint (six);
* flashes of double length, counted, are choices: queen (one), rook (two), bishop (three), knight (four); a result shown
  with the kings (five);
* a long flash: alone, a piece that cannot move; longer and followed by a short one, put a piece here;
  and by two, where the opponent's man goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from board_driver.lights.picture import Meaning, Picture
from rules.squares import Bitboard

SLOT_MS = 100
SLOTS = 16
PERIOD_MS = SLOT_MS * SLOTS

Rgb = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a light shows for one meaning. Of two meanings on one square the one of higher priority is shown."""

    priority: int
    colour: Rgb
    rhythm: tuple[bool, ...]

    def is_on(self, phase_ms: int) -> bool:
        """Whether the light is on `phase_ms` after the rhythm began; it repeats every `PERIOD_MS`."""
        return self.rhythm[phase_ms // SLOT_MS % SLOTS]


def _look(priority: int, colour: Rgb, rhythm: str) -> Look:
    assert len(rhythm) == SLOTS
    return Look(priority, colour, tuple(slot == "#" for slot in rhythm))


LOOKS: Mapping[Meaning, Look] = MappingProxyType(
    {
        # something stands wrong
        Meaning.TAKE_AWAY: _look(22, (255, 0, 0), "#.#.#.#.#.#.#.#."),
        Meaning.PUT_HERE: _look(21, (0, 90, 255), "########..#....."),
        Meaning.ILLEGAL: _look(20, (255, 0, 60), "##..##..##..##.."),
        # the move is not finished, or not clear
        Meaning.REMOVE: _look(19, (255, 110, 0), "######..######.."),
        Meaning.UNCLEAR: _look(18, (200, 0, 255), "####....####...."),
        Meaning.PROMOTION: _look(17, (255, 0, 160), "###..###..####.."),
        # choices: a piece for the pawn, a result shown with the kings
        Meaning.PROMOTE_QUEEN: _look(14, (255, 255, 255), "##.............."),
        Meaning.PROMOTE_ROOK: _look(13, (160, 80, 255), "##..##.........."),
        Meaning.PROMOTE_BISHOP: _look(12, (80, 255, 120), "##..##..##......"),
        Meaning.PROMOTE_KNIGHT: _look(11, (255, 160, 120), "##.##.##.##....."),
        Meaning.RESULT: _look(10, (90, 160, 255), "##.##.##.##.##.."),
        # a move to carry out for a player without hands
        Meaning.COMMAND_TO: _look(16, (190, 200, 255), "#####.#.#......."),
        Meaning.COMMAND_FROM: _look(15, (110, 130, 255), "#.#.#.#.#......."),
        # what may and must be done
        Meaning.OWED: _look(9, (255, 200, 0), "########........"),
        Meaning.CAPTURE: _look(8, (255, 60, 0), "##############.."),
        Meaning.CASTLING_KING: _look(7, (0, 220, 200), "#..#............"),
        Meaning.CASTLING_ROOK: _look(6, (0, 120, 120), "#..#..#........."),
        Meaning.DESTINATION: _look(5, (0, 255, 40), "################"),
        Meaning.CANNOT_MOVE: _look(4, (120, 120, 120), "####............"),
        # for information
        Meaning.HINT: _look(3, (140, 255, 200), "#.#.#.#.#.#....."),
        Meaning.CHECK: _look(2, (255, 30, 30), "#..#..#..#......"),
        Meaning.LAST_MOVE: _look(1, (40, 40, 70), "#..............."),
    }
)


def strongest(meanings: Iterable[Meaning]) -> Meaning:
    """The meaning that a square shows which has all of these. Raises ValueError if there is none."""
    return max(meanings, key=lambda meaning: LOOKS[meaning].priority)


def coloured(picture: Picture, phase_ms: int) -> dict[int, Rgb]:
    """What lights of many colours show at that time of the rhythm: square to colour, dark squares left out."""
    return {s: LOOKS[meaning].colour for s, meaning in picture.items() if LOOKS[meaning].is_on(phase_ms)}


def plain(picture: Picture, phase_ms: int) -> Bitboard:
    """What lights of one colour show at that time of the rhythm: the squares that are on."""
    bitboard = 0
    for square, meaning in picture.items():
        if LOOKS[meaning].is_on(phase_ms):
            bitboard |= 1 << square
    return bitboard


def next_change_ms(picture: Picture, phase_ms: int) -> int | None:
    """The first time after `phase_ms` at which some light goes on or off; None for a picture that stands still."""
    rhythms = [LOOKS[meaning].rhythm for meaning in set(picture.values())]
    slot = phase_ms // SLOT_MS
    for step in range(1, SLOTS + 1):
        if any(rhythm[(slot + step) % SLOTS] != rhythm[slot % SLOTS] for rhythm in rhythms):
            return (slot + step) * SLOT_MS
    return None
