"""What a user shows as a part of a file that nobody knows never becomes the file by being changed (SEMANTICS 2)."""

from __future__ import annotations

import pytest

from .helpers import Session, sha

TS = "export function greet(name: string): string {\n  return 'Hello ' + name;\n}\n"
PY = "def greet(name):\n    return 'Hello ' + name\n"
GO = 'func Greet(name string) string {\n\treturn "Hello " + name\n}\n'
RUST = 'pub fn greet(name: &str) -> String {\n    format!("Hello {}", name)\n}\n'
PARTS = [("ts", TS, "greet"), ("py", PY, "greet"), ("go", GO, "Greet"), ("rs", RUST, "greet")]
SHOWN = [
    "```{0} src/user.{0} (15-17)\n{1}```\nmake this say Hi",
    "src/user.{0} (lines 15-17)\n```{0}\n{1}```\nmake this say Hi",
    "this is a part of my src/user.{0}:\n\n```{0}\n{1}```\nmake it say Hi",
    "this is the function in src/user.{0}:\n\n```{0}\n{1}```\nmake it say Hi",
]
ANSWERS = [
    "```{0} src/user.{0}\n{1}```\n",
    "Here is the updated `src/user.{0}`:\n\n```{0}\n{1}```\n",
    "```{0}\n{1}```\n",
]


@pytest.mark.parametrize(("ending", "text", "name"), PARTS)
@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("answer", ANSWERS)
def test_a_part_stays_a_part(session: Session, ending: str, text: str, name: str, shown: str, answer: str) -> None:
    path, new = f"src/user.{ending}", text.replace("Hello", "Hi")
    session.ask(shown.format(ending, text), answer.format(ending, new))
    state = session.state()
    if shown in SHOWN[:2] and answer == ANSWERS[2]:
        assert state == {}, "nobody knows what is selected, nor whose the answer is"
        return
    assert (state[path], state[f"{path}::{name}"]) == ("DIRTY", sha(new.rstrip("\n")))
    assert session.forget().ask(f"Review {path}").hydrated == [f"{path}::{name}"]
    session.ask("And Hey.", answer.format(ending, text.replace("Hello", "Hey")))
    assert session.state()[path] == "DIRTY"


@pytest.mark.parametrize(
    "again", ["this is the function in src/user.ts now:\n\n```ts\n{}```\n", "```ts\n{}```\nBetter?"]
)
def test_and_so_it_does_when_the_user_shows_it_again(session: Session, again: str) -> None:
    session.ask(SHOWN[2].format("ts", TS))
    new = TS.replace("Hello", "Hi")
    session.ask(again.format(new))
    state = session.state()
    assert (state["src/user.ts"], state["src/user.ts::greet"]) == ("DIRTY", sha(new.rstrip("\n")))


@pytest.mark.parametrize("whole", ["src/user.ts\n```ts\n{}```\n", "Here is my src/user.ts:\n\n```ts\n{}```\n"])
@pytest.mark.parametrize("shown", SHOWN)
def test_the_user_shows_the_file(session: Session, whole: str, shown: str) -> None:
    session.ask(shown.format("ts", TS))
    text = f"import {{ db }} from './db';\n\n{TS}"
    session.ask(whole.format(text))
    assert session.holds("src/user.ts", text)
    new = text.replace("Hello", "Hi")
    session.ask("Say Hi in src/user.ts.", ANSWERS[0].format("ts", new))
    assert session.holds("src/user.ts", new)


@pytest.mark.parametrize("shown", SHOWN)
def test_a_selection_of_a_known_file_is_a_part_as_ever(session: Session, shown: str) -> None:
    text = f"import {{ db }} from './db';\n\nexport const all = () => db.all();\n\n{TS}"
    session.ask(f"src/user.ts\n```ts\n{text}```\n")
    session.ask(shown.format("ts", TS))
    assert session.holds("src/user.ts", text)
    session.ask(shown.format("ts", TS), ANSWERS[0].format("ts", TS.replace("Hello", "Hi")))
    assert session.holds("src/user.ts", text.replace("Hello", "Hi"))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/User.java", "    public String greet() {\n        return name;\n    }\n"),
        ("src/user.py", "    def greet(self):\n        return self.name\n"),
    ],
)
def test_what_is_torn_out_of_a_type_or_a_function_defines_nothing(session: Session, path: str, text: str) -> None:
    ending = path.rpartition(".")[2]
    session.ask(f"This is a part of my {path}:\n\n```{ending}\n{text}```\nWhat is this?")
    assert session.state() == {path: "DIRTY"}


def test_a_tail_of_a_known_file_is_no_file_of_its_own(session: Session) -> None:
    session.ask(f"web/src/user.ts\n```ts\n{TS}```\n")
    session.ask(SHOWN[0].format("ts", TS), ANSWERS[2].format("ts", TS.replace("Hello", "Hi")))
    assert "src/user.ts" not in session.state()
    assert session.holds("web/src/user.ts", TS.replace("Hello", "Hi"))


def test_a_new_file_that_the_model_begins_is_one_as_ever(session: Session) -> None:
    session.ask("Write a function `greet` in src/user.ts.", f"```ts\n{TS}```\n")
    text = f"import {{ db }} from './db';\n\n{TS}"
    session.ask("Import db in src/user.ts.", ANSWERS[0].format("ts", text))
    assert session.holds("src/user.ts", text)


@pytest.mark.parametrize("info", ["11:14:src/a.py", "python 11:14:src/a.py", "python src/a.py (11-14)"])
def test_a_citation_of_lines_is_no_text_of_a_file(session: Session, info: str) -> None:
    session.ask(f"Look:\n\n```{info}\ndef f(x):\n    return x\n```\n\nWhat is it?", "A function.")
    assert session.state() == {}
