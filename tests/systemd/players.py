"""Playing on the virtual board of a service in a container, by its page."""

from __future__ import annotations

import json

from tests.systemd.container import Container

PAGE = "http://127.0.0.1:8080"

PLAYER = """
import asyncio, json, sys
import aiohttp

async def play(wishes):
    async with aiohttp.ClientSession() as session:
        if wishes:
            async with session.ws_connect("http://127.0.0.1:8080/api/v1/feed") as feed:
                for wish in wishes:
                    await feed.send_str(json.dumps(wish))
                    await asyncio.sleep(0.5)
        async with session.ws_connect("http://127.0.0.1:8080/api/v1/feed") as feed:
            async for message in feed:
                state = json.loads(message.data)
                if state["type"] == "state":
                    keys = ("moves", "position", "obligation", "lights")
                    print(json.dumps({key: state[key] for key in keys}))
                    return

wishes = []
for word in sys.argv[1:]:
    if word[0] == "-":
        wishes.append({"do": "lift", "square": word[1:], "hand": 0})
    else:
        wishes.append({"do": "put", "square": word, "hand": 0})
asyncio.run(play(wishes))
"""


def play(machine: Container, *words: str) -> dict[str, object]:
    """Lift (`-e2`) and put (`e4`) on the page; what it shows then."""
    found = json.loads(machine.run("/opt/touchmove/current/bin/python", "-c", PLAYER, *words))
    assert isinstance(found, dict)
    return found


def sans(state: dict[str, object]) -> list[str]:
    """The moves that the page shows."""
    moves = state["moves"]
    assert isinstance(moves, list)
    return [move["san"] for move in moves]


def pid_of(machine: Container) -> str:
    """The daemon's process."""
    return machine.show("touchmove", "MainPID")["MainPID"]
