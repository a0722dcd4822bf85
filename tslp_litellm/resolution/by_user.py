"""The user's word: what the user shows, or a tool has read, is the truth at once (§6, §9.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tslp_litellm.evidence.values import Edit, Evidence, Excerpt, FileChange, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.common import (
    Context,
    completed,
    file_of,
    is_whole,
    judge_snippet,
    labelled_pieces,
    new_preamble,
    source_of,
    stranger,
)
from tslp_litellm.resolution.files import adopt, dirty, insert, language_of, outline_of
from tslp_litellm.resolution.operations import About, done, reported
from tslp_litellm.resolution.quotes import contradicts, doubtful, stands_in
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import Confidence, Grant, Origin
from tslp_litellm.syntax.left_out import placeholders


def judge_user(
    unit: UnitOfWork,
    evidence: Iterable[Evidence],
    context: Context,
    origin: Origin = Origin.USER,
) -> None:
    """What the user, or a tool's read, shows."""
    for piece in evidence:
        if isinstance(piece, Snippet):
            judge_snippet(unit, piece, origin)
        elif isinstance(piece, Shown):
            _shown_by_user(unit, piece, context, origin)
        elif isinstance(piece, Excerpt):
            _excerpt(unit, piece, context, {"origin": origin, "carrier": piece.carrier})
        else:
            _done_by_client(unit, piece, context, {"origin": origin, "carrier": piece.carrier})


def _done_by_client(unit: UnitOfWork, change: FileChange, context: Context, about: About) -> None:
    """What a client's message says it did to a file."""
    path = normalise_path(change.path, context.root) if isinstance(change, Edit) else None
    if not isinstance(change, Edit):
        done(unit, change, context, about)
    elif path is not None:
        reported(unit, unit.file(path), change, about)


def _excerpt(unit: UnitOfWork, excerpt: Excerpt, context: Context, about: About) -> None:
    """Lines that a read shows: where ours are others, the file's text is not known any more."""
    path = normalise_path(excerpt.path, context.root)
    state = unit.file(path) if path is not None else None
    text = state.text() if state is not None and state.tracked else None
    if state is not None and text is not None and contradicts(excerpt, text):
        unit.change(dirty(state, "read-differs"), **about)


def _shown_by_user(unit: UnitOfWork, shown: Shown, context: Context, origin: Origin) -> None:
    if shown.named and context.root:
        shown = replace(shown, path=shown.named)
    state = file_of(unit, shown, context, origin)
    if state is None:
        return
    text = completed(shown, state)
    about: dict[str, Any] = {"origin": origin, "carrier": shown.carrier, "grant": Grant.WRITE_HEAD}
    seen, base = outline(language_of(state), text), outline_of(state)
    if shown.doubted:
        if base is not None and not stands_in(base.text.decode(), text):
            unit.change(dirty(state, "unplaced-change"), **about)
        return
    if shown.raw and base is not None and doubtful(seen, base):
        unit.change(dirty(state, "read-in-doubt"), **about)
        return
    if shown.said and base is not None and gates.given_way(seen, base, context.about(state.path).intent):
        return  # a stub that a sentence shows replaces nothing
    whole = not shown.symbol and (not state.tracked or is_whole(seen, state, base))
    if shown.whole or (whole and not placeholders(seen, base)):
        unit.change(adopt(state, text, source_of(state, seen), Grant.WRITE_HEAD), **about)
        return
    if base is not None and stands_in(base.text.decode(), text):
        return
    pieces = labelled_pieces(gates.pieces_of(seen, base), shown)
    torn = any(stranger(piece.name, state) is not None for piece in pieces)
    changed = insert(state, pieces, Grant.WRITE_HEAD) if pieces and not torn else None
    if changed is None:
        if state.tracked:
            unit.change(dirty(state, "unplaced-change"), **about)
        unit.propose(
            state.entity(), text, Confidence.INFERRED, "unplaced-fragment", origin=origin, carrier=shown.carrier
        )
    else:
        unit.change(changed, **about)
        new_preamble(unit, state.path, seen, base, about)
