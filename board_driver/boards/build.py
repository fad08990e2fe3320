"""From a profile to a board, and to how games on it are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from board_driver.boards.board import Board
from board_driver.boards.cellmap import CellMap
from board_driver.boards.sensorboard import Buttons, Lights, SensorBoard, Wired
from board_driver.boards.source import Source
from board_driver.mind import Mode, Settings
from board_driver.playchoice import MINUTE_MS
from board_driver.profile.checks import cell_count
from board_driver.profile.places import square_order
from board_driver.profile.schema import Game, Profile
from board_driver.profile.sensors import (
    Expanders,
    GpioDirect,
    GpioMatrix,
    HallAdc,
    Plugin,
    Sensors,
    ShiftRegisters,
)
from rules.clock import parse_time_control
from rules.squares import parse_square, squares_of


def board_of(profile: Profile, path: Path | None = None) -> Board:
    """The board of a profile, not yet opened. `path` is the profile's file: a Hall board's calibration lies beside it.

    Raises InputError for a plugin that cannot be had or a calibration that cannot be read.
    """
    if isinstance(profile.sensors, Plugin):
        from board_driver.boards.plugin import PluginSource, is_whole_board, make_plugin  # noqa: PLC0415

        plugin = make_plugin(profile.sensors.source, profile.sensors.options)
        if is_whole_board(plugin):
            whole: Board = plugin
            return whole
        return SensorBoard(wired(profile, PluginSource(profile.sensors.source, plugin), path))
    return SensorBoard(wired(profile, source_of(profile.sensors, path), path))


def wired(profile: Profile, source: Source, path: Path | None = None) -> Wired:
    """The parts of a board that reads `source`."""
    squares, lights, buttons = squares_read(profile), lights_of(profile), buttons_of(profile)
    return Wired(profile.name, source, squares, profile.sensors.scan_hz, lights, buttons, profile, path)


def squares_read(profile: Profile) -> tuple[int, ...]:
    """The square of each cell of the sensors."""
    return square_order(profile.sensors.order, profile.orientation)[: cell_count(profile.sensors)]


def source_of(sensors: Sensors, path: Path | None = None) -> Source:
    """The driver of those sensors; not for plugins. Only its own module is imported."""
    match sensors:
        case GpioMatrix():
            from board_driver.boards.matrix import MatrixSource  # noqa: PLC0415

            return MatrixSource(sensors)
        case GpioDirect():
            from board_driver.boards.direct import DirectSource  # noqa: PLC0415

            return DirectSource(sensors)
        case ShiftRegisters():
            from board_driver.boards.shiftregisters import ShiftRegisterSource  # noqa: PLC0415

            return ShiftRegisterSource(sensors)
        case Expanders():
            from board_driver.boards.expanders import ExpanderSource  # noqa: PLC0415

            return ExpanderSource(sensors)
        case HallAdc():
            from board_driver.boards.halladc import HallSource  # noqa: PLC0415
            from board_driver.boards.hallfile import calibration_for  # noqa: PLC0415

            return HallSource(sensors, calibration_for(sensors, path))
        case Plugin():
            raise TypeError("a plugin is made by its entry point")
        case _:
            assert_never(sensors)


def lights_of(profile: Profile) -> Sequence[Lights]:
    """The drivers of the profile's lights."""
    from board_driver.lights.drivers import make_lights  # noqa: PLC0415

    return [lights for part in profile.lights if (lights := make_lights(part, profile.orientation)) is not None]


def buttons_of(profile: Profile) -> Buttons | None:
    """The profile's push buttons; None if it has none."""
    if not profile.buttons.pins():
        return None
    from board_driver.boards.pushbuttons import PushButtons  # noqa: PLC0415

    return PushButtons(profile.buttons)


def settings_of(profile: Profile, board: Board, start_fen: str, chess960: bool) -> Settings:
    """How a game on that board is read, by the profile and where it is silent by the program's defaults."""
    game, default = profile.game, Settings()
    unread = () if isinstance(profile.sensors, Plugin) else squares_of(CellMap(squares_read(profile)).unread)
    return replace(
        default,
        mode=game.mode or Mode.PLAY,
        sensing=board.abilities.senses,
        start_fen=start_fen,
        chess960=chess960,
        ruleset=game.ruleset or default.ruleset,
        touch=game.touch or default.touch,
        clock=board.abilities.has_clock if game.clock is None else game.clock,
        time_control=None if game.time is None else parse_time_control(game.time),
        clock_start=game.clock_start or default.clock_start,
        execution_grace_ms=default.execution_grace_ms if game.execution_grace_ms is None else game.execution_grace_ms,
        settle_ms=default.settle_ms if game.settle_ms is None else game.settle_ms,
        lights=game.lights or default.lights,
        promotion=game.promotion or default.promotion,
        claims=game.claims or default.claims,
        abandon_ms=default.abandon_ms if game.abandon_min is None else game.abandon_min * MINUTE_MS,
        dead_squares=frozenset(parse_square(name) for name in game.dead_squares) | frozenset(unread),
        players=(profile.players.white, profile.players.black),
        follow_board=profile.players.follow_board,
        calibration=board.field_calibration if isinstance(board, SensorBoard) else None,
    )


def tags_of(game: Game) -> dict[str, str]:
    """The PGN tags that a profile gives its games."""
    tags = {"Event": game.event, "Site": game.site, "White": game.white, "Black": game.black}
    return {tag: value for tag, value in tags.items() if value is not None}
