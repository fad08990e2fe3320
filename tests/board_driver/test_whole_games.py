"""Board, daemon and a real mind together: a game that was really played comes out as it was."""

from __future__ import annotations

import asyncio
from itertools import islice

import pytest

from board_driver.boards.board import Clock
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.demo.script import GAME, hands_of
from board_driver.demo.stage import Stage
from board_driver.gamerecord import GameRecord
from board_driver.mind import Mode, Settings
from board_driver.scan import Sensing
from rules.fen import START_FEN, parse_fen
from rules.uci import parse_uci, write_uci

RATE = 100
PLIES = 40
"""Enough to have captures, checks and castling in it."""


def play(mode: Mode, sensing: Sensing) -> GameRecord:
    """The first plies of the game with careful hands, and a while after them."""

    async def run() -> GameRecord:
        board = VirtualBoard(senses=sensing)
        daemon = Daemon(board, Settings(mode=mode, sensing=sensing), clock=Clock(RATE))
        life = asyncio.create_task(daemon.run())
        await daemon.ready.wait()
        stage, position = Stage(daemon, board, lambda _: None), parse_fen(START_FEN)
        for uci in islice(GAME.split(), PLIES):
            move = parse_uci(position, uci)
            await stage.play(hands_of(position, move))
            position = position.play(move)
        for _ in range(100):
            if len(daemon.mind.games()[-1].plies) == PLIES:
                break
            await asyncio.sleep(daemon.clock.seconds_until(daemon.clock.now_ms() + 100))
        daemon.stop()
        await life
        return daemon.mind.games()[-1]

    return asyncio.run(run())


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("sensing", [Sensing.OCCUPANCY, Sensing.COLOUR, Sensing.IDENTITY])
def test_a_game_played_on_the_board_is_the_game_in_the_score(mode: Mode, sensing: Sensing) -> None:
    game = play(mode, sensing)
    position, ucis = game.start, []
    for ply in game.plies:
        ucis.append(write_uci(position, ply.move))
        position = position.play(ply.move)
    assert ucis == GAME.split()[:PLIES]
