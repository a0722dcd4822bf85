"""A unit with all that some evidence may touch."""

from __future__ import annotations

import itertools
import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tslp_litellm.dialects.values import (
    Applied,
    Attempt,
    Carrier,
    Drift,
    Edit,
    Evidence,
    Excerpt,
    FileChange,
    Outcome,
    Removal,
    Report,
    Shown,
    Snippet,
    Transfer,
)
from tslp_litellm.resolution.common import Context, paths_of, snippet_outline
from tslp_litellm.resolution.formatters import left_by
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.in_words import brought_names
from tslp_litellm.resolution.operations import (
    drift_paths,
    drifted,
    fitting,
    scripts_run,
    shown_paths,
    takes_root,
    touched_by,
)
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.shell.targets import Like
from tslp_litellm.state.names import is_absolute, normalise_path
from tslp_litellm.state.spelling import Root
from tslp_litellm.state.twins import twins
from tslp_litellm.state.values import FileState
from tslp_litellm.store.reading import WorkspaceReader

OPENING_SEQ = 1
RUNS_BACK = 5_000
"""So many events back a formatter's last run is looked for."""


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
    pieces: Iterable[Evidence | Applied | Outcome | Attempt | Report],
    context: Context,
    limits: Limits,
    more: Iterable[str] = (),
) -> UnitOfWork:
    """Files by the paths that the pieces name (and some more), and where the symbols of their snippets are tracked."""
    pieces, found = tuple(pieces), _Found(set(more))
    written = _written(pieces, context)
    for piece in pieces:
        if isinstance(piece, Applied):
            found.paths |= _applied_to(piece, context.root)
            continue
        for change in _parts(piece):
            if isinstance(change, Snippet):
                names = {symbol.name for symbol in snippet_outline(change).symbols}
                found.names |= names
                found.told |= names if change.told else set()
            else:
                found.add(change, isinstance(piece, Outcome), context)
            if isinstance(change, Excerpt) and any(isinstance(target, Like) for target in change.beside):
                found.paths |= set(shown_paths(store.paths(None), change, context))
            if isinstance(change, Drift):
                found.anywhere = found.anywhere or _runs(change, written, context)
                found.paths |= _fitting(store, change, context)
    if found.anywhere or found.folders:
        found.paths |= store.paths(None if found.anywhere else found.folders)
    found.paths |= _twins(store, pieces, context) | _shown_twins(store, pieces, context)
    files = store.files(found.paths)
    unknown = [path for path in found.labels if path not in files]
    files |= store.files(store.with_tails(unknown)) if unknown else {}
    holders = store.holders(found.names | found.told) if found.names or found.told else {}
    files |= store.files({path for name in found.told for path in holders.get(name, ())} - files.keys())
    return UnitOfWork(
        files,
        holders,
        limits,
        waiting=_waiting(store, found.edited),
        trust=context.trust,
        formatted=_formatted(store, pieces),
    )


@dataclass(slots=True)
class _Found:
    """What pieces of evidence name: files, folders, symbols of snippets, those that the user says have changed, files
    by labels that may be short, and those that a client edited. `anywhere`: it may be all there are."""

    paths: set[str]
    folders: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)
    anywhere: bool = False

    def add(self, change: FileChange | Excerpt, confirmed: bool, context: Context) -> None:
        """What a change names, or an excerpt. `confirmed`: it is of an outcome."""
        touched = {p for raw in paths_of(change) if (p := normalise_path(raw.rstrip("/"), context.root)) is not None}
        self.paths |= touched
        if isinstance(change, Edit) and confirmed:
            self.edited |= touched
        if isinstance(change, Shown) and change.carrier is Carrier.FENCE:
            self.labels |= touched
            self.names.add(change.path)
        if isinstance(change, Excerpt):
            self.labels |= touched if change.loose or change.typed else set()
            return
        if isinstance(change, (Drift, Removal, Transfer)):
            self.folders |= touched
        if isinstance(change, Drift):
            self.told |= {*change.symbols, *brought_names(change)}
        all_there_are = isinstance(change, Drift) and drift_paths(change, context) is None
        self.anywhere = self.anywhere or all_there_are or takes_root(change, context)


def _twins(
    store: WorkspaceReader, pieces: Iterable[Evidence | Applied | Outcome | Attempt | Report], context: Context
) -> set[str]:
    """The tracked files that may be, under another name, what clients or users say was changed, or may have been.

    They have the same name at the end; only where something changed that is not tracked itself all have to be asked.
    """
    made = {
        path
        for piece in pieces
        if not isinstance(piece, (Applied, Attempt))
        for change in _parts(piece)
        if isinstance(change, (Edit, Drift, Removal, Transfer))
        or (isinstance(change, Shown) and isinstance(piece, Outcome))
        for path in touched_by(change, context)
    }
    if not made:
        return set()
    known = store.with_tails({posixpath.basename(path) for path in made})
    return twins(made, context.root, known if made <= known else store.paths(None))


def _shown_twins(
    store: WorkspaceReader, pieces: Iterable[Evidence | Applied | Outcome | Attempt | Report], context: Context
) -> set[str]:
    """The tracked files that may be, under another name, what is shown from outside the working directory."""
    pieces = tuple(pieces)
    shown = {
        path for piece in pieces if isinstance(piece, Shown) for path in touched_by(piece, context) if is_absolute(path)
    }
    typed = (piece.path for piece in pieces if isinstance(piece, Excerpt) and piece.typed)
    shown |= {p for raw in typed if (p := normalise_path(raw, context.root)) and (is_absolute(p) or p[0] == "~")}
    return (
        twins(shown, context.root, store.with_tails({posixpath.basename(path) for path in shown})) if shown else set()
    )


def _formatted(
    store: WorkspaceReader, pieces: Iterable[Evidence | Applied | Outcome | Attempt | Report]
) -> dict[str, dict[str, str]]:
    """What earlier runs of the formatters that ran left, as far back as the Ledger is read for it."""
    outcomes = (piece for piece in pieces if isinstance(piece, Outcome))
    ran = {change.formatter for one in outcomes for change in one.attempt.changes if isinstance(change, Drift)} - {""}
    entries = list(store.recent(RUNS_BACK))[::-1] if ran else []
    return {formatter: left_by(entries, formatter) for formatter in ran}


def _waiting(store: WorkspaceReader, paths: set[str]) -> dict[str, tuple[str, ...]]:
    """The refused texts of files that a client may have edited instead of ours."""
    artifacts = store.waiting(paths) if paths else {}
    texts = store.texts({one for some in artifacts.values() for one in some}) if artifacts else {}
    return {path: tuple(texts[one] for one in some if one in texts) for path, some in artifacts.items()}


def unread(store: WorkspaceReader, paths: Iterable[str] | None, limits: Limits, *, reason: str) -> UnitOfWork:
    """Some files (None: all there are) of unknown text, because of words that could not be read."""
    known = sorted(paths) if paths is not None else None
    unit = UnitOfWork(store.files(store.paths(known) | set(known or ())), limits=limits)
    drifted(unit, known, reason, {})
    return unit


def named_paths(
    pieces: Iterable[Evidence | Applied | Outcome | Attempt | Report], root: str | None
) -> frozenset[str] | None:
    """The files that pieces of evidence are about by proven paths; None where one may be about any file."""
    found: set[str] = set()
    for piece in pieces:
        if isinstance(piece, Applied):
            found |= _applied_to(piece, root)
            continue
        parts = _parts(piece)
        named = [() if isinstance(change, Snippet) or _is_wide(change) else paths_of(change) for change in parts]
        if not all(named) or isinstance(piece, Report):
            return None
        found |= {p for raw in itertools.chain(*named) if (p := normalise_path(raw.rstrip("/"), root)) is not None}
    return frozenset(found)


def _is_wide(change: Evidence) -> bool:
    """Whether a change may concern files that it does not name."""
    if isinstance(change, Excerpt):
        return any(isinstance(target, Like) for target in change.beside)
    return isinstance(change, Drift) and bool(change.like or change.scripts)


def _fitting(store: WorkspaceReader, drift: Drift, context: Context) -> set[str]:
    """The tracked files that a drift's patterns, or the text of a script that ran, may mean."""
    if not drift.like and not drift.scripts:
        return set()
    texts: dict[str, FileState] = {}

    def state_of(path: str) -> FileState | None:
        texts.update(store.files({path}))
        return texts.get(path)

    scripts_run(drift, context, state_of)
    known = store.paths(None) if drift.like or texts else set()
    return {*texts, *fitting(known, drift, context, texts)}


def _written(pieces: Iterable[Evidence | Applied | Outcome | Attempt | Report], context: Context) -> set[str | None]:
    """The files that these pieces themselves give another text."""
    changes = (change for piece in pieces if not isinstance(piece, Applied) for change in _parts(piece))
    changed = (change for change in changes if isinstance(change, (Shown, Edit, Transfer)))
    return {normalise_path(raw, context.root) for change in changed for raw in paths_of(change)}


def _runs(drift: Drift, written: set[str | None], context: Context) -> bool:
    """Whether a script ran whose text is not the tracked one: what it names is not known before that is written."""
    return any(normalise_path(script, context.root) in written for script in drift.scripts)


def _applied_to(applied: Applied, root: str | None) -> set[str]:
    """The files that a client may have applied an answer to."""
    named = {*applied.doubtful, *(block.path for block in applied.blocks), *(applied.chat.files or ())}
    return {path for raw in named if (path := normalise_path(raw, root)) is not None}


def _parts(piece: Evidence | Outcome | Attempt | Report) -> Sequence[Evidence]:
    match piece:
        case Outcome():
            return (*piece.attempt.changes, *piece.stated)
        case Attempt():
            return piece.changes
        case Report():
            return ()
        case _:
            return (piece,)
