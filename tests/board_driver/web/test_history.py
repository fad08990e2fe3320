"""What a page knows of a game beside its record."""

from __future__ import annotations

from board_driver.events import Ended
from board_driver.scan import ButtonName
from board_driver.web.history import History
from tests.board_driver.players.tables import PlayersAtTable, play

MATES_BY_QUEEN = "7k/P5pp/8/8/8/8/8/4K3 w - - 0 1"


def test_an_end_by_a_queen_that_nobody_chose_is_not_told_until_somebody_chooses() -> None:
    async def script(at: PlayersAtTable) -> None:
        history = History(at.daemon)
        at.daemon.listen(history.hear)
        await at.lift_and_put(("a7", "a8"))
        await at.until(lambda: at.found["result"], "the mate")
        assert not history.end_told
        at.daemon.press_button(ButtonName.PROMOTE, "n")
        await at.until(lambda: at.ucis == ["a7a8n"], "a knight")
        assert at.found["result"] is None
        at.daemon.press_button(ButtonName.PROMOTE, "r")
        await at.until(lambda: history.end_told, "an end that stands")
        assert [event.reason for event in at.told if isinstance(event, Ended)] == ["checkmate"]

    play(script, fen=MATES_BY_QUEEN)
