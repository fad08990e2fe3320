"""FEN in its three dialects (PGN standard 16.1; X-FEN; Shredder-FEN).

They differ in the castling field alone. FEN names the sides, `KQkq`. X-FEN does too, and means the outermost rook
there; an inner rook is named by its file. Shredder-FEN always names files, `HAha`. All are read; ordinary games are
written as FEN and Chess960 games as X-FEN, unless Shredder-FEN is asked for.

Reading goes two ways. Nearly every FEN is sound at a glance, and is read in a few look-ups. Whatever is not goes to
`rules.setup`, which judges it: it says everything that is wrong at once, or what may be dropped.
"""

from __future__ import annotations

from rules.checks import find_guard
from rules.geometry import BIT, FILES, KING_STEPS, LAST_RANKS, PAWN_ATTACKS, RANKS, squares_down
from rules.memo import Memo
from rules.placement import IS_SOUND, read_placement, write_placement
from rules.position import Army, Position
from rules.side import Side, side_of
from rules.squares import SQUARE_NAMES, Bitboard, Colour, parse_square

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class FenError(ValueError):
    """A text that is no FEN, or that describes no position one can play on from. The message is one line."""


def parse_fen(text: str, chess960: bool = False, *, unreached: bool = False) -> Position:
    """The position of a FEN, X-FEN or Shredder-FEN; the two clocks at the end may be missing.

    With `chess960`, king and rooks may castle from any square of their back rank, else from their home squares only.
    Rights to castle and an en passant square that the men do not support are dropped. With `unreached`, positions count
    that can be played though legal moves do not lead there: what stands after an illegal move. Raises FenError with all
    that is wrong if the text is malformed or the position cannot be played (see `rules.setup`).
    """
    try:
        position = _read_sound(text.split(), chess960)
    except (KeyError, ValueError):
        position = None
    return position if position is not None else _judged(text, chess960, unreached)


def write_fen(position: Position) -> str:
    """The FEN of a position, or its X-FEN in Chess960.

    The en passant square is named only if a pawn may legally be taken there.
    """
    return _write(position, _xfen_rights(position) if position.side.chess960 else _RIGHTS[position.side.rooks])


def write_shredder_fen(position: Position) -> str:
    """The same as Shredder-FEN: rights to castle by the files of the rooks."""
    return _write(position, _rights_by_file(position.side.rooks))


def _judged(text: str, chess960: bool, unreached: bool = False) -> Position:
    from rules.setup import SetupError, castling_rooks, mended, parse_setup, refusal  # noqa: PLC0415 (rarely needed)

    try:
        setup = parse_setup(text)
    except SetupError as error:
        raise FenError(str(error)) from None
    why = refusal(setup, chess960, unreached=unreached)
    if why:
        raise FenError(f"expected a position that can be played, got {text[:100]!r}: {why}")
    setup = mended(setup, chess960)
    placement, *_ = text.split()
    white, black, _ = read_placement(placement.split("/"))
    rooks = sum(BIT[square] for square in castling_rooks(setup, chess960))
    side = side_of(setup.turn, white[4], black[4], rooks, chess960)
    ep = 0 if setup.ep is None else BIT[setup.ep]
    return _position(white, black, side, ep, (setup.halfmove_clock, setup.fullmove_number))


def _read_sound(fields: list[str], chess960: bool) -> Position | None:
    """The position if it is sound at a glance; None, KeyError or ValueError where `rules.setup` has to look closer."""
    placement, turn, rights, ep_text, halfmoves, fullmoves = fields if len(fields) != 4 else [*fields, "0", "1"]
    ranks = placement.split("/")
    white, black, material = read_placement(ranks)
    side = _SIDES[turn, rights, ranks[0], ranks[7], chess960]
    if not IS_SOUND[material] or (white[0] | black[0]) & LAST_RANKS:
        return None
    ep = pawn = 0
    if ep_text != "-":
        ep, pawn, passed = _EN_PASSANT[ep_text + turn]
        if not pawn & (black, white)[side.turn][0] or passed & (white[5] | black[5]):
            return None
    position = _position(white, black, side, ep, (_CLOCKS[halfmoves], _CLOCKS[fullmoves] or 1))
    king, checkers, _ = position.guard()
    if checkers and (checkers & (checkers - 1) or (pawn and checkers != pawn)):
        return None
    their_king, attackers, _ = find_guard(position.them, position.us, side.passed.watches)
    return None if attackers or BIT[their_king] & KING_STEPS[king] else position


def _position(white: Army, black: Army, side: Side, ep: Bitboard, clocks: tuple[int, int]) -> Position:
    turn = side.turn
    us, them = (black, white) if turn else (white, black)
    if ep and not PAWN_ATTACKS[turn ^ 1][ep.bit_length() - 1] & us[0]:
        ep = 0  # nobody stands ready to take
    return Position.of(us, them, side, ep, halfmove_clock=clocks[0], ply=2 * clocks[1] - 2 + turn)


def _write(position: Position, rights: str) -> str:
    turn = position.side.turn
    ep = position.legal_ep()
    ep_text = SQUARE_NAMES[ep.bit_length() - 1] if ep else "-"
    moves = (position.ply >> 1) + 1
    return f"{write_placement(position)} {'wb'[turn]} {rights} {ep_text} {position.halfmove_clock} {moves}"


# The other fields


def _clock(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise ValueError(text)
    return int(text)


_CLOCKS = Memo(_clock)


def _en_passant(key: str) -> tuple[Bitboard, Bitboard, Bitboard]:
    """From the field and the side to move: the square stepped over, where the pawn is now, the squares it left empty.

    ValueError if it cannot be.
    """
    square = parse_square(key[:-1])
    turn = _TURNS[key[-1]]
    if square >> 3 != (2 if turn else 5):
        raise ValueError(key)
    skipped = BIT[square]
    return skipped, skipped << 8 if turn else skipped >> 8, skipped | (skipped >> 8 if turn else skipped << 8)


_TURNS = {"w": Colour.WHITE, "b": Colour.BLACK}
_EN_PASSANT = Memo(_en_passant)


# Rights to castle

_HOME = {"K": BIT[7], "Q": BIT[0], "k": BIT[63], "q": BIT[56]}
_RIGHTS = {
    sum(_HOME[letter] for letter in letters): "".join(letters) or "-"
    for letters in ([c for i, c in enumerate("KQkq") if subset >> i & 1] for subset in range(16))
}
"""Ordinary chess: the rooks that may castle -> the field."""


def _side(key: tuple[str, str, str, str, bool]) -> Side:
    """From turn, castling field, eighth and first rank. KeyError or ValueError if the men do not support the rights."""
    turn, rights, eighth, first, chess960 = key
    white, black, _ = read_placement([eighth, *["8"] * 6, first])
    rooks = 0
    for letter in rights if rights != "-" else "":
        army, home = (white, RANKS[0]) if letter.isupper() else (black, RANKS[7])
        rook = _named_rook(letter.upper(), army, home)
        if not rook or not (chess960 or (army[4] & FILES[4] and rook & (FILES[0] | FILES[7]))):
            raise ValueError(rights)
        wing = home & (-army[4] if rook > army[4] else army[4] - 1)
        if rooks & wing & ~rook:
            raise ValueError(rights)  # two rooks on one side of the king cannot both have stayed at home
        rooks |= rook
    return side_of(_TURNS[turn], white[4], black[4], rooks, chess960)


_SIDES = Memo(_side)


def _named_rook(name: str, army: Army, home: Bitboard) -> Bitboard:
    """The rook on the `home` rank that a letter of the castling field means, none if it is not there.

    That is the outermost on a side of the king for K and Q, the one on a file for A to H. ValueError for other letters.
    """
    king = army[4] & home
    rooks = army[3] & ~army[2] & home
    if not king:
        return 0
    if name == "K":
        outermost = rooks & -king
        return BIT[outermost.bit_length() - 1] if outermost else 0
    if name == "Q":
        outermost = rooks & (king - 1)
        return outermost & -outermost
    return rooks & FILES["ABCDEFGH".index(name)]


def _rights_by_file(rooks: Bitboard) -> str:
    white, black = squares_down(rooks & RANKS[0]), squares_down(rooks & RANKS[7])
    return "".join(["ABCDEFGH"[rook & 7] for rook in white] + ["abcdefgh"[rook & 7] for rook in black]) or "-"


def _xfen_rights(position: Position) -> str:
    field = ""
    for colour, home in ((Colour.WHITE, RANKS[0]), (Colour.BLACK, RANKS[7])):
        army = position.army(colour)
        for rook in squares_down(position.side.rooks & home):
            name = "K" if BIT[rook] > army[4] else "Q"
            if _named_rook(name, army, home) != BIT[rook]:
                name = "ABCDEFGH"[rook & 7]
            field += name.lower() if colour else name
    return field or "-"
