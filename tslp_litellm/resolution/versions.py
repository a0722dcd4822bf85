"""Several versions of one entity in one answer: nobody knows which is meant, so none counts (SEMANTICS 2)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from tslp_litellm.dialects.paths import fits
from tslp_litellm.dialects.values import Carrier, Edit, Evidence, Shown, Snippet, Standing
from tslp_litellm.parser import outline
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.common import Context, completed, is_whole, labelled_pieces, proposal_text, snippet_outline
from tslp_litellm.resolution.edits import applied, stands
from tslp_litellm.resolution.files import language_of, outline_of
from tslp_litellm.resolution.fragments import pieces_of
from tslp_litellm.resolution.quotes import stands_in
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import Confidence, Origin, Source
from tslp_litellm.syntax.languages import language_named, language_of_path

Part = tuple[str, str]
"""A file's path and the name of a definition in it."""
_FILE = ""
"""The name under which a file's whole text is compared."""


def without_versions(
    unit: UnitOfWork, evidence: Sequence[Evidence], context: Context, beside: Sequence[Evidence] = ()
) -> list[Evidence]:
    """The evidence without texts of which there are several versions; those are PROPOSED. One and the same text is
    one version. `beside`: what the same answer would do by its tool calls, which their results decide upon."""
    paths = _paths(unit, (*evidence, *beside), context)
    texts = [(piece, _parts(unit, piece, paths)) for piece in evidence]
    made = _made(unit, evidence, beside, paths, [parts for _, parts in texts])
    texts = [(piece, parts or made.get(id(piece), {})) for piece, parts in texts]
    versions: dict[Part, set[str]] = defaultdict(set)
    for parts in (*(parts for _, parts in texts), *made.values()):
        for key, text in parts.items():
            versions[key].add(text)
    for key, text in _unlabelled(unit, evidence, versions):
        versions[key].add(text)
    kept: list[Evidence] = []
    for piece, parts in texts:
        several = sorted(name or path for path, name in parts if len(versions[path, name]) > 1)
        if several and isinstance(piece, Shown | Edit):
            _propose(unit, piece, several, paths[piece.path], whole=(paths[piece.path], _FILE) in parts)
        else:
            kept.append(piece)
    return kept


def _paths(unit: UnitOfWork, evidence: Sequence[Evidence], context: Context) -> dict[str, str]:
    """By the path as it is written, the file's own: an unknown one that is the tail of exactly one other is that, and
    one whose tail a tracked file is that the evidence names, too, may be that file from another folder."""
    named = [p for p in evidence if isinstance(p, Shown | Edit)]
    written = {p.path: path for p in named if (path := normalise_path(p.path, context.root)) is not None}
    found: dict[str, str] = {}
    for raw, path in written.items():
        longer = set() if unit.file(path).tracked else {*unit.longer(path)}
        if not longer and not unit.file(path).tracked:
            tails = {other: whole for other, whole in written.items() if whole.endswith("/" + path)}
            longer = {whole for other, whole in tails.items() if _names(named, raw) & _names(named, other)}
        found[raw] = longer.pop() if len(longer) == 1 else path
    tracked = {path for path in found.values() if unit.file(path).tracked}
    for raw, path in found.items():
        shorter = [other for other in tracked if path not in tracked and path.endswith("/" + other)]
        found[raw] = max(shorter, key=len, default=path)
    return found


def _names(named: Iterable[Shown | Edit], path: str) -> set[str]:
    """What the texts under one written path define: two new files whose names end alike may be one."""
    texts = (p.text for p in named if isinstance(p, Shown) and p.path == path)
    return {symbol.name for text in texts for symbol in outline(language_of_path(path), text).symbols}


def _made(
    unit: UnitOfWork,
    evidence: Sequence[Evidence],
    beside: Sequence[Evidence],
    paths: Mapping[str, str],
    shown: Sequence[Mapping[Part, str]],
) -> dict[int, dict[Part, str]]:
    """What edits and calls make of files of which the answer has another text, too; by the piece's identity.

    Edits of one file that apply in order are one version; so is each that is called an alternative.
    """
    groups: defaultdict[tuple[str, int], list[Shown | Edit]] = defaultdict(list)
    for n, piece in enumerate((*evidence, *beside)):
        if isinstance(piece, Edit | Shown) and piece.path in paths and not _is_fence(piece):
            is_apart = isinstance(piece, Shown) or piece.standing is Standing.ALTERNATIVE
            groups[paths[piece.path], n + 2 if is_apart else int(n >= len(evidence))].append(piece)
    texts = Counter({path for parts in shown for path, _ in parts}) + Counter(path for path, _ in groups)
    out: dict[int, dict[Part, str]] = {}
    for (path, _), pieces in groups.items():
        if texts[path] > 1:
            keys = {key for parts in shown for key in parts if key[0] == path} or {(path, _FILE)}
            wholes = [parts[path, _FILE] + "\n" for parts in shown if (path, _FILE) in parts]
            out.update({id(piece): _version(unit, path, pieces, keys, wholes) for piece in pieces})
    return out


def _is_fence(piece: Shown | Edit) -> bool:
    return isinstance(piece, Shown) and piece.carrier is Carrier.FENCE


def _version(
    unit: UnitOfWork, path: str, pieces: Sequence[Shown | Edit], keys: Collection[Part], wholes: Sequence[str]
) -> dict[Part, str]:
    """The definitions of a file that edits or a call change, with their new text; where there are none, all of it.

    Edits that do not fit the file, but one of the whole texts that the answer shows, go on from that; one that fits
    neither is another version of all that is shown.
    """
    state = unit.file(path)
    text = pieces[0].text if isinstance(pieces[0], Shown) else None
    if text is None:
        steps = [step for piece in pieces if isinstance(piece, Edit) for step in piece.steps]
        before = (state.text() or "") if state.tracked else ""
        text = applied(before, steps)
        goes_on = all(piece.standing is Standing.STATED for piece in pieces)
        if text is None and any(stands(w, steps) or (goes_on and applied(w, steps) is not None) for w in wholes):
            return {}
    if text is None:
        return {key: proposal_text(pieces[0]) for key in keys}
    seen, base = outline(language_of(state), text), outline_of(state)
    ours = {s.name: base.slice(s) for s in base.symbols} if base is not None else {}
    parts = {(path, s.name): seen.slice(s).strip() for s in seen.symbols if seen.slice(s) != ours.get(s.name)}
    return parts or {(path, _FILE): text.strip()}


def _parts(unit: UnitOfWork, piece: Evidence, paths: Mapping[str, str]) -> dict[Part, str]:
    """What a text shows of its file: each complete definition, and the whole where it is that. By path and name."""
    path = paths.get(piece.path) if isinstance(piece, Shown) else None
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
    unit: UnitOfWork, evidence: Sequence[Evidence], versions: Mapping[Part, set[str]]
) -> list[tuple[Part, str]]:
    """The definitions in code without a path that have the name of one that is shown with a path, and another text:
    what was shown first may have been withdrawn. What stands in our text, or in that which is shown, is a quotation."""
    found: list[tuple[Part, str]] = []
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


def _propose(unit: UnitOfWork, piece: Shown | Edit, several: list[str], path: str, whole: bool) -> None:
    """One of several versions. What would be the file's whole text may have got onto the disk all the same."""
    refusal = gates.Refusal("several-versions", (("of", several[:20]), ("needed", "one version")))
    text = applied(unit.file(path).text() or "", piece.steps) if isinstance(piece, Edit) else None
    unit.propose(
        path,
        text if text is not None else proposal_text(piece),
        Confidence.CONFIRMED,
        refusal.reason,
        refusal=refusal,
        source=Source.EDIT if text is not None else Source.FILE if whole else None,
        origin=Origin.MODEL,
        carrier=piece.carrier,
    )
