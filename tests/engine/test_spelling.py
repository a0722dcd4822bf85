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


def test_where_case_may_count_they_are_two_files(make: Callable[[str], Session]) -> None:
    session = make("/proj")
    session.ask(None, None, write("/proj/Src/A.py", "A = 2\n"), results={"w": "Wrote file successfully."})
    session.ask(None, "Done.", results={"w": "Wrote file successfully."})
    assert session.state()["src/a.py"] == "DIRTY", "nothing says that case counts"
    assert session.holds("Src/A.py", "A = 2\n")


class TestWhatMayBeTheSameFile:
    """The path that a change names may be a tracked file's by a link, or on a disk that knows no case."""

    @pytest.mark.parametrize(
        ("folder", "path"),
        [
            ("/private/tmp/p", "/tmp/p/src/a.py"),
            ("/Users/u/p", "/Users/u/p/src/A.py"),
            ("/home/u/p", "~/p/src/a.py"),
            ("C:\\p", "\\\\?\\C:\\p\\src\\a.py"),
        ],
    )
    @pytest.mark.parametrize("result", ["Edit applied successfully.", "Wrote file successfully.", "Hm."])
    def test_it_is_dirty(self, make: Callable[[str], Session], folder: str, path: str, result: str) -> None:
        session = make(folder)
        wrote = "Wrote" in result
        change = write(path, "A = 2\n") if wrote else edit(path, "A = 1", "A = 2")
        session.ask(None, None, change, results={"w": "Wrote file successfully."})
        session.ask(None, "Done.", results={"w" if wrote else "e": result})
        assert session.state()["src/a.py"] == "DIRTY"

    @pytest.mark.parametrize(
        "command",
        ["sed -i s/1/2/ ~/p/src/a.py", "sed -i s/1/2/ /tmp/p/src/*.py", "cd /tmp/p && sed -i s/1/2/ src/a.py"],
    )
    def test_so_it_is_for_a_shell(self, make: Callable[[str], Session], command: str) -> None:
        session = make("/private/tmp/p")
        call = {"b": {"name": "bash", "arguments": {"command": command}}}
        session.ask(None, None, call, results={"w": "Wrote file successfully."}).ask(None, "Done.", results={"b": ""})
        assert session.state()["src/a.py"] == "DIRTY"

    @pytest.mark.parametrize(
        "result", ["oldString not found in content", "The user rejected permission to use this specific tool call"]
    )
    def test_what_was_not_done_changes_nothing(self, make: Callable[[str], Session], result: str) -> None:
        session = make("/private/tmp/p")
        session.ask(None, None, edit("/tmp/p/src/a.py", "A = 9", "A = 2"), results={"w": "Wrote file successfully."})
        assert session.ask(None, "Done.", results={"e": result}).holds("src/a.py", "A = 1\n")

    @pytest.mark.parametrize("path", ["/tmp/q/src/a.py", "/tmp/p/a.py", "/private/tmp/p/src/b.py"])
    def test_nor_does_another_file(self, make: Callable[[str], Session], path: str) -> None:
        session = make("/private/tmp/p")
        session.ask(None, None, write(path, "A = 2\n"), results={"w": "Wrote file successfully."})
        assert session.ask(None, "Done.", results={"w": "Wrote file successfully."}).holds("src/a.py", "A = 1\n")

    def test_a_file_renamed_to_another_case_is_one_file(self, make: Callable[[str], Session]) -> None:
        session = make("/w/p")
        move = {"b": {"name": "bash", "arguments": {"command": "git mv src/a.py src/A.py"}}}
        session.ask(None, None, move, results={"w": "Wrote file successfully."})
        session.ask(None, "Done.", results={"b": "(exit code 0)"})
        assert files(session) <= {"src/A.py"}
