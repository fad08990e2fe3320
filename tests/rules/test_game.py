"""Games: repetition, and the outcomes and claims that rest on it."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.fen import parse_fen, write_fen
from rules.game import Game
from rules.outcome import Claim, DrawRules, Outcome, Reason, Result, could_mate, is_dead
from rules.position import Position
from rules.san import parse_san
from rules.squares import Colour
from rules.uci import parse_uci, write_uci

GAMES = Path(__file__).parent.parent / "data" / "games.txt"
THREEFOLD, FIFTY = Claim.THREEFOLD, Claim.FIFTY
SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")


def played(*moves: str, fen: str | None = None, rules: DrawRules = DrawRules.FIDE) -> Game:
    game = Game(parse_fen(fen) if fen else None, rules=rules)
    for text in moves:
        game.play(parse_san(game.position, text))
    return game


def announced(game: Game) -> dict[str, tuple[Claim, ...]]:
    return {write_uci(game.position, move): claims for move, claims in game.announced_claims().items()}


def test_a_new_game_has_its_start_once() -> None:
    game = Game()
    assert write_fen(game.start) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert (len(game), game.moves, game.occurrences()) == (0, (), 1)
    assert game.positions == (game.start,)
    assert game.outcome() is None
    assert game.claims() == ()
    assert game.announced_claims() == {}


def test_going_back_returns_the_move_and_stops_at_the_start() -> None:
    game = played("e4", "e5")
    moves = game.moves
    assert (game.back(), game.back()) == (moves[1], moves[0])
    assert game.position is game.start
    with pytest.raises(IndexError):
        game.back()


@pytest.mark.parametrize(
    ("plies", "occurrences", "claims", "by"),
    [
        (4, 2, (), {}),
        (6, 2, (), {}),
        # Ng8 would bring the start a third time
        (7, 2, (), {"f6g8": (THREEFOLD,)}),
        # it is there; and Nf3 would bring that position a third time
        (8, 3, (THREEFOLD,), {"g1f3": (THREEFOLD,)}),
        (9, 3, (THREEFOLD,), {"g8f6": (THREEFOLD,)}),
    ],
)
def test_a_third_occurrence_may_be_claimed(
    plies: int, occurrences: int, claims: tuple[Claim, ...], by: dict[str, tuple[Claim, ...]]
) -> None:
    game = played(*(SHUFFLE * 3)[:plies])
    assert game.occurrences() == occurrences
    assert game.claims() == claims
    assert announced(game) == by
    assert game.outcome() is None


def test_a_fifth_occurrence_ends_the_game() -> None:
    game = played(*SHUFFLE * 4)
    assert game.occurrences() == 5
    assert game.outcome() == Outcome(Result.DRAW, Reason.FIVEFOLD)
    assert game.claims() == ()
    assert game.announced_claims() == {}


def test_the_traditional_draw_comes_by_itself_at_the_third_occurrence() -> None:
    assert played(*(SHUFFLE * 2)[:7], rules=DrawRules.TRADITIONAL).outcome() is None
    game = played(*SHUFFLE * 2, rules=DrawRules.TRADITIONAL)
    assert game.outcome() == Outcome(Result.DRAW, Reason.THREEFOLD)


def test_lost_castling_rights_make_another_position() -> None:
    moves = ("Rg1", "Rg8", "Rh1", "Rh8")
    game = played(*moves * 2, fen="4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1")
    assert (game.occurrences(), game.claims()) == (2, ())
    assert played(*moves * 3, fen="4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1").claims() == (THREEFOLD,)


def test_en_passant_counts_only_where_it_was_legal() -> None:
    shuffle = ("Ke7", "Kf2", "Ke8", "Ke1")
    legal = played("e4", *shuffle * 2, fen="4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1")
    assert (legal.occurrences(), legal.claims()) == (2, ())
    # the black pawn is pinned to its king
    pinned = played("e4", *("Kb4", "Kf2", "Ka4", "Ke1") * 2, fen="8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1")
    assert (pinned.occurrences(), pinned.claims()) == (3, (THREEFOLD,))


@pytest.mark.parametrize(
    ("clock", "claims", "by"),
    [(98, (), 0), (99, (), 14), (100, (FIFTY,), 14), (149, (FIFTY,), 14)],
)
def test_fifty_moves_may_be_claimed(clock: int, claims: tuple[Claim, ...], by: int) -> None:
    # a rook with 6 moves, a king with 8, and a pawn whose only move would start the count anew
    game = played(fen=f"k7/8/8/8/P7/8/R4K2/8 w - - {clock} 120")
    assert game.claims() == claims
    supported = game.announced_claims()
    assert set(supported.values()) <= {(FIFTY,)}
    assert len(supported) == by


def test_a_pawn_move_supports_no_claim_of_fifty_moves() -> None:
    game = played(fen="4k3/8/8/8/P7/8/R7/4K3 w - - 99 120")
    assert "a4a5" not in announced(game)
    assert "a2a3" in announced(game)
    assert game.claims_by(parse_uci(game.position, "a4a5")) == ()
    assert game.claims_by(parse_uci(game.position, "a2a3")) == (FIFTY,)


def test_both_claims_together() -> None:
    game = played(*("Ra3", "Kf8", "Ra2", "Ke8") * 2, fen="4k3/8/8/8/8/8/R7/4K3 w - - 92 120")
    assert game.claims() == (THREEFOLD, FIFTY)


def test_mate_comes_before_seventy_five_moves_and_those_before_repetition() -> None:
    mate = played("Ra8", fen="7k/8/6K1/8/8/8/8/R7 w - - 149 120")
    assert mate.outcome() == Outcome(Result.WHITE_WINS, Reason.CHECKMATE)
    quiet = played("Ra2", fen="7k/8/8/8/8/6K1/8/R7 w - - 149 120")
    assert quiet.outcome() == Outcome(Result.DRAW, Reason.SEVENTYFIVE)


def test_nothing_may_be_claimed_once_the_game_is_over() -> None:
    game = played("Ra8", fen="7k/8/6K1/8/8/8/8/R7 w - - 120 120")
    assert game.claims() == ()
    assert game.announced_claims() == {}


def test_going_back_takes_the_count_back() -> None:
    game = played(*SHUFFLE * 2)
    game.back()
    assert announced(game) == {"f6g8": (THREEFOLD,)}
    for _ in range(4):
        game.back()
    assert announced(game) == {}
    for text in ("Ng8", *SHUFFLE):
        game.play(parse_san(game.position, text))
    assert game.claims() == (THREEFOLD,)


# ---- against python-chess


def agree(game: Game, board: chess.Board) -> None:
    """The two say the same of the end of the game and of claims."""
    mine, theirs = game.outcome(), board.outcome()
    assert (None if mine is None else str(mine.result)) == (None if theirs is None else theirs.result()), board.fen()
    claimable = game.claims() or game.announced_claims()
    assert bool(mine or claimable) == (board.outcome(claim_draw=True) is not None), board.fen()
    if mine is None:
        assert (THREEFOLD in game.claims()) == board.is_repetition(3), board.fen()
        assert (FIFTY in game.claims()) == board.is_fifty_moves(), board.fen()
        brute = {move: claims for move in game.position.legal_moves() if (claims := game.claims_by(move))}
        assert game.announced_claims() == brute, board.fen()


def walk(seed: int, plies: int, fen: str | None, homing: float) -> int:
    """A random game; `homing` is how often a side takes its last move back, so that positions return."""
    choice = random.Random(seed)
    game, board = Game(parse_fen(fen) if fen else None), chess.Board(fen) if fen else chess.Board()
    for done in range(plies):
        agree(game, board)
        legal = [move.uci() for move in board.legal_moves]
        if not legal:
            return done
        text = choice.choice(legal)
        if len(board.move_stack) > 1 and choice.random() < homing:
            last = board.move_stack[-2].uci()
            text = last[2:4] + last[:2] if last[2:4] + last[:2] in legal else text
        board.push_uci(text)
        game.play(parse_uci(game.position, text))
    return plies


SHORT_OF_DRAWS = (
    None,
    "4k3/8/8/8/8/8/8/R3K3 w Q - 90 80",
    "8/8/4k3/3p4/8/2b5/3BP3/4K3 w - - 85 100",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 138 100",
    "7k/5n2/8/8/8/8/2N5/K7 w - - 40 100",
)


@pytest.mark.parametrize("fen", SHORT_OF_DRAWS)
@pytest.mark.parametrize("homing", [0.1, 0.9])
def test_outcomes_agree_with_python_chess(fen: str | None, homing: float) -> None:
    assert sum(walk(seed, 60, fen, homing) for seed in range(4)) > 100


@pytest.mark.long
@pytest.mark.parametrize("fen", SHORT_OF_DRAWS)
@pytest.mark.parametrize("homing", [0.0, 0.3, 0.8, 0.98])
def test_outcomes_agree_with_python_chess_at_length(fen: str | None, homing: float) -> None:
    assert sum(walk(seed, 160, fen, homing) for seed in range(100, 140)) > 2000


def test_outcomes_of_real_games_agree_with_python_chess() -> None:
    for line in GAMES.read_text(encoding="utf-8").splitlines()[::20]:
        _, _, start, chess960, moves = line.split("\t")
        fen = chess.STARTING_FEN if start == "-" else start
        board = chess.Board(fen, chess960=chess960 == "1")
        game = Game(parse_fen(fen, chess960=chess960 == "1"))
        for text in moves.split():
            board.push(board.parse_uci(text))
            game.play(parse_uci(game.position, text))
            agree(game, board)


MATERIALS = st.lists(st.sampled_from("NBRQPnbrqp"), max_size=4)


@given(MATERIALS, st.permutations(range(8, 56)), st.booleans())
def test_dead_positions_agree_with_python_chess(men: list[str], squares: list[int], white: bool) -> None:
    board = chess.Board(None)
    for letter, square in zip(["K", "k", *men], squares, strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = white
    if not board.is_valid():
        return
    position = parse_fen(board.fen(), unreached=True)  # python-chess knows fewer positions that cannot come about
    assert is_dead(position) == board.is_insufficient_material()
    for colour in Colour:
        assert could_mate(position, colour) != board.has_insufficient_material(colour is Colour.WHITE)


@given(st.data())
def test_playing_and_going_back_leave_no_trace(draw: st.DataObject) -> None:
    game = Game()
    for _ in range(draw.draw(st.integers(0, 12))):
        game.play(draw.draw(st.sampled_from(game.position.legal_moves())))
    before = state(game)
    steps = draw.draw(st.integers(1, 8))
    for _ in range(steps):
        game.play(draw.draw(st.sampled_from(game.position.legal_moves())))
        if not game.position.has_move():
            return
    for _ in range(steps):
        game.back()
    assert state(game) == before


def state(game: Game) -> tuple[Position, int, object, object]:
    return game.position, game.occurrences(), game.claims(), game.announced_claims()
