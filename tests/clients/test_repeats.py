"""Of a call as it was made and as it is sent back, the one that was carried out."""

import json

import pytest

from tslp_litellm.clients.repeats import carried_out
from tslp_litellm.wire.turn import Item, ItemKind, Role

TEXT = "# A\n\nAll of the text, and more of it, so that there is something to leave out.\n"


def call(arguments: object, name: str = "write") -> Item:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Item(Role.ASSISTANT, ItemKind.CALL, text, name=name, call_id="c1")


MADE = call({"path": "a.md", "content": TEXT})


@pytest.mark.parametrize(
    "again",
    [
        {"path": "a.md", "content": TEXT[:12] + "...[truncated]"},
        {"path": "a.md", "content": TEXT[:12] + "…"},
        {"path": "a.md", "content": TEXT[:12] + " [56 characters omitted] " + TEXT[-12:]},
        {"path": "a.md", "content": "[Old tool call arguments cleared]"},
        {"path": "a.md", "content": "<content removed to save space, see the file>"},
        {"path": "a.md", "content": TEXT[:20]},
        {"path": "a.md", "content": ""},
        {"path": "a.md"},
        {},
        '{"path": "a.md", "content": "# A\\n\\nAll of',
    ],
)
def test_a_shortened_call(again: object) -> None:
    assert carried_out(MADE, call(again)) is MADE


@pytest.mark.parametrize(
    "again",
    [
        {"path": "/w/a.md", "content": TEXT},
        {"content": TEXT, "path": "a.md"},
        {"path": "a.md", "content": TEXT, "append": False},
        {"path": "a.md", "content": TEXT.strip()},
        {"path": "a.md", "content": TEXT.replace("something", "a lot")},
        {"filePath": "a.md", "text": TEXT},
    ],
)
def test_a_repaired_call(again: object) -> None:
    assert carried_out(MADE, call(again)).text == json.dumps(again)


def test_broken_arguments_that_the_client_repaired() -> None:
    assert carried_out(call('{"path": "a.md", "content": "# A'), MADE) is MADE


def test_another_tool_of_the_same_id() -> None:
    other = call({"path": "b"}, "read")
    assert carried_out(MADE, other) is other


def test_a_call_that_is_not_repeated() -> None:
    assert carried_out(MADE, None) is MADE
