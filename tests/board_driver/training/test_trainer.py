"""The trainer beside a daemon on the virtual board: hands play, and the tasks go their way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from board_driver import cli
from board_driver.boards.board import Clock
from board_driver.boards.table import Hand, Refusal
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.lights.picture import Meaning
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.scan import ButtonName
from board_driver.training.task import Task
from board_driver.training.trainer import Trainer, settings_for
from board_driver.wording.language import language
from rules.fen import START_FEN, parse_fen, write_fen
from rules.squares import Colour, parse_square
from rules.uci import parse_uci, write_uci

WHITE, BLACK = frozenset((Colour.WHITE,)), frozenset((Colour.BLACK,))
SMOTHERED = "5r1k/6pp/7N/8/8/1Q6/8/7K w - - 0 1"
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


def task_of(name: str, fen: str, pupil: frozenset[Colour], *ucis: str) -> Task:
    position, moves = parse_fen(fen), []
    for uci in ucis:
        moves.append(parse_uci(position, uci))
        position = position.play(moves[-1])
    return Task(name, parse_fen(fen), tuple(moves), pupil)


class Lesson:
    """A daemon on the virtual board, thirty times as fast as hands are, with a trainer beside it."""

    def __init__(self, *tasks: Task) -> None:
        self.said: list[str] = []
        self.board = VirtualBoard(tasks[0].start)
        settings = settings_for(Settings(mode=Mode.PLAY, touch=TouchRule.FRIENDLY), tasks[0])
        self.daemon = Daemon(self.board, settings, clock=Clock(30))
        self.trainer = Trainer(self.daemon, language("en"), tasks, self.said.append)

    async def play(self, scene: Callable[[], Awaitable[None]]) -> None:
        life = asyncio.create_task(self.daemon.run())
        training = asyncio.create_task(self.trainer.run())
        await self.daemon.ready.wait()
        try:
            await scene()
        finally:
            self.daemon.stop()
            training.cancel()
            await asyncio.gather(life, training, return_exceptions=True)

    async def until(self, done: Callable[[], object]) -> None:
        async with asyncio.timeout(20):
            while not done():
                await asyncio.sleep(0.002)

    async def move(self, origin: str, landing: str) -> None:
        """Lift, take off what stands there, and set down, each when the one before has been seen."""
        victim = self.board.table.squares[parse_square(landing)]
        for square in (landing, origin) if victim is not None else (origin,):
            hand = self.board.lift(parse_square(square))
            assert isinstance(hand, Hand), hand
            await self.pause()
            if square == landing:
                assert not isinstance(self.board.set_aside(hand), Refusal)
        self.board.put(hand, parse_square(landing))
        await self.pause()

    async def pause(self) -> None:
        """Half a second of the board's time."""
        due_ms = self.daemon.clock.now_ms() + 500
        await self.until(lambda: self.daemon.clock.now_ms() >= due_ms)

    def line(self) -> list[str]:
        game = self.daemon.mind.games()[-1]
        position, found = game.start, []
        for ply in game.plies:
            found.append(write_uci(position, ply.move))
            position = position.play(ply.move)
        return found


def test_a_puzzle_is_solved_with_the_reply_shown_by_lights() -> None:
    async def scene() -> None:
        lesson = Lesson(task_of("Smothered", SMOTHERED, WHITE, "b3g8", "f8g8", "h6f7"))

        async def hands() -> None:
            assert lesson.trainer.blackboard.task == "Task 1 of 1: Smothered. Find the moves of White."
            await lesson.move("b3", "g8")
            await lesson.until(lambda: lesson.line() == ["b3g8"])
            shown = (parse_square("f8"), parse_square("g8"))
            await lesson.until(lambda: all(square in lesson.daemon.picture for square in shown))
            await lesson.move("f8", "g8")
            await lesson.until(lambda: lesson.trainer.blackboard.remark == "Right.")
            await lesson.move("h6", "f7")
            await lesson.until(lambda: lesson.trainer.blackboard.remark == "Done, and right.")
            assert lesson.trainer.blackboard.is_right

        await lesson.play(hands)

    asyncio.run(scene())


def test_a_task_that_was_given_up_is_set_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trainer, "pause_s", 0.05)

    async def scene() -> None:
        lesson = Lesson(task_of("Back rank", BACK_RANK, WHITE, "d1d8"), task_of("Smothered", SMOTHERED, WHITE, "b3g8"))

        async def hands() -> None:
            await lesson.move("d1", "d7")
            await lesson.until(lambda: lesson.trainer.blackboard.remark)
            lesson.daemon.press_button(ButtonName.RESIGN, "white")
            await lesson.until(lambda: not lesson.line())
            assert lesson.trainer.blackboard.task.startswith("Task 1 of 2")
            assert not lesson.trainer.blackboard.remark
            await lesson.pause()
            await lesson.move("d1", "d8")
            await lesson.until(lambda: lesson.trainer.blackboard.task.startswith("Task 2 of 2"))

        await lesson.play(hands)

    asyncio.run(scene())


def test_another_game_ends_the_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trainer, "pause_s", 0.05)

    async def scene() -> None:
        lesson = Lesson(task_of("Back rank", BACK_RANK, WHITE, "d1d8"))

        async def hands() -> None:
            lesson.daemon.new_game(
                settings_for(lesson.daemon.settings, None), set_up=lambda: lesson.board.set_up(parse_fen(START_FEN))
            )
            assert lesson.trainer.blackboard.task == ""
            await lesson.move("e2", "e4")
            await lesson.until(lambda: lesson.line() == ["e2e4"])
            lesson.daemon.press_button(ButtonName.RESIGN, "black")
            await lesson.until(lambda: lesson.daemon.mind.summary()["result"] == "1-0")
            await asyncio.sleep(0.1)
            assert lesson.line() == ["e2e4"], "no task takes the game off the board"
            assert lesson.trainer.blackboard.remark == ""

        await lesson.play(hands)

    asyncio.run(scene())


def test_a_wrong_move_is_said_taken_back_and_tried_again_with_a_hint() -> None:
    async def scene() -> None:
        lesson = Lesson(task_of("Back rank", BACK_RANK, WHITE, "d1d8"))

        async def hands() -> None:
            await lesson.move("d1", "d7")
            await lesson.until(lambda: lesson.trainer.blackboard.remark.startswith("Not that one"))
            assert not lesson.trainer.blackboard.is_right
            await lesson.move("d7", "d1")
            await lesson.until(lambda: not lesson.trainer.blackboard.remark)
            await lesson.until(lambda: lesson.line() == [])
            lesson.daemon.press_button(ButtonName.HINT, "white")
            d8 = parse_square("d8")
            await lesson.until(lambda: lesson.daemon.picture.get(d8) is Meaning.HINT)
            assert "rook d 8, checkmate" in lesson.said
            await lesson.move("d1", "d8")
            await lesson.until(lambda: lesson.trainer.blackboard.remark == "Done, and right.")

        await lesson.play(hands)

    asyncio.run(scene())


def test_a_game_is_followed_by_one_pair_of_hands() -> None:
    async def scene() -> None:
        both = WHITE | BLACK
        lesson = Lesson(task_of("Game", START_FEN, both, "e2e4", "e7e5", "g1f3"))

        async def hands() -> None:
            for origin, landing in (("e2", "e4"), ("e7", "e5"), ("g1", "f3")):
                await lesson.move(origin, landing)
            await lesson.until(lambda: lesson.trainer.blackboard.remark == "Done, and right.")
            assert not lesson.daemon.settings.handless

        await lesson.play(hands)

    asyncio.run(scene())


def test_the_opponent_begins_where_the_pupil_plays_black_and_the_next_task_is_set_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Trainer, "pause_s", 0.0)

    async def scene() -> None:
        lesson = Lesson(
            task_of("Open", START_FEN, BLACK, "e2e4", "e7e5"), task_of("Back rank", BACK_RANK, WHITE, "d1d8")
        )

        async def hands() -> None:
            e4 = parse_square("e4")
            await lesson.until(lambda: e4 in lesson.daemon.picture)
            await lesson.move("e2", "e4")
            await lesson.move("e7", "e5")
            await lesson.until(lambda: lesson.daemon.settings.start_fen == BACK_RANK)
            assert lesson.trainer.blackboard.task.startswith("Task 2 of 2: Back rank")
            assert lesson.daemon.settings.handless == BLACK
            await lesson.pause()
            await lesson.move("d1", "d8")
            await lesson.until(lambda: lesson.said[-1] == "That was all. The board is yours.")
            assert lesson.daemon.settings.start_fen == START_FEN

        await lesson.play(hands)

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["juggling"], "expected COURSE to be one of follow, puzzles, openings"),
        (["openings", "--side", "green"], "expected --side to be one of white, black"),
        (["follow", "--game", "x"], "expected --game to be the number of a game"),
        (["follow", "--game", "99"], "expected --game to be from 1 to 3"),
        (["puzzles", "/no/such/file"], "cannot read /no/such/file: No such file"),
        (["follow", "--fen", START_FEN], "expected neither --mode nor --fen"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", *options]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_settings_of_a_task() -> None:
    task = task_of("x", SMOTHERED, WHITE, "b3g8")
    found = settings_for(Settings(), task)
    assert (found.start_fen, found.handless) == (write_fen(task.start), BLACK)
    assert settings_for(found, None).handless == frozenset()
