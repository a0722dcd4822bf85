"""What clients say of their own doings, through the engine: reports, the diffs of errands, drift of whole folders."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tslp_litellm.dialects.values import Carrier
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader

from .helpers import CHAT, Session

V1 = "def a():\n    return 1\n\n\ndef b():\n    return 1\n"
V2 = V1.replace("return 1", "return 2", 1)
RULES = "\n\n# *SEARCH/REPLACE block* Rules:\n\nEvery *SEARCH/REPLACE block* must use this format:\n"
COMMIT = "You are an expert software engineer that generates concise, \none-line Git commit messages based on the provided diffs."


def block(old: str, new: str, path: str = "a.py") -> str:
    return f"{path}\n```python\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n"


def failed(old: str, new: str, path: str = "a.py") -> str:
    return (
        "# 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly "
        f"match lines in {path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"
    )


ONE = ("def a():\n    return 1\n", "def a():\n    return 2\n")
TWO = ("def b():\n    return 1\n", "def b():\n    return 2\n")


def begun(session: Session) -> Session:
    return session.ask(f"a.py\n```python\n{V1}```\nLet a and b return 2." + RULES, block(*ONE) + block(*TWO))


def test_an_edit_that_failed_is_taken_back(session: Session) -> None:
    begun(session)
    assert session.holds("a.py", V1.replace("1", "2"))
    session.ask(failed(*TWO) + RULES, "I see.")
    assert session.holds("a.py", V2)


LISTING = (
    "I have *added these files to the chat* so you can go ahead and edit them.\n\n"
    "*Trust this message as the true contents of these files!*\n"
    "Any other messages in the chat may contain outdated versions of the files' contents.\n\na.py\n```\n{}```\n"
)


@pytest.mark.parametrize("listed", [True, False])
def test_a_report_behind_what_the_client_says_for_the_model(session: Session, listed: bool) -> None:
    begun(session)
    session.messages += [
        {"role": "user", "content": "I committed the changes with git hash 012c421 & commit msg: Two"},
        {"role": "assistant", "content": "Ok."},
    ]
    if listed:
        session.messages += [
            {"role": "user", "content": LISTING.format(V2)},
            {"role": "assistant", "content": "Ok, any changes I propose will be to those files."},
        ]
    session.ask(failed(*TWO) + RULES, "I see.")
    assert session.holds("a.py", V2)


def test_the_report_counts_once(session: Session) -> None:
    begun(session).ask(failed(*TWO) + RULES, block(*TWO)).ask("Thanks." + RULES)
    assert session.holds("a.py", V1.replace("1", "2"))


def test_an_undone_answer_is_taken_back(session: Session) -> None:
    begun(session).ask("I did `git reset --hard HEAD~1` to discard the last edits. Please wait" + RULES)
    assert session.holds("a.py", V1)
    session.ask("I did `git reset --hard HEAD~1` to discard the last edits. Please wait, again" + RULES)
    assert session.holds("a.py", V1)


def test_two_answers_undone_one_after_the_other(session: Session) -> None:
    session.ask(f"a.py\n```python\n{V1}```\nLet a return 2." + RULES, block(*ONE))
    session.ask("Let b return 2, too." + RULES, block(*TWO))
    session.ask("I did `git reset --hard HEAD~1` to discard the last edits. One" + RULES, "Ok.")
    assert session.holds("a.py", V2)
    session.ask("I did `git reset --hard HEAD~1` to discard the last edits. Two" + RULES, "Ok.")
    assert session.holds("a.py", V1)


def test_an_undo_in_a_conversation_that_changed_nothing(session: Session) -> None:
    begun(session).forget().ask("Hello." + RULES, "Hello to you, what may I do for you today?")
    session.ask("I did `git reset --hard HEAD~1` to discard the last edits. Please wait" + RULES)
    assert session.holds("a.py", V1.replace("1", "2"))


def commit(session: Session, diff: str) -> None:
    session.request(
        [{"role": "system", "content": COMMIT}, {"role": "user", "content": f"\nUSER: x\n\n# Diffs:\n{diff}"}], None
    )


DIFF = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n def a():\n-    return 1\n+    return 2\n \n"


def test_the_diff_of_a_commit_changes_what_was_changed_by_hand(session: Session) -> None:
    session.ask(f"a.py\n```python\n{V1}```\nLook." + RULES)
    commit(session, DIFF)
    assert session.holds("a.py", V2)
    commit(session, DIFF)
    assert session.holds("a.py", V2)


def test_the_diff_of_a_commit_that_does_not_fit_leaves_the_text_unknown(session: Session) -> None:
    session.ask(f"a.py\n```python\n{V1}```\nLook." + RULES)
    commit(session, DIFF.replace("-    return 1", "-    return 7").replace("+    return 2", "+    return 8"))
    assert session.state()["a.py"] == "DIRTY"


def test_a_commit_of_a_new_and_of_a_deleted_file(session: Session) -> None:
    session.ask(f"a.py\n```python\n{V1}```\nLook." + RULES)
    commit(
        session,
        "--- /dev/null\n+++ b/b.py\n@@ -0,0 +1 @@\n+x = 1\n"
        "diff --git a/a.py b/a.py\n--- a/a.py\n+++ /dev/null\n@@ -1,6 +0,0 @@\n"
        + "".join(f"-{x}\n" for x in V1.splitlines()),
    )
    assert session.holds("b.py", "x = 1\n")
    assert "a.py" not in session.state()


def test_a_result_that_a_compaction_is_the_first_to_carry_counts_once(sessions: Callable[..., Session]) -> None:
    session = sessions(tools=("Edit",))
    session.ask(f"a.py\n```python\n{V1}```\nLet a return 2, and tell me when it is done.", "I see the file.")
    edit = {"file_path": "a.py", "old_string": "def a():\n", "new_string": "def a():\n    # a\n"}
    session.ask("Now.", None, calls={"c1": {"name": "Edit", "arguments": edit}})
    session.messages.append(
        {"role": "tool", "tool_call_id": "c1", "content": "The file a.py has been updated successfully."}
    )
    after = V1.replace("def a():\n", "def a():\n    # a\n")
    summary = "a.py\n```python\ndef a():\n    return 9\n```\n"
    errand = {
        "role": "user",
        "content": "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\n- Do NOT use Read, "
        "Bash, Grep, Glob, Edit, Write, or ANY other tool.\n\na.py\n```python\ndef a():\n    return 7\n```\n",
    }
    episode = session.request(
        [*session.messages, errand],
        CHAT.whole({"choices": [{"message": {"role": "assistant", "content": summary}, "finish_reason": "stop"}]}),
    )
    assert episode.side and session.holds("a.py", after), "its result counts, its texts are hearsay"
    session.request([*session.messages, errand], None)
    session.ask("And now?", "Done.")
    assert session.holds("a.py", after), "what was told once is not done twice"


def test_other_errands_say_nothing(session: Session) -> None:
    session.ask(f"a.py\n```python\n{V1}```\nLook.")
    session.request(
        [{"role": "system", "content": "You are a title generator."}, {"role": "user", "content": DIFF}], None
    )
    assert session.holds("a.py", V1)


def test_an_answer_handed_on_to_an_editor_is_still_the_model_s_word(session: Session) -> None:
    session.ask(f"a.py\n```python\n{V1}```\nLet a return 2.", "Change it:\n\na.py\n```python\nx = 3\n```\n")
    said = str(session.messages[-1]["content"])
    before = session.state()
    session.forget().ask(said, "Done.")
    assert session.state() == before


def shell(command: str) -> dict[str, dict[str, object]]:
    return {"s1": {"name": "bash", "arguments": {"command": command}}}


@pytest.mark.parametrize(
    ("command", "unknown"),
    [
        ("sed -i 's/1/2/' src/a.py", {"src/a.py"}),
        ("rm src/*.py", {"src/a.py", "src/b.py"}),
        ("rm src/*.txt", set()),
        ("git stash", {"c.py", "src/a.py", "src/b.py"}),
        ("black .", {"c.py", "src/a.py", "src/b.py"}),
        ("ls -la", set()),
    ],
)
def test_drift_by_the_shell(sessions: Callable[..., Session], command: str, unknown: set[str]) -> None:
    session = sessions(tools=("bash",))
    shown = "".join(f"{path}\n```python\nx = '{path}'\n```\n" for path in ("src/a.py", "src/b.py", "c.py"))
    session.ask(shown + "Look.", None, calls=shell(command)).ask(None, results={"s1": "(no output)"})
    files = {path: text for path, text in session.state().items() if "::" not in path}
    assert {path for path, text in files.items() if text == "DIRTY"} == unknown


def test_folders_and_files_removed_by_the_shell(sessions: Callable[..., Session]) -> None:
    session = sessions(tools=("bash",))
    shown = "".join(f"{path}\n```python\nx = '{path}'\n```\n" for path in ("src/a.py", "src/b.py", "c.py"))
    session.ask(shown + "Look.", None, calls=shell("rm -rf src")).ask(None, results={"s1": ""})
    assert {path for path in session.state() if "::" not in path} == {"c.py"}


def test_what_the_store_knows_of_an_episode(session: Session, database: Database) -> None:
    begun(session)
    assert session.episode is not None
    with database.reading() as connection:
        store = WorkspaceReader(connection, "local", "w")
        (path,) = store.replaced(session.episode.id)
        assert path == "a.py"
        assert store.replaced(session.episode.id)[path].before == V1
        assert store.replaced("other") == {}
        assert store.last_change(session.episode.conversation.id) == session.episode.id
        assert store.last_change("other") is None
        assert store.paths(None) == {"a.py"}
        assert store.paths({"src"}) == set()
        assert not store.was_said(b"nobody")
        nowhere = WorkspaceReader(connection, "local", "elsewhere")
        assert (nowhere.paths(None), nowhere.last_change("x"), nowhere.was_said(b"x")) == (set(), None, False)


def test_forms_in_which_the_client_applies_edits(session: Session) -> None:
    session.ask(f"a.py\n```python\n{V1}```\nLet a return 2." + RULES, f"a.py\n```python\n{V2}```\n")
    assert session.episode is not None
    assert session.episode.context.forms == frozenset({Carrier.SEARCH_REPLACE})
    assert session.holds("a.py", V1)


class TestTold:
    """What users say that they did to their files themselves."""

    @pytest.mark.parametrize(
        "said",
        [
            "I just edited a.py by hand.",
            "I switched to another branch.",
            "We've pulled the repo.",
            "I edited `src/a.py`.",
        ],
    )
    def test_a_file_that_the_user_changed_is_dirty(self, session: Session, said: str) -> None:
        path = "src/a.py" if "src" in said else "a.py"
        session.ask(f"{path}\n```python\n{V1}```\n").ask(said)
        assert session.state()[path] == "DIRTY"

    def test_a_short_path_means_the_file_that_ends_so(self, session: Session) -> None:
        session.ask(f"src/a.py\n```python\n{V1}```\n").ask("I edited a.py by hand.")
        assert session.state()["src/a.py"] == "DIRTY"

    def test_what_the_message_shows_is_how_it_is_now(self, session: Session) -> None:
        session.ask(f"a.py\n```python\n{V1}```\n").ask(f"I edited a.py:\n\na.py\n```python\n{V2}```\n")
        assert session.holds("a.py", V2)

    def test_talk_of_a_file_changes_nothing(self, session: Session) -> None:
        session.ask(f"a.py\n```python\n{V1}```\n").ask("I think a.py is slow, and I want `a` in a.py to be faster.")
        assert session.holds("a.py", V1)


ADDED = "I added these files to the chat: lib.py\nLet me know if there are others we should add."


def test_an_answer_that_was_dropped_for_a_file_that_it_mentions(session: Session) -> None:
    begun(session)
    session.ask(ADDED + RULES, "I see.")
    assert session.holds("a.py", V1)


def test_what_a_dropped_answer_created_is_gone(session: Session) -> None:
    session.ask("Write new.py." + RULES, "See lib.py.\n\n" + block("", V1, "new.py"))
    assert session.holds("new.py", V1)
    session.ask(ADDED + RULES, block("", V2, "new.py"))
    assert session.holds("new.py", V2)


@pytest.mark.parametrize(
    "said", ["I committed the changes with git hash 012c421 & commit msg: Two", "I updated the files."]
)
def test_files_that_the_user_adds_later_drop_nothing(session: Session, said: str) -> None:
    begun(session)
    session.messages += [{"role": "user", "content": said}, {"role": "assistant", "content": "Ok."}]
    session.ask(ADDED + RULES, "I see.")
    assert session.holds("a.py", V1.replace("1", "2"))
