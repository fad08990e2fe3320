"""Moves walked back on the board: a take-back wherever a release need not stand.

House rules:

1. A ply is taken back once the board stands again as before it, in whatever order its men came home: the captured man
   first or last, king or rook first. What comes next on the board is played on from there.
2. Several plies go one after the other; two or three also at once, since four hands set men back in no order. Whoever
   sets men back otherwise is not taking back.
3. A legal move is a move. Only where the board shows none is it looked whether it shows a ply taken back.
4. With its man home and the rest not yet, the board is led the rest of the way back.
5. A move that has ended the game, by mate or a draw, may be walked back, too: the game goes on once the board has
   rested so. If instead the pieces are then set up anew, it had ended.
6. In strict play the move stands (FIDE Laws 4.7), and what was set back is told and led forward again.
"""

from __future__ import annotations

from dataclasses import dataclass

from board_driver.arbiter import making
from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.faults import Fault
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.report import summary
from board_driver.arbiter.turn import Turn
from board_driver.gamerecord import GameRecord
from rules.irregularity import Why
from rules.move import Move
from rules.squares import Square

REOPEN_MS = 4000
"""So long the board has to rest before a game that was over goes on."""
MOST_AT_ONCE = 3
"""So many plies may be set back in any order."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A game as it ended, before its last move was walked back."""

    record: GameRecord
    summary: dict[str, object]


def take_back(game: GameState, t_ms: int) -> bool:
    """Withdraw the plies that the board shows as walked back; whether there were any."""
    count = 0 if game.strict else shown_back(game)
    for _ in range(count):
        making.withdraw(game, t_ms)
    return count > 0


def shown_back(game: GameState) -> int:
    """How many of the last plies the board shows as walked back; 0 if none."""
    if not game.astray():
        return 0
    for count in range(1, min(MOST_AT_ONCE, len(game.score.plies)) + 1):
        if _stands_as(game.score.turns[-count], game.view) and _were_lifted(game, count):
            return count
    return 0


def may_reopen(game: GameState) -> bool:
    """Whether the game was ended by its last move, which may be taken back."""
    return not game.strict and game.outcome is not None and game.score.game.outcome() == game.outcome


def watch_end(game: GameState, t_ms: int) -> None:
    """Something was moved after the end: note when the last move counts as walked back, if it does."""
    back = may_reopen(game) and shown_back(game) == 1
    game.reopen_ms = t_ms + REOPEN_MS if back else None


def reopen(game: GameState, t_ms: int) -> None:
    """The last move is walked back, and the game that it ended goes on."""
    assert game.outcome is not None
    ended = Ending(game.record(game.outcome), summary(game))
    game.reopen_ms = None
    making.withdraw(game, t_ms)
    game.undone = ended


def refused(game: GameState) -> Fault | None:
    """In strict play: the last move walked back, which stands since its release (FIDE Laws 4.7)."""
    if not game.strict or not game.score.plies or not _stands_as(game.score.turns[-1], game.view):
        return None
    move = game.score.plies[-1].move
    home, square = Square(move.landing), Square(move.origin)
    return Fault(Why.RELEASED, square, game.turn.mover.opponent, home, game.view.placed[square])


def _stands_as(turn: Turn, view: BoardView) -> bool:
    """Whether the board shows that turn's position, as far as its sensors tell."""
    if (view.occupied ^ turn.position.occupied) & view.live:
        return False
    return bool(view.reversed) or all(view.agrees(s, man, s) for s, man in turn.men().items())


def _were_lifted(game: GameState, count: int) -> bool:
    """The men who had moved were all taken up in this turn."""
    lifted, began = game.view.lifted, game.turn.began
    return all(lifted[ply.move.landing] > began or not _live(game, ply.move) for ply in game.score.plies[-count:])


def _live(game: GameState, move: Move) -> bool:
    return bool(game.view.live >> move.landing & 1)
