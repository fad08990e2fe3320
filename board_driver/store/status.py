"""How the daemon of a state folder is: the lock says where its page is, and the page says the rest."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from board_driver.pairingcode import kept_code
from board_driver.store.lock import holder
from board_driver.store.state import GAMES


@dataclass(frozen=True, slots=True)
class Status:
    """`holder` is who has the folder, None for nobody; `health` what it says of itself, None if it does not answer."""

    folder: Path
    holder: str | None
    health: Mapping[str, object] | None
    games: int
    code: str | None = None
    """What a page on the network needs to control the board; None where nothing is asked for."""

    @property
    def well(self) -> bool:
        """Whether a daemon runs there and keeps what it decides."""
        return self.health is not None and self.health.get("ok") is True

    def fields(self) -> dict[str, object]:
        """For a program."""
        return {
            "state": str(self.folder),
            "running": self.holder is not None,
            "holder": self.holder,
            "health": None if self.health is None else dict(self.health),
            "games": self.games,
        }

    def lines(self) -> list[str]:
        """For a person."""
        games = f"{self.games} game files in {self.folder / GAMES}"
        if self.holder is None:
            return ["touchmove is not running", games]
        if self.health is None:
            return [f"touchmove runs ({self.holder}) but its page does not answer", games]
        trouble = self.health.get("board_trouble")
        board = f"board: {self.health.get('board')}" + (f" ({trouble})" if trouble else "")
        code = [] if self.code is None else [f"code for a page on the network: {self.code}"]
        return [f"touchmove runs: {self.holder}", board, f"journal: {self.health.get('journal')}", games, *code]


def status_of(folder: Path) -> Status:
    """Ask."""
    who = holder(folder)
    games = sum(1 for _ in (folder / GAMES).glob("*.pgn"))
    if who is None:
        return Status(folder, None, None, games)
    return Status(folder, who, _health(who), games, kept_code(folder))


def _health(who: str) -> dict[str, object] | None:
    found = re.search(r"http://\S+", who)
    if found is None:
        return None
    port = re.search(r":(\d+)/?$", found[0])
    address = f"http://127.0.0.1:{port[1]}/" if port else found[0]
    try:
        with urllib.request.urlopen(f"{address}healthz", timeout=3) as answer:
            return _object(answer.read())
    except urllib.error.HTTPError as answer:
        return _object(answer.read())
    except (OSError, ValueError, HTTPException):
        return None


def _object(content: bytes) -> dict[str, object] | None:
    try:
        found = json.loads(content)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
