"""From what was seen to what is wrong, and what a person should do [pure].

One cause gives one finding: where all squares of a wire are ill in the same way, the wire is named and its squares are
not told one by one. Causes come in the order in which they should be put right; what a cause explains is left out of
the findings after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from board_driver.doctor.atrest import hopeless, restless, stuck_closed
from board_driver.doctor.examination import ARRAY, LEFT_EMPTY, Evidence
from board_driver.doctor.findings import Ailment, Diagnosis, Finding
from board_driver.doctor.layout import Layout
from board_driver.doctor.mapping import Explanation, array_turned, explain
from board_driver.doctor.vitals import SquareVitals
from board_driver.doctor.walked import answers, shorts, slow_columns, stuck_open, swapped_wires
from board_driver.doctor.wording import does, is_or_are, it_or_them, named
from rules.squares import FULL, Bitboard, set_of, square_name, squares_of

BOUNCES_TOLD = 12
WEAK_SHARE = 0.5
"""Of the median strength; below, a piece is nearly lost."""
NOISY_SHARE = 0.08


def diagnose(evidence: Evidence, layout: Layout) -> Diagnosis:
    """Everything that is wrong, by what was seen."""
    useless = hopeless(evidence, layout)
    if useless is not None:
        return Diagnosis((useless,))
    slow, slow_findings = slow_columns(evidence, layout)
    touching, touched = shorts(evidence, slow)
    single = answers(evidence, layout, slow)
    swapped = explain({stood: at for stood, at in single.items() if not touched >> at & 1})
    findings = [
        *restless(evidence, layout),
        *stuck_closed(evidence, layout),
        *slow_findings,
        *touching,
        *stuck_open(evidence, layout),
        *swapped_wires(swapped, single),
        *_ghosts(evidence, layout, swapped),
        *_contacts(evidence),
        *_fields(evidence),
        *_lamps(evidence),
    ]
    return Diagnosis(tuple(findings), swapped, _is_complete(evidence, layout))


def _is_complete(evidence: Evidence, layout: Layout) -> bool:
    walked = set_of(evidence.felt) | evidence.stuck | evidence.restless
    return evidence.rest is not None and evidence.array is not None and not layout.read & ~walked


def examined(evidence: Evidence) -> str:
    """How much was examined, in one line."""
    walked = len(evidence.felt)
    parts = [
        "the empty board" if evidence.rest is not None else "",
        f"{walked} squares by a piece"
        if walked != 1
        else f"one square by a piece ({square_name(next(iter(evidence.felt)))})",
        "the start array" if evidence.array is not None else "",
    ]
    return "Examined: " + ", ".join(part for part in parts if part) + "."


def _ghosts(evidence: Evidence, layout: Layout, swapped: Explanation | None) -> list[Finding]:
    if evidence.array is None:
        return []
    if array_turned(evidence.array) and swapped is None:
        text = (
            "the pieces are felt on files a, b, g and h: the board is turned by 90°, or rows and columns are exchanged"
        )
        return [
            Finding(Ailment.SWAPPED, evidence.array, text, "examine it again with the walk, to correct the profile")
        ]
    felt = dict(swapped.felt) if swapped is not None else {}
    ill = evidence.stuck | evidence.restless | evidence.unsure
    dumb = set_of(stood for stood, answer in evidence.felt.items() if not answer)
    found = []
    if evidence.unsure:
        text = f"{named(evidence.unsure)} cannot be told from ghosts while the start array stands"
        found.append(Finding(Ailment.GHOST, evidence.unsure, text, _ghost_advice(layout)))
    ghosts = set_of(s for s in squares_of(FULL & ~ARRAY) if evidence.array >> felt.get(s, s) & 1) & ~ill
    if ghosts:
        found.append(Finding(Ailment.GHOST, ghosts, _ghost_text(ghosts), _ghost_advice(layout)))
    missing = set_of(s for s in squares_of(ARRAY) if not evidence.array >> felt.get(s, s) & 1) & ~ill & ~dumb
    if missing:
        text = f"the pieces on {named(missing)} are not felt, though these squares answer to the piece of the walk"
        advice = "their magnets are weak, missing or the wrong way up, or the pieces stand off the middle"
        found.append(Finding(Ailment.WEAK, missing, text, advice))
    return found


def _ghost_text(ghosts: Bitboard) -> str:
    where = "of those left empty" if not ghosts & ~LEFT_EMPTY else "on which nothing stands"
    full = f"when the lines around {it_or_them(ghosts)} are full"
    return f"{named(ghosts)}, {where}, {is_or_are(ghosts)} felt as occupied {full}"


def _ghost_advice(layout: Layout) -> str:
    if not layout.has_diodes:
        return "that is how a matrix without diodes is; with one diode a square (1N4148) it can be played on"
    if layout.is_matrix:
        return (
            "a diode of these rows or columns is missing, bridged or shorted: measure those of the full squares nearby"
        )
    return "magnets of the neighbours reach over: lower them, or use weaker ones; or wires touch"


def _contacts(evidence: Evidence) -> list[Finding]:
    if evidence.walk is None:
        return []
    known_ill = evidence.restless | evidence.stuck
    bouncing = where(evidence.walk, lambda vitals: vitals.bounces >= BOUNCES_TOLD) & ~known_ill
    dropping = where(evidence.walk, lambda vitals: vitals.dropouts > 0) & ~known_ill & ~bouncing
    findings = []
    if bouncing:
        text = f"{named(bouncing)} {does(bouncing, 'bounce')} long when a piece is set down or lifted"
        advice = "a worn reed or a cold joint; games bear it, because they wait until a square is steady"
        findings.append(Finding(Ailment.BOUNCE, bouncing, text, advice))
    if dropping:
        text = f"{named(dropping)} lost the piece for a moment while it stood there"
        advice = "a weak magnet or one exactly over a reed's middle: turn or move the reed by a quarter of its length"
        findings.append(Finding(Ailment.DROPOUT, dropping, text, advice))
    return findings


def _fields(evidence: Evidence) -> list[Finding]:
    strongest = {stood: abs(vitals.strongest) for stood, vitals in evidence.landings.items() if vitals.readings}
    findings = []
    if len(strongest) >= 8:
        usual = median(strongest.values())
        weak = set_of(stood for stood, strength in strongest.items() if strength < WEAK_SHARE * usual)
        if weak:
            share = min(strongest[square] for square in squares_of(weak)) / usual
            text = (
                f"{named(weak)} {does(weak, 'feel')} the same piece weakly, {share:.0%} of what is usual at the least"
            )
            advice = "the sensor sits too deep or is turned: bring it closer to the board"
            findings.append(Finding(Ailment.WEAK, weak, text, advice))
        noisy = 0
        if evidence.rest is not None:
            noisy = where(evidence.rest, lambda vitals: vitals.noise > NOISY_SHARE * usual)
        if noisy:
            text = f"{named(noisy)} {is_or_are(noisy)} noisy while nothing stands there"
            advice = "add 100 nF between supply and ground at the sensor, and keep its wire away from those of lamps"
            findings.append(Finding(Ailment.NOISY, noisy, text, advice))
    return findings


def _lamps(evidence: Evidence) -> list[Finding]:
    if not evidence.lamps_wrong:
        return []
    squares = set_of(evidence.lamps_wrong)
    text = f"asked for {named(squares)}, another lamp blinked"
    advice = "set `order` of the lights in the profile: where the first lamp is, which way they run, snake or not"
    return [Finding(Ailment.LAMPS, squares, text, advice)]


def where(squares: Sequence[SquareVitals], is_ill: Callable[[SquareVitals], bool]) -> Bitboard:
    return set_of(square for square, vitals in enumerate(squares) if is_ill(vitals))
