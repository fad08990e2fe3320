"""Things that really happened to people with pages of such boards: the cases of kind `web` in field.jsonl, and kin."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from board_driver.boards.virtual import VirtualBoard
from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.mind import Mode, Settings
from board_driver.scribe import Folder, Scribe
from board_driver.web.access import Access
from board_driver.web.library import Library
from board_driver.web.page import Desk
from rules.fen import parse_fen
from tests.board_driver.web.test_page import Visit, at_work, hear

DATA = Path(__file__).parents[2] / "data"
CASES = {case["id"]: case for case in map(json.loads, (DATA / "field.jsonl").read_text("utf-8").splitlines())}
AFTER_E4 = str(CASES["WEB-01"]["start_fen"])


def playing(fen: str) -> Daemon:
    return Daemon(VirtualBoard(parse_fen(fen), capture_ms=0), Settings(mode=Mode.PLAY, start_fen=fen))


def test_web_01_who_only_looks_moves_nothing() -> None:
    async def script(at: Visit) -> None:
        onlooker = await at.session.ws_connect(at.url.rstrip("/") + "/api/v1/spectate")
        await hear(onlooker)
        for wish in (
            {"do": "lift", "square": "e7"},
            {"do": "button", "name": "resign", "value": "black"},
            {"do": "new"},
        ):
            await onlooker.send_json(wish)
            assert (await hear(onlooker, lambda m: m["type"] == "refused"))["text"]
        state = await (await at.session.get(at.url + "api/v1/state")).json()
        assert state["position"]["fen"] == CASES["WEB-01"]["end_fen"]
        assert state["moves"] == CASES["WEB-01"]["recorded_moves"]

    at_work(script, lambda: playing(AFTER_E4))


def test_web_03_a_stale_page_is_refused_and_told_how_things_stand() -> None:
    """It lifts what stood on e2 before 1.e4; the answer after the refusal is the state as it is now."""

    async def script(at: Visit) -> None:
        socket = await at.connect()
        await hear(socket)
        await socket.send_json({"do": "lift", "square": "e2", "hand": 0})
        assert "Nothing stands on e2" in (await hear(socket, lambda m: m["type"] == "refused"))["text"]
        state = await hear(socket, lambda m: m["type"] != "refused" and m["heard"] == 1)
        assert state["position"]["fen"] == CASES["WEB-03"]["end_fen"]
        assert state["moves"] == []

    at_work(script, lambda: playing(str(CASES["WEB-03"]["start_fen"])))


def test_web_05_nothing_old_is_shown_after_an_update() -> None:
    async def script(at: Visit) -> None:
        for path in ("", "main.js", "page.css", "watch", "watch.js"):
            answer = await at.session.get(at.url + path)
            assert answer.headers["Cache-Control"] == "no-cache", path
        assert (await hear(await at.connect()))["program"]

    at_work(script, lambda: playing(AFTER_E4))


def test_web_06_the_whole_position_survives_a_reload() -> None:
    fen = str(CASES["WEB-06"]["start_fen"])

    async def script(at: Visit) -> None:
        first, second = await hear(await at.connect()), await hear(await at.connect())
        assert first["position"] == second["position"]
        assert first["position"]["fen"] == fen
        assert (first["position"]["turn"], len(first["position"]["pieces"])) == ("white", 64)

    at_work(script, lambda: playing(fen))


def test_web_08_the_whole_state_comes_at_once_and_tells_of_the_board_apart() -> None:
    async def script(at: Visit) -> None:
        async with asyncio.timeout(1):
            state = await hear(await at.connect())
        assert state["type"] == "state"
        assert state["board"]["state"] == "open"

    at_work(script, lambda: playing(AFTER_E4))


def test_on_the_network_nothing_is_changed_by_http_without_a_token(tmp_path: Path) -> None:
    (tmp_path / "old.pgn").write_text("1. e4 *\n")
    before = (tmp_path / "old.pgn").read_bytes()

    def desk(daemon: Daemon) -> Desk:
        access = Access(is_open=True, code="12345678")
        return Desk(Corrections(daemon), access, tmp_path, scribe=Scribe(daemon, Folder(tmp_path)))

    async def script(at: Visit) -> None:
        for path in ("games/old.pgn~1", "calibration"):
            for headers in ({}, {"Authorization": "Bearer x"}, {"Authorization": "Basic x"}):
                body = {"do": "begin", "tags": {"White": "x"}}
                answer = await at.session.post(f"{at.url}api/v1/{path}", json=body, headers=headers)
                assert answer.status == 401
        for path in ("games/old.pgn~1", "calibration", "board", "setup"):
            assert (await at.session.put(f"{at.url}api/v1/{path}", json={})).status == 405
        assert (tmp_path / "old.pgn").read_bytes() == before

    at_work(script, lambda: playing(AFTER_E4), desk)


HOSTILE = (
    *("../../etc/passwd~1", "..%2f..%2fetc%2fpasswd~1", "%00~1"),
    *("old.pgn~0", "old.pgn~-1", "old.pgn~1e9", "~", "x" * 5000),
)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_of_games_are_no_games(tmp_path: Path, name: str) -> None:
    (tmp_path / "old.pgn").write_text("1. e4 *\n")

    def desk(daemon: Daemon) -> Desk:
        return Desk(Corrections(daemon), Access(False), tmp_path, scribe=Scribe(daemon, Folder(tmp_path)))

    async def script(at: Visit) -> None:
        for path in (f"games/{name}", f"games/{name}/timeline.svg"):
            assert (await at.session.get(f"{at.url}api/v1/{path}")).status in (400, 404)
        assert (await at.session.get(f"{at.url}api/v1/choices", params={"id": name, "ply": "1"})).status in (400, 404)
        assert (await at.session.post(f"{at.url}api/v1/games/{name}", json={})).status in (400, 404)

    at_work(script, lambda: playing(AFTER_E4), desk)


SHARDS = (
    b'[White "|"]\n|[Event|1. e4 |e5 |Nf3 |1-0\n\n|{|}|(|)|$5 |\x00|\xff\xfe|<script>|O-O-O |%\n|\n\n|; x\n|*\n|'
    b'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n'
)
PIECES_OF_PGN = st.lists(st.sampled_from(SHARDS.split(b"|")), max_size=40).map(b"".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(PIECES_OF_PGN)
def test_whatever_lies_in_the_folder_is_listed_and_replayed(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "any.pgn").write_bytes(content)

    async def run() -> None:
        for game in await Library(tmp_path).games():
            whole = game.whole()
            json.dumps([game.line(), whole])
            boards, moves = whole["boards"], whole["moves"]
            assert isinstance(boards, list)
            assert isinstance(moves, list)
            assert len(boards) == len(moves) + 1
            assert all(len(board) == 64 for board in boards)

    asyncio.run(run())
