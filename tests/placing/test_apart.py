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

    def test_the_model_s_code_counts_only_for_files_that_are_all_in_play(self) -> None:
        assert pieces(f"{TOTAL}\n{REPORT}", by_model("Go.", "a.py")) == []

    def test_what_one_file_has_is_of_that_file(self) -> None:
        both = B + "\n\ndef total(items):\n    return 1\n"
        assert pieces(f"{TOTAL}\n{REPORT}", by_user(), tracked(a_py=A, b_py=both)) == []
        assert pieces(TOTAL, by_user()) == []

    def test_a_name_of_several_files_is_of_the_one_in_play(self) -> None:
        known = tracked(a_py=A, b_py=B, c_py="def total(x):\n    return x\n")
        assert pieces(f"{TOTAL}\n{REPORT}", by_user(), known) == []
        assert pieces(f"{TOTAL}\n{REPORT}", by_user("a.py", "a.py"), known) == [TOTAL, REPORT]

    def test_imports_that_a_file_has_stay_there_and_new_ones_may_be_of_each(self) -> None:
        new = "import os\n"
        found = pieces(f"import math\nfrom a import total\n{new}\n{TOTAL}\n{REPORT}", by_user())
        assert found == [new + TOTAL, new + REPORT]

    def test_new_definitions_are_a_piece_by_themselves(self) -> None:
        fresh = "def fresh():\n    return 1\n"
        assert pieces(f"{TOTAL}\n{fresh}\n{REPORT}", by_user()) == [TOTAL, REPORT, fresh]

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
