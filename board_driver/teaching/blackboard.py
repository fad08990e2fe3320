"""What whoever teaches shows on the page, and what the daemon's shell asks of him."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from board_driver.teaching.lessons import Lesson


@dataclass(frozen=True, slots=True)
class Blackboard:
    """The task at hand, what was said of what was done, whether that was right, and the last explanation."""

    task: str = ""
    remark: str = ""
    is_right: bool = False
    lesson: Lesson | None = None


class Instructor(Protocol):
    """Somebody who sets tasks on a daemon's board and says how they went."""

    @property
    def blackboard(self) -> Blackboard:
        """What is shown now."""

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call it whenever something else is shown."""

    async def run(self) -> None:
        """Go on from task to task until cancelled."""
