"""What has settled, put in the order and into the groups in which hands did it [pure].

Men pushed along the board, and men set down half on a square, close their sensors in an order of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.arbiter.words import touch_each_other
from board_driver.sensing.senses import Senses
from board_driver.sensing.settle import SettledChange
from rules.squares import Square


def groups(changes: Sequence[SettledChange], settle_ms: int) -> list[list[SettledChange]]:
    """Changes that have to be judged together: those of one scan, and pieces set down side by side almost at once."""
    found: list[list[SettledChange]] = []
    for change in changes:
        last = found[-1][-1] if found else None
        if last is not None and (change.began_ms == last.began_ms or _side_by_side(last, change, settle_ms)):
            found[-1].append(change)
        else:
            found.append([change])
    return found


def is_blurred(held: Sequence[SettledChange], senses: Senses) -> bool:
    """A piece was set down, and the next square reads filled too but has not settled: wait for that to be clear."""
    placed = [change.square for change in held if change.placed]
    raw, settled = senses.raw, senses.settled
    return any(
        raw[s] is not None and settled[s] is None and any(touch_each_other(s, p) for p in placed)
        for s in (range(64) if placed else ())
    )


def leaves_late(held: Sequence[SettledChange], senses: Senses, here: Square | None) -> bool:
    """The man on `here`, who moved last, seems to arrive on the next square before his own is empty: wait for that."""
    return (
        here is not None
        and any(change.placed and touch_each_other(change.square, here) for change in held)
        and senses.raw[here] is None
        and senses.settled[here] is not None
    )


def dragged(held: list[SettledChange], here: Square | None, settle_ms: int) -> list[SettledChange]:
    """A man dragged on from `here`, where he was released, may close the next sensor first: his lift is before that."""
    if here is not None and len(held) > 1 and held[0].placed and touch_each_other(held[0].square, here):
        for index, change in enumerate(held):
            late_ms = change.began_ms - held[0].began_ms
            if change.square == here and change.lifted and late_ms <= settle_ms:
                return [change, *held[:index], *held[index + 1 :]]
    return held


def _side_by_side(one: SettledChange, other: SettledChange, settle_ms: int) -> bool:
    only_placed = one.placed and other.placed and not one.lifted and not other.lifted
    close = other.began_ms - one.began_ms <= settle_ms
    return only_placed and close and touch_each_other(one.square, other.square)
