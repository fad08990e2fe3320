"""Putting the daemon together: board, mind, page and games, from what the command line says, until a signal ends it."""

from __future__ import annotations

import argparse
import asyncio
import errno
import os
import signal
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from board_driver.boards.board import Clock
from board_driver.boards.catalogue import Choice, choose_board
from board_driver.boards.promotion import exchange_promoted
from board_driver.boards.virtual import VirtualBoard
from board_driver.daemon import Daemon
from board_driver.eventlog import Entry, EventLog, Kind, Level, Log
from board_driver.inputerror import InputError, member_or_none, one_of, shortened
from board_driver.mind import LightsSetting, Mode, Settings, TouchRule
from board_driver.notify import Heartbeat
from board_driver.playchoice import with_play
from board_driver.sound.hearing import SILENT, Hearing
from board_driver.sweeping import settle
from board_driver.tagchoice import tags_told
from board_driver.timechoice import with_clock
from board_driver.vitals import Vitals
from rules.ruleset import RULESETS

if TYPE_CHECKING:
    from board_driver.players.company import Company
    from board_driver.scribe import Folder, OneFile, Scribe
    from board_driver.teaching.blackboard import Instructor
    from board_driver.upkeep import Upkeep
    from board_driver.web.access import Access
    from board_driver.web.page import Desk
    from board_driver.web.server import Server
    from board_driver.wording.language import Language

FASTEST = 1000.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run, checked as far as that can be done before running it."""

    choice: Choice
    host: str
    port: int
    rate: float = 1.0
    place: OneFile | Folder | None = None
    """Where the games are kept; None: with the journal, or nowhere."""
    state: Path | None = None
    """The folder of the journal; None: nothing outlives this run but the games."""
    hearing: Hearing = SILENT
    """What people hear, and in which language things are said."""
    instructor: Callable[[Daemon, Language], Instructor] | None = None
    """Makes whoever teaches or trains on that daemon's board; None: nobody does."""
    moves_itself: bool = False
    """A virtual board carries out by itself what engines play."""

    @classmethod
    def from_arguments(cls, arguments: argparse.Namespace) -> Plan:
        """Read the options of `touchmove run`. Raises InputError for the first that cannot be."""
        mode = member_or_none(Mode, "--mode", arguments.mode)
        touch = member_or_none(TouchRule, "--touch", arguments.touch)
        lights = member_or_none(LightsSetting, "--lights", arguments.lights)
        ruleset = one_of("--ruleset", arguments.ruleset, tuple(RULESETS))
        port = read_port(arguments.port)
        rate = read_rate(arguments.speed)
        choice = choose_board(arguments.board, arguments.fen, arguments.chess960)
        if getattr(arguments, "capture", None) is not None:
            from board_driver.boards.serialcapture import capture_to  # noqa: PLC0415

            capture_to(choice.board, arguments.capture)
        settings = replace(
            choice.settings,
            mode=mode or choice.settings.mode,
            touch=touch or choice.settings.touch,
            lights=lights or choice.settings.lights,
            ruleset=ruleset or choice.settings.ruleset,
        )
        settings = with_clock(with_play(settings, arguments), arguments)
        settings = with_players(settings, arguments)
        choice = replace(choice, tags={**choice.tags, **tags_told(arguments)})
        place = place_of(arguments.pgn, arguments.games)
        state = state_of(arguments.board, getattr(arguments, "state", None))
        hearing = Hearing.chosen(choice, arguments)
        plan = cls(replace(choice, settings=settings), arguments.host, port, rate, place, state, hearing)
        return replace(plan, moves_itself=moves_itself(choice, arguments))


async def serve(plan: Plan) -> None:
    """Run until SIGINT or SIGTERM. Raises InputError if the page's port or address cannot be had, or a game written.

    Also if another process has the state folder.
    """
    if plan.state is None:
        await _serve(plan, Daemon(plan.choice.board, plan.choice.settings, clock=Clock(plan.rate)))
        return
    from board_driver.upkeep import Upkeep  # noqa: PLC0415

    with Upkeep(plan.state) as upkeep:
        await _serve(plan, upkeep.daemon(plan.choice.board, plan.choice.settings, plan.rate), upkeep)


async def _serve(plan: Plan, daemon: Daemon, upkeep: Upkeep | None = None) -> None:
    board = plan.choice.board
    if isinstance(board, VirtualBoard):
        exchange_promoted(daemon, board)
    place = plan.place or (None if upkeep is None else upkeep.place())
    scribe = None if place is None else scribe_for(daemon, place, plan.choice.tags)
    if upkeep is not None and scribe is not None and plan.place is None:
        upkeep.instruct(scribe)
    teacher = instructor_for(plan, daemon)
    desk = desk_for(plan, daemon, upkeep, scribe)
    company = company_for(plan, daemon, desk)
    desk = replace(desk, teacher=teacher, company=company)
    if scribe is not None:
        scribe.correct(desk.corrections)
    with stopping_on_signals(daemon):
        journal, unkept = (None, "") if upkeep is None else (upkeep.journal, upkeep.unkept)
        vitals = Vitals(daemon, journal, unkept=unkept)
        server, address = await start_server(daemon, plan.host, plan.port, desk, vitals)
        beat = Heartbeat()
        try:

            def on_ready() -> None:
                announce(daemon, address, desk.access, plan.state)
                EventLog(daemon, Log(), lambda: "" if scribe is None else scribe.present_name())
                beat.ready(f"the page is at {address}")
                if upkeep is not None:
                    upkeep.announce(address, warn)
                settle()

            beside = [beat.run(), vitals.run(), *([] if upkeep is None else [upkeep.run()])]
            beside += plan.hearing.parts(daemon)
            beside += displays_beside(plan, daemon)
            beside += [] if teacher is None else [teacher.run()]
            beside += company.parts()
            await live(daemon, scribe, on_ready, beside)
        finally:
            beat.stopping()
            await server.stop()
        if scribe is not None:
            await scribe.write()


async def live(
    daemon: Daemon,
    scribe: Scribe | None,
    on_ready: Callable[[], None],
    beside: Sequence[Coroutine[object, object, None]] = (),
) -> None:
    """Run the daemon, its scribe and what goes on beside them until the daemon is stopped."""
    async with asyncio.TaskGroup() as tasks:
        life = tasks.create_task(daemon.run())
        others = [tasks.create_task(work) for work in beside]
        if scribe is not None:
            others.append(tasks.create_task(scribe.run()))
        await daemon.ready.wait()
        on_ready()
        await life
        for other in others:
            other.cancel()


def displays_beside(plan: Plan, daemon: Daemon) -> list[Coroutine[object, object, None]]:
    """What keeps the board's displays up to date, if it has any."""
    if not plan.choice.displays:
        return []
    from board_driver.displays.showing import Showing, display_of  # noqa: PLC0415

    return [Showing(daemon, [display_of(display) for display in plan.choice.displays]).run()]


def state_of(board: str, named: str | None) -> Path | None:
    """The folder of the journal: by `--state`, else systemd's; none for a log, which is its own journal."""
    if board.partition(":")[0] == "replay":
        return None
    name = named or os.environ.get("STATE_DIRECTORY", "").partition(":")[0]
    return Path(name).expanduser() if name else None


def place_of(pgn: str | None, games: str | None) -> OneFile | Folder | None:
    """Where the games go, by `--pgn` and `--games`. Raises InputError if that place cannot be."""
    if pgn is None and games is None:
        return None
    from board_driver.scribe import Folder, OneFile  # noqa: PLC0415

    if pgn is not None:
        return OneFile(Path(pgn).expanduser())
    return Folder(Path(games or ".").expanduser())


def with_players(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """With the players of `--white` and `--black`, each checked. Raises InputError."""
    players = (getattr(arguments, "white", None), getattr(arguments, "black", None))
    if getattr(arguments, "follow_board", False):
        settings = replace(settings, follow_board=True)
    if players == (None, None) and settings.players == Settings().players:
        return settings
    from board_driver.players.seats import seated  # noqa: PLC0415

    return seated(settings, players)


def moves_itself(choice: Choice, arguments: argparse.Namespace) -> bool:
    """Whether `--moves-itself` is given. Raises InputError where the board has no hands of its own."""
    wanted = bool(getattr(arguments, "moves_itself", False))
    if wanted and not isinstance(choice.board, VirtualBoard):
        raise InputError("expected --moves-itself with --board virtual: no other board moves pieces by itself")
    return wanted


def company_for(plan: Plan, daemon: Daemon, desk: Desk) -> Company:
    """Engines and others without hands, as the daemon's settings name them, now and in every game to come."""
    from board_driver.players.company import Company  # noqa: PLC0415

    return Company.of(
        daemon, desk.corrections, moves_itself=plan.moves_itself, gives_hints=plan.instructor is None
    )


def instructor_for(plan: Plan, daemon: Daemon) -> Instructor | None:
    """Who teaches or trains; None where nobody does."""
    if plan.instructor is None:
        return None
    from board_driver.wording.language import language  # noqa: PLC0415

    return plan.instructor(daemon, language(plan.hearing.language))


def scribe_for(daemon: Daemon, place: OneFile | Folder, tags: Mapping[str, str] | None = None) -> Scribe:
    """Who writes the daemon's games there, each with those PGN tags."""
    from board_driver.scribe import Scribe  # noqa: PLC0415

    return Scribe(daemon, place, tags=tags)


def desk_for(plan: Plan, daemon: Daemon, upkeep: Upkeep | None, scribe: Scribe | None = None) -> Desk:
    """What the page needs beside the daemon: corrections, lights, where games lie, and who may control."""
    from board_driver.corrections import Corrections  # noqa: PLC0415
    from board_driver.lightcare import LightCare  # noqa: PLC0415
    from board_driver.store.state import JOURNAL  # noqa: PLC0415
    from board_driver.web.access import Access  # noqa: PLC0415
    from board_driver.web.guard import is_loopback  # noqa: PLC0415
    from board_driver.web.page import Desk  # noqa: PLC0415

    def kept(name: str) -> Path | None:
        return None if plan.state is None else plan.state / name

    goes_on = upkeep is not None and upkeep.resumed_ms > 0
    corrections = Corrections(daemon, kept("corrections.json"), goes_on)
    place = plan.place or (None if upkeep is None else upkeep.place())
    games = None if place is None else place.path
    return Desk(
        corrections,
        Access(not is_loopback(plan.host), path=kept("pages.json")),
        games,
        plan.choice.tags,
        language=plan.hearing.language,
        care=LightCare(daemon, kept("lights.json"), goes_on),
        scribe=scribe,
        journal=kept(JOURNAL),
    )


async def start_server(
    daemon: Daemon, host: str, port: int, desk: Desk | None = None, vitals: Vitals | None = None
) -> tuple[Server, str]:
    """A server of the daemon's page that listens, and its address. Raises InputError, with what to do, if it cannot."""
    from board_driver.web.server import Server  # noqa: PLC0415

    server = Server(daemon, host, port, desk, vitals)
    try:
        return server, await server.start()
    except OSError as problem:
        raise InputError(_why_not(problem, host, port)) from problem


@contextmanager
def stopping_on_signals(daemon: Daemon) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the daemon in good order, and after that mean what they meant before."""
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        loop.add_signal_handler(number, daemon.stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)


def announce(daemon: Daemon, address: str, access: Access, state: Path | None = None) -> None:
    """Tell the person at the terminal, or the system's journal, where the page is, and what to know about it."""
    from board_driver.pairingcode import forget_code, tell_code  # noqa: PLC0415
    from board_driver.web.access import spoken_code  # noqa: PLC0415

    log = Log()
    if log.in_service:
        log.say(Entry(Kind.STARTED, Level.INFO, f"the page is at {address}", {"ADDRESS": address}))
    else:
        print(f"touchmove: the page is at {address} (Ctrl-C ends)", flush=True)
    if access.is_open:
        warn(tell_code(spoken_code(access.code), state, log.in_service))
    elif state is not None:
        forget_code(state)
    if daemon.board_trouble:
        warn(f"no board yet: {daemon.board_trouble}; trying again")


def warn(text: str) -> None:
    """Say it on standard error; the system's journal takes it as a warning."""
    Log().warn(text)


def read_port(text: str) -> int:
    """A TCP port, 0 for any free one."""
    if text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65535:
        return int(text)
    raise InputError(f"expected --port to be a number from 0 to 65535, got {shortened(text)}")


def read_rate(text: str) -> float:
    """How much faster than real time the clock runs."""
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if 0 < rate <= FASTEST:
        return rate
    raise InputError(f"expected --speed to be a number above 0 and at most {FASTEST:g}, got {shortened(text)}")


def _why_not(problem: OSError, host: str, port: int) -> str:
    place = f"port {port} on {shortened(host)}"
    match problem.errno:
        case errno.EADDRINUSE:
            return (
                f"expected {place} to be free for the page, but another program uses it: "
                "end that one, or choose another with --port (0 takes any free one)"
            )
        case errno.EACCES:
            return f"expected to be allowed {place} for the page, but ports below 1024 are not: choose one with --port"
        case _:
            return f"the page cannot listen on {place}: {problem.strerror or problem}; check --host and --port"
