"""`dependencies` beside freshness: what makes a user stale or pending, and what confirms it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tslp_litellm.diagnostics import reports
from tslp_litellm.engine import projecting
from tslp_litellm.parser.memory import Memory
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store import reading, uses
from tslp_litellm.store.reading import WorkspaceReader

from .helpers import Session

MONEY = "def to_cents(amount):\n    return int(amount * 100)\n"
CART = "from .money import to_cents\n\n\ndef put(price):\n    return to_cents(price)\n\n\ndef size(items):\n    return len(items)\n"
OTHER_MONEY = MONEY.replace("amount):", "amount, currency):")
PUT, MINT = "src/cart.py::put", "src/money.py::to_cents"


def fence(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


def entity(session: Session, name: str = PUT) -> dict[str, Any]:
    with session.database.reading() as connection:
        found = reports.entity(connection, "local", session.workspace, name)
    assert found is not None
    return found


def stale(session: Session) -> set[str]:
    with session.database.reading() as connection:
        rows = reports.state(connection, "local", session.workspace, with_uses=True)["entities"]
    return {row["entity"] for row in rows if row["dependencies"] != "ok"}


@pytest.fixture
def shop(session: Session) -> Session:
    session.ask("Here are my files.\n\n" + fence("src/money.py", MONEY) + fence("src/cart.py", CART))
    assert stale(session) == set()
    return session.forget()


def show(session: Session, text: str, path: str = "src/money.py") -> Session:
    return session.ask(f"Here is my file now:\n\n{fence(path, text)}").forget()


@pytest.mark.parametrize(
    ("old", "new", "standing"),
    [
        ("amount):", "amount, currency):", "stale"),
        ("(amount)", "(amount=1)", "stale"),
        ("def to", "@cached\ndef to", "stale"),
        ("):", ") -> int:", "stale"),
        ("int(amount * 100)", "round(amount * 100)", "ok"),
        ("def to", "RATE = 100\n\n\ndef to", "ok"),
        (":\n", ":  # half up\n", "ok"),
    ],
)
def test_an_interface_that_changed_makes_its_users_stale(shop: Session, old: str, new: str, standing: str) -> None:
    show(shop, MONEY.replace(old, new))
    assert entity(shop)["dependencies"] == standing
    assert stale(shop) == ({PUT, "src/cart.py"} if standing == "stale" else set())


def test_a_definition_that_was_renamed_is_gone_for_its_users(session: Session) -> None:
    shop, two = session, "import math\n\n\n" + MONEY + "\n\ndef to_euros(cents):\n    return math.floor(cents / 100)\n"
    shop.ask("Here are my files.\n\n" + fence("src/money.py", two) + fence("src/cart.py", CART))
    renamed = fence("src/money.py", two.replace("to_cents", "as_cents"))
    shop.ask("Rename `to_cents` to `as_cents` in src/money.py.", renamed)
    assert MINT not in shop.state()
    gone = {"signature": None, "before": "def to_cents(amount):"}
    assert entity(shop)["uses"] == [{"entity": MINT, "route": "import", "standing": "stale", **gone}]


def test_a_stale_use_tells_both_signatures(shop: Session) -> None:
    show(shop, MONEY.replace("amount):", "amount, currency):"))
    told = {"signature": "def to_cents(amount, currency):", "before": "def to_cents(amount):"}
    assert entity(shop)["uses"] == [{"entity": MINT, "route": "import", "standing": "stale", **told}]


@pytest.mark.parametrize("text", [CART, CART.replace("to_cents(price)", "to_cents(price, 'EUR')")])
def test_to_show_the_user_again_confirms_it(shop: Session, text: str) -> None:
    show(show(shop, MONEY.replace("amount):", "amount, currency):")), text, "src/cart.py")
    assert entity(shop)["dependencies"] == "ok"
    assert stale(shop) == set()


@pytest.mark.parametrize("said", ["I looked at it, this is right as it is:", "This is src/cart.py:", "Compare:"])
def test_whatever_the_words_around_it_say(shop: Session, said: str) -> None:
    show(shop, MONEY.replace("amount):", "amount, currency):"))
    shop.ask(f"{said}\n\n{fence('src/cart.py', CART)}")
    assert stale(shop) == set()


def test_a_long_ledger_is_read_in_pieces(shop: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    show(shop, OTHER_MONEY)
    show(shop, CART.replace("price", "cost"), "src/cart.py")
    with shop.database.writing() as connection:
        known = uses.all_rows(connection, 1)
        uses.clear(connection)
    monkeypatch.setattr(reading, "EVENTS_AT_ONCE", 1)
    for name in ("EVENTS_AT_ONCE", "EVENTS_READ_AGAIN"):
        monkeypatch.setattr(projecting, name, 1)
    key, pieces = WorkspaceKey("local", shop.workspace), 1
    while shop.engine.bring_up(key):
        pieces += 1
    with shop.database.reading() as connection:
        assert pieces == WorkspaceReader(connection, *key).head[0]  # type: ignore[index]
        assert sorted(map(str, uses.all_rows(connection, 1))) == sorted(map(str, known)) != []


def test_a_new_file_has_no_other_one_read_again(shop: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which files may import it is remembered, where there is no room for the known files themselves."""
    read, made = list[str](), projecting._Files._made

    def spied(files: Any, path: str, artifact: str) -> Any:
        read.append(path)
        return made(files, path, artifact)

    monkeypatch.setattr(projecting._Files, "_made", spied)
    for name in ("first", "second"):
        monkeypatch.setattr(projecting, "_known", Memory(1))
        read.clear()
        show(shop, f"def {name}():\n    return 1\n", f"src/{name}.py")
    assert set(read) == {"src/first.py", "src/second.py"}  # what is kept of a new one is read once more


def test_words_need_not_be_read_for_uses(shop: Session) -> None:
    key = WorkspaceKey("local", shop.workspace)
    shop.ask("Hello?", "Hello.")
    with shop.database.reading() as connection:
        store = WorkspaceReader(connection, *key)
        assert store.head is not None
        assert store.uses_head == store.head[0]
    assert not shop.engine.bring_up(key)


def test_to_change_something_else_in_its_file_does_not(shop: Session) -> None:
    show(shop, MONEY.replace("amount):", "amount, currency):"))
    show(shop, "def size(items):\n    return len(items) + 1\n", "src/cart.py")
    assert stale(shop) == {PUT, "src/cart.py"}


def test_what_is_shown_beside_a_new_interface_is_confirmed(shop: Session) -> None:
    new = MONEY.replace("amount):", "amount, currency):")
    shop.ask("Here are my files now:\n\n" + fence("src/cart.py", CART) + fence("src/money.py", new))
    assert stale(shop) == set()


def test_an_interface_that_comes_back_is_the_one_that_was_confirmed(shop: Session) -> None:
    show(show(shop, MONEY.replace("amount):", "amount, currency):")), MONEY)
    assert stale(shop) == set()


def test_a_user_that_was_shown_before_what_it_uses(session: Session) -> None:
    show(session, CART, "src/cart.py")
    assert entity(session)["uses"] == []
    show(session, MONEY)
    assert [row["entity"] for row in entity(session)["uses"]] == [MINT]
    show(session, MONEY.replace("amount):", "amount, currency):"))
    assert stale(session) == {PUT, "src/cart.py"}


def test_what_is_shown_again_while_nothing_changed_leaves_no_event(shop: Session) -> None:
    before = len(shop.events("evidence.judged"))
    show(shop, CART, "src/cart.py")
    assert len(shop.events("evidence.judged")) == before


def dirtied(shop: Session, path: str) -> Session:
    call = {"name": "bash", "arguments": {"command": f"sed -i s/100/1000/ {path}"}}
    shop.ask("Take another factor.", "", calls={"c": call})
    shop.ask(None, "Done.", results={"c": ""}).forget()
    assert shop.state()[path] == "DIRTY"
    return shop


@pytest.mark.parametrize(("head", "standing"), [("amount, currency", "stale"), ("amount", "ok")])
def test_an_interface_is_known_of_a_definition_whose_file_is_dirty(shop: Session, head: str, standing: str) -> None:
    show(shop, MONEY + "\n\ndef to_euros(cents):\n    return cents / 100\n")
    show(dirtied(shop, "src/money.py"), f"def to_cents({head}):\n    return round(amount * 100)\n")
    assert shop.state()["src/money.py"] == "DIRTY"
    assert shop.state()[MINT] != "DIRTY"
    assert entity(shop)["dependencies"] == standing
    assert f"def to_cents({head})" in shop.ask("Shorten `put`.").prompt


def test_what_a_definition_uses_is_known_again_with_its_file(shop: Session) -> None:
    part = "def put(price):\n    return to_cents(price + 1)\n"
    show(dirtied(shop, "src/cart.py"), part, "src/cart.py")
    assert shop.state()["src/cart.py"] == "DIRTY"
    assert entity(shop)["uses"] == []
    show(shop, CART.replace("to_cents(price)", "to_cents(price + 1)"), "src/cart.py")
    assert [row["entity"] for row in entity(shop)["uses"]] == [MINT]
    assert stale(shop) == set()


class TestPrompt:
    """What a prompt is told of what the entities that it mentions use."""

    def test_signatures_that_stand_nowhere_yet(self, shop: Session) -> None:
        prompt = shop.ask("Shorten `put`.").prompt
        assert f"{PUT} uses:\n- {MINT}: def to_cents(amount):\n" in prompt
        assert "amount * 100" not in prompt
        assert "[STATE NOTICE]" not in shop.forget().ask("Shorten `size`.").prompt

    def test_nothing_that_is_shown_already(self, shop: Session) -> None:
        prompt = shop.ask("Shorten `put`, see `to_cents`.").prompt
        assert prompt.count("def to_cents(amount)") == 1

    def test_each_thing_once(self, shop: Session) -> None:
        show(shop, CART.replace("put", "lay"), "src/other.py")
        prompt = shop.ask("Compare `put` with `lay`.").prompt
        assert prompt.count("def to_cents(amount)") == 1

    def test_before_and_now(self, shop: Session) -> None:
        show(shop, MONEY.replace("amount):", "amount, currency):"))
        prompt = shop.ask("Shorten `put`.").prompt
        assert "it was: def to_cents(amount):  It is now: def to_cents(amount, currency):" in prompt

    def test_what_is_of_unknown_text_is_named_without_a_signature(self, shop: Session) -> None:
        call = {"name": "bash", "arguments": {"command": "sed -i s/100/1000/ src/money.py"}}
        shop.ask("Take another factor.", "", calls={"c": call})
        shop.ask(None, "Done.", results={"c": ""})
        prompt = shop.forget().ask("Shorten `put`.").prompt
        assert f"nobody showed the new text: {MINT}." in prompt
        assert "def to_cents" not in prompt
        assert entity(shop)["dependencies"] == "pending"

    def test_what_changed_and_is_of_unknown_text_now(self, shop: Session) -> None:
        prompt = dirtied(show(shop, OTHER_MONEY), "src/money.py").ask("Shorten `put`.").prompt
        assert f"- {MINT} has changed, and its text is unknown now; it was: def to_cents(amount):\n" in prompt
        assert f"nobody showed the new text: {MINT}." in prompt
        assert "removed or renamed" not in prompt
        assert entity(shop)["dependencies"] == "stale"

    def test_what_was_never_shown(self, session: Session) -> None:
        show(session, "from decimal import Decimal\n" + CART, "src/cart.py")
        prompt = session.ask("Shorten `put`.").prompt
        assert "never shown: `to_cents` of `.money`." in prompt
        assert "ecimal" not in prompt

    @pytest.mark.parametrize(
        ("path", "text", "told"),
        [
            (
                "a.c",
                '#include <stdio.h>\n#include "money.h"\n\nint put(int p)\n{\n    return cents(p);\n}\n',
                "money.h",
            ),
            ("a.rb", "require 'json'\nrequire_relative 'money'\n\ndef put(price)\n  cents(price)\nend\n", "money"),
            (
                "a.dart",
                "import 'dart:io';\nimport 'money.dart';\n\nint put(int p) {\n  return cents(p);\n}\n",
                "money.dart",
            ),
            ("a.sh", ". /etc/rc\n. ./money.sh\n\nput() {\n  cents 1\n}\n", "./money.sh"),
        ],
    )
    def test_what_was_never_shown_where_imports_are_paths(
        self, session: Session, path: str, text: str, told: str
    ) -> None:
        session.ask(f"Mine:\n\nsrc/{path}\n```\n{text}```\n").forget()
        assert f"never shown: `{told}`.\n" in session.ask("Shorten `put`.").prompt

    def test_a_header_that_is_known_elsewhere_was_shown(self, session: Session) -> None:
        text = '#include "money.h"\n\nint put(int p)\n{\n    return cents(p);\n}\n'
        session.ask(f"Mine:\n\nsrc/a.c\n```c\n{text}```\n\ninclude/money.h\n```c\nint cents(int p);\n```\n").forget()
        assert "never shown" not in session.ask("Shorten `put`.").prompt

    @pytest.mark.parametrize("path", ["shop/cart.py", "src/shop/cart.py", "main.py"])
    def test_what_was_never_shown_of_a_package_of_the_workspace(self, session: Session, path: str) -> None:
        head = "import requests\nfrom requests.auth import Basic\nfrom shop.money import to_cents\nfrom shop.names import N\n"
        text = head + "\n\ndef put(price):\n    return to_cents(price, N, requests, Basic)\n"
        show(show(session, text, path), "N = 3\n", f"{path.replace('main.py', 'shop/cart.py')[:-7]}names.py")
        assert "never shown: `to_cents` of `shop.money`.\n" in session.ask("Shorten `put`.").prompt

    def test_only_within_the_budget(self, sessions: Callable[..., Session]) -> None:
        for name, settings in {"none": {"dependencies_tokens_max": 5}, "all": {"hydration_tokens_max": 30}}.items():
            session = sessions(name, **settings)
            session.ask("Here are my files.\n\n" + fence("src/money.py", MONEY) + fence("src/cart.py", CART)).forget()
            assert "to_cents(amount)" not in session.ask("Shorten `put`.").prompt

    @pytest.mark.parametrize("setting", ["off", False])
    def test_nothing_where_it_is_off(self, sessions: Callable[..., Session], setting: object) -> None:
        session = sessions(dependencies=setting)
        session.ask("Here are my files.\n\n" + fence("src/money.py", MONEY) + fence("src/cart.py", CART)).forget()
        assert "to_cents(amount)" not in session.ask("Shorten `put`.").prompt

    def test_whole_artifacts(self, sessions: Callable[..., Session]) -> None:
        session = sessions(dependencies="full")
        session.ask("Here are my files.\n\n" + fence("src/money.py", MONEY) + fence("src/cart.py", CART)).forget()
        assert session.ask("Shorten `put`.").hydrated == [PUT, MINT]
        assert "[STATE NOTICE]" not in session.prompt

    def test_whole_artifacts_of_what_has_changed_since(self, sessions: Callable[..., Session]) -> None:
        session = sessions(dependencies="full")
        session.ask("Here are my files.\n\n" + fence("src/money.py", MONEY) + fence("src/cart.py", CART)).forget()
        assert show(session, OTHER_MONEY).ask("Shorten `put`.").hydrated == [PUT, MINT]
        assert "it was: def to_cents(amount):  It is now: def to_cents(amount, currency):" in session.prompt
        dirtied(session.forget(), "src/money.py").ask("Shorten `put`.")
        assert session.hydrated == [PUT]


def test_a_user_that_goes_in_the_request_that_shows_it_is_not_confirmed(shop: Session) -> None:
    def bash(command: str) -> dict[str, Any]:
        return {"name": "bash", "arguments": {"command": command}}

    calls = {"m": bash("cat src/money.py"), "c": bash("cat src/cart.py"), "r": bash("rm src/cart.py")}
    shop.ask("Look at both, then remove the cart.", None, calls=calls)
    shop.ask(None, "Done.", results={"m": OTHER_MONEY, "c": CART, "r": ""})
    assert shop.holds("src/money.py", OTHER_MONEY)
    assert PUT not in shop.state()
