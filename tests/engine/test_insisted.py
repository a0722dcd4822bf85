"""What an answer shows in the same words as the one before, which was refused for it: the user let it stand (SEMANTICS 3).

A real model lost the paging of `all` in a whole file; that file was refused, and so was every later answer, and ten
turns later the first text was shown as the current one.
"""

from __future__ import annotations

import pytest

from .helpers import Session

LOAD = (
    "def load(path):\n    with open(path) as file:\n        lines = file.read().split()\n    if not lines:\n"
    "        raise ValueError(path)\n    found = {}\n    for line in lines:\n        key, _, value = line.partition('=')\n"
    "        found[key.strip()] = value.strip()\n    return found\n"
)
SHORT = "def load(path):\n    return open(path).read()\n"
OTHERS = "".join(
    f"\n\ndef scale_{n}(a, b, c):\n    x = a + b * c - {n}\n    y = x**2 + a\n    return x, y, a, b, c\n"
    for n in range(4)
)
NAME = "\n\ndef name(path):\n    return path.stem\n"
LONGER, LOWER = NAME.replace("path.stem", "path.stem.strip()"), NAME.replace("path.stem", "path.stem.strip().lower()")
HEAD = "import os\n\n\n"
ASKED = "Let `name` strip the path."


def fence(text: str) -> str:
    return f"```python\n{text}```\n"


def whole(load: str, name: str) -> str:
    return HEAD + load + OTHERS + name


@pytest.fixture
def conf(session: Session) -> Session:
    """A file, and an answer of which a function had collapsed."""
    session.ask(f"conf.py\n{fence(whole(LOAD, NAME))}\nJust say ok.")
    session.ask(ASKED, fence(whole(SHORT, LONGER)))
    assert session.holds("conf.py", whole(LOAD, NAME))
    return session


@pytest.mark.parametrize("answer", [whole(SHORT, LOWER), SHORT + LOWER])
def test_what_comes_again_and_nobody_objected_to_is_on_the_disk(conf: Session, answer: str) -> None:
    state = conf.ask("Let `name` be lower case, too.", fence(answer)).state()
    assert "DIRTY" not in state.values()
    assert "open(path).read()" in conf.forget().ask("Show `load`.", "Look.").sent[-1]["content"]


@pytest.mark.parametrize(
    ("prompt", "load"),
    [
        ("You lost the parsing. Let `name` be lower case, too.", SHORT),
        ("Let `name` be lower case, and leave `load` as it is.", SHORT),
        ("Let `name` be lower case, too.", SHORT.replace("read()", "readline()")),
    ],
)
def test_what_he_objects_to_names_or_sees_first_is_refused(conf: Session, prompt: str, load: str) -> None:
    assert conf.ask(prompt, fence(whole(load, LOWER))).holds("conf.py", whole(LOAD, NAME))


def test_fault_that_was_found_before_goes_for_what_is_made_of_it(conf: Session) -> None:
    """The model repeats what the user objected to, and he goes on all the same: that it stands is seen the next time."""
    conf.ask("You broke `load`.", fence(whole(SHORT, LONGER + NAME.replace("name", "stem"))))
    conf.ask("Let `name` be lower case, too.", fence(whole(SHORT, LOWER)))
    assert conf.holds("conf.py", whole(LOAD, NAME))
    upper = LOWER.replace("lower", "upper")
    assert conf.ask("Now `name` in upper case.", fence(whole(SHORT, upper))).holds("conf.py", whole(SHORT, upper))


@pytest.mark.parametrize(
    "prompt", ["Please keep the parsing.", "I need all keys.", "Only `name` should change.", "Hmm."]
)
def test_what_says_the_same_once_more_brings_nothing_that_he_went_on_to(conf: Session, prompt: str) -> None:
    assert conf.ask(prompt, fence(whole(SHORT, LONGER))).holds("conf.py", whole(LOAD, NAME))


def test_another_file_may_come_between(conf: Session) -> None:
    conf.ask("Write main.py, which shows the name.", "main.py\n" + fence("print(name)\n"))
    conf.ask("In conf.py, let `name` be lower case.", fence(whole(SHORT, LOWER)))
    assert conf.holds("conf.py", whole(SHORT, LOWER))


def test_a_function_alone_comes_again_in_the_file(session: Session) -> None:
    """It is most of the file: what is left of that is counted without it."""
    session.ask(f"conf.py\n{fence(HEAD + LOAD + NAME)}\nJust say ok.").ask("Simplify `load`.", fence(SHORT))
    assert session.holds("conf.py", HEAD + LOAD + NAME)
    session.ask("Good. Now let `name` be lower case.", fence(HEAD + SHORT + LOWER))
    assert session.holds("conf.py", HEAD + SHORT + LOWER)


@pytest.mark.parametrize("prompt", [ASKED, "Let `name` strip its path."])
def test_an_answer_that_was_made_anew_is_the_first_one(conf: Session, prompt: str) -> None:
    del conf.messages[-2:]
    assert conf.ask(prompt, fence(whole(SHORT, LONGER))).holds("conf.py", whole(LOAD, NAME))


def test_a_new_name_in_an_answer_that_was_made_anew_is_not_insisted_on(session: Session) -> None:
    text = "import os\n\n\ndef area(a):\n    return a * a\n\n\ndef name(path):\n    return path.stem\n"
    other = text.replace("area", "square").replace("path.stem", "path.stem.strip()")
    session.ask(f"conf.py\n{fence(text)}\nJust say ok.")
    session.ask(ASKED, fence(other))
    del session.messages[-2:]
    assert session.ask(ASKED, fence(other)).holds("conf.py", text)
