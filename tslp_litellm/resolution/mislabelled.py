"""Changed code below a path that nobody knows, most likely meant for a file in play (SEMANTICS 2, Which file)."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from tslp_litellm.dialects.paths import is_of_tests
from tslp_litellm.dialects.values import Carrier, Evidence, Ground, Shown
from tslp_litellm.parser import outline
from tslp_litellm.placing.new_files import paths_named, paths_put
from tslp_litellm.placing.rules import only_asks
from tslp_litellm.placing.usage import PROGRAM
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import dirty, language_of, with_holders
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.resolution.versions import changed_parts
from tslp_litellm.state.values import Origin
from tslp_litellm.words.sentences import holds, sentences


def doubt_mislabelled(unit: UnitOfWork, found: Sequence[Evidence], context: Context) -> None:
    """What an answer shows otherwise than it is, below a path that nobody has named, while all that stands there is of
    the one file in play that the prompt is about. Small models make labels up (`main.py`, `updated_store.py`)."""
    made = {one.path for one, _ in unit.candidates if not one.tracked and unit.file(one.path).tracked}
    shown = {piece.path for piece in found if isinstance(piece, Shown)}
    for piece in found:
        if not isinstance(piece, Shown) or piece.path not in made or piece.by is not Ground.LABEL:
            continue
        symbols = outline(language_of(unit.file(piece.path)), piece.text).symbols
        names = {symbol.name for symbol in symbols if symbol.parent is None}
        path = "" if _is_wanted(unit, piece.path, made, context) else _meant(unit, piece.path, names, shown, context)
        state = unit.file(path)
        if path and not _asks_otherwise(path, names, context):
            changed = [name for _, name in changed_parts(unit, replace(piece, path=path), context)]
            if names := with_holders(state, changed) & state.symbols.keys():
                unit.change(dirty(state, "unknown-label", names), origin=Origin.MODEL, carrier=Carrier.FENCE)


def _is_wanted(unit: UnitOfWork, path: str, made: AbstractSet[str], context: Context) -> bool:
    """Whether the prompt names a new file that a label may be, or the label is one of tests."""
    named = paths_named(context.intent.prompt, context.root)
    new = [one for one in named if one in made or not (unit.file(one).tracked or unit.longer(one))]
    return is_of_tests(path) or any(f"/{path}".endswith(f"/{one}") or one.endswith(f"/{path}") for one in new)


def _meant(unit: UnitOfWork, label: str, names: AbstractSet[str], shown: AbstractSet[str], context: Context) -> str:
    """The one file in play that has all of some definitions, and that the answer does not show; empty where there is
    none. Any program has a `main`."""
    language = language_of(unit.file(label))
    states = [unit.file(path) for path in context.play.files() - shown]
    possible = {one.path: names for one in states if language == language_of(one) and names <= one.symbols.keys()}
    meant = context.play.among(possible) if names and names != {PROGRAM} else []
    return meant[0] if len(meant) == 1 else ""


def _asks_otherwise(path: str, names: AbstractSet[str], context: Context) -> bool:
    """Whether a prompt merely asks about a file, or asks for something new beside it."""
    prompt = context.intent.prompt
    if holds(prompt, "elsewhere") or only_asks(prompt, path.rpartition("/")[2], *names):
        return True
    makes = (one for one in sentences(prompt) if holds(one, "makes"))
    return not all(any(f"/{path}".endswith(f"/{put}") for put in paths_put(one, context.root)) for one in makes)
