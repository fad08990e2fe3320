"""`touchmove demo` plays to its end, shows what it promises, and prints a game that was really played."""

from __future__ import annotations

import asyncio
import io

import pytest

from board_driver.boards.table import Hand, Table
from board_driver.cli import main
from board_driver.demo.screen import HEIGHT, SIGNS, WIDTH, Frame, draw, lights_in_words
from board_driver.demo.script import GAME, acts, hands_of
from board_driver.demo.show import Show, can_draw, play
from board_driver.lights.picture import Meaning, Picture
from rules.fen import START_FEN, parse_fen
from rules.pgn import read_games
from rules.squares import parse_square
from rules.uci import parse_uci, write_uci

RATE = "200"


@pytest.fixture(scope="module")
def output() -> str:
    """The whole demonstration as text, played as fast as it goes."""
    out = io.StringIO()
    asyncio.run(play(Show(rate=float(RATE)), out))
    return out.getvalue()


def test_the_demonstration_shows_what_it_promises(output: str) -> None:
    for text in (
        "Another piece was touched first: the white knight on g1 must move (FIDE Laws 4.3.1)",
        "to put it right: White knight from c3 back to b1",
        "would leave the king in check",
        "Castle with the king first: the rook was touched before it (FIDE Laws 4.4.2)",
        "19. O-O",
        "33… e1=Q+",
        "RESULT 0-1: resignation",
        "lights: ",
    ):
        assert text in output


def test_it_ends_with_the_game_as_it_was_played(output: str) -> None:
    text = output[output.index("[Event ") :]
    (game,) = read_games(io.StringIO(text))
    position, ucis = game.start, []
    for ply in game.line:
        ucis.append(write_uci(position, ply.move))
        position = position.play(ply.move)
    assert ucis == GAME.split()
    assert game.result.value == "0-1"


def test_the_hands_make_every_kind_of_move() -> None:
    positions = {
        "e5d6": "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "e1g1": "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "a7b8q": "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
    }
    for uci, fen in positions.items():
        position = parse_fen(fen)
        move = parse_uci(position, uci)
        table = Table.set_up(position)
        for act in hands_of(position, move):
            match type(act).__name__:
                case "Lift":
                    after = table.lift(Hand.FIRST, act.square)  # type: ignore[union-attr]
                case "Put":
                    after = table.put(Hand.FIRST, act.square)  # type: ignore[union-attr]
                case _:
                    after = table.set_aside(Hand.FIRST)
            assert isinstance(after, Table)
            table = after
        assert table.occupied == position.play(move).occupied


def test_the_script_is_the_same_every_time() -> None:
    assert list(acts()) == list(acts())


def test_every_meaning_has_a_sign_so_that_colour_is_not_the_only_one() -> None:
    assert set(SIGNS) == set(Meaning)


def test_a_frame_fits_a_usual_terminal_and_shows_lights_by_sign_and_colour() -> None:
    table = Table.set_up(parse_fen(START_FEN))
    lit: Picture = {parse_square("e4"): Meaning.DESTINATION}
    dark = draw(Frame(table, {}, [], "White to move.", "", ""))
    bright = draw(Frame(table, lit, ["e4", "e5"] * 40, "White to move. " * 9, "Put it right. " * 5, "A story. " * 9))
    assert len(dark) <= HEIGHT
    assert len(bright) <= 24
    assert dark != bright
    assert sum("o" in _plain(line)[2:42] for line in bright) == 1
    assert all(len(_plain(line)) <= WIDTH for line in bright)


def _plain(line: str) -> str:
    return "".join(part.partition("m")[2] if index else part for index, part in enumerate(line.split("\x1b[")))


def test_a_pipe_or_a_dumb_terminal_gets_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("TERM", "xterm")
    assert can_draw(Terminal())
    assert not can_draw(io.StringIO())
    monkeypatch.setenv("COLUMNS", "60")
    assert not can_draw(Terminal())
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "dumb")
    assert not can_draw(Terminal())


def test_lights_in_words() -> None:
    picture = {20: Meaning.DESTINATION, 12: Meaning.OWED, 28: Meaning.DESTINATION}
    assert lights_in_words(picture) == "owed e2, destination e3 e4"


@pytest.mark.parametrize("options", [["--speed", "fast"], ["--speed", "-1"], ["--page", "--port", "many"]])
def test_bad_options_are_refused_in_one_line(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", *options]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
