"""Events as JSON objects, by the replay contract: the same for the command line and for the page.

Squares are names, times `t_ms`; every object says its `event`. Keys may be added, never changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from board_driver.events import (
    Claimable,
    Clocked,
    Ended,
    Event,
    Fault,
    Irregular,
    Lifted,
    Lit,
    Moved,
    Notice,
    Placed,
    RestoreAsked,
    Revised,
    Touched,
    Unsure,
)
from board_driver.lights.picture import Picture
from rules.squares import square_name


def event_object(event: Event) -> dict[str, object]:
    """The JSON object of an event."""
    name, fields = _named(event)
    return {"t_ms": event.t_ms, "event": name} | fields


def picture_object(picture: Picture) -> dict[str, str]:
    """A picture as a map from square to meaning, from a1 up."""
    return {square_name(square): picture[square].value for square in sorted(picture)}


def _named(event: Event) -> tuple[str, dict[str, object]]:
    match event:
        case Lifted(square=square):
            return "lift", {"square": square_name(square)}
        case Placed(square=square):
            return "place", {"square": square_name(square)}
        case Touched():
            return "touch", _touch(event)
        case Moved():
            return "move", _move(event)
        case Revised(ply=ply, was=was, now=now):
            return "revise", {"ply": ply, "was": was, "now": now}
        case Irregular():
            return "illegal", _illegal(event)
        case RestoreAsked(lift=lift, place=place, text=text):
            return "restore", {"lift": _names(lift), "place": _names(place), "text": text}
        case Claimable(claims=claims):
            return "claimable", {"claims": list(claims)}
        case Lit(picture=picture):
            return "lights", {"picture": picture_object(picture)}
        case Ended(result=result, reason=reason):
            return "result", {"result": result, "reason": reason}
        case Unsure(ply=ply, alternatives=alternatives):
            return "uncertain", {"ply": ply, "alternatives": list(alternatives)}
        case Fault(kind=kind, square=square, text=text):
            return "fault", {"kind": kind, "square": _name(square), "text": text}
        case Notice():
            return "notice", _notice(event)
        case Clocked():
            return "clock", _clock(event)
        case _:
            assert_never(event)


def _touch(event: Touched) -> dict[str, object]:
    return {
        "square": square_name(event.square),
        "piece": event.piece.letter,
        "obligation": event.obligation,
        "destinations": _names(event.destinations),
        "text": event.text,
    }


def _move(event: Moved) -> dict[str, object]:
    return {
        "san": event.san,
        "uci": event.uci,
        "fen": event.fen,
        "ply": event.ply,
        "provisional": event.provisional,
    }


def _illegal(event: Irregular) -> dict[str, object]:
    return {
        "why": event.why,
        "square": _name(event.square),
        "class": event.category,
        "completed": event.completed,
        "text": event.text,
        "article": event.article,
    }


def _notice(event: Notice) -> dict[str, object]:
    player = {} if event.colour is None else {"player": event.colour.word}
    return {"kind": event.kind, "text": event.text} | player | event.details


def _clock(event: Clocked) -> dict[str, object]:
    fields: dict[str, object] = {
        "act": event.act.value,
        "white_ms": event.white_ms,
        "black_ms": event.black_ms,
        "running": None if event.running is None else event.running.word,
        "since_ms": event.since_ms,
    }
    return fields if event.colour is None else fields | {"player": event.colour.word}


def _names(squares: Iterable[int]) -> list[str]:
    return sorted(square_name(square) for square in squares)


def _name(square: int | None) -> str | None:
    return None if square is None else square_name(square)
