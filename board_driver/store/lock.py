"""Who keeps a state folder: one process at a time, and the next one is told which."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from board_driver.inputerror import InputError, shortened
from board_driver.store.errors import StoreError


class FolderLock:
    """Held from its making until `release`, or until the process is gone, however that came."""

    def __init__(self, folder: Path) -> None:
        """Raises InputError, naming the holder, if another process has it; StoreError if the folder refuses."""
        path = folder / "lock"
        try:
            self._descriptor = _open(path)
        except OSError as problem:
            raise StoreError(
                f"{shortened(str(folder), 200)}: expected a folder that can be written to, got: {problem.strerror}"
            ) from problem
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            holder = self._read()
            os.close(self._descriptor)
            raise InputError(
                f"{shortened(str(folder), 200)}: expected to be the only touchmove on this folder, but {holder} holds "
                "its lock: end that one, or choose another folder with --state"
            ) from problem
        self.say("")

    def say(self, address: str) -> None:
        """Tell those who find it locked where the page is."""
        where = f", with its page at {address}" if address else ""
        with suppress(OSError):
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"process {os.getpid()}{where}".encode(), 0)

    def release(self) -> None:
        """Let the next one have it."""
        os.close(self._descriptor)

    def _read(self) -> str:
        with suppress(OSError):
            return os.pread(self._descriptor, 300, 0).decode("utf-8", "replace") or "another process"
        return "another process"


def _open(path: Path) -> int:
    """For writing, or on a disk that does not let us, for reading: a file that is there can be locked all the same."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        with suppress(OSError):
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        raise


def holder(folder: Path) -> str | None:
    """Who holds that folder's lock, in words; None if nobody does."""
    try:
        descriptor = os.open(folder / "lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return os.pread(descriptor, 300, 0).decode("utf-8", "replace") or "another process"
    finally:
        os.close(descriptor)
    return None
