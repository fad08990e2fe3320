"""How noisy hands and sensors are: one frozen record for each level, every number with its unit and meaning.

The shares and rates are round numbers chosen to make four different evenings, not fitted to any board:

- `clean`: careful hands on a good board. Whatever cannot read this has a fault of its own.
- `club`: an ordinary club evening on a well made board.
- `rough`: children, a self-made board, a wobbly table.
- `blitz`: hurried hands on a slow scanner: 10 scans a second, a tenth of the captures unseen, opponents who lift
  0.2 s before the mover has let go.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """The four levels, by the word the command line takes."""

    CLEAN = "clean"
    CLUB = "club"
    ROUGH = "rough"
    BLITZ = "blitz"


class CaptureWay(Enum):
    """In which order the hands take a man."""

    VICTIM_FIRST = "victim first"
    CAPTURER_FIRST = "capturer first"
    ONE_GRIP = "one grip"
    """The victim leaves as the capturer arrives; the square is empty for a moment, if at all."""
    UNSEEN = "unseen"
    """The capturer is set beside the victim before the victim is lifted: the square never reads empty."""


class CastlingWay(Enum):
    """In which order king and rook go."""

    KING_FIRST = "king first"
    ROOK_FIRST = "rook first"
    IN_AIR = "both in the air"
    TWO_HANDS = "two hands"


class PassantWay(Enum):
    """When the pawn taken in passing leaves."""

    CAPTURER_FIRST = "capturer first"
    VICTIM_FIRST = "victim first"
    BOTH_IN_AIR = "both in the air"


class PromotionWay(Enum):
    """How a pawn is exchanged."""

    EXCHANGED = "exchanged"
    """The pawn is set on the last rank, then replaced."""
    PAWN_OFF = "pawn off"
    """The pawn leaves the board from its square, the new piece is set on the last rank."""
    QUEEN_FIRST = "queen first"
    """The new piece is set on the last rank before the pawn leaves."""
    LATE = "late exchange"
    """The pawn is set on the last rank and replaced only after a while; the other side may have moved meanwhile."""
    PAWN_STAYS = "pawn stays"
    """Nobody exchanges it (no second queen at hand)."""


@dataclass(frozen=True, slots=True)
class Hands:
    """What players do. Shares are probabilities from 0 to 1."""

    think_ms: float
    """Median time between a move's last settling and the next lift."""
    think_spread: float
    """Sigma of that time's logarithm."""
    carry_ms: float
    """Median time a man is in the hand."""
    centre_sigma: float
    """Standard deviation of placing, in squares, along file and rank each."""
    captures: dict[CaptureWay, float]
    castlings: dict[CastlingWay, float]
    passants: dict[PassantWay, float]
    promotions: dict[PromotionWay, float]
    slide: float = 0.0
    """Share of moves along a line that are dragged over the board."""
    stop: float = 0.0
    """Chance that a dragged man stops on a square on its way."""
    low: float = 0.0
    """Share of carries low enough for sensors on the way to see."""
    hover: float = 0.0
    """Share of placings that come down, go up again and come down."""
    second_thought: float = 0.0
    """Share of moves first set down on another square, not let go, and then carried on."""
    off_centre: float = 0.0
    """Share of placings near the edge of the square, put straight later."""
    adjust: float = 0.0
    """Chance, for each ply, that somebody puts a man straight."""
    nudge: float = 0.0
    """Chance, for each ply, that a neighbour of the destination is pushed."""
    knock: float = 0.0
    """Chance, for each ply, that men fall over and are stood up again."""
    overlap: float = 0.0
    """Share of replies whose first lift comes before the mover has let go."""
    overlap_ms: float = 0.0
    """How early such a reply is, about."""
    fast_reply: float = 0.0
    """Share of replies within 100 to 450 ms."""


@dataclass(frozen=True, slots=True)
class Sensors:
    """What the board does to what the hands did."""

    scan_hz: tuple[float, float]
    """Scans a second: each game's board has its own, between these two."""
    jitter: float = 0.0
    """Standard deviation of the time between scans, as a share of it."""
    lost: float = 0.0
    """Share of scans that never arrive."""
    outages_per_minute: float = 0.0
    """How often all scans are lost for 300 to 900 ms."""
    torn: float = 0.0
    """Share of scans in which some ranks still show the scan before."""
    glitches_per_minute: float = 0.0
    """How often one square reads wrong for one to three scans."""
    shakes_per_minute: float = 0.0
    """How often the table is bumped and many sensors flicker for a moment."""
    bounce: float = 0.0
    """Chance that a sensor that changes chatters for 10 to 60 ms."""
    null: float = 0.0
    """Chance that a reed opens because the magnet stands exactly over its middle, until the man slips a little."""
    weak: float = 0.0
    """Mean number of insensitive squares."""
    stuck: float = 0.0
    """Mean number of times a game that a square keeps one reading for 1 to 20 s."""
    spread: float = 0.04
    """Standard deviation of the sensors' thresholds and the magnets' strengths, as a share."""
    field_noise: float = 0.004
    """Standard deviation of each reading, as a share of a centred man's field."""


@dataclass(frozen=True, slots=True)
class Noise:
    """A level: its hands and its sensors."""

    hands: Hands
    sensors: Sensors


_CLEAN = Noise(
    Hands(
        think_ms=3000, think_spread=0.4, carry_ms=550, centre_sigma=0.04,
        captures={CaptureWay.VICTIM_FIRST: 0.6, CaptureWay.CAPTURER_FIRST: 0.4},
        castlings={CastlingWay.KING_FIRST: 1},
        passants={PassantWay.CAPTURER_FIRST: 1},
        promotions={PromotionWay.EXCHANGED: 0.5, PromotionWay.PAWN_OFF: 0.5},
    ),
    Sensors(scan_hz=(50, 50)),
)  # fmt: skip

_CLUB = Noise(
    Hands(
        think_ms=4000, think_spread=0.9, carry_ms=480, centre_sigma=0.07,
        captures={
            CaptureWay.VICTIM_FIRST: 0.5, CaptureWay.CAPTURER_FIRST: 0.4, CaptureWay.ONE_GRIP: 0.09,
            CaptureWay.UNSEEN: 0.01,
        },
        castlings={
            CastlingWay.KING_FIRST: 0.7, CastlingWay.ROOK_FIRST: 0.08, CastlingWay.IN_AIR: 0.12,
            CastlingWay.TWO_HANDS: 0.1,
        },
        passants={PassantWay.CAPTURER_FIRST: 0.5, PassantWay.VICTIM_FIRST: 0.3, PassantWay.BOTH_IN_AIR: 0.2},
        promotions={
            PromotionWay.EXCHANGED: 0.48, PromotionWay.PAWN_OFF: 0.35, PromotionWay.QUEEN_FIRST: 0.14,
            PromotionWay.LATE: 0.03,
        },
        slide=0.15, stop=0.04, low=0.1, hover=0.02, second_thought=0.002, off_centre=0.01, adjust=0.05, nudge=0.02,
        knock=0.001, overlap=0.004, overlap_ms=120, fast_reply=0.03,
    ),
    Sensors(
        scan_hz=(20, 50), jitter=0.05, lost=0.004, torn=0.002, glitches_per_minute=0.5, shakes_per_minute=0.02,
        bounce=0.15, null=0.01, weak=0.15, stuck=0.01,
    ),
)  # fmt: skip

_ROUGH = Noise(
    Hands(
        think_ms=2500, think_spread=1.0, carry_ms=430, centre_sigma=0.1,
        captures={
            CaptureWay.VICTIM_FIRST: 0.4, CaptureWay.CAPTURER_FIRST: 0.4, CaptureWay.ONE_GRIP: 0.17,
            CaptureWay.UNSEEN: 0.03,
        },
        castlings={
            CastlingWay.KING_FIRST: 0.5, CastlingWay.ROOK_FIRST: 0.15, CastlingWay.IN_AIR: 0.2,
            CastlingWay.TWO_HANDS: 0.15,
        },
        passants={PassantWay.CAPTURER_FIRST: 0.4, PassantWay.VICTIM_FIRST: 0.3, PassantWay.BOTH_IN_AIR: 0.3},
        promotions={
            PromotionWay.EXCHANGED: 0.4, PromotionWay.PAWN_OFF: 0.3, PromotionWay.QUEEN_FIRST: 0.15,
            PromotionWay.LATE: 0.05, PromotionWay.PAWN_STAYS: 0.1,
        },
        slide=0.35, stop=0.25, low=0.2, hover=0.08, second_thought=0.02, off_centre=0.06, adjust=0.15, nudge=0.1,
        knock=0.006, overlap=0.1, overlap_ms=150, fast_reply=0.2,
    ),
    Sensors(
        scan_hz=(12, 30), jitter=0.15, lost=0.03, outages_per_minute=0.3, torn=0.01, glitches_per_minute=4,
        shakes_per_minute=0.1, bounce=0.4, null=0.03, weak=0.7, stuck=0.1, spread=0.07, field_noise=0.01,
    ),
)  # fmt: skip

_BLITZ = Noise(
    Hands(
        think_ms=800, think_spread=0.9, carry_ms=330, centre_sigma=0.1,
        captures={
            CaptureWay.VICTIM_FIRST: 0.3, CaptureWay.CAPTURER_FIRST: 0.35, CaptureWay.ONE_GRIP: 0.25,
            CaptureWay.UNSEEN: 0.1,
        },
        castlings={
            CastlingWay.KING_FIRST: 0.4, CastlingWay.ROOK_FIRST: 0.1, CastlingWay.IN_AIR: 0.2,
            CastlingWay.TWO_HANDS: 0.3,
        },
        passants={PassantWay.CAPTURER_FIRST: 0.5, PassantWay.VICTIM_FIRST: 0.2, PassantWay.BOTH_IN_AIR: 0.3},
        promotions={
            PromotionWay.EXCHANGED: 0.35, PromotionWay.PAWN_OFF: 0.3, PromotionWay.QUEEN_FIRST: 0.1,
            PromotionWay.LATE: 0.05, PromotionWay.PAWN_STAYS: 0.2,
        },
        slide=0.25, stop=0.05, low=0.25, hover=0.02, second_thought=0.005, off_centre=0.04, adjust=0.05, nudge=0.06,
        knock=0.003, overlap=0.5, overlap_ms=200, fast_reply=0.3,
    ),
    Sensors(
        scan_hz=(10, 10), jitter=0.1, lost=0.01, torn=0.005, glitches_per_minute=1, shakes_per_minute=0.05, bounce=0.2,
        null=0.01, weak=0.2, stuck=0.02, spread=0.05,
    ),
)  # fmt: skip

LEVELS: dict[Level, Noise] = {
    Level.CLEAN: _CLEAN,
    Level.CLUB: _CLUB,
    Level.ROUGH: _ROUGH,
    Level.BLITZ: _BLITZ,
}
