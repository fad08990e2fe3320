"""From tokens to games.

A game begins with its first tag or, where there are no tags, with the first thing after a result. It ends with a
result outside all variations, with the tags of the next game, or with the text. Its moves are kept in *branches*: the
main line at the bottom of a stack, and one more for every variation that is open. A branch that meets something other
than a legal move is cut there; what the text still holds of it is passed over, together with all variations in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import assert_never

from rules.fen import START_FEN, FenError, parse_fen
from rules.outcome import Result
from rules.pgn.clocks import split_times
from rules.pgn.lexer import Kind, Source, Token, tokens
from rules.pgn.tree import PgnGame, Ply, Problem
from rules.position import Position
from rules.san import SanError, move_numeral, parse_san

MAX_DEPTH = 64
"""Variations nested deeper are passed over."""
MAX_PROBLEMS = 50
"""More problems of one game are not told."""

GLYPHS = {
    "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "=": 10, "∞": 13, "⩲": 14, "+=": 14, "+/=": 14,
    "⩱": 15, "=+": 15, "=/+": 15, "±": 16, "+/-": 16, "∓": 17, "-/+": 17, "+-": 18, "-+": 19, "N": 146,
}  # fmt: skip
"""Glyphs and what they are as numbers."""
REMARKS = frozenset({"e.p.", "e.p", "ep", "en", "passant", "pt", "+", "++", "#", "ch", "mate"})
"""Words beside a move that tell nothing new."""
RESULTS = {**{str(result): result for result in Result}, "1/2": Result.DRAW, "½-½": Result.DRAW}
CHESS960_NAMES = frozenset({"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "960"})
STANDARD_NAMES = frozenset({"", "?", "chess", "standard", "normal", "from position", "regular"})


def read_games(source: Source) -> Iterator[PgnGame]:
    """The games of a PGN text in order. Never raises for what the text holds; a text without any game gives none."""
    game = _Reading()
    for token in tokens(source):
        if token.kind is Kind.TAG and game.is_over_at(token.text):
            yield game.finished()
            game = _Reading()
        game.take(token)
        if game.ended:
            yield game.finished()
            game = _Reading()
    if not game.is_blank:
        yield game.finished()


@dataclass(slots=True)
class _Branch:
    """A line while it is read."""

    position: Position
    previous: Position
    """The position before the last ply: where a variation starts from."""
    plies: list[Ply] = field(default_factory=list)
    before: str = ""
    cut: bool = False


class _Reading:
    """A game while it is read."""

    def __init__(self) -> None:
        self.ended = False
        self._tags: dict[str, str] = {}
        self._comment = ""
        self._result: Result | None = None
        self._problems: list[Problem] = []
        self._branches: list[_Branch] = []
        self._passed_over = 0
        """How many brackets are open around what is passed over."""

    @property
    def is_blank(self) -> bool:
        """True while there is nothing that would make a game."""
        return not self._tags and not self._branches

    def is_over_at(self, tag: str) -> bool:
        """True if such a tag belongs to the next game."""
        return bool(self._branches) or (tag == "Event" and tag in self._tags)

    def take(self, token: Token) -> None:
        match token.kind:
            case Kind.WORD:  # first, as most are
                self._take_word(token)
            case Kind.TAG:
                self._tags[token.text] = token.value
            case Kind.BROKEN:
                self._tell(token, token.text)
            case Kind.COMMENT:
                self._take_comment(token.text)
            case Kind.NAG:
                self._take_nag(token)
            case Kind.RESULT:
                self._take_result(token)
            case Kind.OPEN:
                self._open(token)
            case Kind.CLOSE:
                self._close(token)
            case _:
                assert_never(token.kind)

    def finished(self) -> PgnGame:
        """The game as it was read."""
        main = self._main()
        while len(self._branches) > 1:
            self._hang()
        told = RESULTS.get(self._tags.get("Result", ""), Result.UNFINISHED)
        return PgnGame(
            start=self._start,
            line=tuple(main.plies),
            result=told if self._result in (None, Result.UNFINISHED) else self._result,
            tags=self._tags,
            comment=self._comment,
            problems=tuple(self._problems),
            cut=main.cut,
        )

    # ---- the pieces of movetext

    def _take_word(self, token: Token) -> None:
        if token.text in REMARKS:
            return
        if token.text in GLYPHS:
            self._take_nag(token)
            return
        self._main(token)
        branch = self._branches[-1]
        if self._passed_over or branch.cut:
            return
        try:
            move = parse_san(branch.position, token.text)
        except SanError:
            branch.cut = True
            self._tell(token, _refusal(branch.position, token.text, main=len(self._branches) == 1))
            return
        branch.plies.append(Ply(move, before=branch.before))
        branch.before = ""
        branch.previous, branch.position = branch.position, branch.position.play(move)

    def _take_comment(self, text: str) -> None:
        branch = self._branches[-1] if self._branches else None
        if self._passed_over or (branch and branch.cut):
            return
        words, clock_ms, elapsed_ms = split_times(text)
        if branch and branch.plies:
            ply = branch.plies[-1]
            branch.plies[-1] = replace(
                ply,
                comment=_joined(ply.comment, words),
                clock_ms=ply.clock_ms if clock_ms is None else clock_ms,
                elapsed_ms=ply.elapsed_ms if elapsed_ms is None else elapsed_ms,
            )
        elif branch and len(self._branches) > 1:
            branch.before = _joined(branch.before, words)
        else:
            self._comment = _joined(self._comment, words)

    def _take_nag(self, token: Token) -> None:
        branch = self._branches[-1] if self._branches else None
        if self._passed_over or branch is None or branch.cut or not branch.plies:
            return
        nag = GLYPHS[token.text] if token.text in GLYPHS else int(token.text)
        ply = branch.plies[-1]
        if nag not in ply.nags:
            branch.plies[-1] = replace(ply, nags=(*ply.nags, nag))

    def _take_result(self, token: Token) -> None:
        main = self._main(token)
        outside = len(self._branches) == 1 and not self._passed_over
        if outside or main.cut:
            self._result = RESULTS[token.text]
        self.ended = outside

    def _open(self, token: Token) -> None:
        self._main(token)
        branch = self._branches[-1]
        if branch.plies and not (self._passed_over or branch.cut or len(self._branches) > MAX_DEPTH):
            self._branches.append(_Branch(branch.previous, branch.previous))
            return
        self._passed_over += 1
        if not (branch.cut or self._passed_over > 1):
            why = "nested too deep" if branch.plies else "before any move"
            self._tell(token, f"a variation {why} is passed over")

    def _close(self, token: Token) -> None:
        if self._passed_over:
            self._passed_over -= 1
        elif len(self._branches) > 1:
            self._hang()
        else:
            self._tell(token, "a bracket is closed that was not opened")

    def _hang(self) -> None:
        """Ends the innermost variation and hangs it on the ply it replaces."""
        variation = self._branches.pop()
        if variation.plies:
            plies = self._branches[-1].plies
            plies[-1] = replace(plies[-1], variations=(*plies[-1].variations, tuple(variation.plies)))

    # ---- the start

    def _main(self, token: Token | None = None) -> _Branch:
        """The main line, begun from what the tags say if it was not begun yet."""
        if not self._branches:
            line = token.line if token else 0
            start, problem = _start_of(self._tags, line)
            self._start = start
            self._branches.append(_Branch(start, start, cut=problem is not None))
            if problem:
                self._problems.append(problem)
        return self._branches[0]

    def _tell(self, token: Token, sentence: str) -> None:
        if len(self._problems) < MAX_PROBLEMS:
            self._problems.append(Problem(token.line, sentence))


def _start_of(tags: dict[str, str], line: int) -> tuple[Position, Problem | None]:
    """Where a game starts; with a problem, and the usual start, if its tags cannot be followed."""
    variant = tags.get("Variant", "").strip().lower()
    chess960 = variant in CHESS960_NAMES
    if not chess960 and variant not in STANDARD_NAMES:
        sentence = f"expected chess or Chess960, got Variant {tags['Variant'][:60]!r}; no move of the game is read"
        return parse_fen(START_FEN), Problem(line, sentence)
    try:
        return parse_fen(tags.get("FEN", START_FEN), chess960, unreached=True), None
    except FenError as error:
        return parse_fen(START_FEN), Problem(line, f"the FEN tag cannot be used: {error}; no move of the game is read")


def _refusal(position: Position, word: str, main: bool) -> str:
    number = move_numeral(position)
    what = "the game" if main else "the variation"
    return f"expected a legal move for {number}, got {word[:40]!r}; {what} is cut there"


def _joined(one: str, two: str) -> str:
    return f"{one} {two}" if one and two else one or two
