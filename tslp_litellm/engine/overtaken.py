"""Reads that were called before a change and whose results come after it: a client that carries calls out side by side
(a read, and a sub-agent that edits) gives all results at once."""

from __future__ import annotations

from collections.abc import Sequence

from tslp_litellm.dialects.values import Carrier, Shown
from tslp_litellm.engine.talk import Piece, Talk
from tslp_litellm.state.events import Entry, Op
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import Grant, artifact_hash
from tslp_litellm.store.reading import WorkspaceReader


def without_older_reads(
    store: WorkspaceReader, talk: Talk, n: int, pieces: Sequence[Piece], root: str | None
) -> list[Piece]:
    """What a result is evidence of, but for the file's text before a change that a client has confirmed since its call
    was made."""
    since = talk.since.get(n)
    return [p for p in pieces if since is None or not isinstance(p, Shown) or not _is_older(store, p, root, since)]


def _is_older(store: WorkspaceReader, shown: Shown, root: str | None, since: int) -> bool:
    path = normalise_path(shown.path, root)
    if path is None or not shown.whole or shown.carrier is not Carrier.READ:
        return False
    texts = {artifact_hash(shown.text), *(() if shown.ended else (artifact_hash(f"{shown.text}\n"),))}
    return any(not texts.isdisjoint(_replaced(entry, path)) for entry in store.entries_about([path], since)[path])


def _replaced(entry: Entry, path: str) -> set[str | None]:
    """The texts of a file that an event replaced, where a client confirmed it."""
    if entry.content().get("grant") != Grant.CLIENT:
        return set()
    return {move.replaces for move in entry.moves() if move.op is Op.PROMOTE and move.entity == path}
