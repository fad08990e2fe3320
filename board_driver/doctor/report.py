"""The verdict in the terminal, and the report file for a bug report [pure]."""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.doctor.diagnosis import examined
from board_driver.doctor.examination import Evidence
from board_driver.doctor.findings import Diagnosis
from board_driver.doctor.vitals import SquareVitals
from board_driver.events import Fault
from rules.squares import names_of, square_name


def verdict_text(evidence: Evidence, diagnosis: Diagnosis) -> str:
    """What is wrong and what to do, for a person."""
    lines = [examined(evidence), ""]
    for number, finding in enumerate(diagnosis.findings, 1):
        lines += [f"{number}. {_sentence(finding.text)}", f"   {_sentence(finding.advice)}"]
    lines += [""] if diagnosis.findings else []
    return "\n".join([*lines, diagnosis.verdict])


def report_text(
    about: Sequence[str], evidence: Evidence, diagnosis: Diagnosis, troubles: Sequence[Fault], profile: str
) -> str:
    """All of it: what was seen on every square, too, and the profile. `about` are lines on board, date and program."""
    parts = [
        "touchmove doctor: report",
        *about,
        "",
        verdict_text(evidence, diagnosis),
        "",
        "What the driver told:",
        *([f"  {fault.t_ms} ms {fault.kind}: {fault.text}" for fault in troubles] or ["  nothing"]),
        "",
        "Squares (empty board: changes, noise; walk: felt on, changes, bounces, dropouts, strongest):",
        *(_square(square, evidence) for square in range(64)),
        "",
        f"The array was felt on: {_names(evidence.array)}; not to be told: {_names(evidence.unsure)}",
        "",
        "Profile:",
        profile.rstrip() or "none",
    ]
    return "\n".join(parts) + "\n"


def _square(square: int, evidence: Evidence) -> str:
    rest = evidence.rest[square] if evidence.rest is not None else None
    walk = evidence.walk[square] if evidence.walk is not None else None
    felt = _names(evidence.felt.get(square)) if square in evidence.felt else "not examined"
    return f"  {square_name(square)}  {_rest(rest)}  |  {felt}  {_walk(walk)}"


def _rest(vitals: SquareVitals | None) -> str:
    return "-" if vitals is None else f"{vitals.changes} {vitals.noise:.1f}"


def _walk(vitals: SquareVitals | None) -> str:
    return "-" if vitals is None else f"{vitals.changes} {vitals.bounces} {vitals.dropouts} {vitals.strongest:.0f}"


def _names(squares: int | None) -> str:
    if squares is None:
        return "not examined"
    return " ".join(names_of(squares)) or "nothing"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
