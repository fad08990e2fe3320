"""Who may talk to the page, and what the page may do in a browser.

A browser sends requests to this server for any web site it visits. Two checks keep other sites out: `Host` must be a
name of this machine (else a hostile name could be made to point here, DNS rebinding), and where a browser says from
which page a request comes (`Origin`), it must be from this very server. GET changes nothing; what changes something
goes through the feed, whose opening is checked the same way. Only the feed that merely shows the board may be opened
from pages of other servers, for big screens.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address

import board_driver.web.serveronly  # noqa: F401  # isort: skip - before anything of aiohttp
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
"""On every answer. No script, style, picture or connection but from this server, and nothing inline."""

SPECTATE_PATH = "/api/v1/spectate"
WATCH_POLICY = HEADERS["Content-Security-Policy"].replace("connect-src 'self'", "connect-src 'self' ws: wss:")
"""The big screen shows the boards of other servers too."""


def is_loopback(host: str) -> bool:
    """Whether that name or address is this machine and no other can reach it."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def split_host(header: str) -> str:
    """The host of a `Host` header without its port: `[::1]:8080` is `::1`."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0]


def host_is_ours(host: str, bound_to: str) -> bool:
    """Whether a `Host` (without port) can be this server, which listens on `bound_to`.

    Bound to this machine only: loopback names. Opened to the network: any address, since a hostile page cannot make a
    bare address its own origin, and this machine's own names.
    """
    if is_loopback(host):
        return True
    if is_loopback(bound_to):
        return False
    own = socket.gethostname().lower()
    if host.lower() in {own, own.partition(".")[0], f"{own.partition('.')[0]}.local", bound_to.lower()}:
        return True
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def guard(bound_to: str) -> Middleware:
    """A middleware that refuses strangers (403) and puts `HEADERS` on every answer."""

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        refusal = _refusal(request, bound_to)
        if refusal is not None:
            return web.Response(status=403, text=refusal, headers=HEADERS)
        try:
            response = await handler(request)
        except web.HTTPException as answer:
            _fence(answer)
            raise
        if not response.prepared:
            _fence(response)
        return response

    return check


def _fence(response: web.StreamResponse) -> None:
    """The headers, but for what the answer says otherwise itself."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def _may_spectate(origin: str, bound_to: str) -> bool:
    """Whether a page of another server may look at this board, as a big screen with several boards does.

    Where everybody on the network may look, from anywhere; else only from this machine.
    """
    return not is_loopback(bound_to) or is_loopback(split_host(origin.partition("://")[2]))


def _refusal(request: web.Request, bound_to: str) -> str | None:
    host = request.headers.get(hdrs.HOST, "")
    if not host_is_ours(split_host(host), bound_to):
        return "This server does not go by that name. Open the address that touchmove printed.\n"
    origin = request.headers.get(hdrs.ORIGIN)
    if request.path == SPECTATE_PATH and origin is not None and _may_spectate(origin, bound_to):
        return None
    if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
        return "Requests from other web sites are refused.\n"
    return None
