"""What clients do of themselves to the texts of their calls, where the tool and its result both say so."""

import json
from typing import Any

import pytest

from tslp_litellm.clients.makers import attempt
from tslp_litellm.clients.outcomes import outcome
from tslp_litellm.dialects.values import Edit, FileChange, Replacement, Shown
from tslp_litellm.wire.turn import Item, ItemKind, Role

P = "/w/a.py"
CLAUDE = f"The file {P} has been updated successfully."
CLAUDE_WROTE = f"File created successfully at: {P}"
QWEN = f"The file: {P} has been updated."
CONTINUE = f"Successfully edited {P}"


def carried_out(name: str, result: str, **arguments: Any) -> FileChange:
    made = attempt(Item(ItemKind.CALL, Role.ASSISTANT, json.dumps(arguments), name=name))
    assert made is not None
    return outcome(made, Item(ItemKind.RESULT, Role.TOOL, result)).attempt.changes[0]


@pytest.mark.parametrize(
    ("name", "result", "takes"),
    [
        ("Edit", CLAUDE, True),
        ("Edit", f"The file {P} has been updated. All occurrences were successfully replaced.", True),
        ("edit", QWEN, True),
        ("Edit", CONTINUE, False),
        ("edit", f"Edited {P}", False),
        ("str_replace", CLAUDE, False),
    ],
)
def test_whose_deletions_take_the_line_end_along(name: str, result: str, takes: bool) -> None:
    change = carried_out(name, result, file_path=P, old_string="b", new_string="")
    assert isinstance(change, Edit) and isinstance(step := change.steps[0], Replacement) and step.whole_lines is takes


@pytest.mark.parametrize("text", ["x\ny\n", "  x\n\n\ty", "x \ny\t\n", ""])
def test_a_call_is_carried_out_as_it_was_sent_again(text: str) -> None:
    assert isinstance(carried_out("Edit", CLAUDE, file_path=P, old_string="b", new_string=text), Edit)
    assert isinstance(carried_out("Write", CLAUDE_WROTE, file_path=P, content=text), Shown)
