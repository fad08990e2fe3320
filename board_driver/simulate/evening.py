"""A game as an evening at the board: who moves when, and what happens between and beside the moves."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from random import Random

from board_driver.simulate.extras import Extra, blunder, regret, set_up_anew, show_result
from board_driver.simulate.gamefile import ScoredGame
from board_driver.simulate.gestures import adjust, fall, nudge
from board_driver.simulate.levels import Noise
from board_driver.simulate.men import Man
from board_driver.simulate.plies import perform
from board_driver.simulate.table import Happening, Table
from board_driver.simulate.ways import Timing, When
from rules.fen import parse_fen
from rules.move import Move
from rules.position import Position
from rules.squares import Square, file_of, rank_of, squares_of
from rules.uci import parse_uci

FIRST_MOVE_MS = 1500.0
QUIET_END_MS = 4000
"""How long the board is left alone after the last man has settled."""
LONGEST_THINK_MS = 120_000
REACH_MS = 150
"""The least time between letting go of one man and lifting another."""
SEE_MS = 100
"""The least time between the lift of a man and the other side's answer to it."""
TAKEBACK_SHARE = 0.04
"""How many plies are made only after another one was taken back, with that extra."""
ILLEGAL_SHARE = 0.03
"""How many plies are made only after an illegal try, with that extra."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """The moves of a game, as UCI, and when each was made."""

    moves: tuple[str, ...]
    timings: tuple[Timing, ...]


@dataclass(frozen=True, slots=True)
class Performance:
    """What the hands did: every man with its track, and the truth. Times in ms from the first scan."""

    men: tuple[Man, ...]
    games: tuple[PlayedGame, ...]
    """One, or after a reset two."""
    happenings: tuple[Happening, ...]
    end_ms: float

    @property
    def moves(self) -> tuple[str, ...]:
        """Those of the last game."""
        return self.games[-1].moves

    @property
    def timings(self) -> tuple[Timing, ...]:
        """Those of the last game."""
        return self.games[-1].timings


def play(game: ScoredGame, noise: Noise, rng: Random, extras: Set[Extra] = frozenset()) -> Performance:
    """Play a game with those hands. The same random numbers give the same evening."""
    start = parse_fen(game.start_fen, chess960=game.chess960)
    table = Table(rng, noise.hands, noise.sensors.null, noise.sensors.spread)
    for square in squares_of(start.occupied):
        piece = start.piece_at(square)
        assert piece is not None
        table.set_up(square, piece)
    when = When(FIRST_MOVE_MS)
    games = []
    if Extra.RESET in extras and len(game.moves) > 1:
        cut = rng.randrange(1, len(game.moves))
        games.append(_play_moves(table, start, game.moves[:cut], when, extras))
        ready = set_up_anew(table, start, games[-1].timings[-1].settled_ms + 3000)
        when = When(ready + table.spread(noise.hands.think_ms, 0.3))
    games.append(_play_moves(table, start, game.moves, when, extras))
    if Extra.GESTURE in extras:
        last = games[-1].timings[-1].settled_ms if game.moves else when.start_ms
        show_result(table, game.result, last + rng.uniform(1500, 4000))
    end = max(man.free_ms for man in table.all_men) + QUIET_END_MS
    happenings = tuple(sorted(table.happenings, key=lambda happening: happening.t_ms))
    return Performance(tuple(table.all_men), tuple(games), happenings, end)


def _play_moves(table: Table, position: Position, moves: tuple[str, ...], when: When, extras: Set[Extra]) -> PlayedGame:
    timings: list[Timing] = []
    for number, uci in enumerate(moves, 1):
        table.ply = number
        move = parse_uci(position, uci)
        if Extra.TAKEBACK in extras and table.chance(TAKEBACK_SHARE):
            when = regret(table, position, move, when)
        timings.append(_make(table, position, move, when, extras))
        _by_the_way(table, move, timings[-1])
        pause = _pause(table, number)
        _put_straight(table, timings[-1].settled_ms, pause)
        when = _next(table, timings, pause)
        position = position.play(move)
    return PlayedGame(moves, tuple(timings))


def _make(table: Table, position: Position, move: Move, when: When, extras: Set[Extra]) -> Timing:
    """Make a move, perhaps after an illegal try; the way it was made gets the time of its first lift."""
    timing = None
    if Extra.ILLEGAL in extras and table.chance(ILLEGAL_SHARE):
        timing = blunder(table, position, move, when)
    timing = timing or perform(table, position, move, when)
    table.happenings = [
        replace(happening, t_ms=round(timing.lifted_ms)) if happening.t_ms < 0 else happening
        for happening in table.happenings
    ]
    return timing


def _pause(table: Table, number: int) -> float:
    """Time from a move's settling to the next lift; negative where the reply comes early."""
    habits = table.habits
    if table.chance(habits.overlap):
        return -habits.overlap_ms * table.rng.uniform(0.5, 1.3)
    if table.chance(habits.fast_reply):
        return table.rng.uniform(100, 450)
    opening = 0.5 if number < 16 else 1.0
    return min(LONGEST_THINK_MS, table.spread(habits.think_ms * opening, habits.think_spread))


def _next(table: Table, timings: list[Timing], pause: float) -> When:
    """When the next ply may begin and be set down: after its player's own hand is free again, and in order."""
    before = timings[-1]
    hand_free = timings[-2].settled_ms + REACH_MS if len(timings) > 1 else 0.0
    start = max(before.settled_ms + pause, before.lifted_ms + SEE_MS, hand_free)
    if start < before.settled_ms:
        table.happenings.append(Happening(round(start), table.ply + 1, "overlap"))
    return When(start, before.settled_ms + 20)


def _by_the_way(table: Table, move: Move, timing: Timing) -> None:
    """Neighbours pushed and men knocked over as the move is made."""
    near = [s for s in table.men if s != move.landing and _distance(s, move.landing) == 1]
    near = [s for s in near if s != move.rook_landing]
    if near and table.chance(table.habits.nudge):
        nudge(table, table.rng.choice(near), move.landing, timing.settled_ms - table.rng.uniform(0, 150))
    if near and table.chance(table.habits.knock):
        fallen = table.rng.sample(near, min(len(near), table.rng.choice([1, 1, 2, 3])))
        for square in fallen:
            fall(table, square, timing.settled_ms + table.rng.uniform(-100, 200))


def _put_straight(table: Table, settled_ms: float, pause: float) -> None:
    """Somebody puts a man straight while the next player thinks, or while he moves."""
    if not table.chance(table.habits.adjust):
        return
    for _ in range(table.rng.choice([1, 1, 2])):
        square = table.rng.choice(sorted(table.men))
        adjust(table, square, settled_ms + table.rng.uniform(100, max(300.0, pause + 300)))


def _distance(one: Square, other: Square) -> int:
    return max(abs(file_of(one) - file_of(other)), abs(rank_of(one) - rank_of(other)))
