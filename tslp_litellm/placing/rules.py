"""The rules behind the label, in their order: structure, sentence, place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial

from tslp_litellm.dialects.headings import headed_by
from tslp_litellm.dialects.listed import paths_listed
from tslp_litellm.dialects.paths import fits, hint_in_line, is_of_tests, looks_like_path, without_words_around
from tslp_litellm.dialects.values import Ground, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.moved import moved_to_new, stands_elsewhere
from tslp_litellm.placing.new_files import (
    as_prompted,
    is_there,
    is_users_data,
    lacks_head,
    new_files,
    paths_named,
    paths_put,
)
from tslp_litellm.placing.new_members import alone_in_play, new_member
from tslp_litellm.placing.readings import languages_of, readings
from tslp_litellm.placing.structure import brings_tests, by_structure, cut_out, is_of, placed_in
from tslp_litellm.placing.values import Asked, Known, Placed, Unplaced
from tslp_litellm.state.names import normalise_path
from tslp_litellm.syntax.languages import Language, Nature, language_named, language_of_path
from tslp_litellm.syntax.opening import opened
from tslp_litellm.syntax.outline import Kind, Outline, Symbol
from tslp_litellm.words.sentences import (
    asks_for_deed,
    holds,
    introduces,
    leads_to_code,
    listed,
    mentions_word,
    merely_asks,
    sentences,
)

_PATH = r"[`\"'*]*(?P<path>[\w.@~$+\-/\\\[\]()]+)[`\"'*]*"
_ENDS_AS_LABEL = re.compile(
    rf"(?:^|[\s：]|(?<=[^\x00-\x7f])(?=[`\"'*])){_PATH}"
    rf"(?:(?:\s+{listed('follows')}){{0,6}}|(?:\s*[^\x00-\x7f\s：]{{1,8}}){{1,2}})\s*[:：][\s*_`]*\Z",
    re.I,
)
"""A path, a few words (`looks like this`), and a colon; words may be of a script that parts none."""
_ONLY_PLACE = re.compile(rf"[\s*_]*{listed('place')}\s+{_PATH}\s*[:：][\s*_`]*", re.I)


def place(snippet: Snippet, asked: Asked, known: Known) -> Placed:
    """The file that code without a label belongs to; what it may belong to where that is not proven."""
    several: Unplaced | None = None
    rules = (
        (by_structure,)
        if snippet.bare
        else (_by_new_name, moved_to_new, by_structure, by_sentence, by_place, by_heading)
    )
    for rule in rules:
        if rule is by_structure and _is_of_new_file(snippet, asked, known):
            continue
        found = rule(snippet, asked, known)
        if isinstance(found, Shown):
            if asked.by_model and only_asks(asked.prose, *_spoken_of(found)):
                return Unplaced(snippet.text, snippet.language, (found.path,), _top(found), "only-asked")
            return found
        several = several or found
    return several or Unplaced(snippet.text, snippet.language)


def _is_of_new_file(snippet: Snippet, asked: Asked, known: Known) -> bool:
    """Whether an answer shows nothing but this, and the prompt wants one new file of its language, or has one written
    without a name: what such a file defines (`main`, a view that a migration makes anew) others of its kind define,
    too. What stands there as it is, is quoted."""
    if not (asked.by_model and asked.single):
        return False
    wanted = [one.path for one in new_files(asked.prose, asked.root) if not one.part]
    new = [path for path in wanted if not (known.file(path).tracked or known.longer(path))]
    if not wanted:
        said = [one for one in sentences(asked.prose) if holds(one, "elsewhere") and holds(one, "makes")]
        return any(asks_for_deed(one) and not paths_named(one, asked.root) for one in said)
    read = [language for language, _ in readings(snippet, known.languages)]
    its_own = len(new) == 1 and any(is_of(new[0], language) for language in read)
    return its_own and not stands_elsewhere(snippet, new[0], known)


def only_asks(prose: str, base: str, *names: str) -> bool:
    """Whether a prompt merely asks about a file, by its last part, or one of its definitions (SEMANTICS 2).

    Labels are no sentences, nor is one that ends as a label does, in the file (`Here is my a.py:`) without a definition
    or in the definition that is shown (`This is my total now:`), or that only leads to code (`Here are my files:`),
    where others stand beside it.

    >>> [only_asks(f"{said}:\\n\\nWhy is it slow?", "a.py") for said in ("Here is my code", "Fix my code")]
    [True, False]
    """
    said = sentences(without_labels(prose), *names)
    labels = [one for one in said if _is_label(one, base, names) or _leads_to_one(one, names) or leads_to_code(one)]
    others = [one for one in said if one not in labels]
    return merely_asks("\n\n".join(others or said), base, *names)


def only_introduced(prose: str, paths: Iterable[str]) -> frozenset[str]:
    """The files that a prompt names, by their last parts, above code that it shows and nowhere else.

    >>> only_introduced("Here is my a.py now:\\n\\na.py\\n\\nRemove `f` from b.py.", ["a.py", "b.py"])
    frozenset({'a.py'})
    """
    said = sentences(without_labels(prose))
    bases = {path: path.rpartition("/")[2] for path in paths}
    return frozenset(
        path
        for path, base in bases.items()
        if not any(mentions_word(one, base) and not _is_label(one, base, ()) for one in said)
    )


def without_labels(prose: str) -> str:
    """A prompt's words without its lines that are only a path: the labels of what it pastes."""
    lines = prose.split("\n")
    return "\n".join(line for line in lines if not ((hint := hint_in_line(line)) is not None and hint.sure))


def _is_label(sentence: str, base: str, names: Iterable[str]) -> bool:
    found = _ENDS_AS_LABEL.search(sentence)
    path = without_words_around(found["path"]) if found is not None else ""
    is_path = path.replace("\\", "/").rpartition("/")[2] == base
    return is_path and not any(mentions_word(sentence, name) for name in names)


def _leads_to_one(sentence: str, names: Iterable[str]) -> bool:
    """Whether a sentence ends in a definition's name, as a label does."""
    found = _ENDS_AS_LABEL.search(sentence)
    return found is not None and found["path"].rstrip("()") in names


def _spoken_of(shown: Shown) -> list[str]:
    """The names by which a prompt may speak of what was placed."""
    base = shown.path.rpartition("/")[2]
    return [base, *(name.rpartition(".")[2] for name in _top(shown))]


def _top(shown: Shown) -> tuple[str, ...]:
    seen = outline(language_of_path(shown.path), shown.text)
    inside = f"{shown.container}."
    return tuple(s.base for s in seen.symbols if (s.name.startswith(inside) if shown.container else s.parent is None))


# -- sentence


def said_above(sentence: str, *, by_user: bool = False) -> str:
    """The path with which a sentence above a fence ends as a label does; empty where there is none, or one of several.
    People forget the colon."""
    found = _ENDS_AS_LABEL.search(sentence)
    if found is None and by_user:
        found = _ENDS_AS_LABEL.search(f"{sentence.rstrip(' .。?？')}:")
    path = without_words_around(found["path"]) if found is not None else ""
    path = path[1:-1] if re.fullmatch(r"\([^()]*\)", path) else path  # `Here's the code (a.py):`
    return path if looks_like_path(path) and not paths_listed(sentence) else ""


def _led_to(sentence: str, asked: Asked) -> str:
    """The one path of the sentence before one that only leads to the user's code (`Fix the sum in a.py. Here is the
    code:`); empty where that code may be a part, or there is none."""
    if asked.by_model or not introduces(sentence) or holds(sentence, "part") or paths_named(sentence, asked.root):
        return ""
    said = sentences(asked.prose)
    before = [said[n - 1] for n, one in enumerate(said) if n and one == sentence]
    paths = paths_named(before[0], asked.root) if len(before) == 1 else set()
    return paths.pop() if len(paths) == 1 else ""


def _by_new_name(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """A file that is not tracked yet, by the sentence or heading, where the user names it, too, or that says that it is
    made: what is moved there defines what another file still holds. So does one that is named after what it defines, or
    into which that goes as it stands."""
    heads = asked.by_model and headed_by(snippet.above)
    found = by_sentence(snippet, asked, known) if heads or _ENDS_AS_LABEL.search(snippet.above) else None
    puts = paths_put(snippet.above, asked.root).get(found.path, False) if found is not None else False
    made = asked.by_model and (puts or holds(snippet.above, "makes") or holds(snippet.above, "adds"))
    if found is None or known.file(found.path).tracked:
        return None
    base = found.path.rpartition("/")[2]
    stem = base.rpartition(".")[0]
    takes = (stem in _top(found) and not known.holding(stem)) or stands_elsewhere(snippet, found.path, known)
    return found if made or mentions_word(asked.prose, base) or (asked.by_model and takes) else None


def by_sentence(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """The path with which the sentence above ends, or with which and a word or two and a colon."""
    above, written = snippet.above, said_above(snippet.above, by_user=not asked.by_model)
    headed = not written and asked.by_model
    written = (headed_by(above) or _added_to(above)) if headed else written or _led_to(above, asked)
    path = normalise_path(written, asked.root) if written else None
    languages = languages_of(snippet, known.languages)
    said_to_be = [language_named(snippet.language)] if snippet.language else []
    if path is None or (said_to_be and not any(fits(path, one) for one in (*said_to_be, *languages))):
        return None
    state = known.file(path)
    if not state.tracked:
        longer = known.longer(path) or ([as_prompted(path, asked.prose, asked.root)] if asked.by_model else [])
        state = known.file(longer[0]) if len(longer) == 1 else state
    language = language_of_path(state.path)
    seen = outline(language, opened(language, snippet.text))
    names = {symbol.name for symbol in seen.symbols}
    is_code = bool(names) or seen.only_imports
    tells = not asked.by_model and is_code and holds(snippet.above, "told")  # `I added this to a.py:`
    shared = (names & state.symbols.keys()) | (_holders(names) & _holders(state.symbols))
    adds = asked.by_model and not shared and written == _added_to(snippet.above)
    adds = adds and bool(names) and not any(map(known.holding, names))
    others = (not shared and not adds) or _is_of_other_tests(path, names, shared, asked)
    if state.tracked and state.symbols and not tells and others:
        return None
    if not state.tracked and not ((seen.sound or seen.by_pattern) and names and _is_code(state.path)):
        said = not asked.by_model and is_users_data(snippet, state.path, written)
        return placed_in(snippet, state.path, language, Ground.SENTENCE) if said else None
    if not state.tracked and not seen.preamble and _is_inside(snippet.above, written):
        return None
    if headed and not state.tracked and all(symbol.kind is Kind.VALUE for symbol in seen.symbols):
        return None  # it may show how the file is used
    part = not state.tracked and holds(snippet.above, "part") and not holds(snippet.above, "makes")
    return placed_in(snippet, state.path, next(iter(languages), None), Ground.SENTENCE, part=part)


def by_heading(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """The tracked file that the heading above a model's code names, or a sentence that says nothing else (`In a.py:`),
    for functions and types that nobody has."""
    placed = _ONLY_PLACE.fullmatch(snippet.above)
    headed = without_words_around(placed["path"]) if placed is not None else snippet.headed
    path = normalise_path(headed, asked.root) if asked.by_model and headed else None
    state = known.file(path) if path is not None else None
    if state is not None and not state.tracked and len(longer := known.longer(state.path)) == 1:
        state = known.file(longer[0])
    if state is None or not state.tracked:
        return None
    for language, seen in readings(snippet, known.languages):
        top = [symbol for symbol in seen.symbols if symbol.parent is None]
        new = seen.top_level() and not any(known.holding(symbol.name) for symbol in top)
        if is_of(state.path, language) and new and any(symbol.kind is not Kind.VALUE for symbol in top):
            return placed_in(snippet, state.path, language, Ground.SENTENCE)
    return None


def _holders(names: Iterable[str]) -> set[str]:
    """The types that some definitions are of: `Cart::total` stands outside of its own, beside another one of it."""
    return {name.rpartition(".")[0] for name in names} - {""}


def _added_to(sentence: str) -> str:
    """The one path to which a sentence adds what it leads to (`In `a.py`, add this function:`); empty where there is
    none."""
    put = list(paths_put(sentence, None)) if introduces(sentence) and holds(sentence, "adds") else []
    return put[0] if len(put) == 1 else ""


def _is_of_other_tests(path: str, names: Collection[str], shared: Collection[str], asked: Asked) -> bool:
    """Whether code brings tests beside what it repeats, while the prompt wants those in a file named for them."""
    tests = any(map(is_of_tests, paths_named(asked.prose, asked.root))) and not is_of_tests(path)
    return asked.by_model and tests and brings_tests(names, shared)


def _is_inside(sentence: str, written: str) -> bool:
    """Whether a sentence without a colon speaks of something in a file: `It crashes in util.py`."""
    behind = rf"(?<!\w){listed('place')}\s+(?:{listed('article')}\s+)*[`\"'*]*{re.escape(written)}"
    return not sentence.rstrip(" *_`").endswith((":", "：")) and re.search(behind, sentence, re.I) is not None


def _is_code(path: str) -> bool:
    language = language_of_path(path)
    return language is not None and language.nature is Nature.CODE


# -- place


def by_place(snippet: Snippet, asked: Asked, known: Known) -> Shown | None:
    """The one path, or the one type, to which the prompt puts just the definitions that the fence brings. Of constants
    beside them those come along that the file lacks and that the rest of the code uses."""
    if (member := new_member(snippet, asked, known)) is not None:
        return member
    for read_in, seen in readings(snippet, known.languages):
        top = [s for s in seen.symbols if s.parent is None]
        names = [s.leaf for s in top if s.kind is not Kind.VALUE] or [s.leaf for s in top]
        about = [one for one in sentences(asked.prose) if any(mentions_word(one, name) for name in names)]
        paths = _paths_named(asked.prose, asked.root) or _paths_named("\n\n".join(about), asked.root)
        path = next(iter(paths), "") or _in_play_for(names, top, read_in, asked, known)
        language, words = language_of_path(path), re.sub(rf"{re.escape(path)}(?!\w|::)", "", asked.prose)
        if (
            language is not None
            and read_in.kin == language.kin
            and names
            and (not seen.loose or any(s.kind is not Kind.VALUE for s in top))
            and all(mentions_word(words, name) for name in names)
        ):
            state = known.file(path)
            if not state.tracked and (longer := known.longer(path)):
                return placed_in(snippet, longer[0], read_in, Ground.PLACE) if len(longer) == 1 else None
            if not state.tracked:
                return _new(snippet, path, read_in, names, asked)
            beside = [s for s in top if s.leaf not in names and (s.name in state.symbols or not _is_used(seen, s, top))]
            return placed_in(replace(snippet, text=cut_out(seen, beside)), path, read_in, Ground.PLACE)
    return None


def _in_play_for(names: Collection[str], top: Iterable[Symbol], language: Language, asked: Asked, known: Known) -> str:
    """The one file of its language that the prompt pastes or mentions, where other sentences ask for what nobody has:
    its label does for the word of place."""
    path = alone_in_play(language, asked)
    said = [one for one in sentences(without_labels(asked.prose)) if any(mentions_word(one, name) for name in names)]
    is_new = bool(path) and not brings_tests(names, ()) and not any(map(known.holding, names))
    if not is_new or not known.file(path).tracked or any(paths_named(one, asked.root) for one in said):
        return ""
    text = known.file(path).text() or ""  # what it uses already may stand elsewhere: `slug(x) fails.`
    if any(mentions_word(text, name) for name in names) and not any(holds(one, "adds") for one in said):
        return ""
    may_be_file = any(symbol.kind is Kind.TYPE for symbol in top)  # `Write a class Order that uses Cart.`
    return "" if any(map(partial(_is_for_another, may_be_file), said)) else path


def _is_for_another(may_be_file: bool, sentence: str) -> bool:
    """Whether what a sentence names may be meant for another file than the one in play, or not to be there at all."""
    made = may_be_file and holds(sentence, "makes") and not holds(sentence, "adds")
    return made or holds(sentence, "negation")


def _new(snippet: Snippet, path: str, language: Language, names: Iterable[str], asked: Asked) -> Shown | None:
    """A file that nobody has shown: it is asked for itself, or the names stand beside it; a part of one that is spoken
    of as there already, or that lacks what a file of its language begins with."""
    said = next((one for one in sentences(asked.prose) if path in paths_put(one, asked.root)), "")
    itself = paths_put(said, asked.root).get(path, False)
    if holds(said, "negation") or not (itself or any(mentions_word(said, name) for name in names)):
        return None
    part = (not itself and is_there(said, path)) or lacks_head(language, snippet.text)
    return placed_in(snippet, path, language, Ground.PLACE, part=part)


def _is_used(seen: Outline, constant: Symbol, top: Iterable[Symbol]) -> bool:
    return any(mentions_word(seen.slice(other), constant.leaf) for other in top if other is not constant)


def _paths_named(prose: str, root: str | None) -> set[str]:
    """The path in some words, if exactly one is named, and that behind a word that puts something there."""
    named = paths_named(prose, root)
    return named if len(named) == 1 and named <= paths_put(prose, root).keys() else set()
