"""What importing the page's server costs that is not needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

ASK = """
import json, os, sys
{imported}
from aiohttp import connector
context = getattr(connector, "_SSL_CONTEXT_VERIFIED", None)
print(json.dumps({{
    "authorities": None if context is None else len(context.get_ca_certs()),
    "file": os.environ.get("SSL_CERT_FILE"),
    "modules": sorted(sys.modules),
}}))
"""


def after(imported: str, **environment: str) -> dict[str, object]:
    """How a fresh process is after that import."""
    command = [sys.executable, "-c", ASK.format(imported=imported)]
    answer = subprocess.run(command, env=os.environ | environment, capture_output=True, check=True, text=True)
    told: dict[str, object] = json.loads(answer.stdout)
    return told


@pytest.mark.parametrize("module", ["server", "guard"])
def test_no_certificate_authorities_are_read(module: str) -> None:
    told = after(f"import board_driver.web.{module}")
    assert told["authorities"] in (0, None)
    assert told["file"] == os.environ.get("SSL_CERT_FILE")


def test_a_file_of_authorities_that_was_named_is_named_again() -> None:
    assert after("import board_driver.web.server", SSL_CERT_FILE="/nowhere/ca.pem")["file"] == "/nowhere/ca.pem"


@pytest.mark.parametrize(
    "module", ["yaml", "sqlite3", "tarfile", "board_driver.profile.schema", "board_driver.recorder", "serial"]
)
def test_what_a_virtual_board_does_not_need_is_not_imported(module: str) -> None:
    told = after("import board_driver.service, board_driver.boards.virtual, board_driver.web.server")
    modules = told["modules"]
    assert isinstance(modules, list)
    assert "aiohttp" in modules
    assert module not in modules
