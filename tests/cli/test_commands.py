"""The `tslp` command by itself: its commands, completion, how it ends."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from tslp_litellm.cli import COMMANDS, main, reads


def completions(*words: str) -> list[str]:
    *before, incomplete = words
    return [item.value for item in ShellComplete(main, {}, "tslp", "_TSLP").get_completions(before, incomplete)]


def test_version_and_completion_import_nothing_slow() -> None:
    """Both come while somebody waits at a prompt."""
    script = (
        "import sys\nfrom tslp_litellm.cli import main\n"
        "main.shell_complete(main.make_context('tslp', [], resilient_parsing=True), '')\n"
        "sys.exit(any(name in sys.modules for name in ('sqlalchemy', 'httpx', 'pydantic', 'rich', 'litellm')))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_each_command_is_where_it_is_said_to_be() -> None:
    context = main.make_context("tslp", [], resilient_parsing=True)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        assert command.name == name
    assert main.get_command(context, "nothing") is None
    assert CliRunner().invoke(main, ["nothing"]).exit_code == 2


def test_completion() -> None:
    assert completions("do") == ["doctor"]
    assert completions("") == sorted(COMMANDS)
    assert "--version" in completions("--")
    assert "upgrade" in completions("db", "u")


def test_ctrl_c_is_told_to_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(reads, "state", click.Command("state", callback=interrupted))
    done = CliRunner().invoke(main, ["state"])
    assert done.exit_code == 130
    assert "Traceback" not in done.output
