"""A progress bar on a terminal; where there is none, nothing is written."""

from __future__ import annotations

from typing import TextIO

_WIDTH = 24


class ProgressBar:
    """Counts steps out of `total` on one line of `stream`, which it clears before anything else is written."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self._total = total
        self._stream = stream
        self._wanted = total > 1 and stream.isatty()
        self._drawn = False

    def step(self, done: int, name: str) -> None:
        """`done` steps are finished, and `name` is what comes next."""
        if self._wanted:
            full = _WIDTH * done // self._total
            bar = "#" * full + "." * (_WIDTH - full)
            self._stream.write(f"\r\x1b[K[{bar}] {done}/{self._total} {name[-40:]}")
            self._stream.flush()
            self._drawn = True

    def clear(self) -> None:
        """Make room for other lines."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = False
