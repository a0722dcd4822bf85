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
