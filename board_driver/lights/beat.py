"""Lines switched in a steady beat, by a thread: lamps lit row by row, and dim ones by pulse width.

A beat goes through its *steps*; each is on for a share of its time and off for the rest. A computer that is busy is
late now and then, and the eye sees that as a slight flicker; nothing is ever left on, because a step is always ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import sleep


@dataclass(frozen=True, slots=True)
class Step:
    """Something that is on for a while. Both may raise OSError when the lines are gone."""

    on: Callable[[], object]
    off: Callable[[], object]


class Beat:
    """Goes through the newest steps, `hz` times a second through all of them, until it is stopped."""

    def __init__(self, hz: float, wait: Callable[[float], object] = sleep) -> None:
        self._hz = hz
        self._wait = wait
        self._lock = Lock()
        self._steps: tuple[Step, ...] = ()
        self._level = 0.0
        self._playing = Event()
        self._stopping = False
        self._problem: OSError | None = None
        self._thread = Thread(target=self._run, name="lamps", daemon=True)
        self._thread.start()

    def play(self, steps: Sequence[Step], level: float) -> None:
        """From now on these steps, each on for that share of its time; none: rest. Raises OSError if a step failed."""
        with self._lock:
            self._steps, self._level = tuple(steps), min(1.0, max(0.0, level))
            if self._steps and self._level:
                self._playing.set()
            else:
                self._playing.clear()
        if self._problem is not None:
            raise self._problem

    def stop(self) -> None:
        """End; all steps are off when this returns."""
        self._stopping = True
        self._playing.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._playing.wait()
            if self._stopping:
                return
            with self._lock:
                steps, level = self._steps, self._level
            try:
                self.round(steps, level)
            except OSError as problem:
                self._problem = problem
                return

    def round(self, steps: Sequence[Step], level: float) -> None:
        """All of them once."""
        each_s = 1 / (self._hz * max(1, len(steps)))
        for step in steps:
            step.on()
            try:
                self._wait(each_s * level)
            finally:
                with suppress(OSError):
                    step.off()
            if level < 1:
                self._wait(each_s * (1 - level))
