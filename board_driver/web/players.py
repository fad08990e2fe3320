"""What a page shows of the players: who sits where, what is commanded, who may be called in."""

from __future__ import annotations

from board_driver.arbiter.words import commanded
from board_driver.daemon import Daemon
from board_driver.players.analyst import Analyst
from board_driver.players.company import Company
from board_driver.wording import ENGLISH
from board_driver.wording.language import Language
from board_driver.wording.telling import told_move
from rules.san import write_san
from rules.squares import Colour
from rules.uci import UciError, parse_uci


def players_state(
    daemon: Daemon, company: Company | None, summary: dict[str, object], tongue: Language
) -> dict[str, object]:
    """The `players` of a page's state."""
    settings = daemon.settings
    opponents = {} if company is None else company.seats.opponents
    return {
        "white": settings.players[Colour.WHITE],
        "black": settings.players[Colour.BLACK],
        "handless": [colour.word for colour in sorted(settings.handless)],
        "follow": settings.follow_board,
        "command": summary.get("command"),
        "told": _told(daemon, summary.get("command"), tongue),
        "hint": summary.get("hint"),
        "thinking": [colour.word for colour, opponent in opponents.items() if opponent.is_thinking],
        "failed": [colour.word for colour, opponent in opponents.items() if opponent.gave_up],
        "failures": {colour.word: opponent.engine.failures for colour, opponent in opponents.items()},
        "offered": [] if company is None else sorted(company.seats.offered),
        "analysis": None if company is None else _analysis(company.analyst),
        "itself": None if company is None or company.hand is None else company.hand.on,
    }


def _analysis(analyst: Analyst) -> dict[str, object]:
    """Whether an engine is asked about the position, and what it says, as White sees it."""
    found = analyst.judgement
    said: dict[str, object] = (
        {} if found is None else {"cp": found.cp, "mate": found.mate, "best": found.best, "san": found.san}
    )
    return {"on": analyst.on, "allowed": analyst.is_allowed, **said}


def _told(daemon: Daemon, command: object, tongue: Language) -> str | None:
    """What is to be carried out, in words; None while nothing is."""
    if not isinstance(command, str):
        return None
    position = daemon.mind.games()[-1].position_after()
    try:
        move = parse_uci(position, command)
    except UciError:
        return None
    if tongue.code != ENGLISH:
        side = tongue.side(Colour(position.turn))
        return tongue.say("notice.command", side=side, move=told_move(write_san(position, move), tongue))
    text = commanded(position, move)
    return f"{text[:1].upper()}{text[1:]}."
