"""The buzzer on gpiozero's mock pins, and the voice with a program in place of espeak-ng."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from board_driver.boards.catalogue import Choice
from board_driver.daemon import Daemon
from board_driver.events import Ended, Event, Fault, Irregular, Moved
from board_driver.inputerror import InputError
from board_driver.mind import Settings
from board_driver.profile.schema import Sound
from board_driver.sound.buzzer import Buzzer
from board_driver.sound.hearing import SILENT, Hearing
from board_driver.sound.speaker import WAITING, Speaker
from board_driver.wording.language import language
from tests.board_driver.doubles import FakeBoard, FakeMind

MOVE = Moved(1, "e4", "e2e4", "", 1, False)
WRONG = Irregular(1, "self-check", None, "illegal", False, "No.")


class Told(Daemon):
    """A daemon that does not run: what it would hear is told by the test, and what it is told is kept."""

    def __init__(self) -> None:
        super().__init__(FakeBoard(), Settings(), mind_of=FakeMind)

    def say(self, *events: Event) -> None:
        self._tell(events)

    def faults(self) -> list[Fault]:
        found = []
        while (item := self.inbox.get_nowait()) is not None:
            assert isinstance(item, Fault)
            found.append(item)
        return found


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not done():
            await asyncio.sleep(0.005)


def run(scene: Callable[[], Awaitable[None]]) -> None:
    async def scene_of() -> None:
        await scene()

    asyncio.run(scene_of())


def test_the_buzzer_beeps_as_the_tune_says_and_is_let_go() -> None:
    async def scene() -> None:
        factory, daemon = MockFactory(), Told()
        task = asyncio.create_task(Buzzer(daemon, 18, factory).run())
        await asyncio.sleep(0)
        pin = factory.pin(18)
        pin.clear_states()
        daemon.say(WRONG)
        await until(lambda: len(pin.states) >= 7)
        assert [bool(state.state) for state in pin.states[:7]] == [False, True, False, True, False, True, False]
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert pin.function == "input"

    run(scene)


def test_a_buzzer_that_cannot_be_had_is_told_once() -> None:
    async def scene() -> None:
        factory, daemon = MockFactory(), Told()
        await Buzzer(daemon, "GPIO99", factory).run()
        (fault,) = daemon.faults()
        assert fault.kind == "buzzer"
        assert "GPIO99" in fault.text

    run(scene)


def voice(path: Path, script: str) -> str:
    """A program that stands for espeak-ng."""
    program = path / "voice"
    program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    program.chmod(0o755)
    return str(program)


def test_what_happens_is_said_one_after_the_other(tmp_path: Path) -> None:
    said = tmp_path / "said"
    program = voice(tmp_path, f'echo "$@" >> "{said}"; cat >> "{said}"; echo >> "{said}"')

    async def scene() -> None:
        daemon = Told()
        task = asyncio.create_task(Speaker(daemon, language("zh"), program).run())
        await asyncio.sleep(0)
        daemon.say(MOVE, Ended(2, "1-0", "checkmate"))
        await until(lambda: said.exists() and "将死" in said.read_text("utf-8"))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        lines = said.read_text("utf-8").splitlines()
        assert lines[0] == "-v cmn -s 150 --stdin"
        assert lines[1::2] == ["兵到e4", "白方胜，将死。"]

    run(scene)


def test_of_much_that_waits_moves_give_way_and_what_is_wrong_is_said_first(tmp_path: Path) -> None:
    said = tmp_path / "said"
    go = tmp_path / "go"
    program = voice(tmp_path, f'while [ ! -e "{go}" ]; do sleep 0.01; done; cat >> "{said}"; echo >> "{said}"')

    async def scene() -> None:
        daemon = Told()
        task = asyncio.create_task(Speaker(daemon, language("en"), program).run())
        await asyncio.sleep(0)
        daemon.say(MOVE)
        await asyncio.sleep(0.05)
        for file in "abcdefgh":
            daemon.say(Moved(1, f"{file}3", f"{file}2{file}3", "", 1, False))
        daemon.say(WRONG)
        daemon.say(WRONG)
        go.touch()
        await until(lambda: said.exists() and "king" in said.read_text("utf-8"))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert said.read_text("utf-8").splitlines() == ["pawn e 4", "No: the king would be in check."]

    run(scene)


def test_only_the_newest_moves_wait(tmp_path: Path) -> None:
    async def scene() -> None:
        speaker = Speaker(Told(), language("en"), voice(tmp_path, "cat"))
        for file in "abcdefgh":
            speaker._hear([Moved(1, f"{file}3", f"{file}2{file}3", "", 1, False)])
        assert [sentence for sentence, _ in speaker._waiting] == [f"pawn {file} 3" for file in "efgh"]
        assert len(speaker._waiting) == WAITING

    run(scene)


def test_a_voice_that_is_not_there_is_told_once_and_the_game_goes_on() -> None:
    async def scene() -> None:
        daemon = Told()
        await Speaker(daemon, language("en"), "no-such-voice").run()
        (fault,) = daemon.faults()
        assert "no-such-voice" in fault.text
        daemon.say(MOVE)

    run(scene)


def test_the_real_voice_says_it(tmp_path: Path) -> None:
    real = shutil.which("espeak-ng")
    if real is None:
        pytest.skip("needs espeak-ng")
    wave = tmp_path / "said.wav"
    program = voice(tmp_path, f'exec "{real}" "$@" -w "{wave}"')

    async def scene() -> None:
        for code in ("en", "zh"):
            daemon = Told()
            assert await Speaker(daemon, language(code), program)._say(language(code).say("notice.new-game"))
            assert wave.stat().st_size > 1000
            assert not daemon.faults()
            wave.unlink()

    run(scene)


@pytest.mark.parametrize(
    ("sound", "language_code", "is_spoken", "expected"),
    [
        (None, None, False, SILENT),
        (None, "zh", True, Hearing("zh", True)),
        (Sound(language="zh", voice=True, buzzer=18), None, False, Hearing("zh", True, 18)),
        (Sound(language="zh"), "en", True, Hearing("en", True)),
    ],
)
def test_the_command_line_goes_before_the_profile(
    sound: Sound | None, language_code: str | None, is_spoken: bool, expected: Hearing
) -> None:
    arguments = argparse.Namespace(language=language_code, voice=is_spoken)
    assert Hearing.chosen(Choice(FakeBoard(), Settings(), sound=sound), arguments) == expected


def test_an_unknown_language_is_told() -> None:
    arguments = argparse.Namespace(language="tlh", voice=False)
    with pytest.raises(InputError, match="--language to be one of en, zh, got tlh"):
        Hearing.chosen(Choice(FakeBoard(), Settings()), arguments)
