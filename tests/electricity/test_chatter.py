"""Games on boards with a contact that will not stop: it is named, and the game goes on."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import count

import pytest

from board_driver.boards import quarantine
from board_driver.boards.source import Contacts, Source
from board_driver.mind import Mode
from board_driver.scan import Occupancy, Sensing
from rules.squares import parse_square
from tests.electricity.contract import BLACK, WHITE
from tests.electricity.rigs import RIGS, Rig
from tests.electricity.test_daemon import Life, living, settings_for, wired

E2, E4, E7, E5 = (1 << parse_square(name) for name in ("e2", "e4", "e7", "e5"))

SETTLE_MS = 300
"""Longer than a busy machine keeps a thread waiting: chatter must not settle before it is found out."""


class Chattering:
    """A source one of whose cells reads this and that at every scan, as long as `is_chattering`."""

    def __init__(self, source: Source, cell: int) -> None:
        self._source, self._cell = source, cell
        self._beat = count()
        self.is_chattering = False

    @property
    def senses(self) -> Sensing:
        return self._source.senses

    def open(self) -> None:
        self._source.open()

    def read(self) -> Contacts:
        sample = self._source.read()
        assert isinstance(sample, Contacts)
        if not self.is_chattering:
            return sample
        return Contacts(sample.closed ^ (next(self._beat) % 2) << self._cell)

    def close(self) -> None:
        self._source.close()


def ill(name: str) -> tuple[Rig, Chattering]:
    rig = RIGS["matrix"]()
    rig.place(WHITE, BLACK)
    source = Chattering(rig.source, parse_square(name))
    return Rig(source, rig.place, rig.unplug, rig.replug, rig.driven), source


def occupied(life: Life) -> int:
    """The newest scan, without the square that chatters."""
    scan = life.daemon.last_scan
    assert scan is not None
    assert isinstance(scan.reading, Occupancy)
    return scan.reading.occupied & ~scan.distrusted


@pytest.mark.parametrize("square", ["a3", "h8"])
@pytest.mark.parametrize("mode", list(Mode))
def test_a_game_goes_on_beside_a_square_that_chatters(mode: Mode, square: str) -> None:
    rig, source = ill(square)

    async def story() -> None:
        async with living(wired(rig), replace(settings_for(rig, mode), settle_ms=SETTLE_MS)) as life:
            source.is_chattering = True
            await life.until(lambda: life.texts("distrusted"))
            trusted = ~(1 << parse_square(square))
            for white, black, lifts, moves in (
                (WHITE ^ E2, BLACK, 1, 0),
                (WHITE ^ E2 ^ E4, BLACK, 1, 1),
                (WHITE ^ E2 ^ E4, BLACK ^ E7, 2, 1),
                (WHITE ^ E2 ^ E4, BLACK ^ E7 ^ E5, 2, 2),
            ):
                rig.place(white, black)
                board = (white | black) & trusted
                await life.until(lambda board=board: occupied(life) & trusted == board)  # type: ignore[misc]
                if mode is Mode.PLAY:
                    await life.until(lambda lifts=lifts: life.lifts() == lifts)  # type: ignore[misc]
                    await life.until(lambda moves=moves: len(life.moves()) == moves)  # type: ignore[misc]
            await life.until(lambda: life.moves() == ["e2e4", "e7e5"])
            assert square in life.texts("distrusted")[0]
            assert len(life.texts("distrusted")) == 1

    asyncio.run(story())


def test_a_piece_moves_off_a_square_that_chattered_under_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What moved away is seen when the contact has been quiet."""
    monkeypatch.setattr(quarantine, "QUIET_MS", 100)
    rig, source = ill("e2")

    async def story() -> None:
        async with living(wired(rig), replace(settings_for(rig), settle_ms=SETTLE_MS)) as life:
            source.is_chattering = True
            await life.until(lambda: life.texts("distrusted"))
            assert life.lifts() == 0
            rig.place(WHITE ^ E2, BLACK)
            source.is_chattering = False
            await life.until(lambda: life.texts("trusted"))
            await life.until(lambda: life.lifts() == 1)
            rig.place(WHITE ^ E2 ^ E4, BLACK)
            await life.until(lambda: life.moves() == ["e2e4"])

    asyncio.run(story())
