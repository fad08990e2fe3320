"""Asking what a pawn becomes, where a game asks for it (`Settings.promotion`): the move is made when that is chosen.

House rules:

1. Until then the move is not made (FIDE Laws 4.7.3): the player keeps the move and his clock runs. The pawn's square
   and four free squares beside it are lit: one flash for the queen, two for the rook, three for the bishop, four for
   the knight.
2. He chooses by setting the pawn, or a piece from beside the board, on one of the four and clearing it again; or by the
   button, or on the page, before or after; or by lifting what stands on the pawn's square and setting it, or the queen,
   down there again: a queen, unless the board sees what it is.
3. A press of the clock leaves it a queen (7.5.2). So does, in friendly play, the opponent's reply, and the ply is
   marked uncertain. In strict play the reply is out of turn, and stands once the choice is made.
4. The question is repeated three times. Nothing is ever chosen by waiting.
5. A board that sees the new piece is not asked, nor is a hand that carries out a command.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from board_driver.arbiter import words
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.turn import Turn
from board_driver.events import Notice
from board_driver.lights.picture import Meaning
from rules.move import Move
from rules.pieces import PROMOTION_ROLES, Piece, Role
from rules.squares import Bitboard, Square, square_name

REPEAT_MS = 20_000
REPEATS = 3
MEANINGS: Mapping[Role, Meaning] = {
    Role.QUEEN: Meaning.PROMOTE_QUEEN,
    Role.ROOK: Meaning.PROMOTE_ROOK,
    Role.BISHOP: Meaning.PROMOTE_BISHOP,
    Role.KNIGHT: Meaning.PROMOTE_KNIGHT,
}
"""The four choices, the likeliest first, and how their squares are lit."""


@dataclass(frozen=True, slots=True)
class Question:
    """A promotion of which it is asked what the pawn becomes. `stamp` is when the pawn arrived."""

    move: Move
    choices: Mapping[int, Role]
    stamp: int
    chosen: Role | None = None
    repeat_ms: int | None = None
    repeats: int = 0


def choice_squares(turn: Turn, move: Move, occupied: Bitboard, live: Bitboard) -> dict[int, Role]:
    """Four squares that stand for queen, rook, bishop and knight, the queen's nearest to where the pawn arrives.

    They are empty, on the board and in the position after the move, whatever else stands around, and their sensors
    work; none is the pawn's own square before the move, or another to which it might go. Of squares equally near the
    one closest in file, then the leftmost.
    """
    landing = move.landing
    closed = occupied | turn.after(move) | turn.position.occupied | ~live
    closed |= turn.position.destinations(move.origin)
    free = [s for s in range(64) if not closed >> s & 1]

    def nearness(square: int) -> tuple[int, int, int, int]:
        files, ranks = abs((square & 7) - (landing & 7)), abs((square >> 3) - (landing >> 3))
        return max(files, ranks), files, square & 7, ranks

    return dict(zip(sorted(free, key=nearness), MEANINGS, strict=False))


def decide(game: GameState, move: Move, t_ms: int) -> Move | None:
    """The board shows `move` as made: the move that is to be made, or None while it is asked what the pawn becomes."""
    if move.promotion is None or not game.asks_promotion or game.commanded or game.turn.choice is not None:
        return move
    if _is_seen(game, move):
        return move
    question = game.question
    if question is None or question.move.origin != move.origin or question.move.landing != move.landing:
        _ask(game, move, t_ms)
        return None
    if question.chosen is not None:
        game.turn.choice = question.chosen
        return _variant(game.turn, move, question.chosen)
    if game.view.placed[move.landing] > question.stamp:
        return _variant(game.turn, move, Role.QUEEN)
    return None


def is_choosing(game: GameState, t_ms: int) -> bool:
    """Whether all that parts the board from the promotion is a hand that chooses; what it chooses is noted.

    A question that the pawn has left behind is over.
    """
    question = game.question
    if question is None:
        return False
    view, after = game.view, game.turn.after(question.move)
    surplus = view.occupied & ~after & view.live
    lacking = after & ~view.occupied & view.live
    pawn_up = bool(lacking >> question.move.landing & 1)
    if surplus >> question.move.origin & 1:
        game.question = None
        return False
    if surplus & (surplus - 1) or lacking & game.turn.own or (lacking and not pawn_up):
        return False
    if not surplus:
        return True
    square = surplus.bit_length() - 1
    if square not in question.choices:
        return False
    _choose(game, question, question.choices[square], square, t_ms)
    return True


def due_ms(game: GameState) -> int | None:
    """When the question is to be repeated; None if it is not."""
    return None if game.question is None else game.question.repeat_ms


def repeat(game: GameState, t_ms: int) -> None:
    """Ask again."""
    question = game.question
    if question is None or question.repeat_ms is None:
        return
    left = question.repeats - 1
    game.question = replace(question, repeats=left, repeat_ms=t_ms + REPEAT_MS if left else None)
    _say(game, question, t_ms)


def asking(game: GameState) -> dict[str, object] | None:
    """The summary's `asking`; None while nothing is asked."""
    question = game.question
    if question is None or game.outcome is not None:
        return None
    choices = {square_name(Square(s)): role.letter.lower() for s, role in question.choices.items()}
    chosen = None if question.chosen is None else question.chosen.letter.lower()
    square = square_name(Square(question.move.landing))
    return {"square": square, "player": game.turn.mover.word, "choices": choices, "chosen": chosen}


def lights(question: Question) -> dict[int, Meaning]:
    """The pawn's square and the four beside it."""
    return {s: MEANINGS[role] for s, role in question.choices.items()} | {question.move.landing: Meaning.PROMOTION}


def _ask(game: GameState, move: Move, t_ms: int) -> None:
    choices = choice_squares(game.turn, move, game.view.occupied, game.view.live)
    stamp = game.view.placed[move.landing]
    question = Question(move, choices, stamp, repeat_ms=t_ms + REPEAT_MS, repeats=REPEATS)
    game.question = question
    _say(game, question, t_ms)


def _say(game: GameState, question: Question, t_ms: int) -> None:
    text = words.promotion_asked(game.turn.mover, question.move.landing, question.choices)
    squares = {role.letter.lower(): square_name(Square(s)) for s, role in question.choices.items()}
    details: dict[str, object] = {"square": square_name(Square(question.move.landing)), "choices": squares}
    game.say(Notice(t_ms, "promotion-asked", text, game.turn.mover, details))


def _choose(game: GameState, question: Question, role: Role, square: int, t_ms: int) -> None:
    if question.chosen is role:
        return
    game.question = replace(question, chosen=role)
    text = words.promotion_chosen(role, square, question.move.landing)
    game.say(Notice(t_ms, "promotion-chosen", text, game.turn.mover, {"chosen": role.letter.lower()}))


def _is_seen(game: GameState, move: Move) -> bool:
    cell = game.view.cells[move.landing]
    return isinstance(cell, Piece) and cell.role in PROMOTION_ROLES


def _variant(turn: Turn, move: Move, role: Role) -> Move:
    candidates = turn.position.moves_from(move.origin)
    return next(m for m in candidates if m.landing == move.landing and m.promotion is role)
