"""What a server says of a prompt's length, beside what was sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tslp_litellm.engine import Episode, Request
from tslp_litellm.gateway.cut_prompts import Cut, CutPrompts
from tslp_litellm.state.values import Conversation
from tslp_litellm.wire.turn import Item, ItemKind, Role, Turn


def episode(text: str, model: str = "m", sent: int | None = None) -> Episode:
    turn = Turn((Item(Role.USER, ItemKind.TEXT, text, 0),))
    made = Episode("e", "", Request("local", "w", "acompletion", model, turn), False, Conversation("c"))
    made.sent = sent
    return made


def at_once(work: Callable[[], None]) -> None:
    work()


@pytest.mark.parametrize(
    ("text", "sent", "read", "is_cut"),
    [
        ("word " * 8_000, None, 4_096, True),
        ("word " * 8_000, None, 9_900, False),
        ("word " * 8_000, None, 6_500, False),
        ("word " * 8_000, None, None, False),
        ("word " * 8_000, None, 0, False),
        ("word " * 100, None, 3, False),
        ("short", 9_000, 4_096, True),
        ("short", 9_000, 7_000, False),
    ],
)
def test_only_a_count_far_below_ours_is_told(text: str, sent: int | None, read: int | None, is_cut: bool) -> None:
    found = CutPrompts(lambda said: len(said) // 4, at_once)
    found.heard(episode(text, sent=sent), read)
    expected = sent if sent is not None else len(text) // 4
    assert found.report() == ([Cut("m", expected, read or 0)] if is_cut else [])


def test_a_prompt_that_is_read_whole_heals_it_and_nothing_is_counted_for_it() -> None:
    counted: list[str] = []
    found = CutPrompts(lambda said: counted.append(said) or len(said) // 4, at_once)  # type: ignore[func-returns-value]
    found.heard(episode("word " * 8_000), 4_096)
    found.heard(episode("word " * 8_000, "other"), 4_096)
    found.heard(episode("word " * 2_000), 2_500 + 1_000)
    assert [cut.model for cut in found.report()] == ["other"]
    assert len(counted) == 2
