"""Setups: what a FEN says, or a set of sensors shows, before anybody has asked whether it can be played.

A setup may hold anything on any square. `faults` finds everything wrong with it at once, so that a person sees the
whole list and not only its first line. Most faults make play impossible and the setup is refused; castling rights
that the pieces do not support, and an en passant square that no double step can have left, are dropped and play goes
on. An en passant square that is right but that nobody can use is no fault: PGN's FEN writes it after every double step.
"""

from rules.setup.faults import FaultCode, Remedy, SetupFault, castling_rooks, faults, mended, refusal
from rules.setup.text import Placement, Setup, SetupError, parse_placement, parse_setup

__all__ = [
    "FaultCode",
    "Placement",
    "Remedy",
    "Setup",
    "SetupError",
    "SetupFault",
    "castling_rooks",
    "faults",
    "mended",
    "parse_placement",
    "parse_setup",
    "refusal",
]
