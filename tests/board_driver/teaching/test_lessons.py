"""Lessons and exercises: which there are, and that each can be had."""

from __future__ import annotations

import pytest

from board_driver.arbiter import Arbiter
from board_driver.events import Claimable, Ended, Event, Irregular, Moved, Notice, RestoreAsked, Touched
from board_driver.mind import Mode, Settings, TouchRule
from board_driver.scan import Button, ButtonName, Occupancy, Scan
from board_driver.teaching.exercises import EXERCISES, Exercise
from board_driver.teaching.lessons import Topic, lesson, topic_of
from board_driver.wording import LANGUAGES
from board_driver.wording.language import language
from rules.articles import IN_FORCE
from rules.fen import parse_fen
from rules.irregularity import Why
from rules.outcome import Claim
from rules.pieces import Piece, Role
from rules.squares import Colour, parse_square
from rules.uci import parse_uci

E4 = parse_square("e4")
KNIGHT = Piece(Colour.WHITE, Role.KNIGHT)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("topic", Topic)
def test_every_topic_has_a_title_a_text_and_an_article(topic: Topic, code: str) -> None:
    found = lesson(topic, language(code))
    assert found.title
    assert found.text != found.title
    assert found.article == IN_FORCE.numbers[topic.law]


def irregular(why: Why, article: str = "") -> Irregular:
    return Irregular(1, why.value, E4, why.kind.value, False, "", article)


@pytest.mark.parametrize("why", [why for why in Why if why not in (Why.NOT_A_MOVE, Why.NOT_COMMANDED)])
def test_every_irregularity_is_explained(why: Why) -> None:
    assert topic_of(irregular(why), None) is not None


@pytest.mark.parametrize("role", Role)
def test_a_move_of_no_kind_is_explained_by_how_that_piece_moves(role: Role) -> None:
    law = Why.NOT_A_MOVE.law(role)
    assert topic_of(irregular(Why.NOT_A_MOVE, IN_FORCE.number(law)), None) is Topic(role.word)


START = parse_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1")


@pytest.mark.parametrize(
    ("event", "uci", "topic"),
    [
        (Touched(1, E4, KNIGHT, {"kind": "move"}, ()), None, Topic.TOUCH_OWN),
        (Touched(1, E4, KNIGHT, {"kind": "capture"}, ()), None, Topic.TOUCH_ENEMY),
        (Touched(1, E4, KNIGHT, {"kind": "castle"}, ()), None, Topic.TOUCH_CASTLING),
        (Touched(1, E4, KNIGHT, {"kind": "none"}, ()), None, None),
        (Moved(1, "O-O", "e1g1", "", 1, False), "e1g1", Topic.CASTLED),
        (Moved(1, "exd6", "e5d6", "", 1, False), "e5d6", Topic.EN_PASSANT),
        (Moved(1, "Rxa8+", "a1a8", "", 1, False), "a1a8", Topic.CHECK),
        (Moved(1, "e8=Q+", "e7e8q", "", 1, False), None, Topic.PROMOTION),
        (Moved(1, "Kf2", "e1f2", "", 1, False), "e1f2", None),
        (Ended(1, "1-0", "checkmate"), None, Topic.CHECKMATE),
        (Ended(1, "1-0", "illegal-2"), None, Topic.PENALTY),
        (Ended(1, "1-0", "decided"), None, None),
        (Claimable(1, (str(Claim.FIFTY),)), None, Topic.FIFTY),
        (Claimable(1, (str(Claim.THREEFOLD),)), None, Topic.THREEFOLD),
        (Claimable(1, ()), None, None),
        (RestoreAsked(1, (E4,), (), ""), None, Topic.DISPLACED),
        (RestoreAsked(1, (), (), ""), None, None),
        (Notice(1, "adjust", ""), None, Topic.ADJUST),
        (Notice(1, "draw", "", None, {"answer": "offered"}), None, Topic.DRAW_OFFER),
        (Notice(1, "draw", "", None, {"answer": "agreed"}), None, None),
    ],
)
def test_what_an_event_teaches(event: Event, uci: str | None, topic: Topic | None) -> None:
    last = None if uci is None else parse_uci(START, uci)
    assert topic_of(event, last) is topic


HANDS = {
    "touch": "-a1 +a4",
    "castling": "-e1 +g1 -h1 +f1",
    "attacked": "-e1 +g1 -h1 +f1",
    "en-passant": "-d7 +d5 -e5 +d6 -d5",
    "promotion": "-a7 =n +a8",
    "check": "-f1 +e2",
    "checkmate": "-a1 +a8",
    "stalemate": "-g4 +g6",
}
"""What a pupil's hands do in each exercise: `-` lifts, `+` sets down, `=` chooses."""


def played(exercise: Exercise, hands: str) -> list[bool]:
    """After each event of the game whether the exercise counts as done."""
    position = parse_fen(exercise.fen)
    settings = Settings(mode=Mode.PLAY, touch=TouchRule.FRIENDLY, start_fen=exercise.fen)
    mind, occupied, now_ms = Arbiter(settings), position.occupied, 0
    done: list[bool] = []

    def hear(events: list[Event]) -> None:
        plies = mind.games()[-1].plies
        last = plies[-1].move if plies else None
        done.extend(exercise.is_done(event, last) for event in events)

    hear(list(mind.receive(Scan(0, Occupancy(occupied)))))
    for act in hands.split():
        now_ms += 700
        if act[0] == "=":
            hear(list(mind.receive(Button(now_ms, ButtonName.PROMOTE, act[1:]))))
            continue
        occupied ^= 1 << parse_square(act[1:])
        hear(list(mind.receive(Scan(now_ms, Occupancy(occupied)))))
    hear(list(mind.advance(now_ms + 20_000)))
    return done


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_every_exercise_can_be_done_and_is_not_done_by_doing_nothing(exercise: Exercise) -> None:
    assert any(played(exercise, HANDS[exercise.name]))
    assert not any(played(exercise, ""))


@pytest.mark.parametrize(
    ("name", "hands"),
    [
        ("touch", "-e2 +e4"),
        ("castling", "-e1 +f1"),
        ("checkmate", "-a1 +a7"),
        ("stalemate", "-g4 +g3"),
        ("attacked", "-e2 +e3"),
    ],
)
def test_something_else_is_not_the_exercise(name: str, hands: str) -> None:
    exercise = next(each for each in EXERCISES if each.name == name)
    assert not any(played(exercise, hands))
