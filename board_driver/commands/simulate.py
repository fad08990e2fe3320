"""`touchmove simulate GAMES -o DIR`: sensor logs of games as simulated hands play them on a simulated board."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from board_driver.simulate import Simulated

NOISES = ("clean", "club", "rough", "blitz")
EXTRAS = ("takeback", "illegal", "gesture", "reset")
SENSINGS = ("occupancy", "colour", "field", "identity")

_ABOUT = """\
Plays the games of a file (PGN, or games.txt: id, result, FEN or -, 0 or 1 for
Chess960, moves in UCI, with tabs between) with simulated hands, and writes what
the sensors of a board would have reported: DIR/ID.jsonl, to be read by
`touchmove replay`, and DIR/ID.truth.json, what the hands really did and when.
The same games, noise, seed and options give the same files."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser(
        "simulate",
        help="make sensor logs of games, as hands and sensors of a chosen quality would",
        description=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="GAMES", help="the games to play")
    parser.add_argument("-o", "--out", metavar="DIR", required=True, help="where to write; made if it is not there")
    parser.add_argument("--noise", metavar="LEVEL", default="club", help=f"{', '.join(NOISES)} (default: club)")
    parser.add_argument("--seed", metavar="N", default="1", help="a whole number (default: 1)")
    parser.add_argument("--sensing", metavar="KIND", default="occupancy", help=f"{', '.join(SENSINGS)}")
    parser.add_argument("--games", metavar="K", help="only the first K games")
    parser.add_argument("--scan-hz", metavar="N", help="scans a second, 1 to 1000 (default: the level's own)")
    parser.add_argument("--extras", metavar="LIST", default="", help=f"with commas: {', '.join(EXTRAS)}")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the logs and say in one line what was written."""
    from board_driver.progressbar import ProgressBar
    from board_driver.scan import Sensing
    from board_driver.simulate import Extra, Level, simulate_game
    from board_driver.simulate.gamefile import read_games

    level = Level(_one_of("--noise", arguments.noise, NOISES))
    sensing = Sensing(_one_of("--sensing", arguments.sensing, SENSINGS))
    seed = _number("--seed", arguments.seed, 0, 2**63)
    scan_hz = None if arguments.scan_hz is None else _number("--scan-hz", arguments.scan_hz, 1, 1000)
    extras = {Extra(_one_of("--extras", word, EXTRAS)) for word in arguments.extras.split(",") if word}
    limit = None if arguments.games is None else _number("--games", arguments.games, 1, 10**6)
    games = read_games(Path(arguments.file), limit)
    folder = _made(Path(arguments.out))
    progress = ProgressBar(len(games), sys.stderr)
    for number, game in enumerate(games):
        progress.step(number, game.id)
        _write(simulate_game(game, level, seed, sensing=sensing, scan_hz=scan_hz, extras=extras), folder)
    progress.clear()
    print(f"{len(games)} {'game' if len(games) == 1 else 'games'} at {level.value}, seed {seed}: {folder}")
    return 0


def _write(simulated: Simulated, folder: Path) -> None:
    import json

    from board_driver.inputerror import InputError

    truth = f"{simulated.game.id}.truth.json"
    try:
        with (folder / f"{simulated.game.id}.jsonl").open("w", encoding="utf-8") as log:
            simulated.write_log(log, truth)
        (folder / truth).write_text(json.dumps(simulated.truth()) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder}: cannot write there ({error.strerror})") from None


def _made(folder: Path) -> Path:
    from board_driver.inputerror import InputError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: expected a directory to write to, cannot make it ({error.strerror})") from None
    return folder


def _one_of(option: str, text: str, choices: tuple[str, ...]) -> str:
    from board_driver.inputerror import InputError, shortened

    if text in choices:
        return text
    raise InputError(f"{option}: expected {', '.join(choices[:-1])} or {choices[-1]}, got {shortened(text)!r}")


def _number(option: str, text: str, least: int, most: int) -> int:
    from board_driver.inputerror import InputError, shortened

    if text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most:
        return int(text)
    raise InputError(f"{option}: expected a whole number from {least} to {most}, got {shortened(text)!r}")
