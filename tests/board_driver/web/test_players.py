"""Players without hands, as a page calls them in and moves for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from board_driver.boards.table import Refusal
from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.mind import LightsSetting, Mode
from board_driver.players.company import Company
from board_driver.players.seats import seated
from board_driver.scan import ButtonName
from board_driver.web.access import Access
from board_driver.web.deeds import Deeds
from board_driver.web.history import History
from board_driver.web.page import Desk
from board_driver.web.players import players_state
from board_driver.web.wishes import Analyse, MoveFor, MoveItself, NewGame, Wish, WishError, read_wish
from board_driver.wording.language import language
from rules.fen import START_FEN
from rules.squares import Colour
from tests.board_driver.players.tables import PlayersAtTable, play
from tests.board_driver.players.test_engine import scripted, stockfish
from tests.board_driver.web.test_page import Visit, visit


def told(at: PlayersAtTable, wish: Wish) -> str | None:
    """Why that is refused; None if it is granted."""
    deeds = Deeds(at.daemon, at.corrections, company=at.company)
    refusal = deeds.grant(wish)
    return refusal.text if isinstance(refusal, Refusal) else None


def new(**changes: Any) -> NewGame:
    return NewGame(**({"mode": None, "touch": None, "lights": None, "ruleset": None, "fen": None} | changes))


def test_a_player_far_away_moves_by_message() -> None:
    async def script(at: PlayersAtTable) -> None:
        assert "made on the board" in str(told(at, MoveFor(Colour.WHITE, "e2e4", None)))
        assert "does not have the move" in str(told(at, MoveFor(Colour.BLACK, "e7e5", None)))
        await at.carry_out("e2e4")
        assert "legal" in str(told(at, MoveFor(Colour.BLACK, "e7e4", None)))
        assert told(at, MoveFor(Colour.BLACK, "e7e5", START_FEN)) is None, "he saw another position: it is nothing"
        await at.until(lambda: at.said("command-ignored"), "that to be told")
        assert told(at, MoveFor(Colour.BLACK, "e7e5", None)) is None
        assert await at.commanded() == "e7e5"
        await at.carry_out("e7e5")
        assert at.corrections.present.tags["Black"] == "Remote player"

    assert play(script, black="remote").ucis == ["e2e4", "e7e5"]


def test_nobody_moves_for_an_engine(tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        assert "played by an engine" in str(told(at, MoveFor(Colour.BLACK, "e7e5", None)))

    play(script, black=str(scripted(tmp_path, "well")))


def test_a_page_calls_in_what_is_offered_and_nothing_else() -> None:
    stockfish()

    async def script(at: PlayersAtTable) -> None:
        for player in ("/bin/sh", "python3", "stockfish:book=/etc/passwd", "stockfish:threads=8", "stockfish:hash=99"):
            assert str(told(at, new(black=player))).startswith("expected")
            assert at.daemon.settings.players == ("hand", "hand")
        assert told(at, new(white="hand", black="stockfish:elo=1500,nodes=100")) is None
        assert at.daemon.settings.handless == {Colour.BLACK}
        await at.until(lambda: at.corrections.present.tags.get("Black", "").startswith("Stockfish"), "its name")
        await at.carry_out("e2e4")
        await at.commanded()
        state = players_state(at.daemon, at.company, at.found, language("en"))
        assert (state["black"], state["handless"]) == ("stockfish:elo=1500,nodes=100", ["black"])
        assert (state["command"], state["thinking"], state["failed"]) == (at.found["command"], [], [])
        assert str(state["told"]).startswith("Black plays ")
        assert state["offered"] == ["stockfish"]
        assert told(at, new()) is None, "the same players again"
        assert at.daemon.settings.handless == {Colour.BLACK}
        assert told(at, new(mode=Mode.RECORD)) is None
        assert at.daemon.settings.handless == frozenset()

    play(script)


def test_an_engine_of_the_command_line_may_be_called_in_again(tmp_path: Path) -> None:
    program = str(scripted(tmp_path, "well"))

    async def script(at: PlayersAtTable) -> None:
        assert told(at, new(white=f"{program}:elo=1400", black="hand")) is None
        assert await at.commanded() == "e2e4"

    play(script, black=program)


def test_a_draw_that_the_engine_declines_is_on_offer_no_more(tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        history = History(at.daemon)
        at.daemon.listen(history.hear)
        seen = []
        at.daemon.listen(lambda _events: seen.append(history.offer))
        await at.carry_out("e2e4")
        at.daemon.press_button(ButtonName.DRAW, "white")
        await at.until(lambda: len(at.said("draw")) == 2, "an answer")
        assert at.said("draw")[1].details["answer"] == "declined"
        assert Colour.WHITE in seen
        assert history.offer is None

    play(script, black=str(scripted(tmp_path, "only-when-stopped", "e2e4 e7e5")))


def test_the_virtual_boards_hands_are_switched_from_the_page(tmp_path: Path) -> None:
    async def script(at: PlayersAtTable) -> None:
        assert await at.commanded() == "e2e4"
        assert told(at, MoveItself(True)) is None
        await at.until(lambda: at.ucis == ["e2e4"], "the board's hands")

    play(script, white=str(scripted(tmp_path, "well")))


def test_an_analysis_is_off_until_asked_for_and_never_in_rated_play() -> None:
    stockfish()

    def shown(at: PlayersAtTable) -> Any:
        return players_state(at.daemon, at.company, at.found, language("en"))["analysis"]

    async def script(at: PlayersAtTable) -> None:
        await at.carry_out("f1g1")
        assert shown(at) == {"on": False, "allowed": True}
        assert told(at, Analyse(True)) is None
        await at.until(lambda: shown(at).get("mate"), "a judgement")
        assert shown(at) == {"on": True, "allowed": True, "cp": None, "mate": -1, "best": "a2a1", "san": "Ra1#"}
        await at.carry_out("a2b2")
        await at.until(lambda: (shown(at).get("cp") or 0) < -300, "another judgement")
        at.daemon.relight(LightsSetting.FAULTS_ONLY)
        await at.carry_out("h2h3")
        await at.until(lambda: shown(at) == {"on": True, "allowed": False}, "no judgement any more")
        told(at, Analyse(False))
        assert "11.3.1" in str(told(at, Analyse(True)))

    play(script, fen="6k1/5ppp/8/8/8/8/r4PPP/5K2 w - - 0 1")


def test_advice_and_analysis_go_on_with_a_game_of_chess960() -> None:
    stockfish()

    async def advised(at: PlayersAtTable, hints: int) -> None:
        at.daemon.press_button(ButtonName.HINT)
        await at.until(lambda: len(at.said("hint")) == hints, "advice")
        await at.until(lambda: at.company.analyst.judgement, "a judgement")

    async def script(at: PlayersAtTable) -> None:
        assert told(at, Analyse(True)) is None
        await advised(at, 1)
        assert told(at, new(fen="4k3/8/8/8/8/8/8/4KR2 w F - 0 1", chess960=True)) is None
        await at.until(lambda: at.company.analyst.judgement is None, "the judgement to go with its position")
        await at.carry_out("e1f1")
        await advised(at, 2)

    assert play(script).faults() == []


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ('{"do": "analysis", "on": true}', Analyse(True)),
        ('{"do": "move", "side": "black", "uci": "e7e5"}', MoveFor(Colour.BLACK, "e7e5", None)),
        ('{"do": "move", "side": "white", "uci": "e7e8q", "fen": "x"}', MoveFor(Colour.WHITE, "e7e8q", "x")),
        ('{"do": "itself", "on": true}', MoveItself(True)),
        ('{"do": "new", "black": "stockfish", "follow": true}', new(black="stockfish", follow=True)),
    ],
)
def test_wishes_are_read(text: str, wish: Wish) -> None:
    assert read_wish(text) == wish


@pytest.mark.parametrize(
    "text",
    [
        '{"do": "move", "side": "green", "uci": "e7e5"}',
        '{"do": "move", "side": "white", "uci": 3}',
        '{"do": "move", "side": "white", "uci": "e7e8queen"}',
        '{"do": "itself"}',
        '{"do": "new", "black": "' + "x" * 200 + '"}',
    ],
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(WishError):
        read_wish(text)


def test_a_move_by_http_needs_pairing_and_a_side_without_hands() -> None:
    def desk(daemon: Daemon) -> Desk:
        return Desk(Corrections(daemon), Access(is_open=True, code="12345678"), company=Company.of(daemon))

    async def script(at: Visit) -> None:
        at.daemon.settings = seated(at.daemon.settings, ("remote", None))
        url, move = at.url + "api/v1/move", {"side": "white", "uci": "e2e4"}
        assert (await at.session.post(url, json=move)).status == 401
        answer = await at.session.post(at.url + "api/v1/pair", json={"code": "12345678"})
        bearer = {"Authorization": f"Bearer {(await answer.json())['token']}"}
        assert (await at.session.post(url, json={"side": "white"}, headers=bearer)).status == 400
        assert (await at.session.post(url, json={"side": "black", "uci": "e7e5"}, headers=bearer)).status == 409
        assert (await at.session.post(url, json=move, headers=bearer)).status == 200
        state = await (await at.session.get(at.url + "api/v1/state")).json()
        assert state["players"]["handless"] == ["white"]

    visit(script, desk_of=desk)
