"""The page's files: packed for browsers that take them so, and sent only where they have changed.

They are never fresh without asking (`Cache-Control: no-cache`), so that nothing old is shown after an upgrade.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from aiohttp import hdrs, web

CONTENT_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}


def static(asset: Path, policy: str | None = None) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Serves that file; `policy` is its Content-Security-Policy where it is not the usual one."""
    content_type = CONTENT_TYPES[asset.suffix]
    extra = {} if policy is None else {"Content-Security-Policy": policy}

    async def serve(request: web.Request) -> web.Response:
        packed = _packed(asset, asset.stat().st_mtime_ns)
        headers = {hdrs.ETAG: packed.tag, hdrs.VARY: hdrs.ACCEPT_ENCODING, **extra}
        if packed.tag in request.headers.get(hdrs.IF_NONE_MATCH, ""):
            return web.Response(status=304, headers=headers)
        body = packed.body
        if "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, ""):
            headers[hdrs.CONTENT_ENCODING] = "gzip"
        else:
            body = asset.read_bytes()
        return web.Response(body=body, content_type=content_type, charset="utf-8", headers=headers)

    return serve


@dataclass(frozen=True, slots=True)
class _Packed:
    body: bytes
    tag: str


@lru_cache(maxsize=64)
def _packed(asset: Path, changed_ns: int) -> _Packed:
    """What the file held when it was last changed, packed once for all."""
    del changed_ns
    plain = asset.read_bytes()
    return _Packed(gzip.compress(plain, 9, mtime=0), f'"{hashlib.sha256(plain).hexdigest()[:20]}"')
