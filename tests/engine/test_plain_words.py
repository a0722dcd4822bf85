"""Prompts in plain words, as people type them in a hurry: what they name decides, and what the answer's code is."""

from __future__ import annotations

import pytest

from .helpers import Session

MODELS = "class Todo:\n    def __init__(self, title):\n        self.title = title\n"
STORAGE = (
    'import json\n\n\ndef save(todos):\n    json.dump(todos, open("t.json", "w"))\n\n\n'
    'def load():\n    return json.load(open("t.json"))\n'
)
LOAD = 'def load():\n    try:\n        return json.load(open("t.json"))\n    except FileNotFoundError:\n        return []\n'
CART = (
    "def add(items, item):\n    return [*items, item]\n\n\ndef cart_size(items):\n    return len(items)\n\n\n"
    "def total(items):\n    return sum(items)\n"
)
CUT = "def add(items, item):\n    return [*items, item]\n\n\ndef total(items):\n    return sum(items)\n"


def fence(text: str, label: str = "") -> str:
    return f"{label}\n```python\n{text}```\n"


class TestADefinitionOfAnotherFileOfTheChat:
    """The turn before was about models.py."""

    @pytest.fixture
    def todo(self, session: Session) -> Session:
        session.ask(fence(MODELS, "models.py") + "\n" + fence(STORAGE, "storage.py"), "Fine.")
        dated = MODELS.replace("title)", "title, due=None)")
        return session.ask("todo needs a due date too", "Here is the updated `models.py`:\n" + fence(dated))

    def test_is_meant_by_its_plain_name(self, todo: Session) -> None:
        todo.ask("load shud return [] if no file", "Here is the updated function:\n" + fence(LOAD))
        assert todo.holds("storage.py::load", LOAD.rstrip())

    def test_is_not_meant_where_the_prompt_has_none_of_it(self, todo: Session) -> None:
        todo.ask("and what if there is no file yet", "Here is the updated function:\n" + fence(LOAD))
        assert todo.holds("storage.py", STORAGE)

    @pytest.mark.parametrize(
        "text",
        ["def load(path):\n    return yaml.safe_load(path)\n", LOAD + "\n\ndef clear():\n    load().clear()\n"],
    )
    def test_is_not_meant_where_the_answer_is_another_thing(self, todo: Session, text: str) -> None:
        todo.ask("write me a script that can load a yaml file", fence(text))
        assert todo.holds("storage.py", STORAGE)

    def test_is_not_meant_where_another_file_is_named(self, todo: Session) -> None:
        todo.ask("in models.py, load should give [] if no file", fence(LOAD))
        assert todo.holds("storage.py", STORAGE)

    def test_may_be_a_program(self, session: Session) -> None:
        program = "import sys\n\n\ndef main():\n    print(sys.argv[1])\n"
        usage = "def main():\n    print(sys.argv[1] if sys.argv[1:] else 'usage')\n"
        session.ask(fence(MODELS, "models.py") + "\n" + fence(program, "main.py"), "Fine.")
        session.ask("todo needs a due date", "The new `models.py`:\n" + fence(MODELS.replace("title)", "title, due)")))
        session.ask("main shud print usage w/o args", fence(usage))
        assert session.holds("main.py::main", usage.rstrip())


class TestWhatIsLeftOutOfAFileThatIsElseAsItWas:
    """The prompt names it, in whatever words."""

    @pytest.mark.parametrize(
        "prompt",
        [
            "cart_size can go",
            "kill cart_size, we dont need it",
            "cart_size bitte raus",
            "nobody calls `cart_size` anymore",
        ],
    )
    @pytest.mark.parametrize("label", ["shop/cart.py", ""])
    def test_is_gone(self, session: Session, prompt: str, label: str) -> None:
        session.ask(fence(CART, "shop/cart.py"), "Fine.").ask(prompt, fence(CUT, label))
        assert session.holds("shop/cart.py", CUT)
        assert "shop/cart.py::cart_size" not in session.state()

    @pytest.mark.parametrize(
        ("prompt", "text"),
        [
            ("is cart_size used anywhere?", CUT),
            ("never remove cart_size", CUT),
            ("total can go", CUT),
            ("cart_size can go", CUT.replace("sum(items)", "sum(items or [])")),
        ],
    )
    def test_stands_where_it_is_not_just_that(self, session: Session, prompt: str, text: str) -> None:
        session.ask(fence(CART, "shop/cart.py"), "Fine.").ask(prompt, fence(text, "shop/cart.py"))
        assert session.holds("shop/cart.py::cart_size", "def cart_size(items):\n    return len(items)")
