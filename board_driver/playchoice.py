"""How play mode treats promotions, claims and games left alone, by what the command line says."""

from __future__ import annotations

import argparse
from dataclasses import replace

from board_driver.inputerror import InputError, member_or_none, shortened
from board_driver.mind import ClaimsTold, PromotionRule, Settings

LONGEST_MIN = 7 * 24 * 60
MINUTE_MS = 60_000


def with_play(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """The settings with what was asked for. Raises InputError for what is none of the choices."""
    promotion = member_or_none(PromotionRule, "--promotion", getattr(arguments, "promotion", None))
    claims = member_or_none(ClaimsTold, "--claims", getattr(arguments, "claims", None))
    minutes = getattr(arguments, "abandon", None)
    return replace(
        settings,
        promotion=promotion or settings.promotion,
        claims=claims or settings.claims,
        abandon_ms=settings.abandon_ms if minutes is None else _minutes(minutes) * MINUTE_MS,
    )


def _minutes(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= LONGEST_MIN:
        return int(text)
    raise InputError(f"expected --abandon to be minutes, from 0 to {LONGEST_MIN}, got {shortened(text)}")
