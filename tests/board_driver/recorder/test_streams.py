"""What must not matter to a recorder: how fast the hands are, how often the board is read, and where a log ends."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from board_driver.mind import Settings
from board_driver.scan import Scan, Sensing
from board_driver.simulate import Level, Simulated, simulate_game
from board_driver.simulate.gamefile import read_games
from tests.board_driver.recorder.hands import DATA, Recorded, record

GAMES = {game.id: game for game in read_games(DATA / "games.txt")}
SHORT = "w0001"


@lru_cache
def simulated(level: Level = Level.CLUB, sensing: Sensing = Sensing.OCCUPANCY, game: str = SHORT) -> Simulated:
    return simulate_game(GAMES[game], level, 1, sensing=sensing)


def changes() -> list[Scan]:
    """The scans of a game that differ from the one before."""
    first, *later = simulated().scans
    scans = [first]
    for scan in later:
        if scan.reading != scans[-1].reading:
            scans.append(scan)
    return scans


def follow(scans: list[Scan]) -> Recorded:
    return record(scans, Settings())


WHOLE = list(simulated().performance.moves)


@pytest.mark.parametrize("level", [Level.CLEAN, Level.CLUB, Level.ROUGH, Level.BLITZ])
@pytest.mark.parametrize("game", ["w0001", "w0025"])
def test_simulated_games(level: Level, game: str) -> None:
    log = simulated(level, game=game)
    recorded = record(log.scans, Settings(start_fen=log.game.start_fen))
    marked = set(recorded.recorder.summary()["uncertain"])  # type: ignore[call-overload]
    wrong = [n for n, (a, b) in enumerate(zip(recorded.uci, log.performance.moves, strict=True), 1) if a != b]
    assert set(wrong) <= marked
    assert level is Level.BLITZ or not wrong
    assert recorded.told() == recorded.uci


@pytest.mark.parametrize("sensing", list(Sensing))
@pytest.mark.parametrize("level", [Level.CLEAN, Level.CLUB])
def test_every_sensing(sensing: Sensing, level: Level) -> None:
    log = simulated(level, sensing, "w0025")
    recorded = record(log.scans, Settings(sensing=sensing, start_fen=log.game.start_fen))
    assert recorded.uci == list(log.performance.moves)


def test_chess960() -> None:
    game = next(game for game in GAMES.values() if game.chess960)
    log = simulate_game(game, Level.CLUB, 1)
    recorded = record(log.scans, Settings(start_fen=game.start_fen, chess960=True))
    assert recorded.uci[: len(game.moves)] == list(log.performance.moves)


@settings(deadline=None, max_examples=12)
@given(factor=st.floats(0.3, 3))
def test_time_stretched_gives_the_same_game(factor: float) -> None:
    scans = [replace(scan, t_ms=round(scan.t_ms * factor)) for scan in changes()]
    assert follow(scans).uci == WHOLE


def test_repeated_scans_change_nothing() -> None:
    once = follow(changes())
    assert follow([scan for scan in changes() for _ in range(3)]).events == once.events


@settings(deadline=None, max_examples=8)
@given(every_ms=st.integers(7, 500))
def test_scans_between_scans_change_nothing(every_ms: int) -> None:
    scans: list[Scan] = []
    for scan in changes():
        if scans:
            scans += [replace(scans[-1], t_ms=t) for t in range(scans[-1].t_ms + every_ms, scan.t_ms, every_ms)]
        scans.append(scan)
    assert follow(scans).events == follow(changes()).events


def test_time_without_scans_changes_nothing() -> None:
    recorder = record([], Settings()).recorder
    events = []
    for scan in changes():
        for t_ms in range(scan.t_ms - 100, scan.t_ms, 13):
            events += recorder.advance(t_ms)
        events += recorder.receive(scan)
    while (wake_ms := recorder.next_wake_ms()) is not None:
        events += recorder.advance(wake_ms)
    assert tuple(events) == follow(changes()).events


@settings(deadline=None, max_examples=25)
@given(share=st.floats(0, 1))
def test_a_log_cut_anywhere_gives_a_prefix(share: float) -> None:
    scans = changes()
    got = follow(scans[: 1 + int(share * (len(scans) - 1))]).uci
    assert got[:-1] == WHOLE[: max(0, len(got) - 1)]


def test_what_is_final_is_never_revised() -> None:
    log = simulated(Level.ROUGH)
    recorder = record([], Settings()).recorder
    final: list[str] = []
    for scan in log.scans:
        recorder.receive(scan)
        plies = recorder.games()[-1].plies
        uci = recorder.summary()["uci"]
        assert isinstance(uci, list)
        assert uci[: len(final)] == final
        final = [text for text, ply in zip(uci, plies, strict=True) if not ply.provisional]
    assert len(final) > len(log.performance.moves) - 4
