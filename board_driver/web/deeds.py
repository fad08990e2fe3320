"""Doing what a page wishes, as far as the board in use allows it."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from board_driver.boards.table import Refusal
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.mind import Settings
from board_driver.web.wishes import Lift, NewGame, PressButton, Put, PutBack, Wish
from rules.fen import START_FEN, parse_fen
from rules.pieces import Piece
from rules.ruleset import RULESETS


class Deeds:
    """Grants wishes on one daemon."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon

    def grant(self, wish: Wish) -> Refusal | None:
        """Do it; why not, if it cannot be done."""
        match wish:
            case PressButton():
                self._daemon.press_button(wish.name, wish.value)
                return None
            case NewGame():
                return self._begin(wish)
            case Lift() | Put() | PutBack():
                board = self._daemon.board
                if isinstance(board, VirtualBoard):
                    return _move_piece(board, wish)
                return Refusal("The pieces of this board are moved by hand.")
            case _:
                assert_never(wish)

    def _begin(self, wish: NewGame) -> Refusal | None:
        settings = _settings(self._daemon.settings, wish)
        if settings.ruleset not in RULESETS:
            return Refusal(f"There is no rule set of that name; expected one of {', '.join(RULESETS)}.")
        try:
            position = parse_fen(settings.start_fen, chess960=settings.chess960)
        except ValueError as error:
            return Refusal(f"That position cannot be set up: {error}")
        if isinstance(self._daemon.board, VirtualBoard):
            self._daemon.board.set_up(position)
        self._daemon.new_game(settings)
        return None


def _move_piece(board: VirtualBoard, wish: Lift | Put | PutBack) -> Refusal | None:
    match wish:
        case Lift(source, hand):
            taken = board.lift_from_tray(source, hand) if isinstance(source, Piece) else board.lift(source, hand)
            return taken if isinstance(taken, Refusal) else None
        case Put(hand, square):
            return board.set_aside(hand) if square is None else board.put(hand, square)
        case PutBack(hand):
            return board.put_back(hand)
        case _:
            assert_never(wish)


def _settings(now: Settings, wish: NewGame) -> Settings:
    return replace(
        now,
        mode=wish.mode or now.mode,
        touch=wish.touch or now.touch,
        lights=wish.lights or now.lights,
        ruleset=wish.ruleset or now.ruleset,
        start_fen=wish.fen or START_FEN,
    )
