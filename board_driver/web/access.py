"""Who may control the board from another machine: those who know the code shown on its terminal.

House rules:

1. A server for this machine only asks for nothing. One open to the network lets everybody look, and asks for a token
   before anything is changed; a token is given for the pairing code.
2. Only the SHA-256 of a token is kept. A token is 256 random bits, so nothing slower is needed.
3. Codes are tried at most `TRIES` times in `WINDOW_S` from one address and `ALL_TRIES` from all: guessing eight digits
   takes years. Every try counts, the right one too.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from time import monotonic

CODE_DIGITS = 8
TRIES = 5
ALL_TRIES = 20
WINDOW_S = 60.0
TOKENS_LIMIT = 64
"""Tokens that are good at one time; the oldest gives way."""


class TooManyTries(Exception):  # noqa: N818  # a person's mistake, told as an answer
    """Codes were tried too often; `wait_s` is how long to wait."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"too many tries: wait {wait_s:.0f} seconds")
        self.wait_s = wait_s


class Access:
    """Codes and tokens of one server."""

    def __init__(self, is_open: bool, code: str | None = None, now: Callable[[], float] = monotonic) -> None:
        """`is_open`: whether others than this machine can reach the server."""
        self.is_open = is_open
        self.code = code or "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))
        self._now = now
        self._hashes: deque[str] = deque(maxlen=TOKENS_LIMIT)
        self._tries: deque[tuple[float, str]] = deque()

    @property
    def hashes(self) -> Iterable[str]:
        """What is kept of the tokens."""
        return tuple(self._hashes)

    def pair(self, code: str, who: str) -> str | None:
        """A token for that code, tried from that address; None if it is wrong. Raises TooManyTries."""
        now = self._now()
        while self._tries and self._tries[0][0] <= now - WINDOW_S:
            self._tries.popleft()
        own = [when for when, other in self._tries if other == who]
        if len(own) >= TRIES or len(self._tries) >= ALL_TRIES:
            first = own[0] if len(own) >= TRIES else self._tries[0][0]
            raise TooManyTries(first + WINDOW_S - now)
        self._tries.append((now, who))
        digits = "".join(code.split()).replace("-", "")
        if not hmac.compare_digest(digits.encode("utf-8", "replace"), self.code.encode()):
            return None
        token = secrets.token_urlsafe(32)
        self._hashes.append(_hash(token))
        return token

    def may_control(self, token: str | None) -> bool:
        """Whether who shows that token, or none, may change something."""
        return not self.is_open or (token is not None and _hash(token) in self._hashes)


def spoken_code(code: str) -> str:
    """The code in two groups, as a person reads it from a screen."""
    return f"{code[: len(code) // 2]} {code[len(code) // 2 :]}"


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
