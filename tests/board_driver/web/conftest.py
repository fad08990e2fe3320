"""A real daemon in a process of its own, and tabs of a real browser, for the tests marked `browser`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[3]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class RunningDaemon:
    """`touchmove run` in a process, at `url`."""

    def __init__(self, *options: str, log: bool = False) -> None:
        """With `log` what it says on standard error can be read."""
        self._options = options
        self._log = log
        self._port = "0"
        self.url = ""
        self._process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        """Start it, or start it again at the same address."""
        command = [sys.executable, "-m", "board_driver", "run", "--port", self._port, *self._options]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE if self._log else None, text=True
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        self.url = next(word for word in line.split() if word.startswith("http://"))
        self._port = self.url.rstrip("/").rpartition(":")[2]

    def first_warning(self) -> str:
        """The first line on standard error."""
        assert self._process is not None
        assert self._process.stderr is not None
        return self._process.stderr.readline()

    def stop(self) -> None:
        """End it as the system does, with SIGTERM; it must end well."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            assert process.wait(10) == 0

    def kill(self) -> None:
        """End it as a crash does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(10)
        self._process = None


def open_page(browser: Browser, url: str, **options: Any) -> Iterator[Page]:
    """A tab in a context of its own, closed in the end, with no error logged."""
    context = browser.new_context(**{"viewport": {"width": 1200, "height": 860}, **options})
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    tab.goto(url)
    tab.wait_for_selector("body[data-ready]")
    yield tab
    context.close()
    assert [text for text in complaints if "WebSocket connection" not in text] == []
