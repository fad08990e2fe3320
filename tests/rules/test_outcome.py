"""How a position ends a game, who could still have mated, and what that makes of a forfeit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

import pytest

from rules.fen import FenError, parse_fen
from rules.outcome import (
    Claim,
    DrawRules,
    Outcome,
    Reason,
    Result,
    could_mate,
    drawn,
    ending,
    forfeit,
    is_dead,
)
from rules.position import Position
from rules.squares import Colour

WHITE, BLACK = Colour.WHITE, Colour.BLACK


def board_of(white: str, black: str, turn: str = "w") -> Position:
    """Some position in which nobody is in check; `b` and `B` name bishops on dark and on light squares."""
    men = [(man.upper(), man) for man in white] + [(man.lower(), man) for man in black]
    return next(quiet({0: "K", 63: "k"}, men, turn))


def quiet(letters: dict[int, str], men: list[tuple[str, str]], turn: str) -> Iterator[Position]:
    """The positions with those men added, each on the first squares where it disturbs nobody."""
    position = parse_fen(fen_of(letters, turn)) if unattacked(letters) else None
    if position is None:
        return
    if not men:
        yield position
        return
    (letter, man), *rest = men
    for square in range(8, 56):
        if square in letters or (man in "bB" and ((square ^ square >> 3) & 1) != (man == "B")):
            continue
        yield from quiet({**letters, square: letter}, rest, turn)


def unattacked(letters: dict[int, str]) -> bool:
    """True if neither king is in check."""
    try:
        return not any(parse_fen(fen_of(letters, turn)).is_check() for turn in "wb")
    except FenError:
        return False


@pytest.mark.parametrize(
    ("fen", "result", "reason"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "0-1", "checkmate"),
        ("R6k/8/6K1/8/8/8/8/8 b - - 150 120", "1-0", "checkmate"),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 1 1", "1/2-1/2", "stalemate"),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 150 99", "1/2-1/2", "stalemate"),
        ("4k3/8/8/8/8/8/3K4/8 b - - 0 1", "1/2-1/2", "dead-position"),
        ("8/8/2k5/8/4N3/8/8/4K3 b - - 0 1", "1/2-1/2", "dead-position"),
        ("8/8/4k3/8/8/2b5/3B4/4K3 b - - 150 99", "1/2-1/2", "dead-position"),
        ("4k3/8/8/8/8/8/R7/4K3 b - - 150 120", "1/2-1/2", "seventyfive"),
        ("4k3/8/8/8/8/8/R7/4K3 b - - 151 120", "1/2-1/2", "seventyfive"),
        ("4k3/8/8/8/8/8/R7/4K3 b - - 149 120", None, None),
    ],
)
def test_what_a_position_decides_by_itself(fen: str, result: str | None, reason: str | None) -> None:
    expected = None if result is None else Outcome(Result(result), Reason(reason))
    assert ending(parse_fen(fen)) == expected


def test_the_traditional_draws_come_at_fifty_moves() -> None:
    fen = "4k3/8/8/8/8/8/R7/4K3 b - - {} 80"
    assert ending(parse_fen(fen.format(99)), DrawRules.TRADITIONAL) is None
    assert ending(parse_fen(fen.format(100)), DrawRules.TRADITIONAL) == Outcome(Result.DRAW, Reason.FIFTY)
    assert ending(parse_fen(fen.format(100))) is None


@pytest.mark.parametrize(
    ("white", "black", "dead"),
    [
        ("", "", True),
        ("n", "", True),
        ("", "n", True),
        ("b", "", True),
        ("b", "b", True),
        ("bb", "b", True),
        ("B", "BB", True),
        ("b", "B", False),
        ("bB", "", False),
        ("n", "n", False),
        ("nn", "", False),
        ("n", "b", False),
        ("nb", "", False),
        ("p", "", False),
        ("", "r", False),
        ("", "q", False),
        ("n", "q", False),
    ],
)
def test_the_four_dead_cases(white: str, black: str, dead: bool) -> None:
    assert is_dead(board_of(white, black)) is dead
    assert is_dead(board_of(black, white)) is dead
    assert is_dead(board_of(white, black, "b")) is dead


@pytest.mark.parametrize(("white", "black"), [("nn", ""), ("", "nn")])
def test_two_knights_are_a_traditional_draw_and_only_that(white: str, black: str) -> None:
    assert is_dead(board_of(white, black), DrawRules.TRADITIONAL)
    assert not is_dead(board_of(white, black))


@pytest.mark.parametrize(("white", "black"), [("nnn", ""), ("n", "n"), ("nn", "p"), ("nb", "")])
def test_more_than_two_knights_are_no_traditional_draw(white: str, black: str) -> None:
    assert not is_dead(board_of(white, black), DrawRules.TRADITIONAL)


@pytest.mark.parametrize(
    ("own", "foe", "possible"),
    [
        ("", "", False),
        ("", "qrrbBnnp", False),
        ("p", "", True),
        ("r", "", True),
        ("q", "", True),
        ("n", "", False),
        ("n", "q", False),
        ("n", "qq", False),
        ("n", "r", True),
        ("n", "b", True),
        ("n", "n", True),
        ("n", "p", True),
        ("n", "qp", True),
        ("nn", "", True),
        ("nn", "q", True),
        ("nb", "", True),
        ("b", "", False),
        ("bb", "", False),
        ("bB", "", True),
        ("b", "b", False),
        ("b", "B", True),
        ("B", "b", True),
        ("b", "n", True),
        ("b", "p", True),
        ("b", "r", False),
        ("b", "q", False),
        ("b", "qr", False),
        ("bb", "qr", False),
        ("b", "rb", False),
        ("b", "rB", True),
    ],
)
def test_who_could_mate_with_what_against_what(own: str, foe: str, possible: bool) -> None:
    assert could_mate(board_of(own, foe), WHITE) is possible
    assert could_mate(board_of(foe, own), BLACK) is possible


@pytest.mark.parametrize(
    "fen",
    [
        # mates with the least material there is, each after a move of the lone minor piece
        "5K1k/5N1b/8/8/8/8/8/8 b - - 0 1",
        "6rk/5N2/7K/8/8/8/8/8 b - - 0 1",
        "6nk/5N2/6K1/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/1N6/p7/k1K5 b - - 0 1",
        "7k/5K1b/5B2/8/8/8/8/8 b - - 0 1",
        "7k/5KBn/8/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/2B5/p1K5/k7 b - - 0 1",
        "7k/4N3/6K1/8/8/2B5/8/8 b - - 0 1",
    ],
)
def test_mates_that_could_mate_rests_on(fen: str) -> None:
    assert ending(parse_fen(fen)) == Outcome(Result.WHITE_WINS, Reason.CHECKMATE)
    assert could_mate(parse_fen(fen), WHITE)


def test_no_lone_knight_mates_a_king_with_queens_nor_a_lone_bishop_one_with_rooks() -> None:
    for own, foe in (("N", "q"), ("B", "r"), ("B", "q")):
        assert not list(mates(own, foe)), (own, foe)
    assert any(mates("N", "r"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("own", "foes", "found"),
    [
        ("N", ("q", "qq"), False),
        ("B", ("rr", "rq", "qr", "qq"), False),
        ("N", ("qr", "rq"), True),
    ],
)
def test_nor_against_two_of_them(own: str, foes: tuple[str, ...], found: bool) -> None:
    """The same with two men beside the mated king, who stands on the edge: elsewhere it takes more."""
    assert any(is_mate(fen) for foe in foes for fen in cages(own, foe, range(4))) is found


ONE_EIGHTH = (0, 1, 2, 3, 9, 10, 11, 18, 19, 27)
"""Squares that are all squares, but for turns and mirrors."""


def mates(own: str, foe: str) -> Iterator[str]:
    """FENs in which White's man and king mate Black's king, who has one other man beside him."""
    return filter(is_mate, cages(own, foe, ONE_EIGHTH))


def cages(own: str, foes: str, kings: Iterable[int]) -> Iterator[str]:
    """Black's king with his men beside him, White's king two squares off or far, and White's man where it may check."""
    for king in kings:
        ring = [square for square in range(64) if apart(square, king) == 1]
        near = [63, *(square for square in range(64) if apart(square, king) == 2)]
        for guards in combinations(ring, len(foes)):
            shut = {king: "k", **dict(zip(guards, foes, strict=True))}
            for white_king, man in product(near, range(64)):
                if white_king != man and man not in shut and aims(own, man, king):
                    yield fen_of({**shut, white_king: "K", man: own}, "b")


def is_mate(fen: str) -> bool:
    """True if Black is mated, in a position that can be played."""
    try:
        return parse_fen(fen).is_checkmate()
    except FenError:
        return False


def apart(one: int, two: int) -> int:
    return max(abs((one & 7) - (two & 7)), abs((one >> 3) - (two >> 3)))


def aims(letter: str, start: int, end: int) -> bool:
    """True if such a man might give check from there: the rest is for the position to say."""
    across, up = abs((start & 7) - (end & 7)), abs((start >> 3) - (end >> 3))
    return {across, up} == {1, 2} if letter == "N" else across == up


def fen_of(letters: dict[int, str], turn: str) -> str:
    ranks = ("".join(letters.get(8 * rank + file, "1") for file in range(8)) for rank in range(7, -1, -1))
    return f"{'/'.join(ranks)} {turn} - - 0 1"


@pytest.mark.parametrize(
    ("reason", "drawn_as"),
    [
        (Reason.RESIGNATION, Reason.RESIGNATION_NO_MATE),
        (Reason.FLAG, Reason.FLAG_NO_MATE),
        (Reason.ILLEGAL_2, Reason.ILLEGAL_NO_MATE),
        (Reason.ILLEGAL_3, Reason.ILLEGAL_NO_MATE),
    ],
)
def test_a_forfeit_loses_unless_the_opponent_cannot_mate(reason: Reason, drawn_as: Reason) -> None:
    bare = parse_fen("8/8/8/3k4/8/3K4/P7/8 w - - 0 1")
    assert forfeit(bare, WHITE, reason) == Outcome(Result.DRAW, drawn_as)
    assert forfeit(bare, BLACK, reason) == Outcome(Result.WHITE_WINS, reason)


def test_only_what_loses_a_game_is_a_forfeit() -> None:
    with pytest.raises(ValueError, match="expected a reason that loses"):
        forfeit(parse_fen("8/8/8/3k4/8/3K4/P7/8 w - - 0 1"), WHITE, Reason.STALEMATE)


def test_results_and_claims_name_each_other() -> None:
    assert [Result.win_of(colour).winner for colour in Colour] == [WHITE, BLACK]
    assert Result.DRAW.winner is None
    assert Result.UNFINISHED.winner is None
    assert drawn(Claim.THREEFOLD) == Outcome(Result.DRAW, Reason.THREEFOLD_CLAIM)
    assert drawn(Claim.FIFTY) == Outcome(Result.DRAW, Reason.FIFTY_CLAIM)
