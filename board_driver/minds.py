"""Which mind reads the board: the one place where the two are told apart."""

from __future__ import annotations

from typing import assert_never

from board_driver.mind import Mind, Mode, Settings


def make_mind(settings: Settings) -> Mind:
    """A fresh mind for one game, or a session of them. Only the one asked for is imported."""
    match settings.mode:
        case Mode.PLAY:
            from board_driver.arbiter import Arbiter  # noqa: PLC0415

            return Arbiter(settings)
        case Mode.RECORD:
            from board_driver.recorder import Recorder  # noqa: PLC0415

            return Recorder(settings)
        case _:
            assert_never(settings.mode)
