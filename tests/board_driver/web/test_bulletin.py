"""Every event is worth the right line, or none."""

from __future__ import annotations

import pytest

from board_driver.events import (
    Claimable,
    Ended,
    Event,
    Fault,
    Irregular,
    Lifted,
    Lit,
    Moved,
    Notice,
    Placed,
    RestoreAsked,
    Revised,
    Touched,
    Unsure,
)
from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.web.bulletin import KEPT, Bulletin, Line, Tone, line_for
from board_driver.web.told import standing
from board_driver.wording.language import language
from rules.fen import START_FEN, parse_fen
from rules.pieces import PIECES
from rules.squares import Colour, parse_square
from rules.uci import parse_uci

E4 = parse_square("e4")
TEXT = "The white knight on g1 must move (FIDE Laws 4.3.1)"


def note(text: str) -> Line:
    return Line(1, Tone.NOTE, text)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Lifted(1, E4), None),
        (Placed(1, E4), None),
        (Lit(1, {}), None),
        (Moved(1, "e4", "e2e4", "", 1, False), Line(1, Tone.MOVE, "1. e4")),
        (Moved(1, "Nf6", "g8f6", "", 8, False), Line(1, Tone.MOVE, "4… Nf6")),
        (Touched(1, E4, PIECES["N"], {}, (), TEXT), Line(1, Tone.OWED, TEXT)),
        (Touched(1, E4, PIECES["N"], {}, ()), None),
        (Irregular(1, "released", E4, "touch", False, "No.", "4.7"), Line(1, Tone.WRONG, "No.", "4.7")),
        (RestoreAsked(1, (E4,), (), "Back to e2"), Line(1, Tone.REMEDY, "Back to e2")),
        (RestoreAsked(1, (), (), ""), None),
        (Revised(1, 3, "e2e4", "e2e3"), note("Move 2 of White is e2e3, not e2e4.")),
        (Revised(1, 4, "e7e5", None), note("Move 2 of Black is taken back.")),
        (Claimable(1, ("threefold", "fifty-moves")), note("A draw may be claimed: threefold, fifty moves.")),
        (Claimable(1, ()), None),
        (Unsure(1, 2, ("e7e5", "e7e6")), note("Move 1 of Black is not certain; it may also be e7e5 or e7e6.")),
        (Unsure(1, 2, ()), None),
        (Ended(1, "1/2-1/2", "dead-position"), Line(1, Tone.OVER, "1/2-1/2: dead position")),
        (Fault(1, "stuck", E4, "e4 is stuck"), Line(1, Tone.FAULT, "e4 is stuck")),
        (Notice(1, "x", "set up the pieces"), note("Set up the pieces")),
        (Notice(1, "x", "offers a draw", Colour.BLACK), note("Black: offers a draw")),
        (Notice(1, "x", "white adjusts pieces", Colour.WHITE), note("White adjusts pieces")),
        (Notice(1, "x", ""), None),
    ],
)
def test_an_event_in_words(event: Event, line: Line | None) -> None:
    assert line_for(event) == line


def test_the_headline_is_neither_a_remedy_nor_a_fault() -> None:
    bulletin = Bulletin()
    assert bulletin.headline is None
    bulletin.hear([Moved(1, "e4", "e2e4", "", 1, False)])
    bulletin.hear([RestoreAsked(2, (), (), "Back."), Fault(3, "x", None, "stuck")])
    assert bulletin.headline == Line(1, Tone.MOVE, "1. e4")
    assert bulletin.remedy == "Back."
    bulletin.clear()
    assert (bulletin.headline, bulletin.remedy) == (None, "")


def test_the_same_thing_is_not_said_twice_in_a_row_and_not_all_is_kept_for_ever() -> None:
    bulletin = Bulletin()
    bulletin.hear([Fault(1, "x", None, "stuck")] * 2)
    assert len(bulletin.lines) == 1
    bulletin.hear([Fault(t_ms, "x", None, "stuck") for t_ms in range(1000)])
    assert len(bulletin.lines) == KEPT


def test_lines_are_written_in_the_chosen_language_where_it_has_words() -> None:
    bulletin = Bulletin(language("zh"))
    game = GameRecord(parse_fen(START_FEN))
    events = (
        Moved(1, "e4", "e2e4", "", 1, False),
        Irregular(2, "released", E4, "touch", False, "No.", "4.7"),
        Unsure(3, 1, ("e2e3",)),
        Ended(4, "1-0", "checkmate"),
    )
    bulletin.hear(events, game)
    texts = [
        "1. e4",
        "落子无悔：棋子已经放下。",
        "Move 1 of White is not certain; it may also be e2e3.",
        "白方胜，将死。",
    ]
    assert [line.text for line in bulletin.lines] == texts
    assert bulletin.lines[1].article == "4.7"


IN_CHECK = "4k3/8/8/8/8/8/8/4RK2 b - - 0 1"


@pytest.mark.parametrize(
    ("code", "fen", "last", "result", "expected"),
    [
        ("en", START_FEN, None, None, ("White to move.", "", "")),
        (
            "en",
            IN_CHECK,
            "Re1+",
            "*",
            ("Black to move, in check.", "White: rook e 1, check", ""),
        ),
        ("zh", IN_CHECK, "Re1+", None, ("轮到黑方走，正被将军。", "白方：车到e1，将军", "")),
        ("en", START_FEN, None, "1/2-1/2", ("White to move.", "", "Draw, by agreement.")),
    ],
)
def test_where_the_game_stands_in_words(
    code: str, fen: str, last: str | None, result: str | None, expected: tuple[str, str, str]
) -> None:
    found = standing(language(code), parse_fen(fen), last, result, "agreement" if result else None)
    assert (found["turn"], found["last"], found["over"]) == expected
    assert found["language"] == code


def test_moves_are_numbered_and_written_as_on_a_score_sheet() -> None:
    start = parse_fen("4k3/8/8/8/8/8/p6P/4K3 b - - 0 10")
    promotes, first = parse_uci(start, "a2a1n"), Bulletin()
    game = GameRecord(start, (RecordedPly(promotes, 1, 1),))
    first.hear([Moved(1, "a1=Q+", "a2a1q", "", 1, False), Revised(2, 1, "a2a1q", "a2a1n")], game)
    assert [line.text for line in first.lines] == ["10… a1=Q+", "Move 10 of Black is a1=N, not a1=Q+."]
