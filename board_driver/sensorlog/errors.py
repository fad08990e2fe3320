"""What can be wrong with a sensor log, told in one line."""

from __future__ import annotations

from board_driver.inputerror import InputError, shortened


class SensorLogError(InputError):
    """A log that cannot be read, or not further. The text names the file, the line, what was expected and what came."""


class LineError(Exception):
    """A malformed line, before the file and the number of the line are known."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got}")


def shown(value: object) -> str:
    """A JSON value as it is quoted in a message: short, on one line."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{shortened(value)}"'
        case list():
            return f"a list of {len(value)}"
        case dict():
            return "an object"
        case int() if value.bit_length() > 200:
            return "a number of very many digits"
        case _:
            return shortened(str(value))
