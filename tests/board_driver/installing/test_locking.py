"""The lock against the project that it is for, and against what is installed here."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from board_driver.installing.locking import LOCKS, Pin, lock_files, locked_install, read_lock

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = ("gpio", "spi", "i2c", "hd44780", "oled")
NEEDED = {"hd44780": {"rplcd"}, "oled": {"luma-oled", "luma-core", "pillow", "cbor2"}}
"""What the locks of displays hold; the bus is in that of `i2c`, which always goes with them."""
REQUIREMENT = re.compile(r"([\w.-]+)((?:[<>=!~]=?[\w.]+,?)*)")


def pins(*extras: str) -> dict[str, Pin]:
    found = [pin for path in lock_files(extras) for pin in read_lock(path.read_text(encoding="utf-8"))]
    return {canonical(pin.name): pin for pin in found}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def allows(specifiers: str, version: str) -> bool:
    """Whether `>=3.9,<4` allows that version; only the comparisons that are in use."""
    for sign, bound in re.findall(r"([<>=!~]=?)\s*([\w.]+)", specifiers):
        one, other = numbers(version), numbers(bound)
        if sign == "~=" and not (one >= other and one[: len(other) - 1] == other[:-1]):
            return False
        if sign in (">=", "<", "<=", ">") and not eval(f"one {sign} other"):
            return False
        if sign == "==" and one[: len(other)] != other:
            return False
    return True


def asked_for(extras: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    project = PROJECT["project"]
    lines = [*project["dependencies"], *PROJECT["build-system"]["requires"]]
    lines += [line for extra in extras for line in project["optional-dependencies"][extra]]
    for line in lines:
        found = REQUIREMENT.fullmatch(line)
        assert found is not None, line
        yield canonical(found[1]), found[2]


def test_every_dependency_is_locked_at_a_version_that_the_project_allows() -> None:
    locked = pins(*EXTRAS)
    for name, specifiers in asked_for(EXTRAS):
        assert name in locked, f"{name} is not locked: run .ci/lock"
        assert allows(specifiers, locked[name].version), f"{name} {locked[name].version}: run .ci/lock"


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_lock_of_an_extra_holds_it_and_nothing_else(extra: str) -> None:
    asked = {name for name, _ in asked_for((extra,))} - {n for n, _ in asked_for(())}
    assert set(pins(extra)) - set(pins()) == NEEDED.get(extra, asked)
    assert asked <= NEEDED.get(extra, asked) | set(pins("i2c"))


def test_what_the_dependencies_themselves_need_is_locked() -> None:
    """As far as they are installed here, which says what they need."""
    locked, seen = pins(*EXTRAS), 0
    for name in locked:
        try:
            needed = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        seen += 1
        for line in needed:
            name_needed, _, marker = line.partition(";")
            if marker:
                continue  # what only some need is for `pip check`, which every installation does
            found = re.match(r"[\w.-]+", name_needed)
            assert found is not None, line
            assert canonical(found[0]) in locked, f"{name} needs {line}: run .ci/lock"
    assert seen >= 5


def test_every_pin_has_hashes_each_once() -> None:
    for pin in pins(*EXTRAS).values():
        assert len(pin.hashes) >= 1
        assert len(set(pin.hashes)) == len(pin.hashes)


def test_what_is_compiled_has_hashes_for_many_machines() -> None:
    """A wheel for each Python, each kind of processor, and the source for the rest."""
    locked = pins(*EXTRAS)
    for name in ("aiohttp", "msgspec", "pyyaml", "frozenlist", "multidict", "propcache", "yarl"):
        assert len(locked[name].hashes) > 20, name


def test_pip_is_told_to_take_nothing_else() -> None:
    words = locked_install(["spi"])
    assert words[0] == "--require-hashes"
    assert [Path(word).name for word in words[2::2]] == ["service.txt", "spi.txt"]
    assert all(path.is_file() for path in lock_files(EXTRAS))
    assert sorted(path.stem for path in LOCKS.glob("*.txt")) == sorted(["service", *EXTRAS])


@pytest.mark.parametrize("line", ["aiohttp>=3", "aiohttp==3", "    --hash=sha256:12", "    --hash=md5:1234", "-e ."])
def test_a_line_that_is_no_pin_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="line 1: expected a pin or a hash"):
        read_lock(line)
