"""Who may control the board from another machine: those who know the code shown on its terminal.

House rules:

1. A server for this machine only asks for nothing. One open to the network lets everybody look, and asks for a token
   before anything is changed; a token is given for the pairing code.
2. Only the SHA-256 of a token is kept, and with a file it outlives the program: a page that was paired stays so through
   a restart and an upgrade. A token is 256 random bits, so nothing slower is needed.
3. A token that was not shown for `GOOD_S` is good no more; `forget` ends them all at once.
4. Codes are tried at most `TRIES` times in `WINDOW_S` from one address and `ALL_TRIES` from all: guessing eight digits
   takes years. Every try counts, the right one too.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic, time

from board_driver.store.errors import StoreError
from board_driver.store.pgnfile import write_text

CODE_DIGITS = 8
TRIES = 5
ALL_TRIES = 20
WINDOW_S = 60.0
TOKENS_LIMIT = 64
"""Tokens that are good at one time; the one that was not shown for longest gives way."""
GOOD_S = 90 * 86_400
"""How long a token is good after it was last shown."""
NOTED_S = 3_600
"""How often at most it is noted that a token was shown."""


class TooManyTries(Exception):  # noqa: N818  # a person's mistake, told as an answer
    """Codes were tried too often; `wait_s` is how long to wait."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"too many tries: wait {wait_s:.0f} seconds")
        self.wait_s = wait_s


class Access:
    """Codes and tokens of one server."""

    def __init__(
        self,
        is_open: bool,
        code: str | None = None,
        now: Callable[[], float] = monotonic,
        path: Path | None = None,
        date: Callable[[], float] = time,
    ) -> None:
        """`is_open`: whether others than this machine can reach the server. `path` is where tokens are kept, hashed."""
        self.is_open = is_open
        self.code = code or "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))
        self._now = now
        self._date = date
        self._path = path
        self._shown: dict[str, float] = _read(path) if path is not None else {}
        """Each token's hash, and when it was last shown; the newest last."""
        self._tries: deque[tuple[float, str]] = deque()

    @property
    def hashes(self) -> Iterable[str]:
        """What is kept of the tokens."""
        return tuple(self._shown)

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
        self._show(_hash(token))
        return token

    def may_control(self, token: str | None) -> bool:
        """Whether who shows that token, or none, may change something."""
        if not self.is_open:
            return True
        hashed = None if token is None else _hash(token)
        if hashed is None or hashed not in self._shown:
            return False
        age_s = self._date() - self._shown[hashed]
        if age_s > GOOD_S:
            del self._shown[hashed]
            self._keep()
            return False
        if abs(age_s) > NOTED_S:  # a clock that was set back must not make a token good for longer
            self._show(hashed)
        return True

    def forget(self) -> None:
        """No token is good any more."""
        self._shown.clear()
        self._keep()

    def _show(self, hashed: str) -> None:
        self._shown.pop(hashed, None)
        self._shown[hashed] = self._date()
        while len(self._shown) > TOKENS_LIMIT:
            del self._shown[next(iter(self._shown))]
        self._keep()

    def _keep(self) -> None:
        """Write them down, for this user's eyes only. A disk that refuses costs a pairing after the next start."""
        if self._path is None:
            return
        with suppress(StoreError, OSError):
            if not self._path.exists():
                self._path.touch(mode=0o600)
            write_text(self._path, json.dumps({"pages": self._shown}) + "\n")


def spoken_code(code: str) -> str:
    """The code in two groups, as a person reads it from a screen."""
    return f"{code[: len(code) // 2]} {code[len(code) // 2 :]}"


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _read(path: Path) -> dict[str, float]:
    """The hashes that were kept; none of a file that is damaged."""
    with suppress(OSError, ValueError, RecursionError, LookupError, TypeError, AttributeError):
        kept = json.loads(path.read_text("utf-8"))["pages"].items()
        return {str(hashed): float(when) for hashed, when in list(kept)[:TOKENS_LIMIT]}
    return {}
