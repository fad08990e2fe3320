"""Judging a position that somebody sets up: what it is, and everything that is wrong with it, in words [pure]."""

from __future__ import annotations

from rules.fen import parse_fen, write_fen
from rules.setup import Remedy, SetupError, faults, mended, parse_setup
from rules.squares import square_name

LONGEST_FEN = 120


def judged(text: str, chess960: bool = False) -> dict[str, object]:
    """What `GET setup` answers. `fen` is as it can be played, null where it cannot; `setup` what stands there."""
    try:
        setup = parse_setup(text[:LONGEST_FEN])
    except SetupError as problem:
        return {"fen": None, "setup": None, "faults": [_told(str(problem), (), stops=True)]}
    found = faults(setup, chess960)
    stops = any(fault.remedy is Remedy.REFUSED for fault in found)
    position = None if stops else parse_fen(text[:LONGEST_FEN], chess960=chess960)
    over = position is not None and not position.has_move()
    fen = None if position is None or over else write_fen(position)
    return {
        "fen": fen,
        "setup": {
            "pieces": "".join("." if piece is None else piece.letter for piece in setup.pieces),
            "turn": setup.turn.word,
            "rights": mended(setup, chess960).rights,
            "ep": None if setup.ep is None else square_name(setup.ep),
        },
        "faults": [
            _told(
                fault.sentence,
                [square_name(square) for square in fault.squares],
                stops=fault.remedy is Remedy.REFUSED,
            )
            for fault in found
        ]
        + ([_told(f"{setup.turn.word} has no move to make", (), stops=True)] if over else []),
    }


def _told(text: str, squares: object, *, stops: bool) -> dict[str, object]:
    return {"text": f"{text[:1].upper()}{text[1:]}.", "squares": squares, "stops": stops}
