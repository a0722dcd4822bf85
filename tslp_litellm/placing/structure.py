"""The rule of structure: the file in which what code defines stands already (SEMANTICS 2, Which file 2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from tslp_litellm.dialects.paths import paths_in
from tslp_litellm.dialects.values import Carrier, Ground, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing import buried
from tslp_litellm.placing.lines import is_next_version, shows_whole
from tslp_litellm.placing.members import are_alike, as_members, indent_of, members_in, within
from tslp_litellm.placing.named_instead import named_instead
from tslp_litellm.placing.nested import MARKUP, with_inner
from tslp_litellm.placing.readings import languages_of, readings
from tslp_litellm.placing.usage import PROGRAM
from tslp_litellm.placing.values import Asked, Known, Placed, Play, Unplaced
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import FileState, artifact_hash
from tslp_litellm.syntax.alike import counted
from tslp_litellm.syntax.languages import Language, Nature, language_named, language_of_path
from tslp_litellm.syntax.opening import opened
from tslp_litellm.syntax.outline import Kind, Outline, Symbol
from tslp_litellm.words.sentences import mentions_word

_TEST = re.compile(r"(?:test_|Test[A-Z_])\w*\Z|\w+Tests?\Z")
_RUST_TESTS = b"#[cfg(test)]"
"""In Rust the tests of a file stand in it."""
SELF = re.compile(r"\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?(?:self|cls)\b")
"""Where a function takes the one that it is called on."""


def by_structure(snippet: Snippet, asked: Asked, known: Known) -> Placed | None:
    """The one file in which all the definitions stand that are tracked; a member's by what holds it."""
    for language, seen in readings(snippet, known.languages):
        if asked.by_model and _names_new_file(snippet, language, asked, known):
            asked = _of_named(asked)
        names = [s.name for s in seen.symbols if s.parent is None]
        path = _of_renamed(language, seen, asked, known) or buried.file_of(names, language, asked, known)
        if path is not None:
            return placed_in(snippet, path, language, Ground.STRUCTURE)
        holding = {name: held_in(name, language, known) for name in names}
        tracked = [name for name in names if holding[name]]
        of_tests = tracked and brings_tests(names, tracked) and _RUST_TESTS not in seen.text
        if asked.by_model and of_tests and (rest := _without_tests(seen, tracked, known)) is not None:
            return by_structure(replace(snippet, text=rest), asked, known)
        if _only_uses(seen, tracked, asked) or (asked.by_model and of_tests):
            continue
        possible = frozenset.intersection(*(holding[name] for name in tracked)) if tracked else frozenset()
        if tracked:
            possible = frozenset(path for path in possible if _is_meant(path, tracked, asked, seen, known))
            found = in_play(dict.fromkeys(sorted(possible), tracked), asked)
            if asked.by_model and not found:
                found = _spoken_of_before(seen, tracked, possible, asked, known)
            named = asked.play.named()
            if named and not named & possible and (inner := _inner(snippet, _of_named(asked), known)) is not None:
                return inner
            if len(found) == 1 and (not asked.by_model or found[0] in asked.play.files() | asked.play.earlier):
                if asked.by_model and _answers_for_another(language, seen, tracked, known.file(found[0]), asked):
                    continue
                return placed_in(snippet, found[0], language, Ground.STRUCTURE)
            if possible:
                return Unplaced(snippet.text, language.name, tuple(found or sorted(possible)), tuple(tracked))
    return _by_container(snippet, asked, known) or _inside(snippet, asked, known) or _by_lines(snippet, asked, known)


def _spoken_of_before(
    seen: Outline, tracked: Collection[str], possible: Collection[str], asked: Asked, known: Known
) -> list[str]:
    """Where nothing is named: of the files that may be meant, but were spoken of a while ago, those that a text shows
    whole, and those of which it shows nothing but what the prompt calls by plain words, with lines that it has (`load
    should give [] if there is none`; a `load` of another kind may be another thing)."""
    earlier = sorted(asked.play.earlier & set(possible)) if not asked.play.named() else []
    called = {s.name for s in seen.top_level()} <= set(tracked) and all(mentions_word(asked.prose, n) for n in tracked)
    return [p for p in earlier if is_next_version(seen, known.file(p)) or (called and _is_alike(seen, known.file(p)))]


def _is_alike(seen: Outline, state: FileState) -> bool:
    """Whether each definition of a text has a line of that of its name in a file."""
    base = outline(language_of_path(state.path), state.file.text if state.file is not None else "")
    lines = {symbol.name: counted(base.slice(symbol).encode()) for symbol in base.symbols}
    return all(lines.get(s.name, Counter()) & counted(seen.slice(s).encode()) for s in seen.top_level())


def _of_named(asked: Asked) -> Asked:
    """Without what merely stood in the turn before."""
    return replace(asked, play=replace(asked.play, before=frozenset(), earlier=frozenset()))


def _names_new_file(snippet: Snippet, language: Language, asked: Asked, known: Known) -> bool:
    """Whether the prompt, or the sentence above, names a file that is not there yet: then what merely stood in the turn
    before is not meant (`Create a postgres version in store/db.py.`), but for code that imports it."""
    seen = outline(language, opened(language, snippet.text))
    imported = "\n".join(_imports(seen))
    named = (normalise_path(word, asked.root) for word in paths_in(f"{asked.prose}\n\n{snippet.above}"))
    new = (path for path in named if path is not None and not known.file(path).tracked and not known.longer(path))
    new = (path for path in new if not mentions_word(imported, path.rpartition("/")[2].rpartition(".")[0]))
    return any(is_of(path, language) for path in new)


def _of_renamed(language: Language, seen: Outline, asked: Asked, known: Known) -> str | None:
    """The file of the one definition in play that a text shows under another name, which the user's words hold too, and
    which is tracked nowhere."""
    new = seen.top_level()
    if len(new) != 1 or known.holding(new[0].name) or not mentions_word(asked.prose, new[0].name):
        return None
    text, found = seen.slice(new[0]), set[str]()
    for old in map(Entity.parse, asked.play.entities):
        state = known.file(old.path)
        base = outline(language, state.file.text) if state.file is not None and is_of(old.path, language) else None
        symbol = base.by_name.get(old.symbol or "") if base is not None else None
        was = (
            _with_name(base.slice(symbol), symbol.name, new[0].name) if base is not None and symbol is not None else ""
        )
        if was.split() == text.split():
            found.add(old.path)
    return found.pop() if len(found) == 1 else None


def _with_name(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![\w$]){re.escape(old)}(?![\w$])", lambda _: new, text)


def _only_uses(seen: Outline, tracked: Collection[str], asked: Asked) -> bool:
    """Whether a text only gives values to names that are tracked, beside statements or names that are not: it uses
    what there is. Nothing but constants are new constants, where all are tracked or the prompt names one."""
    if any(seen.by_name[name].kind is not Kind.VALUE for name in tracked):
        return False
    alone = seen.loose <= seen.preamble and all(symbol.kind is Kind.VALUE for symbol in seen.symbols)
    if alone and any(mentions_word(asked.prose, symbol.leaf) for symbol in seen.symbols):
        return False
    return bool(seen.loose) or any(symbol.name not in tracked for symbol in seen.symbols)


def cut_out(seen: Outline, symbols: Iterable[Symbol]) -> str:
    """A text without the lines of some of its definitions."""
    text = seen.text
    for symbol in sorted(symbols, key=lambda s: s.start, reverse=True):
        text = text[: symbol.start] + text[symbol.end :].removeprefix(b"\n") if symbol.alone else text
    return text.decode()


def _without_tests(seen: Outline, tracked: Collection[str], known: Known) -> str | None:
    """What new tests stand beside, where that changes something; what it repeats, they only test, and so they do what a
    file of tests, which imports something, makes up."""
    if seen.preamble:
        return None
    of = {name: known.file(path).symbols.get(name) for name in tracked for path in known.holding(name)}
    if all(one is None or artifact_hash(_text(seen, name)) == one.artifact for name, one in of.items()):
        return None
    tests = [s for s in seen.symbols if s.parent is None and brings_tests([s.name], ())]
    return cut_out(seen, tests) if all(s.alone for s in tests) else None


def brings_tests(names: Iterable[str], tracked: Collection[str]) -> bool:
    """Whether a text brings tests beside what it repeats of a file that has none: they are of another file."""
    return any(_TEST.match(name) for name in names if name not in tracked) and not any(map(_TEST.match, tracked))


def _answers_for_another(
    language: Language, seen: Outline, tracked: Collection[str], state: FileState, asked: Asked
) -> bool:
    """Whether a part of a file, as it is, brings what is in play in another file, of another language: it answers for
    that one, in the wrong language."""
    elsewhere = {Entity.parse(one).symbol for one in asked.play.entities} - state.symbols.keys()
    if elsewhere.isdisjoint(seen.by_name) or all(name in seen.by_name for name in state.symbols if "." not in name):
        return False
    base = outline(language, state.file.text if state.file is not None else "")
    return all(name in base.by_name and _text(base, name) == _text(seen, name) for name in tracked)


def _text(seen: Outline, name: str) -> str:
    return seen.slice(seen.by_name[name])


def _is_meant(path: str, tracked: Collection[str], asked: Asked, seen: Outline, known: Known) -> bool:
    """Whether a file is meant by what it shares with a text. A program of its own is another file than those that
    nobody speaks of here, and what this conversation showed of no file is another thing of that name. As any program
    defines `main`, by that alone a model's proves its file only where that is spoken of, where it shows the file whole
    or nothing new, or where new functions stand with it and it uses what the file defines."""
    play, state = asked.play, known.file(path)
    spoken_of = path in play.paths | play.before | play.earlier
    if not (spoken_of or play.loose.isdisjoint(tracked)):
        return False
    base = outline(language_of_path(path), state.file.text if state.file is not None else "")
    apart = _is_program_apart(seen, base)
    if not asked.by_model:
        return not apart or spoken_of or path in play.named()
    if set(tracked) != {PROGRAM} or path in play.paths or _goes_on(seen, state) or is_next_version(seen, state):
        return True
    if str(Entity(path, PROGRAM)) in play.entities:
        return not apart or spoken_of
    new = (_imports(seen) - _imports(base)) | (_innermost(seen) - _innermost(base))
    return not new and (path in play.before or (path in play.earlier and mentions_word(asked.prose, PROGRAM)))


def _is_program_apart(seen: Outline, base: Outline) -> bool:
    """Whether a text imports, and nothing that a file does, and half of what one of them defines the other lacks."""
    imports, mine, theirs = _imports(seen), _innermost(seen), _innermost(base)
    apart = bool(imports) and imports.isdisjoint(_imports(base))
    return apart and 2 * len(mine & theirs) <= max(len(mine), len(theirs))


def _imports(seen: Outline) -> set[str]:
    return {line for line in seen.preamble if not line.startswith("package")}


def _innermost(seen: Outline) -> set[str]:
    return {symbol.name for symbol in seen.symbols} - {symbol.parent for symbol in seen.symbols}


def _goes_on(seen: Outline, state: FileState) -> bool:
    """Whether a text brings functions of its own, and uses by name what a file defines, without importing it."""
    if not any(symbol.kind is Kind.FUNCTION and symbol.name not in state.symbols for symbol in seen.top_level()):
        return False
    text, imported = seen.text.decode(), "\n".join(seen.preamble)
    there = [name for name in state.symbols if "." not in name and name not in seen.by_name]
    used = [name for name in there if re.search(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", text)]
    return any(not mentions_word(imported, name) for name in used)


def in_play(possible: Mapping[str, Collection[str]], asked: Asked) -> list[str]:
    """Of several files those in play; the user's may be any, where none is."""
    if len(possible) == 1 and not asked.by_model:
        return list(possible)
    meant = asked.play.among(possible)
    return meant if meant or asked.by_model else list(possible)


def _by_container(snippet: Snippet, asked: Asked, known: Known) -> Placed | None:
    for language in languages_of(snippet, known.languages):
        members = as_members(language, snippet.text) if language.nature is Nature.CODE else []
        leaves = [member.leaf for member in members]
        live = {leaf: [e for e in known.members(leaf) if _is_in(e, language)] for leaf in leaves}
        if not any(live.values()) and (holder := buried.type_of(leaves, language, asked, known)) is not None:
            return member_of(snippet, language, holder, known)
        holders = [{e.rpartition(".")[0] for e in live[leaf]} for leaf in leaves]
        tracked = [leaf for leaf, containers in zip(leaves, holders, strict=True) if containers]
        containers = sorted(set.intersection(*(c for c in holders if c))) if tracked else []
        containers = [one for one in containers if _holds_alike(members, one, known)] or containers
        found = _containers_in_play(containers, tracked, asked)
        if found and all(named_instead(Entity.parse(one), members, snippet, asked, known) for one in found):
            continue
        said = [one for one in found if mentions_word(snippet.above, Entity.parse(one).leaf or "")]
        if len(found) == 1 or len(said) == 1:
            return member_of(snippet, language, Entity.parse((said or found)[0]), known)
        if containers:
            paths = dict.fromkeys(Entity.parse(one).path for one in found or containers)
            names = [f"{Entity.parse(one).symbol}.{leaf}" for one in found or containers for leaf in tracked]
            return Unplaced(snippet.text, language.name, tuple(paths), tuple(names))
    return None


def _holds_alike(members: Iterable[Symbol], container: str, known: Known) -> bool:
    holder = Entity.parse(container)
    text = known.file(holder.path).text()
    return text is None or are_alike(members, holder.symbol or "", outline(language_of_path(holder.path), text))


def _inner(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """What stands inside a function or, as it takes the one that it is called on, a type of a file that is mentioned,
    though other files have functions of that name."""
    if (inside := _inside(snippet, asked, known)) is not None or not SELF.search(snippet.text):
        return inside
    member = _by_container(snippet, asked, known)
    return member if isinstance(member, Shown) and member.path in asked.play.named() else None


def _inside(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """The one file in play in which functions of these names stand inside others, with the new ones in their places:
    of those that the words name, else of the turn before."""
    named = asked.play.named()
    for language in languages_of(snippet, known.languages):
        for paths in (named, asked.play.before - named):
            found = []
            for path in sorted(path for path in paths if _may_hold(path, language)):
                made = with_inner(snippet.text, known.file(path), asked.play.symbols(path))
                found += [(path, made)] if made is not None else []
            if len(found) == 1:
                path, (names, text) = found[0]
                spoken = path in asked.play.paths or any(mentions_word(asked.prose, one) for one in names)
                shown = replace(placed_in(snippet, path, language, Ground.STRUCTURE), text=text, inner=snippet.text)
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
    return placed_in(snippet, found[0], language_of_path(found[0]), Ground.STRUCTURE) if len(found) == 1 else None


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
        found: Placed | None = member_of(snippet, language, Entity(path, container), known) if holds_it else None
    else:
        here = replace(known, members=lambda leaf: [e for e in known.members(leaf) if Entity.parse(e).path == path])
        mentioned = frozenset(e for e in asked.play.entities if Entity.parse(e).path == path)
        asked = replace(asked, play=Play(frozenset({path}), mentioned))
        found = _by_container(snippet, asked, here) if _takes_self(shown.text, leaves, base) else None
    if isinstance(found, Shown):
        return replace(shown, path=path, text=found.text, container=found.container, symbol="")
    inner = with_inner(shown.text, state)
    if inner is not None and shown.symbol not in ("", *inner[0]):
        return None
    return replace(shown, path=path, text=inner[1], symbol="", inner=shown.text) if inner is not None else None


def as_it_stands(shown: Shown, state: FileState, play: Play) -> Shown | None:
    """What was placed, made of the file's text as it is by now, where it is a function inside another one; None where
    that changes nothing."""
    if not shown.inner:
        return shown
    made = with_inner(shown.inner, state, play.symbols(state.path))
    return replace(shown, text=made[1]) if made is not None else None


def _takes_self(text: str, leaves: Collection[str], base: Outline) -> bool:
    """Whether a text takes `self` as the members of that name do: else it may be a function of their name."""
    old = [base.slice(symbol) for symbol in base.symbols if "." in symbol.name and symbol.leaf in leaves]
    return bool(SELF.search(text)) is any(SELF.search(one) for one in old)


def _containers_in_play(containers: Collection[str], leaves: Collection[str], asked: Asked) -> list[str]:
    """The types in play that hold a member: by their own name or the member's, else by their file."""
    named = [c for c in containers if {c, *(f"{c}.{leaf}" for leaf in leaves)} & asked.play.entities]
    if len(named) == 1:
        return named
    possible = named or list(containers)
    files = asked.play.among(dict.fromkeys((Entity.parse(one).path for one in possible), ()))
    here = [one for one in possible if Entity.parse(one).path in files]
    return here if here or asked.by_model else possible


def member_of(snippet: Snippet, language: Language, container: Entity, known: Known) -> Shown | None:
    state = known.file(container.path)
    base = outline(language_of_path(state.path), state.file.text) if state.file is not None else None
    text = within(language, snippet.text, container.symbol or "", indent_of(base, container.symbol or ""))
    shown = placed_in(snippet, container.path, language, Ground.STRUCTURE)
    return replace(shown, text=text, container=container.symbol or "") if text is not None else None


def _may_hold(path: str, language: Language) -> bool:
    """Whether functions of a language may stand in a file: scripts in markup, too."""
    other = language_of_path(path)
    return is_of(path, language) or (other is not None and other.name == MARKUP and language.family == "ecma")


def held_in(name: str, language: Language, known: Known) -> frozenset[str]:
    """The files of a language that have a definition of some name."""
    return frozenset(path for path in known.holding(name) if is_of(path, language))


def _is_in(entity: str, language: Language) -> bool:
    return is_of(Entity.parse(entity).path, language)


def is_of(path: str, language: Language) -> bool:
    other = language_of_path(path)
    return other is not None and other.kin == language.kin


def placed_in(snippet: Snippet, path: str, language: Language | None, by: Ground, *, part: bool = False) -> Shown:
    name = snippet.language or (language.name if language is not None else "")
    text = opened(language_of_path(path), snippet.text)
    return Shown(path, text, Carrier.FENCE, language=name, above=snippet.above, by=by, part=part)
