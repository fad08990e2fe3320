"""Backups: one .tar.gz of the journal, as it stands at one moment, and of all games."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tarfile
import zlib
from contextlib import closing
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from board_driver.inputerror import InputError, shortened
from board_driver.store.damage import is_sound, reason, set_aside
from board_driver.store.errors import StoreError
from board_driver.store.lock import FolderLock
from board_driver.store.reading import reading
from board_driver.store.state import GAMES, JOURNAL

SIZE_LIMIT = 1 << 30
"""Bytes that one file of a backup may have: a backup is not a way to fill a disk."""


def back_up(folder: Path, target: Path) -> int:
    """Write it, whole or not at all; how many game files are in it. Raises StoreError."""
    if target.exists() and not target.is_file():
        raise StoreError(f"{shortened(str(target), 200)}: expected to write a backup, got: not a file")
    beside = target.with_name(f".{target.name}.part")
    try:
        with TemporaryDirectory() as name:
            copy = Path(name) / JOURNAL
            has_journal = (folder / JOURNAL).exists()
            if has_journal:
                copy_journal(folder / JOURNAL, copy)
            games = sorted((folder / GAMES).glob("*.pgn"))
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as stream, tarfile.open(fileobj=stream, mode="w:gz") as archive:
                if has_journal:
                    archive.add(copy, JOURNAL)
                for path in games:
                    archive.add(path, f"{GAMES}/{path.name}", recursive=False)
        beside.replace(target)
    except (OSError, sqlite3.Error, tarfile.TarError) as problem:
        beside.unlink(missing_ok=True)
        raise StoreError(
            f"{shortened(str(target), 200)}: expected to write a backup, got: {reason(problem)}"
        ) from problem
    return len(games)


def put_back(archive: Path, folder: Path) -> int:
    """Restore it; how many game files were put back. Raises InputError, and then nothing has been changed.

    The journal that was there is set aside; a game that differs from the one there gets a name of its own.
    """
    with TemporaryDirectory() as name:
        files = _unpack(archive, Path(name))
        journal = Path(name) / JOURNAL
        if journal.exists() and not is_sound(journal):
            raise InputError(
                f"{shortened(str(archive), 200)}: expected a whole journal in the backup, got a damaged one"
            )
        (folder / GAMES).mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FolderLock(folder)
        try:
            if journal.exists():
                if (folder / JOURNAL).exists():
                    set_aside(folder / JOURNAL)
                copy_into_place(journal, folder / JOURNAL, folder)
            for file in files:
                copy_into_place(file, _free(folder / GAMES / file.name, file.read_bytes()), folder)
        except OSError as problem:
            raise StoreError(
                f"{shortened(str(folder), 200)}: expected to write there, got: {reason(problem)}"
            ) from problem
        finally:
            lock.release()
    return len(files)


def copy_journal(source: Path, target: Path) -> None:
    """The journal as it stands at this moment, also one that is written to. Raises sqlite3.Error, OSError."""
    with reading(source, timeout_s=10.0) as live, closing(sqlite3.connect(target)) as copy:
        live.backup(copy)


def _unpack(archive: Path, into: Path) -> list[Path]:
    """The game files of a backup, unpacked flat: only plain files of the names that a backup has."""
    games: list[Path] = []
    (into / GAMES).mkdir()
    try:
        with tarfile.open(archive, "r:gz") as packed:
            for member in packed:
                path = PurePosixPath(member.name)
                is_game = (
                    len(path.parts) == 2 and path.parts[0] == GAMES and path.suffix == ".pgn" and ".." not in path.parts
                )
                if not member.isfile() or member.size > SIZE_LIMIT or not (is_game or member.name == JOURNAL):
                    raise InputError(
                        f"{archive}: expected a backup of touchmove, got a file named {shortened(member.name)}"
                    )
                content = packed.extractfile(member)
                assert content is not None
                target = into / member.name
                with target.open("wb") as stream:
                    shutil.copyfileobj(content, stream)
                if is_game:
                    games.append(target)
    except (OSError, EOFError, tarfile.TarError, zlib.error) as problem:
        raise InputError(
            f"{shortened(str(archive), 200)}: expected a backup of touchmove, got: {reason(problem)}"
        ) from problem
    return games


def _free(path: Path, content: bytes) -> Path:
    """That name, or another one if a different game has it."""
    number = 1
    free = path
    while free.exists() and free.read_bytes() != content:
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def copy_into_place(source: Path, target: Path, owner_of: Path) -> None:
    """Copy into place in one step, with the owner of the folder: root restores what the service must write."""
    beside = target.with_name(f".{target.name}.part")
    shutil.copyfile(source, beside)
    beside.chmod(0o600)
    owner = owner_of.stat()
    if os.geteuid() == 0:
        os.chown(beside, owner.st_uid, owner.st_gid)
    beside.replace(target)
