"""A model that imitates the line that stands for what was left out has left code out (SEMANTICS 4, The window)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tslp_litellm.state.markers import left_out_line

from .helpers import Session

Sessions = Callable[..., Session]
LINE = left_out_line("src/a.py: 12 lines, as they then were")
PYTHON = "import os\n\n\ndef f():\n    one = 1\n    two = 2\n    return one + two\n\n\ndef g():\n    return os.sep\n"
MARKDOWN = "# Title\n\nSome words.\n\n## More\n\nOther words.\n"
TEXT = "one\ntwo\nthree\nfour\nfive\nsix\n"
SQL = "CREATE TABLE a (id INT);\nCREATE TABLE b (id INT);\n"


def shown(path: str, text: str) -> str:
    return f"Here is my {path}:\n\n{path}\n```\n{text}```\n"


@pytest.mark.parametrize(
    ("path", "text", "gone"),
    [
        ("a.py", PYTHON, "    two = 2\n"),
        ("a.py", PYTHON, "def g():\n    return os.sep\n"),
        ("a.py", PYTHON, "import os\n"),
        ("README.md", MARKDOWN, "Some words.\n"),
        ("notes.txt", TEXT, "two\nthree\n"),
        ("a.sql", SQL, "CREATE TABLE a (id INT);\n"),
    ],
)
@pytest.mark.parametrize("spelled", [LINE, LINE.lower(), f"# {LINE}", f"<!-- {LINE} -->", f"// {LINE}"])
def test_a_fence_that_holds_it_is_never_promoted(
    session: Session, path: str, text: str, gone: str, spelled: str
) -> None:
    session.ask(f"{path}\n```\n{text}```\n")
    assert session.holds(path, text)
    changed = text.replace(gone, spelled + "\n") + ("\n" if path.endswith(".md") else "")
    session.ask(f"Change {path}.", answer=f"Done.\n\n{path}\n```\n{changed}```\n")
    assert session.holds(path, text)
    session.ask("And now add more to it.")
    assert session.holds(path, text)


def test_a_whole_file_that_is_only_the_line_is_nothing(session: Session) -> None:
    session.ask(f"a.py\n```python\n{PYTHON}```\n", answer=f"a.py\n```python\n{LINE}\n```\n")
    assert session.holds("a.py", PYTHON)
    session.ask("Write b.py.", answer=f"b.py\n```python\n{LINE}\n```\n")
    assert "b.py" not in session.state()


def test_a_user_who_pastes_it_shows_a_part(session: Session) -> None:
    session.ask(f"a.py\n```python\n{PYTHON}```\n")
    pasted = PYTHON.replace("def g():\n    return os.sep\n", LINE + "\n").replace("one + two", "two + one")
    session.ask(f"a.py\n```python\n{pasted}```\n")
    assert "a.py::g" in session.state(), "nothing was deleted"
    assert not session.holds("a.py", pasted)


def call(name: str, **arguments: Any) -> dict[str, dict[str, Any]]:
    return {"c1": {"name": name, "arguments": arguments}}


def test_a_write_that_holds_it_waits_for_the_client(sessions: Sessions) -> None:
    session = sessions(tools=("Write",))
    session.ask(f"a.py\n```python\n{PYTHON}```\n")
    changed = PYTHON.replace("    two = 2\n", LINE + "\n")
    session.ask("Change it.", answer=None, calls=call("Write", file_path="a.py", content=changed))
    assert session.holds("a.py", PYTHON)


def test_an_edit_by_text_that_brings_it_is_refused(session: Session) -> None:
    session.ask(f"a.py\n```python\n{PYTHON}```\n")
    block = f"a.py\n<<<<<<< SEARCH\n    two = 2\n=======\n{LINE}\n>>>>>>> REPLACE\n"
    session.ask("Change it.", answer=block)
    assert session.state().get("a.py") in {"DIRTY"} or session.holds("a.py", PYTHON)


def test_a_block_never_holds_it(session: Session) -> None:
    """A file that is about our lines is known, and is not shown: its line would be taken for ours."""
    text = MARKDOWN + LINE + "\n"
    session.ask("Read README.md.", answer=None, calls=call("Read", file_path="README.md"))
    numbered = "\n".join(f"{n}\t{line}" for n, line in enumerate(text.splitlines(), 1))
    session.ask(None, results={"c1": numbered})
    assert "README.md" in session.state()
    session.forget().ask("What does `README.md` say?")
    assert session.hydrated == []
    assert "own markers" in session.prompt
