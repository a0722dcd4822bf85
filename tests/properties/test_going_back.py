"""Property: whatever turns, regenerated answers, rewinds and returns a conversation takes, the file is what the answers
in it say, and no text of an answer that was left is taken for the truth."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.helpers import Session, make_engine
from tests.played import played
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify

PATH = "util.py"
steps = st.lists(
    st.one_of(
        st.just(("ask", 0)),
        st.just(("talk", 0)),
        st.tuples(st.just("regenerate"), st.integers(0, 1)),
        st.tuples(st.just("rewind"), st.integers(1, 4)),
        st.tuples(st.just("return"), st.integers(0, 5)),
        st.just(("restart", 0)),
    ),
    min_size=1,
    max_size=9,
)


def version(n: int) -> str:
    return f"def slug(s):\n    return s.lower() + {n!r}\n"


def fence(text: str) -> str:
    return f"{PATH}\n```python\n{text}```\n"


class Tree:
    """A user who goes on, back, and to other branches; `path` is the conversation as it stands in the request."""

    def __init__(self, session: Session) -> None:
        self.session, self.count = session, 0
        self.branches: list[list[dict[str, Any]]] = []
        self.said: dict[str, str] = {}  # an answer's text -> the version that it gives
        session.ask(fence(version(0)) + "\nRemember this file, for I will ask for changes to it later on.",
                    "I will remember this file for the rest of this conversation, just ask me.")  # fmt: skip

    def take(self, step: tuple[str, int]) -> None:
        kind, by = step
        messages = self.session.messages
        if kind == "regenerate":
            messages = messages[:-1]
            self._answer(messages, None, with_code=bool(by))
            return
        if kind == "restart":
            self._answer([], messages[0]["content"], with_code=False)
            return
        if kind == "rewind":
            turns = [n for n, m in enumerate(messages) if m["role"] == "user"]
            messages = messages[: turns[max(1, len(turns) - by)]] if len(turns) > 1 else messages
        elif kind == "return" and self.branches:
            messages = self.branches[by % len(self.branches)]
        self._answer(
            messages, f"Step {self.count}: let slug do something else, whatever you like best.", kind != "talk"
        )

    def _answer(self, messages: list[dict[str, Any]], prompt: str | None, with_code: bool) -> None:
        self.count += 1
        text = f"Here it is, as asked for in step {self.count} of this conversation.\n\n"
        text += fence(version(self.count)) if with_code else "But I would rather not change anything now."
        if with_code:
            self.said[text] = version(self.count)
        self.session.messages = list(messages)
        self.session.ask(prompt, text)
        self.branches.append(list(self.session.messages))

    def expected(self) -> str:
        given_by = [self.said[m["content"]] for m in self.session.messages if m["content"] in self.said]
        return given_by[-1] if given_by else version(0)


@settings(max_examples=played(12))
@given(steps)
def test_the_file_is_what_the_conversation_as_it_stands_says(taken: list[tuple[str, int]]) -> None:
    database = Database("sqlite://")
    database.migrate()
    tree = Tree(Session(make_engine(database), database))
    for step in taken:
        tree.take(step)
        assert tree.session.holds(PATH, tree.expected()), (step, tree.session.state())
    assert verify(database) == []
    database.close()
