"""From what was decided to the lesson it is worth [pure].

A lesson has a topic. Its words stand in the translation files, `lesson.TOPIC` and `lesson.TOPIC.title`; its article is
that of the Laws in force. Rulings are explained each time; what went well (a castling, a check, a promotion) once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from board_driver.events import Claimable, Ended, Event, Irregular, Moved, Notice, RestoreAsked, Touched
from board_driver.wording.language import Language
from rules.articles import Law, number
from rules.irregularity import Why
from rules.move import Move


class Topic(Enum):
    """What a lesson is about. The values are keys of the translation files."""

    TOUCH_OWN = "touch-own"
    TOUCH_ENEMY = "touch-enemy"
    TOUCH_CASTLING = "touch-castling"
    ROOK_FIRST = "rook-first"
    RELEASED = "released"
    ADJUST = "adjust"
    TURN = "turn"
    PAWN = "pawn"
    KNIGHT = "knight"
    BISHOP = "bishop"
    ROOK = "rook"
    QUEEN = "queen"
    KING = "king"
    OWN_CHECK = "own-check"
    KING_INTO_CHECK = "king-into-check"
    CASTLING_RIGHTS = "castling-rights"
    CASTLING_BLOCKED = "castling-blocked"
    CASTLING_OUT_OF_CHECK = "castling-out-of-check"
    CASTLING_ATTACKED = "castling-attacked"
    EN_PASSANT_LATE = "en-passant-late"
    EN_PASSANT_REMOVE = "en-passant-remove"
    CLOCK_WITHOUT_MOVE = "clock-without-move"
    DISPLACED = "displaced"
    PENALTY = "penalty"
    CASTLED = "castled"
    EN_PASSANT = "en-passant"
    PROMOTION = "promotion"
    CHECK = "check"
    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    DEAD_POSITION = "dead-position"
    FIVEFOLD = "fivefold"
    SEVENTYFIVE = "seventyfive"
    THREEFOLD = "threefold"
    FIFTY = "fifty"
    DRAW_OFFER = "draw-offer"
    AGREEMENT = "agreement"
    RESIGNATION = "resignation"
    FLAG = "flag"

    @property
    def law(self) -> Law:
        """The rule it explains."""
        return _LAWS[self]

    @property
    def goes_well(self) -> bool:
        """Whether it explains something that was done rightly, so that once is enough."""
        return self in _WELL


_LAWS: Mapping[Topic, Law] = MappingProxyType(
    {
        Topic.TOUCH_OWN: Law.TOUCH_OWN,
        Topic.TOUCH_ENEMY: Law.TOUCH_ENEMY,
        Topic.TOUCH_CASTLING: Law.KING_THEN_ROOK,
        Topic.ROOK_FIRST: Law.ROOK_THEN_KING,
        Topic.RELEASED: Law.RELEASED,
        Topic.ADJUST: Law.ADJUSTING,
        Topic.TURN: Law.HAS_THE_MOVE,
        Topic.PAWN: Law.PAWN_MOVES,
        Topic.KNIGHT: Law.KNIGHT_MOVES,
        Topic.BISHOP: Law.BISHOP_MOVES,
        Topic.ROOK: Law.ROOK_MOVES,
        Topic.QUEEN: Law.QUEEN_MOVES,
        Topic.KING: Law.KING_MOVES,
        Topic.OWN_CHECK: Law.NO_SELF_CHECK,
        Topic.KING_INTO_CHECK: Law.NO_SELF_CHECK,
        Topic.CASTLING_RIGHTS: Law.CASTLING_RIGHT_LOST,
        Topic.CASTLING_BLOCKED: Law.CASTLING_PREVENTED,
        Topic.CASTLING_OUT_OF_CHECK: Law.CASTLING_PREVENTED,
        Topic.CASTLING_ATTACKED: Law.CASTLING_PREVENTED,
        Topic.EN_PASSANT_LATE: Law.EN_PASSANT,
        Topic.EN_PASSANT_REMOVE: Law.CAPTURE_MADE,
        Topic.CLOCK_WITHOUT_MOVE: Law.PRESS_WITHOUT_MOVE,
        Topic.DISPLACED: Law.DISPLACED,
        Topic.PENALTY: Law.PENALTY,
        Topic.CASTLED: Law.KING_MOVES,
        Topic.EN_PASSANT: Law.EN_PASSANT,
        Topic.PROMOTION: Law.PROMOTION_CHOICE,
        Topic.CHECK: Law.NO_SELF_CHECK,
        Topic.CHECKMATE: Law.CHECKMATE,
        Topic.STALEMATE: Law.STALEMATE,
        Topic.DEAD_POSITION: Law.DEAD_POSITION,
        Topic.FIVEFOLD: Law.FIVEFOLD,
        Topic.SEVENTYFIVE: Law.SEVENTYFIVE,
        Topic.THREEFOLD: Law.THREEFOLD,
        Topic.FIFTY: Law.FIFTY,
        Topic.DRAW_OFFER: Law.DRAW_OFFER,
        Topic.AGREEMENT: Law.AGREEMENT,
        Topic.RESIGNATION: Law.RESIGNATION,
        Topic.FLAG: Law.FLAG,
    }
)

_WELL = frozenset((Topic.CASTLED, Topic.EN_PASSANT, Topic.PROMOTION, Topic.CHECK, Topic.ADJUST, Topic.DRAW_OFFER))

_OF_WHY: Mapping[Why, Topic] = MappingProxyType(
    {
        Why.SELF_CHECK: Topic.OWN_CHECK,
        Why.KING_INTO_CHECK: Topic.KING_INTO_CHECK,
        Why.CASTLE_RIGHTS: Topic.CASTLING_RIGHTS,
        Why.CASTLE_BLOCKED: Topic.CASTLING_BLOCKED,
        Why.CASTLE_OUT_OF_CHECK: Topic.CASTLING_OUT_OF_CHECK,
        Why.CASTLE_THROUGH_CHECK: Topic.CASTLING_ATTACKED,
        Why.CASTLE_INTO_CHECK: Topic.CASTLING_ATTACKED,
        Why.EP_EXPIRED: Topic.EN_PASSANT_LATE,
        Why.EP_NOT_REMOVED: Topic.EN_PASSANT_REMOVE,
        Why.CASTLE_INCOMPLETE: Topic.TOUCH_CASTLING,
        Why.NO_MOVE: Topic.CLOCK_WITHOUT_MOVE,
        Why.CASTLE_ROOK_FIRST: Topic.ROOK_FIRST,
        Why.MUST_CASTLE: Topic.TOUCH_CASTLING,
        Why.MUST_CAPTURE: Topic.TOUCH_ENEMY,
        Why.TOUCH_MOVE: Topic.TOUCH_OWN,
        Why.RELEASED: Topic.RELEASED,
        Why.OUT_OF_TURN: Topic.TURN,
    }
)
_OF_ARTICLE: Mapping[str, Topic] = MappingProxyType(
    {
        number(topic.law): topic
        for topic in (Topic.PAWN, Topic.KNIGHT, Topic.BISHOP, Topic.ROOK, Topic.QUEEN, Topic.KING)
    }
)
_OF_REASON: Mapping[str, Topic] = MappingProxyType(
    {
        "checkmate": Topic.CHECKMATE,
        "stalemate": Topic.STALEMATE,
        "dead-position": Topic.DEAD_POSITION,
        "fivefold": Topic.FIVEFOLD,
        "seventyfive": Topic.SEVENTYFIVE,
        "agreement": Topic.AGREEMENT,
        "resignation": Topic.RESIGNATION,
        "flag": Topic.FLAG,
        "flag-cannot-mate": Topic.FLAG,
    }
)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One explanation, ready to be read: its topic, its title, its text, and the article it rests on (`4.3.1`)."""

    topic: Topic
    title: str
    text: str
    article: str


def lesson(topic: Topic, language: Language) -> Lesson:
    """The lesson on a topic in that language."""
    key = f"lesson.{topic.value}"
    return Lesson(topic, language.say(f"{key}.title"), language.say(key), number(topic.law))


def topic_of(event: Event, last: Move | None) -> Topic | None:
    """What `event` teaches; None where it teaches nothing. `last` is the last move of the game."""
    match event:
        case Irregular():
            return _topic_of_irregularity(event)
        case Touched(obligation=obligation):
            kinds = {"move": Topic.TOUCH_OWN, "capture": Topic.TOUCH_ENEMY, "castle": Topic.TOUCH_CASTLING}
            return kinds.get(str(obligation.get("kind")))
        case Moved(san=san):
            return _topic_of_move(san, last)
        case Ended(reason=reason):
            return Topic.PENALTY if reason.startswith("illegal-") else _OF_REASON.get(reason)
        case Claimable(claims=claims) if claims:
            return Topic.FIFTY if claims == ("fifty",) else Topic.THREEFOLD
        case RestoreAsked(lift=lift, place=place) if lift or place:
            return Topic.DISPLACED
        case Notice(kind="adjust"):
            return Topic.ADJUST
        case Notice(kind="draw", details={"answer": "offered"}):
            return Topic.DRAW_OFFER
        case _:
            return None


def _topic_of_irregularity(event: Irregular) -> Topic | None:
    if event.why == Why.NOT_A_MOVE.value:
        return _OF_ARTICLE.get(event.article)
    return next((topic for why, topic in _OF_WHY.items() if why.value == event.why), None)


def _topic_of_move(san: str, last: Move | None) -> Topic | None:
    if san.startswith("O-O"):
        return Topic.CASTLED
    if last is not None and last.is_en_passant:
        return Topic.EN_PASSANT
    if "=" in san:
        return Topic.PROMOTION
    return Topic.CHECK if san.endswith("+") else None
