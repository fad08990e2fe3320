"""Reading PGN, the clean and the careless."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.fen import START_FEN, write_fen
from rules.outcome import Result
from rules.pgn import Line, PgnGame, Ply, read_games
from rules.position import Position
from rules.san import sans


def one(source: str | bytes) -> PgnGame:
    (game,) = read_games(source)
    return game


def score(game: PgnGame) -> str:
    """The main line in SAN."""
    return " ".join(spelled(game.start, game.line))


def spelled(position: Position, line: Line) -> Iterator[str]:
    for ply in line:
        yield sans(position)[ply.move]
        position = position.play(ply.move)


def said(game: PgnGame) -> list[str]:
    return [problem.sentence for problem in game.problems]


RUY = "e4 e5 Nf3 Nc6 Bb5 a6"


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6",
        "1 e4 e5 2 Nf3 Nc6 3 Bb5 a6",
        "e4 e5 Nf3 Nc6 Bb5 a6",
        "1. e4 1... e5 2. Nf3 2. ... Nc6 3.Bb5 3...a6",
        "1.\ne4\re5\r\n2.Nf3\tNc6 3. Bb5\x0ba6",
        "5. e4 e5 17. Nf3 Nc6 Bb5 a6",
        "\ufeff1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
        # the founding documents' long, lower-case form
        "1. e2-e4 e7-e5 2. ng1-f3 nb8-c6 3. bf1-b5 a7-a6",
        "1. e4 ! e5 ?! 2. Nf3!? Nc6 $5 3. Bb5 += a6 N",
        "1. e4 {} e5 ; king's pawn\n%1. d4 d5\n2. Nf3 Nc6 {[%eval 0.3]} 3. Bb5 <> a6",
        "{before} 1. e4 e5 (1... c5) 2. Nf3 Nc6 (2... Nf6 (2... d6)) 3. Bb5 a6",
    ],
)
def test_one_score_in_many_hands(text: str) -> None:
    game = one(text)
    assert score(game) == RUY
    assert not game.cut
    assert game.problems == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. ng1-f3 Ng8-f6 2. g2-g3 g7-g6 3. Bf1-g2 Bf8-g7 4. 0-0 O-O", "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O"),
        ("1. e4 d5 2. exd5 Nf6 3. c4 c5 4. dxc6 e.p. Nxc6", "e4 d5 exd5 Nf6 c4 c5 dxc6 Nxc6"),
        ("1. e4 d5 2. e5 f5 3. exf6 e. p. *", "e4 d5 e5 f5 exf6"),
        ("1. e4 f5 2. exf5 g6 3. fxg6 Nf6 4. gxh7 Rg8 5. hxg8(Q) Nxg8", "e4 f5 exf5 g6 fxg6 Nf6 gxh7 Rg8 hxg8=Q Nxg8"),
        ("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7 mate 1-0", "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"),
    ],
)
def test_special_moves_as_people_write_them(text: str, expected: str) -> None:
    assert score(one(text)).startswith(expected)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1. e4 1-0", "1-0"),
        ("1. e4 0-1", "0-1"),
        ("1. e4 1/2-1/2", "1/2-1/2"),
        ("1. e4 1/2", "1/2-1/2"),
        ("1. e4 ½-½", "1/2-1/2"),
        ("1. e4 *", "*"),
        ("1. e4", "*"),
        ('[Result "0-1"]\n\n1. e4', "0-1"),
        ('[Result "0-1"]\n\n1. e4 *', "0-1"),
        ('[Result "0-1"]\n\n1. e4 1-0', "1-0"),
        ('[Result "nonsense"]\n\n1. e4', "*"),
        ("1. e4 (1. d4 1-0) 0-1", "0-1"),
    ],
)
def test_the_result_comes_from_the_movetext_or_else_the_tag(text: str, result: str) -> None:
    assert one(text).result is Result(result)


def test_a_file_of_games_with_and_without_tags_and_results() -> None:
    text = """[Event "one"]

1. e4 e5
[Event "two"]
[Event "three"]

1. d4 *

1. c4 1-0 1. Nf3 0-1
{only a remark}
"""
    games = list(read_games(text))
    assert [(game.tags.get("Event"), score(game)) for game in games] == [
        ("one", "e4 e5"),
        ("two", ""),
        ("three", "d4"),
        (None, "c4"),
        (None, "Nf3"),
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", "% only an escape", "{only a remark}", "; one more", ")"])
def test_a_text_without_a_game_gives_none(text: str) -> None:
    assert list(read_games(text)) == []


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('[White "Zoë Šánchez"]', "Zoë Šánchez"),
        (r'[White "Joe \"X\" \\ Doe"]', r'Joe "X" \ Doe'),
        ('[White "Joe "X" Doe"]', 'Joe "X" Doe'),
        ('  [ White   "Joe" ]  ', "Joe"),
        ('[White "Joe"][Black "Jim"]', "Joe"),
        ('[White ""]', ""),
        ('[White "a]b"]', "a]b"),
        ('[White "Jim"]\n[White "Joe"]', "Joe"),
    ],
)
def test_tags(line: str, value: str) -> None:
    game = one(f"{line}\n\n1. e4 *")
    assert game.tags["White"] == value
    assert score(game) == "e4"
    assert game.problems == ()


def test_half_a_tag_is_told_and_the_next_game_loads() -> None:
    first, second = read_games('[Event "x"]\n[White "A\n\n[Event "y"]\n[White "B"]\n\n1. e4 *\n')
    assert first.tags == {"Event": "x"}
    assert said(first) == ["expected a tag pair [Name \"value\"], got '[White \"A'"]
    assert first.problems[0].line == 2
    assert (second.tags["White"], score(second)) == ("B", "e4")


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ('[White "Zoë"]\n1. e4 *'.encode(), "Zoë"),
        ('[White "Zoë"]\n1. e4 *'.encode("latin-1"), "Zoë"),
        ('\ufeff[White "Zoë"]\r\n1. e4 *\r\n'.encode(), "Zoë"),
        ('[White "Zoë"]\r1. e4 *\r'.encode("latin-1"), "Zoë"),
    ],
)
def test_bytes_are_utf_8_or_latin_1(raw: bytes, name: str) -> None:
    for source in (raw, raw.splitlines(keepends=True)):
        game = one(source)  # type: ignore[arg-type]
        assert game.tags == {"White": name}
        assert score(game) == "e4"


def test_comments_clocks_and_glyphs_belong_to_the_ply_before() -> None:
    game = one("""{At the  start}
1. e4! {[%clk 1:05:23] good
move} $14 {indeed} 1... e5 {[%emt 0:00:07.25][%clk 59:59.5]}
({why not} 1... c5 $6 {Sicilian}) {after all} 2. Nf3 (=) *""")
    assert game.comment == "At the start"
    white, black, knight = game.line
    assert (white.nags, white.comment) == ((1, 14), "good move indeed")
    assert (white.clock_ms, white.elapsed_ms) == (3_923_000, None)
    assert (black.comment, black.clock_ms, black.elapsed_ms) == ("after all", 3_599_500, 7_250)
    ((sicilian,),) = black.variations
    assert (sicilian.before, sicilian.nags, sicilian.comment) == ("why not", (6,), "Sicilian")
    assert knight.comment == "(=)"


def test_variations_nest_and_hang_on_the_ply_they_replace() -> None:
    game = one("1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5 *")
    assert score(game) == "e4 e5"
    queen, english = game.line[0].variations
    assert list(spelled(game.start, queen)) == ["d4", "d5", "c4"]
    assert list(spelled(game.start, english)) == ["c4"]
    (indian,) = queen[1].variations
    assert list(spelled(game.start.play(queen[0].move), indian)) == ["Nf6", "c4"]


def test_a_comment_over_lines_may_hold_anything_but_its_brace() -> None:
    game = one("1. e4 {one (\n% two\n[%clk 0:01:00] ; three\n1-0} e5 *")
    assert game.line[0].comment == "one ( % two ; three 1-0"
    assert game.line[0].clock_ms == 60_000
    assert score(game) == "e4 e5"


def test_a_comment_that_is_never_closed_does_not_swallow_the_next_game() -> None:
    first, second = read_games('1. e4 {oh\nno\n[Event "next"]\n\n1. d4 *')
    assert (score(first), first.line[0].comment) == ("e4", "oh no")
    assert said(first) == ["a comment is not closed: expected }"]
    assert score(second) == "d4"
    last = one("1. e4 {oh")
    assert (last.line[0].comment, said(last)) == ("oh", ["a comment is not closed: expected }"])


# ---- starts


def test_a_game_may_start_elsewhere_and_with_black() -> None:
    game = one('[SetUp "1"]\n[FEN "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1"]\n\n1... Kd6 2. Kd4 *')
    assert score(game) == "Kd6 Kd4"
    assert write_fen(game.start) == "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1"


@pytest.mark.parametrize("variant", ["Chess960", "fischerandom", "Fischer Random"])
@pytest.mark.parametrize("rights", ["KQkq", "HDhd"])
def test_chess960(variant: str, rights: str) -> None:
    text = f'[Variant "{variant}"]\n[FEN "nbbrqknr/pppppppp/8/8/8/8/PPPPPPPP/NBBRQKNR w {rights} - 0 1"]\n\n'
    game = one(text + "1. Nf3 Nf6 2. O-O O-O *")
    assert game.start.chess960
    assert score(game) == "Nf3 Nf6 O-O O-O"


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ('[FEN "nonsense"]', "the FEN tag cannot be used: FEN: expected "),
        ('[FEN "8/8/8/8/8/8/8/4K3 w - - 0 1"]', "the FEN tag cannot be used: "),
        ('[Variant "Atomic"]', "expected chess or Chess960, got Variant 'Atomic'"),
    ],
)
def test_a_start_that_cannot_be_used_cuts_the_game_before_its_first_move(tag: str, sentence: str) -> None:
    bad, good = read_games(f'[Event "1"]\n{tag}\n\n1. e4 e5 1-0\n\n[Event "2"]\n\n1. d4 *')
    assert (bad.cut, bad.line, bad.result, write_fen(bad.start)) == (True, (), Result.WHITE_WINS, START_FEN)
    assert len(bad.problems) == 1
    assert bad.problems[0].sentence.startswith(sentence)
    assert score(good) == "d4"


# ---- what is no legal move


@pytest.mark.parametrize("word", ["Ke3", "Nf3", "exd5", "O-O", "--", "Z0", "e9", "hello", "0000", "ß", "e4e5e6"])
def test_a_game_is_cut_before_an_illegal_ply_and_the_others_load(word: str) -> None:
    before, bad, after = read_games(f"1. d4 *\n1. e4 e5 2. f4 {word} 3. d4 (3. c4) {{x}} $1 d5 0-1\n1. c4 *")
    assert score(bad) == "e4 e5 f4"
    assert (bad.cut, bad.result) == (True, Result.BLACK_WINS)
    assert [problem.line for problem in bad.problems] == [2]
    assert said(bad) == [f"expected a legal move for 2..., got {word!r}; the game is cut there"]
    assert (score(before), before.cut, before.problems) == ("d4", False, ())
    assert (score(after), after.cut, after.problems) == ("c4", False, ())


def test_an_illegal_ply_in_a_variation_cuts_that_variation_alone() -> None:
    game = one("1. e4 (1. d4 d5 2. Ke2 Nf6 (2... c5) 3. Nf3) (1. Kd2) 1... e5 *")
    assert score(game) == "e4 e5"
    assert not game.cut
    (queen,) = game.line[0].variations
    assert list(spelled(game.start, queen)) == ["d4", "d5"]
    assert len(game.problems) == 2


@pytest.mark.parametrize("text", ["1. e4 e5 ) 2. Nf3 *", "(1. d4) 1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nf3 (2. d4 *"])
def test_brackets_that_do_not_pair_are_survived(text: str) -> None:
    assert score(one(text)) == "e4 e5 Nf3"


def test_deep_nesting_is_passed_over() -> None:
    deep = one("1. e4 " + "(1. d4 (1. c4 " * 5000 + ")" * 10000 + "e5 *")
    assert score(deep) == "e4 e5"
    assert any("nested too deep" in sentence for sentence in said(deep))
    assert depth(deep.line) == 64


def depth(line: Line) -> int:
    return max((1 + depth(variation) for ply in line for variation in ply.variations), default=0)


# ---- streams


def test_games_come_while_the_rest_is_still_unread() -> None:
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield "1. e4 e5 *\n"

    games = read_games(endless())
    for expected in (1, 2, 3):
        assert score(next(games)) == "e4 e5"
        assert read == expected


PIECES_OF_PGN = [
    b"1. e4 ", b"e5 ", b"Nf3", b"(", b")", b"{", b"}", b"[", b"]", b'[Event "x"]', b'"', b"\n", b"\r", b";", b"%", b"*",
    b"1-0", b"0-0", b"O-O-O", b"$", b"$1", b"!?", b"\\", b"\x00", b"\xff", b"\xef\xbb\xbf", b"[%clk 0:00:01]", b"<",
    b'[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]', b'[Variant "Chess960"]', b"a8=Q", b"\xe2\x82", b"e.p.", b"(=)",
    b"1", b".",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES_OF_PGN) | st.binary(max_size=6), max_size=40).map(b"".join) | st.binary())
@example(b'[Event "x"]\n[White "A')
@example(b"1. e4 {")
def test_any_bytes_give_games_with_legal_moves_only(raw: bytes) -> None:
    for source in (raw, raw.splitlines(keepends=True), raw.decode("latin-1")):
        for game in read_games(source):  # type: ignore[arg-type]
            check(game.start, game.line)
            assert all("\n" not in str(problem) for problem in game.problems)


def check(position: Position, line: tuple[Ply, ...]) -> None:
    for ply in line:
        assert ply.move in position.legal_moves()
        for variation in ply.variations:
            assert variation
            check(position, variation)
        position = position.play(ply.move)


def test_a_fragment_from_an_illegal_move_is_read() -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/6B1/PPPP1PPP/RNBQK1NR b KQkq - 0 2"
    game = one(f'[SetUp "1"]\n[FEN "{fen}"]\n\n2... Nc6 3. Nf3 *\n')
    assert (write_fen(game.start), score(game), game.problems) == (fen, "Nc6 Nf3", ())
