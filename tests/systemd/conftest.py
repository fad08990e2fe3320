"""Wheels for machines without a network, collected once."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from board_driver.installing.locking import locked_install
from tests.systemd.container import PYTHON

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of touchmove's wheel and all that the service needs, as the lock names it."""
    given = os.environ.get("TOUCHMOVE_WHEELS")
    if given:
        return Path(given)
    folder = tmp_path_factory.mktemp("wheels")
    for what in (locked_install(()), ["--no-deps", str(ROOT)]):
        command = [PYTHON, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(folder), *what]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        if built.returncode:
            pytest.skip(f"needs the network to collect wheels: {built.stderr.strip().splitlines()[-1:]}")
    return folder


@pytest.fixture(scope="session")
def broken_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The next version as a wheel: it changes the journal's tables, starts, and is not well."""
    folder, source = tmp_path_factory.mktemp("broken"), tmp_path_factory.mktemp("source")
    packed = subprocess.run(
        ["tar", "-C", str(ROOT), "--exclude=./.*", "--exclude=./build", "--exclude=./tests", "-cf", "-", "."],
        capture_output=True,
        check=True,
    )
    subprocess.run(["tar", "-C", str(source), "-xf", "-"], input=packed.stdout, check=True)
    for file, old, new in (
        ("pyproject.toml", 'version = "0.1.0"', 'version = "0.2.0"'),
        ("board_driver/vitals.py", '"ok": not trouble', '"ok": False'),
        (
            "board_driver/store/schema.py",
            "\n)\nVERSION",
            '\n    ("ALTER TABLE chapter ADD COLUMN fish TEXT",),\n)\nVERSION',
        ),
    ):
        path = source / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} has changed: {old!r} is not in it"
        path.write_text(text.replace(old, new), encoding="utf-8")
    command = [PYTHON, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode:
        pytest.skip(f"needs the network to build a wheel: {built.stderr.strip().splitlines()[-1:]}")
    return next(folder.glob("*.whl"))
