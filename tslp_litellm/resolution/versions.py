"""Several versions of one entity in one answer: nobody knows which is meant, so none counts (SEMANTICS 2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from tslp_litellm.dialects.paths import fits
from tslp_litellm.dialects.values import Carrier, Evidence, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.common import Context, completed, is_whole, labelled_pieces, snippet_outline
from tslp_litellm.resolution.files import language_of, outline_of
from tslp_litellm.resolution.fragments import pieces_of
from tslp_litellm.resolution.quotes import stands_in
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import Confidence, Origin
from tslp_litellm.syntax.languages import language_named

_FILE = ""
"""The name under which a file's whole text is compared."""


def without_versions(unit: UnitOfWork, evidence: Sequence[Evidence], context: Context) -> list[Evidence]:
    """The evidence without texts of which there are several versions; those are PROPOSED. One and the same text is
    one version. What a client takes out of the text it takes as it does: there this is no question."""
    if context.forms is not None:
        return list(evidence)
    texts = [(piece, _parts(unit, piece, context)) for piece in evidence]
    versions: dict[tuple[str, str], set[str]] = defaultdict(set)
    for _, parts in texts:
        for key, text in parts.items():
            versions[key].add(text)
    for key, text in _unlabelled(unit, evidence, versions):
        versions[key].add(text)
    kept: list[Evidence] = []
    for piece, parts in texts:
        several = sorted(name or path for path, name in parts if len(versions[path, name]) > 1)
        if several and isinstance(piece, Shown):
            _propose(unit, piece, several, context)
        else:
            kept.append(piece)
    return kept


def _parts(unit: UnitOfWork, piece: Evidence, context: Context) -> dict[tuple[str, str], str]:
    """What a text shows of its file: each complete definition, and the whole where it is that. By path and name."""
    path = normalise_path(piece.path, context.root) if isinstance(piece, Shown) else None
    if path is None or not isinstance(piece, Shown) or piece.carrier is not Carrier.FENCE:
        return {}
    state = unit.file(path)
    base = outline_of(state)
    seen = outline(language_of(state), completed(piece, state))
    parts = {name: text for p in labelled_pieces(pieces_of(seen, base), piece) for name, text in p.parts().items()}
    if not piece.symbol and (not state.tracked or not seen.symbols or is_whole(seen, state, base)):
        parts[_FILE] = seen.text.decode()
    return {(path, name): text.strip() for name, text in parts.items()}


def _unlabelled(
    unit: UnitOfWork, evidence: Sequence[Evidence], versions: Mapping[tuple[str, str], set[str]]
) -> list[tuple[tuple[str, str], str]]:
    """The definitions in code without a path that have the name of one that is shown with a path, and another text:
    what was shown first may have been withdrawn. What stands in our text, or in that which is shown, is a quotation."""
    found: list[tuple[tuple[str, str], str]] = []
    for snippet in (piece for piece in evidence if isinstance(piece, Snippet)) if versions else ():
        for piece in pieces_of(snippet_outline(snippet), None):
            for (path, name), texts in list(versions.items()):
                ours = unit.file(path).text() or ""
                if not (
                    fits(path, language_named(snippet.language) if snippet.language else None)
                    and _may_be(piece.name, name)
                ) or any(stands_in(text, piece.text) for text in (ours, *texts)):
                    continue
                found.append(((path, name), piece.text.strip()))
    return found


def _may_be(written: str, name: str) -> bool:
    """Whether a definition shown by itself may be that of a name: a method is shown without its type, too."""
    return written == name or name.endswith("." + written) or written.endswith("." + name)


def _propose(unit: UnitOfWork, piece: Shown, several: list[str], context: Context) -> None:
    path = normalise_path(piece.path, context.root)
    refusal = gates.Refusal("several-versions", (("of", several[:20]), ("needed", "one version")))
    unit.propose(
        path,
        piece.text,
        Confidence.CONFIRMED,
        refusal.reason,
        refusal=refusal,
        origin=Origin.MODEL,
        carrier=piece.carrier,
    )
