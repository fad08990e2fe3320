"""Stands beside a daemon and trains: sets up one task after the other, and says whether what is played is right.

A task that is given up (resigned, agreed drawn, decided) is set once more. Who begins another game leaves the training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from board_driver.daemon import Daemon
from board_driver.events import Ended, Event, Moved, Notice, Revised
from board_driver.mind import Settings
from board_driver.scan import Command, Hint
from board_driver.teaching.blackboard import Blackboard, Instructor
from board_driver.training.task import Progress, Task, standing
from board_driver.wording.language import Language
from board_driver.wording.telling import told_move
from rules.fen import START_FEN, write_fen
from rules.move import Move
from rules.outcome import Reason
from rules.san import write_san
from rules.squares import Colour
from rules.uci import write_uci

BY_POSITION = frozenset({Reason.CHECKMATE, Reason.STALEMATE, Reason.DEAD_POSITION, Reason.FIVEFOLD, Reason.SEVENTYFIVE})
"""Ends that a move made, which may be taken back."""


class Trainer(Instructor):
    """Sets `tasks` on a daemon's board, one after the other."""

    pause_s = 4.0

    def __init__(self, daemon: Daemon, language: Language, tasks: Sequence[Task], say: Callable[[str], None]) -> None:
        super().__init__(daemon, language, say)
        self._tasks = tuple(tasks)
        self._number = 0
        self._next_number = 1
        """Of the task that comes once this one is done, or given up."""
        self._set_task()
        daemon.listen(self._hear)

    async def run(self) -> None:
        """Set the first task as soon as the board is there, and go on from task to task until cancelled."""
        await self._daemon.ready.wait()
        self._look()
        await super().run()

    @property
    def _task(self) -> Task | None:
        return self._tasks[self._number] if self._number < len(self._tasks) else None

    def _hear(self, events: Sequence[Event]) -> None:
        if self._task is not None and self._daemon.mind.games()[-1].start.key() != self._task.start.key():
            self._leave()
        for event in events:
            match event:
                case Notice(kind="hint-asked"):
                    self._advise()
                case Moved() | Revised():
                    self._look()
                case Ended() if event.reason not in BY_POSITION:
                    self._give_up()
                case _:
                    pass

    def _leave(self) -> None:
        """Somebody has begun a game that is no task."""
        self._number = len(self._tasks)
        self._write(Blackboard())

    def _give_up(self) -> None:
        """The task was not done, and no move can be taken back any more: it comes once more."""
        if self._task is not None and not self._done.is_set():
            self._next_number = self._number
            self._done.set()

    def _moves(self) -> list[Move]:
        return [ply.move for ply in self._daemon.mind.games()[-1].plies]

    def _look(self) -> None:
        """Compare the game with the task, and say or ask what follows from it."""
        task = self._task
        if task is None or self._done.is_set():
            return
        moves = self._moves()
        found = standing(task, moves)
        match found.progress:
            case Progress.DONE:
                self._remark("training.done", is_right=True)
                self._next_number = self._number + 1
                self._done.set()
            case Progress.WRONG:
                self._remark("training.wrong", is_right=False)
            case Progress.ON:
                self._go_on(task, found.following, len(moves))

    def _go_on(self, task: Task, following: Move | None, plies: int) -> None:
        assert following is not None
        if task.side(plies) in task.pupil:
            if plies:
                self._remark("training.right", is_right=True)
            else:
                self._write(replace(self.blackboard, remark="", is_right=False))
            return
        position = task.start.played(task.line[:plies])
        uci = write_uci(position, following)
        self._daemon.inbox.put(Command(self._daemon.clock.now_ms(), uci, write_fen(position)))

    def _advise(self) -> None:
        """Show the move that the line goes on with."""
        task = self._task
        if task is None:
            return
        moves = self._moves()
        found = standing(task, moves)
        if found.progress is not Progress.ON or found.following is None:
            return
        position = task.start.played(moves)
        uci = write_uci(position, found.following)
        self._say(told_move(write_san(position, found.following), self._language))
        self._daemon.inbox.put(Hint(self._daemon.clock.now_ms(), uci, write_fen(position)))

    def _next(self) -> None:
        if self._task is None:
            return
        self._number = self._next_number
        self._begin(settings_for(self._daemon.settings, self._task))
        self._set_task()
        self._look()

    def _set_task(self) -> None:
        task = self._task
        if task is None:
            text = self._language.say("training.all_done")
        else:
            number = self._language.say("training.of", number=str(self._number + 1), count=str(len(self._tasks)))
            text = f"{number}: {task.name}. {self._what_to_do(task)}"
        self._say(text)
        self._write(Blackboard(text))

    def _what_to_do(self, task: Task) -> str:
        if len(task.pupil) == len(Colour):
            return self._language.say("training.follow")
        (side,) = task.pupil
        return self._language.say("training.find", side=self._language.side(side))

    def _remark(self, key: str, is_right: bool) -> None:
        remark = self._language.say(key)
        if remark != self.blackboard.remark:
            self._say(remark)
        self._write(replace(self.blackboard, remark=remark, is_right=is_right))


def settings_for(settings: Settings, task: Task | None) -> Settings:
    """How a game of that task is read: moves may be taken back, and the side that is not the pupil's has no hands."""
    if task is None:
        return replace(settings, start_fen=START_FEN, chess960=False, handless=frozenset())
    fen = write_fen(task.start)
    return replace(settings, start_fen=fen, chess960=task.start.chess960, handless=frozenset(Colour) - task.pupil)
