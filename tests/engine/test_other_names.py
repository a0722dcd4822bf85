"""One file by two names (SEMANTICS 2): what changes under the one is of unknown text under the other."""

from __future__ import annotations

import pytest

from .helpers import Session

OLD, NEW = "X = 1\n", "X = 2\n"
EDIT = {"oldString": "X = 1", "newString": "X = 2"}


def fence(path: str, text: str = OLD) -> str:
    return f"{path}\n```python\n{text}```\n"


def call(session: Session, name: str, result: str, **arguments: str) -> Session:
    session.ask("Go on.", None, {"c1": {"name": name, "arguments": arguments}})
    return session.ask(None, "Done.", results={"c1": result})


@pytest.mark.parametrize(
    ("tracked", "path"),
    [("src/a.py", "/home/me/p/src/a.py"), ("/home/me/p/src/a.py", "src/a.py"), ("a.py", "~/p/a.py")],
)
def test_a_confirmed_edit(session: Session, tracked: str, path: str) -> None:
    session.ask(fence(tracked))
    call(session, "edit", "Edit applied successfully.", filePath=path, **EDIT)
    assert session.state()[tracked] == "DIRTY"


@pytest.mark.parametrize("path", ["~/p/src/a.py", "$HOME/p/src/a.py", '"$HOME/p/src/a.py"', "/home/me/p/src/a.py"])
@pytest.mark.parametrize("script", ["cat {}", "cat {} | head -5"])
def test_a_read_of_another_text(session: Session, script: str, path: str) -> None:
    session.ask(fence("src/a.py"))
    call(session, "bash", OLD, command=script.format(path))
    assert session.holds("src/a.py", OLD)
    call(session.forget(), "bash", NEW, command=script.format(path))
    assert session.state()["src/a.py"] == "DIRTY"


def test_a_refused_edit_changes_nothing(session: Session) -> None:
    session.ask(fence("src/a.py"))
    refused = "The user rejected permission to use this specific tool call."
    call(session, "edit", refused, filePath="/home/me/p/src/a.py", **EDIT)
    assert session.holds("src/a.py", OLD)


def test_the_same_text_stays_under_both_names(session: Session) -> None:
    session.ask(fence("src/a.py"))
    call(session, "write", "Wrote file successfully.", filePath="/home/me/p/src/a.py", content=OLD)
    assert session.holds("src/a.py", OLD) and session.holds("/home/me/p/src/a.py", OLD)


@pytest.mark.parametrize(("first", "second"), [("src/a.py", "/w/src/a.py"), ("/w/src/a.py", "src/a.py")])
def test_of_two_texts_the_older_is_dirty(session: Session, first: str, second: str) -> None:
    session.ask(fence(first))
    result = (
        f"<path>{second}</path>\n<type>file</type>\n<content>\n1: X = 2\n\n(End of file - total 1 lines)\n</content>"
    )
    call(session, "read", result, filePath=second)
    assert session.state()[first] == "DIRTY" and session.holds(second, NEW)


def test_a_partial_read_that_contradicts(session: Session) -> None:
    session.ask(fence("src/a.py", "X = 1\nY = 1\nZ = 1\n"))
    lines = "<content>\n2: Y = 2\n3: Z = 1\n\n(End of file - total 3 lines)\n</content>"
    shown = f"<path>/w/src/a.py</path>\n<type>file</type>\n{lines}"
    session.ask("Go on.", None, {"c1": {"name": "read", "arguments": {"filePath": "/w/src/a.py", "offset": 2}}})
    session.ask(None, "Done.", results={"c1": shown})
    assert session.state()["src/a.py"] == "DIRTY"


@pytest.mark.parametrize(
    "command",
    [
        "sed -i s/1/2/ ~/p/src/a.py",
        "rm $HOME/p/src/a.py",
        "cd /home/me/p && sed -i s/1/2/ src/a.py",
        "rm -rf /home/me/p/src",
        "sed -i s/1/2/ /home/me/p/src/*.py",
        "cat > /home/me/p/src/a.py <<'EOF'\nX = 2\nEOF",
        "mv /home/me/p/src/a.py /home/me/p/src/b.py",
    ],
)
def test_a_command(session: Session, command: str) -> None:
    session.ask(fence("src/a.py")).ask(fence("src/c.txt"))
    call(session, "bash", "", command=command)
    assert session.state()["src/a.py"] == "DIRTY"


def test_a_stated_root_settles_it(session: Session) -> None:
    system = {"role": "system", "content": "You are pi.\nCurrent working directory: /home/me/p"}
    session.messages = [system]
    session.ask(fence("src/a.py"))
    call(session, "edit", "Edit applied successfully.", filePath="/home/me/p/src/a.py", **EDIT)
    assert session.holds("src/a.py", NEW)
    session.ask("And.", None, {"c2": {"name": "edit", "arguments": {"filePath": "/home/me/q/src/a.py", **EDIT}}})
    session.ask(None, "Done.", results={"c2": "Edit applied successfully."})
    assert session.holds("src/a.py", NEW)
