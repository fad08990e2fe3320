"""When garbage is collected, and when the rules forget what they have worked out.

Python frees nearly everything the moment nobody refers to it; the collector of garbage is for objects that refer to
each other in a circle. A full collection looks at every object there is, which takes a small computer a quarter of a
second, and by itself it comes when it likes: in the middle of somebody's move. So the shell says when (nothing in the
pure core does):

1. While a command loads its modules, nothing is collected (`put_off`): all of that is there to stay.
2. What is there once the command is ready is never looked at again (`settle`): modules, functions, what was loaded.
   From then on a full collection sees only what belongs to games, and is over in a few milliseconds.
3. As one game gives way to another all is swept (`sweep`): the tables of the rules, which would otherwise grow by a
   megabyte with every dozen games, and the circles that may be left of the mind before.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from rules import memo


@contextmanager
def put_off() -> Iterator[None]:
    """Collect nothing until `settle` is called or this ends."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def settle() -> None:
    """The command is ready: what is there now stays, and is looked at no more. Collect what comes."""
    gc.collect()
    gc.freeze()
    gc.enable()


def sweep() -> None:
    """One game has given way to another: free what nobody needs."""
    memo.forget()
    gc.collect()
