"""What a real model said in the benchmark's job, told once more: is the State Map the user's disk behind it?"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.turns import playing

RECORDED: dict[str, Any] = {
    file.stem: json.loads(file.read_text("utf-8"))
    for file in sorted((Path(__file__).parents[1] / "recorded" / "turns").glob("*.json"))
}
"""Of each model and window, and each arm, the texts that it said, in their order, and why they ended. All arms were asked
the same, and saw other code beside it; the user puts right what was wrong."""


class Told(playing.Tslp):
    """Says what is recorded, whatever is asked."""

    def __init__(self, window: int, answers: Iterator[tuple[str, str]]) -> None:
        super().__init__(window)
        self._answers = answers

    def speaker(self, speak: playing.Speaker, data: dict[str, Any]) -> playing.Speaker:
        return lambda _: next(self._answers, ("ok", "stop"))


EACH = [
    pytest.param(model, arm, marks=() if arm == "tslp" else pytest.mark.slow)
    for model, recorded in RECORDED.items()
    for arm in recorded["answers"]
]
"""What each model said with TSLP in front of it; what it said in the other arms is played by hand."""


@pytest.mark.parametrize(("model", "arm"), EACH)
def test_what_a_real_model_said_leaves_the_users_disk(model: str, arm: str) -> None:
    recorded = RECORDED[model]["answers"][arm]
    plan = playing.Plan(**RECORDED[model]["plan"], turns=recorded["turns"], rates={}, real=True)
    answers = ((text, finish) for text, finish in recorded["said"])
    out = asyncio.run(playing.play(plan, Told(plan.window, answers)))
    assert next(answers, None) is None, "all of it was said"
    assert [(n, turn.shown_stale) for n, turn in enumerate(out.turns, 1) if turn.shown_stale] == []
    assert (out.state["wrong"], out.state["missing"]) == (0, 0)
