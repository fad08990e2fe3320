"""Where a backup may go: into a file, and over nothing else."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from board_driver.store.archive import back_up
from board_driver.store.errors import StoreError


def test_what_is_no_file_is_left_as_it_is(tmp_path: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for target in (pipe, folder):
        with pytest.raises(StoreError, match="not a file"):
            back_up(tmp_path, target)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]


def test_a_folder_that_is_not_there_is_one_plain_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as refused:
        back_up(tmp_path, tmp_path / "missing" / "club.tar.gz")
    assert str(refused.value).endswith("got: No such file or directory")


def test_a_backup_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "one.pgn").write_text("1. e4 *\n")
    target = tmp_path / "club.tar.gz"
    assert [back_up(tmp_path, target) for _ in range(2)] == [1, 1]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
