"""Tests that run under the fake GPIO chip, with lgpio unmodified. `test_shim` starts them in a process of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from board_driver.boards.board import Inbox
from board_driver.boards.gpiozerolines import GpiozeroLines, default_factory
from board_driver.boards.lgpiolines import LgpioLines
from board_driver.boards.lines import OpenLines
from board_driver.boards.matrix import MatrixSource
from board_driver.boards.pushbuttons import PushButtons
from board_driver.daemon import BoardState
from board_driver.mind import Mode, Settings
from board_driver.profile.schema import Buttons
from board_driver.scan import Button, ButtonName, Press
from board_driver.simulate import Level
from rules.squares import Colour
from tests.electricity.contract import BLACK, FULL, WHITE, Contract
from tests.electricity.rigs import MATRIX, Rig
from tests.electricity.shim import ShimState
from tests.electricity.test_daemon import living, wired
from tests.electricity.test_games import GAMES, played_on, score, settings_for


def by_lgpio(chip: int | None) -> Any:
    return LgpioLines(chip)


def by_gpiozero(_chip: int | None) -> Any:
    return GpiozeroLines()


_made: list[Rig] = []


def matrix(state: ShimState, lines: OpenLines, wiring: Any = MATRIX) -> Rig:
    rig = Rig(
        MatrixSource(wiring, lines),
        lambda white, black: state.set_cells(white | black),
        state.unplug,
        lambda: state.unplug(False),
        lambda: None,
    )
    _made.append(rig)
    return rig


@pytest.fixture
def state() -> Iterator[ShimState]:
    """Reeds all open; what a test made is closed after it, since the chip lets no two have a line."""
    yield ShimState()
    while _made:
        _made.pop().source.close()
    if default_factory.cache_info().currsize:  # it keeps its lines claimed otherwise
        default_factory().close()
        default_factory.cache_clear()


class TestByLgpio(Contract):
    @pytest.fixture
    def rig(self, state: ShimState) -> Rig:
        return matrix(state, by_lgpio)


@pytest.fixture
def rig(state: ShimState) -> Rig:
    return matrix(state, by_lgpio)


def test_gpiozero_reads_the_same(state: ShimState) -> None:
    rig = matrix(state, by_gpiozero)
    rig.source.open()
    for cells in (WHITE | BLACK, 0, FULL, 0x0102040810204080):
        rig.place(cells, 0)
        assert rig.source.read().closed == cells  # type: ignore[union-attr]
    rig.source.close()


@pytest.mark.parametrize(("cells", "requests"), [(0, 17), (1 << 40, 18), (WHITE | BLACK, 21), (FULL, 24)])
def test_a_scan_is_few_requests_to_the_kernel(rig: Rig, state: ShimState, cells: int, requests: int) -> None:
    """Two for each row and one at the end, and one more where a row follows one closed in the same columns."""
    state.set_rise_us(15)
    rig.source.open()
    rig.place(cells, 0)
    rig.source.read()
    before = state.requests
    assert rig.source.read().closed == cells  # type: ignore[union-attr]
    assert state.requests - before <= requests


def test_without_diodes_the_fourth_corner_is_distrusted_and_nothing_burns(state: ShimState) -> None:
    state.take_out_diodes()
    rig = matrix(state, by_lgpio, msgspec.structs.replace(MATRIX, diodes=False))
    rig.source.open()
    rig.place(1 << 0 | 1 << 3 | 1 << 24, 0)
    sample = rig.source.read()
    corners = 1 << 0 | 1 << 3 | 1 << 24 | 1 << 27
    assert (sample.closed, sample.unsure) == (corners, corners)  # type: ignore[union-attr]
    rig.place(FULL, 0)
    rig.source.read()
    assert not state.had_contention


def test_a_slow_column_is_read_wrong_without_settling_and_right_with_it(state: ShimState) -> None:
    state.set_rise_us(8_000)
    hasty = matrix(state, by_lgpio, msgspec.structs.replace(MATRIX, row_settle_us=0))
    hasty.source.open()
    hasty.place(0x0F, 0)
    assert hasty.source.read().closed & 0x0F00 == 0x0F00  # type: ignore[union-attr]
    hasty.source.close()
    patient = matrix(state, by_lgpio, msgspec.structs.replace(MATRIX, row_settle_us=20_000))
    patient.source.open()
    assert patient.source.read().closed == 0x0F  # type: ignore[union-attr]


def test_two_that_want_the_same_lines_are_told_and_none_is_left_claimed(rig: Rig, state: ShimState) -> None:
    rig.source.open()
    second = matrix(state, by_lgpio)
    with pytest.raises(OSError, match="GPIO 5 is in use"):
        second.source.open()
    rig.source.close()
    second.source.open()
    second.place(WHITE, 0)
    assert second.source.read().closed == WHITE  # type: ignore[union-attr]


def test_a_line_that_does_not_exist_is_told(state: ShimState) -> None:
    rig = matrix(state, by_lgpio, msgspec.structs.replace(MATRIX, columns=(*range(20, 27), 99)))
    with pytest.raises(OSError, match=r"GPIO 99 does not exist: gpiochip0 .* counts from 0 to 57"):
        rig.source.open()


def test_a_whole_game_comes_out_through_lgpio(rig: Rig) -> None:
    game = GAMES[1]
    pgn = played_on(rig, game, Level.CLUB, settings_for(rig, game, Mode.RECORD))
    assert score(pgn) == list(game.moves)


def test_the_daemon_plays_on_when_the_chip_is_back(rig: Rig) -> None:
    rig.place(WHITE | BLACK, 0)

    async def story() -> None:
        async with living(wired(rig), Settings(settle_ms=20, mode=Mode.PLAY)) as life:
            rig.place((WHITE | BLACK) ^ 1 << 12, 0)
            await life.until(lambda: life.lifts() == 1)
            rig.unplug()
            await life.until(lambda: life.daemon.board_state is BoardState.LOST)
            rig.place((WHITE | BLACK) ^ 1 << 12 ^ 1 << 28, 0)
            rig.replug()
            await life.until(lambda: life.moves() == ["e2e4"])

    asyncio.run(story())


def test_push_buttons_work_through_gpiozero_and_lgpio(state: ShimState) -> None:
    """Each press comes once, in order; the matrix is read meanwhile on its own lines."""

    async def story() -> list[object]:
        inbox = Inbox()
        buttons = PushButtons(Buttons(white_clock=7, black_clock=8, promote_knight=9, bounce_ms=0))
        buttons.open(inbox)
        items: list[object] = []
        for line in (7, 8, 9):
            state.hold(line)
            items.append(await inbox.get(inbox.now_ms() + 10_000))
            state.hold()
        buttons.close()
        return items

    white, black, knight = asyncio.run(story())
    assert isinstance(white, Press)
    assert isinstance(black, Press)
    assert isinstance(knight, Button)
    assert (white.colour, black.colour) == (Colour.WHITE, Colour.BLACK)
    assert (knight.name, knight.value) == (ButtonName.PROMOTE, "n")


def test_a_button_on_a_line_of_the_matrix_is_told(rig: Rig) -> None:
    rig.source.open()

    async def story() -> None:
        with pytest.raises(OSError, match="the button draw cannot have GPIO 20: GPIO busy"):
            PushButtons(Buttons(draw=20)).open(Inbox())

    asyncio.run(story())
