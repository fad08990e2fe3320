"""Why a line gives no valid frames, guessed from what it gives instead [pure]."""

from __future__ import annotations

import re
from dataclasses import dataclass

COMPLAIN_AFTER_MS = 3_000
_KEPT = 400
_LOGIN = re.compile(rb"\blogin:|[Pp]assword:|\[  OK  \]|systemd\[1\]|Raspbian|Debian GNU/Linux|\w+@\w+:[~/]\S*[$#] ")


@dataclass(frozen=True, slots=True)
class Complaint:
    """One line for a person. `is_noise`: bytes that are no text, as another baud rate gives them."""

    text: str
    is_noise: bool = False


class LineWatch:
    """Watches one opening of a line. Complains once, and never after the first valid frame."""

    def __init__(self, opened_ms: int, baud: int, tried: tuple[int, ...] = ()) -> None:
        """`tried` are the rates that were tried before this one on the same port."""
        self._opened_ms = opened_ms
        self._baud = baud
        self._tried = tried
        self._tail = b""
        self._count = 0
        self._is_quiet = False

    def take(self, payload: bytes, frames: int) -> None:
        """Bytes that came, and how many valid frames the codec has found on this line in all."""
        self._count += len(payload)
        self._tail = (self._tail + payload)[-_KEPT:]
        self._is_quiet = self._is_quiet or frames > 0

    def complaint(self, now_ms: int) -> Complaint | None:
        """What there is to complain of; None where that is nothing (yet, or again)."""
        if self._is_quiet or now_ms - self._opened_ms < COMPLAIN_AFTER_MS:
            return None
        self._is_quiet = True
        return self._diagnosis()

    def _diagnosis(self) -> Complaint:
        if not self._count:
            return Complaint("nothing at all arrives: is the board powered, and its firmware on it?")
        if _LOGIN.search(self._tail):
            return Complaint(
                "a login prompt or console is on the port: switch the serial console off "
                "(raspi-config, Interface Options, Serial Port) or choose another port"
            )
        if _is_text(self._tail):
            sample = self._tail.decode("ascii", "replace").split("\n")[-2:][0].strip()[:40]
            return Complaint(f"text arrives but no valid frame: other firmware? It says {sample!r}")
        before = f" (tried before: {', '.join(map(str, self._tried))})" if self._tried else ""
        text = f"data arrives at {self._baud} baud but no valid frame: another baud rate?{before}"
        return Complaint(text, is_noise=True)


def _is_text(tail: bytes) -> bool:
    return sum(32 <= byte < 127 or byte in b"\r\n\t" for byte in tail) > 0.95 * len(tail)
