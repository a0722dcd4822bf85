"""The model's own text that comes back in a user's message: it is no user's showing (SEMANTICS 2, Positive proof)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .helpers import Session
from .test_turns import V1, V2, fence

OTHER = "def slug(s):\n    return s.casefold()\n"
SPEAKS = "Please have a look at all the places in the project that call slug, and tell me what each of them passes."
PLAN = f"# Plan\n\nWe let slug strip its argument, because the callers do not do it.\n\n{fence('util.py', OTHER)}\nThen we run the tests."
CONTEXT = "<task>\n{}\n</task>"
COMPACT = (
    "Your task is to create a detailed summary of the conversation so far, paying close attention to the user's "
    "explicit requests and your previous actions.\nThis summary should be thorough in capturing technical details, "
    "code patterns, and architectural decisions that would be essential for going on."
)
Made = Callable[..., Session]


def call(name: str, **arguments: Any) -> dict[str, dict[str, Any]]:
    return {"c1": {"name": name, "arguments": arguments}}


def task(text: str) -> dict[str, dict[str, Any]]:
    return call("Task", description="look", subagent_type="general-purpose", prompt=text)


def other(session: Session) -> Session:
    """Another conversation of the same client."""
    return Session(session.engine, session.database, session.workspace)


def said(session: Session, calls: dict[str, dict[str, Any]] | None, answer: str | None = None) -> Session:
    """A session that knows V2, and whose model has then said something."""
    session.ask(fence("util.py", V1), "ok").ask("Now it is:\n\n" + fence("util.py", V2), "ok")
    return session.ask("Go on.", answer, calls)


WAYS = [
    pytest.param(task(f"{SPEAKS}\n\n{fence('util.py', OTHER)}"), f"{SPEAKS}\n\n{fence('util.py', OTHER)}", id="task"),
    pytest.param(
        task(f"{SPEAKS}\n\n{fence('util.py', OTHER)}"),
        f"{SPEAKS}\n\n{fence('util.py', OTHER)}\n\n<system-reminder>\nBe brief.\n</system-reminder>",
        id="with what the client adds",
    ),
    pytest.param(
        call("ExitPlanMode", plan=PLAN), f"Implement the following plan:\n\n{PLAN}\n\nAsk if in doubt.", id="plan"
    ),
    pytest.param(call("ExitPlanMode", plan=PLAN), f"Implement this: {PLAN}", id="plan in a line"),
    pytest.param(
        call("Write", file_path="plans/slug.md", content=PLAN),
        f"Implement the following plan:\n\n{PLAN}",
        id="plan file",
    ),
    pytest.param(
        call("new_task", context=f"{SPEAKS}\n\n{fence('util.py', OTHER)}"),
        CONTEXT.format(f"{SPEAKS}\n\n{fence('util.py', OTHER)}"),
        id="new task",
    ),
    pytest.param(
        call("delegate", to="worker", brief={"text": f"{SPEAKS}\n\n{fence('util.py', OTHER)}"}),
        f"You are worker 3.\n\n{SPEAKS}\n\n{fence('util.py', OTHER)}",
        id="a tool that nobody knows",
    ),
    pytest.param(
        call("Bash", command=f"agent -p <<'EOF'\n{SPEAKS}\n\n{fence('util.py', OTHER)}\nEOF"),
        f"{SPEAKS}\n\n{fence('util.py', OTHER)}",
        id="a shell",
    ),
    pytest.param(
        call("new_task", context=f'{SPEAKS}\n<file_content path="util.py">\n{OTHER}</file_content>'),
        CONTEXT.format(f'{SPEAKS}\n<file_content path="util.py">\n{OTHER}</file_content>'),
        id="an attachment",
    ),
]


@pytest.mark.parametrize(("calls", "comes"), WAYS)
def test_what_the_model_wrote_in_a_call_is_no_users_showing(
    session: Session, calls: dict[str, dict[str, Any]], comes: str
) -> None:
    shell = "Bash" in str(calls)
    said(session, calls)
    other(session).ask(comes)
    assert session.state()["util.py"] in (["DIRTY"] if shell else []) or session.holds("util.py", V2)
    other(session).ask(comes.replace("util.py", "new.py"))
    assert "new.py" not in session.state(), "under another name it is no user's either"


@pytest.mark.parametrize(("calls", "comes"), WAYS)
def test_nor_does_it_bring_a_file(session: Session, calls: dict[str, dict[str, Any]], comes: str) -> None:
    session.ask("Hi.", None, calls)
    other(session).ask(comes)
    assert session.state().get("util.py") is None


def test_an_answer_to_an_errand(session: Session) -> None:
    summary = f"<analysis>\nShort.\n</analysis>\n<summary>\n{PLAN}\n</summary>"
    said(session, None, "ok").ask(COMPACT, summary)
    assert session.episode is not None
    assert session.episode.side
    other(session).ask(f"This is what was done before.\n\n{PLAN}\n\nGo on with it.")
    assert session.holds("util.py", V2)


def test_a_whole_answer_with_its_words_in_another_conversation(session: Session) -> None:
    """A summary that was asked for in words that no table knows."""
    session.tools = ("Edit",)  # its text is talk
    said(session, None, PLAN)
    other(session).ask(f"A summary of what was said before:\n\n{PLAN}\n\nGo on with it.")
    assert session.holds("util.py", V2)


def test_a_user_who_pastes_code_of_an_answer_means_it(session: Session) -> None:
    session.tools = ("Edit",)
    said(session, None, PLAN).ask("Now it is:\n\n" + fence("util.py", OTHER))
    assert session.holds("util.py", OTHER)


class TestCodeAlone:
    """A block of the model's argument in a text of other words: a client may have cut it out, or a user pasted it."""

    def test_it_is_doubt_where_it_differs(self, session: Session) -> None:
        said(session, call("ExitPlanMode", plan=PLAN))
        other(session).ask("So:\n\n" + fence("util.py", OTHER))
        assert session.state()["util.py"] == "DIRTY"

    def test_and_nothing_where_it_is_ours(self, session: Session) -> None:
        said(session, task(f"{SPEAKS}\n\n{fence('util.py', V2)}"))
        session.ask("Once more:\n\n" + fence("util.py", V2))
        assert session.holds("util.py", V2)

    def test_and_brings_no_file(self, session: Session) -> None:
        session.ask("Hi.", None, call("ExitPlanMode", plan=PLAN))
        other(session).ask("So:\n\n" + fence("util.py", OTHER))
        assert session.state() == {}

    def test_an_argument_that_is_code_and_nothing_else(self, session: Session) -> None:
        said(session, call("new_task", context=OTHER))
        other(session).ask(fence("util.py", OTHER))
        assert session.state()["util.py"] == "DIRTY"

    def test_other_code_of_the_same_message_counts(self, session: Session) -> None:
        said(session, call("ExitPlanMode", plan=PLAN))
        mine = "def mine():\n    return 1\n"
        session.ask(f"Implement the following plan:\n\n{PLAN}\n\nAnd here is what I have:\n\n{fence('mine.py', mine)}")
        assert session.holds("mine.py", mine)
        assert session.holds("util.py", V2)


class TestUsersWord:
    def test_what_the_model_passes_on_changes_nothing(self, session: Session) -> None:
        session.ask(fence("util.py", V1), None, task(f"{SPEAKS}\n\n{fence('util.py', V1)}"))
        other(session).ask(f"{SPEAKS}\n\n{fence('util.py', V1)}")
        assert session.holds("util.py", V1)
        session.ask("Again:\n\n" + fence("util.py", V1), results={"c1": "Done."})
        assert session.holds("util.py", V1)

    def test_the_first_request_made_anew_after_the_model_passed_it_on(self, session: Session) -> None:
        text = f"{SPEAKS}\n\n{fence('util.py', V1)}"
        session.ask(text, None, task(text))
        session.forget().ask(text, "ok")
        assert session.holds("util.py", V1)

    def test_a_message_that_the_model_repeats_word_for_word_is_the_users_all_the_same(self, session: Session) -> None:
        """Where it was said, it is the user's again; elsewhere nobody knows, and our newer text is not kept."""
        text = f"{SPEAKS}\n\n{fence('util.py', V1)}"
        session.ask(text, None, task(text)).ask(fence("util.py", V2), results={"c1": "Done."})
        assert session.holds("util.py", V2)
        session.ask(text)
        assert session.holds("util.py", V1)
        session.ask(fence("util.py", V2))
        other(session).ask("Go on.", "ok").ask(text)
        assert session.state()["util.py"] == "DIRTY"

    def test_who_goes_on_where_the_model_told_somebody_pastes_it(self, session: Session) -> None:
        said(session, task(f"{SPEAKS}\n\n{fence('util.py', OTHER)}"))
        session.ask("So:\n\n" + fence("util.py", OTHER), results={"c1": "Done."})
        assert session.holds("util.py", OTHER)

    @pytest.mark.parametrize("words", ["I applied it:", "Here is my file now:", "It is now:"])
    def test_words_of_the_users_own_claim_it(self, session: Session, words: str) -> None:
        said(session, task(f"{SPEAKS}\n\n{fence('util.py', OTHER)}"))
        led(session).ask(f"{words}\n\n{fence('util.py', OTHER)}")
        assert session.holds("util.py", OTHER)

    def test_the_text_of_a_file_that_an_edit_wrote(self, session: Session) -> None:
        """To paste it later is to go back to it."""
        session.ask(fence("util.py", V1), None, call("Write", file_path="util.py", content=V2))
        session.ask(fence("util.py", OTHER), results={"c1": "The file util.py has been updated."})
        session.ask("Back to:\n\n" + fence("util.py", V2))
        assert session.holds("util.py", V2)

    def test_a_listing_is_made_from_the_disk(self, session: Session) -> None:
        said(session, task(f"{SPEAKS}\n\n{fence('util.py', OTHER)}"))
        listing = (
            f"I have *added these files to the chat* so you see all of their contents.\n\nutil.py\n```\n{OTHER}```\n"
        )
        other(session).ask(listing)
        assert session.holds("util.py", OTHER)

    def test_other_workspaces_hear_of_it(self, sessions: Made) -> None:
        """An agent works in a folder of its own."""
        here, there = sessions("here"), sessions("there")
        here.ask("Hi.", None, call("ExitPlanMode", plan=PLAN))
        there.ask(PLAN)
        assert there.state() == {}


REFRAMED = [
    pytest.param(f'<file path="util.py">\n{OTHER}</file>', id="tag"),
    pytest.param(f"### util.py\n```python\n{OTHER}```", id="heading"),
    pytest.param(f"Please look at this.\n\nutil.py\n```python\n{OTHER}```\n\nBe brief.", id="template"),
    pytest.param("util.py\n```python\n" + OTHER.replace("\n", "\r\n") + "```", id="line ends"),
    pytest.param(f'<file_content path="util.py">\n{OTHER}</file_content>', id="attachment"),
]
ARGUMENTS = [
    pytest.param(call("delegate", files=[{"path": "util.py", "content": OTHER}], note="a note"), id="files"),
    pytest.param(call("delegate", context=f"It is in a file.\n{OTHER}"), id="context"),
    pytest.param(call("delegate", brief='{"snippets": ["def slug(s):\\n    return s.casefold()\\n"]}'), id="json"),
    pytest.param(call("Task", prompt="Read:\n\n    def slug(s):\n        return s.casefold()\n"), id="indented"),
]


@pytest.mark.parametrize("comes", REFRAMED)
@pytest.mark.parametrize("calls", ARGUMENTS)
def test_code_of_an_argument_in_a_frame_of_the_clients(
    session: Session, calls: dict[str, dict[str, Any]], comes: str
) -> None:
    other(session).ask("Hi.", None, calls)
    other(session).ask(comes)
    assert session.state() == {}
    session.ask(fence("util.py", V2))
    led(session).ask(comes)
    assert session.state()["util.py"] == "DIRTY"


LONG = V1 + "\n\ndef title(s):\n    return s.title()\n"
SHORT = "def slug(text):\n    return text.strip().casefold()\n"
DENIED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


def led(session: Session) -> Session:
    """Another conversation of the same client, with instructions of its own."""
    found = other(session)
    found.messages = [{"role": "system", "content": "You are a reviewer."}]
    return found


class TestCandidates:
    """What the gates or the user refused, shown to somebody who shall review it."""

    def refused(self, session: Session, how: str) -> Session:
        if how == "answer":
            return session.ask(fence("util.py", LONG), "Whole:\n\n" + fence("util.py", SHORT))
        session.tools = ("Write", "Edit")
        new = {"Write": {"file_path": "util.py", "content": SHORT}}
        edit = {"file_path": "util.py", "old_string": "\n\ndef title(s):\n    return s.title()\n", "new_string": ""}
        calls = {"c1": {"name": how, "arguments": new.get(how, edit)}}
        return session.ask(fence("util.py", LONG), None, calls).ask(None, "ok", results={"c1": DENIED})

    @pytest.mark.parametrize(
        "frame", ["Review the following change:\n\n{}", "{}", "The candidate:\n\n{}\n\nIs it right?"]
    )
    @pytest.mark.parametrize("whole", [fence("util.py", "{}"), '<file_content path="util.py">\n{}</file_content>'])
    @pytest.mark.parametrize("how", ["answer", "Write", "Edit"])
    def test_it_never_becomes_the_truth(self, session: Session, how: str, whole: str, frame: str) -> None:
        self.refused(session, how)
        before = session.state()
        led(session).ask(frame.format(whole.format(V1 if how == "Edit" else SHORT)))
        now = session.state()
        assert all(now[name] in ("DIRTY", artifact) for name, artifact in before.items())
        if frame == "{}" and how != "Edit":  # what is left of it stands in our text
            assert now["util.py"] == "DIRTY"

    @pytest.mark.parametrize("how", ["answer", "Write"])
    def test_who_goes_on_and_pastes_it_means_it(self, session: Session, how: str) -> None:
        self.refused(session, how).ask(f'<file_content path="util.py">\n{SHORT}</file_content>\nName it better.')
        assert session.holds("util.py", SHORT)

    def test_nor_does_a_chat_without_instructions_belong_to_an_agent(self, session: Session) -> None:
        self.refused(session, "answer")
        other(session).ask(f'<file_content path="util.py">\n{SHORT}</file_content>\nName it better.')
        assert session.holds("util.py", SHORT)

    def test_a_line_of_somebody_elses_is_the_disks(self, session: Session) -> None:
        self.refused(session, "answer")
        mine = LONG.replace("s.title()", "s.title().strip()")
        led(session).ask(f'<file_content path="util.py">\n{mine}</file_content>\nWhy?')
        assert session.holds("util.py", mine)

    def test_what_was_the_truth_once_may_be_so_again(self, session: Session) -> None:
        session.tools = ("Write",)
        calls = {"c1": {"name": "Write", "arguments": {"file_path": "util.py", "content": SHORT}}}
        session.ask(fence("util.py", V1), None, calls)
        session.ask(fence("util.py", V2), results={"c1": "The file util.py has been updated."})
        led(session).ask(f'<file_content path="util.py">\n{SHORT}</file_content>\nWhy?')
        assert session.holds("util.py", SHORT)


@pytest.mark.parametrize("answer", [None, PLAN])
def test_in_a_history_that_is_joined_late(session: Session, answer: str | None) -> None:
    session.tools = ("Edit",)  # its text is talk
    session.ask("Hi.", answer, call("ExitPlanMode", plan=PLAN) if answer is None else None)
    late = other(session)
    late.messages = [
        {"role": "user", "content": f"Implement the following plan:\n\n{PLAN}"},
        {"role": "assistant", "content": "I shall do that, and tell you when it is done."},
    ]
    late.ask("Well?")
    assert late.state() == {}


def test_a_document_that_the_model_wrote_for_nobody_is_not_a_files_text(session: Session) -> None:
    session.ask("Hi.", None, call("ExitPlanMode", plan=PLAN))
    other(session).ask(f"plan.md\n````markdown\n{PLAN}\n````")
    assert session.state() == {}


def test_nothing_is_asked_where_no_code_is_shown(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    from tslp_litellm.store import hearsay

    asked: list[object] = []
    find = hearsay.find
    monkeypatch.setattr(hearsay, "find", lambda *given: (asked.append(given), find(*given))[1])
    session.ask("What does `slug` do?", "ok").ask("And why?", "ok")
    assert asked == []
    session.ask(fence("util.py", V1), "ok")
    assert asked


def test_a_call_of_an_answer_that_was_cut_short(session: Session) -> None:
    """Its client may have carried it out."""
    session.ask("Hi.", None, task(f"{SPEAKS}\n\n{fence('util.py', OTHER)}"), finish="length")
    other(session).ask(f"{SPEAKS}\n\n{fence('util.py', OTHER)}")
    assert session.state() == {}
