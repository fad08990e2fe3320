"""From a fresh machine on, as a person does it: `make install` and its question, a bad upgrade, moving elsewhere."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.container import PYTHON, Container, why_not
from tests.systemd.players import PAGE, PLAYER, pid_of, play, sans

ROOT = Path(__file__).parents[2]
_MISSING = why_not() or ("" if shutil.which("make") else "needs make")
pytestmark = pytest.mark.skipif(bool(_MISSING), reason=_MISSING or "can be had")

LIBRARY = "/opt/touchmove/current/lib/python3.*/site-packages"
HANGING = """
import os, time
from pathlib import Path
from board_driver.boards.virtual import VirtualBoard

class Hanging(VirtualBoard):
    async def show(self, picture):
        mark = Path(os.environ["STATE_DIRECTORY"]) / "hang"
        if mark.exists():
            mark.unlink()
            time.sleep(3600)  # the loop itself
        await super().show(picture)

    async def close(self):
        (Path(os.environ["STATE_DIRECTORY"]) / "closed").touch()
        await super().close()
"""


@pytest.fixture(scope="module")
def machine(wheels: Path, broken_wheel: Path) -> Iterator[Container]:
    binds = {wheels: "/wheels", broken_wheel.parent: "/broken", ROOT: "/checkout"}
    with Container(binds) as container:
        container.run("mkdir", "/root/source")
        container.run(
            "sh", "-c",
            "tar -C /checkout --exclude=./.* --exclude=./build --exclude=./tests -cf - . | tar -C /root/source -xf -",
        )  # fmt: skip
        yield container


def at_a_terminal(machine: Container, answer: str, *command: str) -> tuple[int, str]:
    """Run a command as a person does: a question is answered. Its status, and what stood on the screen."""
    near, far = pty.openpty()
    process = subprocess.Popen(
        ["nsenter", "--target", str(machine.leader), "--all", *command], stdin=far, stdout=far, stderr=far
    )
    os.close(far)
    screen, answered, end = b"", False, time.monotonic() + 240
    while time.monotonic() < end:
        if select.select([near], [], [], 1.0)[0]:
            try:
                screen += os.read(near, 4096)
            except OSError:
                break  # the last one at the other end is gone
        elif process.poll() is not None:
            break
        if not answered and b"profile's file: " in screen:
            os.write(near, answer.encode() + b"\n")
            answered = True
    os.close(near)
    return process.wait(30), screen.decode("utf-8", "replace")


def installed(machine: Container) -> str:
    return machine.run("readlink", "/opt/touchmove/current").strip()


def said(machine: Container, *words: str) -> list[dict[str, str]]:
    """What the system's journal has of the service."""
    lines = machine.run("journalctl", "-u", "touchmove", "-o", "json", "--no-pager", *words).splitlines()
    return [json.loads(line) for line in lines]


def test_make_install_asks_which_board_and_the_service_runs(machine: Container) -> None:
    environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "PIP_NO_INDEX=1", "PIP_FIND_LINKS=/wheels"]
    make = ["make", "-C", "/root/source", "install", f"PYTHON={PYTHON}"]
    status, screen = at_a_terminal(machine, "1", "env", "-i", *environment, *make)
    assert status == 0, screen
    assert "Which board is it?" in screen
    assert "1  virtual" in screen
    assert "reed-matrix-gpio" in screen
    assert "the service runs" in screen
    assert "--board virtual" in machine.run("cat", "/etc/touchmove/options")
    assert machine.show("touchmove", "ActiveState")["ActiveState"] == "active"
    assert machine.fetch(f"{PAGE}/healthz")["ok"] is True
    assert "touchmove runs" in machine.run("touchmove", "status")


def test_what_is_said_has_levels_and_fields(machine: Container) -> None:
    play(machine, "-e2", "e4", "-e7", "e5")
    machine.until(lambda: len(said(machine, "TOUCHMOVE_EVENT=move")) >= 2)
    first, second = said(machine, "TOUCHMOVE_EVENT=move")
    assert (first["TOUCHMOVE_SAN"], second["TOUCHMOVE_UCI"]) == ("e4", "e7e5")
    assert (first["PRIORITY"], first["SYSLOG_IDENTIFIER"]) == ("6", "touchmove")
    assert first["TOUCHMOVE_GAME"].endswith(".pgn")
    assert first["MESSAGE_ID"] == second["MESSAGE_ID"]
    assert first["_SYSTEMD_UNIT"] == "touchmove.service"
    (started,) = said(machine, "TOUCHMOVE_EVENT=started")
    assert started["MESSAGE"] == f"the page is at {PAGE}/"
    assert said(machine, "TOUCHMOVE_EVENT=move", f"TOUCHMOVE_GAME={first['TOUCHMOVE_GAME']}", "-n1")


def test_the_pairing_code_is_for_root_and_not_for_the_journal(machine: Container) -> None:
    machine.run("sed", "-i", "s/--port 8080/--port 8080 --host 0.0.0.0/", "/etc/touchmove/options")
    machine.run("systemctl", "restart", "touchmove")
    told = machine.run("touchmove", "status")
    code = told.partition("code for a page on the network: ")[2].split("\n")[0]
    assert len(code.replace(" ", "")) == 8
    everything = machine.run("journalctl", "--no-pager", "-o", "verbose")
    assert code not in everything
    assert code.replace(" ", "") not in everything
    assert machine.run("stat", "-c", "%a", "/var/lib/private/touchmove/pairing-code").strip() == "600"
    machine.run("sed", "-i", "s/ --host 0.0.0.0//", "/etc/touchmove/options")
    machine.run("systemctl", "restart", "touchmove")
    assert "code for a page" not in machine.run("touchmove", "status")


def test_a_loop_that_really_hangs_is_ended_and_a_clean_stop_closes_the_board(machine: Container) -> None:
    script = (
        f"cd {LIBRARY} && cat >hanging_board.py && mkdir hanging_board-1.dist-info && cd hanging_board-1.dist-info && "
        "printf 'Metadata-Version: 2.1\\nName: hanging-board\\nVersion: 1\\n' >METADATA && "
        "printf '[touchmove.boards]\\nhanging = hanging_board:Hanging\\n' >entry_points.txt"
    )
    subprocess.run(
        ["nsenter", "--target", str(machine.leader), "--all", "sh", "-c", script],
        input=HANGING.encode(),
        check=True,
    )
    machine.run("sed", "-i", "s/--board virtual/--board hanging/", "/etc/touchmove/options")
    machine.run("systemctl", "restart", "touchmove")
    moves, before = sans(play(machine)), pid_of(machine)
    machine.run("touch", "/var/lib/private/touchmove/hang")
    machine.run("sh", "-c", "chown --reference=/var/lib/private/touchmove /var/lib/private/touchmove/hang")
    play_and_hang = "import sys; sys.argv = ['-', '-g1']; " + "exec(open('/tmp/player.py').read())"
    subprocess.run(
        ["nsenter", "--target", str(machine.leader), "--all", "/usr/bin/tee", "/tmp/player.py"],
        input=PLAYER.encode(),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    machine.run("timeout", "20", "/opt/touchmove/current/bin/python", "-c", play_and_hang, check=False)
    machine.until(lambda: pid_of(machine) not in (before, "0"), 60)
    machine.until(lambda: machine.show("touchmove", "ActiveState")["ActiveState"] == "active")
    assert "Watchdog timeout" in machine.run("journalctl", "-u", "touchmove", "--no-pager", "-o", "cat")
    after = play(machine)
    assert sans(after) == moves
    assert after["obligation"] == {"kind": "move", "squares": ["g1"]}
    machine.run("rm", "-f", "/var/lib/private/touchmove/closed")
    machine.run("systemctl", "stop", "touchmove")
    assert "closed" in machine.run("ls", "/var/lib/private/touchmove")
    machine.run("sed", "-i", "s/--board hanging/--board virtual/", "/etc/touchmove/options")
    machine.run("systemctl", "start", "touchmove")
    assert sans(play(machine, "-g1", "f3")) == [*moves, "Nf3"]


def test_a_version_that_is_not_well_in_a_minute_is_taken_back_with_its_changes(machine: Container) -> None:
    moves, before = sans(play(machine)), installed(machine)
    machine.run("mkdir", "-p", "/root/next")
    machine.run("sh", "-c", "cp /wheels/*.whl /root/next/ && rm /root/next/touchmove-*")
    machine.run("sh", "-c", "cp /broken/*.whl /root/next/")
    told = machine.run(
        "touchmove", "install", "--wheels", "/root/next", "--from", "/root/next/touchmove-0.2.0-py3-none-any.whl",
        check=False,
    )  # fmt: skip
    assert "it did not come up healthy: going back" in told
    assert "the new version had changed the journal's tables" in told
    assert installed(machine) == before
    machine.until(lambda: machine.show("touchmove", "ActiveState")["ActiveState"] == "active")
    assert machine.fetch(f"{PAGE}/healthz")["ok"] is True
    assert sans(play(machine, "-b8", "c6")) == [*moves, "Nc6"]
    assert "0.1.0" in machine.run("touchmove", "version")


def test_a_club_moves_to_another_machine_by_one_file(machine: Container) -> None:
    moves = sans(play(machine))
    machine.run("touchmove", "backup", "/root/club.tar.gz")
    machine.run("touchmove", "uninstall", "--purge")
    assert machine.run("sh", "-c", "ls /opt /etc /var/lib/private | grep -c touchmove || true").strip() == "0"
    first = "/root/source/build/install/bin/touchmove"
    machine.run(first, "install", "--board", "virtual", "--wheels", "/wheels", "--from", "touchmove==0.1.0")
    assert sans(play(machine)) == []
    machine.run("systemctl", "stop", "touchmove")
    assert "1 game files" in machine.run("touchmove", "restore", "/root/club.tar.gz")
    machine.run("systemctl", "start", "touchmove")
    assert sans(play(machine)) == moves
    assert "*  2 moves" in machine.run("touchmove", "games")
