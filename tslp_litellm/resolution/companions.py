"""Code without a place of its own that belongs to what the same answer changes, or that is the new file which the
prompt wants (SEMANTICS 2, Which file)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from tslp_litellm.dialects.paths import imports, is_of_tests
from tslp_litellm.dialects.values import Carrier, Evidence, Ground, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.new_files import NewFile, alike, lacks_head, new_files, paths_named
from tslp_litellm.placing.readings import code_languages, readings
from tslp_litellm.placing.rules import only_asks, without_labels
from tslp_litellm.placing.structure import brings_tests, is_of, placed_in
from tslp_litellm.placing.values import Unplaced
from tslp_litellm.resolution.common import Context, without_usage
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.syntax.languages import language_named, language_of_path
from tslp_litellm.syntax.outline import Kind
from tslp_litellm.words.sentences import mentions_word, sentences


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
    return None


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


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def with_companions(
    unit: UnitOfWork, found: Sequence[Evidence], codes: Iterable[tuple[Snippet, Unplaced]]
) -> tuple[list[Evidence], list[tuple[Snippet, Unplaced]]]:
    """The placed code of an answer with what belongs to it, and what does not: imports alone, of the one file that the
    answer changes, and new definitions, of the one whose new code uses them, or holds what they are methods of. Where
    they stand in it is unknown."""
    placed = [piece for piece in found if isinstance(piece, Shown)]
    more, others = list[Evidence](), list[tuple[Snippet, Unplaced]]()
    for snippet, code in codes:
        near = {piece.path for piece in placed if _belongs_to(unit, snippet, piece)}
        if len(near) == 1:
            (path,) = near
            more.append(placed_in(snippet, path, language_of_path(path), Ground.PLACE))
        else:
            others.append((snippet, code))
    return [*found, *more], others


def with_new_file(
    unit: UnitOfWork,
    found: Sequence[Evidence],
    codes: Sequence[tuple[Snippet, Unplaced]],
    context: Context,
    uncut: Mapping[int, Shown],
) -> tuple[list[Evidence], list[Unplaced]]:
    """The placed code of an answer with the one file of its language that the prompt wants made and that nobody has
    shown: it is the only code without a place that may be that file, or else the only code of that language, where it
    brings more than it changes of what is there. A client that writes files does so by itself. `uncut`: by id, what was
    placed as it was said."""
    words = without_labels(context.intent.prompt)
    wanted = new_files(words, context.root) if context.forms is None else []
    named = paths_named(words, context.root)
    made, left, taken = list[Evidence](), list(codes), list[Evidence]()
    for file in wanted:
        known = unit.file(file.path).tracked or unit.longer(file.path)
        placed = [piece for piece in found if isinstance(piece, Shown)]
        rivals = [other for other in named if alike(file.path, other) and not unit.file(other).tracked]
        if known or rivals != [file.path] or only_asks(words, _base(file.path)):
            continue
        if any(piece.path == file.path for piece in placed):
            continue
        both = any(is_of_tests(other.path) != is_of_tests(file.path) for other in wanted)
        ours = [pair for pair in left if _may_be(unit, *pair, file, both)]
        instead = [piece for piece in placed if not ours and _brings_more(unit, uncut.get(id(piece), piece), file)]
        if len(ours) == 1:
            left.remove(ours[0])
        elif len(instead) == len(placed) == 1:
            taken += instead
            whole = uncut.get(id(instead[0]), instead[0])
            ours = [(Snippet(whole.text, whole.language, whole.above), Unplaced("", ""))]
        if len(ours) == 1:
            language = language_of_path(file.path)
            part = file.part or (language is not None and lacks_head(language, ours[0][0].text))
            shown = placed_in(ours[0][0], file.path, language, Ground.PLACE, part=part)
            made.append(without_usage(unit, shown, context.intent))
    return [*(piece for piece in found if piece not in taken), *made], [code for _, code in left]


def _may_be(unit: UnitOfWork, snippet: Snippet, code: Unplaced, file: NewFile, both: bool) -> bool:
    """Whether code may be what is wanted in a new file: it defines something, of a part one of the names. Tests are of
    files that are named for them; where `both` are wanted, they are all that these hold."""
    seen = next((seen for language, seen in readings(snippet) if is_of(file.path, language)), None)
    names = [symbol.leaf for symbol in seen.symbols if symbol.parent is None] if seen is not None else []
    if code.paths and all(any(name in unit.file(path).symbols for path in code.paths) for name in names):
        return False
    tests = [name for name in names if brings_tests([name], ())]
    if not names or (file.names and file.names.isdisjoint(names)):
        return False
    return (bool(tests) == is_of_tests(file.path)) and not (both and tests and len(tests) < len(names))


def _brings_more(unit: UnitOfWork, piece: Shown, file: NewFile) -> bool:
    """Whether code that repeats a definition of a file, and brings others, is another file that the prompt wants."""
    language = language_of_path(file.path)
    state, seen = unit.file(piece.path), outline(language_of_path(piece.path), piece.text)
    names = [symbol.name for symbol in seen.symbols if symbol.parent is None]
    new = [name for name in names if name not in state.symbols]
    whole = all(name in seen.by_name for name in state.symbols if "." not in name)
    may_be = piece.by is Ground.STRUCTURE and language is not None and is_of(piece.path, language) and not file.part
    return may_be and bool(new) and (not whole or len(state.symbols) == 1)


def _belongs_to(unit: UnitOfWork, snippet: Snippet, piece: Shown) -> bool:
    language = language_named(snippet.language) if snippet.language else language_of_path(piece.path)
    seen = outline(language, snippet.text)
    if language is None or not is_of(piece.path, language) or not unit.file(piece.path).tracked:
        return False
    names = [symbol.name for symbol in seen.symbols if symbol.parent is None]
    if not seen.sound or seen.loose - seen.preamble or any(unit.holding(name) for name in names):
        return False
    if names:
        return any(_is_used(unit, name, piece) for name in names)
    return seen.only_imports and not imports(snippet.text, piece.path)


def _is_used(unit: UnitOfWork, name: str, piece: Shown) -> bool:
    """Whether changed code uses a new definition, or the type of its file that it is a method of: those of Go and Rust
    stand outside."""
    holder = name.rpartition(".")[0]
    if holder:
        return piece.path in unit.holding(holder) and mentions_word(piece.text, holder)
    return mentions_word(piece.text, name)
