"""What an engine says, and what it may be asked when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_driver.players.uci import Answer, Limits, Phase, Search, Session, Times
from board_driver.players.ucilines import (
    LINE_LIMIT,
    BestMove,
    Info,
    Lines,
    Message,
    Named,
    Option,
    ReadyOk,
    UciOk,
    parse,
)
from rules.fen import START_FEN

ONE = Search(START_FEN, (), Limits(nodes=100))
TWO = Search(START_FEN, ("e2e4",), Limits(depth=3))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("id name Stockfish 15.1", Named("Stockfish 15.1")),
        ("id author the developers", None),
        ("uciok", UciOk()),
        ("readyok", ReadyOk()),
        ("option name Skill Level type spin default 20 min 0 max 20", Option("Skill Level", "spin", 0, 20)),
        ("option name Clear Hash type button", Option("Clear Hash", "button")),
        ("option name Style type combo default Normal var Solid var Normal", Option("Style", "combo")),
        ("option name SyzygyPath type string default <empty>", Option("SyzygyPath", "string")),
        ("option type spin", None),
        ("option", None),
        ("bestmove e2e4 ponder e7e5", BestMove("e2e4")),
        ("bestmove e7e8Q", BestMove("e7e8q")),
        ("bestmove (none)", BestMove(None)),
        ("bestmove 0000", BestMove(None)),
        ("bestmove", None),
        ("bestmove Nf3", None),
        ("info depth 20 score cp -31 lowerbound nodes 1 pv e2e4", Info(-31, None)),
        ("info depth 20 score mate 3 pv e2e4", Info(None, 3)),
        ("info depth 20 score", None),
        ("info string score cp", None),
        ("", None),
        ("Stockfish 15.1 by the Stockfish developers (see AUTHORS file)", None),
    ],
)
def test_lines_are_read(line: str, message: Message | None) -> None:
    assert parse(line) == message


@given(st.text(max_size=200))
def test_no_line_hurts(line: str) -> None:
    parse(line)
    parse("option " + line)
    parse("info score cp " + line)
    parse("bestmove " + line)


@given(st.lists(st.binary(max_size=40)), st.integers(1, 7))
def test_lines_come_out_the_same_however_the_bytes_are_cut(pieces: list[bytes], size: int) -> None:
    whole = b"\n".join(pieces) + b"\n"
    once, cut = Lines(), Lines()
    chunks = [whole[i : i + size] for i in range(0, len(whole), size)]
    assert list(once.feed(whole)) == [line for chunk in chunks for line in cut.feed(chunk)]


def test_a_line_without_end_is_not_kept() -> None:
    lines = Lines()
    for _ in range(50):
        assert list(lines.feed(b"x" * LINE_LIMIT)) == []
    assert list(lines.feed(b"\nuciok\r\n")) == ["uciok"]


def sent(session: Session) -> list[str]:
    return session.take().decode().splitlines()


def ready(wishes: dict[str, str] | None = None, options: bytes = b"") -> Session:
    session = Session(wishes or {})
    assert sent(session) == ["uci"]
    session.receive(b"id name X\n" + options + b"uciok\nreadyok\n")
    return session


def test_a_conversation() -> None:
    session = ready()
    assert (session.name, session.phase) == ("X", Phase.IDLE)
    assert sent(session) == ["ucinewgame", "isready"]
    session.ask(TWO)
    assert sent(session) == [f"position fen {START_FEN} moves e2e4", "go depth 3"]
    assert session.receive(b"info score cp 20\nbestmove e7e5\n") == [Answer(TWO, "e7e5", Info(20, None))]


def test_a_search_asked_for_early_waits_until_the_engine_is_ready() -> None:
    session = Session({})
    session.ask(ONE)
    assert sent(session) == ["uci"]
    session.receive(b"uciok\n")
    assert sent(session) == ["ucinewgame", "isready"]
    session.receive(b"readyok\n")
    assert sent(session) == [f"position fen {START_FEN}", "go nodes 100"]


def test_the_late_answer_to_a_search_no_longer_wanted_is_nobodys() -> None:
    session = ready()
    session.ask(ONE)
    sent(session)
    session.ask(TWO)
    assert sent(session) == ["stop"], "the next search waits for the answer that is owed"
    assert session.receive(b"bestmove d2d4\n") == []
    assert sent(session)[1] == "go depth 3"
    assert session.receive(b"bestmove c7c5\n") == [Answer(TWO, "c7c5", None)]
    assert session.receive(b"bestmove c7c5\n") == [], "nothing was asked"


def test_another_game_is_announced_as_one() -> None:
    """So that what an engine remembers of one game does not tell in the next: the same game gives the same moves."""
    session = ready()
    sent(session)
    for moves, is_new in [((), False), (("e2e4", "e7e5"), False), (("e2e4",), False), (("d2d4",), True)]:
        session.ask(Search(START_FEN, moves, Limits(depth=1)))
        assert ("ucinewgame" in sent(session)) is is_new, moves
        session.receive(b"readyok\nbestmove a2a3\n")


def test_a_search_may_be_withdrawn_and_hurried() -> None:
    session = ready()
    session.ask(ONE)
    session.hurry()
    assert sent(session)[-1] == "stop"
    assert session.receive(b"bestmove d2d4\n") == [Answer(ONE, "d2d4", None)]
    session.ask(TWO)
    session.withdraw()
    session.hurry()
    assert sent(session)[-1] == "stop"
    assert session.receive(b"bestmove c7c5\n") == []
    assert session.phase is Phase.IDLE


def test_only_options_there_are_are_set_and_within_their_range() -> None:
    options = (
        b"option name Hash type spin default 16 min 1 max 32\n"
        b"option name UCI_Elo type spin default 1320 min 1320 max 3190\n"
        b"option name UCI_LimitStrength type check default false\noption name Ponder type check default true\n"
    )
    session = ready({"Threads": "2", "hash": "64", "UCI_LimitStrength": "true", "UCI_Elo": "900"}, options)
    assert sent(session) == [
        "setoption name Ponder value false",
        "setoption name Hash value 32",
        "setoption name UCI_LimitStrength value true",
        "setoption name UCI_Elo value 1320",
        "ucinewgame",
        "isready",
    ]
    assert session.remarks == [
        "it has no option Threads",
        "hash is 32 instead of 64, since it takes 1 to 32",
        "UCI_Elo is 1320 instead of 900, since it takes 1320 to 3190",
    ]


@pytest.mark.parametrize(
    ("limits", "line"),
    [
        (Limits(), "go"),
        (Limits(depth=5, nodes=9, movetime_ms=100), "go depth 5 nodes 9 movetime 100"),
        (Limits(times=Times(300_000, -5, 2000, 3000)), "go wtime 300000 btime 1 winc 2000 binc 3000"),
        (Limits(times=Times(1, 2, 0, 0, 40), nodes=3), "go wtime 1 btime 2 winc 0 binc 0 movestogo 40 nodes 3"),
    ],
)
def test_limits(limits: Limits, line: str) -> None:
    assert limits.line() == line


@given(st.lists(st.sampled_from([
    b"uciok\n", b"readyok\n", b"bestmove e2e4\n", b"bestmove (none)\n", b"info score cp 1\n", b"id name a\n", b"uc",
    b"iok\n", b"\xff\n", "ask", "withdraw", "hurry", "take",
])))  # fmt: skip
def test_whatever_comes_in_whatever_order_every_answer_is_to_what_was_asked_last(steps: list[bytes | str]) -> None:
    session = Session({})
    asked: list[Search] = []
    for number, step in enumerate(steps):
        if isinstance(step, bytes):
            for answer in session.receive(step):
                assert answer.search is asked[-1]
                asked.append(Search("answered", (), Limits()))
        elif step == "ask":
            asked.append(Search(str(number), (), Limits()))
            session.ask(asked[-1])
        elif step == "withdraw":
            asked.append(Search("withdrawn", (), Limits()))
            session.withdraw()
        elif step == "hurry":
            session.hurry()
        else:
            session.take()
