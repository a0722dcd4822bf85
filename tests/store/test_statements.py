"""Statements: many rows at once, and values of which too much is found."""

from __future__ import annotations

import hashlib

import pytest
from sqlalchemy import select

from tslp_litellm.state.events import Event, EventKind, Move, Op
from tslp_litellm.store import vault
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify
from tslp_litellm.store.schema import vault as vault_table
from tslp_litellm.store.statements import ROWS, Statement, bounded
from tslp_litellm.store.writing import WorkspaceWriter

from .helpers import AT, SPACE, TENANT


@pytest.mark.parametrize("number", [1, 2, 3, ROWS - 1, ROWS, ROWS + 1, 3 * ROWS + 7])
def test_every_row_arrives(database: Database, number: int) -> None:
    texts = {hashlib.sha256(str(n).encode()).hexdigest(): str(n) for n in range(number)}
    some = dict(list(texts.items())[::3])
    with database.writing() as connection:
        vault.put(connection, some)
        vault.put(connection, texts)  # some are there already: a trigger passes over each of them alone
        assert vault.get(connection, texts) == texts


def test_a_turn_of_thousands_of_moves_is_tens_of_statements(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = 6_000
    moves = tuple(
        Move(Op.PROMOTE, f"p{n}.py", f"{n:064x}", "CONFIRMED", "user-write-head", "AST") for n in range(number)
    )
    told: list[str] = []
    execute = Statement._execute

    def counted(self: Statement, connection: object, sql: str, parameters: object) -> object:
        told.append(sql)
        return execute(self, connection, sql, parameters)  # type: ignore[arg-type]

    monkeypatch.setattr(Statement, "_execute", counted)
    with database.writing() as connection:
        store = WorkspaceWriter(connection, TENANT, SPACE, AT)
        store.put({f"{n:064x}": str(n) for n in range(10)})
        store.append([Event(EventKind.EVIDENCE, (move,)) for move in moves[:100]], "e", AT)
        store.append([Event(EventKind.EVIDENCE, moves)], "e", AT)
    assert len(told) < 2 * number / 500 + 2 * number / ROWS + 40
    assert [p for p in verify(database) if p.where in ("state map", "ledger", "index")] == []


class TestBounded:
    def test_only_what_has_too_much_is_left_out(self) -> None:
        rows = dict.fromkeys(range(600), 1) | {17: 2000, 333: 3000}
        asked: list[int] = []

        def find(values: object, most: int) -> list[tuple[int]]:
            found = [(n,) for n in values for _ in range(rows[n])][:most]  # type: ignore[attr-defined]
            asked.append(len(found))
            return found

        found, many = bounded(find, range(600), lambda number: 2 * number + 8)  # type: ignore[arg-type]
        assert many == [17, 333]
        assert sorted(n for (n,) in found) == [n for n in range(600) if n not in many]
        assert sum(asked) < 12 * 1000


def test_each_dialect_has_its_own_literals(database: Database) -> None:
    one, two = (select(vault_table.c.hash).order_by(vault_table.c.hash).limit(n).subquery() for n in (1, 2))
    statement = Statement(select(one.c.hash).union_all(select(two.c.hash)))
    for dialect in ("sqlite", "postgresql", "sqlite"):
        statement._text(dialect)  # of a process that knows both: SQLite counts the offsets, too
    with database.writing() as connection:
        vault.put(connection, {hashlib.sha256(text.encode()).hexdigest(): text for text in "abc"})
    first, second, _ = sorted(hashlib.sha256(text.encode()).hexdigest() for text in "abc")
    with database.reading() as connection:
        assert [found for (found,) in statement.all(connection, {})] == [first, first, second]
