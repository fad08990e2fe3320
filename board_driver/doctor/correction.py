"""A profile put right: another order of the sensors' wires, so that every piece is felt where it stands [pure]."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product

import msgspec

from board_driver.profile.places import square_order
from board_driver.profile.reading import read_profile
from board_driver.profile.schema import Orientation, Profile
from board_driver.profile.showing import effective_text
from board_driver.profile.words import Along, Corner, Order
from rules.squares import SQUARE_NAMES


def corrected_order(squares: Sequence[int], felt: Mapping[int, int], orientation: Orientation) -> Order:
    """The order under which cell n is the square it truly lies at; a rule if one will do, else every square by name.

    `squares` is the order till now, `felt` says for each square where a piece on it was felt. Raises KeyError if it
    does not say it for all that are read.
    """
    stands = {at: square for square, at in felt.items()}
    wanted = tuple(stands[square] for square in squares)
    if len(wanted) == 64:
        for first, along, snake in product(Corner, Along, (False, True)):
            rule = Order(first=first, along=along, snake=snake)
            if square_order(rule, orientation) == wanted:
                return rule
    lies = square_order(Order(each=SQUARE_NAMES), orientation)
    named = {square: name for name, square in zip(SQUARE_NAMES, lies, strict=True)}
    return Order(each=tuple(named[square] for square in wanted))


def with_order(text: str, profile: Profile, order: Order) -> str:
    """The profile's text with that order of the sensors. Comments stay, unless the file is written so that only a text
    made anew will do.
    """
    wanted = msgspec.structs.replace(profile, sensors=msgspec.structs.replace(profile.sensors, order=order))
    edited = _edited(text, order)
    return edited if edited is not None and read_profile(edited) == wanted else effective_text(wanted)


def order_line(order: Order) -> str:
    """The order as it stands in a profile."""
    if order.each:
        return f"order: {{each: [{', '.join(order.each)}]}}"
    rule = f"first: {order.first.value}, along: {order.along.value}"
    return f"order: {{{rule}, snake: true}}" if order.snake else f"order: {{{rule}}}"


def _edited(text: str, order: Order) -> str | None:
    """The text with the line changed or put in below `sensors:`; None if it is not written in that way."""
    lines = text.split("\n")
    begin = next((n for n, line in enumerate(lines) if re.match(r"sensors:\s*(#.*)?$", line)), None)
    if begin is None or begin + 1 >= len(lines):
        return None
    first = next((line for line in lines[begin + 1 :] if line.strip() and not line.strip().startswith("#")), "")
    indent = first[: len(first) - len(first.lstrip())]
    if not indent:
        return None
    end = next(
        (n for n in range(begin + 1, len(lines)) if lines[n].strip() and not lines[n].startswith((" ", "#"))),
        len(lines),
    )
    kept = [line for line in lines[begin + 1 : end] if not re.match(rf"{indent}order:\s*\{{.*\}}", line)]
    while kept and not kept[-1].strip():
        kept.pop()
    return "\n".join([*lines[: begin + 1], *kept, f"{indent}{order_line(order)}", "", *lines[end:]])
