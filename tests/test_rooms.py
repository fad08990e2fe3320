"""Imports go one way, and the pure rooms stay pure."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("rules", "firmware_bridge", "board_driver")
VOCABULARY = {"rules.squares", "rules.pieces"}
PURE = (
    "rules",
    "board_driver/sensing",
    "board_driver/arbiter",
    "board_driver/recorder",
    "board_driver/lights/picture.py",
    "board_driver/lights/looks.py",
    "board_driver/scan.py",
    "board_driver/events.py",
    "board_driver/mind.py",
    "board_driver/gamerecord.py",
)
IMPURE = {
    "asyncio", "datetime", "glob", "http", "io", "logging", "multiprocessing", "os", "pathlib", "queue", "random",
    "secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time",
}  # fmt: skip


def imports(path: Path) -> set[str]:
    """The modules that a file imports, by full name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(module=str(module), level=0):
                found.add(module)
    return found


def sources(room: str) -> list[Path]:
    """The Python files of a package, a folder or a single module."""
    place = ROOT / room
    return [place] if place.is_file() else sorted(place.rglob("*.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_there(package: str) -> None:
    assert sources(package)


@pytest.mark.parametrize("path", sources("rules"), ids=lambda path: path.name)
def test_rules_needs_only_the_standard_library(path: Path) -> None:
    for module in imports(path):
        top = module.partition(".")[0]
        assert top == "rules" or top in sys.stdlib_module_names, f"{path.name} imports {module}"


@pytest.mark.parametrize("path", sources("firmware_bridge"), ids=lambda path: path.name)
def test_the_bridge_knows_none_of_the_laws(path: Path) -> None:
    for module in imports(path):
        top = module.partition(".")[0]
        assert top != "board_driver", f"{path.name} imports {module}"
        assert top != "rules" or module in VOCABULARY, f"{path.name} imports {module}"


@pytest.mark.parametrize(
    "path", [path for room in PURE for path in sources(room)], ids=lambda path: str(path.relative_to(ROOT))
)
def test_the_pure_rooms_do_no_io_and_read_no_clock(path: Path) -> None:
    for module in imports(path):
        assert module.partition(".")[0] not in IMPURE, f"{path.relative_to(ROOT)} imports {module}"
    names = {node.id for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Name)}
    assert not names & {"open", "print", "input"}, path
