"""Whole evenings: the same seed gives the same log, and what the sensors say follows from what the hands did."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from benchmarks.simple_decoders import read_lift_then_place, read_settled
from board_driver.scan import Colours, Field, Identity, Occupancy, Scan, Sensing
from board_driver.simulate import Extra, Level, Simulated, simulate_game
from board_driver.simulate.gamefile import ScoredGame
from rules.fen import parse_fen
from rules.position import Position
from rules.squares import Colour
from rules.uci import parse_uci, write_uci
from tests.board_driver.simulate.evenings import EVERYTHING, evening, real_games

SOME = 12


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("sensing", Sensing)
def test_the_same_seed_gives_the_same_evening(level: Level, sensing: Sensing) -> None:
    first, second = (simulate_game(EVERYTHING, level, 7, sensing=sensing) for _ in range(2))
    assert first.scans == second.scans
    assert first.truth() == second.truth()


def test_another_seed_gives_another_evening() -> None:
    assert evening(EVERYTHING, Level.CLUB, 1).scans != evening(EVERYTHING, Level.CLUB, 2).scans


@pytest.mark.parametrize("level", Level)
def test_the_hands_are_the_same_for_every_board(level: Level) -> None:
    one, other = evening(EVERYTHING, level), simulate_game(EVERYTHING, level, 1, sensing=Sensing.COLOUR, scan_hz=33)
    assert one.performance.timings == other.performance.timings
    assert other.scan_hz == 33


@pytest.mark.parametrize("decoder", [read_settled, read_lift_then_place])
def test_the_simplest_decoder_reads_a_clean_evening(decoder: object) -> None:
    assert callable(decoder)
    for game in real_games(SOME):
        start = parse_fen(game.start_fen, chess960=game.chess960)
        position, moves = start, []
        for made in decoder(start, evening(game, Level.CLEAN).scans):
            moves.append(write_uci(position, made.move))
            position = position.play(made.move)
        assert tuple(moves) == game.moves


@pytest.mark.parametrize("level", Level)
def test_times_never_go_back_and_every_scan_but_the_last_is_news(level: Level) -> None:
    scans = evening(EVERYTHING, level).scans
    assert scans[0].t_ms == 0
    for before, after in pairwise(scans):
        assert before.t_ms < after.t_ms
        assert before.reading != after.reading or after is scans[-1]


def test_clean_scans_change_only_while_a_man_is_in_motion() -> None:
    simulated = evening(EVERYTHING, Level.CLEAN)
    period = 1000 / simulated.scan_hz
    motions = [(s[0].t_ms, s[-1].t_ms) for man in simulated.performance.men for s in man.stretches()]
    for scan in simulated.scans[1:-1]:
        assert any(start <= scan.t_ms <= end + 2 * period for start, end in motions), scan.t_ms


def test_a_clean_board_shows_every_position_once_the_last_man_has_settled() -> None:
    simulated = evening(EVERYTHING, Level.CLEAN)
    for position, scan in settled(simulated):
        assert isinstance(scan.reading, Occupancy)
        assert scan.reading.occupied == position.occupied


def settled(simulated: Simulated) -> list[tuple[Position, Scan]]:
    """Each position of the game, and the last scan before the next lift."""
    timings = simulated.performance.timings
    position, found = parse_fen(simulated.game.start_fen, chess960=simulated.game.chess960), []
    for ply, uci in enumerate(simulated.game.moves):
        position = position.play(parse_uci(position, uci))
        until = timings[ply + 1].lifted_ms if ply + 1 < len(timings) else simulated.performance.end_ms
        found.append((position, [scan for scan in simulated.scans if scan.t_ms < until][-1]))
    return found


# --- all kinds of noise ------------------------------------------------------------------------------------------

HAPPENINGS = {
    Level.CLEAN: set[str](),
    Level.CLUB: {
        "slide", "stop on the way", "low", "hover", "off centre", "adjust", "turn", "nudge", "overlap", "glitch",
        "dropout", "capturer first", "one grip",
    },
    Level.ROUGH: {
        "slide", "stop on the way", "low", "hover", "second thought", "off centre", "adjust", "turn", "nudge", "fall",
        "overlap", "glitch", "outage", "shake", "stuck", "dropout", "capturer first", "one grip", "unseen",
        "rook first", "both in the air", "two hands",
    },
    Level.BLITZ: {
        "slide", "low", "hover", "off centre", "adjust", "nudge", "overlap", "glitch", "capturer first", "one grip",
        "unseen", "both in the air", "two hands",
    },
}  # fmt: skip
ORDERS = {"capturer first", "pawn off"}


@pytest.mark.parametrize("level", Level)
def test_what_a_level_promises_happens(level: Level) -> None:
    seen = Counter(h.what for game in real_games(40) for h in evening(game, level).performance.happenings)
    assert HAPPENINGS[level] <= set(seen), HAPPENINGS[level] - set(seen)
    if level is Level.CLEAN:
        assert set(seen) <= ORDERS


def test_a_tenth_of_the_captures_at_blitz_is_unseen() -> None:
    games = real_games(40)
    unseen = sum(h.what == "unseen" for game in games for h in evening(game, Level.BLITZ).performance.happenings)
    captures = 0
    for game in games:
        position = parse_fen(game.start_fen, chess960=game.chess960)
        for uci in game.moves:
            move = parse_uci(position, uci)
            captures += position.victim_square(move) is not None and not move.is_en_passant
            position = position.play(move)
    assert 0.06 < unseen / captures < 0.14


def test_blitz_is_scanned_ten_times_a_second_and_answered_early() -> None:
    simulated = evening(real_games(2)[1], Level.BLITZ)
    assert simulated.scan_hz == 10
    timings = simulated.performance.timings
    early = [a.settled_ms - b.lifted_ms for a, b in pairwise(timings) if b.lifted_ms < a.settled_ms]
    assert len(early) > len(timings) / 4
    assert 100 < sum(early) / len(early) < 250


@pytest.mark.parametrize("level", [Level.CLUB, Level.ROUGH, Level.BLITZ])
def test_plies_settle_in_order(level: Level) -> None:
    for game in real_games(SOME):
        times = [timing.settled_ms for timing in evening(game, level).performance.timings]
        assert times == sorted(times)


# --- sensings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sensing", [Sensing.COLOUR, Sensing.IDENTITY])
def test_sensings_agree_on_a_clean_board(sensing: Sensing) -> None:
    plain, other = (settled(evening(EVERYTHING, Level.CLEAN, sensing=kind)) for kind in (Sensing.OCCUPANCY, sensing))
    for (position, one), (_, two) in zip(plain, other, strict=True):
        assert isinstance(one.reading, Occupancy)
        assert not isinstance(two.reading, Field)
        assert two.reading.occupied == one.reading.occupied == position.occupied


def test_colour_and_identity_tell_the_truth_of_a_clean_board() -> None:
    for position, scan in settled(evening(EVERYTHING, Level.CLEAN, sensing=Sensing.COLOUR)):
        assert isinstance(scan.reading, Colours)
        assert (scan.reading.white, scan.reading.black) == tuple(position.occupied_by(c) for c in Colour)
    for position, scan in settled(evening(EVERYTHING, Level.CLEAN, sensing=Sensing.IDENTITY)):
        assert isinstance(scan.reading, Identity)
        assert scan.reading.pieces == tuple(position.piece_at(square) for square in range(64))


def test_the_field_has_the_sign_of_the_man_that_stands_there() -> None:
    for position, scan in settled(evening(EVERYTHING, Level.CLEAN, sensing=Sensing.FIELD)):
        assert isinstance(scan.reading, Field)
        for square, strength in enumerate(scan.reading.strengths):
            piece = position.piece_at(square)
            expected = 0 if piece is None else 1 if piece.colour is Colour.WHITE else -1
            assert (abs(strength) > 30) * (1 if strength > 0 else -1) == expected


# --- extras ------------------------------------------------------------------------------------------------------


def test_extras_happen_and_leave_the_game_alone() -> None:
    seen = Counter[str]()
    for game in real_games(SOME):
        performance = evening(game, Level.CLUB, extras=frozenset(Extra)).performance
        assert performance.moves == game.moves
        assert len(performance.games) == 2
        assert performance.games[0].moves == game.moves[: len(performance.games[0].moves)]
        seen.update(happening.what for happening in performance.happenings)
    assert {"takeback", "illegal", "gesture", "reset"} <= set(seen)


@pytest.mark.parametrize("game", real_games(6), ids=lambda game: game.id)
def test_after_extras_the_clean_board_still_shows_the_game(game: ScoredGame) -> None:
    simulated = evening(game, Level.CLEAN, extras=frozenset({Extra.TAKEBACK, Extra.ILLEGAL, Extra.RESET}))
    for position, scan in settled(simulated)[-1:]:
        assert isinstance(scan.reading, Occupancy)
        assert scan.reading.occupied == position.occupied
