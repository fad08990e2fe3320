"""What people put right in a game after it was played: its players, its event, a doubtful ply, its result.

House rules:

1. Corrections stand above the mind: it keeps what it saw, and is never told of them. The score sheet and the PGN show
   the record with its corrections.
2. A ply can be settled while it is in doubt, as one of the moves that the evidence allows, and any ply can be put
   right, if all later moves stay legal. Then it stands, whatever the mind thinks later; but where it is not legal, or
   a later move is not after it, it is left out, and comes back if it fits again.
3. Corrections are made in a game of this run, and stay with it. The next one keeps the event and the site; its players
   are others until told.
4. With a file they outlive the program, as far as the game does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from board_driver.daemon import Daemon
from board_driver.events import Event
from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.store.errors import StoreError
from board_driver.store.pgnfile import write_after
from rules.position import Position
from rules.san import write_san
from rules.uci import UciError, parse_uci, write_uci

HEADER = ("White", "Black", "Event", "Site", "Round")
"""The tags that people may tell."""
LONGEST_TAG = 120
"""Letters of a tag that they may tell."""
STAYING = ("Event", "Site")
RESULTS = ("1-0", "0-1", "1/2-1/2")
PAST_LIMIT = 100
"""Games before the present one whose corrections are remembered, as long as the program runs."""
PAST_KEPT = 4
"""Of those, how many are kept in the file: a resumed mind knows few."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What was put right in one game. `plies`: number of a ply, from 1, to the UCI move it was settled as."""

    tags: Mapping[str, str] = field(default_factory=dict)
    plies: Mapping[int, str] = field(default_factory=dict)
    result: str | None = None


NOTHING = Correction()


@dataclass(frozen=True, slots=True)
class _Corrected:
    """A game, known by where and when it began, and what was put right in it."""

    start: Position
    began_ms: int
    correction: Correction

    def is_of(self, game: GameRecord) -> bool:
        return game.start is self.start and game.began_ms == self.began_ms


def corrected(game: GameRecord, correction: Correction) -> GameRecord:
    """The record with what was put right in it, as far as that fits."""
    for number, uci in sorted(correction.plies.items()):
        game = _settled(game, number, uci) or game
    if correction.result is not None:
        game = replace(game, result=correction.result, reason=game.reason if game.reason else "decided")
    return game


def _settled(game: GameRecord, number: int, uci: str) -> GameRecord | None:
    """The record with that ply settled; None where it or a later one would not be legal, or there is no such ply."""
    if not 1 <= number <= len(game.plies):
        return None
    position = game.position_after(number - 1)
    ply = game.plies[number - 1]
    was = write_uci(position, ply.move)
    comment = ply.comment if uci == was else f"settled by hand, the board told {write_san(position, ply.move)}"
    try:
        chosen = replace(ply, move=parse_uci(position, uci), provisional=False, alternatives=(), comment=comment)
        after = _replayed(position, ply, game.plies[number:], chosen)
    except UciError:
        return None
    return replace(game, plies=(*game.plies[: number - 1], chosen, *after))


def _replayed(
    position: Position, ply: RecordedPly, later: Sequence[RecordedPly], chosen: RecordedPly
) -> tuple[RecordedPly, ...]:
    """The later plies after another move. Raises UciError where one is no longer legal."""
    old, new = position.play(ply.move), position.play(chosen.move)
    found = []
    for each in later:
        move = parse_uci(new, write_uci(old, each.move))
        found.append(replace(each, move=move))
        old, new = old.play(each.move), new.play(move)
    return tuple(found)


class Corrections:
    """What was put right in the present game of a daemon."""

    def __init__(self, daemon: Daemon, path: Path | None = None, goes_on: bool = False) -> None:
        """`path` keeps it; it is read only if the game that was left `goes_on`, since it belongs to that one."""
        self._daemon = daemon
        self._path = path
        self._watchers: list[Callable[[], None]] = []
        self._mind = daemon.mind
        games = daemon.mind.games()
        kept = _read(path) if path is not None and goes_on else {}
        self._past = [_Corrected(game.start, game.began_ms, kept.get(game.began_ms, NOTHING)) for game in games]
        now = self._past.pop()
        self._start, self._began_ms, self._present = now.start, now.began_ms, now.correction
        self._has_moves = bool(games[-1].plies)
        self._shown: tuple[GameRecord, Correction, GameRecord] | None = None
        daemon.listen(self._hear)

    @property
    def present(self) -> Correction:
        """What was put right in the present game."""
        return self._present

    def of(self, game: GameRecord) -> Correction:
        """What was put right in that game."""
        self._follow()
        if game.start is self._start and game.began_ms == self._began_ms:
            return self._present
        return next((past.correction for past in reversed(self._past) if past.is_of(game)), NOTHING)

    def applied(self, game: GameRecord) -> GameRecord:
        """That game as people want it told."""
        correction = self.of(game)
        if correction.result is None and not correction.plies:
            return game
        if self._shown is None or self._shown[0] is not game or self._shown[1] is not correction:
            self._shown = (game, correction, corrected(game, correction))
        return self._shown[2]

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call it after every correction."""
        self._watchers.append(watcher)

    def begin(self, tags: Mapping[str, str]) -> None:
        """A new game has just begun, with these names."""
        self._follow()
        self._become(Correction(_told(tags)))

    def tell(self, tags: Mapping[str, str]) -> None:
        """These are its names; an empty one is unknown, one that is missing stays."""
        self._follow()
        self._become(replace(self._present, tags=_told({**self._present.tags, **tags})))

    def decide(self, result: str | None) -> None:
        """The result both players agree to, whatever was ruled; None: as it was ruled."""
        self._follow()
        self._become(replace(self._present, result=result))

    def settle(self, number: int, uci: str) -> bool:
        """Ply `number`, in doubt, was that move; False, and nothing is changed, where it cannot have been."""
        self._follow()
        game = self._daemon.mind.games()[-1]
        if not 1 <= number <= len(game.plies) or not game.plies[number - 1].alternatives:
            return False
        settled = _settled(game, number, uci)
        ply = game.plies[number - 1]
        if settled is None or (uci not in ply.alternatives and settled.plies[number - 1].move is not ply.move):
            return False
        self._become(replace(self._present, plies={**self._present.plies, number: uci}))
        return True

    def amend(
        self,
        game: GameRecord,
        tags: Mapping[str, str] | None = None,
        plies: Mapping[int, str] | None = None,
        result: str | None = None,
    ) -> bool:
        """Put right any game of this run: its names, any of its plies, its result; None leaves that as it is.

        False, and nothing is changed, where a ply cannot have been that move: it, or a later one, would not be legal.
        """
        self._follow()
        was = self.of(game)
        better = Correction(
            _told({**was.tags, **(tags or {})}), {**was.plies, **(plies or {})}, result if result else was.result
        )
        if not all(_stands(corrected(game, better), number, uci) for number, uci in (plies or {}).items()):
            return False
        if game.start is self._start and game.began_ms == self._began_ms:
            self._become(better)
            return True
        self._past = [replace(past, correction=better) if past.is_of(game) else past for past in self._past]
        self._become(self._present)
        return True

    def _hear(self, events: Sequence[Event]) -> None:
        if events or self._mind is not self._daemon.mind:
            self._follow()

    def _follow(self) -> None:
        """Notice that another game has begun, or that this one began otherwise than it seemed before its first move."""
        asked_for = self._mind is not self._daemon.mind and not self._daemon.renewing
        self._mind = self._daemon.mind
        game = self._mind.games()[-1]
        if asked_for or game.began_ms != self._began_ms or game.start is not self._start:
            was = _Corrected(self._start, self._began_ms, self._present)
            self._start, self._began_ms = game.start, game.began_ms
            if self._has_moves and not self._daemon.renewing:
                self._past = [*self._past[1 - PAST_LIMIT :], was]
                staying = {name: text for name, text in was.correction.tags.items() if name in STAYING}
                self._become(Correction(staying))
            elif self._present != NOTHING:
                self._become(self._present)
        self._has_moves = bool(game.plies)

    def _become(self, correction: Correction) -> None:
        self._present = correction
        if self._path is not None:
            try:
                present = _Corrected(self._start, self._began_ms, correction)
                write_after(self._path, b"", _text([*self._past[-PAST_KEPT:], present]))
            except StoreError as problem:
                self._daemon.inbox.report("corrections-unsaved", str(problem))
        for watcher in self._watchers:
            watcher()


def _stands(game: GameRecord, number: int, uci: str) -> bool:
    """Whether that ply of the record is that move."""
    if not 1 <= number <= len(game.plies):
        return False
    position = game.position_after(number - 1)
    try:
        return parse_uci(position, uci) is game.plies[number - 1].move
    except UciError:
        return False


def _told(tags: Mapping[str, str]) -> dict[str, str]:
    return {name: " ".join(tags[name].split()) for name in HEADER if tags.get(name, "").strip()}


def _text(games: Sequence[_Corrected]) -> str:
    return json.dumps([_kept(game) for game in games], ensure_ascii=False) + "\n"


def _kept(game: _Corrected) -> dict[str, object]:
    correction = game.correction
    plies = {str(number): uci for number, uci in correction.plies.items()}
    return {"began_ms": game.began_ms, "tags": dict(correction.tags), "plies": plies, "result": correction.result}


def _read(path: Path) -> dict[int, Correction]:
    """What was kept, by when a game began; nothing of a file that is damaged."""
    found = {}
    with suppress(OSError, ValueError, RecursionError, LookupError, AttributeError, TypeError):
        for kept in json.loads(path.read_text("utf-8")):
            plies = {int(number): str(uci) for number, uci in kept["plies"].items()}
            result = kept["result"] if kept["result"] in RESULTS else None
            found[int(kept["began_ms"])] = Correction(_told(kept["tags"]), plies, result)
    return found
