"""The daemon's memory: what its mind is given goes to the journal, and chapters of it stay short.

A mind that has seen twenty games would take twenty games to replay, and would hold them for months. Once another game
has begun, a fresh mind is shown what the board told since then; as soon as it knows the present game just as well, it
takes over, and a new chapter begins with what it was shown. The same before a first move that is long in coming.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from board_driver.daemon import Daemon
from board_driver.events import Event, Fault, Moved, Notice
from board_driver.gamerecord import GameRecord
from board_driver.mind import Mind, Settings
from board_driver.minds import make_mind
from board_driver.scan import Input, Scan
from board_driver.store.chapters import GameFile, Row
from board_driver.store.journal import SIZE_LIMIT, Journal, Told
from board_driver.store.resume import give
from board_driver.store.rows import Given, Passed
from board_driver.store.state import Found
from board_driver.sweeping import sweep
from rules.fen import parse_fen, write_fen

IDLE_ROWS = 2000
"""After so many rows without a move the chapter begins again."""
RECENT_LIMIT = 50_000
"""Rows kept at hand to show to a fresh mind; a game that is longer stays in its chapter."""
TRIED_AT = frozenset({1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128})
"""The plies of a new game at which a fresh mind is tried."""


class Keeper:
    """A `Memory` on a journal. Only calls in the daemon's loop."""

    def __init__(
        self, daemon: Daemon, journal: Journal, wanted: Settings, mind_of: Callable[[Settings], Mind] = make_mind
    ) -> None:
        """`wanted` is how the next game is to be read, which may be otherwise than one that was resumed."""
        self._daemon = daemon
        self._journal = journal
        self._wanted = wanted
        self._mind_of = mind_of
        self._recent: list[Given] = []
        """What the present mind was given and a fresh one might have to be, the newest last."""
        self._trouble = ""
        self._trying = False
        self._rows = 0
        daemon.memory = self

    def start(self, found: Found | None, rows: Sequence[Row] = ()) -> None:
        """Go on with the chapter that was resumed, whose rows these are, or begin one."""
        if found is not None and found.resumed.retold is None:
            self._recent = [row.given for row in rows]
            self._journal.count_try()
        else:
            told = () if found is None else found.resumed.retold or ()
            files = () if found is None else found.files[-1:]
            self._journal.begin(self._daemon.settings, self._daemon.clock.now_ms(), told, files)
            self._recent = [item for item, _ in told]
        self._rows = len(self._recent)
        self._tell_trouble()

    # -- Memory

    def begin(self, settings: Settings, now_ms: int) -> None:
        """A fresh mind with these settings begins."""
        self._wanted = settings
        self._recent.clear()
        self._rows = 0
        self._journal.begin(settings, now_ms)
        self._journal.prune(SIZE_LIMIT)
        self._tell_trouble()
        _sweep_soon()

    def keep(self, item: Input, events: Sequence[Event]) -> None:
        """The mind was given `item` and decided `events`."""
        self._keep(item, events)

    def passed(self, now_ms: int, events: Sequence[Event]) -> None:
        """Time came to `now_ms`, and the mind decided `events`."""
        self._keep(Passed(now_ms), events)

    # -- what goes on beside the game

    def remember(self, number: int, name: str, began: str) -> None:
        """Game `number` of the present mind is written to that file."""
        self._journal.name_game(number, GameFile(name, began))

    def tend(self) -> None:
        """Called now and then: try again what the disk refused, and note the time that has come."""
        self._journal.retry()
        self._tell_trouble()
        present = self._daemon.mind.games()[-1]
        if present.plies and present.result == "*":
            self._journal.mark(self._daemon.clock.now_ms())

    def _keep(self, item: Given, events: Sequence[Event]) -> None:
        self._journal.keep(item, events)
        self._rows += 1
        if len(self._recent) < RECENT_LIMIT:
            self._recent.append(item)
        self._tell_trouble()
        if not self._trying and self._may_renew(events):
            self._trying = True
            asyncio.get_running_loop().call_soon(self._try_to_renew)

    def _tell_trouble(self) -> None:
        """Say it once when rows cannot be kept, and once when they can again."""
        trouble, now_ms = self._journal.trouble, self._daemon.clock.now_ms()
        if bool(trouble) == bool(self._trouble):
            return
        self._trouble = trouble
        text = f"the journal cannot be written ({trouble}): play goes on, and it is tried again" if trouble else ""
        fault = Fault(now_ms, "journal-unsaved", None, text or "the journal is whole again")
        self._daemon.inbox.put(fault)

    # -- chapters

    def _may_renew(self, events: Sequence[Event]) -> bool:
        if self._rows % IDLE_ROWS == 0:
            return True
        return any(
            (isinstance(e, Moved) and e.ply in TRIED_AT) or (isinstance(e, Notice) and e.kind == "new-game")
            for e in events
        )

    def _try_to_renew(self) -> None:
        self._trying = False
        old = self._daemon.mind
        games = old.games()
        present = games[-1]
        if (len(games) < 2 and present.plies) or len(self._recent) >= RECENT_LIMIT:
            return
        if len(games) > 1 and not present.plies and self._changes_settings(present):
            self._daemon.new_game(self._wanted)
            return
        start, later = present.start, self._daemon.settings.later_game or len(games) > 1
        settings = replace(self._daemon.settings, start_fen=write_fen(start), chess960=start.chess960, later_game=later)
        now_ms = self._recent[-1].t_ms if self._recent else self._daemon.clock.now_ms()
        for items in _beginnings(self._recent, present, now_ms):
            fresh = self._mind_of(settings)
            told: list[Told] = [(item, give(fresh, item)) for item in items]
            if told and _know_the_same(old, fresh):
                self._begin_chapter(fresh, settings, told, games)
                return

    def _changes_settings(self, present: GameRecord) -> bool:
        """Whether the next game is to be read otherwise, and begins as this one does."""
        now, wanted = self._daemon.settings, self._wanted
        start = parse_fen(wanted.start_fen, chess960=wanted.chess960)
        if start.key() != present.start.key():
            return False
        wanted = replace(wanted, start_fen=now.start_fen, chess960=now.chess960, later_game=now.later_game)
        return now != wanted

    def _begin_chapter(
        self, fresh: Mind, settings: Settings, told: Sequence[Told], games: Sequence[GameRecord]
    ) -> None:
        number = sum(1 for game in games[:-1] if game.plies)  # only games with moves have files
        file = self._journal.files().get(number)
        self._journal.begin(settings, told[0][0].t_ms, told, [] if file is None else [file])
        self._journal.prune(SIZE_LIMIT)
        self._recent = [item for item, _ in told]
        self._rows = len(told)
        self._tell_trouble()
        self._daemon.renew(fresh, settings)
        _sweep_soon()


def _sweep_soon() -> None:
    """Once those who were told of the other mind have let the one before go."""
    asyncio.get_running_loop().call_soon(sweep)


def _beginnings(recent: Sequence[Given], present: GameRecord, now_ms: int) -> Iterable[list[Given]]:
    """What a fresh mind might be shown: the board as it stands, or all since the present game began."""
    scans = [item for item in recent if isinstance(item, Scan)]
    if scans and not present.plies:
        yield [replace(scans[-1], t_ms=now_ms)]
    since = next((i for i, item in enumerate(recent) if item.t_ms >= present.began_ms), len(recent))
    before = next((item for item in reversed(recent[:since]) if isinstance(item, Scan)), None)
    if before is not None:
        yield [replace(before, t_ms=present.began_ms), *recent[since:]]


def _know_the_same(old: Mind, fresh: Mind) -> bool:
    """Whether nothing of the present game tells the two apart."""
    one, other = old.games()[-1], fresh.games()[-1]
    if len(fresh.games()) != 1 or (one.start.key(), one.result, one.reason) != (
        other.start.key(),
        other.result,
        other.reason,
    ):
        return False
    if one.plies != other.plies or old.picture() != fresh.picture():
        return False
    said = [{key: value for key, value in mind.summary().items() if key != "games"} for mind in (old, fresh)]
    return said[0] == said[1]
