"""Code of the model's that goes somewhere inside a definition: what that is by now is not known (SEMANTICS 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tslp_litellm.dialects.values import Carrier, Evidence, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.inside import used_inside
from tslp_litellm.placing.members import within
from tslp_litellm.placing.rules import only_asks
from tslp_litellm.placing.structure import is_of
from tslp_litellm.placing.values import Unplaced
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import dirty, language_of, outline_of
from tslp_litellm.resolution.quotes import stands_in
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.values import Confidence, FileState, Origin
from tslp_litellm.syntax.languages import Language, language_named
from tslp_litellm.syntax.outline import Kind
from tslp_litellm.words.sentences import mentions_word

_RUN_IN_TYPES = frozenset({"python", "ruby"})
"""Any statement may stand in a type, so also those of a usage example."""
_ANNOTATED = re.compile(r"\s*(?:\w+\s*:(?!:)|#)")


class Inside(NamedTuple):
    """A definition that code goes into."""

    path: str
    holder: str


def goes_inside(
    unit: UnitOfWork, piece: Shown | Snippet, code: Shown | Unplaced | None, context: Context
) -> Inside | None:
    """The one definition that code goes into, of the file it was placed in, else of those in play."""
    if (
        not piece.language
        or not context.applies(Carrier.FENCE)
        or context.chat is not None
        or not unit.trust.takes_model
    ):
        return None
    if isinstance(code, Shown) and code.inner:
        return None
    language = language_named(piece.language)
    paths = [code.path] if isinstance(code, Shown) else sorted(context.play.files())
    found = [one for path in paths if (one := _in_file(unit.file(path), language, piece.text, context)) is not None]
    if len(found) != 1:
        return None
    path, holder = found[0]
    unit.propose(
        unit.file(path).entity(holder),
        piece.text,
        Confidence.INFERRED,
        "unplaced-fragment",
        origin=Origin.MODEL,
        carrier=Carrier.FENCE,
    )
    return found[0]


def _in_file(state: FileState, language: Language, text: str, context: Context) -> Inside | None:
    base = outline_of(state)
    if base is None or not is_of(state.path, language) or stands_in(base.text.decode(), text):
        return None
    if any(symbol.name in base.by_name for symbol in outline(language, text).symbols):
        return None
    holder = used_inside(language, text, base)
    known = state.symbols.get(holder) if holder is not None else None
    if holder is None or known is None or not known.clean:
        return None
    asks = only_asks(context.intent.prompt, state.path.rpartition("/")[2], holder)
    return None if asks else Inside(state.path, holder)


def beside_members(unit: UnitOfWork, found: Sequence[Evidence], codes: Iterable[Snippet]) -> list[Inside]:
    """The types that lines without a definition go into, fields say: a member of theirs that the same answer shows
    alone uses a word which these bring."""
    members = [piece for piece in found if isinstance(piece, Shown) and piece.container]
    return [
        Inside(piece.path, piece.container)
        for code in codes
        for piece in members
        if piece.container in unit.file(piece.path).symbols and _are_fields_for(unit.file(piece.path), code, piece)
    ]


def _are_fields_for(state: FileState, code: Snippet, member: Shown) -> bool:
    language, text = language_of(state), state.text() or ""
    made = within(language, code.text, member.container) if language is not None else None
    seen = outline(language, made) if made is not None else None
    if seen is None or not seen.sound or any(symbol.kind is Kind.FUNCTION for symbol in seen.symbols):
        return False
    if seen.language in _RUN_IN_TYPES and not all(map(_ANNOTATED.match, filter(str.strip, code.text.split("\n")))):
        return False
    named = {symbol.leaf for symbol in outline(language, member.text).symbols}
    words = set(re.findall(r"\w+", code.text)) - named
    return any(word not in text and mentions_word(member.text, word) for word in words)


def doubt_holder(unit: UnitOfWork, inside: Inside, found: Iterable[Evidence]) -> None:
    """What the answer did not show itself is of unknown text, though some member or function in it may be known."""
    state = unit.file(inside.path)
    here = [piece for piece in found if isinstance(piece, Shown) and piece.path == inside.path]
    bare = [piece for piece in here if not piece.container and not piece.inner]
    if not any(inside.holder in outline(language_of(state), piece.text).by_name for piece in bare):
        unit.change(dirty(state, "unplaced-inside", [inside.holder]), origin=Origin.MODEL, carrier=Carrier.FENCE)
