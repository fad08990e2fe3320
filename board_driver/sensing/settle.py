"""From raw scans to settled lifts and places.

Each square is debounced by itself, alike in both directions, and deferred: a change counts when the square has been
quiet for `settle_ms`. Contact chatter, a piece that slides over a square on its way, and a dropout of a weak magnet
are all shorter than that and are nothing. Time is an argument, so a log that holds only changed scans and a board that
sends every scan give the same changes.

House rules:

1. A *disturbance* of a square opens when its raw value leaves the settled one and closes when it has been quiet for
   `settle_ms`. If it closes on another value than before, that is one settled change. It begins when the disturbance
   opened, so two pieces lifted in one scan begin together, even where one of the contacts then chattered.
2. Changes are handed on in the order in which they began. One that is ready waits for a square disturbed earlier;
   a square disturbed for longer than `2 * settle_ms` is chattering and is waited for no longer.
3. Quiet for exactly `settle_ms` is settled, also when the next scan of that very millisecond changes the square again.
4. A square that a scan distrusts, or that is dead, keeps its last raw value.
5. A *bus fault* is a scan that no pair of hands can make: `BUS_FAULT_SQUARES` or more squares differ from the scan
   before, or at least `BUS_FAULT_BLANK` do and the board now reads wholly empty or wholly full. It is held back: if the
   board heals, it never happened; if it is still so after `BUS_HOLD_MS`, it is believed.

Why eight: castling changes four squares, two hurried players moving in one slow scan six, and a knock a handful; the
parts that fail together are a row or a column of the matrix (8), an expander (16), a multiplexer (16) or all. Pieces
swept off by an arm over some hundred milliseconds go a few in each scan and stay what they are: lifts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from board_driver.events import Fault
from board_driver.scan import Reading, Scan
from board_driver.sensing.cells import Cell, Cells, cells_of, occupied_of
from rules.squares import Bitboard, Square

BUS_FAULT_SQUARES = 8
BUS_FAULT_BLANK = 3
BUS_HOLD_MS = 2000
FLICKER_MS = 40
"""A square that empties for less than this is a contact that bounces."""


@dataclass(frozen=True, slots=True)
class SettledChange:
    """One square changed for good. `began_ms` orders touches (equal: one scan); `settled_ms` is when it counts.

    Empty to full is a place, full to empty a lift; another colour or piece on a square never seen empty is both.
    """

    square: Square
    before: Cell
    after: Cell
    began_ms: int
    settled_ms: int

    @property
    def lifted(self) -> bool:
        """A piece left the square."""
        return self.before is not None

    @property
    def placed(self) -> bool:
        """A piece came to the square."""
        return self.after is not None


@dataclass(frozen=True, slots=True)
class Flicker:
    """A square that read empty for a moment, too short to settle, and then held the same again and was quiet.

    A dropout of the sensor, a brush, or a captured piece and its capturer changing places in one quick movement: which
    of them, only the game can tell.
    """

    square: Square
    cell: Cell
    left_ms: int
    returned_ms: int


@dataclass(slots=True)
class _Disturbance:
    opened_ms: int
    changed_ms: int


@dataclass(slots=True)
class _Held:
    """A scan that looks like a bus fault, waiting to heal or to be believed."""

    since_ms: int
    cells: Cells


class Settler:
    """Debounces a whole board. Feed it scans whose times never go back; ask it when it wants to be woken.

    `initial` are the cells that are taken as settled at the start; without it the first scan is. The first scan is
    never a bus fault.
    """

    def __init__(self, settle_ms: int, initial: Cells | None = None, dead: Bitboard = 0) -> None:
        if settle_ms < 0:
            raise ValueError(f"expected settle_ms of 0 or more, got {settle_ms}")
        self._settle_ms = settle_ms
        self._dead = dead
        self._raw: list[Cell] | None = None if initial is None else list(initial)
        self._settled: list[Cell] = [None] * 64 if initial is None else list(initial)
        self._disturbed: dict[int, _Disturbance] = {}
        self._ready: list[SettledChange] = []
        self._flickers: list[Flicker] = []
        self._held: _Held | None = None
        self._last: tuple[Reading, Bitboard] | None = None
        self._now_ms: int | None = None

    @property
    def started(self) -> bool:
        """Whether anything is known yet of the board."""
        return self._raw is not None

    @property
    def settled(self) -> Cells:
        """What each square holds, settled."""
        return tuple(self._settled)

    @property
    def raw(self) -> Cells:
        """What each square was last read to hold; a scan held back as a bus fault is not in it."""
        return tuple(self._settled if self._raw is None else self._raw)

    @property
    def occupied(self) -> Bitboard:
        """The squares that hold something, settled."""
        return occupied_of(self._settled)

    @property
    def quiet(self) -> bool:
        """Nothing is in the air: no square disturbed, no scan held back, no change waiting."""
        return not self._disturbed and not self._ready and self._held is None

    def feed(self, scan: Scan) -> tuple[SettledChange | Fault, ...]:
        """Take a scan: what settled up to its time, and a fault if it looks like one."""
        out: list[SettledChange | Fault] = list(self.advance(scan.t_ms))
        seen = (scan.reading, scan.distrusted)
        if seen != self._last:
            out += self._take(scan)
            self._last = seen
            out += self.advance(scan.t_ms)
        return tuple(out)

    def advance(self, now_ms: int) -> tuple[SettledChange, ...]:
        """Let time come to `now_ms`: what settled, in the order in which it began."""
        out: list[SettledChange] = []
        while (due_ms := self.next_wake_ms()) is not None and due_ms <= now_ms:
            fired_ms = due_ms if self._now_ms is None else max(due_ms, self._now_ms)
            self._now_ms = fired_ms
            self._fire(fired_ms)
            out += self._release(fired_ms)
        self._now_ms = now_ms
        return tuple(out)

    def flickers(self) -> tuple[Flicker, ...]:
        """The flickers that were noticed since the last call."""
        found, self._flickers = tuple(self._flickers), []
        return found

    def next_wake_ms(self) -> int | None:
        """When something may settle without a further scan; None when nothing is in the air."""
        due = [d.changed_ms + self._settle_ms for d in self._disturbed.values()]
        if self._held is not None:
            due.append(self._held.since_ms + BUS_HOLD_MS)
        due += [at for change in self._ready if (at := self._chattering_from(change)) is not None]
        return min(due, default=None)

    # -- scans in --

    def _take(self, scan: Scan) -> Sequence[Fault]:
        cells = cells_of(scan.reading)
        if self._raw is None:
            self._raw = list(cells)
            self._settled = list(cells)
            return ()
        if self._last is not None and type(self._last[0]) is not type(scan.reading):
            self._take_for_the_same(cells)
        distrusted = scan.distrusted | self._dead
        if distrusted:
            cells = tuple(self._raw[s] if distrusted >> s & 1 else cell for s, cell in enumerate(cells))
        changed = [s for s in range(64) if cells[s] != self._raw[s]]
        if self._last is not None and _looks_like_bus_fault(cells, changed):
            return self._hold(scan.t_ms, cells, changed)
        self._held = None
        self._change(cells, changed, scan.t_ms)
        return ()

    def _take_for_the_same(self, cells: Cells) -> None:
        """The board now reads another kind of thing, such as no colours any more: what stands there still stands."""
        assert self._raw is not None
        for square, cell in enumerate(cells):
            if cell is not None and self._raw[square] is not None:
                if self._settled[square] == self._raw[square]:
                    self._settled[square] = cell
                self._raw[square] = cell

    def _hold(self, t_ms: int, cells: Cells, changed: Sequence[int]) -> Sequence[Fault]:
        if self._held is not None:
            self._held.cells = cells
            return ()
        self._held = _Held(t_ms, cells)
        text = (
            f"{len(changed)} squares changed in one scan, more than hands can do: held back for up to "
            f"{BUS_HOLD_MS} ms; check the cable and the power of the board if pieces did not move"
        )
        return (Fault(t_ms, "bus", None, text),)

    def _change(self, cells: Cells, changed: Sequence[int], t_ms: int) -> None:
        assert self._raw is not None
        for square in changed:
            self._raw[square] = cells[square]
            if (disturbance := self._disturbed.get(square)) is None:
                self._disturbed[square] = _Disturbance(t_ms, t_ms)
            else:
                disturbance.changed_ms = t_ms

    # -- time --

    def _fire(self, now_ms: int) -> None:
        if self._held is not None and self._held.since_ms + BUS_HOLD_MS <= now_ms:
            self._believe(self._held)
        for square, disturbance in list(self._disturbed.items()):
            if disturbance.changed_ms + self._settle_ms <= now_ms:
                del self._disturbed[square]
                self._close(square, disturbance, now_ms)

    def _believe(self, held: _Held) -> None:
        assert self._raw is not None
        self._held = None
        changed = [s for s in range(64) if held.cells[s] != self._raw[s]]
        self._change(held.cells, changed, held.since_ms)

    def _close(self, square: int, disturbance: _Disturbance, now_ms: int) -> None:
        assert self._raw is not None
        before, after = self._settled[square], self._raw[square]
        if before != after:
            self._ready.append(SettledChange(Square(square), before, after, disturbance.opened_ms, now_ms))
        elif before is not None and disturbance.changed_ms - disturbance.opened_ms >= FLICKER_MS:
            self._flickers.append(Flicker(Square(square), before, disturbance.opened_ms, disturbance.changed_ms))

    def _release(self, now_ms: int) -> list[SettledChange]:
        """Hand on what waits for no earlier disturbance (house rule 2)."""
        self._ready.sort(key=lambda change: (change.began_ms, change.square))
        out: list[SettledChange] = []
        while self._ready and not self._waits(self._ready[0], now_ms):
            change = replace(self._ready.pop(0), settled_ms=now_ms)
            self._settled[change.square] = change.after
            out.append(change)
        return out

    def _waits(self, change: SettledChange, now_ms: int) -> bool:
        until_ms = self._chattering_from(change)
        return until_ms is not None and until_ms > now_ms

    def _chattering_from(self, change: SettledChange) -> int | None:
        """When the last square disturbed before `change` counts as chattering; None if there is none."""
        opened = [d.opened_ms for d in self._disturbed.values() if d.opened_ms < change.began_ms]
        return max(opened) + 2 * self._settle_ms if opened else None


def _looks_like_bus_fault(cells: Cells, changed: Sequence[int]) -> bool:
    if len(changed) >= BUS_FAULT_SQUARES:
        return True
    if len(changed) < BUS_FAULT_BLANK:
        return False
    full = sum(cell is not None for cell in cells)
    return full in (0, 64)
