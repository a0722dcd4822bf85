"""The Vault: texts by their hash, insert-only, compressed where it pays; a definition is a slice of its file."""

from __future__ import annotations

import contextlib
import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, select

from tslp_litellm.state.values import Slice
from tslp_litellm.store.schema import vault
from tslp_litellm.store.statements import DIALECTS, Statement, batches, inserting

COMPRESS_FROM_BYTES = 512
_WAITING = "tslp_vault"
PLAIN, ZLIB, SLICE = "utf-8", "zlib", "slice"

Row = tuple[str, bytes]
_BY_HASH = Statement(
    select(vault.c.hash, vault.c.encoding, vault.c.body).where(vault.c.hash.in_(bindparam("values", expanding=True)))
)
_KEEP = Statement({d: inserting(d)(vault).on_conflict_do_nothing(index_elements=["hash"]) for d in DIALECTS})


def encoded(content: str | Slice) -> Row:
    """Encoding and body of a row."""
    if isinstance(content, Slice):
        return SLICE, f"{content.whole}:{content.start}:{content.end}".encode()
    body = content.encode()
    if len(body) >= COMPRESS_FROM_BYTES:
        packed = zlib.compress(body)
        if len(packed) < 0.9 * len(body):
            return ZLIB, packed
    return PLAIN, body


def checksum(encoding: str, body: bytes) -> int:
    """CRC-32 of a row as it is stored."""
    return zlib.crc32(body, zlib.crc32(encoding.encode()))


def put(connection: Connection, contents: Mapping[str, str | Slice]) -> None:
    """Keep texts under their hashes; what is there already stays as it is."""
    rows = []
    for artifact, content in contents.items():
        encoding, body = encoded(content)
        rows.append({"hash": artifact, "encoding": encoding, "body": body, "crc": checksum(encoding, body)})
    waiting = connection.info.get(_WAITING)
    if waiting is None:
        _KEEP.run(connection, *rows)
    else:
        for row in rows:
            waiting.setdefault(row["hash"], row)


@contextlib.contextmanager
def gathered(connection: Connection) -> Iterator[None]:
    """On PostgreSQL the texts of a transaction are put at its end, in the order of their hashes.

    Who inserts a key waits for another transaction that has inserted it; where all go in one order, and last of all,
    no two wait for each other. SQLite has one writer.
    """
    if connection.dialect.name == "sqlite":
        yield
        return
    waiting: dict[str, dict[str, Any]] = {}
    connection.info[_WAITING] = waiting
    try:
        yield
        _KEEP.run(connection, *(waiting[artifact] for artifact in sorted(waiting)))
    finally:
        if not connection.invalidated:
            connection.info.pop(_WAITING, None)


class AlteredError(ValueError):
    """A text in the Vault is not the one that its hash, `artifact`, names."""

    def __init__(self, artifact: str) -> None:
        super().__init__(f"the text {artifact} in the Vault was altered, or a part of it is missing; run `tslp verify`")
        self.artifact = artifact


def get(connection: Connection, hashes: Iterable[str]) -> dict[str, str]:
    """The texts of those hashes that are kept; AlteredError rather than a text of another hash."""
    rows = _rows(connection, set(hashes))
    wholes = {body.decode().split(":")[0] for encoding, body in rows.values() if encoding == SLICE}
    rows = {**_rows(connection, wholes - rows.keys()), **rows}
    return {artifact: _checked(artifact, rows) for artifact in hashes if artifact in rows}


def kept(connection: Connection, hashes: Iterable[str]) -> set[str]:
    """Those of some texts that are here."""
    query = select(vault.c.hash)
    rows = (connection.execute(query.where(vault.c.hash.in_(batch))).scalars() for batch in batches(hashes))
    return {artifact for batch in rows for artifact in batch}


def parts(connection: Connection, hashes: Iterable[str]) -> dict[str, Slice]:
    """Those of some texts that are kept as a part of another."""
    rows = _rows(connection, set(hashes)).items()
    cuts = {artifact: body.decode().split(":") for artifact, (encoding, body) in rows if encoding == SLICE}
    return {artifact: Slice(whole, int(start), int(end)) for artifact, (whole, start, end) in cuts.items()}


def _checked(artifact: str, rows: Mapping[str, Row]) -> str:
    """A row's text; `rows` also holds the row that a slice is cut from."""
    try:
        content = _bytes(rows[artifact], rows)
        if hashlib.sha256(content).hexdigest() == artifact:
            return content.decode()
    except (ValueError, KeyError, zlib.error):
        pass
    raise AlteredError(artifact)


def _bytes(row: Row, rows: Mapping[str, Row]) -> bytes:
    encoding, body = row
    if encoding == SLICE:
        whole, start, end = body.decode().split(":")
        return _bytes(rows[whole], rows)[int(start) : int(end)]
    if encoding == PLAIN:
        return body
    if encoding == ZLIB:
        return zlib.decompress(body)
    raise ValueError(f"unknown encoding {encoding!r}")


def _rows(connection: Connection, hashes: set[str]) -> dict[str, Row]:
    waiting = connection.info.get(_WAITING) or {}
    found: dict[str, Row] = {
        artifact: (waiting[artifact]["encoding"], waiting[artifact]["body"]) for artifact in hashes & waiting.keys()
    }
    for artifact, encoding, body in _BY_HASH.of(connection, sorted(hashes - found.keys()), {}):
        found[artifact] = (encoding, bytes(body))
    return found
