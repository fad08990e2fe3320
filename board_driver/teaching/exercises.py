"""Exercises: a position, a task, and what shows that it was done [pure]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from board_driver.events import Ended, Event, Irregular, Moved
from rules.irregularity import Why
from rules.move import Move

Shown = Callable[[Event, Move | None], bool]
"""Whether an event, with the last move of the game, shows that the task was done."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise. Its words are `exercise.NAME` (the task) and `exercise.NAME.done` in the translation files."""

    name: str
    fen: str
    is_done: Shown


def _moved(test: Callable[[str, Move], bool]) -> Shown:
    return lambda event, last: isinstance(event, Moved) and last is not None and test(event.san, last)


def _ended(reason: str) -> Shown:
    return lambda event, _: isinstance(event, Ended) and event.reason == reason


def _irregular(why: Why) -> Shown:
    return lambda event, _: isinstance(event, Irregular) and event.why == why.value


EXERCISES = (
    Exercise("touch", "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", _moved(lambda san, _: san.startswith("R"))),
    Exercise(
        "castling", "4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQ - 0 1", _moved(lambda san, _: san.startswith("O-O"))
    ),
    Exercise("attacked", "4kr2/8/8/8/8/8/4P1PP/4K2R w K - 0 1", _irregular(Why.CASTLE_THROUGH_CHECK)),
    Exercise("en-passant", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", _moved(lambda _, move: move.is_en_passant)),
    Exercise("promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", _moved(lambda _, move: move.promotion is not None)),
    Exercise("check", "4r1k1/8/8/8/8/2N5/3P1P2/3QKB2 w - - 0 1", _moved(lambda *_: True)),
    Exercise("checkmate", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", _ended("checkmate")),
    Exercise("stalemate", "7k/5K2/8/8/6Q1/8/8/8 w - - 0 1", _ended("stalemate")),
)
