"""A player without hands: his moves are commanded, and whoever sits at the board carries them out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from board_driver.arbiter import Arbiter
from board_driver.events import Event, Irregular, Lit, Moved, Notice, RestoreAsked
from board_driver.mind import LightsSetting, TouchRule
from board_driver.replay import play_out
from board_driver.scan import Button, ButtonName, Command, Hint, Input, Sensing
from board_driver.sensorlog.lines import parse_line
from rules.fen import START_FEN, parse_fen, write_fen
from rules.move import Move
from rules.position import Position
from rules.squares import Colour, parse_square
from rules.uci import parse_uci, write_uci
from tests.board_driver.arbiter.hands import Hands, log_of, read_cases, settings

BLACK = frozenset({Colour.BLACK})
WHITE = frozenset({Colour.WHITE})
TOUCH_RULES = pytest.mark.parametrize("touch", list(TouchRule))
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
CASES = {case["id"]: case for case in read_cases("field.jsonl")}


@dataclass
class Table:
    """A board with an arbiter; hands and commands come in turn, and everything is settled before what follows."""

    fen: str = START_FEN
    changes: dict[str, Any] = field(default_factory=lambda: {"handless": BLACK})
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.setup = settings(self.fen, **self.changes)
        self.arbiter = Arbiter(self.setup)
        self.hands = Hands(self.setup)
        self._read(self.hands.inputs)
        self.fed = 1

    def do(self, tokens: str, rest_ms: int = 500) -> Table:
        """What hands do, each step 700 ms after the one before, and `rest_ms` after the last."""
        self.hands.do(tokens)
        self._read(self.hands.inputs[self.fed :])
        self.fed = len(self.hands.inputs)
        return self._rest(rest_ms)

    def command(self, uci: str, rest_ms: int = 0) -> Table:
        """A command; nothing waits for it."""
        self._read([Command(self.hands.t_ms, uci)])
        return self._rest(rest_ms)

    def give(self, *items: Input) -> Table:
        """Any other input."""
        self._read(items)
        return self

    def _read(self, items: Iterable[Input]) -> None:
        for item in items:
            self.events += self.arbiter.receive(item)

    def _rest(self, rest_ms: int) -> Table:
        self.hands.t_ms += rest_ms
        self.events += self.arbiter.advance(self.hands.t_ms)
        return self

    @property
    def found(self) -> dict[str, Any]:
        return self.arbiter.summary()

    @property
    def lit(self) -> dict[str, str]:
        names = {parse_square(name): name for name in (f + r for f in "abcdefgh" for r in "12345678")}
        return {names[s]: m.value for s, m in sorted(self.arbiter.picture().items())}

    def said(self, kind: str) -> list[str]:
        return [e.text for e in self.events if isinstance(e, Notice) and e.kind == kind]


def pending(uci: str, fen: str = AFTER_E4, **changes: Any) -> Table:
    """A board on which that command waits to be carried out."""
    turn = frozenset({Colour(parse_fen(fen).turn)})
    return Table(fen, {"handless": turn} | changes).command(uci)


# -- the guide


def test_the_way_is_lit_until_it_has_been_gone() -> None:
    table = pending("e7e5")
    assert table.lit == {"e7": "command-from", "e5": "command-to"}
    assert table.found["command"] == "e7e5"
    assert table.do("-e7").lit == {"e5": "command-to"}
    assert table.do("+e5").lit == {"e7": "last-move", "e5": "last-move"}
    assert table.found["uci"] == ["e7e5"]
    assert "command" not in table.found


def test_a_victim_is_to_come_off() -> None:
    table = pending("d5e4", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2")
    assert table.lit == {"d5": "command-from", "e4": "remove"}
    assert table.do("-e4").lit == {"d5": "command-from", "e4": "command-to"}
    assert table.do("-d5 +e4").found["moves"] == ["dxe4"]
    assert table.said("command") == ["black plays dxe4: pawn from d5 to e4, the pawn there comes off"]


@pytest.mark.parametrize("tokens", ["-d5 -e4 +e4", "-e4 -d5 +e4", "-d5/-e4 +e4"])
def test_a_capture_in_any_order(tokens: str) -> None:
    table = pending("d5e4", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2")
    assert table.do(tokens).found["moves"] == ["dxe4"]


@pytest.mark.parametrize("rights", [("e8g8", "g8", "h8", "f8"), ("e8c8", "c8", "a8", "d8")])
def test_castling_is_led_king_first(rights: tuple[str, str, str, str]) -> None:
    uci, king, rook, rook_to = rights
    table = pending(uci, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
    assert table.lit == {"e8": "command-from", king: "command-to"}
    assert table.do(f"-e8 +{king}").lit == {rook: "command-from", rook_to: "command-to"}
    assert not [e for e in table.events if isinstance(e, Irregular | RestoreAsked)]
    assert table.do(f"-{rook}").lit == {rook_to: "command-to"}
    assert table.do(f"+{rook_to}").found["uci"] == [uci]


@TOUCH_RULES
@pytest.mark.parametrize("tokens", ["-h8 +f8 -e8 +g8", "-e8 -h8 +f8 +g8", "-e8/-h8 +g8/+f8"])
def test_castling_may_be_carried_out_in_any_order(touch: TouchRule, tokens: str) -> None:
    table = pending("e8g8", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", touch=touch).do(tokens)
    assert table.found["uci"] == ["e8g8"]
    assert not [e for e in table.events if isinstance(e, Irregular | RestoreAsked)]


def test_en_passant_asks_for_the_pawn_beside() -> None:
    table = pending("d4e3", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")
    assert table.lit == {"d4": "command-from", "e3": "command-to", "e4": "remove"}
    assert table.do("-d4 +e3").lit == {"e4": "remove"}
    assert not [e for e in table.events if isinstance(e, Irregular | RestoreAsked)]
    assert table.do("-e4").found["moves"] == ["dxe3"]


@pytest.mark.parametrize(("letter", "piece"), [("q", "queen"), ("r", "rook"), ("b", "bishop"), ("n", "knight")])
def test_a_promotion_names_its_piece_and_is_no_choice_of_the_hand(letter: str, piece: str) -> None:
    table = pending(f"e2e1{letter}", "7k/8/8/8/8/8/4p3/7K b - - 0 1")
    assert table.said("command")[0].endswith(f"becomes a {piece}")
    other = "r" if letter != "r" else "n"
    table.do(f"promote:{other} -e2 +e1 promote:{other} promote:q")
    assert table.found["uci"] == [f"e2e1{letter}"]


@pytest.mark.parametrize("tokens", ["-e2 +e1", "+e1 -e2", "-e2 +e1 -e1 +e1"])
@TOUCH_RULES
def test_the_new_piece_may_come_in_any_way(touch: TouchRule, tokens: str) -> None:
    table = pending("e2e1r", "7k/8/8/8/8/8/4p3/7K b - - 0 1", touch=touch).do(tokens)
    assert table.found["uci"] == ["e2e1r"]
    assert not [e for e in table.events if isinstance(e, Irregular)]


def test_on_a_board_that_knows_its_pieces_the_wrong_new_one_is_wrong() -> None:
    fen = "7k/8/8/8/8/8/4p3/7K b - - 0 1"
    table = pending("e2e1n", fen, sensing=Sensing.IDENTITY).do("-e2 +e1=q")
    assert table.found["uci"] == []
    assert table.do("-e1 +e1=n").found["uci"] == ["e2e1n"]


def test_only_faults_lit_still_leads_and_no_lights_do_not() -> None:
    assert pending("e7e5", lights=LightsSetting.FAULTS_ONLY).lit == {"e7": "command-from", "e5": "command-to"}
    assert pending("e7e5", lights=LightsSetting.NONE).lit == {}


def test_mate_is_told_with_its_move_and_ends_the_game_when_carried_out() -> None:
    """END-08: the mating move is shown, not only `mate`."""
    case = CASES["END-08"]
    table = pending("d8h4", case["start_fen"])
    assert table.said("command") == ["black plays Qh4#, checkmate: queen from d8 to h4"]
    assert table.lit == {"d8": "command-from", "h4": "command-to"}
    assert table.found["result"] is None
    assert table.do("-d8 +h4").found["result"] == "0-1"


# -- wrong executions

WRONG = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"


@TOUCH_RULES
def test_a_wrong_move_is_told_within_a_second_and_the_right_one_stays_lit(touch: TouchRule) -> None:
    """WRONG-01."""
    table = pending("g8f6", WRONG, touch=touch).do("-b8 +c6", rest_ms=0)
    placed_ms = table.hands.t_ms
    table._rest(1000)
    told = [e for e in table.events if isinstance(e, Irregular)]
    assert [(e.why, e.category, e.completed) for e in told] == [("not-commanded", "displaced", False)]
    assert told[0].t_ms - placed_ms <= 1000
    assert "knight from g8 to f6" in told[0].text
    assert table.lit == {"b8": "put-here", "c6": "illegal", "g8": "command-from", "f6": "command-to"}
    assert table.do("-c6 +b8").lit == {"g8": "command-from", "f6": "command-to"}
    assert table.do("-g8 +f6").found["moves"] == ["Nf6"]
    assert table.found["fouls"] == {"white": 0, "black": 0}


@TOUCH_RULES
def test_the_wrong_man_taken_up_is_told_at_once(touch: TouchRule) -> None:
    """WRONG-03."""
    table = pending("g8f6", WRONG, touch=touch).do("-b8")
    assert table.said("wrong-piece") == ["not the black knight on b8: to carry out is knight from g8 to f6"]
    assert table.lit == {"b8": "put-here", "g8": "command-from", "f6": "command-to"}
    assert table.do("+b8").lit == {"g8": "command-from", "f6": "command-to"}
    assert table.do("-g8 +f6").found["moves"] == ["Nf6"]


def test_the_right_man_on_the_wrong_square() -> None:
    """NET-11: nothing is made, and the man may go on to where it belongs."""
    table = pending("g8f6", AFTER_E4).do("-g8 +h6")
    assert table.lit == {"g8": "put-here", "h6": "illegal", "f6": "command-to"}
    assert table.do("-h6 +f6").found["moves"] == ["Nf6"]


def test_the_way_is_lit_again_for_a_man_put_back() -> None:
    """WRONG-10."""
    table = pending("e7e5").do("-e7 +e7", rest_ms=0)
    placed_ms = table.hands.t_ms
    table._rest(1000)
    again = [e for e in table.events if isinstance(e, Lit) and len(e.picture) == 2][-1]
    assert again.t_ms - placed_ms <= 200
    assert table.lit == {"e7": "command-from", "e5": "command-to"}


def test_a_neighbour_bumped_is_no_matter() -> None:
    """WRONG-08, and the same with a bump that is long enough to be seen."""
    assert pending("e7e5").do("-e7 -d7 +e5 +d7").found["moves"] == ["e5"]
    assert pending("e7e5").do("-e7 -d7 +d7 +e5").found["moves"] == ["e5"]


@pytest.mark.parametrize("case_id", ["WRONG-01", "WRONG-03", "WRONG-08", "WRONG-10", "END-08", "CASTLE-11", "FAST-01",
                                     "CLOCK-01", "CLOCK-03", "NET-11", "LED-06"])  # fmt: skip
@TOUCH_RULES
def test_the_cases_of_the_field_with_their_commands(case_id: str, touch: TouchRule) -> None:
    case = CASES[case_id]
    setup = settings(case["start_fen"], touch=touch, handless=frozenset({Colour(parse_fen(case["start_fen"]).turn)}))
    commands = case.get("commanded_moves") or [{"uci": case["recorded_moves"][0]}]
    lines = log_of(case, {"start_fen": case["start_fen"]}, 1000)[1:]
    inputs = [item for line in lines if (item := parse_line(line, Sensing.OCCUPANCY)) is not None]
    arbiter = Arbiter(setup)
    list(play_out(arbiter, [inputs[0], Command(500, commands[0]["uci"]), *inputs[1:]]))
    assert arbiter.summary()["uci"] == case["recorded_moves"]
    assert arbiter.summary()["result"] == case.get("result")
    assert arbiter.summary()["fouls"] == {"white": 0, "black": 0}


def test_a_game_given_up_before_the_move_was_carried_out_has_it() -> None:
    """PGN-08: it is in the score, and the score says that it is not on the board."""
    case = CASES["PGN-08"]
    table = pending(case["recorded_moves"][0], case["start_fen"]).do("resign:white")
    assert table.found["uci"] == case["recorded_moves"]
    assert table.found["result"] == case["result"]
    assert [ply.comment for ply in table.arbiter.games()[-1].plies] == ["not carried out on the board"]
    assert table.lit == {}


def test_two_commands_one_after_the_other() -> None:
    """NET-10: the game is ahead of the board by two plies; they are carried out one by one."""
    table = Table(CASES["NET-10"]["start_fen"], {"handless": WHITE | BLACK})
    table.command("g1f3").do("-g1 +f3").command("b8c6")
    assert table.lit == {"b8": "command-from", "c6": "command-to"}
    assert table.do("-b8 +c6").found["moves"] == ["Nf3", "Nc6"]


# -- another move than the commanded one


def test_by_setting_another_move_is_accepted_instead() -> None:
    """WRONG-11."""
    refused = pending("e7e5").do("-c7 +c5")
    assert refused.found["moves"] == []
    assert refused.lit == {"c7": "put-here", "c5": "illegal", "e7": "command-from", "e5": "command-to"}
    accepted = pending("e7e5", follow_board=True).do("-c7 +c5")
    assert accepted.found["moves"] == ["c5"]
    assert "command" not in accepted.found


def test_before_the_command_has_come_nothing_is_made_for_that_side() -> None:
    table = Table(AFTER_E4)
    table.do("-d7 +d7 -e7 +e7")
    assert not [e for e in table.events if isinstance(e, Irregular)]
    assert table.found["obligation"] == {"kind": "none", "squares": []}
    table.do("-e7 +e5")
    assert table.found["moves"] == []
    assert table.lit == {"e7": "put-here", "e5": "illegal"}


def test_by_setting_a_move_is_made_before_the_command_has_come() -> None:
    assert Table(AFTER_E4, {"handless": BLACK, "follow_board": True}).do("-e7 +e5").found["moves"] == ["e5"]


def test_a_move_foreseen_is_made_the_moment_it_is_commanded() -> None:
    assert Table(AFTER_E4).do("-e7 +e5").command("e7e5").found["moves"] == ["e5"]


# -- the player at the board


@TOUCH_RULES
@pytest.mark.parametrize("tokens", ["-e7 +e5 -g1 +f3", "-g1 -e7 +e5 +f3", "-e7 -g1 +e5 +f3", "-e7 -g1 +f3 +e5"])
def test_the_command_and_the_reply_in_one_go(touch: TouchRule, tokens: str) -> None:
    table = pending("e7e5", touch=touch).do(tokens)
    assert table.found["moves"] == ["e5", "Nf3"]
    assert table.found["fouls"] == {"white": 0, "black": 0}


def test_whoever_carries_out_may_straighten_the_man() -> None:
    """In strict play to touch an enemy piece binds, but the hand that has just set it down was its own."""
    table = Table("rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1").command("d7d5").do("-d7 +d5 -d5 +d5")
    assert table.found["obligation"]["kind"] == "none"
    assert table.do("-g1 +f3").found["moves"] == ["d5", "Nf3"]


def test_a_capture_of_the_man_just_moved_is_an_ordinary_one() -> None:
    table = Table("rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1").command("d7d5").do("-d7 +d5")
    assert table.do("-d5 -c4 +d5").found["moves"] == ["d5", "cxd5"]


def test_the_player_himself_is_ruled_as_ever() -> None:
    """Article 4 binds him who has hands."""
    table = Table().do("-g1 +g1 -e2 +e4")
    assert table.found["illegal"]["why"] == "touch-move"
    assert table.found["moves"] == []


def test_who_has_no_hands_presses_no_clock() -> None:
    table = Table(changes={"handless": BLACK, "clock": True})
    table.do("-e2 +e4 W").command("e7e5").do("B")
    assert table.found["fouls"] == {"white": 0, "black": 0}
    table.do("-e7 +e5 B -g1 +f3 W").command("b8c6").do("-b8 +c6 -f1 +b5 W")
    assert table.found["moves"] == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    assert table.found["fouls"] == {"white": 0, "black": 0}


# -- commands that come at the wrong time


def test_a_command_for_another_position_is_nothing() -> None:
    table = Table(AFTER_E4)
    table.give(Command(0, "e7e5", START_FEN))
    assert table.lit == {}
    assert len(table.said("command-ignored")) == 1
    table.give(Command(0, "e7e4"), Command(0, "e2e4"))
    assert len(table.said("command-ignored")) == 3
    table.give(Command(0, "e7e5", AFTER_E4))
    assert table.found["command"] == "e7e5"


def test_a_new_command_takes_the_place_of_the_one_before() -> None:
    table = pending("e7e5").command("c7c5")
    assert table.lit == {"c7": "command-from", "c5": "command-to"}
    assert table.do("-c7 +c5").found["moves"] == ["c5"]


def test_a_command_that_comes_before_the_pieces_stand_waits_for_them() -> None:
    setup = settings(handless=WHITE)
    arbiter = Arbiter(setup)
    arbiter.receive(Command(0, "e2e4"))
    for item in Hands(setup).inputs:
        arbiter.receive(item)
    assert arbiter.summary()["command"] == "e2e4"


def test_after_the_end_nothing_is_commanded() -> None:
    table = Table().do("resign:white").command("e2e4")
    assert table.said("command-ignored")
    assert "command" not in table.found


# -- take-backs


def test_a_takeback_takes_the_pending_command_with_it() -> None:
    """TB-01: the move is taken back on the board while the reply waits to be carried out."""
    table = Table(changes={"handless": BLACK, "touch": TouchRule.FRIENDLY}).do("-e2 +e4").command("e7e5")
    table.do("-e4 +e2")
    assert table.found["moves"] == []
    assert table.lit == {}
    assert table.do("-d2 +d4").command("d7d5").do("-d7 +d5").found["moves"] == ["d4", "d5"]


def test_a_commanded_move_walked_back_is_lit_again() -> None:
    table = Table(changes={"handless": BLACK, "touch": TouchRule.FRIENDLY}).do("-e2 +e4").command("e7e5")
    table.do("-e7 +e5 -e5 +e7")
    assert table.found["moves"] == ["e4"]
    assert table.lit == {"e7": "command-from", "e5": "command-to"}
    assert table.do("-e4 +e2").found["moves"] == []


def test_a_commanded_move_is_not_dragged_on_to_another_square() -> None:
    table = Table(AFTER_E4, {"handless": BLACK, "touch": TouchRule.FRIENDLY}).command("e7e5").do("-e7 +e5 -e5 +e6")
    assert table.found["moves"] == ["e5"]
    assert table.lit["e6"] == "illegal"


# -- offers and advice


def test_an_offer_may_be_declined_by_word() -> None:
    table = Table().do("-e2 +e4 draw:white")
    assert table.found["result"] is None
    table.do("decline:white decline:black decline:black")
    assert [e.details["answer"] for e in table.events if isinstance(e, Notice) and e.kind == "draw"] == [
        "offered", "declined",
    ]  # fmt: skip
    assert table.do("draw:black").found["result"] is None, "the offer had gone"


def test_a_hint_is_asked_for_shown_and_gone_with_the_move() -> None:
    table = Table(changes={}).do("hint:white")
    assert len(table.said("hint-asked")) == 1
    table.give(Hint(table.hands.t_ms, "g1f3", START_FEN))
    assert table.lit == {"g1": "hint", "f3": "hint"}
    assert table.said("hint") == ["try Nf3"]
    assert table.do("-e2 +e4").lit == {"e2": "last-move", "e4": "last-move"}


def test_no_hint_where_help_is_forbidden() -> None:
    table = Table(changes={"lights": LightsSetting.FAULTS_ONLY}).do("hint:white")
    table.give(Hint(table.hands.t_ms, "g1f3"))
    assert not table.said("hint-asked") + table.said("hint")
    assert "11.3.1" in table.said("button-ignored")[0]
    assert table.lit == {}


# -- whole games


@pytest.mark.parametrize("sensing", [Sensing.OCCUPANCY, Sensing.COLOUR, Sensing.IDENTITY])
@TOUCH_RULES
def test_a_game_with_everything_in_it_by_command(sensing: Sensing, touch: TouchRule) -> None:
    """Castling both ways, en passant and a promotion with capture, each commanded and carried out."""
    moves = [
        "e2e4", "c7c5", "e4e5", "d7d5", "e5d6", "b8c6", "g1f3", "c8g4", "f1e2",
        "d8d7", "e1g1", "e8c8", "d6e7", "g4f3", "e7f8n", "f3e2", "f8d7", "e2d1",
    ]  # fmt: skip
    table = Table(changes={"handless": BLACK | WHITE, "sensing": sensing, "touch": touch})
    position = parse_fen(START_FEN)
    for uci in moves:
        move = parse_uci(position, uci)
        victim = position.victim_square(move)
        name = lambda s: "abcdefgh"[s & 7] + str((s >> 3) + 1)  # noqa: E731
        table.command(uci)
        tokens = [f"-{name(victim)}"] if victim is not None else []
        table.do(" ".join(tokens))
        table.hands.air.clear()
        if move.promotion is not None:
            table.do(f"-{name(move.origin)}")
            table.hands.air.clear()
            table.do(f"+{name(move.landing)}=N")
        else:
            table.do(f"-{name(move.origin)} +{name(move.landing)}")
        if move.rook_origin is not None and move.rook_landing is not None:
            table.do(f"-{name(move.rook_origin)} +{name(move.rook_landing)}")
        position = position.play(move)
    assert table.found["uci"] == moves
    assert table.found["fen"] == write_fen(position)
    assert not [e for e in table.events if isinstance(e, Irregular | RestoreAsked)]
    assert len([e for e in table.events if isinstance(e, Moved)]) == len(moves)


def test_a_hint_button_names_a_player() -> None:
    assert parse_line({"t_ms": 1, "button": "hint", "value": "white"}, Sensing.OCCUPANCY) == Button(
        1, ButtonName.HINT, "white"
    )


# -- clumsy hands

FAULTS = {"illegal", "take-away", "put-here", "unclear"}


def name_of(square: int) -> str:
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)


def disturbance(chance: Random, occupied: int) -> str:
    """A man is taken up and put back, or stands somewhere else for a while."""
    squares = [s for s in range(64) if occupied >> s & 1]
    free = [s for s in range(64) if not occupied >> s & 1]
    home = name_of(chance.choice(squares))
    if chance.random() < 0.5:
        return f"-{home} +{home}"
    there = name_of(chance.choice(free))
    return f"-{home} +{there} -{there} +{home}"


def execution(position: Position, move: Move, chance: Random) -> str:
    """A hand's way to make that move."""
    tokens = [f"-{name_of(move.origin)}"]
    victim = position.victim_square(move)
    if victim is not None:
        tokens.insert(chance.randrange(2), f"-{name_of(victim)}")
    tokens.append(f"+{name_of(move.landing)}")
    if move.rook_origin is not None and move.rook_landing is not None:
        tokens += [f"-{name_of(move.rook_origin)}", f"+{name_of(move.rook_landing)}"]
    return " ".join(tokens)


@TOUCH_RULES
@pytest.mark.parametrize("seed", range(40))
def test_however_clumsy_the_hand_the_commanded_move_is_made_in_the_end_and_nobody_pays(
    seed: int, touch: TouchRule
) -> None:
    """Any men may be lifted, put back and misplaced meanwhile; what stands wrongly is lit, and the way as well."""
    chance = Random(seed)
    position = parse_fen(START_FEN)
    for _ in range(chance.randrange(60)):
        moves = position.legal_moves()
        if not moves or not position.play(after := chance.choice(moves)).has_move():
            break
        position = position.play(after)
    move = chance.choice(position.legal_moves())
    table = pending(write_uci(position, move), write_fen(position), touch=touch)
    guide = table.lit
    for _ in range(chance.randrange(1, 4)):
        table.do(disturbance(chance, position.occupied))
        if table.found["uci"]:  # what was misplaced for a while was the very move
            assert table.found["uci"] == [write_uci(position, move)]
            return
        assert {s: m for s, m in table.lit.items() if s in guide} == guide
        assert not FAULTS & set(table.lit.values())
    table.do(execution(position, move, chance))
    assert table.found["uci"] == [write_uci(position, move)]
    assert table.found["fouls"] == {"white": 0, "black": 0}
    assert not FAULTS & set(table.lit.values())
