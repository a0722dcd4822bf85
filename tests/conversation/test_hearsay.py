"""What an answer says that may come back as a user's word, and what of a user's text is such a text."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tslp_litellm.conversation.hearsay import (
    ASKED_MAX,
    TEXTS_MAX,
    Told,
    doubted,
    kept,
    keys,
    may_be_models,
    said_in,
    together,
    told_in,
    without_repeated,
)
from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects.line_keys import line_keys
from tslp_litellm.dialects.values import Shown
from tslp_litellm.state.values import Heard, Hearsay
from tslp_litellm.wire.turn import Item, ItemKind, Role

CODE = "def f():\n    return 1\n"
WORDS = "Look at this file and tell me what it does, and why."
FENCE = f"a.py\n```python\n{CODE}```"
TEXT = f"{WORDS}\n\n{FENCE}\n\nThat is all."


def call(name: str, **arguments: Any) -> Item:
    return Item(Role.ASSISTANT, ItemKind.CALL, json.dumps(arguments), name=name)


def said(text: str) -> Item:
    return Item(Role.ASSISTANT, ItemKind.TEXT, text)


def heard(*items: Item, errand: bool = False) -> dict[Heard, frozenset[int]]:
    return {one.heard: one.lines for one in together(told.said for told in told_in(items, errand))}


def lines(text: str) -> frozenset[int]:
    return frozenset(line_keys(text).keys) - {0}


class TestAnswers:
    @pytest.mark.parametrize(
        "item",
        [
            call("Task", prompt=TEXT),
            call("delegate", to="x", brief={"files": [{"path": "a.py", "content": TEXT}]}),
            call("todo_write", a=TEXT, b=1),
            call("new_task", payload=json.dumps({"context": {"snippets": [TEXT]}})),
            call("new_task", payload=TEXT.replace("\n", "\\n")),
            call("Write", file_path="plan.md", content=TEXT),
            said(f"I ask somebody.\n<new_task>\n<mode>code</mode>\n<message>\n{TEXT}\n</message>\n</new_task>"),
            call("Bash", command=f"agent <<'EOF'\n{TEXT}\nEOF"),
        ],
    )
    def test_what_is_told_to_somebody(self, item: Item) -> None:
        assert heard(item)[Heard.TOLD] >= lines(TEXT)

    @pytest.mark.parametrize(
        "item",
        [
            call("Write", file_path="a.py", content=CODE),
            call("Edit", file_path="a.py", old_string="x = 1\n", new_string=CODE),
            call("Bash", command=f"cat > a.py <<'EOF'\n{CODE}EOF"),
            said(TEXT),
        ],
    )
    def test_what_is_written_to_a_file_or_said_here(self, item: Item) -> None:
        found = heard(item)
        assert found[Heard.ANSWER] >= lines(CODE)
        assert Heard.TOLD not in found

    def test_the_same_in_an_errand_is_told(self) -> None:
        assert heard(said(TEXT), errand=True) == {Heard.TOLD: lines(TEXT)}

    @pytest.mark.parametrize(
        "item", [said(WORDS), call("Read", file_path="a.py"), Item(Role.ASSISTANT, ItemKind.CALL, '{"a"', name="Task")]
    )
    def test_what_can_show_nothing_is_not_remembered(self, item: Item) -> None:
        assert heard(item) == {}

    def test_arguments_that_are_too_many_are_one_text(self) -> None:
        told = told_in([call("Task", snippets=[f"line number {n} of it" for n in range(TEXTS_MAX * 3)])], errand=False)
        assert len(told) == TEXTS_MAX + 1

    def test_what_a_model_only_passes_on_is_code(self) -> None:
        (told,) = told_in([call("Task", prompt=TEXT)], errand=False)
        assert isinstance(told, Told)
        assert told.passed_on() == replace(told.said, heard=Heard.CODE)

    def test_what_was_said_before(self) -> None:
        before = said_in([call("Task", prompt=TEXT), said("It is done."), Item(Role.USER, ItemKind.TEXT, CODE)])
        assert before - {0} == lines(TEXT + "\nIt is done.")


(TOLD,) = together(told.said for told in told_in([call("Task", prompt=TEXT)], errand=False))
ANSWER = replace(TOLD, heard=Heard.ANSWER)


class TestUsersTexts:
    @pytest.mark.parametrize(
        "text",
        [
            TEXT,
            f"<task>\n{TEXT}\n</task>",
            "".join(f"    {line}\n" for line in TEXT.split("\n")),
            TEXT.replace("\n", "\r\n"),
            f"{WORDS}\n## File 1\nPath: a.py\n```py\n{CODE}```\nThat is all.",
            f'{WORDS}\n<file path="a.py">\n{CODE}</file>\nThat is all.',
        ],
    )
    def test_words_and_code_are_taken_out(self, text: str) -> None:
        left = without_repeated(text, [TOLD], first=False)
        assert "return 1" not in left
        assert "Look at" not in left
        assert not [piece for piece in read_user_text(left).evidence if isinstance(piece, Shown)]

    @pytest.mark.parametrize(
        "text", [f"So:\n{FENCE}", f'<file path="a.py">\n{CODE}</file>', f"That is all.\n{FENCE}", WORDS[:30]]
    )
    def test_code_alone_stays(self, text: str) -> None:
        assert without_repeated(text, [TOLD], first=True) == text

    @pytest.mark.parametrize(("known", "first"), [(ANSWER, False), (replace(TOLD, heard=Heard.CODE), True)])
    def test_what_may_be_the_users_stays(self, known: Hearsay, first: bool) -> None:
        assert without_repeated(TEXT, [known], first) == TEXT
        assert without_repeated(TEXT, [ANSWER], first=True) != TEXT

    def test_and_so_does_a_block_with_a_line_of_his_own(self) -> None:
        mine = "b.py\n```python\ndef f():\n    return 2\n```\n"
        left = without_repeated(f"{TEXT}\n\nAnd this is mine:\n\n{mine}", [TOLD], first=False)
        assert left.strip() == f"And this is mine:\n\n{mine}".strip()

    def test_what_was_torn_is_no_evidence(self) -> None:
        before = read_user_text(f"{FENCE}\n\nb.py\n```python\nx = 1\n```\n").evidence
        after = read_user_text(
            "a.py\n```python\ndef f():\n\n```\n\nNow b.py:\n\nb.py\n```python\nx = 1\n```\n"
        ).evidence
        assert [piece.path for piece in kept(after, before) if isinstance(piece, Shown)] == ["b.py"]

    def test_it_is_found_by_its_lines(self) -> None:
        assert keys(TEXT) == lines(TEXT)
        long = "\n".join(f"line number {n}" for n in range(ASKED_MAX + 50))
        assert 0 < len(keys(long)) < ASKED_MAX

    @pytest.mark.parametrize(
        ("text", "may_be"),
        [
            (FENCE, True),
            (f"So:\n\n{FENCE}", True),
            (f"Review the following change:\n\n{FENCE}", True),
            (f'<file_content path="a.py">\n{CODE}</file_content>', True),
            (f"I applied it:\n\n{FENCE}", False),
            (f"Here is my a.py now:\n```python\n{CODE}```", False),
            (f"I have *added these files to the chat* so you see all of them.\n\na.py\n```\n{CODE}```\n", False),
        ],
    )
    def test_whose_a_file_may_be(self, text: str, may_be: bool) -> None:
        (shown,) = (piece for piece in read_user_text(text).evidence if isinstance(piece, Shown))
        assert may_be_models(shown, [TOLD]) is may_be
        words = Hearsay(Heard.TOLD, lines(text))
        assert may_be_models(shown, [words]) is ("added these" not in text), "a model claims nothing for a user"

    def test_the_texts_that_it_has_lines_of(self) -> None:
        (shown,) = (piece for piece in read_user_text(FENCE).evidence if isinstance(piece, Shown))
        assert doubted(shown, [TOLD, Hearsay(Heard.TOLD, lines("else"))]).heard == (TOLD.lines,)
