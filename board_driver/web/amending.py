"""Putting right a game that lies in a PGN file: a move, its names, its result [pure].

Nothing is lost: what was there before stands in a comment. A move is only replaced by one after which the rest of the
game is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.move import Move
from rules.outcome import Result
from rules.pgn import Line, PgnGame, read_games, write_game
from rules.position import Position
from rules.san import write_san
from rules.uci import UciError, parse_uci, write_uci


class AmendError(ValueError):
    """What was asked for cannot be; the message is a sentence for a person."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """What is to be put right. A tag that is empty is unknown; None leaves things as they are."""

    tags: Mapping[str, str] = field(default_factory=dict)
    ply: int | None = None
    uci: str | None = None
    result: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that may stand in the place of another. `fits`: all later moves are legal after it."""

    san: str
    uci: str
    fits: bool


def choices(start: Position, moves: Sequence[Move], ply: int) -> list[Choice]:
    """The legal moves at that ply (from 1), those that fit first. Raises AmendError if there is no such ply."""
    before = _before(start, moves, ply)
    later = moves[ply:]
    old = before.play(moves[ply - 1])
    texts = list(_texts(old, later))
    found = [
        Choice(write_san(before, move), write_uci(before, move), _follows(before.play(move), texts) is not None)
        for move in before.legal_moves()
    ]
    return sorted(found, key=lambda choice: (not choice.fits, choice.san))


def amended(game: PgnGame, amendment: Amendment) -> PgnGame:
    """The game with that put right. Raises AmendError where it cannot be."""
    if amendment.ply is not None and amendment.uci is not None:
        game = replace(game, line=_corrected(game, amendment.ply, amendment.uci))
    remarks = [] if not game.comment else [game.comment]
    tags = dict(game.tags)
    for name, text in amendment.tags.items():
        told, was = " ".join(text.split()) or "?", tags.get(name, "?")
        if told != was:
            tags[name] = told
            remarks.append(f"{name} was {was}")
    result = game.result
    if amendment.result is not None and amendment.result != str(game.result):
        result = Result(amendment.result)
        tags["Result"] = amendment.result
        remarks.append(f"Result was {game.result}")
    return replace(game, tags=tags, result=result, comment="; ".join(remarks))


def amended_file(content: bytes, number: int, amendment: Amendment) -> bytes:
    """A PGN file with its `number`th game, from 1, put right. Raises AmendError where it cannot be.

    The others are written anew, so each must have been read without loss.
    """
    games = list(read_games(content))
    if not 1 <= number <= len(games):
        raise AmendError("That game is no longer in its file.")
    if any(game.problems for game in games):
        raise AmendError("This file holds something that could not be read: put it right with an editor.")
    games[number - 1] = amended(games[number - 1], amendment)
    return "".join(map(write_game, games)).encode("utf-8")


def _corrected(game: PgnGame, ply: int, uci: str) -> Line:
    moves = game.moves
    before = _before(game.start, moves, ply)
    was = game.line[ply - 1]
    try:
        move = parse_uci(before, uci)
    except UciError:
        raise AmendError(f"{uci} is no legal move there.") from None
    if move is was.move:
        return game.line
    after = _follows(before.play(move), _texts(before.play(was.move), moves[ply:]))
    if after is None:
        raise AmendError(f"After {write_san(before, move)} a later move of this game would not be legal.")
    comment = "; ".join(filter(None, (was.comment, f"was {write_san(before, was.move)}")))
    chosen = replace(was, move=move, comment=comment, variations=())
    later = tuple(replace(old, move=new) for old, new in zip(game.line[ply:], after, strict=True))
    return (*game.line[: ply - 1], chosen, *later)


def _before(start: Position, moves: Sequence[Move], ply: int) -> Position:
    if not 1 <= ply <= len(moves):
        raise AmendError(f"There is no move {ply} in this game.")
    return start.played(moves[: ply - 1])


def _texts(position: Position, moves: Iterable[Move]) -> Iterable[str]:
    for move in moves:
        yield write_uci(position, move)
        position = position.play(move)


def _follows(position: Position, texts: Iterable[str]) -> list[Move] | None:
    """Those moves from another position; None where one is not legal."""
    moves = []
    for text in texts:
        try:
            move = parse_uci(position, text)
        except UciError:
            return None
        moves.append(move)
        position = position.play(move)
    return moves
