"""`touchmove replay LOG…`: what happened in recorded sensor logs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from board_driver.gamerecord import GameRecord
    from board_driver.report import Overrides

_ABOUT = """\
Reads sensor logs, works out the games, and tells the score and every irregularity
with its law. Time is virtual: an hour of play takes a moment, and the same log
always gives the same account."""

_EXAMPLES = """\
examples:
  touchmove replay game.jsonl                    the account, for a person
  touchmove replay game.jsonl --mode play        the same log, ruled on by the arbiter
  touchmove replay *.jsonl.gz --pgn games.pgn    all games into one PGN file
  touchmove replay - --events < game.jsonl       everything decided, for a program

exit status: 0 when every log was read to its end, whatever was found in it;
2 for a log that cannot be read"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser(
        "replay",
        help="tell what happened in a recorded log: the score and the rulings",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("logs", metavar="LOG", nargs="+", help="a sensor log: JSON Lines, .gz, or - for standard input")
    parser.add_argument("--events", action="store_true", help="everything decided, one JSON object a line")
    parser.add_argument("--summary", action="store_true", help="how it stands at the end, one JSON object for each log")
    parser.add_argument("--pgn", metavar="FILE", help="write the games to FILE as PGN (- for standard output)")
    parser.add_argument("--mode", metavar="MODE", help="play (rule on every touch) or record (only write down)")
    parser.add_argument("--touch", metavar="RULE", help="the touch-move rule in play mode: strict, friendly or off")
    parser.add_argument("--ruleset", metavar="NAME", help="fide, rapid, blitz, club3 or traditional")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Replay every log; 0 when all were read to their end, otherwise 2."""
    from board_driver.sweeping import put_off, settle

    with put_off():
        from board_driver.progressbar import ProgressBar
        from board_driver.report import Wanted, report

    settle()
    overrides = _overrides(arguments)
    only_account = not (arguments.events or arguments.summary or arguments.pgn is not None)
    wanted = Wanted(arguments.events, arguments.summary, only_account)
    progress = ProgressBar(len(arguments.logs), sys.stderr)

    def say(line: str) -> None:
        progress.clear()
        print(line)

    def warn(line: str) -> None:
        progress.clear()
        print(f"touchmove: {line}", file=sys.stderr)

    games: list[GameRecord] = []
    status = 0
    for done, name in enumerate(arguments.logs):
        progress.step(done, name)
        replayed = report(name, wanted, overrides, say=say, warn=warn)
        games += replayed.games
        if replayed.problem is not None:
            sys.stdout.flush()
            warn(str(replayed.problem))
            status = 2
    progress.clear()
    if arguments.pgn is not None:
        _write(arguments.pgn, games)
    return status


def _overrides(arguments: argparse.Namespace) -> Overrides:
    from board_driver.inputerror import member_or_none, one_of
    from board_driver.mind import Mode, TouchRule
    from board_driver.report import Overrides
    from rules.ruleset import RULESETS

    return Overrides(
        member_or_none(Mode, "--mode", arguments.mode),
        member_or_none(TouchRule, "--touch", arguments.touch),
        one_of("--ruleset", arguments.ruleset, list(RULESETS)),
    )


def _write(file_name: str, games: Sequence[GameRecord]) -> None:
    from board_driver.store.pgnfile import pgn_text, write_games

    games = [game for game in games if game.plies] or games
    if not games:
        print(f"touchmove: no game to write, {file_name} is left as it is", file=sys.stderr)
    elif file_name == "-":
        print(pgn_text(games), end="")
    else:
        write_games(Path(file_name), games)
        print(f"touchmove: wrote {len(games)} game{'' if len(games) == 1 else 's'} to {file_name}", file=sys.stderr)
