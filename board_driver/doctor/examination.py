"""The steps of an examination, and what was seen in them [pure].

1. *Empty*: nothing stands on the board for `REST_MS`. What is felt then is stuck; what changes then chatters.
2. *Walk*: one piece goes to every square in turn. Where it is felt for `STEADY_MS` is noted, and the walk goes on by
   itself; a person who sees that nothing is felt says so (`confirm`), and that is noted too.
3. *Array*: the start array with four squares left empty. In a matrix whose diodes are missing, reversed or shorted,
   full lines make an empty square look full. A magnet that is not felt shows too.

Times never go back. Scans need come only when something differs: `advance` lets time pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from board_driver.doctor.layout import Layout
from board_driver.doctor.vitals import SquareVitals, Vitals
from board_driver.scan import Scan
from rules.squares import Bitboard, names_of, parse_square, set_of, square_name, squares_of

REST_MS = 3_000
STEADY_MS = 400
RESTLESS = 4
"""Changes of one square while nothing stands on the board: from here on it chatters by itself."""
MOST_ILL = 16
"""Up to so many squares that are known to be ill are left out of the walk; more may all have one cause."""
LEFT_EMPTY = set_of(parse_square(name) for name in ("d1", "e2", "e7", "d8"))
ARRAY: Bitboard = 0xFFFF_0000_0000_FFFF & ~LEFT_EMPTY


class Step(Enum):
    """Where the examination is."""

    EMPTY = "empty"
    WALK = "walk"
    ARRAY = "array"
    DONE = "done"


@dataclass(slots=True)
class Evidence:
    """What was seen."""

    rest: Sequence[SquareVitals] | None = None
    """What each square did while the board was empty; None if that was not watched."""
    stuck: Bitboard = 0
    """Felt all the time while the board was empty."""
    restless: Bitboard = 0
    """Changed again and again while the board was empty."""
    felt: dict[int, Bitboard] = field(default_factory=dict)
    """By the square on which the piece stood: the squares that answered, none if none did."""
    landings: dict[int, SquareVitals] = field(default_factory=dict)
    """By the same: what the square that answered did from the walk's beginning until then."""
    walk: Sequence[SquareVitals] | None = None
    """What each square did during the walk."""
    array: Bitboard | None = None
    """What was felt of the array."""
    unsure: Bitboard = 0
    """Squares that could not be told from ghosts while the array stood."""
    lamps_wrong: list[int] = field(default_factory=list)
    """Squares whose lamp was somewhere else."""


class Examination:
    """One board, step by step. `prompt` says what a person should do now."""

    def __init__(self, layout: Layout, squares: Sequence[int] | None = None) -> None:
        self.vitals = Vitals()
        self.step = Step.EMPTY
        self.evidence = Evidence()
        self._layout = layout
        self._squares = [square for square in squares or range(64) if layout.read >> square & 1]
        self._asked = 0
        self._last: Bitboard = 0
        self._began_ms: int | None = None
        self._changed_ms = 0
        self._now_ms = 0

    # -- what comes in

    def observe(self, scan: Scan) -> None:
        """Take a scan."""
        self.advance(scan.t_ms)
        before = self._answer
        self.vitals.observe(scan)
        if self._answer != before:
            self._changed_ms = scan.t_ms

    def advance(self, now_ms: int) -> None:
        """Let time pass."""
        self._now_ms = now_ms
        match self.step:
            case Step.EMPTY if self._began_ms is not None and now_ms - self._began_ms >= REST_MS:
                self._end_rest()
            case Step.WALK if now_ms - self._changed_ms >= STEADY_MS:
                self._look()
            case _:
                pass

    def confirm(self) -> None:
        """A person says that it is done, whatever is seen."""
        match self.step:
            case Step.EMPTY if self._began_ms is None:
                self._began_ms = self._now_ms
                self.vitals.begin()
            case Step.WALK if self._answer == 0 or self._answer != self._last:
                self._note(self._answer)  # else the piece still stands where it was: Enter came too soon
            case Step.ARRAY:
                self.evidence.array, self.evidence.unsure = self.vitals.occupied, self.vitals.distrusted
                self.step = Step.DONE
            case _:
                pass

    def skip(self) -> None:
        """A person wants the next step."""
        match self.step:
            case Step.EMPTY:
                self._end_rest()
            case Step.WALK:
                self._end_walk()
            case _:
                self.step = Step.DONE

    def end(self) -> None:
        """A person has seen enough: what was seen till now stays."""
        if self.step is Step.WALK:
            self.evidence.walk = self.vitals.squares
        self.step = Step.DONE

    def lamp_is_wrong(self) -> None:
        """A person sees another lamp than that of the square that was asked for."""
        if self.step is Step.WALK:
            self.evidence.lamps_wrong.append(self._squares[self._asked])

    # -- what to do and to show

    @property
    def asked(self) -> int | None:
        """The square on which the piece should be put now."""
        return self._squares[self._asked] if self.step is Step.WALK else None

    @property
    def is_resting(self) -> bool:
        """Whether the empty board is being watched: nothing is to be done."""
        return self.step is Step.EMPTY and self._began_ms is not None

    @property
    def prompt(self) -> str:
        """What a person should do."""
        match self.step:
            case Step.EMPTY if self._began_ms is None:
                return "Take everything off the board, then press Enter."
            case Step.EMPTY:
                return "Hands off for three seconds …"
            case Step.WALK:
                name = square_name(self._squares[self._asked])
                number = f"{self._asked + 1} of {len(self._squares)}"
                return (
                    f"Put one piece on {name} ({number}). Enter: it stands there. n: next step. l: wrong lamp. q: end."
                )
            case Step.ARRAY:
                empty = ", ".join(names_of(LEFT_EMPTY))
                return f"Set up all pieces as for a game, but leave {empty} empty, then press Enter. n: without it."
            case Step.DONE:
                return "Done."

    # -- the steps

    @property
    def _answer(self) -> Bitboard:
        """Squares that feel something which they did not on the empty board, those left out that chatter anyway."""
        return (self.vitals.occupied ^ self.evidence.stuck) & ~self.evidence.restless

    def _end_rest(self) -> None:
        if self._began_ms is not None:
            self.evidence.rest = self.vitals.squares
            self.evidence.restless = self.vitals.changing(RESTLESS)
            self.evidence.stuck = self.vitals.always & ~self.evidence.restless
        ill = self.evidence.stuck | self.evidence.restless
        if ill.bit_count() <= MOST_ILL:
            self._squares = [square for square in self._squares if not ill >> square & 1]
        self.vitals.begin()
        self.step = Step.WALK
        self._last, self._changed_ms = self._answer, self._now_ms
        if not self._squares:
            self._end_walk()

    def _look(self) -> None:
        """Something steady that is not what answered before is the answer; nothing is none."""
        answer = self._answer
        if answer == self._last:
            return
        if answer == 0:
            self._last = 0
        elif not answer & self._last:  # a piece that slides on leaves the old square before long
            self._note(answer)

    def _note(self, answer: Bitboard) -> None:
        square = self._squares[self._asked]
        self.evidence.felt[square] = answer
        if answer:
            first = squares_of(answer)[0]
            self.evidence.landings[square] = replace(self.vitals.squares[first])
        self._last, self._changed_ms = answer, self._now_ms
        self._asked += 1
        if self._asked == len(self._squares):
            self._end_walk()

    def _end_walk(self) -> None:
        self.evidence.walk = self.vitals.squares
        self.vitals.begin()
        self.step = Step.ARRAY
