"""The shadow audit's replies: what promotes, what is only recorded, and what comes too late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tslp_litellm.wire.turn import Answer

from .helpers import Session

FMT = "import re\n\n\ndef clean(s):\n    return re.sub(r'\\s+', ' ', s).strip()\n\n\ndef title_case(s):\n    return clean(s).title()\n"
LOSSY = "import re\n\n_SPACES = re.compile(r'\\s+')\n\n\ndef clean(s):\n    return _SPACES.sub(' ', s).strip()\n"
OTHER = "import re\n\n_TABS = re.compile(r'\\t+')\n\n\ndef clean(s):\n    return _TABS.sub(' ', s).strip()\n"
ACCOUNT = "class Account:\n    def deposit(self, n):\n        self.balance += n\n\n    def withdraw(self, n):\n        self.balance -= n\n\n\ndef bank():\n    return Account()\n"
LESS = "class Account:\n    def deposit(self, n):\n        if n < 0:\n            raise ValueError(n)\n        self.balance += n\n"


def fence(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


@pytest.fixture
def lossy(session: Session) -> Session:
    """A session whose last answer lost a function that nobody asked to lose."""
    session.ask(fence("fmt.py", FMT) + "Make clean faster in fmt.py.", fence("fmt.py", LOSSY))
    assert session.holds("fmt.py", FMT)
    return session


def test_only_what_lacks_authority_is_asked_about(session: Session) -> None:
    session.ask("Write fmt.py", fence("fmt.py", FMT))
    assert session.questions == []
    session.ask("Improve it.", fence("fmt.py", FMT.replace("return clean(s).title()", "# ... rest of the code ...")))
    assert session.questions == [], "gate A is never healed"
    session.ask("Make it faster.", fence("fmt.py", LOSSY))
    assert [(q.entity, q.hangs) for q in session.questions] == [("fmt.py", True)]
    text = session.questions[0].text
    assert text.startswith("Entity: fmt.py\n")
    assert all(part in text for part in (FMT.strip(), LOSSY.strip(), "Make it faster.", "lacks: title_case"))


def test_an_answer_that_was_cut_short_is_not_asked_about(session: Session) -> None:
    session.ask(fence("fmt.py", FMT), fence("fmt.py", LOSSY), finish="length")
    assert session.questions == []


def test_a_completed_audit_promotes_the_whole_file(lossy: Session) -> None:
    (question,) = lossy.questions
    assert lossy.audit(question, "completed") == "promoted"
    assert lossy.holds("fmt.py", LOSSY)
    assert "fmt.py::title_case" not in lossy.state()
    states = {(s["entity"], s["state"], s["reason"]) for s in lossy.recent()[0]["artifact_states"]}
    assert ("fmt.py", "AUTHORITATIVE", "shadow-audit") in states
    assert ("fmt.py::title_case", "TOMBSTONED", "shadow-audit") in states
    (said,) = lossy.events("audit.reported")
    assert (said["status"], said["conclusion"], said["model"]) == ("completed", "promoted", "auditor")


@pytest.mark.parametrize("status", ["partial", "discussion"])
def test_any_other_reply_is_only_recorded(lossy: Session, status: str) -> None:
    assert lossy.audit(lossy.questions[0], status) == "recorded"
    assert lossy.holds("fmt.py", FMT)
    assert [s["status"] for s in lossy.events("audit.reported")] == [status]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "It is completed.",
        '{"entity": "fmt.py"}',
        '{"entity": "fmt.py", "status": "done"}',
        '{"entity": "fmt.py", "status": ["completed"]}',
        '{"entity": "fmt.py::clean", "status": "completed"}',
        '["fmt.py", "completed"]',
        '{"entity": "fmt.py", "status": "partial", "status": "completed"}',
        '{"entity": "fmt.py", "status": "partial"}\n{"entity": "fmt.py", "status": "completed"}',
    ],
)
def test_a_malformed_reply_is_ignored_and_recorded_as_such(lossy: Session, reply: str) -> None:
    (question,) = lossy.questions
    assert lossy.audit(question, reply) == "malformed"
    assert lossy.holds("fmt.py", FMT)
    assert [s["conclusion"] for s in lossy.events("audit.reported")] == ["malformed"]
    assert lossy.audit(question, "completed") == "promoted", "it said nothing, so another one may"


def test_a_reply_that_never_comes(lossy: Session) -> None:
    assert lossy.audit(lossy.questions[0], None, "no reply within 120 s") == "unanswered"
    assert lossy.holds("fmt.py", FMT)
    assert [s["fault"] for s in lossy.events("audit.reported")] == ["no reply within 120 s"]


def test_a_reply_after_the_next_user_turn_is_late(lossy: Session) -> None:
    (question,) = lossy.questions
    assert lossy.engine.auditing.is_open(question)
    lossy.ask("What does it do?")
    assert not lossy.engine.auditing.is_open(question)
    assert lossy.audit(question, "completed") == "late"
    assert lossy.holds("fmt.py", FMT)


def test_it_is_late_as_soon_as_the_next_turn_is_on_its_way(lossy: Session) -> None:
    (question,) = lossy.questions
    lossy.request([*lossy.messages, {"role": "user", "content": "What does it do?"}], None)
    assert lossy.audit(question, "completed") == "late"


def test_another_conversation_is_no_next_turn(lossy: Session) -> None:
    (question,) = lossy.questions
    Session(lossy.engine, lossy.database).ask("Something else.")
    assert lossy.audit(question, "completed") == "promoted"


def test_a_tool_loop_is_the_same_turn(session: Session) -> None:
    call = {"c1": {"name": "Bash", "arguments": {"command": "ls"}}}
    session.ask(fence("fmt.py", FMT) + "Make clean faster.", fence("fmt.py", LOSSY), calls=call)
    (question,) = session.questions
    session.ask(None, "Done.", results={"c1": "fmt.py"})
    assert session.audit(question, "completed") == "promoted"


def test_a_regenerated_answer_is_another_one(lossy: Session) -> None:
    """The user asks for another answer to the same words: the one before is not what will be used."""
    (question,) = lossy.questions
    lossy.request(lossy.messages[:-1], Answer())
    assert lossy.audit(question, "completed") == "late"
    assert lossy.holds("fmt.py", FMT)


def test_what_moved_since_is_not_promoted(lossy: Session) -> None:
    (question,) = lossy.questions
    other = Session(lossy.engine, lossy.database)
    other.ask(fence("fmt.py", FMT.replace("title()", "upper()")))
    other.ask(fence("fmt.py", FMT))
    assert lossy.audit(question, "completed") == "moved", "it is as it was, but the user has spoken since"
    assert lossy.holds("fmt.py", FMT)


def test_a_newer_candidate_makes_the_older_one_old(lossy: Session) -> None:
    (first,) = lossy.questions
    other = Session(lossy.engine, lossy.database)
    other.ask("Make `clean` faster.", fence("fmt.py", OTHER))
    (second,) = other.questions
    assert lossy.audit(first, "completed") == "moved"
    assert other.audit(second, "completed") == "promoted"
    assert lossy.holds("fmt.py", OTHER)


def test_a_second_reply_is_a_duplicate(lossy: Session) -> None:
    (question,) = lossy.questions
    assert lossy.audit(question, "completed") == "promoted"
    assert lossy.audit(question, "completed") == "duplicate"
    assert lossy.audit(question, "partial") == "duplicate"
    assert lossy.holds("fmt.py", LOSSY), "what others made true is not demoted"


def test_of_contradictory_replies_the_first_counts(lossy: Session) -> None:
    (question,) = lossy.questions
    assert lossy.audit(question, "partial") == "recorded"
    assert lossy.audit(question, "completed") == "duplicate"
    assert lossy.holds("fmt.py", FMT)


def test_a_rename_is_confirmed_and_its_notice_withdrawn(session: Session) -> None:
    renamed = FMT.replace("title_case", "titled")
    session.ask(fence("fmt.py", FMT) + "Tidy up fmt.py.", fence("fmt.py", renamed))
    (question,) = session.questions
    assert session.audit(question, "completed") == "promoted"
    session.ask("Thanks.")
    assert "[STATE NOTICE]" not in session.prompt
    assert session.holds("fmt.py", renamed)


def test_a_class_that_lost_a_method_in_a_fragment(session: Session) -> None:
    session.ask(fence("acc.py", ACCOUNT) + "Refuse negative sums.", fence("acc.py", LESS))
    (question,) = session.questions
    assert question.entity == "acc.py::Account"
    assert session.audit(question, "completed") == "promoted"
    assert session.holds("acc.py", LESS + ACCOUNT[ACCOUNT.index("\n\ndef bank") :])
    assert "acc.py::Account.withdraw" not in session.state()


def test_two_classes_of_one_fragment_are_promoted_one_by_one(session: Session) -> None:
    two = "from x import y\n\n\n" + ACCOUNT.partition("\n\ndef bank")[0] + "\n\n" + ACCOUNT.replace("Account", "Vault")
    less = LESS + "\n\n" + LESS.replace("Account", "Vault")
    session.ask(fence("acc.py", two) + "Refuse negative sums.", fence("acc.py", less))
    assert {q.entity for q in session.questions} == {"acc.py::Account", "acc.py::Vault"}
    assert [session.audit(q, "completed") for q in session.questions] == ["promoted", "promoted"]
    assert not [e for e in session.state() if e.endswith("withdraw")]


class TestAll:
    """`audit: all` asks about every candidate, for the record."""

    def test_every_candidate(self, sessions: Callable[..., Session]) -> None:
        session = sessions(audit="all")
        session.ask("Write fmt.py", fence("fmt.py", FMT))
        (question,) = session.questions
        assert (question.entity, question.hangs) == ("fmt.py", False)
        assert session.audit(question, "partial") == "recorded"
        assert session.holds("fmt.py", FMT), "it demotes nothing"

    def test_what_gate_a_refused_is_not_healed(self, sessions: Callable[..., Session]) -> None:
        session = sessions(audit="all")
        session.ask(fence("fmt.py", FMT) + "Improve it.", fence("fmt.py", "import re\n\ndef clean(s:\n"))
        (question,) = session.questions
        assert not question.hangs
        assert session.audit(question, "completed") == "recorded"
        assert session.holds("fmt.py", FMT)

    def test_a_fragment(self, sessions: Callable[..., Session]) -> None:
        session = sessions(audit="all")
        session.ask(fence("fmt.py", FMT), fence("fmt.py", "def title_case(s):\n    return clean(s).title() + '!'\n"))
        assert [q.entity for q in session.questions] == ["fmt.py"]

    def test_never(self, sessions: Callable[..., Session]) -> None:
        session = sessions(audit=False)
        session.ask(fence("fmt.py", FMT) + "Make clean faster.", fence("fmt.py", LOSSY))
        assert session.questions == []


def test_a_very_long_text_is_not_asked_about(session: Session) -> None:
    rows: list[Any] = [f"    x{n} = {n}\n" for n in range(6000)]
    big = "import re\n\n\ndef a():\n" + "".join(rows) + "\n\ndef b():\n    return 1\n"
    session.ask(fence("big.py", big) + "Improve it.", fence("big.py", big.partition("\n\ndef b")[0]))
    assert session.questions == []
    assert session.holds("big.py", big)


def test_a_later_regenerated_answer_is_another_one(session: Session) -> None:
    session.ask(fence("fmt.py", FMT), "I see what this module is for.").ask("Make it faster.", fence("fmt.py", LOSSY))
    (question,) = session.questions
    session.request(session.messages[:-1], Answer())
    assert session.audit(question, "completed") == "late"
