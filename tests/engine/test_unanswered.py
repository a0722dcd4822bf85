"""Calls whose result never came."""

from __future__ import annotations

import pytest

from tslp_litellm.conversation.history import Age
from tslp_litellm.dialects.values import Drift, Verdict
from tslp_litellm.engine.unanswered import outcome_of, unanswered
from tslp_litellm.wire.turn import Item, ItemKind, Role

EDIT = '{"filePath": "a.py", "oldString": "a", "newString": "b"}'


def call(name: str, arguments: str, call_id: str) -> Item:
    return Item(Role.ASSISTANT, ItemKind.CALL, arguments, 1, name=name, call_id=call_id)


def result(call_id: str) -> Item:
    return Item(Role.TOOL, ItemKind.RESULT, "Edit applied successfully.", 2, call_id=call_id)


SAID = Item(Role.USER, ItemKind.TEXT, "Go on.", 3)
ONE, TWO = call("edit", EDIT, "one"), call("edit", EDIT, "two")


@pytest.mark.parametrize(
    ("items", "ages", "found"),
    [
        ([SAID, ONE, TWO, result("two"), SAID], "SSSNN", [1]),
        ([SAID, ONE, TWO, result("two"), result("one")], "SSSNN", []),
        ([SAID, ONE, SAID], "SSN", [1]),
        ([SAID, ONE, SAID], "SSS", []),
        ([SAID, ONE], "SS", []),
        ([SAID, call("edit", EDIT, "text-1"), SAID], "SSN", []),
    ],
)
def test_calls_that_nothing_answers(items: list[Item], ages: str, found: list[int]) -> None:
    known = {"S": Age.SEEN, "N": Age.NEW}
    assert unanswered(items, [known[age] for age in ages]) == found


def test_an_edit_may_have_happened() -> None:
    (outcome,) = outcome_of(ONE)
    assert outcome.verdict is Verdict.UNKNOWN


def test_a_command_may_have_run_anywhere() -> None:
    (outcome,) = outcome_of(call("bash", '{"command": "sed -i s/a/b/ a.py"}', "x"))
    (change,) = outcome.attempt.changes
    assert isinstance(change, Drift) and [target.tail for target in change.like] == ["a.py"]


def test_a_read_changed_nothing() -> None:
    assert outcome_of(call("read", '{"filePath": "a.py"}', "x")) == []
