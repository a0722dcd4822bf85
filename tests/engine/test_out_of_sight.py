"""Around the method that it is asked for a model shows a class out of its head: it saw that method only (SEMANTICS 2).

A real one that was shown `Inventory.save` alone answered with the class, and gave `add` another name in it.
"""

from __future__ import annotations

import pytest

from .helpers import Session, sha


def fence(text: str) -> str:
    return f"```python\n{text}```\n"


STOCK = (
    "class Stock:\n    def __init__(self):\n        self.items = {}\n\n"
    "    def add(self, item):\n        self.items[item.name] = item\n\n"
    "    def save(self, path):\n        path.write_text(str(self.items))\n"
)
SAVES = "    def save(self, path):\n        path.write_text(str(sorted(self.items)))\n"
HEAD, OTHER_INIT = "class Stock:\n", "    def __init__(self, things):\n        self.things = things\n\n"
OTHER_ADD = "    def add_item(self, item):\n        self.items[item.name] = item\n\n"
SORT = "Let Stock.save sort the items."


@pytest.fixture
def stock(session: Session) -> Session:
    """A class that was shown once, in a chat of long ago."""
    return session.ask(f"stock.py\n{fence(STOCK)}\nJust say ok.").forget()


def new_text(stock: Session) -> str:
    old = STOCK[STOCK.index("    def save") :]
    return STOCK.replace(old, SAVES)


@pytest.mark.parametrize("around", ["", OTHER_INIT, OTHER_ADD, OTHER_INIT + OTHER_ADD])
def test_what_the_model_made_up_around_it_is_none_of_the_class(stock: Session, around: str) -> None:
    assert stock.ask(SORT, fence(HEAD + around + SAVES)).holds("stock.py", new_text(stock))


def test_what_the_method_needs_of_it_is_of_unknown_text(stock: Session) -> None:
    uses = SAVES.replace("self.items", "self.things")
    state = stock.ask(SORT, fence(HEAD + OTHER_INIT + uses)).state()
    dirty = {entity for entity, text in state.items() if text == "DIRTY"}
    assert dirty == {"stock.py", "stock.py::Stock", "stock.py::Stock.__init__"}


GO = "package store\n\ntype Store struct {\n\tn int\n}\n\nfunc (s *Store) Set(n int) {\n\ts.n = n\n}\n"
SETS = "func (s *Store) Set(n int) {\n\ts.n = n + 1\n}\n"


@pytest.mark.parametrize("doc", ["", "// Store keeps all.\n"])
def test_a_type_around_its_method_is_made_up_too(session: Session, doc: str) -> None:
    session.ask(f"store.go\n{fence(GO)}\nJust say ok.").forget()
    made_up = f"{doc}type Store struct {{\n\tn, m int\n}}\n\n"
    state = session.ask("Let Store.Set add one.", fence(f"package store\n\n{made_up}{SETS}")).state()
    assert session.holds("store.go", GO.replace("s.n = n", "s.n = n + 1")), state


def test_a_type_whose_new_field_the_method_uses_is_of_unknown_text(session: Session) -> None:
    session.ask(f"store.go\n{fence(GO)}\nJust say ok.").forget()
    uses = SETS.replace("n + 1", "n\n\ts.calls++")
    answer = f"package store\n\ntype Store struct {{\n\tn, calls int\n}}\n\n{uses}"
    assert session.ask("Let Store.Set count.", fence(answer)).state()["store.go::Store"] == "DIRTY"


def test_a_class_that_is_shown_with_all_its_methods_was_not_seen_either(stock: Session) -> None:
    add = "    def add(self, item):\n        self.items[item.name] = item\n\n"
    state = stock.state()
    assert stock.ask(SORT, fence(HEAD + OTHER_INIT + add + SAVES)).holds("stock.py", new_text(stock)), state


def test_a_constructor_that_it_made_up_is_none(session: Session) -> None:
    cart = "import java.util.*;\n\npublic class Cart {\n    private final List<Integer> items = new ArrayList<>();\n\n"
    total = "    public int total() {\n        return items.size();\n    }\n"
    made = "    public Cart() {\n        this.items = new ArrayList<>();\n    }\n\n"
    session.ask(f"Cart.java\n{fence(f'{cart}{total}}}{chr(10)}')}\nJust say ok.").forget()
    other = total.replace("int total", "long total")
    answer = f"public class Cart {{\n    private final List<Integer> items = new ArrayList<>();\n\n{made}{other}}}\n"
    assert session.ask("Let `Cart.total` return a long.", fence(answer)).holds("Cart.java", f"{cart}{other}}}\n")


def test_what_it_made_up_it_repeats(stock: Session) -> None:
    """Its own answer stands in the chat now; the class still does not."""
    stock.ask(SORT, fence(HEAD + OTHER_INIT + SAVES))
    documented = SAVES.replace("path):\n", 'path):\n        """Save."""\n')
    stock.ask("Thanks. Write a docstring for it.", fence(HEAD + OTHER_INIT + documented))
    assert stock.holds("stock.py", new_text(stock).replace(SAVES, documented))
    before = stock.state()
    after = stock.ask("Let `Stock` take things.", fence(HEAD + OTHER_INIT + documented)).state()
    assert after["stock.py::Stock.__init__"] not in {"DIRTY", before["stock.py::Stock.__init__"]}


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("Let Stock.save use a new method for each item.", OTHER_ADD + SAVES.replace("sorted(", "self.add_item(")),
        (f"{SORT} Add a method that adds items.", OTHER_ADD + SAVES),
        (f"{SORT} Call it in add_item.", OTHER_ADD + SAVES),
    ],
)
def test_a_new_method_that_is_asked_for_or_used_is_one(stock: Session, prompt: str, answer: str) -> None:
    assert stock.ask(prompt, fence(HEAD + answer)).state()["stock.py::Stock.add_item"] != "DIRTY"


@pytest.mark.parametrize(
    "prompt", ["Let Stock take things, and save sort them.", "Let __init__ of Stock.save take things."]
)
def test_what_the_model_saw_or_was_asked_for_changes(stock: Session, prompt: str) -> None:
    before = stock.state()
    after = stock.ask(prompt, fence(HEAD + OTHER_INIT + SAVES)).state()
    assert after["stock.py::Stock.__init__"] not in {"DIRTY", before["stock.py::Stock.__init__"]}


def test_where_the_class_stands_in_the_chat_the_model_saw_all_of_it(session: Session) -> None:
    before = session.ask(f"stock.py\n{fence(STOCK)}\nJust say ok.").state()
    after = session.ask(SORT, fence(HEAD + OTHER_INIT + SAVES)).state()
    assert after["stock.py::Stock.__init__"] not in {"DIRTY", before["stock.py::Stock.__init__"]}


def test_a_model_that_has_the_rest_of_the_file_saw_it_somewhere(stock: Session) -> None:
    whole = new_text(stock).replace("self.items = {}", "self.items, self.size = {}, 0")
    more = "".join(f"\n\ndef stock_{n}():\n    return {n}\n" for n in range(8))
    stock.ask(f"stock.py\n{fence(STOCK + more)}\nJust say ok.").forget()
    assert stock.ask(SORT, f"stock.py\n{fence(whole + more)}").holds("stock.py", whole + more)


def test_a_class_of_known_text_in_a_file_of_unknown_text_takes_in_its_methods(stock: Session) -> None:
    """What else the file holds may be unknown for long: an import whose place nobody saw is enough."""
    stock.ask("Add a function `load` to stock.py.", fence("def load():\n    return Stock()\n")).forget()
    assert stock.state()["stock.py"] == "DIRTY"
    stock.ask(SORT, fence(HEAD + SAVES)).forget()
    assert stock.state()["stock.py::Stock"] != "DIRTY"
    assert SAVES in stock.ask("Show me Stock.", "Look.").sent[-1]["content"]


IMPORTS = "from dataclasses import dataclass\n\n\n"
ITEM = (
    "class Item:\n    def __init__(self, name, price=0):\n        self.name = name\n        self.price = price\n\n"
    "    def gross(self):\n        return self.price * 1.19\n"
)
DATA = "@dataclass\nclass Item:\n    name: str\n    price: float = 0\n\n    def gross(self) -> float:\n        return self.price * 1.19\n"


@pytest.mark.parametrize("prompt", ["Add type hints to Item.", "Make Item a dataclass."])
def test_a_constructor_that_only_set_the_fields_goes_into_them(session: Session, prompt: str) -> None:
    session.ask(f"shop.py\n{fence(IMPORTS + ITEM)}\nJust say ok.")
    assert session.ask(prompt, fence(DATA)).holds("shop.py", IMPORTS + DATA)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (ITEM.replace("= price\n", "= price\n        register(self)\n"), DATA),
        (ITEM, DATA.replace("    price: float = 0\n", "")),
        (ITEM.replace("__init__", "reset"), DATA),
    ],
)
def test_what_did_more_than_that_does_not(session: Session, old: str, new: str) -> None:
    session.ask(f"shop.py\n{fence(IMPORTS + old)}\nJust say ok.")
    assert session.ask("Add type hints to Item.", fence(new)).state()["shop.py::Item"] == "DIRTY"


def test_what_became_a_method_is_asked_for_by_its_own_name(session: Session) -> None:
    """Where the function stood is in doubt; the prompt names it, and the method is what it became."""
    total, tax = "class Cart:\n    def total(self):\n        return 1\n", "def tax(n):\n    return n * 1.19\n"
    method = "\n    def tax(self, n):\n        return n * 1.19\n"
    session.ask(f"cart.py\n{fence(f'{total}{chr(10) * 2}{tax}')}\nGive Cart a name.", fence(total + method))
    after = session.ask("`tax` should round.", fence(total + method.replace("n * 1.19", "round(n * 1.19)"))).state()
    assert after["cart.py::Cart.tax"] == sha(method.replace("n * 1.19", "round(n * 1.19)").strip("\n"))
