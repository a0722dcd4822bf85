"""What uses a definition that the prompt names, and is changed where it uses that, was asked for (SEMANTICS 2)."""

from __future__ import annotations

import pytest

from .helpers import Session

LOAD = "def load():\n    return open('site.json').read()\n"
BUILD = "def build(src):\n    config = load()\n    return [config, src]\n"
PASTED = f"site.py\n```python\n{LOAD}\n\n{BUILD}```"
CALLS = "def build(src, path):\n    config = load(path)\n    return [config, src]\n"
OTHERWISE = "def build(src):\n    config = load()\n    return [src, config]\n"


@pytest.mark.parametrize(
    ("asked", "shown", "counts"),
    [
        ("load() takes a path now. Adapt what calls it.", CALLS, True),
        ("`load` should be called with a path", CALLS, True),
        ("`load` should be called with a path", OTHERWISE, False),
        ("Why should `load` be called with a path?", CALLS, False),
    ],
)
def test_it_counts_where_its_new_lines_use_that(session: Session, asked: str, shown: str, counts: bool) -> None:
    session.ask(PASTED).ask(asked, f"Here is the changed function:\n\n```python\n{shown}```")
    assert session.holds("site.py", f"{LOAD}\n\n{shown if counts else BUILD}")


def test_beside_the_definition_as_the_user_changed_it(session: Session) -> None:
    new = LOAD.replace("()", "(path)", 1)
    mine = f"I changed load() so that it takes a path:\n\n```python\n{new}```\n\nplease adapt the other functions"
    session.ask(PASTED).ask(mine, f"```python\n{CALLS}```")
    assert session.holds("site.py", f"{new}\n\n{CALLS}")
