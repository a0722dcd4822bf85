"""Code of the model's that goes somewhere inside a definition: what that is by now is not known (SEMANTICS 2)."""

from __future__ import annotations

from typing import NamedTuple

from tslp_litellm.dialects.values import Carrier, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.inside import used_inside
from tslp_litellm.placing.rules import only_asks
from tslp_litellm.placing.structure import is_of
from tslp_litellm.placing.values import Unplaced
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import dirty, outline_of
from tslp_litellm.resolution.quotes import stands_in
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.values import Confidence, FileState, Known, Origin
from tslp_litellm.syntax.languages import Language, language_named


class Inside(NamedTuple):
    """A definition that code goes into, and its text before the answer."""

    path: str
    holder: str
    known: Known


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
    path, holder, _ = found[0]
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
    return (
        None
        if only_asks(context.intent.prompt, state.path.rpartition("/")[2], holder)
        else Inside(state.path, holder, known)
    )


def doubt_holder(unit: UnitOfWork, inside: Inside) -> None:
    """What the answer did not show itself is of unknown text."""
    state = unit.file(inside.path)
    if state.symbols.get(inside.holder) == inside.known:
        unit.change(dirty(state, "unplaced-inside", [inside.holder]), origin=Origin.MODEL, carrier=Carrier.FENCE)
