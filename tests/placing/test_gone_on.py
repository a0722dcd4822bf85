"""An answer that was cut short, and the one that goes on with it."""

from __future__ import annotations

import pytest

from tslp_litellm.placing.gone_on import begun, gone_on

PYTHON = '''\
LIMIT = 3


def total(rows):
    """The sum of some rows."""
    result = 0
    for row in rows:
        result += float(row)
    return result


class Cart:
    def show(self):
        print(sorted(self.rows))
'''
GO = """\
package shop

func Total(rows []int) int {
\tresult := 0
\tfor _, row := range rows {
\t\tresult += row
\t}
\treturn result
}

func Show(rows []int) { println(len(rows)) }
"""
TEXTS = {"python": PYTHON, "go": GO}
HEAD = "Sure! Here is `shop/a.py` now:\n\n```python\n"
ASKED = "continue"


def answer(language: str) -> str:
    return f"Sure, here it is:\n\n```{language}\n{TEXTS[language]}```\nDone."


def body_of(language: str) -> range:
    whole = answer(language)
    start = whole.index("\n", whole.index("```")) + 1
    return range(start, start + len(TEXTS[language]))


@pytest.mark.parametrize("language", TEXTS)
def test_wherever_it_was_cut_both_are_the_whole_answer(language: str) -> None:
    whole = answer(language)
    for at in body_of(language):
        assert gone_on(whole[:at], whole[at:], ASKED) == whole, whole[:at]


@pytest.mark.parametrize("language", TEXTS)
def test_in_a_fence_of_its_own_with_its_last_lines_once_more(language: str) -> None:
    whole, body = answer(language), TEXTS[language]
    for at in body_of(language):
        cut = at - body_of(language)[0]
        for lines in (1, 3):
            again = body[:cut].rsplit("\n", lines)
            if len(again) <= lines:
                continue
            behind = body[len(again[0]) + 1 :]
            if not behind.strip() or not body[len(again[0]) + 1 : cut].strip():
                continue
            rest = f"Here is the rest:\n\n```{language}\n{behind}```\nDone."
            assert gone_on(whole[:at], rest, ASKED) == whole, (whole[:at], lines)


def test_three_parts_are_one_answer() -> None:
    whole = answer("python")
    one, two = whole.index("result = 0") + 4, whole.index("class")
    assert begun([whole[:one], whole[one:two]]) == whole[:two]
    assert gone_on(whole[:two], whole[two:], ASKED) == whole


def test_a_fence_before_that_was_only_left_open_is_no_part_of_it() -> None:
    whole = answer("go")
    assert begun([HEAD + PYTHON, whole[:90]]) == whole[:90]
    assert begun([HEAD + PYTHON, whole, "ok"]) == ""


def test_what_was_not_cut_within_a_fence_is_gone_on_with_by_nobody() -> None:
    assert begun([]) == begun(["ok"]) == begun([answer("python")]) == begun([HEAD + PYTHON, "```\nDone."]) == ""
    assert gone_on("Sure, I", answer("python"), ASKED) is None
    assert gone_on(answer("python"), answer("python"), ASKED) is None


@pytest.mark.parametrize(
    "rest",
    [
        "What would you like me to go on with?",
        "```python\ndef other():\n    pass\n```\n",
        "```python\ndef total(rows):\n    return sum(rows)\n```\n",
        "shop/b.py\n```python\n    for row in rows:\n        result -= row\n    return result\n```\n",
        "(row)\n    return result)\n```\n",
        "",
    ],
)
def test_what_does_not_go_on_is_an_answer_by_itself(rest: str) -> None:
    cut = f"shop/a.py\n```python\n{PYTHON[: PYTHON.index('for row')]}for r"
    assert gone_on(cut, rest, ASKED) is None


def test_what_is_asked_for_by_name_is_an_answer_by_itself() -> None:
    cut, rest = f"{HEAD}{PYTHON[: PYTHON.index('class')]}", "def other():\n    pass\n```\n"
    assert gone_on(cut, rest, "Go on.") is not None
    assert gone_on(cut, rest, "Now write `other`.") is None


@pytest.mark.parametrize("language", TEXTS)
def test_what_may_be_whole_is_gone_on_with_by_no_fence_of_its_own(language: str) -> None:
    """Models forget the mark that ends a fence, too."""
    cut = f"Sure:\n\n```{language}\n{TEXTS[language]}"
    more = {"python": "def other():\n    pass", "go": "var N = Total(nil)"}[language]
    rest = f"You use it so:\n\n```{language}\n{more}\n```\n"
    assert gone_on(cut, rest, "How do I use it?") is None
    assert gone_on(cut.rstrip(), rest, "How do I use it?") is None
    assert gone_on(cut, rest, "Go on.", sure=True) is not None
    assert gone_on(cut, "ok", "Thanks.") is gone_on(cut, "Gladly.", "Thanks.", sure=True) is None


def test_python_that_lost_its_first_spaces_is_not_put_elsewhere() -> None:
    at = PYTHON.index("    return result")
    assert gone_on(HEAD + PYTHON[:at], PYTHON[at:].lstrip() + "```\n", ASKED) is None
    at = PYTHON.index("class")
    assert gone_on(HEAD + PYTHON[:at], PYTHON[at:] + "```\n", ASKED) == f"{HEAD}{PYTHON}```\n"
