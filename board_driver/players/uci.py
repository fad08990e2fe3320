"""The UCI protocol from the side that asks [pure]: what is sent when, and what an engine's messages mean there.

An engine answers `uci` with its name and options and `uciok`, `isready` with `readyok`, and `go` with any number of
`info` lines and one `bestmove`. It owes that `bestmove` after `stop` too, so after a search that is no longer wanted
the next one waits for it: an old answer is never taken for a new one.

House rules:

1. Options that an engine does not have are not set; numbers are brought into its range. Both are told in `remarks`.
2. Told nothing else, an engine has one thread and 16 MB, and does not think in the other side's time: small machines
   have better to do.
3. A message that does not belong where it comes is nothing.
4. Nothing here waits: how long an answer may take is for the process (`engine`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from board_driver.players.ucilines import BestMove, Info, Lines, Message, Named, Option, ReadyOk, UciOk, number, parse

BASICS = {"Threads": "1", "Hash": "16", "Ponder": "false"}


@dataclass(frozen=True, slots=True)
class Times:
    """What the clocks show, and what each move gives (milliseconds)."""

    white_ms: int
    black_ms: int
    white_gain_ms: int = 0
    black_gain_ms: int = 0
    moves_to_go: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an engine may think. Whatever is reached first ends the search."""

    depth: int | None = None
    nodes: int | None = None
    movetime_ms: int | None = None
    times: Times | None = None

    def line(self) -> str:
        """The command that begins such a search."""
        words = ["go"]
        if self.times is not None:
            words += ["wtime", str(max(1, self.times.white_ms)), "btime", str(max(1, self.times.black_ms))]
            words += ["winc", str(self.times.white_gain_ms), "binc", str(self.times.black_gain_ms)]
            if self.times.moves_to_go is not None:
                words += ["movestogo", str(self.times.moves_to_go)]
        for word, value in (("depth", self.depth), ("nodes", self.nodes), ("movetime", self.movetime_ms)):
            if value is not None:
                words += [word, str(value)]
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class Search:
    """A position, as the game came to it, and how long to think about it."""

    start_fen: str
    moves: tuple[str, ...]
    limits: Limits

    def continues(self, before: Search) -> bool:
        """Whether it belongs to the same game; the last plies of that may have been taken back."""
        same = min(len(self.moves), len(before.moves))
        return self.start_fen == before.start_fen and self.moves[:same] == before.moves[:same]

    def lines(self) -> tuple[str, str]:
        """The two commands that begin it."""
        moves = f" moves {' '.join(self.moves)}" if self.moves else ""
        return f"position fen {self.start_fen}{moves}", self.limits.line()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a search: a move (None: the engine sees none) and what it thinks of the position, if it said so."""

    search: Search
    uci: str | None
    info: Info | None


class Phase(Enum):
    """How far the conversation is."""

    GREETING = auto()
    PREPARING = auto()
    IDLE = auto()
    SEARCHING = auto()
    STOPPING = auto()


class Session:
    """One conversation with one engine. Bytes of its go into `receive`; what is to be sent comes out of `take`."""

    def __init__(self, wishes: Mapping[str, str]) -> None:
        """`wishes` are the options to set, by name."""
        self.phase = Phase.GREETING
        self.name = ""
        self.remarks: list[str] = []
        """What was wished for and cannot be, in words."""
        self._wishes = dict(wishes)
        self._options: dict[str, Option] = {}
        self._lines = Lines()
        self._out: list[str] = ["uci"]
        self._search: Search | None = None
        self._next: Search | None = None
        self._before: Search | None = None
        """What it was asked last; it knows that game."""
        self._info: Info | None = None

    def take(self) -> bytes:
        """What is to be sent now."""
        out, self._out = self._out, []
        return "".join(f"{line}\n" for line in out).encode()

    def ask(self, search: Search) -> None:
        """Think about this now; what was thought about before is no longer wanted."""
        self._next = search
        self._stop()
        self._begin_next()

    def withdraw(self) -> None:
        """Nothing is wanted any more."""
        self._next = None
        self._stop()

    def hurry(self) -> None:
        """The answer is wanted now, as it stands."""
        if self.phase is Phase.SEARCHING:
            self._out.append("stop")

    def receive(self, chunk: bytes) -> list[Answer]:
        """Take bytes of the engine in; the answers in them."""
        answers: list[Answer] = []
        for line in self._lines.feed(chunk):
            message = parse(line)
            if message is not None and (answer := self._hear(message)) is not None:
                answers.append(answer)
        return answers

    def _hear(self, message: Message) -> Answer | None:
        match message:
            case Named(name):
                self.name = self.name or name
            case Option() if self.phase is Phase.GREETING:
                self._options.setdefault(message.name.lower(), message)
            case UciOk() if self.phase is Phase.GREETING:
                self._out += [*self._settings(), "ucinewgame", "isready"]
                self.phase = Phase.PREPARING
            case ReadyOk() if self.phase is Phase.PREPARING:
                self.phase = Phase.IDLE
                self._begin_next()
            case Info() if self.phase is Phase.SEARCHING:
                self._info = message
            case BestMove(uci) if self.phase in (Phase.SEARCHING, Phase.STOPPING):
                return self._finish(uci)
            case _:
                pass
        return None

    def _finish(self, uci: str | None) -> Answer | None:
        search, wanted = self._search, self.phase is Phase.SEARCHING
        self._search, self.phase = None, Phase.IDLE
        self._begin_next()
        return Answer(search, uci, self._info) if wanted and search is not None else None

    def _begin_next(self) -> None:
        if self.phase is Phase.IDLE and self._next is not None:
            self._search, self._next, self._info = self._next, None, None
            if self._before is not None and not self._search.continues(self._before):
                self._out += ["ucinewgame", "isready"]
            self._before = self._search
            self._out += self._search.lines()
            self.phase = Phase.SEARCHING

    def _stop(self) -> None:
        if self.phase is Phase.SEARCHING:
            self._out.append("stop")
            self.phase = Phase.STOPPING

    def _settings(self) -> Iterator[str]:
        wished = {name.lower() for name in self._wishes}
        for name, value in BASICS.items():
            if name.lower() in self._options and name.lower() not in wished:
                yield f"setoption name {name} value {value}"
        for name, value in self._wishes.items():
            option = self._options.get(name.lower())
            if option is None:
                self.remarks.append(f"it has no option {name}")
                continue
            fitting = _fitting(option, value)
            if fitting != value:
                reach = f"{option.low} to {option.high}"
                self.remarks.append(f"{name} is {fitting} instead of {value}, since it takes {reach}")
            yield f"setoption name {option.name} value {fitting}"


def _fitting(option: Option, value: str) -> str:
    wished = number([value])
    if option.kind != "spin" or wished is None:
        return value
    if option.low is not None:
        wished = max(wished, option.low)
    if option.high is not None:
        wished = min(wished, option.high)
    return str(wished)
