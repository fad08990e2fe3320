"""One Chromium for each file of this folder, and daemons in this process, each with a page of its own."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from board_driver import service
from board_driver.commands.run import add_board_options, add_page_options
from board_driver.daemon import Daemon
from board_driver.web.access import Access
from tests.board_driver.web.conftest import CHROMIUM, FLAGS, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Keep a picture of every tab that is open at the end of a test, in the folder that SCREENSHOTS names."""
    folder = os.environ.get("SCREENSHOTS")
    browser = getattr(item, "funcargs", {}).get("browser")
    if not folder or browser is None:
        return
    name = re.sub(r"[^\w-]+", "_", item.name)
    tabs = [tab for context in browser.contexts for tab in context.pages]
    for number, tab in enumerate(tabs, 1):
        with suppress(Exception):  # a tab that is just being closed has no picture
            tab.screenshot(path=Path(folder) / f"{name}{'' if len(tabs) == 1 else f'-{number}'}.png")


class DaemonThread:
    """What `touchmove run` runs, in a thread: no test waits for a Python to start. `url` is its page.

    Signals belong to the main thread, so it is stopped by hand; `choice` replaces the board that the options name.
    """

    def __init__(self, *options: str, choice: Any = None) -> None:
        parser = argparse.ArgumentParser()
        add_board_options(parser)
        add_page_options(parser)
        plan = service.Plan.from_arguments(parser.parse_args(["--port", "0", *options]))
        if choice is not None:
            plan = service.replace(plan, choice=choice)
        self.url = self.code = ""
        self._plan = plan
        self._ready = threading.Event()
        self._daemon: Daemon | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._trouble: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="daemon under test", daemon=True)
        self._thread.start()
        assert self._ready.wait(20), "the daemon did not start"
        if self._trouble is not None:
            raise self._trouble

    def do(self, act: Any) -> Any:
        """Call `act(daemon)` in the daemon's loop; what it returns."""
        assert self._loop is not None

        async def call() -> Any:
            return act(self._daemon)

        return asyncio.run_coroutine_threadsafe(call(), self._loop).result(10)

    def stop(self) -> None:
        """End it, as Ctrl-C does; it must end well."""
        if self._loop is not None and self._daemon is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._daemon.stop)
        self._thread.join(15)
        assert not self._thread.is_alive(), "the daemon did not end"
        if self._trouble is not None:
            raise self._trouble

    def _run(self) -> None:
        _HERE.thread = self
        try:
            asyncio.run(service.serve(self._plan))
        except BaseException as trouble:
            self._trouble = trouble
        finally:
            self._ready.set()

    def know(self, daemon: Daemon) -> None:
        """It lives."""
        self._daemon, self._loop = daemon, asyncio.get_running_loop()

    def announced(self, address: str, code: str) -> None:
        """It listens."""
        self.url, self.code = address, code
        self._ready.set()


_HERE = threading.local()


@contextmanager
def _stopped_by_hand(daemon: Daemon) -> Iterator[None]:
    _HERE.thread.know(daemon)
    yield


def _announce(_daemon: Daemon, address: str, access: Access, *_more: object) -> None:
    _HERE.thread.announced(address, access.code)


@pytest.fixture(scope="module", autouse=True)
def _in_this_process() -> Iterator[None]:
    """Daemons of these tests are stopped by hand and say their address to the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "stopping_on_signals", _stopped_by_hand)
        patch.setattr(service, "announce", _announce)
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a file; without it they are skipped.

    No longer: while it is there its event loop runs in this thread, and no test may run another.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="browser tests need pip install playwright")
    if CHROMIUM is None:
        pytest.skip("browser tests need Chromium: apt-get install chromium (or set CHROMIUM to its path)")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def daemon(request: pytest.FixtureRequest) -> Iterator[DaemonThread]:
    """A daemon with the options of the parameter (`indirect`), stopped in the end."""
    running = DaemonThread(*getattr(request, "param", ()))
    yield running
    running.stop()


@pytest.fixture
def page(browser: Browser, daemon: DaemonThread) -> Iterator[Page]:
    """A tab on the daemon's page. The test fails if the page logs an error or breaks its own policy."""
    yield from open_page(browser, daemon.url)


@pytest.fixture
def touch_page(browser: Browser, daemon: DaemonThread) -> Iterator[Page]:
    """The same on a phone."""
    yield from open_page(browser, daemon.url, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
