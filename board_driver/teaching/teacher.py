"""Stands beside a daemon and explains: a lesson for each ruling, and one exercise after the other, if there are any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from board_driver.daemon import Daemon
from board_driver.events import Event
from board_driver.teaching.blackboard import Blackboard, Instructor
from board_driver.teaching.exercises import Exercise
from board_driver.teaching.lessons import Topic, lesson, topic_of
from board_driver.wording.language import Language
from rules.fen import START_FEN


class Teacher(Instructor):
    """Explains what a daemon decides."""

    pause_s = 6.0

    def __init__(
        self, daemon: Daemon, language: Language, exercises: Sequence[Exercise], say: Callable[[str], None]
    ) -> None:
        super().__init__(daemon, language, say)
        self._exercises = tuple(exercises)
        self._number = 0
        self._explained: set[Topic] = set()
        self._set_task()
        daemon.listen(self._hear)

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            plies = self._daemon.mind.games()[-1].plies
            last = plies[-1].move if plies else None
            topic = topic_of(event, last)
            if topic is not None and not (topic.goes_well and topic in self._explained):
                self._explain(topic)
            exercise = self._exercise
            if exercise is not None and not self._done.is_set() and exercise.is_done(event, last):
                self._praise(exercise)

    def _explain(self, topic: Topic) -> None:
        self._explained.add(topic)
        found = lesson(topic, self._language)
        if found == self.blackboard.lesson:
            return
        self._say(f"{found.title} ({found.article}). {found.text}")
        self._write(replace(self.blackboard, lesson=found))

    def _praise(self, exercise: Exercise) -> None:
        praise = self._language.say(f"exercise.{exercise.name}.done")
        self._say(praise)
        self._write(replace(self.blackboard, remark=praise, is_right=True))
        self._done.set()

    @property
    def _exercise(self) -> Exercise | None:
        return self._exercises[self._number] if self._number < len(self._exercises) else None

    def _next(self) -> None:
        self._number += 1
        self._explained.clear()
        fen = START_FEN if self._exercise is None else self._exercise.fen
        self._begin(replace(self._daemon.settings, start_fen=fen, chess960=False))
        self._set_task()

    def _set_task(self) -> None:
        exercise = self._exercise
        if exercise is None:
            task = self._language.say("exercise.all_done") if self._exercises else ""
        else:
            values = {"number": str(self._number + 1), "count": str(len(self._exercises))}
            task = f"{self._language.say('exercise.of', **values)}: {self._language.say(f'exercise.{exercise.name}')}"
        if task:
            self._say(task)
        self._write(Blackboard(task))
