"""Fences that nobody ends, in a whole turn."""

from __future__ import annotations

import pytest

from .helpers import Session

JS = "export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n"
NEW = JS.replace("return 1;", "return 11;")
OPEN = "Sure:\n\n```js\n" + NEW[: NEW.index("\n\n") + 1]


@pytest.mark.parametrize(("finish", "after"), [("stop", NEW), ("length", JS)])
def test_one_function_that_ends_with_the_answer_is_shown(session: Session, finish: str, after: str) -> None:
    session.ask(f"m.js\n```js\n{JS}```").ask("one() should return 11.", OPEN, finish=finish)
    assert session.holds("m.js", after)


def test_a_file_that_a_user_leaves_open_is_the_truth(session: Session) -> None:
    session.ask(f"m.js\n```js\n{JS}```").ask(f"m.js\n```js\n{NEW}\nWhat does `one` do?", "It returns 11.")
    assert session.holds("m.js", NEW) and session.prompt.count("return 11;") == 1
