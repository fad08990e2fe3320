"""What is no move of the game, on request: moves taken back, illegal moves put right, a sign for the result, a reset.

None of this changes the game that is in the truth: a move taken back is played before the true one and undone, an
illegal move is corrected to the true one, and the sign comes after the last. A reset makes a game of its own of the
plies before it.
"""

from __future__ import annotations

from enum import Enum

from board_driver.simulate.gestures import carry
from board_driver.simulate.plies import perform
from board_driver.simulate.table import CLEAR_MS, Table
from board_driver.simulate.ways import Timing, When
from rules.move import Move
from rules.pieces import Piece, Role
from rules.position import Position
from rules.squares import Colour, Square, parse_square

CENTRE = {
    "1-0": (parse_square("e4"), parse_square("d5")),
    "0-1": (parse_square("d4"), parse_square("e5")),
    "1/2-1/2": (parse_square("e4"), parse_square("d4")),
}
"""Where the kings are put to show the result, by the broadcast convention."""


class Extra(Enum):
    """What the command line may ask for."""

    TAKEBACK = "takeback"
    """Now and then a move is made, regretted and undone before the true one."""
    ILLEGAL = "illegal"
    """Now and then a man is set on a square it may not go to, and then goes on to the right one."""
    GESTURE = "gesture"
    """After the last move the kings go to the centre to show the result."""
    RESET = "reset"
    """Once, somewhere in the game, the men are set up anew and the game is played from its beginning."""


def regret(table: Table, position: Position, true_move: Move, when: When) -> When:
    """Make another quiet move or capture, think better of it and undo it; when the true one may begin."""
    others = [m for m in position.legal_moves() if m is not true_move and _undoable(m) and m.origin in table.men]
    if not others:
        return when
    move = table.rng.choice(others)
    victim = position.victim_square(move)
    taken = None if victim is None else position.piece_at(victim)
    made = perform(table, position, move, when)
    table.note(made.settled_ms, "takeback")
    _, back = carry(table, move.landing, move.origin, made.settled_ms + table.rng.uniform(1500, 5000))
    if taken is not None and victim is not None:
        back = table.bring_on(taken, victim, back + table.rng.uniform(300, 900))
    return When(back + table.rng.uniform(800, 3000))


def _undoable(move: Move) -> bool:
    return not move.is_castling and move.promotion is None


def blunder(table: Table, position: Position, move: Move, when: When) -> Timing | None:
    """Set the man of a quiet move on a square where it may not go, then make the move; None where it cannot be done."""
    if not _undoable(move) or position.victim_square(move) is not None:
        return None
    reachable = position.destinations(move.origin)
    wrong = [Square(s) for s in range(64) if s not in table.men and not reachable >> s & 1]
    if not wrong:
        return None
    square = table.rng.choice(wrong)
    lifted, there = carry(table, move.origin, square, *when)
    table.note(there, "illegal")
    _, settled = carry(table, square, move.landing, there + table.rng.uniform(800, 3000))
    return Timing(lifted, settled)


def show_result(table: Table, result: str, start_ms: float) -> None:
    """Put both kings in the centre; men in the way are taken off. Nothing is shown for a game without result."""
    if result not in CENTRE:
        return
    now = start_ms
    homes = list(CENTRE[result])
    table.rng.shuffle(homes)
    kings = [square for colour in Colour for square in _standing(table, Piece(colour, Role.KING))]
    table.note(now, "gesture")
    for home in homes:
        if home in table.men and home not in kings:
            now = table.take_off(home, now) + CLEAR_MS
    waiting = [(king, home) for king, home in zip(kings, homes, strict=True) if king != home]
    for king, home in sorted(waiting, key=lambda way: way[1] in kings):
        if home not in table.men:
            _, now = carry(table, king, home, now + table.rng.uniform(0, 600))


def set_up_anew(table: Table, start: Position, start_ms: float) -> float:
    """Put all men on their places of `start`, in no particular order; when the last one stands."""
    wanted = {Square(s): piece for s in range(64) if (piece := start.piece_at(s)) is not None}
    table.note(start_ms, "reset")
    now = start_ms
    todo = [square for square in wanted if not _is_right(table, square, wanted)]
    table.rng.shuffle(todo)
    for square in todo:
        now += table.rng.uniform(100, 500)
        if square in table.men:
            now = table.take_off(square, now) + CLEAR_MS
        astray = [s for s in _standing(table, wanted[square]) if not _is_right(table, s, wanted)]
        if astray:
            _, now = carry(table, table.rng.choice(astray), square, now)
        else:
            now = table.bring_on(wanted[square], square, now + 400)
    for square in sorted(set(table.men) - set(wanted)):
        now = table.take_off(square, now + table.rng.uniform(100, 400))
    return now + CLEAR_MS


def _standing(table: Table, piece: Piece) -> list[Square]:
    return sorted(square for square, man in table.men.items() if man.piece == piece)


def _is_right(table: Table, square: Square, wanted: dict[Square, Piece]) -> bool:
    man = table.men.get(square)
    return man is not None and man.piece == wanted.get(square)
