"""The daemon: one asyncio loop that owns all state of a board and the game on it.

Three tasks share the loop. `_think` takes inputs from the inbox, and the time when none come, to the mind; `_show`
hands the newest picture to the board; `_keep_board` opens the board and opens it again when it is lost. Only `_think`
and the calls of the page (`press_button`, `new_game`) touch the mind, never two of them at once, because none of them
awaits in between.

House rules:

1. Times given to the mind never go back: an item that comes late from another thread counts as of the newest time.
2. A picture is shown only if it differs from the one shown before; while the board is busy only the newest waits.
3. What the mind was given and what it decided goes to the memory before anybody is told: the mind only thinks, and
   nothing is acted upon that could be forgotten.
4. A device's mistake becomes a `Fault` for the listeners. The game is kept, and the board is tried again after
   `RETRY_FIRST_S`, then twice as long each time up to `RETRY_LONGEST_S`.
5. Listeners are called in the loop after each step and must return at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from typing import Protocol, assert_never

from board_driver.boards.board import Board, Clock, Delivery, Exhausted, Inbox, Lost, NewGame
from board_driver.events import Event, Fault
from board_driver.lights.picture import DARK, Picture
from board_driver.mind import LightsSetting, Mind, Relightable, Settings
from board_driver.minds import make_mind
from board_driver.scan import Button, ButtonName, Command, Hint, Input, Press, Scan

RETRY_FIRST_S = 0.5
RETRY_LONGEST_S = 10.0

LATE_MS = 100
"""A scan that is read later than this after it was taken is counted as late."""

Listener = Callable[[Sequence[Event]], None]
Watcher = Callable[[Scan], None]


class Memory(Protocol):
    """What keeps everything that a mind was given. Nothing here raises: what cannot be kept is told as a `Fault`."""

    def begin(self, settings: Settings, now_ms: int) -> None:
        """A fresh mind with these settings begins."""

    def keep(self, item: Input, events: Sequence[Event]) -> None:
        """The mind was given `item` and decided `events`."""

    def passed(self, now_ms: int, events: Sequence[Event]) -> None:
        """Time came to `now_ms`, and the mind decided `events`."""


class Forgetful:
    """A `Memory` that keeps nothing."""

    def begin(self, settings: Settings, now_ms: int) -> None:
        """Nothing."""

    def keep(self, item: Input, events: Sequence[Event]) -> None:
        """Nothing."""

    def passed(self, now_ms: int, events: Sequence[Event]) -> None:
        """Nothing."""


class BoardState(Enum):
    """How the board is."""

    OPENING = "opening"
    OPEN = "open"
    LOST = "lost"
    EXHAUSTED = "exhausted"


class Daemon:
    """One board, one mind at a time, and those who listen. `run` is its life; everything else is for the same loop."""

    def __init__(
        self,
        board: Board,
        settings: Settings,
        mind_of: Callable[[Settings], Mind] = make_mind,
        clock: Clock | None = None,
        mind: Mind | None = None,
    ) -> None:
        """`mind` is one that has been at work before and goes on; None: a fresh one."""
        self.board = board
        self.settings = settings
        self.board_state = BoardState.OPENING
        self.board_trouble = ""
        """Why the board is lost, in words; empty while it is not."""
        self.ready = asyncio.Event()
        """Set once the board has been opened, or has failed to for the first time, or the daemon has ended."""
        self.clock = clock or Clock()
        self.inbox = Inbox(clock=self.clock)
        self.mind = mind_of(settings) if mind is None else mind
        self.memory: Memory = Forgetful()
        self.renewing = False
        """True while listeners are told of a mind that goes on with the same game."""
        self.scans = self.late_scans = self.openings = 0
        """How many scans were read, how many of them late, and how often the board was opened."""
        self._mind_of = mind_of
        self._latest_ms = self.clock.now_ms()
        self._last_scan: Scan | None = None
        self._dropped = 0
        self._picture: Picture = self.mind.picture()
        self._shown: Picture | None = None
        self._repaint = asyncio.Event()
        self._board_lost = asyncio.Event()
        self._stopping = asyncio.Event()
        self._listeners: list[Listener] = []
        self._watchers: list[Watcher] = []
        self._lent: Picture | None = None
        self._is_resting = False

    # -- its life

    async def run(self) -> None:
        """Live until `stop` is called; the board is closed when this returns. Raises only what is our mistake."""
        try:
            async with asyncio.TaskGroup() as tasks:
                workers = [tasks.create_task(work()) for work in (self._think, self._show, self._keep_board)]
                await self._stopping.wait()
                for worker in workers:
                    worker.cancel()
        finally:
            self.ready.set()
            await self._close_board()

    def stop(self) -> None:
        """Ask `run` to end. Safe as a signal handler of the loop."""
        self._stopping.set()

    # -- what the page and other parts in the loop may ask

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with the events of every step from now on; what comes back ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call `watcher` with every scan from now on, raw; what comes back ends that."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def lend_lights(self, picture: Picture | None) -> None:
        """Show that picture instead of the mind's; None: the mind's again."""
        self._lent = picture
        self._finish_step([])

    def relight(self, setting: LightsSetting) -> None:
        """Let the lights show so much from now on, in this game and the next."""
        self.settings = replace(self.settings, lights=setting)
        now_ms = self._advance_clock()
        self._finish_step(self.mind.relight(setting, now_ms) if isinstance(self.mind, Relightable) else [])

    def rest(self, is_resting: bool) -> None:
        """While it rests the mind is given no scans: somebody works at the board. Watchers still have them."""
        self._is_resting = is_resting

    def press_button(self, name: ButtonName, value: str | None = None) -> None:
        """A choice made on the page, in order with what the board sends."""
        self.inbox.put(Button(self.clock.now_ms(), name, value))

    def new_game(self, settings: Settings, set_up: Callable[[], None] | None = None) -> None:
        """Begin afresh with another mind, which is shown the board as it stands now.

        What is in the inbox belongs to the game before and is read first. `set_up` puts the pieces of the new game up,
        on a board that can do that by itself: the game before has not seen it.
        """
        while (item := self.inbox.get_nowait()) is not None:
            self._take(item)
        if set_up is not None:
            set_up()
            while (item := self.inbox.get_nowait()) is not None:
                if isinstance(item, Scan):
                    self._note_scan(item)
                else:
                    self._take(item)
        self.settings = settings
        self.mind = self._mind_of(settings)
        now_ms = self._advance_clock()
        self.memory.begin(settings, now_ms)
        scan = self._last_scan
        if scan is None:
            self._finish_step([])
        else:
            self._give(replace(scan, t_ms=now_ms))

    def renew(self, mind: Mind, settings: Settings) -> None:
        """Go on with a mind that knows the present game as well as this one, and nothing of the games before it."""
        self.settings = settings
        self.mind = mind
        self.renewing = True
        try:
            self._finish_step([])
        finally:
            self.renewing = False

    @property
    def picture(self) -> Picture:
        """What the lights are to show now."""
        if self._lent is not None:
            return self._lent
        return DARK if self.settings.lights is LightsSetting.NONE else self._picture

    @property
    def last_scan(self) -> Scan | None:
        """The newest scan of the board, raw."""
        return self._last_scan

    # -- thinking

    async def _think(self) -> None:
        while True:
            wake_ms = self.mind.next_wake_ms()
            item = await self.inbox.get(wake_ms)
            if item is not None:
                self._take(item)
            elif self.clock.now_ms() >= (wake_ms or 0):
                self._let_time_pass(self._advance_clock())
            await asyncio.sleep(0)  # however much waits in the inbox, lights and pages have their turn after each step

    def _take(self, item: Delivery) -> None:
        match item:
            case Scan() | Press() | Button() | Command() | Hint():
                if isinstance(item, Scan):
                    self._note_scan(item)
                    if self._is_resting:
                        return
                self._give(self._in_order(item))
            case Fault():
                self._finish_step([item])
            case Lost():
                self._lose_board(item.text, item.t_ms)
            case Exhausted():
                self.board_state = BoardState.EXHAUSTED
                self._finish_step([])
            case NewGame():
                self.new_game(self.settings)
            case _:
                assert_never(item)
        if self.inbox.dropped != self._dropped:
            lost, self._dropped = self.inbox.dropped - self._dropped, self.inbox.dropped
            text = f"{lost} scans came faster than they were read"
            self._finish_step([Fault(self._latest_ms, "overrun", None, text)])

    def _give(self, item: Input) -> None:
        events = self.mind.receive(item)
        self.memory.keep(item, events)
        self._finish_step(events)

    def _let_time_pass(self, now_ms: int) -> None:
        events = self.mind.advance(now_ms)
        if events:
            self.memory.passed(now_ms, events)
        self._finish_step(events)

    def _note_scan(self, scan: Scan) -> None:
        self._last_scan = scan
        self.scans += 1
        self.late_scans += self.clock.now_ms() - scan.t_ms > LATE_MS * self.clock.rate
        for watcher in tuple(self._watchers):
            watcher(scan)

    def _in_order(self, item: Input) -> Input:
        self._latest_ms = max(self._latest_ms, item.t_ms)
        return item if item.t_ms == self._latest_ms else replace(item, t_ms=self._latest_ms)

    def _advance_clock(self) -> int:
        self._latest_ms = max(self._latest_ms, self.clock.now_ms())
        return self._latest_ms

    def _finish_step(self, events: Sequence[Event]) -> None:
        self._picture = self.mind.picture()
        if self.picture != self._shown:
            self._repaint.set()
        self._tell(events)

    def _tell(self, events: Sequence[Event]) -> None:
        for listener in tuple(self._listeners):
            listener(events)

    # -- the board

    async def _show(self) -> None:
        while True:
            await self._repaint.wait()
            self._repaint.clear()
            picture = self.picture
            if picture == self._shown or not self._board_is_open:
                continue
            try:
                await self.board.show(picture)
                self._shown = picture
            except OSError as error:
                self._lose_board(_words(error))

    async def _keep_board(self) -> None:
        delay_s = RETRY_FIRST_S
        while True:
            self._board_lost.clear()
            try:
                await self.board.open(self.inbox)
            except OSError as error:
                self._lose_board(_words(error))
            else:
                delay_s = RETRY_FIRST_S
                self._have_board()
            self.ready.set()
            await self._board_lost.wait()
            await self._close_board()
            await asyncio.sleep(delay_s)
            delay_s = min(2 * delay_s, RETRY_LONGEST_S)

    @property
    def _board_is_open(self) -> bool:
        return self.board_state in (BoardState.OPEN, BoardState.EXHAUSTED)

    def _have_board(self) -> None:
        self.board_state = BoardState.OPEN
        self.board_trouble = ""
        self.openings += 1
        self._shown = None
        self._repaint.set()
        self._tell([])

    def _lose_board(self, text: str, t_ms: int | None = None) -> None:
        """Report it, but the same failing of one retry after the other only once."""
        is_news = text != self.board_trouble
        self.board_state = BoardState.LOST
        self.board_trouble = text
        self._board_lost.set()
        if is_news:
            since_ms = self.clock.now_ms() if t_ms is None else t_ms
            self._tell([Fault(since_ms, "board-lost", None, f"The board is gone: {text}")])

    async def _close_board(self) -> None:
        with suppress(OSError):  # it is gone already
            await self.board.close()


def _words(error: OSError) -> str:
    return str(error) or type(error).__name__
