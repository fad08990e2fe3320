"""The HTTP part of the API, under `/api/v1`. It is described in `assets/openapi.json`; nothing changes by GET.

What few requests need is imported by the first of them, so that the page is up sooner.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from aiohttp import hdrs, web

from board_driver.daemon import Daemon
from board_driver.store.errors import StoreError
from board_driver.web.access import TooManyTries
from board_driver.web.amending import AmendError, Amendment, choices
from board_driver.web.calibrating import CalibratingError
from board_driver.web.library import LISTED, Library, StoredGame, pgn_of
from board_driver.web.page import Desk, Page
from board_driver.web.program import installed_version
from board_driver.web.setups import judged
from board_driver.web.tape import Tape
from board_driver.web.wishes import WishError, read_move, read_tags

if TYPE_CHECKING:
    from board_driver.web.timelines import Told

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
        self._replaying = asyncio.Lock()

    def add_to(self, app: web.Application) -> None:
        """Serve it from `app`."""
        for path, answer in {
            "about": self.about,
            "state": self.state,
            "games": self.games,
            "games.pgn": self.pgn,
            "games/{id}": self.game,
            "games/{id}/timeline.svg": self.timeline_of,
            "choices": self.choices,
            "setup": self.setup,
            "board": self.board,
            "board/reading": self.reading,
            "calibration": self.calibration,
            "timeline.svg": self.timeline,
            "report.zip": self.report,
        }.items():
            app.router.add_get(f"/api/v1/{path}", answer)
        for path, act in {
            "pair": self.pair,
            "games/{id}": self.amend,
            "calibration": self.calibrate,
            "move": self.move,
        }.items():
            app.router.add_post(f"/api/v1/{path}", act)

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
        return web.json_response((await self._game(request.match_info["id"])).whole())

    async def amend(self, request: web.Request) -> web.Response:
        """Put right a game, in its file: names, a move, the result."""
        message = await self._order(request)
        amendment = _amendment(message)
        game = await self._game(request.match_info["id"])
        scribe = self._desk.scribe
        if scribe is None:
            raise web.HTTPConflict(text="These games cannot be changed here.\n")
        try:
            await self._library.amend(game, amendment, scribe, self._desk.corrections)
        except AmendError as problem:
            raise web.HTTPConflict(text=f"{problem}\n") from None
        except StoreError as problem:
            raise web.HTTPInternalServerError(text=f"{problem}\n") from None
        return web.json_response((await self._game(game.id)).whole())

    async def choices(self, request: web.Request) -> web.Response:
        """What ply `ply` of a game may have been: of the one with `id`, else of the one on the board."""
        number, known = request.query.get("ply", ""), request.query.get("id")
        if known is None:
            record = self._desk.corrections.applied(self._daemon.mind.games()[-1])
            start, moves = record.start, [ply.move for ply in record.plies]
        else:
            game = (await self._game(known)).game
            start, moves = game.start, list(game.moves)
        try:
            found = choices(start, moves, int(number) if number.isascii() and number.isdigit() else 0)
        except AmendError as problem:
            raise web.HTTPNotFound(text=f"{problem}\n") from None
        listed = [{"san": choice.san, "uci": choice.uci, "fits": choice.fits} for choice in found]
        return web.json_response({"choices": listed})

    async def setup(self, request: web.Request) -> web.Response:
        """A position that somebody sets up, and what is wrong with it."""
        return web.json_response(judged(request.query.get("fen", ""), request.query.get("chess960") == "1"))

    async def board(self, _request: web.Request) -> web.Response:
        """How the board is: what every square did since the start."""
        return web.json_response(self._page.watch.report() | {"calibration": self._page.calibrating.told()})

    async def reading(self, _request: web.Request) -> web.Response:
        """What the board reads now."""
        return web.json_response(self._page.watch.reading())

    async def calibration(self, _request: web.Request) -> web.Response:
        """How far a calibration has come."""
        return web.json_response(self._page.calibrating.told())

    async def calibrate(self, request: web.Request) -> web.Response:
        """Begin, take a step, go on all the same, or give up."""
        message, calibrating = await self._order(request), self._page.calibrating
        try:
            match message.get("do"):
                case "begin":
                    calibrating.begin()
                case "read":
                    await calibrating.take()
                case "go on":
                    await calibrating.take(all_the_same=True)
                case "give up":
                    calibrating.give_up()
                case _:
                    raise web.HTTPBadRequest(text='Expected a `do` of "begin", "read", "go on" or "give up".\n')
        except CalibratingError as problem:
            raise web.HTTPConflict(text=f"{problem}\n") from None
        return web.json_response(calibrating.told())

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
        from board_driver.web.timeline import timeline_svg  # noqa: PLC0415
        from board_driver.web.timelines import felt  # noqa: PLC0415

        scribe = self._desk.scribe
        file = None if self._tape.is_whole or scribe is None else scribe.newest_file
        told = None if file is None else await self._told_of(file)
        if told is not None:
            return _picture(timeline_svg(told.inputs, told.events))
        inputs = tuple(felt(self._tape.inputs, self._daemon.settings))
        return _picture(timeline_svg(inputs, self._tape.events))

    async def timeline_of(self, request: web.Request) -> web.Response:
        """The same of any game that the journal still has."""
        game = await self._game(request.match_info["id"])
        scribe = self._desk.scribe
        running = None if scribe is None else scribe.running(game.path.name, game.number)
        present = self._daemon.mind.games()[-1]
        if self._desk.journal is None and running is not None and running.began_ms == present.began_ms:
            return await self.timeline(request)
        from board_driver.web.timeline import timeline_svg  # noqa: PLC0415

        told = await self._told_of(game.path.name)
        if told is None:
            raise web.HTTPNotFound(text="What the sensors told in this game is not kept (any more).\n")
        return _picture(timeline_svg(told.inputs, told.events))

    async def report(self, request: web.Request) -> web.Response:
        """A problem report. It holds what was played, so only those who may control get it."""
        if not self._may_control(request):
            raise web.HTTPUnauthorized(text="Pair this page first.\n")
        from board_driver.web.problemreport import pack  # noqa: PLC0415

        packed = pack(self._daemon, self._tape, self._page.state(), self._page.watch.report())
        return _file(packed, "application/zip", "touchmove-report.zip")

    async def pair(self, request: web.Request) -> web.Response:
        """A token for the pairing code."""
        message = await _body(request)
        if not isinstance(message.get("code"), str):
            raise web.HTTPBadRequest(text='Expected {"code": "…"}.\n')
        try:
            token = self._desk.access.pair(str(message["code"]), request.remote or "")
        except TooManyTries as problem:
            wait_s = max(1, round(problem.wait_s))
            raise web.HTTPTooManyRequests(
                text=f"Too many tries: wait {wait_s} seconds.\n", headers={hdrs.RETRY_AFTER: str(wait_s)}
            ) from None
        if token is None:
            raise web.HTTPForbidden(text="That is not the code.\n")
        return web.json_response({"token": token}, headers={hdrs.CACHE_CONTROL: "no-store"})

    async def move(self, request: web.Request) -> web.Response:
        """A player far away moves: whoever sits at the board is led through it."""
        message = await self._order(request)
        try:
            refusal = self._page.grant(read_move(message))
        except WishError as problem:
            raise web.HTTPBadRequest(text=f"{problem}\n") from None
        if refusal is not None:
            raise web.HTTPConflict(text=f"{refusal.text}\n")
        return web.json_response({})

    async def _told_of(self, file: str) -> Told | None:
        """What the journal has of that game. One is replayed at a time: a long one takes a while."""
        from board_driver.web.timelines import told_of  # noqa: PLC0415

        if self._desk.journal is None:
            return None
        async with self._replaying:
            return await told_of(self._desk.journal, file)

    async def _game(self, known: str) -> StoredGame:
        found = await self._library.find([known])
        if not found:
            raise web.HTTPNotFound(text="There is no such game.\n")
        return found[0]

    async def _order(self, request: web.Request) -> dict[str, object]:
        """What is to be changed, from somebody who may."""
        if self._desk.read_only or not self._may_control(request):
            raise web.HTTPUnauthorized(text="Pair this page first.\n")
        return await _body(request)

    def _may_control(self, request: web.Request) -> bool:
        scheme, _, token = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
        return self._desk.access.may_control(token.strip() if scheme.lower() == "bearer" else None)


async def _body(request: web.Request) -> dict[str, object]:
    """The JSON object that was sent. Only as JSON, which no form of another site can send without asking."""
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType(text="Expected JSON.\n")
    try:
        message = json.loads(await request.read())  # UTF-8 by the standard, whatever the request says it is
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise web.HTTPBadRequest(text="Expected a JSON object.\n")
    return message


def _amendment(message: dict[str, object]) -> Amendment:
    try:
        tags = read_tags(message.get("tags") or {})
    except WishError as problem:
        raise web.HTTPBadRequest(text=f"{problem}\n") from None
    match message:
        case {"ply": int(ply), "uci": str(uci)} if not isinstance(ply, bool) and len(uci) <= 5:
            return Amendment(dict(tags), ply, uci)
        case {"result": "1-0" | "0-1" | "1/2-1/2" | "*" as result}:
            return Amendment(dict(tags), result=result)
        case {"ply": _} | {"result": _}:
            raise web.HTTPBadRequest(text="Expected `ply` and `uci`, or a `result`.\n")
        case _:
            return Amendment(dict(tags))


def _picture(svg: str) -> web.Response:
    return web.Response(body=svg.encode(), content_type="image/svg+xml", charset="utf-8")


def _file(body: bytes, content_type: str, name: str) -> web.Response:
    headers = {hdrs.CONTENT_TYPE: content_type, hdrs.CONTENT_DISPOSITION: f'attachment; filename="{name}"'}
    return web.Response(body=body, headers=headers)
