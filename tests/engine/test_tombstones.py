"""Prompts that mention what was removed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .helpers import Session

CART = "import re\n\n\nclass Cart:\n    def total(self):\n        return 0\n\n\ndef empty_cart():\n    return Cart()\n"
LESS = CART.partition("\n\n\ndef empty")[0] + "\n"
REMOVED = "These entities were removed; they are not part of the code any more:\n- "


def fence(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


@pytest.fixture
def gone(session: Session) -> Session:
    """`src/a.py` once had `empty_cart`."""
    return session.ask(fence("src/a.py", CART)).ask("Remove `empty_cart`. Now:\n\n" + fence("src/a.py", LESS)).forget()


@pytest.mark.parametrize("said", ["`empty_cart`", "src/a.py::empty_cart", "empty_cart()", "empty_cart"])
def test_a_removed_symbol_is_named_as_such(gone: Session, said: str) -> None:
    gone.ask(f"Make {said} faster.")
    assert gone.hydrated == []
    assert gone.prompt.startswith(f"[STATE NOTICE]\n{REMOVED}src/a.py::empty_cart\n[END NOTICE]\n\nMake")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Remove `empty_cart` from src/a.py.", ["src/a.py"]),
        ("Delete `empty_cart` in src/a.py and answer with the whole of src/a.py.", ["src/a.py"]),
        ("Delete `empty_cart`.", ["src/a.py::empty_cart"]),
        ("Rename `empty_cart` in src/a.py to `clear`.", ["src/a.py::empty_cart"]),
    ],
)
def test_who_asks_for_a_removal_from_a_file_gets_the_file(session: Session, said: str, shown: list[str]) -> None:
    """A part of a file can't be shown without itself."""
    assert session.ask(fence("src/a.py", CART)).forget().ask(said).hydrated == shown


def test_where_the_file_can_not_be_shown_he_gets_what_is_to_go(sessions: Callable[..., Session]) -> None:
    large = CART + "".join(f"\n\ndef f{n}(a):\n    return '{'x' * 100} {n}'\n" for n in range(20))
    session = sessions(hydration_tokens_max=150).ask(fence("src/a.py", large)).forget()
    assert session.ask("Remove `empty_cart` from src/a.py.").hydrated == ["src/a.py::empty_cart"]
    assert "did not fit" not in session.prompt


def test_a_client_that_edits_by_calls_gets_what_is_to_go(session: Session) -> None:
    session.tools = ("Edit",)
    session.ask('<file_content path="src/a.py">\n' + CART + "</file_content>").forget()
    assert session.ask("Remove `empty_cart` from src/a.py.").hydrated == ["src/a.py::empty_cart"]


def test_it_is_looked_for_in_the_file_that_is_named(gone: Session) -> None:
    gone.ask("Make `empty_cart` in src/a.py faster.")
    assert gone.hydrated == ["src/a.py"]
    assert f"{REMOVED}src/a.py::empty_cart\n[END" in gone.prompt


def test_what_came_back_is_no_tombstone(gone: Session) -> None:
    gone.ask(fence("src/a.py", CART)).forget().ask("Make `empty_cart` faster.")
    assert gone.hydrated == ["src/a.py::empty_cart"]
    assert "removed" not in gone.prompt


def test_a_living_namesake_is_meant_first(gone: Session) -> None:
    gone.ask(fence("b.py", "def empty_cart():\n    return 1\n")).forget().ask("Make `empty_cart` faster.")
    assert gone.hydrated == ["b.py::empty_cart"]
    assert "removed" not in gone.prompt
    gone.forget().ask("Make src/a.py::empty_cart faster.")
    assert f"{REMOVED}src/a.py::empty_cart\n[END" in gone.prompt


def test_a_plain_word_means_a_removed_type_or_nothing(gone: Session) -> None:
    gone.ask("Remove Cart. Now:\n\n" + fence("src/a.py", "import re\n\n\ndef clean(s):\n    return s\n")).forget()
    assert "removed" not in gone.ask("What was the total of the cart?").prompt
    assert f"{REMOVED}src/a.py::Cart\n[END" in gone.forget().ask("What became of Cart then?").prompt
    gone.forget().ask("Remove `clean`. Now:\n\n" + fence("src/a.py", "import re\n")).forget()
    assert "removed" not in gone.ask("Clean this up.").prompt


def test_a_removed_file_by_its_path_or_its_tail(session: Session) -> None:
    session.tools = ("Bash",)
    session.ask(fence("src/a.py", CART) + fence("b.py", "x = 1\n"))
    session.ask("Remove it.", calls={"c1": {"name": "Bash", "arguments": {"command": "rm src/a.py"}}})
    session.ask(None, results={"c1": ""}).forget()
    for said in ("src/a.py", "a.py"):
        assert f"{REMOVED}src/a.py\n[END" in session.forget().ask(f"Review {said}, please.").prompt
    assert session.hydrated == []
    assert f"{REMOVED}src/a.py::Cart.total\n[END" in session.forget().ask("What did `total` in a.py do?").prompt


def test_too_many_are_not_named(session: Session) -> None:
    for n in range(4):
        session.ask(fence(f"m{n}.py", "import re\n\n\ndef load_rows():\n    return 1\n"))
        session.ask("Remove load_rows. Now:\n\n" + fence(f"m{n}.py", "import re\n"))
    assert "removed" not in session.forget().ask("Change load_rows.").prompt
    assert f"{REMOVED}m1.py::load_rows\n[END" in session.forget().ask("Change load_rows in m1.py.").prompt
