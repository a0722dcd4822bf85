"""User verification: whoever goes on from a candidate makes it the truth; in doubt nobody did."""

from __future__ import annotations

import pytest

from .helpers import Session
from .test_audit import ACCOUNT, FMT, LESS, LOSSY, OTHER, fence

GOES_ON = "Thanks. Now please add a docstring to clean in fmt.py."


@pytest.fixture
def lossy(session: Session) -> Session:
    """The user saw fmt.py hydrated, and the answer lost a function that nobody asked to lose."""
    session.ask("Write fmt.py.", fence("fmt.py", FMT)).forget()
    session.ask("Make clean faster in fmt.py.", fence("fmt.py", LOSSY))
    assert session.hydrated == ["fmt.py"]
    assert session.holds("fmt.py", FMT)
    return session


def test_a_further_change_makes_the_candidate_the_truth_before_hydration(lossy: Session) -> None:
    lossy.ask(GOES_ON)
    assert lossy.holds("fmt.py", LOSSY)
    assert "fmt.py::title_case" not in lossy.state()
    assert "_SPACES" in lossy.prompt or lossy.hydrated == [], "the new text stands in the request already"
    assert "title_case" not in lossy.prompt
    states = {(s["entity"], s["state"], s["reason"]) for s in lossy.recent()[0]["artifact_states"]}
    assert ("fmt.py", "AUTHORITATIVE", "user-verification") in states
    assert ("fmt.py::title_case", "TOMBSTONED", "user-verification") in states


def test_text_that_stood_in_the_request_counts_as_hydrated(session: Session) -> None:
    session.ask(fence("fmt.py", FMT) + "Make clean faster.", fence("fmt.py", LOSSY))
    assert session.hydrated == []
    session.ask(GOES_ON)
    assert session.holds("fmt.py", LOSSY)


@pytest.mark.parametrize(
    "prompt",
    [
        "Add type hints to fmt.py.",
        "Great! Can you document fmt.py?",
        "Now in fmt.py, rename clean to squeeze.",
        "I'd like you to extend fmt.py with a slug function.",
        "- improve the names in `fmt.py`",
        "Jetzt ändere fmt.py, bitte.",
        "修改 fmt.py",
    ],
)
def test_ways_to_go_on(lossy: Session, prompt: str) -> None:
    lossy.ask(prompt)
    assert lossy.holds("fmt.py", LOSSY)


@pytest.mark.parametrize(
    "prompt",
    [
        "Thanks.",
        "Now say hello.",
        "Add a docstring to clean.",  # a part of the file: the loss may not have been seen
        "What does fmt.py return?",
        "Should I add tests to fmt.py?",
        "Why did you change fmt.py?",
        "Don't change fmt.py.",
        "Add a test, but leave fmt.py as it is, do not touch it.",
        "Add title_case back to fmt.py.",
        "Make title_case in fmt.py faster too.",
        "Remove title_case from fmt.py.",
        "Revert fmt.py and add a docstring to it.",
        "Fix fmt.py: something is missing.",
        "Change fmt.py again, you dropped a function.",
        "Make fmt.py as it was before.",
        "Add a docstring to other/fmt.py.",
        "Update fmt.py like this:\n\n```python\ndef clean(s):\n    return s\n```",
        "Update fmt.py like this:\n\n    def clean(s):\n        return s",
    ],
)
def test_in_doubt_nobody_verified_anything(lossy: Session, prompt: str) -> None:
    lossy.ask(prompt)
    assert not lossy.holds("fmt.py", LOSSY)
    assert "fmt.py::title_case" in lossy.state()
    lossy.ask(GOES_ON)
    assert not lossy.holds("fmt.py", LOSSY), "the chance was that one turn"


def test_the_user_pastes_the_file_as_it_was(lossy: Session) -> None:
    lossy.ask(fence("fmt.py", FMT) + "Add a docstring to fmt.py.")
    assert lossy.holds("fmt.py", FMT)


def test_an_entity_that_the_model_had_not_in_view(session: Session) -> None:
    session.ask("Write fmt.py.", fence("fmt.py", FMT)).forget()
    session.ask("Make it all faster.", fence("fmt.py", LOSSY))
    session.ask(GOES_ON)
    assert session.holds("fmt.py", FMT)


def test_what_gate_a_refused_stays_refused(session: Session) -> None:
    session.ask(fence("fmt.py", FMT) + "Improve it.", fence("fmt.py", "import re\n\n# ... existing code ...\n"))
    session.ask(GOES_ON)
    assert session.holds("fmt.py", FMT)


def test_a_file_that_has_moved_since(lossy: Session) -> None:
    other = Session(lossy.engine, lossy.database)
    mine = FMT.replace("title()", "upper()")
    other.ask(fence("fmt.py", mine))
    lossy.ask(GOES_ON)
    assert lossy.holds("fmt.py", mine)


def test_only_the_latest_candidate_counts(lossy: Session) -> None:
    other = Session(lossy.engine, lossy.database)
    other.ask("Make it faster.", fence("fmt.py", OTHER))
    lossy.ask(GOES_ON)
    assert lossy.holds("fmt.py", FMT)


def test_an_answer_that_the_user_went_back_behind(session: Session) -> None:
    session.ask("Write fmt.py.", fence("fmt.py", FMT) + "That is the whole of it, and it does what you said.")
    session.ask("Make clean faster in fmt.py.", fence("fmt.py", LOSSY))
    session.messages = session.messages[:2]
    session.ask("Add a docstring to fmt.py.")
    assert session.holds("fmt.py", FMT)


def test_another_conversation_verifies_nothing(lossy: Session) -> None:
    lossy.forget().ask("Add a docstring to fmt.py.")
    assert lossy.holds("fmt.py", FMT)


def test_a_tail_that_several_files_have(session: Session) -> None:
    session.ask("Write a/fmt.py.", fence("a/fmt.py", FMT)).ask("Write b/fmt.py.", fence("b/fmt.py", FMT)).forget()
    session.ask("Make clean faster in a/fmt.py.", fence("a/fmt.py", LOSSY))
    session.ask("Add a docstring to fmt.py.")
    assert session.holds("a/fmt.py", FMT)


def test_a_tail_that_one_file_has(session: Session) -> None:
    session.ask("Write a/fmt.py.", fence("a/fmt.py", FMT)).forget()
    session.ask("Make clean faster in a/fmt.py.", fence("a/fmt.py", LOSSY))
    session.ask("Add a docstring to fmt.py.")
    assert session.holds("a/fmt.py", LOSSY)


def test_a_rename_is_confirmed_by_going_on(session: Session) -> None:
    renamed = FMT.replace("title_case", "titled")
    session.ask("Write fmt.py.", fence("fmt.py", FMT)).forget()
    session.ask("Clean up fmt.py.", fence("fmt.py", renamed))
    session.ask("Now add a docstring to titled in fmt.py.")
    assert session.holds("fmt.py", renamed)
    assert "[STATE NOTICE]" not in session.prompt


def test_a_class_by_its_name(session: Session) -> None:
    session.ask("Write acc.py.", fence("acc.py", ACCOUNT)).forget()
    session.ask("Make `Account` refuse negative sums.", fence("acc.py", LESS))
    assert session.hydrated == ["acc.py::Account"]
    session.ask("Now add a docstring to Account.")
    assert "acc.py::Account.withdraw" not in session.state()
    assert session.holds("acc.py", LESS + ACCOUNT[ACCOUNT.index("\n\ndef bank") :])


def test_the_audit_comes_too_late_for_what_the_user_verified(lossy: Session) -> None:
    (question,) = lossy.questions
    lossy.ask(GOES_ON)
    assert lossy.audit(question, "completed") == "late"
    assert lossy.holds("fmt.py", LOSSY)
