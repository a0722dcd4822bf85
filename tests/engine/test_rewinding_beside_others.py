"""Answers that are left while other conversations, or the user in them, have been at work on the same files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .helpers import Session, sha

SLUG = "def slug(s):\n    return s.lower()\n"
STRIPS = "def slug(s):\n    return s.strip().lower()\n"
FOLDS = "def slug(s):\n    return s.strip().casefold()\n"
TITLE = "class Text:\n    def title(self):\n        return self.s.title()\n\n    def size(self):\n        return 1\n"
UPPER = TITLE.replace("self.s.title()", "self.s.upper()")
MEMBER = "    def title(self):\n        return self.s.upper()\n"


def whole(slug: str = SLUG, title: str = TITLE, first: str = "import re\n") -> str:
    return f"{first}\n\n{slug}\n\n{title}"


def fence(text: str, path: str = "util.py") -> str:
    return f"{path}\n```python\n{text}```\n"


@pytest.fixture
def chat(session: Session) -> Session:
    """One in which the answer that is to be left makes `slug` strip."""
    session.ask(fence(whole()) + "\nRemember this file, I will ask for more about it later on.", "I will, just ask me.")
    session.ask("Make `slug` strip, but only on the left side please.", f"```python\n{STRIPS}```")
    assert session.holds("util.py", whole(STRIPS))
    return session


@pytest.fixture
def other(chat: Session, sessions: Callable[..., Session]) -> Session:
    return sessions(tools=("Read",), new_ids="other")


def left(chat: Session) -> dict[str, str]:
    """What is held once the chat has gone on without its last answer."""
    chat.messages = chat.messages[:3]
    chat.ask(None, "On which side, did you say?")
    return chat.state()


def confirmed(session: Session) -> list[str]:
    moves = [move for event in session.events("evidence.judged") for move in event["moves"]]
    return [move["entity"] for move in moves if move["op"] == "confirm"]


class TestWhatTheUserShowsAsTheAnswerMadeIt:
    @pytest.mark.parametrize("shown", ["paste", "read"])
    def test_stands(self, chat: Session, other: Session, shown: str) -> None:
        text = whole(STRIPS)
        if shown == "paste":
            other.ask(fence(text) + "\nWhat is this?", "A slug.").ask(f"Now:\n\n{fence(text)}\nAnd this?", "The same.")
        else:
            other.ask("What is in there?", None, {"r1": {"name": "Read", "arguments": {"file_path": "util.py"}}})
            lines = [f"{n}\t{line}\n" for n, line in enumerate(text.splitlines(), 1)]
            other.ask(None, "A slug.", results={"r1": "".join(lines) + f"{len(lines) + 1}\t"})
        chat.ask("And how does it look to you now?", "As I said.")
        assert confirmed(chat) == ["util.py"], "what is resent, or was shown before, is no news"
        chat.messages = chat.messages[:-2]
        assert left(chat)["util.py"] == sha(text)

    def test_is_not_news_where_he_has_shown_it_before_or_quotes_a_part(self, session: Session) -> None:
        session.ask(fence(whole()) + "\nWhat is this?", "A slug.").forget()
        session.ask(fence(whole()) + "\nAnd this?", "The same.").ask("Make `slug` strip.", f"```python\n{STRIPS}```")
        session.forget().ask(fence(STRIPS) + "\nWhy does it strip?", "You asked for it.")
        assert confirmed(session) == []


class TestWhatOthersChanged:
    @pytest.mark.parametrize("by", ["answer", "whole answer", "user"])
    def test_stands_where_it_is_another_definition(self, chat: Session, other: Session, by: str) -> None:
        if by == "user":
            other.ask(f"This is `Text.title` now:\n\nutil.py\n```python\n{MEMBER}```\n", "Fine, I see.")
        else:
            answer = f"```python\n{MEMBER}```" if by == "answer" else fence(whole(STRIPS, UPPER))
            other.ask("Let `Text.title` in util.py give upper case.", answer)
        assert chat.holds("util.py", whole(STRIPS, UPPER))
        assert left(chat)["util.py"] == sha(whole(SLUG, UPPER))
        assert "DIRTY" not in chat.state().values()

    def test_is_unknown_where_it_was_built_on_what_is_left(self, chat: Session, other: Session) -> None:
        other.ask("Fold the case in `slug`, and let `Text.title` give upper case.", fence(whole(FOLDS, UPPER)))
        state = left(chat)
        assert {entity for entity, held in state.items() if held == "DIRTY"} == {"util.py", "util.py::slug"}
        assert state["util.py::Text"] == sha(UPPER.rstrip())

    def test_stands_where_the_user_showed_it_himself(self, chat: Session, other: Session) -> None:
        other.ask("Fold the case in `slug`, please.", f"```python\n{FOLDS.replace('strip', 'rstrip')}```")
        other.ask(f"No. This is it now:\n\nutil.py::slug\n```python\n{FOLDS}```\n", "Fine, I see.")
        assert left(chat)["util.py"] == sha(whole(FOLDS))

    def test_is_gone_with_their_own_answer(self, chat: Session, other: Session) -> None:
        other.ask("What does `slug` in util.py do, if I may ask?", "It lowers what it is given, as you can see.")
        other.ask("Let `Text.title` in util.py give upper case.", f"```python\n{MEMBER}```")
        other.messages = other.messages[:-1]
        other.ask(None, "In which alphabet?")
        assert chat.holds("util.py", whole(STRIPS))
        assert left(chat)["util.py"] == sha(whole())

    def test_leaves_all_unknown_where_it_is_more_than_definitions(
        self, chat: Session, sessions: Callable[..., Session]
    ) -> None:
        coder = sessions(tools=("Edit",), new_ids="coder")
        change = {"file_path": "util.py", "old_string": "import re", "new_string": "import os\nimport re"}
        coder.ask("Import os in util.py.", None, {"e1": {"name": "Edit", "arguments": change}})
        coder.ask(None, "Done.", results={"e1": "The file util.py has been updated successfully."})
        assert chat.holds("util.py", whole(STRIPS, first="import os\nimport re\n"))
        assert set(left(chat).values()) == {"DIRTY"}
