"""Code below a path that is neither tracked nor named by the prompt (SEMANTICS 2, Which file)."""

from __future__ import annotations

import pytest

from .helpers import Session, sha

HEAD = "from functools import lru_cache\n\nLIMIT = 50\n\n\n"
FIB = "@lru_cache(maxsize=None)\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
TEN = "\n\ndef ten():\n    return fib(10)\n"
MATHX = HEAD + FIB + TEN
LOOP = "@lru_cache(maxsize=None)\ndef fib(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a\n"
JS = "export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n"


def fence(path: str, text: str, language: str = "python") -> str:
    return f"{path}\n```{language}\n{text}```\n"


@pytest.fixture
def shown(session: Session) -> Session:
    return session.ask(fence("mathx.py", MATHX))


@pytest.mark.parametrize("label", ["main.py", "updated_mathx.py", "src/mathx.py"])
@pytest.mark.parametrize(
    "asked", ["Make `fib` in mathx.py iterative.", "Implement fib in mathx.py with a loop.", "Make fib iterative."]
)
def test_what_changed_below_it_is_in_doubt_where_it_stands(shown: Session, label: str, asked: str) -> None:
    state = shown.ask(asked, fence(label, LOOP)).state()
    assert (state["mathx.py"], state["mathx.py::fib"]) == ("DIRTY", "DIRTY")
    assert state["mathx.py::ten"] == sha(TEN.strip())
    assert state[label] == sha(LOOP), "the label says what it says"
    shown.forget().ask("Explain fib() in mathx.py.")
    assert "fib(n - 1)" not in shown.prompt


def test_of_the_whole_file_only_what_changed(shown: Session) -> None:
    state = shown.ask("Set LIMIT in mathx.py to 10.", fence("main.py", MATHX.replace("50", "10"))).state()
    assert (state["mathx.py"], state["mathx.py::LIMIT"]) == ("DIRTY", "DIRTY")
    assert state["mathx.py::fib"] == sha(FIB.strip())


def test_of_a_constant_alone(shown: Session) -> None:
    state = shown.ask("Set LIMIT in mathx.py to 10.", fence("main.py", "LIMIT = 10\n")).state()
    assert (state["mathx.py"], state["mathx.py::LIMIT"]) == ("DIRTY", "DIRTY")


def test_it_is_so_in_other_languages(session: Session) -> None:
    session.ask(fence("src/a.js", JS, "js"))
    state = session.ask("Let two() return 3.", fence("index.js", JS.replace("2;", "3;"), "js")).state()
    assert state["src/a.js"] == state["src/a.js::two"] == "DIRTY" != state["src/a.js::one"]


@pytest.mark.parametrize(
    "asked",
    [
        "How would fib look with a loop?",
        "Write a version of fib with a loop.",
        "Put fib with a loop into a separate file, mathx.py stays.",
        "Copy mathx.py to main.py and make `fib` iterative there.",
        "Put an iterative fib into main.py.",
    ],
)
def test_it_is_not_where_the_prompt_merely_asks_or_wants_something_new(shown: Session, asked: str) -> None:
    shown.ask(asked, fence("main.py", LOOP))
    assert shown.holds("mathx.py", MATHX)


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("main.py", FIB),  # as it is
        ("main.py", LOOP + "\n\ndef run():\n    print(fib(9))\n"),  # and more
        ("test_fib.py", LOOP),
        ("main.js", "export function fib(n) {\n  return n;\n}\n"),
    ],
)
def test_nor_by_other_code(shown: Session, label: str, text: str) -> None:
    shown.ask("Make `fib` in mathx.py iterative.", fence(label, text))
    assert shown.holds("mathx.py", MATHX)


def test_nor_where_the_answer_shows_the_file_too(shown: Session) -> None:
    new = MATHX.replace(FIB, LOOP)
    answer = f"{fence('mathx.py', new)}\nTry it:\n\n{fence('demo.py', FIB.replace('n < 2', 'n < 3'))}"
    shown.ask("Make `fib` in mathx.py iterative.", answer)
    assert shown.holds("mathx.py", new)


@pytest.mark.parametrize(
    "turns",
    [
        [("I renamed mathx.py to shop.py. Set LIMIT to 10 there.", True)],
        [("Rename mathx.py to shop.py.", False), ("Done. Now set LIMIT in shop.py to 10.", True)],
    ],
)
def test_a_part_below_the_new_name_of_a_file_is_a_part(shown: Session, turns: list[tuple[str, bool]]) -> None:
    for asked, answered in turns:
        shown.ask(asked, fence("shop.py", "LIMIT = 10\n") if answered else "```bash\nmv mathx.py shop.py\n```\n")
    assert shown.state()["shop.py"] == "DIRTY"
    shown.forget().ask("Review shop.py.")
    assert shown.hydrated == ["shop.py::LIMIT"]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("I renamed mathx.py to shop.py. Set LIMIT to 10 there.", MATHX.replace("50", "10")),
        ("I renamed fib in mathx.py. Move LIMIT to shop.py.", "LIMIT = 50\n"),
        ("Move the constants from mathx.py to shop.py.", "LIMIT = 50\n"),
    ],
)
def test_the_whole_file_or_what_moves_there_is_none(shown: Session, asked: str, text: str) -> None:
    shown.ask(asked, fence("shop.py", text))
    assert shown.holds("shop.py", text)


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("There is a bug in my utils.py: slugify fails for None. Fix it.", True),
        ("Write my utils.py with a function slugify.", False),
        ("Let utils.py have slugify.", False),
    ],
)
def test_what_is_shown_of_a_file_that_the_user_calls_his_is_a_part(session: Session, asked: str, there: bool) -> None:
    text = "def slugify(s):\n    return s.lower() if s else ''\n"
    state = session.ask(asked, fence("utils.py", text)).state()
    assert (state["utils.py"], state["utils.py::slugify"]) == ("DIRTY" if there else sha(text), sha(text.strip()))
