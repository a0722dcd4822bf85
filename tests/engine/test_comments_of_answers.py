"""A comment block that only an answer put above a definition, and the user's own text without it."""

from __future__ import annotations

import pytest

from .helpers import Session, sha

PATH = "rate.go"
BEFORE = "package rate\n\nfunc Rate(a int) int {\n\treturn a * 2\n}\n\nfunc Half(a int) int {\n\treturn a / 2\n}\n"
FUNCTION = "func Rate(a int) int {\n\treturn a * 3\n}\n"
COMMENT = "// Rate is three times as much.\n"


def fence(text: str) -> str:
    return f"```go\n{text}```\n"


@pytest.mark.parametrize("said", ["No. I did it myself, it is now:", "Here is my version:"])
def test_it_is_gone_where_the_user_shows_the_definition_without_it(session: Session, said: str) -> None:
    session.ask(f"{PATH}\n{fence(BEFORE)}").ask("Let Rate be three times as much.", fence(COMMENT + FUNCTION))
    assert session.holds(PATH, BEFORE.replace("func Rate", COMMENT + "func Rate").replace("* 2", "* 3"))
    own = FUNCTION.replace("a * 3", "3 * a")
    session.ask(f"{said}\n\n{PATH}\n{fence(own)}")
    assert session.holds(PATH, BEFORE.replace("a * 2", "3 * a"))


def test_an_older_one_stays(session: Session) -> None:
    commented = BEFORE.replace("func Rate", COMMENT + "func Rate")
    session.ask(f"{PATH}\n{fence(commented)}").ask("Let Rate be three times as much.", fence(COMMENT + FUNCTION))
    session.ask(f"No. I did it myself, it is now:\n\n{PATH}\n{fence(FUNCTION.replace('a * 3', '3 * a'))}")
    assert session.holds(PATH, commented.replace("a * 2", "3 * a"))


def test_one_that_the_user_let_stand_stays(session: Session) -> None:
    session.ask(f"{PATH}\n{fence(BEFORE)}").ask("Let Rate be three times as much.", fence(COMMENT + FUNCTION))
    session.ask("Explain Half.", "It halves.")
    session.ask(f"I changed it:\n\n{PATH}\n{fence(FUNCTION.replace('a * 3', '3 * a'))}")
    assert session.holds(PATH, BEFORE.replace("func Rate", COMMENT + "func Rate").replace("a * 2", "3 * a"))


def test_it_is_gone_where_the_definition_is_the_answer_s_in_a_file_of_unknown_text(session: Session) -> None:
    session.ask(f"{PATH}\n{fence(BEFORE)}")
    session.ask("Let Rate be three times as much.", fence(f'package rate\n\nimport "math"\n\n{COMMENT}{FUNCTION}'))
    session.ask(f"No. I did it myself, {PATH} is now:\n\n{PATH}\n{fence(FUNCTION)}")
    assert session.state()[f"{PATH}::Rate"] == sha(FUNCTION.rstrip("\n"))
    session.ask(f"Why does this fail?\n\n{fence(FUNCTION)}")
    assert session.state()[f"{PATH}::Rate"] == sha(FUNCTION.rstrip("\n"))


def test_a_quote_leaves_it(session: Session) -> None:
    session.ask(f"{PATH}\n{fence(BEFORE)}").ask("Let Rate be three times as much.", fence(COMMENT + FUNCTION))
    session.ask(f"Why does this fail?\n\n{fence(FUNCTION)}")
    assert session.holds(PATH, BEFORE.replace("func Rate", COMMENT + "func Rate").replace("* 2", "* 3"))
