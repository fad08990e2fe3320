"""Moves and rulings spoken aloud by espeak-ng, a program of its own that is optional.

House rules:

1. One thing is said at a time. What waits is at most `WAITING` sentences; of more the oldest moves give way, since a
   sentence about a move long past helps nobody.
2. What is wrong is said before what waits, and nothing is cut off in the middle of a word.
3. The text goes to the program's standard input, so that nothing in it can be an option.
4. A program that is missing, or that hangs, is told once as a fault; the game never waits for a voice.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from contextlib import suppress

from board_driver.daemon import Daemon
from board_driver.events import Event, Irregular, Moved
from board_driver.wording.language import Language
from board_driver.wording.telling import tell

PROGRAM = "espeak-ng"
WORDS_A_MINUTE = 150
WAITING = 4
PATIENCE_S = 20.0
"""A sentence that is not said by then never will be."""


class Speaker:
    """Says what a daemon decides, in one language."""

    def __init__(self, daemon: Daemon, language: Language, program: str = PROGRAM) -> None:
        self._daemon = daemon
        self._language = language
        self._program = program
        self._waiting: list[tuple[str, bool]] = []
        """Sentences, and whether each is only about a move."""
        self._news = asyncio.Event()

    async def run(self) -> None:
        """Listen and speak until cancelled. A voice that is not there is told once."""
        if shutil.which(self._program) is None:
            self._complain(f"expected the program {self._program} for the voice, but it is not installed")
            return
        forget = self._daemon.listen(self._hear)
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                while self._waiting:
                    sentence, _ = self._waiting.pop(0)
                    if not await self._say(sentence):
                        return
        finally:
            forget()

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            sentence = tell(event, self._language, self._daemon.mind.games()[-1])
            if sentence and (not self._waiting or self._waiting[-1][0] != sentence):
                self._add(sentence, event)

    def _add(self, sentence: str, event: Event) -> None:
        if isinstance(event, Irregular):
            self._waiting = [waiting for waiting in self._waiting if not waiting[1]]
        self._waiting.append((sentence, isinstance(event, Moved)))
        if len(self._waiting) > WAITING:
            oldest = next((i for i, (_, is_move) in enumerate(self._waiting) if is_move), 0)
            del self._waiting[oldest]
        self._news.set()

    async def _say(self, sentence: str) -> bool:
        """Say it; False if the program cannot."""
        options = ("-v", self._language.voice, "-s", str(WORDS_A_MINUTE), "--stdin")
        try:
            process = await asyncio.create_subprocess_exec(
                self._program,
                *options,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except OSError as problem:
            self._complain(f"expected {self._program} to run, got: {problem.strerror}")
            return False
        try:
            async with asyncio.timeout(PATIENCE_S):
                await process.communicate(sentence.encode())
        except TimeoutError:
            self._complain(f"expected {self._program} to speak within {PATIENCE_S:.0f} s: is there a sound device?")
            return False
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        return True

    def _complain(self, text: str) -> None:
        self._daemon.inbox.report("voice", f"{text}; there will be no voice")
