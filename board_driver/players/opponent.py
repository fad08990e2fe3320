"""An engine that has a side of the board: it follows the game, thinks when it has the move, and commands what it plays.

House rules:

1. What it thinks about is worked out anew from the game whenever that changes, so a take-back, a corrected ply, a new
   game or a resumed one need nothing of their own: a search for another position is cancelled.
2. A command names the position it was chosen in. One that comes too late is nothing, and is followed by another.
3. It thinks only while nothing is commanded: a move of its own that is taken back is still its move.
4. Failures of the engine are told, and counted by it. When it has given up, it is tried again after `RETRY_FIRST_S`,
   then twice as long each time; the game waits, and is lost in no case.
5. It agrees to take a move back, unless it was told not to. A draw it takes where it does not think itself better and
   `DRAW_PLIES` have been played; otherwise it declines by word, at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from board_driver.daemon import Daemon
from board_driver.events import Event, Notice
from board_driver.gamerecord import GameRecord
from board_driver.players.book import Book, BookError
from board_driver.players.engine import Engine, EngineGaveUpError
from board_driver.players.spec import DEFAULT_MOVETIME_MS, Player
from board_driver.players.uci import Limits, Search, Times
from board_driver.players.ucilines import Info
from board_driver.scan import Button, ButtonName, Command
from rules.clock import TimeControl
from rules.fen import write_fen
from rules.position import Position
from rules.squares import Colour
from rules.uci import write_uci

QUIET_S = 0.4
"""A ply that may still be corrected rests for so long before it is answered."""
RETRY_FIRST_S = 10.0
RETRY_LONGEST_S = 300.0
DRAW_PLIES = 40


@dataclass(frozen=True, slots=True)
class Situation:
    """Where an engine has the move: the game so far, and the position it has led to."""

    start_fen: str
    chess960: bool
    moves: tuple[str, ...]
    position: Position = field(compare=False)
    may_change: bool = field(compare=False)
    """The last ply may still be corrected on the board."""


class Opponent:
    """One engine at one side. In the daemon's loop only; `close` ends it."""

    def __init__(
        self,
        daemon: Daemon,
        colour: Colour,
        player: Player,
        engine: Engine,
        *,
        book: Book | None = None,
        fail: Callable[[BaseException], None] = lambda _mistake: None,
    ) -> None:
        """`fail` is called with what is our mistake, and not the engine's."""
        self.colour = colour
        self.player = player
        self.engine = engine
        self.book = book
        self.gave_up = False
        """The engine goes on failing; it is tried again now and then."""
        self._daemon = daemon
        self._fail = fail
        self._chance = Random(player.seed)
        self._thinks_of: Situation | None = None
        self._work: asyncio.Task[None] | None = None
        self._info: Info | None = None
        self._unlisten: Callable[[], None] = daemon.listen(self._hear)
        self._mind = daemon.mind
        self._follow()

    @property
    def is_thinking(self) -> bool:
        """Whether it is looking for a move."""
        return self._work is not None and not self._work.done()

    async def close(self) -> None:
        """Leave the board and end the engine."""
        self._unlisten()
        work = self._work
        self._cancel()
        if work is not None:
            with suppress(asyncio.CancelledError):
                await work
        await self.engine.close()
        if self.book is not None:
            self.book.close()

    # -- following the game

    def _hear(self, events: Sequence[Event]) -> None:
        if events or self._mind is not self._daemon.mind:
            self._mind = self._daemon.mind
            for event in events:
                if isinstance(event, Notice) and event.colour is self.colour.opponent:
                    self._answer(event)
            self._follow()

    def _follow(self) -> None:
        wanted = situation_of(self._daemon, self.colour)
        if wanted == self._thinks_of:
            return
        self._cancel()
        self._thinks_of = wanted
        if wanted is not None:
            self._work = asyncio.get_running_loop().create_task(self._think(wanted))
            self._work.add_done_callback(self._thought)

    def _thought(self, work: asyncio.Task[None]) -> None:
        if not work.cancelled() and (mistake := work.exception()) is not None:
            self._fail(mistake)

    def _cancel(self) -> None:
        if self._work is not None:
            self._work.cancel()
        self._work = self._thinks_of = None

    # -- thinking

    async def _think(self, wanted: Situation) -> None:
        if wanted.may_change:
            await asyncio.sleep(QUIET_S / self._daemon.clock.rate)
        uci = self._from_book(wanted.position) or await self._from_engine(wanted)
        self._daemon.inbox.put(Command(self._daemon.clock.now_ms(), uci, write_fen(wanted.position)))

    def _from_book(self, position: Position) -> str | None:
        if self.book is None:
            return None
        try:
            move = self.book.choose(position, self._chance)
        except BookError as problem:
            self._tell(f"{problem}; it goes on without")
            self.book.close()
            self.book = None
            return None
        return None if move is None else write_uci(position, move)

    async def _from_engine(self, wanted: Situation) -> str:
        delay_s = RETRY_FIRST_S
        while True:
            try:
                search = Search(wanted.start_fen, wanted.moves, limits_for(self._daemon, self.player))
                chosen = await self.engine.choose(search)
            except EngineGaveUpError as problem:
                self.gave_up = True
                self._tell(f"{problem}; the game is kept, and it is tried again in {delay_s:.0f} s. {_ADVICE}")
                await asyncio.sleep(delay_s)
                delay_s = min(2 * delay_s, RETRY_LONGEST_S)
            else:
                self.gave_up = False
                self._info = chosen.answer.info
                return write_uci(wanted.position, chosen.move)

    def _tell(self, text: str) -> None:
        name = self.engine.name or self.engine.program.name
        self._daemon.inbox.report("engine", f"{name}: {text}")

    # -- what is said to it

    def _answer(self, said: Notice) -> None:
        match said.kind, said.details.get("answer"):
            case "draw", "offered" if self._agrees_to_draw():
                self._press(ButtonName.DRAW)
            case "draw", "offered":
                self._press(ButtonName.DECLINE)
            case "takeback", "asked" if self.player.takeback:
                self._press(ButtonName.TAKEBACK)
            case _:
                pass

    def _agrees_to_draw(self) -> bool:
        if not self.player.draws or self._info is None:
            return False
        if len(self._daemon.mind.games()[-1].plies) < DRAW_PLIES:
            return False
        return (self._info.mate or 0) < 0 if self._info.cp is None else self._info.cp <= 0

    def _press(self, name: ButtonName) -> None:
        self._daemon.inbox.put(Button(self._daemon.clock.now_ms(), name, self.colour.word))


_ADVICE = "Take a move back or begin a new game with another opponent if it does not recover"


def situation_of(daemon: Daemon, colour: Colour) -> Situation | None:
    """Where that side has the move and has not chosen yet; None while it need not think."""
    game = daemon.mind.games()[-1]
    if Colour((game.start.turn + len(game.plies)) % 2) is not colour or daemon.mind.summary().get("command"):
        return None
    return situation_now(daemon)


def situation_now(daemon: Daemon) -> Situation | None:
    """Where the game has come to; None where it is over."""
    game = daemon.mind.games()[-1]
    position, moves = _so_far(game)
    if game.result != "*" or game.reason or not position.has_move():
        return None
    may_change = bool(game.plies) and game.plies[-1].provisional
    return Situation(write_fen(game.start), game.start.chess960, tuple(moves), position, may_change)


def _so_far(game: GameRecord) -> tuple[Position, list[str]]:
    position, moves = game.start, []
    for ply in game.plies:
        moves.append(write_uci(position, ply.move))
        position = position.play(ply.move)
    return position, moves


def limits_for(daemon: Daemon, player: Player) -> Limits:
    """How long to think now: as the player was told; else by the clock; without one a second."""
    told = player.limits
    if told != Limits():
        return told
    times = times_of(daemon)
    return Limits(movetime_ms=DEFAULT_MOVETIME_MS) if times is None else Limits(times=times)


def times_of(daemon: Daemon) -> Times | None:
    """What the chess clock shows now; None where there is none."""
    control, clock = daemon.settings.time_control, daemon.mind.summary().get("clock")
    if control is None or not isinstance(clock, dict):
        return None
    since_ms = max(0, daemon.clock.now_ms() - int(clock["since_ms"]))
    left = {
        colour: int(clock[f"{colour.word}_ms"]) - (since_ms if clock["running"] == colour.word else 0)
        for colour in Colour
    }
    white, black = left[Colour.WHITE], left[Colour.BLACK]
    return Times(white, black, _gain_ms(control, Colour.WHITE), _gain_ms(control, Colour.BLACK))


def _gain_ms(control: TimeControl, colour: Colour) -> int:
    """What each move gives; of several periods the least, since an engine only has to be kept from losing on time."""
    periods = control.black_periods if colour is Colour.BLACK and control.black_periods else control.periods
    return min(period.bonus_ms for period in periods)
