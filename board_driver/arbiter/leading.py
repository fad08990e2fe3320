"""The board is led to the position of the game, after the game was set back by agreement or by the arbiter.

House rules:

1. Until the board stands as the position, no lift is a touch and nothing is judged: hands put right what they were
   asked to put right. Afterwards the turn begins afresh.
2. Men are followed by name (`belief`), since an occupancy board would take any man for the right one.
3. After a take-back another move may be made straight from where the man stands. The one that was taken back may not:
   it is still there because nobody has put it back.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.arbiter import commanded, making
from board_driver.arbiter.belief import Belief
from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.reading import shown
from board_driver.arbiter.restoring import Step, next_step, wrong_squares
from board_driver.sensing.cells import SOMETHING, Cells
from board_driver.sensing.settle import SettledChange
from rules.move import Move
from rules.pieces import Piece
from rules.position import Position
from rules.squares import Bitboard, set_of

FEW_SQUARES = 4
"""So many wrong squares are shown all at once; of more, one step at a time."""


class Leading:
    """Where everybody is believed to stand, and what was asked last."""

    __slots__ = ("barred", "began", "belief", "direct", "step")

    def __init__(self, belief: Belief, barred: Sequence[Move], direct: bool, began: int) -> None:
        self.belief = belief
        self.began = began
        """The board's stamp when it began."""
        self.barred = tuple(barred)
        """Moves that the board may still show without anybody making them."""
        self.direct = direct
        """Whether another move may be made before the board stood right."""
        self.step: Step | None = None

    def wrong(self, position: Position, view: BoardView) -> tuple[Bitboard, Bitboard]:
        """Squares to clear and to fill; one with a wrong man on it is both."""
        other = set_of(s for s, man in self.belief.men.items() if position.piece_at(s) not in (None, man))
        other &= view.live & view.occupied
        return view.surplus(position.occupied) | other, view.missing(position.occupied) | other


def men_now(game: GameState) -> dict[int, Piece]:
    """Who stands where, by the position and by where its men were set down wrongly."""
    right = game.view.occupied & ~game.view.wrong
    placed = {s: man for s, man in game.turn.men().items() if right >> s & 1}
    strays = {s.square: game.turn.men()[s.home] for s in game.strays() if s.home is not None}
    return placed | strays


def set_back(game: GameState, count: int, t_ms: int, direct: bool) -> None:
    """Withdraw so many plies, and lead the board to the position before them, unless it stands so already.

    `direct`: another move may be made before the board stood right.
    """
    hand = {s: man for s in game.hand() if (man := game.position.piece_at(s)) is not None}
    belief, barred = Belief(men_now(game), hand), []
    for _ in range(count):
        barred.append(game.score.plies[-1].move)
        making.withdraw(game, t_ms)
    leading = Leading(belief, barred, direct, game.view.stamp)
    leading.step = _next(game, leading)
    game.leading = None if leading.step is None else leading
    game.standing = game.strays()


def follow(game: GameState, changes: Sequence[SettledChange]) -> bool:
    """Note what was lifted and set down; whether the board is still led, so that nothing else is to be judged."""
    leading = game.leading
    if leading is None:
        return False
    for change in changes:
        if change.lifted:
            leading.belief.lift(change.square, leading.step)
        if change.placed:
            leading.belief.place(change.square, change.after, game.position, leading.step)
    leading.step = _next(game, leading)
    if leading.step is None:
        _arrive(game)
        return True
    return not (leading.direct and any(change.placed for change in changes) and _moves_on(game, leading))


def guidance(game: GameState) -> tuple[Step, int] | None:
    """The next step to put a board right on which more is wrong than can be shown at once, and how many squares are."""
    leading, lift, place = game.leading, *game.to_restore()
    if leading is None and (lift | place).bit_count() <= FEW_SQUARES:
        return None
    if leading is None and game.target() != game.position.occupied:
        return None
    men = men_now(game) if leading is None else leading.belief.men
    hand = [] if leading is None else leading.belief.hand
    cells = seen(game.view)
    count = wrong_squares(game.position, cells, game.view.live, men)
    step = next_step(game.position, cells, game.view.live, men, hand)
    if step is None or (count <= FEW_SQUARES and count == (lift | place).bit_count()):
        return None
    return step, count


def seen(view: BoardView) -> Cells:
    """What the sensors read, without what they read wrongly of men with upside-down magnets."""
    if not view.reversed:
        return tuple(view.cells)
    turned = view.reversed & view.occupied
    return tuple(SOMETHING if turned >> s & 1 else cell for s, cell in enumerate(view.cells))


def _next(game: GameState, leading: Leading) -> Step | None:
    return next_step(game.position, seen(game.view), game.view.live, leading.belief.men, leading.belief.hand)


def _arrive(game: GameState) -> None:
    """The board stands right: the turn begins, and nothing of what was done on the way counts."""
    game.leading = None
    game.refused = {}
    game.fault = None
    game.turn = commanded.again(game.turn)
    game.turn.began = game.view.stamp
    game.turn.away = 0
    game.view.compare(game.turn.men())
    game.standing = game.strays()


def _set_down_since(game: GameState, move: Move, stamp: int) -> bool:
    """Whether its men were set down where they are after that, and do not merely stand there still."""
    placed = game.view.placed
    return placed[move.landing] > stamp and (move.rook_landing is None or placed[move.rook_landing] > stamp)


def _moves_on(game: GameState, leading: Leading) -> bool:
    """Another move is shown than those taken back: the game goes on with it."""
    game.standing = game.strays()
    moves = [m for m in game.owed().moves if m not in leading.barred and _set_down_since(game, m, leading.began)]
    if shown(game.turn, game.view, moves) is None:
        return False
    game.leading = None
    return True
