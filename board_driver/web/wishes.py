"""What a page may ask for: its messages, read strictly into frozen values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from board_driver.boards.table import Hand
from board_driver.corrections import HEADER, LONGEST_TAG
from board_driver.mind import ClaimsTold, LightsSetting, Mode, PromotionRule, TouchRule
from board_driver.scan import ButtonName
from board_driver.sensorlog.errors import LineError
from board_driver.sensorlog.lines import check_button
from rules.pieces import PIECES, Piece
from rules.squares import Colour, Square, parse_square

LONGEST_MESSAGE = 2048
LONGEST_VALUE = 16
LONGEST_FEN = 120
LONGEST_PLAYER = 120
LONGEST_TIME = 100
LONGEST_WAY = 2
"""Men that one move moves."""

E = TypeVar("E", bound=Enum)


class WishError(ValueError):
    """A message that no page of ours sends."""


@dataclass(frozen=True, slots=True)
class Lift:
    """Take up what stands on a square, or such a piece from the tray; with any free hand if none is named."""

    source: Square | Piece
    hand: Hand | None


@dataclass(frozen=True, slots=True)
class Put:
    """Set down what a hand holds on a square; None: lay it into the tray."""

    hand: Hand
    square: Square | None


@dataclass(frozen=True, slots=True)
class PutBack:
    """Set down what a hand holds where it came from."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class PressButton:
    """A choice that is not a move."""

    name: ButtonName
    value: str | None


@dataclass(frozen=True, slots=True)
class PressClock:
    """That player's side of the chess clock is pressed."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin afresh. None keeps what is set now; `fen` None is the usual position."""

    mode: Mode | None
    touch: TouchRule | None
    lights: LightsSetting | None
    ruleset: str | None
    fen: str | None
    chess960: bool = False
    tags: tuple[tuple[str, str], ...] = ()
    """Its players, event, site and round, where told."""
    time: str | None = None
    """The chess clock's time control, as people write it; empty: no clock."""
    press: bool | None = None
    """Whether a turn ends only with a press of the clock."""
    white: str | None = None
    black: str | None = None
    """Who plays that side, as `players.spec` reads it."""
    follow: bool | None = None
    """Whether another move carried out for a player without hands is accepted."""
    promotion: PromotionRule | None = None
    claims: ClaimsTold | None = None


@dataclass(frozen=True, slots=True)
class MoveFor:
    """A player far away moves; `fen` is the position he saw, where he says so."""

    colour: Colour
    uci: str
    fen: str | None


@dataclass(frozen=True, slots=True)
class Analyse:
    """Let an engine say what it thinks of the position, or no more."""

    on: bool


@dataclass(frozen=True, slots=True)
class MoveItself:
    """Let a virtual board carry out commanded moves by itself, or leave that to whoever sits there."""

    on: bool


@dataclass(frozen=True, slots=True)
class Retell:
    """Other names for the present game; an empty one is unknown."""

    tags: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Decide:
    """The result that both players agree to, whatever was ruled; None: as it was ruled."""

    result: str | None


@dataclass(frozen=True, slots=True)
class Settle:
    """Ply `ply`, from 1, which is in doubt, was that UCI move."""

    ply: int
    uci: str


@dataclass(frozen=True, slots=True)
class SetNoise:
    """Let the sensors of a virtual board misbehave, or be right again."""

    on: bool


@dataclass(frozen=True, slots=True)
class Hello:
    """Who this page is: a token that pairing gave."""

    token: str


@dataclass(frozen=True, slots=True)
class Correct:
    """Ply `ply`, from 1, was that UCI move, in doubt or not."""

    ply: int
    uci: str


@dataclass(frozen=True, slots=True)
class Relight:
    """Let the board's lights show so much from now on."""

    setting: LightsSetting


@dataclass(frozen=True, slots=True)
class Dim:
    """Let them be so bright, in per cent; None: as the board's profile says."""

    percent: int | None


@dataclass(frozen=True, slots=True)
class ShowWay:
    """Lend the board's lights to show these ways, each from a square to another; none gives them back."""

    ways: tuple[tuple[Square, Square], ...]


@dataclass(frozen=True, slots=True)
class ForgetPages:
    """End all pairings, this page's too."""


@dataclass(frozen=True, slots=True)
class Alive:
    """Is anybody there? The state that follows is the answer."""


Wish = (
    Lift
    | Put
    | PutBack
    | PressButton
    | PressClock
    | NewGame
    | Retell
    | Decide
    | Settle
    | SetNoise
    | Hello
    | Correct
    | Relight
    | Dim
    | ShowWay
    | ForgetPages
    | Alive
    | MoveFor
    | MoveItself
    | Analyse
)


def read_wish(text: str) -> Wish:
    """The wish in a message. Raises WishError, saying what was expected, for anything else."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise WishError("expected a JSON object") from None
    match message:
        case {"do": "lift", "square": str(square)}:
            return Lift(_square(square), _hand_or_none(message))
        case {"do": "lift", "tray": str(letter)}:
            return Lift(_piece(letter), _hand_or_none(message))
        case {"do": "put", "square": str(square)}:
            return Put(_hand(message), _square(square))
        case {"do": "put", "tray": True}:
            return Put(_hand(message), None)
        case {"do": "back"}:
            return PutBack(_hand(message))
        case {"do": "button", "name": str(name)}:
            return _button(_member(ButtonName, name), _text(message, "value", LONGEST_VALUE))
        case {"do": "press", "colour": "white" | "black" as colour}:
            return PressClock(Colour.WHITE if colour == "white" else Colour.BLACK)
        case {"do": "new"}:
            return _new_game(message)
        case {"do": "header", "tags": dict(tags)}:
            return Retell(read_tags(tags))
        case {"do": "decide", "result": None | "1-0" | "0-1" | "1/2-1/2" as result}:
            return Decide(result)
        case {"do": "settle", "ply": int(ply), "uci": str(uci)} if not isinstance(ply, bool) and len(uci) <= 5:
            return Settle(ply, uci)
        case {"do": "correct", "ply": int(ply), "uci": str(uci)} if not isinstance(ply, bool) and len(uci) <= 5:
            return Correct(ply, uci)
        case {"do": "lights", "setting": setting}:
            return Relight(_member(LightsSetting, setting))
        case {"do": "brightness", "percent": None}:
            return Dim(None)
        case {"do": "brightness", "percent": int(percent)} if not isinstance(percent, bool) and 1 <= percent <= 100:
            return Dim(percent)
        case {"do": "show", "ways": list(ways)} if len(ways) <= LONGEST_WAY:
            return ShowWay(tuple(_way(way) for way in ways))
        case {"do": "forget"}:
            return ForgetPages()
        case {"do": "alive"}:
            return Alive()
        case {"do": "move"}:
            return read_move(message)
        case {"do": "analysis", "on": bool(on)}:
            return Analyse(on)
        case {"do": "itself", "on": bool(on)}:
            return MoveItself(on)
        case {"do": "noise", "on": bool(on)}:
            return SetNoise(on)
        case {"do": "hello", "token": str(token)}:
            return Hello(token)
        case _:
            raise WishError(
                "expected a message with a `do` of lift, put, back, button, press, new, header, decide, settle, "
                "correct, lights, brightness, show, move, itself, analysis, noise, hello, forget or alive, and what "
                "belongs to it"
            )


def read_move(message: dict[str, object]) -> MoveFor:
    """The move of a player far away. Raises WishError."""
    match message:
        case {"side": "white" | "black" as side, "uci": str(uci)} if len(uci) <= 5:
            return MoveFor(Colour[side.upper()], uci, _text(message, "fen", LONGEST_FEN))
        case _:
            raise WishError("expected `side` to be white or black, and `uci` a move such as e2e4")


def _button(name: ButtonName, value: str | None) -> PressButton:
    """A button whose value the journal can hold, too."""
    try:
        check_button(name, value)
    except LineError as error:
        raise WishError(str(error)) from None
    return PressButton(name, value)


def _new_game(message: dict[str, object]) -> NewGame:
    return NewGame(
        _optional_member(Mode, message.get("mode")),
        _optional_member(TouchRule, message.get("touch")),
        _optional_member(LightsSetting, message.get("lights")),
        _text(message, "ruleset", LONGEST_VALUE),
        (_text(message, "fen", LONGEST_FEN) or "").strip() or None,
        message.get("chess960") is True,
        read_tags(message.get("tags") or {}),
        _text(message, "time", LONGEST_TIME),
        None if message.get("press") is None else message.get("press") is True,
        _text(message, "white", LONGEST_PLAYER),
        _text(message, "black", LONGEST_PLAYER),
        None if message.get("follow") is None else message.get("follow") is True,
        _optional_member(PromotionRule, message.get("promotion")),
        _optional_member(ClaimsTold, message.get("claims")),
    )


def read_tags(tags: object) -> tuple[tuple[str, str], ...]:
    """Tags that people may tell. Others, and texts that are too long, are refused."""
    if not isinstance(tags, dict):
        raise WishError("expected `tags` to be an object")
    for name, text in tags.items():
        if name not in HEADER or not isinstance(text, str) or len(text) > LONGEST_TAG:
            raise WishError(f"expected `tags` of {', '.join(HEADER)}, texts of at most {LONGEST_TAG} characters")
    return tuple(tags.items())


def _square(name: str) -> Square:
    try:
        return parse_square(name)
    except ValueError as error:
        raise WishError(str(error)) from None


def _way(way: object) -> tuple[Square, Square]:
    match way:
        case [str(origin), str(destination)]:
            return _square(origin), _square(destination)
    raise WishError("expected `ways` to be pairs of squares, at most two")


def _piece(letter: str) -> Piece:
    if letter not in PIECES:
        raise WishError(f"expected a piece letter, one of {''.join(PIECES)}")
    return PIECES[letter]


def _hand(message: dict[str, object]) -> Hand:
    match message.get("hand"):
        case bool():
            pass
        case 0 | 1 as number:
            return Hand(number)
    raise WishError("expected `hand` to be 0 or 1")


def _hand_or_none(message: dict[str, object]) -> Hand | None:
    return None if message.get("hand") is None else _hand(message)


def _member(kind: type[E], value: object) -> E:
    try:
        return kind(value)
    except ValueError:
        raise WishError(f"expected one of {', '.join(str(member.value) for member in kind)}") from None


def _optional_member(kind: type[E], value: object) -> E | None:
    return None if value is None else _member(kind, value)


def _text(message: dict[str, object], key: str, longest: int) -> str | None:
    match message.get(key):
        case None:
            return None
        case str(value) if len(value) <= longest:
            return value
    raise WishError(f"expected `{key}` to be text of at most {longest} characters")
