"""Code without a label that the prompt wants: as it was, under a new name, as a class, a new file (SEMANTICS 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from tslp_litellm.dialects.paths import is_of_tests
from tslp_litellm.dialects.values import Carrier, Evidence, Ground, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.new_files import NewFile, alike, lacks_head, new_files, paths_named, paths_put
from tslp_litellm.placing.readings import code_languages, readings
from tslp_litellm.placing.rules import only_asks, without_labels
from tslp_litellm.placing.structure import brings_tests, is_of, member_of, placed_in
from tslp_litellm.placing.values import Asked, Unplaced
from tslp_litellm.resolution.common import known, without_usage
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.languages import Language, language_of_path
from tslp_litellm.syntax.outline import Kind
from tslp_litellm.words.sentences import asks_for_deed, asks_to_go_back, holds, mentions_word, sentences

Code = tuple[Snippet, Unplaced]


def goes_back(state: FileState, text: str, context: Context) -> bool:
    """Whether a text was the truth of its file, and the prompt asks to go back."""
    prompt = context.intent.prompt
    if (
        state.text() in (None, text)
        or not asks_to_go_back(prompt)
        or holds(prompt, "unless")
        or holds(prompt, "denies")
    ):
        return False
    return context.earlier(state.path, text, {}).once


def of_before(unit: UnitOfWork, snippet: Snippet, context: Context) -> Shown | None:
    """Code that is, letter for letter, what the one file in play was before, where the prompt asks to go back."""
    if not context.applies(Carrier.FENCE):
        return None
    paths = [path for path in sorted(context.play.files()) if goes_back(unit.file(path), snippet.text, context)]
    return placed_in(snippet, paths[0], language_of_path(paths[0]), Ground.STRUCTURE) if len(paths) == 1 else None


def of_renamed(unit: UnitOfWork, snippet: Snippet, context: Context) -> Shown | None:
    """Code that shows under its new name what the prompt asks by name to have another one: it is of the one file that
    holds the old name, and what else the code defines of what is tracked; of several, of the one in play. `Rename total
    to total_price.` names `total`, as the word behind it."""
    if not context.applies(Carrier.FENCE):
        return None
    for language, seen in readings(snippet, lambda: code_languages(context.play.files())):
        names = {symbol.name for symbol in seen.symbols if symbol.parent is None}
        new = {name for name in names if not unit.holding(name)}
        said = [one for one in sentences(context.intent.prompt) if any(mentions_word(one, name) for name in new)]
        files = {
            path
            for old in {*re.findall(r"[\w$]+", " ".join(said))} - names
            for path in unit.holding(old)
            if is_of(path, language) and any(context.intent.at(path).asks_for_new_name(old, name) for name in new)
        }
        files = {path for path in files if all(path in unit.holding(name) for name in names - new)}
        files = files & context.play.files() or files
        if len(files) == 1:
            return placed_in(snippet, files.pop(), language, Ground.STRUCTURE)
        if (member := _renamed_member(unit, snippet, language, new, said, context)) is not None:
            return member
    return None


def _renamed_member(
    unit: UnitOfWork, snippet: Snippet, language: Language, new: set[str], said: Iterable[str], context: Context
) -> Shown | None:
    """A member under its new name, shown alone: it is of the one type that holds the old one."""
    words = {*re.findall(r"[\w$]+", " ".join(said))} - new
    members = {Entity.parse(entity) for word in words for entity in unit.members_named(word)}
    renamed = {
        Entity(one.path, (one.symbol or "").rpartition(".")[0])
        for one in members
        if is_of(one.path, language)
        and any(context.intent.at(one.path).asks_for_new_name(one.symbol or "", name) for name in new)
    }
    holders = [one for one in renamed if one.path in context.play.files()] or [*renamed]
    if len(new) != 1 or len(holders) != 1:
        return None
    asked = Asked(context.intent.prompt, context.play, by_model=True, root=context.root)
    return member_of(snippet, language, holders[0], known(unit, asked))


def of_conversion(unit: UnitOfWork, snippet: Snippet, context: Context) -> Shown | None:
    """A new type with the functions of the one file that the prompt names, or most of them, as its members: `Make
    account.py object oriented.`"""
    files = [unit.file(path) for path in sorted(context.play.paths)]
    if len(files) != 1 or not context.applies(Carrier.FENCE) or only_asks(context.intent.prompt, _base(files[0].path)):
        return None
    for language, seen in readings(snippet, lambda: code_languages([files[0].path])):
        types = [s.name for s in seen.symbols if s.kind is Kind.TYPE and s.name not in files[0].symbols]
        members = {s.leaf for s in seen.symbols if s.name.rpartition(".")[0] in types}
        functions = [name for name in files[0].symbols if "." not in name and not name.isupper()]
        if is_of(files[0].path, language) and 2 * len(members.intersection(functions)) > len(functions):
            return placed_in(snippet, files[0].path, language, Ground.STRUCTURE)
    return None


def with_new_files(
    unit: UnitOfWork, found: Sequence[Evidence], codes: Iterable[Code], context: Context, uncut: Mapping[int, Shown]
) -> tuple[list[Evidence], list[Unplaced]]:
    """The placed code of an answer with the files that the prompt wants made and that nobody has shown. Such a file is
    the only code of its kind without a place; or else the only placed code, where that brings more than it changes of
    what is there. `uncut`: by id, what was placed as it was said."""
    placed, made, left = list(found), list[Evidence](), list(codes)
    files = _wanted(unit, found, context)
    for file in files:
        both = any(is_of_tests(other.path) != is_of_tests(file.path) for other in files)
        ours = [code for code in left if _may_be(unit, code, file, both)]
        if len(ours) == 1:
            left.remove(ours[0])
            made.append(without_usage(unit, _as_file(ours[0][0], file), context.intent))
        elif not ours and len(placed) == 1 and isinstance(one := placed[0], Shown):
            whole = uncut.get(id(one), one)
            if _brings_more(unit, whole, file):
                made.append(_as_file(Snippet(whole.text, whole.language, whole.above), file))
                placed = []
    if not made and len(left) == 1 and not placed and (added := _added(unit, left[0], context)) is not None:
        left, made = [], [added]
    return [*placed, *made], [code for _, code in left]


def _added(unit: UnitOfWork, code: Code, context: Context) -> Shown | None:
    """What is added to the one tracked file to which the prompt puts something, where all of the answer's code is of
    its language and new: `Add argparse to todo.py.`"""
    words = without_labels(context.intent.prompt)
    put = [path for one in sentences(words) if asks_for_deed(one) for path in paths_put(one, context.root)]
    states = [unit.file(path) for path in {*put}]
    if len(states) != 1 or not states[0].tracked or context.forms is not None:
        return None
    for language, seen in readings(code[0]):
        names = [symbol.name for symbol in seen.symbols if symbol.parent is None]
        new = bool(seen.top_level()) and not any(map(unit.holding, names))
        if is_of(states[0].path, language) and new:
            return placed_in(code[0], states[0].path, language, Ground.PLACE)
    return None


def _wanted(unit: UnitOfWork, found: Iterable[Evidence], context: Context) -> list[NewFile]:
    """The files that are wanted and not there, each the only one of its kind that the prompt names. A client that has
    tools writes its files by itself."""
    words = without_labels(context.intent.prompt)
    files = new_files(words, context.root) if context.forms is None else []
    shown = {piece.path for piece in found if isinstance(piece, Shown)}
    named = [path for path in paths_named(words, context.root) if not unit.file(path).tracked] if files else []
    new = (file for file in files if file.path in named and file.path not in shown and not unit.longer(file.path))
    alone = (file for file in new if not any(alike(file.path, other) for other in named if other != file.path))
    return [file for file in alone if not only_asks(words, _base(file.path))]


def _as_file(snippet: Snippet, file: NewFile) -> Shown:
    language = language_of_path(file.path)
    part = file.part or (language is not None and lacks_head(language, snippet.text))
    return placed_in(snippet, file.path, language, Ground.PLACE, part=part)


def _may_be(unit: UnitOfWork, code: Code, file: NewFile, both: bool) -> bool:
    """Whether code may be what is wanted in a new file: it defines something that is not all tracked, of a part one of
    the names. Tests are of files that are named for them; where `both` are wanted, they are all that these hold."""
    seen = next((seen for language, seen in readings(code[0]) if is_of(file.path, language)), None)
    names = [symbol.leaf for symbol in seen.symbols if symbol.parent is None] if seen is not None else []
    new = [name for name in names if not any(name in unit.file(path).symbols for path in code[1].paths)]
    tests = [name for name in names if brings_tests([name], ())]
    asked = not file.names or not file.names.isdisjoint(names)
    mixed = both and 0 < len(tests) < len(names)
    return bool(new) and asked and not mixed and bool(tests) == is_of_tests(file.path)


def _brings_more(unit: UnitOfWork, piece: Shown, file: NewFile) -> bool:
    """Whether code that repeats a definition of a file, and brings others, is another file that the prompt wants."""
    language, symbols = language_of_path(file.path), unit.file(piece.path).symbols
    if piece.by is not Ground.STRUCTURE or language is None or not is_of(piece.path, language) or file.part:
        return False
    seen = outline(language_of_path(piece.path), piece.text)
    whole = len(symbols) > 1 and all(name in seen.by_name for name in symbols if "." not in name)
    return not whole and any(symbol.name not in symbols for symbol in seen.symbols if symbol.parent is None)


def _base(path: str) -> str:
    return path.rpartition("/")[2]
