"""The teacher beside a daemon, and the command."""

from __future__ import annotations

import asyncio

import pytest

from board_driver import cli
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.events import Event, Irregular, Moved
from board_driver.mind import Mode, Settings
from board_driver.teaching.exercises import EXERCISES, Exercise
from board_driver.teaching.teacher import Teacher
from board_driver.wording.language import language
from rules.fen import START_FEN, parse_fen

RELEASED = Irregular(1, "released", None, "touch", False, "No.", "4.7")
CHECK = Moved(1, "Qh5+", "d1h5", "", 1, False)


def teacher_of(*exercises: Exercise) -> tuple[Teacher, Daemon, list[str]]:
    fen = exercises[0].fen if exercises else START_FEN
    said: list[str] = []
    daemon = Daemon(VirtualBoard(parse_fen(fen)), Settings(mode=Mode.PLAY, start_fen=fen))
    return Teacher(daemon, language("en"), exercises, said.append), daemon, said


def hear(daemon: Daemon, *events: Event) -> None:
    daemon._tell(events)


def test_rulings_are_explained_and_what_went_well_only_once() -> None:
    async def scene() -> None:
        teacher, daemon, said = teacher_of()
        changes: list[str] = []
        teacher.watch(lambda: changes.append(str(teacher.blackboard.lesson and teacher.blackboard.lesson.title)))
        hear(daemon, CHECK, RELEASED, CHECK, RELEASED)
        assert [line.partition(".")[0] for line in said] == ["Check (3", "Let go, played (4"]
        assert changes == ["Check", "Let go, played"]
        assert teacher.blackboard.lesson is not None
        assert teacher.blackboard.lesson.article == "4.7"

    asyncio.run(scene())


def test_one_exercise_follows_another_and_then_the_board_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Teacher, "pause_s", 0.0)
    first, second = EXERCISES[5], EXERCISES[1]

    async def scene() -> None:
        teacher, daemon, said = teacher_of(first, second)
        life = asyncio.create_task(daemon.run())
        task = asyncio.create_task(teacher.run())
        await daemon.ready.wait()
        assert teacher.blackboard.task.startswith("Exercise 1 of 2: White is in check")
        hear(daemon, CHECK)
        assert not teacher.blackboard.remark  # no ply was made on the board
        teacher._praise(first)
        assert teacher.blackboard.remark == "The king is safe."
        async with asyncio.timeout(10):
            while daemon.settings.start_fen != second.fen:
                await asyncio.sleep(0.005)
        assert teacher.blackboard.task.startswith("Exercise 2 of 2: Castle")
        assert not teacher.blackboard.remark
        teacher._praise(second)
        async with asyncio.timeout(10):
            while daemon.settings.start_fen != START_FEN:
                await asyncio.sleep(0.005)
        assert teacher.blackboard.task == "All exercises are done. The board is yours."
        assert said[-1] == teacher.blackboard.task
        daemon.stop()
        task.cancel()
        await asyncio.gather(life, task, return_exceptions=True)

    asyncio.run(scene())


@pytest.mark.parametrize(("options", "word"), [([], "Castle on either side"), (["--language", "zh"], "易位")])
def test_the_exercises_are_listed(options: list[str], word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["teach", "--list", *options]) == 0
    out = capsys.readouterr().out
    assert word in out
    assert len(out.splitlines()) == len(EXERCISES)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["juggling"], "expected EXERCISE to be one of all, touch, castling"),
        (["castling", "--fen", START_FEN], "expected no --fen with exercises"),
        (["--mode", "record"], "expected no --mode"),
        (["--language", "tlh"], "expected --language to be one of en, zh"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["teach", *options]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
