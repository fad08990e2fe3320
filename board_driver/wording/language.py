"""A language: a name and its phrases, read from the translation file beside this module.

A translation is one JSON file, `en.json` and the like: phrases by key, with `{…}` where something is filled in. English
has every key. What a translation lacks is said in English, so that a new one can be begun with a few lines.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from board_driver.wording import ENGLISH
from rules.pieces import Piece, Role
from rules.squares import Colour, square_name


@dataclass(frozen=True, slots=True)
class Language:
    """The phrases of one language. `voice` is the name by which espeak-ng knows how it is spoken."""

    code: str
    name: str
    voice: str
    phrases: Mapping[str, str]

    def has(self, key: str) -> bool:
        """Whether there is such a phrase."""
        return key in self.phrases

    def say(self, key: str, **values: str) -> str:
        """The phrase of that key, filled in. Raises KeyError for one that is in no language, or a value too few."""
        return self.phrases[key].format_map(values)

    def square(self, square: int) -> str:
        """The square's name, as it is spoken."""
        name = square_name(square)
        return self.say("square", file=name[0], rank=name[1])

    def squares(self, squares: list[int]) -> str:
        """Names of squares, one after the other."""
        return self.listed([self.square(s) for s in squares])

    def listed(self, words: list[str]) -> str:
        """Words one after the other, the last two joined as the language does."""
        if len(words) < 2:
            return "".join(words)
        return self.say("and", first=self.say("comma").join(words[:-1]), last=words[-1])

    def role(self, role: Role) -> str:
        """The name of a kind of piece."""
        return self.say(f"role.{role.letter}")

    def side(self, colour: Colour) -> str:
        """The name of a player."""
        return self.say(f"side.{colour.word}")

    def piece(self, piece: Piece | None) -> str:
        """The name of a piece with its colour; of nothing known, `piece`."""
        if piece is None:
            return self.say("piece")
        return self.say(f"man.{piece.colour.word}", role=self.role(piece.role))


@cache
def language(code: str) -> Language:
    """The language of one of the codes in `LANGUAGES`."""
    own = phrases_of(code)
    phrases = MappingProxyType({**phrases_of(ENGLISH), **own})
    return Language(code, phrases["language"], phrases["voice"], phrases)


def phrases_of(code: str) -> dict[str, str]:
    """What stands in the translation file itself."""
    text = files(__package__).joinpath(f"{code}.json").read_text("utf-8")
    found: dict[str, str] = json.loads(text)
    return found
