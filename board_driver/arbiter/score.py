"""The score: the game's moves with their texts and times, and the turns they were made in."""

from __future__ import annotations

from dataclasses import replace

from board_driver.arbiter.turn import Turn
from board_driver.events import Moved, Revised
from board_driver.gamerecord import GameRecord, RecordedPly
from rules.fen import write_fen
from rules.game import Game
from rules.move import Move
from rules.outcome import DrawRules, Outcome
from rules.position import Position
from rules.san import write_san
from rules.uci import write_uci


class Score:
    """Moves made so far. `turns[i]` is the turn in which ply `i` (from 0) was made."""

    __slots__ = ("began_ms", "game", "plies", "sans", "start", "turns", "ucis")

    def __init__(self, start: Position, draws: DrawRules, began_ms: int = 0) -> None:
        self.start = start
        self.began_ms = began_ms
        self.game = Game(start, rules=draws)
        self.sans: list[str] = []
        self.ucis: list[str] = []
        self.plies: list[RecordedPly] = []
        self.turns: list[Turn] = []

    def make(self, turn: Turn, move: Move, t_ms: int, made_ms: int, provisional: bool) -> Moved:
        """Write one ply down. `made_ms` is when the hand did it, `t_ms` when that was certain."""
        before = turn.position
        self.sans.append(write_san(before, move))
        self.ucis.append(write_uci(before, move))
        since = self.plies[-1].made_ms if self.plies else self.began_ms
        self.plies.append(RecordedPly(move, made_ms, max(0, made_ms - since), provisional=provisional))
        self.turns.append(turn)
        after = self.game.play(move)
        return Moved(t_ms, self.sans[-1], self.ucis[-1], write_fen(after), len(self.plies), provisional)

    def back(self) -> tuple[Turn, Move, str]:
        """Take the last ply out: its turn, its move, and its UCI text."""
        self.sans.pop()
        self.plies.pop()
        return self.turns.pop(), self.game.back(), self.ucis.pop()

    def revise(self, move: Move, t_ms: int) -> Revised:
        """The last ply was another move out of the same position."""
        old = self.plies[-1]
        turn, _, was = self.back()
        self.make(turn, move, t_ms, old.made_ms, old.provisional)
        return Revised(t_ms, len(self.plies), was, self.ucis[-1])

    def settle_last(self) -> None:
        """The last ply can no longer be revised."""
        if self.plies and self.plies[-1].provisional:
            self.plies[-1] = replace(self.plies[-1], provisional=False)

    def record(self, outcome: Outcome | None) -> GameRecord:
        """The game as it is handed on."""
        result = "*" if outcome is None else str(outcome.result)
        reason = "" if outcome is None else str(outcome.reason)
        return GameRecord(self.start, tuple(self.plies), result, reason, began_ms=self.began_ms)
