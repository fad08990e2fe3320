"""A UCI engine that behaves as its first argument says: well, or badly in one of all the ways engines do.

It is run as a program of its own and uses nothing of the project. Its second argument is a file in which it counts how
often it was started, so that a mischief can stop after a few times; beside it, in `….go`, is how it was asked to think.
"""

import os
import sys
import time

MOVES = os.environ.get("SCRIPTED_MOVES", "").split()


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def starts(path: str) -> int:
    with open(path, "a+") as file:
        file.write("x")
        file.flush()
        file.seek(0)
        return len(file.read())


def main() -> None:
    way, _, limit = sys.argv[1].partition(":")
    count = starts(sys.argv[2])
    if limit and count > int(limit):
        way = "well"
    if way == "dies-at-start":
        sys.exit(3)
    if way == "mute":
        time.sleep(600)
    if way == "xboard":
        say("feature done=0 protover 2")
    plies = 0
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            if way == "xboard":
                say("Error (unknown command): uci")
                continue
            if way == "garbage":
                sys.stdout.buffer.write(b"\xff\xfe\x00 hello\r\n\r\noption name\noption\nid\nid name\n\x1b[31m\n")
                sys.stdout.buffer.write(b"x" * 200_000 + b"\n")
                say("info string " + "y" * 50_000)
            say("id name Scripted 1.0")
            say("id author nobody")
            say("option name Hash type spin default 16 min 1 max 32")
            say("option name UCI_LimitStrength type check default false")
            say("option name UCI_Elo type spin default 1500 min 1320 max 2850")
            say("uciok")
        elif words[0] == "isready":
            if way != "never-ready":
                say("readyok")
        elif words[0] == "position":
            plies = len(words) - words.index("moves") - 1 if "moves" in words else 0
        elif words[0] == "go":
            with open(sys.argv[2] + ".go", "a") as file:
                file.write(line)
            go(way, plies)
        elif words[0] == "stop" and way == "only-when-stopped":
            say(f"bestmove {MOVES[plies]}")
        elif words[0] == "quit" and way != "stays":
            return


def go(way: str, plies: int) -> None:
    move = MOVES[plies] if plies < len(MOVES) else "0000"
    if way in ("silent", "only-when-stopped"):
        return
    if way == "talks-for-ever":
        while True:
            say("info depth 1 score cp 0")
            time.sleep(0.01)
    if way == "dies-in-search":
        say("info depth 1 score cp 13")
        os._exit(1)
    if way == "killed":
        os.kill(os.getpid(), 9)
    if way == "illegal":
        move = "e1e8"
    if way == "nonsense":
        move = "castle please"
    if way == "none":
        move = "(none)"
    if way == "half-line":
        sys.stdout.write("info depth 1 score cp 5\nbestm")
        sys.stdout.flush()
        os._exit(0)
    if way == "garbage":
        say("info depth x score cp y pv")
        say("info score")
        say("bestmove")
        say("bestmove e9e4")
        say("info depth 12 score mate -3 nodes 1")
    if way == "twice":
        say(f"bestmove {move}")
    say(f"info depth 2 seldepth 3 multipv 1 score cp {os.environ.get('SCRIPTED_CP', '31')} nodes 77 pv {move}")
    say(f"bestmove {move} ponder a7a6")


main()
