"""Ordinary turns after which the file was old, DIRTY or a mixture, though the answer plainly shows what it is now."""

from __future__ import annotations

import pytest

from .helpers import Session, sha


def fence(text: str, word: str = "python") -> str:
    return f"```{word}\n{text}```\n"


REPORT = (
    "import csv\n\n\ndef load(path):\n    with open(path) as file:\n        return list(csv.reader(file))\n\n\n"
    "def main():\n    rows = load('a.csv')\n    print(len(rows))\n"
)
ROWS = REPORT.replace("len(rows)", "rows")


@pytest.mark.parametrize("said", ["Thanks!", "How do I run it?"])
def test_a_file_that_comes_whole_after_small_talk(session: Session, said: str) -> None:
    session.ask("Write report.py, which counts the rows of a file.", fence(REPORT)).ask(said, "Run it with Python.")
    assert session.ask("Print the rows.", f"Here you are:\n\n{fence(ROWS)}").holds("report.py", ROWS)


@pytest.mark.parametrize("shown", [ROWS.partition("\n\n\n")[2], "import csv\n\n\ndef load(path):\n    return []\n"])
def test_after_small_talk_a_part_of_it_or_another_text_is_nobodys(session: Session, shown: str) -> None:
    session.ask("Write report.py, which counts the rows of a file.", fence(REPORT)).ask("Thanks!", "Welcome.")
    assert session.ask("Print the rows.", fence(shown)).holds("report.py", REPORT)


@pytest.mark.parametrize(
    ("path", "word", "text", "old", "new"),
    [
        (
            "server.js", "js",
            "const express = require('express');\nconst app = express();\n\napp.get('/', (req, res) => res.send('hi'));\n"
            "\napp.listen(3000);\n", "'hi'", "'hello'",
        ),
        ("conf.py", "python", "import os\n\nURL = 'a'\nDEBUG = True\n\nprint(URL)\n", "'a'", "'b'"),
        ("main.py", "python", "import csv\n\nwith open('a') as f:\n    print(f.read())\n", "'a'", "'b'"),
    ],
)  # fmt: skip
def test_a_file_of_statements_and_values(session: Session, path: str, word: str, text: str, old: str, new: str) -> None:
    session.ask(f"{path}\n{fence(text, word)}").ask(f"Use {new} in {path}.", fence(text.replace(old, new), word))
    assert session.holds(path, text.replace(old, new))
    use = "print(URL)\n" if path == "conf.py" else text.split("\n")[-2] + "\n"
    assert session.ask(f"Use {path} once.", fence(use, word)).holds(path, text.replace(old, new))


FETCH = "import requests\n\n\ndef fetch(url):\n    return requests.get(url).json()\n\n\ndef main():\n    print(fetch('u'))\n"
HTTPX = FETCH.replace("requests", "httpx")


@pytest.mark.parametrize("label", ["fetch.py\n", ""])
def test_an_import_that_is_asked_for_takes_the_place_of_another(session: Session, label: str) -> None:
    session.ask(f"fetch.py\n{fence(FETCH)}")
    assert session.ask("Use httpx instead of requests in fetch.py.", label + fence(HTTPX)).holds("fetch.py", HTTPX)


def test_a_file_of_unknown_imports_is_known_when_it_is_shown_again(session: Session) -> None:
    session.ask(f"fetch.py\n{fence(FETCH)}").ask("Make `fetch` in fetch.py faster.", f"fetch.py\n{fence(HTTPX)}")
    assert session.state()["fetch.py"] == "DIRTY"
    assert session.ask("Add nothing, but show fetch.py.", f"fetch.py\n{fence(HTTPX)}").holds("fetch.py", HTTPX)


@pytest.mark.parametrize(
    ("path", "word", "text", "gone"),
    [
        ("a.py", "python", "import os\nimport sys\n\n\ndef f():\n    return sys.argv\n\n\ndef g():\n    pass\n", "os"),
        (
            "a.js", "js", "const fs = require('fs');\nconst path = require('path');\n\nfunction f() {\n"
            "  return path.join('a');\n}\n\nfunction g() {\n  return 1;\n}\n", "fs",
        ),
    ],
)  # fmt: skip
def test_an_import_may_go_that_nothing_uses(session: Session, path: str, word: str, text: str, gone: str) -> None:
    now = "".join(line for line in text.splitlines(keepends=True) if f" {gone}" not in line).replace("f() ", "f()  ")
    assert session.ask(f"{path}\n{fence(text, word)}").ask(f"Clean up {path}.", fence(now, word)).holds(path, now)


GAME = "import random\n\nWIDTH = 640\nFPS = 30\n\n\ndef main():\n    print(WIDTH, FPS, random.random())\n"
MOVED = "import random\nfrom settings import WIDTH, FPS\n\n\ndef main():\n    print(WIDTH, FPS, random.random())\n"


def test_what_moves_to_a_file_that_the_prompt_names_is_gone(session: Session) -> None:
    settings = "WIDTH = 640\nFPS = 30\n"
    answer = f"settings.py\n{fence(settings)}\ngame.py\n{fence(MOVED)}"
    session.ask(f"game.py\n{fence(GAME)}").ask("Move the constants to settings.py.", answer)
    assert session.holds("game.py", MOVED)
    assert not {"game.py::WIDTH", "game.py::FPS"} & session.state().keys()


def test_what_moves_where_nobody_said_is_in_doubt_with_its_members(session: Session) -> None:
    cart = "class Cart:\n    def total(self):\n        return 1\n"
    rest = "\n\ndef tax(cart):\n    return cart.total() * 2\n"
    before, after = f"import os\n\n\n{cart}{rest}", f"import os\nfrom cart import Cart\n{rest}"
    session.ask(f"shop.py\n{fence(before)}")
    answer = f"cart.py\n{fence(cart)}\nshop.py\n{fence(after)}"
    state = session.ask("Tidy up shop.py.", answer).state()
    assert (state["shop.py::Cart"], state["shop.py::Cart.total"]) == ("DIRTY", "DIRTY")


def test_a_rename_takes_the_test_along(session: Session) -> None:
    app = "def create_user(name):\n    return name\n\n\ndef other():\n    return 1\n"
    test = (
        "from app import create_user\n\n\ndef test_create_user():\n    assert create_user('a')\n\n\ndef test_x():\n"
        "    assert 1\n"
    )
    new_app, new_test = (text.replace("create_user", "add_user") for text in (app, test))
    session.ask(f"app.py\n{fence(app)}\ntest_app.py\n{fence(test)}")
    session.ask("Rename create_user to add_user.", f"app.py\n{fence(new_app)}\ntest_app.py\n{fence(new_test)}")
    assert session.holds("app.py", new_app)
    assert session.holds("test_app.py", new_test)


@pytest.mark.parametrize("prompt", ["No, go back to create_user.", "Undo that, please."])
@pytest.mark.parametrize("label", ["app.py\n", ""])
def test_what_is_asked_to_be_as_it_was(session: Session, prompt: str, label: str) -> None:
    text = "import os\n\n\ndef create_user(x):\n    return os.path.join('u', x)\n\n\ndef other():\n    return 1\n"
    session.ask(f"app.py\n{fence(text)}")
    session.ask("Rename create_user to add_user in app.py.", fence(text.replace("create_user", "add_user")))
    assert "app.py::add_user" in session.state()
    assert session.ask(prompt, label + fence(text)).holds("app.py", text)


def test_going_back_is_to_what_was(session: Session) -> None:
    """Who asks to go back, and is shown what never was, or keeps a part, is judged as ever."""
    text = "import os\n\n\ndef one(x):\n    return os.path.join('u', x)\n\n\ndef two():\n    return 1\n"
    more = text + "\n\ndef three():\n    return 3\n"
    session.ask(f"app.py\n{fence(text)}").ask("Add a function three to app.py.", f"app.py\n{fence(more)}")
    never = text.replace("return 1", "return 7")
    assert session.ask("Undo that.", f"app.py\n{fence(never)}").state()["app.py::three"] != "DIRTY"
    assert session.ask("Go back, but keep three.", f"app.py\n{fence(text)}").state().get("app.py::three") is not None


@pytest.mark.parametrize(
    ("good", "bad"), [("def main()", "def main("), ("    print(len(rows))", "    # ... the rest as before ...")]
)
def test_going_back_to_what_was_refused_is_no_way_in(session: Session, good: str, bad: str) -> None:
    broken = REPORT.replace(good, bad)
    session.ask(f"report.py\n{fence(REPORT)}").ask("Let `main` show more.", f"report.py\n{fence(broken)}")
    session.ask("Print the rows.", f"report.py\n{fence(ROWS)}")
    assert session.ask("Go back, please.", f"report.py\n{fence(broken)}").holds("report.py", ROWS)


def test_a_constant_is_mentioned_by_its_name(session: Session) -> None:
    session.ask(f"game.py\n{fence(GAME)}").forget().ask("Change WIDTH to 800.")
    assert f"Artifact: {sha('WIDTH = 640')}" in session.sent[-1]["content"]


SUM = "function sum(a, b) {\n  return a + b;\n}\n\nmodule.exports = { sum };\n"
ANY = "function sum(...n) {\n  return n.reduce((a, b) => a + b, 0);\n}\n"


def test_a_call_behind_the_code_of_a_file_that_calls_nothing_is_an_example(session: Session) -> None:
    session.ask(f"sum.js\n{fence(SUM, 'js')}")
    session.ask("Make `sum` take any number of arguments.", fence(f"{ANY}\nconsole.log(sum(1, 2, 3)); // 6\n", "js"))
    assert session.holds("sum.js", SUM.replace(SUM.partition("\n\n")[0] + "\n", ANY))


GUARD = '\n\nif __name__ == "__main__":\n    main()\n'


@pytest.mark.parametrize(
    ("prompt", "text", "now"),
    [
        ("Add a main guard to report.py.", REPORT, REPORT + GUARD),
        ("Make report.py runnable.", REPORT, REPORT + GUARD),
        ("Print the rows, and add a main guard to report.py.", REPORT, ROWS + GUARD),
        ("Call main at the end of report.py.", REPORT, REPORT + "\n\nmain()\n"),
    ],
)
def test_a_call_that_was_asked_for_is_none(session: Session, prompt: str, text: str, now: str) -> None:
    assert session.ask(f"report.py\n{fence(text)}").ask(prompt, fence(now)).holds("report.py", now)


def test_a_call_that_nobody_asked_for_is_an_example(session: Session) -> None:
    session.ask(f"report.py\n{fence(REPORT)}").ask(
        "Let report.py show the rows.", fence(f"{ROWS}\n\nprint(load('b.csv'))\n")
    )
    assert session.holds("report.py", ROWS)


def test_a_script_calls_what_it_likes(session: Session) -> None:
    script = SUM.replace("module.exports = { sum };", "console.log(sum(1, 2));")
    session.ask(f"sum.js\n{fence(script, 'js')}")
    now = f"{ANY}\nconsole.log(sum(1, 2, 3)); // 6\n"
    assert session.ask("Make `sum` take any number of arguments.", fence(now, "js")).holds("sum.js", now)


def test_the_program_of_one_function_that_comes_in_the_next_turn(session: Session) -> None:
    text = 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("hi")\n}\n'
    session.ask(f"m.go\n{fence(text, 'go')}").ask("Print hello instead.", fence(text.replace("hi", "hello"), "go"))
    assert session.holds("m.go", text.replace("hi", "hello"))


HOOK = "from b import g\n\n\ndef f(x):\n    return g(x)\n"


@pytest.mark.parametrize(
    "above",
    [
        "### Step 1: the hook (`src/a.py`)",
        "### src/a.py - entry point",
        "1. **Create `src/a.py`**",
        "**src/a.py** (main file)",
        "Your `src/a.py` file should now look like this:",
        "Create a file named `src/a.py` with the following content:",
    ],
)
def test_a_new_file_under_a_heading_or_a_few_words(session: Session, above: str) -> None:
    session.ask("Write me a function f that calls g.", f"{above}\n\n{fence(HOOK)}")
    assert session.holds("src/a.py", HOOK)


@pytest.mark.parametrize(
    "above", ["In src/a.py I have:", "src/a.py contains the following:", "Here's the code (src/a.py):"]
)
def test_a_file_that_a_user_shows_first(session: Session, above: str) -> None:
    assert session.ask(f"{above}\n\n{fence(HOOK)}\nWhat does it do?").holds("src/a.py", HOOK)


@pytest.mark.parametrize("above", ["### How to use `src/a.py`", "1. Run `src/a.py` or `src/b.py`", "a.py is slow:"])
def test_other_headings_name_no_file(session: Session, above: str) -> None:
    code = "x = f(2)\nprint(x)\n" if "use" in above else HOOK
    assert session.ask("Write me a function f that calls g.", f"{above}\n\n{fence(code)}").state() == {}


def test_a_new_file_of_the_answer_s_may_define_what_another_one_has(session: Session) -> None:
    session.ask(f"sum.js\n{fence(SUM, 'js')}")
    new = "export function sum(a: number, b: number): number {\n  return a + b;\n}\n"
    session.ask("Convert it to TypeScript.", f"Create `sum.ts`:\n\n{fence(new, 'ts')}")
    assert session.holds("sum.ts", new)
    assert session.holds("sum.js", SUM)


def test_what_the_answer_adds_to_a_file_is_known_and_the_file_is_not(session: Session) -> None:
    session.ask(f"app.py\n{fence(REPORT)}")
    new = "def names():\n    return []\n"
    session.ask("Add a function that lists the names.", f"Add this to your `app.py`:\n\n{fence(new)}")
    assert session.state()["app.py"] == "DIRTY"
    assert session.state()["app.py::names"] == sha(new.rstrip("\n"))


def test_a_function_comes_with_its_test(session: Session) -> None:
    session.ask(f"a.py\n{fence(REPORT)}")
    load = "def load(path):\n    with open(path) as file:\n        return sorted(csv.reader(file))\n"
    test = "\n\ndef test_load():\n    assert load('a') == []\n"
    session.ask("Let `load` in a.py sort its rows, and add a test.", fence(load + test))
    state = session.state()
    assert (state["a.py::load"], "a.py::test_load" in state) == (sha(load.rstrip("\n")), False)


BODIES = "import os\n\n\ndef f(x):\n    return x\n\n\ndef g(x):\n    return 2\n\n\nclass A:\n    def f(self, x):\n        return x\n\n    def g(self, x):\n        return 2\n"  # fmt: skip


@pytest.mark.parametrize(
    ("prompt", "shown", "old", "new"),
    [
        ("Let `f` add 1.", "def f(x):\n    return x + 1\n\n\ndef g(x):\n    # unchanged\n", "def f(x):\n    return x\n", "def f(x):\n    return x + 1\n"),
        ("Let A.f add 1.", "class A:\n    def f(self, x):\n        return x + 1\n\n    def g(self, x):\n        # existing code\n", "        return x\n", "        return x + 1\n"),
    ],
)  # fmt: skip
def test_a_body_that_is_a_comment_stands_for_what_is_there(
    session: Session, prompt: str, shown: str, old: str, new: str
) -> None:
    session.ask(f"a.py\n{fence(BODIES)}").ask(prompt, fence(shown))
    assert session.holds("a.py", BODIES.replace(old, new))


def test_a_class_whose_constructor_only_set_its_fields_becomes_a_dataclass(session: Session) -> None:
    sale = (
        "class Sale:\n    def __init__(self, region, amount):\n        self.region = region\n"
        "        self.amount = float(amount)\n"
    )
    now = "@dataclass\nclass Sale:\n    region: str\n    amount: float\n"
    session.ask(f"r.py\n{fence('import os' + 3 * chr(10) + sale)}")
    session.ask("Make Sale in r.py a dataclass.", fence(f"from dataclasses import dataclass\n\n\n{now}"))
    assert session.state()["r.py::Sale"] == sha(now.rstrip("\n"))


@pytest.mark.parametrize("above", ["In the source file `stack.cpp`:", "Add this to `stack.cpp`:"])
def test_a_method_of_c_goes_where_the_others_are(session: Session, above: str) -> None:
    header = "#include <vector>\n\nclass Stack {\npublic:\n    void push(int v);\n\nprivate:\n    std::vector<int> data;\n};\n"
    source = '#include "stack.h"\n\nvoid Stack::push(int v) {\n    data.push_back(v);\n}\n'
    session.ask(f"stack.h\n{fence(header, 'cpp')}\nstack.cpp\n{fence(source, 'cpp')}")
    size = "int Stack::size() const {\n    return data.size();\n}\n"
    session.ask("Add a size method.", f"{above}\n\n{fence(size, 'cpp')}")
    state = session.state()
    assert state["stack.cpp::Stack.size"] == sha(size.rstrip("\n"))
    assert (state["stack.h"], state["stack.cpp"]) == (sha(header), "DIRTY")


@pytest.mark.parametrize(("above", "between"), [("Replace this line:", "with:"), ("Change the path:", "**To this:**")])
def test_lines_that_take_the_place_of_others(session: Session, above: str, between: str) -> None:
    session.ask(f"a.py\n{fence(REPORT)}")
    old, new = "    rows = load('a.csv')\n", "    rows = load('b.csv')\n"
    answer = f"{above}\n\n{fence(old)}\n{between}\n\n{fence(new)}\nThat is all."
    assert session.ask("Let a.py read b.csv.", answer).holds("a.py", REPORT.replace(old, new))


@pytest.mark.parametrize("old", ["    return\n", "    rows = load('x.csv')\n"])
def test_lines_that_do_not_stand_there_once_take_no_place(session: Session, old: str) -> None:
    text = REPORT.replace("    print(len(rows))\n", "    return\n\n\ndef other():\n    return\n")
    session.ask(f"a.py\n{fence(text)}")
    answer = f"Replace this line:\n\n{fence(old)}\nwith:\n\n{fence('    pass' + chr(10))}"
    assert session.ask("Change a.py.", answer).holds("a.py", text)


@pytest.mark.parametrize("said", ["Remove the function called main from a.py.", "Take out main() in a.py."])
def test_a_function_may_go_by_more_words(session: Session, said: str) -> None:
    now = REPORT.partition("\n\n\ndef main")[0] + "\n"
    assert session.ask(f"a.py\n{fence(REPORT)}").ask(said, f"a.py\n{fence(now)}").holds("a.py", now)


@pytest.mark.parametrize(
    "said",
    [
        "Fix the names in report.py. Here is the code:", "Make report.py faster.\n\nCurrent code:",
        "report.py currently looks like this:", "What does report.py?",
    ],
)  # fmt: skip
def test_a_users_first_file_below_what_he_asks_for(session: Session, said: str) -> None:
    assert session.ask(f"{said}\n\n{fence(REPORT)}").holds("report.py", REPORT)


@pytest.mark.parametrize(
    "said",
    [
        "Fix report.py. Here is the function:", "Fix it. Here is the code:",
        "Make report.py like other.py. Here is the code:", "Fix report.py. Please. Here is the code:",
        "Fix report.py. Here is an example:",
    ],
)  # fmt: skip
def test_what_may_be_another_file_than_he_asks_about(session: Session, said: str) -> None:
    assert session.ask(f"{said}\n\n{fence(REPORT)}").state() == {}


SAVE = "import json\n\n\ndef save(rows):\n    json.dump(rows, open('b', 'w'))\n"


def test_the_second_of_two_codes_is_not_led_to_by_the_first_ones_file(session: Session) -> None:
    session.ask(f"Fix report.py. Here is the code:\n\n{fence(REPORT)}\nHere is the other one:\n\n{fence(SAVE)}")
    assert session.holds("report.py", REPORT)
    assert "report.py::save" not in session.state()


def test_a_prompt_that_only_pastes_an_error_is_one(session: Session) -> None:
    session.ask(f"report.py\n{fence(REPORT)}").ask("Why does `load` take a path?", "To open it.")
    session.ask("```\nNameError: name 'rows' is not defined\n```", fence(ROWS[ROWS.index("def main") :]))
    assert session.holds("report.py", ROWS)
