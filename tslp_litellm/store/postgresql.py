"""What PostgreSQL needs of us: time-outs, snapshots, what its texts can't hold, one migration at a time.

docs/postgresql.md is for who runs it. Imports psycopg only when it is used.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL

POOL, POOL_MORE = 5, 5
POOL_WAIT_S, CONNECT_WAIT_S = 5, 5
RECYCLE_S = 1800
TIMEOUTS = {
    "statement_timeout": "30s",
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "60s",
}
MIGRATION_LOCK = 0x74736C70  # "tslp"
NUL_PICTURE = "\u2400"


def engine(url: URL, read_only: bool) -> Engine:
    """An engine. `read_only`: its connections can't write, and each of their transactions is one snapshot."""
    options = [f"-c {name}={value}" for name, value in TIMEOUTS.items()]
    if read_only:
        options.append("-c default_transaction_read_only=on")
    arguments: dict[str, Any] = {"connect_timeout": CONNECT_WAIT_S, "application_name": "tslp", "keepalives_idle": 30}
    arguments = {name: value for name, value in arguments.items() if name not in url.query}
    if "options" not in url.query:
        arguments["options"] = " ".join(options)
    made = create_engine(
        url,
        connect_args=arguments,
        pool_size=POOL,
        max_overflow=POOL_MORE,
        pool_timeout=POOL_WAIT_S,
        pool_recycle=RECYCLE_S,
        pool_pre_ping=True,
        hide_parameters=True,
        isolation_level="REPEATABLE READ" if read_only else "READ COMMITTED",
    )
    event.listen(made, "connect", _prepare_read_only if read_only else _prepare)
    return made


def lock_migrations(connection: Connection) -> None:
    """Wait until no other process migrates, however long it takes; until the end of the transaction."""
    for name in TIMEOUTS:
        connection.exec_driver_sql(f"SET LOCAL {name} = 0")
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")


def lock_writers(connection: Connection) -> None:
    """Nobody else writes in any workspace, nor opens one, until the end of the transaction."""
    connection.exec_driver_sql("LOCK TABLE workspaces IN EXCLUSIVE MODE")


def storable(text: str) -> str:
    """A name that every database can hold: PostgreSQL knows no NUL, and nobody half of a surrogate pair.

    Paths with either are refused before they come here; this is for workspaces, and for what is only looked up.
    """
    return (
        text
        if text.isascii() and "\0" not in text
        else text.replace("\0", NUL_PICTURE).encode("utf-8", "replace").decode()
    )


def _prepare(connection: Any, _record: object) -> None:
    from psycopg.types.string import StrDumper  # noqa: PLC0415

    class Storable(StrDumper):
        def dump(self, obj: str) -> Any:
            return super().dump(storable(obj))

    connection.adapters.register_dumper(str, Storable)


def _prepare_read_only(connection: Any, record: object) -> None:
    _prepare(connection, record)
    connection.read_only = True
