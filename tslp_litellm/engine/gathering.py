"""A unit with all that some evidence may touch."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from tslp_litellm.dialects.paths import paths_in
from tslp_litellm.dialects.values import (
    Applied,
    Attempt,
    Carrier,
    Drift,
    Edit,
    Evidence,
    Excerpt,
    Outcome,
    Removal,
    Report,
    Shown,
    Snippet,
    Told,
    Transfer,
)
from tslp_litellm.placing.bodies import EXTENSIONS
from tslp_litellm.placing.readings import code_languages, names_in, unlabelled
from tslp_litellm.resolution.common import paths_of
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.operations import drift_paths, drifted, fitting, holding, holds_root, scripts_run
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.other_names import inner_names, is_outside, other_names, outer_ends
from tslp_litellm.state.spelling import Root
from tslp_litellm.state.values import FileState, Tracked
from tslp_litellm.store.lookup import leaf_of
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.words.letters import without_first

OPENING_SEQ = 1


def is_opening(head: tuple[int, str] | None) -> bool:
    """Whether a Ledger holds its first event only: that the workspace was opened, which says nothing of its files."""
    return head is not None and head[0] == OPENING_SEQ


def root_in(store: WorkspaceReader, context: Context) -> Root:
    """The working directory, with how the paths of this snapshot are written where case makes no difference."""
    return Root(context.root, lambda: store.paths(None))


def located(store: WorkspaceReader, context: Context) -> Context:
    """What judging needs to know of the turn, in this snapshot."""
    return replace(context, root=root_in(store, context))


def unit_for(
    store: WorkspaceReader,
    pieces: Iterable[Evidence | Applied | Outcome | Attempt | Report | Told],
    context: Context,
    limits: Limits,
    more: Iterable[str] = (),
) -> UnitOfWork:
    """Files by the paths that the pieces name (and some more), and where the symbols of their snippets are tracked."""
    paths: set[str] = set(more)
    named: set[str] = set()
    folders: set[str] = set()
    names: set[str] = set()
    leaves: set[str] = set()
    labels: set[str] = set()
    edited: set[str] = set()
    anywhere = False
    possible = functools.cache(lambda: code_languages(context.play.files() | store.paths(None)))
    for piece in pieces:
        if isinstance(piece, Applied):
            paths |= _applied_to(piece, context.root)
            continue
        for change in _parts(piece):
            if (code := unlabelled(change)) is not None:
                _add(names_in(code, possible), names, leaves)
                paths |= context.play.files()
                said = (normalise_path(word, context.root) for word in paths_in(code.above))
                labels |= {path for path in said if path is not None}
            if isinstance(change, Snippet):
                continue
            touched = {
                p for raw in paths_of(change) if (p := normalise_path(raw.rstrip("/"), context.root)) is not None
            }
            named |= touched
            if isinstance(change, Edit):
                edited |= touched if isinstance(piece, Outcome) else set()
                paths |= context.play.files() if not change.path else set()
            if isinstance(change, (Shown, Excerpt)) and change.carrier is Carrier.FENCE:
                labels |= touched | {part for path in touched for part in without_first(path)}
                names.add(change.path)
            if isinstance(change, (Drift, Removal, Transfer)):
                folders |= touched
            if isinstance(change, Removal):
                anywhere = anywhere or holds_root(change.path, context)
            if isinstance(change, Drift):
                anywhere = anywhere or drift_paths(change, context) is None
                paths |= _fitting(store, change, context)
    paths |= named
    if anywhere or folders:
        paths |= store.paths(None if anywhere else folders)
    holders = store.holders(names) if names else {}
    members = _members(store, leaves)
    buried = _by_leaf(store.buried(leaves=names | leaves)) if store.has_removed else {}
    paths |= _possible(holders, members, context) | _beside_headers(store, names) | _paths_of(buried)
    others = _other_names(store, named | set(more), folders, context.root)
    files = store.files(paths | labels | {other for found in others.values() for other in found})
    unknown = [path for path in labels if path not in files]
    files |= store.files(store.with_tails(unknown) | (context.play.files() - files.keys())) if unknown else {}
    return UnitOfWork(
        files, holders, members, buried, limits, waiting=_waiting(store, edited), others=others, trust=context.trust
    )


def _other_names(
    store: WorkspaceReader, paths: Collection[str], folders: Collection[str], root: str | None
) -> dict[str, frozenset[str]]:
    """For each of some paths the tracked files that it may be another name of; for a folder, those in it."""
    inner = {path: list(inner_names(path, root)) for path in paths}
    exact = {name for path, names in inner.items() for name in (*names, *outer_ends(path))}
    known = {row.path for row in store.tracked(exact)} if exact else set()
    known |= {path for path in store.with_tails({path.lstrip("/") for path in paths}) if is_outside(path)}
    found = {path: other_names(path, root, known) for path in paths}
    for folder in folders:
        if inner.get(folder) and not found[folder]:
            every = store.paths(None)
            below = ({path for path in every if path.startswith(f"{name}/")} for name in inner[folder])
            found[folder] = next(filter(None, below), set())
    return {path: frozenset(names) for path, names in found.items() if names}


POSSIBLE_MAX = 40
"""So many files that define its names are held against code without a label; of more, those in play."""


def _add(found: tuple[set[str], set[str]], names: set[str], leaves: set[str]) -> None:
    names |= found[0]
    leaves |= found[1]


def _members(store: WorkspaceReader, leaves: set[str]) -> dict[str, frozenset[str]]:
    """The tracked members of some last parts of a name, as full names."""
    found = _by_leaf(row for row in (store.named(leaves)[0] if leaves else ()) if "." in (row.symbol or ""))
    return {leaf: entities for leaf, entities in found.items() if leaf in leaves}


def _by_leaf(rows: Iterable[Tracked]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in rows:
        if row.symbol is not None:
            found.setdefault(leaf_of(row.symbol), set()).add(row.entity)
    return {leaf: frozenset(entities) for leaf, entities in found.items()}


def _paths_of(found: Mapping[str, frozenset[str]]) -> set[str]:
    return {Entity.parse(entity).path for entities in found.values() for entity in entities}


def _possible(
    holders: Mapping[str, frozenset[str]], members: Mapping[str, frozenset[str]], context: Context
) -> set[str]:
    """The files that code without a label may be of, as far as it is asked for."""
    paths = {path for found in holders.values() for path in found} | _paths_of(members)
    return paths if len(paths) <= POSSIBLE_MAX else paths & context.play.files()


def _beside_headers(store: WorkspaceReader, names: Iterable[str]) -> set[str]:
    """The files of C and C++ named as those are that have the types of some definitions: `queue.cpp` for
    `Queue::size`, where queue.h has the type."""
    types = {name.rpartition(".")[0] for name in names} - {""}
    paths = {path for found in store.holders(types).values() for path in found} if types else set()
    stems = {path.rpartition("/")[2].rpartition(".")[0] for path in paths if path.endswith(EXTENSIONS)}
    return store.with_tails({stem + ending for stem in stems for ending in EXTENSIONS}) if stems else set()


def _waiting(store: WorkspaceReader, paths: set[str]) -> dict[str, str]:
    """The refused texts of files that a client may have edited instead of ours."""
    artifacts = store.waiting(paths) if paths else {}
    texts = store.texts(artifacts.values()) if artifacts else {}
    return {path: texts[artifact] for path, artifact in artifacts.items() if artifact in texts}


def unread(
    store: WorkspaceReader,
    paths: Iterable[str] | None,
    limits: Limits,
    *,
    reason: str,
    trust: Trust = Trust.PROOF,
) -> UnitOfWork:
    """Some files (None: all there are) of unknown text, because of words that could not be read."""
    known = sorted(paths) if paths is not None else None
    unit = UnitOfWork(store.files(store.paths(known) | set(known or ())), limits=limits, trust=trust)
    drifted(unit, known, reason, {})
    return unit


def named_paths(
    pieces: Iterable[Evidence | Applied | Outcome | Attempt | Report | Told], root: str | None
) -> frozenset[str] | None:
    """The files that pieces of evidence are about by proven paths; None where one may be about any file."""
    found: set[str] = set()
    for piece in pieces:
        if isinstance(piece, Applied):
            found |= _applied_to(piece, root)
            continue
        parts = _parts(piece)
        named = [() if isinstance(change, Snippet) or _is_wide(change) else paths_of(change) for change in parts]
        if not all(named) or isinstance(piece, (Report, Told)):
            return None
        found |= {p for raw in itertools.chain(*named) if (p := normalise_path(raw.rstrip("/"), root)) is not None}
    return frozenset(found)


def _is_wide(change: Evidence) -> bool:
    """Whether a change may concern files that it does not name."""
    if isinstance(change, Edit):
        return not change.path
    return isinstance(change, Drift) and bool(change.like or change.scripts or change.holding)


def _fitting(store: WorkspaceReader, drift: Drift, context: Context) -> set[str]:
    """The tracked files that a drift's patterns, or the text of a script that ran, may mean."""
    found = {*holding(drift, store.files(store.paths(None)))} if drift.holding else set()
    if not drift.like and not drift.scripts:
        return found
    texts: dict[str, FileState] = {}

    def state_of(path: str) -> FileState | None:
        texts.update(store.files({path}))
        return texts.get(path)

    scripts_run(drift, context, state_of)
    known = store.paths(None) if drift.like or texts else set()
    return {*found, *texts, *fitting(known, drift, context, texts)}


def _applied_to(applied: Applied, root: str | None) -> set[str]:
    """The files that a client may have applied an answer to."""
    named = {*applied.doubtful, *(block.path for block in applied.blocks), *(applied.chat.files or ())}
    return {path for raw in named if (path := normalise_path(raw, root)) is not None}


def _parts(piece: Evidence | Outcome | Attempt | Report | Told) -> Sequence[Evidence]:
    match piece:
        case Outcome():
            return (*piece.attempt.changes, *piece.stated)
        case Attempt():
            return piece.changes
        case Report() | Told():
            return ()
        case _:
            return (piece,)
