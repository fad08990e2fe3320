"""The virtual board: 64 squares with pieces that the page, the demo or a test moves about.

For the daemon it is a board like any other: it sends scans of what its sensors would see and is shown pictures. Its
pieces are a `Table`, which knows bodies and hands but no rules, so that wrong, clumsy and forbidden moves can be tried.

A piece set down on one of the other colour takes it as a hand does: the victim goes off the board into the tray at
once, and the piece lands `CAPTURE_MS` later. In between the square is empty, long enough for the sensors to see it. Set
down on a piece of its own colour it stays in the hand.

With `set_noise` its sensors misbehave as cheap ones do (`noise`); bodies and hands are the same as ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from board_driver.boards.board import Abilities, Inbox
from board_driver.boards.noise import EVERY_MS, Blink, Noise
from board_driver.boards.table import Hand, Refusal, Table
from board_driver.lights.picture import DARK, Picture
from board_driver.scan import Colours, Field, Identity, Occupancy, Reading, Scan, Sensing
from rules.fen import START_FEN, parse_fen
from rules.pieces import Piece
from rules.position import Position
from rules.squares import Colour, Square

CAPTURE_MS = 350
"""From the victim's leaving to the capturer's landing: more than the settling of any sensible board."""

FIELD_STRENGTH = 100.0
"""The reading of a Hall sensor under a piece, for `Sensing.FIELD`."""


@dataclass(frozen=True, slots=True)
class Landing:
    """A capture under way: what `hand` holds will stand on `square` in a moment."""

    hand: Hand
    square: Square


class VirtualBoard:
    """A `Board` whose pieces are moved by calls. All calls belong to the daemon's loop."""

    def __init__(
        self,
        position: Position | None = None,
        senses: Sensing = Sensing.OCCUPANCY,
        capture_ms: int = CAPTURE_MS,
    ) -> None:
        self.abilities = Abilities("virtual board", senses)
        self.table = Table.set_up(position if position is not None else parse_fen(START_FEN))
        self.picture: Picture = DARK
        self.landing: Landing | None = None
        self._watchers: list[Callable[[], None]] = []
        self._capture_ms = capture_ms
        self._inbox: Inbox | None = None
        self._seen: Reading | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._noise: Noise | None = None
        self._unseen: Square | None = None
        """Where the last capture was too fast for the sensors."""
        self._blinks: set[asyncio.TimerHandle] = set()

    @property
    def is_noisy(self) -> bool:
        """Whether its sensors misbehave."""
        return self._noise is not None

    def set_noise(self, seed: int | None) -> None:
        """Let the sensors misbehave from now on, as that seed has it; None: let them be right again."""
        self._noise = None if seed is None else Noise(seed)
        self._stop_blinking()
        if self._noise is not None and self._inbox is not None:
            self._later(EVERY_MS, self._flicker)
        self._changed()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher` after every change of table, landing or picture: the cue to draw the board."""
        self._watchers.append(watcher)

    # -- what the daemon asks of a board

    async def open(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._seen = None
        if self._noise is not None:
            self._later(EVERY_MS, self._flicker)
        self._changed()

    async def show(self, picture: Picture) -> None:
        self.picture = picture
        self._tell_watchers()

    async def close(self) -> None:
        self._land()
        self._stop_blinking()
        self._inbox = None
        self.picture = DARK

    # -- what hands do

    def lift(self, square: Square, hand: Hand | None = None) -> Hand | Refusal:
        """Take up what stands on `square`, with any free hand if none is named; the hand that has it now."""
        return self._take_up(hand, lambda free: self.table.lift(free, square))

    def lift_from_tray(self, piece: Piece, hand: Hand | None = None) -> Hand | Refusal:
        """Take up such a piece from the tray, likewise."""
        return self._take_up(hand, lambda free: self.table.lift_from_tray(free, piece))

    def put(self, hand: Hand, square: Square) -> Refusal | None:
        """Set down on `square` what `hand` holds; a piece of the other colour there is taken off first."""
        if self._is_landing(hand):
            return Refusal("That hand is busy taking a piece.")
        held, standing = self.table.hands[hand], self.table.squares[square]
        if held is None or standing is None or held.piece.colour is standing.colour:
            return self._become(self.table.put(hand, square))
        self._land()
        self.landing = Landing(hand, square)
        self._timer = asyncio.get_running_loop().call_later(self._seconds(self._capture_ms), self._land)
        self._unseen = square if self._noise is not None and self._noise.misses_capture() else None
        return self._become(self.table.take_off(square))

    def set_aside(self, hand: Hand) -> Refusal | None:
        """Lay into the tray what `hand` holds."""
        if self._is_landing(hand):
            return Refusal("That hand is busy taking a piece.")
        return self._become(self.table.set_aside(hand))

    def put_back(self, hand: Hand) -> Refusal | None:
        """Set down what `hand` holds where it came from; to the sensors that is a touch like any other."""
        if self._is_landing(hand):
            return Refusal("That hand is busy taking a piece.")
        return self._become(self.table.put_back(hand))

    def exchange(self, square: Square, piece: Piece) -> Refusal | None:
        """Put `piece` in the place of what stands on `square`, too quickly for occupancy sensors (a promotion)."""
        return self._become(self.table.exchange(square, piece))

    def set_up(self, position: Position) -> None:
        """All pieces as in `position` and nothing in the hands, as between two games."""
        self._stop_landing()
        self._become(Table.set_up(position))

    def reading(self) -> Reading:
        """What the sensors see now."""
        table = self._as_sensed()
        match self.abilities.senses:
            case Sensing.OCCUPANCY:
                return Occupancy(table.occupied)
            case Sensing.COLOUR:
                return Colours(table.colour_set(Colour.WHITE), table.colour_set(Colour.BLACK))
            case Sensing.FIELD:
                return Field(tuple(_strength(piece) for piece in table.squares))
            case Sensing.IDENTITY:
                return Identity(table.squares)

    def _as_sensed(self) -> Table:
        """The table with what the sensors get wrong."""
        if self._noise is None:
            return self.table
        squares = list(self._noise.seen(self.table.squares))
        if self._unseen is not None and self.landing is not None:
            held = self.table.hands[self.landing.hand]
            squares[self._unseen] = None if held is None else held.piece
        return replace(self.table, squares=tuple(squares))

    # -- within

    def _take_up(self, hand: Hand | None, lift: Callable[[Hand], Table | Refusal]) -> Hand | Refusal:
        if hand is None:
            hand = self.table.free_hand()
        if hand is None:
            return Refusal("Both hands are full: put a piece down first.")
        refusal = self._become(lift(hand))
        return hand if refusal is None else refusal

    def _become(self, table: Table | Refusal) -> Refusal | None:
        if isinstance(table, Refusal):
            return table
        before, self.table = self.table, table
        if self._noise is not None:
            for square in range(64):
                if (before.squares[square] is None) is not (table.squares[square] is None):
                    self._blink(self._noise.bounce(Square(square)))
        self._changed()
        return None

    def _changed(self) -> None:
        reading = self.reading()
        if self._inbox is not None and reading != self._seen:
            self._inbox.put(Scan(self._inbox.now_ms(), reading))
            self._seen = reading
        self._tell_watchers()

    def _tell_watchers(self) -> None:
        for watcher in self._watchers:
            watcher()

    def _seconds(self, ms: int) -> float:
        """Real seconds for so much of the board's time."""
        rate = 1.0 if self._inbox is None else self._inbox.clock.rate
        return ms / 1000 / rate

    def _is_landing(self, hand: Hand) -> bool:
        return self.landing is not None and self.landing.hand is hand

    def _land(self) -> None:
        """End a capture under way: the piece comes to stand, unless the square was filled meanwhile."""
        landing = self._stop_landing()
        if landing is not None and self._become(self.table.put(landing.hand, landing.square)) is not None:
            self._tell_watchers()

    def _stop_landing(self) -> Landing | None:
        landing, self.landing = self.landing, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        return landing

    # -- sensors that misbehave

    def _flicker(self) -> None:
        if self._noise is not None:
            self._blink(self._noise.flicker())
            self._later(EVERY_MS, self._flicker)

    def _blink(self, blink: Blink | None) -> None:
        if blink is not None and blink.square != self._unseen:
            self._later(blink.after_ms, lambda: self._misread(blink))

    def _misread(self, blink: Blink) -> None:
        noise = self._noise
        if noise is None:
            return

        def recover() -> None:
            noise.wrong.discard(blink.square)
            self._changed()

        noise.wrong.add(blink.square)
        self._later(blink.for_ms, recover)
        self._changed()

    def _later(self, ms: int, act: Callable[[], None]) -> None:
        def due() -> None:
            self._blinks.discard(timer)
            act()

        timer = asyncio.get_running_loop().call_later(self._seconds(ms), due)
        self._blinks.add(timer)

    def _stop_blinking(self) -> None:
        for timer in self._blinks:
            timer.cancel()
        self._blinks.clear()
        if self._noise is not None:
            self._noise.wrong.clear()


def _strength(piece: Piece | None) -> float:
    if piece is None:
        return 0.0
    return FIELD_STRENGTH if piece.colour is Colour.WHITE else -FIELD_STRENGTH
