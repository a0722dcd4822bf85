"""Blocks that stay in the messages that they were put into (`placement: stay`)."""

from __future__ import annotations

import pytest

from tslp_litellm.store.database import Database

from .helpers import Session, make_engine

UTIL = "def slug(s):\n    return s.lower()\n\n\ndef title(s):\n    return s.title()\n"
STRIPS = "def slug(s):\n    return s.strip().lower()\n"
PASTED = f"util.py\n```python\n{UTIL}```\n"


def staying(database: Database, limit: int | None = 2_000, placement: str = "stay", history: str = "keep") -> Session:
    """A chat that begins with nothing, in a workspace that knows util.py."""
    session = Session(make_engine(database, placement=placement, history=history), database, limit=limit)
    return session.ask(PASTED).forget()


def fixed(text: str) -> str:
    return f"```python\n{text}```\n"


def test_what_was_put_in_front_stays_in_the_same_bytes(database: Database) -> None:
    session = staying(database).ask("Let `slug` strip.", fixed("def slug(s):\n    return s.strip().lower()\n"))
    before = session.sent
    assert "return s.lower()" in before[0]["content"]
    session.ask("Now let `title` strip.")
    assert session.sent[: len(before)] == before
    assert "return s.title()" in session.prompt


def test_after_a_start_anew_too(database: Database) -> None:
    session = staying(database).ask("What does `slug` do?", "It lowers.")
    anew = Session(make_engine(database, placement="stay"), database, limit=2_000)
    anew.messages = list(session.messages)
    assert anew.ask("And `title`?").sent[:1] == session.sent


def test_in_a_loop_it_stands_where_it_stood(database: Database) -> None:
    call = {"c1": {"name": "read_file", "arguments": {"path": "other.py"}}}
    session = staying(database).ask("Look at `slug`.", None, call)
    before = session.sent
    session.ask(None, "Fine.", results={"c1": "x = 1\n"})
    assert session.sent[:1] == before
    assert session.ask("Thanks.").sent[:1] == before


def test_it_leaves_with_its_turn_and_counts_as_long_as_it_stands(database: Database) -> None:
    session = staying(database, limit=600)
    for n in range(12):
        session.ask(f"Say word {n} of `slug` and `title`.", "Word. " * 20)
        weight = sum(len(str(m["content"])) // 4 for m in session.sent)
        assert weight <= 600 - 600 // 8
        assert [str(session.sent).count(text) for text in ("return s.lower()", "return s.title()")] == [1, 1]
    assert len(session.sent) < len(session.messages) - 1
    assert session.episode is not None
    assert session.episode.fit.startswith("fitted")


def test_a_block_that_stays_is_not_put_in_front_again(database: Database) -> None:
    session = staying(database).ask("What does `slug` do?", "It lowers.").ask("And why `slug`?")
    assert session.prompt == "And why `slug`?"
    assert "return s.lower()" in session.sent[0]["content"]


def test_what_has_changed_since_is(database: Database) -> None:
    session = staying(database).ask("What does `slug` do?", "It lowers.")
    Session(session.engine, database).ask(f"util.py::slug\n{fixed(STRIPS)}")
    session.ask("And why `slug`?")
    assert session.prompt.startswith("[CURRENT STATE: AUTHORITATIVE]\nEntity: util.py::slug\n")
    assert "return s.strip().lower()" in session.prompt


def test_an_older_text_leaves_unless_the_newer_one_stands_behind_it(database: Database) -> None:
    session = staying(database).ask("What does `slug` do?", "It lowers.")
    Session(session.engine, database).ask(f"util.py::slug\n{fixed(STRIPS)}")
    session.ask("Thanks.", "You are welcome.")
    assert session.sent[0]["content"] == "What does `slug` do?"
    session.ask("And `slug` now?", "It strips.").ask(
        "Let `slug` swap the case.", fixed(STRIPS.replace("lower", "swapcase"))
    )
    session.ask("Thanks.")
    assert "s.strip().lower()" in session.sent[4]["content"], "the model's own answer stands behind it"


@pytest.mark.parametrize(("history", "is_left"), [("keep", True), ("current", False)])
def test_where_the_history_is_to_be_current_no_older_text_stays(
    database: Database, history: str, is_left: bool
) -> None:
    session = staying(database, history=history).ask("What does `slug` do?", "It lowers.")
    session.ask("Let `slug` strip.", fixed(STRIPS)).ask("Thanks.")
    assert ("return s.lower()" in session.sent[0]["content"]) is is_left
    assert str(session.sent).count("return s.strip().lower()") == 1


def test_what_changed_of_a_file_may_stand_behind_it_alone(database: Database) -> None:
    session = staying(database).ask("What is in util.py?", "Two functions.").ask("Let `slug` strip.", fixed(STRIPS))
    session.ask("Thanks.")
    assert "Entity: util.py\n" in session.sent[0]["content"]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("I changed `slug` in util.py.", "Fine."),
        ("Remove the function `slug` from util.py.", "util.py\n```python\ndef title(s):\n    return s.title()\n```\n"),
    ],
)
def test_a_block_of_what_is_dirty_or_gone_leaves(database: Database, said: str, answer: str) -> None:
    session = staying(database).ask("What does `slug` do?", "It lowers.").ask("And `title`?", "It titles.")
    assert "CURRENT STATE" in session.sent[0]["content"]
    session.ask(said, answer).ask("Thanks.")
    assert session.sent[0]["content"] == "What does `slug` do?"


@pytest.mark.parametrize("placement", ["start", "stay"])
def test_a_block_that_stays_stood_in_the_request_for_who_goes_on(database: Database, placement: str) -> None:
    whole = f"import re\n\n\n{UTIL}"
    session = staying(database, placement=placement).ask(f"util.py\n{fixed(whole)}").forget()
    session.ask("What is in util.py?", "Two functions.")
    shorter = f"import re\n\n\n{STRIPS}"
    session.ask("Simplify util.py.", f"util.py\n{fixed(shorter)}")
    assert session.holds("util.py", whole), "a definition is lost"
    assert session.ask("Thanks, util.py is fine.").holds("util.py", shorter)


@pytest.mark.parametrize(("tools", "stays"), [((), True), (("read_file",), False)])
def test_by_default_in_plain_chat_alone(database: Database, tools: tuple[str, ...], stays: bool) -> None:
    session = staying(database, placement="auto")
    session.tools = tools
    session.ask("What does `slug` do?", "It lowers.").ask("And `title`?")
    assert session.sent[0]["content"].startswith("[CURRENT STATE: AUTHORITATIVE]") is stays


def test_that_turns_were_left_out_is_said_when_it_happens(database: Database) -> None:
    session, said = staying(database, limit=600), list[bool]()
    for n in range(12):
        session.ask(f"Say word {n} of `slug`.", "Word. " * 20)
        said.append("Left out of this prompt" in session.prompt)
    assert 0 < sum(said) < 12 - said.index(True)


def test_and_on_each_call_of_that_turn(database: Database) -> None:
    session = staying(database, limit=600)
    for n in range(20):
        call = {f"c{n}": {"name": "read_file", "arguments": {"path": "other.py"}}}
        session.ask(f"Say word {n} of `slug`.", None, call)
        first = session.prompt
        if session.ask(None, "Word. " * 20, results={f"c{n}": "x = 1\n"}) and "Left out of this prompt" in first:
            break
    assert "Left out of this prompt" in first
    assert "Left out of this prompt" in session.prompt


def test_elsewhere_a_block_leaves_its_message(database: Database) -> None:
    session = staying(database, placement="start").ask("What does `slug` do?", "It lowers.").ask("And `title`?")
    assert session.sent[0]["content"] == "What does `slug` do?"


def test_where_the_window_is_unknown_it_leaves_too(database: Database) -> None:
    session = staying(database, limit=None).ask("What does `slug` do?", "It lowers.").ask("And `title`?")
    assert session.sent[0]["content"] == "What does `slug` do?"


def test_what_is_judged_is_what_the_client_sent(database: Database) -> None:
    session = staying(database).ask("Let `slug` strip.", fixed(STRIPS)).ask("Thanks.").ask("And `title`?")
    assert session.holds("util.py", UTIL.replace("def slug(s):\n    return s.lower()\n", STRIPS))
