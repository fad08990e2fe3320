"""Where a game stands, in the words of the chosen language: what pages show large and screen readers say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from board_driver.wording.language import Language
from board_driver.wording.telling import told_end, told_move
from rules.position import Position

if TYPE_CHECKING:
    from board_driver.teaching.blackboard import Blackboard


def standing(tongue: Language, position: Position, last: str | None, result: object, reason: object) -> dict[str, str]:
    """Whose move it is, the last move (`last` in SAN) as it is spoken, and how the game has ended; empty where not."""
    side, opponent = tongue.side(position.turn), tongue.side(position.turn.opponent)
    return {
        "language": tongue.code,
        "turn": tongue.say("turn.check" if position.is_check() else "turn", side=side),
        "last": "" if last is None else tongue.say("moved", side=opponent, move=told_move(last, tongue)),
        "over": told_end(str(result), str(reason or ""), tongue) if result and result != "*" else "",
    }


def blackboard(shown: Blackboard) -> dict[str, object]:
    """What a teacher has written down: the task, the remark on what was done, and the last lesson with its article."""
    lesson = shown.lesson
    told = None if lesson is None else {"title": lesson.title, "text": lesson.text, "article": lesson.article}
    return {"task": shown.task, "remark": shown.remark, "is_right": shown.is_right, "lesson": told}
