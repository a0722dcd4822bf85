"""Whole artifacts within a budget."""

from tslp_litellm.hydration.blocks import Block
from tslp_litellm.hydration.budget import fitting, lines_fitting, tokens_max
from tslp_litellm.state.values import Source


def block(entity: str, size: int) -> Block:
    return Block(entity, "0" * 64, Source.AST, "x" * size)


def words(text: str) -> int:
    return text.count("x")


def test_the_budget_follows_the_window() -> None:
    assert tokens_max(None, None) == 1024
    assert tokens_max(None, 4096) == 1024
    assert tokens_max(None, 200_000) == 8192
    assert tokens_max(77, 4096) == 77
    assert tokens_max(0, 4096) == 0
    assert tokens_max(None, 8192, room=700) == 700
    assert tokens_max(None, 8192, room=-20) == 0
    assert tokens_max(None, None, room=5_000) == 1024
    assert tokens_max(77, 4096, room=10) == 10


def fit(blocks: list[Block], budget: int) -> tuple[list[str], list[str], int]:
    fitted = fitting(blocks, budget, words)
    return [b.entity for b in fitted.blocks], [b.entity for b in fitted.left_out], fitted.rest


def test_symbols_come_before_files_and_order_is_kept() -> None:
    blocks = [block("a.py", 600), block("d.py::f", 300), block("b.py::g", 200), block("c.py::h", 300)]
    assert fit(blocks, 810) == (["d.py::f", "b.py::g", "c.py::h"], ["a.py"], 10)


def test_what_does_not_fit_is_skipped_what_comes_after_may_fit() -> None:
    assert fit([block("a.py::f", 900), block("a.py::g", 100)], 500) == (["a.py::g"], ["a.py::f"], 400)


def test_what_stands_in_another_block_needs_none_of_its_own() -> None:
    members = [block("a.py::Cart.add", 100), block("a.py::Cart", 400), block("a.py::Cartoon", 50)]
    assert fit(members, 1000) == (["a.py::Cart", "a.py::Cartoon"], [], 550)
    assert fit(members, 300) == (["a.py::Cart.add", "a.py::Cartoon"], ["a.py::Cart"], 150)


def test_of_lines_the_lowest_ranks_are_taken_first_and_order_is_kept() -> None:
    lines = [(1, "xxx"), (0, "xx"), (0, "x" * 5), (2, "x")]
    assert lines_fitting(lines, 7, words) == (["xx", "x" * 5], 0)
    assert lines_fitting(lines, 5, words) == (["xxx", "xx"], 0)
    assert lines_fitting(lines, 0, words) == ([], 0)


def test_a_line_that_is_far_too_long_is_not_counted() -> None:
    def short(text: str) -> int:
        assert len(text) < 1000
        return 1

    assert lines_fitting([(0, "x" * 100_000), (0, "y")], 10, short) == (["y"], 9)
