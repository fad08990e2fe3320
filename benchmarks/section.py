"""One section of BENCHMARKS.md, between its own pair of comments."""

from __future__ import annotations

from pathlib import Path

BENCHMARKS = Path(__file__).parent.parent / "BENCHMARKS.md"


def write_section(name: str, text: str, path: Path = BENCHMARKS) -> None:
    """Put `text` between `<!-- name -->` and `<!-- /name -->`; the pair is added at the end where there is none."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    old = path.read_text(encoding="utf-8") if path.exists() else "# Benchmarks\n"
    section = f"{begin}\n{text.strip()}\n{end}"
    if begin in old and end in old:
        head, rest = old.split(begin, 1)
        new = head + section + rest.split(end, 1)[1]
    else:
        new = f"{old.rstrip()}\n\n{section}\n"
    path.write_text(new, encoding="utf-8")


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table; the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [_line(head, widths), "|" + "|".join(_rule(i, w) for i, w in enumerate(widths)) + "|"]
    return "\n".join([*lines, *(_line(row, widths) for row in rows)])


def _rule(column: int, width: int) -> str:
    return "-" * (width + 2) if column == 0 else "-" * (width + 1) + ":"


def _line(row: list[str], widths: list[int]) -> str:
    cells = [text.ljust(w) if i == 0 else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths, strict=True))]
    return "| " + " | ".join(cells) + " |"
