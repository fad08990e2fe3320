"""Standard algebraic notation, written (PGN standard 8.2.3; FIDE Laws, Appendix C).

Reading it, and the looser ways in which people write it, is in `rules.san_reading`; its names are offered here too.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.checks import gives_check, veils
from rules.geometry import KNIGHT_STEPS, LINE, PAWN_ATTACKS
from rules.memo import Memo
from rules.move import CASTLING, DIAGONAL, DOUBLE, KING, KNIGHT, STRAIGHT, Move
from rules.position import Position
from rules.san_reading import SanError, parse_san
from rules.squares import SQUARE_NAMES, Bitboard, Colour
from rules.tables import BISHOPS, ROOKS, SQUARES

__all__ = ["SanError", "move_numeral", "parse_san", "sans", "write_san"]


def write_san(position: Position, move: Move) -> str:
    """The SAN of a legal move, such as `Nbxd7+`, `exd8=Q#` or `O-O-O`."""
    kind = move.kind
    if kind <= KING:
        letter, twins = _letter_and_twins(position, move)
        text = letter
        if twins != move.origin_bit:
            text += _which(position, move, twins)
        text += ("x" if position.them[5] & move.landing_bit else "") + SQUARE_NAMES[move.landing]
    else:
        text = _FIXED[move]
    return text + _check_mark(position, move) if gives_check(position, move) else text


def move_numeral(position: Position) -> str:
    """What stands before a move that is made here: `12.` for White's, `12...` for Black's."""
    return f"{position.fullmove_number}{'.' if position.turn is Colour.WHITE else '...'}"


def sans(position: Position) -> dict[Move, str]:
    """Every legal move and its SAN; much cheaper than one by one."""
    theirs = position.them[5]
    occupied = position.us[5] | theirs
    king = position.them[4].bit_length() - 1
    checks = _checking_squares(position, king, occupied)
    veil = veils(position, king, occupied)
    line = LINE[king]
    texts: dict[Move, str] = {}
    groups: dict[str, list[Move]] = {}
    diagonal, straight = position.us[2], position.us[3]
    for move in position.legal_moves():
        kind, landing = move.kind, move.landing_bit
        if kind <= KING:
            if kind <= STRAIGHT:
                letter = "R" if not diagonal & move.origin_bit else "Q" if straight & move.origin_bit else "B"
            else:
                letter = "K" if kind == KING else "N"
            name = SQUARE_NAMES[move.landing]
            text = letter + "x" + name if landing & theirs else letter + name
            check = landing & checks[letter]
            stem = letter + name
            if stem in groups:
                groups[stem].append(move)
            else:
                groups[stem] = [move]
        else:
            text = _FIXED[move]
            check = landing & checks[""] if kind <= DOUBLE else gives_check(position, move)
        if check or (veil & move.origin_bit and not landing & line[move.origin]):
            text += _check_mark(position, move)
        texts[move] = text
    for group in groups.values():
        if len(group) > 1:
            for move in group:
                letter, rest = texts[move][0], texts[move][1:]
                others = [other.origin for other in group if other is not move]
                texts[move] = letter + _distinction(move, others) + rest
    return texts



def _fixed(move: Move) -> str:
    """SAN of a pawn's move or of castling, which the position does not change."""
    if move.kind == CASTLING:
        return "O-O" if move.destination > move.origin else "O-O-O"
    text = SQUARE_NAMES[move.landing]
    if move.origin & 7 != move.landing & 7:
        text = SQUARE_NAMES[move.origin][0] + "x" + text
    return text + "=" + move.promotion.letter if move.promotion else text


_FIXED: Memo[Move, str] = Memo(_fixed)


def _check_mark(position: Position, move: Move) -> str:
    return "+" if position.play(move).has_move() else "#"


def _checking_squares(position: Position, king: int, occupied: Bitboard) -> dict[str, Bitboard]:
    """By letter of the man (none for a pawn): the squares from which it would check their king."""
    diagonal, straight = BISHOPS[king].attacks(occupied), ROOKS[king].attacks(occupied)
    return {
        "": PAWN_ATTACKS[position.side.turn ^ 1][king],
        "N": KNIGHT_STEPS[king],
        "B": diagonal,
        "R": straight,
        "Q": diagonal | straight,
        "K": 0,
    }


def _letter_and_twins(position: Position, move: Move) -> tuple[str, Bitboard]:
    """The letter of the man that moves, and the men of its kind that bear on the landing square, itself included."""
    _, knights, diagonal, straight, king, _ = position.us
    kind, target, origin = move.kind, move.landing, move.origin_bit
    if kind == KING:
        return "K", king
    if kind == KNIGHT:
        return "N", knights & KNIGHT_STEPS[target]
    queens = diagonal & straight
    if queens & origin:
        if queens != origin:
            queens &= BISHOPS[target].attacks(position.occupied) | ROOKS[target].attacks(position.occupied)
        return "Q", queens
    if kind == DIAGONAL:
        bishops = diagonal ^ queens
        return "B", bishops if bishops == origin else bishops & BISHOPS[target].attacks(position.occupied)
    rooks = straight ^ queens
    return "R", rooks if rooks == origin else rooks & ROOKS[target].attacks(position.occupied)


def _which(position: Position, move: Move, twins: Bitboard) -> str:
    others = SQUARES[twins ^ move.origin_bit]
    return _distinction(move, [other for other in others if position.destinations(other) & move.landing_bit])


def _distinction(move: Move, rivals: Sequence[int]) -> str:
    """The file, else the rank, else the square that tells a move from those of like men, by their origins."""
    if not rivals:
        return ""
    origin, name = move.origin, SQUARE_NAMES[move.origin]
    if all((rival ^ origin) & 7 for rival in rivals):
        return name[0]
    if all((rival ^ origin) & 56 for rival in rivals):
        return name[1]
    return name
