"""What people put right stands in the record and in the PGN, and nowhere else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from board_driver.boards.virtual import VirtualBoard
from board_driver.corrections import Correction, Corrections, corrected
from board_driver.daemon import Daemon
from board_driver.events import Fault
from board_driver.gamerecord import GameRecord, RecordedPly
from board_driver.mind import Settings
from board_driver.scribe import Folder, Scribe
from rules.fen import START_FEN, parse_fen
from rules.position import Position
from rules.uci import parse_uci, write_uci
from tests.board_driver.doubles import FakeMind

TWO_VICTIMS = "k7/8/8/8/3p1p2/4Q3/8/7K w - - 0 1"


def game_of(fen: str, *moves: str, doubt: dict[int, tuple[str, ...]] | None = None) -> GameRecord:
    position = start = parse_fen(fen)
    plies = []
    for number, uci in enumerate(moves, 1):
        move = parse_uci(position, uci)
        others = (doubt or {}).get(number, ())
        plies.append(RecordedPly(move, number * 1000, 1000, provisional=bool(others), alternatives=others))
        position = position.play(move)
    return GameRecord(start, tuple(plies))


def ucis(game: GameRecord) -> list[str]:
    position: Position = game.start
    texts = []
    for ply in game.plies:
        texts.append(write_uci(position, ply.move))
        position = position.play(ply.move)
    return texts


def a_daemon(game: GameRecord) -> Daemon:
    daemon = Daemon(VirtualBoard(game.start), Settings(), mind_of=FakeMind)
    assert isinstance(daemon.mind, FakeMind)
    daemon.mind.game = game
    return daemon


def test_a_settled_ply_is_certain_and_says_what_it_was() -> None:
    game = game_of(TWO_VICTIMS, "e3d4", "a8b7", doubt={1: ("e3f4",)})
    told = corrected(game, Correction(plies={1: "e3f4"}))
    assert ucis(told) == ["e3f4", "a8b7"]
    assert (told.plies[0].alternatives, told.plies[0].provisional) == ((), False)
    assert "Qxd4" in told.plies[0].comment
    assert ucis(game) == ["e3d4", "a8b7"]


def test_a_ply_after_which_later_ones_are_impossible_is_left_as_it_was() -> None:
    game = game_of(TWO_VICTIMS, "e3d4", "f4f3", doubt={1: ("e3f4",)})
    assert corrected(game, Correction(plies={1: "e3f4"})) == game
    for number in (0, 3):
        assert corrected(game, Correction(plies={number: "e3f4"})) == game


def test_only_what_is_in_doubt_can_be_settled() -> None:
    async def run() -> None:
        daemon = a_daemon(game_of(TWO_VICTIMS, "e3d4", "a8b7", doubt={1: ("e3f4",)}))
        corrections = Corrections(daemon)
        assert not corrections.settle(1, "e3e4")
        assert not corrections.settle(2, "a8a7")
        assert not corrections.settle(9, "a8a7")
        assert not corrections.settle(1, "nonsense")
        assert corrections.settle(1, "e3d4")
        assert corrections.settle(1, "e3f4")
        assert corrections.present.plies == {1: "e3f4"}

    asyncio.run(run())


def test_names_result_and_settled_plies_are_in_the_file(tmp_path: Path) -> None:
    async def run() -> None:
        daemon = a_daemon(game_of(TWO_VICTIMS, "e3d4", doubt={1: ("e3f4",)}))
        corrections = Corrections(daemon)
        scribe = Scribe(daemon, Folder(tmp_path), tags={"White": "from the profile", "Event": "Club evening"})
        scribe.correct(corrections)
        corrections.tell({"White": 'Ann "the\nrook" <b>', "Black": "  "})
        corrections.settle(1, "e3f4")
        corrections.decide("1-0")
        await scribe.write()

    asyncio.run(run())
    (file,) = tmp_path.glob("*.pgn")
    text = file.read_text()
    assert '[White "Ann \\"the rook\\" <b>"]' in text
    assert '[Black "?"]' in text
    assert '[Event "Club evening"]' in text
    assert '[Result "1-0"]' in text
    assert "1. Qxf4" in text
    assert "the board told Qxd4" in " ".join(text.split())


@pytest.mark.parametrize("asked_for", [True, False])
def test_the_next_game_keeps_the_event_and_forgets_the_players(asked_for: bool) -> None:
    async def run() -> None:
        daemon = a_daemon(game_of(TWO_VICTIMS, "e3d4"))
        corrections = Corrections(daemon)
        corrections.tell({"White": "Ann", "Event": "Club evening"})
        first = daemon.mind.games()[-1]
        if not asked_for:
            daemon.mind.game = GameRecord(first.start, began_ms=5000)  # type: ignore[attr-defined]
        daemon.inbox.put(Fault(5000, "any", None, "something is said"))
        daemon.new_game(Settings()) if asked_for else daemon._take(daemon.inbox.get_nowait())  # type: ignore[arg-type]
        assert corrections.present.tags == {"Event": "Club evening"}
        assert corrections.of(first).tags == {"White": "Ann", "Event": "Club evening"}

    asyncio.run(run())


def test_corrections_outlive_the_program_with_their_game(tmp_path: Path) -> None:
    path = tmp_path / "corrections.json"
    game = game_of(TWO_VICTIMS, "e3d4", doubt={1: ("e3f4",)})

    async def run() -> None:
        before = Corrections(a_daemon(game), path)
        before.tell({"White": "Ann"})
        before.settle(1, "e3f4")
        assert Corrections(a_daemon(game), path, goes_on=True).present == before.present
        assert Corrections(a_daemon(game), path).present == Correction()
        other = GameRecord(game.start, game.plies, began_ms=77)
        assert Corrections(a_daemon(other), path, goes_on=True).present == Correction()
        for damaged in ("", "[]", '{"began_ms": 0, "tags": 3}', "{"):
            path.write_text(damaged)
            assert Corrections(a_daemon(game), path, goes_on=True).present == Correction()

    asyncio.run(run())


def test_names_told_before_anything_happened_are_those_of_the_game() -> None:
    """The mind may learn of its game's beginning only by the first scan, which is worth no event."""

    async def run() -> None:
        daemon = a_daemon(game_of(TWO_VICTIMS))
        corrections = Corrections(daemon)
        game = daemon.mind.game = GameRecord(parse_fen(TWO_VICTIMS), began_ms=12)  # type: ignore[attr-defined]
        corrections.tell({"White": "Ann"})
        assert corrections.of(game).tags == {"White": "Ann"}

    asyncio.run(run())


def test_any_ply_of_the_game_is_put_right_where_the_rest_stays_legal() -> None:
    async def run() -> None:
        game = game_of(START_FEN, "g1f3", "d7d5", "e2e3")
        daemon = a_daemon(game)
        corrections = Corrections(daemon)
        assert corrections.amend(game, plies={1: "b1c3"})
        assert ucis(corrections.applied(game)) == ["b1c3", "d7d5", "e2e3"]
        for number, uci in ((1, "e2e4"), (1, "a1a5"), (4, "a7a6"), (0, "e2e4"), (2, "nonsense")):
            assert not corrections.amend(game, plies={number: uci})
        assert ucis(corrections.applied(game)) == ["b1c3", "d7d5", "e2e3"]
        assert corrections.amend(game, {"White": "Ann"}, result="1/2-1/2")
        assert corrections.present == Correction({"White": "Ann"}, {1: "b1c3"}, "1/2-1/2")

    asyncio.run(run())


def test_a_game_before_the_present_one_is_put_right_too(tmp_path: Path) -> None:
    async def run() -> None:
        first = game_of(START_FEN, "g1f3")
        daemon = a_daemon(first)
        scribe = Scribe(daemon, Folder(tmp_path))
        corrections = Corrections(daemon)
        scribe.correct(corrections)
        await scribe.write()
        daemon.mind.game = game_of(TWO_VICTIMS, "e3d4")  # type: ignore[attr-defined]
        corrections.tell({"White": "Bob"})
        assert corrections.amend(first, {"White": "Ann"}, {1: "b1c3"})
        assert ucis(corrections.applied(first)) == ["b1c3"]
        assert corrections.of(first).tags == {"White": "Ann"}
        assert corrections.present.tags == {"White": "Bob"}

    asyncio.run(run())
