"""Diffs that a user shows of what he did."""

from __future__ import annotations

import pytest

from .helpers import Session

OLD = "from functools import lru_cache\n\nLIMIT = 50\n\n\n@lru_cache(maxsize=None)\ndef fib(n):\n    return n if n < 2 else fib(n - 1)\n"
NEW = OLD.replace("50", "55")
HUNK = (
    "@@ -1,6 +1,6 @@\n from functools import lru_cache\n \n-LIMIT = 50\n+LIMIT = 55\n \n \n @lru_cache(maxsize=None)\n"
)
HEADED = f"--- a/mathx.py\n+++ b/mathx.py\n{HUNK}"
GIT = f"diff --git a/mathx.py b/mathx.py\nindex 123abcd..456abcd 100644\n{HEADED}"


@pytest.fixture
def chat(session: Session) -> Session:
    return session.ask(f"mathx.py\n```python\n{OLD}```")


def fence(diff: str) -> str:
    return f"```diff\n{diff}```"


@pytest.mark.parametrize(
    "said",
    [
        f"This is what I did:\n\n{fence(GIT)}\n\nIs that fine?",
        f"I made these changes to mathx.py:\n\n{fence(HEADED)}\n\nIs that fine?",
        f"git diff of what I did:\n\n{GIT}\nIs that fine?",
        f"I've just updated the old limit:\n\n{fence(GIT)}",
        f"I changed LIMIT in mathx.py:\n\n```\n{GIT}```\nUpdate the docs, please.",
    ],
)
def test_what_he_says_that_he_did_is_done(chat: Session, said: str) -> None:
    chat.ask(said)
    assert chat.holds("mathx.py", NEW) and "DIRTY" not in chat.state().values()


@pytest.mark.parametrize(
    "said",
    [
        f"Apply this patch:\n\n{fence(GIT)}",
        f"Apply this patch:\n\n{GIT}",
        f"What does this do to mathx.py:\n\n{HEADED}",
        f"Could you please apply it?\n\n{fence(GIT)}",
        f"What does this do?\n\n{fence(GIT)}",
        f"What if I changed it so:\n\n{fence(GIT)}",
        f"Suppose we did this:\n\n{fence(GIT)}",
        f"The upstream fix:\n\n{fence(GIT)}",
        f"I want this:\n\n{fence(HEADED)}",
        f"Review this:\n\n{fence(GIT)}",
        f"> I did this:\n>\n> {GIT}".replace("\n", "\n> "),
        f"I did this:\n\n{fence(GIT.replace('mathx', 'other'))}",
        f"{fence(GIT)}\n\nApply it.",
    ],
)
def test_what_he_did_not_do_changes_nothing(chat: Session, said: str) -> None:
    before = chat.state()
    assert chat.ask(said).state() == before


def test_where_the_new_side_stands_it_changes_nothing(chat: Session) -> None:
    chat.ask(f"mathx.py\n```python\n{NEW}```")
    before = chat.state()
    assert chat.ask(f"This is what I did:\n\n{fence(GIT)}").state() == before


def test_what_fits_neither_way_is_of_unknown_text_if_he_says_that_he_did_it(chat: Session) -> None:
    other = fence(GIT.replace("50", "60"))
    assert chat.ask(f"I did this:\n\n{other}").state()["mathx.py"] == "DIRTY"


def test_a_new_file_of_his_is_known(chat: Session) -> None:
    new = "diff --git a/b.py b/b.py\nnew file mode 100644\n--- /dev/null\n+++ b/b.py\n@@ -0,0 +1,2 @@\n+def f():\n+    return 1\n"
    assert chat.ask(f"I added this:\n\n{fence(new)}").holds("b.py", "def f():\n    return 1\n")


MADE = [
    f"Write a commit message for this:\n```diff\n{GIT}```",
    f"My current diff:\n\n{GIT}\nDoes it look right?",
    f"Review my changes to mathx.py:\n\n{fence(HEADED)}",
    f"{fence(GIT)}\n\nGenerate release notes for this.",
    f"`git diff` of the branch:\n\n{fence(GIT)}",
    fence(GIT),
    GIT,
]


@pytest.mark.parametrize("said", MADE)
def test_what_he_takes_for_made_contradicts_our_text(chat: Session, said: str) -> None:
    chat.ask(said)
    assert chat.state()["mathx.py"] == "DIRTY"
    assert "LIMIT = 50" not in str(chat.ask("Where is LIMIT in mathx.py used?").sent[-1])


@pytest.mark.parametrize("said", [*MADE, f"Write a commit message for this:\n{fence(GIT.replace('mathx', 'other'))}"])
def test_what_stands_or_is_not_known_is_not_contradicted(chat: Session, said: str) -> None:
    before = chat.ask(f"mathx.py\n```python\n{NEW}```").state()
    assert chat.ask(said).state() == before


@pytest.mark.parametrize(
    "said", ["My old diff:", "An example of my git diff:", "Apply this to my mathx.py:", "Should I apply this?"]
)
def test_what_is_taken_back_or_proposed_contradicts_nothing(chat: Session, said: str) -> None:
    before = chat.state()
    assert chat.ask(f"{said}\n\n{fence(GIT)}").state() == before


def test_a_file_that_his_diff_removes_is_in_doubt(chat: Session) -> None:
    gone = "".join(f"-{line}\n" for line in OLD.splitlines())
    diff = f"diff --git a/mathx.py b/mathx.py\ndeleted file mode 100644\n--- a/mathx.py\n+++ /dev/null\n@@ -1,8 +0,0 @@\n{gone}"
    assert chat.ask(f"My changes:\n\n{fence(diff)}").state()["mathx.py"] == "DIRTY"
