"""What can go wrong when something is to be kept."""

from __future__ import annotations

from board_driver.inputerror import InputError


class StoreError(InputError):
    """A file that could not be written. What was there before is untouched; trying again later is safe."""
