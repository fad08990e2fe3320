"""The page's server: a handful of static files, and the feed."""

from __future__ import annotations

import logging
import socket

import board_driver.web.serveronly  # noqa: F401  # isort: skip - before anything of aiohttp
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from board_driver.daemon import Daemon
from board_driver.vitals import Vitals
from board_driver.web.api import LONGEST_BODY, Api
from board_driver.web.files import CONTENT_TYPES, static
from board_driver.web.guard import SPECTATE_PATH, WATCH_POLICY, guard
from board_driver.web.health import add_health
from board_driver.web.page import Desk, Page
from board_driver.web.program import ASSETS

FEED_PATH = "/api/v1/feed"
GOODBYE_S = 1.0
"""How long open connections may take to end when the server stops."""


class Server:
    """Listens from `start` to `stop`, or not at all if `start` raises."""

    def __init__(
        self, daemon: Daemon, host: str, port: int, desk: Desk | None = None, vitals: Vitals | None = None
    ) -> None:
        desk = desk or Desk.plain(daemon)
        self._page = Page(daemon, desk)
        self._host = host
        self._port = port
        app = make_app(self._page, Api(daemon, self._page, desk), host)
        add_health(app, vitals or Vitals(daemon))
        self._runner = web.AppRunner(app, access_log=None, logger=_log(), shutdown_timeout=GOODBYE_S)

    async def start(self) -> str:
        """Begin to listen; the page's address. Raises OSError if the port or host cannot be had."""
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError:
            await self._runner.cleanup()
            raise
        return f"http://{_name_for_people(self._host)}:{self._runner.addresses[0][1]}/"

    async def stop(self) -> None:
        """Close all connections and listen no more."""
        await self._runner.cleanup()


def _log() -> logging.Logger:
    """Where mistakes of ours are told. A request that is no HTTP is a stranger's: it is answered, and not told of."""

    def is_ours(record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))

    log = logging.getLogger("touchmove.page")
    if not log.filters:
        log.addFilter(is_ours)
    return log


def _name_for_people(host: str) -> str:
    """What to put into an address so that it can be opened: for all addresses of this machine, its name."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


def make_app(page: Page, api: Api, bound_to: str) -> web.Application:
    """The application for a server that listens on `bound_to`."""
    app = web.Application(middlewares=[guard(bound_to)], client_max_size=LONGEST_BODY)
    app.router.add_get("/", static(ASSETS / "index.html"))
    app.router.add_get("/watch", static(ASSETS / "watch.html", WATCH_POLICY))
    app.router.add_get("/api/v1/openapi.json", static(ASSETS / "openapi.json"))
    for asset in sorted(ASSETS.iterdir()):
        if asset.suffix in CONTENT_TYPES:
            app.router.add_get(f"/{asset.name}", static(asset))
    app.router.add_get(FEED_PATH, page.feed)
    app.router.add_get(SPECTATE_PATH, page.spectate)
    api.add_to(app)

    async def say_goodbye(_app: web.Application) -> None:
        await page.close()

    app.on_shutdown.append(say_goodbye)
    return app
