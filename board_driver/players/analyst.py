"""What an engine thinks of the position, for the page: off until somebody asks for it, and in rated play always.

It is help (FIDE Laws 11.3.1), so it is there only while all lights may be lit, and it commands nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from board_driver.daemon import Daemon
from board_driver.events import Event
from board_driver.inputerror import InputError
from board_driver.mind import LightsSetting
from board_driver.players.counsel import Counsel
from board_driver.players.engine import EngineGaveUpError
from board_driver.players.finding import STOCKFISH
from board_driver.players.opponent import Situation, situation_now
from board_driver.players.uci import Limits
from rules.san import write_san
from rules.squares import Colour
from rules.uci import write_uci

ANALYSIS_LIMITS = Limits(movetime_ms=1500)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Of a position: centipawns or moves to mate, as White sees it, and the move to make, as UCI and in SAN."""

    cp: int | None
    mate: int | None
    best: str
    san: str


class Analyst:
    """Looks at every position of a daemon's game while it is `on`. In the daemon's loop only."""

    def __init__(self, daemon: Daemon, program: str = STOCKFISH, limits: Limits = ANALYSIS_LIMITS) -> None:
        self.on = False
        self.judgement: Judgement | None = None
        """Of the present position; None while there is none."""
        self._daemon = daemon
        self._counsel = Counsel(daemon, program)
        self._limits = limits
        self._stale = asyncio.Event()
        self._watchers: list[Callable[[], None]] = []
        self._work: asyncio.Task[None] | None = None
        self._looks_at: Situation | None = None
        self._mind = daemon.mind

    @property
    def is_allowed(self) -> bool:
        """Whether help may be shown in this game."""
        return self._daemon.settings.lights is LightsSetting.ALL

    def switch(self, on: bool) -> None:
        """Look at the position from now on, or no more."""
        self.on = on
        self._stale.set()
        self._changed()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call it when there is another judgement, or none any more."""
        self._watchers.append(watcher)

    async def run(self) -> None:
        """Look until this is cancelled. Raises only what is our mistake."""
        unlisten = self._daemon.listen(self._hear)
        try:
            while True:
                await self._stale.wait()
                self._stale.clear()
                await self._follow()
        finally:
            unlisten()
            await self._stop()
            await self._counsel.dismiss()

    # -- inside

    def _hear(self, events: Sequence[Event]) -> None:
        if (events or self._mind is not self._daemon.mind) and (self.on or self._counsel.is_called):
            self._mind = self._daemon.mind
            self._stale.set()

    async def _follow(self) -> None:
        if self._work is not None and self._work.done() and not self._work.cancelled():
            self._work.result()
        wanted = situation_now(self._daemon) if self.on and self.is_allowed else None
        if wanted == self._looks_at:
            return
        await self._stop()
        self._looks_at = wanted
        if wanted is not None:
            self._work = asyncio.get_running_loop().create_task(self._look(wanted))
            self._work.add_done_callback(lambda _: self._stale.set())
        elif not self.on or not self.is_allowed:
            await self._counsel.dismiss()

    async def _look(self, wanted: Situation) -> None:
        if situation_now(self._daemon) != wanted:
            return  # it has changed since, and is looked at next
        try:
            chosen = await self._counsel.ask(wanted, self._limits)
        except (EngineGaveUpError, InputError) as problem:
            self.on = False
            self._daemon.inbox.report("engine", f"no analysis: {problem}")
            return
        info = chosen.answer.info
        sign = 1 if wanted.position.turn is Colour.WHITE else -1
        cp = None if info is None or info.cp is None else sign * info.cp
        mate = None if info is None or info.mate is None else sign * info.mate
        self.judgement = Judgement(
            cp, mate, write_uci(wanted.position, chosen.move), write_san(wanted.position, chosen.move)
        )
        self._changed()

    async def _stop(self) -> None:
        work, self._work = self._work, None
        if work is not None:
            work.cancel()
            await asyncio.wait([work])
        if self.judgement is not None:
            self.judgement = None
            self._changed()

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()
