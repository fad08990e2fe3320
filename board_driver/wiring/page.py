"""Wiring and parts of a board as Markdown [pure]."""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.lights.power import warning_for
from board_driver.profile.schema import Profile
from board_driver.wiring.parts import draws_of, parts_of
from board_driver.wiring.tables import groups_of
from board_driver.wiring.wires import Group


def wiring_page(profile: Profile, name: str) -> str:
    """The page, to be kept beside the drawing `name`.svg."""
    parts = [f"# {profile.name}", f"Drawn from the profile `{name}` by `touchmove profile wiring {name}`."]
    parts += [_group(group) for group in groups_of(profile)]
    parts += ["## Parts", _parts(profile), "## Current", _draws(profile)]
    warnings = [warning for lights in profile.lights if (warning := warning_for(lights)) is not None]
    parts += [f"- {warning[0].upper()}{warning[1:]}." for warning in warnings]
    return "\n\n".join(part for part in parts if part) + "\n"


def _group(group: Group) -> str:
    rows = [[wire.start, wire.end] for wire in group.connections]
    table = _table(["from", "to"], rows) if rows else ""
    return "\n\n".join(part for part in (f"## {group.title}", group.note, table) if part)


def _parts(profile: Profile) -> str:
    parts = parts_of(profile)
    rows = [[str(part.count), part.name, _euros(part.each_ct), _euros(part.sum_ct)] for part in parts]
    rows.append([str(sum(part.count for part in parts)), "all", "", _euros(sum(part.sum_ct for part in parts))])
    note = (
        "Prices are guesses in euros, to compare boards by. The computer, the case, the pieces and wire are left out."
    )
    return note + "\n\n" + _table(["count", "part", "each", "together"], rows)


def _draws(profile: Profile) -> str:
    draws = draws_of(profile)
    if not draws:
        return ""
    rows = [[draw.what, draw.supply, f"{draw.most_ma:.0f} mA"] for draw in draws]
    for supply in dict.fromkeys(draw.supply for draw in draws):
        together = sum(draw.most_ma for draw in draws if draw.supply == supply)
        rows.append(["**together**", supply, f"**{together:.0f} mA**"])
    return _table(["what", "from", "at most"], rows)


def _euros(cents: int) -> str:
    return f"{cents / 100:.2f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
