"""Which beeps an event is worth [pure].

A move is one short beep, what is wrong three, the end of a game a long one between two short ones. A touch, an offer, a
taken-back move are two. Nothing else beeps: a room with twenty boards should stay quiet.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from board_driver.events import Ended, Event, Irregular, Moved, Notice, RestoreAsked, Revised

Beeps = tuple[tuple[int, int], ...]
"""On for so many ms, then off for so many ms, one after the other."""

SHORT_MS = 60
LONG_MS = 500
GAP_MS = 90


class Tune(Enum):
    """What is beeped, by what it tells; the later ones drown out the earlier."""

    MOVE = ((SHORT_MS, GAP_MS),)
    ATTENTION = ((SHORT_MS, GAP_MS),) * 2
    WRONG = ((SHORT_MS, GAP_MS),) * 3
    END = ((SHORT_MS, GAP_MS), (LONG_MS, GAP_MS), (SHORT_MS, GAP_MS), (SHORT_MS, 2 * GAP_MS))


_ORDER = list(Tune)
_ATTENTION = frozenset({"draw", "draw-offered", "takeback", "promotion", "silent-capture", "claim", "claim-rejected"})


def tune_for(events: Sequence[Event]) -> Tune | None:
    """The most important tune that these events are worth; None where they are worth none."""
    tunes = [tune for event in events if (tune := _tune(event)) is not None]
    return max(tunes, key=_ORDER.index, default=None)


def _tune(event: Event) -> Tune | None:
    match event:
        case Moved():
            return Tune.MOVE
        case Irregular() | RestoreAsked():
            return Tune.WRONG
        case Ended():
            return Tune.END
        case Revised(now=None):
            return Tune.ATTENTION
        case Notice(kind=kind) if kind in _ATTENTION:
            return Tune.ATTENTION
        case _:
            return None
