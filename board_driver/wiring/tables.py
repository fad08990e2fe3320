"""What goes where, group by group [pure]."""

from __future__ import annotations

from board_driver.profile.schema import Profile
from board_driver.wiring.displaywires import display_groups
from board_driver.wiring.lampwires import lamp_groups
from board_driver.wiring.sensorwires import sensor_groups
from board_driver.wiring.wires import Connection, Group, pin


def groups_of(profile: Profile) -> list[Group]:
    """All wires of a board: sensors, lights, displays, buttons."""
    found = [*sensor_groups(profile)]
    for lights in profile.lights:
        found += lamp_groups(lights, profile)
    for display in profile.displays:
        found += display_groups(display)
    buttons = profile.buttons.pins()
    if buttons:
        wires = [
            Connection(pin(line), f"{name.replace('_', ' ')}, other side to ground") for name, line in buttons.items()
        ]
        found.append(Group("Buttons", tuple(wires), "No resistors: the pull-ups are the computer's own."))
    return found
