"""How bright a board's lights are and how much they show, as set on the page; remembered where there is a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from board_driver.boards.board import Dimmable
from board_driver.daemon import Daemon
from board_driver.events import Event
from board_driver.mind import LightsSetting
from board_driver.store.errors import StoreError
from board_driver.store.pgnfile import write_text


class LightCare:
    """The lights of one daemon's board."""

    def __init__(self, daemon: Daemon, path: Path | None = None, goes_on: bool = False) -> None:
        """`path` is where it is remembered. What lights show belongs to a game, and is taken up if that `goes_on`."""
        self._daemon = daemon
        self._lights = daemon.board if isinstance(daemon.board, Dimmable) else None
        self._path = path
        self.percent: int | None = None
        """The brightness that was set by hand; None: as the profile says."""
        kept = {} if path is None else _read(path)
        percent, setting = kept.get("brightness_percent"), kept.get("lights")
        if isinstance(percent, int) and 1 <= percent <= 100 and self.can_dim:
            self.percent = percent
            self._dim()
        if goes_on and isinstance(setting, str) and setting in {member.value for member in LightsSetting}:
            daemon.relight(LightsSetting(setting))
        self._setting = daemon.settings.lights
        daemon.listen(self._hear)

    @property
    def can_dim(self) -> bool:
        """Whether the board has lights whose brightness may be set."""
        return self._lights is not None and self._lights.can_dim

    def set_brightness(self, percent: int | None) -> bool:
        """So bright, 1 to 100, or as the profile says; False where the board's lights cannot."""
        if not self.can_dim:
            return False
        self.percent = percent
        self._dim()
        self._remember()
        return True

    def set_lights(self, setting: LightsSetting) -> None:
        """Let them show so much from now on."""
        self._daemon.relight(setting)
        self._remember()

    def _hear(self, _events: Sequence[Event]) -> None:
        """Another game may begin with other lights: what is remembered of the one before would come back with it."""
        if self._daemon.settings.lights is not self._setting:
            self._remember()

    def _dim(self) -> None:
        assert self._lights is not None
        self._lights.dim(self.percent)

    def _remember(self) -> None:
        self._setting = self._daemon.settings.lights
        if self._path is None:
            return
        kept = {"brightness_percent": self.percent, "lights": self._daemon.settings.lights.value}
        try:
            write_text(self._path, json.dumps(kept) + "\n")
        except StoreError as problem:
            self._daemon.inbox.report("lights-unsaved", str(problem))


def _read(path: Path) -> Mapping[str, object]:
    """What was remembered; nothing of a file that is damaged."""
    with suppress(OSError, ValueError, RecursionError):
        kept = json.loads(path.read_text("utf-8"))
        if isinstance(kept, dict):
            return kept
    return {}
