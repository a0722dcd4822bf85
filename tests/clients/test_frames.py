"""What is recognised of clients: side requests, examples, the working directory."""

from dataclasses import replace

import pytest

from tslp_litellm.clients.frames import (
    after_examples,
    edit_forms,
    working_directory,
)
from tslp_litellm.dialects.values import Carrier
from tslp_litellm.wire.turn import Item, ItemKind, Role, Turn


def turn(*items: tuple[Role, str]) -> Turn:
    return Turn(tuple(Item(role, ItemKind.TEXT, text, n) for n, (role, text) in enumerate(items)))


S, U, A = Role.SYSTEM, Role.USER, Role.ASSISTANT


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        (
            turn((S, "# Environment\n - Primary working directory: /home/dev/x\n - Is a git repository: true")),
            "/home/dev/x",
        ),
        (turn((S, "<env>\n  Working directory: /home/dev/x\n  Platform: linux\n</env>")), "/home/dev/x"),
        (turn((S, "<env>\n1. Platform: linux\n4. Working Directory: /home/dev/x\n</env>")), "/home/dev/x"),
        (turn((U, "<environment_context>\n  <cwd>/home/dev/x</cwd>\n</environment_context>")), "/home/dev/x"),
        (
            turn(
                (
                    U,
                    "This is the Qwen Code. We are setting up the context for our chat.\n"
                    "I'm currently working in the directory: /home/dev/x\nHere is",
                )
            ),
            "/home/dev/x",
        ),
        (turn((U, "I'm currently working in the directory: /home/dev/x\nWhy does it fail?")), None),
        (turn((U, "Here is the log:\nWorking directory: /home/dev/x\nmake: *** [all] Error 2")), None),
        (turn((U, "It said:\n<environment_context>\n  <cwd>/home/dev/x</cwd>\n</environment_context>")), None),
        (turn((U, "Hi"), (A, "Yes?"), (U, "<environment_context>\n  <cwd>/x</cwd>\n</environment_context>")), None),
        (turn((S, "SYSTEM INFORMATION\n\nCurrent Working Directory: /home/dev/x\n")), "/home/dev/x"),
        (turn((S, "Working directory: C:\\dev\\x\n")), "C:\\dev\\x"),
        (turn((S, "Working directory: C:\\dev\\x\\\n")), "C:\\dev\\x"),
        (turn((U, "<environment_context>\n  <cwd>C:\\</cwd>\n</environment_context>")), "C:\\"),
        (turn((S, "Working directory: /home/dev/x/\n")), "/home/dev/x"),
        (turn((U, "<environment_context>\n  <cwd>/</cwd>\n</environment_context>")), "/"),
        (turn((S, "You are helpful."), (U, "The working directory is unknown.")), None),
    ],
)
def test_the_stated_working_directory(request_: Turn, path: str | None) -> None:
    assert working_directory(request_) == path


def test_examples_are_cut_off() -> None:
    end = "I switched to a new code base. Please don't consider the above files or try to edit them any longer."
    items = turn((S, "s"), (U, "Change it"), (A, "hello.py\n```python\nx\n```"), (U, end), (A, "Ok."), (U, "Hi")).items
    assert [i.text for i in after_examples(items)] == ["Hi"]
    assert [i.text for i in after_examples(turn((S, "s"), (U, "Hi")).items)] == ["Hi"]


RULES = "\n\n# *SEARCH/REPLACE block* Rules:\n\nEvery …"
SR, FENCE, UDIFF, PATCH = (
    frozenset({c}) for c in (Carrier.SEARCH_REPLACE, Carrier.FENCE, Carrier.UDIFF, Carrier.PATCH)
)


@pytest.mark.parametrize(
    ("request_", "forms"),
    [
        (turn((S, "Act as an expert software developer."), (U, "Let f return 1." + RULES)), SR),
        (turn((S, "All changes to files must use this *SEARCH/REPLACE block* format."), (U, "Hi")), SR),
        (turn((S, "# File editing rules:\n\nReturn edits similar to unified diffs that `diff -U0` would produce."), (U, "Hi")), UDIFF),
        (turn((S, "Use the V4A diff format.\n*** Begin Patch"), (U, "Hi")), PATCH),
        (turn((S, "To suggest changes to a file you MUST return the entire content of the updated file.\nYou MUST use this *file listing* format:"), (U, "Hi")), FENCE),
        (turn((S, "Act as an expert architect engineer and provide direction to your editor engineer."), (U, "Hi")), frozenset()),
        (turn((S, "Act as an expert code analyst.\nAnswer questions"), (U, "Hi")), frozenset()),
        (turn((S, "# Tools\n\n## write_to_file\nDescription: x"), (U, "Hi")), frozenset()),
        (turn((S, "<function=example_function_name>\n<parameter=x>1</parameter>"), (U, "Hi")), frozenset()),
        (turn((S, "```tool\nTOOL_NAME: read_file\nBEGIN_ARG: filepath"), (U, "Hi")), frozenset()),
        (turn((S, "You are a helpful assistant."), (U, "Hi")), None),
        (turn((U, "Hi")), None),
        (turn(), None),
    ],
)  # fmt: skip
def test_the_forms_in_which_a_client_applies_edits(request_: Turn, forms: frozenset[Carrier] | None) -> None:
    assert edit_forms(request_) == forms


def test_tools_that_edit_leave_no_form_to_the_text() -> None:
    said = turn((S, "All changes to files must use this *SEARCH/REPLACE block* format."), (U, "Hi" + RULES))
    assert edit_forms(replace(said, tools=("read", "edit"))) == frozenset()
    assert edit_forms(replace(said, tools=("read", "get_weather"))) == SR
