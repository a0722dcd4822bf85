"""A user shows most of a file again, under its label: what is not there may have gone."""

from __future__ import annotations

import pytest

from .helpers import Session

PYTHON = "import os\nimport re\n\n\ndef load(path):\n    return open(path).read()\n\n\ndef clean(s):\n    return re.sub('x', '', s)\n\n\ndef names():\n    return os.listdir()\n"
GO = 'package store\n\nimport "os"\n\nfunc Open() int {\n\treturn 1\n}\n\nfunc Ping() int {\n\treturn os.Getpid()\n}\n\nfunc Close() int {\n\treturn 3\n}\n'
GONE = [
    ("a.py", "python", PYTHON, PYTHON.replace("import re\n", "").replace("def clean(s):\n    return re.sub('x', '', s)\n\n\n", ""), "clean"),
    ("a.go", "go", GO, GO.replace('import "os"\n\n', "").replace("func Ping() int {\n\treturn os.Getpid()\n}\n\n", ""), "Ping"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "word", "text", "shown", "name"), GONE)
@pytest.mark.parametrize("above", ["This is what I have.\n\n{}\n", "Here is my {} now:\n\n"])
def test_what_is_not_there_is_unknown(
    session: Session, path: str, word: str, text: str, shown: str, name: str, above: str
) -> None:
    session.ask(f"{path}\n```{word}\n{text}```\n", "ok")
    session.ask(f"{above.format(path)}```{word}\n{shown}```\n\nok?", "Yes.")
    unknown = {entity for entity, artifact in session.state().items() if artifact == "DIRTY"}
    assert unknown == {path, f"{path}::{name}"}


@pytest.mark.parametrize(
    "shown",
    [
        "import re\n\n\ndef clean(s):\n    return re.sub('x', '', s)\n",
        PYTHON.replace("def clean(s):\n    return re.sub('x', '', s)\n", "# ... clean ..."),
        PYTHON.partition("import re\n\n\n")[2].replace("def clean(s):\n    return re.sub('x', '', s)\n\n\n", ""),
        PYTHON.partition("\n\n\ndef names")[0] + "\n",
    ],
    ids=["one of three", "left out", "without imports", "a quote"],
)
def test_a_part_tells_of_nothing_else(session: Session, shown: str) -> None:
    session.ask(f"a.py\n```python\n{PYTHON}```\n", "ok").ask(f"a.py\n```python\n{shown}```\n\nIs it fine?", "Yes.")
    assert "DIRTY" not in session.state().values()


REPO = "class Repo:\n    def load(self):\n        return 1\n\n    def cached(self):\n        return 2\n"
ONE, TWO = "\n\ndef one():\n    return 1\n", "\n\ndef two():\n    return 2\n"


@pytest.mark.parametrize("above", ["Here is my current a.py:", "Here's my updated a.py:", "a.py is now:"])
@pytest.mark.parametrize(
    ("shown", "gone"),
    [
        (REPO + ONE, "two"),
        (REPO + ONE.replace("1", "11"), "two"),
        (REPO.partition("\n    def cached")[0] + ONE + TWO, "Repo.cached"),
    ],
    ids=["its beginning", "changed", "a member"],
)
def test_what_a_sentence_calls_the_file_may_have_lost_the_rest(
    session: Session, above: str, shown: str, gone: str
) -> None:
    session.ask(f"a.py\n```python\n{REPO}{ONE}{TWO}```\n", "ok").ask(f"{above}\n\n```python\n{shown}```\n", "ok")
    state = session.state()
    assert state.get(f"a.py::{gone}", "DIRTY") == "DIRTY"
    assert session.holds("a.py", shown) or state["a.py"] == "DIRTY"


def test_the_beginning_of_what_stands_in_the_file_is_a_quote(session: Session) -> None:
    session.ask(f"a.py\n```python\n{REPO}{ONE}{TWO}```\n", "ok")
    session.ask(f"I wonder about this in my a.py:\n\n```python\n{REPO}{ONE}```\n", "ok")
    assert "DIRTY" not in session.state().values()
