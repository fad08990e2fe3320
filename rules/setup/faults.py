"""What is wrong with a setup, all at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from rules.pieces import Piece, Role
from rules.setup.attacks import KING_STEPS, attackers_of, direction, opened, reached, slides
from rules.setup.text import Setup
from rules.squares import Colour, Square, square_name


class Remedy(Enum):
    """What becomes of a setup with a fault."""

    REFUSED = auto()
    """It cannot be played."""
    DROPPED = auto()
    """`mended` leaves out what is wrong, and the rest can be played."""


class FaultCode(Enum):
    """What can be wrong with a setup."""

    NO_KING = auto()
    MANY_KINGS = auto()
    PAWN_ON_END_RANK = auto()
    TOO_MANY_PIECES = auto()
    TOO_MANY_PAWNS = auto()
    TOO_MANY_PROMOTED = auto()
    """More officers than the missing pawns can have become."""
    KINGS_ADJACENT = auto()
    OPPONENT_IN_CHECK = auto()
    IMPOSSIBLE_CHECK = auto()
    """Checks that no single move gives together."""
    CASTLING_UNSUPPORTED = auto()
    EP_IMPOSSIBLE = auto()

    @property
    def remedy(self) -> Remedy:
        """What becomes of the setup."""
        return Remedy.DROPPED if self in _DROPPED else Remedy.REFUSED


_DROPPED = frozenset({FaultCode.CASTLING_UNSUPPORTED, FaultCode.EP_IMPOSSIBLE})
_UNREACHED = frozenset({FaultCode.TOO_MANY_PROMOTED, FaultCode.IMPOSSIBLE_CHECK})
"""What hinders nobody from playing on, though legal moves do not lead there."""


@dataclass(frozen=True, slots=True)
class SetupFault:
    """One thing that is wrong: its kind, the squares concerned and a sentence for a person."""

    code: FaultCode
    squares: tuple[Square, ...]
    sentence: str

    @property
    def remedy(self) -> Remedy:
        """What becomes of the setup."""
        return self.code.remedy


def faults(setup: Setup, chess960: bool = False) -> tuple[SetupFault, ...]:
    """Everything that is wrong with a setup, the worst first; empty for one that can be played as it is."""
    found = [*_king_faults(setup), *_pawn_faults(setup)]
    for colour in Colour:
        found += _material_faults(setup, colour)
    if not any(fault.code in (FaultCode.NO_KING, FaultCode.MANY_KINGS) for fault in found):
        found += _check_faults(setup)
    found += _castling_faults(setup, chess960)
    found += _ep_faults(setup)
    return tuple(found)


def refusal(setup: Setup, chess960: bool = False, *, unreached: bool = False) -> str:
    """One line with every fault that makes play impossible; empty if there is none.

    With `unreached`, it is no fault that legal moves do not lead there.
    """
    borne = _UNREACHED if unreached else frozenset()
    found = (fault for fault in faults(setup, chess960) if fault.code not in borne)
    return "; ".join(fault.sentence for fault in found if fault.remedy is Remedy.REFUSED)


def mended(setup: Setup, chess960: bool = False) -> Setup:
    """The setup without unsupported castling rights and without an impossible en passant square."""
    rights = "".join(_supported(setup, chess960))
    return replace(setup, rights=rights or "-", ep=None if any(_ep_faults(setup)) else setup.ep)


def castling_rooks(setup: Setup, chess960: bool = False) -> tuple[Square, ...]:
    """Where the rooks stand that may still castle by the rights and the pieces, from a1."""
    return tuple(sorted(_supported(setup, chess960).values()))


# ---- kings, pawns, material


def _king_faults(setup: Setup) -> Iterator[SetupFault]:
    for colour in Colour:
        kings = setup.squares(colour, Role.KING)
        if not kings:
            yield SetupFault(FaultCode.NO_KING, (), f"{_side(colour)} has no king")
        elif len(kings) > 1:
            yield SetupFault(FaultCode.MANY_KINGS, kings, f"{_side(colour)} has {len(kings)} kings ({_names(kings)})")


def _pawn_faults(setup: Setup) -> Iterator[SetupFault]:
    pawns = setup.squares(Colour.WHITE, Role.PAWN) + setup.squares(Colour.BLACK, Role.PAWN)
    stuck = tuple(sorted(square for square in pawns if square >> 3 in (0, 7)))
    if stuck:
        yield SetupFault(FaultCode.PAWN_ON_END_RANK, stuck, f"a pawn cannot stand on {_names(stuck)}")


def _material_faults(setup: Setup, colour: Colour) -> Iterator[SetupFault]:
    men, pawns = setup.squares(colour), setup.squares(colour, Role.PAWN)
    if len(men) > 16:
        yield SetupFault(FaultCode.TOO_MANY_PIECES, men, f"{_side(colour)} has {len(men)} pieces, more than 16")
    if len(pawns) > 8:
        yield SetupFault(FaultCode.TOO_MANY_PAWNS, pawns, f"{_side(colour)} has {len(pawns)} pawns, more than 8")
        return
    promoted = _promoted(setup, colour)
    if promoted > 8 - len(pawns):
        yield SetupFault(
            FaultCode.TOO_MANY_PROMOTED,
            men,
            f"{_side(colour)} has {promoted} promoted, more than the {8 - len(pawns)} missing pawns",
        )


def _promoted(setup: Setup, colour: Colour) -> int:
    """How many officers at least have been pawns. Of the first two bishops one is on either colour of square."""
    bishops = setup.squares(colour, Role.BISHOP)
    light = sum((square ^ square >> 3) & 1 for square in bishops)
    counts = [(light, 1), (len(bishops) - light, 1), (len(setup.squares(colour, Role.QUEEN)), 1)]
    counts += [(len(setup.squares(colour, role)), 2) for role in (Role.KNIGHT, Role.ROOK)]
    return sum(max(0, count - first) for count, first in counts)


# ---- checks


def _check_faults(setup: Setup) -> Iterator[SetupFault]:
    (own,) = setup.squares(setup.turn, Role.KING)
    (their,) = setup.squares(setup.turn.opponent, Role.KING)
    if their in reached(own, KING_STEPS):
        kings = (min(own, their), max(own, their))
        yield SetupFault(FaultCode.KINGS_ADJACENT, kings, f"the kings stand side by side ({_names(kings)})")
    attackers = attackers_of(setup.pieces, their, setup.turn)
    if attackers:
        yield SetupFault(
            FaultCode.OPPONENT_IN_CHECK,
            (their, *attackers),
            f"{_side(setup.turn.opponent)} is in check from {_names(attackers)} but {_side(setup.turn)} is to move",
        )
    checkers = attackers_of(setup.pieces, own, setup.turn.opponent)
    if not _given_by_one_move(setup, own, checkers):
        yield SetupFault(
            FaultCode.IMPOSSIBLE_CHECK,
            (own, *checkers),
            f"no single move gives check from {_names(checkers)} at once",
        )


def _given_by_one_move(setup: Setup, king: Square, checkers: tuple[Square, ...]) -> bool:
    """A double check has a piece whose line was opened; its line and the other's are not one line through the king."""
    if len(checkers) < 2:
        return True
    if len(checkers) > 2:
        return False
    if not any(slides(setup.pieces[square]) for square in checkers):
        return False
    one, two = (direction(king, square) for square in checkers)
    return one is None or two is None or (one[0] + two[0], one[1] + two[1]) != (0, 0)


# ---- castling and en passant


def _castling_faults(setup: Setup, chess960: bool) -> Iterator[SetupFault]:
    supported = _supported(setup, chess960)
    lost = "".join(letter for letter in setup.rights if letter != "-" and letter not in supported)
    if lost:
        sentence = f"castling {lost} is dropped: king and rook do not stand where that needs them"
        yield SetupFault(FaultCode.CASTLING_UNSUPPORTED, (), sentence)


def _supported(setup: Setup, chess960: bool) -> dict[str, Square]:
    """The letters of the castling field that king and rook support, with the rooks: one on either side of a king."""
    found: dict[str, Square] = {}
    taken: set[tuple[Colour, bool]] = set()
    for letter in setup.rights.replace("-", ""):
        colour = Colour.WHITE if letter.isupper() else Colour.BLACK
        king, rook = _king_at_home(setup, colour, chess960), _rook_of(setup, letter, chess960)
        if king is None or rook is None or (colour, rook > king) in taken:
            continue
        found[letter] = rook
        taken.add((colour, rook > king))
    return found


def _king_at_home(setup: Setup, colour: Colour, chess960: bool) -> Square | None:
    """The king, if it may stand there without ever having moved."""
    kings = setup.squares(colour, Role.KING)
    if len(kings) != 1 or kings[0] >> 3 != (0 if colour is Colour.WHITE else 7):
        return None
    return kings[0] if chess960 or kings[0] & 7 == 4 else None


def _rook_of(setup: Setup, letter: str, chess960: bool) -> Square | None:
    """The rook that a letter of the castling field means; None if there is none.

    K and Q mean the outermost rook on that side of the king (X-FEN). Outside Chess960 it stands on the a- or h-file.
    """
    colour = Colour.WHITE if letter.isupper() else Colour.BLACK
    king = _king_at_home(setup, colour, chess960)
    if king is None:
        return None
    rooks = [square for square in setup.squares(colour, Role.ROOK) if square >> 3 == king >> 3]
    match letter.upper():
        case "K":
            rook = max((square for square in rooks if square > king), default=None)
        case "Q":
            rook = min((square for square in rooks if square < king), default=None)
        case file:
            rook = next((square for square in rooks if square & 7 == "ABCDEFGH".index(file)), None)
    return rook if rook is None or chess960 or rook & 7 in (0, 7) else None


def _ep_faults(setup: Setup) -> Iterator[SetupFault]:
    if setup.ep is None:
        return
    why = _ep_refutation(setup, setup.ep)
    if why:
        sentence = f"the en passant square {square_name(setup.ep)} is dropped: {why}"
        yield SetupFault(FaultCode.EP_IMPOSSIBLE, (setup.ep,), sentence)


def _ep_refutation(setup: Setup, ep: Square) -> str:
    """Why no double step of the side that has just moved can have crossed that square; empty if one can."""
    mover = setup.turn.opponent
    forward = 8 if mover is Colour.WHITE else -8
    if ep >> 3 != (2 if mover is Colour.WHITE else 5):
        return f"{_side(mover)}'s pawns do not cross it by a double step"
    origin, landing = Square(ep - forward), Square(ep + forward)
    if setup.pieces[landing] != Piece(mover, Role.PAWN):
        return f"no pawn of {_side(mover)}'s stands on {square_name(landing)}"
    for square in (ep, origin):
        if setup.pieces[square] is not None:
            return f"{square_name(square)} is not empty"
    for king in setup.squares(setup.turn, Role.KING):
        for checker in attackers_of(setup.pieces, king, mover):
            if checker != landing and not opened(setup.pieces, king, checker, origin):
                return f"the check from {square_name(checker)} was there before such a step"
    return ""


def _side(colour: Colour) -> str:
    return colour.word.capitalize()


def _names(squares: tuple[Square, ...]) -> str:
    return ", ".join(square_name(square) for square in squares)
