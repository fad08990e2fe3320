"""A game against an engine through real firmware: the lamps of the chain lead the hand through what it plays."""

from __future__ import annotations

import asyncio
from pathlib import Path

import chess

from board_driver.boards.serial import SerialBoard, SerialSetup
from board_driver.daemon import Daemon
from board_driver.events import Fault, Irregular
from board_driver.lights.picture import Meaning
from board_driver.mind import Mode, Settings
from board_driver.players.company import Company
from board_driver.players.seats import seated
from firmware_bridge.protocols import Touchmove
from tests.board_driver.players.test_engine import scripted
from tests.firmware.simboard import SimBoard
from tests.firmware.test_daemon_game import Play

MOVES = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8"


class EnginePlay(Play):
    """Hands that play White, and carry out what is commanded for Black."""

    async def carry_out(self, position: chess.Board) -> chess.Move:
        """As the lamps lead: nothing else tells these hands what to do."""
        plies = self.plies()
        await self.until(lambda: bool(self.daemon.mind.summary().get("command")), "a command should come")
        move = chess.Move.from_uci(str(self.daemon.mind.summary()["command"]))
        await self.led(Meaning.COMMAND_FROM, move.from_square)
        await self.led(Meaning.COMMAND_TO, move.to_square)
        await self.change(move.from_square, False)
        await self.change(move.to_square, True)
        if position.is_castling(move):
            await self.led(Meaning.COMMAND_FROM, chess.H8)
            await self.led(Meaning.COMMAND_TO, chess.F8)
            await self.change(chess.H8, False)
            await self.change(chess.F8, True)
        await self.until(lambda: self.plies() > plies, f"{move.uci()} should be made")
        return move

    async def led(self, meaning: Meaning, square: int) -> None:
        """That lamp shows that meaning, in its rhythm."""
        await self.until(lambda: square in self.lit(meaning), f"{chess.square_name(square)} should be {meaning.value}")


async def play_game(engine: Path) -> EnginePlay:
    with SimBoard("atmega328p", pty=True) as board:
        board.tell(f"board {0xFFFF00000000FFFF:016x}")
        board.tell("bounce 1500")
        setup = SerialSetup(Touchmove(session=12), str(board.port))
        settings = seated(Settings(mode=Mode.PLAY), (None, str(engine)))
        daemon = Daemon(SerialBoard(setup, find_ports=list), settings)
        play = EnginePlay(board, daemon)
        life = asyncio.create_task(daemon.run())
        company = [asyncio.create_task(part) for part in Company.of(daemon).parts()]
        try:
            await daemon.ready.wait()
            await play.until(lambda: play.occupied() == 0xFFFF00000000FFFF, "the start should be read")
            position = chess.Board()
            for ply, uci in enumerate(MOVES.split()):
                if ply % 2:
                    position.push(await play.carry_out(position))
                else:
                    await play.make(position, chess.Move.from_uci(uci))
                    position.push_uci(uci)
        finally:
            daemon.stop()
            for part in company:
                part.cancel()
            await asyncio.gather(life, *company, return_exceptions=True)
        return play


def test_the_lamps_lead_through_what_an_engine_plays(tmp_path: Path) -> None:
    play = asyncio.run(play_game(scripted(tmp_path, "well", MOVES)))
    assert play.daemon.mind.summary()["uci"] == MOVES.split()
    # On a loaded machine the emulated line may tear a frame: that is told, asked for again, and loses nothing.
    wrong = [event for event in play.told if isinstance(event, Irregular | Fault)]
    assert [event for event in wrong if not (isinstance(event, Fault) and event.kind == "board-garbled")] == []
