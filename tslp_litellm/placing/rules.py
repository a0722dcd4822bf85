"""The rules behind the label, in their order: structure, sentence, place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from tslp_litellm.dialects.paths import fits, hint_in_line, looks_like_path, paths_in, without_words_before
from tslp_litellm.dialects.values import Carrier, Ground, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.lines import shows_whole
from tslp_litellm.placing.members import indent_of, members_in, within
from tslp_litellm.placing.nested import MARKUP, with_inner
from tslp_litellm.placing.readings import languages_of, readings
from tslp_litellm.placing.usage import PROGRAM
from tslp_litellm.placing.values import Asked, Known, Placed, Unplaced
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.languages import Language, Nature, language_named, language_of_path
from tslp_litellm.syntax.opening import opened
from tslp_litellm.syntax.outline import Kind, Outline
from tslp_litellm.words.sentences import holds, listed, mentions_word, merely_asks, sentences

_PATH = r"[`\"'*]*(?P<path>[\w.@~$+\-/\\\[\]()]+)[`\"'*]*"
_ENDS_AS_LABEL = re.compile(
    rf"(?:^|[\s：]|(?<=[^\x00-\x7f])(?=[`\"'*])){_PATH}"
    rf"(?:(?:\s+{listed('follows')}){{0,2}}|\s*[^\x00-\x7f\s：]{{1,8}})\s*[:：][\s*_`]*\Z",
    re.I,
)
"""A path, a word or two, and a colon; words may be of a script that parts none."""


def place(snippet: Snippet, asked: Asked, known: Known) -> Placed:
    """The file that code without a label belongs to; what it may belong to where that is not proven."""
    several: Unplaced | None = None
    for rule in (_by_new_name, by_structure, by_sentence, by_place):
        found = rule(snippet, asked, known)
        if isinstance(found, Shown):
            if asked.by_model and only_asks(asked.prose, *_spoken_of(found)):
                return Unplaced(snippet.text, snippet.language, (found.path,), _top(found), "only-asked")
            return found
        several = several or found
    return several or Unplaced(snippet.text, snippet.language)


def only_asks(prose: str, base: str, *names: str) -> bool:
    """Whether a prompt merely asks about a file, by its last part, or one of its definitions (SEMANTICS 2).

    Labels are no sentences, nor is one that ends as a label does (`Here is my a.py:`) and names no definition, where
    others stand beside it.
    """
    said = sentences(without_labels(prose))
    others = [one for one in said if not _is_label(one, base, names)]
    return merely_asks("\n\n".join(others or said), base, *names)


def without_labels(prose: str) -> str:
    """A prompt's words without its lines that are only a path: the labels of what it pastes."""
    lines = prose.split("\n")
    return "\n".join(line for line in lines if not ((hint := hint_in_line(line)) is not None and hint.sure))


def _is_label(sentence: str, base: str, names: Iterable[str]) -> bool:
    found = _ENDS_AS_LABEL.search(sentence)
    path = without_words_before(found["path"]) if found is not None else ""
    is_path = path.replace("\\", "/").rpartition("/")[2] == base
    return is_path and not any(mentions_word(sentence, name) for name in names)


def _spoken_of(shown: Shown) -> list[str]:
    """The names by which a prompt may speak of what was placed."""
    base = shown.path.rpartition("/")[2]
    return [base, *(name.rpartition(".")[2] for name in _top(shown))]


def _top(shown: Shown) -> tuple[str, ...]:
    seen = outline(language_of_path(shown.path), shown.text)
    inside = f"{shown.container}."
    return tuple(s.base for s in seen.symbols if (s.name.startswith(inside) if shown.container else s.parent is None))


# -- structure


def by_structure(snippet: Snippet, asked: Asked, known: Known) -> Placed | None:
    """The one file in which all the definitions stand that are tracked; a member's by what holds it."""
    for language, seen in readings(snippet, known.languages):
        if asked.by_model and _names_new_file(snippet, language, asked, known):
            asked = _of_named(asked)
        names = [s.name for s in seen.symbols if s.parent is None]
        if (path := _of_renamed(language, seen, asked, known)) is not None:
            return _shown(snippet, path, language, Ground.STRUCTURE)
        holding = {name: _of(language, known.holding(name)) for name in names}
        tracked = [name for name in names if holding[name]]
        if _only_uses(seen, tracked):
            continue
        possible = frozenset.intersection(*(holding[name] for name in tracked)) if tracked else frozenset()
        if tracked:
            possible = frozenset(path for path in possible if _is_meant(path, tracked, asked))
            found = _in_play(dict.fromkeys(sorted(possible), tracked), asked)
            named = asked.play.named()
            if named and not named & possible and (inner := _inside(snippet, _of_named(asked), known)) is not None:
                return inner
            if len(found) == 1 and (not asked.by_model or found[0] in asked.play.files()):
                return _shown(snippet, found[0], language, Ground.STRUCTURE)
            if possible:
                return Unplaced(snippet.text, language.name, tuple(found or sorted(possible)), tuple(tracked))
    return _by_container(snippet, asked, known) or _inside(snippet, asked, known) or _by_lines(snippet, asked, known)


def _of_named(asked: Asked) -> Asked:
    """Without what merely stood in the turn before."""
    return replace(asked, play=replace(asked.play, before=frozenset()))


def _names_new_file(snippet: Snippet, language: Language, asked: Asked, known: Known) -> bool:
    """Whether the prompt, or the sentence above, names a file that is not there yet: then what merely stood in the turn
    before is not meant (`Create a postgres version in store/db.py.`)."""
    named = (normalise_path(word, asked.root) for word in paths_in(f"{asked.prose}\n\n{snippet.above}"))
    new = (path for path in named if path is not None and not known.file(path).tracked and not known.longer(path))
    return any(_is_of(path, language) for path in new)


def _of_renamed(language: Language, seen: Outline, asked: Asked, known: Known) -> str | None:
    """The file of the one definition in play that a text shows under another name, which the user's words hold too, and
    which is tracked nowhere."""
    new = seen.top_level()
    if len(new) != 1 or known.holding(new[0].name) or not mentions_word(asked.prose, new[0].name):
        return None
    text, found = seen.slice(new[0]), set[str]()
    for old in map(Entity.parse, asked.play.entities):
        state = known.file(old.path)
        base = outline(language, state.file.text) if state.file is not None and _is_of(old.path, language) else None
        symbol = base.by_name.get(old.symbol or "") if base is not None else None
        was = (
            _with_name(base.slice(symbol), symbol.name, new[0].name) if base is not None and symbol is not None else ""
        )
        if was.split() == text.split():
            found.add(old.path)
    return found.pop() if len(found) == 1 else None


def _with_name(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![\w$]){re.escape(old)}(?![\w$])", lambda _: new, text)


def _only_uses(seen: Outline, tracked: Collection[str]) -> bool:
    """Whether a text only gives values to names that are tracked, beside statements or names that are not: it uses
    what there is. Nothing but constants are new constants."""
    if any(seen.by_name[name].kind is not Kind.VALUE for name in tracked):
        return False
    return bool(seen.loose) or any(symbol.name not in tracked for symbol in seen.symbols)


def _is_meant(path: str, tracked: Collection[str], asked: Asked) -> bool:
    return (
        not asked.by_model
        or set(tracked) != {PROGRAM}
        or path in asked.play.paths
        or str(Entity(path, PROGRAM)) in asked.play.entities
    )


def _in_play(possible: dict[str, list[str]], asked: Asked) -> list[str]:
    """Of several files those in play; the user's may be any, where none is."""
    if len(possible) == 1 and not asked.by_model:
        return list(possible)
    meant = asked.play.among(possible)
    return meant if meant or asked.by_model else list(possible)


def _by_container(snippet: Snippet, asked: Asked, known: Known) -> Placed | None:
    for language in languages_of(snippet, known.languages):
        leaves = members_in(language, snippet.text) if language.nature is Nature.CODE else []
        holders = [{e.rpartition(".")[0] for e in known.members(leaf) if _is_in(e, language)} for leaf in leaves]
        tracked = [leaf for leaf, containers in zip(leaves, holders, strict=True) if containers]
        containers = sorted(set.intersection(*(c for c in holders if c))) if tracked else []
        found = _containers_in_play(containers, tracked, asked)
        if len(found) == 1:
            return _member(snippet, language, Entity.parse(found[0]), known)
        if containers:
            paths = dict.fromkeys(Entity.parse(one).path for one in found or containers)
            names = [f"{Entity.parse(one).symbol}.{leaf}" for one in found or containers for leaf in tracked]
            return Unplaced(snippet.text, language.name, tuple(paths), tuple(names))
    return None


def _inside(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """The one file in play in which functions of these names stand inside others, with the new ones in their places:
    of those that the words name, else of the turn before."""
    named = asked.play.named()
    for language in languages_of(snippet, known.languages):
        for paths in (named, asked.play.before - named):
            found = []
            for path in sorted(path for path in paths if _may_hold(path, language)):
                meant = [e.symbol for e in map(Entity.parse, asked.play.entities) if e.path == path and e.symbol]
                if (made := with_inner(snippet.text, known.file(path), meant)) is not None:
                    found.append((path, made))
            if len(found) == 1:
                path, (names, text) = found[0]
                spoken = path in asked.play.paths or any(mentions_word(asked.prose, one) for one in names)
                shown = replace(_shown(snippet, path, language, Ground.STRUCTURE), text=text)
                return shown if asked.by_model or spoken else None
    return None


def _by_lines(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """The one file without definitions in play that a text shows whole: its lines, from the first to the last. The
    user's own is what the sentence above speaks of: he shows output, too."""
    said, found = language_named(snippet.language).kin if snippet.language else "", list[str]()
    for path in sorted(asked.play.files()):
        language = language_of_path(path)
        if language is None or not shows_whole(snippet.text, said, known.file(path)):
            continue
        if asked.by_model:
            meant = path in asked.play.named() or not _names_new_file(snippet, language, asked, known)
        else:
            meant = mentions_word(snippet.above, path.rpartition("/")[2])
        found += [path] if meant else []
    return _shown(snippet, found[0], language_of_path(found[0]), Ground.STRUCTURE) if len(found) == 1 else None


def member_under_label(shown: Shown, path: str, asked: Asked, known: Known) -> Shown | None:
    """A member shown alone under the label of its file: by the container that the label names (`a.py::Cart.total`),
    else as any other, where the file defines nothing of that name outside of its types."""
    language, state = language_of_path(path), known.file(path)
    if language is None or language.nature is not Nature.CODE or state.file is None:
        return None
    if any(s.name in state.symbols for s in outline(language, shown.text).symbols if s.parent is None):
        return None
    snippet, base = Snippet(shown.text, language.name, shown.above), outline(language, state.file.text)
    leaves = members_in(language, shown.text)
    container = shown.symbol if shown.symbol.rpartition(".")[2] not in leaves else shown.symbol.rpartition(".")[0]
    if container:
        holds_it = leaves and container in base.by_name and base.by_name[container].kind is Kind.TYPE
        found: Placed | None = _member(snippet, language, Entity(path, container), known) if holds_it else None
    else:
        here = replace(known, members=lambda leaf: [e for e in known.members(leaf) if Entity.parse(e).path == path])
        found = _by_container(snippet, asked, here) if _takes_self(shown.text, leaves, base) else None
    if isinstance(found, Shown):
        return replace(shown, path=path, text=found.text, container=found.container, symbol="")
    inner = with_inner(shown.text, state)
    if inner is not None and shown.symbol not in ("", *inner[0]):
        return None
    return replace(shown, path=path, text=inner[1], symbol="") if inner is not None else None


def _takes_self(text: str, leaves: Collection[str], base: Outline) -> bool:
    """Whether a text takes `self` as the members of that name do: else it may be a function of their name."""
    old = [base.slice(symbol) for symbol in base.symbols if "." in symbol.name and symbol.leaf in leaves]
    return bool(_SELF.search(text)) is any(_SELF.search(one) for one in old)


def _containers_in_play(containers: Collection[str], leaves: Collection[str], asked: Asked) -> list[str]:
    """The types in play that hold a member: by their own name or the member's, else by their file."""
    named = [c for c in containers if {c, *(f"{c}.{leaf}" for leaf in leaves)} & asked.play.entities]
    if len(named) == 1:
        return named
    possible = named or list(containers)
    files = asked.play.among(dict.fromkeys((Entity.parse(one).path for one in possible), ()))
    here = [one for one in possible if Entity.parse(one).path in files]
    return here if here or asked.by_model else possible


def _member(snippet: Snippet, language: Language, container: Entity, known: Known) -> Shown | None:
    state = known.file(container.path)
    base = outline(language_of_path(state.path), state.file.text) if state.file is not None else None
    text = within(language, snippet.text, container.symbol or "", indent_of(base, container.symbol or ""))
    shown = _shown(snippet, container.path, language, Ground.STRUCTURE)
    return replace(shown, text=text, container=container.symbol or "") if text is not None else None


def _may_hold(path: str, language: Language) -> bool:
    """Whether functions of a language may stand in a file: scripts in markup, too."""
    other = language_of_path(path)
    return _is_of(path, language) or (other is not None and other.name == MARKUP and language.family == "ecma")


def _of(language: Language, paths: Iterable[str]) -> frozenset[str]:
    return frozenset(path for path in paths if _is_of(path, language))


def _is_in(entity: str, language: Language) -> bool:
    return _is_of(Entity.parse(entity).path, language)


def _is_of(path: str, language: Language) -> bool:
    other = language_of_path(path)
    return other is not None and other.kin == language.kin


def _shown(snippet: Snippet, path: str, language: Language | None, by: Ground, *, part: bool = False) -> Shown:
    name = snippet.language or (language.name if language is not None else "")
    text = opened(language_of_path(path), snippet.text)
    return Shown(path, text, Carrier.FENCE, language=name, above=snippet.above, by=by, part=part)


# -- sentence


def said_above(sentence: str, *, by_user: bool = False) -> str:
    """The path with which a sentence above a fence ends as a label does; empty where there is none. People forget the
    colon."""
    found = _ENDS_AS_LABEL.search(sentence)
    if found is None and by_user:
        found = _ENDS_AS_LABEL.search(f"{sentence.rstrip(' .。')}:")
    path = without_words_before(found["path"]) if found is not None else ""
    return path if looks_like_path(path) else ""


def _by_new_name(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """A file that is not tracked yet, by the sentence, where the user names it, too: what is moved there defines what
    another file still holds."""
    found = by_sentence(snippet, asked, known) if _ENDS_AS_LABEL.search(snippet.above) else None
    named = found is not None and mentions_word(asked.prose, found.path.rpartition("/")[2])
    return found if found is not None and named and not known.file(found.path).tracked else None


def by_sentence(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """The path with which the sentence above ends, or with which and a word or two and a colon."""
    written = said_above(snippet.above, by_user=not asked.by_model)
    path = normalise_path(written, asked.root) if written else None
    languages = languages_of(snippet, known.languages)
    said_to_be = [language_named(snippet.language)] if snippet.language else []
    if path is None or (said_to_be and not any(fits(path, one) for one in (*said_to_be, *languages))):
        return None
    state = known.file(path)
    if not state.tracked and len(longer := known.longer(path)) == 1:
        state = known.file(longer[0])
    language = language_of_path(state.path)
    seen = outline(language, opened(language, snippet.text))
    names = {symbol.name for symbol in seen.symbols}
    tells = not asked.by_model and names and holds(snippet.above, "told")  # `I added this to a.py:`
    if state.tracked and state.symbols and not tells and not names & state.symbols.keys():
        return None
    if not state.tracked and not ((seen.sound or seen.by_pattern) and names and _is_code(state.path)):
        return None
    if not state.tracked and not seen.preamble and _is_inside(snippet.above, written):
        return None
    part = not state.tracked and holds(snippet.above, "part")
    return _shown(snippet, state.path, next(iter(languages), None), Ground.SENTENCE, part=part)


def _is_inside(sentence: str, written: str) -> bool:
    """Whether a sentence without a colon speaks of something in a file: `It crashes in util.py`."""
    behind = rf"(?<!\w){listed('place')}\s+(?:{listed('article')}\s+)*[`\"'*]*{re.escape(written)}"
    return not sentence.rstrip(" *_`").endswith((":", "：")) and re.search(behind, sentence, re.I) is not None


def _is_code(path: str) -> bool:
    language = language_of_path(path)
    return language is not None and language.nature is Nature.CODE


# -- place


def by_place(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """The one path, or the one type, to which the prompt puts just the definitions that the fence brings."""
    if (member := _new_member(snippet, asked, known)) is not None:
        return member
    for read_in, seen in readings(snippet, known.languages):
        names = [s.leaf for s in seen.symbols if s.parent is None]
        about = [one for one in sentences(asked.prose) if any(mentions_word(one, name) for name in names)]
        paths = _paths_named(asked.prose, asked.root) or _paths_named("\n\n".join(about), asked.root)
        path = next(iter(paths), "")
        language = language_of_path(path)
        if (
            language is not None
            and read_in.kin == language.kin
            and names
            and (not seen.loose or any(s.kind is not Kind.VALUE for s in seen.symbols))
            and all(mentions_word(asked.prose, name) for name in names)
        ):
            state = known.file(path)
            if not state.tracked and (longer := known.longer(path)):
                return _shown(snippet, longer[0], read_in, Ground.PLACE) if len(longer) == 1 else None
            return _shown(snippet, path, read_in, Ground.PLACE)
    return None


def _new_member(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """New members of the one type that the prompt mentions, all of them by their names."""
    types = [e for e in map(Entity.parse, sorted(asked.play.entities)) if e.symbol and _has_members(e, known)]
    in_file = [e for path in sorted(asked.play.paths) for e in _only_type(known.file(path))] if not types else []
    types = types or in_file
    if len(types) != 1:
        return None
    for language in languages_of(snippet, known.languages):
        if not _is_of(types[0].path, language):
            continue
        top = [s for s in outline(language, snippet.text).symbols if s.parent is None]
        outside = [s.base for s in top]
        if any(s.kind is Kind.TYPE for s in top):
            return None
        if outside and all(name.rpartition(".")[0] == types[0].symbol for name in outside):  # Go, Rust, Swift
            named = all(mentions_word(asked.prose, name.rpartition(".")[2]) for name in outside)
            return _shown(snippet, types[0].path, language, Ground.PLACE) if named else None
        leaves = members_in(language, snippet.text)
        alone = not outside or language.name in _NO_FUNCTIONS or _SELF.search(snippet.text) is not None
        if leaves and (alone or holds(asked.prose, "method")) and all(mentions_word(asked.prose, x) for x in leaves):
            shown = _member(snippet, language, types[0], known)
            return replace(shown, by=Ground.PLACE) if shown is not None else None
    return None


_NO_FUNCTIONS = frozenset({"java", "csharp"})
"""Languages in which every function is a member."""
_SELF = re.compile(r"\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?(?:self|cls)\b")


def _only_type(state: FileState) -> list[Entity]:
    """The one type in a file of a language in which every function is a member."""
    language = language_of_path(state.path)
    if state.file is None or language is None or language.name not in _NO_FUNCTIONS:
        return []
    found = [s for s in outline(language, state.file.text).top_level() if s.kind is Kind.TYPE]
    return [Entity(state.path, found[0].name)] if len(found) == 1 else []


def _has_members(entity: Entity, known: Known) -> bool:
    """Whether a definition is a type: it has members, or is said to be one."""
    state = known.file(entity.path)
    seen = outline(language_of_path(state.path), state.file.text) if state.file is not None else None
    symbol = seen.by_name.get(entity.symbol or "") if seen is not None else None
    return symbol is not None and symbol.kind is Kind.TYPE


def _paths_named(prose: str, root: str | None) -> set[str]:
    """The path in some words, if exactly one is named and that behind a preposition of place."""

    def written(found: Iterable[str]) -> set[str]:
        words = (word.rstrip(".:!?").partition("::")[0] for word in found)
        paths = (normalise_path(word, root) for word in words if looks_like_path(word))
        return {path for path in paths if path is not None}

    put = rf"(?<!\w){listed('place')}\s+(?:{listed('article')}\s+)*[`\"'*(]*(?P<path>[^\s`\"'*,;()<>]+)"
    named = written(re.split(r"[\s`\"'*,;()<>]+", prose))
    behind = written(m["path"] for m in re.finditer(put, prose, re.I))
    return named if len(named) == 1 and named <= behind else set()
