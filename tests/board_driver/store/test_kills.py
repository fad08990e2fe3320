"""The short form of `python -m benchmarks.kills`: SIGKILL, cuts of the power and full disks in the middle of games."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks.kills_life import Told

ROOT = Path(__file__).parents[3]


def test_killed_daemons_lose_and_double_nothing() -> None:
    command = [sys.executable, "-m", "benchmarks.kills", "--kills", "8", "--seed", "5"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = re.match(r"(\d+) kills in (\d+) games .*: 0 moves lost, 0 doubled", done.stdout)
    assert found is not None, done.stdout
    assert int(found[1]) >= 8
    assert int(found[2]) >= 1


BEFORE = Told(("e2e4", "e7e5"), (900, 1200), "[]")


def test_the_check_itself_sees_what_is_lost_doubled_or_otherwise() -> None:
    assert BEFORE.goes_on(BEFORE)
    assert Told(("e2e4", "e7e5", "g1f3"), (900, 1200, 700), "[]").goes_on(BEFORE)
    assert not Told(("e2e4",), (900,), "[]").goes_on(BEFORE)
    assert not Told(("e2e4", "e7e5", "e7e5", "g1f3"), (900, 1200, 1, 1), "[]").goes_on(BEFORE)
    assert not replace(BEFORE, times_ms=(901, 1200)).goes_on(BEFORE)
    timed = replace(BEFORE, clocks_ms=(299_100, 298_800))
    assert replace(timed, clocks_ms=(299_100, 301_800)).goes_on(timed)
    assert not replace(timed, clocks_ms=(299_000, 298_800)).goes_on(timed)
    assert not Told(("d2d4", "e7e5"), (900, 1200), "[]").goes_on(BEFORE)
