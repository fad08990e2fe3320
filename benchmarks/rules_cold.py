"""The rules against python-chess, cold: on positions never seen before, and in processes that have seen nothing.

Tables that fill themselves flatter a warm run. Here they are filled as they go: `unseen` follows random play, which no
table can foresee; a fresh process starts with empty tables, and its CPU time is counted from its first position.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from statistics import median
from time import thread_time_ns

import chess

from benchmarks.duel import Duel, Run, Verdict
from benchmarks.rules_positions import game_boards, ours, random_boards
from rules.position import Position

FIRST = 1_500
"""So many positions of random play before the first round that counts."""
ROUND = 200
ROUNDS = 7
OUR_MODULES = "rules.position, rules.fen, rules.san, rules.uci, rules.inverse"


def duels() -> Iterator[Duel]:
    """What one process can measure."""
    boards = random_boards(seed=5)
    _expand_ours(ours(list(islice(boards, FIRST))))

    def prepare() -> tuple[Run, Run]:
        batch = list(islice(boards, ROUND))
        return partial(_expand_theirs, batch), partial(_expand_ours, ours(batch))

    yield Duel("random play: the legal moves, each made, never seen before", 3, prepare)


def _expand_theirs(boards: list[chess.Board]) -> None:
    for board in boards:
        for move in list(board.legal_moves):
            board.push(move)
            board.pop()


def _expand_ours(positions: list[Position]) -> None:
    for position in positions:
        for move in position.legal_moves():
            position.play(move)


# Fresh processes


def fresh() -> Iterator[Verdict]:
    """What needs a process for each measurement."""
    yield _fresh("fresh process: every position of five games, and all its children", 5.5, "children")
    yield _fresh("fresh process: every position of five games, once", 1.4, "once")
    yield _imports()


def _fresh(name: str, target: float, task: str) -> Verdict:
    ratios = [_spent("theirs", task) / _spent("ours", task) for _ in range(ROUNDS)]
    return Verdict(name, target, median(ratios), min(ratios), max(ratios))


def _spent(who: str, task: str) -> float:
    return float(_output([sys.executable, "-m", "benchmarks.rules_cold", who, task]))


def _imports() -> Verdict:
    """The import of all that a board needs of the rules, with bytecode, from an interpreter that is up."""
    ratios = []
    for _ in range(ROUNDS + 1):
        ratios.append(import_ms("chess") / import_ms(OUR_MODULES))
    return Verdict("import, with bytecode", 4, median(ratios[1:]), min(ratios[1:]), max(ratios[1:]))


def import_ms(modules: str) -> float:
    """CPU time of an import in a new process."""
    program = f"from time import process_time as t; a = t(); import {modules}; print((t() - a) * 1000)"
    return float(_output([sys.executable, "-c", program]))


def _output(command: list[str]) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def _main(who: str, task: str) -> None:
    boards = game_boards()
    gc.collect()
    gc.disable()
    if who == "theirs":
        begin = thread_time_ns()
        (_children_theirs if task == "children" else _once_theirs)(boards)
    else:
        positions = ours(boards)
        begin = thread_time_ns()
        (_children_ours if task == "children" else _once_ours)(positions)
    print((thread_time_ns() - begin) / 1e6)


def _once_theirs(boards: list[chess.Board]) -> None:
    for board in boards:
        list(board.legal_moves)


def _once_ours(positions: list[Position]) -> None:
    for position in positions:
        position.legal_moves()


def _children_theirs(boards: list[chess.Board]) -> None:
    for board in boards:
        for move in list(board.legal_moves):
            board.push(move)
            list(board.legal_moves)
            board.pop()


def _children_ours(positions: list[Position]) -> None:
    for position in positions:
        for move in position.legal_moves():
            position.play(move).legal_moves()


if __name__ == "__main__":
    _main(*sys.argv[1:])
