"""The health of the board for the page: what every square does, what that means, and what it reads now.

Counted from the start of the daemon by `doctor.vitals`, raw, before anything is settled.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import assert_never

from board_driver.boards.board import Buttoned
from board_driver.daemon import Daemon
from board_driver.doctor.vitals import SquareVitals, Vitals
from board_driver.events import Event, Fault
from board_driver.scan import Colours, Field, Identity, Occupancy, Reading, Scan
from board_driver.sensing.health import DROPOUTS_TOLD
from rules.squares import Colour, names_of, square_name, squares_of

FAULTS_KEPT = 12
BOUNCES_TOLD = 12
"""As the doctor has it: fewer are how a healthy contact closes."""

BUTTON_WORDS = {
    "promote_queen": "promote to a queen",
    "promote_rook": "promote to a rook",
    "promote_bishop": "promote to a bishop",
    "promote_knight": "promote to a knight",
    "adjust": "adjust",
    "claim": "claim a draw",
    "draw": "offer or accept a draw",
    "draw_white": "offer or accept a draw (White)",
    "draw_black": "offer or accept a draw (Black)",
    "resign": "resign",
    "resign_white": "resign (White)",
    "resign_black": "resign (Black)",
    "takeback": "take back",
    "white_clock": "White's side of the clock",
    "black_clock": "Black's side of the clock",
    "new_game": "new game",
}


class BoardWatch:
    """Watches one daemon's board."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon
        self._vitals = Vitals()
        self._faults: deque[Fault] = deque(maxlen=FAULTS_KEPT)
        daemon.watch(self._see)
        daemon.listen(self._hear)

    def report(self) -> dict[str, object]:
        """What `GET board` answers."""
        daemon, abilities = self._daemon, self._daemon.board.abilities
        return {
            "name": abilities.name,
            "senses": abilities.senses.value,
            "scan_hz": abilities.scan_hz,
            "state": daemon.board_state.value,
            "trouble": daemon.board_trouble,
            "scans": daemon.scans,
            "late_scans": daemon.late_scans,
            "dropped": daemon.inbox.dropped,
            "buttons": list(buttons_of(daemon.board).values()),
            "squares": {square_name(square): self._square(square) for square in squares_of((1 << 64) - 1)},
            "faults": [{"t_ms": f.t_ms, "kind": f.kind, "text": f.text} for f in self._faults],
            "dead_squares": names_of(sum(1 << square for square in daemon.settings.dead_squares)),
        }

    def reading(self) -> dict[str, object]:
        """What `GET board/reading` answers: each square's newest reading, a1 first, and which are not trusted."""
        scan = self._daemon.last_scan
        return {
            "t_ms": None if scan is None else scan.t_ms,
            "senses": self._daemon.board.abilities.senses.value,
            "values": None if scan is None else values_of(scan.reading),
            "distrusted": [] if scan is None else names_of(scan.distrusted),
        }

    def _square(self, square: int) -> dict[str, object]:
        vitals, strengths = self._vitals.squares[square], self._vitals.strengths
        distrusted = bool(self._vitals.distrusted >> square & 1)
        dead = square in self._daemon.settings.dead_squares
        return {
            "changes": vitals.changes,
            "bounces": vitals.bounces,
            "dropouts": vitals.dropouts,
            "distrusted": distrusted,
            "dead": dead,
            "value": None if strengths is None else round(strengths[square], 1),
            "noise": None if strengths is None else round(vitals.noise, 1),
            "remark": _remark(vitals, distrusted=distrusted, dead=dead),
        }

    def _see(self, scan: Scan) -> None:
        self._vitals.observe(scan)

    def _hear(self, events: Sequence[Event]) -> None:
        self._faults.extend(event for event in events if isinstance(event, Fault))


def _remark(vitals: SquareVitals, *, distrusted: bool, dead: bool) -> str:
    """What is the matter with a square, the worst first; empty where nothing is."""
    if dead:
        return "known not to work: the game does without it"
    if distrusted:
        return "not trusted now: it goes on changing, or cannot be read"
    if vitals.dropouts >= DROPOUTS_TOLD:
        return "loses its piece for a moment: a weak magnet or a bad contact"
    if vitals.bounces >= BOUNCES_TOLD and 3 * vitals.bounces > vitals.changes:
        return "bounces: a worn contact or a cold joint"
    return ""


def values_of(reading: Reading) -> list[object]:
    """A reading by squares, a1 first: 0 or 1; a colour's or a piece's letter or null; a field strength."""
    match reading:
        case Occupancy(occupied):
            return [occupied >> square & 1 for square in range(64)]
        case Colours(white, black):
            return [
                Colour.WHITE.word[0] if white >> s & 1 else Colour.BLACK.word[0] if black >> s & 1 else None
                for s in range(64)
            ]
        case Field(strengths):
            return [round(strength, 1) for strength in strengths]
        case Identity(pieces):
            return [None if piece is None else piece.letter for piece in pieces]
        case _:
            assert_never(reading)


def buttons_of(board: object) -> dict[str, str]:
    """The push buttons that the board has, by the keys of a profile, in words."""
    names = board.button_names if isinstance(board, Buttoned) else ()
    return {name: BUTTON_WORDS.get(name, name) for name in names}
