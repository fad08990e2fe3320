"""An engine that is asked now and then what it thinks of a position, for hints and for analysis."""

from __future__ import annotations

from board_driver.daemon import Daemon
from board_driver.players.engine import Chosen, Engine
from board_driver.players.finding import STOCKFISH
from board_driver.players.opponent import Situation
from board_driver.players.seats import engine_of
from board_driver.players.spec import Kind, Player
from board_driver.players.uci import Limits, Search


class Counsel:
    """One engine beside a daemon, started with the first question; one of Chess960 is another engine."""

    def __init__(self, daemon: Daemon, program: str = STOCKFISH) -> None:
        self._daemon = daemon
        self._player = Player(Kind.ENGINE, program)
        self._engine: Engine | None = None

    @property
    def is_called(self) -> bool:
        """Whether there is an engine now."""
        return self._engine is not None

    async def ask(self, situation: Situation, limits: Limits) -> Chosen:
        """What it would play there. Raises InputError where it is not to be had, EngineGaveUpError where it fails."""
        if self._engine is not None and self._engine.chess960 is not situation.chess960:
            await self.dismiss()
        self._engine = self._engine or engine_of(self._player, situation.chess960, self._daemon)
        return await self._engine.choose(Search(situation.start_fen, situation.moves, limits))

    async def dismiss(self) -> None:
        """End it, until it is asked again."""
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.close()
