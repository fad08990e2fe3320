"""The moves of the present game with their notation, worked out once for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any

from board_driver.gamerecord import GameRecord
from rules.move import Move
from rules.pieces import Piece
from rules.position import Position
from rules.san import write_san
from rules.squares import Colour, square_name
from rules.uci import UciError, parse_uci, write_uci

NONE: Mapping[int, Any] = MappingProxyType({})


class Score:
    """Follows a game as it grows, is revised and taken back."""

    def __init__(self) -> None:
        self._start: Position | None = None
        self._moves: list[Move] = []
        self._texts: list[tuple[str, str]] = []
        self._positions: list[Position] = []
        self._victims: list[Piece | None] = []

    def follow(self, game: GameRecord) -> Position:
        """Bring the score up to `game`; the position after its last ply."""
        if game.start is not self._start:
            self._start, self._positions = game.start, [game.start]
            self._moves, self._texts, self._victims = [], [], []
        moves = [ply.move for ply in game.plies]
        agreed = next((i for i, (a, b) in enumerate(zip(self._moves, moves, strict=False)) if a is not b), None)
        keep = min(len(self._moves), len(moves)) if agreed is None else agreed
        del self._moves[keep:], self._texts[keep:], self._victims[keep:], self._positions[keep + 1 :]
        for move in moves[keep:]:
            before = self._positions[-1]
            victim = before.victim_square(move)
            self._texts.append((write_san(before, move), write_uci(before, move)))
            self._victims.append(None if victim is None else before.piece_at(victim))
            self._moves.append(move)
            self._positions.append(before.play(move))
        return self._positions[-1]

    def rows(
        self,
        game: GameRecord,
        revised: Mapping[int, Sequence[str]] = NONE,
        taken_back: Mapping[int, str] = NONE,
        by_hand: Set[int] = frozenset(),
    ) -> list[dict[str, object]]:
        """One object for each ply, for the score sheet, with how it came about. Call `follow` first."""
        return [
            {
                "san": san,
                "uci": uci,
                "elapsed_ms": ply.elapsed_ms,
                "clock_ms": ply.clock_ms,
                "provisional": ply.provisional,
                "alternatives": [{"uci": other, "san": self._san(number, other)} for other in ply.alternatives],
                "was": [self._san(number, other) for other in revised.get(number, ()) if other != uci],
                "taken_back": self._san(number, taken_back[number]) if number in taken_back else None,
                "by_hand": number in by_hand,
            }
            for number, (ply, (san, uci)) in enumerate(zip(game.plies, self._texts, strict=True), 1)
        ]

    def captured(self) -> dict[str, str]:
        """What each side has taken, as the FEN letters of the pieces that are off the board, in order."""
        taken = {
            colour: "".join(piece.letter for piece in self._victims if piece is not None and piece.colour is not colour)
            for colour in Colour
        }
        return {colour.word: letters for colour, letters in taken.items()}

    def last_move(self) -> list[str]:
        """The squares of the last move, for a mark on the board; none before the first."""
        if not self._moves:
            return []
        return [square_name(self._moves[-1].origin), square_name(self._moves[-1].landing)]

    def last_san(self) -> str | None:
        """The last move as it is written; None before the first."""
        return self._texts[-1][0] if self._texts else None

    def _san(self, number: int, uci: str) -> str:
        """What ply `number` would be called; UCI where it is no legal move there."""
        position = self._positions[number - 1]
        try:
            return write_san(position, parse_uci(position, uci))
        except UciError:
            return uci
