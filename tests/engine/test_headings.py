"""The file that a heading above an answer's code names is that of what is new in it."""

from __future__ import annotations

import pytest

from .helpers import Session

MAIN = "import db\n\n\ndef list_notes():\n    return db.all_notes()\n"
DB = "def connect():\n    return open('x')\n\n\ndef all_notes():\n    return list(connect())\n"
NEW = "```python\ndef drop_note(i):\n    connect().drop(i)\n```"
USED = "```python\ndef drop(i):\n    db.drop_note(i)\n```"


@pytest.fixture
def notes(session: Session) -> Session:
    return session.ask(f"main.py\n```python\n{MAIN}```\n\ndb.py\n```python\n{DB}```")


@pytest.mark.parametrize(
    "above",
    [
        "**1. db.py** - add a `drop_note` function:",
        "**db.py** – add this function:",
        "### Step 1: Update `db.py`\n\nAdd a function:",
        "### 1. db.py\n\nIt stays small.\n\n1. Add a function that drops a note:",
        "1. In `db.py` there is no way to drop a note yet. Add one:",
        "## db.py\n\n### The function\n\nIt is new:",
        "There is none yet. In `db.py`:",
        "Into db.py:",
    ],
)
def test_what_is_new_is_of_its_file(notes: Session, above: str) -> None:
    state = notes.ask("I need a way to drop a note", f"{above}\n\n{NEW}").state()
    assert ("db.py::drop_note" in state, state["db.py"], state["main.py"] != "DIRTY") == (True, "DIRTY", True)


@pytest.mark.parametrize(
    "above",
    [
        "### Step 1: Update `db.py` and `main.py`\n\nAdd a function:",
        "### db.py\n\nIt stays. But main.py needs more, so here it is, with a call.",
        "### db.py\n\nIt stays.\n\n### Usage\n\nAdd a function:",
        "### db.py\n\nFor example:",
    ],
)
def test_where_it_is_not_the_last_word_it_says_nothing(notes: Session, above: str) -> None:
    state = notes.ask("I need a way to drop a note", f"{above}\n\n{NEW}").state()
    assert ("db.py::drop_note" in state, "DIRTY" in state.values()) == (False, False)


def test_each_of_several_is_of_what_stands_below_it(notes: Session) -> None:
    answer = f"### 1. `db.py`\n\nAdd a function:\n\n{NEW}\n\n### 2. `main.py`\n\nAnd one that calls it:\n\n{USED}"
    state = notes.ask("I need a way to drop a note", answer).state()
    assert {"db.py::drop_note", "main.py::drop"} <= state.keys()
    assert (state["db.py"], state["main.py"]) == ("DIRTY", "DIRTY")


def test_one_who_merely_asks_gets_nothing(notes: Session) -> None:
    state = notes.ask("How could I drop a note?", f"### 1. db.py\n\nAdd a function:\n\n{NEW}").state()
    assert "db.py::drop_note" not in state and "DIRTY" not in state.values()


def test_a_member_is_of_the_type_in_its_file(session: Session) -> None:
    texts = {
        name: f"public class {name} {{\n    int total() {{\n        return 1;\n    }}\n}}\n" for name in ("A", "B")
    }
    session.ask("\n\n".join(f"{name}.java\n```java\n{text}```" for name, text in texts.items()))
    member = "    boolean isEmpty() {\n        return true;\n    }\n"
    state = session.ask("I need to know whether it is empty", f"**1. B.java** - add:\n\n```java\n{member}```").state()
    assert ("B.java::B.isEmpty" in state, "A.java::A.isEmpty" in state) == (True, False)
