"""What the model's window keeps of a request."""

from __future__ import annotations

import pytest

from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.hydration.window import ITEM_TOKENS, WINDOW_IF_UNKNOWN, Kept, reserve
from tslp_litellm.wire.turn import Item, ItemKind, Role


def item(message: int, words: int, role: Role = Role.USER) -> Item:
    return Item(role, ItemKind.TEXT, f"{message} " + "word " * (words - 1), message)


def words(text: str) -> int:
    return len(text.split())


def kept(
    items: list[Item], window: int | None, answer: int | None = None, tools: str = "", hydration: int = 0
) -> list[int]:
    made = Kept(items, window, answer, lambda: tools, TokenCounts(words))
    return [i.message for i in items if made.keeps(i.message, hydration)]


COST = 100 - ITEM_TOKENS
TALK = [item(0, COST, Role.SYSTEM), *(item(n, COST) for n in range(1, 6))]


@pytest.mark.parametrize(
    ("window", "more", "expected"),
    [
        (2048, {}, [0, 1, 2, 3, 4, 5]),
        (600, {"answer": 1}, [0, 2, 3, 4, 5]),
        (500, {"answer": 100}, [0, 3, 4, 5]),
        (400, {}, [0, 4, 5]),
        (400, {"answer": 4096}, [0, 4, 5]),
        (600, {"answer": 301}, [0, 2, 3, 4, 5]),
        (600, {"answer": 300}, [0, 4, 5]),
        (500, {"answer": 100, "hydration": 101}, [0, 5]),
        (500, {"answer": 100, "tools": "word " * 94}, [0, 4, 5]),
        (500, {"answer": 100, "tools": "word " * 101}, [0, 5]),
        (60, {}, [0, 5]),
    ],
)
def test_the_newest_that_fit_and_always_the_systems_and_the_last(
    window: int, more: dict[str, object], expected: list[int]
) -> None:
    assert kept(TALK, window, **more) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "size", "least", "expected"),
    [
        (None, 9_000, 6_800, 5_120),
        (400, 60_000, 6_800, 400),
        (32_000, 7_000, 6_800, 32_000),
        (32_000, 9_000, 6_800, 5_120),
        (20_480, 30_000, 6_800, 20_480),
        (20_480, 30_000, 20_800, 5_120),
    ],
)
def test_the_reserve_is_what_the_request_asks_for_unless_it_can_not_mean_it(
    answer: int | None, size: int, least: int, expected: int
) -> None:
    """opencode asks for 32,000 tokens, whatever the window is: in one of 40,960 that would leave its prompts no room."""
    assert reserve(40_960, answer, size, least) == expected


def test_nothing_is_counted_for_an_answer_larger_than_the_window() -> None:
    counted: list[str] = []
    counts = TokenCounts(lambda text: counted.append(text) or words(text))
    assert Kept(TALK, 4_096, 8_192, str, counts).keeps(3, 0)
    assert not counted


def test_messages_are_cut_whole_and_by_their_place_on_the_wire() -> None:
    parts = [item(0, COST), item(1, COST), item(1, COST), item(2, COST)]
    assert kept(parts, 300, 1) == [2]
    assert kept(list(reversed(parts)), 350, 1) == [2, 1, 1]
    assert kept([item(0, 500), item(1, 10), item(2, 10)], 300, 1) == [1, 2]


def test_an_unknown_window_counts_as_a_small_one() -> None:
    many = [item(n, COST) for n in range(60)]
    assert len(kept(many, None)) == WINDOW_IF_UNKNOWN * 7 // 8 // 100


def test_nothing_is_counted_that_does_not_decide() -> None:
    counted: list[str] = []
    counts = TokenCounts(lambda text: counted.append(text.split()[0]) or words(text))
    talk = [item(n, COST) for n in range(9)]
    assert Kept(talk, 10_000, None, str, counts).keeps(0, 0)
    assert not counted, "bytes are enough"
    short = Kept(talk, 1_500, None, str, counts)
    assert short.keeps(8, 0)
    assert short.keeps(7, 0)
    assert not counted, "the last message, and what bytes prove"
    assert Kept(talk, 400, 1, str, counts).keeps(6, 0)
    assert counted == ["8", "7", "6"], "newest first"
    assert not Kept(talk, 400, 1, str, counts).keeps(5, 0)
    assert counted == ["8", "7", "6", "5"]
    assert not Kept(talk, 400, 1, str, counts).keeps(0, 0)
    assert counted == ["8", "7", "6", "5"], "it is full"
    assert not Kept([item(0, 50_000), item(1, 9)], 1_000, None, str, counts).keeps(0, 0)
    assert counted[4:] == [], "what is far too long is not counted"


def test_what_the_next_request_asks_for_is_counted_ahead() -> None:
    counts = TokenCounts(words)
    talk, answer = [item(n, COST) for n in range(9)], item(9, 40, Role.ASSISTANT)
    Kept(talk, 400, 1, str, counts).count_ahead([answer])
    assert counts.known(answer.text) == 40
    assert [counts.known(i.text) is not None for i in talk] == [False] * 5 + [True] * 4
    Kept().count_ahead([])


def test_room_for_hydration_is_what_is_never_cut_leaves() -> None:
    def free(window: int, budget: int) -> int:
        return Kept(TALK, window, 100, str, TokenCounts(words)).free(budget)

    assert [free(2_000, 500), free(700, 500), free(340, 85), free(250, 62)] == [500, 400, 40, 0]
