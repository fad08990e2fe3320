"""FEN in its three dialects (PGN standard 16.1; X-FEN; Shredder-FEN).

They differ in the castling field alone. FEN names the sides, `KQkq`. X-FEN does too, and means the outermost rook there;
an inner rook is named by its file. Shredder-FEN always names files, `HAha`. All are read; ordinary games are written as
FEN and Chess960 games as X-FEN, unless Shredder-FEN is asked for.

Reading goes two ways. Nearly every FEN is sound at a glance, and is read in a few look-ups: the text of a rank is the key
to its eight bits in each of a few layers. Whatever is not goes to `rules.setup`, which judges it, and says everything that
is wrong at once or what may be dropped.
"""

from __future__ import annotations

from rules.geometry import BIT, FILES, KING_STEPS, LAST_RANKS, PAWN_ATTACKS, RANKS, squares_down
from rules.memo import Memo
from rules.position import Army, Position
from rules.side import side_of
from rules.squares import SQUARE_NAMES, Bitboard, Colour, parse_square

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class FenError(ValueError):
    """A text that is no FEN, or that describes no position one can play on from. The message is one line."""


def parse_fen(text: str, chess960: bool = False) -> Position:
    """The position of a FEN, X-FEN or Shredder-FEN; the two clocks at the end may be missing.

    With `chess960`, king and rooks may castle from any square of their back rank, else from their home squares only.
    Rights to castle and an en passant square that the men do not support are dropped. Raises FenError with all that is
    wrong if the text is malformed or the position cannot be played (see `rules.setup`).
    """
    try:
        position = _read_sound(text.split(), chess960)
    except (KeyError, ValueError):
        position = None
    return position if position is not None else _judged(text, chess960)


def write_fen(position: Position) -> str:
    """The FEN of a position, or its X-FEN in Chess960. The en passant square is named only if a pawn may legally be taken
    there."""
    return _write(position, _xfen_rights(position) if position.side.chess960 else _RIGHTS[position.side.rooks])


def write_shredder_fen(position: Position) -> str:
    """The same as Shredder-FEN: rights to castle by the files of the rooks."""
    return _write(position, _rights_by_file(position.side.rooks))


def _judged(text: str, chess960: bool) -> Position:
    from rules.setup import SetupError, castling_rooks, mended, parse_setup, refusal  # noqa: PLC0415 (rarely needed)

    try:
        setup = parse_setup(text)
    except SetupError as error:
        raise FenError(str(error)) from None
    why = refusal(setup, chess960)
    if why:
        raise FenError(f"expected a position that can be played, got {text[:100]!r}: {why}")
    setup = mended(setup, chess960)
    rooks = sum(BIT[square] for square in castling_rooks(setup, chess960))
    ep = 0
    if setup.ep is not None:
        ep, *_ = _EN_PASSANT[SQUARE_NAMES[setup.ep], setup.turn]
    white, black = _armies(text.split(maxsplit=1)[0].split("/"))
    ply = 2 * (setup.fullmove_number - 1) + setup.turn
    return _position(white, black, setup.turn, rooks, chess960, ep, setup.halfmove_clock, ply)


def _read_sound(fields: list[str], chess960: bool) -> Position | None:
    """The position if it is sound at a glance; None, KeyError or ValueError where `rules.setup` has to look closer."""
    placement, turn_text, rights, ep_text = fields[:4]
    halfmoves, fullmoves = _clocks(fields[4:])
    turn = _TURNS[turn_text]
    ranks = placement.split("/")
    white, black = _armies(ranks)
    if not (_is_sound_army(white) and _is_sound_army(black)):
        return None
    rooks = _CASTLING_ROOKS[rights, ranks[7], ranks[0], chess960]
    ep = pawn = 0
    if ep_text != "-":
        ep, pawn, passed = _EN_PASSANT[ep_text, turn]
        if not pawn & (black, white)[turn][0] or passed & (white[5] | black[5]):
            return None
    position = _position(white, black, turn, rooks, chess960, ep, halfmoves, 2 * (fullmoves - 1) + turn)
    checkers = position.guard()[1]
    if checkers & (checkers - 1) or (pawn and checkers & ~pawn) or _waiting_side_attacked(position):
        return None
    return position


def _position(
    white: Army, black: Army, turn: Colour, rooks: Bitboard, chess960: bool, ep: Bitboard, halfmoves: int, ply: int
) -> Position:
    us, them = (black, white) if turn else (white, black)
    if ep and not PAWN_ATTACKS[turn ^ 1][ep.bit_length() - 1] & us[0]:
        ep = 0  # nobody stands ready to take
    return Position.of(us, them, side_of(turn, white[4] | black[4], rooks, chess960), ep, halfmoves, ply)


def _write(position: Position, rights: str) -> str:
    turn = position.side.turn
    ep = position.legal_ep()
    ep_text = SQUARE_NAMES[ep.bit_length() - 1] if ep else "-"
    moves = (position.ply >> 1) + 1
    return f"{_placement(position)} {'wb'[turn]} {rights} {ep_text} {position.halfmove_clock} {moves}"


# The placement, by ranks. Layers: pawns, knights, diagonal movers, straight movers, kings, then Black's men, then all.

_LAYERS = {
    letter: [layer for layer, men in enumerate(("Pp", "Nn", "BbQq", "RrQq", "Kk", "pnbrqk")) if letter in men] + [6]
    for letter in "PNBRQKpnbrqk"
}


def _read_rank(text: str) -> list[int]:
    """The layers of one rank, eight bits each. KeyError or ValueError if it is not a rank."""
    layers = [0] * 7
    file = 0
    for letter in text:
        if letter in "12345678":
            file += int(letter)
            continue
        for layer in _LAYERS[letter]:
            layers[layer] |= 1 << file
        file += 1
    if file != 8:
        raise ValueError(text)
    return layers


def _write_rank(layers: tuple[int, ...]) -> str:
    text = ""
    gap = 0
    for file in range(8):
        pawn, knight, diagonal, straight, king, black = [layer >> file & 1 for layer in layers]
        letter = "P" * pawn or "N" * knight or "Q" * (diagonal & straight) or "B" * diagonal or "R" * straight
        letter = letter or "K" * king
        if letter:
            text += (str(gap) if gap else "") + (letter.lower() if black else letter)
            gap = 0
        else:
            gap += 1
    return text + (str(gap) if gap else "")


_RANK_LAYERS = Memo(_read_rank)
_RANK_TEXTS = Memo(_write_rank)


def _armies(ranks: list[str]) -> tuple[Army, Army]:
    """White's and Black's men, from the eighth rank's text to the first's."""
    if len(ranks) != 8:
        raise ValueError(ranks)
    pawns, knights, diagonal, straight, kings, black, men = [
        int.from_bytes(layer, "big") for layer in zip(*[_RANK_LAYERS[rank] for rank in ranks])  # noqa: B905 (hot)
    ]
    white = men ^ black
    return (
        (pawns & white, knights & white, diagonal & white, straight & white, kings & white, white),
        (pawns & black, knights & black, diagonal & black, straight & black, kings & black, black),
    )


def _placement(position: Position) -> str:
    us, them = position.us, position.them
    layers = [ours | theirs for ours, theirs in zip(us[:5], them)]  # noqa: B905 (hot)
    layers.append(us[5] if position.side.turn else them[5])
    ranks = zip(*[layer.to_bytes(8, "big") for layer in layers])  # noqa: B905 (hot)
    return "/".join([_RANK_TEXTS[rank] for rank in ranks])


# What is sound at a glance

_TURNS = {"w": Colour.WHITE, "b": Colour.BLACK}
_LIGHT: Bitboard = 0x55AA55AA55AA55AA


def _clocks(fields: list[str]) -> tuple[int, int]:
    if not fields:
        return 0, 1
    halfmoves, fullmoves = fields
    if not (halfmoves.isdecimal() and fullmoves.isdecimal() and fullmoves != "0" and len(halfmoves + fullmoves) < 9):
        raise ValueError(fields)
    return int(halfmoves), int(fullmoves)


def _is_sound_army(army: Army) -> bool:
    """One king, no pawn on a last rank, and surely no more men than a game gives: nobody counts as promoted, or the pawns
    missing make up for all."""
    pawns, knights, diagonal, straight, king, men = army
    if not king or king & (king - 1) or pawns & LAST_RANKS:
        return False
    if men.bit_count() <= 9:
        return True
    queens = diagonal & straight
    bishops = diagonal ^ queens
    light = bishops & _LIGHT
    return not (
        pawns.bit_count() > 8
        or queens & (queens - 1)
        or light & (light - 1)
        or (bishops ^ light) & ((bishops ^ light) - 1)
        or knights.bit_count() > 2
        or (straight ^ queens).bit_count() > 2
    )


def _waiting_side_attacked(position: Position) -> bool:
    """Is the side that is not to move in check, or its king beside the other?"""
    us, them, side = position.us, position.them, position.side
    waiting = Position.of(them, us, side.passed, 0, 0, 0).guard()
    return bool(waiting[1] or KING_STEPS[waiting[0]] & us[4])


def _en_passant(key: tuple[str, Colour]) -> tuple[Bitboard, Bitboard, Bitboard]:
    """The square stepped over, where the pawn has ended, and the squares it has left empty. ValueError if it cannot be."""
    text, turn = key
    square = parse_square(text)
    if square >> 3 != (2 if turn else 5):
        raise ValueError(text)
    skipped = BIT[square]
    return skipped, skipped << 8 if turn else skipped >> 8, skipped | (skipped >> 8 if turn else skipped << 8)


_EN_PASSANT = Memo(_en_passant)


# Rights to castle

_HOME = {"K": BIT[7], "Q": BIT[0], "k": BIT[63], "q": BIT[56]}
_RIGHTS = {
    sum(_HOME[letter] for letter in letters): "".join(letters) or "-"
    for letters in ([c for i, c in enumerate("KQkq") if subset >> i & 1] for subset in range(16))
}
"""Ordinary chess: the rooks that may castle -> the field."""


def _castling_rooks(key: tuple[str, str, str, bool]) -> Bitboard:
    """The rooks meant by the castling field, from it and both back ranks. KeyError or ValueError if not all are there."""
    rights, first, last, chess960 = key
    if rights == "-":
        return 0
    white, black = _armies([last, *["8"] * 6, first])
    rooks = 0
    for letter in rights:
        army, home = (white, RANKS[0]) if letter.isupper() else (black, RANKS[7])
        rook = _named_rook(letter.upper(), army, home)
        if not rook or not (chess960 or (army[4] & FILES[4] and rook & (FILES[0] | FILES[7]))):
            raise ValueError(rights)
        wing = home & (-army[4] if rook > army[4] else army[4] - 1)
        if rooks & wing & ~rook:
            raise ValueError(rights)  # two rooks on one side of the king cannot both have stayed at home
        rooks |= rook
    return rooks


_CASTLING_ROOKS = Memo(_castling_rooks)


def _named_rook(name: str, army: Army, home: Bitboard) -> Bitboard:
    """The rook on the `home` rank that a letter of the castling field means, none if it is not there: the outermost on a
    side of the king for K and Q, the one on a file for A to H. ValueError for another letter."""
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
