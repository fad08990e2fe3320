"""Where an engine is: by name on the PATH and in the folders where Debian keeps games, or by its path."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from board_driver.inputerror import InputError, shortened

GAMES = ("/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/stockfish")
"""Folders that a service's PATH does not have."""
STOCKFISH = "stockfish"


def find_engine(name: str) -> Path:
    """The program of that name or path. Raises InputError, with what to do, where there is none that can be run."""
    if os.sep in name:
        path = Path(name).expanduser()
        if path.is_file() and os.access(path, os.X_OK):
            return path
        state = "a file that may not be run (chmod +x makes it so)" if path.is_file() else "no such file"
        raise InputError(f"expected an engine at {shortened(name)}, got {state}")
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(GAMES))
    if found is None:
        advice = f"sudo apt install {STOCKFISH}" if name == STOCKFISH else "give its path, as in /opt/engines/name"
        raise InputError(
            f"expected an engine called {shortened(name)} on the PATH or in {', '.join(GAMES)}, found none: {advice}"
        )
    return Path(found)
