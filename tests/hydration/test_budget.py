"""Whole artifacts within a budget."""

from tslp_litellm.hydration.blocks import Block
from tslp_litellm.hydration.budget import fitting, lines_fitting, tokens_max
from tslp_litellm.state.values import Source


def block(entity: str, size: int) -> Block:
    return Block(entity, "0" * 64, Source.AST, "x" * size)


def words(text: str) -> int:
    return text.count("x")


def test_what_stands_for_a_file_comes_with_the_files() -> None:
    blocks = [block("a.py::f", 400), block("b.py::g", 400)]
    assert fitting(blocks, 500, words, lambda entity: entity == "a.py::f") == (blocks[1:], blocks[:1])


def test_the_budget_follows_the_window() -> None:
    assert tokens_max(None, None) == 1024
    assert tokens_max(None, 4096) == 1024
    assert tokens_max(None, 200_000) == 8192
    assert tokens_max(77, 4096) == 77
    assert tokens_max(0, 4096) == 0


def test_symbols_come_before_files_and_order_is_kept() -> None:
    blocks = [block("a.py", 600), block("a.py::f", 300), block("b.py::g", 200), block("c.py::h", 300)]
    fit, left = fitting(blocks, 810, words)
    assert [b.entity for b in fit] == ["a.py::f", "b.py::g", "c.py::h"]
    assert [b.entity for b in left] == ["a.py"]


def test_what_does_not_fit_is_skipped_what_comes_after_may_fit() -> None:
    fit, left = fitting([block("a.py::f", 900), block("a.py::g", 100)], 500, words)
    assert ([b.entity for b in fit], [b.entity for b in left]) == (["a.py::g"], ["a.py::f"])


def test_small_blocks_need_no_counting() -> None:
    def never(_: str) -> int:
        raise AssertionError

    assert fitting([block("a.py::f", 10)], 1024, never)[1] == []
    assert fitting([], 0, never) == ([], [])


def test_no_more_than_the_request_leaves_free_where_the_window_is_known() -> None:
    assert tokens_max(None, 4096, lambda budget: budget - 1) == 1023
    assert tokens_max(None, None, lambda _: 0) == 1024
    assert tokens_max(77, 4096, lambda _: 0) == 77


def test_of_a_list_as_many_lines_as_fit_by_their_rank() -> None:
    lines = [(0, "C"), (1, "C.a"), (0, "f"), (1_000, "X")]
    assert lines_fitting(lines, 100, len) == (["C", "C.a", "f", "X"], 100 - len("- C\n- C.a\n- f\n- X\n"))
    assert lines_fitting(lines, 9, len) == (["C", "f"], 1)
    assert lines_fitting(lines, 0, len) == ([], 0)
