"""What a display can do."""

from __future__ import annotations

from typing import Protocol

from board_driver.displays.face import Face


class Display(Protocol):
    """One display. Everything blocks for some milliseconds, and raises OSError, with words, when it does not answer."""

    @property
    def name(self) -> str:
        """What it is, and where, in words."""

    def open(self) -> None:
        """Find it and clear it."""

    def show(self, face: Face) -> None:
        """Show this; only what differs from before is sent where that is possible."""

    def close(self) -> None:
        """Clear it and let go of it. Never raises."""
