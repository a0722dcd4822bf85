"""A visit's statements: written once for both dialects, compiled once, and run by the driver itself.

SQLAlchemy's execution costs several times what SQLite needs for a statement of ours. Compiled here, a statement is a
string for the driver of the connection's transaction; what the driver raises comes out as SQLAlchemy's exceptions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import ClauseElement, Connection, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError

Rows = list[tuple[Any, ...]]
T = TypeVar("T")
BATCH = 500
"""How many values fit into one statement."""
ROWS = 256
"""How many rows one INSERT takes at most; a power of two."""
DIALECTS = ("sqlite", "postgresql")

_DIALECTS: dict[str, Dialect] = {"sqlite": sqlite.dialect(paramstyle="named"), "postgresql": PGDialect_psycopg()}  # type: ignore[no-untyped-call]
_EXPANDING = re.compile(r"\(__\[POSTCOMPILE_values\]\)")
_PLACES = {"sqlite": ":v{}", "postgresql": "%(v{})s"}
_ROW = re.compile(r"(?<=VALUES )\((?:[^()]|\([^()]*\))*\)")
_PARAMETER = {"sqlite": re.compile(r":(\w+)"), "postgresql": re.compile(r"%\((\w+)\)s")}
_POSITION = {"sqlite": "?", "postgresql": "%s"}


def batches(values: Iterable[T]) -> list[list[T]]:
    """Values in pieces that fit into one statement."""
    ordered = list(values)
    return [ordered[at : at + BATCH] for at in range(0, len(ordered), BATCH)]


def bounded(
    find: Callable[[Sequence[T], int], Rows], values: Iterable[T], most: Callable[[int], int]
) -> tuple[Rows, list[T]]:
    """What is found for values, and those of them for which too much would be found, in their order.

    `find` gives at most so many rows for some values together; where there are more, each half is asked by itself, so
    that what few values have too much of is paid for by those only. `most`: how many rows so many values may have.
    """
    rows: Rows = []
    many: list[T] = []
    waiting = batches(values)[::-1]
    while waiting:
        some = waiting.pop()
        limit = most(len(some))
        found = find(some, limit + 1)
        if len(found) <= limit:
            rows += found
        elif len(some) == 1:
            many += some
        else:
            waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
    return rows, many


def _pieces(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Rows in pieces of 256, 128, … 1: any number needs only nine forms of its INSERT."""
    at, size = 0, ROWS
    while at < len(rows):
        while size > len(rows) - at:
            size //= 2
        yield rows[at : at + size]
        at += size


def inserting(dialect: str) -> Any:
    """The dialect's own `insert`, which knows of conflicts."""
    return sqlite.insert if dialect == "sqlite" else postgresql.insert


def upsert(table: Table, key: Sequence[str]) -> Statement:
    """Insert a row, or make the one with its key like it."""

    def made(dialect: str) -> Any:
        new = inserting(dialect)(table)
        rest = {c.name: new.excluded[c.name] for c in table.columns if c.name not in key}
        return new.on_conflict_do_update(index_elements=list(key), set_=rest)

    return Statement({d: made(d) for d in DIALECTS})


class Statement:
    """One statement. Its parameters are named; `values` is the one that may stand for a list (an expanding one)."""

    def __init__(self, statement: ClauseElement | Mapping[str, ClauseElement], columns: Sequence[str] = ()) -> None:
        """`statement`: one for both dialects, or one for each by its name. `columns`: the parameters of an INSERT."""
        self._statement, self._columns = statement, list(columns) or None
        self._texts: dict[tuple[str, int], str] = {}
        self._wide: dict[tuple[str, int], tuple[str, list[str]]] = {}
        self._own: dict[str, dict[str, Any]] = {}  # its literals, which each dialect names in its own order

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
        """Execute it, once for each set of parameters; of an INSERT's rows as many at once as one statement takes."""
        dialect = connection.dialect.name
        for piece in _pieces(rows):
            if len(piece) == 1:
                self.all(connection, piece[0])
            else:
                sql, names = self._of_rows(dialect, len(piece))
                self._execute(connection, sql, [row[name] for row in piece for name in names])

    def _execute(self, connection: Connection, sql: str, parameters: Mapping[str, Any] | Sequence[Any]) -> Rows:
        if isinstance(parameters, Mapping) and (own := self._own.get(connection.dialect.name)):
            parameters = {**parameters, **own}
        try:
            cursor = _driver(connection).execute(sql, parameters)
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

    def _of_rows(self, dialect: str, rows: int) -> tuple[str, list[str]]:
        """The INSERT with so many rows, its parameters by position; and the columns of a row in that order."""
        found = self._wide.get((dialect, rows))
        if found is None:
            sql = self._text(dialect)
            (row,) = _ROW.findall(sql)
            names = _PARAMETER[dialect].findall(row)
            place = _PARAMETER[dialect].sub(_POSITION[dialect], row)
            found = self._wide[dialect, rows] = _ROW.sub(", ".join([place] * rows), sql), names
        return found

    def _compiled(self, dialect: str) -> str:
        own = self._statement if isinstance(self._statement, ClauseElement) else self._statement[dialect]
        compiled: Any = own.compile(dialect=_DIALECTS[dialect], column_keys=self._columns)
        binds = compiled.bind_names.items()
        self._own[dialect] = {name: bind.value for bind, name in binds if not bind.required and bind.value is not None}
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
