"""Commands that the user ran through the client, made the calls and results that they are."""

import json

import pytest

from tslp_litellm.clients.user_commands import UNTOLD, in_doubt, said_of, with_commands
from tslp_litellm.dialects.values import Carrier, Shown
from tslp_litellm.shell.certainty import Outcome
from tslp_litellm.wire.turn import Item, ItemKind, Role

CODEX = (
    "<user_shell_command>\n<command>\n{0}\n</command>\n<result>\nExit code: {2}\nDuration: 0.0250 seconds\n"
    "Output:\n{1}\n</result>\n</user_shell_command>"
)
CLAUDE = "<bash-input>{0}</bash-input>\n<bash-stdout>{1}</bash-stdout><bash-stderr></bash-stderr>"
GEMINI = "I ran the following shell command:\n```sh\n{0}\n```\n\nThis produced the following result:\n```\n{1}\n```"
AIDER = "I ran this command:\n\n{0}\n\nAnd got this output:\n\n{1}"


def said(*texts: str, role: Role = Role.USER) -> list[Item]:
    return [Item(role, ItemKind.TEXT, text, message=n) for n, text in enumerate(texts)]


def read(*texts: str, role: Role = Role.USER) -> list[tuple[str, str]]:
    """The items as kind and text; a call's as its tool and its command."""
    return [
        (item.name, json.loads(item.text)["command"]) if item.kind is ItemKind.CALL else (item.kind.value, item.text)
        for item in with_commands(said(*texts, role=role))
    ]


@pytest.mark.parametrize(
    ("frame", "tool", "result"),
    [
        (CLAUDE, "Bash", "{}"),
        (CODEX, "shell_command", "Exit code: 0\nOutput:\n{}"),
        (GEMINI, "run_shell_command", "{}"),
        (AIDER, "run_shell_command", "{}"),
    ],
)
class TestKnownFrames:
    def test_are_calls_with_results(self, frame: str, tool: str, result: str) -> None:
        assert read(frame.format("cat a.py", "x = 1", 0)) == [
            (tool, "cat a.py"),
            ("result", result.format("x = 1")),
        ]

    def test_answer_their_own_calls(self, frame: str, tool: str, result: str) -> None:
        call, answer = with_commands(said(frame.format("ls", "a.py", 0)))
        assert call.call_id and call.call_id == answer.call_id
        assert (call.role, answer.role) == (Role.USER, Role.TOOL)

    def test_are_none_in_the_user_s_own_words_or_the_model_s(self, frame: str, tool: str, result: str) -> None:
        text = frame.format("rm a.py", "", 0)
        assert read("Look: " + text) == [("text", "Look: " + text)]
        assert read(text, role=Role.ASSISTANT) == [("text", text)]


@pytest.mark.parametrize(
    "text",
    [
        "<bash-input>rm a.py</bash-input>\nof a form that nobody knows",
        CLAUDE.format("rm a.py", "") + "\nWhy?",
        "<user_shell_command>\n<command>\nrm a.py\n</command>\n<result>\nExit code: 0\n</result>",
        GEMINI.format("rm a.py", "").removesuffix("\n```"),
        GEMINI.format("rm a.py", "") + "\nWhy?",
    ],
)
def test_a_result_that_is_not_framed_as_known_is_unknown(text: str) -> None:
    assert [one for _, one in read(text)[:2]] == ["rm a.py", UNTOLD]


def test_a_frame_in_several_messages_is_one() -> None:
    assert read(
        "<bash-input>ls</bash-input>", "<bash-stdout>a.py</bash-stdout><bash-stderr></bash-stderr>", "Why?"
    ) == [
        ("Bash", "ls"),
        ("result", "a.py"),
        ("text", "Why?"),
    ]


def test_several_frames_in_one_message_are_several_commands() -> None:
    both = CLAUDE.format("cd src", "") + "\n" + CLAUDE.format("rm a.py", "")
    assert read(both) == [("Bash", "cd src"), ("result", ""), ("Bash", "rm a.py"), ("result", "")]


def test_the_last_end_of_a_message_ends_its_frame() -> None:
    shown = "# A\n```\nb\n```\nc"
    assert read(GEMINI.format("cat a.md", shown)) == [("run_shell_command", "cat a.md"), ("result", shown)]


def test_what_a_client_says_of_no_output_is_none() -> None:
    assert read(GEMINI.format("rm a.py", "(Command produced no output)"))[1] == ("result", "")


def test_an_exit_status_is_stated_or_the_result_is_unknown() -> None:
    assert read(CODEX.format("false", "", 1))[1] == ("result", "Exit code: 1\nOutput:\n")
    assert read(CODEX.format("false", "", "?"))[1] == ("result", UNTOLD)


def test_errors_stand_behind_the_output() -> None:
    text = "<bash-input>ls</bash-input><bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>"
    assert read(text) == [("Bash", "ls"), ("result", "a\nb")]


def test_nobody_answers_for_the_end_of_a_user_s_command() -> None:
    call, _ = with_commands(said(CLAUDE.format("rm a.py", "")))
    assert said_of(call, Outcome.RAN) is Outcome.UNKNOWN
    assert said_of(call, Outcome.SUCCESS) is Outcome.SUCCESS


def test_bare_output_is_no_file_but_may_prove_doubt() -> None:
    bare = Shown("a.py", "x = 1\n", Carrier.READ, whole=True, raw=True)
    [shown] = in_doubt([bare])
    assert isinstance(shown, Shown) and shown.doubted
