"""The sensor timeline of a game as a picture [pure]: which square changed when, and what was decided on it.

One row for each square, a1 at the bottom; a bar where its sensor saw something, for all squares that ever changed. What
was decided stands above, a line through all rows at its time. The picture is SVG with attributes only, no style.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from board_driver.events import Ended, Event, Irregular, Moved, Revised
from board_driver.scan import Input, Scan
from rules.squares import Bitboard, square_name

WIDTH = 1200
LEFT = 44
ROW = 14
TOP = 60
BOTTOM = 26
LABEL_GAP = 26
"""Pixels between two labels of decisions, so that they can be read."""
BARS_LIMIT = 6000
NOTHING = "No square has changed yet that this board tells of."

_MARKS = {"move": "#1f5c4f", "revised": "#b26a00", "illegal": "#b3261e", "over": "#5b4330"}


@dataclass(frozen=True, slots=True)
class Bar:
    """A square was occupied, by its sensor, from one time to another."""

    square: int
    from_ms: int
    to_ms: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Something was decided. `kind` is a key of the colours above."""

    t_ms: int
    kind: str
    text: str


def bars_of(inputs: Iterable[Input], until_ms: int) -> list[Bar]:
    """When each square that ever changed was occupied. Boards that tell field strengths only give none."""
    began: dict[int, int] = {}
    bars: list[Bar] = []
    before: Bitboard | None = None
    changed: Bitboard = 0
    for item in inputs:
        occupied = getattr(item.reading, "occupied", None) if isinstance(item, Scan) else None
        if occupied is None:
            continue
        turned = occupied if before is None else occupied ^ before
        changed |= 0 if before is None else turned
        for square in range(64):
            if turned >> square & 1:
                if occupied >> square & 1:
                    began[square] = item.t_ms
                else:
                    bars.append(Bar(square, began.pop(square, item.t_ms), item.t_ms))
        before = occupied
    bars += [Bar(square, from_ms, max(until_ms, from_ms)) for square, from_ms in began.items()]
    return [bar for bar in bars if changed >> bar.square & 1]


def marks_of(events: Iterable[Event]) -> list[Mark]:
    """The decisions worth a line."""
    marks = []
    for event in events:
        match event:
            case Moved():
                number = f"{(event.ply + 1) // 2}{'.' if event.ply % 2 else '…'}"
                marks.append(Mark(event.t_ms, "move", f"{number}{event.san}"))
            case Revised():
                marks.append(Mark(event.t_ms, "revised", f"{event.was}→{event.now or 'taken back'}"))
            case Irregular():
                marks.append(Mark(event.t_ms, "illegal", event.why))
            case Ended():
                marks.append(Mark(event.t_ms, "over", event.result))
            case _:
                pass
    return marks


def timeline_svg(inputs: Sequence[Input], events: Iterable[Event]) -> str:
    """The picture. With nothing to show it says so."""
    times = [item.t_ms for item in inputs]
    marks = marks_of(events)
    first_ms = min(times, default=0)
    last_ms = max([*times, *(mark.t_ms for mark in marks)], default=first_ms) + 1000
    bars = bars_of(inputs, last_ms)[-BARS_LIMIT:]
    rows = sorted({bar.square for bar in bars}, reverse=True)
    if not rows:
        return _svg(80, [f'<text x="20" y="45" font-size="16">{NOTHING}</text>'])
    height = TOP + ROW * len(rows) + BOTTOM
    scale = (WIDTH - LEFT - 12) / max(1, last_ms - first_ms)

    def across(t_ms: int) -> float:
        return LEFT + max(0, t_ms - first_ms) * scale

    parts = [_row(index, square) for index, square in enumerate(rows)]
    row_of = {square: index for index, square in enumerate(rows)}
    parts += [_bar(bar, TOP + row_of[bar.square] * ROW, across(bar.from_ms), across(bar.to_ms)) for bar in bars]
    parts += _decisions(marks, across, height)
    parts += [
        f'<text x="{LEFT}" y="{height - 8}">{_clock(0)}</text>',
        f'<text x="{WIDTH - 12}" y="{height - 8}" text-anchor="end">{_clock(last_ms - first_ms)}</text>',
    ]
    return _svg(height, parts)


def _row(index: int, square: int) -> str:
    y = TOP + index * ROW
    shade = f'<rect x="0" y="{y}" width="{WIDTH}" height="{ROW}" fill="#efe8da"/>' if index % 2 == 0 else ""
    return f'{shade}<text x="12" y="{y + ROW - 3}">{square_name(square)}</text>'


def _bar(bar: Bar, y: int, left: float, right: float) -> str:
    tip = f"{square_name(bar.square)}: {bar.to_ms - bar.from_ms} ms"
    return (
        f'<rect x="{left:.1f}" y="{y + 3}" width="{max(0.8, right - left):.1f}" height="{ROW - 6}" rx="2" '
        f'fill="#a9805a"><title>{tip}</title></rect>'
    )


def _decisions(marks: Sequence[Mark], across: Callable[[int], float], height: int) -> list[str]:
    parts, free = [], 0.0
    for mark in marks:
        x, colour = across(mark.t_ms), _MARKS[mark.kind]
        text = escape(mark.text, quote=True)
        parts.append(
            f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{height - BOTTOM}" stroke="{colour}" '
            f'stroke-opacity="0.65"><title>{text}</title></line>'
        )
        if x >= free:
            free = x + LABEL_GAP / 2
            place = f'x="{x:.1f}" y="{TOP - 9}" transform="rotate(-40 {x:.1f} {TOP - 9})"'
            parts.append(f'<text {place} fill="{colour}">{text}</text>')
    return parts


def _clock(ms: int) -> str:
    seconds = ms // 1000
    return f"{seconds // 60}:{seconds % 60:02d}"


def _svg(height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="system-ui, DejaVu Sans, sans-serif" font-size="11" fill="#26211c">'
        f'<rect width="{WIDTH}" height="{height}" fill="#fffdf8"/>{"".join(parts)}</svg>\n'
    )
