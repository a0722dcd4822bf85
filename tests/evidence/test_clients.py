"""What is recognised of clients: side requests, examples, the working directory."""

import pytest

from tslp_litellm.evidence.clients import after_examples, is_side_request, working_directory
from tslp_litellm.wire.turn import Item, ItemKind, Role, Turn


def turn(*items: tuple[Role, str]) -> Turn:
    return Turn(tuple(Item(role, ItemKind.TEXT, text, n) for n, (role, text) in enumerate(items)))


S, U, A = Role.SYSTEM, Role.USER, Role.ASSISTANT


@pytest.mark.parametrize(
    "request_",
    [
        turn(
            (S, "You are an expert software engineer that generates concise, one-line Git commit messages"), (U, "diff")
        ),
        turn((S, "You are a title generator. You output ONLY a thread title."), (U, "Write a.py")),
        turn((S, "x"), (U, "a"), (A, "b"), (U, "You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff")),
        turn((S, "You are now acting as the managed memory extraction subagent"), (U, "x")),
        turn(
            (S, "You are Claude Code"),
            (U, "x"),
            (A, "y"),
            (U, "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools."),
        ),
        turn((U, "*Briefly* summarize this partial conversation about programming.")),
    ],
)
def test_side_requests(request_: Turn) -> None:
    assert is_side_request(request_)


@pytest.mark.parametrize(
    "request_",
    [
        turn((S, "You are a helpful coding assistant."), (U, "Write a title generator in a.py")),
        turn((S, "Act as an expert software developer."), (U, "Summarize a.py")),
        turn((U, "Generate commit messages")),
        turn(),
    ],
)
def test_turns_of_a_conversation(request_: Turn) -> None:
    assert not is_side_request(request_)


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
        (turn((U, "I'm currently working in the directory: /home/dev/x\nHere is")), "/home/dev/x"),
        (turn((S, "SYSTEM INFORMATION\n\nCurrent Working Directory: /home/dev/x\n")), "/home/dev/x"),
        (turn((S, "Working directory: C:\\dev\\x\n")), "C:\\dev\\x"),
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
