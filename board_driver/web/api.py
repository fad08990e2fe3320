"""The HTTP part of the API, under `/api/v1`. It is described in `assets/openapi.json`; nothing changes by GET."""

from __future__ import annotations

import json

from aiohttp import hdrs, web

from board_driver.daemon import Daemon
from board_driver.web.access import TooManyTries
from board_driver.web.library import LISTED, Library, pgn_of
from board_driver.web.page import Desk, Page
from board_driver.web.problemreport import installed_version, pack
from board_driver.web.tape import Tape
from board_driver.web.timeline import timeline_svg

LONGEST_BODY = 4096
"""Bytes of a request; the server refuses longer ones with 413."""
IDS_LIMIT = 500


class Api:
    """What can be asked for by HTTP."""

    def __init__(self, daemon: Daemon, page: Page, desk: Desk) -> None:
        self._daemon = daemon
        self._page = page
        self._desk = desk
        self._library = Library(desk.games)
        self._tape = Tape(daemon)

    def add_to(self, app: web.Application) -> None:
        """Serve it from `app`."""
        for path, answer in {
            "about": self.about,
            "state": self.state,
            "games": self.games,
            "games.pgn": self.pgn,
            "games/{id}": self.game,
            "timeline.svg": self.timeline,
            "report.zip": self.report,
        }.items():
            app.router.add_get(f"/api/v1/{path}", answer)
        app.router.add_post("/api/v1/pair", self.pair)

    async def about(self, request: web.Request) -> web.Response:
        """What answers here, and whether it needs a code."""
        return web.json_response(
            {
                "name": "touchmove",
                "version": installed_version(),
                "needs_code": not self._may_control(request),
                "keeps_games": self._library.is_kept,
            }
        )

    async def state(self, _request: web.Request) -> web.Response:
        """What pages show now."""
        return web.json_response({"type": "state", **self._page.state()})

    async def games(self, request: web.Request) -> web.Response:
        """The list of games, those in which all words of `search` occur."""
        found = await self._library.games(request.query.get("search", "")[:200])
        lines = [game.line() for game in found[:LISTED]]
        return web.json_response({"kept": self._library.is_kept, "found": len(found), "games": lines})

    async def game(self, request: web.Request) -> web.Response:
        """One game, for a replay."""
        found = await self._library.find([request.match_info["id"]])
        if not found:
            raise web.HTTPNotFound(text="There is no such game.\n")
        return web.json_response(found[0].whole())

    async def pgn(self, request: web.Request) -> web.Response:
        """Games as PGN: those with the ids given, else those that `search` finds."""
        ids = request.query.getall("id", [])[:IDS_LIMIT]
        sought = request.query.get("search", "")[:200]
        games = await (self._library.find(ids) if ids else self._library.games(sought))
        if not games:
            raise web.HTTPNotFound(text="There are no such games.\n")
        return _file(pgn_of(games).encode(), "application/x-chess-pgn", "games.pgn")

    async def timeline(self, _request: web.Request) -> web.Response:
        """The sensor timeline, as a picture."""
        picture = timeline_svg(tuple(self._tape.inputs), self._tape.events)
        return web.Response(body=picture.encode(), content_type="image/svg+xml", charset="utf-8")

    async def report(self, request: web.Request) -> web.Response:
        """A problem report. It holds what was played, so only those who may control get it."""
        if not self._may_control(request):
            raise web.HTTPUnauthorized(text="Pair this page first.\n")
        packed = pack(self._daemon, self._tape, self._page.state())
        return _file(packed, "application/zip", "touchmove-report.zip")

    async def pair(self, request: web.Request) -> web.Response:
        """A token for the pairing code."""
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType(text="Expected JSON.\n")
        try:
            message = json.loads(await request.read())  # UTF-8 by the standard, whatever the request says it is
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict) or not isinstance(message.get("code"), str):
            raise web.HTTPBadRequest(text='Expected {"code": "…"}.\n')
        try:
            token = self._desk.access.pair(message["code"], request.remote or "")
        except TooManyTries as problem:
            wait_s = max(1, round(problem.wait_s))
            raise web.HTTPTooManyRequests(
                text=f"Too many tries: wait {wait_s} seconds.\n", headers={hdrs.RETRY_AFTER: str(wait_s)}
            ) from None
        if token is None:
            raise web.HTTPForbidden(text="That is not the code.\n")
        return web.json_response({"token": token}, headers={hdrs.CACHE_CONTROL: "no-store"})

    def _may_control(self, request: web.Request) -> bool:
        scheme, _, token = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
        return self._desk.access.may_control(token.strip() if scheme.lower() == "bearer" else None)


def _file(body: bytes, content_type: str, name: str) -> web.Response:
    headers = {hdrs.CONTENT_TYPE: content_type, hdrs.CONTENT_DISPOSITION: f'attachment; filename="{name}"'}
    return web.Response(body=body, headers=headers)
