"""Taking a game up again where the journal left it.

The inputs of the newest chapter go into a fresh mind [pure]. What comes out is checked against the moves that were
written down then: a newer version may decide otherwise, and then what was decided stands. In that case, after damage,
and after `TRIES` resumes that did not last, the moves themselves are retold to a fresh mind by careful hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from board_driver.eventjson import event_object
from board_driver.events import Event
from board_driver.mind import Mind, Settings
from board_driver.scan import Scan
from board_driver.store.chapters import Chapter, Row
from board_driver.store.retelling import retell
from board_driver.store.rows import Given, Passed
from rules.fen import parse_fen, write_fen
from rules.move import Move
from rules.position import Position
from rules.squares import Colour
from rules.uci import UciError, parse_uci

TRIES = 3

MindOf = Callable[[Settings], Mind]


@dataclass(frozen=True, slots=True)
class Resumed:
    """A mind as it was, the time it has come to, and what to tell a person about it."""

    mind: Mind
    settings: Settings
    now_ms: int
    last_scan: Scan | None
    remark: str = ""
    """Why not everything is as it was; empty where it is."""
    retold: tuple[tuple[Given, tuple[Event, ...]], ...] | None = None
    """What this mind was given, where that is not what the chapter holds: the beginning of a new one."""


def give(mind: Mind, item: Given) -> Sequence[Event]:
    """Let the mind have it."""
    return mind.advance(item.t_ms) if isinstance(item, Passed) else mind.receive(item)


def resume(chapter: Chapter, mind_of: MindOf) -> Resumed:
    """The mind of that chapter. Never raises for anything a mind does on its way."""
    if chapter.tries < TRIES:
        try:
            resumed = _replayed(chapter, mind_of)
        except Exception as problem:  # whatever it is, the moves are known and the board must be served
            return _from_moves(
                chapter, mind_of, f"the journal could not be replayed ({type(problem).__name__}: {problem})"
            )
        if resumed is not None:
            return resumed
        return _from_moves(chapter, mind_of, "this version reads the journal otherwise")
    return _from_moves(chapter, mind_of, f"{chapter.tries} attempts to go on from the journal did not last")


def _replayed(chapter: Chapter, mind_of: MindOf) -> Resumed | None:
    """None where the mind does not decide what was decided then."""
    mind = mind_of(chapter.settings)
    for row in chapter.rows:
        events = give(mind, row.given)
        if not chapter.broken and _moves_told(map(event_object, events)) != _moves_told(row.rulings):
            return None
    remark = (
        f"the journal is damaged ({chapter.broken}); the game stands as far as it can be read" if chapter.broken else ""
    )
    return Resumed(mind, chapter.settings, _latest_ms(chapter), _last_scan(chapter.rows), remark)


def _moves_told(events: Iterable[dict[str, object]]) -> list[tuple[object, ...]]:
    return [
        (e["event"], e["ply"], e.get("uci"), e.get("was"), e.get("now"))
        for e in events
        if e["event"] in ("move", "revise")
    ]


def _latest_ms(chapter: Chapter) -> int:
    last_ms = chapter.rows[-1].given.t_ms if chapter.rows else chapter.began_ms
    return max(last_ms, chapter.latest_ms)


def _last_scan(rows: Sequence[Row]) -> Scan | None:
    return next((row.given for row in reversed(rows) if isinstance(row.given, Scan)), None)


# -- what was decided, without how --


def moves_of(chapter: Chapter) -> tuple[Position, list[Move]]:
    """Where the chapter's present game started and its moves, by the rulings alone."""
    settings = chapter.settings
    start = parse_fen(settings.start_fen, chess960=settings.chess960)
    texts: list[str] = []
    for row in chapter.rows:
        for event in row.rulings:
            ply = event.get("ply")
            match event["event"]:
                case "move" if isinstance(ply, int):
                    texts[ply - 1 :] = [str(event["uci"])]
                case "revise" if isinstance(ply, int):
                    now = event.get("now")
                    if now is None:
                        del texts[ply - 1 :]
                    elif ply <= len(texts):
                        texts[ply - 1] = str(now)
                case _:
                    pass
    return start, _as_far_as_legal(start, texts)


def _as_far_as_legal(start: Position, texts: Sequence[str]) -> list[Move]:
    position, moves = start, []
    for text in texts:
        try:
            move = parse_uci(position, text)
        except UciError:
            break
        moves.append(move)
        position = position.play(move)
    return moves


def _from_moves(chapter: Chapter, mind_of: MindOf, why: str) -> Resumed:
    start, moves = moves_of(chapter)
    settings = replace(chapter.settings, start_fen=write_fen(start))
    return from_moves(settings, moves, _latest_ms(chapter), mind_of, why, clocks_ms=clocks_of(chapter))


def clocks_of(chapter: Chapter) -> dict[Colour, int]:
    """What the chess clock of the chapter's present game showed at its end, by the rulings alone; empty without one."""
    told = [event for row in chapter.rows for event in row.rulings if event.get("event") == "clock"]
    if not told:
        return {}
    last = told[-1]
    clocks = {}
    for colour in Colour:
        left_ms, since_ms = last.get(f"{colour.word}_ms"), last.get("since_ms")
        if isinstance(left_ms, int) and isinstance(since_ms, int):
            used_ms = _latest_ms(chapter) - since_ms if last.get("running") == colour.word else 0
            clocks[colour] = max(1, left_ms - max(0, used_ms))
    return clocks


def from_moves(
    settings: Settings,
    moves: Sequence[Move],
    now_ms: int,
    mind_of: MindOf,
    why: str,
    *,
    clocks_ms: Mapping[Colour, int] | None = None,
) -> Resumed:
    """A mind that has seen these moves made; or, if it reads them otherwise, one that starts where they lead to.

    Its chess clock, if it has one, shows `clocks_ms` and is paused.
    """
    start = parse_fen(settings.start_fen, chess960=settings.chess960)
    mind = mind_of(settings)
    told: list[tuple[Given, tuple[Event, ...]]] = []
    scan: Scan | None = None
    items = list(retell(settings, start, moves, clocks_ms))
    shift_ms = now_ms - items[-1].t_ms  # they end where time has come to
    for earlier in items:
        item = replace(earlier, t_ms=earlier.t_ms + shift_ms)
        told.append((item, tuple(give(mind, item))))
        scan = item if isinstance(item, Scan) else scan
    if [ply.move for ply in mind.games()[-1].plies] == list(moves):
        return Resumed(mind, settings, now_ms, scan, f"{why}; the moves of the game stand", tuple(told))
    settings = replace(settings, start_fen=write_fen(start.played(moves)))
    return Resumed(mind_of(settings), settings, now_ms, None, f"{why}; the game goes on from its last position", ())
