"""A conversation that is joined late, or comes back compacted: its unknown history is read in its own order, outcomes
included, and brings only files whose chain is unbroken to its end (SEMANTICS 2, Unknown history). Of a file that is
tracked it brings doubt, where it says of it what was never true here."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set

from tslp_litellm.clients.frames import is_gap
from tslp_litellm.clients.makers import attempt
from tslp_litellm.conversation.history import digest
from tslp_litellm.dialects.values import (
    Drift,
    Edit,
    EditStep,
    Evidence,
    Excerpt,
    FileChange,
    Outcome,
    Replacement,
    Report,
    Shown,
    Snippet,
)
from tslp_litellm.engine.crossing import rounds_of
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.resolution.at_once import Round, judge_result
from tslp_litellm.resolution.by_client import judge_outcome
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.resolution.common import Context, paths_of
from tslp_litellm.resolution.files import adopt, dirty
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.operations import drift_paths, drifted
from tslp_litellm.resolution.trust import HISTORY
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Op
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.spelling import fold
from tslp_litellm.state.values import FileState, Grant, Origin, artifact_hash
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.turn import ItemKind, Role

Told = Evidence | Outcome | Report


def brought(
    talk: Talk,
    history: Sequence[int],
    known: Collection[int],
    readings: ReadingCache,
    evidence: Callable[[int], Sequence[Told]],
    context: Context,
    limits: Limits,
) -> Mapping[str, FileState]:
    """The files that a history leaves with a known text, by path.

    `history`: the items that it is made of, in order; `known`: those of them that were heard before, here or in another
    conversation: they break chains, but a file that they say anything of is left to what is known of it;
    `evidence`: what one of the user's side tells.
    """
    unit, heard = UnitOfWork(limits=limits, rehearsal=True, trust=context.trust), set[str]()
    at_once = rounds_of(talk)
    answered = {call.call_id for call in talk.calls if call is not None}
    for n in history:
        item = talk.items[n]
        if item.kind is ItemKind.TEXT and is_gap(item.text):
            drifted(unit, None, "unread-turn", {})
        if item.kind is ItemKind.CALL:
            attempted = attempt(item) if item.call_id not in answered else None
            _doubt(unit, attempted.changes if attempted is not None else (), context)
        elif item.role is Role.ASSISTANT:
            said = [
                p
                for p in readings.shown(talk, n)
                if not isinstance(p, (Snippet, Excerpt)) and context.applies(p.carrier)
            ]
            _doubt(unit, said, context)
        else:
            pieces = evidence(n)
            heard |= {path for piece in pieces for path in _paths(piece, context)} if n in known else set()
            for piece in pieces:
                _judge(unit, piece, context, Origin.USER if item.role is Role.USER else Origin.TOOL, at_once.get(n))
    return {path: state for path, state in unit.files.items() if state.text() is not None and path not in heard}


def _judge(unit: UnitOfWork, piece: Told, context: Context, origin: Origin, among: Round | None = None) -> None:
    if isinstance(piece, Report):
        drifted(unit, None, "unread-turn", {})
    elif among is not None:
        judge_result(unit, piece, among, context)
    elif isinstance(piece, Outcome):
        judge_outcome(unit, piece, context)
    else:
        judge_user(unit, [piece], context, origin)


def _doubt(unit: UnitOfWork, changes: Sequence[FileChange], context: Context) -> None:
    """What the model said it would change, and nobody knows whether it did."""
    for change in changes:
        if isinstance(change, Drift):
            drifted(unit, drift_paths(change, context), "unread-turn", {})
        else:
            drifted(unit, _paths(change, context), "unread-turn", {})


def _paths(piece: Told, context: Context) -> list[str]:
    changes = piece.attempt.changes if isinstance(piece, Outcome) else (piece,)
    raw = [p for change in changes if not isinstance(change, (Snippet, Report)) for p in paths_of(change)]
    return [path for one in raw if (path := normalise_path(one.rstrip("/"), context.root)) is not None]


def adopted(unit: UnitOfWork, found: Mapping[str, FileState]) -> None:
    """What a history brings, where nothing else is known: it beats no known truth."""
    for path, state in found.items():
        text = state.text()
        if text is not None and state.file is not None and not unit.file(path).tracked:
            change = adopt(unit.file(path), text, state.file.source, Grant.WRITE_HEAD)
            unit.change(change, origin=Origin.USER, carrier=HISTORY, grant=Grant.WRITE_HEAD)


def unheard(store: WorkspaceReader, talk: Talk, old: Iterable[tuple[int, Sequence[Told]]]) -> list[Told]:
    """What the items of unknown age tell that were never heard in any form: a client may rewrite the result of a call
    that was heard. `old`: their indexes, with what each is evidence of."""
    found: list[Told] = []
    for n, pieces in old:
        call = talk.calls[n]
        if call is None or not store.was_said(digest(call)):
            found += [piece for piece in pieces if not isinstance(piece, Report)]
    return found


def contradicted(unit: UnitOfWork, told: Sequence[Told], store: WorkspaceReader, context: Context) -> None:
    """Make DIRTY the tracked files of which a history of unknown age says what was never true here.

    It may be older than all that is known of them, or newer; a text that was once the truth is an old one. Nothing is
    made true by it, so whatever it says counts here, in whatever trust.
    """
    scratch = UnitOfWork(dict(unit.files), unit.holders, unit.limits, rehearsal=True)
    tracked = {_name(path) for path, state in unit.files.items() if state.tracked}
    for piece in told:
        if _concerns(tracked, piece, context) and not _stands(scratch, piece, context):
            _judge(scratch, piece, context, Origin.USER)
    changed = [p for p, s in unit.files.items() if s.tracked and scratch.file(p) != s]
    entries = store.entries_about(changed) if changed else {}
    for path in changed:
        moves = [move for entry in entries[path] for move in entry.moves() if move.op is Op.PROMOTE]
        if not _was_true(unit.file(path), scratch.file(path), {(m.entity, m.artifact) for m in moves}):
            unit.change(dirty(unit.file(path), "unheard-turns"), origin=Origin.USER, carrier=HISTORY)


def _concerns(tracked: Set[str], piece: Told, context: Context) -> bool:
    """Whether a piece may be about a file of one of these names: one that only shows or edits others is not."""
    changes = piece.attempt.changes if isinstance(piece, Outcome) else (piece,)
    if not all(isinstance(change, (Shown, Edit)) for change in changes):
        return True
    return any(_name(path) in tracked for path in _paths(piece, context))


def _name(path: str) -> str:
    return fold(posixpath.basename(path))


def _stands(unit: UnitOfWork, piece: Told, context: Context) -> bool:
    """Whether a piece is the outcome of edits whose new sides stand in our texts, and their old ones don't."""
    if not isinstance(piece, Outcome) or not piece.attempt.changes:
        return False
    for change in piece.attempt.changes:
        path = normalise_path(change.path, context.root) if isinstance(change, Edit) else None
        text = unit.file(path).text() if path is not None else None
        steps = change.steps if isinstance(change, Edit) else ()
        if text is None or not steps or not all(_is_made(text, step) for step in steps):
            return False
    return True


def _is_made(text: str, step: EditStep) -> bool:
    if not isinstance(step, Replacement) or not step.new or not step.old:
        return False
    return step.new in text and step.old not in text.replace(step.new, "\0")


def _was_true(now: FileState, said: FileState, once: Set[tuple[str | None, str | None]]) -> bool:
    """Whether all that a history says otherwise of a file was its truth once: the file's text, or that of the
    definitions that differ."""
    if said.file is None or not said.file.clean:
        return False
    if (said.entity(), said.file.artifact) in once:
        return True
    others = [(said.entity(name), k.artifact) for name, k in said.symbols.items() if now.symbols.get(name) != k]
    return bool(others) and now.symbols.keys() <= said.symbols.keys() and once >= set(others)


def news(store: WorkspaceReader, pieces: Sequence[Told], root: str | None) -> list[Told]:
    """What of a listing, which comes with every request, is not the known truth already."""
    shown = {n: normalise_path(piece.path, root) for n, piece in enumerate(pieces) if isinstance(piece, Shown)}
    rows = store.tracked({path for path in shown.values() if path is not None})
    known = {row.path: row.artifact for row in rows if row.symbol is None and row.clean}
    return [
        piece
        for n, piece in enumerate(pieces)
        if not isinstance(piece, Shown) or known.get(shown[n] or "") != artifact_hash(piece.text)
    ]
