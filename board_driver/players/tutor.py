"""Hints on request: a player asks, an engine looks at the position for a moment, the lights show what it would play.

The engine is started with the first question and ended when nobody has asked for `IDLE_S`. Whether a hint may be given
at all is the arbiter's business: where only faults may be lit there is none (FIDE Laws 11.3.1).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from board_driver.daemon import Daemon
from board_driver.events import Event, Notice
from board_driver.inputerror import InputError
from board_driver.players.counsel import Counsel
from board_driver.players.engine import EngineGaveUpError
from board_driver.players.finding import STOCKFISH
from board_driver.players.opponent import situation_of
from board_driver.players.uci import Limits
from board_driver.scan import Hint
from rules.fen import write_fen
from rules.squares import Colour
from rules.uci import write_uci

HINT_LIMITS = Limits(movetime_ms=700)
IDLE_S = 120.0


class Tutor:
    """Whoever advises the players of a daemon. In its loop only."""

    def __init__(self, daemon: Daemon, program: str = STOCKFISH, limits: Limits = HINT_LIMITS) -> None:
        self._daemon = daemon
        self._counsel = Counsel(daemon, program)
        self._limits = limits
        self._questions: asyncio.Queue[Colour] = asyncio.Queue(maxsize=1)

    async def run(self) -> None:
        """Answer until this is cancelled."""
        unlisten = self._daemon.listen(self._hear)
        try:
            while True:
                try:
                    async with asyncio.timeout(IDLE_S if self._counsel.is_called else None):
                        colour = await self._questions.get()
                except TimeoutError:
                    await self._counsel.dismiss()
                else:
                    await self._answer(colour)
        finally:
            unlisten()
            await self._counsel.dismiss()

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            match event:
                case Notice(kind="hint-asked", colour=Colour() as colour) if not self._questions.full():
                    self._questions.put_nowait(colour)
                case _:
                    pass

    async def _answer(self, colour: Colour) -> None:
        asked = situation_of(self._daemon, colour)
        if asked is None:
            return
        try:
            chosen = await self._counsel.ask(asked, self._limits)
        except (EngineGaveUpError, InputError) as problem:
            self._daemon.inbox.report("engine", f"no hint: {problem}")
            return
        uci = write_uci(asked.position, chosen.move)
        self._daemon.inbox.put(Hint(self._daemon.clock.now_ms(), uci, write_fen(asked.position)))
