"""The board as a text picture: what every square says now, how often it changed, its strength and its noise [pure]."""

from __future__ import annotations

from board_driver.doctor.examination import Examination
from board_driver.doctor.vitals import Vitals
from rules.squares import Bitboard

FILES = "abcdefgh"
INVERSE, RED, YELLOW, GREEN, PLAIN = "\x1b[7m", "\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[0m"
LEGEND = "# piece   . empty   ? not to be told   [ ] asked for   ! changes by itself   = stuck"


def board_text(examination: Examination, *, coloured: bool) -> list[str]:
    """The lines of the picture: the board beside the counts of changes, and for field sensors strengths and noise."""
    vitals, evidence = examination.vitals, examination.evidence
    panels = [
        _panel("felt now", [_state(vitals, s, evidence.stuck, evidence.restless) for s in range(64)]),
        _panel("changes", [_number(square.changes) for square in vitals.squares]),
    ]
    if vitals.strengths is not None:
        panels.append(_panel("strength", [f"{strength:.0f}" for strength in vitals.strengths]))
        panels.append(_panel("noise", [f"{square.noise:.1f}" for square in vitals.squares]))
    asked = examination.asked
    lines = [""] * 10
    for n, panel in enumerate(panels):
        cells = _marked(panel, asked) if n == 0 else panel
        lines = [before + "   " + after for before, after in zip(lines, _drawn(cells, coloured=coloured), strict=True)]
    return [line.rstrip() for line in lines] + [LEGEND]


def _panel(title: str, cells: list[str]) -> tuple[str, list[str]]:
    return title, cells


def _state(vitals: Vitals, square: int, stuck: Bitboard, restless: Bitboard) -> str:
    if vitals.distrusted >> square & 1:
        return "?"
    if restless >> square & 1:
        return "!"
    if stuck >> square & 1:
        return "="
    return "#" if vitals.occupied >> square & 1 else "."


def _number(count: int) -> str:
    return "." if count == 0 else str(min(count, 9999))


def _marked(panel: tuple[str, list[str]], asked: int | None) -> tuple[str, list[str]]:
    title, cells = panel
    return title, [f"[{cell}]" if square == asked else cell for square, cell in enumerate(cells)]


def _drawn(panel: tuple[str, list[str]], *, coloured: bool) -> list[str]:
    title, cells = panel
    width = 5
    lines = [f"  {title:<{8 * width}}"]
    for rank in range(7, -1, -1):
        row = "".join(_paint(f"{cells[8 * rank + file]:^{width}}", coloured=coloured) for file in range(8))
        lines.append(f"{rank + 1} {row}")
    return [*lines, "  " + "".join(f"{name:^{width}}" for name in FILES)]


def _paint(cell: str, *, coloured: bool) -> str:
    if not coloured:
        return cell
    if "[" in cell:
        return f"{INVERSE}{cell}{PLAIN}"
    colour = {"#": GREEN, "!": RED, "=": YELLOW, "?": YELLOW}.get(cell.strip())
    return f"{colour}{cell}{PLAIN}" if colour else cell
