"""Code that holds definitions of several files, a piece for each."""

from __future__ import annotations

import pytest

from tslp_litellm.dialects.values import Snippet
from tslp_litellm.placing.apart import apart
from tslp_litellm.placing.values import Asked, Known

from .helpers import by_model, by_user, tracked

TOTAL = "def total(items, tax=0):\n    return sum(items) + tax\n"
REPORT = "def report(items):\n    return total(items, 1)\n"
A = "import math\n\n\ndef total(items):\n    return sum(items)\n\n\nRATES = [1]\n"
B = "from a import total\n\n\ndef report(items):\n    return total(items)\n"


def pieces(text: str, asked: Asked, known: Known | None = None) -> list[str]:
    return [one.text for one in apart(Snippet(text, "python"), asked, known or tracked(a_py=A, b_py=B))]


class TestApart:
    @pytest.mark.parametrize("asked", [by_user(), by_model("Go.", "a.py", entities=("b.py::report",))])
    def test_a_fence_of_two_files_is_a_piece_for_each(self, asked: Asked) -> None:
        assert pieces(f"{TOTAL}\n\n{REPORT}", asked) == [TOTAL, REPORT]

    def test_what_is_of_a_file_that_is_not_in_play_is_a_piece_of_its_own(self) -> None:
        assert pieces(f"{TOTAL}\n\n{REPORT}", by_model("Go.", "a.py")) == [TOTAL, REPORT]
        assert pieces(f"{TOTAL}\n\n{REPORT}", by_model("Go.")) == []

    def test_what_one_file_has_is_of_that_file(self) -> None:
        both = B + "\n\ndef total(items):\n    return 1\n"
        assert pieces(f"{TOTAL}\n{REPORT}", by_user(), tracked(a_py=A, b_py=both)) == []
        assert pieces(TOTAL, by_user()) == []

    def test_a_name_of_several_files_is_of_the_one_in_play(self) -> None:
        known = tracked(a_py=A, b_py=B, c_py="def total(x):\n    return x\n")
        more = "def total(items, tax=0):\n    return tax\n\n\nRATES = [3]\n"
        known = tracked(a_py=A, b_py=B, c_py=more)
        fence = f"{TOTAL}\nRATES = [2]\n\n{REPORT}"
        assert pieces(fence, by_user(), known) == [f"{TOTAL}\nRATES = [2]\n", REPORT]
        assert pieces(fence, by_user("a.py", "a.py"), known) == [f"{TOTAL}\nRATES = [2]\n", REPORT]

    def test_imports_go_with_the_file_that_has_them(self) -> None:
        new = "import os\nimport math\n"
        found = pieces(f"{new}from a import total\n\n{TOTAL}\n\n{REPORT}", by_user())
        assert found == [f"{new}\n{TOTAL}", REPORT]

    def test_what_is_new_is_of_the_file_of_what_stands_above_it(self) -> None:
        fresh = "def fresh():\n    return 1\n"
        assert pieces(f"{TOTAL}\n{fresh}\n{REPORT}", by_user()) == [f"{TOTAL}\n{fresh}", REPORT]
        assert pieces(f"{fresh}\n{TOTAL}\n{REPORT}", by_user()) == [f"{fresh}\n{TOTAL}", REPORT]

    def test_a_file_s_pieces_are_put_together_in_their_order(self) -> None:
        rates = "RATES = [2]\n"
        assert pieces(f"{TOTAL}\n{REPORT}\n{rates}", by_user()) == [f"{TOTAL}\n{rates}", REPORT]

    @pytest.mark.parametrize(
        "text",
        [
            f"RATES = [1, 2]\n\n\n{REPORT}\n\nprint(report(RATES))\n",
            f"{TOTAL}\n{TOTAL}\n{REPORT}",
            f"{TOTAL}\n{REPORT}\n\ndef test_report():\n    assert report([]) == 1\n",
        ],
        ids=["values for an example", "two versions", "tests"],
    )
    def test_what_may_be_no_version_is_left_as_it_is(self, text: str) -> None:
        assert pieces(text, by_user()) == []
