"""All browsers that look at one board: they get its state, and what they wish is done.

Every page gets the whole state on connecting and after every change. Changes that come together are sent as one, and a
page that is slow to read skips states, exactly as a slow board skips pictures.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress

from aiohttp import WSMsgType, web

from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.events import Event
from board_driver.web.bulletin import Bulletin
from board_driver.web.deeds import Deeds
from board_driver.web.pagestate import Score, page_state
from board_driver.web.wishes import LONGEST_MESSAGE, WishError, read_wish

HEARTBEAT_S = 20.0
"""A connection that does not answer a ping within half of this is closed, and its page connects again."""


class Page:
    """What `daemon` has to tell, ready for any number of browsers. With `read_only` they may look and touch nothing."""

    def __init__(self, daemon: Daemon, read_only: bool = False) -> None:
        self._daemon = daemon
        self._bulletin = Bulletin()
        self._mind = daemon.mind
        self._deeds = Deeds(daemon)
        self._read_only = read_only
        self._score = Score()
        self._readers: set[_Reader] = set()
        self._state: str | None = None
        daemon.listen(self._hear)
        if isinstance(daemon.board, VirtualBoard):
            daemon.board.watch(self.changed)

    def changed(self) -> None:
        """Something that a page shows is different now."""
        self._state = None
        for reader in self._readers:
            reader.stale.set()

    def state(self) -> str:
        """The message that a page gets now, but for `heard`; worked out once, however many pages there are."""
        if self._state is None:
            state = page_state(self._daemon, self._bulletin, self._score) | {"read_only": self._read_only}
            self._state = json.dumps(state, separators=(",", ":"))
        return self._state

    async def feed(self, request: web.Request) -> web.WebSocketResponse:
        """One page's connection, for as long as it lasts."""
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=LONGEST_MESSAGE)
        await socket.prepare(request)
        reader = _Reader(socket)
        self._readers.add(reader)
        sending = asyncio.create_task(reader.keep_sending(self.state))
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                refusal = self._grant(message.data)
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

    async def close(self) -> None:
        """End all connections; the pages will try to connect again."""
        for reader in tuple(self._readers):
            await reader.socket.close(code=1001, message=b"going away")

    def _hear(self, events: Sequence[Event]) -> None:
        if self._mind is not self._daemon.mind:  # a new game: what was said before is of another
            self._mind = self._daemon.mind
            self._bulletin.clear()
        self._bulletin.hear(events)
        self.changed()

    def _grant(self, text: str) -> str | None:
        if self._read_only:
            return "This board is only to be looked at."
        try:
            refusal = self._deeds.grant(read_wish(text))
        except WishError as error:
            return str(error)
        return None if refusal is None else refusal.text


class _Reader:
    """One page, and whether what it shows is still true."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.heard = 0
        """How many wishes came from it: a state that has heard them all shows what they did."""
        self.stale = asyncio.Event()
        self.stale.set()

    async def keep_sending(self, state: Callable[[], str]) -> None:
        """Send `state()` now and whenever it went stale, until the connection is gone."""
        with suppress(ConnectionError):
            while True:
                await self.stale.wait()
                self.stale.clear()
                await self.socket.send_str(f'{{"heard":{self.heard},{state()[1:]}')
