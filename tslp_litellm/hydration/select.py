"""From mentions to entities: the most specific one wins, what is ambiguous is named, what is DIRTY is never shown."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tslp_litellm.parser.budget import spend
from tslp_litellm.state.names import ends, holders, normalise_path, part_counts
from tslp_litellm.state.other_names import inner_names, is_outside
from tslp_litellm.state.spelling import has_drive
from tslp_litellm.state.values import Tracked
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.words.mentions import Mention, NameMention, PathMention, once, readings

SEVERAL_MAX = 3
"""A bare name found in more places than this hydrates none of them."""


@dataclass(slots=True)
class Selection:
    """What a prompt means: entities in order of first mention, DIRTY ones, and names that fit too much.

    `several`: names that fit a few entities, which are all meant. `paths`: the files that it names. `parts`: entities
    that are meant for the sake of a file or a type alone, whose own text is unknown. `unmet`: mentions that mean
    nothing that lives. `covered`: of files that are meant because something is to go from them, and of types because
    something is to come into them, the symbols that were mentioned, and that stand in their text.
    """

    entities: list[Tracked] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    ambiguous: list[tuple[str, list[str]]] = field(default_factory=list)
    several: list[tuple[str, list[str]]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    parts: frozenset[str] = frozenset()
    unmet: list[Mention] = field(default_factory=list)
    covered: dict[str, list[Tracked]] = field(default_factory=dict)

    def uncover(self, hidden: Collection[str]) -> bool:
        """Mean what was mentioned of some files and types instead of these, as they can't be shown; whether that
        differs."""
        found = {entity for entity in hidden if entity in self.covered}
        parts = (self.covered[row.entity] if row.entity in found else [row] for row in self.entities)
        self.entities = [row for rows in parts for row in rows]
        return bool(found)

    def narrow(self, paths: Collection[str]) -> None:
        """Of some files mean a symbol alone, which is known by another name now."""
        whole = {row.entity for row in self.entities if row.symbol is None and row.path in paths} - self.covered.keys()
        self.entities = [row for row in self.entities if row.entity not in whole]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What has to be looked up before selecting. `inner`: what paths that are written from another folder may be
    here."""

    paths: frozenset[str]
    inner: frozenset[str]
    basenames: frozenset[str]
    leaves: frozenset[str]
    names: frozenset[str]


def wanted(found: Sequence[Mention], root: str | None) -> Wanted:
    """The State Map rows that mentions may mean."""
    paths = {path for path in _normalised(found, root).values() if path is not None}
    names = {one.name for m in found if isinstance(m, NameMention) for one in (m, *readings(m))}
    return Wanted(
        frozenset(paths),
        frozenset(one for path in paths for one in _inner(path, root)),
        frozenset(posixpath.basename(p) for p in paths),
        frozenset(n.rsplit(".", 1)[-1].partition("#")[0] for n in names),
        frozenset(names),
    )


def _inner(path: str, root: str | None) -> list[str]:
    """What a path that is written from another folder may be here, the longest first: an absolute one, as traces and
    editors write it, or one that begins with the project's own folder (`a/src/cart.py`)."""
    folder, _, behind = path.partition("/")
    if not is_outside(path):
        return [behind] if "/" in behind and folder.replace("-", "_").isidentifier() else []
    return [one for one in inner_names(path, root) if not has_drive(path) or one != behind]


def may_be_open(row: Tracked) -> bool:
    """Whether an entity may be a type whose methods stand outside of it, and are meant with it: Go's, Rust's."""
    language = language_of_path(row.path)
    return language is not None and language.open_types and row.symbol is not None and "." not in row.symbol


def _normalised(found: Sequence[Mention], root: str | None) -> dict[str, str | None]:
    """The paths that mentions hold, as they are written and as the State Map would write them."""
    return {raw: normalise_path(raw, root) for raw in {m.path for m in found if m.path is not None}}


def _path(mention: Mention, root: str | None) -> str | None:
    raw = mention.path
    return normalise_path(raw, root) if raw is not None else None


def select(
    found: Sequence[Mention],
    rows: Collection[Tracked],
    root: str | None,
    is_type: Callable[[Tracked], bool],
    also_named: Collection[str] = (),
    crowded: Collection[str] = (),
    removed: Callable[[Tracked], bool] = lambda _: False,
    texts: Callable[[Iterable[str]], Mapping[str, str]] = lambda _: {},
) -> Selection:
    """The entities that a prompt means. `rows`: with all those of a file in which something that it names is DIRTY.

    `also_named`: files that it names beside those among `rows`. `crowded`: names that more files share than `rows` has.
    `removed`: whether it asks for a symbol to go. Where it names the file for that, the file is what has to be changed,
    and is meant: "Remove `total` from a.py" shows a.py, and so does "Remove a.py::total". `texts`: of artifacts.
    """
    out, index = Selection(), _Index(found, rows, root, crowded)
    found = _outer(found, index)
    named = _named(found, index, root, out)  # path -> where it was mentioned
    by_mention: list[tuple[int, list[Tracked]]] = []
    in_view = {*named, *also_named}
    for mention in found:
        if isinstance(mention, NameMention):
            spend()
            doubts = len(out.ambiguous)
            hits = _symbols(mention, index, in_view, is_type, out)
            for one in readings(mention):
                if hits or len(out.ambiguous) > doubts:
                    break
                hits = _otherwise(one, mention, index, in_view, is_type, out)
            _unmet(mention, bool(hits), doubts, out)
            by_mention.append((mention.at, hits))
            if mention.path is not None and any(map(removed, hits)):
                named.setdefault(hits[0].path, mention.at)
    out.paths = list(named)
    whole = {hit.path for _, hits in by_mention for hit in hits if hit.path in named and removed(hit)}
    specific = {hit.path for _, hits in by_mention for hit in hits} - whole
    files = {row.path for path in whole for row in index.of_path[path] if row.symbol is None and row.clean}
    for hit in (hit for _, hits in by_mention for hit in hits if hit.path in files and hit.clean):
        out.covered.setdefault(hit.path, []).append(hit)
    by_mention = [(at, [hit for hit in hits if hit.path not in files]) for at, hits in by_mention]
    by_mention = _without_inner(by_mention, is_type, texts, out)
    whole_ones = [(at, _file(index.of_path[path], texts)) for path, at in named.items() if path not in specific]
    opened = [
        (at, hit) for at, hits in by_mention for hit in hits if not hit.clean or (may_be_open(hit) and is_type(hit))
    ]
    whole_ones += [(at, _members(hit, index, texts)) for at, hit in opened]
    out.parts = frozenset(row.entity for _, rows in whole_ones for row in rows if row.symbol is not None)
    out.parts -= {hit.entity for _, hits in by_mention for hit in hits}
    by_mention += whole_ones
    meant = {hit.entity: hit for _, hits in sorted(by_mention, key=lambda pair: pair[0]) for hit in hits}
    out.entities = [hit for hit in meant.values() if hit.clean]
    out.unknown = [hit.entity for hit in meant.values() if not hit.clean]
    return out


class _Index:
    """State Map rows by what mentions may call them: each row is looked at once, however many mentions there are."""

    def __init__(
        self, found: Sequence[Mention], rows: Collection[Tracked], root: str | None, crowded: Collection[str]
    ) -> None:
        self.root, self.crowded, self.beside = root, crowded, _Beside(found, root)
        self.of_path: dict[str, list[Tracked]] = defaultdict(list)
        self.of_tail: dict[str, set[str]] = defaultdict(set)
        self.of_name: dict[str, dict[str, Tracked]] = defaultdict(dict)
        self._normalised = _normalised(found, root)
        tails = {path.lstrip("/") for path in self._normalised.values() if path is not None}
        names = {one.name for m in found if isinstance(m, NameMention) for one in (m, *readings(m))}
        depths, lengths = part_counts(tails, "/"), part_counts(names, ".")
        for row in rows:
            spend()
            if row.path not in self.of_path:
                for tail in ends(row.path, "/", depths):
                    if tail in tails and tail != row.path:
                        self.of_tail[tail].add(row.path)
            self.of_path[row.path].append(row)
            for symbol in _written(row.symbol) if row.symbol is not None else ():
                for name in ends(symbol, ".", lengths):
                    if name in names:
                        self.of_name[name][row.entity] = row

    def knows(self, written: str) -> bool:
        """Whether a mention's path is tracked, or the tail of one that is, or one that is from another folder."""
        path = self._normalised[written]
        return path is not None and bool(self.of(path))

    def of(self, path: str) -> list[str]:
        """The tracked files that a path may mean: itself, else those that end in it, else the longest that it ends
        in."""
        if path in self.of_path:
            return [path]
        tails = sorted(self.of_tail.get(path.lstrip("/"), ()))
        return tails or [one for one in _inner(path, self.root) if one in self.of_path][:1]


def _written(symbol: str) -> set[str]:
    """How a symbol may be written: `name#2` is also one of all definitions of its name."""
    return {symbol, ".".join(part.partition("#")[0] for part in symbol.split("."))}


BESIDE_CHARS_MAX = 6
"""What may stand between a name and its file: "`total` in a.py", "a.py: `total`"."""


class _Beside:
    """Where a prompt names files and symbols, each time that it does."""

    def __init__(self, found: Sequence[Mention], root: str | None) -> None:
        self._files: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._names: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for mention in found:
            if isinstance(mention, NameMention):
                self._names[mention.name].append((mention.at, mention.end))
            elif (path := _path(mention, root)) is not None:
                self._files[path].append((mention.at, mention.end))

    def stands(self, name: str, path: str) -> bool:
        """Whether a name stands beside a file that is written as it is tracked."""
        files = self._files.get(path, ())
        gaps = (max(at - e, a - end) for a, e in self._names.get(name, ()) for at, end in files)
        return any(0 <= gap <= BESIDE_CHARS_MAX for gap in gaps)


def _outer(found: Sequence[Mention], index: _Index) -> list[Mention]:
    """Mentions, each once, but for those inside of a tracked path (`file.md` in `my notes/file.md`), and names in what
    can be nothing but a path (`Instant` in `src/Instant.kt`); in one that nobody knows there may be one that is tracked
    (`src/a.py` in `**src/a.py`, `a.py::total` in `a.py::total是`)."""
    outer: list[Mention] = []
    looks, taken, whole = 0, 0, (0, 0)
    for mention in found:
        named = isinstance(mention, PathMention) or mention.name in index.of_name
        known = mention.path is not None and named and index.knows(mention.path)
        around = taken if known else max(taken, looks)
        if mention.at < around and mention.end <= around and (mention.at, mention.end) != whole:
            continue
        if known or _is_file(mention):
            taken, looks = max(taken, mention.end if known else 0), max(looks, mention.end)
            whole = (mention.at, mention.end)
        outer.append(mention)
    return once(outer)


def _is_file(mention: Mention) -> bool:
    """Whether a word is a path by its folder and its extension."""
    path = mention.path if isinstance(mention, PathMention) else ""
    return bool(path) and "/" in path and " " not in path and language_of_path(path) is not None


def _named(found: Sequence[Mention], index: _Index, root: str | None, out: Selection) -> dict[str, int]:
    """The tracked files that a prompt names, and where it does."""
    named: dict[str, int] = {}
    for mention in found:
        if isinstance(mention, PathMention):
            doubts = len(out.ambiguous)
            path = _tracked_path(_path(mention, root), index, out, mention.path)
            _unmet(mention, path is not None, doubts, out)
            if path is not None:
                named.setdefault(path, mention.at)
    return named


def _unmet(mention: Mention, met: bool, doubts: int, out: Selection) -> None:
    """Note a mention that means nothing here, and did not mean too much either."""
    if not met and len(out.ambiguous) == doubts:
        out.unmet.append(mention)


def select_removed(
    living: Selection, graves: Collection[Tracked], root: str | None, was_type: Callable[[Tracked], bool]
) -> Selection:
    """What a prompt means of what was removed: by the same rules, with what means nothing that lives, if beyond
    doubt."""
    unmet = sorted(living.unmet, key=lambda mention: mention.at)
    return select(unmet, graves, root, was_type, living.paths)


def _tracked_path(path: str | None, index: _Index, out: Selection, written: str) -> str | None:
    """The one tracked path that a word means."""
    paths = index.of(path) if path is not None else []
    if len(paths) > 1:
        out.ambiguous.append((written, paths))
    return paths[0] if len(paths) == 1 else None


def _file(of_path: Sequence[Tracked], texts: Callable[[Iterable[str]], Mapping[str, str]]) -> list[Tracked]:
    """A file, or, where its text is unknown, that fact and its symbols."""
    whole = [row for row in of_path if row.symbol is None]
    if whole and whole[0].clean:
        return whole
    return whole + _outermost({row.symbol: row for row in of_path if row.symbol is not None and row.clean}, texts)


def _members(holder: Tracked, index: _Index, texts: Callable[[Iterable[str]], Mapping[str, str]]) -> list[Tracked]:
    """What is known of a type whose own text is unknown, or does not hold it."""
    inside = ((row.symbol or "", row) for row in index.of_path[holder.path] if row.clean)
    held = {name: row for name, row in inside if name.startswith(f"{holder.symbol}.")}
    return _outermost(held, texts)


def _outermost(of_name: Mapping[str, Tracked], texts: Callable[[Iterable[str]], Mapping[str, str]]) -> list[Tracked]:
    """Symbols that no other one of them holds in its text. A method of Go's stands outside of its type."""
    held = {name: [of_name[one] for one in holders(name) if one in of_name] for name in of_name}
    text = texts({row.artifact for name, rows in held.items() if rows for row in (of_name[name], *rows)})
    return [
        row
        for name, row in of_name.items()
        if not any(text.get(row.artifact, "") in text.get(holder.artifact, "") for holder in held[name])
    ]


def _without_inner(
    by_mention: list[tuple[int, list[Tracked]]],
    is_type: Callable[[Tracked], bool],
    texts: Callable[[Iterable[str]], Mapping[str, str]],
    out: Selection,
) -> list[tuple[int, list[Tracked]]]:
    """Mentions, but for those of what stands in the text of a type that is mentioned, too: "Rename Cart.save to
    Cart.store" shows Cart, and `save` once."""
    of_entity = {hit.entity: hit for _, hits in by_mention for hit in hits if hit.clean and hit.symbol is not None}
    pairs = [
        (of_entity[holder], hit)
        for hit in of_entity.values()
        for holder in (f"{hit.path}::{name}" for name in holders(hit.symbol or ""))
        if holder in of_entity and is_type(of_entity[holder])
    ]
    text = texts({row.artifact for pair in pairs for row in pair}) if pairs else {}
    inner = [
        (holder, hit)
        for holder, hit in pairs
        if (text[hit.artifact] in text.get(holder.artifact, "") if hit.artifact in text else not may_be_open(holder))
    ]
    for holder, hit in inner:
        out.covered.setdefault(holder.entity, []).append(hit)
    covered = {hit.entity for _, hit in inner}
    return [(at, [hit for hit in hits if hit.entity not in covered]) for at, hits in by_mention]


def _symbols(
    mention: NameMention,
    index: _Index,
    named: Collection[str],
    is_type: Callable[[Tracked], bool],
    out: Selection,
) -> list[Tracked]:
    """The symbols that a name means: in the file written with it or beside it, else in the files the prompt names, else
    all."""
    hits = list(index.of_name.get(mention.name, {}).values())
    if mention.type_only:
        hits = [row for row in hits if is_type(row)]
    if mention.path is not None:
        path = _tracked_path(normalise_path(mention.path, index.root), index, out, mention.path)
        return _exact([row for row in hits if row.path == path], mention.name)
    return _chosen(mention, hits, index, named, out)


def _chosen(
    mention: NameMention,
    hits: list[Tracked],
    index: _Index,
    named: Collection[str],
    out: Selection,
) -> list[Tracked]:
    """Of the symbols that a name may mean those beside it, else those in the files that the prompt names, else all, if
    they are few."""
    here = [row for row in hits if row.path in named]
    hits = _exact([row for row in here if index.beside.stands(mention.name, row.path)] or here or hits, mention.name)
    places = {(row.path, (row.symbol or "").partition("#")[0]) for row in hits}
    if len(places) > SEVERAL_MAX or (mention.name in index.crowded and hits and not here):
        out.ambiguous.append((mention.name, sorted(row.entity for row in hits)))
        return []
    if len(places) > 1 and mention.name not in (name for name, _ in out.several):
        out.several.append((mention.name, sorted(row.entity for row in hits)))
    return sorted(hits, key=lambda row: row.entity)


def _otherwise(
    one: NameMention,
    mention: NameMention,
    index: _Index,
    named: Collection[str],
    is_type: Callable[[Tracked], bool],
    out: Selection,
) -> list[Tracked]:
    """What a dotted name that nothing has means by one of its readings: "Add Cart.remove(price)" means Cart, which is
    shown where its file is not; `cart.total` what cart.py has of that name, and `c.total()` a method `total`."""
    path, words = _path(mention, index.root), mention.name.split(".")
    rows = [row for row in index.of_name.get(one.name, {}).values() if path is None or row.path == path]
    if one.name != ".".join(words[-one.name.count(".") - 1 :]):  # the type that is to have it
        rows = [row for row in rows if is_type(row)]
        paths = {row.path for row in rows}
        return _exact(rows, one.name) if len(paths) == 1 and paths.isdisjoint(named) else []
    if "." not in one.name:
        before = {word.lower() for word in words[:-1]}
        of_module = [row for row in rows if posixpath.basename(row.path).partition(".")[0].lower() in before]
        rows = of_module or [row for row in rows if _may_be_called(one, words[-2], row)]
        rows = rows if len({row.path for row in rows}) <= SEVERAL_MAX or one.is_identifier else []
    rows = [row for row in rows if is_type(row)] if one.type_only else rows
    return _chosen(one, rows, index, named, out)


def _may_be_called(one: NameMention, on: str, row: Tracked) -> bool:
    """Whether a symbol may be what a name means that is written behind another one: a type; or called or in backticks,
    and by its look a name, or a member on a variable."""
    on_variable = not on[:1].isupper() and "." in (row.symbol or "")
    return one.type_only or (one.marked and (one.is_identifier or on_variable))


def _exact(hits: list[Tracked], name: str) -> list[Tracked]:
    """Those of that very name, where there are any: `area`, and no `Box.area`."""
    return [row for row in hits if name in _written(row.symbol or "")] or hits
