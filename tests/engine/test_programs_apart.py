"""Chats about several small programs: each defines `main`, and none is taken for another."""

from __future__ import annotations

import pytest

from .helpers import Session

GET = (
    "import json\n\n\ndef fetch(url):\n    return json.loads(url)\n\n\n"
    "def main():\n    print(fetch('x'))\n\n\nif __name__ == '__main__':\n    main()\n"
)
SHOW = "import sys\n\n\ndef parse(argv):\n    return argv[1:]\n\n\ndef main():\n    print(parse(sys.argv))\n"
ROWS = "import csv\n\n\ndef read_rows(path):\n    return list(csv.reader(path))\n\n\ndef main():\n    print(read_rows('a'))\n"
MAIN = "def main():\n    print('start')\n    print(fetch('x'))\n"
GO = 'package main\n\nimport "fmt"\n\nfunc greet() string {\n\treturn "hi"\n}\n\nfunc main() {\n\tfmt.Println(greet())\n}\n'
GO_OTHER = 'package main\n\nimport "os"\n\nfunc count() int {\n\treturn 1\n}\n\nfunc main() {\n\tos.Exit(count())\n}\n'
APP = "import { useState } from 'react';\n\nexport default function App() {\n  return <p>{useState(0)}</p>;\n}\n"
APP_OTHER = (
    "import { Shop } from './shop';\n\nconst routes = ['/'];\n\nexport default function App() {\n"
    "  return <Shop to={routes} />;\n}\n"
)
PROGRAMS = {
    "get.py": ("python", GET, ROWS),
    "main.go": ("go", GO, GO_OTHER),
    "src/App.tsx": ("tsx", APP, APP_OTHER),
}


@pytest.mark.parametrize("path", PROGRAMS)
def test_a_program_pasted_in_another_chat_is_another(session: Session, path: str) -> None:
    word, text, other = PROGRAMS[path]
    session.ask(f"{path}\n```{word}\n{text}```\n\nWhat does this do?").forget()
    session.ask(f"```{word}\n{other}```\n\nWhy does it print nothing?")
    assert session.holds(path, text)
    assert len({name.partition("::")[0] for name in session.state()}) == 1


def test_in_its_own_chat_it_may_be_written_anew(session: Session) -> None:
    session.ask(f"get.py\n```python\n{GET}```").ask(f"I did it with CSV:\n\n```python\n{ROWS}```")
    assert "get.py::read_rows" in session.state()


@pytest.mark.parametrize("asked", ["Write a Python script with a `main()` that counts rows.", "Count rows, please."])
def test_a_program_that_a_model_writes_in_another_chat(session: Session, asked: str) -> None:
    session.ask(f"get.py\n```python\n{GET}```").forget()
    session.ask(asked, f"```python\n{ROWS}```")
    assert session.holds("get.py", GET)


@pytest.mark.parametrize(
    ("asked", "answer"), [("Count rows, please.", f"```python\n{ROWS}```"), (f"```python\n{ROWS}```", "Fine.")]
)
def test_what_a_chat_showed_of_no_file_is_meant_by_its_names(session: Session, asked: str, answer: str) -> None:
    session.ask(f"get.py\n```python\n{GET}```").forget()
    session.ask(asked, answer).ask("Make `main` print start.", "```python\ndef main():\n    print(read_rows('b'))\n```")
    assert session.holds("get.py", GET)
    session.ask("Now `main` in get.py", f"```python\n{MAIN}```")
    assert session.state()["get.py"] != "DIRTY"
    assert not session.holds("get.py", GET)


@pytest.mark.parametrize("asked", ["Now print start first.", "Let `main` print start."])
def test_of_two_the_chat_s_own_is_meant(session: Session, asked: str) -> None:
    session.ask(f"show.py\n```python\n{SHOW}```").forget()
    session.ask(f"get.py\n```python\n{GET}```\n\nWhat does this do?", "It prints.")
    session.ask(asked, f"```python\n{MAIN}```")
    assert session.holds("show.py", SHOW)
    assert session.holds("get.py", GET.replace("def main():\n    print(fetch('x'))\n", MAIN))


def test_a_copy_under_a_new_name_is_meant_where_it_is_pasted(session: Session) -> None:
    session.ask(f"get.py\n```python\n{GET}```").ask("I renamed get.py to load.py.").forget()
    session.ask(f"load.py\n```python\n{GET}```").ask(
        "Make `fetch` strip.", "```python\ndef fetch(url):\n    return 1\n```"
    )
    assert session.holds("load.py", GET.replace("json.loads(url)", "1"))


BUTTON = "const Wrapper = 'a';\n\nexport function Button() {\n  return Wrapper;\n}\n"


@pytest.mark.parametrize("asked", ["Make the text of `Button` longer.", "Make the text of Button longer."])
def test_beside_what_a_prompt_names_stands_the_rest_of_its_file(session: Session, asked: str) -> None:
    session.ask(f"src/Button.ts\n```ts\n{BUTTON}```").ask("Hello.", "Hi.").ask(
        asked, "```ts\nconst Wrapper = 'aa';\n```"
    )
    assert session.holds("src/Button.ts", BUTTON.replace("'a'", "'aa'"))


def test_of_one_name_in_two_files_that_of_the_named_neighbour_is_meant(session: Session) -> None:
    card = "interface Props {\n  a: string;\n}\n\nexport function Card(p: Props) {\n  return p.a;\n}\n"
    modal = card.replace("Card", "Modal")
    session.ask(f"src/Card.ts\n```ts\n{card}```\n\nsrc/Modal.ts\n```ts\n{modal}```")
    props = "interface Props {\n  a: string;\n  b: string;\n}\n"
    session.ask(
        "Card needs a b.",
        f"```ts\n{props}```\n\nand\n\n```ts\nexport function Card(p: Props) {{\n  return p.b;\n}}\n```",
    )
    assert session.holds("src/Card.ts", f"{props}\nexport function Card(p: Props) {{\n  return p.b;\n}}\n")
    assert session.holds("src/Modal.ts", modal)
