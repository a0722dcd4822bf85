"""Conversations that go back: regenerated and rewound answers, undone edits, and what only looks like it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .helpers import Session

V1 = "def slug(s):\n    return s.lower()\n"
V2 = "def slug(s):\n    return s.strip().lower()\n"
V3 = "def slug(s):\n    return s.casefold()\n"
READY = "I will remember this file for the rest of this conversation, just ask."


def fence(text: str, path: str = "util.py") -> str:
    return f"{path}\n```python\n{text}```\n"


def edit(call: str = "e1", old: str = "s.lower()", new: str = "s.strip().lower()") -> dict[str, dict[str, Any]]:
    return {call: {"name": "Edit", "arguments": {"file_path": "util.py", "old_string": old, "new_string": new}}}


DONE = "The file util.py has been updated successfully."


@pytest.fixture
def chat(session: Session) -> Session:
    return session.ask(fence(V1) + "\nRemember this file, I will ask for more about it later on.", READY)


@pytest.fixture
def coder(sessions: Callable[..., Session]) -> Session:
    """A client with tools, whose edit of util.py was confirmed."""
    session = sessions(tools=("Edit", "Read"))
    session.ask(fence(V1) + "\nRemember this file, I will ask for more about it later on.", READY)
    session.ask("Make slug strip please, and tell me when you are done.", None, edit())
    session.ask(None, "Done, slug strips white space now.", results={"e1": DONE})
    assert session.holds("util.py", V2)
    return session


def back_to(session: Session, count: int) -> Session:
    session.messages = session.messages[:count]
    return session


def test_a_regenerated_answer_is_no_truth_while_the_next_one_is_made(chat: Session) -> None:
    chat.ask("Make slug strip, but only on the left side please.", fence(V2))
    assert chat.holds("util.py", V2)
    chat.request(back_to(chat, 3).messages, None)
    assert chat.holds("util.py", V1)
    chat.ask(None, "Should it also strip tabs?").ask("No. How does `slug` look?", "As before.")
    assert chat.holds("util.py", V1)
    assert V2 not in str(chat.sent)


@pytest.mark.parametrize(
    ("written", "held"),
    [
        ("[An answer that was put away]", V2),
        (fence(V3), V3),
        (f"```python\n{V3}```", V3),
        (f"```python\n{V2}```", V2),
        ("```python\nprint(slug('A'))\n```", V2),
        ("Sure.\n\n" + fence(V2) + "\nAs you said.", V2),
        ("util.py\n```python\ndef slug(s):\n    return s.strip().lower()\n```", V2),
    ],
)
@pytest.mark.parametrize("talked", [True, False])
def test_an_answer_that_somebody_wrote_anew(session: Session, written: str, held: str, talked: bool) -> None:
    chat = session.ask(fence(V1) + "\nRemember this file, I will ask for more about it later on.", READY)
    if talked:
        chat.ask("Which case does slug give, please?", "The lower one.")
    chat.ask("Make slug strip, but only on the left side please.", fence(V2))
    chat.messages[-1] = {"role": "assistant", "content": written}
    chat.ask("And how does `slug` look to you now?", "As I said.").ask("Thank you very much for that.", "Welcome.")
    assert chat.holds("util.py", held)


def test_what_somebody_wrote_into_an_answer_stands_where_the_next_one_is_made_anew(chat: Session) -> None:
    chat.ask("Make slug strip, but only on the left side please.", fence(V2))
    chat.messages[-1] = {"role": "assistant", "content": f"Here:\n\n```python\n{V3}```\n"}
    chat.ask("Make slug strip as well, on both sides if you please.", fence(V2))
    assert chat.holds("util.py", V2)
    back_to(chat, len(chat.messages) - 2).ask("Which sides does slug strip now, please?", "None of them.")
    assert chat.holds("util.py", V3)


class TestAFileOfUnknownText:
    """A function was added to it, and nobody knows where: its definitions are known each by itself."""

    TITLE = "def title(s):\n    return s.title()\n"
    BRIEF = "def brief(s):\n    return s[:9]\n"

    @pytest.fixture
    def two(self, session: Session) -> Session:
        session.ask(
            fence(V1 + "\n\n" + self.TITLE) + "\nRemember this file, I will ask for more about it later on.", READY
        )
        session.ask("Add a function `brief` to util.py, as short as it can be.", fence(self.BRIEF))
        assert session.state()["util.py"] == "DIRTY"
        return session

    def regenerated(self, session: Session, prompt: str, answer: str, again: str) -> None:
        session.ask(prompt, answer)
        back_to(session, len(session.messages) - 2).ask(prompt, again)

    def test_gets_back_what_the_answer_changed_and_keeps_the_rest(self, two: Session) -> None:
        self.regenerated(two, "In util.py, `slug`: strip it, too, please.", fence(V2), "Which side is it to be?")
        for name, text in {"slug": V1, "title": self.TITLE, "brief": self.BRIEF}.items():
            assert two.holds(f"util.py::{name}", text.rstrip()), name

    def test_keeps_what_the_user_has_shown_since_when_another_answer_is_made_anew(self, two: Session) -> None:
        self.regenerated(two, "In util.py, `slug`: strip it, too, please.", fence(V2), "Which side is it to be?")
        two.ask(f"Mine:\n\nutil.py::slug\n```python\n{V3}```", "Fine, I see.")
        self.regenerated(two, "In util.py, `title`: upper case instead.", "Which one?", "Which words of it?")
        assert two.holds("util.py::slug", V3.rstrip())


def test_an_answer_written_anew_by_a_client_with_tools_is_its_own_affair(coder: Session) -> None:
    coder.messages[-1] = {"role": "assistant", "content": "Something else altogether."}
    coder.ask("And how does `slug` look to you now?", "As I said.")
    assert coder.holds("util.py", V2)


def test_going_back_twice_and_to_the_first_answer_again(chat: Session) -> None:
    chat.ask("Make slug strip, but only on the left side please.", fence(V2))
    first = list(chat.messages)
    back_to(chat, 2).ask("Let slug fold the case instead, if you please.", fence(V3))
    assert chat.holds("util.py", V3)
    chat.messages = first
    chat.ask("So it strips. Thank you very much for that.", "You are welcome.")
    assert chat.holds("util.py", V2)


def test_a_file_that_only_a_left_answer_made_is_gone(session: Session) -> None:
    session.ask("Write util.py with a function slug in it, if you please.", fence(V1))
    assert session.holds("util.py", V1)
    session.messages = []
    session.ask("Write util.py with a function slug in it, if you please.", "Which language is it to be in?")
    assert session.state() == {}


def test_what_a_client_had_confirmed_is_unknown(coder: Session) -> None:
    back_to(coder, 2).ask("What does `slug` do now?", "It lowers.")
    assert coder.state()["util.py"] == coder.state()["util.py::slug"] == "DIRTY"
    assert coder.hydrated == []


def test_but_what_the_client_says_that_it_restored_is_known(coder: Session) -> None:
    back_to(coder, 2).ask("I went back. Now it is:\n\n" + fence(V1) + "\nWhat does it do?", "It lowers.")
    assert coder.holds("util.py", V1)


def test_a_read_that_is_left_with_the_edit_before_it_proves_nothing(coder: Session) -> None:
    coder.ask("Read it again, to be sure.", None, {"r1": {"name": "Read", "arguments": {"file_path": "util.py"}}})
    numbered = "".join(f"{n}\t{line}\n" for n, line in enumerate(V2.splitlines(), 1)) + "3\t"
    coder.ask(None, "It strips.", results={"r1": numbered})
    assert coder.holds("util.py", V2)
    back_to(coder, 2).ask("What does `slug` do now?", "It lowers.")
    assert coder.state()["util.py"] == "DIRTY"


def test_an_answer_to_a_result_that_still_stands_leaves_the_edit_true(coder: Session) -> None:
    back_to(coder, 5).ask(None, "Slug strips white space from both ends now.")
    assert coder.holds("util.py", V2)


@pytest.mark.parametrize("shown", [f'<file_content path="util.py">\n{V3}</file_content>\n', fence(V3)])
def test_a_paste_of_the_user_outlives_the_answer_before_it(chat: Session, shown: str) -> None:
    chat.ask("Make slug strip, but only on the left side please.", fence(V2))
    chat.ask(f"I have written it myself now:\n\n{shown}", "Fine.")
    assert chat.holds("util.py", V3)
    chat.request(back_to(chat, 3).messages, None)
    assert chat.holds("util.py", V3)


def test_what_stands_on_a_left_answer_is_unknown(chat: Session, sessions: Callable[..., Session]) -> None:
    chat.ask("Make slug strip, but only on the left side please.", fence(V2))
    other = sessions(tools=("Edit",))
    other.ask("Let slug return a tuple of two, if you please.", None, edit("o1", "return s", "return 1, s"))
    other.ask(None, "Done.", results={"o1": DONE})
    assert other.holds("util.py", V2.replace("return s", "return 1, s"))
    chat.request(back_to(chat, 3).messages, None)
    assert chat.state()["util.py"] == "DIRTY"


def test_a_history_cut_at_its_beginning_goes_on(coder: Session) -> None:
    coder.ask("And what does it do with tabs and the like?", "It strips tabs, too, as they are white space.")
    coder.messages = coder.messages[-2:]
    coder.ask("Good. And new lines?", "Those as well.")
    assert coder.holds("util.py", V2)


def test_an_answer_that_comes_back_in_other_words_is_no_going_back(chat: Session) -> None:
    chat.ask("Make slug strip, but only on the left side please.", "Here it is.\n\n" + fence(V2))
    chat.messages[-1] = {"role": "assistant", "content": "[An answer that the client has put away to save space]"}
    chat.ask("Thanks. And why does it strip?", "Because it was asked to.")
    assert chat.holds("util.py", V2)


def test_another_session_that_begins_alike_takes_nothing_back_that_a_client_confirmed(
    sessions: Callable[..., Session],
) -> None:
    prompt = "Please make slug in util.py strip white space at both ends."
    one = sessions(tools=("Edit",))
    one.ask(fence(V1) + "Look.", "I see a function that lowers what it is given.")
    one.forget().ask(prompt, None, edit()).ask(None, "Done.", results={"e1": DONE})
    sessions(tools=("Edit",)).ask("What is the time, and what will it be?", "I do not know.")
    sessions(tools=("Edit",)).ask(prompt, "It does so already.")
    assert one.holds("util.py", V2)


def test_turns_that_go_on_do_not_search_the_ledger(chat: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    from tslp_litellm.store.reading import WorkspaceReader

    monkeypatch.setattr(WorkspaceReader, "recent", lambda _: pytest.fail("nothing was left"))
    for n in range(3):
        chat.ask(f"Question {n}: what does slug do with an empty string?", f"Answer {n}: nothing at all.")
    chat.ask("Make slug strip, but only on the left side please.", fence(V2))


def test_two_sessions_that_begin_with_one_summary_are_two_sessions(session: Session) -> None:
    """A client's summary and the model's nod to it are no words of the user's: nothing is gone back to."""
    begun = [
        {
            "role": "user",
            "content": "This session is being continued from a previous conversation that ran out of context.",
        },
        {"role": "assistant", "content": "Understood."},
    ]
    session.messages = [*begun]
    session.ask("Write util.py with a function slug in it, if you please.", fence(V1))
    session.ask("Does it lower?", "It does.")
    session.messages = [*begun]
    session.ask("What is next?", "The tests.")
    assert session.holds("util.py", V1)


FIRST = "Make slug in util.py strip."


@pytest.mark.parametrize("between", [1, 3])
def test_a_conversation_that_goes_back_to_its_first_answer(session: Session, between: int) -> None:
    session.ask(fence(V1)).forget()
    session.ask(FIRST, fence(V2))
    for n in range(between):
        session.ask(f"Which python is this, number {n}?", "Three.")
    assert session.holds("util.py", V2)
    session.forget().ask(FIRST, "Both ends?")
    assert session.holds("util.py", V1)
    session.ask("Yes.", fence(V3))
    assert session.holds("util.py", V3)


def test_a_file_that_the_first_answer_made_is_gone_where_it_is_given_anew(session: Session) -> None:
    session.ask("Write a module.", fence(V1)).ask("Let it strip.", fence(V2))
    session.forget().ask("Write a module.", "In which language?")
    assert session.state() == {}


def test_the_first_answers_branch_may_be_taken_up_again(session: Session) -> None:
    session.ask(fence(V1)).forget()
    first = list(session.ask(FIRST, fence(V2)).ask("Which python is this?", "Three, as I said.").messages)
    session.forget().ask(FIRST, "Both ends, or only the one that is at the left?")
    session.messages = first
    session.ask("Thank you very much for that.", "You are welcome.")
    assert session.holds("util.py", V2)


def test_the_same_question_again_after_something_else_was_said(session: Session) -> None:
    session.ask(fence(V1)).forget()
    session.ask("Make slug in util.py strip, please.", fence(V2)).forget()
    session.ask("No, this is it:\n\n" + fence(V3)).forget()
    session.ask("Make slug in util.py strip, please.", "Which one?")
    assert session.holds("util.py", V3)


@pytest.mark.parametrize("what", ["tools", "others", "greeting", "other words"])
def test_a_session_of_its_own_that_begins_alike(sessions: Callable[..., Session], what: str) -> None:
    one = sessions(tools=("Edit",) if what == "tools" else ())
    first = "Go on." if what == "greeting" else FIRST
    one.ask(fence(V1)).forget()
    if what == "tools":
        one.ask(first, None, edit()).ask(None, "Done.", results={"e1": DONE})
    else:
        one.ask(first, fence(V2))
    one.ask("Which python is this?", "Three.")
    if what == "others":
        sessions().ask("What is the time, and what will it be?", "I do not know.")
    sessions(tools=one.tools).ask(first + " Please." if what == "other words" else first, "It does so already.")
    assert one.holds("util.py", V2)


def test_an_answer_that_was_cut_short_and_is_resent_leaves_nothing_of_what_was_before(chat: Session) -> None:
    """The client keeps its words, so that they are the model's last ones before a question that is asked twice."""
    chat.ask("Make slug strip, but only on the left side please.", fence(V2))
    chat.ask("And explain it to me at length.", "It strips what is", finish="length")
    chat.ask("Go on.", "It is white space.")
    back_to(chat, len(chat.messages) - 1).ask(None, "It is white space at both ends.")
    assert chat.holds("util.py", V2)


def test_what_was_left_stays_left_though_an_answer_was_cut_short_since(chat: Session) -> None:
    """The way that a conversation took is known only as far as all answers on it are ours as they stand there."""
    more = "\n\ndef title(s):\n    return s.title()\n"
    chat.ask(fence(V1 + more) + "\n" + fence(V3, "other.py") + "\nThese are longer.", READY)
    chat.ask("Make slug of util.py strip.", fence(V2))
    back_to(chat, 5).ask(None, fence(V2))
    mine = "def slug(s):\n    return s.strip(' ').lower()\n"
    chat.ask("No. I did it myself, it is now:\n\n" + fence(mine) + "\nExplain it at length.", "It", finish="length")
    chat.ask("And now `slug` of other.py, it should strip.", "Use `strip`.")
    back_to(chat, 9).ask(None, fence(V2, "other.py"))
    assert chat.holds("util.py", mine + more)
    assert chat.holds("other.py", V2)


class TestABranchThatIsTakenUpAgain:
    """What became of the file in the other one."""

    @pytest.fixture
    def first(self, coder: Session) -> list[dict[str, Any]]:
        coder.tools = ("Edit", "Read", "Bash")
        return list(coder.messages)

    def _takes(self, coder: Session, call: dict[str, Any], result: str) -> None:
        back_to(coder, 2).ask("Let slug return a tuple, if you please.", None, {"o1": call})
        coder.ask(None, "Done.", results={"o1": result})
        assert coder.state()["util.py"] == "DIRTY"

    @pytest.mark.parametrize(
        ("call", "result"),
        [
            (edit("o1", "return s", "return 1, s")["o1"], DONE),
            ({"name": "Bash", "arguments": {"command": "sed -i 's/lower/title/' util.py"}}, ""),
            ({"name": "Bash", "arguments": {"command": "git checkout ."}}, "Updated 1 path from the index"),
        ],
    )
    def test_does_not_come_back_over_what_a_client_confirmed(
        self, coder: Session, first: list[dict[str, Any]], call: dict[str, Any], result: str
    ) -> None:
        self._takes(coder, call, result)
        coder.messages = first
        coder.ask("Thank you very much for that.", "You are welcome.")
        assert coder.state()["util.py"] == coder.state()["util.py::slug"] == "DIRTY"
        coder.ask("Look at it.", None, {"r1": {"name": "Read", "arguments": {"file_path": "util.py"}}})
        coder.ask(
            None, "I see.", results={"r1": "".join(f"{n}\t{s}\n" for n, s in enumerate(V3.splitlines(), 1)) + "3\t"}
        )
        assert coder.holds("util.py", V3)

    def test_nor_over_what_another_session_did(
        self, coder: Session, first: list[dict[str, Any]], sessions: Any
    ) -> None:
        back_to(coder, 2).ask("What does slug do, and why does it do so?", "It lowers.")
        other = sessions(tools=("Edit",))
        other.ask("Let slug return a tuple of two, if you please.", None, edit("o1", "return s", "return 1, s"))
        other.ask(None, "Done.", results={"o1": DONE})
        coder.messages = first
        coder.ask("Thank you very much for that.", "You are welcome.")
        assert coder.state()["util.py"] == "DIRTY"

    @pytest.mark.parametrize(
        ("call", "result"),
        [
            (
                edit("o1", "return x", "return 1, s")["o1"],
                "<tool_use_error>String to replace not found in file.</tool_use_error>",
            ),
            ({"name": "Bash", "arguments": {"command": "ls -l util.py"}}, "util.py"),
            ({"name": "Edit", "arguments": {"file_path": "other.py", "old_string": "a", "new_string": "b"}}, DONE),
        ],
    )
    def test_comes_back_over_what_changed_nothing(
        self, coder: Session, first: list[dict[str, Any]], call: dict[str, Any], result: str
    ) -> None:
        self._takes(coder, call, result)
        coder.messages = first
        coder.ask("Thank you very much for that.", "You are welcome.")
        assert coder.holds("util.py", V2)
