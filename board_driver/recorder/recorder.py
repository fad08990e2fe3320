"""The recorder: record mode's mind. It enforces nothing, never blocks, and writes the most likely game down.

One scan on its way: `evidence` turns the reading into planes; `follower` lets all explanations in its `beam` meet it,
and looks around (`excursion`) when a picture nobody can explain has stood for a moment; `publish` compares the leading
explanation with the score told so far; `doubts` says which plies the evidence does not settle; `endings` sets results.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.events import Event, Irregular, Moved, Notice, Unsure
from board_driver.gamerecord import GameRecord
from board_driver.lights.picture import DARK, Meaning, Picture
from board_driver.mind import Settings
from board_driver.recorder.doubts import doubtful
from board_driver.recorder.endings import Endings
from board_driver.recorder.follower import by_cost
from board_driver.recorder.hypothesis import Hypothesis, Stance
from board_driver.recorder.orientation import Orientation
from board_driver.recorder.prices import Prices, Times
from board_driver.recorder.promotions import choose
from board_driver.recorder.publish import Publisher
from board_driver.recorder.report import summary_of
from board_driver.recorder.sayings import Sayings
from board_driver.recorder.senses import Reader
from board_driver.scan import Button, ButtonName, Command, Hint, Input, Press, Scan
from rules.ruleset import ruleset
from rules.squares import names_of, squares_of


class Recorder:
    """A pure state machine: inputs and time in, events out (the `Mind` protocol)."""

    def __init__(self, settings: Settings, prices: Prices | None = None, times: Times | None = None) -> None:
        self._prices = prices or Prices()
        self._times = times or Times()
        self._reader = Reader(settings)
        self._board = Orientation(self._reader.ground(self._prices, self._times))
        self._publisher = Publisher(self._board.follower.root, self._times, settings.time_control)
        self._sayings = Sayings(self._prices, self._times)
        self._endings = Endings(ruleset(settings.ruleset).draws, self._times)
        self._leader = Hypothesis(Stance.REST, self._board.follower.root, None, 0, 0, self._board.follower.root.left)
        self._best = self._leader
        self._wake_ms: int | None = None
        self._guess_ms: int | None = None
        self._doubting = False
        self._reported = False

    # ------------------------------------------------------------------ the protocol
    def receive(self, item: Input) -> Sequence[Event]:
        """Take one input (all timers due before it fire first); what was decided, in order.

        Raises TypeError for a scan of another kind than the settings' sensing.
        """
        events = list(self.advance(item.t_ms))
        match item:
            case Scan():
                events.extend(self._scan(item))
            case Press():
                self._publisher.score.clock.press(item)
                if self._alive():  # before the first scan it says nothing
                    self._sayings.press(item)
                    self._set_timer(item.t_ms)
            case Command() | Hint():
                pass
            case Button():
                events.extend(self._button(item))
        return events

    def advance(self, now_ms: int) -> Sequence[Event]:
        """Let time come to `now_ms` without input; what was decided, in order."""
        events: list[Event] = []
        while self._wake_ms is not None and self._wake_ms <= now_ms:
            events.extend(self._wake(self._wake_ms))
        return events

    def next_wake_ms(self) -> int | None:
        """When `advance` should be called if nothing comes in before; None when nothing is waited for."""
        return self._wake_ms

    def picture(self) -> Picture:
        """Squares that nothing explains, once reported; else the last move."""
        if self._reported:
            return dict.fromkeys(squares_of(self._board.follower.unexplained()), Meaning.UNCLEAR) or DARK
        plies = self._publisher.score.plies
        if not plies:
            return DARK
        move = plies[-1].move
        return {move.origin: Meaning.LAST_MOVE, move.landing: Meaning.LAST_MOVE}

    def summary(self) -> dict[str, object]:
        """The replay contract's summary of the present game (without `log`)."""
        return summary_of(self._publisher.scores)

    def games(self) -> Sequence[GameRecord]:
        """All games so far, the present one last."""
        final = self._final()
        *before, present = self._publisher.scores
        return [score.record(len(score.plies)) for score in before] + [present.record(final)]

    # ------------------------------------------------------------------ inputs
    def _scan(self, scan: Scan) -> list[Event]:
        planes, faults = self._reader.read(scan)
        events: list[Event] = list(faults)
        if self._reader.ground_changed:
            self._board.change_ground(self._reader.ground(self._prices, self._times))
            self._publisher.rebase(self._board.follower.root)
        if self._board.see(scan.t_ms, planes):
            events.extend(self._decide(scan.t_ms))
        return events

    def _button(self, button: Button) -> list[Event]:
        match button.name:
            case ButtonName.PROMOTE:
                choose(self._board.follower.beam, self._board.follower.root, button.value or "")
            case ButtonName.TAKEBACK:
                self._sayings.take_back(self._board.follower.beam, self._best.step, button.t_ms)
            case ButtonName.ADJUST:
                self._sayings.adjust(button.t_ms)
            case ButtonName.HINT:
                pass
            case _:
                told = self._decide(button.t_ms, at_once=True)
                return [*told, *self._endings.press(button, self._publisher.score)]
        return self._decide(button.t_ms)

    def _wake(self, now_ms: int) -> list[Event]:
        follower = self._board.follower
        self._board.come_to(now_ms)
        events: list[Event] = []
        if self._board.follower is not follower:
            if self._board.follower.root.parent is None:
                self._publisher.rebase(self._board.follower.root)
            turn = self._board.follower.turn
            events.append(Notice(now_ms, "board-turned", f"the board lies {turn.value}"))
        return events + self._decide(now_ms)

    # ------------------------------------------------------------------ decisions
    def _decide(self, now_ms: int, *, at_once: bool = False) -> list[Event]:
        """Publish what has to be published now (`at_once`: also what stands only just now), and set the next timer."""
        if not self._alive():
            return []  # nothing to decide before the first scan
        self._board.follower.come_to(now_ms)
        self._sayings.come_to(self._board.follower.beam, now_ms)
        self._publisher.doubting = self._board.doubting
        self._publisher.publish_ms = 0 if at_once else self._sayings.publish_ms
        self._best = self._lead()
        self._leader = leader = self._or_guess(now_ms, self._best)
        before = self._publisher.score
        if before.given:
            self._board.settle()
        events = self._publisher.update(now_ms, leader)
        if any(isinstance(event, Moved) for event in events):
            self._sayings.published(self._board.follower.beam)
        if self._publisher.score is not before:
            self._board.commit(self._publisher.score.head)
        if self._guess_ms is not None:
            self._publisher.wait(self._guess_ms)
        events.extend(self._endings.update(now_ms, self._publisher.score, leader))
        events.extend(self._doubts(now_ms))
        events.extend(self._report(now_ms))
        self._set_timer(now_ms)
        return events

    def _alive(self) -> Sequence[Hypothesis]:
        return list(self._board.follower.beam.alive.values())

    def _lead(self) -> Hypothesis:
        """The best explanation; among nearly equals, one that agrees with what is published."""
        best = self._board.follower.best()
        if self._publisher.agrees(best.step):
            return best
        limit = best.cost + self._prices.cling
        near = [h for h in self._alive() if h.cost <= limit and self._publisher.agrees(h.step)]
        return min(near, key=by_cost) if near else best

    def _or_guess(self, now_ms: int, leader: Hypothesis) -> Hypothesis:
        """The leader; or, where a piece has long been gone, the capture that would account for it."""
        self._guess_ms = None
        if self._sayings.adjusting or leader.stance is Stance.AWAY:
            return leader
        if not leader.stance.is_in_hand and not leader.excused:
            return leader
        limit = leader.cost + self._prices.guess
        captures = [
            h
            for h in self._alive()
            if h.stance is Stance.REST and h.step.parent is leader.step and not h.differs and h.cost <= limit
        ]
        if not captures:
            return leader
        guess = min(captures, key=by_cost)
        due = guess.step.rested_ms + self._times.in_hand
        if due <= now_ms:
            return guess
        self._guess_ms = due
        return leader

    def _doubts(self, now_ms: int) -> list[Event]:
        """Mark the plies that the evidence does not settle, and unmark those it now does."""
        if self._publisher.score.given:
            return []
        plies = self._publisher.score.plies
        found = doubtful(plies, self._leader, self._alive(), self._prices.doubt)
        self._doubting = bool(found)
        marked = [number for number, ply in enumerate(plies, 1) if ply.alternatives]
        events: list[Event] = []
        for number in sorted({*found, *marked}):
            ply = plies[number - 1]
            moves = found.get(number, set())
            if moves and now_ms < ply.made_ms + self._times.doubt:
                self._publisher.wait(ply.made_ms + self._times.doubt)
                continue
            alternatives = tuple(sorted(moves))
            if alternatives != ply.alternatives:
                ply.alternatives = alternatives
                events.append(Unsure(now_ms, number, alternatives))
        return events

    def _report(self, now_ms: int) -> list[Event]:
        """Say when what stands on the board has nothing to do with the game, and when it has again."""
        leader = self._leader
        if leader.stance is not Stance.AWAY or leader.result is not None or self._publisher.score.given:
            resumed = self._reported
            self._reported = False
            return [Notice(now_ms, "explained", "the pieces stand in the game again")] if resumed else []
        due = max(leader.left.ms, self._board.follower.beam.changed_ms) + self._times.report
        if self._reported or due > now_ms:
            if not self._reported:
                self._publisher.wait(due)
            return []
        self._reported = True
        differ = self._board.follower.unexplained()
        names = ", ".join(names_of(differ)[:8]) + (" …" if differ.bit_count() > 8 else "")
        text = f"what stands on the board does not follow from the game: see {names}; the score is kept up to here"
        return [Irregular(now_ms, "unexplained", None, "position", False, text)]

    # ------------------------------------------------------------------ timers
    def _set_timer(self, now_ms: int) -> None:
        times = [self._publisher.wake_ms, self._endings.wake_ms, self._board.wake_ms(), self._crossing_ms(now_ms)]
        times.append(self._sayings.wake_ms())
        due = [t for t in times if t is not None]
        self._wake_ms = max(now_ms + 1, min(due)) if due else None

    def _crossing_ms(self, now_ms: int) -> int | None:
        """When, should nothing change, another explanation takes the lead or leaves the neighbourhood."""
        leader = self._best
        soonest: int | None = None
        for other in self._board.follower.beam.alive.values():
            faster = leader.rate - other.rate
            if faster > 0:
                ahead = other.cost - leader.cost + 1
                if ahead <= 0:
                    ahead += self._prices.cling
            elif self._doubting and faster < 0 and other.cost - leader.cost <= self._prices.doubt:
                faster = -faster
                ahead = leader.cost + self._prices.doubt + 1 - other.cost
            else:
                continue
            wait = -(-ahead // faster)
            if soonest is None or wait < soonest:
                soonest = wait
        return None if soonest is None else now_ms + max(1, soonest)

    def _final(self) -> int:
        """How many plies of the present game all surviving explanations share."""
        plies = self._publisher.score.plies
        final = len(plies)
        if self._publisher.score.given:
            return final
        for hypothesis in self._alive():
            for step in hypothesis.step.back():
                if step.depth <= final and (step.depth == 0 or plies[step.depth - 1].step is step):
                    final = step.depth
                    break
        return final
