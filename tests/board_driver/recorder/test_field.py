"""What really happened at such boards: `recorded_moves` of every field case with events.

`OTHERWISE` lists the cases that are not recorded as the case says, or only under a setting, and why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from board_driver.mind import Settings
from board_driver.scan import Input, Occupancy, Scan
from rules.fen import parse_fen
from rules.squares import parse_square
from tests.board_driver.recorder.hands import field_cases, record


@dataclass(frozen=True)
class Otherwise:
    """How a case is recorded, where that is not plainly what the case says."""

    why: str
    uci: list[str] | None = None
    """What is recorded; None for what the case says."""
    settings: dict[str, Any] = field(default_factory=dict)


OTHERWISE = {
    "CASTLE-03": Otherwise(
        "a ruling of play mode (4.4.2: the rook move stands); a recorder writes the castling that both players saw,"
        " which the case gives as the lenient reading",
        ["e1g1"],
    ),
    "SENSE-03": Otherwise(
        "the case's policy is a square marked bad in the profile",
        settings={"dead_squares": frozenset({parse_square("d4")})},
    ),
}
CASES = field_cases()


def inputs_of(case: dict[str, Any]) -> list[Input]:
    """One scan for each distinct time, from the pieces as they really stood."""
    placement = case.get("physical_start")
    occupied = parse_fen(f"{placement} w - - 0 1" if placement else case["start_fen"]).occupied
    inputs: list[Input] = [Scan(case["events"][0][0] - 2000, Occupancy(occupied))]
    for t_ms in sorted({event[0] for event in case["events"]}):
        for _, what, name in (event for event in case["events"] if event[0] == t_ms):
            square = 1 << parse_square(name)
            occupied = occupied | square if what == "place" else occupied & ~square
        inputs.append(Scan(t_ms, Occupancy(occupied)))
    return inputs


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_recorded_moves(case: dict[str, Any]) -> None:
    otherwise = OTHERWISE.get(case["id"], Otherwise(""))
    recorded = record(inputs_of(case), Settings(start_fen=case["start_fen"], **otherwise.settings))
    assert recorded.uci == (case["recorded_moves"] if otherwise.uci is None else otherwise.uci)
    assert recorded.told() == recorded.uci
    if "result" in case:
        assert recorded.result == case["result"]


def test_only_known_cases_are_recorded_otherwise() -> None:
    assert set(OTHERWISE) <= {case["id"] for case in CASES}
    assert len(CASES) == 110
