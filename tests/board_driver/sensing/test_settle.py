"""Tables of what a board does, replayed at many scan rates with jitter and delay, then a long silence."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.events import Fault
from board_driver.scan import Colours, Identity, Occupancy, Scan
from board_driver.sensing.cells import SOMETHING
from board_driver.sensing.settle import BUS_FAULT_SQUARES, BUS_HOLD_MS, SettledChange, Settler
from rules.pieces import PIECES
from rules.squares import Bitboard, Colour, parse_square, set_of, square_name, squares_of

START = 0xFFFF00000000FFFF
SETTLE_MS = 200
SILENCE_MS = 60_000

Steps = list[tuple[int, Bitboard]]
"""When the board changes, and what is on it from then on."""


def steps_of(text: str, start: Bitboard = START) -> Steps:
    """`0 -e2, 400 +e4`: at 0 ms e2 empties, at 400 ms e4 fills. Several squares change together: `0 -e1-h1`."""
    occupied, steps = start, [(-1000, start)]
    for part in filter(None, (part.strip() for part in text.split(","))):
        time, change = part.split()
        for at in range(0, len(change), 3):
            square = parse_square(change[at + 1 : at + 3])
            assert bool(occupied >> square & 1) == (change[at] == "-")
            occupied ^= 1 << square
        steps.append((int(time), occupied))
    return steps


def scans_of_changes(steps: Steps) -> Iterator[Scan]:
    """A log: one scan for each change."""
    return (Scan(time, Occupancy(occupied)) for time, occupied in steps)


def scans_at(steps: Steps, hz: int, seed: int, *, late_ms: int) -> Iterator[Scan]:
    """A board that sends every scan, each up to a third of a period early or late and then up to `late_ms` delayed.

    A delayed scan shows the board as it is when the scan is taken, and carries that time.
    """
    chance = random.Random(seed)
    period = 1000 / hz
    time, end = steps[0][0], steps[-1][0] + 2000
    beat: float = time
    while beat < end:
        time = max(time, round(beat + chance.uniform(-period / 3, period / 3)) + chance.randint(0, late_ms))
        yield Scan(time, Occupancy([occupied for at, occupied in steps if at <= max(time, steps[0][0])][-1]))
        beat += period


def run(scans: Iterator[Scan], settle_ms: int = SETTLE_MS) -> tuple[list[SettledChange], list[Fault], Settler]:
    """Everything that comes out, with time running on after the last scan."""
    settler = Settler(settle_ms)
    out: list[SettledChange | Fault] = []
    now = 0
    for scan in scans:
        out += settler.feed(scan)
        now = scan.t_ms
    out += settler.advance(now + SILENCE_MS)
    assert settler.next_wake_ms() is None
    assert settler.quiet
    assert settler.settled == settler.raw
    changes = [item for item in out if isinstance(item, SettledChange)]
    return changes, [item for item in out if isinstance(item, Fault)], settler


def told(changes: Sequence[SettledChange]) -> str:
    """`-e2 +e4`."""
    return " ".join(("+" if change.placed else "-") + square_name(change.square) for change in changes)


@dataclass(frozen=True)
class Row:
    name: str
    does: str
    out: str
    slowest_hz: int = 5
    """Below this rate a board cannot show what the row is about."""


TABLE = [
    Row("nothing", "", ""),
    Row("a move", "0 -e2, 700 +e4", "-e2 +e4"),
    Row("a quick move", "0 -e2, 300 +e4", "-e2 +e4"),
    Row("two moves", "0 -e2, 700 +e4, 1400 -e7, 2100 +e5", "-e2 +e4 -e7 +e5"),
    Row("a lift and return", "0 -d2, 900 +d2", "-d2 +d2"),
    Row("a brush", "0 -d1, 90 +d1", "", slowest_hz=20),
    Row("chatter at the lift", "0 -e2, 8 +e2, 15 -e2, 22 +e2, 30 -e2, 700 +e4", "-e2 +e4"),
    Row("chatter at the place", "0 -e2, 700 +e4, 706 -e4, 712 +e4", "-e2 +e4"),
    Row("a weak magnet", "0 -e7, 700 +e5, 820 -e5, 940 +e5, 2800 -e5, 2920 +e5", "-e7 +e5", slowest_hz=20),
    Row("a slide over a2 to a4", "0 -a1-a2, 90 +a2, 200 -a2, 260 +a3, 380 -a3, 430 +a4", "-a1 -a2 +a4", slowest_hz=20),
    Row("a pause on e3 too short to count", "0 -e2, 120 +e3, 250 -e3, 330 +e4", "-e2 +e4", slowest_hz=50),
    Row("a pause on e3 long enough", "0 -e2, 120 +e3, 620 -e3, 700 +e4", "-e2 +e3 -e3 +e4", slowest_hz=20),
    Row("castling", "0 -e1, 700 +g1, 1400 -h1, 2100 +f1", "-e1 +g1 -h1 +f1"),
    Row("king and rook in one scan", "0 -e1-h1, 700 +f1+g1", "-e1 -h1 +f1 +g1"),
    Row("a capture on an occupied square", "0 -d7, 700 -d2, 1400 +d7", "-d7 -d2 +d7"),
    Row("two hands at once", "0 -e2, 60 -e7, 500 +e4, 560 +e5", "-e2 -e7 +e4 +e5", slowest_hz=50),
    Row("a piece swept off in steps", "0 -a1-b1-c1, 40 -d1-e1-f1, 80 -g1-h1", "-a1 -b1 -c1 -d1 -e1 -f1 -g1 -h1", 50),
]


def starts_empty(row: Row) -> Bitboard:
    """The start with those squares emptied that a row fills first."""
    first: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in row.does.split(","))):
        change = part.split()[1]
        for at in range(0, len(change), 3):
            first.setdefault(change[at + 1 : at + 3], change[at])
    return START & ~set_of(parse_square(name) for name, sign in first.items() if sign == "+") | set_of(
        parse_square(name) for name, sign in first.items() if sign == "-"
    )


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_a_log_of_changes_says_exactly_what_happened(row: Row) -> None:
    changes, faults, _ = run(scans_of_changes(steps_of(row.does, starts_empty(row))))
    assert told(changes) == row.out
    assert not faults


@pytest.mark.parametrize("late_ms", [0, 15])
@pytest.mark.parametrize(
    ("row", "hz"),
    [
        pytest.param(row, hz, id=f"{row.name} at {hz}")
        for row in TABLE
        for hz in (5, 10, 20, 50, 100, 200)
        if hz >= row.slowest_hz
    ],
)
def test_every_scan_rate_says_the_same(row: Row, hz: int, late_ms: int) -> None:
    steps = steps_of(row.does, starts_empty(row))
    for seed in range(5):
        changes, faults, _ = run(scans_at(steps, hz, seed, late_ms=late_ms))
        if hz >= 50:
            assert told(changes) == row.out
        assert sorted(told(changes).split()) == sorted(row.out.split())
        assert not faults
        assert [change.began_ms for change in changes] == sorted(change.began_ms for change in changes)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_times_are_those_of_the_first_raw_change_and_of_certainty(row: Row) -> None:
    steps = steps_of(row.does, starts_empty(row))
    times = {time for time, _ in steps}
    changes, _, _ = run(scans_of_changes(steps))
    for change in changes:
        assert change.began_ms in times
        assert change.settled_ms >= change.began_ms + SETTLE_MS


def test_what_began_in_one_scan_begins_together_although_one_contact_chatters() -> None:
    changes, _, _ = run(scans_of_changes(steps_of("0 -e1-h1, 10 +e1, 20 -e1")))
    assert [change.began_ms for change in changes] == [0, 0]


def test_the_first_touched_comes_first_although_its_contact_chatters() -> None:
    changes, _, _ = run(scans_of_changes(steps_of("0 -e1, 60 +e1, 90 -e1, 150 +e1, 160 -e1, 170 -h1")))
    assert told(changes) == "-e1 -h1"
    assert [change.settled_ms for change in changes] == [360, 370]
    changes, _, _ = run(scans_of_changes(steps_of("0 -e1, 20 -h1, 150 +e1, 160 -e1")))
    assert told(changes) == "-e1 -h1"
    assert [change.settled_ms for change in changes] == [360, 360]


def test_a_square_that_chatters_on_and_on_holds_nobody_up() -> None:
    chatter = ", ".join(f"{time} {'-' if time % 200 else '+'}a2" for time in range(100, 10_100, 100))
    steps = steps_of(chatter)
    moved = [(5050, 1 << 12), (6050, 1 << 28)]
    for index, (time, occupied) in enumerate(steps):
        steps[index] = (time, occupied ^ sum(change for at, change in moved if at <= time))
    changes, _, _ = run(scans_of_changes(steps))
    e2 = next(change for change in changes if change.square == 12)
    assert e2.settled_ms <= e2.began_ms + SETTLE_MS


def test_quiet_for_exactly_the_settle_time_is_settled() -> None:
    changes, _, _ = run(scans_of_changes(steps_of("0 -e2, 200 +e2")))
    assert told(changes) == "-e2 +e2"
    changes, _, _ = run(scans_of_changes(steps_of("0 -e2, 199 +e2")))
    assert told(changes) == ""


def test_waking_is_asked_for_when_something_would_settle() -> None:
    settler = Settler(SETTLE_MS)
    assert settler.next_wake_ms() is None
    settler.feed(Scan(0, Occupancy(START)))
    assert settler.next_wake_ms() is None
    settler.feed(Scan(1000, Occupancy(START ^ 1 << 12)))
    assert settler.next_wake_ms() == 1200
    assert settler.advance(1199) == ()
    assert told(settler.advance(1200)) == "-e2"
    assert settler.next_wake_ms() is None


# -- flickers --


@pytest.mark.parametrize(
    ("does", "flickers"),
    [
        ("0 -e2, 140 +e2", [("e2", 0, 140)]),
        ("0 -e2, 199 +e2", [("e2", 0, 199)]),
        ("0 -e2, 200 +e2", []),
        ("0 -e2, 39 +e2", []),
        ("0 -e2, 5 +e2, 30 -e2, 90 +e2", [("e2", 0, 90)]),
        ("0 +e4, 150 -e4", []),
        ("0 -e2, 700 +e4, 820 -e4, 940 +e4", []),
        ("0 -e2, 700 +e4, 1820 -e4, 1940 +e4", [("e4", 1820, 1940)]),
    ],
)
def test_a_filled_square_that_empties_for_a_moment_flickers(does: str, flickers: list[tuple[str, int, int]]) -> None:
    _, _, settler = run(scans_of_changes(steps_of(does)))
    found = settler.flickers()
    assert [(square_name(f.square), f.left_ms, f.returned_ms) for f in found] == flickers
    assert settler.flickers() == ()


# -- bus faults --


def test_a_row_of_the_matrix_that_fails_for_a_moment_is_no_touch() -> None:
    steps: Steps = [(0, START), (1000, START & ~0xFF), (1300, START)]
    changes, faults, _ = run(scans_of_changes(steps))
    assert changes == []
    assert [(fault.kind, fault.t_ms) for fault in faults] == [("bus", 1000)]


def test_a_board_that_reads_empty_for_a_moment_is_no_touch_even_in_an_endgame() -> None:
    three = set_of(map(parse_square, ("e1", "e8", "a7")))
    changes, faults, _ = run(scans_of_changes([(0, three), (1000, 0), (1500, three)]))
    assert changes == []
    assert len(faults) == 1


def test_a_change_of_very_many_squares_that_lasts_is_believed() -> None:
    ended = set_of(map(parse_square, ("e4", "e5", "a7", "h3")))
    changes, faults, settler = run(scans_of_changes([(0, ended), (1000, START)]))
    assert len(faults) == 1
    assert settler.occupied == START
    assert {change.began_ms for change in changes} == {1000}
    assert {change.settled_ms for change in changes} == {1000 + BUS_HOLD_MS}


def test_a_touch_during_a_bus_fault_is_seen_once_it_heals() -> None:
    steps: Steps = [(0, START), (1000, START & ~0xFF), (1100, START & ~0xFF ^ 1 << 12), (1500, START ^ 1 << 12)]
    changes, faults, _ = run(scans_of_changes(steps))
    assert told(changes) == "-e2"
    assert len(faults) == 1


@given(squares=st.sets(st.integers(0, 63), max_size=BUS_FAULT_SQUARES - 1))
def test_fewer_squares_are_never_a_bus_fault(squares: set[int]) -> None:
    steps: Steps = [(0, START), (1000, START ^ set_of(squares))]
    changes, faults, _ = run(scans_of_changes(steps))
    assert {change.square for change in changes} == squares
    assert not faults


# -- squares that cannot be told --


def test_distrusted_squares_hold_their_last_value() -> None:
    settler = Settler(SETTLE_MS)
    settler.feed(Scan(0, Occupancy(START)))
    settler.feed(Scan(100, Occupancy(START ^ 1 << 12 ^ 1 << 20), distrusted=1 << 20))
    assert told(settler.advance(SILENCE_MS)) == "-e2"
    settler.feed(Scan(SILENCE_MS, Occupancy(START ^ 1 << 12 ^ 1 << 20)))
    assert told(settler.advance(2 * SILENCE_MS)) == "+e3"


def test_dead_squares_never_change() -> None:
    settler = Settler(SETTLE_MS, dead=1 << 27)
    settler.feed(Scan(0, Occupancy(START)))
    settler.feed(Scan(100, Occupancy(START | 1 << 27)))
    assert settler.advance(SILENCE_MS) == ()


# -- colours and identities --


def test_a_capture_in_one_sweep_shows_as_another_colour() -> None:
    settler = Settler(SETTLE_MS)
    white, black = 1 << 28, 1 << 35
    settler.feed(Scan(0, Colours(white, black)))
    settler.feed(Scan(1000, Colours(0, black)))
    settler.feed(Scan(1380, Colours(black, 0)))
    change = settler.advance(SILENCE_MS)[-1]
    assert (change.before, change.after) == (Colour.BLACK, Colour.WHITE)
    assert change.lifted
    assert change.placed


def test_an_exchange_of_pieces_is_seen_where_identity_is() -> None:
    pawn, queen = [None] * 64, [None] * 64
    settler = Settler(SETTLE_MS)
    settler.feed(Scan(0, Identity((*pawn[:60], PIECES["P"], *pawn[61:]))))
    settler.feed(Scan(1000, Identity((*queen[:60], PIECES["Q"], *queen[61:]))))
    (change,) = settler.advance(SILENCE_MS)
    assert (change.square, change.before, change.after) == (60, PIECES["P"], PIECES["Q"])


def test_a_board_that_stops_telling_colours_has_not_moved() -> None:
    settler = Settler(SETTLE_MS)
    settler.feed(Scan(0, Colours(0xFFFF, 0xFFFF << 48)))
    settler.feed(Scan(1000, Occupancy(START)))
    assert settler.advance(SILENCE_MS) == ()
    assert settler.settled[0] is SOMETHING


# -- properties --

toggles = st.lists(
    st.tuples(st.integers(0, 400), st.sets(st.integers(0, 15), min_size=1, max_size=3)), min_size=1, max_size=40
)


def steps_from(gaps_and_squares: list[tuple[int, set[int]]]) -> Steps:
    """Toggles of squares of the first two ranks; at equal times the last counts for a scan that is taken then."""
    time, occupied, steps = 0, START, [(-1000, START)]
    for gap, squares in gaps_and_squares:
        time += gap
        occupied ^= set_of(squares)
        steps.append((time, occupied))
    return steps


def oracle(steps: Steps) -> set[tuple[int, bool, int]]:
    """(square, placed, began): each square by itself, by the definition of house rule 1."""
    found = set()
    for square in range(16):
        values = [(time, bool(occupied >> square & 1)) for time, occupied in steps]
        changes = [values[0]] + [b for a, b in pairwise(values) if a[1] != b[1]]
        settled, opened = changes[0][1], None
        ends = [time for time, _ in changes[1:]] + [10**9]
        for (time, value), end in zip(changes, ends, strict=True):
            if opened is None and value != settled:
                opened = time
            if end - time >= SETTLE_MS:
                if value != settled:
                    assert opened is not None
                    found.add((square, value, opened))
                settled, opened = value, None
    return found


@given(toggles)
def test_each_square_settles_by_itself(gaps_and_squares: list[tuple[int, set[int]]]) -> None:
    steps = steps_from(gaps_and_squares)
    changes, _, settler = run(scans_of_changes(steps))
    assert {(int(c.square), c.placed, c.began_ms) for c in changes} == oracle(steps)
    assert settler.occupied == steps[-1][1]


@given(toggles, st.integers(1, 97))
def test_scans_that_repeat_the_last_change_nothing(gaps_and_squares: list[tuple[int, set[int]]], every_ms: int) -> None:
    steps = steps_from(gaps_and_squares)
    repeated = [
        (again, occupied)
        for (time, occupied), (end, _) in zip(steps, [*steps[1:], (steps[-1][0] + 500, 0)], strict=True)
        for again in range(time, max(end, time + 1), every_ms)
    ]
    assert run(scans_of_changes(repeated))[:2] == run(scans_of_changes(steps))[:2]


@given(toggles)
def test_changes_come_in_the_order_in_which_they_began(gaps_and_squares: list[tuple[int, set[int]]]) -> None:
    """Unless the earlier square chattered for more than twice the settle time."""
    changes, _, _ = run(scans_of_changes(steps_from(gaps_and_squares)))
    for index, later in enumerate(changes):
        for earlier in changes[:index]:
            assert earlier.settled_ms <= later.settled_ms
            if earlier.began_ms > later.began_ms:
                assert later.settled_ms - later.began_ms > 2 * SETTLE_MS


@given(toggles)
def test_before_and_after_of_a_square_join(gaps_and_squares: list[tuple[int, set[int]]]) -> None:
    changes, _, _ = run(scans_of_changes(steps_from(gaps_and_squares)))
    for square in squares_of(0xFFFF):
        own = [change for change in changes if change.square == square]
        cells = [SOMETHING] + [change.after for change in own]
        assert [change.before for change in own] == cells[:-1]


def test_a_negative_settle_time_is_refused() -> None:
    with pytest.raises(ValueError, match="settle_ms"):
        Settler(-1)
