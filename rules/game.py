"""A game as a line of positions, with what depends on its history: repetition, and so outcomes and claims.

Repetitions are counted in a dict by position key as the game goes, so that nothing is ever replayed. A claim that
rests on a next move is looked for only if some position has been there twice, and then backwards: from that position's
occupancy to the few moves that lead to it, not from all moves.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from rules.inverse import leading_to
from rules.move import Move
from rules.outcome import CLAIM_QUIET_PLIES, CLAIM_REPETITIONS, Claim, DrawRules, Outcome, Reason, Result, ending
from rules.position import Position

_FIVEFOLD = Outcome(Result.DRAW, Reason.FIVEFOLD)
_THREEFOLD = Outcome(Result.DRAW, Reason.THREEFOLD)


class Game:
    """The line played so far from a start, which counts as the first occurrence of its position.

    Mutable: `play` and `back` move along. Playing on after an outcome is not refused; whose rule that is decides.
    """

    __slots__ = ("_counts", "_keys", "_moves", "_positions", "_repeated", "rules")

    def __init__(
        self, start: Position | None = None, moves: Iterable[Move] = (), rules: DrawRules = DrawRules.FIDE
    ) -> None:
        first = Position.initial() if start is None else start
        key = first.key()
        self.rules = rules
        self._positions = [first]
        self._moves: list[Move] = []
        self._keys: list[Hashable] = [key]
        self._counts: dict[Hashable, int] = {key: 1}
        self._repeated: dict[Hashable, Position] = {}
        for move in moves:
            self.play(move)

    @property
    def start(self) -> Position:
        """The position before the first move."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The start and the position after each move."""
        return tuple(self._positions)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played."""
        return tuple(self._moves)

    def __len__(self) -> int:
        """How many plies were played."""
        return len(self._moves)

    def play(self, move: Move) -> Position:
        """Goes one ply on by a legal move and returns the new position."""
        position = self._positions[-1].play(move)
        key = position.key()
        count = self._counts.get(key, 0) + 1
        self._counts[key] = count
        if count == CLAIM_REPETITIONS - 1:
            self._repeated[key] = position
        self._positions.append(position)
        self._moves.append(move)
        self._keys.append(key)
        return position

    def back(self) -> Move:
        """Takes the last ply back and returns its move. Raises IndexError at the start."""
        move = self._moves.pop()
        self._positions.pop()
        key = self._keys.pop()
        count = self._counts[key] - 1
        if count:
            self._counts[key] = count
        else:
            del self._counts[key]
        if count < CLAIM_REPETITIONS - 1:
            self._repeated.pop(key, None)
        return move

    def occurrences(self) -> int:
        """How often the position now has been there, this time included (FIDE Laws 9.2.3)."""
        return self._counts[self._keys[-1]]

    def outcome(self) -> Outcome | None:
        """The automatic end of the game; None while it goes on. Mate comes before all draws (FIDE Laws 5, 9.6)."""
        found = ending(self._positions[-1], self.rules)
        if found is None and self._counts[self._keys[-1]] >= self.rules.repetitions:
            return _FIVEFOLD if self.rules is DrawRules.FIDE else _THREEFOLD
        return found

    def claims(self) -> tuple[Claim, ...]:
        """The draws that the player having the move may claim for the position that has just appeared.

        Empty once the game has an automatic outcome (FIDE Laws 9.2.2, 9.3.2).
        """
        found = _claims(self.occurrences(), self._positions[-1])
        return found if found and self.outcome() is None else ()

    def claims_by(self, move: Move) -> tuple[Claim, ...]:
        """The draws that he may claim by announcing this legal move instead of making it (FIDE Laws 9.2.1, 9.3.1)."""
        position = self._positions[-1].play(move)
        return _claims(self._counts.get(position.key(), 0) + 1, position)

    def announced_claims(self) -> dict[Move, tuple[Claim, ...]]:
        """All moves whose announcement supports a claim, with the claims; empty once the game is over."""
        position = self._positions[-1]
        quiet = position.halfmove_clock + 1 >= CLAIM_QUIET_PLIES
        if not (quiet or self._repeated) or self.outcome() is not None:
            return {}
        moves = position.legal_moves() if quiet else self._moves_to_repeated()
        return {move: claims for move in moves if (claims := self.claims_by(move))}

    def _moves_to_repeated(self) -> list[Move]:
        """The legal moves after which the occupancy is that of a position that was there twice."""
        position = self._positions[-1]
        turn, since = position.turn, position.ply - position.halfmove_clock
        return [
            move
            for target in self._repeated.values()
            if target.turn is not turn and target.ply >= since
            for move in leading_to(position, target.occupied)
        ]


def _claims(occurrences: int, position: Position) -> tuple[Claim, ...]:
    """What may be claimed for a position that has been there so often."""
    repeated = (Claim.THREEFOLD,) if occurrences >= CLAIM_REPETITIONS else ()
    return (*repeated, Claim.FIFTY) if position.halfmove_clock >= CLAIM_QUIET_PLIES else repeated
