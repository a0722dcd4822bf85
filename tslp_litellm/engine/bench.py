"""A bench with all that some evidence may touch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tslp_litellm.evidence.model import Attempt, Drift, Evidence, Outcome, Removal, Snippet
from tslp_litellm.resolution.bench import Bench
from tslp_litellm.resolution.common import Context
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.state.names import normalise_path
from tslp_litellm.store.reading import Reading
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.outline import outline


def bench_for(
    store: Reading, pieces: Iterable[Evidence | Outcome | Attempt], context: Context, limits: Limits
) -> Bench:
    """Files by the paths that the pieces name, and where the symbols of their snippets are tracked."""
    paths: set[str] = set()
    names: set[str] = set()
    for piece in pieces:
        for change in _parts(piece):
            if isinstance(change, Snippet):
                language = language_named(change.language) if change.language else None
                names |= {symbol.name for symbol in outline(language, change.text).symbols}
            else:
                paths |= {path for raw in _paths(change) if (path := normalise_path(raw, context.root)) is not None}
    return Bench(store.files(paths), store.holders(names) if names else {}, limits)


def _parts(piece: Evidence | Outcome | Attempt) -> Sequence[Evidence]:
    match piece:
        case Outcome():
            return (*piece.attempt.changes, *piece.stated)
        case Attempt():
            return piece.changes
        case _:
            return (piece,)


def _paths(change: Evidence) -> tuple[str, ...]:
    match change:
        case Drift(paths=paths):
            return paths
        case Removal(path=path, to=to):
            return (path, to) if to is not None else (path,)
        case Snippet():
            return ()
        case _:
            return (change.path,)
