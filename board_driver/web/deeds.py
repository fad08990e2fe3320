"""Doing what a page wishes, as far as the board in use allows it."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from board_driver.boards.table import Refusal
from board_driver.boards.virtual import VirtualBoard
from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.mind import Settings
from board_driver.scan import ButtonName
from board_driver.web.wishes import (
    Decide,
    Hello,
    Lift,
    NewGame,
    PressButton,
    Put,
    PutBack,
    Retell,
    SetNoise,
    Settle,
    Wish,
)
from rules.fen import START_FEN, parse_fen
from rules.pieces import Piece
from rules.ruleset import RULESETS

NOISE_SEED = 1
NOT_THAT = "That move cannot have been: later moves would not be possible after it, or it is no longer in doubt."


class Deeds:
    """Grants wishes on one daemon."""

    def __init__(self, daemon: Daemon, corrections: Corrections) -> None:
        self._daemon = daemon
        self._corrections = corrections

    def grant(self, wish: Wish) -> Refusal | None:
        """Do it; why not, if it cannot be done."""
        match wish:
            case PressButton():
                self._daemon.press_button(wish.name, wish.value)
                return None
            case NewGame():
                return self._begin(wish)
            case Lift() | Put() | PutBack() | SetNoise():
                board = self._daemon.board
                if isinstance(board, VirtualBoard):
                    return _act(board, wish)
                return Refusal("The pieces of this board are moved by hand.")
            case Retell():
                self._corrections.tell(dict(wish.tags))
                return None
            case Decide():
                return self._decide(wish.result)
            case Settle():
                if self._corrections.settle(wish.ply, wish.uci):
                    return None
                return Refusal(NOT_THAT)
            case Hello():
                return None
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
        board = self._daemon.board
        if isinstance(board, VirtualBoard):
            self._daemon.new_game(settings, set_up=lambda: board.set_up(position))
        else:
            self._daemon.new_game(settings)
        self._corrections.begin(dict(wish.tags))
        return None

    def _decide(self, result: str | None) -> Refusal | None:
        """A game that goes on is ended by the mind; one that is over only gets another result."""
        game = self._daemon.mind.games()[-1]
        if game.result == "*" and result is not None:
            self._daemon.press_button(ButtonName.RESULT, result)
        else:
            self._corrections.decide(None if result == game.result else result)
        return None


def _act(board: VirtualBoard, wish: Lift | Put | PutBack | SetNoise) -> Refusal | None:
    match wish:
        case SetNoise(on):
            board.set_noise(NOISE_SEED if on else None)
            return None
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
        chess960=wish.chess960,
    )
