"""Who plays a side, as a person writes it: `hand`, `remote`, `stockfish`, `stockfish:elo=1500,book=FILE` [pure].

What stands before the first colon is the player: a person at the board (`hand`), somebody far away (`remote`), or an
engine by name or path. After it come settings, divided by commas.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from board_driver.inputerror import InputError, shortened
from board_driver.players.uci import Limits

DEFAULT_MOVETIME_MS = 1000
"""How long an engine thinks that was told nothing else, in a game without a clock."""


class Kind(Enum):
    """What sort of player it is."""

    HAND = "hand"
    ENGINE = "engine"
    REMOTE = "remote"


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays a side. Everything after `program` is for engines."""

    kind: Kind = Kind.HAND
    program: str = ""
    elo: int | None = None
    skill: int | None = None
    depth: int | None = None
    nodes: int | None = None
    movetime_ms: int | None = None
    threads: int | None = None
    hash_mb: int | None = None
    book: str | None = None
    seed: int | None = None
    """Settles the choice among the book's moves; None: another one in each game."""
    takeback: bool = True
    draws: bool = True
    """Whether it agrees to take a move back, and answers draw offers by what it thinks of the position."""

    @property
    def limits(self) -> Limits:
        """What it was told about how long to think; without anything, nothing."""
        return Limits(self.depth, self.nodes, self.movetime_ms)

    def wishes(self, chess960: bool = False) -> dict[str, str]:
        """The UCI options to set."""
        found = {"UCI_Chess960": "true"} if chess960 else {}
        for name, value in (("Threads", self.threads), ("Hash", self.hash_mb)):
            if value is not None:
                found[name] = str(value)
        if self.elo is not None:
            found |= {"UCI_LimitStrength": "true", "UCI_Elo": str(self.elo)}
        if self.skill is not None:
            found["Skill Level"] = str(self.skill)
        return found

    def strength(self) -> str:
        """Its strength as it goes behind the name: `1500`, `level 5`; empty where it plays as well as it can."""
        if self.elo is not None:
            return str(self.elo)
        return "" if self.skill is None else f"level {self.skill}"


HAND = Player()
_RANGES = {
    "elo": (1, 4000),
    "skill": (0, 20),
    "depth": (1, 100),
    "nodes": (1, 10**12),
    "movetime": (1, 3_600_000),
    "threads": (1, 64),
    "hash": (1, 4096),
    "seed": (0, 2**32),
}
_FIELDS = {"movetime": "movetime_ms", "hash": "hash_mb"}
_SWITCHES = frozenset({"takeback", "draws"})


def read_player(option: str, text: str) -> Player:
    """The player that `text` names; `option` is what messages call it. Raises InputError for anything else."""
    name, _, rest = text.strip().partition(":")
    if not name:
        raise InputError(f"expected {option} to be hand, remote or an engine such as stockfish, got nothing")
    if name in ("hand", "remote"):
        if rest:
            raise InputError(f"expected {option} {name} without settings, got {shortened(rest)}")
        return Player(Kind(name))
    settings = dict(_settings(option, rest))
    return Player(Kind.ENGINE, name, **settings)  # type: ignore[arg-type]  # each was read by its kind


def write_player(player: Player) -> str:
    """The text that `read_player` reads back."""
    if player.kind is not Kind.ENGINE:
        return str(player.kind.value)
    program = player.program
    plain = Player(Kind.ENGINE, program)
    parts: list[str] = []
    for key in (*_RANGES, "book", *sorted(_SWITCHES)):
        value = getattr(player, _FIELDS.get(key, key))
        if value != getattr(plain, _FIELDS.get(key, key)):
            parts.append(f"{key}={_written(value)}")
    settings = ",".join(parts)
    return f"{program}:{settings}" if settings else program


def _written(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _settings(option: str, text: str) -> Iterator[tuple[str, object]]:
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        key, equals, value = part.partition("=")
        if key in _RANGES and equals:
            yield _FIELDS.get(key, key), _number(option, key, value)
        elif key == "book" and value:
            yield key, value
        elif key in _SWITCHES and value in ("yes", "no"):
            yield key, value == "yes"
        else:
            known = ", ".join(f"{name}=…" for name in (*_RANGES, "book", *sorted(_SWITCHES)))
            raise InputError(f"expected settings of {option} to be {known}, got {shortened(part)}")


def _number(option: str, key: str, value: str) -> int:
    low, high = _RANGES[key]
    if value.isascii() and value.isdigit() and len(value) <= 15 and low <= int(value) <= high:
        return int(value)
    raise InputError(f"expected {key} of {option} to be a number from {low} to {high}, got {shortened(value)}")
