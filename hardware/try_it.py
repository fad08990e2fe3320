"""`python -m hardware.try_it PROFILE`: what only real hardware can show, in two minutes.

Reads the board's sensors a thousand times and tells how long a scan takes, writes two hundred frames to its lamps and
tells how long a frame takes, then lights square after square, so that somebody can compare with the board. Please send
what it prints, with the model of the computer, as a bug report or a success: see "Not yet tried on hardware" in
`hardware/README.md`. `touchmove doctor --board PROFILE` is the step after this one.
"""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable
from statistics import median, quantiles

from board_driver.boards.build import source_of
from board_driver.lights.adapting import Show
from board_driver.lights.drivers import make_lamps
from board_driver.lights.lamps import Frame
from board_driver.lights.picture import Meaning
from board_driver.lights.power import AnyLamps, supply_of
from board_driver.profile.finding import find_profile
from board_driver.profile.lights import NoLights
from board_driver.profile.places import place_order
from board_driver.profile.reading import sound_profile
from board_driver.profile.schema import Orientation, Profile
from rules.squares import square_name

SCANS, FRAMES, LIT_S = 1000, 200, 0.4


def timed(what: str, count: int, act: Callable[[], object]) -> None:
    """Do it so often, and print the times in µs."""
    times = []
    for _ in range(count):
        began = time.perf_counter()
        act()
        times.append((time.perf_counter() - began) * 1e6)
    print(f"{what}: median {median(times):.0f} µs, 99 of 100 below {quantiles(times, n=100)[98]:.0f} µs, {count} times")


def try_sensors(profile: Profile) -> None:
    """Time scans, and print one."""
    source = source_of(profile.sensors)
    source.open()
    try:
        timed("scan", SCANS, source.read)
        print(f"reads now: {source.read()}")
    finally:
        source.close()


def try_lights(lights: AnyLamps, orientation: Orientation) -> None:
    """Time frames, and walk through the squares."""
    order = place_order(lights.place, lights.order, orientation)
    lamps, supply = make_lamps(lights), supply_of(lights)

    def frame(square: int) -> Frame:
        places = Show({square: Meaning.DESTINATION}, lights.place).colours(0)
        return supply.capped(Frame(tuple(places[place] for place in order), lights.brightness_percent / 100))

    lamps.open()
    try:
        timed("frame", FRAMES, lambda: lamps.show(frame(28)))
        for square in range(64):
            print(f"\rlit now: {square_name(square)} ", end="", flush=True)
            lamps.show(frame(square))
            time.sleep(LIT_S)
        print()
    finally:
        lamps.close()


def main(arguments: list[str]) -> int:
    """Try one profile."""
    if len(arguments) != 1:
        print("usage: python -m hardware.try_it PROFILE", file=sys.stderr)
        return 2
    profile = sound_profile(find_profile(arguments[0]))
    print(f"{profile.name}; Python {platform.python_version()} on {platform.release()} {platform.machine()}")
    try:
        try_sensors(profile)
        for lights in profile.lights:
            if not isinstance(lights, NoLights):
                try_lights(lights, profile.orientation)
    except OSError as problem:
        print(f"stopped: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
