"""The emulated server keeps what ollama keeps, and drops what it drops."""

from __future__ import annotations

import pytest

from benchmarks.sight.prompts import Message, Prompt
from benchmarks.sight.server import TEMPLATE, read, size, tail


def words(text: str) -> int:
    return len(text.split())


def prompt(*sizes: int, fixed: int = 6) -> Prompt:
    said = [Message("user", (" ".join(f"m{n}w{k}" for k in range(s)),)) for n, s in enumerate(sizes)]
    return Prompt(("s " * fixed,), tuple(said))


def test_what_fits_is_read_whole() -> None:
    asked = prompt(10, 10)
    whole = 6 + 20 + 3 * TEMPLATE
    found = read(asked, whole, words)
    assert (found.prompt, found.size, found.whole) == (asked, whole, True)
    assert not read(asked, whole - 1, words).whole


def test_the_oldest_whole_messages_go_first_and_the_newest_stay() -> None:
    asked = prompt(10, 30, 10)
    found = read(asked, 6 + TEMPLATE + 2 * (10 + TEMPLATE), words)
    assert found.prompt.messages == asked.messages[2:], "a smaller, older one behind the gap is not kept"
    assert found.dropped == 2 and not found.beheaded
    assert found.prompt.fixed == asked.fixed


def test_a_last_message_that_does_not_fit_loses_its_beginning() -> None:
    asked = prompt(5, 100)
    found = read(asked, 50, words)
    (last,) = found.prompt.messages
    assert found.beheaded and found.dropped == 1
    assert asked.messages[1].text.endswith(last.text)
    assert size(last, words) + 6 + TEMPLATE == 50


def test_where_the_system_prompt_fills_the_window_nothing_else_is_left() -> None:
    (last,) = read(prompt(5, 5, fixed=60), 50, words).prompt.messages
    assert last.text.strip() == ""


@pytest.mark.parametrize(("room", "left"), [(0, ("",)), (2, ("b c",)), (3, ("a", "b c")), (9, ("x a", "b c"))])
def test_the_end_of_several_texts(room: int, left: tuple[str, ...]) -> None:
    found = tail(("x a", "b c"), room, words)
    assert tuple(text.strip() for text in found if text.strip()) == tuple(text for text in left if text)
