"""Which uses hold, and as what interface each was last confirmed: a fold over the Ledger (SEMANTICS 10).

What a user uses is taken down where its own text is confirmed, and once more where a file becomes known, for whom that
gives uses of its. Between those nothing needs to be read, so that a rebuild reads few of the texts that ever were.
However the Ledger is cut into pieces, the same comes out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from tslp_litellm.state.events import Entry, Move, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Doubt
from tslp_litellm.uses.following import RE_EXPORTS_MAX, Route, all_uses
from tslp_litellm.uses.known import KnownFile, World
from tslp_litellm.uses.unknown import asked_for

Read = Callable[[str, str], KnownFile]
"""The known file of a path and an artifact."""
Ask = Callable[[str, str, bool], Collection[str]]
"""What `asked_for` says of the known file of a path and an artifact; True: with what is in doubt."""
_CONFIRMING = (Op.PROMOTE, Op.CONFIRM)


@dataclass(frozen=True, slots=True)
class Edge:
    """What a user uses, as it was when that was last confirmed: the route, the interface (SHA-256), the signature. With
    a doubt for a route: what it may use."""

    route: Route | Doubt
    interface: str
    signature: str


Edges = dict[str, dict[str, Edge]]
"""User -> used -> how."""


@dataclass(slots=True)
class Uses:
    """A workspace's uses up to a place in its Ledger: its known files' artifacts, and the edges of those users that are
    here. `replaced`: users of whom all edges are here; of the others these come to what they have. `parts`: the
    definitions among those whose text is newer than that of their file, with its artifact."""

    files: dict[str, str] = field(default_factory=dict)
    edges: Edges = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    parts: dict[str, str] = field(default_factory=dict)


class _History:
    """The known files at each place of the Ledger's piece."""

    def __init__(self, before: Mapping[str, str], packages: Mapping[str, str], read: Read, ask: Ask) -> None:
        self._before, self._read, self._ask = before, read, ask
        self.packages: dict[str, set[str]] = defaultdict(set)  # key -> files that declare it at some place
        for path, key in packages.items():
            self.packages[key].add(path)
        self._changes: dict[str, list[tuple[int, str | None]]] = defaultdict(list)
        self.paths = set(before)
        self.order: list[tuple[int, str]] = []

    def add(self, seq: int, path: str, artifact: str | None) -> None:
        self.order.append((seq, path))
        self._changes[path].append((seq, artifact))
        self.paths.add(path)
        if artifact is not None and (key := self._read(path, artifact).key) is not None:
            self.packages[key].add(path)

    def artifact(self, path: str, seq: int) -> str | None:
        """A file's text at a place; None where it was not known."""
        found = self._changes.get(path, ())
        n = bisect_right(found, seq, key=lambda change: change[0]) if found else 0
        return found[n - 1][1] if n else self._before.get(path)

    def at(self, seq: int) -> _World:
        return _World(self, seq)

    def read(self, path: str, artifact: str) -> KnownFile:
        return self._read(path, artifact)

    def asked(self, path: str, seq: int, *, perhaps: bool) -> Collection[str]:
        """The files, and the packages by their keys, that a known file's imports may mean, known or not."""
        return self._ask(path, self.artifact(path, seq) or "", perhaps)

    def started(self) -> set[str]:
        """The files that were known in front of the piece."""
        return set(self._before)

    def after(self) -> dict[str, str]:
        last = {path: changes[-1][1] for path, changes in self._changes.items()}
        kept = {path: artifact for path, artifact in self._before.items() if path not in last}
        return kept | {path: artifact for path, artifact in last.items() if artifact is not None}


class _World(World):
    """The known files at one place, each read when it is asked for."""

    def __init__(self, history: _History, seq: int) -> None:
        self._history, self._seq = history, seq

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self._history.artifact(path, self._seq) is not None

    def __getitem__(self, path: str) -> KnownFile:
        artifact = self._history.artifact(path, self._seq)
        if artifact is None:
            raise KeyError(path)
        return self._history.read(path, artifact)

    def packaged(self, key: str) -> list[str]:
        declared = sorted(self._history.packages.get(key, ()))
        return [path for path in declared if path in self and self[path].key == key]

    def __iter__(self) -> Iterator[str]:
        return (path for path in self._history.paths if path in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def advance(
    entries: Iterable[Entry],
    before: Mapping[str, str],
    read: Read,
    is_read: Callable[[str], bool],
    packages: Mapping[str, str] = MappingProxyType({}),
    parts: Mapping[str, str] = MappingProxyType({}),
    ask: Ask | None = None,
) -> Uses:
    """What a piece of the Ledger does to the uses. `before`: the known files' artifacts in front of it, by path;
    `is_read`: whether a path's language is one whose uses are read; `packages`: the keys of the packages that those
    files declare, by path; `parts`: the definitions whose text was newer than that of their file, with its artifact;
    `ask`: remembers what imports mean, which is asked of all files whenever another one becomes known."""
    asked = ask or (lambda path, artifact, perhaps: asked_for(path, read(path, artifact), perhaps=perhaps))
    history, marks = _History(before, packages, read, asked), _Marks()
    for entity, artifact in parts.items():
        marks.newer[Entity.parse(entity).path][entity] = artifact
    now = dict(before)
    for entry in entries:
        moves = [(Entity.parse(m.entity), m) for m in entry.moves() if m.entity is not None]
        moves = [(name, move) for name, move in moves if is_read(name.path)]
        marks.place(entry.seq, moves)
        for name, move in moves:
            if name.symbol is None and move.op is Op.PROMOTE and move.artifact:
                if name.path not in now:
                    marks.became.append((entry.seq, name.path))
                now[name.path] = move.artifact
                history.add(entry.seq, name.path, move.artifact)
            elif name.symbol is None and move.op is Op.TOMBSTONE:
                now.pop(name.path, None)
                history.add(entry.seq, name.path, None)
            marks.take(entry.seq, str(name), move.op, move.artifact)
    made = Uses(history.after())
    _confirm(made, history, marks)
    sure, perhaps = _Importing(history), _Importing(history, perhaps=True)
    for seq, path in marks.became:
        world = history.at(seq)
        key = world[path].key if path in world else None
        users = set(_importers(sure.at(seq), path, key))
        for user in _importers(perhaps.at(seq), path, key):
            _follow(made, world, marks, seq, user, sure=user in users)
    return made


@dataclass(slots=True)
class _Marks:
    """Where each entity was last confirmed, and with which text (None: it was removed); where files became known."""

    last: dict[str, tuple[int, str | None]] = field(default_factory=dict)
    became: list[tuple[int, str]] = field(default_factory=list)
    newer: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """By file, the definitions whose text is newer than its own, each with the artifact."""

    def place(self, seq: int, moves: Sequence[tuple[Entity, Move]]) -> None:
        """A new text of a file is that of the definitions in it, which have waited for it: they are confirmed by it."""
        whole = {name.path for name, move in moves if name.symbol is None and move.op is Op.PROMOTE}
        for path in whole:
            self.last |= {entity: (seq, artifact) for entity, artifact in self.newer.pop(path, {}).items()}
        for name, move in moves:
            if name.symbol is not None and name.path not in whole:
                self.newer[name.path].pop(str(name), None) if move.op is Op.TOMBSTONE else None
                if move.op is Op.PROMOTE and move.artifact:
                    self.newer[name.path][str(name)] = move.artifact

    def take(self, seq: int, entity: str, op: Op, artifact: str | None) -> None:
        if op in _CONFIRMING:
            self.last[entity] = (seq, artifact)
        elif op is Op.TOMBSTONE:
            self.last[entity] = (seq, None)


def _confirm(made: Uses, history: _History, marks: _Marks) -> None:
    """Take down anew what those use whose text was confirmed, with the interfaces of that place."""
    known: dict[tuple[int, str], dict[str, dict[str, Route | Doubt]]] = {}
    for entity, (seq, artifact) in marks.last.items():
        name, world = Entity.parse(entity), history.at(seq)
        made.replaced.add(entity)
        if artifact is None or name.path not in world or not _is_of(world[name.path], name, artifact):
            if entity in marks.newer.get(name.path, {}):
                made.parts[entity] = marks.newer[name.path][entity]
            continue  # gone, or its text is not that of its file, so that nobody knows what its names are bound to
        if (seq, name.path) not in known:
            known[seq, name.path] = all_uses(name.path, world)
        _add(made.edges, entity, known[seq, name.path].get(entity, {}), world)


def _is_of(file: KnownFile, name: Entity, artifact: str) -> bool:
    if name.symbol is None:
        return file.artifact == artifact
    definition = file.definitions.get(name.symbol)
    return definition is not None and definition.artifact == artifact


def _add(edges: Edges, user: str, found: Mapping[str, Route | Doubt], world: Mapping[str, KnownFile]) -> None:
    """The first that is found of a pair stays; a use goes before a doubt."""
    for used, route in found.items():
        kept = edges.setdefault(user, {})
        if used not in kept or (isinstance(kept[used].route, Doubt) and not isinstance(route, Doubt)):
            name = Entity.parse(used)
            definition = world[name.path].definitions[name.symbol or ""]
            kept[used] = Edge(route, definition.interface, definition.signature)


class _Importing:
    """Which known files' imports may mean a file, at a place that moves on through the Ledger's piece. `perhaps`: also
    imports that are in doubt."""

    def __init__(self, history: _History, *, perhaps: bool = False) -> None:
        self._history, self._coming, self._perhaps = history, deque(history.order), perhaps
        self._due = history.started()
        self._of: dict[str, set[str]] = defaultdict(set)
        self._asked: dict[str, Collection[str]] = {}

    def at(self, seq: int) -> Mapping[str, set[str]]:
        """File -> who imports it. Only the texts of this place are read, of what changed since the place before."""
        while self._coming and self._coming[0][0] <= seq:
            self._due.add(self._coming.popleft()[1])
        for path in self._due:
            for asked in self._asked.pop(path, ()):
                self._of[asked].discard(path)
            if self._history.artifact(path, seq) is not None:
                self._asked[path] = self._history.asked(path, seq, perhaps=self._perhaps)
                for asked in self._asked[path]:
                    self._of[asked].add(path)
        self._due.clear()
        return self._of


def _follow(made: Uses, world: _World, marks: _Marks, seq: int, path: str, *, sure: bool) -> None:
    """Take down the uses that a file's entities have now, since another became known; only what is in doubt where the
    file does not surely import that."""
    for user, found in all_uses(path, world).items():
        if marks.last.get(user, (0, None))[0] < seq:  # else it was taken down later, or here
            now = {used: route for used, route in found.items() if sure or isinstance(route, Doubt)}
            _add(made.edges, user, now, world)


def _importers(importing: Mapping[str, set[str]], became: str, package: str | None) -> list[str]:
    """Files that may use something of a file, directly or through others. `package`: the key of the one it declares."""
    found, last = set[str](), {became, *([package] if package is not None else [])}
    for _ in range(RE_EXPORTS_MAX + 2):
        last = {other for path in last for other in importing.get(path, ())} - found - {became}
        found |= last
    return sorted(found)
