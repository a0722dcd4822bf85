"""Names and tails that very many files share: the decision is the same, and the rows are few."""

from __future__ import annotations

import pytest

from tslp_litellm.state.events import Event, EventKind, Move, Op
from tslp_litellm.store.database import Database
from tslp_litellm.store.lookup import PLACES_MAX
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter

from .helpers import AT, SPACE, TENANT

MANY = 300


def promote(database: Database, *entities: str) -> None:
    moves = tuple(Move(Op.PROMOTE, e, "0" * 64, "CONFIRMED", "user-write-head", "AST") for e in entities)
    with database.writing() as connection:
        WorkspaceWriter(connection, TENANT, SPACE, AT).append([Event(EventKind.EVIDENCE, moves)], "e", AT)


@pytest.fixture
def crowd(database: Database) -> Database:
    """Three hundred files `pN/m.py` with a function `total` and a method `CN.run`; one with `rare`, and `Cart.total`."""
    files = [e for n in range(MANY) for e in (f"p{n}/m.py", f"p{n}/m.py::total", f"p{n}/m.py::C{n}.run")]
    promote(database, *files, "few/x.py", "few/x.py::rare", "few/x.py::Cart.total", "few/x.py::Cart.total#2")
    return database


def named(database: Database, *names: str) -> tuple[set[str], set[str]]:
    with database.reading() as connection:
        rows, crowded = WorkspaceReader(connection, TENANT, SPACE).named(names)
    assert len({row.entity for row in rows}) == len(rows)
    return {row.entity for row in rows}, crowded


def test_a_name_that_too_many_share_says_so(crowd: Database) -> None:
    for name in ("total", "run"):
        rows, crowded = named(crowd, name)
        assert crowded == {name}
        assert PLACES_MAX < len(rows) <= PLACES_MAX + 3, "and not three hundred"


def test_a_shared_last_part_does_not_hide_what_is_named_in_full(crowd: Database) -> None:
    rows, crowded = named(crowd, "Cart.total", "C7.run", "rare", "nope")
    assert {"few/x.py::Cart.total", "few/x.py::Cart.total#2", "p7/m.py::C7.run", "few/x.py::rare"} <= rows
    assert not crowded


def test_what_only_ends_in_the_name_is_found_too(crowd: Database) -> None:
    promote(crowd, "few/y.py::shop.Cart.total", "few/z.py::shop.CartX_total", "few/z.py::shop.Cart.totals")
    promote(crowd, *(f"q{n}/m.py::A{n}.Bx.total" for n in range(3)))
    assert "few/y.py::shop.Cart.total" in named(crowd, "shop.Cart.total")[0]
    assert named(crowd, "Bx.total") == ({f"q{n}/m.py::A{n}.Bx.total" for n in range(3)}, set())
    assert named(crowd, "B_.total") == (set(), set()), "no character of a name is a wildcard"


def test_tails(crowd: Database) -> None:
    with crowd.reading() as connection:
        store = WorkspaceReader(connection, TENANT, SPACE)
        assert len(store.with_tails(["m.py"])) == PLACES_MAX + 1
        assert store.with_tails(["p7/m.py", "x.py", "7/m.py", "p_/m.py"]) == {"p7/m.py", "few/x.py"}
        assert store.with_tails([]) == set()


def test_holders_of_all_names_are_what_they_are_with_a_shared_one_among_them(crowd: Database) -> None:
    promote(crowd, "p5/m.py::special")
    with crowd.reading() as connection:
        store = WorkspaceReader(connection, TENANT, SPACE)
        assert len(store.holders(["total"])["total"]) == MANY
        found = store.holders(["total", "special"])
        assert found == {"special": frozenset({"p5/m.py"}), "total": frozenset({"p5/m.py"})}
