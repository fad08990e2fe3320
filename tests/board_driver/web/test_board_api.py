"""What the page asks about the board itself: its health, its lights, a calibration, and games of other runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from board_driver.boards.halladc import HallSource
from board_driver.boards.hallfile import read_calibration
from board_driver.boards.hallsteps import Step
from board_driver.boards.sensorboard import SensorBoard, Wired
from board_driver.boards.table import Hand
from board_driver.boards.virtual import VirtualBoard
from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.events import Lifted
from board_driver.keeper import Keeper
from board_driver.lightcare import LightCare
from board_driver.lights.picture import DARK
from board_driver.loan import TOUCH_MS
from board_driver.mind import LightsSetting, Mode, Settings
from board_driver.minds import make_mind
from board_driver.profile.reading import sound_profile
from board_driver.scan import Command, Occupancy, Scan, Sensing
from board_driver.scribe import Folder, Scribe
from board_driver.store.chapters import GameFile
from board_driver.store.journal import Journal
from board_driver.store.resume import give
from board_driver.store.state import JOURNAL
from board_driver.web import tape
from board_driver.web.access import Access
from board_driver.web.page import Desk
from rules.squares import parse_square
from tests.board_driver.doubles import FakeBoard
from tests.board_driver.store.lives import shown
from tests.board_driver.web.test_page import Visit, at_work, hear, visit
from tests.electricity.circuits import HallCircuit
from tests.electricity.computers import CircuitLines, ConverterSpi
from tests.electricity.test_calibration import Bench

E2, E4 = parse_square("e2"), parse_square("e4")
START_BITS = 0xFFFF00000000FFFF

OLD = """[Event "Club"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 1-0

"""


class DimmableBoard(FakeBoard):
    """Lights whose brightness may be set."""

    can_dim = True

    def __init__(self) -> None:
        super().__init__()
        self.percent: list[int | None] = []

    def dim(self, percent: int | None) -> None:
        self.percent.append(percent)


async def until(fits: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not fits():
            await asyncio.sleep(0.01)


# -- games of other runs


def test_a_game_of_an_earlier_run_is_put_right_in_its_file(tmp_path: Path) -> None:
    (tmp_path / "old.pgn").write_text(OLD)

    def desk(daemon: Daemon) -> Desk:
        return Desk(Corrections(daemon), Access(False), tmp_path, scribe=Scribe(daemon, Folder(tmp_path)))

    async def script(at: Visit) -> None:
        url = at.url + "api/v1/games/old.pgn~1"
        found = await (await at.session.get(at.url + "api/v1/choices", params={"id": "old.pgn~1", "ply": "3"})).json()
        fits = {choice["san"]: choice["fits"] for choice in found["choices"]}
        assert fits["Nc3"]
        assert len(fits) == 29
        game = await (await at.session.post(url, json={"tags": {"White": "Anna"}, "ply": 3, "uci": "b1c3"})).json()
        assert [move["san"] for move in game["moves"]] == ["e4", "e5", "Nc3", "Nc6"]
        text = (tmp_path / "old.pgn").read_text()
        assert "2. Nc3 {was Nf3}" in text
        assert "White was Ann" in text
        game = await (await at.session.post(url, json={"result": "0-1"})).json()
        assert game["tags"]["Result"] == "0-1"
        for body, status in (
            ({"ply": 1, "uci": "e2e5"}, 409),
            ({"ply": 1}, 400),
            ({"ply": True, "uci": "e2e4"}, 400),
            ({"tags": {"FEN": "x"}}, 400),
            ({"tags": {"White": "x" * 121}}, 400),
            ({"result": "won"}, 400),
            ([], 400),
        ):
            assert (await at.session.post(url, json=body)).status == status, body
        assert (await at.session.post(url, data="{}")).status == 415
        assert (await at.session.post(at.url + "api/v1/games/none~1", json={})).status == 404
        refused = await at.session.post(url, json={}, headers={"Origin": "http://evil.example"})
        assert refused.status == 403

    visit(script, desk_of=desk)


def test_a_game_that_is_being_played_is_put_right_above_its_record(tmp_path: Path) -> None:
    def desk(daemon: Daemon) -> Desk:
        corrections, scribe = Corrections(daemon), Scribe(daemon, Folder(tmp_path))
        scribe.correct(corrections)
        return Desk(corrections, Access(False), tmp_path, scribe=scribe)

    async def script(at: Visit) -> None:
        board = at.daemon.board
        assert isinstance(board, VirtualBoard)
        board.lift(E2, Hand.FIRST)
        board.put(Hand.FIRST, E4)
        socket = await at.connect()
        await hear(socket, lambda m: m["type"] != "refused" and m["moves"])
        await socket.send_json({"do": "correct", "ply": 1, "uci": "d2d4"})
        state = await hear(socket, lambda m: m["type"] != "refused" and m["moves"][0]["san"] == "d4")
        assert state["moves"][0]["by_hand"]
        await socket.send_json({"do": "correct", "ply": 1, "uci": "d2d5"})
        assert "would not be legal" in (await hear(socket, lambda m: m["type"] == "refused"))["text"]
        found = await (await at.session.get(at.url + "api/v1/choices?ply=1")).json()
        assert len(found["choices"]) == 20
        for ply in ("0", "2", "x", "-1", "٣"):
            assert (await at.session.get(at.url + "api/v1/choices", params={"ply": ply})).status == 404

    at_work(script, lambda: Daemon(VirtualBoard(capture_ms=0), Settings(mode=Mode.RECORD)), desk)


@pytest.mark.parametrize("settings", [Settings(mode=Mode.PLAY), Settings(mode=Mode.PLAY, sensing=Sensing.FIELD)])
def test_the_journal_still_shows_what_sensors_told_in_an_earlier_game(tmp_path: Path, settings: Settings) -> None:
    place = tmp_path / "games"
    place.mkdir()
    (place / "old.pgn").write_text(OLD)
    (place / "older.pgn").write_text(OLD)
    journal, mind = Journal(tmp_path / JOURNAL), make_mind(settings)
    journal.begin(settings, 0)
    journal.name_game(0, GameFile("old.pgn", ""))
    for item in shown("e2e4", "e7e5", settings=settings):
        journal.keep(item, list(give(mind, item)))
    journal.begin(settings, 90_000)

    def desk(daemon: Daemon) -> Desk:
        return Desk(Corrections(daemon), Access(False), place, journal=tmp_path / JOURNAL)

    async def script(at: Visit) -> None:
        answer = await at.session.get(at.url + "api/v1/games/old.pgn~1/timeline.svg")
        picture = await answer.text()
        assert (answer.status, answer.content_type) == (200, "image/svg+xml")
        for word in ("e2", "e4", "1.e4", "1…e5"):
            assert f">{word}<" in picture, word
        for name in ("older.pgn~1", "none.pgn~1"):
            assert (await at.session.get(f"{at.url}api/v1/games/{name}/timeline.svg")).status == 404

    visit(script, desk_of=desk)
    journal.close()


def test_a_journal_that_is_gone_or_none_is_no_mistake_of_ours(tmp_path: Path) -> None:
    place = tmp_path / "games"
    place.mkdir()
    (place / "old.pgn").write_text(OLD)
    (tmp_path / JOURNAL).write_bytes(b"no database" * 99)

    def desk(daemon: Daemon) -> Desk:
        return Desk(Corrections(daemon), Access(False), place, journal=tmp_path / JOURNAL)

    async def script(at: Visit) -> None:
        assert (await at.session.get(at.url + "api/v1/games/old.pgn~1/timeline.svg")).status == 404
        (tmp_path / JOURNAL).unlink()
        assert (await at.session.get(at.url + "api/v1/games/old.pgn~1/timeline.svg")).status == 404

    visit(script, desk_of=desk)


# -- lights


def test_a_replay_has_the_lights_until_somebody_plays() -> None:
    async def script(at: Visit) -> None:
        board = at.daemon.board
        assert isinstance(board, VirtualBoard)
        socket = await at.connect()
        await socket.send_json({"do": "show", "ways": [["e1", "g1"], ["h1", "f1"]]})
        state = await hear(socket, lambda m: m["type"] != "refused" and m["lent"])
        assert state["lights"] == {
            "e1": "command-from",
            "f1": "command-to",
            "g1": "command-to",
            "h1": "command-from",
        }
        await socket.send_json({"do": "show", "ways": []})
        state = await hear(socket, lambda m: m["type"] != "refused" and not m["lent"])
        assert state["lights"] == {}
        await socket.send_json({"do": "show", "ways": [["g1", "f3"]]})
        await hear(socket, lambda m: m["type"] != "refused" and m["lent"])
        board.lift(E2, Hand.FIRST)
        state = await hear(socket, lambda m: m["type"] != "refused" and not m["lent"] and m["lights"])
        assert state["lights"]["e4"] == "destination"
        for ways in ([["e2"]], [["e2", "e9"]], [["e2", "e4"]] * 3, "e2e4", [5]):
            await socket.send_json({"do": "show", "ways": ways})
            assert (await hear(socket, lambda m: m["type"] == "refused"))["text"]

    at_work(script, lambda: Daemon(VirtualBoard(), Settings(mode=Mode.PLAY)))


def test_a_contact_that_flickers_takes_no_lights_back() -> None:
    """In record mode nothing is told of lifts: a touch is what lasts."""

    async def script(at: Visit) -> None:
        daemon = at.daemon
        socket = await at.connect()
        await socket.send_json({"do": "show", "ways": [["g1", "f3"]]})
        await hear(socket, lambda m: m["type"] != "refused" and m["lent"])
        now_ms = daemon.clock.now_ms()
        daemon.inbox.put(Scan(now_ms, Occupancy(START_BITS & ~(1 << E2))))
        daemon.inbox.put(Scan(now_ms + 1, Occupancy(START_BITS)))
        await until(lambda: daemon.clock.now_ms() > now_ms + 2 * TOUCH_MS)
        assert daemon.picture != DARK
        daemon.inbox.put(Scan(daemon.clock.now_ms(), Occupancy(START_BITS & ~(1 << E2))))
        await hear(socket, lambda m: m["type"] != "refused" and not m["lent"])

    at_work(script, lambda: Daemon(VirtualBoard(), Settings(mode=Mode.RECORD)))


def test_what_hands_are_asked_to_do_comes_before_a_replay() -> None:
    """An opponent's move has to be carried out: nobody has touched anything yet."""

    async def script(at: Visit) -> None:
        socket = await at.connect()
        await socket.send_json({"do": "show", "ways": [["g1", "f3"]]})
        await hear(socket, lambda m: m["type"] != "refused" and m["lent"])
        at.daemon.inbox.put(Command(at.daemon.clock.now_ms(), "e2e4"))
        state = await hear(socket, lambda m: m["type"] != "refused" and not m["lent"])
        assert (state["lights"].get("e2"), state["lights"].get("e4")) == ("command-from", "command-to")

    at_work(script, lambda: Daemon(VirtualBoard(), Settings(mode=Mode.PLAY)))


def test_what_the_lights_show_is_set_in_the_middle_of_a_game() -> None:
    async def script(at: Visit) -> None:
        board = at.daemon.board
        assert isinstance(board, VirtualBoard)
        board.lift(E2, Hand.FIRST)
        socket = await at.connect()
        await hear(socket, lambda m: m["lights"].get("e4"))
        await socket.send_json({"do": "lights", "setting": "faults-only"})
        state = await hear(socket, lambda m: m["settings"]["lights"] == "faults-only")
        assert "e4" not in state["lights"]
        await socket.send_json({"do": "lights", "setting": "all"})
        await hear(socket, lambda m: m["lights"].get("e4"))
        await socket.send_json({"do": "lights", "setting": "none"})
        await hear(socket, lambda m: not m["lights"])
        await socket.send_json({"do": "brightness", "percent": 50})
        assert "cannot be set" in (await hear(socket, lambda m: m["type"] == "refused"))["text"]
        for wish in ({"setting": "bright"}, {"percent": 0}, {"percent": 101}, {"percent": True}, {"percent": "50"}):
            await socket.send_json({"do": "lights" if "setting" in wish else "brightness", **wish})
            assert "expected" in (await hear(socket, lambda m: m["type"] == "refused"))["text"]

    at_work(script, lambda: Daemon(VirtualBoard(), Settings(mode=Mode.PLAY)))


def test_brightness_is_remembered_and_what_lights_show_with_its_game(tmp_path: Path) -> None:
    async def run() -> None:
        path = tmp_path / "lights.json"
        board = DimmableBoard()
        daemon = Daemon(board, Settings())
        care = LightCare(daemon, path)
        assert care.set_brightness(40)
        care.set_lights(LightsSetting.NONE)
        again = DimmableBoard()
        fresh = Daemon(again, Settings())
        assert LightCare(fresh, path).percent == 40
        assert (again.percent, fresh.settings.lights) == ([40], LightsSetting.ALL)
        resumed = Daemon(DimmableBoard(), Settings())
        LightCare(resumed, path, goes_on=True)
        assert resumed.settings.lights is LightsSetting.NONE
        daemon.new_game(replace(daemon.settings, lights=LightsSetting.FAULTS_ONLY))
        after = Daemon(DimmableBoard(), Settings())
        LightCare(after, path, goes_on=True)
        assert after.settings.lights is LightsSetting.FAULTS_ONLY
        assert care.set_brightness(None)
        assert LightCare(Daemon(DimmableBoard(), Settings()), path).percent is None
        for text in ("", "[]", "{", '{"brightness_percent": 900, "lights": []}', "\x00", "[" * 9999):
            path.write_text(text)
            assert LightCare(Daemon(DimmableBoard(), Settings()), path, goes_on=True).percent is None

    asyncio.run(run())


# -- pairings and connections


def test_all_pages_are_forgotten_at_once() -> None:
    access = Access(is_open=True, code="12345678")

    async def script(at: Visit) -> None:
        token = access.pair("12345678", "here")
        socket, other = await at.connect(), await at.connect()
        for each in (socket, other):
            await each.send_json({"do": "hello", "token": token})
            await hear(each, lambda m: m.get("read_only") is False)
        await socket.send_json({"do": "forget"})
        for each in (socket, other):
            assert (await hear(each, lambda m: m.get("read_only")))["needs_code"]
        await other.send_json({"do": "hello", "token": token})
        assert "no longer known" in (await hear(other, lambda m: m["type"] == "refused"))["text"]

    visit(script, desk_of=lambda daemon: Desk(Corrections(daemon), access))


def test_a_page_that_asks_whether_anybody_is_there_is_answered() -> None:
    async def script(at: Visit) -> None:
        socket = await at.session.ws_connect(at.url.rstrip("/") + "/api/v1/spectate")
        first = await hear(socket)
        await socket.send_json({"do": "alive"})
        second = await hear(socket, lambda m: m["heard"] == 1)
        assert second["program"] == first["program"]

    visit(script)


# -- the board


def test_every_square_is_counted_and_what_it_reads_is_told() -> None:
    async def script(at: Visit) -> None:
        board = at.daemon.board
        assert isinstance(board, VirtualBoard)
        for _ in range(3):
            board.lift(E2, Hand.FIRST)
            board.put_back(Hand.FIRST)
        await until(lambda: at.daemon.scans >= 6)
        told = await (await at.session.get(at.url + "api/v1/board")).json()
        assert told["squares"]["e2"]["changes"] == 6
        assert told["squares"]["e4"]["changes"] == 0
        assert told["squares"]["h8"]["remark"] == "known not to work: the game does without it"
        assert (told["senses"], told["dead_squares"], told["buttons"]) == ("occupancy", ["h8"], [])
        assert not told["calibration"]["possible"]
        reading = await (await at.session.get(at.url + "api/v1/board/reading")).json()
        assert reading["values"][E2] == 1
        assert reading["values"][E4] == 0
        for order in ("begin", "read", "go on", "give up", "sing", None):
            answer = await at.session.post(at.url + "api/v1/calibration", json={"do": order})
            assert answer.status == {"give up": 200, "sing": 400, None: 400}.get(order, 409)

    at_work(script, lambda: Daemon(VirtualBoard(), Settings(mode=Mode.RECORD, dead_squares=frozenset({63}))))


PROFILE = """name: trial
sensors: {kind: hall-adc, select: [5, 6, 12, 13], mux_settle_us: 0, scan_hz: 200}
buttons: {resign: 20, white_clock: 16, black_clock: 21}
"""


def hall_board(tmp_path: Path, bench: Bench) -> tuple[SensorBoard, HallCircuit]:
    path = tmp_path / "board.yaml"
    path.write_text(PROFILE)
    profile = sound_profile(path)
    circuit = HallCircuit([5, 6, 12, 13])
    circuit.sensors = bench.sensors
    source = HallSource(
        profile.sensors,  # type: ignore[arg-type]
        None,
        lambda _chip: CircuitLines(circuit),
        lambda _spi, _hz, _mode: ConverterSpi(circuit, 0),
        circuit.wait,
    )
    return SensorBoard(Wired("trial", source, range(64), 200, profile=profile, path=path)), circuit


async def felt(board: SensorBoard, circuit: HallCircuit, magnets: list[float]) -> None:
    """Put magnets there, and wait until the board has read them all."""
    source = board.wired.source
    assert isinstance(source, HallSource)
    circuit.set_magnets(magnets)
    for _ in range(2):  # the first may have been under way
        seen = source.raw[0]
        await until(lambda seen=seen: source.raw[0] is not seen)


def test_a_hall_board_is_calibrated_on_the_page(tmp_path: Path) -> None:
    bench = Bench()
    board, circuit = hall_board(tmp_path, bench)
    circuit.set_magnets(bench.magnets_on(Step.START))

    async def script(at: Visit) -> None:
        url, told = at.url + "api/v1/calibration", []
        at.daemon.listen(told.extend)

        async def order(what: str) -> dict[str, object]:
            answer: dict[str, object] = await (await at.session.post(url, json={"do": what})).json()
            return answer

        state = await (await at.session.get(at.url + "api/v1/board")).json()
        assert state["buttons"] == ["resign", "White's side of the clock", "Black's side of the clock"]
        assert state["calibration"]["possible"]
        assert (await order("begin"))["step"] == 1
        assert (await (await at.session.get(at.url + "api/v1/state")).json())["calibrating"]
        for step in Step:
            bench.missing = {E2} if step is Step.START else set()
            await felt(board, circuit, bench.magnets_on(step))
            answer = await order("read")
            if step is Step.START:
                assert answer["stopped"]
                assert "E2 feels nothing" in str(answer["findings"])
                bench.missing = set()
                await felt(board, circuit, bench.magnets_on(step))
                answer = await order("read")
            assert not answer["stopped"], answer
        assert not answer["under_way"]
        assert [event for event in told if isinstance(event, Lifted)] == []
        written = read_calibration(tmp_path / "board.calibration.json")
        assert answer["file"] == str(tmp_path / "board.calibration.json")
        values = written.strengths([sensor.zero + sensor.level for sensor in bench.sensors])
        assert all(value == pytest.approx(100, rel=0.2) for value in values)
        assert at.daemon.settings.calibration == board.field_calibration is not None
        await until(lambda: at.daemon.picture != DARK)
        circuit.set_magnets(bench.magnets_on(Step.START))
        await until(lambda: at.daemon.picture == DARK)
        circuit.set_magnets([0.0 if s == E2 else m for s, m in enumerate(bench.magnets_on(Step.START))])
        await until(lambda: any(isinstance(event, Lifted) for event in told))

    at_work(script, lambda: Daemon(board, Settings(mode=Mode.PLAY, sensing=Sensing.FIELD)))


def test_a_calibration_given_up_changes_nothing(tmp_path: Path) -> None:
    bench = Bench()
    board, circuit = hall_board(tmp_path, bench)
    circuit.set_magnets(bench.magnets_on(Step.START))

    async def script(at: Visit) -> None:
        url, told = at.url + "api/v1/calibration", []
        at.daemon.listen(told.extend)
        await at.session.post(url, json={"do": "begin"})
        circuit.set_magnets([0.0 if s == E2 else m for s, m in enumerate(bench.magnets_on(Step.START))])
        before = at.daemon.scans
        await until(lambda: at.daemon.scans > before)
        answer = await (await at.session.post(url, json={"do": "give up"})).json()
        assert (answer["under_way"], answer["findings"]) == (False, [])
        before = at.daemon.scans
        circuit.set_magnets(bench.magnets_on(Step.START))
        await until(lambda: at.daemon.scans > before)
        settled_ms = at.daemon.clock.now_ms() + 300
        await until(lambda: at.daemon.clock.now_ms() > settled_ms)
        assert [event for event in told if isinstance(event, Lifted)] == []
        assert not (tmp_path / "board.calibration.json").exists()

    at_work(script, lambda: Daemon(board, Settings(mode=Mode.PLAY, sensing=Sensing.FIELD)))


def test_a_report_has_the_profile_and_no_secret(tmp_path: Path) -> None:
    board, _ = hall_board(tmp_path, Bench())
    access = Access(is_open=False, code="87654321", path=tmp_path / "pages.json")
    token = access.pair("87654321", "here")
    assert token is not None

    async def script(at: Visit) -> None:
        packed = ZipFile(BytesIO(await (await at.session.get(at.url + "api/v1/report.zip")).read()))
        assert "kind: hall-adc" in packed.read("profile.yaml").decode()
        assert json.loads(packed.read("board.json"))["name"] == "trial"
        whole = b"".join(packed.read(name) for name in packed.namelist()).decode()
        for secret in ("87654321", token, *access.hashes, str(tmp_path)):
            assert secret not in whole, secret

    settings = Settings(mode=Mode.PLAY, sensing=Sensing.FIELD)
    at_work(script, lambda: Daemon(board, settings), lambda daemon: Desk(Corrections(daemon), access))


def test_a_running_game_longer_than_the_tape_is_shown_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tape, "INPUTS_KEPT", 4)
    place = tmp_path / "games"
    settings = Settings(mode=Mode.PLAY)

    def desk(daemon: Daemon) -> Desk:
        scribe, journal = Scribe(daemon, Folder(place)), Journal(tmp_path / JOURNAL)
        keeper = Keeper(daemon, journal, settings)
        keeper.start(None)
        scribe.remember = lambda number, name, _: keeper.remember(number, name, "")
        return Desk(Corrections(daemon), Access(False), place, scribe=scribe, journal=tmp_path / JOURNAL)

    async def script(at: Visit) -> None:
        board, daemon = at.daemon.board, at.daemon
        assert isinstance(board, VirtualBoard)
        board.lift(E2, Hand.FIRST)
        board.put(Hand.FIRST, E4)
        await until(lambda: daemon.mind.games()[-1].plies)
        board.lift(parse_square("g8"), Hand.FIRST)
        board.put(Hand.FIRST, parse_square("f6"))
        await until(lambda: len(daemon.mind.games()[-1].plies) == 2)
        desk = at.server._page._desk
        assert desk.scribe is not None
        await desk.scribe.write()
        picture = await (await at.session.get(at.url + "api/v1/timeline.svg")).text()
        for word in ("e2", "g8", "f6", "1.e4"):
            assert f">{word}<" in picture, word

    at_work(script, lambda: Daemon(VirtualBoard(capture_ms=0), settings), desk)
