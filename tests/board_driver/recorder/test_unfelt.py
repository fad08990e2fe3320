"""Pieces that are felt late or not at all where they come to rest, while the game goes on."""

from __future__ import annotations

import pytest

from board_driver.events import Moved
from board_driver.mind import Settings
from board_driver.recorder.follower import Follower
from board_driver.recorder.prices import Prices, Times
from board_driver.recorder.senses import Reader
from board_driver.recorder.turns import Turn
from board_driver.scan import Occupancy, Scan
from rules.fen import START_FEN, parse_fen
from rules.squares import parse_square
from rules.uci import parse_uci
from tests.board_driver.recorder.hands import record, scanned

CARRY_MS = 350
QUIET = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 b1d2 a7a6 c4b3 c5a7"


def scans_of(line: str, seen_ms: dict[int, int | None], *, reply_ms: int, scan_hz: int) -> list[Scan]:
    """The scans of those quiet moves, one lifted `reply_ms` after the last was down.

    `seen_ms`: how long after its landing the piece of a ply (1 the first) is felt; None: not before it moves on.
    """
    position = start = parse_fen(START_FEN)
    changes: list[tuple[int, int]] = []
    unseen: set[int] = set()
    down_ms = 2000
    for ply, uci in enumerate(line.split(), 1):
        move = parse_uci(position, uci)
        position = position.play(move)
        lift_ms = down_ms + reply_ms
        down_ms = lift_ms + CARRY_MS
        late_ms = seen_ms.get(ply, 0)
        if move.origin in unseen:
            unseen.remove(move.origin)
        else:
            changes.append((lift_ms, move.origin))
        if late_ms is None:
            unseen.add(move.landing)
        else:
            changes.append((down_ms + late_ms, move.landing))
    return scanned(start.occupied, changes, down_ms + 3000, scan_hz)


@pytest.mark.parametrize("scan_hz", [10, 20, 50])
@pytest.mark.parametrize("late_ms", [500, 800, 1200, 2000])
@pytest.mark.parametrize("reply_ms", [150, 300])
def test_a_piece_felt_late_was_there_all_the_time(reply_ms: int, late_ms: int, scan_hz: int) -> None:
    for ply in range(1, 13):
        scans = scans_of(QUIET, {ply: late_ms}, reply_ms=reply_ms, scan_hz=scan_hz)
        assert record(scans, Settings()).uci == QUIET.split(), ply


@pytest.mark.parametrize("scan_hz", [10, 20, 50])
@pytest.mark.parametrize(
    ("line", "ply"),
    [
        pytest.param("g1f3 b8c6 e2e4 d7d6 e4e5 c8g4 h2h3", 3, id="a pawn goes on"),
        pytest.param("d2d4 d7d5 c1g5 h7h6 g5h4 b8c6 g1f3", 3, id="a bishop draws back"),
        pytest.param("e2e4 e7e5 h2h4 f8c5 h1h3 c5b6 b1c3", 4, id="a bishop goes on"),
    ],
)
def test_a_piece_that_touches_down_between_two_scans_made_a_ply(line: str, ply: int, scan_hz: int) -> None:
    for reply_ms in (-250, -200, -100):
        scans = scans_of(line, {ply: None}, reply_ms=reply_ms, scan_hz=scan_hz)
        assert record(scans, Settings()).uci == line.split(), reply_ms


@pytest.mark.parametrize("ply", [3, 5, 7, 9])
def test_what_a_piece_felt_late_gets_back_it_gets_once(ply: int) -> None:
    line = " ".join(QUIET.split()[: ply + 1])
    scans = scans_of(line, {ply: 800}, reply_ms=200, scan_hz=20)
    last = scans[-1]
    assert isinstance(last.reading, Occupancy)
    square = 1 << parse_square(QUIET.split()[ply - 1][2:4])
    follower = Follower(Reader(Settings()).ground(Prices(), Times()), Turn.AS_IS)
    costs = []
    for t_ms in range(last.t_ms, last.t_ms + 4000, 400):
        lifted = square if (t_ms - last.t_ms) % 800 else 0
        scans.append(Scan(t_ms, Occupancy(last.reading.occupied & ~lifted)))
    for scan in scans:
        assert isinstance(scan.reading, Occupancy)
        follower.see(scan.t_ms, scan.reading.occupied)
        follower.come_to(scan.t_ms)
        costs.append(follower.best().cost)
    flickering = costs[-10:]
    assert flickering == sorted(flickering)


def test_a_square_that_still_reads_full_as_the_piece_lands_delays_nothing() -> None:
    start = parse_fen(START_FEN).occupied
    e2, e4 = 1 << 12, 1 << 28
    seen = {1000: start, 3000: start ^ e2, 3300: start | e4, 3400: start ^ e2 | e4, 9000: start ^ e2 | e4}
    recorded = record([Scan(t_ms, Occupancy(occupied)) for t_ms, occupied in seen.items()], Settings())
    assert recorded.uci == ["e2e4"]
    assert [event.t_ms for event in recorded.events if isinstance(event, Moved)] == [3400 + Times().publish]
