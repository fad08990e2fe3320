"""The arbiter's core: settled changes, presses and buttons in; rulings out.

A game is a row of turns. In a turn the player having the move touches (`touching`), so that something is owed
(`rules.touch`); he sets down, and the board is judged: it shows a move that is allowed (`reading`), which is then made,
or something is wrong (`faults`), or the hand is still busy.

House rules:

1. Events propose, occupancy disposes: after every change the whole board is compared with the position and with what
   it would be after each allowed move. So a lost event parts board and game only until the pieces stand right.
2. The board is judged wrong only when something has been set down. A fault stands until the board is right again, a
   move is made, or another fault takes its place.
3. In strict play a release stands (4.7). In friendly play, and with touch off, the last ply may be changed or taken
   back on the board until the next one is made or the clock is pressed.
4. Once the game has ended nothing changes it, except the choice of a promotion that was a default (D7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from board_driver.arbiter import touching, words
from board_driver.arbiter.boardview import BoardView
from board_driver.arbiter.clockside import ClockSide, Pressed
from board_driver.arbiter.faults import (
    Fault,
    LastPly,
    fault_of_stray,
    find_fault,
    illegal_capture_shape,
    part_released,
)
from board_driver.arbiter.ghosts import ghosts
from board_driver.arbiter.kingsign import result_shown
from board_driver.arbiter.ledger import Ledger
from board_driver.arbiter.reading import fits, in_hand, shown
from board_driver.arbiter.score import Score
from board_driver.arbiter.strays import Stray, castling_shape, strays
from board_driver.arbiter.turn import Turn
from board_driver.events import (
    Claimable,
    Ended,
    Event,
    Irregular,
    Lifted,
    Notice,
    Placed,
    RestoreAsked,
    Revised,
    Touched,
    Unsure,
)
from board_driver.events import Fault as DeviceFault
from board_driver.mind import Settings, TouchRule
from board_driver.sensing.cells import Cells
from board_driver.sensing.settle import SettledChange
from rules.claims import Offers, Verdict
from rules.irregularity import Kind, Why, castling_landings, castling_side
from rules.move import Move
from rules.outcome import Claim, Outcome, Reason, Result
from rules.pieces import PROMOTION_ROLES, Piece, Role
from rules.position import Position
from rules.ruleset import ruleset
from rules.squares import Bitboard, Colour, Square, set_of, squares_of
from rules.touch import Obligation, Owed, capture_owed, castling_owed, castling_rooks, free, obligation

PROMOTION_ASK_MS = 10_000
"""A game that ends by a promotion nobody chose is announced only after this time for another choice."""
SIGN_MS = 10_000
"""A king's move to the centre so shortly before the kings show a result was part of the sign."""
PRESS_BOUNCE_MS = 300
"""Two presses by one player within this time are one."""


class Core:
    """One game in play mode. Time is an argument; what was decided is collected by `drain`."""

    def __init__(self, settings: Settings, start: Position, passed: Square | None, cells: Cells, t_ms: int = 0) -> None:
        self.rules = ruleset(settings.ruleset)
        self.touch_rule = settings.touch
        live = ~set_of(settings.dead_squares) & (1 << 64) - 1
        self.view = BoardView(cells, live)
        self.score = Score(start, self.rules.draws, t_ms)
        self.turn = Turn(start, passed, began=0)
        self.clock = ClockSide(settings.clock, Colour(start.turn))
        self.ledger = Ledger(self.rules)
        self.fault: Fault | None = None
        self.standing: tuple[Stray, ...] = ()
        self.offers = Offers()
        self.claim: Verdict | None = None
        self.outcome: Outcome | None = None
        self.promoted: Square | None = None
        """Where a piece stands that a pawn has become and that may still be changed (D7)."""
        self.by_default = False
        """That piece is a queen because nobody chose."""
        self.ghosts: Bitboard = 0
        """Squares that read as filled and are not (see `ghosts`); not live while they do."""
        self.inferred: list[int] = []
        """Plies (from 1) that ended on a square whose sensor is dead, so that nobody saw them arrive."""
        self._announce_ms: int | None = None
        self._last: LastPly | None = None
        self._refused: dict[Square, int] = {}
        self._press_ms: dict[Colour, int] = {}
        self._asked: tuple[Bitboard, Bitboard] = (0, 0)
        self._out: list[Event] = []

    # -- what the rest of the arbiter asks

    @property
    def position(self) -> Position:
        """The position of the game."""
        return self.turn.position

    @property
    def strict(self) -> bool:
        """Whether Article 4 is enforced in full."""
        return self.touch_rule is TouchRule.STRICT

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

    def may_be_new_piece(self, square: int) -> bool:
        """Whether it can be the new piece of a promotion, set down before its pawn is taken off (4.6)."""
        return any(
            m.landing == square
            and m.promotion is not None
            and self.view.agrees(square, Piece(self.turn.mover, m.promotion), square)
            for m in self.owed().moves
        )

    def target(self) -> Bitboard:
        """What the board should show to be put right: the position, or with a pawn already across its en passant."""
        fixed = self.turn.fixed
        if fixed is not None and fixed.is_en_passant and self.view.occupied >> fixed.landing & 1:
            return self.position.occupied ^ (1 << fixed.origin | 1 << fixed.landing)
        return self.position.occupied

    def drain(self) -> list[Event]:
        """What was decided since the last call, in order."""
        out, self._out = self._out, []
        return out

    def say(self, event: Event) -> None:
        """Add to what was decided."""
        self._out.append(event)

    # -- inputs

    def settle(self, changes: Sequence[SettledChange], t_ms: int) -> None:
        """Settled changes that began in one scan."""
        lifted = [c.square for c in changes if c.lifted]
        placed = [c.square for c in changes if c.placed]
        for change in changes:
            self.view.take(change)
        self.view.live |= self.ghosts & ~self.view.occupied
        self.ghosts &= self.view.occupied
        self.view.compare(self.turn.men())
        self._out += [Lifted(t_ms, s) for s in lifted] + [Placed(t_ms, s) for s in placed]
        if self.outcome is not None:
            if any(self.turn.own >> s & 1 for s in lifted):
                self.announce(t_ms)
            self._exchanged(placed, t_ms)
            return
        touched = self._note_lifts(lifted)
        touching.note_places(self.turn, placed)
        if len(placed) > 1:
            self._banish_ghosts(t_ms)
        self._exchanged(placed, t_ms)
        self._judge(t_ms, changes[0].began_ms, bool(placed))
        self._say_touches(t_ms, touched)

    def press(self, colour: Colour, t_ms: int) -> None:
        """That player pressed the clock (FIDE Laws 6.2.1, 7.5)."""
        if self.outcome is not None:
            if colour is not self.turn.mover:
                self.announce(t_ms)
            return
        if t_ms - self._press_ms.get(colour, -PRESS_BOUNCE_MS) < PRESS_BOUNCE_MS:
            return
        self._press_ms[colour] = t_ms
        match self.clock.press(colour):
            case Pressed.NOTHING:
                return
            case Pressed.COMPLETES:
                self._completed_late(colour, t_ms)
            case Pressed.WITHOUT_MOVE:
                self._pressed_without_move(colour, t_ms)

    def promote(self, role: Role, t_ms: int) -> None:
        """A choice of promotion (D7): for the piece just promoted while that may change, else for the move to come."""
        if self.promoted is None:
            if self.outcome is None:
                self.turn.choice = role
            return
        if self.outcome is not None and not self.by_default:
            return
        self._change_promotion(role, t_ms)

    def announce_ms(self) -> int | None:
        """When the end of the game has to be announced that is held back for another choice of promotion."""
        return self._announce_ms

    def announce(self, t_ms: int) -> None:
        """Nobody chose another piece: say that the game has ended, if that was held back."""
        if self._announce_ms is not None and self.outcome is not None:
            self._announce_ms = None
            self.promoted = None
            self.say(Ended(t_ms, str(self.outcome.result), str(self.outcome.reason)))

    def shown_by_kings(self, t_ms: int) -> Result | None:
        """The result that the kings show, if both were taken from where they stood to show it.

        In friendly play one of them may have been a legal move, made shortly before; in strict play that is a move, and
        a king beside it an illegal one.
        """
        result = None if self.outcome is not None else result_shown(self.turn, self.view)
        kings = self.position.pieces(Colour.WHITE, Role.KING) | self.position.pieces(Colour.BLACK, Role.KING)
        if result is None or not kings & self.view.occupied or self._moved_king_to_show(t_ms):
            return result
        return None

    def _moved_king_to_show(self, t_ms: int) -> bool:
        if self.strict or not self.score.plies or t_ms - self.score.plies[-1].made_ms > SIGN_MS:
            return False
        return bool(self.position.pieces(self.turn.mover.opponent, Role.KING) >> self.score.plies[-1].move.landing & 1)

    def end_by_sign(self, t_ms: int) -> None:
        """The kings have rested as they show the result; a king's move that was half of the sign is taken out."""
        result = self.shown_by_kings(t_ms)
        if result is None:
            return
        if self._moved_king_to_show(t_ms):
            self.withdraw(t_ms)
        self.end(Outcome(result, Reason.DECIDED), t_ms)

    def infer(self, t_ms: int) -> None:
        """Nothing has happened for a while: take what is in hand to stand on a dead square, if only that can be."""
        if self.outcome is None and self._astray():
            self._judge(t_ms, t_ms, placed=False, pressed=True)

    def rejudge(self, t_ms: int) -> None:
        """Judge the board again after something that no hand did, such as a move taken back by agreement."""
        if self.outcome is None:
            self._judge(t_ms, t_ms, placed=True)

    def _banish_ghosts(self, t_ms: int) -> None:
        for square in ghosts(self.view, self._strays()):
            self.ghosts |= 1 << square
            self.view.live &= ~(1 << square)
            text = (
                f"{words.name(square)} reads as filled together with a piece set down elsewhere: a ghost of three "
                "filled corners; is a diode missing? It is not believed until it reads empty"
            )
            self.say(DeviceFault(t_ms, "ghost", square, text))

    # -- judging the board

    def _judge(self, t_ms: int, made_ms: int, placed: bool, pressed: bool = False) -> None:
        while self.outcome is None and (move := self._shown(pressed)) is not None:
            self._make(move, t_ms, made_ms)
        if self.outcome is not None:
            return
        if not self.strict and self._revised(t_ms):
            self._judge(t_ms, made_ms, placed)
            return
        self.standing = self._strays()
        self._fix()
        if not self._astray():
            self.fault = None
        elif placed:
            self._find_fault(t_ms)
        self._ask_to_restore(t_ms)

    def _shown(self, pressed: bool = False) -> Move | None:
        self.standing = self._strays()
        waiting = set_of(s.square for s in self.standing if s.home is not None and self.turn.enemy >> s.home & 1)
        allowed = [m for m in self.owed().moves if not self._is_refused(m)]
        return shown(self.turn, self.view, allowed, waiting, pressed) or self._rook_of_castling(allowed)

    def _is_refused(self, move: Move) -> bool:
        """A man knocked over makes no move, nor does one that a breach of touch-move has left where it is."""
        if self.turn.knocked >> move.origin & 1:
            return True
        return self._refused.get(Square(move.landing)) == self.view.placed[move.landing]

    def _rook_of_castling(self, allowed: Sequence[Move]) -> Move | None:
        """Castling is shown that is not to be had, with the rook owed: the rook's move stands, not the king's (D6)."""
        shape = castling_shape(self.turn, self.view)
        if shape is None:
            return None
        (king_landing, _), (rook_landing, rook) = shape
        moves = [m for m in allowed if m.origin == rook and m.landing == rook_landing]
        return next((m for m in moves if fits(self.turn, self.view, m, 1 << king_landing)), None)

    def _strays(self) -> tuple[Stray, ...]:
        if not self.view.surplus(self.position.occupied):
            return ()
        last = None if self._last is None else self._last.move
        return strays(self.turn, self.view, self.owed().moves, last)

    def _astray(self) -> Bitboard:
        return (self.view.occupied ^ self.position.occupied) & self.view.live | self.view.wrong

    def _fix(self) -> None:
        """Note a move of which a part has been released (4.7); in friendly play it binds only while it stands."""
        part = part_released(self.turn, self.owed(), self.standing)
        if part is not None or not self.strict:
            if part is not self.turn.fixed:
                self.turn.owed = None
            self.turn.fixed = part

    def _find_fault(self, t_ms: int) -> None:
        standing = tuple(s for s in self.standing if s.home is None or not self.turn.knocked >> s.home & 1)
        found = find_fault(self.turn, self.view, self.owed(), standing, self._last)
        old = self.fault
        if found is None or (old is not None and _same(old, found)) or self._taking_back(found):
            return
        if found.offender is not self.turn.mover and found.home is not None:
            self.turn.forget(1 << found.home)
        self._charge(found, t_ms, self.rules.counts_at_release and not self.clock.in_use)

    def _taking_back(self, fault: Fault) -> bool:
        """In friendly play a piece put back where it came from is a move on its way to be taken back."""
        if self.strict or self._last is None or fault.why is not Why.RELEASED:
            return False
        last = self._last.move
        return self.score.plies[-1].provisional and fault.square in (last.origin, last.rook_origin)

    def _charge(self, fault: Fault, t_ms: int, completed: bool) -> None:
        """Let a fault stand, completed or not, and count it if it counts."""
        if completed and fault.why.kind is Kind.ILLEGAL:
            outcome = self.ledger.completed(self.position, fault.offender, fault.why)
        else:
            completed = completed and self.clock.in_use
            outcome = None
        self.fault = replace(fault, completed=completed)
        text = words.irregularity(self.position, self.fault, self.owed(), self.ledger.fouls[fault.offender])
        self.say(
            Irregular(
                t_ms,
                fault.why.value,
                fault.square,
                fault.why.kind.value,
                completed,
                text,
                words.article_of(fault.why),
            )
        )
        if outcome is not None:
            self.end(outcome, t_ms)

    # -- making moves

    def _make(self, move: Move, t_ms: int, made_ms: int) -> None:
        old = self.turn
        self.score.settle_last()
        self.say(self.score.make(old, move, t_ms, made_ms, provisional=not self.strict))
        self.clock.made(old.mover)
        self.view.follow(move)
        if not self.view.live >> move.landing & 1:
            self.inferred.append(len(self.score.plies))
            self.say(Unsure(t_ms, len(self.score.plies), (self.score.ucis[-1],)))
        self._last = LastPly(move, _king_to(old.position, move))
        self.promoted = Square(move.landing) if move.promotion is not None else None
        seen = isinstance(cell := self.view.cells[move.landing], Piece) and cell.role is move.promotion
        self.by_default = move.promotion is not None and old.choice is None and not seen
        if self.by_default:
            self.say(Notice(t_ms, "promotion", words.promotion(old.mover), old.mover, {"default": "q"}))
        self._begin_turn(_passed(old.position, move))
        self._outcome_of_position(t_ms)

    def _begin_turn(self, passed: Square | None) -> None:
        position = self.score.game.position
        waiting_strays = [s for s in self.standing if s.home is not None and position.occupied >> s.home & 1]
        elsewhere = set_of(s.home for s in waiting_strays if s.home is not None)
        away = self.view.missing(position.occupied)
        self.turn = Turn(position, passed, self.view.stamp, away, knocked=self.turn.knocked & away)
        self._refused = {}
        if self.fault is not None:
            stays = self.fault.offender is self.turn.mover and self.fault.why.kind is not Kind.ILLEGAL
            if stays and self.fault.why.kind is Kind.TOUCH and self.fault.square is not None:
                self._refused[self.fault.square] = self.fault.stamp
            if not stays:
                self.fault = None
        self.view.compare(self.turn.men())
        if self.strict:
            touching.carry_over(self.turn, self.view, elsewhere)

    def _outcome_of_position(self, t_ms: int) -> None:
        outcome = self.score.game.outcome()
        if outcome is not None:
            self.end(outcome, t_ms)
        elif claims := self.claims():
            self.say(Claimable(t_ms, tuple(str(c) for c in claims)))

    def end(self, outcome: Outcome, t_ms: int) -> None:
        """The game is over. One that ends on a promotion nobody chose is announced later."""
        self.outcome = outcome
        self.score.settle_last()
        if self.by_default and self.promoted is not None:
            self._announce_ms = t_ms + PROMOTION_ASK_MS
            return
        self.say(Ended(t_ms, str(outcome.result), str(outcome.reason)))

    def _exchanged(self, placed: Sequence[Square], t_ms: int) -> None:
        """A board that knows its pieces sees what the pawn was exchanged for (4.6)."""
        if self.promoted is None or self.promoted not in placed:
            return
        cell = self.view.cells[self.promoted]
        if isinstance(cell, Piece) and cell.colour is not self.turn.mover and cell.role in PROMOTION_ROLES:
            self._change_promotion(cell.role, t_ms)

    def _change_promotion(self, role: Role, t_ms: int) -> None:
        old = self.score.turns[-1]
        was = self.score.plies[-1].move
        now = next((m for m in old.position.moves_from(was.origin) if _same_but(m, was, role)), None)
        self.by_default = False
        if now is None or now is was:
            return
        undecided = self.turn.undecided
        self.say(self.score.revise(now, t_ms))
        self._last = LastPly(now)
        self.outcome = None
        self._announce_ms = None
        self._begin_turn(None)
        self.turn.undecided = undecided
        self._outcome_of_position(t_ms)

    # -- friendly play: the last ply may still change

    def _revised(self, t_ms: int) -> bool:
        """Change or withdraw the last ply if the board shows another move, or none, out of the position before it."""
        if not self.score.plies or not self.score.plies[-1].provisional:
            return False
        before = self.score.turns[-1]
        last = self.score.plies[-1].move
        if not (self.view.occupied ^ before.position.occupied) & self.view.live and self._astray():
            self.withdraw(t_ms)
            return True
        if not (self.view.occupied ^ before.after(last)) & self.view.live:
            return False  # the board shows it; that another move would show the same is no reason to change
        others = [m for m in before.position.legal_moves() if m is not last and m.landing != last.landing]
        exact = [m for m in others if not (self.view.occupied ^ before.after(m)) & self.view.live]
        move = shown(before, self.view, exact)
        if move is None:
            return False
        made_ms = self.score.plies[-1].made_ms
        was = self.score.ucis[-1]
        self._reopen()
        self._make(move, t_ms, made_ms)
        self._out.pop(next(i for i in reversed(range(len(self._out))) if self._out[i].__class__.__name__ == "Moved"))
        self.say(Revised(t_ms, len(self.score.plies), was, self.score.ucis[-1]))
        return True

    def withdraw(self, t_ms: int) -> None:
        """The last ply is taken back."""
        was = self.score.ucis[-1]
        ply = len(self.score.plies)
        self._reopen()
        if self.score.plies:
            self.score.plies[-1] = replace(self.score.plies[-1], provisional=not self.strict)
        self.say(Revised(t_ms, ply, was, None))

    def _reopen(self) -> None:
        turn, _, _ = self.score.back()
        self.clock.withdrawn(turn.mover)
        self.turn = Turn(turn.position, turn.passed, turn.began, turn.away)
        self.view.compare(self.turn.men())
        self.fault = None
        self.outcome = None
        self.promoted = None
        self._announce_ms = None
        self.inferred = [ply for ply in self.inferred if ply <= len(self.score.plies)]
        self._last = None
        if self.score.plies:
            self._last = LastPly(self.score.plies[-1].move)

    # -- presses

    def _completed_late(self, colour: Colour, t_ms: int) -> None:
        """A press for a move that was made (6.2.1, 6.2.2)."""
        self.score.settle_last()
        if colour is not self.turn.mover:
            touched = touching.close_window(self.turn, self.view, self.promoted)
            self.promoted = None if not self.turn.undecided else self.promoted
            self._say_touches(t_ms, touched)
        if self.fault is not None and self.fault.offender is colour and not self.fault.completed:
            self._charge(self.fault, t_ms, completed=True)

    def _pressed_without_move(self, colour: Colour, t_ms: int) -> None:
        self._judge(t_ms, t_ms, placed=False, pressed=True)
        if self.outcome is not None:
            return
        if self.clock.press(colour) is Pressed.COMPLETES:
            self._completed_late(colour, t_ms)
            return
        fault = self.fault
        if fault is not None and fault.offender is colour and fault.completed and fault.why is not Why.NO_MOVE:
            return
        self._charge(self._fault_at_press(colour), t_ms, completed=True)
        self._ask_to_restore(t_ms)

    def _fault_at_press(self, colour: Colour) -> Fault:
        """What a press is that completes nothing: an illegal move, or no move at all (7.5.1 to 7.5.3)."""
        fault = self.fault
        if fault is not None and fault.offender is colour and not fault.completed:
            return replace(fault, why=Why.CASTLE_INCOMPLETE) if self._king_alone(fault) else fault
        own = [s for s in self.standing if s.home is not None and self.turn.own >> s.home & 1]
        newest = max(own, key=lambda s: self.view.placed[s.square], default=None)
        if newest is not None:
            part = self._unfinished()
            if part is not None:
                why = Why.EP_NOT_REMOVED if part.is_en_passant else Why.CASTLE_INCOMPLETE
                square = newest.square if self.view.missing(1 << part.landing) else Square(part.landing)
                return Fault(why, square, colour, Square(part.origin), self.view.placed[square])
            wrong = fault_of_stray(self.turn, self.view, self.owed(), newest, self._last)
            if wrong is not None:
                return wrong
        shape = illegal_capture_shape(self.turn, self.view)
        return shape or Fault(Why.NO_MOVE, None, colour, None, self.view.stamp)

    def _unfinished(self) -> Move | None:
        owed = self.owed()
        if self.turn.fixed is not None:
            return self.turn.fixed
        return owed.moves[0] if owed.kind is Owed.CASTLE else None

    def _king_alone(self, fault: Fault) -> bool:
        """A breach of touch by a king that stands two squares off with its rook unmoved: no move of Article 3 (D11)."""
        if fault.why.kind is not Kind.TOUCH or fault.home is None or fault.square is None:
            return False
        if not self.position.pieces(self.turn.mover, Role.KING) >> fault.home & 1:
            return False
        return castling_side(self.position, fault.home, fault.square) is not None and len(self.standing) == 1

    # -- touches

    def _note_lifts(self, lifted: Sequence[Square]) -> list[Square]:
        if not lifted:
            return []
        window = self.clock.waits_for(self.turn.mover.opponent)
        touched = touching.note_lifts(self.turn, self.view, lifted, self.promoted, window)
        if any(self.turn.own >> s & 1 for s in lifted):
            self.offers = self.offers.touched_by(self.turn.mover)
            if not self.turn.undecided:
                self.promoted = None
        return touched

    def _work_out_owed(self) -> Obligation:
        turn = self.turn
        if self.touch_rule is TouchRule.OFF:
            return free(turn.position)
        if turn.fixed is not None:
            if turn.fixed.is_castling:
                return castling_owed(turn.fixed)
            return capture_owed(turn.position, turn.fixed)
        if self.strict:
            return obligation(turn.position, turn.groups()) if turn.touches else free(turn.position)
        held = tuple(squares_of(self.view.missing(turn.position.occupied) & ~turn.knocked))
        held = () if turn.adjusting else held
        return obligation(turn.position, (held,)) if held else free(turn.position)

    def _say_touches(self, t_ms: int, touched: Sequence[Square]) -> None:
        if self.outcome is not None:
            return
        owed = self.owed()
        for square in touched:
            piece = self.position.piece_at(square)
            if piece is not None:
                text = words.owed(self.position, owed)
                self.say(Touched(t_ms, square, piece, obligation_object(owed), tuple(squares_of(owed.landings)), text))

    def _ask_to_restore(self, t_ms: int) -> None:
        """Say how to put the board right, once for each state of it that is wrong."""
        target = self.target()
        lift, place = self.view.surplus(target), self.view.missing(target)
        foreign = any(s.home is None and not self.may_be_new_piece(s.square) for s in self.standing)
        if not (self.fault or self.turn.knocked or foreign) or not (lift or place):
            self._asked = (0, 0)
            return
        if (lift, place) != self._asked:
            self._asked = (lift, place)
            text = words.restore(self.position, self.standing, target, self.view)
            self.say(RestoreAsked(t_ms, tuple(squares_of(lift)), tuple(squares_of(place)), text))


def obligation_object(owed: Obligation) -> dict[str, object]:
    """An obligation as the summary writes it: `kind`, `squares`, and with captures `by`."""
    found: dict[str, object] = {"kind": owed.kind.value, "squares": [words.name(s) for s in owed.squares]}
    if owed.kind is Owed.CAPTURE:
        found["by"] = sorted(words.name(s) for s in owed.by)
    return found


def _same(old: Fault, new: Fault) -> bool:
    """Whether a fault found again is the one that stands: the same man still where it was set down."""
    return old.square == new.square and old.stamp == new.stamp and (old.why is new.why or old.completed)


def _same_but(move: Move, was: Move, role: Role) -> bool:
    return bool(move.landing == was.landing and move.promotion is role)


def _king_to(position: Position, move: Move) -> tuple[Square, Square] | None:
    """Where the king would follow if this rook's move is meant as the first half of a castling (4.4.2)."""
    if move.is_castling or move.origin not in castling_rooks(position):
        return None
    king_landing, rook_landing = castling_landings(position, move.origin)
    if move.landing != rook_landing:
        return None
    return Square(position.pieces(position.turn, Role.KING).bit_length() - 1), Square(king_landing)


def _passed(position: Position, move: Move) -> Square | None:
    """The square that a pawn passes by this double step; None for any other move."""
    if not position.pieces(position.turn, Role.PAWN) >> move.origin & 1 or abs(move.origin - move.landing) != 16:
        return None
    return Square((move.origin + move.landing) // 2)
