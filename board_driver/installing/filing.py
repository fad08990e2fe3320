"""Links and files of an installation, each put into place in one step."""

from __future__ import annotations

from pathlib import Path


def point(link: Path, target: Path) -> None:
    """Make `link` lead to `target`, in one step."""
    link.parent.mkdir(parents=True, exist_ok=True)
    beside = link.with_name(f".{link.name}.new")
    beside.unlink(missing_ok=True)
    beside.symlink_to(target)
    beside.replace(link)


def write_beside(path: Path, text: str) -> None:
    """Make `path` a file of this text, which everybody may read, in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.chmod(0o644)
    beside.replace(path)
