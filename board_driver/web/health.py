"""`/healthz` and `/metrics`: for those who look after the machine. Reading them changes nothing."""

from __future__ import annotations

from aiohttp import web

from board_driver.vitals import Vitals

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


def add_health(app: web.Application, vitals: Vitals) -> None:
    """Serve both from `app`."""

    async def healthz(_request: web.Request) -> web.Response:
        health = vitals.health()
        return web.json_response(health, status=200 if health["ok"] else 503)

    async def metrics(_request: web.Request) -> web.Response:
        return web.Response(body=vitals.metrics().encode(), headers={"Content-Type": PROMETHEUS})

    app.router.add_get("/healthz", healthz)
    app.router.add_get("/metrics", metrics)
