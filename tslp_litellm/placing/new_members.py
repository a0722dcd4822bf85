"""Members that are new to a type, shown without it: which one they are of (SEMANTICS 2, Which file)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from tslp_litellm.dialects.values import Ground, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.bodies import with_bodies
from tslp_litellm.placing.members import as_members, members_in
from tslp_litellm.placing.named_instead import NAME_PARTS, types_in, types_of
from tslp_litellm.placing.new_files import NO_FUNCTIONS, leaves_in, paths_named
from tslp_litellm.placing.readings import languages_of
from tslp_litellm.placing.structure import SELF, is_of, member_of, placed_in
from tslp_litellm.placing.values import Asked, Known, Play
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.languages import Language, Nature, language_of_path
from tslp_litellm.syntax.outline import Kind, Outline
from tslp_litellm.words.sentences import PART_MIN, holds, mentions_word

MARGIN_TELLS = frozenset({"kotlin", "swift", "scala", "dart", "ruby", "php"})
"""Languages with functions outside of types, too, in which few of those are indented."""


def new_member(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """New members of the one type that the sentence above or the prompt mentions, or the code names, or that alone is
    in play, where they may be what is asked for."""
    types = [e for e in map(Entity.parse, sorted(asked.play.entities)) if e.symbol and _has_members(e, known)]
    in_file = [e for path in sorted(asked.play.paths) for e in _only_type(known.file(path), asked)] if not types else []
    said = types_in(snippet.above, asked, known)
    types, words = said if len(said) == 1 else types or in_file, f"{asked.prose}\n\n{snippet.above}"
    for language in languages_of(snippet, known.languages):
        seen = outline(language, snippet.text)
        top = [s for s in seen.symbols if s.parent is None]
        outside, leaves = [s.base for s in top], members_in(language, snippet.text)
        alone = _are_members(language, seen, types)
        ours = types or (_types_in_play(language, snippet.headed, asked, known) if leaves and alone else [])
        holder = _type_of(outside, ours, language, asked, known)
        if holder is None or not is_of(holder.path, language):
            continue
        if any(s.kind is Kind.TYPE for s in top):
            return None
        if outside and all(name.rpartition(".")[0] == holder.symbol for name in outside):  # Go, Rust, Swift, C++
            wanted = _may_be_wanted([name.rpartition(".")[2] for name in outside], words, snippet, asked, known)
            path = with_bodies(holder.path, outside, "", map(known.file, sorted(known.loaded())))
            return placed_in(snippet, path, language, Ground.PLACE) if wanted and path is not None else None
        in_words = leaves and (alone or holds(words, "method"))
        if in_words and _may_be_wanted(leaves, words, snippet, asked, known):
            shown = member_of(snippet, language, holder, known)
            return replace(shown, by=Ground.PLACE) if shown is not None else None
    return None


def new_under_label(shown: Shown, path: str, asked: Asked, known: Known) -> Shown | None:
    """New members of a type under the label of their file: of the one that the sentence above or the prompt names, else
    of the only one in it, or that has functions."""
    language, state = language_of_path(path), known.file(path)
    if language is None or language.nature is not Nature.CODE or state.file is None or shown.symbol:
        return None
    seen, members = outline(language, shown.text), as_members(language, shown.text)
    named = [one for one in map(Entity.parse, asked.play.entities) if one.path == path and _has_members(one, known)]
    types = types_in(shown.above, replace(asked, play=Play(frozenset({path}))), known) or named
    new = any(one.kind is Kind.FUNCTION for one in members) and all(s.kind is not Kind.TYPE for s in seen.symbols)
    holder = _of_functions(state, types)
    if holder is None or not new or not _are_members(language, seen, types):
        return None
    if any(f"{holder.symbol}.{one.leaf}" in state.symbols for one in members):
        return None
    found = member_of(Snippet(shown.text, language.name, shown.above), language, holder, known)
    return replace(shown, path=path, text=found.text, container=found.container) if found is not None else None


def _of_functions(state: FileState, named: Sequence[Entity]) -> Entity | None:
    """The one type that is named; else the only one of a file, or the only one with functions."""
    types = [Entity(state.path, symbol.name) for symbol in types_of(state)]
    holding = {name.rpartition(".")[0] for name in state.symbols}
    found = named or (types if len(types) == 1 else [one for one in types if one.symbol in holding])
    return found[0] if len(found) == 1 else None


def _are_members(language: Language, seen: Outline, named: Collection[Entity]) -> bool:
    """Whether functions shown alone can only be members, or most likely are: they take the one that they are called on,
    or, where members don't, are indented, or the words name a type that the code does not."""
    top, text = [symbol for symbol in seen.symbols if symbol.parent is None], seen.text.decode()
    if not top or language.name in NO_FUNCTIONS or SELF.search(text) is not None:
        return True
    spoken_of = bool(named) and not any(mentions_word(text, one.leaf or "") for one in named)
    indented = all(seen.slice(symbol)[:1].isspace() for symbol in top)
    return language.name in MARGIN_TELLS and (indented or spoken_of)


def _may_be_wanted(leaves: Collection[str], words: str, snippet: Snippet, asked: Asked, known: Known) -> bool:
    """Whether members may be what is asked for: the words name them all; or the prompt, or a sentence above that names
    their type, speaks of a method or of something to add, or the prompt of what their names do ("delete keys" of
    `handleDelete`), and it names nothing that nobody has and the code does not hold."""
    if all(mentions_word(words, leaf) for leaf in leaves):
        return True
    new = (name for name in leaves_in(asked.prose) if not (known.holding(name) or known.members(name)))
    asks = asked.by_model and all(mentions_word(snippet.text, one) for one in new)
    spoken = words if types_in(snippet.above, asked, known) else asked.prose
    adds = holds(spoken, "adds") or holds(spoken, "method")
    return asks and (adds or all(_is_spoken_of(leaf, asked.prose) for leaf in leaves))


def _is_spoken_of(name: str, prose: str) -> bool:
    """Whether a word of some prose begins with a part of a name."""
    parts = (part for part in NAME_PARTS.findall(name) if len(part) >= PART_MIN)
    return any(re.search(rf"(?<!\w){part}", prose, re.I) for part in parts)


def _types_in_play(language: Language, headed: str, asked: Asked, known: Known) -> list[Entity]:
    """All types of the files of a language that a model's prompt names, or else that are in play; of the one that the
    heading above names, if that is one of them."""
    paths = sorted(path for path in asked.play.named() or asked.play.files() if is_of(path, language))
    paths = [path for path in paths if headed and f"/{path}".endswith(f"/{headed}")] or paths
    return [Entity(path, s.name) for path in paths for s in types_of(known.file(path))] if asked.by_model else []


def _type_of(
    outside: Iterable[str], types: Collection[Entity], language: Language, asked: Asked, known: Known
) -> Entity | None:
    """The one type that is mentioned; else the one in play that all of some definitions name: `Queue::size`."""
    named = {name.rpartition(".")[0] for name in outside}
    if len(types) == 1 and named <= {"", *(one.symbol for one in types)}:
        return next(iter(types))
    if len(named) != 1 or "" in named:
        return None
    (name,) = named
    held = (Entity(path, name) for path in sorted(asked.play.files()) if is_of(path, language))
    found = [one for one in dict.fromkeys((*types, *held)) if one.symbol == name and _has_members(one, known)]
    return found[0] if len(found) == 1 else None


def _only_type(state: FileState, asked: Asked) -> list[Entity]:
    """The one type in a file of a language in which every function is a member; of others, in the one that is pasted or
    mentioned."""
    language = language_of_path(state.path)
    if state.file is None or language is None:
        return []
    if language.name not in NO_FUNCTIONS and alone_in_play(language, asked) != state.path:
        return []
    found = types_of(state)
    return [Entity(state.path, found[0].name)] if len(found) == 1 else []


def _has_members(entity: Entity, known: Known) -> bool:
    """Whether a definition is a type: it has members, or is said to be one."""
    state = known.file(entity.path)
    seen = outline(language_of_path(state.path), state.file.text) if state.file is not None else None
    symbol = seen.by_name.get(entity.symbol or "") if seen is not None else None
    return symbol is not None and symbol.kind is Kind.TYPE


def alone_in_play(language: Language, asked: Asked) -> str:
    """The one file of a language that is pasted or mentioned with its path, where the prompt names no other one, and
    asks for none; empty where there is none."""
    paths = [path for path in asked.play.paths if is_of(path, language)] if asked.by_model else []
    if len(paths) != 1 or holds(asked.prose, "elsewhere"):
        return ""
    named = (one for one in paths_named(asked.prose, asked.root) if is_of(one, language))
    return paths[0] if all(f"/{paths[0]}".endswith(f"/{one}") for one in named) else ""
