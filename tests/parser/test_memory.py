"""Answers remembered by content."""

from __future__ import annotations

from tslp_litellm.parser.memory import Memory


def test_an_answer_is_made_once_a_content_and_kind() -> None:
    memory, made = Memory[int](100), []

    def make(value: int) -> tuple[int, int]:
        made.append(value)
        return value, 1

    assert [memory.get("k", b"a", lambda: make(1)), memory.get("k", b"a", lambda: make(2))] == [1, 1]
    assert memory.get("other", b"a", lambda: make(3)) == 3
    assert memory.get("k", b"b", lambda: make(4)) == 4
    assert made == [1, 3, 4]


def test_the_oldest_unused_is_forgotten_by_weight() -> None:
    memory = Memory[str](10)
    for source in (b"a", b"b"):
        memory.get("k", source, lambda source=source: (source.decode(), 4))  # type: ignore[misc]
    memory.get("k", b"a", lambda: ("anew", 4))
    memory.get("k", b"c", lambda: ("c", 4))
    assert memory.get("k", b"a", lambda: ("anew", 4)) == "a"
    assert memory.get("k", b"b", lambda: ("anew", 4)) == "anew"


def test_one_that_weighs_more_than_all_is_kept_until_the_next() -> None:
    memory = Memory[str](10)
    assert memory.get("k", b"a", lambda: ("a", 50)) == "a"
    assert memory.get("k", b"a", lambda: ("anew", 50)) == "a"


def test_what_failed_is_not_remembered() -> None:
    memory = Memory[str](10)

    def failing() -> tuple[str, int]:
        raise RuntimeError

    for make, wanted in ((failing, None), (lambda: ("a", 1), "a")):
        try:
            assert memory.get("k", b"a", make) == wanted
        except RuntimeError:
            assert wanted is None
