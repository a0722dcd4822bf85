"""Code without a label that is the new file which the prompt wants, whole turns; the first is of a real 1.5B model."""

from __future__ import annotations

import pytest

from .helpers import Session

TODO = """import json

# Load tasks from tasks.json
def load_tasks():
    return json.load(open('tasks.json'))

# Save tasks to tasks.json
def save_tasks(tasks):
    json.dump(tasks, open('tasks.json', 'w'))

def main():
    save_tasks(load_tasks())

if __name__ == '__main__':
    main()
"""
APP = "Write a small todo app in Python, in todo.py. Tasks are saved in tasks.json. It has load_tasks and save_tasks."
PARSE = "def parse(s):\n    return s.split()\n"
TEST = "from parse import parse\n\n\ndef test_parse():\n    assert parse('a b') == ['a', 'b']\n"


def fenced(*texts: str) -> str:
    return "Sure:\n\n" + "\n\n".join(f"```python\n{text}```" for text in texts)


def test_an_app_that_the_prompt_wants_in_a_file(session: Session) -> None:
    session.ask(APP, f"{fenced(TODO)}\n\nRun it:\n\n```sh\npython todo.py\n```\n")
    assert session.holds("todo.py", TODO)
    session.ask("Add a command `done`.", fenced(TODO.replace("def main", "def done(n):\n    pass\n\ndef main")))
    assert session.state()["todo.py::done"]


def test_a_function_that_the_prompt_wants_in_a_file_that_nobody_has_shown_is_a_part_of_it(session: Session) -> None:
    state = session.ask("Write a function in text.py that splits a string.", fenced(PARSE)).state()
    assert state["text.py"] == "DIRTY"
    assert state["text.py::parse"] != "DIRTY"


def test_a_file_and_its_tests(session: Session) -> None:
    session.ask("Can you write a parser in parse.py and tests in test_parse.py?", fenced(PARSE, TEST))
    assert session.holds("parse.py", PARSE)
    assert session.holds("test_parse.py", TEST)


def test_tests_of_a_file_that_is_there(session: Session) -> None:
    session.ask(f"parse.py\n```python\n{PARSE}```\n")
    session.ask("Write tests for parse.py in test_parse.py.", fenced(TEST))
    assert session.holds("parse.py", PARSE)
    assert session.holds("test_parse.py", TEST)


def test_tests_below_words_that_say_so(session: Session) -> None:
    """`Test for` takes a fence back, but where the prompt wants tests in a file that is named for them."""
    session.ask(f"parse.py\n```python\n{PARSE}```\n")
    both = f"{PARSE}\n\ndef test_parse():\n    assert parse('a b') == ['a', 'b']\n"
    session.ask("Can you write a test for parse?", f"Here is a test for `parse.py`:\n\n{fenced(both)}")
    assert "parse.py::test_parse" not in session.state()
    session.ask("Write it in test_parse.py.", f"To write a test for `parse.py`, use this code:\n\n{fenced(TEST)}")
    assert session.holds("parse.py", PARSE)
    assert session.holds("test_parse.py", TEST)
    session.forget().ask("Write a test for parse in test_all.py.", f"Here is a test for `parse.py`:\n\n{fenced(both)}")
    assert session.holds("parse.py", PARSE)


@pytest.mark.parametrize("above", ["You can write the `text.py` file as follows:", "**text.py**", "text.py"])
def test_a_shorter_path_is_the_one_that_the_prompt_wants(session: Session, above: str) -> None:
    """A real 1.5B model shortened what it was asked for, and two files stood for one."""
    state = session.ask("Add a file src/text.py that splits.", f"{above}\n\n```python\n{PARSE}```\n").state()
    assert state.keys() == {"src/text.py", "src/text.py::parse"}
    session.ask("What is in text.py?", f"{above}\n\n```python\n{PARSE}```\n")
    assert session.hydrated == [] and session.state() == state


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("How would I write a parser in parse.py?", fenced(PARSE)),
        ("Fix the parser in parse.py.", fenced(PARSE)),
        ("Write a function `read` in parse.py.", fenced(PARSE)),
        ("Write a parser in parse.py.", fenced(PARSE, PARSE.replace("parse", "lex"))),
        ("Write a parser in parse.py.", fenced("print('a b'.split())\n")),
        ("Write a parser in parse.go.", fenced(PARSE)),
        ("Write tests in test_parse.py.", fenced(PARSE)),
        ("Write a.py and b.py.", fenced(PARSE)),
    ],
)
def test_in_doubt_it_is_none(session: Session, prompt: str, answer: str) -> None:
    assert session.ask(prompt, answer).state() == {}


SLUG = "def slugify(s):\n    return s.strip().lower().replace(' ', '-')\n"


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("Add slugify to utils.py.", SLUG),
        ("I need slugify in my utils.py.", SLUG),
        ("Write the slugify that goes at the top of utils.py.", SLUG),
        ("Write a function slugify in slug.go.", "func slugify(s string) string {\n\treturn s\n}\n"),
        ("Add a method getName to User.java.", "public String getName() {\n    return name;\n}\n"),
    ],
)
def test_a_part_of_a_file_that_is_there_already(session: Session, prompt: str, answer: str) -> None:
    word = {"go": "go", "va": "java"}.get(prompt.rstrip(".")[-2:], "python")
    state = session.ask(prompt, f"```{word}\n{answer}```\n").state()
    assert [state[path] for path in state if "::" not in path] in ([], ["DIRTY"])


@pytest.mark.parametrize(
    "prompt",
    [
        "I have a Flask app in app.py. Write an endpoint that lists todos.",
        "I want to create a todo app in app.py. Where do I start?",
        "In app.py I use requests. Write a retry loop for todos.",
        "Don't write app.py yet, just show me todos.",
    ],
)
def test_a_file_that_is_only_spoken_of(session: Session, prompt: str) -> None:
    assert session.ask(prompt, fenced("def todos():\n    return []\n")).state() == {}


@pytest.mark.parametrize(
    "prompt",
    ["Write a cli in cli.py that uses slugify() from text.py.", "Write a script cli.py with its own `slugify`."],
)
def test_the_new_file_repeats_a_function_of_another_one(session: Session, prompt: str) -> None:
    text = f"import re\n\n\n{SLUG}\n\ndef shorten(s):\n    return s[:20]\n"
    session.ask(f"text.py\n```python\n{text}```\n")
    cli = "import sys\n\n\ndef slugify(s):\n    return s.lower()\n\n\ndef main():\n    print(slugify(sys.argv[1]))\n\n\nmain()\n"
    session.ask(prompt, fenced(cli))
    assert session.holds("text.py", text)
    assert session.holds("cli.py", cli)


def test_a_file_and_its_tests_in_one_fence_are_neither(session: Session) -> None:
    prompt = "Write a parser in parse.py and tests in test_parse.py."
    assert session.ask(prompt, fenced(f"{PARSE}\n\nclass TestParse:\n    pass\n")).state() == {}


def test_a_client_that_writes_files_by_tools_does_so_by_itself(session: Session) -> None:
    session.tools = ("write_file",)
    assert session.ask("Write a parser in parse.py.", fenced(PARSE)).state() == {}
