"""Installing below a folder of the test's own, with the commands written down instead of carried out."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from board_driver.inputerror import InputError
from board_driver.installing.journalcopy import JournalCopy
from board_driver.installing.layout import Layout
from board_driver.installing.steps import Installer, Order
from board_driver.store.journal import Journal
from board_driver.store.state import JOURNAL
from tests.board_driver.store.lives import PLAY, shown, write_chapter

PARTS = Path(__file__).parents[3] / "systemd"


class Machine:
    """Writes commands down; those with `failing` among their words fail."""

    def __init__(self, root: Path) -> None:
        self.layout = Layout(root)
        self.commands: list[str] = []
        self.said: list[str] = []
        self.failing = ""
        self.installer = Installer(self.layout, self.said.append, self.run)

    def run(self, command: Sequence[str]) -> str:
        line = " ".join(map(str, command))
        self.commands.append(line)
        if "-m venv" in line:
            Path(command[-1]).mkdir(parents=True)
        if self.failing and self.failing in line:
            raise InputError(f"{line}: failed")
        return ""

    def pip(self) -> list[str]:
        return [line.partition("-m pip ")[2] for line in self.commands if "-m pip " in line]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def an_order(**more: object) -> Order:
    return Order("/src", ("spi",), "virtual", **more)  # type: ignore[arg-type]


def test_dependencies_come_by_the_lock_and_the_program_without_any(machine: Machine) -> None:
    assert machine.installer.install(an_order(start=False), PARTS)
    first, second, check = machine.pip()
    assert first.startswith("install --quiet --disable-pip-version-check --require-hashes --requirement ")
    assert first.endswith("/locks/spi.txt")
    assert second.endswith("--no-deps --no-build-isolation /src")
    assert check.startswith("check")


def test_a_folder_of_wheels_is_taken_as_it_is(machine: Machine) -> None:
    machine.installer.install(an_order(start=False, wheels=Path("/wheels")), PARTS)
    assert machine.pip()[0].endswith("--no-index --find-links /wheels /src[spi]")


def test_unlocked_is_what_the_index_has(machine: Machine) -> None:
    machine.installer.install(an_order(start=False, locked=False), PARTS)
    assert machine.pip()[0].endswith("--disable-pip-version-check /src[spi]")


@pytest.mark.parametrize("failing", ["--require-hashes", "--no-deps", "pip check", "touchmove version"])
def test_what_cannot_be_built_leaves_the_version_that_is_there(machine: Machine, failing: str) -> None:
    machine.installer.install(an_order(start=False), PARTS)
    machine.failing = failing
    with pytest.raises(InputError):
        machine.installer.install(an_order(start=False), PARTS)
    assert [path.name for path in machine.layout.versions.iterdir()] == ["1"]
    assert machine.layout.current.readlink().name == "1"


def test_a_version_that_does_not_start_is_taken_back_with_unit_options_and_journal(machine: Machine) -> None:
    layout = machine.layout
    machine.installer.install(an_order(start=False), PARTS)
    layout.unit.write_text("the unit of before")
    options = layout.options.read_text()
    layout.state.mkdir(parents=True)
    summary = write_chapter(layout.state / JOURNAL, shown("e2e4", "e7e5"))
    journal = layout.state / JOURNAL

    def run(command: Sequence[str]) -> str:
        if list(command)[:2] == ["systemctl", "restart"] and layout.current.readlink().name == "2":
            with closing(sqlite3.connect(journal)) as database:  # what a newer version does
                database.execute("ALTER TABLE chapter ADD COLUMN fish TEXT")
                database.execute("PRAGMA user_version = 99")
            raise InputError("it does not start")
        return machine.run(command)

    installer = Installer(layout, machine.said.append, run)
    assert not installer.install(Order("/src", (), None), PARTS)
    assert layout.current.readlink().name == "1"
    assert [path.name for path in layout.versions.iterdir()] == ["1"]
    assert layout.unit.read_text() == "the unit of before"
    assert layout.options.read_text() == options
    assert any("going back" in line for line in machine.said)
    chapter = Journal(journal).last()
    assert chapter is not None
    assert [e["uci"] for row in chapter.rows for e in row.rulings if e["event"] == "move"] == summary["uci"]
    assert (layout.state / f"{JOURNAL}.newer").exists()


def test_a_journal_whose_tables_stayed_is_left_alone(tmp_path: Path) -> None:
    write_chapter(tmp_path / JOURNAL, shown("e2e4"))
    copy = JournalCopy(tmp_path, tmp_path)
    copy.take()
    journal = Journal(tmp_path / JOURNAL)
    journal.begin(PLAY, 0)
    journal.close()
    assert not copy.put_back()
    assert len(Journal(tmp_path / JOURNAL).chapters()) == 2
    assert (tmp_path / f"{JOURNAL}.before").stat().st_mode & 0o777 == 0o600
    copy.drop()
    assert not (tmp_path / f"{JOURNAL}.before").exists()


def test_where_there_is_no_journal_none_is_put_back(tmp_path: Path) -> None:
    copy = JournalCopy(tmp_path, tmp_path)
    copy.take()
    assert not copy.put_back()
    assert not (tmp_path / JOURNAL).exists()


def test_a_profile_of_ones_own_is_kept_where_the_service_may_read_it(machine: Machine, tmp_path: Path) -> None:
    home = tmp_path / "home/pi"
    home.mkdir(parents=True)
    (home / "mine.yaml").write_text("name: Mine\n")
    (home / "mine.calibration.json").write_text("{}")
    machine.installer.install(Order("/src", (), str(home / "mine.yaml"), start=False), PARTS)
    kept = machine.layout.options.parent
    assert "--board /etc/touchmove/mine.yaml " in machine.layout.options.read_text()
    assert (kept / "mine.yaml").read_text() == "name: Mine\n"
    assert (kept / "mine.calibration.json").read_text() == "{}"
    machine.installer.install(Order("/src", (), None, start=False), PARTS)
    assert "--board /etc/touchmove/mine.yaml " in machine.layout.options.read_text(), "an upgrade keeps it"
    machine.installer.uninstall(purge=False)
    assert (kept / "mine.yaml").exists()
