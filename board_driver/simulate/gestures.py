"""Gestures: carrying a man to a square, dragging it there, and what happens to men by the way."""

from __future__ import annotations

from math import hypot

from board_driver.simulate.table import CLEAR_MS, SLIP_MS, Table
from rules.squares import Square, file_of, rank_of


def carry(table: Table, origin: Square, square: Square, t_ms: float, earliest_ms: float = 0) -> tuple[float, float]:
    """Move a man from square to square; when it was lifted and when it settled.

    Men on a free line may be dragged; others go over at a height that sensors may see or not.
    """
    if origin == square:
        return t_ms, t_ms
    far = hypot(file_of(square) - file_of(origin), rank_of(square) - rank_of(origin))
    took = table.spread(table.habits.carry_ms, 0.3) * (0.85 + 0.07 * far)
    if _free_line(table, origin, square) and table.chance(table.habits.slide):
        return _drag(table, origin, square, t_ms, took=took, earliest_ms=earliest_ms)
    height = 1.0
    if table.chance(table.habits.low):
        height = table.rng.uniform(0.1, 0.45)
        table.note(t_ms, "low")
    man, start = table.raise_from(origin, t_ms, height)
    x, y = file_of(square), rank_of(square)
    man.go(start + took - 100, x, y, height)
    return start, table.set_down(man, square, start + took, earliest_ms)


def _free_line(table: Table, origin: Square, square: Square) -> bool:
    return line_between(origin, square) is not None and all(
        s not in table.men for s in [*(line_between(origin, square) or ()), square]
    )


def _drag(
    table: Table, origin: Square, square: Square, t_ms: float, *, took: float, earliest_ms: float
) -> tuple[float, float]:
    """Push a man along the board, perhaps stopping on the way."""
    between = line_between(origin, square) or []
    man = table.men.pop(origin)
    start = man.wait(t_ms)
    table.left_ms[origin] = start + CLEAR_MS
    table.note(start, "slide")
    step = took / (len(between) + 1)
    now = start
    for way in between:
        now += step
        man.go(now, *table.spot(way), 0)
        if table.chance(table.habits.stop / len(between)):
            table.note(now, "stop on the way")
            now = man.wait(now + table.rng.uniform(80, 700))
    now = max(now + step, table.left_ms.get(square, 0), earliest_ms)
    if now - step > man.free_ms + 1:
        man.wait(now - step)
    man.go(now, *table.spot(square), 0)
    table.men[square] = man
    return start, man.free_ms


def adjust(table: Table, square: Square, t_ms: float) -> None:
    """Put a man straight: lift it a little, or turn it where it stands."""
    man = table.men[square]
    if man.free_ms > t_ms:
        return
    start = man.wait(t_ms)
    took = table.spread(450, 0.4)
    if table.chance(0.6):
        table.note(start, "adjust")
        height = table.rng.uniform(0.2, 1.0)
        man.go(start + 80, man.last.x, man.last.y, height)
        man.wait(start + 80 + took)
        man.go(start + 160 + took, *table.spot(square), 0)
        return
    table.note(start, "turn")
    x, y = table.spot(square)
    man.go(start + took / 2, x + table.rng.uniform(-0.3, 0.3), y + table.rng.uniform(-0.3, 0.3), 0)
    man.go(start + took, x, y, 0)


def nudge(table: Table, square: Square, away_from: Square, t_ms: float) -> None:
    """Push the man on `square` away from another square; put back after a while, or left where little harm is."""
    man = table.men[square]
    if man.free_ms > t_ms:
        return
    dx, dy = file_of(square) - file_of(away_from), rank_of(square) - rank_of(away_from)
    far = table.rng.uniform(0.15, 0.65)
    behind = _square_at(file_of(square) + dx, rank_of(square) + dy)
    if behind is None or behind in table.men:
        far = min(far, 0.35)
    far /= hypot(dx, dy)
    start = man.wait(t_ms)
    table.note(start, "nudge")
    man.go(start + SLIP_MS, man.last.x + far * dx, man.last.y + far * dy, 0)
    if far * hypot(dx, dy) > 0.25 or table.chance(0.5):
        man.wait(start + table.rng.uniform(300, 2500))
        man.go(man.free_ms + 2 * SLIP_MS, *table.spot(square), 0)


def fall(table: Table, square: Square, t_ms: float) -> None:
    """A man falls over (its magnet no longer points down) and is stood up again."""
    man = table.men[square]
    if man.free_ms > t_ms:
        return
    start = man.wait(t_ms)
    table.note(start, "fall")
    man.go(start + SLIP_MS, man.last.x, man.last.y, 0.9)
    man.wait(start + table.rng.uniform(700, 4000))
    man.go(man.free_ms + 100, *table.spot(square), 0)


def line_between(origin: Square, square: Square) -> list[Square] | None:
    """The squares between two on a file, rank or diagonal, from the first on; None where no such line joins them."""
    dx, dy = file_of(square) - file_of(origin), rank_of(square) - rank_of(origin)
    if origin == square or (dx and dy and abs(dx) != abs(dy)):
        return None
    steps = max(abs(dx), abs(dy))
    return [Square(origin + k * (dx // steps + 8 * (dy // steps))) for k in range(1, steps)]


def _square_at(x: int, y: int) -> Square | None:
    return Square(8 * y + x) if 0 <= x < 8 and 0 <= y < 8 else None
