"""Play mode as a mind: raw scans, presses and buttons in, rulings and pictures out.

Scans are settled first. A press or a button waits until everything that began before it has settled, so that inputs
come to the core in the order in which hands did them: board before clock at equal times. Then come the things around a
game: the setup before it, the pieces set up anew after it, and what only time decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from board_driver.arbiter import flagfall, later, making, timekeeping, words
from board_driver.arbiter.buttons import press_button
from board_driver.arbiter.clockbuttons import press_clock_button
from board_driver.arbiter.commanded import advise, ask
from board_driver.arbiter.core import Core
from board_driver.arbiter.fenstd import passed_square
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.grouping import dragged, groups, is_blurred, leaves_late
from board_driver.arbiter.later import ABANDONED
from board_driver.arbiter.lighting import picture, step_lights
from board_driver.arbiter.newgame import FreshStart
from board_driver.arbiter.report import summary
from board_driver.arbiter.setting_up import diagnosis, guided, upside_down, wrong_squares
from board_driver.arbiter.swaps import exchange, shows_capture
from board_driver.arbiter.turning import (
    first_move_from_afar,
    stands_turned,
    turned_picture,
    turned_scan,
    turned_square,
    turned_squares,
)
from board_driver.events import Event, Fault, Lit, Notice, RestoreAsked
from board_driver.gamerecord import GameRecord
from board_driver.lights.picture import DARK, Meaning, Picture
from board_driver.mind import LightsSetting, Settings
from board_driver.scan import Button, ButtonName, Command, Hint, Input, Press, Scan, Sensing
from board_driver.sensing.cells import SOMETHING, Cells, cells_of_occupancy
from board_driver.sensing.senses import Senses
from board_driver.sensing.settle import SettledChange
from rules.fen import START_FEN, parse_fen
from rules.squares import Bitboard, Colour, Square, set_of, square_name, squares_of

ASK_MS = 4000
"""After so long in hand a man that may capture is asked after: it may stand on its victim's square already (D18)."""
_USUAL = parse_fen(START_FEN)
INFER_MS = 3000
"""After so long without a change, a man in hand that can only stand on a dead square is taken to stand there."""


_Choice = Press | Button | Command | Hint


class Arbiter:
    """A `Mind` that rules on every touch. One game after another on one board."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._start = parse_fen(settings.start_fen, chess960=settings.chess960)
        self._live: Bitboard = ~set_of(settings.dead_squares) & (1 << 64) - 1
        self._senses = Senses(settings, self._start)
        self._past: list[tuple[GameRecord, dict[str, object]]] = []
        self._core = self._new_core(cells_of_occupancy(self._start.occupied), 0)
        self._begun = False
        self._waiting: list[_Choice] = []
        self._early: list[Command] = []
        """Commands that came before the pieces stood; the newest counts."""
        self._asked_takeback: set[Colour] = set()
        self._diagnosis = ""
        self._fresh = FreshStart(self._start)
        self._sign_ms: int | None = None
        self._infer_ms: int | None = None
        self._ask_ms: int | None = None
        self._held: list[SettledChange] = []
        self._last_scan: Scan | None = None
        self._turned = False
        """The board is read from the other side, where White sits in this game."""
        self._picture: Picture = DARK
        self._now_ms = 0

    # -- Mind

    def receive(self, item: Input) -> Sequence[Event]:
        """Take one input (all timers due before it fire first); what was decided, in order."""
        out = list(self.advance(item.t_ms))
        match item:
            case Scan():
                out += self._scan(item)
            case Press() | Button() | Command() | Hint():
                self._waiting.append(item)
                out += self._run((), item.t_ms)
            case _:
                assert_never(item)
        return out

    def advance(self, now_ms: int) -> Sequence[Event]:
        """Let time come to `now_ms` without input; what was decided, in order."""
        out: list[Event] = []
        while (wake_ms := self.next_wake_ms()) is not None and wake_ms <= now_ms:
            self._now_ms = max(self._now_ms, wake_ms)
            out += self._run(self._senses.advance(wake_ms), wake_ms)
            out += self._fire(wake_ms)
        self._now_ms = max(self._now_ms, now_ms)
        return out

    def next_wake_ms(self) -> int | None:
        """When `advance` should be called if nothing comes in before; None when nothing is waited for."""
        wakes = [self._senses.next_wake_ms(), self._game.announce_ms, self._fresh.due_ms()]
        wakes += [self._infer_ms, self._sign_ms, self._ask_ms, self._flag_due_ms(), later.due_ms(self._game)]
        if self._held:
            wakes.append(self._hold_until_ms())
        elif self._waiting:
            wakes.append(self._due_ms(self._waiting[0]))
        return min((w for w in wakes if w is not None), default=None)

    def picture(self) -> Picture:
        """What the lights should show now."""
        return self._picture

    def relight(self, setting: LightsSetting, now_ms: int) -> Sequence[Event]:
        """Light so much from now on; what changed."""
        self._settings = replace(self._settings, lights=setting)
        return self._repaint(now_ms)

    def summary(self) -> dict[str, object]:
        """The replay contract's summary of the present game (without `log`)."""
        found = summary(self._game)
        if self._past:
            brief = {"uci": found["uci"], "fen": found["fen"], "result": found["result"]}
            found["games"] = [past for _, past in self._past] + [brief]
        return found

    def games(self) -> Sequence[GameRecord]:
        """All games so far, the present one last."""
        return [record for record, _ in self._past] + [self._game.record(self._game.outcome)]

    # -- inside

    def _scan(self, scan: Scan) -> list[Event]:
        first = not self._senses.started
        self._last_scan = scan
        if self._turned:
            scan = turned_scan(scan)
        out: list[Event] = []
        changes: list[SettledChange] = []
        for found in self._senses.feed(scan):
            if isinstance(found, SettledChange):
                changes.append(found)
            else:
                out.append(found)
        out += self._run(changes, scan.t_ms)
        if first and not self._begun:
            out += self._look_at_setup(scan.t_ms) + self._repaint(scan.t_ms)
        return out

    def _run(self, changes: Sequence[SettledChange], now_ms: int) -> list[Event]:
        """Hand on what has settled and what waited for it, in the order in which it happened."""
        out: list[Event] = []
        self._held += changes
        here = self._rests_on() if any(change.placed for change in self._held) else None
        unclear = is_blurred(self._held, self._senses) or leaves_late(self._held, self._senses, here)
        if self._held and now_ms < self._hold_until_ms() and unclear:
            return out
        held, self._held = dragged(self._held, here, self._settings.settle_ms), []
        turned = self._turned
        for group in groups(held, self._settings.settle_ms):
            if self._turned is not turned:
                group = [replace(change, square=turned_square(change.square)) for change in group]  # noqa: PLW2901
            while self._waiting and self._waiting[0].t_ms < group[0].began_ms:
                out += self._choose(self._waiting.pop(0), now_ms)
            out += self._settle(group, now_ms)
        out += self._see_swaps(now_ms)
        while self._waiting and self._due_ms(self._waiting[0]) <= now_ms:
            out += self._choose(self._waiting.pop(0), now_ms)
        return out + self._repaint(now_ms)

    def _see_swaps(self, now_ms: int) -> list[Event]:
        """Take captures in that were too quick for the victim's square to settle."""
        out: list[Event] = []
        for flicker in self._senses.flickers():
            if self._begun and shows_capture(self._game, flicker):
                for change in exchange(flicker, now_ms):
                    out += self._settle([change], now_ms)
        return out

    def _hold_until_ms(self) -> int:
        return self._held[0].settled_ms + self._settings.settle_ms

    def _rests_on(self) -> Square | None:
        """Where the man stands that moved last, while nobody has anything in hand."""
        game = self._game
        if not game.score.plies or game.astray():
            return None
        return Square(game.score.plies[-1].move.landing)

    def _due_ms(self, item: _Choice) -> int:
        """When a press or a button may be judged: all that began before it has settled, or is chattering.

        What comes from elsewhere has no order with what hands do, and need not wait.
        """
        if isinstance(item, Command | Hint):
            return item.t_ms
        settled_ms = item.t_ms + self._settings.settle_ms
        if self._senses.quiet or self._now_ms < settled_ms:
            return settled_ms
        return settled_ms + self._settings.settle_ms

    def _flag_due_ms(self) -> int | None:
        """When a flag that falls may be noticed: all that hands did before it has settled, or is chattering."""
        falls_ms = None if self._game.timing is None else self._game.timing.falls_ms()
        if falls_ms is None:
            return None
        due_ms = falls_ms + self._settings.settle_ms
        if not self._senses.quiet and self._now_ms >= due_ms:
            due_ms += self._settings.settle_ms
        return max(due_ms, self._hold_until_ms()) if self._held else due_ms

    def _settle(self, changes: list[SettledChange], now_ms: int) -> list[Event]:
        if not self._begun:
            return self._look_at_setup(now_ms)
        game = self._game
        over, plies = game.outcome is not None or game.undone is not None, len(game.score.plies)
        if first := self._fresh.first_move(changes, self._live):
            out = self._begin_anew(now_ms, cells_of_occupancy(self._fresh.start.occupied))
            return out + [event for change in first for event in self._settle([change], now_ms)]
        if self._is_played_from_afar(changes):
            return self._play_from_afar(changes, now_ms)
        if any(change.lifted for change in changes):
            timekeeping.touched(game, changes[0].began_ms, now_ms)
        self._core.settle(changes, now_ms)
        timekeeping.follow(game, changes[0].began_ms, now_ms)
        if len(game.score.plies) != plies:
            self._asked_takeback.clear()
        self._fresh.observe(self._senses.occupied, self._live, game.position, over, now_ms)
        self._infer_ms = now_ms + INFER_MS if self._settings.dead_squares else None
        occupancy = self._settings.sensing is Sensing.OCCUPANCY
        self._ask_ms = now_ms + ASK_MS if occupancy and game.outcome is None and game.hand() else None
        rests_ms = self._core.sign_rests_ms(now_ms)
        self._sign_ms = None if rests_ms is None else now_ms + rests_ms
        return game.drain()

    def _fire(self, now_ms: int) -> list[Event]:
        """What only time decides."""
        announce_ms, fresh_ms = self._game.announce_ms, self._fresh.due_ms()
        if announce_ms is not None and announce_ms <= now_ms:
            making.announce(self._game, now_ms)
        if self._infer_ms is not None and self._infer_ms <= now_ms:
            self._infer_ms = None
            self._core.infer(now_ms)
        if self._ask_ms is not None and self._ask_ms <= now_ms:
            self._ask_ms = None
            self._core.ask_for_capture(now_ms)
        if self._sign_ms is not None and self._sign_ms <= now_ms:
            self._sign_ms = None
            self._core.end_by_kings(now_ms)
        later.fire(self._game, now_ms)
        timekeeping.follow(self._game, now_ms, now_ms)
        flag_ms = self._flag_due_ms()
        if flag_ms is not None and flag_ms <= now_ms:
            flagfall.fall(self._game, now_ms)
        out = self._game.drain()
        if fresh_ms is not None and fresh_ms <= now_ms:
            out += self._begin_anew(now_ms)
        return out + self._repaint(now_ms)

    def _begin_anew(self, now_ms: int, cells: Cells | None = None) -> list[Event]:
        """The pieces were set up anew: keep the game that was, and begin another."""
        game = self._game
        if game.outcome is None:
            for _ in range(self._fresh.putting_away(game.score.plies, game.score.turns)):
                making.withdraw(game, now_ms)
        out = game.drain()
        record, told = game.record(game.outcome or ABANDONED), summary(game)
        if game.undone is not None:  # its last move was put back with all the others
            record, told = game.undone.record, game.undone.summary
        self._past.append((record, {"uci": told["uci"], "fen": told["fen"], "result": record.result}))
        self._fresh.begun()
        self._start = self._fresh.start
        begins = [*out, Notice(now_ms, "new-game", "the pieces are set up anew: a new game begins")]
        if cells is None and stands_turned(self._start, self._senses.settled, self._live):
            begins += self._turn(now_ms)
        return [*begins, *self._begin(now_ms, cells)]

    def _is_played_from_afar(self, changes: Sequence[SettledChange]) -> bool:
        """The first move of a later game is made by those who sit on the other side."""
        game = self._game
        if not self._is_later() or game.score.plies or game.outcome is not None:
            return False
        if game.handless or game.leading is not None:
            return False
        if self._settings.sensing is not Sensing.OCCUPANCY or self._start.key() != _USUAL.key():
            return False
        occupied = game.view.occupied
        for change in changes:
            occupied = occupied & ~(1 << change.square) | change.placed << change.square
        return first_move_from_afar(self._start, occupied, self._live)

    def _is_later(self) -> bool:
        """Whether another game was played on this board before."""
        return bool(self._past) or self._settings.later_game

    def _play_from_afar(self, changes: Sequence[SettledChange], now_ms: int) -> list[Event]:
        """Read the board from the other side, and take the first move in that was made there."""
        view, began_ms = self._game.view, self._game.score.began_ms
        lifted = [c for c in changes if c.lifted] or [
            SettledChange(Square(s), SOMETHING, None, view.lifted_ms[s], now_ms)
            for s in squares_of(self._start.occupied & ~view.occupied)
        ]
        out = self._turn(now_ms)
        self._core = self._new_core(cells_of_occupancy(self._start.occupied), began_ms)
        for change in (*lifted, *(c for c in changes if c.placed and c not in lifted)):
            out += self._settle([replace(change, square=turned_square(change.square))], now_ms)
        return out

    def _turn(self, now_ms: int) -> list[Event]:
        """From now on the board is read from the other side."""
        self._turned = not self._turned
        self._live = turned_squares(self._live)
        dead = frozenset(int(turned_square(s)) for s in self._settings.dead_squares)
        self._settings = replace(self._settings, dead_squares=dead)
        self._senses = Senses(self._settings, self._start)
        if self._last_scan is not None:
            self._senses.feed(turned_scan(self._last_scan) if self._turned else self._last_scan)
        return [Notice(now_ms, "board-turned", "White sits on the other side now: the board is read from there")]

    def _begin(self, now_ms: int, cells: Cells | None = None) -> list[Event]:
        cells = self._senses.settled if cells is None else cells
        self._sign_ms = self._infer_ms = self._ask_ms = None
        self._core = self._new_core(cells, now_ms)
        self._begun = True
        self._asked_takeback.clear()
        self._game.view.reversed = upside_down(self._start, cells, self._live)
        out: list[Event] = [
            Fault(now_ms, "magnet", s, f"the piece on {square_name(s)} has its magnet in upside down; it is followed")
            for s in squares_of(self._game.view.reversed)
        ]
        timekeeping.begin(self._game, now_ms)
        out += self._game.drain()
        early, self._early = self._early, []
        for item in early:
            out += self._choose(item, now_ms)
        return out

    def _choose(self, item: _Choice, now_ms: int) -> list[Event]:
        if not self._begun and isinstance(item, Command):
            self._early = [item]
            return []
        if not self._begun:
            return [Notice(now_ms, "not-begun", "the game has not begun: set up the pieces first")]
        if isinstance(item, Press | Button):
            later.come_back(self._game, now_ms)
        match item:
            case Press():
                if timekeeping.pressed(self._game, item.colour, item.t_ms, now_ms):
                    self._core.press(item.colour, now_ms)
            case Button(name=ButtonName.HINT):
                ask(self._game, self._settings.lights, now_ms)
            case Button(name=ButtonName.PAUSE | ButtonName.TIME):
                press_clock_button(self._game, item, item.t_ms, now_ms)
            case Button():
                press_button(self._game, item, now_ms, self._asked_takeback)
            case Command():
                plies = len(self._game.score.plies)
                self._core.command(item, now_ms)
                if len(self._game.score.plies) != plies:
                    self._asked_takeback.clear()
            case Hint():
                advise(self._game, item, self._settings.lights, now_ms)
            case _:
                assert_never(item)
        timekeeping.follow(self._game, item.t_ms, now_ms)
        return self._game.drain()

    def _new_core(self, cells: Cells, t_ms: int) -> Core:
        passed = passed_square(self._settings.start_fen) if not self._past else None
        return Core(GameState(self._settings, self._start, passed, cells, t_ms))

    @property
    def _game(self) -> GameState:
        return self._core.state

    def _look_at_setup(self, now_ms: int) -> list[Event]:
        """Begin as soon as the board stands as the game starts; until then say what is wrong with it."""
        out: list[Event] = []
        if self._is_later() and stands_turned(self._start, self._senses.settled, self._live):
            out = self._turn(now_ms)
        cells = self._senses.settled
        text = diagnosis(self._start, cells, self._live)
        if not text:
            return out + self._begin(now_ms)
        found = guided(self._start, cells, self._live)
        text = text if found is None else words.led(found[0].text, found[1])
        if text == self._diagnosis:
            return out
        self._diagnosis = text
        lift, place = wrong_squares(self._start, cells, self._live)
        return [*out, RestoreAsked(now_ms, tuple(squares_of(lift)), tuple(squares_of(place)), text)]

    def _repaint(self, now_ms: int) -> list[Event]:
        new = turned_picture(self._draw()) if self._turned else self._draw()
        if new == self._picture:
            return []
        self._picture = new
        return [Lit(now_ms, new)]

    def _draw(self) -> Picture:
        if self._begun:
            return picture(self._game, self._settings.lights)
        if not self._senses.started or self._settings.lights is LightsSetting.NONE:
            return DARK
        if (found := guided(self._start, self._senses.settled, self._live)) is not None:
            return step_lights(found[0])
        lift, place = wrong_squares(self._start, self._senses.settled, self._live)
        wrong: dict[int, Meaning] = dict.fromkeys(squares_of(lift), Meaning.TAKE_AWAY)
        return wrong | dict.fromkeys(squares_of(place), Meaning.PUT_HERE)
