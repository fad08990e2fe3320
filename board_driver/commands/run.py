"""`touchmove run`: the daemon, on a board and with its page."""

from __future__ import annotations

import argparse

_ABOUT = """\
Starts the daemon: it reads the board, rules on what the hands do (or only writes it
down), lights the squares, and serves a page for the browser, whose address it prints.
Stop it with Ctrl-C; the games are in the PGN file by then."""

_EXAMPLES = """\
examples:
  touchmove run                                  play on a virtual board in the browser
  touchmove run --time 5+3                       with a chess clock, moved on by the moves
  touchmove run --mode record --games ~/games    only write down, each game into a file of its own
  touchmove run --fen '4k3/P7/8/8/8/8/8/4K3 w - - 0 1'
  touchmove run --black stockfish:elo=1500       play against an engine, whose moves the lights show
  touchmove run --white stockfish:nodes=1000 --black stockfish:skill=3 --moves-itself
  touchmove run --board replay:game.jsonl        watch a recorded log on the page
  touchmove run --board myboard.yaml             a board of your own, wired as its profile says

exit status: 0 when stopped; 2 for a board, a position, a port or a file that cannot be had"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command."""
    parser = subparsers.add_parser(
        "run",
        help="start the daemon and its page (no hardware needed: the board can be virtual)",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_board_options(parser)
    add_page_options(parser)
    parser.set_defaults(run=run)


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which board, and how a game on it is read."""
    board = parser.add_argument_group("board and game")
    board.add_argument(
        "--board",
        metavar="BOARD",
        default="virtual",
        help="virtual (in the browser, the default), replay:FILE, serial (a microcontroller, looked for), serial:PORT, "
        "text:PROFILE, text:PROFILE@PORT, or a board wired to this computer: its profile FILE.yaml, or a name of "
        "`touchmove profile list`",
    )
    board.add_argument("--capture", metavar="FILE", help="record all that passes on the wire (serial boards only)")
    board.add_argument("--mode", metavar="MODE", help="play (rule on every touch) or record (only write down)")
    board.add_argument("--ruleset", metavar="NAME", help="fide, rapid, blitz, club3 or traditional")
    board.add_argument("--touch", metavar="RULE", help="the touch-move rule in play mode: strict, friendly or off")
    board.add_argument("--lights", metavar="WHICH", help="all, faults-only (for rated play) or none")
    board.add_argument("--fen", metavar="FEN", help="start from this position (quoted; virtual board only)")
    board.add_argument("--chess960", action="store_true", help="castling by the rules of Chess960, with --fen")
    board.add_argument("--speed", metavar="FACTOR", default="1", help="time runs this much faster (for a log)")
    board.add_argument("--language", metavar="CODE", help="what is said and shown of rulings: en or zh (Chinese)")
    board.add_argument("--voice", action="store_true", help="speak moves and rulings aloud (needs espeak-ng)")
    add_play_options(board)
    add_clock_options(parser.add_argument_group("chess clock (in play mode)"))
    add_player_options(parser.add_argument_group("players (in play mode)"))
    games = parser.add_argument_group("where games go (kept up to date while they are played)")
    where = games.add_mutually_exclusive_group()
    games.add_argument(
        "--tag",
        metavar="NAME=TEXT",
        action="append",
        default=[],
        help="White, Black, Event, Site or Round of the games, as in --tag White=Ann --tag Event='Club evening'",
    )
    where.add_argument("--pgn", metavar="FILE", help="all games of this run into one PGN file")
    games.add_argument(
        "--state",
        metavar="DIR",
        help="keep a journal there, so that after a power cut the game goes on, and the games too (in DIR/games)",
    )
    where.add_argument("--games", metavar="DIR", help="each game into a PGN file of its own in this folder")


def add_player_options(group: argparse._ArgumentGroup) -> None:
    """The options that say who plays."""
    player = "hand (a person at the board, the default), remote (somebody far away, by the API), or a UCI engine: "
    group.add_argument(
        "--white",
        metavar="PLAYER",
        help=f"{player}stockfish, or any other by name or path; after a colon elo=1500, skill=5 (0 to 20), nodes=…, "
        "depth=…, movetime=… (ms), threads=…, hash=… (MB), book=FILE (Polyglot), seed=…, takeback=no, draws=no",
    )
    group.add_argument("--black", metavar="PLAYER", help="the same for Black, as in --black stockfish:elo=1500")
    group.add_argument(
        "--follow-board",
        action="store_true",
        help="accept another move that is made on the board for such a player; otherwise it is to be taken back",
    )
    group.add_argument(
        "--moves-itself",
        action="store_true",
        help="let the virtual board carry out by itself what engines play; otherwise you do it, led by the lights",
    )


def add_play_options(group: argparse._ArgumentGroup) -> None:
    """The options about promotions, claims and games left alone."""
    group.add_argument(
        "--promotion",
        metavar="RULE",
        help="what a pawn becomes where nobody has said so: queen (at once, changeable until the press; the default), "
        "or ask (four squares are lit, and the game waits)",
    )
    group.add_argument("--claims", metavar="WHICH", help="draws that may be claimed are told or silent (FIDE 12.6)")
    group.add_argument(
        "--abandon", metavar="MINUTES", help="keep a game as abandoned when nothing was done for so long (0: never)"
    )


def add_clock_options(group: argparse._ArgumentGroup) -> None:
    """The options that say which chess clock is kept."""
    group.add_argument(
        "--time",
        metavar="CONTROL",
        help="keep a chess clock: 5+3 (minutes + seconds), '40/90+30, 30+30', '15 d10' (delay), '3 b2' (Bronstein), "
        "'hourglass 2', '5+3 vs 3+0' (odds), or none",
    )
    group.add_argument(
        "--press",
        action="store_true",
        default=None,
        help="a turn ends with a press of the clock (on the page, by its keys or by buttons), not with the made move",
    )
    group.add_argument("--clock-start", metavar="WHEN", help="what starts it: touch (the default), move or at-once")


def add_page_options(parser: argparse.ArgumentParser) -> None:
    """The options of the page's server."""
    page = parser.add_argument_group("page")
    page.add_argument("--port", metavar="PORT", default="8080", help="the page's port (default 8080; 0: any free one)")
    page.add_argument(
        "--host",
        metavar="HOST",
        default="127.0.0.1",
        help="the address to listen on (default 127.0.0.1: this machine only; 0.0.0.0: anyone on the network may look, "
        "and control the board with the code that is told at the start)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Live until stopped by SIGINT or SIGTERM."""
    import asyncio

    from board_driver.sweeping import put_off

    with put_off():
        from board_driver.service import Plan, serve

        plan = Plan.from_arguments(arguments)
        asyncio.run(serve(plan))
    return 0
