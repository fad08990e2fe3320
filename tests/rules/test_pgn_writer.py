"""Writing PGN, and reading it back."""

from __future__ import annotations

import io
import re
import string
from dataclasses import replace
from pathlib import Path
from random import Random

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.fen import START_FEN, parse_fen, write_fen
from rules.outcome import Result
from rules.pgn import Line, PgnGame, Ply, read_games, write_game
from rules.position import Position
from rules.san import parse_san
from rules.uci import parse_uci, write_uci

GAMES = Path(__file__).parent.parent / "data" / "games.txt"
START = parse_fen(START_FEN)


def line_of(text: str, start: Position = START) -> Line:
    plies = []
    for word in text.split():
        move = parse_san(start, word)
        plies.append(Ply(move))
        start = start.play(move)
    return tuple(plies)


def movetext(game: PgnGame) -> str:
    return write_game(game).split("\n\n", 1)[1].strip("\n")


def test_the_export_format() -> None:
    white, black, *rest = line_of("e4 e5 Nf3 Nc6")
    sicilian = Ply(parse_san(START.play(white.move), "c5"), nags=(6,))
    game = PgnGame(
        START,
        (
            replace(white, nags=(1,), clock_ms=3_600_000, elapsed_ms=1_500, comment="the  king's\npawn"),
            replace(black, variations=((replace(sicilian, before="or"),),)),
            *rest,
        ),
        Result.WHITE_WINS,
        {"White": 'Zoë "Z" Šánchez', "Black": "a\\b", "WhiteElo": "1500", "Annotator": "x", "Date": "2024.01.17"},
        comment="A short game",
    )
    assert write_game(game) == (
        '[Event "?"]\n'
        '[Site "?"]\n'
        '[Date "2024.01.17"]\n'
        '[Round "?"]\n'
        '[White "Zoë \\"Z\\" Šánchez"]\n'
        '[Black "a\\\\b"]\n'
        '[Result "1-0"]\n'
        '[Annotator "x"]\n'
        '[WhiteElo "1500"]\n'
        "\n"
        "{A short game} 1. e4 $1 {[%clk 1:00:00] [%emt 0:00:01.5] the king's pawn} 1...\n"
        "e5 ({or} 1... c5 $6) 2. Nf3 Nc6 1-0\n"
        "\n"
    )


def test_a_game_without_moves() -> None:
    assert movetext(PgnGame(START)) == "*"
    assert '[Result "*"]' in write_game(PgnGame(START, tags={"Result": "1-0"}))


def test_another_start_is_told_with_its_first_number() -> None:
    start = parse_fen("8/8/4k3/8/4P3/4K3/8/8 b - - 0 1")
    text = write_game(PgnGame(start, line_of("Kd6 Kd4", start)))
    assert '[Result "*"]\n[FEN "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1"]\n[SetUp "1"]\n\n1... Kd6 2. Kd4 *\n' in text


def test_chess960_is_told_even_from_the_usual_start() -> None:
    start = parse_fen(START_FEN, chess960=True)
    text = write_game(PgnGame(start, line_of("Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O", start)))
    assert f'[FEN "{START_FEN}"]\n[SetUp "1"]\n[Variant "Chess960"]\n' in text
    assert text.endswith("4. O-O O-O *\n\n")


def test_tags_that_the_game_tells_itself_are_not_believed() -> None:
    tags = {"FEN": "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1", "SetUp": "1", "Variant": "Chess960", "Result": "0-1"}
    text = write_game(PgnGame(START, tags=tags))
    assert "FEN" not in text
    assert "SetUp" not in text
    assert "Variant" not in text
    assert '[Result "*"]' in text


@pytest.mark.parametrize("name", ["", "a b", 'a"', "a]", "ä"])
def test_a_tag_name_that_cannot_be_written_is_our_mistake(name: str) -> None:
    with pytest.raises(ValueError, match="expected a tag name"):
        write_game(PgnGame(START, tags={name: "x"}))


def test_a_comment_cannot_break_out() -> None:
    (ply,) = line_of("e4")
    text = movetext(PgnGame(START, (replace(ply, comment="a } 1. d4 {\n%b [Event \"x\"] \ud800"),)))
    assert text == '1. e4 {a ) 1. d4 { %b [Event "x"] ?} *'
    (game,) = read_games(text)
    assert game.line[0].comment == 'a ) 1. d4 { %b [Event "x"] ?'
    assert game.problems == ()


def test_no_line_is_longer_than_79_nor_begins_like_a_tag_or_an_escape() -> None:
    (ply,) = line_of("e4")
    for width in range(60, 90):
        comment = "word " * (width // 5) + "x" * (width % 5) + ' %y [Event "x"] ' + "[a] b " * 30
        lines = movetext(PgnGame(START, (replace(ply, comment=comment),))).split("\n")
        assert len(lines) > 2
        assert all(len(line) <= 79 and line[0] not in "%[" and line == line.strip() for line in lines)


# ---- round trips

words = st.text(
    alphabet=st.one_of(
        st.sampled_from(string.printable), st.characters(blacklist_categories=("Cs",)), st.sampled_from("[]{()%;\"\\*$")
    ),
    max_size=30,
)
comments = words.map(lambda text: " ".join(text.replace("}", "").split()))
times = st.none() | st.integers(0, 9_999 * 3_600_000)


@st.composite
def lines(draw: st.DrawFn, position: Position, longest: int, depth: int) -> Line:
    """A legal line with everything that can hang on it."""
    plies: list[Ply] = []
    for number in range(draw(st.integers(0 if depth == 2 else 1, longest))):
        moves = position.legal_moves()
        if not moves:
            break
        move = draw(st.sampled_from(moves))
        plain = draw(st.booleans())
        plies.append(
            Ply(move)
            if plain
            else Ply(
                move,
                nags=tuple(draw(st.lists(st.integers(0, 255), max_size=2, unique=True))),
                comment=draw(comments),
                before=draw(comments) if number == 0 and depth < 2 else "",
                clock_ms=draw(times),
                elapsed_ms=draw(times),
                variations=tuple(draw(st.lists(lines(position, 3, depth - 1), max_size=2))) if depth else (),
            )
        )
        position = position.play(move)
    return tuple(plies)


STARTS = (
    (START_FEN, False),
    ("8/2P5/4k3/8/4P3/4K3/8/8 b - - 7 33", False),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", False),
    ("nbbrqknr/pppppppp/8/8/8/8/PPPPPPPP/NBBRQKNR w KQkq - 0 1", True),
)


@st.composite
def games(draw: st.DrawFn) -> PgnGame:
    fen, chess960 = draw(st.sampled_from(STARTS))
    start = parse_fen(fen, chess960)
    names = st.text(alphabet=string.ascii_letters + string.digits + "_", min_size=1, max_size=9)
    told = names.filter(lambda name: name not in ("FEN", "SetUp", "Variant", "Result"))
    return PgnGame(
        start,
        draw(lines(start, 8, 2)),
        draw(st.sampled_from(list(Result))),
        draw(st.dictionaries(told, words.map(lambda text: " ".join(text.split())), max_size=3)),
        draw(comments),
    )


@given(st.lists(games(), min_size=1, max_size=3))
def test_what_is_written_reads_back_equal(written: list[PgnGame]) -> None:
    text = "".join(write_game(game) for game in written)
    for source in (text, text.encode(), text.encode().splitlines(keepends=True), text.replace("\n", "\r\n")):
        read = list(read_games(source))  # type: ignore[arg-type]
        assert len(read) == len(written)
        for game, again in zip(written, read, strict=True):
            assert again.line == game.line
            assert (again.result, again.comment, again.cut, again.problems) == (game.result, game.comment, False, ())
            assert (write_fen(again.start), again.start.chess960) == (write_fen(game.start), game.start.chess960)
            assert {name: again.tags[name] for name in game.tags if game.tags[name]} == {
                name: value for name, value in game.tags.items() if value
            }
            assert write_game(again) == write_game(game)


# ---- python-chess reads ours


def theirs(text: str) -> list[chess.pgn.Game]:
    stream, read = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        read.append(game)
    return read


def same(position: Position, line: Line, node: chess.pgn.GameNode) -> None:
    """Our line and the one below their node are the same, with all that hangs on it."""
    for ply in line:
        below = node.variations[0]
        assert below.move.uci() == write_uci(position, ply.move)
        assert below.nags == set(ply.nags)
        assert_times(ply, below)
        assert len(node.variations) == 1 + len(ply.variations)
        for variation, alternative in zip(ply.variations, node.variations[1:], strict=True):
            assert " ".join(alternative.starting_comment.split()) == variation[0].before
            assert alternative.move.uci() == write_uci(position, variation[0].move)
            same_after(position, variation, alternative)
        position, node = position.play(ply.move), below
    assert not node.variations


def same_after(position: Position, line: Line, first: chess.pgn.ChildNode) -> None:
    """A variation whose first ply is their node."""
    ply, *rest = line
    assert first.nags == set(ply.nags)
    assert_times(ply, first)
    same(position.play(ply.move), tuple(rest), first)


def assert_times(ply: Ply, node: chess.pgn.ChildNode) -> None:
    for ours, seconds in ((ply.clock_ms, node.clock()), (ply.elapsed_ms, node.emt())):
        assert ours == (None if seconds is None else round(seconds * 1000))
    assert " ".join(re.sub(r"\[%[^]]*\]", " ", node.comment).split()) == ply.comment


def random_game(seed: int) -> PgnGame:
    """A game with variations two deep. All alternatives to a ply differ and hang on it: python-chess's tree keeps one
    node for equal ones, and one place for those to the first ply of a variation."""
    choice = Random(seed)

    def line(position: Position, length: int, depth: int, inside: bool, avoid: set[str]) -> Line:
        plies: list[Ply] = []
        for number in range(length):
            taken = avoid if number == 0 else set()
            moves = [move for move in position.legal_moves() if write_uci(position, move) not in taken]
            if not moves:
                break
            move = choice.choice(moves)
            taken = {write_uci(position, move), *taken}
            variations: list[Line] = []
            while depth and not (inside and number == 0) and choice.random() < 0.2:
                variation = line(position, choice.randrange(1, 5), depth - 1, True, taken)
                if not variation:
                    break
                taken.add(write_uci(position, variation[0].move))
                variations.append(variation)
            plies.append(
                Ply(
                    move,
                    nags=tuple(sorted(choice.sample(range(1, 140), choice.choice((0, 0, 0, 1, 2))))),
                    comment=choice.choice(("", "", "why not", "a much longer remark, to fill lines up to their ends")),
                    before=choice.choice(("", "or")) if inside and number == 0 else "",
                    clock_ms=choice.choice((None, choice.randrange(7_200_000))),
                    elapsed_ms=choice.choice((None, choice.randrange(600) * 1000)),
                    variations=tuple(variations),
                )
            )
            position = position.play(move)
        return tuple(plies)

    fen, chess960 = choice.choice(STARTS)
    start = parse_fen(fen, chess960)
    plies = line(start, choice.randrange(60), 2, False, set())
    return PgnGame(start, plies, choice.choice(list(Result)), {"White": "A"})


def agree_with_python_chess(seed: int) -> None:
    ours = random_game(seed)
    (game,) = theirs(write_game(ours))
    assert not game.errors
    assert game.headers["Result"] == ours.result
    assert game.board().chess960 == ours.start.chess960
    same(ours.start, ours.line, game)
    # and back: ours reads what theirs writes
    for columns in (80, None):
        (again,) = read_games(game.accept(chess.pgn.StringExporter(columns=columns)))
        assert (again.problems, again.cut) == ((), False)
        assert again.line == ours.line


@pytest.mark.parametrize("block", range(4))
def test_python_chess_reads_what_we_write_and_we_what_it_writes(block: int) -> None:
    for seed in range(10 * block, 10 * block + 10):
        agree_with_python_chess(seed)


@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
def test_python_chess_reads_what_we_write_and_we_what_it_writes_at_length(block: int) -> None:
    for seed in range(1000 + 50 * block, 1050 + 50 * block):
        agree_with_python_chess(seed)


def test_real_games_survive_both_libraries() -> None:
    for entry in GAMES.read_text(encoding="utf-8").splitlines()[::5]:
        name, result, fen, chess960, moves = entry.split("\t")
        start = parse_fen(START_FEN if fen == "-" else fen, chess960=chess960 == "1")
        position, plies = start, []
        for text in moves.split():
            move = parse_uci(position, text)
            plies.append(Ply(move))
            position = position.play(move)
        text = write_game(PgnGame(start, tuple(plies), Result(result), {"Event": name}))
        assert max(map(len, text.splitlines())) <= 79
        (ours,), (game,) = read_games(text), theirs(text)
        assert ours.moves == tuple(ply.move for ply in plies)
        assert [chess.square_name(move.from_square) for move in game.mainline_moves()] == [m[:2] for m in moves.split()]
        assert game.end().board().fen(en_passant="legal") == write_fen(position)
