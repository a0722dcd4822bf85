"""Formatters change nothing twice: what one has formatted stays known through its next run (SEMANTICS 2, Formatters)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .helpers import Session

A, B = "def a():\n    return 1\n", "def b():\n    return 2\n"
DONE = "reformatted a.py\n\nAll done! ✨ 🍰 ✨\n2 files reformatted."
UNCHANGED = "All done! ✨ 🍰 ✨\n2 files left unchanged."


class Agent:
    """A client with tools, one call a request."""

    def __init__(self, session: Session) -> None:
        self.session, self.calls = session, 0

    def call(self, name: str, arguments: dict[str, str], result: str) -> None:
        self.calls += 1
        call = f"c{self.calls}"
        self.session.ask(None, None, {call: {"name": name, "arguments": arguments}}, "tool_calls")
        self.session.ask(None, "So.", results={call: result})

    def run(self, command: str, output: str = DONE) -> None:
        self.call("Bash", {"command": command}, output)

    def read(self, path: str, text: str) -> None:
        lines = "".join(f"{n}\t{line}\n" for n, line in enumerate(text.split("\n"), 1))
        self.call("Read", {"file_path": f"/w/{path}"}, lines.removesuffix("\n"))

    def edit(self, path: str, old: str, new: str) -> None:
        arguments = {"file_path": f"/w/{path}", "old_string": old, "new_string": new}
        self.call("Edit", arguments, f"The file /w/{path} has been updated successfully.")

    def dirty(self) -> set[str]:
        state = self.session.state()
        return {path for path, text in state.items() if "::" not in path and text == "DIRTY"}


@pytest.fixture
def agent(sessions: Callable[..., Session]) -> Agent:
    session = sessions(tools=("Bash", "Read", "Edit", "Write"))
    session.messages.append({"role": "system", "content": " - Primary working directory: /w"})
    session.ask("Tidy up.")
    made = Agent(session)
    made.read("a.py", A)
    made.read("b.py", B)
    assert made.dirty() == set()
    return made


@pytest.fixture
def formatted(agent: Agent) -> Agent:
    agent.run("black .")
    assert agent.dirty() == {"a.py", "b.py"}
    agent.read("a.py", A)
    assert agent.dirty() == {"b.py"}
    return agent


def test_what_was_seen_after_a_run_stays_known_through_the_next(formatted: Agent) -> None:
    for _ in range(3):
        formatted.run("black .", UNCHANGED)
        assert formatted.dirty() == {"b.py"}, "which was never seen after one"
    formatted.read("b.py", B)
    formatted.run("black a.py b.py", UNCHANGED)
    assert formatted.dirty() == set()
    assert formatted.session.holds("a.py", A)


def test_what_was_changed_since_is_not(formatted: Agent) -> None:
    formatted.read("b.py", B)
    formatted.edit("a.py", "return 1", "return  3")
    formatted.run("black .")
    assert formatted.dirty() == {"a.py"}


def test_what_was_changed_back_is(formatted: Agent) -> None:
    formatted.edit("a.py", "return 1", "return  3")
    formatted.edit("a.py", "return  3", "return 1")
    formatted.run("black a.py")
    assert formatted.dirty() == {"b.py"}


def test_what_was_edited_before_it_was_seen_is_not(agent: Agent) -> None:
    agent.run("black .")
    agent.call("Write", {"file_path": "/w/a.py", "content": A}, "The file /w/a.py has been updated successfully.")
    agent.run("black a.py")
    assert "a.py" in agent.dirty()


@pytest.mark.parametrize(
    "command", ["black -l 79 .", "ruff format .", "isort .", "sed -i s/1/2/ a.py", "black $OPTIONS ."]
)
def test_another_program_or_other_options_may_change_it(formatted: Agent, command: str) -> None:
    formatted.run(command, "")
    assert "a.py" in formatted.dirty()


def test_so_may_the_same_one_once_its_settings_have_changed(formatted: Agent) -> None:
    formatted.edit("pyproject.toml", "line-length = 88", "line-length = 79")
    formatted.run("black .")
    assert "a.py" in formatted.dirty()


def test_the_first_sight_of_its_settings_changes_none(formatted: Agent) -> None:
    formatted.read("pyproject.toml", "[tool.black]\nline-length = 88\n")
    formatted.run("black .", UNCHANGED)
    assert formatted.dirty() == {"b.py"}


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("black .", "error: cannot format b.py: Cannot parse\n\nOh no! 💥 💔 💥\n1 file failed to reformat."),
        ("black . | tail", DONE),
        ("test -e x && black .", DONE),
        ("cd src; black .", DONE),
    ],
)
def test_a_run_that_may_have_failed_or_never_been_leaves_nothing_known(agent: Agent, command: str, output: str) -> None:
    agent.run(command, output)
    agent.read("a.py", A)
    agent.run("black .")
    assert "a.py" in agent.dirty()


def test_a_formatter_that_says_nothing_of_success(agent: Agent) -> None:
    agent.read("m.ex", "defmodule M do\nend\n")
    agent.run("mix format", "")
    assert agent.dirty() == {"m.ex"}
    agent.read("m.ex", "defmodule M do\nend\n")
    agent.run("mix format", "")
    assert agent.dirty() == set()


@pytest.mark.parametrize(
    ("command", "output"),
    [("black .", UNCHANGED), ("ruff format .", "2 files left unchanged"), ("ruff check --fix .", "All checks passed!")],
)
def test_one_that_says_that_it_changed_nothing_leaves_all_known(agent: Agent, command: str, output: str) -> None:
    agent.run(command, output)
    assert agent.dirty() == set()


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("black .", "All done! ✨ 🍰 ✨"),
        ("black .", "reformatted a.py\n\n" + UNCHANGED),
        ("black .; ./own", UNCHANGED + "\nall is well"),
        ("ruff check --fix .", "Found 1 error (1 fixed, 0 remaining)."),
    ],
)
def test_one_that_says_something_else_may_have_changed_them(agent: Agent, command: str, output: str) -> None:
    agent.run(command, output)
    assert "a.py" in agent.dirty()
