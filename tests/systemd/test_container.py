"""Installed, run, hung, killed, stopped and removed under a real systemd as PID 1."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.container import PYTHON, Container, why_not
from tests.systemd.players import PAGE, pid_of, play, sans

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "can be had")


@pytest.fixture(scope="module")
def machine(wheels: Path) -> Iterator[Container]:
    """A machine on which touchmove was installed the way a person does it, without a network."""
    with Container({wheels: "/wheels"}) as container:
        container.run(PYTHON, "-m", "venv", "/tmp/first")
        pip = ["/tmp/first/bin/pip", "install", "--quiet", "--no-index", "--find-links", "/wheels", "touchmove"]
        container.run(*pip)
        container.run("/tmp/first/bin/touchmove", "install", "--board", "virtual", "--wheels", "/wheels")
        yield container


def test_the_service_is_ready_and_confined(machine: Container) -> None:
    shown = machine.show("touchmove", "ActiveState", "SubState", "StatusText", "DynamicUser", "Type", "UnitFileState")
    assert shown["ActiveState"] == "active"
    assert shown["StatusText"] == f"the page is at {PAGE}/"
    assert (shown["DynamicUser"], shown["UnitFileState"]) == ("yes", "enabled")
    status = machine.run("cat", f"/proc/{pid_of(machine)}/status")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert int(fields["CapEff"], 16) == int(fields["CapBnd"], 16) == 0
    assert (fields["NoNewPrivs"], fields["Seccomp"]) == ("1", "2")
    assert fields["Uid"].split()[0] != "0"
    assert machine.run("stat", "-c", "%a", "/var/lib/private/touchmove").strip() == "700"
    assert "touchmove runs" in machine.run("touchmove", "status")


def test_killed_in_mid_game_it_goes_on_with_what_is_owed(machine: Container) -> None:
    state = play(machine, "-e2", "e4", "-e7", "e5", "-g1")
    assert sans(state) == ["e4", "e5"]
    assert state["obligation"] == {"kind": "move", "squares": ["g1"]}
    before = pid_of(machine)
    machine.run("systemctl", "kill", "--signal=KILL", "touchmove")
    machine.until(lambda: pid_of(machine) not in (before, "0"))
    machine.until(lambda: machine.show("touchmove", "ActiveState")["ActiveState"] == "active")
    after = play(machine)
    assert (sans(after), after["obligation"]) == (sans(state), state["obligation"])
    assert sans(play(machine, "-g1", "f3", "-b8", "c6")) == ["e4", "e5", "Nf3", "Nc6"]


def test_a_loop_that_hangs_is_ended_by_the_watchdog_and_nothing_is_lost(machine: Container) -> None:
    before, moves = pid_of(machine), sans(play(machine))
    machine.run("systemctl", "kill", "--signal=STOP", "touchmove")  # it is there, and does nothing any more
    machine.until(lambda: pid_of(machine) not in (before, "0"), 60)
    machine.until(lambda: machine.show("touchmove", "ActiveState")["ActiveState"] == "active")
    assert "Watchdog timeout" in machine.run("journalctl", "-u", "touchmove", "--no-pager", "-o", "cat")
    assert sans(play(machine)) == moves


def test_the_second_daemon_is_told_who_has_the_folder(machine: Container) -> None:
    told = machine.run("touchmove", "run", "--port", "0", "--state", "/var/lib/touchmove", check=False)
    assert "holds its lock" in told
    assert f"process {pid_of(machine)}" in told


def test_games_are_listed_exported_and_backed_up(machine: Container) -> None:
    assert "*  2 moves" in machine.run("touchmove", "games")
    assert "2. Nf3" in machine.run("touchmove", "export")
    assert '"sensorlog": 1' in machine.run("touchmove", "export", "--log")
    assert "1 game files" in machine.run("touchmove", "backup", "/root/backup.tar.gz")
    assert machine.run("stat", "-c", "%a", "/root/backup.tar.gz").strip() == "600"


def test_stopped_it_ends_well_and_started_it_goes_on(machine: Container) -> None:
    moves = sans(play(machine))
    machine.run("systemctl", "stop", "touchmove")
    shown = machine.show("touchmove", "ActiveState", "Result", "ExecMainStatus")
    assert (shown["ActiveState"], shown["Result"], shown["ExecMainStatus"]) == ("inactive", "success", "0")
    assert "not running" in machine.run("touchmove", "status", check=False)
    machine.run("systemctl", "start", "touchmove")
    assert sans(play(machine)) == moves


def test_an_upgrade_keeps_the_game(machine: Container) -> None:
    moves = sans(play(machine))
    before = machine.run("readlink", "/opt/touchmove/current").strip()
    machine.run("/tmp/first/bin/touchmove", "install", "--wheels", "/wheels")
    assert machine.run("readlink", "/opt/touchmove/current").strip() != before
    assert sans(play(machine)) == moves


def test_an_upgrade_that_is_not_well_is_taken_back(machine: Container) -> None:
    moves, before = sans(play(machine)), machine.run("readlink", "/opt/touchmove/current").strip()
    unit = "/tmp/first/share/touchmove/systemd/touchmove.service"
    machine.run("cp", unit, "/tmp/unit")
    machine.run(
        "sed",
        "-i",
        "s#^ExecStart=.*#&\\nExecStartPre=/bin/sh -c 'test $(basename $(readlink /opt/touchmove/current)) -le 2'#",
        unit,
    )
    told = machine.run("/tmp/first/bin/touchmove", "install", "--wheels", "/wheels", check=False)
    assert "going back" in told
    assert machine.run("readlink", "/opt/touchmove/current").strip() == before
    assert sans(play(machine)) == moves
    assert "ExecStartPre" not in machine.run("cat", "/etc/systemd/system/touchmove.service")
    machine.run("cp", "/tmp/unit", unit)


def test_uninstalled_nothing_is_left_but_the_games(machine: Container) -> None:
    machine.run("touchmove", "uninstall")
    assert machine.run("systemctl", "is-active", "touchmove", check=False).strip() == "inactive"
    for gone in ("/opt/touchmove", "/etc/systemd/system/touchmove.service", "/usr/local/bin/touchmove"):
        assert machine.run("sh", "-c", f"test -e {gone} && echo there || echo gone").strip() == "gone"
    assert "1. e4" in machine.run("sh", "-c", "cat /var/lib/private/touchmove/games/*.pgn")


def test_the_package_is_installed_run_and_removed(machine: Container, tmp_path_factory: pytest.TempPathFactory) -> None:
    """After the rest: the machine is empty again but for the games, which the package finds and purging removes."""
    given = os.environ.get("TOUCHMOVE_DEB")
    if given is None:
        dist = tmp_path_factory.mktemp("dist")
        for command in (
            [PYTHON, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(dist), str(ROOT)],
            [str(ROOT / ".ci/deb"), str(dist)],
        ):
            built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            if built.returncode:
                pytest.skip(f"needs the network and a compiler to make the package: {built.stderr.strip()[-300:]}")
        given = str(next(dist.glob("*.deb")))
    machine.put(Path(given), "/root/touchmove.deb")
    machine.run("dpkg", "--install", "/root/touchmove.deb")
    assert machine.show("touchmove", "ActiveState")["ActiveState"] == "active"
    assert machine.fetch(f"{PAGE}/healthz")["ok"] is True
    assert sans(play(machine))[:3] == ["e4", "e5", "Nf3"]  # the game of before goes on
    machine.run("dpkg", "--remove", "touchmove")
    assert machine.run("systemctl", "is-active", "touchmove", check=False).strip() == "inactive"
    assert machine.run("sh", "-c", "ls /var/lib/private/touchmove/games").strip().endswith(".pgn")
    machine.run("dpkg", "--purge", "touchmove")
    assert machine.run("sh", "-c", "test -e /var/lib/private/touchmove && echo there || echo gone").strip() == "gone"
