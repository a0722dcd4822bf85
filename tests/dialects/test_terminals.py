"""Prompts of terminals, and what only looks like one."""

from __future__ import annotations

import pytest

from tslp_litellm.dialects.fences import fences, prose_lines
from tslp_litellm.dialects.terminals import led_to, typed_in


def commands(text: str, *files: str) -> list[str]:
    blocks = fences(text)
    return [one.command for session in typed_in(prose_lines(text, blocks), blocks, files) for one in session]


@pytest.mark.parametrize(
    "line",
    [
        "$ make all",
        "% make all",
        "❯ make all",
        "~/proj $ make all",
        "ana@host:~/proj$ make all",
        "[ana@host proj]$ make all",
        "root@1a2b:/app# make all",
        "ana@host proj % make all",
        "(venv) ana@host:~$ make all",
        "bash-5.1$ make all",
        "➜  proj git:(main) ✗ make all",
        "➜ proj make all",
        "PS C:\\proj> make all",
        "C:\\proj> make all",
        "C:\\proj>make all",
        "ana@host ~/proj (main)> make all",
        "~/proj> make all",
    ],
)
def test_what_stands_behind_a_prompt_was_run(line: str) -> None:
    assert commands(f"I see this:\n{line}\nok\n") == ["make all"]
    assert commands(f"```\n{line}\nok\n```\n") == ["make all"]
    assert commands(f"```console\n{line}\n```\n") == ["make all"]


def test_a_command_goes_on_behind_a_backslash() -> None:
    assert commands("$ make \\\n> all\n") == ["make all"]


def test_python_s_prompt_runs_python() -> None:
    assert commands(">>> open('a.py', 'w')\n") == ["python3 - <<'EOF'\nopen('a.py', 'w')\nEOF\n"]


def test_a_message_may_begin_with_a_bang() -> None:
    assert commands("!make all") == commands("! make all\n") == ["make all"]
    assert commands("Look:\n!make all") == []


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 more.",
        "> a quotation",
        "# A heading",
        "- $ in a list",
        "```js\n$ = jQuery;\n```",
        "```make\n$ make\n```",
        "if a > b: c",
        "mail ana@host about it",
        "!",
    ],
)
def test_what_is_none(text: str) -> None:
    assert commands(text) == []


def test_a_file_s_own_text_is_none() -> None:
    assert commands("README.txt\n```\n$ make all\n```\n", "$ make all\n") == []


def test_a_line_may_lead_to_a_script() -> None:
    text = "I ran this:\n\n```sh\nmake all\n```\nand\n```sh\nls\n```\n"
    blocks = fences(text)
    assert list(led_to(prose_lines(text, blocks), blocks)) == [("I ran this", "make all\n")]
