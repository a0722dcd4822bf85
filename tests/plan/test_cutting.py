"""Texts with lines of ours in the place of what is left out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tslp_litellm.plan.cutting import cleared, is_ours, of_entity, of_result, with_cuts
from tslp_litellm.plan.values import ALL, Cut, LeftOut
from tslp_litellm.state.markers import LEFT_OUT

LINE = of_entity("a.py", 3)


def test_the_lines_say_what_stood_there_and_stay_true() -> None:
    assert f"{LEFT_OUT} a.py: 3 lines, as they then were" == LINE
    assert (
        of_result("Read", 1, 0, ["a.py", "b.py"])
        == f"{LEFT_OUT} what Read answered: 1 line (a.py, b.py, as they then were)"
    )
    assert of_result("x\ny" * 40, 2, 0, []) == f"{LEFT_OUT} what a tool answered: 2 lines"
    assert of_result("screenshot", 0, 1, []) == f"{LEFT_OUT} what screenshot answered: 1 image"
    assert of_result("browse", 2, 3, []) == f"{LEFT_OUT} what browse answered: 2 lines and 3 images"


@pytest.mark.parametrize(
    ("text", "cuts", "expected"),
    [
        ("1\n2\n3\n4\n", [(1, 3)], "1\nLINE\n4\n"),
        ("1\r\n2\r\n3\r\n", [(0, 2)], "LINE\r\n3\r\n"),
        ("1\n2\n3\n4", [(3, 4), (0, 1)], "LINE\n2\n3\nLINE"),
        ("1\n2\n3", [(0, 2), (1, 3)], "LINE\n3"),
        ("1\n2", [(0, 9)], "1\n2"),
        ("1\n2", [(0, ALL)], "LINE"),
    ],
)
def test_cuts(text: str, cuts: list[tuple[int, int]], expected: str) -> None:
    assert with_cuts(text, [Cut(start, end, LINE) for start, end in cuts]) == expected.replace("LINE", LINE)


json_like = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=400)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)


@given(st.one_of(st.text(max_size=300), st.lists(json_like, min_size=1).map(json.dumps)))
def test_what_is_cleared_is_cleared_for_good(text: str) -> None:
    once = cleared(text, LINE)
    assert cleared(once, of_entity("other.py", 99)) == once or not text.strip()


def test_a_result_that_is_json_keeps_its_form_and_how_it_went() -> None:
    said = json.dumps([{"query": "/a.py", "result": "x = 1\n" * 99, "success": True}])
    assert json.loads(cleared(said, LINE)) == [{"query": "/a.py", "result": LINE, "success": True}]
    assert is_ours(cleared("{not json " * 40, LINE))
    assert is_ours(cleared("[" * 100_000, LINE)), "nested deeper than anybody reads"


def test_what_was_left_out_is_written_down_and_read_again() -> None:
    left = LeftOut({"k.1": (Cut(0, 3, LINE), Cut(5, ALL, LINE))}, frozenset({"t1", "r2"}))
    assert LeftOut.of(left.body()) == left
    assert (LeftOut().body(), LeftOut.of("")) == ("", LeftOut())
