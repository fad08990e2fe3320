"""The arbiter's core: settled changes and presses in, rulings out.

A game is a row of turns. In a turn the player having the move touches (`touching`), so that something is owed
(`rules.touch`); he sets down, and the board is judged (`judging`): it shows a move that is allowed (`reading`), which
is then made (`making`), or something is wrong (`faults`), or the hand is still busy.

House rules:

1. Events propose, occupancy disposes: after every change the whole board is compared with the position and with what
   it would be after each allowed move. So a lost event parts board and game only until the pieces stand right.
2. The board is judged wrong only when something has been set down. A fault stands until the board is right again, a
   move is made, or another fault takes its place.
3. In strict play a release stands (4.7). In friendly play, and with touch off, the last ply may be changed on the
   board until the next one is made or the clock is pressed, and plies may be walked back at any time (`takingback`).
4. Once the game has ended nothing changes it, except the choice of a promotion that was a default (D7).
"""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.arbiter import commanded, later, leading, making, presses, takingback, touching, words
from board_driver.arbiter.gamestate import GameState
from board_driver.arbiter.ghosts import ghosts
from board_driver.arbiter.judging import ask_to_restore, judge
from board_driver.arbiter.kingsign import CENTRE, REST_MS, STRICT_REST_MS, is_being_shown, is_cleared, result_shown
from board_driver.events import Fault, Lifted, Notice, Placed
from board_driver.scan import Command
from board_driver.sensing.settle import SettledChange
from rules.outcome import Outcome, Reason, Result
from rules.pieces import Role
from rules.squares import Bitboard, Colour, Square

SIGN_MS = 10_000
"""A king's move to the centre so shortly before the kings show a result was part of the sign."""


class Core:
    """What may happen to a game from outside. Time is an argument; `state` says what came of it."""

    def __init__(self, state: GameState) -> None:
        self.state = state

    def settle(self, changes: Sequence[SettledChange], t_ms: int) -> None:
        """Settled changes that began in one scan, or so close together that they are one act."""
        game = self.state
        later.come_back(game, t_ms)
        lifted = [c.square for c in changes if c.lifted]
        placed = [c.square for c in changes if c.placed]
        self._see(changes)
        game.say(*(Lifted(t_ms, s) for s in lifted), *(Placed(t_ms, s) for s in placed))
        if game.outcome is not None:
            if any(game.turn.own >> s & 1 for s in lifted):
                making.announce(game, t_ms)
            making.see_exchange(game, placed, t_ms)
            takingback.watch_end(game, t_ms)
            return
        game.taps.note(changes, game.turn)
        if leading.follow(game, changes):
            ask_to_restore(game, t_ms)
            return
        touched = self._note_lifts(lifted)
        touching.note_places(game.turn, placed)
        if len(placed) > 1:
            self._banish_ghosts(t_ms)
        making.see_exchange(game, placed, t_ms)
        judge(game, t_ms, changes[0].began_ms, bool(placed))
        self._look_for_signs(bool(placed), t_ms)
        game.say_touches(t_ms, touched)
        commanded.note_wrong_men(game, lifted, t_ms)

    def press(self, colour: Colour, t_ms: int) -> None:
        """That player pressed the clock."""
        if self.state.leading is None:
            presses.press(self.state, colour, t_ms)

    def command(self, item: Command, t_ms: int) -> None:
        """This move was chosen by the player having the move, who has no hands. The board may show it already."""
        if commanded.command(self.state, item, t_ms):
            judge(self.state, t_ms, t_ms, placed=True)

    def infer(self, t_ms: int) -> None:
        """Nothing has happened for a while: take what is in hand to stand on a dead square, if only that can be."""
        if self.state.outcome is None and self.state.leading is None and self.state.astray():
            judge(self.state, t_ms, t_ms, placed=False, pressed=True)

    def ask_for_capture(self, t_ms: int) -> None:
        """One own man, long in hand, may take: perhaps it has, faster than the sensors could see (D18)."""
        game = self.state
        own = [s for s in game.hand() if game.turn.own >> s & 1]
        if game.leading is not None or game.question is not None:
            return
        if game.outcome is not None or game.standing or len(own) != 1 or len(game.hand()) > 1 or game.turn.asked:
            return
        aims = [m for m in game.owed().moves if m.origin == own[0] and game.turn.enemy >> m.landing & 1]
        squares = sorted({words.name(m.landing) for m in aims})
        if squares:
            game.turn.asked = True
            game.say(Notice(t_ms, "silent-capture", words.silent_capture(game.position, own[0], squares)))

    def sign_rests_ms(self, t_ms: int) -> int | None:
        """How long the kings have to rest until what they show now is the result; None if they show none."""
        if self._result_shown(t_ms) is None:
            return None
        return STRICT_REST_MS if self.state.strict and self._king_moved_to_show(t_ms) else REST_MS

    def end_by_kings(self, t_ms: int) -> None:
        """The kings have rested as they show the result; a king's move that was half of the sign is taken out."""
        result = self._result_shown(t_ms)
        if result is None:
            return
        if self._king_moved_to_show(t_ms):
            making.withdraw(self.state, t_ms)
        making.end(self.state, Outcome(result, Reason.DECIDED), t_ms)

    def _result_shown(self, t_ms: int) -> Result | None:
        """The result that the kings show. One of them may have come by a legal move, made shortly before."""
        game = self.state
        pressed = game.fault is not None and game.fault.completed and game.clock.in_use
        if game.outcome is not None or game.leading is not None or pressed:
            return None
        return result_shown(game.turn, game.view, self._king_moved_to_show(t_ms))

    def _look_for_signs(self, placed: bool, t_ms: int) -> None:
        """Both kings taken up show the choice of a result; men cleared away make the king's move before doubtful."""
        game = self.state
        if game.outcome is not None:
            return
        menu = game.leading is None and is_being_shown(game.turn, game.view)
        if menu and not game.menu:
            game.say(Notice(t_ms, "result-menu", words.RESULT_MENU))
        game.menu = menu
        ply = len(game.score.plies)
        if placed or ply in game.inferred or not self._king_moved_to_show(t_ms) or not is_cleared(game.turn, game.view):
            return
        making.doubt(game, t_ms)
        game.say(Notice(t_ms, "doubtful-king-move", words.DOUBTFUL_KING_MOVE, details={"ply": ply}))

    def _see(self, changes: Sequence[SettledChange]) -> None:
        game = self.state
        for change in changes:
            game.view.take(change)
        game.view.live |= game.ghosts & ~game.view.occupied
        game.ghosts &= game.view.occupied
        game.view.compare(game.turn.men())

    def _note_lifts(self, lifted: Sequence[Square]) -> list[Square]:
        game = self.state
        if not lifted or game.commanded:
            return []
        window = game.clock.waits_for(game.turn.mover.opponent) or self._straightens(lifted)
        touched = touching.note_lifts(game.turn, game.view, lifted, game.promoted, window)
        if any(game.turn.own >> s & 1 for s in lifted):
            game.offers = game.offers.touched_by(game.turn.mover)
            if not game.turn.undecided:
                game.promoted = None
        return touched

    def _straightens(self, lifted: Sequence[Square]) -> bool:
        """Only a man that was just moved by command is taken up: the hand that set it down may still straighten it."""
        game = self.state
        if game.last is None or game.turn.mover.opponent not in game.handless:
            return False
        return all(s in (game.last.move.landing, game.last.move.rook_landing) for s in lifted)

    def _banish_ghosts(self, t_ms: int) -> None:
        game = self.state
        for square in ghosts(game.view, game.strays()):
            game.ghosts |= 1 << square
            game.view.live &= ~(1 << square)
            text = (
                f"{words.name(square)} reads as filled together with a piece set down elsewhere: a ghost of three "
                "filled corners; is a diode missing? It is not believed until it reads empty"
            )
            game.say(Fault(t_ms, "ghost", square, text))

    def _king_moved_to_show(self, t_ms: int) -> Bitboard:
        """The centre square to which the side that does not have the move has just moved its king; 0 if it has not."""
        game = self.state
        if not game.score.plies or t_ms - game.score.plies[-1].made_ms > SIGN_MS:
            return 0
        waiting = game.position.pieces(game.turn.mover.opponent, Role.KING)
        return waiting & CENTRE & 1 << game.score.plies[-1].move.landing
