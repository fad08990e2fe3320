"""The lines of a sensor log after its header: JSON objects to inputs, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import assert_never

from board_driver.clockwords import PAUSE_VALUES, time_change
from board_driver.scan import (
    Button,
    ButtonName,
    Colours,
    Command,
    Field,
    Hint,
    Identity,
    Input,
    Occupancy,
    Press,
    Reading,
    Scan,
    Sensing,
)
from board_driver.sensorlog.errors import LineError, shown
from rules.pieces import PIECES, Piece
from rules.squares import Bitboard, Colour

TIME_LIMIT_MS = 1 << 53
"""Times reach this far from zero, either way: what every JSON reader keeps exact."""

_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]{1,16}")
_KEYS_OF_SENSING = {
    Sensing.OCCUPANCY: ("occ",),
    Sensing.COLOUR: ("white", "black"),
    Sensing.FIELD: ("field",),
    Sensing.IDENTITY: ("pieces",),
}
_SCAN_KEYS = frozenset({"occ", "white", "black", "field", "pieces"})
_UCI = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_CLAIM = re.compile(r"(white|black)( [A-Za-z0-9=+#-]{2,8})?")
FEN_LIMIT = 120
LEFT_LIMIT_MS = 359_999_000
LINE_KEYS = _SCAN_KEYS | {"t_ms", "press", "button", "value", "command", "hint", "fen", "distrusted", "left_ms"}


def parse_line(fields: Mapping[str, object], sensing: Sensing) -> Input | None:
    """The input that a line holds; None if it has a time and otherwise only unknown keys. Raises LineError."""
    t_ms = _time(fields.get("t_ms"))
    kinds = [key for key in ("press", "button", "command", "hint") if key in fields]
    if any(key in fields for key in _SCAN_KEYS):
        kinds.append("scan")
    if len(kinds) > 1:
        wanted = "one thing a line: a scan, a press, a button, a command or a hint"
        raise LineError(wanted, " and ".join(f"a {kind}" for kind in kinds))
    match kinds:
        case ["press"]:
            return Press(t_ms, _colour("press", fields["press"]), _left(fields.get("left_ms")))
        case ["button"]:
            return _button(t_ms, fields["button"], fields.get("value"))
        case ["command"]:
            return Command(t_ms, _uci("command", fields["command"]), _fen(fields.get("fen")))
        case ["hint"]:
            return Hint(t_ms, _uci("hint", fields["hint"]), _fen(fields.get("fen")))
        case ["scan"]:
            return Scan(t_ms, _reading(fields, sensing), _squares("distrusted", fields.get("distrusted", "0x0")))
        case _:
            return None


def line_fields(item: Input) -> dict[str, object]:
    """The JSON object of an input: what `parse_line` reads back to an equal one."""
    fields: dict[str, object]
    match item:
        case Press(t_ms, colour, left_ms):
            fields = {"t_ms": t_ms, "press": colour.word}
            return fields if left_ms is None else fields | {"left_ms": left_ms}
        case Button(t_ms, name, value):
            fields = {"t_ms": t_ms, "button": name.value}
            return fields if value is None else fields | {"value": value}
        case Command(t_ms, uci, fen) | Hint(t_ms, uci, fen):
            fields = {"t_ms": t_ms, "command" if isinstance(item, Command) else "hint": uci}
            return fields if fen is None else fields | {"fen": fen}
        case Scan(t_ms, reading, distrusted):
            fields = {"t_ms": t_ms, **_reading_fields(reading)}
            return fields | {"distrusted": _hexadecimal(distrusted)} if distrusted else fields
        case _:
            assert_never(item)


def _left(value: object) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LEFT_LIMIT_MS:
        raise LineError('"left_ms" to be the time left on a clock in ms', shown(value))
    return value


def _time(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= TIME_LIMIT_MS:
        return value
    raise LineError('"t_ms" to be a whole number of milliseconds', shown(value))


def _colour(key: str, value: object) -> Colour:
    match value:
        case "white":
            return Colour.WHITE
        case "black":
            return Colour.BLACK
        case _:
            raise LineError(f'"{key}" to be white or black', shown(value))


def _uci(key: str, value: object) -> str:
    """A move in letters. Whether it is legal is for the laws to say."""
    if isinstance(value, str) and _UCI.fullmatch(value):
        return value
    raise LineError(f'"{key}" to be a move such as e2e4 or e7e8q', shown(value))


def _fen(value: object) -> str | None:
    if value is None or (isinstance(value, str) and len(value) <= FEN_LIMIT):
        return value
    raise LineError(f'"fen" to be a position of at most {FEN_LIMIT} characters', shown(value))


# -- buttons --

_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def _button(t_ms: int, name: object, value: object) -> Button:
    for known in ButtonName:
        if known.value == name:
            return Button(t_ms, known, _VALUE_OF[known](value))
    raise LineError(f'"button" to be one of {", ".join(known.value for known in ButtonName)}', shown(name))


def check_button(name: ButtonName, value: str | None) -> None:
    """Raises LineError for a value that this button cannot be pressed with, so that no log could hold it."""
    _VALUE_OF[name](value)


def _piece_letter(value: object) -> str:
    """Any letter of a piece passes: that a king or a pawn is no choice is for the laws to say."""
    if isinstance(value, str) and value in PIECES:
        return value
    raise LineError('the "value" of promote to be a letter: q, r, b or n', shown(value))


def _player(value: object) -> str | None:
    """Whose choice it is; left out, it is that of the player having the move."""
    return None if value is None else _colour("value", value).word


def _result(value: object) -> str:
    if isinstance(value, str) and value in _RESULTS:
        return value
    raise LineError(f'the "value" of result to be one of {", ".join(_RESULTS)}', shown(value))


def _claim(value: object) -> str | None:
    """A player, and perhaps the move that he announces. Whether it can be is for the laws to say."""
    if value is None:
        return None
    if isinstance(value, str) and _CLAIM.fullmatch(value):
        return value
    raise LineError('the "value" of claim to be white or black, perhaps with a move, such as "white Nf3"', shown(value))


def _plies(value: object) -> str:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 5:
        return value
    raise LineError('the "value" of back-to to be how many plies stay, such as "12"', shown(value))


def _pause(value: object) -> str | None:
    if value is None or value in PAUSE_VALUES:
        return None if value is None else str(value)
    raise LineError(f'the "value" of pause to be left out or one of {", ".join(PAUSE_VALUES)}', shown(value))


def _clock_time(value: object) -> str:
    if isinstance(value, str) and time_change(value) is not None:
        return value
    raise LineError('the "value" of time to be such as "white 300000" or "white +60000" (ms)', shown(value))


_VALUE_OF: dict[ButtonName, Callable[[object], str | None]] = {
    ButtonName.PROMOTE: _piece_letter,
    ButtonName.ADJUST: _player,
    ButtonName.CLAIM: _claim,
    ButtonName.DRAW: _player,
    ButtonName.RESIGN: _player,
    ButtonName.TAKEBACK: _player,
    ButtonName.RESULT: _result,
    ButtonName.DECLINE: _player,
    ButtonName.HINT: _player,
    ButtonName.PAUSE: _pause,
    ButtonName.TIME: _clock_time,
    ButtonName.BACK_TO: _plies,
}

# -- scans --


def _reading(fields: Mapping[str, object], sensing: Sensing) -> Reading:
    keys = _KEYS_OF_SENSING[sensing]
    present = sorted(_SCAN_KEYS & fields.keys())
    if sorted(keys) != present:
        wanted = " and ".join(f'"{key}"' for key in keys)
        raise LineError(f"{wanted} (the header says {sensing.value})", " and ".join(f'"{key}"' for key in present))
    match sensing:
        case Sensing.OCCUPANCY:
            return Occupancy(_squares("occ", fields["occ"]))
        case Sensing.COLOUR:
            return Colours(_squares("white", fields["white"]), _squares("black", fields["black"]))
        case Sensing.FIELD:
            return Field(_strengths(fields["field"]))
        case Sensing.IDENTITY:
            return Identity(_placement(fields["pieces"]))
        case _:
            assert_never(sensing)


def _reading_fields(reading: Reading) -> dict[str, object]:
    match reading:
        case Occupancy(occupied):
            return {"occ": _hexadecimal(occupied)}
        case Colours(white, black):
            return {"white": _hexadecimal(white), "black": _hexadecimal(black)}
        case Field(strengths):
            return {"field": [int(x) if x == int(x) else x for x in strengths]}
        case Identity(pieces):
            return {"pieces": _placement_text(pieces)}
        case _:
            assert_never(reading)


def _squares(key: str, value: object) -> Bitboard:
    if isinstance(value, str) and _HEXADECIMAL.fullmatch(value):
        return int(value, 16)
    raise LineError(f'"{key}" to be 64 squares as "0x" and 1 to 16 hexadecimal digits', shown(value))


def _hexadecimal(squares: Bitboard) -> str:
    return f"0x{squares:016x}"


def _strengths(value: object) -> tuple[float, ...]:
    if not isinstance(value, list) or len(value) != 64:
        raise LineError('"field" to be a list of 64 numbers', shown(value))
    return tuple(_strength(number) for number in value)


def _strength(value: object) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15 and isfinite(value):
        return float(value)
    raise LineError('"field" to hold 64 numbers', f"{shown(value)} among them")


def _placement(value: object) -> tuple[Piece | None, ...]:
    ranks = value.split("/") if isinstance(value, str) and len(value) <= 128 else []
    rows = [row for rank in reversed(ranks) if len(row := _rank(rank)) == 8]
    if len(ranks) != 8 or len(rows) != 8:
        raise LineError('"pieces" to be eight ranks as in FEN, such as "8/8/8/8/8/8/8/4K2k"', shown(value))
    return tuple(piece for row in rows for piece in row)


def _rank(text: str) -> list[Piece | None]:
    """The squares of a FEN rank from the a-file; an empty list for what is none."""
    squares: list[Piece | None] = []
    for letter in text:
        if letter in PIECES:
            squares.append(PIECES[letter])
        elif letter in "12345678":
            squares += [None] * int(letter)
        else:
            return []
    return squares


def _placement_text(pieces: tuple[Piece | None, ...]) -> str:
    ranks = ("".join(piece.letter if piece else " " for piece in pieces[a : a + 8]) for a in range(56, -8, -8))
    return "/".join(re.sub(" +", lambda gap: str(len(gap[0])), rank) for rank in ranks)
