"""From an event to what is said of it, in any language [pure].

A sentence for each event that is worth one; the rest is silent. What lifts, places and lights show needs no words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from board_driver.events import (
    Claimable,
    Ended,
    Event,
    Fault,
    Irregular,
    Moved,
    Notice,
    RestoreAsked,
    Revised,
    Touched,
)
from board_driver.gamerecord import GameRecord
from board_driver.wording.language import Language
from rules.pieces import Role
from rules.san import write_san
from rules.squares import parse_square
from rules.uci import UciError, parse_uci

_SAN = re.compile(r"([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?")
_ROLES = {role.letter: role for role in Role}
FEW = 3
"""More squares than this are not told one by one."""


def tell(event: Event, language: Language, game: GameRecord) -> str | None:
    """What is said of `event` of `game`; None for what needs no words."""
    match event:
        case Moved(san=san):
            return told_move(san, language)
        case Touched():
            return _touch(event, language)
        case Irregular():
            return _irregularity(event, language)
        case RestoreAsked():
            return _restore(event, language)
        case Revised():
            return _revision(event, language, game)
        case Claimable(claims=claims):
            return " ".join(language.say(f"claimable.{claim}") for claim in claims) or None
        case Ended(result=result, reason=reason):
            return told_end(result, reason, language)
        case Notice():
            return _notice(event, language)
        case Fault():
            return _fault(event, language)
        case _:
            return None


def told_move(san: str, language: Language) -> str:
    """A move in SAN as it is spoken; what cannot be read stays as it is."""
    core = san.rstrip("+#")
    text = _castling(core, language) or _ordinary(core, language)
    if text is None:
        return san
    if san.endswith("#"):
        return language.say("move.mate", move=text)
    return language.say("move.check", move=text) if san.endswith("+") else text


def _castling(core: str, language: Language) -> str | None:
    keys = {"O-O": "move.short", "O-O-O": "move.long"}
    return language.say(keys[core]) if core in keys else None


def _ordinary(core: str, language: Language) -> str | None:
    found = _SAN.fullmatch(core)
    if found is None:
        return None
    letter, origin, takes, landing, promoted = found.groups()
    key = "move." + ("from_" if origin else "") + ("takes" if takes else "")
    values = {
        "role": language.role(_ROLES[letter or "P"]),
        "from_": language.square(parse_square(origin)) if len(origin) == 2 else origin,
        "to": language.square(parse_square(landing)),
    }
    text = language.say({"move.": "move.plain", "move.from_": "move.from"}.get(key, key), **values)
    return language.say("move.promotes", move=text, role=language.role(_ROLES[promoted])) if promoted else text


def _touch(event: Touched, language: Language) -> str | None:
    match event.obligation:
        case {"kind": "move", "squares": [str(name)]} if parse_square(name) == event.square:
            return _of_piece("owed.move", event, language)
        case {"kind": "move", "squares": [str(name)]}:
            return language.say("owed.other", square=language.square(parse_square(name)))
        case {"kind": "move", "squares": [str(), *_] as names}:
            return language.say("owed.one_of", squares=language.squares([parse_square(str(n)) for n in names]))
        case {"kind": "capture", "squares": [str(name), *_]} if parse_square(name) == event.square:
            return _of_piece("owed.capture", event, language)
        case {"kind": "castle"}:
            return language.say("owed.castle")
        case _:
            return None


def _of_piece(key: str, event: Touched, language: Language) -> str:
    return language.say(key, man=language.piece(event.piece), square=language.square(event.square))


def _irregularity(event: Irregular, language: Language) -> str | None:
    key = f"illegal.{event.why}"
    if not language.has(key):
        return event.text or None
    side = "" if event.offender is None else language.side(event.offender)
    square = "" if event.square is None else language.square(event.square)
    text = language.say(key, square=square, side=side)
    return language.say("illegal.counted", text=text) if event.completed else text


def _restore(event: RestoreAsked, language: Language) -> str | None:
    count = max(len(event.lift), len(event.place))
    if count > FEW:
        return language.say("restore.many", count=str(count))
    lift, place = language.squares(list(event.lift)), language.squares(list(event.place))
    match bool(lift), bool(place):
        case True, True:
            return language.say("restore.both", lift=lift, place=place)
        case True, False:
            return language.say("restore.lift", lift=lift)
        case False, True:
            return language.say("restore.place", place=place)
        case _:
            return None


def _revision(event: Revised, language: Language, game: GameRecord) -> str:
    now = in_san(event, game).now
    if now is None:
        return language.say("revise.withdrawn")
    return language.say("revise.changed", move=told_move(now, language))


def in_san(event: Revised, game: GameRecord) -> Revised:
    """The same with moves as people write them, where the position that they were made in is at hand."""
    if event.now is None or event.ply != len(game.plies):
        return event
    before = game.before_last()
    try:
        was, now = (write_san(before, parse_uci(before, uci)) for uci in (event.was, event.now))
    except UciError:
        return event
    return replace(event, was=was, now=now)


def told_end(result: str, reason: str, language: Language) -> str:
    """How a game has ended: `result` as in PGN, `reason` as in the summary."""
    key = f"reason.{reason}"
    told = language.say(f"result.{result}")
    return language.say("ended", result=told, reason=language.say(key)) if language.has(key) else f"{told}."


def _notice(event: Notice, language: Language) -> str | None:
    keys = [f"notice.{event.kind}.{value}" for value in event.details.values() if isinstance(value, str)]
    key = next((k for k in (*keys, f"notice.{event.kind}") if language.has(k)), None)
    if key is None:
        return None
    side = "" if event.colour is None else language.side(event.colour)
    return language.say(key, **_plain(event.details) | {"side": side, "move": _san_of(event.details, language)})


def _plain(details: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in details.items()}


def _san_of(details: Mapping[str, object], language: Language) -> str:
    san = details.get("san")
    return told_move(san, language) if isinstance(san, str) else ""


def _fault(event: Fault, language: Language) -> str | None:
    if language.has(f"fault.{event.kind}"):
        return language.say(f"fault.{event.kind}")
    return None if event.square is None else language.say("fault.square", square=language.square(event.square))
