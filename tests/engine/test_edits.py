"""Edits from call to outcome, reports of what failed, and clients' own diffs, through the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tslp_litellm.wire.turn import Answer

from .helpers import Session

ONE = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
LISTING = (
    "I have *added these files to the chat* so you can go ahead and edit them.\n\n"
    "*Trust this message as the true contents of these files!*\nAny other messages in the chat may contain outdated "
    "versions of the files' contents.\n\nsrc/n.py\n```\n{0}```\n"
)
DIFF_RULES = {"role": "system", "content": "Act as an expert.\n# *SEARCH/REPLACE block* Rules:\nEvery block …"}
COMMIT = "You are an expert software engineer that generates concise, one-line Git commit messages based on the provided diffs."


def block(old: str, new: str, path: str = "src/n.py") -> str:
    return f"{path}\n```python\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n"


def call(name: str, **arguments: Any) -> dict[str, dict[str, Any]]:
    return {"c1": {"name": name, "arguments": arguments}}


@pytest.fixture
def coder(sessions: Callable[..., Session]) -> Session:
    """A client with tools, which has read src/n.py."""
    session = sessions(tools=("Read", "Edit", "Write", "Bash"))
    session.ask("Read it.", None, {"r1": {"name": "Read", "arguments": {"file_path": "src/n.py"}}})
    numbered = "\n".join(f"{n}\t{line}" for n, line in enumerate(ONE.split("\n"), 1))
    return session.ask(None, "It counts.", results={"r1": numbered})


@pytest.fixture
def aider(session: Session) -> Session:
    """aider in its diff format; src/n.py was in the chat, and is no more: later requests don't list it."""
    session.messages.append(DIFF_RULES)
    session.ask(LISTING.format(ONE), "Ok, any changes I propose will be to those files.")
    session.messages[1:] = []
    return session.ask("Let us begin with the work on src/n.py.", "I am ready for it, what shall be changed?")


class TestToolEdits:
    def test_a_confirmed_edit_is_the_truth(self, coder: Session) -> None:
        coder.ask("Eleven.", None, call("Edit", file_path="src/n.py", old_string="return 1", new_string="return 11"))
        assert coder.holds("src/n.py", ONE)
        coder.ask(None, "Done.", results={"c1": "The file src/n.py has been updated successfully."})
        assert coder.holds("src/n.py", ONE.replace("return 1", "return 11"))

    def test_a_result_that_nobody_understands_makes_the_file_dirty(self, coder: Session) -> None:
        coder.ask("Eleven.", None, call("Edit", file_path="src/n.py", old_string="return 1", new_string="return 11"))
        coder.ask(None, "Done.", results={"c1": "¯\\_(ツ)_/¯"})
        assert coder.state()["src/n.py"] == coder.state()["src/n.py::one"] == "DIRTY"

    def test_an_edit_refused_because_the_file_was_changed_makes_it_dirty(self, coder: Session) -> None:
        coder.ask("Eleven.", None, call("Edit", file_path="src/n.py", old_string="return 1", new_string="return 11"))
        said = "<tool_use_error>File has been modified since read, either by the user or by a linter.</tool_use_error>"
        coder.ask(None, "I read it again.", results={"c1": said})
        assert coder.state()["src/n.py"] == "DIRTY"

    def test_removal_moving_and_writing_by_shell(self, coder: Session) -> None:
        coder.ask("Copy.", None, call("Bash", command="cp src/n.py src/m.py"))
        coder.ask(None, "Ok.", results={"c1": ""})
        assert coder.holds("src/m.py", ONE)
        coder.ask("Move.", None, call("Bash", command="git mv src/n.py lib/n.py"))
        coder.ask(None, "Ok.", results={"c1": ""})
        assert coder.holds("lib/n.py", ONE)
        assert "src/n.py" not in coder.state()
        coder.ask("Remove.", None, call("Bash", command="rm -r lib"))
        coder.ask(None, "Ok.", results={"c1": ""})
        assert set(coder.state()) == {"src/m.py", "src/m.py::one", "src/m.py::two"}
        coder.ask("Write.", None, call("Bash", command="cat > src/m.py <<'EOF'\nx = 1\nEOF"))
        coder.ask(None, "Ok.", results={"c1": ""})
        assert coder.holds("src/m.py", "x = 1\n")

    def test_a_shell_edit_makes_dirty_and_a_read_makes_clean(self, coder: Session) -> None:
        coder.ask("sed.", None, call("Bash", command="sed -i 's/1/11/' src/n.py"))
        coder.ask(None, "Ok.", results={"c1": ""})
        assert coder.state()["src/n.py"] == "DIRTY"
        coder.ask("What is in `one`?", None, {"r2": {"name": "Bash", "arguments": {"command": "cat src/n.py"}}})
        assert coder.hydrated == []
        assert "[STATE NOTICE]" in coder.prompt
        coder.ask(None, "Eleven.", results={"r2": ONE.replace("return 1", "return 11")})
        assert coder.holds("src/n.py", ONE.replace("return 1", "return 11"))

    def test_any_file_may_be_dirty_after_a_checkout(self, coder: Session) -> None:
        coder.ask("Back.", None, call("Bash", command="git checkout main"))
        coder.ask(None, "Ok.", results={"c1": "Switched to branch 'main'"})
        assert set(coder.state().values()) == {"DIRTY"}

    def test_a_deleted_file_does_not_come_back_out_of_the_history(self, coder: Session) -> None:
        coder.ask("Remove it.", None, call("Bash", command="rm src/n.py"))
        coder.ask(None, "Gone.", results={"c1": ""})
        coder.messages.insert(0, {"role": "assistant", "content": "Where were we, before all of this began?"})
        coder.ask("Go on.")
        assert coder.state() == {}

    def test_ten_thousand_lines(self, sessions: Callable[..., Session]) -> None:
        session = sessions(tools=("write", "edit"))
        text = "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(2_500))
        session.ask("Write.", None, call("write", filePath="big.py", content=text))
        session.ask(None, "Ok.", results={"c1": "Wrote file successfully."})
        session.ask(
            "Edit.", None, call("edit", filePath="big.py", oldString="x + 2499", newString="x - 2499\n    # last")
        )
        session.ask(None, "Ok.", results={"c1": "Edit applied successfully."})
        assert session.holds("big.py", text.replace("x + 2499", "x - 2499\n    # last"))
        assert len(session.state()) == 2_501


class TestReports:
    EDITS = block("    return 1\n", "    return 11\n") + block("    return 2\n", "    return 22\n")

    def test_what_failed_is_taken_back_and_what_passed_stays(self, aider: Session) -> None:
        aider.ask("More.", self.EDITS)
        assert aider.holds("src/n.py", ONE.replace("1", "11").replace("2", "22"))
        aider.ask(
            "# 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: This SEARCH block failed to "
            "exactly match lines in src/n.py\n<<<<<<< SEARCH\n    return 2\n=======\n    return 22\n>>>>>>> REPLACE\n\n"
            "# The other 1 SEARCH/REPLACE block were applied successfully.\nDon't re-send them.\n"
        )
        assert aider.holds("src/n.py", ONE.replace("1", "11"))

    def test_a_malformed_answer_changed_nothing(self, aider: Session) -> None:
        aider.ask("More.", self.EDITS)
        aider.ask("src/n.py\n```\n<<<<<<< SEARCH\n^^^ Bad/missing filename. The filename must be alone on the line")
        assert aider.holds("src/n.py", ONE)

    def test_an_undone_answer_never_was(self, aider: Session) -> None:
        aider.ask("More.", self.EDITS + block("", "x = 1\n", "new.py")).ask("Thanks.")
        aider.ask("I did `git reset --hard HEAD~1` to discard the last edits. Please wait for further instructions.")
        assert aider.holds("src/n.py", ONE)
        assert "new.py" not in aider.state()
        aider.ask("I did `git reset --hard HEAD~1` to discard the last edits. Please wait for further instructions.")
        assert aider.holds("src/n.py", ONE), "there is nothing left to take back"

    def test_a_listing_in_the_same_request_outweighs_the_report(self, aider: Session) -> None:
        aider.ask("More.", self.EDITS)
        now = ONE.replace("1", "111")
        aider.messages.insert(1, {"role": "user", "content": LISTING.format(now)})
        aider.ask("I did `git reset --hard HEAD~1` to discard the last edits. Please wait.")
        assert aider.holds("src/n.py", now)


class TestListings:
    def test_a_text_that_a_listing_shows_behind_the_user_s_words_is_not_shown_again(self, session: Session) -> None:
        session.messages.append(DIFF_RULES)
        session.messages.append({"role": "user", "content": LISTING.format(ONE)})
        session.ask("Write `src/n.py`, please.", "It stands there already, as far as I can see.")
        assert session.hydrated == []
        session.messages.append({"role": "user", "content": LISTING.format(ONE)})
        session.messages[1:2] = []
        session.ask("# Fix any errors below, if possible.\n\n## Running: flake8 src/n.py\n", "Ok.")
        assert session.hydrated == []

    def test_an_unchanged_listing_is_what_the_file_is(self, session: Session) -> None:
        session.messages += [DIFF_RULES, {"role": "user", "content": LISTING.format(ONE)}]
        session.ask("Let one return 11, please, instead of 1.", block("    return 1\n", "    return 11\n"))
        assert session.holds("src/n.py", ONE.replace("1", "11"))
        session.messages.append(session.messages.pop(1))
        session.ask("Now explain `one` and `two` to me, please.", "They return numbers.")
        assert session.holds("src/n.py", ONE)
        events = session.events("evidence.judged")
        session.ask("And once more about `one`, in other words?", "It returns a number.")
        assert session.events("evidence.judged") == events, "what it says is known, and nothing is written"


class TestStatedDiffs:
    DIFF = (
        "# Diffs:\ndiff --git a/src/n.py b/src/n.py\nindex 1..2 100644\n--- a/src/n.py\n+++ b/src/n.py\n"
        "@@ -1,5 +1,2 @@\n def one():\n-    return 1\n-\n-\n-def two():\n-    return 2\n+    return 11\n"
    )

    def commit(self, session: Session, diff: str) -> None:
        messages = [{"role": "system", "content": COMMIT}, {"role": "user", "content": diff}]
        session.request(messages, Answer(complete=True))

    def test_a_commit_request_says_what_the_client_did(self, aider: Session) -> None:
        aider.ask("Only one.", block(ONE, "def one():\n    return 11\n"))
        assert aider.state()["src/n.py"] == "DIRTY", "losing `two` is not for the model to decide, but it is gone"
        diff = self.DIFF.replace("@@ -1,5 +1,2 @@", "@@ -1,6 +1,2 @@")
        self.commit(aider, diff)
        assert aider.holds("src/n.py", "def one():\n    return 11\n")
        self.commit(aider, diff)
        assert aider.holds("src/n.py", "def one():\n    return 11\n"), "said twice is done once"

    def test_a_diff_that_fits_nowhere_makes_dirty(self, aider: Session) -> None:
        self.commit(aider, self.DIFF.replace("return 1\n", "return 7\n").replace("-1,5", "-1,6"))
        assert aider.state()["src/n.py"] == "DIRTY"


class TestWhoseWordItIs:
    def test_an_answer_handed_on_to_an_editor_is_still_the_models(self, session: Session) -> None:
        session.ask(f"src/n.py\n```python\n{ONE}```\n", "Ok.")
        plan = "Change src/n.py like this:\n\n```python\ndef one():\n    return 0\n\n\ndef two():\n    return 0\n```\n"
        session.messages[0:0] = [{"role": "system", "content": "Act as an expert architect engineer and provide …"}]
        session.ask("Zero.", plan)
        assert session.holds("src/n.py", ONE)
        for prompt in ("Act as an expert software developer who edits source code.", "You edit files."):
            editor = [{"role": "system", "content": prompt}, {"role": "user", "content": plan}]
            session.request(editor, Answer(complete=True))
            assert session.holds("src/n.py", ONE), prompt
        session.ask(plan)
        assert not session.holds("src/n.py", ONE), "pasted into the conversation it is the user's word"

    def test_code_in_the_text_is_talk_where_the_client_has_tools(self, coder: Session) -> None:
        coder.ask("Show me.", f"src/n.py\n```python\n{ONE.replace('1', '100')}```\n")
        assert coder.holds("src/n.py", ONE)


TWICE = "def one():\n    return 1\n\n\ndef two():\n    return 1\n"


@pytest.mark.parametrize(("line", "after"), [(5, TWICE[:-2] + "2\n"), (1, TWICE.replace("1", "2", 1)), (3, TWICE)])
def test_a_hunk_that_fits_twice_is_where_it_says(session: Session, line: int, after: str) -> None:
    diff = f"--- a/src/n.py\n+++ b/src/n.py\n@@ -{line + 1} +{line + 1} @@\n-    return 1\n+    return 2\n"
    session.ask(f"src/n.py\n```python\n{TWICE}```\n").ask("Make src/n.py better.", f"```diff\n{diff}```\n")
    assert session.holds("src/n.py", after)


CART = "import re\n\n\ndef total(xs):\n    return sum(xs)\n\n\ndef add(x):\n    return x\n"


def shown(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


LOSSY_CART = CART.partition("\n\n\ndef add")[0].replace("sum(xs)", "sum(x for x in xs)") + "\n"


def _refused_then_edited(session: Session, old: str, new: str) -> None:
    """The model's text lost a function and was refused; the user may have taken it by hand before the edit."""
    session.ask("Look:\n\n" + shown("cart.py", CART))
    session.ask("Speed it up.", shown("cart.py", LOSSY_CART))
    assert session.holds("cart.py", CART)
    call = {"name": "edit", "arguments": {"filePath": "cart.py", "oldString": old, "newString": new}}
    session.ask("Go on.", "", {"e1": call})
    session.ask(None, results={"e1": "Edit applied successfully."})


def test_an_edit_of_a_text_that_was_refused_is_applied_to_that(session: Session) -> None:
    _refused_then_edited(session, "sum(x for x in xs)", "sum(y for y in xs)")
    assert session.holds("cart.py", LOSSY_CART.replace("sum(x for x", "sum(y for y"))


def test_an_edit_of_ours_is_applied_to_ours(session: Session) -> None:
    _refused_then_edited(session, "    return x\n", "    return 2 * x\n")
    assert session.holds("cart.py", CART.replace("return x", "return 2 * x"))


def test_an_edit_that_fits_a_refused_text_too_makes_the_file_dirty(session: Session) -> None:
    _refused_then_edited(session, "import re", "import sys")
    assert session.state()["cart.py"] == "DIRTY"
