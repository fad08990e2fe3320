"""Boards by the name a person gives on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from board_driver.boards.board import Board
from board_driver.inputerror import InputError, shortened
from board_driver.mind import Mode, Settings

if TYPE_CHECKING:
    from board_driver.profile.displays import Displays
    from board_driver.profile.schema import Sound
    from rules.position import Position

KINDS = (
    "virtual, replay:FILE, serial, serial:PORT, text:PROFILE, text:PROFILE@PORT, or a wired board's profile: "
    "FILE.yaml, or a name that `touchmove profile list` tells"
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A board, and how a game on it is read unless the command line says otherwise."""

    board: Board
    settings: Settings
    tags: Mapping[str, str] = field(default_factory=dict)
    """PGN tags that the board's profile gives its games."""
    sound: Sound | None = None
    """What the board's profile lets people hear."""
    displays: tuple[Displays, ...] = ()
    """What its profile has to show clocks and moves on."""


def choose_board(name: str, fen: str | None = None, chess960: bool = False) -> Choice:
    """The board of that name, not yet opened. Only the driver that is asked for is imported.

    `fen` sets up the pieces of a virtual board and where any game starts. Raises InputError for a name that is unknown,
    a log that cannot be read or a position that cannot be set up.
    """
    kind, _, rest = name.partition(":")
    match kind, rest:
        case "virtual", "":
            return _virtual(fen, chess960)
        case "replay", file_name if file_name:
            if fen is not None:
                raise InputError("expected no --fen with a log: its header says where the game starts")
            return _replayed(file_name)
        case "replay", _:
            raise InputError("expected a sensor log after --board replay: (as in replay:game.jsonl), got no file name")
        case "serial" | "text", _:
            return _serial(kind, rest, fen, chess960)
        case _:
            return _profiled(name, fen, chess960)


def _position(fen: str | None, chess960: bool) -> Position:
    """Where the game starts: somebody has a move to make there. Raises InputError."""
    from rules.fen import START_FEN, parse_fen  # noqa: PLC0415

    try:
        position = parse_fen(fen or START_FEN, chess960=chess960)
    except ValueError as problem:
        raise InputError(f"expected a position as FEN for --fen, got {shortened(fen)}: {problem}") from problem
    if not position.has_move():
        raise InputError(f"expected a position with a move to make for --fen, got {shortened(fen)}: it is over")
    return position


def _virtual(fen: str | None, chess960: bool) -> Choice:
    from board_driver.boards.virtual import VirtualBoard  # noqa: PLC0415
    from rules.fen import START_FEN  # noqa: PLC0415

    position = _position(fen, chess960)
    settings = Settings(mode=Mode.PLAY, start_fen=fen or START_FEN, chess960=chess960)
    return Choice(VirtualBoard(position), settings)


def _replayed(file_name: str) -> Choice:
    from board_driver.boards.replayed import ReplayedBoard  # noqa: PLC0415

    board = ReplayedBoard(file_name)
    return Choice(board, board.header.settings(holds_press=board.holds_press))


def _serial(kind: str, rest: str, fen: str | None, chess960: bool) -> Choice:
    from board_driver.boards.serialchoice import serial_board  # noqa: PLC0415
    from rules.fen import START_FEN  # noqa: PLC0415

    _position(fen, chess960)
    board = serial_board(kind, rest)
    settings = Settings(
        mode=Mode.PLAY,
        sensing=board.abilities.senses,
        start_fen=fen or START_FEN,
        chess960=chess960,
        clock=board.abilities.has_clock,
    )
    return Choice(board, settings)


def _profiled(name: str, fen: str | None, chess960: bool) -> Choice:
    from board_driver.boards.build import board_of, settings_of, tags_of  # noqa: PLC0415
    from board_driver.profile.finding import find_profile, looks_like_profile, packaged_profiles  # noqa: PLC0415
    from board_driver.profile.reading import sound_profile  # noqa: PLC0415
    from board_driver.profile.schema import Profile  # noqa: PLC0415
    from rules.fen import START_FEN  # noqa: PLC0415

    _position(fen, chess960)
    path = None
    if looks_like_profile(name) or name in packaged_profiles():
        path = find_profile(name)
        profile = sound_profile(path)
    else:
        from board_driver.boards.plugin import known_plugins  # noqa: PLC0415
        from board_driver.profile.sensors import Plugin  # noqa: PLC0415

        if name not in known_plugins():
            raise InputError(f"expected --board to be {KINDS}, got {shortened(name)}")
        profile = Profile(name=name, sensors=Plugin(source=name))
    board = board_of(profile, path)
    settings = settings_of(profile, board, fen or START_FEN, chess960)
    return Choice(board, settings, tags_of(profile.game), profile.sound, profile.displays)
