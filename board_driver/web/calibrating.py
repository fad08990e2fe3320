"""Calibrating a board of analogue Hall sensors on the page: the steps of `touchmove calibrate`, on the board at work.

The scanning thread goes on reading; each step takes what the converters last told, `SCANS` times. While it lasts the
mind is given no scans, since nobody plays. The calibration is used from then on, and a new game begins with it: the
strengths of the game before were told by another measure.

What reads such boards is imported when it is first needed: most boards are others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from board_driver.daemon import Daemon
from board_driver.inputerror import InputError
from board_driver.scan import Sensing

if TYPE_CHECKING:
    from board_driver.boards.halladc import HallSource
    from board_driver.boards.hallmeasuring import Measuring
    from board_driver.boards.hallsteps import Finding, Reading
    from board_driver.boards.sensorboard import SensorBoard

SCANS = 60
"""For each step: about a second."""
PATIENCE_S = 900.0
"""A calibration that nobody goes on with is given up after so long: the board must not stay unread."""


class CalibratingError(Exception):
    """A step could not be taken; the message is a sentence for a person."""


class Calibrating:
    """One board's calibration on the page, from `begin` to the last step or `give_up`."""

    def __init__(self, daemon: Daemon, on_change: Callable[[], None] = lambda: None) -> None:
        """`on_change` is called when it begins and ends."""
        self._daemon = daemon
        self._on_change = on_change
        self._measuring: Measuring | None = None
        self._step = 0
        self._is_reading = False
        self._findings: tuple[Finding, ...] = ()
        self._file = ""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_under_way(self) -> bool:
        """Whether it has begun and not ended."""
        return self._measuring is not None

    @property
    def is_possible(self) -> bool:
        """Whether the board has such sensors."""
        return self._parts() is not None

    def told(self) -> dict[str, object]:
        """What `GET calibration` answers."""
        from board_driver.boards.hallsteps import Step  # noqa: PLC0415

        steps = tuple(Step)
        measuring = self._measuring is not None
        return {
            "possible": self.is_possible,
            "under_way": measuring,
            "step": self._step + 1 if measuring else None,
            "steps": len(steps),
            "text": steps[self._step].value if measuring else "",
            "reading": self._is_reading,
            "findings": [{"text": _sentence(f.text), "stops": f.stops} for f in self._findings],
            "stopped": any(finding.stops for finding in self._findings),
            "file": self._file,
        }

    def begin(self) -> None:
        """From the first step. Raises CalibratingError for a board that has nothing to calibrate."""
        if self._parts() is None:
            raise CalibratingError("This board has no analogue Hall sensors: there is nothing to calibrate.")
        from board_driver.boards.hallmeasuring import Measuring  # noqa: PLC0415

        self._measuring, self._step, self._findings, self._file = Measuring(), 0, (), ""
        self._daemon.rest(True)
        self._wait()
        self._on_change()

    async def take(self, all_the_same: bool = False) -> None:
        """Read the board for the present step; `all_the_same` goes on with a reading that was found wrong.

        Raises CalibratingError where that cannot be done now.
        """
        from board_driver.boards.hallsteps import Step  # noqa: PLC0415

        steps = tuple(Step)
        measuring, parts = self._measuring, self._parts()
        if measuring is None or parts is None or self._is_reading:
            raise CalibratingError("No calibration is under way." if not self._is_reading else "It is being read.")
        self._wait()
        if not (all_the_same and self._findings):
            self._is_reading = True
            try:
                self._findings = measuring.take(steps[self._step], await self._read(*parts))
            finally:
                self._is_reading = False
            if any(finding.stops for finding in self._findings):
                return
        self._step += 1
        if self._step == len(steps):
            self._finish(measuring, *parts)
        elif all_the_same:
            self._findings = ()

    def give_up(self) -> None:
        """Nothing is written, and the game goes on."""
        if self._measuring is not None:
            self._end()
            self._findings = ()

    def _parts(self) -> tuple[SensorBoard, HallSource] | None:
        board = self._daemon.board
        if board.abilities.senses is not Sensing.FIELD:
            return None
        from board_driver.boards.halladc import HallSource  # noqa: PLC0415
        from board_driver.boards.sensorboard import SensorBoard  # noqa: PLC0415
        from board_driver.profile.sensors import HallAdc  # noqa: PLC0415

        if isinstance(board, SensorBoard) and board.wired.profile is not None:
            source = board.wired.source
            if isinstance(source, HallSource) and isinstance(board.wired.profile.sensors, HallAdc):
                return board, source
        return None

    async def _read(self, board: SensorBoard, source: HallSource) -> Reading:
        from board_driver.boards.cellmap import CellMap  # noqa: PLC0415
        from board_driver.boards.hallsteps import summed_up  # noqa: PLC0415

        cells = CellMap(board.wired.squares)
        scans: list[Sequence[float]] = []
        for _ in range(SCANS):
            await asyncio.sleep(1 / board.wired.scan_hz)
            raw, is_whole = source.raw
            if not is_whole or self._daemon.board_trouble:
                raise CalibratingError("A converter does not answer: look at its wires, then read again.")
            scans.append(cells.values([float(value) for value in raw], 0.0))
        return summed_up(scans)

    def _finish(self, measuring: Measuring, board: SensorBoard, source: HallSource) -> None:
        """Write it, use it, and begin a new game with it."""
        from board_driver.boards.hallfile import calibration_path, write_calibration  # noqa: PLC0415
        from board_driver.profile.sensors import HallAdc  # noqa: PLC0415

        profile = board.wired.profile
        assert profile is not None
        assert isinstance(profile.sensors, HallAdc)
        date = datetime.now().astimezone().isoformat(timespec="seconds")
        calibration = measuring.calibration(board.wired.squares, date, profile.name)
        path = calibration_path(profile.sensors, board.wired.path)
        verdict = measuring.verdict()
        self._end()
        try:
            write_calibration(path, calibration)
        except InputError as problem:
            raise CalibratingError(_sentence(str(problem))) from problem
        source.use(calibration)
        self._findings, self._file = verdict, str(path)
        self._daemon.new_game(replace(self._daemon.settings, calibration=board.field_calibration))

    def _wait(self) -> None:
        """For a person, but not for ever."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(PATIENCE_S, self.give_up)

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._measuring, self._step = None, 0
        self._daemon.rest(False)
        self._on_change()


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
