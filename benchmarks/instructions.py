"""`python -m benchmarks.instructions`: how many machine instructions the rules need for what they do most.

Times vary by half here and now; instructions, counted by valgrind, by less than one in a hundred. So this guards
against getting slower: the counts are compared with those in `instructions.json`, and a few per cent more is a failure
(exit status 1). `--update` writes the counts as the new standard. Counts are good for one build of CPython only.

An operation is run N times in one process and 2N times in another; the difference, over N, is what one costs. Start-up
and the filling of tables cancel out.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import cast

from rules.fen import parse_fen, write_fen
from rules.inverse import by_change, leading_to, leading_to_in_two, occupancy_change
from rules.perft import perft, perft_played
from rules.position import Position
from rules.san import parse_san, sans, write_san
from rules.uci import parse_uci

STANDARD = Path(__file__).with_suffix(".json")
GAMES = Path(__file__).parent.parent / "tests" / "data" / "games.txt"
TOLERANCE = 0.03
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

Round = Callable[[int], int]
"""Does the operation in the round of that number, and says how many times."""


def _game_positions() -> list[Position]:
    """Every third position with a legal move of the first three ordinary games from the usual start."""
    rows = [line.split("\t") for line in GAMES.read_text(encoding="utf-8").splitlines()]
    found = []
    for row in [row for row in rows if row[2:4] == ["-", "0"]][:3]:
        position = Position.initial()
        for text in row[4].split():
            found.append(position)
            position = position.play(parse_uci(position, text))
    return found[::3]


_POSITIONS = _game_positions()


def _forget() -> None:
    """What positions have found out about themselves. (Cheaper than new ones, and so less of what is counted.)"""
    for position in _POSITIONS:
        position._moves = position._guard = None


def _each(question: Callable[[Position], object]) -> Round:
    def run(_: int) -> int:
        _forget()
        for position in _POSITIONS:
            question(position)
        return len(_POSITIONS)

    return run


def _with_move(question: Callable[..., object], choose: Callable[[Position], object]) -> Round:
    chosen = [choose(position) for position in _POSITIONS]

    def run(_: int) -> int:
        _forget()
        for position, thing in zip(_POSITIONS, chosen, strict=True):
            question(position, thing)
        return len(_POSITIONS)

    return run


def _some_move(position: Position) -> object:
    return Random(write_fen(position)).choice(sorted(position.legal_moves(), key=str))


def _some_square(position: Position) -> int:
    return parse_uci(position, str(_some_move(position))).origin


def _some_occupancy(position: Position) -> int:
    return position.occupied ^ occupancy_change(position, parse_uci(position, str(_some_move(position))))


def _occupancy_in_two(position: Position) -> int:
    after = position.play(parse_uci(position, str(_some_move(position))))
    return _some_occupancy(after) if after.legal_moves() else after.occupied


def _some_san(position: Position) -> str:
    return write_san(position, parse_uci(position, str(_some_move(position))))


def _index(position: Position) -> object:
    if hasattr(position, "_changes"):
        del position._changes
    return by_change(position)


def _plays(_: int) -> int:
    made = 0
    for position in _POSITIONS:
        for move in position.legal_moves():
            position.play(move)
            made += 1
    return made


def _random_play(number: int) -> int:
    """One random game of 60 plies, another each time: positions never seen."""
    rng = Random(number)
    position = Position.initial()
    for ply in range(60):
        moves = position.legal_moves()
        if not moves:
            return ply + 1
        position = position.play(moves[int(rng.random() * len(moves))])
    return 60


def _tree(count: Callable[[Position, int], int]) -> Round:
    return lambda _: count(parse_fen(KIWIPETE), 2)


OPERATIONS: dict[str, tuple[int, Callable[[], Round]]] = {
    "legal moves": (6, lambda: _each(Position.legal_moves)),
    "legal moves and a move, random play": (40, lambda: _random_play),
    "make a move": (1, lambda: _plays),
    "perft of Kiwipete, a leaf counted": (4, lambda: _tree(perft)),
    "perft of Kiwipete, a leaf played": (2, lambda: _tree(perft_played)),
    "destinations of one man": (12, lambda: _with_move(Position.destinations, _some_square)),
    "moves of one man": (12, lambda: _with_move(Position.moves_from, _some_square)),
    "is it checkmate?": (20, lambda: _each(Position.is_checkmate)),
    "is it stalemate?": (20, lambda: _each(Position.is_stalemate)),
    "SAN of one move": (12, lambda: _with_move(write_san, _some_move)),
    "SAN of all moves": (3, lambda: _each(sans)),
    "read SAN": (12, lambda: _with_move(parse_san, _some_san)),
    "write FEN": (12, lambda: _each(write_fen)),
    "read FEN": (12, lambda: _with_move(lambda _, fen: parse_fen(fen), write_fen)),
    "moves that leave an occupancy": (12, lambda: _with_move(leading_to, _some_occupancy)),
    "index of changes": (4, lambda: _each(_index)),
    "pairs of moves that leave an occupancy": (3, lambda: _with_move(leading_to_in_two, _occupancy_in_two)),
}
"""By name: rounds in the shorter run, and what makes a round."""


def count(name: str) -> int:
    """Instructions of one operation, by valgrind."""
    rounds, _ = OPERATIONS[name]
    (short, few), (long, many) = _run(name, rounds), _run(name, 2 * rounds)
    return round((long - short) / (many - few))


def _run(name: str, rounds: int) -> tuple[int, int]:
    """Instructions of a whole process, and how often it did the operation."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    command += [sys.executable, "-m", "benchmarks.instructions", "--run", name, str(rounds)]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    instructions = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    assert instructions is not None, done.stderr
    return int(instructions[1].replace(",", "")), int(done.stdout)


def _perform(name: str, rounds: int) -> int:
    # A warm-up, so that the shorter run has nothing to fill that the longer has not.
    gc.disable()  # when it strikes is chance
    run = OPERATIONS[name][1]()
    run(0)
    return sum(run(number + 1) for number in range(rounds))


def build() -> str:
    """What the counts depend on besides the code."""
    optimized = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    version, machine, compiler = platform.python_version(), platform.machine(), platform.python_compiler()
    return f"CPython {version} {machine} {compiler}{' optimized' if optimized else ''}"


def compare(names: list[str], update: bool) -> int:
    """Counts, prints and compares; the exit status."""
    written = json.loads(STANDARD.read_text(encoding="utf-8")) if STANDARD.exists() else {}
    standard = cast("dict[str, int]", written.get(build(), {}))
    slower = []
    for name in names:
        counted = count(name)
        before = standard.get(name)
        change = f"{counted / before - 1:+8.1%}" if before else "     new"
        print(f"{counted:10,d} {change}  {name}", flush=True)
        if before and counted > before * (1 + TOLERANCE):
            slower.append(name)
        if update:
            standard[name] = counted
    if update:
        written[build()] = standard
        STANDARD.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
        return 0
    if not standard:
        print(f"no counts to compare with for {build()}: `--update` writes them")
    if slower:
        print(f"more than {TOLERANCE:.0%} slower than {STANDARD.name} says: {', '.join(slower)}")
    return 1 if slower else 0


def main(arguments: list[str]) -> int:
    """`[--update] [NAME…]`: all operations, or those."""
    if arguments[:1] == ["--run"]:
        print(_perform(arguments[1], int(arguments[2])))
        return 0
    if shutil.which("valgrind") is None:
        print("expected valgrind, which counts the instructions: install it (apt install valgrind)", file=sys.stderr)
        return 2
    update = "--update" in arguments
    names = [name for name in arguments if name != "--update"]
    unknown = [name for name in names if name not in OPERATIONS]
    if unknown:
        print(f"expected some of {', '.join(OPERATIONS)}; got {unknown[0]!r}", file=sys.stderr)
        return 2
    return compare(names or list(OPERATIONS), update)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
