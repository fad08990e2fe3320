"""Virtual time: a log's inputs through a mind, with every timer fired at its time [pure].

The same inputs always give the same events: nothing here sleeps or reads a clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from board_driver.events import Event
from board_driver.mind import Mind
from board_driver.scan import Input
from board_driver.sensorlog.errors import SensorLogError

RUN_ON_LIMIT_MS = 5 * 24 * 3600 * 1000
"""How long after the last input a mind may still be waiting for something, such as for the flag of a chess clock with
up to a hundred hours; longer means that it never stops."""


def play_out(mind: Mind, inputs: Iterable[Input]) -> Iterator[Event]:
    """Everything that is decided, in order. After the last input time runs on until no timer is left.

    Where the inputs break off with a SensorLogError, what was read is played out to its end and then it is raised.
    """
    broken: SensorLogError | None = None
    now_ms: int | None = None
    try:
        for item in inputs:
            yield from _advance(mind, item.t_ms)
            yield from mind.receive(item)
            now_ms = item.t_ms
    except SensorLogError as problem:
        broken = problem
    if now_ms is not None:
        yield from _advance(mind, now_ms + RUN_ON_LIMIT_MS)
        assert mind.next_wake_ms() is None, "a mind whose timers never end"
    if broken is not None:
        raise broken


def _advance(mind: Mind, until_ms: int) -> Iterator[Event]:
    """Fire every timer that is due up to `until_ms`."""
    before: int | None = None
    while (wake_ms := mind.next_wake_ms()) is not None and wake_ms <= until_ms:
        assert before is None or wake_ms > before, "a timer that fires again without time going on"
        before = wake_ms
        yield from mind.advance(wake_ms)
