"""The life of games as stories: `tests/data/stories.jsonl`, each at several scan rates and with noise."""

from __future__ import annotations

import pytest

from tests.board_driver.recorder.hands import Recorded, record
from tests.board_driver.recorder.stories import Story, read_stories, told

STORIES = read_stories()
WAYS = [
    pytest.param(story, hz, noisy, id=f"{story.id}-{hz}{'-noisy' if noisy else ''}")
    for story in STORIES
    for hz in story.rates
    for noisy in ((False, True) if story.noisy and hz > 10 else (False,))
]


def check(story: Story, recorded: Recorded) -> None:
    """What was written down is what the story says."""
    played = [(list(game["uci"]), game["result"]) for game in recorded.summary_games() if game["uci"]]
    assert [" ".join(uci) for uci, _ in played] == list(story.games)
    assert recorded.told() == recorded.uci
    if story.results is not None:
        assert [result for _, result in played] == list(story.results)
    if story.result is not None:
        assert recorded.result == story.result
    if story.uncertain is not None:
        assert recorded.recorder.summary()["uncertain"] == list(story.uncertain)
    assert [kind for kind in story.says if not recorded.noticed(kind)] == []
    assert [kind for kind in story.silent if recorded.noticed(kind)] == []


@pytest.mark.parametrize(("story", "hz", "noisy"), WAYS)
def test_story(story: Story, hz: int, noisy: bool) -> None:
    check(story, record(told(story, hz, noisy=noisy), story.settings()))


def test_no_story_is_told_twice() -> None:
    assert len({story.id for story in STORIES}) == len(STORIES)
    assert len({(story.hands, story.start_fen, story.lies, story.sensing) for story in STORIES}) == len(STORIES)
