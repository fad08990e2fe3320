"""The replay contract's summary of what was recorded."""

from __future__ import annotations

from collections.abc import Sequence

from board_driver.recorder.score import Score
from rules.fen import write_fen


def summary_of(scores: Sequence[Score]) -> dict[str, object]:
    """The keys of the contract's summary: the last game's, and `games` for all."""
    score = scores[-1]
    summary: dict[str, object] = {
        "moves": [ply.san for ply in score.plies],
        "uci": [ply.uci for ply in score.plies],
        "fen": write_fen(score.position()),
        "result": score.result,
        "reason": score.reason,
        "uncertain": [number for number, ply in enumerate(score.plies, 1) if ply.alternatives],
    }
    summary["games"] = [
        {
            "uci": [ply.uci for ply in each.plies],
            "fen": write_fen(each.position()),
            "result": each.result,
            "reason": each.reason,
            "start_fen": write_fen(each.start),
        }
        for each in scores
    ]
    return summary
