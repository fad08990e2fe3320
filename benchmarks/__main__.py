"""`python -m benchmarks`: the measurements that write to BENCHMARKS.md, one after the other.

Each runs in a process of its own, so that no table warmed by one flatters the next. Those that take long have commands
of their own: `make bench-recorder`, `make kills`, `make bench-soak`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

APART = {"recorder", "kills", "soak", "section", "__init__", "__main__"}


def main() -> int:
    """Run them all; 1 if one of them failed."""
    here = Path(__file__).parent
    modules = [path for path in sorted(here.glob("*.py")) if path.stem not in APART]
    names = [path.stem for path in modules if "write_section(" in path.read_text("utf-8")]
    failed = []
    for name in names:
        print(f"== {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=here.parent, check=False).returncode:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
