"""Every command of the documentation runs; every output that a page shows and marks is what comes out."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from .conftest import Running
from .pages import NOT_RUN, PAGES, ROOT, Block, blocks, logical_lines, matches, runnable, why_not
from .shell import Shell

BLOCKS = {page: blocks(page) for page in PAGES}
COMMANDS = {page: [b for b in found if b.language == "sh"] for page, found in BLOCKS.items()}
ALL = [block for found in BLOCKS.values() for block in found]
READERS = {"json": json.loads, "toml": tomllib.loads, "yaml": lambda text: list(yaml.safe_load_all(text))}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if COMMANDS[p]], ids=name)
def test_the_commands_run(page: Path, running: Running) -> None:
    with Shell(running.folder, running.environment, running.port) as shell:
        for block in COMMANDS[page]:
            shell.run(block)


@pytest.mark.parametrize("page", [p for p in PAGES if COMMANDS[p]], ids=name)
def test_all_commands_are_sound_shell(page: Path) -> None:
    """Also those that can't be run here."""
    for block in COMMANDS[page]:
        for text in (block.text, runnable(block.text)):
            checked = subprocess.run(["bash", "-n"], check=False, input=text, capture_output=True, text=True)
            assert checked.returncode == 0, f"{block.where}: {checked.stderr}"


def test_commands_are_marked_as_such() -> None:
    """One name for shell blocks, so that none escapes."""
    assert not [b.where for b in ALL if b.language in ("bash", "shell", "console", "zsh", "shell-session")]
    assert not [b.where for b in ALL if b.language == "" and b.text.lstrip().startswith(("$ ", "curl ", "make "))]


@pytest.mark.parametrize("block", [b for b in ALL if b.language in READERS], ids=lambda b: b.where)
def test_data_blocks_can_be_read(block: Block) -> None:
    READERS[block.language](block.text)


def test_what_is_not_run_is_needed_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    left_out = [
        (found[0], found[1], block.where, line.split("\n")[0].strip())
        for page_blocks in COMMANDS.values()
        for block in page_blocks
        for line in logical_lines(block.text)
        if (found := why_not(line))
    ]
    assert {pattern for pattern, *_ in left_out} == set(NOT_RUN), "an exception that nothing needs"
    with capsys.disabled():
        for _, why, where, line in left_out:
            print(f"\nnot run: {where}: {line}\n         {why}", end="")
        print()


def test_an_output_is_compared() -> None:
    assert matches("a … c\n", "a b c  \n\n")
    assert not matches("a … c\n", "a b d\n")
    assert matches('"x": "…",\n…', '"x": "1",\nmore\n')


def test_a_failing_command_is_seen(checkout: Path) -> None:
    """In the middle of a block, in a pipe, in a function; and a wrong output."""
    page = ROOT / "README.md"
    for text in ("false\ntrue\n", "false | true\n", "f() { false; true; }\nf\n", "curl -s http://127.0.0.1:1/ | cat\n"):
        with Shell(checkout, {"PATH": "/usr/bin:/bin"}, 1) as shell, pytest.raises(AssertionError, match="failed"):
            shell.run(Block(page, 1, "sh", text))
    with Shell(checkout, {"PATH": "/usr/bin:/bin"}, 1) as shell:
        shell.run(Block(page, 1, "sh", "x=1\n"))
        assert shell.run(Block(page, 1, "sh", 'echo "x is $x"\n', "x is …\n")) == "x is 1\n"
        with pytest.raises(AssertionError, match="but it was"):
            shell.run(Block(page, 1, "sh", 'echo "x is $x"\n', "x is 2\n"))
