"""What the walk of one piece shows: slow columns, wires that touch, squares that are dumb or swapped [pure]."""

from __future__ import annotations

from board_driver.doctor.examination import Evidence
from board_driver.doctor.findings import Ailment, Finding
from board_driver.doctor.layout import Layout, LineKind
from board_driver.doctor.mapping import Explanation
from board_driver.doctor.wording import does, named, whole_lines
from rules.squares import Bitboard, names_of, set_of, squares_of

SLOW_FROM = 3
"""So many rows of one column that answer for the row before, and the column is slow."""


def slow_columns(evidence: Evidence, layout: Layout) -> tuple[Bitboard, list[Finding]]:
    """Columns still low from the row before: a piece answers a second time, one row on. The first answer is the true
    one.
    """
    if not layout.is_matrix:
        return 0, []
    cell_of = {square: cell for cell, square in enumerate(layout.squares)}
    found: dict[int, int] = {}
    for answer in evidence.felt.values():
        cells = sorted(cell_of[square] for square in squares_of(answer) if square in cell_of)
        if len(cells) >= 2 and cells[1] - cells[0] == 8:
            found[cells[0] % 8] = found.get(cells[0] % 8, 0) + 1
    slow = [column for column, times in sorted(found.items()) if times >= SLOW_FROM]
    lines = [line for line in layout.lines if line.kind is LineKind.COLUMN]
    return set_of(layout.squares[cell] for cell in range(64) if cell % 8 in slow), [
        Finding(
            Ailment.SLOW_COLUMN,
            lines[column].squares,
            f"{lines[column].name} is slow: a piece is felt on the next row too",
            "raise row_settle_us in the profile (twice as much, then again), or add a pull-up of 10 kΩ to that column",
        )
        for column in slow
    ]


def answers(evidence: Evidence, layout: Layout, slow: Bitboard) -> dict[int, int]:
    """The one square that answered, for each that one did; of a slow column the first that was read."""
    single: dict[int, int] = {}
    for stood, answer in evidence.felt.items():
        squares = squares_of(answer)
        if answer.bit_count() > 1 and answer & slow:
            squares = [min(squares, key=layout.squares.index)]
        if len(squares) == 1:
            single[stood] = squares[0]
    return single


def shorts(evidence: Evidence, slow: Bitboard) -> tuple[list[Finding], Bitboard]:
    """Squares that answer together, and all of them."""
    together = {answer for answer in evidence.felt.values() if answer.bit_count() > 1 and not answer & slow}
    findings = [
        Finding(
            Ailment.SHORT,
            answer,
            f"{' and '.join(names_of(answer))} answer together for one piece",
            "their wires touch: look for solder between them; or the magnet is so strong that it closes both reeds",
        )
        for answer in sorted(together)
    ]
    return findings, set_of(square for answer in together for square in squares_of(answer))


def stuck_open(evidence: Evidence, layout: Layout) -> list[Finding]:
    ill = set_of(stood for stood, answer in evidence.felt.items() if not answer)
    ill &= ~evidence.stuck & ~evidence.restless
    findings = []
    for line in whole_lines(ill, layout, *LineKind):
        ill &= ~line.squares
        findings.append(
            Finding(
                Ailment.STUCK_OPEN,
                line.squares,
                f"no square of {line.name} answers",
                "that wire is broken or on another pin than the profile says",
            )
        )
    if ill:
        findings.append(
            Finding(
                Ailment.STUCK_OPEN,
                ill,
                f"{named(ill)} {does(ill, 'do')} not answer to a piece",
                "a broken wire, a cracked reed or one across the magnet's poles, or a diode the wrong way round",
            )
        )
    return findings


def swapped_wires(swapped: Explanation | None, single: dict[int, int]) -> list[Finding]:
    if swapped is None:
        return []
    squares = set_of(stood for stood, at in single.items() if stood != at)
    advice = (
        "the profile can be corrected: say yes below"
        if swapped.is_complete
        else "walk to every square, so that the profile can be corrected"
    )
    return [Finding(Ailment.SWAPPED, squares, swapped.text, advice)]
