"""All browsers that look at one board: they get its state, and what they wish is done.

Every page gets the whole state on connecting, and after every change only what is different. Changes that come together
are sent as one, and a page that is slow to read skips some, exactly as a slow board skips pictures.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import WSMsgType, web

from board_driver.boards.table import Refusal
from board_driver.boards.virtual import VirtualBoard
from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.events import Event
from board_driver.lightcare import LightCare
from board_driver.loan import Loan
from board_driver.players.company import Company
from board_driver.scribe import Scribe
from board_driver.web.access import Access
from board_driver.web.boardwatch import BoardWatch, buttons_of
from board_driver.web.bulletin import Bulletin
from board_driver.web.calibrating import Calibrating
from board_driver.web.deeds import Deeds
from board_driver.web.history import History
from board_driver.web.pagestate import page_state
from board_driver.web.placing import Placing
from board_driver.web.program import program_id
from board_driver.web.score import Score
from board_driver.web.told import blackboard
from board_driver.web.wishes import LONGEST_MESSAGE, Alive, Dim, ForgetPages, Hello, Wish, WishError, read_wish
from board_driver.wording import ENGLISH
from board_driver.wording.language import language

if TYPE_CHECKING:
    from board_driver.teaching.blackboard import Instructor

HEARTBEAT_S = 20.0
"""A connection that does not answer a ping within half of this is closed, and its page connects again."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What a page needs beside the daemon: where games lie, what is corrected in them, and who may do that."""

    corrections: Corrections
    access: Access
    games: Path | None = None
    """The folder or file of the games; None: none are kept."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """PGN tags that the board's profile gives its games."""
    read_only: bool = False
    """Nobody may touch anything here."""
    language: str = ENGLISH
    """In which rulings are told."""
    care: LightCare | None = None
    """How bright the board's lights are; None: remembered nowhere."""
    scribe: Scribe | None = None
    """Who writes the games; None: nobody."""
    journal: Path | None = None
    """The journal's file, for what sensors told in games of earlier runs."""
    teacher: Instructor | None = None
    """Who teaches or trains; None: nobody."""
    company: Company | None = None
    """Engines and others without hands; None: nobody sits there but people."""

    @classmethod
    def plain(cls, daemon: Daemon, read_only: bool = False) -> Desk:
        """For a page of this machine only, of games that are not kept."""
        return cls(Corrections(daemon), Access(is_open=False), read_only=read_only)


State = dict[str, object]


class Page:
    """What `daemon` has to tell, ready for any number of browsers."""

    def __init__(self, daemon: Daemon, desk: Desk) -> None:
        self._daemon = daemon
        self._desk = desk
        self._bulletin = Bulletin(language(desk.language))
        self._history = History(daemon)
        self._mind = daemon.mind
        self.watch = BoardWatch(daemon)
        self.calibrating = Calibrating(daemon, self.changed)
        self._care = desk.care or LightCare(daemon)
        self._loan = Loan(daemon, self.changed)
        self._placing = Placing()
        self._deeds = Deeds(daemon, desk.corrections, self._care, self._loan, desk.company)
        self._score = Score()
        self._readers: set[_Reader] = set()
        self._state: State | None = None
        self._texts: dict[int, str] = {}
        """The present state as text for pages that last saw that one (by `id`), worked out once for all of them."""
        daemon.listen(self._hear)
        desk.corrections.watch(self.changed)
        if desk.teacher is not None:
            desk.teacher.watch(self.changed)
        if desk.company is not None:
            desk.company.analyst.watch(self.changed)
        if isinstance(daemon.board, VirtualBoard):
            daemon.board.watch(self.changed)

    def grant(self, wish: Wish) -> Refusal | None:
        """Do what somebody wishes who may control this board."""
        return self._deeds.grant(wish)

    def changed(self) -> None:
        """Something that a page shows is different now."""
        self._state = None
        for reader in self._readers:
            reader.stale.set()

    def state(self) -> State:
        """Everything that pages show now."""
        if self._state is None:
            desk = self._desk
            self._texts.clear()
            self._state = page_state(
                self._daemon,
                self._bulletin,
                self._score,
                history=self._history,
                corrections=desk.corrections,
                tags=desk.tags,
                company=desk.company,
            )
            self._state |= {
                "program": program_id(),
                "keeps_pages": desk.access.is_open,
                "lent": self._loan.is_lent,
                "calibrating": self.calibrating.is_under_way,
                "brightness": {"possible": self._care.can_dim, "percent": self._care.percent},
                "buttons": buttons_of(self._daemon.board),
                "placing": self._placing.told(self._daemon),
            }
            self._state["taught"] = None if desk.teacher is None else blackboard(desk.teacher.blackboard)
        return self._state

    async def feed(self, request: web.Request) -> web.WebSocketResponse:
        """One page's connection, for as long as it lasts."""
        return await self._serve(request, may_only_look=False)

    async def spectate(self, request: web.Request) -> web.WebSocketResponse:
        """The same for one that only looks, whoever it is."""
        return await self._serve(request, may_only_look=True)

    async def close(self) -> None:
        """End all connections; the pages will try to connect again."""
        for reader in tuple(self._readers):
            await reader.socket.close(code=1001, message=b"going away")

    async def _serve(self, request: web.Request, may_only_look: bool) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=LONGEST_MESSAGE)
        await socket.prepare(request)
        reader = _Reader(socket, may_only_look or self._desk.read_only, self._desk.access.may_control(None))
        self._readers.add(reader)
        sending = asyncio.create_task(reader.keep_sending(self._news))
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                refusal = self._grant(message.data, reader)
                reader.heard += 1
                reader.stale.set()
                if refusal is not None:
                    await socket.send_str(json.dumps({"type": "refused", "text": refusal}))
        except ConnectionError:
            pass  # it went away while being told no
        finally:
            sending.cancel()
            self._readers.discard(reader)
        return socket

    def _news(self, reader: _Reader) -> str:
        """The message that brings a page from what it saw last to what is now."""
        state, seen = self.state(), reader.seen
        text = self._texts.get(id(seen))
        if text is None:
            news = state if seen is None else difference(seen, state)
            text = self._texts[id(seen)] = ("," if news else "") + json.dumps(news, separators=(",", ":"))[1:]
        reader.seen = state
        kind = "state" if seen is None else "change"
        may_not = "true" if reader.read_only else "false"
        needs_code = "true" if reader.needs_code else "false"
        return f'{{"type":"{kind}","heard":{reader.heard},"read_only":{may_not},"needs_code":{needs_code}{text}'

    def _hear(self, events: Sequence[Event]) -> None:
        if self._mind is not self._daemon.mind:  # a new game: what was said before is of another
            self._mind = self._daemon.mind
            if not self._daemon.renewing:
                self._bulletin.clear()
                self._history.clear()
                self._placing.begin()
        self._bulletin.hear(events, self._daemon.mind.games()[-1] if events else None)
        self._history.hear(events)
        self.changed()

    def _grant(self, text: str, reader: _Reader) -> str | None:
        try:
            wish = read_wish(text)
            if isinstance(wish, Alive):
                return None
            if reader.only_looks:
                return "This board is only to be looked at."
            if isinstance(wish, Hello):
                reader.may_control = self._desk.access.may_control(wish.token)
                return None if reader.may_control else "That pairing is no longer known: enter the code once more."
            if not reader.may_control:
                return "To control this board, pair this page first: the code is shown on the board's computer."
            if isinstance(wish, ForgetPages):
                self._forget_pages()
                return None
            refusal = self._deeds.grant(wish)
            if isinstance(wish, Dim):
                self.changed()  # the board says nothing of it
        except WishError as error:
            return str(error)
        return None if refusal is None else refusal.text

    def _forget_pages(self) -> None:
        """End all pairings at once, also of pages that are open."""
        self._desk.access.forget()
        for reader in self._readers:
            reader.may_control = self._desk.access.may_control(None)
            reader.stale.set()


def difference(seen: State, now: State) -> State:
    """What a page that saw `seen` must be told: the keys that differ.

    Of `moves` only those from the first that differs on, and `moves_from` says how many stay.
    """
    news = {key: value for key, value in now.items() if seen.get(key) != value}
    if "moves" in news:
        old, new = seen["moves"], now["moves"]
        assert isinstance(old, list)
        assert isinstance(new, list)
        pairs = enumerate(zip(old, new, strict=False))
        same = next((i for i, (one, other) in pairs if one != other), min(len(old), len(new)))
        news |= {"moves": new[same:], "moves_from": same}
    return news


class _Reader:
    """One page, and whether what it shows is still true."""

    def __init__(self, socket: web.WebSocketResponse, only_looks: bool, may_control: bool) -> None:
        self.socket = socket
        self.only_looks = only_looks
        self.may_control = may_control
        self.heard = 0
        """How many wishes came from it: a state that has heard them all shows what they did."""
        self.seen: State | None = None
        self.stale = asyncio.Event()
        self.stale.set()

    @property
    def read_only(self) -> bool:
        """Whether nothing may be changed from it, now."""
        return self.only_looks or not self.may_control

    @property
    def needs_code(self) -> bool:
        """Whether pairing would let it."""
        return not self.only_looks and not self.may_control

    async def keep_sending(self, news: Callable[[_Reader], str]) -> None:
        """Send the news now and whenever it went stale, until the connection is gone."""
        with suppress(ConnectionError):
            while True:
                await self.stale.wait()
                self.stale.clear()
                await self.socket.send_str(news(self))
