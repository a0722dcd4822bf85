"""Two fences of an answer, the second of which takes the place of the first."""

from __future__ import annotations

import pytest

from .helpers import Session


def fence(text: str, word: str = "python") -> str:
    return f"```{word}\n{text}```\n"


TODO = (
    "import json\n\n\ndef add(items, text):\n    items.append(text)\n    items.sort()\n\n\ndef load():\n    return []\n"
)
TS = "export function load(res) {\n  if (!res.ok) throw new Error();\n  return res.json();\n}\n"
BOX = "class Box {\n    private int n = 0;\n\n    int take(int x) {\n        n -= x;\n        return n;\n    }\n}\n"
GO = "package a\n\nfunc f(x int) int {\n\tx++\n\treturn x\n}\n"
APPEND = "items.append(text)\n"
STRIPPED = "items.append(text.strip())\n"


def pair(old: str, new: str, above: str = "Replace", between: str = "with", word: str = "python") -> str:
    return f"{above}\n\n{fence(old, word)}\n{between}\n\n{fence(new, word)}\n"


@pytest.mark.parametrize(
    ("path", "word", "text", "old", "new", "now"),
    [
        ("a.py", "python", TODO, APPEND, f"{APPEND}print(text)\n", "    items.append(text)\n    print(text)\n"),
        ("a.py", "python", TODO, APPEND, f"print(text)\n{APPEND}", "    print(text)\n    items.append(text)\n"),
        ("a.py", "python", TODO, APPEND, f"if text:\n    {APPEND}", "    if text:\n        items.append(text)\n"),
        ("a.py", "python", TODO, f"        {APPEND}", f"        {STRIPPED}", f"    {STRIPPED}"),
        ("a.py", "python", TODO, "def add(items, text):\n", "def add(items, text, n=1):\n", "def add(items, text, n=1):\n"),
        (
            "a.ts", "ts", TS, "return res.json();\n", "if (res.empty) return null;\nreturn res.json();\n",
            "  if (res.empty) return null;\n  return res.json();\n",
        ),
        ("Box.java", "java", BOX, "n -= x;\n", "n -= x;\ncheck(n);\n", "        n -= x;\n        check(n);\n"),
        ("a.go", "go", GO, "    x++\n", "    x++\n    check(x)\n", "\tx++\n\tcheck(x)\n"),
        ("a.json", "json", '{\n  "port": 3000,\n  "host": "a"\n}\n', '"port": 3000,\n', '"port": 4000,\n', '  "port": 4000,\n'),
        ("Box.java", "java", BOX, "int take(int x) {\n", "long take(long x) {\n", "    long take(long x) {\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "words", [("Replace", "with"), ("Find:", "Replace with:"), ("将", "改为"), ("**Before:**", "**After:**")]
)
def test_lines_take_the_place_of_others_as_far_in(
    session: Session, path: str, word: str, text: str, old: str, new: str, now: str, words: tuple[str, str]
) -> None:
    session.ask(f"{path}\n{fence(text, word)}")
    there = next(line for line in text.splitlines(keepends=True) if line.strip() == old.strip())
    session.ask(f"Make {path} better.", pair(old, new, *words, word=word))
    assert session.holds(path, text.replace(there, now))


def doubted(session: Session) -> set[str]:
    return {entity for entity, artifact in session.state().items() if artifact == "DIRTY"}


HEAD = pair("def add(items, text):\n", "def add(items, text, done=False):\n")
BODY = pair(APPEND, "items.append((text, done))\n")


def test_several_are_applied_in_order(session: Session) -> None:
    session.ask(f"a.py\n{fence(TODO)}").ask("Give add() a done parameter.", HEAD + "\nThen replace\n\n" + BODY)
    now = TODO.replace("text):", "text, done=False):").replace("append(text)", "append((text, done))")
    assert session.holds("a.py", now)


@pytest.mark.parametrize(
    "answer",
    [
        "Change the signature:\n\n" + fence("def add(items, text, done=False):\n") + "\nand " + BODY,
        BODY + "\nThen the signature:\n\n" + fence("def add(items, text, done=False):\n    ...\n"),
        BODY + "\nAnd replace\n\n" + pair("items.sort(key=str)\n", "items.sort(key=str, reverse=done)\n"),
        pair(f"    {APPEND}", STRIPPED),
        pair(f"{APPEND}    items.sort()\n", f"{STRIPPED}    items.sort()\n"),
        pair(APPEND, "print('called')\n", "Below this line", "put"),
        pair(APPEND, f"{STRIPPED}items.sort()\n"),
        pair(APPEND, STRIPPED) + "\nor with\n\n" + fence("items += [text.strip()]\n"),
    ],
)
def test_where_they_do_not_all_fit_what_they_are_about_is_of_unknown_text(session: Session, answer: str) -> None:
    session.ask(f"a.py\n{fence(TODO)}").ask("Change add().", answer)
    assert doubted(session) == {"a.py", "a.py::add"}


@pytest.mark.parametrize(
    "answer",
    [
        pair(APPEND, "add([], 'milk')\n", "It appends:", "You can call it so:"),
        pair(APPEND, STRIPPED, "It appends:", "As an alternative:"),
        pair(APPEND, "['milk']\n", "It appends:", "which gives:").replace("python\n['", "text\n['"),
        pair(APPEND, APPEND, "Replace", "with"),
        pair("items.pop(text)\n", "items.pop(text.strip())\n", "Wrong:", "Right:"),
        fence(STRIPPED, "python"),
    ],
)
def test_what_takes_the_place_of_nothing(session: Session, answer: str) -> None:
    session.ask(f"a.py\n{fence(TODO)}").ask("Make add() better.", answer)
    assert session.holds("a.py", TODO) and not doubted(session)


def test_of_a_question_they_change_nothing(session: Session) -> None:
    session.ask(f"a.py\n{fence(TODO)}").ask("How could add() strip its text?", pair(APPEND, STRIPPED))
    assert session.holds("a.py", TODO) and not doubted(session)


def test_beside_the_whole_definition_they_explain_it(session: Session) -> None:
    new = "def add(items, text):\n    items.append(text)\n    items.sort(key=len)\n"
    answer = (
        pair(APPEND, "items.append(text + '')\n", "The line", "is the same as") + f"\nThe function:\n\n{fence(new)}"
    )
    session.ask(f"a.py\n{fence(TODO)}").ask("Sort by length in add().", answer)
    assert session.holds("a.py", TODO.replace("sort()", "sort(key=len)"))


SHOWN = f"{fence(APPEND)}with\n{fence(STRIPPED)}in add()"


@pytest.mark.parametrize(("said", "dirty"), [("i replaced", {"a.py", "a.py::add"}), ("please replace", set())])
def test_what_a_user_tells_by_two_fences(session: Session, said: str, dirty: set[str]) -> None:
    session.ask(f"a.py\n{fence(TODO)}").ask(f"{said}\n{SHOWN}")
    assert doubted(session) == dirty


@pytest.mark.parametrize(("imported", "known"), [("import re\n", False), ("import json\n", True)])
def test_an_import_of_its_own_beside_a_pair_goes_into_the_file(session: Session, imported: str, known: bool) -> None:
    session.ask(f"a.py\n{fence(TODO)}")
    session.ask("Let `add` strip.", f"Add this import:\n\n{fence(imported)}\n{pair(APPEND, STRIPPED)}")
    assert doubted(session) == (set() if known else {"a.py"})
    assert session.holds("a.py", TODO.replace(APPEND, STRIPPED)) is known
