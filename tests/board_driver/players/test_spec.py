"""Players as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.inputerror import InputError
from board_driver.players.finding import find_engine
from board_driver.players.spec import HAND, Kind, Player, read_player, write_player


def test_people_and_engines() -> None:
    assert read_player("--white", "hand") == HAND
    assert read_player("--white", " remote ") == Player(Kind.REMOTE)
    assert read_player("--black", "stockfish") == Player(Kind.ENGINE, "stockfish")
    player = read_player("--black", "/opt/my engine:elo=1500, movetime=200,book=b.bin,seed=3,takeback=no")
    assert player == Player(
        Kind.ENGINE, "/opt/my engine", elo=1500, movetime_ms=200, book="b.bin", seed=3, takeback=False
    )


numbers = st.one_of(st.none(), st.integers(1, 20))


@given(
    st.builds(
        Player,
        kind=st.just(Kind.ENGINE),
        program=st.sampled_from(["stockfish", "/usr/bin/x y"]),
        elo=numbers,
        skill=numbers,
        depth=numbers,
        nodes=numbers,
        movetime_ms=numbers,
        threads=numbers,
        hash_mb=numbers,
        book=st.sampled_from([None, "a b.bin"]),
        seed=numbers,
        takeback=st.booleans(),
        draws=st.booleans(),
    )
)
def test_what_is_written_reads_back(player: Player) -> None:
    assert read_player("x", write_player(player)) == player


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "hand, remote or an engine such as stockfish, got nothing"),
        ("hand:elo=3", "--white hand without settings"),
        ("stockfish:elo=0", "elo of --white to be a number from 1 to 4000, got 0"),
        ("stockfish:elo=x", "a number from 1 to 4000, got x"),
        ("stockfish:elo", "elo=…"),
        ("stockfish:ponder=yes", "settings of --white to be elo=…"),
        ("stockfish:takeback=perhaps", "got takeback=perhaps"),
        ("stockfish:book=", "got book="),
    ],
)
def test_what_cannot_be_read_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_player("--white", text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_strength_and_wishes() -> None:
    assert read_player("x", "stockfish:elo=1500").strength() == "1500"
    assert read_player("x", "stockfish:skill=3").strength() == "level 3"
    assert read_player("x", "stockfish").strength() == ""
    assert read_player("x", "stockfish:elo=1500,threads=2").wishes(chess960=True) == {
        "UCI_Chess960": "true", "Threads": "2", "UCI_LimitStrength": "true", "UCI_Elo": "1500",
    }  # fmt: skip


def test_an_engine_is_found_by_name_or_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "someengine"
    program.write_text("#!/bin/sh\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="chmod"):
        find_engine(str(program))
    program.chmod(0o755)
    assert find_engine("someengine") == program
    assert find_engine(str(program)) == program
    with pytest.raises(InputError, match="no such file"):
        find_engine(str(tmp_path / "other"))
    with pytest.raises(InputError, match="give its path"):
        find_engine("noengineofthatname")


def test_stockfish_is_found_where_debian_puts_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service's PATH does not have /usr/games."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("board_driver.players.finding.GAMES", (str(tmp_path / "games"),))
    with pytest.raises(InputError, match="sudo apt install stockfish"):
        find_engine("stockfish")
    (tmp_path / "games").mkdir()
    program = tmp_path / "games" / "stockfish"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_engine("stockfish") == program
