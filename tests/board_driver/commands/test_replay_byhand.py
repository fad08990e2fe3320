"""What is done by hand, through the public command: header keys, buttons, summary, events, PGN."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from board_driver.cli import main
from board_driver.mind import ClaimsTold, Mode, PromotionRule, Settings
from board_driver.scan import Sensing
from board_driver.sensorlog.header import Header, header_fields, parse_header
from board_driver.sensorlog.lines import line_fields
from board_driver.store.rows import parse_settings, settings_text
from tests.board_driver.arbiter.hands import Hands, settings

PROMOTE = "3n4/4P1k1/8/8/8/8/P7/4K3 w - - 0 1"
GAME = "-e2 +e4 -e7 +e5 -g1 +f3"


def replayed(setup: Settings, tokens: str, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """What the command prints of a log with those settings and hands."""
    lines = [header_fields(Header.of(setup)), *(line_fields(item) for item in Hands(setup).do(tokens).inputs)]
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert main(["replay", *options, str(path)]) == 0
    return capsys.readouterr().out


def test_header_and_journal_keep_the_settings() -> None:
    setup = Settings(
        mode=Mode.PLAY, promotion=PromotionRule.ASK, claims=ClaimsTold.SILENT, abandon_ms=60_000, later_game=True
    )
    assert parse_header(header_fields(Header.of(setup))).settings() == setup
    assert parse_settings(settings_text(setup)) == setup
    silent = header_fields(Header.of(Settings(mode=Mode.PLAY)))
    assert not {"promotion", "claims", "abandon_ms", "later_game"} & silent.keys()


def test_a_promotion_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setup = settings(PROMOTE, promotion=PromotionRule.ASK)
    found: dict[str, Any] = json.loads(replayed(setup, "-e7 +e8", tmp_path, capsys, "--summary"))
    assert found["moves"] == []
    assert found["asking"]["choices"] == {"d7": "q", "f8": "r", "f7": "b", "e6": "n"}
    chosen = json.loads(replayed(setup, "-e7 +e8 -e8 +e6 -e6 +e8", tmp_path, capsys, "--summary"))
    assert chosen["moves"] == ["e8=N+"]
    assert "asking" not in chosen


def test_what_is_taken_back_is_in_no_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pgn = tmp_path / "games.pgn"
    setup = settings()
    out = replayed(setup, f"{GAME} back-to:1 -f3 +g1 -e5 +e7 -c7 +c5", tmp_path, capsys, "--events", "--pgn", str(pgn))
    events = [json.loads(line) for line in out.splitlines()]
    revised = [(event["ply"], event["was"], event["now"]) for event in events if event["event"] == "revise"]
    assert revised == [(3, "g1f3", None), (2, "e7e5", None)]
    asked = [event["text"] for event in events if event["event"] == "restore"]
    assert asked[0] == "White knight from f3 back to g1; black pawn from e5 back to e7"
    text = pgn.read_text("utf-8")
    assert "1. e4" in text
    assert "c5" in text
    assert "e5" not in text
    assert "Nf3" not in text


def test_a_game_put_away_is_a_game_without_a_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pgn = tmp_path / "games.pgn"
    away = f"{GAME} -b8 +c6 -c6 +b8 -f3 +g1 -e5 +e7 -e4 +e2 ~5000 -d2 +d4"
    replayed(settings(sensing=Sensing.OCCUPANCY), away, tmp_path, capsys, "--pgn", str(pgn))
    text = pgn.read_text("utf-8")
    assert text.count('[Result "*"]') == 2
    assert "Nc6" in text
    assert "Ng1" not in text
