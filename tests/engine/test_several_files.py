"""Several files in one fence, as small models write them: each below a comment that is only its path, or without."""

from __future__ import annotations

import pytest

from .helpers import Session

PYTHON = ("python", "#", {"shop/a.py": "def aa():\n    return 1\n", "shop/b.py": "def bb():\n    return 1\n"})
JS = (
    "js",
    "//",
    {"src/a.js": "export function aa() {\n  return 1;\n}\n", "src/b.js": "export function bb() {\n  return 1;\n}\n"},
)
JAVA = (
    "java",
    "//",
    {"Aa.java": "class Aa {\n  int aa() { return 1; }\n}\n", "Bb.java": "class Bb {\n  int bb() { return 1; }\n}\n"},
)


def together(language: str, mark: str, texts: dict[str, str]) -> str:
    return f"```{language}\n" + "\n".join(f"{mark} {path}\n{text}" for path, text in texts.items()) + "```\n"


@pytest.mark.parametrize(("language", "mark", "texts"), [PYTHON, JS, JAVA])
def test_an_answer_changes_both(session: Session, language: str, mark: str, texts: dict[str, str]) -> None:
    session.ask("\n\n".join(f"{path}\n```{language}\n{text}```" for path, text in texts.items()))
    new = {path: text.replace("return 1", "return 3") for path, text in texts.items()}
    session.ask("both should return 3", together(language, mark, new))
    for path, text in new.items():
        assert session.holds(path, text)


@pytest.mark.parametrize(("language", "mark", "texts"), [PYTHON, JS, JAVA])
def test_a_paste_shows_both(session: Session, language: str, mark: str, texts: dict[str, str]) -> None:
    session.ask(f"My files:\n{together(language, mark, texts)}")
    for path, text in texts.items():
        assert session.holds(path, text)


@pytest.mark.parametrize(("language", "mark", "texts"), [PYTHON, JS])
def test_a_new_project_begins_with_both(session: Session, language: str, mark: str, texts: dict[str, str]) -> None:
    session.ask("Write a small shop.", together(language, mark, texts))
    for path, text in texts.items():
        assert session.holds(path, text)


def test_a_comment_of_the_file_is_its_own(session: Session) -> None:
    text = "import os\n\n# shop/b.py\nfrom shop.b import bb\n\n\ndef aa():\n    return bb()\n"
    session.ask(f"shop/a.py\n```python\n{text}```")
    session.ask("aa should return 3", f"```python\n# shop/a.py\n{text.replace('bb()', '3')}```")
    assert session.holds("shop/a.py", text.replace("bb()", "3"))
    assert "shop/b.py" not in session.state()


@pytest.mark.parametrize(("language", "mark", "texts"), [PYTHON, JS, JAVA])
def test_without_a_path_each_definition_is_of_the_file_that_has_it(
    session: Session, language: str, mark: str, texts: dict[str, str]
) -> None:
    session.ask("\n\n".join(f"{path}\n```{language}\n{text}```" for path, text in texts.items()))
    new = {path: text.replace("return 1", "return 3") for path, text in texts.items()}
    session.ask("both should return 3", f"```{language}\n" + "\n".join(new.values()) + "```\n")
    for path, text in new.items():
        assert session.holds(path, text)


def test_without_a_path_what_is_new_is_of_the_file_of_what_stands_above_it(session: Session) -> None:
    a, b = (
        "import os\n\n\ndef total(x):\n    return sum(x)\n",
        "from a import total\n\n\ndef report(x):\n    return total(x)\n",
    )
    session.ask(f"a.py\n```python\n{a}```\n\nb.py\n```python\n{b}```")
    new = "def total(x):\n    return with_tax(sum(x))\n\n\ndef with_tax(x):\n    return x * 2\n\n\ndef report(x):\n    return str(total(x))\n"
    session.ask(
        "`total` should add the tax, in a function of its own, and `report` give a text.", f"```python\n{new}```"
    )
    state = session.state()
    assert session.holds("b.py", b.replace("return total(x)", "return str(total(x))"))
    assert state["a.py::with_tax"] != "DIRTY"
    assert state["a.py"] == "DIRTY", "where the new function stands is not known"


def test_a_whole_file_with_a_copy_of_another_one_s_function_behind_it_is_that_file(session: Session) -> None:
    """What a real 1.5B model did with the paste above its task."""
    a, b = (
        "import os\n\n\ndef aa():\n    return 1\n",
        "import os\n\n\ndef bb():\n    return 1\n\n\ndef cc():\n    return 2\n",
    )
    session.ask(f"a.py\n```python\n{a}```\n\nb.py\n```python\n{b}```")
    more = a + "\n\ndef fresh():\n    return 3\n"
    session.ask("Add to a.py a function `fresh`.", f"```python\n{more}\n\ndef bb():\n    return 1\n```")
    assert session.holds("a.py", more)
    assert session.holds("b.py", b)


def test_what_is_of_a_file_that_is_not_in_play_does_not_keep_what_was_asked_for(session: Session) -> None:
    a, b = "def aa(x):\n    return 1\n", "import os\n\n\ndef bb():\n    return aa(1)\n"
    session.ask(f"a.py\n```python\n{a}```").ask(f"b.py\n```python\n{b}```").ask("Thanks.").ask(
        "What is a list?", "One."
    )
    new = a.replace("(x)", "(x, y)")
    session.ask("Give `aa` a second parameter `y`.", f"```python\n{new}\n\ndef bb():\n    return aa(1, 2)\n```")
    assert session.holds("a.py", new)
    assert session.holds("b.py", b)


def test_of_the_user_s_own_what_may_be_of_two_files_is_unknown_and_the_rest_is_his(session: Session) -> None:
    a, b, c = "def aa():\n    return 1\n", "def bb():\n    return 1\n", "def bb():\n    return 2\n"
    session.ask(
        "\n\n".join(f"{path}\n```python\n{text}```" for path, text in {"a.py": a, "b.py": b, "c.py": c}.items())
    )
    session.ask("Thanks.").ask("What is a list?", "One.")
    session.ask("I have:\n\n```python\ndef aa():\n    return 5\n\n\ndef bb():\n    return 5\n```")
    state = session.state()
    assert session.holds("a.py", "def aa():\n    return 5\n")
    assert (state["b.py::bb"], state["c.py::bb"]) == ("DIRTY", "DIRTY")


BODY = "".join(f"    total = total * {n} + {n}\n" for n in range(2, 10))
REPORT = f"import math\n\n\ndef report(total):\n{BODY}    return math.floor(total)\n\n\ndef other():\n    return 1\n"
STEPS = f"def steps(total):\n{BODY}    return total\n"
SHORT = "def report(total):\n    return math.floor(steps(total))\n"


class TestMoved:
    """What an answer puts elsewhere is not lost where it stood: a real 1.5B model wrote a hook, and used it in App."""

    def test_into_a_new_file(self, session: Session) -> None:
        session.ask(f"report.py\n```python\n{REPORT}```\n")
        after = f"import math\nfrom steps import steps\n\n\n{SHORT}\n\ndef other():\n    return 1\n"
        answer = f"steps.py\n```python\n{STEPS}```\n\nreport.py\n```python\n{after}```\n"
        session.ask("Write a function steps in steps.py and use it in report.", answer)
        assert session.holds("report.py", after) and session.holds("steps.py", STEPS)

    def test_into_a_helper_beside_it_shown_alone(self, session: Session) -> None:
        session.ask(f"report.py\n```python\n{REPORT}```\n")
        session.ask("Factor the steps of `report` out.", f"```python\n{STEPS}\n\n{SHORT}```\n")
        state = session.state()
        assert "DIRTY" not in (state["report.py::steps"], state["report.py::report"])
        assert "steps(total)" in session.forget().ask("Explain `report`.").prompt

    def test_what_stood_there_before_is_no_new_place(self, session: Session) -> None:
        session.ask(f"report.py\n```python\n{REPORT}```\n\nsteps.py\n```python\n{STEPS}```\n")
        answer = f"steps.py\n```python\n{STEPS}```\n\n```python\n{SHORT}```\n"
        session.ask("Shorten `report`.", answer)
        assert session.holds("report.py", REPORT)

    def test_a_function_that_is_imported_from_there_now(self, session: Session) -> None:
        session.ask(f"report.py\n```python\n{REPORT}```\n")
        rest = "import math\nfrom worker import report\n\n\ndef other():\n    return report(1)\n"
        moved = REPORT[: REPORT.index("\n\ndef other")]
        answer = f"worker.py\n```python\n{moved}```\n\nreport.py\n```python\n{rest}```\n"
        state = session.ask("Split report.py in two.", answer).state()
        assert state["report.py::report"] == state["report.py"] == "DIRTY"
        assert state["worker.py::report"] != "DIRTY"

    def test_what_tests_repeat_is_a_copy(self, session: Session) -> None:
        session.ask(f"report.py\n```python\n{REPORT}```\n")
        after = REPORT.replace(BODY, "    total = read(total)\n")
        answer = f"test_report.py\n```python\n{REPORT}```\n\nreport.py\n```python\n{after}```\n"
        session.ask("Write a test for `report` in test_report.py.", answer)
        assert session.holds("report.py", REPORT)

    def test_half_of_what_it_lost_is_not_enough(self, session: Session) -> None:
        session.ask(f"report.py\n```python\n{REPORT}```\n")
        half = STEPS.replace(BODY, "".join(BODY.splitlines(keepends=True)[:4]))
        session.ask("Factor the steps of `report` out.", f"```python\n{half}\n\n{SHORT}```\n")
        assert "total * 9" in session.forget().ask("Explain `report`.").prompt
