"""What is to be heard, by profile and command line, and the parts that make it heard."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from board_driver.inputerror import one_of
from board_driver.wording import ENGLISH, LANGUAGES

if TYPE_CHECKING:
    from board_driver.boards.catalogue import Choice
    from board_driver.daemon import Daemon
    from board_driver.profile.words import Pin


@dataclass(frozen=True, slots=True)
class Hearing:
    """Whether there is a voice and a buzzer, and in which language things are said."""

    language: str = ENGLISH
    voice: bool = False
    buzzer: Pin | None = None

    @classmethod
    def chosen(cls, choice: Choice, arguments: argparse.Namespace) -> Hearing:
        """By the options of `touchmove run`, else the board's profile. Raises InputError for an unknown language."""
        sound = choice.sound
        if sound is None:
            return cls(language_of(arguments), getattr(arguments, "voice", False))
        code, voice = language_of(arguments, sound.language), getattr(arguments, "voice", False) or sound.voice
        return cls(code, voice, sound.buzzer)

    def parts(self, daemon: Daemon) -> Iterator[Coroutine[object, object, None]]:
        """What runs beside that daemon, to be heard."""
        if self.voice:
            from board_driver.sound.speaker import Speaker  # noqa: PLC0415
            from board_driver.wording.language import language  # noqa: PLC0415

            yield Speaker(daemon, language(self.language)).run()
        if self.buzzer is not None:
            from board_driver.sound.buzzer import Buzzer  # noqa: PLC0415

            yield Buzzer(daemon, self.buzzer).run()


def language_of(arguments: argparse.Namespace, otherwise: str = ENGLISH) -> str:
    """The code of the language asked for. Raises InputError for an unknown one."""
    return one_of("--language", getattr(arguments, "language", None), LANGUAGES) or otherwise


SILENT = Hearing()
"""Nothing is heard; what is shown is in English."""
