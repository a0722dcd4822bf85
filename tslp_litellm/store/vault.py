"""The Vault: texts by their hash, insert-only, compressed where it pays; a definition is a slice of its file."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, bindparam, select

from tslp_litellm.resolution.bench import Slice
from tslp_litellm.store.schema import vault
from tslp_litellm.store.statements import Statement, inserting

COMPRESS_FROM_BYTES = 512
PLAIN, ZLIB, SLICE = "utf-8", "zlib", "slice"

Row = tuple[str, bytes]
_BY_HASH = Statement(
    select(vault.c.hash, vault.c.encoding, vault.c.body).where(vault.c.hash.in_(bindparam("values", expanding=True)))
)
_KEEP = Statement(
    {d: inserting(d)(vault).on_conflict_do_nothing(index_elements=["hash"]) for d in ("sqlite", "postgresql")}
)


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
    for artifact, content in sorted(contents.items(), key=_by_hash):  # two writers of the same texts never cross
        encoding, body = encoded(content)
        rows.append({"hash": artifact, "encoding": encoding, "body": body, "crc": checksum(encoding, body)})
    _KEEP.run(connection, *rows)


def _by_hash(item: tuple[str, str | Slice]) -> str:
    return item[0]


class AlteredError(ValueError):
    """A text in the Vault is not the one that its hash names."""


def get(connection: Connection, hashes: Iterable[str]) -> dict[str, str]:
    """The texts of those hashes that are kept; AlteredError rather than a text of another hash."""
    rows = _rows(connection, set(hashes))
    wholes = {body.decode().split(":")[0] for encoding, body in rows.values() if encoding == SLICE}
    rows = {**_rows(connection, wholes - rows.keys()), **rows}
    return {artifact: _checked(artifact, rows) for artifact in hashes if artifact in rows}


def _checked(artifact: str, rows: Mapping[str, Row]) -> str:
    """A row's text; `rows` also holds the row that a slice is cut from."""
    try:
        content = _bytes(rows[artifact], rows)
        if hashlib.sha256(content).hexdigest() == artifact:
            return content.decode()
    except (ValueError, KeyError, zlib.error):
        pass
    raise AlteredError(f"the text {artifact} in the Vault was altered, or a part of it is missing; run `tslp verify`")


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
    rows = _BY_HASH.of(connection, sorted(hashes), {})
    return {artifact: (encoding, body) for artifact, encoding, body in rows}
