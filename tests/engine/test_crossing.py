"""Calls that were under way at the same time: of one answer, and of two conversations in one workspace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tslp_litellm.engine.crossing import rounds
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.wire.openai_chat import OpenAIChat

from .helpers import Session

V1 = "import re\n\n\ndef slug(s):\n    return s.lower()\n\n\ndef title(s):\n    return s.title()\n"
V2 = V1.replace("s.lower()", "s.strip().lower()")
V3 = V2.replace("s.title()", "s.capitalize()")
Calls = list[tuple[str, dict[str, Any], str]]


def edit(old: str = "s.lower()", new: str = "s.strip().lower()") -> tuple[str, dict[str, Any], str]:
    return "edit", {"filePath": "util.py", "oldString": old, "newString": new}, "Edit applied successfully."


def write(text: str, path: str = "util.py") -> tuple[str, dict[str, Any], str]:
    return "write", {"filePath": path, "content": text}, "Wrote file successfully."


def shell(command: str, output: str = "") -> tuple[str, dict[str, Any], str]:
    return "bash", {"command": command, "description": "x"}, output


def read(text: str, path: str = "util.py") -> tuple[str, dict[str, Any], str]:
    lines = text.splitlines()
    shown = "\n".join(f"{n}: {line}" for n, line in enumerate(lines, 1))
    frame = f"<path>{path}</path>\n<type>file</type>\n<content>\n{shown}\n\n(End of file - total {len(lines)} lines)\n"
    return "read", {"filePath": path}, frame + "</content>"


def call(session: Session, user: str | None, calls: Calls) -> dict[str, str]:
    """An answer that holds some calls; their results, which the client has still to send."""
    name = f"c{len(session.messages)}_"
    made = {f"{name}{n}": {"name": tool, "arguments": arguments} for n, (tool, arguments, _) in enumerate(calls)}
    session.ask(user, None, made)
    return {f"{name}{n}": result for n, (_, _, result) in enumerate(calls)}


def at_once(session: Session, *calls: tuple[str, dict[str, Any], str], backwards: bool = False) -> Session:
    results = call(session, "Go on.", list(calls))
    sent = dict(reversed(results.items())) if backwards else results
    return session.ask(None, "Done.", results=sent)


@pytest.fixture
def known(session: Session) -> Session:
    session.ask("Create it.", None, {"w": {"name": "write", "arguments": write(V1)[1]}})
    session.ask(None, "Done.", results={"w": "Wrote file successfully."}).forget()
    assert session.holds("util.py", V1)
    return session


def is_dirty(session: Session, path: str = "util.py") -> bool:
    return session.state().get(path) == "DIRTY"


class TestCallsOfOneAnswer:
    @pytest.mark.parametrize("backwards", [False, True])
    @pytest.mark.parametrize(
        "change",
        [edit(), write(V2), shell(f"cat > util.py <<'EOF'\n{V2}EOF"), shell("sed -i 's/lower/upper/' util.py")],
    )
    def test_a_read_that_shows_another_text_than_a_change_left(
        self, known: Session, change: tuple[str, dict[str, Any], str], backwards: bool
    ) -> None:
        assert is_dirty(at_once(known, change, read(V1), backwards=backwards))

    @pytest.mark.parametrize(
        "change",
        [
            shell("git checkout main", "Switched to branch 'main'"),
            shell("black util.py", "reformatted util.py"),
            shell("python rewrite.py util.py"),
        ],
    )
    def test_and_where_nobody_knows_what_changed(self, known: Session, change: tuple[str, dict[str, Any], str]) -> None:
        assert is_dirty(at_once(known, change, read(V1)))

    def test_bare_output(self, known: Session) -> None:
        assert is_dirty(at_once(known, edit(), shell("cat util.py", V1)))

    def test_what_was_removed_or_moved_does_not_come_back(self, known: Session) -> None:
        at_once(known, shell("mv util.py helpers.py"), read(V1))
        assert "util.py" not in known.state()
        assert known.holds("helpers.py", V1)
        at_once(known, shell("rm helpers.py"), read(V1, "helpers.py"))
        assert "helpers.py" not in known.state()

    def test_a_read_between_two_edits(self, known: Session) -> None:
        assert is_dirty(at_once(known, edit(), edit("s.title()", "s.capitalize()"), read(V2)))

    def test_what_agrees_stays(self, known: Session) -> None:
        assert at_once(known, edit(), read(V2)).holds("util.py", V2)
        assert at_once(known, edit("s.title()", "s.capitalize()"), shell("cat util.py", V3)).holds("util.py", V3)

    def test_a_file_that_was_made_and_read(self, known: Session) -> None:
        assert at_once(known, write(V1, "new.py"), read(V1, "new.py")).holds("new.py", V1)

    def test_a_read_before_the_edit(self, known: Session) -> None:
        assert at_once(known, read(V1), edit()).holds("util.py", V2)

    def test_a_read_before_the_edit_of_what_somebody_had_changed(self, known: Session) -> None:
        mine = V1.replace("import re", "import os")
        assert at_once(known, read(mine), edit()).holds("util.py", V2.replace("import re", "import os"))

    def test_a_read_that_may_show_what_the_edit_behind_it_made(self, known: Session) -> None:
        longer = edit("return s.lower()", "return s.lower().strip()\n    return s.lower()")
        after = V1.replace("    return s.lower()", "    return s.lower().strip()\n    return s.lower()")
        assert is_dirty(at_once(known, read(after), longer))

    def test_a_change_that_failed_is_none(self, known: Session) -> None:
        tool, arguments, _ = edit("s.upper()")
        at_once(known, (tool, arguments, "Error: oldString not found in content"), read(V2))
        assert known.holds("util.py", V2)

    def test_reads_of_other_files(self, known: Session) -> None:
        assert at_once(known, edit(), read(V3, "other.py")).holds("other.py", V3)
        assert known.holds("util.py", V2)

    def test_the_next_answer_s_read_counts(self, known: Session) -> None:
        at_once(known, edit(), read(V1))
        assert at_once(known, read(V2)).holds("util.py", V2)

    def test_a_history_that_nobody_heard(self, known: Session, sessions: Callable[..., Session]) -> None:
        at_once(known, write(V2, "b.py"), read(V1, "b.py"))
        at_once(known, edit(), read(V2))
        late = sessions("late")
        late.messages = [*known.messages, {"role": "user", "content": "And then?"}]
        late.request(late.messages, None)
        assert late.state().get("b.py", "DIRTY") == "DIRTY"


class TestRounds:
    def turn(self, *said: str) -> list[int]:
        """`a`: a call of that id; `=a`: its result; `.`: a word of the user's."""
        messages: list[dict[str, Any]] = []
        for one in said:
            if one == ".":
                messages.append({"role": "user", "content": "Hm."})
            elif one.startswith("="):
                messages.append({"role": "tool", "tool_call_id": one[1:], "content": "ok"})
            else:
                calls = [{"id": i, "type": "function", "function": {"name": "f", "arguments": "{}"}} for i in one]
                messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        talk = ReadingCache().talk(OpenAIChat().parse({"messages": messages}))
        found = [n for n, c in enumerate(talk.calls) if c is not None]
        return rounds(talk, found, lambda _: {})

    def test_calls_of_one_message(self) -> None:
        assert len(set(self.turn("ab", "=a", "=b"))) == 1

    def test_calls_without_a_result_between_them(self) -> None:
        assert len(set(self.turn("a", ".", "b", "=a", "=b"))) == 1

    def test_calls_given_for_a_result(self) -> None:
        assert len(set(self.turn("a", "=a", "b", "=b"))) == 2

    def test_calls_of_one_answer_that_the_client_tells_apart(self, known: Session) -> None:
        results = call(known, "Go on.", [edit(), read(V1)])
        said = known.messages.pop()
        for one in said["tool_calls"]:
            known.messages.append({"role": "assistant", "content": None, "tool_calls": [one]})
            known.messages.append({"role": "tool", "tool_call_id": one["id"], "content": results[one["id"]]})
        known.ask(None, "Done.")
        assert is_dirty(known)


class TestConversationsThatCross:
    @pytest.fixture
    def other(self, known: Session, sessions: Callable[..., Session]) -> Session:
        return Session(known.engine, known.database, known.workspace)

    @pytest.mark.parametrize("late", [read(V1), shell("cat util.py", V1)])
    def test_a_read_from_before_the_other_s_change(
        self, known: Session, other: Session, late: tuple[str, dict[str, Any], str]
    ) -> None:
        results = call(known, "Look at it.", [late, shell("pytest -q", "4 passed")])
        at_once(other, edit())
        known.ask(None, "It lowers.", results=results)
        assert is_dirty(known)

    @pytest.mark.parametrize("again", [shell("sed -i 's/title/upper/' util.py"), edit("not", "there")])
    def test_a_read_from_before_one_more_change_of_an_unknown_text(
        self, known: Session, other: Session, again: tuple[str, dict[str, Any], str]
    ) -> None:
        at_once(other, shell("sed -i 's/lower/upper/' util.py"))
        results = call(known, "Look at it.", [read(V2)])
        at_once(other, again)
        known.ask(None, "It lowers.", results=results)
        assert is_dirty(known)

    def test_one_that_shows_the_other_s_change(self, known: Session, other: Session) -> None:
        results = call(known, "Look at it.", [read(V2)])
        at_once(other, edit())
        assert known.ask(None, "It strips.", results=results).holds("util.py", V2)

    def test_a_read_of_what_the_other_removed(self, known: Session, other: Session) -> None:
        results = call(known, "Look at it.", [read(V1)])
        at_once(other, shell("rm util.py"))
        known.ask(None, "It lowers.", results=results)
        assert "util.py" not in known.state()

    @pytest.mark.parametrize("theirs", [write(V3), edit("s.title()", "s.capitalize()")])
    @pytest.mark.parametrize("mine", [write(V2), edit(), shell("mv other.py util.py")])
    def test_a_change_that_crossed_the_other_s(
        self,
        known: Session,
        other: Session,
        mine: tuple[str, dict[str, Any], str],
        theirs: tuple[str, dict[str, Any], str],
    ) -> None:
        results = call(known, "Change it.", [mine])
        at_once(other, theirs)
        known.ask(None, "Done.", results=results)
        assert is_dirty(known)

    def test_both_wrote_the_same(self, known: Session, other: Session) -> None:
        results = call(known, "Write it.", [write(V2)])
        at_once(other, write(V2))
        assert known.ask(None, "Done.", results=results).holds("util.py", V2)

    def test_what_failed_changes_nothing(self, known: Session, other: Session) -> None:
        tool, arguments, _ = write(V3)
        results = call(known, "Write it.", [(tool, arguments, "Error: the disk is full")])
        at_once(other, write(V2))
        known.ask(None, "It failed.", results=results)
        assert not known.holds("util.py", V3)

    def test_calls_given_after_the_other_s_change(self, known: Session, other: Session) -> None:
        known.ask("Hello there, how do you do?", "Well.")
        at_once(other, edit())
        assert at_once(known, edit("s.title()", "s.capitalize()")).holds("util.py", V3)
        assert at_once(other, read(V1)).holds("util.py", V1), "somebody took it all back"

    def test_a_result_that_comes_turns_later(self, known: Session, other: Session) -> None:
        results = call(known, "Look at it.", [read(V1)])
        known.ask("Are you still there?", "Yes, I am.")
        at_once(other, edit())
        known.ask("Go on then, please.", "Still here.")
        known.ask(None, "It lowers.", results=results)
        assert is_dirty(known)

    def test_two_clients_whose_calls_and_results_are_the_same(self, known: Session, other: Session) -> None:
        mine = {"call_0": {"name": "write", "arguments": write(V2)[1]}}
        theirs = {"call_0": {"name": "write", "arguments": write(V3)[1]}}
        done = {"call_0": "Wrote file successfully."}
        known.ask("Change it.", None, mine)
        other.ask("Go on.", None, theirs).ask(None, "Done.", results=done)
        known.ask(None, "Done.", results=done)
        assert is_dirty(known), "the result is the first one's own, and the other's came between"
