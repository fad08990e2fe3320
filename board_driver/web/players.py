"""What a page shows of the players: who sits where, what is commanded, who may be called in."""

from __future__ import annotations

from board_driver.daemon import Daemon
from board_driver.players.company import Company
from rules.squares import Colour


def players_state(daemon: Daemon, company: Company | None, summary: dict[str, object]) -> dict[str, object]:
    """The `players` of a page's state."""
    settings = daemon.settings
    opponents = {} if company is None else company.seats.opponents
    return {
        "white": settings.players[Colour.WHITE],
        "black": settings.players[Colour.BLACK],
        "handless": [colour.word for colour in sorted(settings.handless)],
        "follow": settings.follow_board,
        "command": summary.get("command"),
        "hint": summary.get("hint"),
        "thinking": [colour.word for colour, opponent in opponents.items() if opponent.is_thinking],
        "failed": [colour.word for colour, opponent in opponents.items() if opponent.gave_up],
        "offered": [] if company is None else sorted(company.seats.offered),
        "itself": None if company is None or company.hand is None else company.hand.on,
    }
