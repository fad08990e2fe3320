"""The HTTP part of the API: games, pictures, reports and pairing, as the OpenAPI file says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from aiohttp import ClientSession

from board_driver.boards.table import Hand
from board_driver.boards.virtual import VirtualBoard
from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.events import Irregular, Moved, Revised
from board_driver.mind import Mode, Settings
from board_driver.minds import make_mind
from board_driver.scan import Button, ButtonName, Field, Occupancy, Scan
from board_driver.web.access import TRIES, Access
from board_driver.web.library import Library
from board_driver.web.page import Desk, difference
from board_driver.web.server import ASSETS, FEED_PATH, Server
from board_driver.web.timeline import NOTHING, Bar, bars_of, timeline_svg
from rules.fen import START_FEN
from rules.squares import parse_square
from tests.board_driver.web.test_page import Visit, hear, visit

GAMES = """[Event "Club <b>evening</b>"]
[White "Ann"]
[Black "Bob"]
[Date "2026.05.01"]
[Result "1-0"]

1. e4 {[%emt 0:00:07]} e5 2. Qh5 1-0

[White "Cid"]
[Black "<img src=x onerror=alert(1)>"]
[Result "*"]

1. d4 *

"""


def kept(tmp_path: Path) -> Path:
    (tmp_path / "2026-05-01.pgn").write_text(GAMES)
    (tmp_path / "notes.txt").write_text("1. c4")
    (tmp_path / ".hidden.pgn").write_text(GAMES)
    return tmp_path


def with_games(place: Path) -> Callable[[Daemon], Desk]:
    """A desk with the games in that place."""
    return lambda daemon: Desk(Corrections(daemon), Access(is_open=False), place)


def test_games_are_listed_sought_replayed_and_downloaded(tmp_path: Path) -> None:
    async def script(at: Visit) -> None:
        api = at.url + "api/v1/"
        listed = await (await at.session.get(api + "games")).json()
        assert (listed["kept"], listed["found"]) == (True, 2)
        assert [game["white"] for game in listed["games"]] == ["Cid", "Ann"]
        sought = await (await at.session.get(api + "games", params={"search": "bob CLUB"})).json()
        (line,) = sought["games"]
        assert (line["id"], line["result"], line["plies"]) == ("2026-05-01.pgn~1", "1-0", 3)
        game = await (await at.session.get(api + "games/" + line["id"])).json()
        assert [move["san"] for move in game["moves"]] == ["e4", "e5", "Qh5"]
        assert game["moves"][0]["elapsed_ms"] == 7000
        assert game["boards"][1][28] == "P"
        assert len(game["boards"]) == 4
        one = await (await at.session.get(api + "games.pgn", params={"id": line["id"]})).text()
        assert "Qh5" in one
        assert "Cid" not in one
        assert "Cid" in await (await at.session.get(api + "games.pgn")).text()

    visit(script, desk_of=with_games(kept(tmp_path)))


def test_no_name_reaches_beyond_the_folder(tmp_path: Path) -> None:
    place = tmp_path / "games"
    place.mkdir()
    (tmp_path / "secret.pgn").write_text(GAMES)

    async def script(at: Visit) -> None:
        for name in ("..%2Fsecret.pgn~1", "../secret.pgn~1", "%2Fetc%2Fpasswd~1", "x"):
            assert (await at.session.get(f"{at.url}api/v1/games/{name}")).status == 404
        assert (await at.session.get(at.url + "api/v1/games.pgn?id=..%2Fsecret.pgn~1")).status == 404

    visit(script, desk_of=with_games(place))


def test_a_library_is_one_file_too_and_sees_what_changes(tmp_path: Path) -> None:
    async def run() -> None:
        path = tmp_path / "all.pgn"
        library = Library(path)
        assert await library.games() == []
        path.write_text(GAMES)
        assert len(await library.games()) == 2
        path.write_text(GAMES * 2)
        assert len(await library.games()) == 4
        assert not Library(None).is_kept
        path.write_bytes(b'\x00\xff[White "x\n1. e4 e9 ' * 50)
        await library.games()

    asyncio.run(run())


def test_a_report_holds_a_log_that_replays() -> None:
    async def run() -> None:
        board = VirtualBoard(capture_ms=0)
        daemon = Daemon(board, Settings(mode=Mode.RECORD), mind_of=make_mind)
        server = Server(daemon, "127.0.0.1", 0)
        url = await server.start()
        life = asyncio.create_task(daemon.run())
        await daemon.ready.wait()
        e2, e4 = parse_square("e2"), parse_square("e4")
        board.lift(e2, Hand.FIRST)
        board.put(Hand.FIRST, e4)
        daemon.press_button(ButtonName.RESULT, "1-0")
        async with ClientSession() as session:
            while "1-0" not in str((await (await session.get(url + "api/v1/state")).json())["result"]):
                pass
            answer = await session.get(url + "api/v1/report.zip")
            packed = ZipFile(BytesIO(await answer.read()))
        daemon.stop()
        await life
        await server.stop()
        assert set(packed.namelist()) == {
            "README.txt",
            "sensors.jsonl",
            "decisions.jsonl",
            "settings.json",
            "board.json",
            "about.json",
            "state.json",
        }
        lines = packed.read("sensors.jsonl").decode().splitlines()
        assert json.loads(lines[0])["sensorlog"] == 1
        assert [json.loads(line).get("button") for line in lines[1:]][-1] == "result"
        assert '"result": "1-0"' in packed.read("state.json").decode()

    asyncio.run(run())


def test_on_the_network_controlling_needs_the_code() -> None:
    def open_desk(daemon: Daemon) -> Desk:
        return Desk(Corrections(daemon), Access(is_open=True, code="12345678"))

    async def script(at: Visit) -> None:
        pair = at.url + "api/v1/pair"
        socket = await at.connect()
        state = await hear(socket)
        assert (state["read_only"], state["needs_code"]) == (True, True)
        await socket.send_json({"do": "lift", "square": "e2"})
        assert "pair" in (await hear(socket, lambda m: m["type"] == "refused"))["text"]
        assert (await at.session.get(at.url + "api/v1/report.zip")).status == 401
        assert (await at.session.post(pair, data="code=12345678")).status == 415
        assert (await at.session.post(pair, json={"code": 12345678})).status == 400
        assert (await at.session.post(pair, json={"code": "0" * 9000})).status == 413
        assert (await at.session.post(pair, json={"code": "11111111"})).status == 403
        answer = await at.session.post(pair, json={"code": "1234 5678"})
        assert answer.headers["Cache-Control"] == "no-store"
        token = (await answer.json())["token"]
        await socket.send_json({"do": "hello", "token": "wrong"})
        await hear(socket, lambda m: m["type"] == "refused")
        await socket.send_json({"do": "hello", "token": token})
        await hear(socket, lambda m: m.get("read_only") is False)
        await socket.send_json({"do": "lift", "square": "e2"})
        await hear(socket, lambda m: m["type"] != "refused" and m["table"]["hands"][0])
        bearer = {"Authorization": f"Bearer {token}"}
        assert (await at.session.get(at.url + "api/v1/report.zip", headers=bearer)).status == 200
        for _ in range(TRIES):
            last = await at.session.post(pair, json={"code": "00000000"})
        assert last.status == 429
        assert int(last.headers["Retry-After"]) > 0

    visit(script, desk_of=open_desk)


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"[" * 4000, b"NaN", b'{"code": 1e400}', b'{"code": "\\ud800"}'])
@pytest.mark.parametrize("charset", ["utf-8", "utf-7", "no-such-thing"])
def test_nothing_that_is_sent_for_a_code_is_a_mistake_of_ours(body: bytes, charset: str) -> None:
    async def script(at: Visit) -> None:
        headers = {"Content-Type": f"application/json; charset={charset}"}
        answer = await at.session.post(at.url + "api/v1/pair", data=body, headers=headers)
        assert answer.status in (400, 403)

    visit(script)


@pytest.mark.parametrize(
    "request_line",
    [
        b"\x16\x03\x01\x02\x00\x01",
        b"FOO / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
    ],
    ids=["TLS", "method", "long"],
)
def test_what_is_no_http_is_answered_and_leaves_no_traceback(
    request_line: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(at: Visit) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(at.url.rstrip("/").rpartition(":")[2]))
        writer.write(request_line + b"\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.")
        writer.close()

    visit(script)
    assert caplog.records == []


def test_who_only_looks_never_controls() -> None:
    async def script(at: Visit) -> None:
        look = at.url.rstrip("/") + "/api/v1/spectate"
        other = {"Origin": "http://127.0.0.1:9"}
        socket = await at.session.ws_connect(look, headers=other)
        state = await hear(socket)
        assert (state["read_only"], state["needs_code"]) == (True, False)
        await socket.send_json({"do": "lift", "square": "e2"})
        assert (await hear(socket, lambda m: m["type"] == "refused"))["text"]
        for path, origin, status in (
            ("spectate", "http://evil.example", 403),
            ("feed", "http://127.0.0.1:9", 403),
        ):
            answer = await at.session.get(f"{at.url}api/v1/{path}", headers={"Origin": origin})
            assert answer.status == status

    visit(script)


def test_names_settled_plies_and_results_are_told_to_pages() -> None:
    async def script(at: Visit) -> None:
        socket = await at.connect()
        await socket.send_json({"do": "header", "tags": {"White": "Ann", "Event": "<script>"}})
        state = await hear(socket, lambda m: m["tags"])
        assert state["tags"] == {"White": "Ann", "Event": "<script>"}
        await socket.send_json({"do": "settle", "ply": 1, "uci": "e2e4"})
        assert "cannot have been" in (await hear(socket, lambda m: m["type"] == "refused"))["text"]
        await socket.send_json({"do": "noise", "on": True})
        assert (await hear(socket, lambda m: m["type"] != "refused" and m["table"]["noise"]))["heard"] == 3
        await socket.send_json({"do": "new", "tags": {"White": "Bea"}})
        assert (await hear(socket, lambda m: m["tags"] != state["tags"]))["tags"] == {"White": "Bea"}

    visit(script)


def test_a_change_tells_only_what_differs() -> None:
    seen: dict[str, object] = {"moves": [1, 2, 3], "turn": "white", "board": 1}
    assert difference(seen, dict(seen)) == {}
    assert difference(seen, {**seen, "turn": "black"}) == {"turn": "black"}
    assert difference(seen, {**seen, "moves": [1, 2, 4, 5]}) == {"moves": [4, 5], "moves_from": 2}
    assert difference(seen, {**seen, "moves": [1]}) == {"moves": [], "moves_from": 1}


def test_changes_are_small() -> None:
    async def script(at: Visit) -> None:
        socket = await at.connect()
        whole = len(await socket.receive_str())
        await socket.send_json({"do": "lift", "square": "e2"})
        assert len(await socket.receive_str()) < whole / 3

    visit(script)


def test_the_timeline_shows_squares_that_changed_and_what_was_decided() -> None:
    start, up = 0xFFFF00000000FFFF, 0xFFFF00000000EFFF
    scans = [Scan(0, Occupancy(start)), Scan(500, Occupancy(up)), Scan(900, Occupancy(up | 1 << 28))]
    assert bars_of(scans, 2000) == [Bar(12, 0, 500), Bar(28, 900, 2000)]
    events = [
        Moved(1000, "e4", "e2e4", START_FEN, 1, False),
        Revised(1100, 1, "e2e4", None),
        Irregular(1200, "self-check", None, "illegal", False, "<b>", "3.9"),
    ]
    picture = ElementTree.fromstring(timeline_svg([*scans, Button(1300, ButtonName.DRAW)], events))
    texts = [node.text for node in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"e2", "e4", "1.e4"} <= set(texts)
    assert "style" not in ElementTree.tostring(picture, "unicode")
    assert NOTHING in timeline_svg([], [])
    assert NOTHING in timeline_svg([Scan(0, Field((1.0,) * 64))], [])


def test_the_openapi_file_names_what_is_served() -> None:
    described = json.loads((ASSETS / "openapi.json").read_text())
    paths = {path: set(verbs) for path, verbs in described["paths"].items()}

    async def script(at: Visit) -> None:
        app = at.server._runner.app
        assert app is not None
        served: dict[str, set[str]] = {}
        for route in app.router.routes():
            path = route.resource.canonical if route.resource else ""
            if path.startswith("/api/v1/") and route.method != "HEAD":
                served.setdefault(path.removeprefix("/api/v1"), set()).add(route.method.lower())
        for feed in (FEED_PATH.removeprefix("/api/v1"), "/spectate", "/openapi.json"):
            served.pop(feed)
        assert served == paths
        about = await (await at.session.get(at.url + "api/v1/about")).json()
        assert (about["name"], about["needs_code"]) == ("touchmove", False)

    visit(script)
    assert (Path(__file__).parents[3] / "docs" / "openapi.json").read_text() == (ASSETS / "openapi.json").read_text()
