"""The wiring as an SVG drawing [pure]: the computer's header with every pin that is used, and the board as White sees
it, with its sensors' wires and the way of its lamps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from board_driver.profile.checks import cell_count
from board_driver.profile.lights import Apa102, Lights, NoLights, Place, Ws2812
from board_driver.profile.pins import line_number
from board_driver.profile.places import place_order, square_order
from board_driver.profile.schema import Profile
from board_driver.profile.sensors import Expanders, GpioMatrix, Wiring
from board_driver.profile.uses import uses
from board_driver.wiring.header import PIN_OF_GPIO, POWER

CELL = 56
BOARD_X, BOARD_Y = 560, 90
PIN_X, PIN_Y, PIN_STEP = 250, 90, 24
WIDTH, HEIGHT = 1060, 660
COLOURS = {"sensors": "#1f6fb2", "lights": "#b8570f", "buttons": "#2f7d3b"}
STYLE = (
    "text{font-family:sans-serif;font-size:11px;fill:#222}.t{font-size:17px;font-weight:bold}"
    ".s{font-size:9px}.l{fill:#b8570f}.m{text-anchor:middle}.e{text-anchor:end}"
)


def wiring_svg(profile: Profile) -> str:
    """The drawing, one element to a line."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f"<title>{escape(profile.name)}: wiring</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(24, 36, profile.name, "t"),
        *_header(profile),
        *_board(profile),
    ]
    shown = [lights for lights in profile.lights if not isinstance(lights, NoLights)]
    for lights in shown[:1]:
        lines += _lamps(lights, profile)
    lines += [*_legend(shown), "</svg>"]
    return "\n".join(lines) + "\n"


# -- the header


def _header(profile: Profile) -> Iterator[str]:
    used = _used_pins(profile)
    yield _text(PIN_X + 24, PIN_Y - 18, "header of the computer", "m")
    for pin in range(1, 41):
        row, is_right = divmod(pin - 1, 2)
        x, y = PIN_X + 36 * is_right, PIN_Y + PIN_STEP * row
        purpose, colour = used.get(pin, (POWER.get(pin, ""), "#ddd" if pin not in POWER else "#999"))
        yield f'<rect x="{x}" y="{y}" width="18" height="18" rx="3" fill="{colour}"/>'
        yield _text(x + 9, y + 13, str(pin), "s m")
        if purpose:
            yield _text(x + 26, y + 13, purpose) if is_right else _text(x - 8, y + 13, purpose, "e")


def _used_pins(profile: Profile) -> dict[int, tuple[str, str]]:
    """By pin of the header: GPIO and purpose, and the colour of its part of the profile."""
    found: dict[int, tuple[str, str]] = {}
    for use in uses(profile):
        kind, _, number = use.thing.partition(" ")
        if kind != "GPIO":
            continue
        gpio = int(number)
        pin = PIN_OF_GPIO.get(gpio)
        if pin is not None:
            found[pin] = (f"{gpio}: {_purpose(use.purpose)}", COLOURS.get(str(use.path[0]), "#777"))
    return found


def _purpose(words: str) -> str:
    """`sensors.rows[3]` as `sensor row 4`, a bus as its wire."""
    if "(" in words:
        return words[words.index("(") + 1 : -1]
    part, _, key = words.partition(".")
    part = part.split("[")[0].rstrip("s")
    name, _, index = key.partition("[")
    number = f" {int(index[:-1]) + 1}" if index else ""
    return f"{name.replace('_', ' ')} button" if part == "button" else f"{part} {name.rstrip('s')}{number}"


# -- the board


def _board(profile: Profile) -> Iterator[str]:
    order = square_order(profile.sensors.order, profile.orientation)[: cell_count(profile.sensors)]
    cell_of = {square: cell for cell, square in enumerate(order)}
    for square in range(64):
        x, y = _corner(square)
        shade = "#e9e4da" if (square // 8 + square % 8) % 2 else "#cfc6b4"
        yield f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{shade}"/>'
        if square in cell_of:
            yield _text(x + 4, y + 26, f"s{cell_of[square]}", "s")
    for n in range(8):
        yield _text(BOARD_X + CELL * n + CELL // 2, BOARD_Y + 8 * CELL + 16, "abcdefgh"[n], "m")
        yield _text(BOARD_X - 12, BOARD_Y + CELL * (7 - n) + CELL // 2 + 4, str(n + 1), "m")
    yield from _matrix_wires(profile, order)


def _matrix_wires(profile: Profile, order: Sequence[int]) -> Iterator[str]:
    """Rows and columns of a matrix as lines across the squares that hang on them."""
    names = _line_names(profile)
    if names is None:
        return
    rows, columns = names
    for n, name in enumerate(rows):
        yield from _wire([order[8 * n + k] for k in range(8)], name, 4, "#1f6fb2")
    for n, name in enumerate(columns):
        yield from _wire([order[8 * k + n] for k in range(8)], name, -4, "#6a3d9a")


def _line_names(profile: Profile) -> tuple[list[str], list[str]] | None:
    match profile.sensors:
        case GpioMatrix() as matrix:
            return [f"R{line_number(pin)}" for pin in matrix.rows], [f"C{line_number(pin)}" for pin in matrix.columns]
        case Expanders(wiring=Wiring.MATRIX):
            return [f"R{n + 1}" for n in range(8)], [f"C{n + 1}" for n in range(8)]
        case _:
            return None


def _wire(squares: Sequence[int], name: str, shift: int, colour: str) -> Iterator[str]:
    points = [_middle(square, shift) for square in squares]
    yield _line(points, colour, 1)
    x, y = points[-1]
    before = points[-2]
    outward = (x + (x - before[0]) * 0.62, y + (y - before[1]) * 0.62 + 3)
    yield _text(round(outward[0]), round(outward[1]), name, "s m")


# -- lamps


def _lamps(lights: Lights, profile: Profile) -> Iterator[str]:
    if isinstance(lights, NoLights):
        return
    order = place_order(lights.place, lights.order, profile.orientation)
    points = [_lamp_point(lights.place, place) for place in order]
    if isinstance(lights, Ws2812 | Apa102):
        yield _line(points, "#b8570f", 1, dashed=True)
    for n, (x, y) in enumerate(points):
        yield f'<circle cx="{x}" cy="{y}" r="3" fill="#b8570f"/>'
        yield _text(x + 5, y + 12, str(n), "s l")


def _lamp_point(place: Place, n: int) -> tuple[int, int]:
    match place:
        case Place.SQUARES:
            return _middle(n, 12)
        case Place.CORNERS:
            return BOARD_X + CELL * (n % 9), BOARD_Y + CELL * (8 - n // 9)
        case Place.EDGES:
            if n < 8:
                return BOARD_X + 8 * CELL + 14, BOARD_Y + CELL * (7 - n) + CELL // 2
            return BOARD_X + CELL * (n - 8) + CELL // 2, BOARD_Y - 14
        case Place.STATUS:
            return BOARD_X + 8 * CELL + 14, BOARD_Y - 14


def _legend(shown: Sequence[Lights]) -> Iterator[str]:
    y = BOARD_Y + 8 * CELL + 42
    yield _text(BOARD_X, y, "The board as White sees it. s0 to s63: sensors as their wires are counted.")
    if shown:
        yield _text(BOARD_X, y + 16, "Dots: lamps, numbered in the order of the wires.")
    for n, (part, colour) in enumerate(COLOURS.items()):
        yield f'<rect x="{BOARD_X + 90 * n}" y="{y + 26}" width="12" height="12" fill="{colour}"/>'
        yield _text(BOARD_X + 90 * n + 18, y + 36, part)


# -- shapes


def _corner(square: int) -> tuple[int, int]:
    """The upper left corner of a square."""
    return BOARD_X + CELL * (square % 8), BOARD_Y + CELL * (7 - square // 8)


def _middle(square: int, shift: int) -> tuple[int, int]:
    x, y = _corner(square)
    return x + CELL // 2 + shift, y + CELL // 2 + shift


def _line(points: Sequence[tuple[int, int]], colour: str, width: int, *, dashed: bool = False) -> str:
    path = " ".join(f"{x},{y}" for x, y in points)
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashes}/>'


def _text(x: int, y: int, words: str, classes: str = "") -> str:
    named = f' class="{classes}"' if classes else ""
    return f'<text x="{x}" y="{y}"{named}>{escape(words)}</text>'
