"""What a cut of the power leaves of a folder, by the log of `baddisk.c`.

Promised is only what was asked for: bytes of a file that was synced, names of a folder that was synced. Of everything
since then a cut takes what it likes, and a flash card does not even take whole writes: a sector is there, or old, or
zeros, or noise.

`Disk.read` takes in what the program did; `Disk.cut` says what is on the disk after a cut and leaves the folder like
that.
"""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

SECTOR = 512
HERE = Path(__file__).parent
LOG_HEAD, FRAME_HEAD, PAGE = 32, 24, 4096
"""SQLite's write-ahead log: its head, then frames of a head and a page."""
_FIELDS = ((0, "page number"), (4, "commit mark"), (8, "salt"), (16, "checksum"), (24, "page"))


def compile_shim(folder: Path) -> Path | None:
    """The library to preload; None where there is no C compiler."""
    if shutil.which("gcc") is None:
        return None
    target = folder / "baddisk.so"
    command = ["gcc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(target), str(HERE / "baddisk.c"), "-ldl"]
    subprocess.run(command, check=True)
    return target


class Taken(Enum):
    """What a cut takes of the bytes that were not promised."""

    NOTHING = "nothing"
    ALL = "all of it"
    END = "the end, from any byte on"
    SECTORS = "single sectors, which stay as they were"
    ZEROED = "single sectors, which read as zeros"
    NOISE = "single sectors, which read as noise"
    """As after `END`, or an erased block."""


@dataclass(slots=True)
class _File:
    """A file's bytes: those promised, and the changes since, in order (place and bytes; None: cut to that size)."""

    promised: bytes = b""
    since: list[tuple[int, bytes | None]] = field(default_factory=list)

    def now(self) -> bytes:
        return _changed(self.promised, self.since)


class Disk:
    """The files of a folder, as the program sees them and as they are promised to be."""

    def __init__(self, folder: Path, log: Path) -> None:
        self._folder = folder
        self._log = log
        self._read = 0
        self._files: dict[str, _File] = {}
        self._promised: dict[str, _File] = {}
        self._renames: list[tuple[str, str]] = []
        """Changes of names since the folder was synced: from, to; "" for a file that came or went."""
        self._came: list[_File] = []
        self.torn: Counter[str] = Counter()
        """Where cuts tore the journal's log, in its own terms."""

    def read(self) -> None:
        """Take in what the program did since the last time."""
        if not self._log.exists():
            return
        with self._log.open("rb") as stream:
            stream.seek(self._read)
            content = stream.read()
        at = 0
        while at + 17 <= len(content):
            kind = chr(content[at])
            named, count, place = struct.unpack_from("<IIQ", content, at + 1)
            end = at + 17 + named + count
            if end > len(content):
                break
            name = content[at + 17 : at + 17 + named].decode("utf-8", "surrogateescape")
            self._note(kind, name, place, content[end - count : end])
            at = end
        self._read += at

    def seen(self) -> dict[str, bytes]:
        """The files as the program sees them."""
        return {name: file.now() for name, file in self._files.items()}

    def cut(self, taken: Taken, luck: random.Random) -> None:
        """Cut the power: leave the folder with what is on the disk then."""
        self.read()
        names = dict(self._promised)
        if taken is not Taken.ALL:
            kept = len(self._renames) if taken is Taken.NOTHING else luck.randint(0, len(self._renames))
            names = self._renamed(kept)
        left = {name: self._left(name, file, taken, luck) for name, file in names.items()}
        for path in self._folder.rglob("*"):
            if path.is_file():
                path.unlink()
        for name, content in left.items():
            path = self._folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        self._files = {name: _File(content) for name, content in left.items()}
        self._promised = dict(self._files)
        self._renames, self._came = [], []

    # -- within

    def _note(self, kind: str, name: str, place: int, content: bytes) -> None:
        match kind:
            case "c":
                self._files[name] = _File()
                self._came.append(self._files[name])
                self._renames.append(("", name))
            case "w":
                self._file(name).since.append((place, content))
            case "t":
                self._file(name).since.append((place, None))
            case "s" if name.endswith("/") or (self._folder / name).is_dir():
                self._sync_folder(name)
            case "s":
                file = self._file(name)
                file.promised, file.since = file.now(), []
            case "r":
                to = content.decode("utf-8", "surrogateescape")
                self._files[to] = self._files.pop(name, _File())
                self._renames.append((name, to))
            case "u":
                self._files.pop(name, None)
                self._renames.append((name, ""))

    def _file(self, name: str) -> _File:
        return self._files.setdefault(name.removesuffix(" (deleted)"), _File())

    def _sync_folder(self, name: str) -> None:
        """Names within that folder are promised; with them, as in all journaling file systems, those before."""
        del name
        self._promised = dict(self._files)
        self._renames, self._came = [], []

    def _renamed(self, kept: int) -> dict[str, _File]:
        """The names on the disk if the first `kept` changes of them have come there."""
        names = dict(self._promised)
        came = iter(self._came)
        for old, new in self._renames[:kept]:
            if not old:
                names[new] = next(came)
            elif not new:
                names.pop(old, None)
            elif old in names:
                names[new] = names.pop(old)
        return names

    def _left(self, name: str, file: _File, taken: Taken, luck: random.Random) -> bytes:
        before, now = file.promised, file.now()
        if taken is Taken.NOTHING or before == now:
            return now
        match taken:
            case Taken.ALL:
                return before
            case Taken.END:
                return self._torn(name, file, luck)
            case _:
                return _mixed(before, now, taken, luck)

    def _torn(self, name: str, file: _File, luck: random.Random) -> bytes:
        """The changes up to one of them, and that one up to any of its bytes."""
        number = luck.randrange(len(file.since))
        heads = [index for index, (_, content) in enumerate(file.since) if content is not None and len(content) < 512]
        if heads and luck.random() < 0.6:
            number = luck.choice(heads)  # few bytes, and those that matter most
        place, content = file.since[number]
        if content is None:
            return _changed(file.promised, file.since[:number])
        at = luck.randrange(len(content))
        if name.endswith("-wal"):
            self.torn[_part_of_log(place + at)] += 1
        return _changed(file.promised, [*file.since[:number], (place, content[:at])])


def _changed(content: bytes, changes: list[tuple[int, bytes | None]]) -> bytes:
    now = bytearray(content)
    for place, written in changes:
        if written is None:
            now = now[:place].ljust(place, b"\0")
        else:
            now = now.ljust(place, b"\0")
            now[place : place + len(written)] = written
    return bytes(now)


def _mixed(before: bytes, now: bytes, taken: Taken, luck: random.Random) -> bytes:
    """The file as it is, but for some of its changed sectors."""
    left = bytearray()
    for place in range(0, len(now), SECTOR):
        new = now[place : place + SECTOR]
        old = before[place : place + SECTOR]
        if new == old or luck.random() < 0.5:
            left += new
        elif taken is Taken.NOISE and len(old) < len(new):
            left += luck.randbytes(len(new))
        elif taken is Taken.SECTORS:
            left += old.ljust(len(new), b"\0")[: len(new)]
        else:
            left += bytes(len(new)) if len(old) < len(new) else old[: len(new)]
    return bytes(left)


def _part_of_log(at: int) -> str:
    if at < LOG_HEAD:
        return "head of the log"
    within = (at - LOG_HEAD) % (FRAME_HEAD + PAGE)
    return [name for start, name in _FIELDS if within >= start][-1]
