"""Play mode [pure]: the arbiter knows what is owed, whether a move is made, and how to put wrong things right.

The Laws leave room, and a board that sees only occupancy leaves more. There the house has chosen as follows.

In strict play | in friendly play:

- A piece lifted and put back must move (4.3.1) | it binds nobody.
- A piece that rests on a legal square and goes on was released there and goes back (4.7) | the ply is revised.
- Moves walked back on the board stand and go where they were released | they are taken back (`takingback`).
- A takeback by button needs both players | one of them.
- Rook first and then the king, as if castling, is a rook's move and the king goes back (4.4.2) | it is castling.
- A piece moved but not owed goes back | the same, unless what was touched first has been put back.

In both (and with touch off, where nothing is owed and the rest is as in friendly play):

- King and rook in hand, the king lifted first or in the same scan, are castling in whatever order they are set down.
- A man of the waiting side lifted early is no matter, unless it can and must be captured; still in hand when its owner
  gets the move, it is touched.
- What was set down out of turn goes back; if play goes on, it counts as soon as it is a legal move of that side.
- A capture too fast for the sensors leaves the piece in hand; after four seconds the player is asked to lift it again.
- A piece half on two squares makes no move until one of them is empty.
- A pawn becomes a queen unless another piece is chosen before the press or the opponent's touch; where the queen ends
  the game, the end is announced after ten seconds, or at the press or the touch. By setting it is asked (`promoting`).
- A new piece may be set down before its pawn is taken off (4.6).
- Four men of both colours lifted within half a second were knocked over: restored, no duty (4.2.2).
- Of more than four wrong squares one step at a time is lit and told (`restoring`); while the board is led to a position
  after a take-back by agreement or by the arbiter, nothing is a touch (`leading`).
- Of two own pieces lifted in one scan either may move.
- Both kings set on the centre squares, and resting, show the result: e4 and d5 White, d4 and e5 Black, one of each a
  draw (`kingsign`). A king lifted thrice offers a draw, five times claims one (`taps`).
- The start array set up after the end, or in mid-game and far from the position, begins a new game (`newgame`); in it
  White may sit on the other side (`turning`).
- A man in hand that can only stand on a dead square is taken to stand there after three seconds, marked uncertain.
- A square that closes a rectangle of filled ones as another is set down on is a ghost, until it reads empty.
- Two presses by one player within 0.3 s are one. A fault that was counted is not counted again by another press.
"""

from board_driver.arbiter.arbiter import Arbiter

__all__ = ["Arbiter"]
