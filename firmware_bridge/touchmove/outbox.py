"""Commands that wait for their answer: each is sent at once, and again until it is answered."""

from __future__ import annotations

from dataclasses import dataclass

COMMAND_RESEND_MS = 80


@dataclass(slots=True)
class _Command:
    frame: bytes
    sent_ms: int | None = None


class Outbox:
    """Commands by key; a newer one replaces an older one of the same key, and goes behind the others."""

    def __init__(self) -> None:
        self._commands: dict[str, _Command] = {}
        self.resent = 0

    def want(self, key: str, frame: bytes) -> None:
        """Have this sent until it is answered. A key begins with its command's letter."""
        self._commands.pop(key, None)
        self._commands[key] = _Command(frame)

    def __contains__(self, key: str) -> bool:
        return key in self._commands

    def answered(self, key: str) -> bool:
        """That command was answered; False where none such was waiting."""
        return self._commands.pop(key, None) is not None

    def refused(self, letter: str) -> bool:
        """All commands of that letter were refused; False where none such was waiting."""
        keys = [key for key in self._commands if key.startswith(letter)]
        for key in keys:
            del self._commands[key]
        return bool(keys)

    def send_again(self) -> None:
        """The wire was down: what was sent may not have arrived."""
        for command in self._commands.values():
            command.sent_ms = None

    def clear(self) -> None:
        """Nothing is wanted any more."""
        self._commands.clear()

    def due(self, now_ms: int) -> list[bytes]:
        """What is to be sent now; it counts as sent."""
        out = []
        for command in self._commands.values():
            if command.sent_ms is None or now_ms - command.sent_ms >= COMMAND_RESEND_MS:
                self.resent += command.sent_ms is not None
                command.sent_ms = now_ms
                out.append(command.frame)
        return out

    def wake_times(self, now_ms: int) -> list[int]:
        """When each command is due."""
        sent = [command.sent_ms for command in self._commands.values()]
        return [now_ms if sent_ms is None else sent_ms + COMMAND_RESEND_MS for sent_ms in sent]
