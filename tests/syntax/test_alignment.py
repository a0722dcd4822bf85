"""Two sequences aligned."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tslp_litellm.syntax.alignment import Hunk, alike, hunks


def test_what_differs() -> None:
    assert hunks("abc", "abc") == []
    assert hunks("abcd", "axcd") == [Hunk(1, 2, 1, 2)]
    assert hunks("abcd", "abd") == [Hunk(2, 3, 2, 2)]
    assert hunks("", "ab") == [Hunk(0, 0, 0, 2)]
    assert hunks("abcxyz", "xyzabc") in ([Hunk(0, 3, 0, 0), Hunk(6, 6, 3, 6)], [Hunk(0, 0, 0, 3), Hunk(3, 6, 6, 6)])


@given(st.text("abcdefghij", max_size=60), st.text("abcdefghij", max_size=60))
def test_the_rest_is_equal(old: str, new: str) -> None:
    at = to = 0
    for hunk in hunks(old, new):
        assert old[at : hunk.old] == new[to : hunk.new]
        at, to = hunk.old_end, hunk.new_end
    assert old[at:] == new[to:]


def test_lines_that_only_changed() -> None:
    old = ["int y = f(x);", "log(y);", "return y * 2;"]
    assert alike(old, ["int y = h(x);"]) == [(0, 0)]
    assert alike(old, ["int y = h(x);", "return y * 3;"]) == [(0, 0), (2, 1)]
    assert alike(old, ["throw 1;"]) == []
    assert alike(["x"] * 50, ["x"]) == []
    assert alike([], ["x"]) == []


@given(st.lists(st.text("ab (", max_size=6), max_size=8), st.lists(st.text("ab (", max_size=6), max_size=8))
def test_pairs_rise(old: list[str], new: list[str]) -> None:
    pairs = alike(old, new)
    assert all(a < c and b < d for (a, b), (c, d) in itertools.pairwise(pairs))
