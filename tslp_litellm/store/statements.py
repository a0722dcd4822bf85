"""A visit's statements: written once for both dialects, compiled once, and run by the driver itself.

SQLAlchemy's execution costs several times what SQLite needs for a statement of ours. Compiled here, a statement is a
string for the driver of the connection's transaction; what the driver raises comes out as SQLAlchemy's exceptions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import ClauseElement, Connection
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError

Rows = list[tuple[Any, ...]]
T = TypeVar("T")
BATCH = 500
"""How many values fit into one statement."""

_DIALECTS: dict[str, Dialect] = {"sqlite": sqlite.dialect(paramstyle="named"), "postgresql": PGDialect_psycopg()}  # type: ignore[no-untyped-call]
_EXPANDING = re.compile(r"\(__\[POSTCOMPILE_values\]\)")
_PLACES = {"sqlite": ":v{}", "postgresql": "%(v{})s"}


def batches(values: Iterable[T]) -> list[list[T]]:
    """Values in pieces that fit into one statement."""
    ordered = list(values)
    return [ordered[at : at + BATCH] for at in range(0, len(ordered), BATCH)]


def inserting(dialect: str) -> Any:
    """The dialect's own `insert`, which knows of conflicts."""
    return sqlite.insert if dialect == "sqlite" else postgresql.insert


class Statement:
    """One statement. Its parameters are named; `values` is the one that may stand for a list (an expanding one)."""

    def __init__(self, statement: ClauseElement | Mapping[str, ClauseElement], columns: Sequence[str] = ()) -> None:
        """`statement`: one for both dialects, or one for each by its name. `columns`: the parameters of an INSERT."""
        self._statement, self._columns = statement, list(columns) or None
        self._texts: dict[tuple[str, int], str] = {}
        self._own: dict[str, Any] = {}  # its literals

    def all(self, connection: Connection, parameters: Mapping[str, Any]) -> Rows:
        """The rows that it finds; none for a statement that finds nothing."""
        return self._execute(connection, self._text(connection.dialect.name), parameters)

    def one(self, connection: Connection, parameters: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """The first row, if there is one."""
        rows = self.all(connection, parameters)
        return rows[0] if rows else None

    def of(self, connection: Connection, values: Iterable[Any], parameters: Mapping[str, Any]) -> Rows:
        """The rows that it finds for values in any number."""
        rows: Rows = []
        for batch in batches(values):
            named = {**parameters, **{f"v{n}": value for n, value in enumerate(batch)}}
            rows += self._execute(connection, self._text(connection.dialect.name, len(batch)), named)
        return rows

    def run(self, connection: Connection, *rows: Mapping[str, Any]) -> None:
        """Execute it, once for each set of parameters."""
        if len(rows) == 1:
            self.all(connection, rows[0])
        elif rows:
            sql = self._text(connection.dialect.name)
            try:
                _driver(connection).cursor().executemany(sql, rows)
            except connection.dialect.loaded_dbapi.Error as error:
                raise _translated(connection, sql, error) from error

    def _execute(self, connection: Connection, sql: str, parameters: Mapping[str, Any]) -> Rows:
        try:
            cursor = _driver(connection).execute(sql, {**parameters, **self._own} if self._own else parameters)
            found: Rows = cursor.fetchall() if cursor.description else []
        except connection.dialect.loaded_dbapi.Error as error:
            raise _translated(connection, sql, error) from error
        return found

    def _text(self, dialect: str, values: int = 0) -> str:
        """The statement in SQL, with so many places for `values`."""
        found = self._texts.get((dialect, values))
        if found is None:
            places = ", ".join(_PLACES[dialect].format(n) for n in range(values))
            found = self._texts[dialect, values] = _EXPANDING.sub(f"({places})", self._compiled(dialect))
        return found

    def _compiled(self, dialect: str) -> str:
        own = self._statement if isinstance(self._statement, ClauseElement) else self._statement[dialect]
        compiled: Any = own.compile(dialect=_DIALECTS[dialect], column_keys=self._columns)
        binds = compiled.bind_names.items()
        self._own |= {name: bind.value for bind, name in binds if not bind.required and bind.value is not None}
        return str(compiled)


def _driver(connection: Connection) -> Any:
    return connection.connection.dbapi_connection


def _translated(connection: Connection, sql: str, error: Exception) -> BaseException:
    """The driver's exception as SQLAlchemy's; a connection that is lost is given up, as SQLAlchemy does."""
    dialect, driver = connection.dialect, _driver(connection)
    lost = dialect.is_disconnect(error, driver, None)  # type: ignore[arg-type]
    if lost and not connection.invalidated:
        connection.invalidate(error)
    return DBAPIError.instance(
        sql, None, error, dialect.loaded_dbapi.Error, hide_parameters=True, connection_invalidated=lost, dialect=dialect
    )
