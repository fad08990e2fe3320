"""`python -m benchmarks.page`: how heavy the page is, how soon it is there, and how soon it shows what a sensor saw.

Needs the `test` extra and Chromium (Debian's `chromium`, or the path in the variable CHROMIUM). The section between
`<!-- page -->` and `<!-- /page -->` in BENCHMARKS.md is written anew.

Bytes are counted as they come over the wire, headers too, with an empty cache. First paint is Chromium's own
`first-contentful-paint`, from the start of the navigation. A scan is timed in one process: the daemon, its server and
the driver of the browser share a loop, a scan is put into the inbox, and the page tells by a `MutationObserver` and a
binding when the square has changed, both by one clock.
"""

from __future__ import annotations

import asyncio
import platform
import time
from statistics import median, quantiles

from playwright.async_api import Page, async_playwright

from benchmarks.section import table, write_section
from board_driver.boards.board import Abilities, Inbox
from board_driver.daemon import Daemon
from board_driver.lights.picture import Picture
from board_driver.mind import Mode, Settings
from board_driver.scan import Occupancy, Scan, Sensing
from board_driver.web.server import Server
from tests.board_driver.web.conftest import CHROMIUM, FLAGS

VISITS = 7
SCANS = 200
PATIENCE_S = 5.0
START = 0xFFFF00000000FFFF
STRAY = 1 << 35
"""d5: something there that no move explains."""

WATCH = """
const cell = document.querySelector('[data-square="d5"]');
new MutationObserver(() => window.squareChanged()).observe(cell, {childList: true, attributes: true});
"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


async def weigh(page: Page, url: str) -> tuple[float, int, int]:
    """Milliseconds to first paint, bytes, and requests of one visit with an empty cache."""
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    await page.goto(url)
    await page.wait_for_selector("body[data-ready]")
    paint_ms = 0.0
    while not paint_ms:
        paint_ms = float(await page.evaluate(PAINT))
    return paint_ms, round(sum(sizes)), len(sizes)


async def scan_to_square(page: Page, daemon: Daemon) -> list[float]:
    """Milliseconds from a scan to the changed square, for each of `SCANS`."""
    changed = asyncio.Event()
    await page.expose_function("squareChanged", changed.set)
    await page.evaluate(WATCH)
    found = []
    for number in range(SCANS):
        await asyncio.sleep(0.02)
        changed.clear()
        began_s = time.perf_counter()
        occupied = START | (STRAY if number % 2 == 0 else 0)
        daemon.inbox.put(Scan(daemon.clock.now_ms(), Occupancy(occupied)))
        async with asyncio.timeout(PATIENCE_S):
            await changed.wait()
        found.append((time.perf_counter() - began_s) * 1000)
    return found


class WoodenBoard:
    """A board whose scans are put by this benchmark."""

    abilities = Abilities("benchmark", Sensing.OCCUPANCY)

    async def open(self, inbox: Inbox) -> None:
        inbox.put(Scan(inbox.now_ms(), Occupancy(START)))

    async def show(self, picture: Picture) -> None:
        """Nothing to show it on."""

    async def close(self) -> None:
        """Nothing to close."""


async def measure() -> str:
    """The section's text."""
    daemon = Daemon(WoodenBoard(), Settings(mode=Mode.RECORD))
    server = Server(daemon, "127.0.0.1", 0)
    url = await server.start()
    life = asyncio.create_task(daemon.run())
    await daemon.ready.wait()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        visits = []
        for _ in range(VISITS):
            context = await browser.new_context()
            visits.append(await weigh(await context.new_page(), url))
            await context.close()
        page = await browser.new_page()
        await page.goto(url)
        await page.wait_for_selector("body[data-ready]")
        times = await scan_to_square(page, daemon)
        version = browser.version
        await browser.close()
    daemon.stop()
    await life
    await server.stop()
    return report(visits, times, version)


def report(visits: list[tuple[float, int, int]], times: list[float], version: str) -> str:
    """The figures, beside what the page may cost."""
    paints = sorted(paint for paint, _, _ in visits)
    _, size, requests = visits[-1]
    rows = [
        ["first paint, empty cache", "1000 ms", f"{median(paints):.0f} ms", f"{paints[-1]:.0f} ms"],
        [f"all that is fetched ({requests} requests, packed)", "200 kB", f"{size / 1000:.1f} kB", ""],
        ["a scan → the square changed on the page", "50 ms", f"{median(times):.1f} ms", f"{worst(times):.1f} ms"],
    ]
    return (
        "## The page\n\n"
        f"`python -m benchmarks.page`: Chromium {version} on {platform.machine()}, Python {platform.python_version()}, "
        f"everything on loopback; {len(visits)} visits, {len(times)} scans.\n\n"
        + table(["", "allowed", "median", "worst (scans: 95 %)"], rows)
    )


def worst(times: list[float]) -> float:
    """What 95 of 100 keep within."""
    return quantiles(times, n=20)[-1]


if __name__ == "__main__":
    text = asyncio.run(measure())
    write_section("page", text)
    print(text)
