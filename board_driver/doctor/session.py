"""An examination of an open board with a person at the terminal: scans and keys in, pictures and lights out."""

from __future__ import annotations

import os
import queue
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Protocol

from board_driver.boards.board import Board, Clock, Exhausted, Inbox, Lost
from board_driver.boards.table import Hand
from board_driver.boards.virtual import VirtualBoard
from board_driver.doctor.examination import LEFT_EMPTY, Examination, Step
from board_driver.events import Fault
from board_driver.lights.picture import DARK, Meaning
from board_driver.scan import Scan
from rules.fen import START_FEN, parse_fen
from rules.squares import Square, squares_of

POLL_MS = 50
END = "q"


class Person(Protocol):
    """Who does what is asked."""

    def act(self, examination: Examination) -> None:
        """Look, and do the next thing."""


class Keyboard:
    """A person who types: lines come from a thread, because reading them blocks. The end of input is `q`."""

    def __init__(self, file: int = 0) -> None:
        self._file = file
        self._is_over = False
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        Thread(target=self._read, name="keyboard", daemon=True).start()

    def act(self, examination: Examination) -> None:
        """Whatever was typed meanwhile."""
        with suppress(queue.Empty):
            obey(self._lines.get_nowait(), examination)

    def ask(self, question: str) -> str:
        """The answer to a question, waiting for it."""
        print(question, end="", flush=True)
        return END if self._is_over and self._lines.empty() else self._lines.get()

    def _read(self) -> None:
        """By the file descriptor: a thread that waits in `sys.stdin` would keep the interpreter from ending."""
        rest = b""
        while chunk := os.read(self._file, 4096):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._lines.put(line.decode(errors="replace").strip().lower())
        self._is_over = True
        self._lines.put(END)


def obey(word: str, examination: Examination) -> None:
    """What a word typed means."""
    match word:
        case "":
            examination.confirm()
        case "n":
            examination.skip()
        case "l":
            examination.lamp_is_wrong()
        case "q":
            examination.end()
        case _:
            return  # not a word of ours: the prompt says which are


class Demonstrator:
    """Does everything on a virtual board, so that an examination can be seen and tried without one."""

    def __init__(self, board: VirtualBoard) -> None:
        self._board = board
        self._has_set_up = False

    def act(self, examination: Examination) -> None:
        """The next thing that is asked."""
        match examination.step:
            case Step.EMPTY if self._board.table.occupied:
                self._clear()
            case Step.EMPTY if not examination.is_resting:
                examination.confirm()
            case Step.WALK:
                self._walk(examination.asked)
            case Step.ARRAY if not self._has_set_up:
                self._set_up()
            case Step.ARRAY:
                examination.confirm()
            case _:
                return

    def _clear(self) -> None:
        for square in squares_of(self._board.table.occupied):
            self._board.lift(square, Hand.FIRST)
            self._board.set_aside(Hand.FIRST)

    def _walk(self, asked: int | None) -> None:
        standing = self._board.table.occupied
        if asked is None or standing == 1 << asked:
            return
        if standing:
            self._clear()
        else:
            self._board.lift_from_tray(self._board.table.tray[0], Hand.FIRST)
            self._board.put(Hand.FIRST, Square(asked))

    def _set_up(self) -> None:
        self._board.set_up(parse_fen(START_FEN))
        for square in squares_of(LEFT_EMPTY):
            self._board.lift(square, Hand.FIRST)
            self._board.set_aside(Hand.FIRST)
        self._has_set_up = True


async def attend(
    board: Board,
    examination: Examination,
    person: Person,
    show: Callable[[Examination], None],
    clock: Clock | None = None,
) -> list[Fault]:
    """Open the board, examine it until that is done, and close it; what its driver told meanwhile.

    Raises OSError, with words, if the board cannot be had or is lost.
    """
    inbox = Inbox(clock=clock)
    troubles: list[Fault] = []
    await board.open(inbox)
    try:
        lit: int | None = None
        while examination.step is not Step.DONE:
            item = await inbox.get(inbox.now_ms() + POLL_MS)
            match item:
                case Scan():
                    examination.observe(item)
                case Fault():
                    troubles.append(item)
                case Lost():
                    raise OSError(item.text)
                case Exhausted():
                    examination.end()
                case _:
                    pass
            examination.advance(inbox.now_ms())
            if item is None:
                person.act(examination)
                show(examination)
            if examination.asked != lit:
                lit = examination.asked
                with suppress(OSError):  # the lights are told of by the board itself, and are not needed here
                    await board.show(DARK if lit is None else {lit: Meaning.PUT_HERE})
    finally:
        await board.close()
    return troubles
