"""aiohttp, imported for its server alone.

As it is imported it makes a TLS context for its client, and reads all certificate authorities of the system for that:
25 ms of a fast processor and a megabyte, for something nobody uses here. So the file of authorities is an empty one
meanwhile. (Should anybody make a client all the same, certificates are still found one by one in the system's folder.)

Import this before anything of aiohttp.
"""

from __future__ import annotations

import os

FILE = "SSL_CERT_FILE"


def _import_aiohttp() -> None:
    before = os.environ.get(FILE)
    os.environ[FILE] = os.devnull
    try:
        import aiohttp  # noqa: F401, PLC0415
    finally:
        if before is None:
            del os.environ[FILE]
        else:
            os.environ[FILE] = before


_import_aiohttp()
