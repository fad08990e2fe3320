"""Whatever a page wishes, nothing breaks, and no piece is made or lost but by a new game."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.boards.table import Hand, Refusal, Table
from board_driver.boards.virtual import VirtualBoard
from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.events import Event, Fault
from board_driver.mind import LightsSetting, Mode, Settings, TouchRule
from board_driver.scan import ButtonName
from board_driver.web.deeds import Deeds
from board_driver.web.wishes import Decide, Lift, NewGame, PressButton, PressClock, Put, PutBack, Wish
from rules.clock import parse_time_control
from rules.pieces import PIECES, Piece
from rules.squares import Colour, Square
from tests.board_driver.doubles import FakeMind
from tests.board_driver.players.tables import PlayersAtTable, play

SQUARES = st.integers(0, 63).map(Square)
HANDS = st.sampled_from(Hand)
PIECE = st.sampled_from(list(PIECES.values()))
BAD_FENS = ("nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
FENS = st.sampled_from([None, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", *BAD_FENS])
HAND_WISHES = st.one_of(
    st.builds(Lift, SQUARES | PIECE, st.none() | HANDS),
    st.builds(Put, HANDS, st.none() | SQUARES),
    st.builds(PutBack, HANDS),
    st.builds(PressButton, st.sampled_from(ButtonName), st.none() | st.text(max_size=9)),
)
NEW_GAMES = st.builds(
    NewGame,
    st.none() | st.sampled_from(Mode),
    st.none() | st.sampled_from(TouchRule),
    st.none() | st.sampled_from(LightsSetting),
    st.sampled_from([None, "fide", "blitz", "none such"]),
    FENS,
)


def bodies(table: Table) -> Counter[Piece]:
    held = (hand.piece for hand in table.hands if hand)
    return Counter(chain((piece for piece in table.squares if piece), held, table.tray))


def grant_all(wishes: list[Wish]) -> list[tuple[Wish, Refusal | None, bool]]:
    """What came of each wish, and whether the pieces are still those there were."""

    async def run() -> list[tuple[Wish, Refusal | None, bool]]:
        board = VirtualBoard(capture_ms=0)
        daemon = Daemon(board, Settings(), mind_of=FakeMind)
        await board.open(daemon.inbox)
        deeds, outcomes = Deeds(daemon, Corrections(daemon)), []
        for wish in wishes:
            before = bodies(board.table)
            refusal = deeds.grant(wish)
            await asyncio.sleep(0)
            outcomes.append((wish, refusal, bodies(board.table) == before))
        await board.close()
        return outcomes

    return asyncio.run(run())


@pytest.mark.parametrize("mode", Mode)
def test_setting_up_another_position_looks_like_no_fault_of_the_wires(mode: Mode) -> None:
    async def run() -> None:
        board = VirtualBoard(capture_ms=0)
        daemon = Daemon(board, Settings(mode=mode))
        told: list[Event] = []
        daemon.listen(told.extend)
        life = asyncio.create_task(daemon.run())
        await daemon.ready.wait()
        deeds = Deeds(daemon, Corrections(daemon))
        for fen in ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", None):
            assert deeds.grant(NewGame(None, None, None, None, fen)) is None
            await asyncio.sleep(0)
        daemon.stop()
        await life
        assert [event for event in told if isinstance(event, Fault)] == []

    asyncio.run(run())


def test_a_page_chooses_the_clock_and_presses_it() -> None:
    async def run() -> None:
        board = VirtualBoard(capture_ms=0)
        daemon = Daemon(board, Settings(mode=Mode.PLAY, clock=False))
        life = asyncio.create_task(daemon.run())
        await daemon.ready.wait()
        deeds = Deeds(daemon, Corrections(daemon))
        nothing: tuple[None, ...] = (None,) * 5
        assert deeds.grant(NewGame(*nothing, time="15 d10", press=True)) is None
        assert daemon.settings.time_control == parse_time_control("15 d10")
        assert daemon.settings.clock
        refusal = deeds.grant(NewGame(*nothing, time="five"))
        assert refusal is not None
        assert "expected a time control such as 5+3" in refusal.text
        assert deeds.grant(NewGame(*nothing)) is None
        assert daemon.settings.time_control is not None, "a new game is played with the same clock"
        assert deeds.grant(PressClock(Colour.BLACK)) is None
        assert daemon.inbox.waiting == 1
        assert deeds.grant(NewGame(Mode.RECORD, *nothing[1:])) is None
        assert daemon.settings.time_control is None
        assert deeds.grant(NewGame(Mode.PLAY, *nothing[1:], time="")) is None
        assert daemon.settings.time_control is None
        daemon.stop()
        await life

    asyncio.run(run())


@given(st.lists(HAND_WISHES | NEW_GAMES, max_size=40))
def test_no_wish_breaks_anything(wishes: list[Wish]) -> None:
    for wish, refusal, same_pieces in grant_all(wishes):
        assert same_pieces or isinstance(wish, NewGame)
        if isinstance(wish, NewGame) and (wish.ruleset == "none such" or wish.fen in BAD_FENS):
            assert refusal is not None
            assert same_pieces
        if isinstance(wish, PressButton):
            assert refusal is None


def test_an_abandoned_game_gets_the_result_that_is_agreed_on() -> None:
    async def script(at: PlayersAtTable) -> None:
        deeds = Deeds(at.daemon, at.corrections)
        await at.carry_out("e2e4")
        deeds.grant(PressButton(ButtonName.RESULT, "*"))
        await at.until(lambda: at.found["reason"] == "abandoned", "the end")
        assert deeds.grant(Decide("1-0")) is None
        assert at.corrections.present.result == "1-0"

    play(script)
