"""An engine as a process of its own: started when it is needed, asked, and started anew when it fails.

It is spoken to through pipes only, so whatever it is licensed as, it stays a program of its own. Its death, its silence
and its nonsense are messages (`EngineError`), never ours.

House rules:

1. One search at a time. A search that is cancelled is stopped, and its late answer is nobody's.
2. An engine that says nothing for `silence_s`, or thinks for `longest_s`, is asked to answer at once; after `stop_s`
   more it is ended and started anew. So is one that ends by itself, cannot be started, or plays what is not legal.
3. After `TRIES` failures in a row with one position it has failed there: `EngineGaveUpError`.
4. One that was closed is not started any more, whoever still waits for it.
5. It ends with us: asked to quit, then killed. Where we are killed ourselves its input ends, and the service's end
   takes all its processes along.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from board_driver.players.uci import Answer, Phase, Search, Session
from rules.fen import parse_fen
from rules.move import Move
from rules.position import Position
from rules.uci import UciError, parse_uci

TRIES = 3
CHUNK = 1 << 16
QUIT_S = 0.5
STARTS_S = 15.0
"""How long an engine may take to greet; a large network on a slow card takes seconds."""


class EngineError(Exception):
    """What an engine did wrong, in words."""


class EngineGaveUpError(EngineError):
    """It failed several times in a row."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long it may take to greet, say nothing while it thinks, think at all, and answer when told to (seconds)."""

    starts_s: float = STARTS_S
    silence_s: float = 30.0
    longest_s: float = 600.0
    stop_s: float = 3.0


@dataclass(frozen=True, slots=True)
class Chosen:
    """The move that an engine chose, and its answer as it came."""

    move: Move
    answer: Answer


class Engine:
    """One engine. In the loop only. `tell` hears of every failure, in words."""

    def __init__(
        self,
        program: Path,
        wishes: dict[str, str],
        tell: Callable[[str], None],
        patience: Patience | None = None,
        chess960: bool = False,
    ) -> None:
        self.program = program
        self.name = ""
        """What it calls itself; empty until it has been started."""
        self.failures = 0
        """How often it failed."""
        self.remarks: list[str] = []
        self.chess960 = chess960
        """Whether its positions are those of Chess960."""
        self._wishes = wishes
        self._tell = tell
        self._patience = patience or Patience()
        self._process: asyncio.subprocess.Process | None = None
        self._is_closed = False
        self._session = Session(wishes)
        self._answers: deque[Answer] = deque()
        self._turn = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """Its process; None while none runs."""
        return None if self._process is None or self._process.returncode is not None else self._process.pid

    async def choose(self, search: Search) -> Chosen:
        """Its move in that position. Raises EngineGaveUpError, after having told why."""
        async with self._turn:
            position = _position(search, self.chess960)
            for _ in range(TRIES):
                try:
                    await self._start()
                    return _checked(position, await self._ask(search))
                except EngineError as failure:
                    if self._is_closed:
                        raise EngineGaveUpError(_CLOSED) from failure
                    self.failures += 1
                    self._tell(str(failure))
                    await self._end()
            raise EngineGaveUpError(f"it failed {TRIES} times in a row")

    async def greet(self) -> str:
        """Start it, if it does not run, and come to know its name. Raises EngineError."""
        async with self._turn:
            try:
                await self._start()
            except EngineError:
                await self._end()
                raise
            return self.name

    async def close(self) -> None:
        """End it, for good."""
        self._is_closed = True
        process = self._process
        if process is not None and process.returncode is None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.write(b"stop\nquit\n")
            with suppress(TimeoutError):
                async with asyncio.timeout(QUIT_S):
                    await process.wait()
        await self._end()

    # -- inside

    async def _start(self) -> None:
        """Have it run and ready. One whose greeting was cut short by a cancelled search is heard out first."""
        if self.pid is None:
            await self._launch()
        loop = asyncio.get_running_loop()
        until_s = loop.time() + self._patience.starts_s
        while self._session.phase in (Phase.GREETING, Phase.PREPARING):
            await self._listen(until_s - loop.time(), "it does not speak UCI, or is too slow to start")
        self.name, self.remarks = self._session.name or self.program.name, self._session.remarks

    async def _launch(self) -> None:
        await self._end()
        if self._is_closed:
            raise EngineError(_CLOSED)
        self._session = Session(self._wishes)
        self._answers.clear()
        try:
            self._process = await asyncio.create_subprocess_exec(
                self.program,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd="/",
            )
        except OSError as problem:
            raise EngineError(f"it cannot be started: {problem.strerror or problem}") from problem
        if self._is_closed:  # meanwhile
            await self._end()
            raise EngineError(_CLOSED)

    async def _ask(self, search: Search) -> Answer:
        self._answers.clear()
        self._session.ask(search)
        movetime_s = (search.limits.movetime_ms or 0) / 1000
        loop = asyncio.get_running_loop()
        until_s = loop.time() + self._patience.longest_s + movetime_s
        try:
            while not self._answers:
                try:
                    wait_s = min(self._patience.silence_s + movetime_s, until_s - loop.time())
                    await self._listen(wait_s, "it says nothing")
                except EngineError:
                    if self.pid is None:
                        raise
                    await self._hurry()
        except asyncio.CancelledError:
            self._session.withdraw()
            self._send_quietly()
            raise
        return self._answers.popleft()

    async def _hurry(self) -> None:
        self._session.hurry()
        loop = asyncio.get_running_loop()
        until_s = loop.time() + self._patience.stop_s
        while not self._answers:
            await self._listen(until_s - loop.time(), "it says nothing any more")

    async def _listen(self, wait_s: float, complaint: str) -> None:
        """Send what is to be sent and take in what comes next."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(max(0.0, wait_s)):
                process.stdin.write(self._session.take())
                await process.stdin.drain()
                chunk = await process.stdout.read(CHUNK)
        except TimeoutError:
            raise EngineError(complaint) from None
        except OSError:
            chunk = b""
        if not chunk:
            raise EngineError(f"it ended by itself{await _how(process)}")
        self._answers += self._session.receive(chunk)

    def _send_quietly(self) -> None:
        process = self._process
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.write(self._session.take())

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(2.0):
                await process.wait()


_CLOSED = "it was sent away"


async def _how(process: asyncio.subprocess.Process) -> str:
    """How a process that says no more has ended, in words; it is killed if it has not."""
    with suppress(TimeoutError):
        async with asyncio.timeout(1.0):
            code = await process.wait()
            return f" (signal {-code})" if code < 0 else f" (exit status {code})"
    with suppress(ProcessLookupError):
        process.kill()
    return ""


def _position(search: Search, chess960: bool) -> Position:
    position = parse_fen(search.start_fen, chess960=chess960)
    for uci in search.moves:
        position = position.play(parse_uci(position, uci))
    return position


def _checked(position: Position, answer: Answer) -> Chosen:
    if answer.uci is None:
        raise EngineError("it sees no move, though there is one")
    try:
        return Chosen(parse_uci(position, answer.uci), answer)
    except UciError:
        raise EngineError(f"it played {answer.uci}, which is not legal") from None
