"""All that play mode knows of a game at one moment, and the questions the rest of the arbiter asks of it.

Changed by `making` (plies), `judging` (what the board shows) and `presses` (the clock); read by the lights, the summary
and the buttons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from board_driver.arbiter import words
from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.clockside import ClockSide
from board_driver.arbiter.faults import Fault, LastPly
from board_driver.arbiter.gameclock import GameClock
from board_driver.arbiter.halfback import still_to_undo
from board_driver.arbiter.ledger import Ledger
from board_driver.arbiter.reading import castlings_in_hand, in_hand
from board_driver.arbiter.score import Score
from board_driver.arbiter.strays import Stray, strays
from board_driver.arbiter.taps import Taps
from board_driver.arbiter.turn import Turn
from board_driver.events import Event, Touched
from board_driver.gamerecord import GameRecord
from board_driver.mind import ClaimsTold, PromotionRule, Settings, TouchRule
from board_driver.sensing.cells import Cells
from rules.articles import Law
from rules.claims import Offers, Verdict
from rules.outcome import Claim, Outcome
from rules.pieces import Piece
from rules.position import Position
from rules.ruleset import ruleset
from rules.squares import FULL, Bitboard, Colour, Square, set_of, squares_of
from rules.touch import Obligation, Owed, capture_owed, castling_owed, free, obligation

if TYPE_CHECKING:
    from board_driver.arbiter.leading import Leading
    from board_driver.arbiter.promoting import Question
    from board_driver.arbiter.restoring import Step
    from board_driver.arbiter.takingback import Ending


class GameState:
    """One game in play mode. What is decided is said into it and taken out with `drain`."""

    def __init__(self, settings: Settings, start: Position, passed: Square | None, cells: Cells, t_ms: int = 0) -> None:
        self.rules = ruleset(settings.ruleset)
        self.touch_rule = settings.touch
        self.handless = settings.handless
        self.follow_board = settings.follow_board
        self.view = BoardView(cells, FULL & ~set_of(settings.dead_squares))
        self.score = Score(start, self.rules.draws, t_ms)
        self.turn = Turn(start, passed, began=0)
        self.clock = ClockSide(settings.clock, Colour(start.turn))
        self.timing = GameClock.of(settings, t_ms)
        """The chess clock; None where the game is played without one."""
        self.ledger = Ledger(self.rules)
        self.fault: Fault | None = None
        self.standing: tuple[Stray, ...] = ()
        """Who stands where nothing should stand, as it was when the board was judged last."""
        self._strays_of: object = None
        self._strays: tuple[Stray, ...] = ()
        """The same as it was worked out last, and of what: it is asked for several times after each scan."""
        self.last: LastPly | None = None
        self.refused: dict[Square, int] = {}
        """Squares on which a breach of touch-move has left a man, and since which stamp: no move ends there so."""
        self.offers = Offers()
        self.claim: Verdict | None = None
        self.outcome: Outcome | None = None
        self.promoted: Square | None = None
        """Where a piece stands that a pawn has become and that may still be changed (D7)."""
        self.by_default = False
        """That piece is a queen because nobody chose."""
        self.asks_promotion = settings.promotion is PromotionRule.ASK
        self.question: Question | None = None
        """While it is asked what a pawn becomes that stands on the last rank."""
        self.taps = Taps()
        self.tells_claims = settings.claims is ClaimsTold.TOLD
        self.abandon_ms = settings.abandon_ms
        self.touched_ms = t_ms
        """When something was last done at the board."""
        self.reopen_ms: int | None = None
        """When the move that ended the game counts as walked back."""
        self.undone: Ending | None = None
        """The game as it had ended before its last move was walked back, while no other move is made."""
        self.left_alone = False
        """It was ended because nothing was done for so long."""
        self.menu = False
        """Both kings are in hand: it is shown what they show in the centre."""
        self.announce_ms: int | None = None
        """When the end of the game is to be announced that is held back for another choice of promotion."""
        self.ghosts: Bitboard = 0
        """Squares that read as filled and are not (see `ghosts`); not live while they do."""
        self.inferred: list[int] = []
        """Plies (from 1) that were inferred, since nobody saw the piece arrive."""
        self.asked: tuple[Bitboard, Bitboard] = (0, 0)
        """Squares to clear and to fill, as they were last asked for."""
        self.step: Step | None = None
        """The step that was last asked for."""
        self.leading: Leading | None = None
        """While the board is led to the position, because the game was set back."""
        self._out: list[Event] = []

    # -- what is decided

    def say(self, *events: Event) -> None:
        """Add to what was decided."""
        self._out += events

    def drain(self) -> list[Event]:
        """What was decided since the last call, in order."""
        out, self._out = self._out, []
        return out

    def say_touches(self, t_ms: int, touched: Sequence[Square]) -> None:
        """Tell what each of these touches has made owed."""
        if self.outcome is not None or self.commanded:
            return
        owed = self.owed()
        for square in touched:
            if (piece := self.position.piece_at(square)) is not None:
                said, landings = obligation_object(owed), tuple(squares_of(owed.landings))
                self.say(Touched(t_ms, square, piece, said, landings, words.owed(self.position, owed)))

    # -- what may be asked

    def record(self, outcome: Outcome | None) -> GameRecord:
        """The game as it is handed on, with the time control if its clock has run."""
        record = self.score.record(outcome)
        if self.timing is None or not self.timing.started:
            return record
        return replace(record, time_control=self.timing.clock.control)

    @property
    def position(self) -> Position:
        """The position of the game."""
        return self.turn.position

    @property
    def strict(self) -> bool:
        """Whether Article 4 is enforced in full."""
        return self.touch_rule is TouchRule.STRICT

    @property
    def commanded(self) -> bool:
        """Whether the player having the move has no hands, so that whoever sits at the board moves for him."""
        return self.turn.mover in self.handless or self.turn.command is not None

    def owed(self) -> Obligation:
        """What the player having the move owes now."""
        if self.turn.owed is None or not self.strict:
            self.turn.owed = self._work_out_owed()
        return self.turn.owed

    def hand(self) -> list[int]:
        """Homes of the men that are off the board and stand nowhere else, the one lifted first in front."""
        return in_hand(self.turn, self.view, [s.home for s in self.standing if s.home is not None])

    def claims(self) -> tuple[Claim, ...]:
        """The draws that the player having the move may claim now (FIDE Laws 9.2, 9.3, 9.4)."""
        if self.outcome is not None or (self.strict and self.turn.touched_at_all):
            return ()
        return self.score.game.claims()

    def claims_told(self) -> tuple[Claim, ...]:
        """Those of them that may be told: an arbiter does not tell move counts (FIDE Laws 12.6)."""
        return self.claims() if self.tells_claims else ()

    def astray(self) -> Bitboard:
        """Squares that do not show what the position has there; none if the board is right."""
        return (self.view.occupied ^ self.position.occupied) & self.view.live | self.view.wrong

    def strays(self) -> tuple[Stray, ...]:
        """Who stands now where nothing should stand."""
        if not self.view.surplus(self.position.occupied):
            return ()
        owed, last = self.owed().moves, None if self.last is None else self.last.move
        asked = (self.turn.position, self.turn.passed, tuple(owed), last, self.view.shown())
        if asked != self._strays_of:
            self._strays_of, self._strays = asked, strays(self.turn, self.view, owed, last)
        return self._strays

    def target(self) -> Bitboard:
        """What the board should show to be put right: the position, or with a pawn already across its en passant.

        Or with one on the last rank of which it is asked what it becomes.
        """
        if self.question is not None:
            return self.turn.after(self.question.move)
        fixed = self.turn.fixed
        if fixed is not None and fixed.is_en_passant and self.view.occupied >> fixed.landing & 1:
            return self.position.occupied ^ (1 << fixed.origin | 1 << fixed.landing)
        return self.position.occupied

    def to_restore(self) -> tuple[Bitboard, Bitboard]:
        """Squares to clear and to fill to put the board right; none while nothing is known to be wrong (7.4, 7.5.1).

        Wrong is a fault, men knocked over, a move taken back or a breach that still stands, and a man too many. A move
        that is half walked back is led the rest of the way.
        """
        if self.leading is not None:
            return self.leading.wrong(self.position, self.view)
        if (half := self.half_back()) is not None:
            return half
        foreign = any(s.home is None and not self.may_be_new_piece(s.square) for s in self.standing)
        if not (self.fault or self.turn.knocked or self.refused or foreign):
            return 0, 0
        target = self.target()
        return self.view.surplus(target), self.view.missing(target)

    def half_back(self) -> tuple[Bitboard, Bitboard] | None:
        """Squares to clear and to fill until the last move, or two, are walked back of which a man is home already."""
        if self.strict or self.outcome is not None or not self.view.occupied & ~self.position.occupied:
            return None
        for count in range(1, min(2, len(self.score.plies)) + 1):
            moves = [ply.move for ply in self.score.plies[-count:]]
            if (found := still_to_undo(self.turn, self.score.turns[-count], moves, self.view)) is not None:
                return found
        return None

    def may_be_new_piece(self, square: int) -> bool:
        """Whether it can be the new piece of a promotion, set down before its pawn is taken off (4.6)."""
        return any(
            m.landing == square
            and m.promotion is not None
            and self.view.agrees(square, Piece(self.turn.mover, m.promotion), square)
            for m in self.owed().moves
        )

    def _work_out_owed(self) -> Obligation:
        turn = self.turn
        if self.commanded:
            return self._allowed_to_hand()
        if turn.announced is not None:
            move = turn.announced
            return Obligation(Owed.MOVE, (Square(move.origin),), (), (move,), Law.CLAIM_WRONG)
        if self.touch_rule is TouchRule.OFF:
            return free(turn.position)
        if turn.fixed is not None:
            if turn.fixed.is_castling:
                return castling_owed(turn.fixed)
            return capture_owed(turn.position, turn.fixed)
        if self.strict:
            return obligation(turn.position, turn.groups()) if turn.touches else free(turn.position)
        if self.half_back() is not None:
            return free(turn.position)
        # Friendly: what is in hand binds, in whatever order it was taken up; what was put back does not.
        held = () if turn.adjusting else tuple(squares_of(self.view.missing(turn.position.occupied) & ~turn.knocked))
        if not held:
            return free(turn.position)
        found = obligation(turn.position, (held,))
        castlings = [m for m in castlings_in_hand(turn, self.view) if m not in found.moves]
        return replace(found, moves=(*found.moves, *castlings)) if castlings else found

    def _allowed_to_hand(self) -> Obligation:
        """The moves that a hand may carry out for a player who has none; it owes nothing but to finish a castling."""
        turn = self.turn
        everything = free(turn.position)
        if self.follow_board:
            return everything
        if turn.command is None:
            return replace(everything, moves=())
        return castling_owed(turn.command) if turn.command.is_castling else replace(everything, moves=(turn.command,))


def obligation_object(owed: Obligation) -> dict[str, object]:
    """An obligation as the summary writes it: `kind`, `squares`, and with captures `by`."""
    found: dict[str, object] = {"kind": owed.kind.value, "squares": [words.name(s) for s in owed.squares]}
    if owed.by:
        found["by"] = sorted(words.name(s) for s in owed.by)
    return found
