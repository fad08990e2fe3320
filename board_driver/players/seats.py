"""Who sits at the two sides of a daemon's board: opponents are seated and sent away as its settings say.

House rules:

1. The settings are the truth (`Settings.players`): they are kept in the journal, so a game that is resumed has its
   players again, and a new game brings its own.
2. A player is checked before a game is begun with him (`check`). One who is not to be had any more when a game is
   resumed is told of; his side waits, and may be commanded by anybody who may control the board.
3. The same player goes on from game to game with the engine that he has.
4. A page may only call in engines that are offered: Stockfish, and those that the command line named. It says how
   strong they are and how long they think, and nothing about programs, files or the machine.
5. Whoever has no hands is called by his name in the PGN, unless somebody has said otherwise.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from board_driver.corrections import Corrections
from board_driver.daemon import Daemon
from board_driver.events import Event
from board_driver.inputerror import InputError, shortened
from board_driver.mind import Mode, Settings
from board_driver.players.book import Book
from board_driver.players.engine import Engine, EngineError
from board_driver.players.finding import STOCKFISH, find_engine
from board_driver.players.opponent import Opponent
from board_driver.players.spec import Kind, Player, read_player
from rules.squares import Colour

TAGS = {Colour.WHITE: "White", Colour.BLACK: "Black"}
REMOTE_NAME = "Remote player"
OPTIONS = ("--white", "--black")
OFFERED = frozenset({STOCKFISH})


def seated(settings: Settings, players: Sequence[str | None]) -> Settings:
    """The settings with these players (White's, Black's; None: as it is), each checked. Raises InputError."""
    texts = tuple(text or settings.players[colour] for colour, text in zip(Colour, players, strict=True))
    handless = frozenset(colour for colour in Colour if check(OPTIONS[colour], texts[colour]).kind is not Kind.HAND)
    if handless and settings.mode is not Mode.PLAY:
        raise InputError("expected --mode play with a player who has no hands: the recorder commands nobody")
    return replace(settings, players=(texts[0], texts[1]), handless=handless)


def check(option: str, text: str) -> Player:
    """The player of that text, who is to be had: his engine is there, and his book is one. Raises InputError."""
    player = read_player(option, text)
    if player.kind is Kind.ENGINE:
        find_engine(player.program)
        if player.book is not None:
            Book.open(Path(player.book).expanduser()).close()
    return player


def programs_of(settings: Settings) -> frozenset[str]:
    """The engines among the players."""
    found = set()
    for text in settings.players:
        with suppress(InputError):
            player = read_player("the player", text)
            found |= {player.program} if player.kind is Kind.ENGINE else set()
    return frozenset(found)


def check_offered(text: str, offered: frozenset[str]) -> None:
    """Raises InputError for a player that a page may not call in."""
    player = read_player("the player", text)
    if player.kind is Kind.ENGINE and player.program not in offered:
        known = ", ".join(sorted(offered))
        raise InputError(f"expected a player to be hand, remote or one of {known}, got {shortened(player.program)}")
    told = Player(player.kind, player.program, player.elo, player.skill, player.depth, player.nodes, player.movetime_ms)
    if player != told:
        raise InputError("expected no more of a player than elo, skill, depth, nodes and movetime")


class Seats:
    """The two seats of one daemon. In its loop only."""

    def __init__(self, daemon: Daemon, corrections: Corrections | None = None) -> None:
        self.opponents: dict[Colour, Opponent] = {}
        self.offered = OFFERED | programs_of(daemon.settings)
        """Engines that a page may call in."""
        self._daemon = daemon
        self._corrections = corrections
        self._taken: dict[Colour, tuple[str, bool]] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._names: dict[Colour, str] = {}
        self._is_naming = False
        self._broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def run(self) -> None:
        """Seat players until this is cancelled; then all engines are ended. Raises only what is our mistake."""
        unlisten = self._daemon.listen(self._hear)
        if self._corrections is not None:
            self._corrections.watch(self._name_all)
        self._seat_all()
        try:
            await self._broken
        finally:
            unlisten()
            for colour in Colour:
                self._send_away(colour)
            await asyncio.gather(*self._leaving)

    def _hear(self, _events: Sequence[Event]) -> None:
        self._seat_all()

    def _seat_all(self) -> None:
        settings = self._daemon.settings
        for colour in Colour:
            wanted = (settings.players[colour], settings.chess960)
            if self._taken.get(colour) != wanted:
                self._taken[colour] = wanted
                self._send_away(colour)
                if colour in settings.handless:
                    self._seat(colour, *wanted)

    def _seat(self, colour: Colour, text: str, chess960: bool) -> None:
        try:
            player = read_player(OPTIONS[colour], text)
            if player.kind is Kind.REMOTE:
                self._name(colour, REMOTE_NAME)
            if player.kind is not Kind.ENGINE:
                return
            engine = engine_of(player, chess960, self._daemon)
            book = None if player.book is None else Book.open(Path(player.book).expanduser())
        except InputError as problem:
            self._tell(f"{colour.word}'s player is not to be had: {problem}")
            return
        opponent = self.opponents[colour] = Opponent(self._daemon, colour, player, engine, book=book, fail=self._fail)
        self._later(self._learn_name(colour, opponent))

    def _send_away(self, colour: Colour) -> None:
        self._names.pop(colour, None)
        opponent = self.opponents.pop(colour, None)
        if opponent is not None:
            self._later(opponent.close())

    # -- names

    async def _learn_name(self, colour: Colour, opponent: Opponent) -> None:
        try:
            name = await opponent.engine.greet()
        except EngineError:
            return  # it is told as soon as the engine is asked for a move
        for remark in opponent.engine.remarks:
            self._tell(f"{name}: {remark}")
        if self.opponents.get(colour) is opponent:
            strength = opponent.player.strength()
            self._name(colour, f"{name} ({strength})" if strength else name)

    def _name(self, colour: Colour, name: str) -> None:
        self._names[colour] = name
        self._name_all()

    def _name_all(self) -> None:
        """Let the PGN have the names that nobody has given otherwise."""
        if self._corrections is None or self._is_naming:
            return
        known = self._corrections.present.tags
        missing = {TAGS[c]: name for c, name in self._names.items() if not known.get(TAGS[c])}
        if missing:
            self._is_naming = True
            try:
                self._corrections.tell(missing)
            finally:
                self._is_naming = False

    # -- inside

    def _fail(self, mistake: BaseException) -> None:
        if not self._broken.done():
            self._broken.set_exception(mistake)

    def _later(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    def _tell(self, text: str) -> None:
        self._daemon.inbox.report("engine", text)


def engine_of(player: Player, chess960: bool, daemon: Daemon) -> Engine:
    """The engine of that player, not started yet; its failures go to the daemon's listeners. Raises InputError."""
    program = find_engine(player.program)

    def tell(text: str) -> None:
        said = f"{engine.name or program.name} failed: {text}; it is started anew, and the game goes on"
        daemon.inbox.report("engine", said)

    engine = Engine(program, player.wishes(chess960), tell, chess960=chess960)
    return engine
