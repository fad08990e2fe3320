"""What really happened at such boards: the field cases that play mode answers, each under the policy that suits it.

`POLICIES` says for every case of the kinds that concern play how it is played, and why. Those marked `elsewhere` are
not for a mind at all. All of them are the recorder's business too, where nobody is ruled on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from board_driver.arbiter import Arbiter
from board_driver.events import Lit
from board_driver.mind import TouchRule
from board_driver.replay import play_out
from board_driver.scan import Button, ButtonName, Input, Occupancy, Press, Scan, Sensing
from board_driver.sensorlog.lines import parse_line
from rules.fen import START_FEN, parse_fen
from rules.squares import Colour, parse_square
from tests.board_driver.arbiter.hands import Ruled, log_of, read_cases, settings

STARTS_MS = 1000
KINDS = {
    "captures", "en passant", "castling", "promotion", "touch-move", "j'adoube", "fast play", "takeback", "wrong move",
    "bumped pieces", "sliding", "sloppy placement", "sensor faults", "setup/orientation", "end of game", "new game",
}  # fmt: skip
STRICT, FRIENDLY = TouchRule.STRICT, TouchRule.FRIENDLY


@dataclass(frozen=True)
class Policy:
    """How a case is played and why. `press`: what `other_input` says of the clock."""

    touch: TouchRule | None
    why: str
    press: tuple[tuple[int, str], ...] = ()


STRAIGHT = Policy(STRICT, "plain: the Laws give it as it happened")
SLIDE = Policy(STRICT, "a stay under 200 ms is passage, not a release")
RESTED = Policy(FRIENDLY, "the piece rested on a legal square and went on: corrected before the other side moves")
BACK = Policy(FRIENDLY, "taken back on the board; in strict play a release stands")
POLICIES: dict[str, Policy] = {
    "SLIDE-01": SLIDE,
    "SLIDE-03": SLIDE,
    "SLIDE-05": RESTED,
    "SLIDE-06": RESTED,
    "SLIDE-08": SLIDE,
    "SLIDE-10": Policy(STRICT, "a torn frame: arrival seen before departure is the same move"),
    "PLACE-01": Policy(STRICT, "a dropout of the piece just moved cannot be captured, so binds nobody"),
    "PLACE-03": Policy(STRICT, "two squares filled by one piece: nothing is made until one of them is empty"),
    "PLACE-05": Policy(STRICT, "a place on a filled square is no change"),
    "CAP-01": STRAIGHT,
    "CAP-03": Policy(STRICT, "the victim's square never read empty: asked for on occupancy, seen by colour (D18)"),
    "CAP-05": STRAIGHT,
    "CAP-06": STRAIGHT,
    "CAP-08": Policy(FRIENDLY, "undone before the press and made again", ((5600, "white"),)),
    "EP-01": STRAIGHT,
    "EP-03": STRAIGHT,
    "EP-05": STRAIGHT,
    "EP-06": Policy(FRIENDLY, "the pawn wrongly removed comes back; in strict play Black would owe it a move (D1)"),
    "EP-08": STRAIGHT,
    "CASTLE-01": STRAIGHT,
    "CASTLE-03": Policy(STRICT, "rook first is a rook's move (4.4.2); friendly play makes it castling"),
    "CASTLE-05": STRAIGHT,
    "CASTLE-06": STRAIGHT,
    "CASTLE-08": Policy(STRICT, "castling out of check, rook touched first and without a move: the king is owed"),
    "CASTLE-10": STRAIGHT,
    "CASTLE-11": STRAIGHT,
    "CASTLE-13": Policy(STRICT, "the right was lost"),
    "CASTLE-15": Policy(FRIENDLY, "the king stood on f1 for 250 ms: passage in friendly play, a release in strict"),
    "CASTLE-16": Policy(None, "elsewhere: a question of setups"),
    "CASTLE-19": Policy(STRICT, "king on the rook's square with the rook in hand is castling not yet finished"),
    "PROMO-01": STRAIGHT,
    "PROMO-03": Policy(STRICT, "the new piece may come first (4.6)"),
    "PROMO-05": STRAIGHT,
    "PROMO-06": Policy(FRIENDLY, "exchanged much later: housekeeping; in strict play a touch", ((800, "white"),)),
    "PROMO-08": Policy(STRICT, "an occupancy board cannot see it, a colour board waits for the right colour"),
    "PROMO-10": STRAIGHT,
    "PROMO-11": STRAIGHT,
    "PROMO-13": STRAIGHT,
    "TOUCH-01": STRAIGHT,
    "TOUCH-03": Policy(STRICT, "adjusting was announced"),
    "TOUCH-05": STRAIGHT,
    "TOUCH-06": STRAIGHT,
    "TOUCH-08": Policy(FRIENDLY, "the first piece was put back, so in friendly play the second may move"),
    "TOUCH-09": Policy(STRICT, "no en passant; of the pieces touched the first that can be taken is owed"),
    "FAST-01": STRAIGHT,
    "FAST-03": STRAIGHT,
    "FAST-05": Policy(
        STRICT, "presses late and early", ((600, "white"), (950, "black"), (1250, "white"), (1400, "black"))
    ),
    "FAST-06": Policy(STRICT, "a reply made too early counts as soon as the move before it is made"),
    "TB-01": BACK,
    "TB-03": BACK,
    "TB-05": BACK,
    "TB-06": BACK,
    "TB-08": BACK,
    "TB-10": BACK,
    "TB-11": BACK,
    "WRONG-01": BACK,
    "WRONG-03": Policy(FRIENDLY, "a withdrawn touch binds nobody"),
    "WRONG-05": STRAIGHT,
    "WRONG-06": Policy(STRICT, "the check was not answered: nothing after it counts"),
    "WRONG-08": STRAIGHT,
    "WRONG-10": STRAIGHT,
    "WRONG-11": STRAIGHT,
    "BUMP-01": STRAIGHT,
    "BUMP-03": Policy(STRICT, "the bumped pawn set down elsewhere is out of turn until it is back"),
    "BUMP-05": STRAIGHT,
    "BUMP-06": Policy(STRICT, "mate ends the game; pieces knocked over afterwards change nothing", ((600, "white"),)),
    "SETUP-01": STRAIGHT,
    "SETUP-03": Policy(None, "elsewhere: which way the board stands is the board's setting"),
    "SETUP-05": Policy(None, "elsewhere: tested as a diagnosis before the game, test_setting_up"),
    "SETUP-06": Policy(STRICT, "the king's wrong move is refused"),
    "SETUP-08": Policy(STRICT, "no move before the board stands as the game starts"),
    "SETUP-10": STRAIGHT,
    "SETUP-11": Policy(None, "elsewhere: a change of the board's setting"),
    "NEW-01": Policy(STRICT, "the game before is kept, without the moves that only put men away"),
    "NEW-03": Policy(STRICT, "pieces put back are no resignation"),
    "NEW-05": STRAIGHT,
    "NEW-06": Policy(STRICT, "legal moves that lead to the array begin no new game"),
    "END-01": Policy(FRIENDLY, "kings set to the centre show the result; the king's move before is taken out"),
    "END-03": Policy(FRIENDLY, "one king alone shows nothing: the ply stands"),
    "END-05": Policy(STRICT, "both kings set to the centre out of nowhere: a result, whatever else stands there"),
    "END-06": Policy(FRIENDLY, "put back before they rested: no result"),
    "END-08": STRAIGHT,
    "END-10": STRAIGHT,
    "END-11": STRAIGHT,
    "END-13": STRAIGHT,
    "SENSE-01": STRAIGHT,
    "SENSE-03": Policy(STRICT, "with the square known to be dead the move is inferred"),
    "SENSE-05": Policy(STRICT, "a ghost of three filled corners is not believed"),
    "SENSE-06": STRAIGHT,
    "SENSE-08": STRAIGHT,
    "SENSE-10": Policy(STRICT, "an upside-down magnet is followed"),
    "SENSE-11": Policy(None, "elsewhere: tested as a diagnosis before the game, test_setting_up"),
    "SENSE-13": STRAIGHT,
}
CASES = {case["id"]: case for case in read_cases("field.jsonl")}
SPECIAL = {"NEW-01", "NEW-03", "CAP-03", "SENSE-03", "SETUP-08", "TOUCH-03"}
"""Cases whose `other_input` changes what is fed; each has its own test below."""
PLAYED = [name for name, policy in POLICIES.items() if policy.touch is not None and name not in SPECIAL]


def play(name: str, **changes: Any) -> Arbiter:
    """The arbiter after the case's hands, under its policy."""
    case, policy = CASES[name], POLICIES[name]
    head: dict[str, object] = {"start_fen": case["start_fen"]}
    inputs = [
        item
        for line in log_of(case, head, STARTS_MS, policy.press)[1:]
        if (item := parse_line(line, Sensing.OCCUPANCY)) is not None
    ]
    return run(inputs, case["start_fen"], touch=policy.touch, clock=bool(policy.press), **changes)


def run(inputs: list[Input], fen: str, **changes: Any) -> Arbiter:
    """An arbiter that has read those inputs."""
    arbiter = Arbiter(settings(fen, **changes))
    list(play_out(arbiter, inputs))
    return arbiter


def test_every_case_of_play_has_a_policy() -> None:
    assert set(POLICIES) == {name for name, case in CASES.items() if case["kind"] in KINDS}


@pytest.mark.parametrize("name", PLAYED)
def test_the_game_stands_as_it_should(name: str) -> None:
    case = CASES[name]
    found = play(name).summary()
    assert found["uci"] == case["recorded_moves"], (case["expected"], found)
    assert str(found["fen"]).split()[:4] == case["end_fen"].split()[:4]
    if "result" in case:
        assert found["result"] == case["result"]
    for rejected in case.get("must_reject", ()):
        moves = found["uci"]
        assert isinstance(moves, list)
        assert moves[rejected["after_ply"] : rejected["after_ply"] + 1] != [rejected["uci"]]


@pytest.mark.parametrize("name", [n for n in PLAYED if "mismatch_at_end" in CASES[n] and n not in ("END-01", "END-05")])
def test_what_stands_wrong_is_told_apart_by_lights(name: str) -> None:
    """Squares that should be empty and squares that should be filled are both lit, unless the sensors cannot tell."""
    wrong = CASES[name]["mismatch_at_end"]
    lights = {square: meaning.value for square, meaning in play(name).picture().items()}
    for square in wrong["should_be_empty"]:
        assert lights.get(parse_square(square)) in ("illegal", "take-away"), square
    if name != "END-03":  # men lifted off one by one are in a hand, as far as the board can tell
        for square in wrong["should_be_occupied"]:
            assert parse_square(square) in lights, square


@pytest.mark.parametrize("name", [n for n in PLAYED if CASES[n].get("touch_obligation", {}).keys() & {"must_capture"}])
def test_a_capture_is_owed(name: str) -> None:
    """The capture is owed while the victim is in hand, whether or not it is made in the end."""
    case = CASES[name]
    square = case["touch_obligation"]["must_capture"]
    arbiter = Arbiter(settings(case["start_fen"]))
    seen = set()
    for line in log_of(case, {"start_fen": case["start_fen"]}, STARTS_MS)[1:]:
        item = parse_line(line, Sensing.OCCUPANCY)
        assert item is not None
        arbiter.receive(item)
        arbiter.advance(item.t_ms + 300)
        owed: Any = arbiter.summary()["obligation"]
        if owed["kind"] == "capture":
            seen |= set(owed["squares"])
    assert square in seen


@pytest.mark.parametrize("name", [n for n in PLAYED if "led_legal_destinations" in CASES[n]])
def test_the_lifted_piece_shows_its_squares(name: str) -> None:
    """While that piece is in hand its legal squares are lit, and no others as places to go."""
    case = CASES[name]
    arbiter = Arbiter(settings(case["start_fen"], touch=POLICIES[name].touch))
    shown: list[set[int]] = []
    for event in play_out(arbiter, [i for line in log_of(case, {"start_fen": case["start_fen"]}, STARTS_MS)[1:]
                                    if (i := parse_line(line, Sensing.OCCUPANCY)) is not None]):  # fmt: skip
        if isinstance(event, Lit):
            shown.append({s for s, m in event.picture.items() if m.value in ("destination", "capture")})
    for squares in case["led_legal_destinations"].values():
        wanted = {int(parse_square(square)) for square in squares}
        assert wanted in shown or name == "CASTLE-08", (wanted, shown)


@pytest.mark.parametrize("touch", [STRICT, FRIENDLY])
@pytest.mark.parametrize("name", ["NEW-01", "NEW-03"])
def test_pieces_set_up_anew_end_a_game_without_a_result(name: str, touch: TouchRule) -> None:
    case = CASES[name]
    arbiter = Arbiter(settings(case["start_fen"], touch=touch))
    lines = log_of(case, {"start_fen": case["start_fen"]}, STARTS_MS)[1:]
    list(play_out(arbiter, [item for line in lines if (item := parse_line(line, Sensing.OCCUPANCY)) is not None]))
    before, now = arbiter.games()
    assert arbiter.summary()["games"][0] == {"uci": case["recorded_moves"], "fen": case["end_fen"], "result": "*"}  # type: ignore[index]
    assert (before.result, before.reason, now.plies) == ("*", "abandoned", ())


@pytest.mark.parametrize("name", ["END-01", "END-03", "END-05", "END-06"])
def test_results_shown_with_the_kings_are_the_same_in_strict_play(name: str) -> None:
    case = CASES[name]
    arbiter = Arbiter(settings(case["start_fen"]))
    lines = log_of(case, {"start_fen": case["start_fen"]}, STARTS_MS)[1:]
    list(play_out(arbiter, [item for line in lines if (item := parse_line(line, Sensing.OCCUPANCY)) is not None]))
    assert arbiter.summary()["uci"] == case["recorded_moves"]
    if "result" in case:
        assert arbiter.summary()["result"] == case["result"]


def test_silent_capture_is_asked_for_on_occupancy_and_seen_by_colour() -> None:
    """CAP-03: no lock-up; lifting and setting down once more makes it."""
    fen = CASES["CAP-03"]["start_fen"]
    assert Ruled("-e4", fen).summary["obligation"] == {"kind": "move", "squares": ["e4"]}
    assert Ruled("-e4", fen).lit("d5") == "capture"
    assert Ruled("-e4 -d5 +d5", fen).summary["moves"] == ["exd5"]
    assert Ruled("-e4 ^d5", fen, sensing=Sensing.COLOUR).summary["moves"] == ["exd5"]


def test_announced_adjusting_binds_nobody() -> None:
    """TOUCH-03: the button comes before the first lift."""
    case = CASES["TOUCH-03"]
    lines = log_of(case, {"start_fen": case["start_fen"]}, STARTS_MS)[1:]
    inputs: list[Input] = [item for line in lines if (item := parse_line(line, Sensing.OCCUPANCY)) is not None]
    inputs.insert(1, Button(STARTS_MS - 500, ButtonName.ADJUST, "white"))
    found = run(inputs, case["start_fen"]).summary()
    assert found["moves"] == []
    assert found["obligation"] == {"kind": "none", "squares": []}


def test_move_to_a_dead_square_is_inferred() -> None:
    """SENSE-03: with d4 known to be dead the pawn in hand can only be there; without, the board waits."""
    dead = frozenset({int(parse_square("d4"))})
    found = Ruled("-d2", dead_squares=dead).summary
    assert found["moves"] == ["d4"]
    assert found["uncertain"] == [1]
    assert Ruled("-d2").summary["moves"] == []


def test_move_from_a_dead_square_needs_no_lift() -> None:
    dead = frozenset({int(parse_square("d4"))})
    assert Ruled("-d2 ~4000 -e7 +e5 +d5", dead_squares=dead).summary["moves"] == ["d4", "e5", "d5"]


def test_missing_man_at_the_start_holds_the_game_up() -> None:
    """SETUP-08: b1 is missing until it is set down; no move before that."""
    full = parse_fen(START_FEN).occupied
    without = full & ~(1 << parse_square("b1"))
    arbiter = Arbiter(settings())
    arbiter.receive(Scan(0, Occupancy(without)))
    assert {s: m.value for s, m in arbiter.picture().items()} == {1: "put-here"}
    arbiter.receive(Scan(1000, Occupancy(without & ~(1 << parse_square("e2")))))
    arbiter.receive(Scan(2000, Occupancy(without & ~(1 << parse_square("e2")) | 1 << parse_square("e4"))))
    arbiter.advance(3000)
    assert arbiter.summary()["moves"] == []
    arbiter.receive(Scan(4000, Occupancy(full)))
    arbiter.advance(5000)
    assert arbiter.picture() == {}


def test_presses_out_of_step_lose_nothing() -> None:
    """FAST-05 again: every press finds its ply, and nobody is charged."""
    arbiter = play("FAST-05")
    assert arbiter.summary()["fouls"] == {"white": 0, "black": 0}
    arbiter.receive(Press(9000, Colour.BLACK))
    arbiter.advance(10_000)
    assert arbiter.summary()["fouls"] == {"white": 0, "black": 0}, "his clock does not run"
