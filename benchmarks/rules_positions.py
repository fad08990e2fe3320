"""What the rules are measured on: positions of real games, random play, and the usual test positions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import chess

from rules.fen import START_FEN
from rules.position import Army, Position
from rules.side import side_of
from rules.squares import Colour

GAMES = Path(__file__).parent.parent / "tests" / "data" / "games.txt"
"""One game a line, tab-separated; see `board_driver.simulate.gamefile`."""

LONGEST_RANDOM_GAME = 120

PERFTS = {
    "start, depth 4": (START_FEN, 4),
    "Kiwipete, depth 3": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    "position 3, depth 4": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
    "position 4, depth 3": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
    "position 5, depth 3": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
    "position 6, depth 3": ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3),
}


def games(count: int) -> list[list[str]]:
    """The moves of the first ordinary games from the usual start, in UCI."""
    rows = (line.split("\t") for line in GAMES.read_text(encoding="utf-8").splitlines() if line.strip())
    ordinary = (moves.split() for _, _, start, chess960, moves in rows if start == "-" and chess960 == "0")
    return [moves for _, moves in zip(range(count), ordinary, strict=False)]


def game_boards(count: int = 5) -> list[chess.Board]:
    """Every position of some games, without the moves before it."""
    boards = []
    for moves in games(count):
        board = chess.Board()
        for text in moves:
            boards.append(board.copy(stack=False))
            board.push_uci(text)
        boards.append(board.copy(stack=False))
    return boards


def random_boards(seed: int) -> Iterator[chess.Board]:
    """Positions of random play, without end, and hardly one of them twice."""
    rng = Random(seed)
    while True:
        board = chess.Board()
        for _ in range(LONGEST_RANDOM_GAME):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            if board.fullmove_number > 4:  # before that they repeat
                yield board.copy(stack=False)


def ours(boards: list[chess.Board]) -> list[Position]:
    """The same positions, new ones each time, that know nothing of themselves yet.

    They are not read from FEN, as reading looks for checks, and that fills tables.
    """
    return [_position(board) for board in boards]


def _position(board: chess.Board) -> Position:
    turn = Colour.WHITE if board.turn else Colour.BLACK
    us, them = _army(board, board.turn), _army(board, not board.turn)
    takers = board.ep_square is not None and chess.BB_PAWN_ATTACKS[not board.turn][board.ep_square] & us[0]
    ep = chess.BB_SQUARES[board.ep_square] if board.ep_square is not None and takers else 0
    white, black = (us, them) if board.turn else (them, us)
    side = side_of(turn, white[4], black[4], board.castling_rights, board.chess960)
    return Position.of(us, them, side, ep, halfmove_clock=board.halfmove_clock, ply=board.ply())


def _army(board: chess.Board, white: bool) -> Army:
    men = board.occupied_co[white]
    diagonal, straight = board.bishops | board.queens, board.rooks | board.queens
    return board.pawns & men, board.knights & men, diagonal & men, straight & men, board.kings & men, men
