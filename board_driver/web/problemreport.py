"""A problem report: what a person who looks into it needs, in one ZIP file."""

from __future__ import annotations

import json
import platform
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from board_driver.boards.sensorboard import SensorBoard
from board_driver.daemon import Daemon
from board_driver.profile.schema import Profile
from board_driver.profile.showing import effective_text
from board_driver.store.rows import settings_text
from board_driver.web.program import installed_version
from board_driver.web.tape import Tape

README = """\
What touchmove packed for a problem report.

sensors.jsonl    what the board told, as a sensor log: `touchmove replay sensors.jsonl` shows the same again
decisions.jsonl  what was decided on it, one event a line
settings.json    how the game was read and ruled
about.json       versions, the board and its state
board.json       what every square did since the start, and the newest faults
profile.yaml     how the board is wired, where it has a profile
state.json       what the page showed

Names of players are in state.json if they were told. Nothing else of this machine is in here.
"""


def pack(daemon: Daemon, tape: Tape, state: dict[str, object], board: dict[str, object]) -> bytes:
    """The report as a ZIP file. `board` is what `boardwatch` tells."""
    profile = _profile(daemon)
    with BytesIO() as file:
        with ZipFile(file, "w", ZIP_DEFLATED) as packed:
            packed.writestr("README.txt", README)
            packed.writestr("sensors.jsonl", tape.log())
            packed.writestr("decisions.jsonl", tape.decisions())
            packed.writestr("settings.json", settings_text(daemon.settings))
            packed.writestr("about.json", json.dumps(_about(daemon), indent=1))
            packed.writestr("board.json", json.dumps(board, indent=1, ensure_ascii=False))
            if profile is not None:
                packed.writestr("profile.yaml", effective_text(profile))
            packed.writestr("state.json", json.dumps(state, indent=1, ensure_ascii=False))
        return file.getvalue()


def _profile(daemon: Daemon) -> Profile | None:
    board = daemon.board
    return board.wired.profile if isinstance(board, SensorBoard) else None


def _about(daemon: Daemon) -> dict[str, object]:
    abilities = daemon.board.abilities
    return {
        "touchmove": installed_version(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "board": abilities.name,
        "senses": abilities.senses.value,
        "scan_hz": abilities.scan_hz,
        "board_state": daemon.board_state.value,
        "board_trouble": daemon.board_trouble,
        "scans": daemon.scans,
        "late_scans": daemon.late_scans,
        "dropped": daemon.inbox.dropped,
        "openings": daemon.openings,
    }
