"""The feed and the files, asked for as a browser does, with a real server on a free port."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, WSServerHandshakeError

from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.events import Event, Fault, Irregular, Moved, RestoreAsked
from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.mind import Mode, Settings
from board_driver.scan import Button, ButtonName, Scan
from board_driver.web.page import Desk
from board_driver.web.server import ASSETS, FEED_PATH, Server
from rules.fen import START_FEN, parse_fen
from rules.uci import parse_uci
from tests.board_driver.doubles import FakeBoard, FakeMind

PATIENCE_S = 5


@dataclass
class Visit:
    """A daemon with its page, and a browser's session at it."""

    daemon: Daemon
    server: Server
    session: ClientSession
    url: str

    @property
    def mind(self) -> FakeMind:
        assert isinstance(self.daemon.mind, FakeMind)
        return self.daemon.mind

    async def connect(self) -> ClientWebSocketResponse:
        return await self.session.ws_connect(self.url.rstrip("/") + FEED_PATH)


State = dict[str, Any]


STATES: WeakKeyDictionary[ClientWebSocketResponse, State] = WeakKeyDictionary()
"""What each connection was told so far, changes put in."""


def merged(state: State, message: State) -> State:
    """The state after a change, as a page works it out."""
    news = dict(message)
    if "moves_from" in news:
        news["moves"] = [*state["moves"][: news.pop("moves_from")], *news["moves"]]
    return {**state, **news}


async def hear(socket: ClientWebSocketResponse, fits: Callable[[State], object] = lambda _: True) -> State:
    """The next refusal, or state with its changes put in, that fits."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            message: State = await socket.receive_json()
            if message["type"] != "refused":
                before = STATES.get(socket, {}) if message["type"] == "change" else {}
                message = STATES[socket] = merged(before, message)
            if fits(message):
                return message


def visit(
    script: Callable[[Visit], Awaitable[None]],
    board_of: Callable[[], VirtualBoard | FakeBoard] = VirtualBoard,
    read_only: bool = False,
    desk_of: Callable[[Daemon], Desk] | None = None,
) -> None:
    """Run `script` at the page of a daemon that is at work on a board."""
    at_work(
        script,
        lambda: Daemon(board_of(), Settings(mode=Mode.PLAY), mind_of=FakeMind),
        desk_of or (lambda daemon: Desk.plain(daemon, read_only)),
    )


def at_work(
    script: Callable[[Visit], Awaitable[None]],
    daemon_of: Callable[[], Daemon],
    desk_of: Callable[[Daemon], Desk] = Desk.plain,
) -> None:
    """Run `script` at the page of that daemon."""

    async def run() -> None:
        daemon = daemon_of()
        server = Server(daemon, "127.0.0.1", 0, desk_of(daemon))
        url = await server.start()
        life = asyncio.create_task(daemon.run())
        await daemon.ready.wait()
        try:
            async with ClientSession() as session:
                await script(Visit(daemon, server, session, url))
        finally:
            daemon.stop()
            await life
            await server.stop()

    asyncio.run(run())


def test_the_whole_state_comes_on_connecting() -> None:
    async def script(at: Visit) -> None:
        state = await hear(await at.connect())
        assert (state["type"], state["heard"], state["needs_code"]) == ("state", 0, False)
        assert state["position"] == {
            "fen": START_FEN,
            "turn": "white",
            "check": False,
            "pieces": "RNBQKBNRPPPPPPPP" + "." * 32 + "pppppppprnbqkbnr",
        }
        assert state["table"] == {
            "squares": "RNBQKBNRPPPPPPPP" + "." * 32 + "pppppppprnbqkbnr",
            "hands": [None, None],
            "landing": None,
            "tray": "Qq",
            "noise": False,
        }
        assert state["board"] == {
            "name": "virtual board",
            "senses": "occupancy",
            "virtual": True,
            "state": "open",
            "trouble": "",
        }
        assert state["result"] is None

    visit(script)


def test_a_piece_moved_on_one_page_is_seen_by_all_and_sensed_by_the_board() -> None:
    async def script(at: Visit) -> None:
        one, other = await at.connect(), await at.connect()
        await one.send_json({"do": "lift", "square": "e2", "hand": 0})
        held = {"piece": "P", "from": "e2"}
        state = await hear(other, lambda m: m["table"]["hands"] == [held, None])
        assert state["heard"] == 0
        assert (await hear(one, lambda m: m["heard"] == 1))["table"] == state["table"]
        await one.send_json({"do": "put", "hand": 0, "square": "e4"})
        await hear(other, lambda m: m["table"]["squares"][28] == "P")
        seen = [item.reading.occupied for item in at.mind.received if isinstance(item, Scan)]  # type: ignore[union-attr]
        assert seen[-2:] == [0xFFFF00000000EFFF, 0xFFFF00001000EFFF]

    visit(script)


def test_what_cannot_be_done_is_refused_to_the_one_who_asked() -> None:
    async def script(at: Visit) -> None:
        socket = await at.connect()
        for wish in ({"do": "lift", "square": "e5"}, {"do": "put", "hand": 1, "square": "e4"}, {"do": "dance"}):
            await socket.send_json(wish)
            refused = await hear(socket, lambda m: m["type"] == "refused")
            assert refused["text"]
        assert (await hear(socket, lambda m: m.get("heard") == 3))["read_only"] is False

    visit(script)


def test_pieces_of_a_board_that_is_not_virtual_cannot_be_moved() -> None:
    async def script(at: Visit) -> None:
        socket = await at.connect()
        assert (await hear(socket))["table"] == {"occupied": None}
        await socket.send_json({"do": "lift", "square": "e2"})
        assert "by hand" in str((await hear(socket, lambda m: m["type"] == "refused"))["text"])

    visit(script, FakeBoard)


def test_a_page_that_may_only_look_changes_nothing() -> None:
    async def script(at: Visit) -> None:
        socket = await at.connect()
        assert (await hear(socket))["read_only"] is True
        before = len(at.mind.received)
        resign = {"do": "button", "name": "resign", "value": "white"}
        for wish in ({"do": "lift", "square": "e2"}, resign, {"do": "new"}):
            await socket.send_json(wish)
            assert "looked at" in (await hear(socket, lambda m: m["type"] == "refused"))["text"]
        assert len(at.mind.received) == before

    visit(script, read_only=True)


def test_buttons_reach_the_mind() -> None:
    async def script(at: Visit) -> None:
        socket = await at.connect()
        await socket.send_json({"do": "button", "name": "promote", "value": "n"})
        await hear(socket, lambda m: m["heard"] == 1)
        buttons = [item for item in at.mind.received if isinstance(item, Button)]
        assert [(button.name, button.value) for button in buttons] == [(ButtonName.PROMOTE, "n")]

    visit(script)


def test_a_new_game_sets_up_the_pieces_and_forgets_what_was_said() -> None:
    fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"

    async def script(at: Visit) -> None:
        socket = await at.connect()
        at.daemon.inbox.put(Fault(1, "stuck", None, "c3 is stuck"))
        await hear(socket, lambda m: "c3 is stuck" in str(m["said"]))
        await socket.send_json({"do": "new", "mode": "record", "ruleset": "blitz", "fen": fen})
        state = await hear(socket, lambda m: m["settings"]["mode"] == "record")
        assert state["position"]["fen"] == fen
        assert state["table"]["squares"].count(".") == 61
        assert "c3" not in str(state["said"])
        assert at.mind.settings.ruleset == "blitz"
        assert [item.reading for item in at.mind.received if isinstance(item, Scan)] == [at.daemon.board.reading()]  # type: ignore[attr-defined]

    visit(script)


@pytest.mark.parametrize("bad", [{"fen": "nonsense"}, {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, {"ruleset": "suicide"}])
def test_a_new_game_that_cannot_be_leaves_the_old_one_as_it_is(bad: dict[str, str]) -> None:
    async def script(at: Visit) -> None:
        socket, mind = await at.connect(), at.daemon.mind
        await socket.send_json({"do": "new", **bad})
        assert await hear(socket, lambda m: m["type"] == "refused")
        assert at.daemon.mind is mind

    visit(script)


def test_the_score_names_moves_and_marks_what_is_not_certain() -> None:
    position = parse_fen(START_FEN)
    first = parse_uci(position, "e2e4")
    second = parse_uci(position.play(first), "e7e5")

    async def script(at: Visit) -> None:
        socket = await at.connect()
        plies = (RecordedPly(first, 10, 10), RecordedPly(second, 30, 20, provisional=True, alternatives=("e7e6",)))
        at.mind.game = GameRecord(position, plies)
        at.mind.says = {"result": "1-0", "reason": "resignation", "claimable": ["threefold"]}
        at.daemon.press_button(ButtonName.DRAW)
        state = await hear(socket, lambda m: m["moves"])
        assert [(m["san"], m["uci"], m["elapsed_ms"], m["provisional"]) for m in state["moves"]] == [
            ("e4", "e2e4", 10, False),
            ("e5", "e7e5", 20, True),
        ]
        assert [m["alternatives"] for m in state["moves"]] == [[], [{"uci": "e7e6", "san": "e6"}]]
        assert (state["result"], state["reason"], state["claimable"]) == ("1-0", "resignation", ["threefold"])
        at.mind.game = GameRecord(position, plies[:1])
        at.daemon.press_button(ButtonName.DRAW)
        assert len((await hear(socket, lambda m: len(m["moves"]) < 2))["moves"]) == 1

    visit(script)


def test_the_headline_is_the_ruling_and_the_remedy_lasts_while_something_is_wrong() -> None:
    async def script(at: Visit) -> None:
        socket = await at.connect()
        events: list[Event] = [
            Moved(1, "e4", "e2e4", START_FEN, 1, False),
            Irregular(2, "self-check", None, "illegal", False, "The king is left in check.", "3.9"),
            RestoreAsked(3, (), (), "White pawn back to e2."),
            Fault(4, "stuck", None, "c3 is stuck"),
        ]
        at.mind.receive = lambda item: events  # type: ignore[method-assign]  # noqa: ARG005
        at.mind.says = {"restore": {"lift": ["e4"], "place": ["e2"]}}
        at.daemon.press_button(ButtonName.DRAW)
        state = await hear(socket, lambda m: m["headline"] and m["headline"]["tone"] != "note")
        assert state["headline"] == {
            "t_ms": 2,
            "tone": "wrong",
            "text": "The king is left in check.",
            "article": "3.9",
        }
        assert state["remedy"] == "White pawn back to e2."
        assert [line["tone"] for line in state["said"]][-4:] == ["move", "wrong", "remedy", "fault"]
        at.mind.says = {}
        at.mind.receive = lambda item: []  # type: ignore[method-assign]  # noqa: ARG005
        at.daemon.press_button(ButtonName.DRAW)
        assert (await hear(socket, lambda m: not m["remedy"]))["remedy"] == ""

    visit(script)


def test_a_pawn_that_may_promote_asks_for_its_piece() -> None:
    async def script(at: Visit) -> None:
        socket = await at.connect()
        at.mind.game = GameRecord(parse_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"))
        at.mind.says = {"obligation": {"kind": "move", "squares": ["a7"]}}
        at.daemon.press_button(ButtonName.DRAW)
        state = await hear(socket, lambda m: m["promotion"])
        assert state["promotion"] == {"colour": "white", "square": "a7", "chosen": None}
        move = parse_uci(at.mind.game.start, "a7a8n")
        at.mind.game = GameRecord(at.mind.game.start, (RecordedPly(move, 0, 0),))
        at.daemon.press_button(ButtonName.DRAW)
        state = await hear(socket, lambda m: m["promotion"]["chosen"])
        assert state["promotion"] == {"colour": "white", "square": "a8", "chosen": "n"}

    visit(script)


def test_all_that_the_page_needs_is_served_and_nothing_else_fetched() -> None:
    async def script(at: Visit) -> None:
        for asset in sorted(ASSETS.iterdir()):
            answer = await at.session.get(at.url + asset.name)
            assert answer.status == 200, asset.name
            text = await answer.text()
            assert set(re.findall(r"https?://[^\"'`$]+", text)) <= {"http://www.w3.org/2000/svg"}
        assert (await at.session.get(at.url)).content_type == "text/html"

    visit(script)


@pytest.mark.parametrize("path", ["", "main.js", "nothing", "../server.py", "api/v1/nothing"])
def test_every_answer_carries_the_headers_that_fence_the_page_in(path: str) -> None:
    async def script(at: Visit) -> None:
        headers = (await at.session.get(at.url + path)).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"

    visit(script)


def test_the_page_holds_nothing_that_its_policy_forbids() -> None:
    page = (ASSETS / "index.html").read_text()
    assert "style=" not in page
    assert "onclick" not in page
    assert "<script>" not in page
    assert "<style" not in page


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Host": "192.168.1.5:8080"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 200),
    ],
)
def test_strangers_are_refused(headers: dict[str, str], status: int) -> None:
    async def script(at: Visit) -> None:
        assert (await at.session.get(at.url, headers=headers)).status == status

    visit(script)


def test_a_feed_asked_for_from_another_site_is_refused() -> None:
    async def script(at: Visit) -> None:
        feed = at.url.rstrip("/") + FEED_PATH
        with pytest.raises(WSServerHandshakeError, match="403"):
            await at.session.ws_connect(feed, headers={"Origin": "http://evil.example"})
        assert await hear(await at.session.ws_connect(feed, headers={"Origin": at.url.rstrip("/")}))

    visit(script)


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_nothing_is_changed_but_through_the_feed(method: str) -> None:
    async def script(at: Visit) -> None:
        for path in ("", "api/v1/games", "api/v1/state", "api/v1/games.pgn", "watch"):
            answer = await getattr(at.session, method)(at.url + path, data="{}")
            assert answer.status == 405

    visit(script)


def test_a_message_that_is_too_long_ends_the_connection() -> None:
    async def script(at: Visit) -> None:
        socket = await at.connect()
        await hear(socket)
        await socket.send_str(json.dumps({"do": "new", "fen": "x" * 5000}))
        async with asyncio.timeout(PATIENCE_S):
            while (message := await socket.receive()).type is WSMsgType.TEXT:
                pass
        assert message.type is WSMsgType.CLOSE
        assert await hear(await at.connect())

    visit(script)


def test_a_server_that_stops_says_so_to_its_pages() -> None:
    async def script(at: Visit) -> None:
        socket = await at.connect()
        await hear(socket)
        stopping = asyncio.create_task(at.server.stop())
        async with asyncio.timeout(PATIENCE_S):
            while (message := await socket.receive()).type is WSMsgType.TEXT:
                pass
        assert (message.type, message.data) == (WSMsgType.CLOSE, 1001)
        await stopping

    visit(script)


def test_a_port_that_is_taken_is_an_error_and_leaves_nothing_open() -> None:
    async def script(at: Visit) -> None:
        port = int(at.url.rstrip("/").rpartition(":")[2])
        with pytest.raises(OSError, match="in use"):
            await Server(at.daemon, "127.0.0.1", port).start()

    visit(script)


def test_files_come_packed_and_only_once() -> None:
    async def script(at: Visit) -> None:
        first = await at.session.get(at.url + "page.css", headers={"Accept-Encoding": "gzip"})
        assert first.headers["Content-Encoding"] == "gzip"
        assert int(first.headers["Content-Length"]) < len(await first.read()) / 2
        plain = await at.session.get(at.url + "page.css", headers={"Accept-Encoding": "identity"})
        assert "Content-Encoding" not in plain.headers
        assert await plain.read() == await first.read()
        again = await at.session.get(at.url + "page.css", headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status, await again.read()) == (304, b"")
        assert again.headers["Content-Security-Policy"]
        other = await at.session.get(at.url + "main.js", headers={"If-None-Match": first.headers["ETag"]})
        assert other.status == 200

    visit(script)
