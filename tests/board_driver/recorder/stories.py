"""Stories of games: what the hands did, told in tokens, played on a board that is scanned at some rate, maybe noisily.

| token | what the hands do |
|---|---|
| `e2e4` | think, then make that move with the pieces as they stand; victims leave first, kings castle first |
| `-e2` `+e4` | lift; set down what was lifted last |
| `+e4=Q` | set that piece down, from the tray or the hand |
| `-e4/+e2` | several of these at once |
| `~800` | wait for so many milliseconds |
| `press:white`, `takeback:black`, `result:1-0` … | a press of the clock, or a button |
| `array` | put every piece of the start array home, in any order, each after a short while |
| `turned` | the same with White at the far side |
| `sweep` | take everything off, piece after piece |
| `far:e2e4` | that move by players who sit the other way round |
| `setup:…` | put the pieces of that placement (a FEN up to its first space) where they belong, in any order |
| `fen:…` | the pieces stand so, all at once (up to the first space of a FEN) |
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from board_driver.mind import Settings
from board_driver.recorder.turns import Turn
from board_driver.scan import Button, ButtonName, Input, Press, Scan, Sensing
from rules.fen import START_FEN
from rules.pieces import PIECES, Piece, Role
from rules.squares import Colour, parse_square, square_name
from tests.board_driver.gamelog import reading_of

DATA = Path(__file__).parents[2] / "data"
CARRY_MS, THINK_MS = 450, 1600
"""How long a piece is in the hand, and how long a player thinks."""
TIDY_MS = 350
"""How long a piece takes when the board is set up or cleared."""

Men = dict[int, Piece]


@dataclass(frozen=True, slots=True)
class Story:
    """One story and how it must be written down."""

    id: str
    about: str
    hands: str
    games: tuple[str, ...]
    """The moves of each game in which one was made."""
    start_fen: str = START_FEN
    result: str | None = None
    """The last game's result; None where it does not matter."""
    results: tuple[str, ...] | None = None
    """The result of each game in which a move was made."""
    says: tuple[str, ...] = ()
    """Kinds of notices or irregularities that must be told."""
    silent: tuple[str, ...] = ()
    """Kinds that must not be told."""
    lies: Turn = Turn.AS_IS
    """How the board lies."""
    sensing: Sensing = Sensing.OCCUPANCY
    think_ms: int = THINK_MS
    uncertain: tuple[int, ...] | None = None
    """The doubtful plies of the last game; None where it does not matter."""
    rates: tuple[int, ...] = (10, 20, 50)
    noisy: bool = True
    """Is it told with sensor noise too?"""

    def settings(self) -> Settings:
        return Settings(start_fen=self.start_fen, sensing=self.sensing)


def read_stories(path: Path = DATA / "stories.jsonl") -> list[Story]:
    """The stories of a file."""
    return [_story(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _story(told: dict[str, Any]) -> Story:
    for key in ("games", "results", "says", "silent", "uncertain", "rates"):
        if key in told:
            told[key] = tuple(told[key])
    if "lies" in told:
        told["lies"] = Turn[told["lies"]]
    if "sensing" in told:
        told["sensing"] = Sensing(told["sensing"])
    return Story(**told)


# ---------------------------------------------------------------------- hands
@dataclass(slots=True)
class _Table:
    """The board, and what has happened on it: (time, men) and the inputs beside scans."""

    men: Men
    think_ms: int
    rng: Random
    t_ms: int = 1000
    hand: list[Piece] = field(default_factory=list)
    frames: list[tuple[int, Men]] = field(default_factory=list)
    inputs: list[Input] = field(default_factory=list)

    def show(self) -> None:
        self.frames.append((self.t_ms, dict(self.men)))

    def play(self, token: str) -> None:
        if token[0] in "+-":
            self.t_ms += CARRY_MS
            for step in token.split("/"):
                self._touch(step)
            self.show()
        elif token[0] == "~":
            self.t_ms += int(token[1:])
        elif token.startswith("fen:"):
            self.t_ms += CARRY_MS
            self.men = placement(token[4:])
            self.show()
        elif token.startswith("setup:"):
            self._set_up(placement(token[6:]))
        elif token.startswith("far:"):
            self._move(far(token[4:6]) + far(token[6:8]) + token[8:])
        elif ":" in token:
            self._press(*token.split(":"))
        elif token == "array":
            self._set_up(placement(START_FEN))
        elif token == "turned":
            self._set_up({63 - square: piece for square, piece in placement(START_FEN).items()})
        elif token == "sweep":
            for square in sorted(self.men, key=lambda _: self.rng.random()):
                self._tidy(square, None)
        else:
            self._move(token)

    def _touch(self, step: str) -> None:
        square = parse_square(step[1:3])
        if step[0] == "-":
            self.hand.append(self.men.pop(square))
        else:
            piece = PIECES[step[4]] if "=" in step else self.hand.pop()
            if "=" in step and piece in self.hand:
                self.hand.remove(piece)
            self.men[square] = piece

    def _press(self, name: str, value: str) -> None:
        self.t_ms += CARRY_MS
        if name == "press":
            self.inputs.append(Press(self.t_ms, Colour.WHITE if value == "white" else Colour.BLACK))
        else:
            self.inputs.append(Button(self.t_ms, ButtonName(name), value))

    def _move(self, uci: str) -> None:
        self.t_ms += self.think_ms
        origin, landing = parse_square(uci[:2]), parse_square(uci[2:4])
        piece = self.men[origin]
        victim: int = landing
        if piece.role is Role.PAWN and origin % 8 != landing % 8 and landing not in self.men:
            victim = origin // 8 * 8 + landing % 8
        if victim in self.men:
            del self.men[victim]
            self.show()
            self.t_ms += CARRY_MS
        del self.men[origin]
        self.show()
        self._put(landing, PIECES[uci[4].upper() if piece.colour is Colour.WHITE else uci[4]] if uci[4:] else piece)
        if piece.role is Role.KING and abs(origin % 8 - landing % 8) == 2:
            rook = origin // 8 * 8 + (7 if landing > origin else 0)
            self.t_ms += CARRY_MS
            rook_piece = self.men.pop(rook)
            self.show()
            self._put((origin + landing) // 2, rook_piece)

    def _put(self, square: int, piece: Piece) -> None:
        self.t_ms += CARRY_MS
        self.men[square] = piece
        self.show()

    def _tidy(self, square: int, to: int | None) -> None:
        self.t_ms += TIDY_MS
        piece = self.men.pop(square)
        self.show()
        if to is not None:
            self.t_ms += TIDY_MS
            self.men[to] = piece
            self.show()

    def _set_up(self, wanted: Men) -> None:
        while self.men != wanted:
            free = [s for s in wanted if s not in self.men]
            wrong = [s for s, piece in self.men.items() if wanted.get(s) is not piece]
            homes = [(s, to) for s in wrong for to in free if wanted[to] is self.men[s]]
            if homes:
                self._tidy(*self.rng.choice(sorted(homes)))
            elif wrong:
                self._tidy(self.rng.choice(sorted(wrong)), None)
            else:
                square = self.rng.choice(sorted(free))
                self.t_ms += TIDY_MS
                self.men[square] = wanted[square]
                self.show()


def far(name: str) -> str:
    """The square that lies there for players at the other sides of the board."""
    return square_name(63 - parse_square(name))


def placement(fen: str) -> Men:
    """The pieces of a FEN's first field by their squares; any pieces, or none."""
    men: Men = {}
    for index, rank in enumerate(fen.split(maxsplit=1)[0].split("/")):
        file = 0
        for letter in rank:
            if letter in PIECES:
                men[(7 - index) * 8 + file] = PIECES[letter]
            file += 1 if letter in PIECES else int(letter)
    return men


# ---------------------------------------------------------------------- scans
@dataclass(slots=True)
class _Noise:
    """Squares that read wrong for a scan or two, and contacts that bounce."""

    rng: Random
    wrong: dict[int, int] = field(default_factory=dict)

    def on(self, men: Men, changed: set[int]) -> Men:
        shown = dict(men)
        for square in changed:
            if self.rng.random() < 0.3:
                self.wrong[square] = 1
        if self.rng.random() < 0.004:
            self.wrong[self.rng.randrange(64)] = self.rng.randrange(1, 3)
        for square, scans in list(self.wrong.items()):
            if shown.pop(square, None) is None:
                shown[square] = PIECES["P"]
            self.wrong[square] = scans - 1
            if scans == 1:
                del self.wrong[square]
        return shown


def told(story: Story, hz: int, seed: int = 1, *, noisy: bool = False) -> list[Input]:
    """The story as inputs in order of time."""
    table = _Table(placement(story.start_fen), story.think_ms, Random(seed))
    table.show()
    for token in story.hands.split():
        table.play(token)
    table.t_ms += 6000
    noise = _Noise(Random(f"{story.id}{hz}{seed}")) if noisy else None
    return sorted([*table.inputs, *_scans(story, table, hz, noise)], key=lambda item: item.t_ms)


def _scans(story: Story, table: _Table, hz: int, noise: _Noise | None) -> Iterator[Scan]:
    frames = table.frames
    index, last, before = 0, None, frames[0][1]
    sensor_of = [0] * 64
    for sensor in range(64):
        sensor_of[story.lies.square(sensor)] = sensor
    for tick in range((table.t_ms - 500) * hz // 1000):
        t_ms = 500 + tick * 1000 // hz
        while index + 1 < len(frames) and frames[index + 1][0] <= t_ms:
            index += 1
        men = frames[index][1]
        shown = men
        if noise is not None:
            shown = noise.on(men, {s for s in men.keys() | before.keys() if men.get(s) is not before.get(s)})
        before = men
        reading = reading_of({sensor_of[square]: piece for square, piece in shown.items()}, story.sensing)
        if reading != last:
            yield Scan(t_ms, reading)
            last = reading
