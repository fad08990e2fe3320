"""`python -m benchmarks.rules`: the rules against python-chess, side by side; writes its section of BENCHMARKS.md."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from math import prod

from benchmarks import rules_cold, rules_inverse, rules_warm
from benchmarks.duel import Verdict, fight
from benchmarks.section import table, write_section

HEAD = ["Operation", "target", "measured", "least", "most", ""]

TEXT = """\
## Rules

python-chess {peer} against `rules`, CPython {python}, one process, CPU time, in turn; each number is python-chess's
time over ours, the median of the rounds. Regressions are guarded by counting instructions instead
(`python -m benchmarks.instructions`).

### Warm: positions of five real games, met before

{warm}

### What a board of sensors asks, warm

{inverse}

### Cold: positions never seen, and fresh processes

{cold}

`import` of positions, FEN, SAN, UCI and the inverse questions takes {import_ms:.0f} ms here, with bytecode.
"""


def main() -> None:
    """Measures everything, prints and writes it."""
    warm = _shown(map(fight, rules_warm.duels()))
    inverse = _shown(map(fight, rules_inverse.duels()))
    cold = _shown(map(fight, rules_cold.duels())) + _shown(rules_cold.fresh())
    text = TEXT.format(
        peer=_peer_version(),
        python=platform.python_version(),
        warm=_table([*warm, *_means(warm)]),
        inverse=_table(inverse),
        cold=_table(cold),
        import_ms=min(rules_cold.import_ms(rules_cold.OUR_MODULES) for _ in range(5)),
    )
    write_section("rules", text)
    print(text)


def _peer_version() -> str:
    import chess  # noqa: PLC0415

    return chess.__version__


def _shown(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """The same, each printed as it comes."""
    found = []
    for verdict in verdicts:
        print(f"{verdict.ratio:9.2f}  (target {verdict.target:g})  {verdict.name}", flush=True)
        found.append(verdict)
    return found


def _means(verdicts: list[Verdict]) -> Iterable[Verdict]:
    for kind, target in (("counted", 8.0), ("played", 6.5)):
        rows = [verdict for verdict in verdicts if verdict.name.startswith(f"perft, leaves {kind}")]
        yield Verdict(
            f"perft, leaves {kind}: geometric mean",
            target,
            _mean([row.ratio for row in rows]),
            _mean([row.least for row in rows]),
            _mean([row.most for row in rows]),
        )


def _mean(ratios: list[float]) -> float:
    return prod(ratios) ** (1 / len(ratios))


def _table(verdicts: list[Verdict]) -> str:
    return table(HEAD, [_row(verdict) for verdict in verdicts])


def _row(verdict: Verdict) -> list[str]:
    numbers = [_number(value) for value in (verdict.target, verdict.ratio, verdict.least, verdict.most)]
    return [verdict.name, *numbers, "" if verdict.reached else "missed"]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


if __name__ == "__main__":
    main()
