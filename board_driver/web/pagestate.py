"""Everything that a page shows: what is on the board, whose move it is, what is owed, what was said.

It is whole every time, so a page that was asleep, restarted or opened in a second tab is right as soon as it has one;
afterwards only what differs is sent (`page`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from board_driver.boards.table import Held
from board_driver.boards.virtual import VirtualBoard
from board_driver.corrections import HEADER, Corrections
from board_driver.daemon import Daemon
from board_driver.gamerecord import GameRecord
from board_driver.lights.looks import LOOKS, SLOT_MS
from board_driver.lights.picture import Picture
from board_driver.mind import Settings
from board_driver.players.company import Company
from board_driver.scan import Scan
from board_driver.web.bulletin import Bulletin, Line, Tone
from board_driver.web.history import History
from board_driver.web.players import players_state
from board_driver.web.score import Score
from board_driver.web.told import standing
from rules.clock import write_time_control
from rules.fen import write_fen
from rules.pieces import Piece, Role
from rules.position import Position
from rules.squares import Colour, rank_of, square_name

FEED_VERSION = 1
LINES_SENT = 20
RHYTHMS = {
    "slot_ms": SLOT_MS,
    "rhythms": {
        meaning.value: "".join("#" if slot else "." for slot in look.rhythm) for meaning, look in LOOKS.items()
    },
}
"""How the lights beat, so that a page beats like the board."""


def page_state(
    daemon: Daemon,
    bulletin: Bulletin,
    score: Score,
    *,
    history: History,
    corrections: Corrections,
    tags: Mapping[str, str],
    company: Company | None = None,
) -> dict[str, object]:
    """Everything a page shows, as JSON values. `tags` are those that the board's profile gives every game."""
    games = daemon.mind.games()
    game = corrections.applied(games[-1])
    correction = corrections.of(games[-1])
    position = score.follow(game)
    summary = daemon.mind.summary()
    result = correction.result or summary.get("result")
    asked = _asked(summary.get("asking")) or _promotion(game, position, summary.get("obligation"))
    return {
        "version": FEED_VERSION,
        "looks": RHYTHMS,
        "now_ms": daemon.clock.now_ms(),
        "board": _board(daemon),
        "settings": _settings(daemon.settings),
        "position": {
            "fen": write_fen(position),
            "turn": position.turn.word,
            "check": position.is_check(),
            "pieces": letters([position.piece_at(square) for square in range(64)]),
        },
        "table": _table(daemon),
        "lights": lights(daemon.picture),
        "moves": score.rows(game, history.revised, history.taken_back, set(correction.plies)),
        "taken_back": history.taken_back.get(len(game.plies) + 1),
        "last_move": score.last_move(),
        "captured": score.captured(),
        "tags": {name: text for name, text in {**tags, **correction.tags}.items() if name in HEADER},
        "offer": None if history.offer is None or result else history.offer.word,
        "first_ply": game.start.ply,
        "games": len(games),
        "obligation": summary.get("obligation"),
        "illegal": summary.get("illegal"),
        "restore": summary.get("restore"),
        "fouls": summary.get("fouls"),
        "claimable": summary.get("claimable") or [],
        "clock": summary.get("clock"),
        "players": players_state(daemon, company, summary, bulletin.language),
        "promotion": None if result and history.end_told else asked,
        "result": None if result == "*" else result,
        "reason": summary.get("reason"),
        "told": standing(bulletin.language, position, score.last_san(), result, summary.get("reason")),
        "said": [_line(line) for line in list(bulletin.lines)[-LINES_SENT:]],
        "headline": _line(bulletin.headline) if bulletin.headline else None,
        "remedy": _remedy(daemon, bulletin, summary, position),
    }


def _remedy(daemon: Daemon, bulletin: Bulletin, summary: dict[str, object], position: Position) -> str:
    """How to put right what is wrong, as last asked, if it still is: by the mind's word, or because it asked for that
    last of all and the board does not stand as the position does (after a move taken back by agreement)."""
    if summary.get("restore") or summary.get("remove"):
        return bulletin.remedy
    last = next((line for line in reversed(bulletin.lines) if line.tone is not Tone.FAULT), None)
    scan = daemon.last_scan
    occupied = None if scan is None else getattr(scan.reading, "occupied", None)
    asked_last = last is not None and last.tone is Tone.REMEDY
    return bulletin.remedy if asked_last and occupied not in (None, position.occupied) else ""


def letters(pieces: Iterable[Piece | None]) -> str:
    """64 characters, a1 first: FEN letters, and `.` for an empty square."""
    return "".join("." if piece is None else piece.letter for piece in pieces)


def lights(picture: Picture) -> dict[str, str]:
    """Names of the lit squares, in order, and what their lights mean."""
    return {square_name(square): picture[square].value for square in sorted(picture)}


def _board(daemon: Daemon) -> dict[str, object]:
    abilities = daemon.board.abilities
    return {
        "name": abilities.name,
        "senses": abilities.senses.value,
        "virtual": isinstance(daemon.board, VirtualBoard),
        "state": daemon.board_state.value,
        "trouble": daemon.board_trouble,
    }


def _settings(settings: Settings) -> dict[str, object]:
    return {
        "mode": settings.mode.value,
        "touch": settings.touch.value,
        "ruleset": settings.ruleset,
        "lights": settings.lights.value,
        "start_fen": settings.start_fen,
        "chess960": settings.chess960,
        "time": None if settings.time_control is None else write_time_control(settings.time_control),
        "press": settings.clock,
        "promotion": settings.promotion.value,
        "claims": settings.claims.value,
    }


def _table(daemon: Daemon) -> dict[str, object] | None:
    """What stands on a virtual board; of another board, which squares are occupied, where it can tell."""
    board = daemon.board
    if isinstance(board, VirtualBoard):
        landing = board.landing
        return {
            "squares": letters(board.table.squares),
            "hands": [_held(held) for held in board.table.hands],
            "landing": None if landing is None else {"hand": int(landing.hand), "square": square_name(landing.square)},
            "tray": "".join(piece.letter for piece in board.table.tray),
            "noise": board.is_noisy,
        }
    return {"occupied": _occupied(daemon.last_scan)}


def _occupied(scan: Scan | None) -> str | None:
    occupied = None if scan is None else getattr(scan.reading, "occupied", None)
    return None if occupied is None else "".join("1" if occupied >> square & 1 else "0" for square in range(64))


def _held(held: Held | None) -> dict[str, object] | None:
    if held is None:
        return None
    return {"piece": held.piece.letter, "from": None if held.origin is None else square_name(held.origin)}


def _asked(asking: object) -> dict[str, object] | None:
    """The choice that the game waits for, where it does."""
    match asking:
        case {"square": str(square), "player": str(player), "chosen": chosen}:
            return {"colour": player, "square": square, "chosen": chosen}
    return None


def _promotion(game: GameRecord, position: Position, obligation: object) -> dict[str, object] | None:
    """Who may choose a piece now: for the pawn in hand that can reach the last rank, or for the move just made."""
    last = game.plies[-1].move if game.plies else None
    if last is not None and last.promotion is not None:
        chosen = last.promotion.letter.lower()
        return {"colour": position.turn.opponent.word, "square": square_name(last.landing), "chosen": chosen}
    match obligation:
        case {"kind": "move", "squares": [str(name), *_]}:
            square = next((s for s in range(64) if square_name(s) == name), None)
            if square is not None and _may_promote(position, square):
                return {"colour": position.turn.word, "square": name, "chosen": None}
    return None


def _may_promote(position: Position, square: int) -> bool:
    piece = position.piece_at(square)
    seventh = 6 if position.turn is Colour.WHITE else 1
    return piece == Piece(position.turn, Role.PAWN) and rank_of(square) == seventh


def _line(line: Line) -> dict[str, object]:
    return {"t_ms": line.t_ms, "tone": line.tone.value, "text": line.text, "article": line.article}
