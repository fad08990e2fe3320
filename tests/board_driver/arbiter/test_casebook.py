"""The 201 rulings of the casebook, field by field: through the core, and through the public command."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from board_driver.arbiter.report import summary
from board_driver.cli import main
from tests.board_driver.arbiter.hands import game_of, log_of, read_cases

CASES = read_cases("casebook.jsonl")
SHORTEST_STEP_MS = 200


def settled(case: dict[str, Any]) -> bool:
    """Whether every step of the case stays long enough to settle, so that no sensing is needed."""
    times = sorted({t for t, _, _ in case["events"]})
    return all(b - a >= SHORTEST_STEP_MS for a, b in pairwise(times))


def told(found: dict[str, Any]) -> dict[str, Any]:
    """The part of a summary that the casebook speaks of."""
    return {key: value for key, value in found.items() if key not in ("uci", "uncertain", "log", "games")}


def mirrored(case: dict[str, Any]) -> dict[str, Any]:
    """The same case with colours exchanged and the board seen from the other side."""
    other = {"white": "black", "black": "white"}
    turned = dict(case)
    turned["fen"] = mirrored_fen(case["fen"])
    turned["events"] = [[t, kind, other.get(value) or mirrored_square(value)] for t, kind, value in case["events"]]
    if "clock" in case:
        turned["clock"] = [[t, other[player]] for t, player in case["clock"]]
    return turned


def mirrored_fen(fen: str) -> str:
    """Colours exchanged and ranks turned round; move numbers are kept."""
    men, turn, castling, passed, *rest = fen.split()
    men = "/".join(reversed(men.split("/"))).swapcase()
    castling = "".join(sorted(castling.swapcase()))
    return " ".join([men, "wb"[turn == "w"], castling, mirrored_square(passed), *rest])


def mirrored_square(text: str) -> str:
    """e2 to e7; anything that is no square as it is."""
    return text[0] + str(9 - int(text[1])) if len(text) == 2 and text[1] in "12345678" else text


def mirrored_summary(found: dict[str, Any]) -> dict[str, Any]:
    """A summary with colours exchanged. Full move numbers are left out, since they count from White."""
    text = json.dumps({key: value for key, value in found.items() if key not in ("fen", "fen_std", "moves", "result")})
    parts = json.loads(text, object_hook=_swap_sides)
    parts["fen"] = mirrored_fen(found["fen"]).rsplit(" ", 1)[0]
    parts["moves"] = [re.sub("[1-8]", lambda rank: str(9 - int(rank[0])), san) for san in found["moves"]]
    parts["result"] = {"1-0": "0-1", "0-1": "1-0"}.get(found["result"], found["result"])
    return dict(parts)


def _swap_sides(found: dict[str, Any]) -> dict[str, Any]:
    return {{"white": "black", "black": "white"}.get(key, key): _mirrored_value(value) for key, value in found.items()}


def _mirrored_value(value: Any) -> Any:
    if isinstance(value, list):
        return sorted(_mirrored_value(v) for v in value)
    return mirrored_square(value) if isinstance(value, str) else value


def test_there_are_201_cases() -> None:
    assert len({case["id"] for case in CASES}) == 201


@pytest.mark.parametrize("case", [c for c in CASES if settled(c)], ids=lambda c: c["id"])
def test_core_rules_as_the_casebook(case: dict[str, Any]) -> None:
    assert told(summary(game_of(case))) == case["expect"], case["title"]


@pytest.mark.parametrize("case", [c for c in CASES if settled(c)], ids=lambda c: c["id"])
def test_the_laws_are_the_same_for_both_sides(case: dict[str, Any]) -> None:
    """Each case with colours exchanged: as many cases again."""
    found, expected = from_both_sides(case)
    assert found == expected


def from_both_sides(case: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the core says of the case seen from the other side, turned back again, and what it should say."""
    found = mirrored_summary(told(summary(game_of(mirrored(case)))))
    expected = {key: _mirrored_value_sorted(value) for key, value in case["expect"].items() if key != "fen_std"}
    expected["fen"] = expected["fen"].rsplit(" ", 1)[0]
    expected["moves"] = case["expect"]["moves"]
    return found, expected


def _mirrored_value_sorted(value: Any) -> Any:
    """Lists in the order that `mirrored_summary` puts them in."""
    if isinstance(value, dict):
        return {key: _mirrored_value_sorted(v) for key, v in value.items()}
    return sorted(value) if isinstance(value, list) else value


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """All cases written as sensor logs and replayed by one command; its summaries by case."""
    folder = tmp_path_factory.mktemp("casebook")
    files = []
    for case in CASES:
        head = {
            "sensorlog": 1,
            "sensing": "occupancy",
            "mode": "play",
            "start_fen": case["fen"],
            "ruleset": case["ruleset"],
            "touch": "strict",
            "clock": "clock" in case,
        }
        lines = log_of(case, head, presses=case.get("clock", []))
        file = folder / f"{case['id']}.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        files.append(str(file))
    out = folder / "out.txt"
    with pytest.MonkeyPatch.context() as patch, out.open("w", encoding="utf-8") as stream:
        patch.setattr("sys.stdout", stream)
        assert main(["replay", "--summary", *files]) == 0
    summaries = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    return {Path(found["log"]).stem: found for found in summaries}


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])
def test_command_rules_as_the_casebook(case: dict[str, Any], reported: dict[str, dict[str, Any]]) -> None:
    assert told(reported[case["id"]]) == case["expect"], case["title"]


def test_uci_castling_is_the_kings_move(reported: dict[str, dict[str, Any]]) -> None:
    assert reported["G043"]["uci"] == ["e1g1"]
    assert reported["G043"]["uncertain"] == []
