"""The matrix through lgpio itself, on a fake GPIO chip that the test compiles and preloads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.electricity.shim import HERE, compile_shim, run_under, what_is_missing

MISSING = what_is_missing()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=MISSING or "")


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_shim(tmp_path_factory.mktemp("shim"))


def test_the_contract_and_more_hold_under_lgpio(shim: Path) -> None:
    done = run_under(shim, ["-m", "pytest", "-p", "no:cacheprovider", str(HERE / "under_shim.py")])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout
    assert "skipped" not in done.stdout


FIND = "from board_driver.boards.lgpiolines import find_chip; print(find_chip({}))"


@pytest.mark.parametrize(
    ("chips", "found"),
    [
        ("0:pinctrl-bcm2711:58", "gpiochip0 (pinctrl-bcm2711, 58 lines)"),
        ("0:gpio-brcmstb:32,4:pinctrl-rp1:54", "gpiochip4 (pinctrl-rp1, 54 lines)"),
        ("0:pinctrl-rp1:54,10:gpio-brcmstb:32,13:gpio-brcmstb:4", "gpiochip0 (pinctrl-rp1, 54 lines)"),
        ("3:somebody-elses:20", "gpiochip3 (somebody-elses, 20 lines)"),
    ],
)
def test_the_chip_of_the_header_is_found_whatever_its_number(shim: Path, chips: str, found: str) -> None:
    """GPIO-01 of field.jsonl."""
    done = run_under(shim, ["-c", FIND.format("None")], chips=chips)
    assert done.stdout.strip() == found, done.stderr


def test_chips_that_cannot_be_told_apart_are_all_named(shim: Path) -> None:
    done = run_under(shim, ["-c", FIND.format("None")], chips="0:one:8,1:two:8")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("OSError: none of the GPIO chips is known to be a pin header's")
    assert "gpiochip0 (one, 8 lines), gpiochip1 (two, 8 lines)" in last


def test_a_chip_that_is_not_there_is_told_with_those_that_are(shim: Path) -> None:
    done = run_under(shim, ["-c", FIND.format("7")])
    last = done.stderr.splitlines()[-1]
    assert last == "OSError: gpiochip7 is not there (seen: gpiochip0 (pinctrl-bcm2711, 58 lines))"


CLAIM = "from board_driver.boards.lgpiolines import LgpioLines; LgpioLines().inputs([16, 17, 18])"


def test_who_has_a_line_is_told(shim: Path) -> None:
    """GPIO-03 of field.jsonl."""
    done = run_under(shim, ["-c", CLAIM], busy="17:spi0 CS0")
    last = done.stderr.splitlines()[-1]
    assert last == "OSError: GPIO 17 is in use by spi0 CS0: end that, or wire another pin"
