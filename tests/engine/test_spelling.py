"""Files on a disk that knows no case: one entity however they are written, through the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .helpers import Session

TOOLS = ("read", "write", "edit", "bash")


def env(folder: str) -> dict[str, Any]:
    return {"role": "system", "content": f"<env>\n  Working directory: {folder}\n</env>"}


def write(path: str, content: str) -> dict[str, dict[str, Any]]:
    return {"w": {"name": "write", "arguments": {"filePath": path, "content": content}}}


def edit(path: str, old: str, new: str) -> dict[str, dict[str, Any]]:
    return {"e": {"name": "edit", "arguments": {"filePath": path, "oldString": old, "newString": new}}}


@pytest.fixture
def make(sessions: Callable[..., Session]) -> Callable[[str], Session]:
    """A client in a working directory, which has written src/a.py there."""

    def begun(folder: str) -> Session:
        session, separator = sessions(tools=TOOLS), "\\" if "\\" in folder else "/"
        session.messages.append(env(folder))
        session.ask("Write it.", None, write(separator.join((folder, "src", "a.py")), "A = 1\n"))
        return session

    return begun


def files(session: Session) -> set[str]:
    return {entity for entity in session.state() if "::" not in entity}


def test_an_edit_in_another_case_is_of_the_same_file(make: Callable[[str], Session]) -> None:
    session = make("C:\\proj")
    session.ask(None, None, edit("c:\\PROJ\\Src\\A.py", "A = 1", "A = 2"), results={"w": "Wrote file successfully."})
    session.ask(None, "Done.", results={"e": "Edit applied successfully."})
    assert session.holds("src/a.py", "A = 2\n") and files(session) == {"src/a.py"}
    session.messages = [env("c:/Proj")]
    session.ask("Show SRC/A.py.")
    assert session.episode is not None and session.episode.hydrated == ("src/a.py",)


def test_two_writings_of_a_new_file_in_one_turn_are_one_file(make: Callable[[str], Session]) -> None:
    session = make("C:\\proj")
    both = write("C:\\proj\\New.md", "one\n") | edit("C:\\proj\\new.md", "one", "two")
    session.ask(None, None, both, results={"w": "Wrote file successfully."})
    session.ask(None, "Done.", results={"w": "Wrote file successfully.", "e": "Edit applied successfully."})
    assert files(session) == {"src/a.py", "New.md"} and session.holds("New.md", "two\n")


def test_a_folder_removed_in_another_case_is_gone(make: Callable[[str], Session]) -> None:
    session = make("C:/proj")
    gone = {"b": {"name": "bash", "arguments": {"command": "rm -r SRC", "description": "x"}}}
    session.ask(None, None, gone, results={"w": "Wrote file successfully."})
    session.ask(None, "Done.", results={"b": "(no output)"})
    assert "src/a.py" not in session.state()


def test_a_file_renamed_in_case_only_lives_on(make: Callable[[str], Session]) -> None:
    session = make("C:/proj")
    moved = {"b": {"name": "bash", "arguments": {"command": "mv src/a.py src/A.py", "description": "x"}}}
    session.ask(None, None, moved, results={"w": "Wrote file successfully."})
    session.ask(None, "Done.", results={"b": "(no output)"})
    assert session.holds("src/a.py", "A = 1\n")


def test_where_case_counts_they_are_two_files(make: Callable[[str], Session]) -> None:
    session = make("/proj")
    session.ask(None, None, write("/proj/Src/A.py", "A = 2\n"), results={"w": "Wrote file successfully."})
    session.ask(None, "Done.", results={"w": "Wrote file successfully."})
    assert session.holds("src/a.py", "A = 1\n") and session.holds("Src/A.py", "A = 2\n")


def test_a_path_without_a_drive_is_written_as_it_is(make: Callable[[str], Session]) -> None:
    session = make("C:\\p").ask("src/a.py\n```python\nX = 1\n```\n")
    edit = {"filePath": "/mnt/c/p/src/a.py", "oldString": "X = 1", "newString": "X = 2"}
    session.ask("Go on.", None, {"c1": {"name": "edit", "arguments": edit}})
    session.ask(None, "Done.", results={"c1": "Edit applied successfully."})
    assert session.state() == {"src/a.py": "DIRTY", "src/a.py::X": "DIRTY"}
