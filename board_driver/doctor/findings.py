"""What can be wrong with a board, and what it comes to [pure]."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from board_driver.doctor.mapping import Explanation
from rules.squares import Bitboard, names_of


class Ailment(Enum):
    """What can be wrong."""

    DEAD_BUS = "dead-bus"
    INVERTED = "inverted"
    FLOATING = "floating"
    STUCK_CLOSED = "stuck-closed"
    CHATTER = "chatter"
    SLOW_COLUMN = "slow-column"
    SHORT = "short"
    STUCK_OPEN = "stuck-open"
    SWAPPED = "swapped"
    GHOST = "ghost"
    BOUNCE = "bounce"
    DROPOUT = "dropout"
    WEAK = "weak"
    NOISY = "noisy"
    LAMPS = "lamps"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: where, in words, and what to do."""

    ailment: Ailment
    squares: Bitboard
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings, the first to be put right first; and why pieces were felt elsewhere, if they were."""

    findings: tuple[Finding, ...]
    swapped: Explanation | None = None
    is_complete: bool = False
    """Whether the empty board, every square and the array were examined."""

    @property
    def dead_squares(self) -> Bitboard:
        """Squares that no game should trust until they are mended."""
        ill = (Ailment.STUCK_CLOSED, Ailment.STUCK_OPEN, Ailment.CHATTER, Ailment.FLOATING, Ailment.SHORT)
        found = 0
        for finding in self.findings:
            found |= finding.squares if finding.ailment in ill else 0
        return found

    @property
    def verdict(self) -> str:
        """One line."""
        if not self.findings:
            return "The board is sound." if self.is_complete else "Nothing wrong was seen in what was examined."
        if any(finding.ailment in (Ailment.DEAD_BUS, Ailment.INVERTED) for finding in self.findings):
            return "The board cannot be played on: put right what is told first, then examine it again."
        dead = bin(self.dead_squares).count("1")
        if dead > 8:
            return f"{dead} squares cannot be trusted: mend the wires that are named, then examine the board again."
        if dead:
            names = ", ".join(names_of(self.dead_squares))
            return f"Games can be played meanwhile with dead_squares: [{names}] in the profile; mend what is named."
        if self.swapped is not None:
            return "No sensor seems sick, but not every piece is felt where it stands: correct the order of the wires."
        return "Games can be played; look at what is told when there is time."
