"""Captures of serial boards: taken while a board is used, and turned into sensor logs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from board_driver.boards.board import Board, Inbox, Lost
from board_driver.boards.serial import SerialBoard
from board_driver.boards.serialreading import reading_of
from board_driver.events import Fault
from board_driver.inputerror import InputError, shortened
from board_driver.scan import Scan, Sensing
from board_driver.sensorlog import Header as LogHeader
from board_driver.sensorlog import LogWriter
from firmware_bridge.boardclock import BoardClock
from firmware_bridge.capture import CaptureWriter, Header, Piece, Way, read_capture
from firmware_bridge.capturereplay import replay
from firmware_bridge.link import monotonic_ms
from firmware_bridge.messages import BoardRead, ColouredSquares, Content, Identified, NamedPieces
from firmware_bridge.protocols import header_of

RETRY_S = 1.0
CAPTURE_LIMIT = 64 << 20
"""Bytes of a capture that is taken beside games; then it becomes `FILE.1`, in the place of the one before."""


def take_capture(board: SerialBoard, file: TextIO) -> None:
    """Write all that is read and written from now on into `file`."""
    board.tap = CaptureWriter(file, header_of(board.setup.protocol, board.setup.port or "")).write


def capture_to(board: Board, name: str) -> None:
    """Have a capture of `board` written to that file for as long as the program runs. Raises InputError."""
    if not isinstance(board, SerialBoard):
        raise InputError("expected --capture with a serial board (--board serial or text:…): others have no wire")
    try:
        capture = RollingCapture(Path(name), header_of(board.setup.protocol, board.setup.port or ""))
    except OSError as problem:
        reason = problem.strerror or problem
        raise InputError(f"the capture cannot be written to {shortened(name)}: {reason}") from problem
    board.tap = capture.write


class RollingCapture:
    """A capture that never fills the disk, and that never costs a game: what cannot be written is not captured."""

    def __init__(self, path: Path, header: Header, limit: int = CAPTURE_LIMIT) -> None:
        """Raises OSError if the file cannot be made."""
        self._path = path
        self._header = header
        self._limit = limit
        self._begin()

    def write(self, piece: Piece) -> None:
        """One line, if the disk lets us."""
        with suppress(OSError):
            if self._file.tell() > self._limit:
                self._file.close()
                self._path.replace(self._path.with_name(f"{self._path.name}.1"))
                self._begin()
            elif self._file.closed:
                self._begin()
            self._writer.write(piece)

    def _begin(self) -> None:
        self._file = self._path.open("w", encoding="utf-8")
        self._writer = CaptureWriter(self._file, self._header)


async def record(board: SerialBoard, say: Callable[[str], None], stop: asyncio.Event) -> int:
    """Keep the board open until `stop`; how many scans it told. What goes wrong is said, noted and tried again."""
    inbox, scans, said = Inbox(), 0, ""
    try:
        while not stop.is_set():
            try:
                await _unless(stop, board.open(inbox))
            except OSError as problem:
                if str(problem) != said:
                    said = str(problem)
                    say(said)
                await _unless(stop, asyncio.sleep(RETRY_S))
                continue
            said = ""
            say(f"connected: {board.device}")
            scans += await _follow(board, inbox, say, stop)
    finally:
        await board.close()
    return scans


async def _follow(board: SerialBoard, inbox: Inbox, say: Callable[[str], None], stop: asyncio.Event) -> int:
    scans = 0
    while not stop.is_set():
        match await inbox.get(inbox.now_ms() + 200):
            case Scan():
                scans += 1
            case Fault(text=text):
                say(text)
            case Lost(text=text):
                board.tap(Piece(monotonic_ms(), Way.NOTE, f"lost: {text}".encode("utf-8", "replace")))
                say(text)
                return scans
            case _:
                pass
    return scans + _left(inbox)


def _left(inbox: Inbox) -> int:
    """The scans that nobody has taken yet."""
    scans = 0
    while (item := inbox.get_nowait()) is not None:
        scans += isinstance(item, Scan)
    return scans


async def _unless(stop: asyncio.Event, work: Coroutine[None, None, None]) -> None:
    """Await `work`, but no longer than until `stop`."""
    task, stopped = asyncio.ensure_future(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
    finally:
        stopped.cancel()
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def write_log(lines: Iterable[str], sink: TextIO) -> int:
    """Turn a capture into a sensor log; how many scans it holds. Raises CaptureError."""
    header, pieces = read_capture(lines)
    clock, latest, scans, seen = BoardClock(), 0, 0, None
    writer: LogWriter | None = None
    sensing = Sensing.OCCUPANCY
    for t_ms, message in replay(header, pieces):
        if isinstance(message, Identified):
            clock.forget()
        if not isinstance(message, BoardRead):
            continue
        if writer is None:
            sensing = sensing_of(message.content)
            writer = LogWriter(sink, LogHeader(sensing=sensing, board=header.codec))
        reading = reading_of(message.content, sensing)
        moment = t_ms if message.board_ms is None else clock.host_ms(message.board_ms, t_ms)
        if reading is None or reading == seen:
            continue
        seen, latest, scans = reading, max(latest, moment), scans + 1
        writer.write(Scan(latest, reading))
    if writer is None:
        LogWriter(sink, LogHeader(board=header.codec))
    return scans


def sensing_of(content: Content) -> Sensing:
    """What a board that tells this can tell."""
    match content:
        case ColouredSquares():
            return Sensing.COLOUR
        case NamedPieces():
            return Sensing.IDENTITY
        case _:
            return Sensing.OCCUPANCY
