"""What an explanation pays for what it does not explain. Whole numbers only, so that sums do not depend on grouping.

The unit is a sixteenth of a *square-millisecond*: one square that disagrees for one millisecond costs 16. A price
given in these units can be read as a time: `unseen = 4000` says that a captured piece nobody saw leave is as odd as
one square reading wrong for 250 ms. Only the order of magnitude matters; the benchmark halves and doubles each.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prices:
    """The model's few numbers."""

    disagree: int = 16
    """For each square and millisecond that scan and position disagree."""
    way: int = 6
    """The same for squares a piece passes on its way, while it is in the hand."""
    transit: int = 1
    """For each millisecond a move takes, so that a hand is no hiding place."""
    excused: int = 2
    """The same for a square whose reading has nothing to do with the game."""
    away: int = 1
    """For each millisecond the board is away from the game (being put right, set up anew, swept)."""
    unfollowed: int = 8000
    """For each change of the picture while it is away: dearer than a change that a ply explains."""
    ply: int = 2200
    """For each ply: between two explanations, the one with fewer plies."""
    excuse: int = 4000
    """For such a square: a piece touched and put back, a sensor that fails for a while. About as dear as two
    plies: those of a piece that goes and comes back look the same."""
    surplus: int = 6000
    """Added where the square shows a piece too many: that seldom comes of itself."""
    backwards: int = 3000
    """For a move whose piece seems to arrive before anything left."""
    going_on: int = 2500
    """For a piece that goes on from where it had rested to another square: a second thought."""
    amiss: int = 4000
    """For a move that came to rest though one of its squares does not show it."""
    unseen: int = 4000
    """For a captured piece that was never seen to leave."""
    blind: int = 5000
    """For a piece that was not felt where it came to rest: it was taken there at once, or the sensor is weak."""
    unfelt: int = 8000
    """Added where it was not felt when the opponent lifted something soon after; given back when it is felt there."""
    hasty: int = 1000
    """For a piece that moves again when it has hardly rested: it is more likely still in the hand."""
    poor: int = 400
    """For each pawn's worth a capture that nobody saw falls short of a good one."""
    underpromotion: int = 3000
    """For a promotion to less than a queen."""
    takeback: int = 8000
    """For each ply taken back."""
    excursion: int = 8000
    """For leaving the game in a way that is no move."""
    illegal: int = 30000
    """For an illegal move that stood."""
    sign: int = 6000
    """For kings put on the centre squares to show the result."""
    reset: int = 12000
    """For pieces set up anew, and for any other end of a game."""
    press: int = 6000
    """For a move that was not made when its player pressed the clock."""
    unwanted: int = 20000
    """For a ply that goes on from where a takeback was announced."""
    forget: int = 34000
    """An explanation so much worse than the best is dropped."""
    propose: int = 16000
    """An explanation so much worse than the best proposes no new moves."""
    guess: int = 12000
    """A piece long gone is told to have captured unseen, if that explanation is at most so much worse."""
    doubt: int = 5000
    """Two explanations nearer than this are about equally good."""
    cling: int = 400
    """What is published stays until another explanation is better by this."""


@dataclass(frozen=True, slots=True)
class Times:
    """The recorder's few times, in milliseconds."""

    publish: int = 240
    """How long a piece must have rested before its move is published."""
    stable: int = 200
    """How long an unexplained picture must stand before it is looked into."""
    in_hand: int = 800
    """After how long a piece that is gone is told to have captured unseen."""
    doubt: int = 1000
    """How long after its publication a ply is first marked as uncertain."""
    gesture: int = 1500
    """How long the sign for a result must stand."""
    sign: int = 2000
    """How long the kings must stand on the centre squares."""
    turn: int = 400
    """Half the time a board must be a puzzle before it is tried turned."""
    turn_late: int = 1500
    """The same when some moves have been read without trouble."""
    report: int = 2000
    """How long before a picture nobody can explain is reported."""
    press: int = 600
    """How long after the press of a clock the last piece may come to rest."""
    taking_back: int = 60_000
    """How long an announced takeback is waited for."""
    adjusting: int = 15_000
    """How long pieces are put straight after saying so."""
    adjusted: int = 2500
    """How long a ply must have stood meanwhile to be told."""
    over: int = 8000
    """How long a mate must stand before nothing that happens on the board changes the game any more."""
    ended: int = 800
    """How long a mate must stand before the game is over."""


BEAM = 160
"""Explanations kept at most."""
