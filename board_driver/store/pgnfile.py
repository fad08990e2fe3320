"""Games as PGN files.

House rules:

1. A file is written beside its place, brought to the disk, and then put there in one step: whoever reads it, and a cut
   of the power at any moment, finds the whole old file or the whole new one.
2. Adding a game keeps every byte that was there, whatever it was.
3. A result is never guessed, and what is not known is `?`. `TimeControl` is what the clock ran by, whatever was told.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkstemp

from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.inputerror import shortened
from board_driver.store.errors import StoreError
from rules.clock import time_control_tags
from rules.outcome import Reason, Result
from rules.pgn import PgnGame, Ply, write_game
from rules.position import Position
from rules.san import write_san
from rules.uci import UciError, parse_uci

Tags = Mapping[str, str]


def date_tags(began: datetime) -> dict[str, str]:
    """When a game began: `Date` as it was at the venue, and the moment in UTC. `began` must know its time zone."""
    if began.tzinfo is None:
        raise ValueError("expected a time with its time zone, got one without")
    utc = began.astimezone(UTC)
    return {
        "Date": began.strftime("%Y.%m.%d"),
        "UTCDate": utc.strftime("%Y.%m.%d"),
        "UTCTime": utc.strftime("%H:%M:%S"),
    }


def pgn_game(game: GameRecord, tags: Tags | None = None) -> PgnGame:
    """A game as PGN: times as `%emt` and, where known, `%clk`; what is not certain as comments."""
    position = game.start
    line: list[Ply] = []
    for ply in game.plies:
        comment = " ".join(filter(None, (ply.comment, _doubt(position, ply))))
        line.append(Ply(ply.move, comment=comment, clock_ms=ply.clock_ms, elapsed_ms=max(0, ply.elapsed_ms)))
        position = position.play(ply.move)
    told = {"Termination": _termination(game), **(tags or {})}
    if game.time_control is not None:
        told.pop("TimeControl", None)
        told |= time_control_tags(game.time_control)
    return PgnGame(game.start, tuple(line), Result(game.result), told, game.comment)


def _doubt(position: Position, ply: RecordedPly) -> str:
    if not ply.alternatives:
        return ""
    return f"not certain, perhaps {' or '.join(_san(position, uci) for uci in ply.alternatives)}"


def _san(position: Position, uci: str) -> str:
    """The move as SAN; what is no move of this position stays as it is."""
    try:
        return write_san(position, parse_uci(position, uci))
    except UciError:
        return uci


def _termination(game: GameRecord) -> str:
    """In the words of the PGN standard."""
    if game.result == str(Result.UNFINISHED):
        return "abandoned" if game.reason == str(Reason.ABANDONED) else "unterminated"
    if game.reason.startswith("flag"):
        return "time forfeit"
    return "rules infraction" if game.reason.startswith("illegal") else "normal"


def pgn_text(games: Iterable[GameRecord], tags: Tags | None = None) -> str:
    """Games one after the other, each with the empty line that ends it."""
    return "".join(write_game(pgn_game(game, tags)) for game in games)


def write_games(path: Path, games: Sequence[GameRecord], tags: Tags | None = None) -> None:
    """Make `path` a file of exactly these games. Raises StoreError."""
    _replace(path, pgn_text(games, tags).encode("utf-8"), keep=False)


def append_game(path: Path, game: GameRecord, tags: Tags | None = None) -> None:
    """Add a game at the end of `path`, which is made if it is missing. Raises StoreError."""
    _replace(path, pgn_text([game], tags).encode("utf-8"), keep=True)


def write_after(path: Path, before: bytes, text: str) -> None:
    """Make `path` a file of `before`, byte for byte, and after it the games in `text`. Raises StoreError."""
    _replace(path, _ended(before) + text.encode("utf-8"), keep=False)


def write_text(path: Path, text: str) -> None:
    """Make `path` a file of this text, in one step. Raises StoreError."""
    _replace(path, text.encode("utf-8"), keep=False)


# -- files --


def _replace(path: Path, text: bytes, *, keep: bool) -> None:
    """Put `text` in the place of the file, or with `keep` after what it holds."""
    try:
        target = path.resolve()
        mode = _mode_of(target)
        if mode is not None and not stat.S_ISREG(mode):
            target.write_bytes(text)  # a pipe or a terminal has no old state to lose
            return
        before = _ended(target.read_bytes()) if keep and mode is not None else b""
        _write_beside(target, before + text, 0o644 if mode is None else stat.S_IMODE(mode))
    except OSError as problem:
        reason = os.strerror(problem.errno) if problem.errno else str(problem)
        raise StoreError(f"{shortened(str(path), 200)}: expected to write games there, got: {reason}") from problem


def _mode_of(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _ended(text: bytes) -> bytes:
    """The text with an empty line at its end, so that the next game is one of its own."""
    if not text.strip():
        return text
    for ending in (b"\n\n", b"\r\n\r\n"):
        if text.endswith(ending):
            return text
    return text + (b"\n" if text.endswith(b"\n") else b"\n\n")


def _write_beside(target: Path, text: bytes, mode: int) -> None:
    descriptor, name = mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.", suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(text)
            stream.flush()
            os.fchmod(stream.fileno(), mode)
            os.fsync(stream.fileno())
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Bring the change of names to the disk; some file systems do not know how, and need nothing."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
