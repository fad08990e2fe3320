"""Which beeps there are for what."""

from __future__ import annotations

import pytest

from board_driver.events import Ended, Event, Irregular, Lifted, Moved, Notice, RestoreAsked, Revised
from board_driver.sound.beeps import Tune, tune_for

MOVE = Moved(1, "e4", "e2e4", "", 1, False)
WRONG = Irregular(1, "self-check", 4, "illegal", False, "No.")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("events", "tune"),
    [
        ([], None),
        ([Lifted(1, 4)], None),  # type: ignore[arg-type]
        ([MOVE], Tune.MOVE),
        ([MOVE, WRONG], Tune.WRONG),
        ([RestoreAsked(1, (), (), "")], Tune.WRONG),
        ([MOVE, Ended(1, "1-0", "checkmate")], Tune.END),
        ([Revised(1, 1, "e2e4", None)], Tune.ATTENTION),
        ([Revised(1, 1, "e2e4", "e2e3")], None),
        ([Notice(1, "draw", "")], Tune.ATTENTION),
        ([Notice(1, "explained", "")], None),
    ],
)
def test_the_most_important_is_beeped(events: list[Event], tune: Tune | None) -> None:
    assert tune_for(events) is tune


def test_every_tune_is_told_from_the_others() -> None:
    assert len({tune.value for tune in Tune}) == len(Tune)
