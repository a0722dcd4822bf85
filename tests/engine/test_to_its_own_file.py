"""A definition that an answer shows in a file of its own, and no longer where it stood (SEMANTICS 2 and 3)."""

from __future__ import annotations

import pytest

from .helpers import Session

TS = (
    "ts",
    "import { db } from './db';\n\nexport function getUser(id: number) {\n  return db.find(id);\n}\n\n",
    "export function formatDate(d: Date): string {\n  return d.toISOString();\n}\n",
    "import { formatDate } from './date';\n",
    "",
)
PY = (
    "py",
    "from db import db\n\n\ndef get_user(id):\n    return db.find(id)\n\n\n",
    "def formatDate(d):\n    return d.isoformat()\n",
    "from date import formatDate\n",
    "",
)
GO = (
    "go",
    "package app\n\nfunc GetUser(id int) User {\n\treturn db.Find(id)\n}\n\n",
    "func formatDate(d Date) string {\n\treturn d.String()\n}\n",
    "",
    "package app\n\n",
)
RUST = (
    "rs",
    "use crate::db;\n\npub fn get_user(id: u32) -> User {\n    db::find(id)\n}\n\n",
    "pub fn formatDate(d: Date) -> String {\n    d.to_string()\n}\n",
    "use crate::date::formatDate;\n",
    "",
)
LANGUAGES = [TS, PY, GO, RUST]
HEADINGS = [
    ("### 1. Create `{}`", "### 2. Update `{}`"),
    ("**1. New file (`{}`)**", "**2. Existing file (`{}`)**"),
    ("First create a new file `{}`:", "Then update `{}`:"),
    ("### `{}`", "### `{}`"),
]
ASKED = ["move formatDate to {}", "extract formatDate into {}", "split formatDate out into {}"]
Case = tuple[str, str, str, str, str]


def texts(case: Case) -> tuple[str, str, str, str, str]:
    """The two paths; the file as it was, the new file, and what is left of the old one."""
    ending, rest, moved, imported, head = case
    return f"src/user.{ending}", f"src/date.{ending}", rest + moved, head + moved, imported + rest.rstrip("\n") + "\n"


def answer(case: Case, heads: tuple[str, str]) -> str:
    user, date, _, new, left = texts(case)
    return f"{heads[0].format(date)}\n\n```{case[0]}\n{new}```\n\n{heads[1].format(user)}\n\n```{case[0]}\n{left}```\n"


def pasted(session: Session, case: Case) -> Session:
    user, _, old, _, _ = texts(case)
    return session.ask(f"{user}\n```{case[0]}\n{old}```\n")


@pytest.mark.parametrize("case", LANGUAGES)
@pytest.mark.parametrize("heads", HEADINGS)
@pytest.mark.parametrize("asked", ASKED)
def test_it_moves_to_the_file_that_the_prompt_names(
    session: Session, case: Case, heads: tuple[str, str], asked: str
) -> None:
    user, date, _, new, left = texts(case)
    pasted(session, case).ask(asked.format(date), answer(case, heads))
    assert (session.holds(date, new), session.holds(user, left)) == (True, True)
    session.forget().ask("What does `formatDate` do?")
    assert session.hydrated == [f"{date}::formatDate"]
    assert "were removed" not in session.prompt


@pytest.mark.parametrize("case", LANGUAGES)
@pytest.mark.parametrize("heads", HEADINGS[:3])
def test_where_the_prompt_names_no_file_it_is_in_doubt_where_it_stood(
    session: Session, case: Case, heads: tuple[str, str]
) -> None:
    user, date, _, new, _ = texts(case)
    pasted(session, case).ask("move formatDate to its own file", answer(case, heads))
    assert session.holds(date, new)
    assert session.recent()[0]["artifact_states"][0]["reason"] != "not-asked"
    session.forget().ask(f"Review {user}")
    assert case[2].splitlines()[1].strip() not in session.prompt or "Decision" in session.prompt


@pytest.mark.parametrize("case", LANGUAGES)
@pytest.mark.parametrize(
    "asked", ["How would formatDate look in a file of its own?", "Explain formatDate.", "What is formatDate for?"]
)
def test_who_merely_asks_gets_an_example(session: Session, case: Case, asked: str) -> None:
    user, _, old, _, _ = texts(case)
    pasted(session, case).ask(asked, answer(case, ("### Usage in `{}`", "### And `{}`")))
    assert session.holds(user, old)


@pytest.mark.parametrize("case", LANGUAGES)
def test_the_wrong_function_beside_another_file_is_still_none_that_was_asked_for(session: Session, case: Case) -> None:
    user, date, old, new, left = texts(case)
    other = new.replace("formatDate", "formatTime")
    shown = (
        f"### Create `{date}`\n\n```{case[0]}\n{other}```\n\nAnd:\n\n```{case[0]}\n{left.replace('find', 'get')}```\n"
    )
    pasted(session, case).ask("make formatDate shorter", shown)
    assert session.holds(user, old)


@pytest.mark.parametrize("case", LANGUAGES)
@pytest.mark.parametrize("asked", ["please split {}", "move formatDate into its own file"])
@pytest.mark.parametrize("heads", [("Here's `{}`:", "And `{}` becomes:"), ("`{}`:", "`{}`:")])
def test_what_stands_in_a_new_file_as_it_was_is_in_doubt_where_it_stood(
    session: Session, case: Case, heads: tuple[str, str], asked: str
) -> None:
    user, date, _, new, left = texts(case)
    shown = answer(case, heads).replace(left, left.replace(case[3], ""))
    state = pasted(session, case).ask(asked.format(user), shown).state()
    assert (session.holds(date, new), state[user], state[f"{user}::formatDate"]) == (True, "DIRTY", "DIRTY")


CS = "namespace Shop\n{{\n    public class {}\n    {{\n        public int Total()\n        {{\n            return 1;\n        }}\n    }}\n}}\n"


def test_a_type_under_a_new_name_is_of_the_file_of_that_name(session: Session) -> None:
    old, new = (f"{name}.cs\n```csharp\n{CS.format(name)}```" for name in ("Order", "Basket"))
    session.ask(old).ask("rename Order to Basket", f"Here's the complete `Basket.cs`:\n\n{new.partition(chr(10))[2]}")
    state = session.state()
    assert (session.holds("Basket.cs", CS.format("Basket")), state["Order.cs"]) == (True, "DIRTY")


@pytest.mark.parametrize(
    ("asked", "gone"),
    [("rename {} to {}", True), ("write {1} like {0}", False), ("how do I rename {} to {}?", False)],
)
def test_a_file_that_goes_on_under_a_new_name_is_in_doubt_by_its_old_one(
    session: Session, asked: str, gone: bool
) -> None:
    user, date, old, _, _ = texts(PY)
    pasted(session, PY).ask(asked.format(user, date), f"`{date}`:\n\n```py\n{old}```")
    assert (session.state()[user] == "DIRTY", session.state()[f"{user}::formatDate"] == "DIRTY") == (gone, gone)
