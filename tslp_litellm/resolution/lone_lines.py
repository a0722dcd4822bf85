"""Lines of the model's that define nothing by themselves: a route, a call, a line of a function. What they go into has
changed, into what is not known (SEMANTICS 2, the three ways)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from tslp_litellm.dialects.paths import imports, paths_in
from tslp_litellm.dialects.values import Carrier, Evidence, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.rules import only_asks
from tslp_litellm.placing.spots import Spot, calls, is_quoted, spot_of
from tslp_litellm.placing.structure import is_of
from tslp_litellm.placing.usage import ends_in_statements
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import dirty, language_of, outline_of, with_holders
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import Confidence, FileState, Origin
from tslp_litellm.syntax.languages import Nature, language_named
from tslp_litellm.syntax.outline import Kind, Outline
from tslp_litellm.words.sentences import mentions_word

PARTS_MAX = 32
"""So many parts of an answer that have no place are held against the files in play."""
REPEATED_MIN = 2
"""So many lines of a definition are shown again where no sentence leads to what goes into it."""
_ABOUT: dict[str, Any] = {"origin": Origin.MODEL, "carrier": Carrier.FENCE}


class Lines(NamedTuple):
    """Lines that are of a file, and the definitions that they are in."""

    path: str
    text: str
    inside: frozenset[str]


def lone_lines(
    unit: UnitOfWork, snippets: Mapping[int, Snippet], found: Iterable[Evidence], context: Context
) -> dict[int, Lines]:
    """Of code without a place the lines that are of a file in play. Those are none that other code takes the place of
    which goes nowhere: lines that are said to stand there, and do not."""
    shown = [piece for piece in found if isinstance(piece, Shown)]
    few = dict(islice(snippets.items(), PARTS_MAX))
    placed = {n: _placed(unit, snippet, shown, context) for n, snippet in few.items()}
    olds = {snippet.before.strip() for n, snippet in few.items() if placed[n] is None}
    return {n: one for n, one in placed.items() if one is not None and one.text.strip() not in olds}


def _placed(unit: UnitOfWork, snippet: Snippet, shown: Sequence[Shown], context: Context) -> Lines | None:
    """The one file in play that lines without a label are of, where a sentence leads to them or they repeat lines of
    what they go into, and the prompt does not merely ask. None of it if the same answer shows that, or what they use,
    whole."""
    if not _applies(unit, context) or _names_new_file(unit, snippet, context):
        return None
    states = [unit.file(path) for path in sorted(context.play.named() or context.play.files())]
    places = [place for state in states if (place := _in_file(state, snippet, shown, context)) is not None]
    places = [one for one in places if mentions_word(snippet.above, one.path.rpartition("/")[2])] or places
    return places[0] if len(places) == 1 else None


def doubt_lines(unit: UnitOfWork, lines: Lines) -> None:
    """What lines go into is of unknown text, if they do not stand there by now."""
    state = unit.file(lines.path)
    base, language = outline_of(state), language_of(state)
    if base is None or language is None or is_quoted(lines.text, language, base):
        return
    (name,) = lines.inside if len(lines.inside) == 1 else (None,)
    unit.propose(state.entity(name), lines.text, Confidence.INFERRED, "unplaced-fragment", **_ABOUT)
    unit.change(dirty(state, "unplaced-lines", with_holders(state, lines.inside)), **_ABOUT)


def doubt_labelled(unit: UnitOfWork, state: FileState, seen: Outline, said: str, context: Context) -> None:
    """A labelled part that defines nothing: its file has changed, if the prompt does not merely ask. What only uses a
    file of nothing but definitions is an example of that."""
    base, language, text = outline_of(state), language_of(state), seen.text.decode()
    if base is None or language is None or not _has_code(state) or not _applies(unit, context):
        return
    if not _defines_nothing(seen, base) or not seen.sound or seen.only_imports or is_quoted(text, language, base):
        return
    spot = spot_of(language, text, said, base, context.play.symbols(state.path))
    if spot is None and calls(text, base) and not ends_in_statements(base):
        return
    if not _only_asks(state, context):
        unit.change(dirty(state, "unplaced-lines", with_holders(state, spot.inside if spot else ())), **_ABOUT)


def _applies(unit: UnitOfWork, context: Context) -> bool:
    return context.applies(Carrier.FENCE) and context.chat is None and unit.trust.takes_model


def _has_code(state: FileState) -> bool:
    """Whether a file is code, and no single-file component: of others a part proves nothing."""
    language = language_of(state)
    return language is not None and language.nature is Nature.CODE and not language.components


def _only_asks(state: FileState, context: Context) -> bool:
    leaves = [name.rpartition(".")[2] for name in context.play.symbols(state.path)]
    return only_asks(context.intent.prompt, state.path.rpartition("/")[2], *leaves)


def _names_new_file(unit: UnitOfWork, snippet: Snippet, context: Context) -> bool:
    """Whether the prompt or the sentence above names a file of the lines' language that is not there yet."""
    named = (normalise_path(word, context.root) for word in paths_in(f"{context.intent.prompt}\n\n{snippet.above}"))
    new = [path for path in named if path is not None and not unit.file(path).tracked and not unit.longer(path)]
    return any(not snippet.language or is_of(path, language_named(snippet.language)) for path in new)


def _in_file(state: FileState, snippet: Snippet, shown: Sequence[Shown], context: Context) -> Lines | None:
    base, language = outline_of(state), language_of(state)
    if base is None or language is None or not _has_code(state):
        return None
    if snippet.language and not is_of(state.path, language_named(snippet.language)):
        return None
    seen = outline(language, snippet.text)
    if not _defines_nothing(seen, base) or is_quoted(snippet.text, language, base):
        return None
    if seen.only_imports and snippet.above.strip():
        asks = _uses(seen, state, base) or _only_asks(state, context)
        return None if asks else Lines(state.path, snippet.text, frozenset())
    named = context.play.symbols(state.path)
    spot = spot_of(language, snippet.text, snippet.above, base, named)
    here = [outline(language, piece.text) for piece in shown if piece.path == state.path]
    if spot is None or _is_explained(snippet.text, spot, here, named, base) or _only_asks(state, context):
        return None
    # what is outside of all definitions is of the file that the prompt names; no example of it, nor beside its change
    repeats = _repeats(snippet.text, [base.slice(base.by_name[one]) for one in spot.inside])
    outside = not spot.inside and bool(spot.like or not here) and state.path in context.play.paths
    if not (snippet.above.strip() or repeats or (outside and not imports(snippet.text, state.path))):
        return None
    return Lines(state.path, snippet.text, spot.inside)


def _repeats(text: str, texts: Iterable[str]) -> bool:
    """Whether lines that stand in a definition are among some others."""
    ours = {line.strip() for one in texts for line in one.split("\n")}
    again = {line.strip() for line in text.split("\n") if line.strip() in ours and re.search(r"\w", line)}
    return len(again) >= REPEATED_MIN


def _defines_nothing(seen: Outline, base: Outline) -> bool:
    """Whether a text is nothing but statements, and constants that the file does not have, or as it has them."""
    there = {symbol.name: base.slice(symbol).strip() for symbol in base.symbols}
    return all(s.kind is Kind.VALUE and there.get(s.name) in (None, seen.slice(s).strip()) for s in seen.symbols)


def _uses(seen: Outline, state: FileState, base: Outline) -> bool:
    """Whether imports are of a file itself, or of what it defines: they go where that is used."""
    text = seen.text.decode()
    return imports(text, state.path) or any(mentions_word(text, symbol.leaf) for symbol in base.top_level())


def _is_explained(text: str, spot: Spot, here: Iterable[Outline], named: Iterable[str], base: Outline) -> bool:
    """Whether lines only speak of what there is. The same answer shows what they go into; they call what it shows, or
    what is spoken of and is not what they go into; or they call, and the line that they are like does not, what they
    go into, or anything of the file where that is no definition."""
    brought = {symbol.name for seen in here for symbol in seen.symbols}
    if brought and (spot.inside & brought or base.by_name.keys() <= brought):
        return True
    called = calls(text, base)
    spoken_of = {name.rpartition(".")[2] for name in {*brought, *named} - spot.inside}
    new = called - calls(spot.like, base)
    own = {name.rpartition(".")[2] for name in spot.inside}
    return bool(called & spoken_of or (new & own if own else new))
