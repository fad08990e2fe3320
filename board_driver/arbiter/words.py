"""Rulings in plain English."""

from __future__ import annotations

from collections.abc import Mapping

from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.faults import Fault
from board_driver.arbiter.strays import Stray
from rules.articles import Law, cite, number
from rules.irregularity import Kind, Why
from rules.move import Move
from rules.pieces import Piece, Role
from rules.position import Position
from rules.san import write_san
from rules.squares import Bitboard, Colour, square_name, squares_of
from rules.touch import Obligation, Owed

_WHAT = {
    Why.NOT_A_MOVE: "no move of the {man} leads to {square}",
    Why.SELF_CHECK: "the {man} on {square} would leave the king in check",
    Why.KING_INTO_CHECK: "the king may not go to {square}, which is attacked",
    Why.CASTLE_RIGHTS: "no castling: king or rook has moved before",
    Why.CASTLE_BLOCKED: "no castling: there is a piece in the way",
    Why.CASTLE_OUT_OF_CHECK: "no castling out of check",
    Why.CASTLE_THROUGH_CHECK: "no castling: the king would cross an attacked square",
    Why.CASTLE_INTO_CHECK: "no castling: the king would land on an attacked square",
    Why.EP_EXPIRED: "no en passant: only at once after the double step",
    Why.EP_NOT_REMOVED: "the captured pawn still stands: take it off to finish the capture",
    Why.CASTLE_INCOMPLETE: "the clock was pressed with castling half done",
    Why.NO_MOVE: "the clock was pressed without a move",
    Why.CASTLE_ROOK_FIRST: "castle with the king first: the rook was touched before it",
    Why.MUST_CASTLE: "castling is owed",
    Why.MUST_CAPTURE: "a capture is owed",
    Why.TOUCH_MOVE: "another piece was touched first",
    Why.RELEASED: "the move was made when the piece was released",
    Why.OUT_OF_TURN: "{player} does not have the move",
    Why.NOT_COMMANDED: "that is not {player}'s move",
}


RESULT_MENU = (
    "both kings are in hand: set on e4 and d5 White has won, on d4 and e5 Black, one on each colour it is a draw; "
    "put back where they stood, the game goes on"
)
DOUBTFUL_KING_MOVE = "the king's last move may have been half of showing the result: say so, or let it stand"
MANY_MEN = 6
"""More men than this are not told one by one."""


def name(square: int) -> str:
    """The square's name."""
    return square_name(square)


def law_of(position: Position, fault: Fault, owed: Obligation) -> Law:
    """The rule that was broken."""
    if _is_claimed(fault, owed):
        return owed.law
    piece = None if fault.home is None else position.piece_at(fault.home)
    return fault.why.law(None if piece is None else piece.role)


def article_of(position: Position, fault: Fault, owed: Obligation) -> str:
    """The number of the article that was broken."""
    return number(law_of(position, fault, owed))


def _is_claimed(fault: Fault, owed: Obligation) -> bool:
    """Whether the move that a wrong claim named was not made (FIDE Laws 9.5.3)."""
    return fault.why is Why.TOUCH_MOVE and owed.law is Law.CLAIM_WRONG


def man(position: Position, square: int) -> str:
    """What stands there in the position, such as `black knight`."""
    piece = position.piece_at(square)
    return "piece" if piece is None else str(piece)


def irregularity(position: Position, fault: Fault, owed: Obligation, fouls: int) -> str:
    """What is wrong, what it costs, and by which article."""
    square = "" if fault.square is None else name(fault.square)
    who = "piece" if fault.home is None else man(position, fault.home)
    text = _WHAT[fault.why].format(man=who, square=square, player=fault.offender.word)
    if _is_claimed(fault, owed):
        text = "a draw was claimed for another move, which must be made"
    if fault.why.kind is Kind.TOUCH and owed.kind is not Owed.NONE and fault.offender is position.turn:
        text += f": {owed_in_words(position, owed)}"
    if fault.why is Why.NOT_COMMANDED:
        text = _not_commanded(position, owed)
    laws = cite(law_of(position, fault, owed))
    if fault.completed and fault.why.kind is Kind.ILLEGAL:
        text += f"; completed illegal move number {fouls} by {fault.offender.word}"
        laws += f", {number(Law.PENALTY)}"
    return f"{text[0].upper()}{text[1:]} ({laws})"


def promotion(mover: Colour) -> str:
    """What is asked when a pawn was promoted and nobody said to what."""
    return (
        f"{mover.word}'s pawn counts as a queen unless another piece is chosen, by button or on the page, "
        f"before the clock is pressed or the opponent touches a piece ({cite(Law.PROMOTION_CHOICE)})"
    )


def promotion_asked(mover: Colour, square: int, choices: Mapping[int, Role]) -> str:
    """What is asked where a game asks what a pawn becomes."""
    ways = ", ".join(f"{name(s)} for a {role.name.lower()}" for s, role in choices.items())
    return (
        f"{mover.word}'s pawn on {name(square)}: which piece? Set it on {ways}, and back; or press the button; lifted "
        f"and set down where it is, it is a queen ({cite(Law.PROMOTION_CHOICE)})"
    )


def promotion_chosen(role: Role, square: int, back: int) -> str:
    """What is said once a piece is chosen on the board and the square is to be cleared."""
    return f"a {role.name.lower()}: now clear {name(square)}, and it stands on {name(back)}"


def owed_in_words(position: Position, owed: Obligation) -> str:
    """What is owed, without the article."""
    squares = [f"the {man(position, s)} on {name(s)}" for s in owed.squares]
    match owed.kind:
        case Owed.NONE:
            return "nothing is owed"
        case Owed.MOVE:
            return f"{' or '.join(squares)} must move"
        case Owed.CAPTURE:
            by = " or ".join(f"the {man(position, s)} on {name(s)}" for s in owed.by)
            return f"{squares[0]} must be captured by {by}"
        case Owed.CASTLE:
            return f"{squares[0]} must castle with {squares[1]}"


def owed(position: Position, found: Obligation) -> str:
    """What is owed, with its article."""
    text = owed_in_words(position, found)
    return f"{text[0].upper()}{text[1:]} ({cite(found.law)})"


def _beside(stray: Stray, standing: tuple[Stray, ...]) -> Stray | None:
    """A man that stands next to where something is sensed too much: it may be half on each square."""
    near = (s for s in standing if s.home is not None and s.square != stray.square)
    return next((s for s in near if touch_each_other(s.square, stray.square)), None)


def touch_each_other(one: int, other: int) -> bool:
    """Whether two squares have a side in common."""
    return abs((one & 7) - (other & 7)) + abs((one >> 3) - (other >> 3)) == 1


def _seen(view: BoardView, square: int) -> str:
    """What the sensors see there, as well as they can."""
    cell = view.cells[square]
    if isinstance(cell, Colour):
        return f"the {cell.word} piece"
    return f"the {cell}" if isinstance(cell, Piece) else "what stands"


def restore(position: Position, standing: tuple[Stray, ...], target: Bitboard, view: BoardView) -> str:
    """How to put the board right, one man after the other: `black knight back to f6`."""
    parts = []
    paired = set()
    for stray in standing:
        if target >> stray.square & 1:
            paired.add(stray.home)
        elif stray.home is None and (beside := _beside(stray, standing)):
            squares = f"{name(beside.square)} and {name(stray.square)}"
            parts.append(f"a piece stands between {squares}: centre it on one of them")
        elif stray.home is None:
            parts.append(f"take {_seen(view, stray.square)} on {name(stray.square)} away")
        else:
            paired.add(stray.home)
            parts.append(f"{man(position, stray.home)} from {name(stray.square)} back to {name(stray.home)}")
    parts += [f"{man(position, s)} back to {name(s)}" for s in squares_of(view.missing(target)) if s not in paired]
    parts += [
        f"take the {man(position, s)} off {name(s)}"
        for s in squares_of(view.surplus(target))
        if position.occupied >> s & 1
    ]
    text = "; ".join(parts)
    if len(parts) > MANY_MEN:
        text = f"{len(parts)} men are not where they belong: set the pieces up as in the position"
    return text[:1].upper() + text[1:]


def led(step: str, count: int) -> str:
    """The next step of many: `White knight from f6 to g8 (12 squares are not right yet)`."""
    return f"{step} ({count} squares are not right yet)" if count > 1 else step


def half_back(before: Position, lift: Bitboard, place: Bitboard) -> str:
    """What is left to do until a move is taken back: `To take the move back: black pawn on d5`."""
    parts = [f"clear {name(s)}" for s in squares_of(lift)]
    parts += [f"{man(before, s)} on {name(s)}" for s in squares_of(place)]
    return f"To take the move back: {'; '.join(parts)}"


def silent_capture(position: Position, home: int, squares: list[str]) -> str:
    """What is asked of a player whose capture a board of occupancy sensors may have missed (D18)."""
    where = " or ".join(squares)
    return f"if the {man(position, home)} from {name(home)} has taken on {where}, lift it there and set it down again"


# -- moves to carry out for a player without hands


def commanded(position: Position, move: Move) -> str:
    """What is played and how: `black plays Nxe4: knight from f6 to e4, the pawn there comes off`."""
    after = position.play(move)
    mate = ", checkmate" if after.is_checkmate() else ""
    return f"{position.turn.word} plays {write_san(position, move)}{mate}: {carrying_out(position, move)}"


def carrying_out(position: Position, move: Move) -> str:
    """The way of the men, in the order in which they go."""
    text = f"{_role(position, move.origin)} from {name(move.origin)} to {name(move.landing)}"
    if move.rook_origin is not None and move.rook_landing is not None:
        return f"{text}, then rook from {name(move.rook_origin)} to {name(move.rook_landing)}"
    victim = position.victim_square(move)
    if victim is not None:
        where = "there" if victim == move.landing else f"on {name(victim)}"
        text += f", the {_role(position, victim)} {where} comes off"
    return text if move.promotion is None else f"{text}, where it becomes a {move.promotion.name.lower()}"


def wrong_man(position: Position, square: int, move: Move | None) -> str:
    """Not that man."""
    wanted = "" if move is None else f": to carry out is {carrying_out(position, move)}"
    return f"not the {man(position, square)} on {name(square)}{wanted}"


def _not_commanded(position: Position, owed: Obligation) -> str:
    player = position.turn.word
    if len(owed.moves) == 1:
        return f"that is not {player}'s move: to carry out is {carrying_out(position, owed.moves[0])}"
    return f"{player}'s move has not come yet, and is not made for it"


def _role(position: Position, square: int) -> str:
    piece = position.piece_at(square)
    return "piece" if piece is None else piece.role.name.lower()
