"""Several versions of one entity in one answer: none counts, and what is there is unknown (SEMANTICS 2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from tslp_litellm.dialects.values import Carrier, Evidence, Shown
from tslp_litellm.parser import outline
from tslp_litellm.placing.nested import functions
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.common import completed, is_whole, pieces_shown
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import dirty, language_of, outline_of, with_holders
from tslp_litellm.resolution.fragments import pieces_of
from tslp_litellm.resolution.one_fence import names_shown_twice
from tslp_litellm.resolution.quotes import stands_in
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.values import Confidence, Origin
from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.words.sentences import merely_asks

_FILE = ""
"""The name under which a file's whole text is compared."""


def without_versions(unit: UnitOfWork, evidence: Sequence[Evidence], context: Context) -> list[Evidence]:
    """The evidence without texts of which there are several versions; those are PROPOSED. One and the same text is
    one version, and one that holds all lines of those before it is the next step. What a client takes out of the text
    it takes as it does: there this is no question."""
    if context.forms is not None:
        return list(evidence)
    texts = [(piece, _inner(unit, piece) or changed_parts(unit, piece, context)) for piece in evidence]
    versions: dict[tuple[str, str], list[str]] = defaultdict(list)
    for _, parts in texts:
        for key, text in parts.items():
            if not versions[key] or not _goes_on_from(versions[key][-1], text):
                versions[key].append(text)
            else:
                versions[key][-1] = text
    kept: list[Evidence] = []
    for piece, parts in texts:
        several = names_shown_twice(unit, piece)
        several = several or sorted(name or path for path, name in parts if len(versions[path, name]) > 1)
        if several and isinstance(piece, Shown):
            _propose(unit, piece, several, [name for _, name in changed_parts(unit, piece, context)], context)
        elif parts or not _is_quotation(unit, piece):
            kept.append(piece)
        elif isinstance(piece, Shown):
            _doubt_quoted(unit, piece, context)
    return kept


def _goes_on_from(before: str, text: str) -> bool:
    """Whether a text holds all lines of one before it, in their order."""
    lines = iter(text.split("\n"))
    return all(line in lines for line in before.split("\n") if line.strip())


def _doubt_quoted(unit: UnitOfWork, piece: Shown, context: Context) -> None:
    """What the prompt asks by name to remove, and the answer shows as it is (`Just delete this function:`), has most
    likely gone."""
    state, intent = unit.file(piece.path), context.about(piece.path).intent
    quoted = [symbol.name for symbol in outline(language_of(state), piece.text).symbols if symbol.parent is None]
    if quoted and all(map(intent.asks_to_remove, quoted)) and not merely_asks(intent.prompt, *quoted):
        about: dict[str, Any] = {"origin": Origin.MODEL, "carrier": piece.carrier}
        unit.change(dirty(state, "asked-to-go", with_holders(state, quoted)), **about)


def _inner(unit: UnitOfWork, piece: Evidence) -> dict[tuple[str, str], str]:
    """The functions that a text shows which stand inside others: two of them are no versions of what holds both."""
    if not isinstance(piece, Shown) or (language := language_of(unit.file(piece.path))) is None:
        return {}
    return {(piece.path, name): text.strip() for name, text in functions(language, piece.inner).items()}


def changed_parts(unit: UnitOfWork, piece: Evidence, context: Context) -> dict[tuple[str, str], str]:
    """What a text shows of its file otherwise than it is: each complete definition, and the whole (`""`) where it is
    that. By path and name."""
    if not isinstance(piece, Shown) or piece.carrier is not Carrier.FENCE:
        return {}
    state = unit.file(piece.path)
    base = outline_of(state)
    seen = outline(language_of(state), completed(piece, state))
    gaps = placeholders(seen, base)
    shown = pieces_shown(pieces_of(seen, base), seen, piece)
    pieces = [one for one in shown if not any(one.symbol.start <= gap < one.symbol.end for gap in gaps)]
    parts = {name: text for p in pieces for name, text in p.parts().items()}
    intent = context.about(state.path).intent
    if not (seen.symbols or state.symbols) or is_whole(piece, seen, state, intent, Origin.MODEL):
        parts[_FILE] = seen.text.decode()
    ours = {s.name: base.slice(s) for s in base.symbols} if base is not None else {}
    ours[_FILE] = state.text() or ""
    return {(state.path, n): text.strip() for n, text in parts.items() if text.strip() != ours.get(n, "").strip()}


def _is_quotation(unit: UnitOfWork, piece: Evidence) -> bool:
    """Whether a text shows nothing but what our text holds."""
    text = unit.file(piece.path).text() if isinstance(piece, Shown) and piece.carrier is Carrier.FENCE else None
    return text is not None and isinstance(piece, Shown) and piece.text != text and stands_in(text, piece.text)


def _propose(unit: UnitOfWork, piece: Shown, several: list[str], changed: list[str], context: Context) -> None:
    """Propose a text; where more than a question was asked, one of the versions is most likely on the user's disk: what
    it changes besides is there as well (a caller, the same in each version), and what it was asked to lose by name is
    gone in each."""
    refusal = gates.Refusal("several-versions", (("of", several[:20]), ("needed", "one version")))
    unit.propose(
        piece.path,
        piece.text,
        Confidence.CONFIRMED,
        refusal.reason,
        refusal=refusal,
        origin=Origin.MODEL,
        carrier=piece.carrier,
    )
    state = unit.file(piece.path)
    if state.tracked and not merely_asks(context.intent.prompt, *several):
        about: dict[str, Any] = {"origin": Origin.MODEL, "carrier": piece.carrier}
        unit.change(dirty(state, refusal.reason, with_holders(state, changed)), **about)
        intent = context.about(state.path).intent
        gone = [name for name in state.symbols if name not in changed and intent.asks_to_lose(name)]
        unit.change(dirty(unit.file(state.path), "asked-to-go", with_holders(state, gone)), **about)
