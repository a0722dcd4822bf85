"""Places that can't be told apart: who may still use what was removed is listed apart, once, to be checked by hand
(SEMANTICS 10, Rename and removal)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from tslp_litellm.diagnostics import reports
from tslp_litellm.engine.projecting import problems
from tslp_litellm.store import uses
from tslp_litellm.store.maintenance import verify

from .helpers import Session

CART = "def total(items):\n    return sum(items)\n\n\ndef size(items):\n    return len(items)\n"
RENAMED = CART.replace("total", "sum_total")
USER = "\n\ndef pay(items):\n    return total(items)\n"
TWICE = "try:\n    from .cart import total\nexcept ImportError:\n    from fast import total\n" + USER
SHADOWED = "from .cart import total\n\n\ndef pay(items, total):\n    return total(items)\n"
ECMA_CART = (
    "export function total(items) {\n  return items.length;\n}\n\nexport function size(items) {\n  return 1;\n}\n"
)
ECMA_USER = "\nexport function pay(items) {\n  return total(items);\n}\n"
HEAD, BY_HAND = "src/cart.py::total is src/cart.py::sum_total now.", "To be checked by hand, whether they mean it: "


def fence(path: str, text: str) -> str:
    return f"{path}\n```{'python' if path.endswith('.py') else 'typescript'}\n{text}```\n"


def shown(session: Session, *files: tuple[str, str]) -> Session:
    return session.ask("These are mine:\n\n" + "".join(fence(*one) for one in files))


def renamed(session: Session, path: str = "src/cart.py", text: str = RENAMED) -> Session:
    return session.ask(f"Rename `total` to `sum_total` in {path}.", fence(path, text))


def told(session: Session) -> str:
    """What is to be checked by hand, as the next prompt says."""
    prompt = session.ask("What is a good name for a cat?", "Tom.").prompt
    return prompt.partition(BY_HAND)[2].partition(".\n")[0]


PYTHON = {
    "shadowed": [("src/api.py", SHADOWED)],
    "two-bindings": [("src/api.py", TWICE)],
    "two-bindings, import and definition": [("src/api.py", "from .cart import total\n\n\ndef total(): ...\n" + USER)],
    "two-bindings, in between": [
        ("src/shop.py", "try:\n    from .cart import total\nexcept ImportError:\n    total = None\n"),
        ("src/api.py", "from .shop import total\n" + USER),
    ],
    "star-import": [("src/api.py", "from .cart import *\n" + USER)],
    "star-import, passed on": [
        ("src/shop.py", "from .cart import *\n"),
        ("src/api.py", "from .shop import total\n" + USER),
    ],
    "dynamic": [("src/api.py", "from . import cart\n\n\ndef pay(items):\n    return getattr(cart, 'total')(items)\n")],
}
ECMA = {
    "two-bindings": [("src/api.ts", 'import { total } from "./cart";\n' + ECMA_USER.replace("(items)", "(total)"))],
    "star-import": [
        ("src/index.ts", 'export * from "./cart";\n'),
        ("src/api.ts", 'import { total } from "./index";\n' + ECMA_USER),
    ],
    "dynamic": [("src/api.ts", 'import * as cart from "./cart";\n' + ECMA_USER.replace("total", 'cart["total"]'))],
}


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("why", PYTHON)
def test_who_may_use_what_was_renamed_is_told_with_the_doubt_once(session: Session, why: str, order: int) -> None:
    renamed(shown(session, *[("src/cart.py", CART), *PYTHON[why]][::order]))
    prompt = session.ask("What is a good name for a cat?", "Tom.").prompt
    assert f"{HEAD}\n{BY_HAND}src/api.py::pay ({why.partition(',')[0]})." in prompt
    assert "still use" not in prompt
    assert told(session) == ""


@pytest.mark.parametrize("why", ECMA)
def test_and_in_typescript(session: Session, why: str) -> None:
    shown(session, ("src/cart.ts", ECMA_CART), *ECMA[why])
    renamed(session, "src/cart.ts", ECMA_CART.replace("total", "sum_total"))
    assert told(session) == f"src/api.ts::pay ({why})"


@pytest.mark.parametrize(
    "user",
    [
        USER,  # by its name alone
        "try:\n    from .coins import total\nexcept ImportError:\n    from fast import total\n" + USER,
        "from .coins import *\n" + USER,
        "from .coins import total\n\n\ndef pay(items, total):\n    return total(items)\n",
        "from . import coins\n\n\ndef pay(items):\n    return getattr(coins, 'total')(items)\n",
        "def pay(items, name, cart):\n    return getattr(cart, 'total')(items)\n",
        "from . import cart\n\n\ndef pay(items, name):\n    return getattr(cart, name)(items)\n",
    ],
)
def test_nobody_is_told_by_a_name_alone(session: Session, user: str) -> None:
    renamed(shown(session, ("src/cart.py", CART), ("src/coins.py", CART), ("src/api.py", user)))
    assert told(session) == ""


def test_a_name_that_its_file_binds_no_more_is_not_hidden_any_more(session: Session) -> None:
    cart = CART + "\n\ndef mean(items, total):\n    return total(items) / len(items)\n"
    renamed(shown(session, ("src/cart.py", cart)), text=cart.replace("def total", "def sum_total"))
    assert told(session) == ""


def test_behind_those_who_surely_use_it_as_long_as_there_are_any(session: Session) -> None:
    sure = "from .cart import total\n" + USER
    renamed(shown(session, ("src/cart.py", CART), ("src/api.py", sure), ("src/old.py", TWICE)))
    for _ in range(2):
        prompt = session.ask("What is a good name for a cat?", "Tom.").prompt
        assert f"- src/api.py::pay\n{BY_HAND}src/old.py::pay (two-bindings)." in prompt
    shown(session, ("src/api.py", sure.replace("total", "sum_total")))
    assert told(session) == "src/old.py::pay (two-bindings)"
    assert told(session) == ""


def test_who_asks_for_it_no_more_is_not_told(session: Session) -> None:
    more = "from .cart import total\n\n\ndef bill(items):\n    return total(items)\n"
    renamed(shown(session, ("src/cart.py", CART), ("src/more.py", more), ("src/api.py", TWICE)))
    assert told(session) == "src/api.py::pay (two-bindings)"
    shown(session, ("src/api.py", TWICE.replace("from .cart import total", "from .cart import sum_total as total")))
    assert told(session) == ""
    assert "- src/more.py::bill\n" in session.prompt


def test_of_many_some_are_named(session: Session) -> None:
    renamed(shown(session, ("src/cart.py", CART), *((f"src/a{n}.py", TWICE) for n in range(15))))
    assert told(session).endswith(" (two-bindings), and 5 more")


def test_a_doubt_is_no_use(session: Session) -> None:
    shown(session, ("src/cart.py", CART), ("src/api.py", TWICE)).forget()
    with session.database.reading() as connection:
        for name in ("src/api.py::pay", "src/cart.py::total"):
            found: Any = reports.entity(connection, "local", session.workspace, name)
            assert (found["uses"], found["used_by"], found["dependencies"]) == ([], [], "ok")
        assert [row.route for row in uses.doubtful_rows(connection, 1)] == ["two-bindings"]
    assert "def total" not in session.ask("Shorten `pay`.").prompt


def test_a_use_goes_before_a_doubt(session: Session) -> None:
    both = TWICE.replace("    return", "    from . import cart\n    return") + "    return cart.total\n"
    shown(session, ("src/api.py", "from . import cart\n" + both.replace("    from . import cart\n", "")))
    shown(session, ("src/cart.py", CART))
    with session.database.reading() as connection:
        assert [row.route for row in uses.all_rows(connection, 1)] == ["import"]
        assert uses.doubtful_rows(connection, 1) == []


def test_what_an_older_version_kept_is_in_order_and_what_is_made_up_is_not(sessions: Callable[..., Session]) -> None:
    session = sessions()
    shown(session, ("src/cart.py", CART), ("src/api.py", TWICE))
    with session.database.writing() as connection:
        (body,) = uses.bodies(connection, 1, ["src/api.py"]).values()
        older = body[: body.rindex(',"",[[[') + len(',""')] + "]"
        connection.execute(text("UPDATE uses_files SET body = :b WHERE path = 'src/api.py'"), {"b": older})
        connection.execute(text("DELETE FROM uses WHERE route = 'two-bindings'"))
    assert verify(session.database, also=problems) == []
    shown(session, ("src/cart.py", RENAMED))
    assert verify(session.database, also=problems) == []
    with session.database.writing() as connection:
        connection.execute(
            text(
                "INSERT INTO uses VALUES (1, 'src/cart.py::size', 'a.py::b', 'src/cart.py', 'a.py', 'dynamic', '', '')"
            )
        )
    (problem,) = verify(session.database, also=problems)
    assert "src/cart.py::size" in str(problem)
    with session.database.writing() as connection:
        connection.execute(text("DELETE FROM uses WHERE used = 'a.py::b'"))
