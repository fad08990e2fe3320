"""The picture: what each square's light means. How a meaning looks is in `looks`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType


class Meaning(Enum):
    """Why a square is lit."""

    OWED = "owed"
    DESTINATION = "destination"
    CAPTURE = "capture"
    CASTLING_KING = "castling-king"
    CASTLING_ROOK = "castling-rook"
    PROMOTION = "promotion"
    REMOVE = "remove"
    ILLEGAL = "illegal"
    TAKE_AWAY = "take-away"
    PUT_HERE = "put-here"
    CANNOT_MOVE = "cannot-move"
    UNCLEAR = "unclear"
    LAST_MOVE = "last-move"
    CHECK = "check"
    COMMAND_FROM = "command-from"
    COMMAND_TO = "command-to"
    HINT = "hint"
    PROMOTE_QUEEN = "promote-queen"
    PROMOTE_ROOK = "promote-rook"
    PROMOTE_BISHOP = "promote-bishop"
    PROMOTE_KNIGHT = "promote-knight"
    RESULT = "result"


Picture = Mapping[int, Meaning]
"""Square to meaning. Squares not in it are dark."""

DARK: Picture = MappingProxyType({})
