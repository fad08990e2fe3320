"""What the empty board shows: a bus that is dead, wires that nothing holds, contacts that are stuck [pure]."""

from __future__ import annotations

from board_driver.doctor.examination import Evidence
from board_driver.doctor.findings import Ailment, Finding
from board_driver.doctor.layout import Layout, LineKind
from board_driver.doctor.wording import does, is_or_are, itself, named, whole_lines

DEAD_FROM = 3
"""So many squares that did not answer, and none that did, are a dead bus and no chance."""
MOST = 60
"""From so many squares on it is all of them."""


def hopeless(evidence: Evidence, layout: Layout) -> Finding | None:
    answers = list(evidence.felt.values())
    responding = [answer for answer in answers if answer]
    if evidence.stuck.bit_count() >= min(MOST, layout.read.bit_count()) and layout.read.bit_count() > 8:
        if responding:
            return Finding(
                Ailment.INVERTED,
                layout.read,
                "every square is felt as occupied while the board is empty, and as empty where a piece stands",
                "turn the key `active` of the sensors in the profile from low to high, or from high to low",
            )
        return Finding(
            Ailment.DEAD_BUS,
            layout.read,
            "all squares are read alike, as occupied, whatever stands on the board",
            "the data line answers one level only: look at the supply of the sensors, at ground, and at the data wire",
        )
    if not responding and len(answers) >= DEAD_FROM and not evidence.restless:
        return Finding(
            Ailment.DEAD_BUS,
            layout.read,
            "no square ever answers: all are read as empty, whatever stands on the board",
            "the bus answers one level only (all ones, where closed contacts are low): look at supply, ground and the "
            "data and select wires; with reeds, whether the magnets are strong enough at all",
        )
    return None


def restless(evidence: Evidence, layout: Layout) -> list[Finding]:
    findings = []
    ill = evidence.restless
    for line in whole_lines(ill, layout, LineKind.COLUMN, LineKind.ROW, LineKind.CHIP, LineKind.CHANNEL):
        ill &= ~line.squares
        findings.append(
            Finding(
                Ailment.FLOATING,
                line.squares,
                f"all squares of {line.name} change by themselves while nothing stands there: nothing holds that wire",
                "its pull-up resistor is missing or not switched on, or the wire is broken: add 10 kΩ to 3.3 V",
            )
        )
    if ill:
        findings.append(
            Finding(
                Ailment.CHATTER,
                ill,
                f"{named(ill)} {does(ill, 'change')} by {itself(ill)} while nothing stands there",
                "a loose joint, a wire along that of a lamp or supply, or a bad sensor: resolder it or exchange it",
            )
        )
    return findings


def stuck_closed(evidence: Evidence, layout: Layout) -> list[Finding]:
    findings = []
    ill = evidence.stuck
    for line in whole_lines(ill, layout, LineKind.COLUMN, LineKind.ROW, LineKind.CHIP, LineKind.CHANNEL):
        ill &= ~line.squares
        findings.append(
            Finding(
                Ailment.FLOATING if line.kind is LineKind.COLUMN else Ailment.STUCK_CLOSED,
                line.squares,
                f"all squares of {line.name} are felt as occupied while the board is empty",
                "the wire touches ground, or it has no pull-up: look for solder between pins, then add 10 kΩ to 3.3 V",
            )
        )
    if ill:
        findings.append(
            Finding(
                Ailment.STUCK_CLOSED,
                ill,
                f"{named(ill)} {is_or_are(ill)} felt as occupied while the board is empty",
                "a reed that is stuck (tap it; a strong magnet may have welded it), or a wire that touches ground",
            )
        )
    return findings
