"""The commands for what is kept: status, games, export, backup, restore, logs, install."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import stat
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from board_driver.cli import main
from board_driver.inputerror import InputError
from board_driver.installing import steps
from board_driver.installing.layout import Device, Layout, port_in
from board_driver.installing.parts import parts_folder
from board_driver.installing.steps import Installer, Order
from board_driver.store.journal import Journal
from board_driver.store.state import GAMES, JOURNAL
from tests.board_driver.store.lives import found_in, shown, write_chapter

PGN = '[Event "Club"]\n[Date "2026.05.0{n}"]\n[White "Zoë"]\n[Black "B"]\n[Result "{r}"]\n\n1. e4 e5 2. Nf3 {r}\n\n'


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder with two games and the journal of the second."""
    folder = tmp_path / "state"
    (folder / GAMES).mkdir(parents=True)
    (folder / GAMES / "2026-05-01_200000.pgn").write_text(PGN.format(n=1, r="1-0"), encoding="utf-8")
    (folder / GAMES / "2026-05-02_200000.pgn").write_text(PGN.format(n=2, r="*"), encoding="utf-8")
    write_chapter(folder / JOURNAL, shown("e2e4", "e7e5", "g1f3"))
    return folder


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is said where a command is refused: one line, status 2."""
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("touchmove: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("command", ["status", "games", "export", "backup x.tar.gz", "logs --rulings"])
def test_a_folder_that_is_not_there_is_named(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = command.split()
    assert "expected a state folder" in refusal(capsys, *words, "--state", str(tmp_path / "none"))


def test_games_are_listed_for_people_and_programs(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--state", str(state)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["1", "2026.05.01", "Zoë", "-", "B", "1-0", "2", "moves", "2026-05-01_200000.pgn"]
    assert second.split()[0] == "2"
    assert main(["games", "--json", "--state", str(state)]) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(o["number"], o["result"], o["plies"]) for o in objects] == [(1, "1-0", 3), (2, "*", 3)]


def test_games_are_exported_all_or_by_number(state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--state", str(state)]) == 0
    assert capsys.readouterr().out.count("[Event ") == 2
    out = tmp_path / "one.pgn"
    assert main(["export", "2", "--out", str(out), "--state", str(state)]) == 0
    assert out.read_text(encoding="utf-8") == PGN.format(n=2, r="*")
    assert "expected the number of a game, 1 to 2, got 7" in refusal(capsys, "export", "7", "--state", str(state))


def test_the_log_of_the_journal_replays_to_the_same_game(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    assert main(["export", "--log", "--out", str(log), "--state", str(state)]) == 0
    assert main(["replay", "--summary", str(log)]) == 0
    assert json.loads(capsys.readouterr().out)["uci"] == ["e2e4", "e7e5", "g1f3"]


def test_rulings_are_told(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["logs", "--rulings", "--state", str(state)]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["san"] for event in events if event["event"] == "move"] == ["e4", "e5", "Nf3"]


def test_status_of_a_folder_that_nobody_runs_on(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "--state", str(state)]) == 1
    assert "not running" in capsys.readouterr().out
    assert main(["status", "--json", "--state", str(state)]) == 1
    assert json.loads(capsys.readouterr().out)["games"] == 2


def test_status_of_a_daemon_at_work_and_a_backup_meanwhile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "state"
    process = subprocess.Popen(
        [sys.executable, "-m", "board_driver", "run", "--port", "0", "--state", str(folder)],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        assert main(["status", "--state", str(folder)]) == 0
        out = capsys.readouterr().out
        assert f"process {process.pid}" in out
        assert "board: open" in out
        assert "journal: kept" in out
        assert main(["backup", str(tmp_path / "b.tar.gz"), "--state", str(folder)]) == 0
        capsys.readouterr()
        assert "holds its lock" in refusal(capsys, "restore", str(tmp_path / "b.tar.gz"), "--state", str(folder))
        assert stat.S_IMODE((folder / "lock").stat().st_mode) == 0o600
        for secret in (folder / GAMES, folder / "lock"):
            assert not stat.S_IMODE(secret.stat().st_mode) & 0o077
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_a_backup_comes_back_whole(state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backup = tmp_path / "club.tar.gz"
    assert main(["backup", str(backup), "--state", str(state)]) == 0
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    other = tmp_path / "other"
    assert main(["restore", str(backup), "--state", str(other)]) == 0
    assert "2 game files" in capsys.readouterr().out
    for path in (state / GAMES).iterdir():
        assert (other / GAMES / path.name).read_bytes() == path.read_bytes()
    found, remarks = found_in(other)
    assert found is not None
    assert found.resumed.mind.summary()["uci"] == ["e2e4", "e7e5", "g1f3"]
    assert remarks == []


def test_restoring_removes_nothing_that_is_there(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = tmp_path / "club.tar.gz"
    assert main(["backup", str(backup), "--state", str(state)]) == 0
    newer = state / GAMES / "2026-05-02_200000.pgn"
    newer.write_text("another game", encoding="utf-8")
    (state / GAMES / "2026-05-03_200000.pgn").write_text(PGN.format(n=3, r="0-1"), encoding="utf-8")
    assert main(["restore", str(backup), "--state", str(state)]) == 0
    capsys.readouterr()
    assert newer.read_text(encoding="utf-8") == "another game"
    names = sorted(path.name for path in (state / GAMES).iterdir())
    assert names == [
        *("2026-05-01_200000.pgn", "2026-05-02_200000-2.pgn", "2026-05-02_200000.pgn", "2026-05-03_200000.pgn")
    ]
    assert (state / f"{JOURNAL}.damaged-1").exists()


@pytest.mark.parametrize("name", ["../evil.pgn", "games/../../evil.pgn", "/etc/evil.pgn", "games/evil.sh", "other"])
def test_a_backup_that_reaches_elsewhere_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "evil.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        member = tarfile.TarInfo(name)
        member.size = 4
        packed.addfile(member, io.BytesIO(b"evil"))
    assert "expected a backup of touchmove" in refusal(capsys, "restore", str(archive), "--state", str(tmp_path / "s"))
    assert not (tmp_path / "s").exists()
    assert not (tmp_path / "evil.pgn").exists()


@pytest.mark.parametrize("content", [b"", b"no archive", os.urandom(300)])
def test_what_is_no_backup_is_refused(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_bytes(content)
    told = refusal(capsys, "restore", str(tmp_path / "x"), "--state", str(tmp_path / "s"))
    assert "expected a backup of touchmove" in told


def test_a_backup_is_whole_or_not_there(state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    backup = tmp_path / "club.tar.gz"
    backup.write_bytes(b"the one of last week")
    monkeypatch.setattr(tarfile.TarFile, "add", full)
    assert main(["backup", str(backup), "--state", str(state)]) == 2
    assert backup.read_bytes() == b"the one of last week"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_copy_of_the_journal_is_one_moment_of_it(state: Path, tmp_path: Path) -> None:
    journal = Journal(state / JOURNAL)
    assert main(["backup", str(tmp_path / "b.tar.gz"), "--state", str(state)]) == 0
    with tarfile.open(tmp_path / "b.tar.gz") as packed:
        packed.extract(JOURNAL, tmp_path, filter="data")
    rows = sqlite3.connect(tmp_path / JOURNAL).execute("SELECT count(*) FROM input").fetchone()[0]
    assert rows == journal.rows_kept()


# -- installing --


class Machine:
    """A machine on which commands are only noted; a new venv holds the files that matter."""

    def __init__(self, root: Path, fails: str = "") -> None:
        self.commands: list[str] = []
        self.said: list[str] = []
        self._fails = fails
        self.layout = Layout(root)
        self.installer = Installer(self.layout, self.said.append, self.run)

    def run(self, command: Sequence[str]) -> str:
        line = " ".join(command)
        self.commands.append(line)
        if "-m venv" in line:
            (Path(command[-1]) / "bin").mkdir(parents=True)
            (Path(command[-1]) / "bin/touchmove").write_text("")
        if self._fails and self._fails in line:
            raise InputError(f"expected `{line}` to succeed, got: no")
        return ""


ORDER = Order("touchmove==1", ("gpio",), "reed-matrix-gpio", (Device.GPIO,))


@pytest.fixture
def healthy(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What the page says of its health from now on; the last answer stays."""
    answers = [True]

    def is_well(_port: int) -> bool:
        return answers.pop(0) if len(answers) > 1 else answers[0]

    monkeypatch.setattr(steps, "_is_well", is_well)
    monkeypatch.setattr(steps.time, "sleep", lambda _seconds: None)
    return answers


def test_an_installation_is_complete_before_it_is_used(tmp_path: Path, healthy: list[bool]) -> None:
    del healthy
    machine = Machine(tmp_path)
    assert machine.installer.install(ORDER, parts_folder())
    layout = machine.layout
    assert layout.current.resolve() == (layout.versions / "1").resolve()
    assert os.readlink(layout.command) == str(layout.current / "bin/touchmove")
    assert "--board reed-matrix-gpio --port 8080" in layout.options.read_text()
    assert port_in(layout.options.read_text()) == 8080
    assert "DeviceAllow=char-gpiochip rw" in (layout.drop_ins / "board.conf").read_text()
    assert not (layout.drop_ins / "network.conf").exists()
    locked, pip = (i for i, line in enumerate(machine.commands) if "pip install" in line)
    assert "--require-hashes" in machine.commands[locked]
    assert "/locks/gpio.txt" in machine.commands[locked]
    assert machine.commands[pip].endswith("touchmove==1")
    assert pip < machine.commands.index("systemctl restart touchmove.service")


def test_an_installation_that_fails_leaves_the_one_before(tmp_path: Path, healthy: list[bool]) -> None:
    del healthy
    assert Machine(tmp_path).installer.install(ORDER, parts_folder())
    broken = Machine(tmp_path, fails="pip install")
    with pytest.raises(InputError, match="pip install"):
        broken.installer.install(ORDER, parts_folder())
    assert [path.name for path in broken.layout.versions.iterdir()] == ["1"]
    assert broken.layout.current.resolve().name == "1"


def test_an_upgrade_keeps_options_and_is_taken_back_if_it_is_not_well(tmp_path: Path, healthy: list[bool]) -> None:
    first = Machine(tmp_path)
    assert first.installer.install(ORDER, parts_folder())
    first.layout.options.write_text('TOUCHMOVE_OPTIONS="--board virtual --port 9000"\n')
    healthy[:] = [False]
    ticks = iter(range(0, 10**6, 10))
    second = Machine(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps.time, "monotonic", lambda: float(next(ticks)))
        assert not second.installer.install(Order("touchmove==2", (), None), parts_folder())
    assert second.layout.current.resolve().name == "1"
    assert not (second.layout.versions / "2").exists()
    assert "--port 9000" in second.layout.options.read_text()
    assert any("going back" in text for text in second.said)
    assert second.commands[-1] == "systemctl restart touchmove.service"


def test_only_the_newest_two_versions_stay(tmp_path: Path, healthy: list[bool]) -> None:
    del healthy
    for _ in range(4):
        machine = Machine(tmp_path)
        assert machine.installer.install(ORDER, parts_folder())
    assert sorted(path.name for path in machine.layout.versions.iterdir()) == ["3", "4"]


@pytest.mark.parametrize("purge", [False, True])
def test_uninstalling_keeps_the_games_unless_told_otherwise(tmp_path: Path, purge: bool, healthy: list[bool]) -> None:
    del healthy
    machine = Machine(tmp_path)
    assert machine.installer.install(ORDER, parts_folder())
    game = machine.layout.state / "games/one.pgn"
    game.parent.mkdir(parents=True)
    game.write_text("1. e4 *")
    machine.installer.uninstall(purge)
    for path in (machine.layout.unit, machine.layout.rules, machine.layout.opt, machine.layout.drop_ins):
        assert not path.exists()
    assert game.exists() is machine.layout.options.exists() is not purge


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--board", "wood"], "got wood"),
        (["--board", "virtual --host 0.0.0.0"], "without spaces and signs"),
        (["--board", "$(reboot)"], "without spaces and signs"),
        ([], "expected --board, since nobody can be asked here"),
    ],
)
def test_a_board_that_cannot_be_is_refused_before_anything_is_done(
    arguments: list[str],
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert expected in refusal(capsys, "install", *arguments, "--root", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_the_first_run_asks_which_board(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from board_driver.commands import install  # noqa: PLC0415

    class Person(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Person("2\n"))
    assert install._ask_board() == "serial"
    assert "1  virtual" in capsys.readouterr().out


@pytest.mark.parametrize("answer", ["", "\n", "99\n", "a board\n", "../../etc/passwd\n", "/etc/passwd\n"])
def test_an_answer_that_is_no_board_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, answer: str
) -> None:
    class Person(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Person(answer))
    assert main(["install", "--no-start", "--root", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("touchmove: ")
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())
