"""What people put right in a game after it was played: its players, its event, a doubtful ply, its result.

House rules:

1. Corrections stand above the mind: it keeps what it saw, and is never told of them. The score sheet and the PGN show
   the record with its corrections.
2. A ply can only be settled as one of the moves that the evidence allowed, and only if all later moves stay legal. One
   that no longer fits, because the mind has learned more since, is left out and comes back if it fits again.
3. Corrections belong to the present game. The next one keeps the event and the site; its players are others until told.
4. With a file they outlive the program, as far as the game does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from board_driver.daemon import Daemon
from board_driver.events import Event, Fault
from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.store.errors import StoreError
from board_driver.store.pgnfile import write_after
from rules.position import Position
from rules.san import write_san
from rules.uci import UciError, parse_uci, write_uci

HEADER = ("White", "Black", "Event", "Site", "Round")
"""The tags that people may tell."""
STAYING = ("Event", "Site")


@dataclass(frozen=True, slots=True)
class Correction:
    """What was put right in one game. `plies`: number of a ply, from 1, to the UCI move it was settled as."""

    tags: Mapping[str, str] = field(default_factory=dict)
    plies: Mapping[int, str] = field(default_factory=dict)
    result: str | None = None


NOTHING = Correction()


def corrected(game: GameRecord, correction: Correction) -> GameRecord:
    """The record with what was put right in it, as far as that fits."""
    for number, uci in sorted(correction.plies.items()):
        game = _settled(game, number, uci) or game
    if correction.result is not None:
        game = replace(game, result=correction.result, reason=game.reason if game.reason else "decided")
    return game


def _settled(game: GameRecord, number: int, uci: str) -> GameRecord | None:
    """The record with that ply settled; None where the ply is not in doubt between that move and others, or where a
    later ply could not have been played after it."""
    if not 1 <= number <= len(game.plies):
        return None
    position = game.start
    for earlier in game.plies[: number - 1]:
        position = position.play(earlier.move)
    ply = game.plies[number - 1]
    was = write_uci(position, ply.move)
    if uci != was and uci not in ply.alternatives:
        return None
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
        game = daemon.mind.games()[-1]
        self._began_ms, self._has_moves = game.began_ms, bool(game.plies)
        self._mind = daemon.mind
        self._present = NOTHING
        if path is not None and goes_on:
            self._present = _read(path, self._began_ms)
        self._shown: tuple[GameRecord, Correction, GameRecord] | None = None
        daemon.listen(self._hear)

    @property
    def present(self) -> Correction:
        """What was put right in the present game."""
        return self._present

    def of(self, game: GameRecord) -> Correction:
        """What was put right in that game."""
        return self._present if game.began_ms == self._began_ms else NOTHING

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
        game = self._daemon.mind.games()[-1]
        self._began_ms, self._has_moves, self._mind = game.began_ms, bool(game.plies), self._daemon.mind
        self._become(Correction(_told(tags)))

    def tell(self, tags: Mapping[str, str]) -> None:
        """These are its names; an empty one is unknown, one that is missing stays."""
        self._become(replace(self._present, tags=_told({**self._present.tags, **tags})))

    def decide(self, result: str | None) -> None:
        """The result both players agree to, whatever was ruled; None: as it was ruled."""
        self._become(replace(self._present, result=result))

    def settle(self, number: int, uci: str) -> bool:
        """Ply `number` was that move; False, and nothing is changed, where it cannot have been."""
        if _settled(self._daemon.mind.games()[-1], number, uci) is None:
            return False
        self._become(replace(self._present, plies={**self._present.plies, number: uci}))
        return True

    def _hear(self, events: Sequence[Event]) -> None:
        if not events and self._mind is self._daemon.mind:
            return
        self._mind = self._daemon.mind
        game = self._mind.games()[-1]
        if game.began_ms != self._began_ms:
            self._began_ms = game.began_ms
            if self._has_moves and not self._daemon.renewing:
                staying = {name: text for name, text in self._present.tags.items() if name in STAYING}
                self._become(Correction(staying))
            elif self._present != NOTHING:
                self._become(self._present)
        self._has_moves = bool(game.plies)

    def _become(self, correction: Correction) -> None:
        self._present = correction
        if self._path is not None:
            try:
                write_after(self._path, b"", _text(self._began_ms, correction))
            except StoreError as problem:
                self._daemon.inbox.put(Fault(self._daemon.clock.now_ms(), "corrections-unsaved", None, str(problem)))
        for watcher in self._watchers:
            watcher()


def _told(tags: Mapping[str, str]) -> dict[str, str]:
    return {name: " ".join(tags[name].split()) for name in HEADER if tags.get(name, "").strip()}


def _text(began_ms: int, correction: Correction) -> str:
    plies = {str(number): uci for number, uci in correction.plies.items()}
    kept = {"began_ms": began_ms, "tags": dict(correction.tags), "plies": plies, "result": correction.result}
    return json.dumps(kept, ensure_ascii=False) + "\n"


def _read(path: Path, began_ms: int) -> Correction:
    """What was kept of the game that began then; nothing of another, and nothing of a file that is damaged."""
    with suppress(OSError, ValueError, AttributeError, TypeError):
        kept = json.loads(path.read_text("utf-8"))
        if kept["began_ms"] == began_ms:
            plies = {int(number): str(uci) for number, uci in kept["plies"].items()}
            return Correction(_told(kept["tags"]), plies, kept["result"] if kept["result"] in RESULTS else None)
    return NOTHING


RESULTS = ("1-0", "0-1", "1/2-1/2")
