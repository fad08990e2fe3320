"""A Hall board's calibration as a file of its own, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Literal

import msgspec

from board_driver.boards.hallcalibration import Cell, HallCalibration
from board_driver.inputerror import InputError, shortened
from board_driver.profile.finding import packaged_profiles
from board_driver.profile.sensors import HallAdc

SUFFIX = ".calibration.json"


class _File(msgspec.Struct, frozen=True, kw_only=True):
    touchmove: Literal["hall-calibration"] = "hall-calibration"
    version: Literal[1] = 1
    date: str
    profile: str
    cells: list[Cell]


def calibration_path(sensors: HallAdc, profile_path: Path | None) -> Path:
    """Where that board's calibration is kept: where its profile says; else beside the profile; in the state folder for
    the profiles that come with the program, and where this user may not write beside one, as the service may not.
    """
    beside = _beside(sensors, profile_path)
    if profile_path is None or not os.access(beside.parent, os.W_OK):
        return state_folder() / beside.name
    if sensors.calibration is None and profile_path in packaged_profiles().values():
        return state_folder() / beside.name
    return beside


def _beside(sensors: HallAdc, profile_path: Path | None) -> Path:
    folder = Path.cwd() if profile_path is None else profile_path.parent
    if sensors.calibration is not None:
        return folder / Path(sensors.calibration).expanduser()
    return folder / f"{'board' if profile_path is None else profile_path.stem}{SUFFIX}"


def state_folder() -> Path:
    """Where the program may keep what it finds out: systemd's, or the user's."""
    given = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    home = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(given) if given else Path(home).expanduser() / "touchmove"


def calibration_for(sensors: HallAdc, profile_path: Path | None) -> HallCalibration | None:
    """That board's calibration; None if it was never made. Raises InputError if it cannot be read."""
    for path in (calibration_path(sensors, profile_path), _beside(sensors, profile_path)):
        if path.exists():
            return read_calibration(path)
    return None


def read_calibration(path: Path) -> HallCalibration:
    """The calibration in that file. Raises InputError."""
    redo = "run `touchmove calibrate` again"
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_File)
        return HallCalibration(tuple(file.cells), file.date, file.profile)
    except OSError as problem:
        raise InputError(f"the calibration {path} cannot be read: {problem.strerror}; {redo}") from problem
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise InputError(f"{path} is no calibration: {shortened(str(problem), 120)}; {redo}") from problem


def write_calibration(path: Path, calibration: HallCalibration) -> None:
    """Write it there, whole or not at all. Raises InputError if that cannot be."""
    file = _File(date=calibration.date, profile=calibration.profile, cells=list(calibration.cells))
    text = msgspec.json.format(msgspec.json.encode(file), indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, text + b"\n")
    except OSError as problem:
        raise InputError(f"the calibration cannot be written to {path}: {problem.strerror}") from problem


def _replace(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
