"""Doing what a page wishes, as far as the board in use allows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from board_driver.boards.beginning import begin_game
from board_driver.boards.table import Refusal
from board_driver.boards.virtual import VirtualBoard
from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.inputerror import InputError
from board_driver.lightcare import LightCare
from board_driver.lights.picture import Meaning
from board_driver.loan import Loan
from board_driver.mind import Mode, Settings
from board_driver.players.company import Company
from board_driver.players.seats import OFFERED, check_offered, seated
from board_driver.scan import ButtonName, Command, Press
from board_driver.web.wishes import (
    Alive,
    Analyse,
    Correct,
    Decide,
    Dim,
    ForgetPages,
    Hello,
    Lift,
    MoveFor,
    MoveItself,
    NewGame,
    PressButton,
    PressClock,
    Put,
    PutBack,
    Relight,
    Retell,
    SetNoise,
    Settle,
    ShowWay,
    Wish,
)
from rules.articles import Law, cite
from rules.clock import TimeControlError, parse_time_control
from rules.fen import START_FEN, parse_fen, write_fen
from rules.pieces import Piece
from rules.ruleset import RULESETS
from rules.squares import Square
from rules.uci import UciError, parse_uci

NOISE_SEED = 1
NO_DIMMING = "The brightness of this board's lights cannot be set."
NOT_SO = "It cannot have been that move: it, or a later one, would not be legal."
NOT_THAT = "That move cannot have been: later moves would not be possible after it, or it is no longer in doubt."


class Deeds:
    """Grants wishes on one daemon."""

    def __init__(
        self,
        daemon: Daemon,
        corrections: Corrections,
        care: LightCare | None = None,
        loan: Loan | None = None,
        company: Company | None = None,
    ) -> None:
        self._daemon = daemon
        self._corrections = corrections
        self._care = care or LightCare(daemon)
        self._loan = loan or Loan(daemon)
        self._company = company

    def grant(self, wish: Wish) -> Refusal | None:
        """Do it; why not, if it cannot be done."""
        match wish:
            case PressButton():
                self._daemon.press_button(wish.name, wish.value)
                return None
            case PressClock():
                self._daemon.inbox.put(Press(self._daemon.clock.now_ms(), wish.colour))
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
            case Correct():
                game = self._daemon.mind.games()[-1]
                return None if self._corrections.amend(game, plies={wish.ply: wish.uci}) else Refusal(NOT_SO)
            case Relight():
                self._care.set_lights(wish.setting)
                return None
            case Dim():
                return None if self._care.set_brightness(wish.percent) else Refusal(NO_DIMMING)
            case ShowWay():
                self._show(wish.ways)
                return None
            case MoveFor():
                return self._move_for(wish)
            case Analyse():
                return self._analyse(wish.on)
            case MoveItself():
                return self._move_itself(wish.on)
            case Hello() | Alive() | ForgetPages():
                return None
            case _:
                assert_never(wish)

    def _show(self, ways: Sequence[tuple[Square, Square]]) -> None:
        """Light a move of a replay; a square that one man leaves and another reaches is where to go."""
        picture: dict[int, Meaning] = {origin: Meaning.COMMAND_FROM for origin, _ in ways}
        picture |= {destination: Meaning.COMMAND_TO for _, destination in ways}
        if picture:
            self._loan.lend(picture)
        else:
            self._loan.take_back()

    def _move_for(self, wish: MoveFor) -> Refusal | None:
        """Command a move for a side whose player is far away, or whose engine is not to be had."""
        daemon, name = self._daemon, wish.colour.word
        if wish.colour not in daemon.settings.handless:
            return Refusal(f"{name}'s moves are made on the board.")
        opponent = None if self._company is None else self._company.seats.opponents.get(wish.colour)
        if opponent is not None and not opponent.gave_up:
            return Refusal(f"{name} is played by an engine.")
        position = daemon.mind.games()[-1].position_after()
        if position.turn is not wish.colour:
            return Refusal(f"{name} does not have the move.")
        try:
            parse_uci(position, wish.uci)
        except UciError as error:
            return Refusal(f"That move cannot be made: {error}.")
        daemon.inbox.put(Command(daemon.clock.now_ms(), wish.uci, wish.fen or write_fen(position)))
        return None

    def _analyse(self, on: bool) -> Refusal | None:
        """Help is forbidden where only faults may be lit (FIDE Laws 11.3.1)."""
        if self._company is None:
            return Refusal("There is no engine here.")
        if on and not self._company.analyst.is_allowed:
            return Refusal(f"No analysis where only faults may be lit ({cite(Law.OUTSIDE_HELP)}).")
        self._company.analyst.switch(on)
        return None

    def _move_itself(self, on: bool) -> Refusal | None:
        if self._company is None or self._company.hand is None:
            return Refusal("The pieces of this board are moved by hand.")
        self._company.hand.switch(on)
        return None

    def _begin(self, wish: NewGame) -> Refusal | None:
        try:
            settings = self._seated(_settings(self._daemon.settings, wish), wish)
        except (TimeControlError, InputError) as error:
            return Refusal(str(error))
        if settings.ruleset not in RULESETS:
            return Refusal(f"There is no rule set of that name; expected one of {', '.join(RULESETS)}.")
        try:
            position = parse_fen(settings.start_fen, chess960=settings.chess960)
        except ValueError as error:
            return Refusal(f"That position cannot be set up: {error}")
        if not position.has_move():
            return Refusal(f"That position cannot be set up: {position.turn.word} has no move to make.")
        begin_game(self._daemon, settings, position)
        self._corrections.begin(dict(wish.tags))
        return None

    def _seated(self, settings: Settings, wish: NewGame) -> Settings:
        """With the players that are wished for. Raises InputError for one that a page may not call in."""
        if settings.mode is not Mode.PLAY:
            return replace(settings, players=("hand", "hand"), handless=frozenset())
        offered = OFFERED if self._company is None else self._company.seats.offered
        for text in (wish.white, wish.black):
            if text is not None:
                check_offered(text, offered)
        return seated(settings, (wish.white, wish.black))

    def _decide(self, result: str | None) -> Refusal | None:
        """A game that goes on is ended by the mind; one that is over only gets another result."""
        game = self._daemon.mind.games()[-1]
        goes_on = game.result == "*" and not game.reason  # one that was abandoned is over, too
        if goes_on and result is not None:
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
    """Raises TimeControlError."""
    control = now.time_control
    if wish.time is not None:
        control = parse_time_control(wish.time) if wish.time.strip() else None
    mode = wish.mode or now.mode
    return replace(
        now,
        mode=mode,
        time_control=control if mode is Mode.PLAY else None,
        clock=now.clock if wish.press is None else wish.press,
        touch=wish.touch or now.touch,
        lights=wish.lights or now.lights,
        ruleset=wish.ruleset or now.ruleset,
        start_fen=wish.fen or START_FEN,
        chess960=wish.chess960,
        follow_board=now.follow_board if wish.follow is None else wish.follow,
        promotion=wish.promotion or now.promotion,
        claims=wish.claims or now.claims,
    )
