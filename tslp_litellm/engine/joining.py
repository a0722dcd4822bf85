"""A conversation that is joined late, or comes back compacted: its unknown history is read in its own order, outcomes
included, and brings only files whose chain is unbroken to its end (SEMANTICS 2, Unknown history)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tslp_litellm.clients.frames import is_gap
from tslp_litellm.clients.makers import attempt
from tslp_litellm.dialects.values import Carrier, Drift, Excerpt, FileChange, Outcome, Report, Shown, Snippet, Told
from tslp_litellm.engine.talk import Piece, ReadingCache, Talk
from tslp_litellm.placing.readings import code_languages, names_in, unlabelled
from tslp_litellm.resolution.by_client import judge_outcome
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.resolution.common import paths_of
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import adopt
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.operations import drift_paths, drifted
from tslp_litellm.resolution.trust import HISTORY
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import FileState, Grant, Origin, artifact_hash
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.turn import ItemKind, Role


def brought(
    talk: Talk, history: Sequence[int], known: Collection[int], readings: ReadingCache, context: Context, limits: Limits
) -> Mapping[str, FileState]:
    """The files that a history leaves with a known text, by path.

    `history`: the items that it is made of, in order; `known`: those of them that were heard before, here or in another
    conversation: they break chains, but a file that they say anything of is left to what is known of it.
    """
    unit, heard = UnitOfWork(limits=limits, trust=context.trust), set[str]()
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
            for code in filter(None, map(unlabelled, readings.shown(talk, n))):
                if context.applies(Carrier.FENCE):
                    drifted(unit, _defining(unit, code), "unread-turn", {})
        else:
            pieces = readings.evidence(talk, n)
            heard |= {path for piece in pieces for path in _paths(piece, context)} if n in known else set()
            for piece in pieces:
                _judge(unit, piece, context, Origin.USER if item.role is Role.USER else Origin.TOOL)
    return {path: state for path, state in unit.files.items() if state.text() is not None and path not in heard}


def _judge(unit: UnitOfWork, piece: Piece, context: Context, origin: Origin) -> None:
    if isinstance(piece, (Report, Told)):
        drifted(unit, None, "unread-turn", {})
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


def _defining(unit: UnitOfWork, snippet: Snippet) -> list[str]:
    """The files that define what code without a label does."""
    top, leaves = names_in(snippet, lambda: code_languages(unit.files))
    found = {path for name in top for path in unit.holding(name)}
    return [*found, *{Entity.parse(entity).path for leaf in leaves for entity in unit.members_named(leaf)} - found]


def _paths(piece: Piece, context: Context) -> list[str]:
    changes = piece.attempt.changes if isinstance(piece, Outcome) else (piece,)
    raw = [p for change in changes if not isinstance(change, (Snippet, Report, Told)) for p in paths_of(change)]
    return [path for one in raw if (path := normalise_path(one.rstrip("/"), context.root)) is not None]


def adopted(unit: UnitOfWork, found: Mapping[str, FileState]) -> None:
    """What a history brings, where nothing else is known: it beats no known truth."""
    for path, state in found.items():
        text = state.text()
        if text is not None and state.file is not None and not unit.file(path).tracked:
            change = adopt(unit.file(path), text, state.file.source, Grant.WRITE_HEAD)
            unit.change(change, origin=Origin.USER, carrier=HISTORY, grant=Grant.WRITE_HEAD)


def news(store: WorkspaceReader, pieces: Sequence[Piece], root: str | None) -> list[Piece]:
    """What of a listing, which comes with every request, is not the known truth already."""
    shown = {n: normalise_path(piece.path, root) for n, piece in enumerate(pieces) if isinstance(piece, Shown)}
    rows = store.tracked({path for path in shown.values() if path is not None})
    known = {row.path: row.artifact for row in rows if row.symbol is None and row.clean}
    return [
        piece
        for n, piece in enumerate(pieces)
        if not isinstance(piece, Shown) or known.get(shown[n] or "") != artifact_hash(piece.text)
    ]
