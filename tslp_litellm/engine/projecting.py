"""The uses of a workspace's entities, brought up to its Ledger's head, made anew, and checked (SEMANTICS 10)."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from tslp_litellm import parser
from tslp_litellm.parser.memory import Memory
from tslp_litellm.state.events import Entry
from tslp_litellm.state.names import Entity, WorkspaceKey
from tslp_litellm.state.values import Doubt, KeptUse, Part, artifact_hash
from tslp_litellm.store import maintenance, uses
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import Problem
from tslp_litellm.store.reading import WholeReader, WorkspaceReader
from tslp_litellm.store.segments import ArchivedError
from tslp_litellm.store.writing import WorkspaceWriter
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.uses.interfaces import interface
from tslp_litellm.uses.known import KnownFile, World, decoded, encoded, known_file
from tslp_litellm.uses.modules import READ
from tslp_litellm.uses.projection import Edges, Uses, advance
from tslp_litellm.uses.unknown import asked_for

FILES_BYTES = 8_000_000
"""What the known files that a process keeps may weigh, by what is kept of them."""
ASKED_BYTES = 8_000_000
"""What may be kept of what imports mean: of all files of a workspace, which are gone through whenever another one
becomes known, and of which there may be more than the known files that there is room for."""
NAME_BYTES = 100
"""What one name in that may weigh; those that several files ask for are one."""
EVENTS_READ_AGAIN = 64
"""So many events that are about no use may be read once more, so that not every turn writes how far that was."""
EVENTS_AT_ONCE = 500
"""So many are read in one visit: a Ledger that was never read for uses may be long, and the files of a piece, each of
which is read several times, have to fit into what the process keeps."""
Kept = tuple[str, str, str]
"""A known file as it is kept: its artifact, its body, the key of the package that it declares."""
_known = Memory[KnownFile](FILES_BYTES)
_asked = Memory[frozenset[str]](ASKED_BYTES)


def is_read(path: str) -> bool:
    """Whether the uses of a file's language are read."""
    language = language_of_path(path)
    return language is not None and language.name in READ


class _AllFiles(World):
    """A workspace's known files, each read when it is asked for."""

    def __init__(self, store: WorkspaceReader) -> None:
        assert store.workspace_id is not None
        self._artifacts = uses.files(store.connection, store.workspace_id)
        self._packages = uses.packages(store.connection, store.workspace_id)
        self._files = _Files(store, self._artifacts)

    def __contains__(self, path: object) -> bool:
        return path in self._artifacts

    def __getitem__(self, path: str) -> KnownFile:
        return self._files.read(path, self._artifacts[path])

    def __iter__(self) -> Iterator[str]:
        return iter(self._artifacts)

    def __len__(self) -> int:
        return len(self._artifacts)

    def packaged(self, key: str) -> Collection[str]:
        return [path for path, of in self._packages.items() if of == key]


class _Files:
    """The known files of a workspace, from where they are kept or else from their texts."""

    def __init__(self, store: WorkspaceReader, kept: dict[str, str]) -> None:
        self._store, self._kept = store, kept

    def read(self, path: str, artifact: str) -> KnownFile:
        return _known.get((path, self._how(path, artifact)), artifact.encode(), lambda: self._made(path, artifact))

    def ask(self, path: str, artifact: str, perhaps: bool) -> frozenset[str]:
        """What a file's imports may mean."""

        def made() -> tuple[frozenset[str], int]:
            names = asked_for(path, self.read(path, artifact), perhaps=perhaps)
            return frozenset(map(sys.intern, names)), NAME_BYTES * (1 + len(names))

        return _asked.get((path, self._how(path, artifact), perhaps), artifact.encode(), made)

    def _how(self, path: str, artifact: str) -> str:
        """What is kept may be without what is in doubt."""
        return "kept" if self._kept.get(path) == artifact else "read"

    def _made(self, path: str, artifact: str) -> tuple[KnownFile, int]:
        if self._kept.get(path) == artifact:
            assert self._store.workspace_id is not None
            body = uses.bodies(self._store.connection, self._store.workspace_id, [path])[path]
            return decoded(body), len(body)
        text, language = self._store.texts([artifact]).get(artifact), language_of_path(path)
        if text is None or language is None:
            return KnownFile(artifact=artifact), 0
        found = known_file(parser.outline(language, text), parser.bindings(language, text))
        return found, len(text)


def _parts(store: WorkspaceReader, made: Uses) -> dict[str, Part]:
    """The definitions whose text is newer than that of their file; without an interface what can't be read alone."""
    texts = store.texts(made.parts.values())
    return {entity: _part(Entity.parse(entity), a, texts.get(a, "")) for entity, a in made.parts.items()}


def _part(name: Entity, artifact: str, text: str) -> Part:
    seen = parser.outline(language_of_path(name.path), textwrap.dedent(text))
    symbol = next((s for s in seen.symbols if s.sound and s.leaf == name.leaf), None)
    if symbol is None:
        return Part(artifact, "", "")
    return Part(artifact, artifact_hash(interface(seen, symbol.name)), seen.signature(symbol))


def bring_up(database: Database, key: WorkspaceKey, at: str, again: int | None = None) -> bool:
    """Read what the Ledger has grown by, or a piece of it; True where more is left. Read in a snapshot: whoever writes
    waits for no parse. `again`: so many events that are about no use are left to be read once more, if not
    EVENTS_READ_AGAIN."""
    again = EVENTS_READ_AGAIN if again is None else again
    with database.reading() as connection:
        store = WorkspaceReader(connection, key.tenant, key.workspace)
        if store.workspace_id is None or store.head is None:
            return False
        since, last = store.uses_head, store.head[0]
        if since >= last:
            return False
        more, last = last > since + EVENTS_AT_ONCE, min(last, since + EVENTS_AT_ONCE)
        if last - since < again and not any(map(_made_in, store.entries_between(since, last))):
            return False
        kept, packages = uses.files(connection, store.workspace_id), uses.packages(connection, store.workspace_id)
        files = _Files(store, kept)
        newer = {entity: part.artifact for entity, part in uses.parts(connection, store.workspace_id).items()}
        made = advance(store.entries_between(since, last), kept, files.read, is_read, packages, newer, files.ask)
        known, parts = _to_keep(made, kept, files), _parts(store, made)
        changes = bool(made.replaced or made.edges) or made.files != kept
    if not changes and last - since < again:
        return False
    with database.writing() as connection:
        writing = WorkspaceWriter(connection, key.tenant, key.workspace, at)
        assert writing.workspace_id is not None
        if writing.uses_head == since:
            _write(connection, writing.workspace_id, last, made, kept, known, parts)
    return more


def unread(store: WorkspaceReader, paths: Collection[str]) -> set[str]:
    """Those of some files of which the Ledger says what makes or ends uses, and was not read for them yet."""
    if store.workspace_id is None or not lags(store):
        return set()
    found = store.entries_about(paths, after=store.uses_head)
    entries = {entry.seq: entry for some in found.values() for entry in some}.values()
    return {path for entry in entries for path in _made_in(entry)} & set(paths)


def _made_in(entry: Entry) -> set[str]:
    """The files of which an event makes or ends uses, or might."""
    moves = entry.moves() if '"moves"' in entry.body else ()
    return {Entity.parse(m.entity).path for m in moves if m.op in uses.MAKING and m.entity is not None}


def lags(store: WorkspaceReader) -> bool:
    """Whether there is anything in the Ledger that was not read for the uses yet."""
    return store.head is not None and store.uses_head < store.head[0]


def known_files(store: WorkspaceReader, paths: Iterable[str]) -> dict[str, KnownFile]:
    """The known files among some, as far as the Ledger was read."""
    if store.workspace_id is None:
        return {}
    found = uses.among(store.connection, store.workspace_id, paths)
    files = _Files(store, found)
    return {path: files.read(path, artifact) for path, artifact in found.items()}


def all_known(store: WorkspaceReader) -> World:
    """All known files, as far as the Ledger was read."""
    return _AllFiles(store)


def _to_keep(made: Uses, kept: dict[str, str], files: _Files) -> dict[str, Kept]:
    changed = {path: artifact for path, artifact in made.files.items() if kept.get(path) != artifact}
    return {path: _row(artifact, files.read(path, artifact)) for path, artifact in changed.items()}


def _row(artifact: str, file: KnownFile) -> Kept:
    return artifact, encoded(file), file.key or ""


def _write(
    connection: Any,
    workspace_id: int,
    seq: int,
    made: Uses,
    kept: dict[str, str],
    known: dict[str, Kept],
    parts: dict[str, Part],
) -> None:
    uses.write(
        connection,
        workspace_id,
        seq,
        gone=kept.keys() - made.files.keys(),
        known=known,
        replaced=made.replaced,
        rows=rows_of(made.edges),
        parts=parts,
    )


def rows_of(edges: Edges) -> list[KeptUse]:
    """Edges as they are kept."""
    return [
        KeptUse(user, used, str(edge.route), edge.interface, edge.signature)
        for user, found in edges.items()
        for used, edge in found.items()
    ]


def refold(connection: Any) -> None:
    """Drop the uses of every workspace and make them anew from the Ledger. ArchivedError where it needs a segment that
    can't be read."""
    uses.clear(connection)
    for tenant, name in maintenance.workspace_names(connection):
        store = WholeReader(connection, tenant, name)
        if store.workspace_id is None or store.head is None:
            continue
        files = _Files(store, {})
        made = advance(store.entries_between(0, store.head[0]), {}, files.read, is_read)
        _write(connection, store.workspace_id, store.head[0], made, {}, _to_keep(made, {}, files), _parts(store, made))


def problems(connection: Any) -> Iterator[Problem]:
    """Where the uses are not what the Ledger, as far as it was read for them, says; nothing of a workspace of which a
    segment can't be read, which `verify` says."""
    for tenant, name in maintenance.workspace_names(connection):
        try:
            yield from [*_problems(connection, tenant, name)]
        except ArchivedError:
            continue


def _problems(connection: Any, tenant: str, name: str) -> Iterator[Problem]:
    store = WholeReader(connection, tenant, name)
    assert store.workspace_id is not None
    w, last = store.workspace_id, uses.head(connection, store.workspace_id)
    files = _Files(store, {})
    made = advance(store.entries_between(0, last), {}, files.read, is_read)
    kept, rows = uses.files(connection, w), rows_of(made.edges)
    bodies = uses.bodies(connection, w, kept)
    wrong = {path for path in kept.keys() | made.files.keys() if kept.get(path) != made.files.get(path)}
    wrong |= {p for p in kept.keys() - wrong if bodies[p] not in _forms(files.read(p, kept[p]))}
    edges = {row for row in rows if row.route not in set(Doubt)} ^ set(uses.all_rows(connection, w))
    perhaps = {(row.entity, row.used) for row in rows}
    edges |= {row for row in uses.doubtful_rows(connection, w) if (row.entity, row.used) not in perhaps}
    parts = set(_parts(store, made).items()) ^ set(uses.parts(connection, w).items())
    named = wrong | {row.entity for row in edges} | {entity for entity, _ in parts}
    for entity in sorted(named):
        yield Problem("uses", f"{entity}: what it uses is not what the Ledger says; `tslp rebuild` makes it anew")


def _forms(file: KnownFile) -> set[str]:
    """What may be kept of a known file: all, or, by an older version, nothing that is in doubt."""
    return {encoded(file), encoded(replace(file, doubts=(), unsure={}, stars=()))}
