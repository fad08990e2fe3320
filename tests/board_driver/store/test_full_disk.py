"""A start on a real disk that is full, or may only be read: the game goes on, and what is told waits for room."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
_NAMESPACE = ["unshare", "--mount"]
_MAY = os.geteuid() == 0 and subprocess.run([*_NAMESPACE, "true"], check=False, capture_output=True).returncode == 0
pytestmark = pytest.mark.skipif(not _MAY, reason="needs root and a mount namespace for a small disk of its own")

SCRIPT = """
import contextlib, os, subprocess, sys
from pathlib import Path
from board_driver.events import Moved
from board_driver.minds import make_mind
from board_driver.scan import Occupancy, Scan
from board_driver.store.journal import Journal
from board_driver.store.resume import give
from board_driver.store.state import State
from board_driver.store.kept import kept_log
from board_driver.store.archive import back_up
from tests.board_driver.store.lives import PLAY, shown

disk, how, clean = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "clean"
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], check=True)
if os.fork() == 0:  # a former life
    state = State(disk)
    mind = make_mind(PLAY)
    state.journal.begin(PLAY, 0)
    for item in shown("e2e4", "e7e5", "g1f3"):
        state.journal.keep(item, list(give(mind, item)))
    if clean:
        state.close()
    os._exit(0)
os.wait()
(disk / "journal.sqlite-shm").unlink(missing_ok=True)  # not there after a cut of the power
fill = disk / "fill"
if how == "full":
    descriptor = os.open(fill, os.O_WRONLY | os.O_CREAT)
    with contextlib.suppress(OSError):
        while True:
            os.write(descriptor, bytes(4096))
    os.close(descriptor)
else:
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)

state = State(disk)
found = state.resume(PLAY, make_mind)
assert found.resumed.mind.summary()["uci"] == ["e2e4", "e7e5", "g1f3"], state.remarks
journal = state.journal
assert journal is not None, state.remarks
journal.begin(PLAY, 9000, found.resumed.retold or ())
journal.keep(Scan(9999, Occupancy(5)), [Moved(9999, "Nc6", "b8c6", "8/8/8/8/8/8/8/8 w - - 0 1", 4, False)])
assert journal.trouble, "it was written all the same"
assert "sensorlog" in kept_log(disk)
backup = Path("/dev/shm") / f"backup-{os.getpid()}.tar.gz"
back_up(disk, backup)
backup.unlink()
print(journal.trouble)

if how == "full":
    fill.unlink()
else:
    subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
journal.retry()
assert not journal.trouble, journal.trouble
state.close()
chapter = Journal(disk / "journal.sqlite").last()
assert chapter.rows[-1].given.t_ms == 9999
assert [e["uci"] for row in chapter.rows for e in row.rulings if e["event"] == "move"][-1] == "b8c6"
"""


@pytest.mark.parametrize("clean", ["clean", "cut"])
@pytest.mark.parametrize(("how", "words"), [("full", "the disk"), ("read-only", "it ")])
def test_the_game_goes_on_and_is_kept_once_there_is_room(tmp_path: Path, how: str, words: str, clean: str) -> None:
    done = subprocess.run(
        [*_NAMESPACE, sys.executable, "-c", SCRIPT, str(tmp_path), how, clean],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith(words)
    assert done.stderr == ""
