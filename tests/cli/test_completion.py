"""What the shell completes, and that it imports no database library for it."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest

from tslp_litellm.cli import COMMANDS, completion, load
from tslp_litellm.settings import Settings

from .conftest import Shell

HEAVY = "{'sqlalchemy', 'httpx', 'rich', 'pydantic', 'yaml'}"


def completed(shell: Shell, words: str, **environment: str) -> list[str]:
    """What the last one of `words` may become."""
    asked = {"_TSLP_COMPLETE": "bash_complete", "COMP_CWORD": str(words.count(" ")), "COMP_WORDS": words}
    return [line.removeprefix("plain,") for line in shell.run(**asked, **environment).stdout.split()]


def test_where_no_config_names_a_database_it_is_that_of_the_settings() -> None:
    assert Settings().database_url == completion.DEFAULT_URL


def test_entities_and_workspaces(shell: Shell) -> None:
    assert completed(shell, "tslp show fmt.py::t") == ["fmt.py::title_case"]
    assert completed(shell, "tslp show ") == sorted(row["entity"] for row in named(shell))
    assert completed(shell, "tslp forget fmt.py gone") == ["gone.py", "gone.py::gone"]
    assert completed(shell, "tslp state --workspace d") == ["default"]
    assert completed(shell, "tslp show --workspace elsewhere f") == []


def named(shell: Shell) -> list[dict[str, str]]:
    found = shell.json("state")
    return [*found["entities"], *found["tombstones"]]


def test_other_options_are_the_commands_own(shell: Shell) -> None:
    assert "--history" in completed(shell, "tslp show fmt.py --h")
    assert completed(shell, "tslp show --history 3 fmt.py::t") == ["fmt.py::title_case"]


def test_the_database_is_the_one_that_the_settings_name(shell: Shell) -> None:
    database = f"sqlite:///{shell.file}"
    (shell.folder / "config.yaml").rename(shell.folder / "other.yaml")
    assert completed(shell, "tslp show fmt.py::t") == []
    assert completed(shell, "tslp show --config other.yaml fmt.py::t") == ["fmt.py::title_case"]
    assert completed(shell, "tslp show fmt.py::t", TSLP_DATABASE_URL=database) == ["fmt.py::title_case"]
    for block in (
        f"tslp: {{database_url: '{database}'}}",
        f"tslp:\n  # ours\n\n  debug: true\n  database_url: {database} # x",
    ):
        (shell.folder / "config.yaml").write_text(f"general_settings:\n  database_url: 'postgresql://x'\n{block}")
        assert completed(shell, "tslp show fmt.py::t") == ["fmt.py::title_case"]
    guardrail = f"{{guardrail: tslp_litellm.TSLPGuardrail, database_url: '{database}'}}"
    (shell.folder / "config.yaml").write_text(f"guardrails:\n  - {{guardrail_name: t, litellm_params: {guardrail}}}\n")
    assert completed(shell, "tslp show fmt.py::t") == ["fmt.py::title_case"]
    (shell.folder / "config.yaml").write_text("{")
    assert completed(shell, "tslp show fmt.py::t") == []


def test_no_database_is_made(bare: Shell) -> None:
    missing = bare.folder / "missing.db"
    assert completed(bare, "tslp show f", TSLP_DATABASE_URL=f"sqlite:///{missing}") == []
    assert not missing.exists()


def test_nothing_heavy_is_imported(shell: Shell) -> None:
    script = (
        "import sys; sys.argv = ['tslp']; from tslp_litellm.command import main\ntry: main()\n"
        f"finally: print({HEAVY} & set(sys.modules), file=sys.stderr)"
    )
    asked = {"_TSLP_COMPLETE": "bash_complete", "COMP_CWORD": "2", "COMP_WORDS": "tslp show fmt.py::t"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={**os.environ, **asked}
    )
    assert done.stdout.split() == ["plain,fmt.py::title_case"]
    assert done.stderr == "set()\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_what_stands_in_takes_what_the_command_takes(name: str) -> None:
    command = load(name)
    takes = [p.nargs for p in command.params if isinstance(p, click.Argument) and completes(p)]
    assert takes == ([completion.TAKES_ENTITIES[name]] if name in completion.TAKES_ENTITIES else [])
    if takes:
        own = {option for p in command.params for option in p.opts if option.startswith("-")}
        given = {option for p in completion._StandIn(name).params for option in p.opts if option.startswith("-")}
        assert given - own <= ({"--url", "--key"} if name == "forget" else set())


def completes(parameter: click.Parameter) -> bool:
    return parameter._custom_shell_complete is completion.complete_entity
