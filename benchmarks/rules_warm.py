"""The rules against python-chess, warm: on positions of real games that were met before, so that our tables are full.

The positions are new objects in every round: nothing that a position keeps about itself helps, but where a row says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import TypeVar

import chess

from benchmarks.duel import Duel, Run
from benchmarks.rules_positions import PERFTS, game_boards, games, ours
from rules.fen import parse_fen, write_fen
from rules.game import Game
from rules.move import Move
from rules.perft import perft, perft_played
from rules.position import Position
from rules.san import parse_san, sans, write_san
from rules.uci import parse_uci

Subject = TypeVar("Subject")
Thing = TypeVar("Thing")
Theirs = TypeVar("Theirs")
Ours = TypeVar("Ours")
Boards = list[chess.Board]

ROUNDS = 21
COPIES = 8
"""We are asked of so many copies of each position, lest our part of a round be too short to be a fair sample."""


def duels() -> Iterator[Duel]:
    """All rows, in the order of the table."""
    boards = game_boards()
    yield each("legal moves, as a list", 6.5, boards, lambda board: list(board.legal_moves), Position.legal_moves)
    yield _list_again(boards)
    yield from _one_man(boards)
    yield from _perfts()
    yield from _making_moves(boards)
    yield from _notation(boards)
    yield from _state(boards)
    yield _outcomes()


def ask(question: Callable[[Subject], object], subjects: list[Subject]) -> None:
    """One question to each."""
    for subject in subjects:
        question(subject)


def each(
    name: str,
    target: float,
    boards: Boards,
    theirs: Callable[[chess.Board], object],
    mine: Callable[[Position], object],
) -> Duel:
    """One question asked of every position."""

    def prepare() -> tuple[Run, Run]:
        own = [position for _ in range(COPIES) for position in ours(boards)]
        return partial(ask, theirs, boards), partial(ask, mine, own)

    return Duel(name, target, prepare, ROUNDS, COPIES)


def with_one(
    name: str,
    target: float,
    boards: Boards,
    choose: Callable[[chess.Board, Position], tuple[Theirs, Ours]],
    *,
    theirs: Callable[[chess.Board, Theirs], object],
    mine: Callable[[Position, Ours], object],
) -> Duel:
    """A question about one thing of every position, chosen beforehand: theirs and ours."""
    chosen = [choose(board, position) for board, position in zip(boards, ours(boards), strict=True)]

    def prepare() -> tuple[Run, Run]:
        peer = [(board, thing) for board, (thing, _) in zip(boards, chosen, strict=True)]
        own = [(p, thing) for _ in range(COPIES) for p, (_, thing) in zip(ours(boards), chosen, strict=True)]
        return partial(_ask_about, theirs, peer), partial(_ask_about, mine, own)

    return Duel(name, target, prepare, ROUNDS, COPIES)


def _ask_about(question: Callable[[Subject, Thing], object], subjects: list[tuple[Subject, Thing]]) -> None:
    for subject, thing in subjects:
        question(subject, thing)


def _list_again(boards: Boards) -> Duel:
    asked = 50

    def again(positions: list[Position]) -> None:
        for _ in range(asked):
            for position in positions:
                position.legal_moves()

    positions = ours(boards)
    again(positions)
    peer = partial(ask, lambda board: list(board.legal_moves), boards)
    name = "legal moves, asked again of the same position"
    return Duel(name, 200, lambda: (peer, partial(again, positions)), 9, asked)


# One man


def _some_man(board: chess.Board, _: Position) -> tuple[int, int]:
    square = Random(board.fen()).choice(list(chess.scan_forward(board.occupied_co[board.turn])))
    return square, square


def _their_destinations(board: chess.Board, square: int) -> int:
    reached = 0
    for move in board.generate_legal_moves(from_mask=chess.BB_SQUARES[square]):
        reached |= chess.BB_SQUARES[move.to_square]
    return reached


def _all_men(board: chess.Board, _: Position) -> tuple[list[int], list[int]]:
    squares = list(chess.scan_forward(board.occupied_co[board.turn]))
    return squares, squares


def _every_man_theirs(board: chess.Board, squares: list[int]) -> None:
    for square in squares:
        _their_destinations(board, square)


def _every_man_ours(position: Position, squares: list[int]) -> None:
    for square in squares:
        position.destinations(square)


def _one_man(boards: Boards) -> Iterator[Duel]:
    name = "destinations of one man, as a set"
    yield with_one(name, 4, boards, _some_man, theirs=_their_destinations, mine=Position.destinations)
    name = "destinations of every man of a position"
    yield with_one(name, 6.5, boards, _all_men, theirs=_every_man_theirs, mine=_every_man_ours)
    yield with_one(
        "moves of one man",
        2.3,
        boards,
        _some_man,
        theirs=lambda board, square: list(board.generate_legal_moves(from_mask=chess.BB_SQUARES[square])),
        mine=Position.moves_from,
    )


# Perft


def _their_perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return len(list(board.legal_moves))
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += _their_perft(board, depth - 1)
        board.pop()
    return leaves


def _their_perft_played(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += _their_perft_played(board, depth - 1)
        board.pop()
    return leaves


def _perfts() -> Iterator[Duel]:
    for name, (fen, depth) in PERFTS.items():
        theirs, mine = partial(_their_perft, depth=depth), partial(perft, depth=depth)
        yield _tree(f"perft, leaves counted: {name}", 6.5, fen, theirs, mine)
    for name, (fen, depth) in PERFTS.items():
        theirs, mine = partial(_their_perft_played, depth=depth), partial(perft_played, depth=depth)
        yield _tree(f"perft, leaves played: {name}", 5.5, fen, theirs, mine)


def _tree(
    name: str, target: float, fen: str, theirs: Callable[[chess.Board], int], mine: Callable[[Position], int]
) -> Duel:
    def prepare() -> tuple[Run, Run]:
        return partial(theirs, chess.Board(fen)), partial(ask, mine, [parse_fen(fen) for _ in range(COPIES)])

    return Duel(name, target, prepare, 5, COPIES)


# Making moves


def _all_moves(board: chess.Board, position: Position) -> tuple[list[chess.Move], list[Move]]:
    return list(board.legal_moves), position.legal_moves()


def _push_and_pop(board: chess.Board, moves: list[chess.Move]) -> None:
    for move in moves:
        board.push(move)
        board.pop()


def _copy_and_push(board: chess.Board, moves: list[chess.Move]) -> None:
    for move in moves:
        board.copy(stack=False).push(move)


def _play(position: Position, moves: list[Move]) -> None:
    for move in moves:
        position.play(move)


def _making_moves(boards: Boards) -> Iterator[Duel]:
    yield with_one("make a move (theirs: and unmake it)", 6.5, boards, _all_moves, theirs=_push_and_pop, mine=_play)
    yield with_one("make a move, the old position kept", 8, boards, _all_moves, theirs=_copy_and_push, mine=_play)


# Notation


def _some_move(board: chess.Board, position: Position) -> tuple[chess.Move, Move]:
    move = Random(board.fen()).choice(sorted(board.legal_moves, key=str))
    return move, parse_uci(position, board.uci(move))


def _some_san(board: chess.Board, position: Position) -> tuple[str, str]:
    move, _ = _some_move(board, position)
    return board.san(move), board.san(move)


def _replay_theirs(lines: list[list[str]]) -> None:
    for line in lines:
        board = chess.Board()
        for text in line:
            board.push_san(text)


def _replay_ours(lines: list[list[str]]) -> None:
    for line in lines:
        position = Position.initial()
        for text in line:
            position = position.play(parse_san(position, text))


def _scores(count: int) -> list[list[str]]:
    scores = []
    for moves in games(count):
        board = chess.Board()
        scores.append([board.san_and_push(chess.Move.from_uci(text)) for text in moves])
    return scores


def _notation(boards: Boards) -> Iterator[Duel]:
    movable = [board for board in boards if any(board.legal_moves)]
    yield with_one("SAN of one move", 7, movable, _some_move, theirs=chess.Board.san, mine=write_san)
    yield each(
        "SAN of all moves", 8, movable, lambda board: {move: board.san(move) for move in board.legal_moves}, sans
    )
    yield with_one("read SAN", 2.3, movable, _some_san, theirs=chess.Board.parse_san, mine=parse_san)
    scores = _scores(5)
    yield Duel(
        "replay a game from SAN", 3, lambda: (partial(_replay_theirs, scores), partial(_replay_ours, scores))
    )
    yield each("write FEN", 7, boards, lambda board: board.fen(), write_fen)
    fens = [board.fen() for board in boards]
    yield Duel("read FEN", 7, lambda: (partial(ask, chess.Board, fens), partial(ask, parse_fen, fens)))


# State


def _state(boards: Boards) -> Iterator[Duel]:
    yield each("is it check?", 1.4, boards, chess.Board.is_check, Position.is_check)
    yield each("is it checkmate?", 1.5, boards, chess.Board.is_checkmate, Position.is_checkmate)
    yield each("is it stalemate?", 4.5, boards, chess.Board.is_stalemate, Position.is_stalemate)


def _outcomes() -> Duel:
    lines = [[chess.Move.from_uci(text) for text in moves] for moves in games(2)]

    def theirs() -> None:
        for line in lines:
            board = chess.Board()
            for move in line:
                board.push(move)
                board.outcome(claim_draw=True)

    def prepare() -> tuple[Run, Run]:
        own = [_our_line(moves) for moves in games(2)]
        return theirs, partial(_claims_after_each_ply, own)

    return Duel("outcome with claims, after each ply of a game", 25, prepare, rounds=5)


def _our_line(moves: list[str]) -> list[Move]:
    position = Position.initial()
    line = []
    for text in moves:
        line.append(parse_uci(position, text))
        position = position.play(line[-1])
    return line


def _claims_after_each_ply(lines: list[list[Move]]) -> None:
    for line in lines:
        game = Game()
        for move in line:
            game.play(move)
            if game.outcome() is None and not game.claims():
                game.announced_claims()
