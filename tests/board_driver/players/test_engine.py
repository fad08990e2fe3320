"""Engines as processes: Stockfish, and a scripted one that misbehaves in every way there is."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from board_driver.inputerror import InputError
from board_driver.players.engine import TRIES, Chosen, Engine, EngineError, EngineGaveUpError, Patience
from board_driver.players.finding import find_engine
from board_driver.players.uci import Limits, Search
from rules.fen import START_FEN, parse_fen
from rules.uci import write_uci

SCRIPT = Path(__file__).with_name("scripted.py")
HASTE = Patience(starts_s=4.0, silence_s=1.0, longest_s=2.0, stop_s=1.0)
OPENING = Search(START_FEN, (), Limits(nodes=500))


def scripted(tmp_path: Path, way: str, moves: str = "e2e4 d2d4", cp: str = "31") -> Path:
    """A program of its own that behaves so; it counts its starts in `starts` beside it."""
    program = tmp_path / "engine"
    program.write_text(
        f"#!/bin/sh\nSCRIPTED_MOVES='{moves}' SCRIPTED_CP={cp} "
        f"exec {sys.executable} {SCRIPT} '{way}' {tmp_path / 'starts'}\n"
    )
    program.chmod(0o755)
    return program


def starts(tmp_path: Path) -> int:
    return len((tmp_path / "starts").read_text())


def told_by(program: Path, work: Callable[[Engine], Coroutine[Any, Any, None]], **options: Any) -> list[str]:
    """What an engine had to be complained about while `work` had it. It is closed in the end."""
    told: list[str] = []

    async def main() -> None:
        engine = Engine(program, options.get("wishes", {}), told.append, options.get("patience", HASTE))
        try:
            async with asyncio.timeout(30):
                await work(engine)
        finally:
            pid = engine.pid
            await engine.close()
            assert engine.pid is None
            if pid is not None:
                with pytest.raises(ProcessLookupError):
                    os.kill(pid, 0)

    asyncio.run(main())
    return told


async def chooses_e4(engine: Engine) -> None:
    chosen = await engine.choose(OPENING)
    assert write_uci(parse_fen(START_FEN), chosen.move) == "e2e4"


@pytest.mark.parametrize("way", ["well", "garbage", "twice", "only-when-stopped", "stays"])
def test_strange_engines_are_understood(way: str, tmp_path: Path) -> None:
    assert told_by(scripted(tmp_path, way), chooses_e4) == []
    assert starts(tmp_path) == 1


BAD = {
    "dies-at-start": "it ended by itself (exit status 3)",
    "mute": "it does not speak UCI, or is too slow to start",
    "xboard": "it does not speak UCI, or is too slow to start",
    "never-ready": "it does not speak UCI, or is too slow to start",
    "silent": "it says nothing any more",
    "talks-for-ever": "it says nothing any more",
    "dies-in-search": "it ended by itself (exit status 1)",
    "killed": "it ended by itself (signal 9)",
    "half-line": "it ended by itself (exit status 0)",
    "illegal": "it played e1e8, which is not legal",
    "nonsense": "it says nothing any more",
    "none": "it sees no move, though there is one",
}


@pytest.mark.parametrize("way", list(BAD))
def test_an_engine_that_fails_is_started_anew_and_asked_again(way: str, tmp_path: Path) -> None:
    times = 1 if "too slow to start" in BAD[way] else 2
    assert told_by(scripted(tmp_path, f"{way}:{times}"), chooses_e4) == [BAD[way]] * times
    assert starts(tmp_path) == times + 1


@pytest.mark.parametrize("way", ["dies-at-start", "dies-in-search", "illegal", "none"])
def test_an_engine_that_goes_on_failing_is_given_up(way: str, tmp_path: Path) -> None:
    async def work(engine: Engine) -> None:
        with pytest.raises(EngineGaveUpError):
            await engine.choose(OPENING)
        assert engine.failures == TRIES

    assert told_by(scripted(tmp_path, way), work) == [BAD[way]] * TRIES


def test_what_cannot_be_run_is_told(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_bytes(b"\x7fELF, but not really")
    program.chmod(0o755)

    async def work(engine: Engine) -> None:
        with pytest.raises(EngineError, match="cannot be started"):
            await engine.greet()

    told_by(program, work)


def test_a_search_that_is_cancelled_leaves_the_engine_ready_for_the_next(tmp_path: Path) -> None:
    async def work(engine: Engine) -> None:
        await engine.greet()
        pid = engine.pid
        search = asyncio.create_task(engine.choose(OPENING))
        await asyncio.sleep(0.1)  # it is thinking, and answers only when it is stopped
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        chosen = await engine.choose(Search(START_FEN, ("g1f3",), Limits(nodes=1)))
        assert chosen.answer.uci == "d7d5", "and not the answer to the search before"
        assert engine.pid == pid

    assert told_by(scripted(tmp_path, "only-when-stopped", "e2e4 d7d5"), work) == []


def test_a_search_that_is_cancelled_while_the_engine_greets_leaves_it_with_its_name(tmp_path: Path) -> None:
    async def work(engine: Engine) -> None:
        search = asyncio.create_task(engine.choose(OPENING))
        while engine.pid is None:
            await asyncio.sleep(0)
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        assert await engine.greet() == "Scripted 1.0"
        await chooses_e4(engine)

    assert told_by(scripted(tmp_path, "well"), work) == []
    assert starts(tmp_path) == 1


@pytest.mark.parametrize("turns", [0, 1, 2, 20])
def test_one_that_is_closed_while_others_wait_for_it_stays_away(turns: int, tmp_path: Path) -> None:
    async def work(engine: Engine) -> None:
        search = asyncio.create_task(engine.choose(OPENING))
        greeting = asyncio.create_task(engine.greet())
        for _ in range(turns):
            await asyncio.sleep(0)
        search.cancel()
        await engine.close()
        for waiting in (search, greeting):
            with pytest.raises((asyncio.CancelledError, EngineError)):
                await waiting
        assert engine.pid is None

    assert told_by(scripted(tmp_path, "well"), work) == []


def test_its_name_and_what_it_cannot_be_set_to(tmp_path: Path) -> None:
    async def work(engine: Engine) -> None:
        assert await engine.greet() == "Scripted 1.0"
        assert engine.remarks == [
            "it has no option Threads",
            "UCI_Elo is 1320 instead of 100, since it takes 1320 to 2850",
        ]

    told_by(scripted(tmp_path, "well"), work, wishes={"Threads": "1", "UCI_Elo": "100"})


# -- Stockfish


def stockfish() -> Path:
    try:
        return find_engine("stockfish")
    except InputError:
        pytest.skip("needs Debian's stockfish")


SETTINGS = {"Threads": "1", "Hash": "16", "Ponder": "false"}


def choices(searches: list[Search]) -> list[Chosen]:
    found: list[Chosen] = []

    async def work(engine: Engine) -> None:
        for search in searches:
            found.append(await engine.choose(search))
        assert engine.name.startswith("Stockfish")

    assert told_by(stockfish(), work, wishes=SETTINGS, patience=Patience()) == []
    return found


def test_stockfish_finds_mates_and_says_so() -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    mate, castles = choices([
        Search(fen, (), Limits(depth=3)),
        Search("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ("a1a8",), Limits(depth=3)),
    ])  # fmt: skip
    assert mate.answer.uci == "d8h4"
    assert mate.answer.info is not None
    assert mate.answer.info.mate == 1
    assert castles.move.origin == 60


def test_stockfish_with_one_thread_and_a_number_of_nodes_is_deterministic() -> None:
    search = Search(START_FEN, ("e2e4", "c7c5"), Limits(nodes=20_000))
    assert [chosen.move for chosen in choices([search])] == [chosen.move for chosen in choices([search])]
