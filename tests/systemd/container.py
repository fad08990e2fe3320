"""A machine of one's own for the time of a test: this root under a real systemd as PID 1, in systemd-nspawn.

What is written in it goes to memory (`--volatile=overlay`) and is gone with it; it has no network but its own loopback.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

BOOT_S = 60.0
PYTHON = "/usr/bin/python3"
"""Debian's own: the service may not look into home folders, where other Pythons like to live."""


def why_not() -> str:
    """Why no container can be had here; empty where one can."""
    if os.geteuid() != 0:
        return "needs root for systemd-nspawn"
    if shutil.which("systemd-nspawn") is None:
        return "needs Debian's systemd-container (systemd-nspawn)"
    if subprocess.run([PYTHON, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode:
        return f"needs {PYTHON} with Debian's python3-venv"
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        return "needs to be allowed mount namespaces"
    return ""


class Container:
    """Runs from its making until `stop`, and never longer than twenty minutes."""

    def __init__(self, binds: Mapping[Path, str]) -> None:
        """`binds` are folders of this machine and where they are seen in there, read-only."""
        self._root = Path(tempfile.mkdtemp(prefix="touchmove-root-"))
        command = ["timeout", "1200", "systemd-nspawn", "--quiet", f"--directory={self._root}", "--register=no"]
        command += ["--keep-unit", "--volatile=overlay", "--boot", "--console=pipe", "--private-network"]
        command += [f"--bind-ro={source}:{target}" for source, target in binds.items()]
        command += ["systemd.unit=multi-user.target", "systemd.firstboot=no", *_masks()]
        script = f'mount --bind / "{self._root}" && exec "$@"'
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed in stop)
        self._process = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", script, "sh", *command],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        try:
            self.leader = self._find_leader()
            self.until(lambda: self.run("systemctl", "is-active", "sysinit.target", check=False).strip() == "active")
        except BaseException:
            self.stop()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def run(self, *command: str, check: bool = True) -> str:
        """What `command` prints in there."""
        done = subprocess.run(
            ["nsenter", "--target", str(self.leader), "--all", *command],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env={
                "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "LANG": "C.UTF-8",
                "HOME": "/root",
            },
        )
        if check and done.returncode:
            raise AssertionError(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout + ("" if check else done.stderr)

    def show(self, unit: str, *properties: str) -> dict[str, str]:
        """Properties of a unit."""
        lines = self.run("systemctl", "show", unit, "-p", ",".join(properties)).splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def fetch(self, address: str) -> dict[str, object]:
        """A JSON answer of a server in there."""
        script = f"import urllib.request as u; print(u.urlopen({address!r}, timeout=5).read().decode())"
        found = json.loads(self.run(PYTHON, "-c", script))
        assert isinstance(found, dict)
        return found

    def put(self, source: Path, target: str) -> None:
        """Copy a file of this machine to there."""
        with source.open("rb") as stream:
            subprocess.run(
                ["nsenter", "--target", str(self.leader), "--all", "/usr/bin/tee", target],
                stdin=stream,
                stdout=subprocess.DEVNULL,
                check=True,
            )

    def until(self, condition: Callable[[], object], seconds: float = BOOT_S) -> None:
        """Wait until `condition` holds; AssertionError if it never does."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end or self._process.poll() is not None:
                raise AssertionError(f"waited in vain; the container said: {self.said()}")
            time.sleep(0.1)

    def said(self) -> str:
        """The newest of what the console printed."""
        self._log.seek(0)
        return self._log.read()[-3000:].decode("utf-8", "replace")

    def stop(self) -> None:
        """Switch it off."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._log.close()
        shutil.rmtree(self._root, ignore_errors=True) if not any(self._root.iterdir()) else None

    def _find_leader(self) -> int:
        """The process that is PID 1 in there: a descendant of ours that knows itself by that number."""
        end = time.monotonic() + BOOT_S
        while time.monotonic() < end and self._process.poll() is None:
            for pid in _descendants(self._process.pid):
                status = _read(Path(f"/proc/{pid}/status"))
                if re.search(r"^NSpid:.*\t1$", status, re.MULTILINE) and "systemd" in _read(Path(f"/proc/{pid}/comm")):
                    return pid
            time.sleep(0.05)
        raise AssertionError(f"no system came up: {self.said()}")


def _descendants(pid: int) -> list[int]:
    found = [pid]
    for one in found:
        found += [int(word) for word in _read(Path(f"/proc/{one}/task/{one}/children")).split()]
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _masks() -> list[str]:
    """Services of this machine that have no business in there."""
    folders = [Path("/etc/systemd/system/multi-user.target.wants"), Path("/etc/rc2.d")]
    names = {path.name for path in folders[0].glob("*.service")} if folders[0].is_dir() else set()
    names |= {f"{path.name[3:]}.service" for path in folders[1].glob("S*")} if folders[1].is_dir() else set()
    return [f"systemd.mask={name}" for name in sorted(names) if not name.startswith("touchmove")]
