"""Where a prompt puts what it asks for, and the files that it asks for as a whole (SEMANTICS 2, Which file 4)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tslp_litellm.dialects.paths import is_of_tests, looks_like_path
from tslp_litellm.dialects.values import Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.structure import is_of
from tslp_litellm.state.names import normalise_path
from tslp_litellm.syntax.languages import Language, Nature, language_named, language_of_path
from tslp_litellm.syntax.outline import Kind
from tslp_litellm.words.letters import LETTER, PARTING_NONE, WORD_BEGINS, WORD_ENDS, apart
from tslp_litellm.words.mentions import NameMention, mentions
from tslp_litellm.words.sentences import (
    PROSE_CHARS_MAX,
    asks_for_deed,
    holds,
    leads_to_code,
    listed,
    listed_before,
    listed_behind,
    sentences,
)

NO_FUNCTIONS = frozenset({"java", "csharp"})
"""Languages in which every function is a member."""
PATH_CHARS_MAX = 512
_APART, _BLANK = r"\s`\"'*,;()<>，。、；：「」", rf"(?:\s+|(?<=(?-i:[{PARTING_NONE}])))"
_PUT = re.compile(
    rf"(?={WORD_BEGINS}(?:{listed_before('place')}|(?P<itself>{listed_before('itself')})){_BLANK}"
    rf"(?:{listed('article')}\s+){{0,6}}[`\"'*(]*(?P<path>[^{_APART}]{{1,{PATH_CHARS_MAX}}}))",
    re.I,
)
"""A word, and behind it the path to which something is put, or which is asked for itself."""
_PUT_BEHIND = re.compile(
    rf"(?<!{LETTER}|[.@~$+\-/\\])(?P<path>(?:{LETTER}|[.@~$+\-/\\]){{1,{PATH_CHARS_MAX}}}+)[`\"'*)]*\s?"
    rf"(?:{listed_behind('place')}|(?P<itself>{listed_behind('itself')})){WORD_ENDS}",
    re.I,
)
"""The same in front of it: `src/a.pyに`."""

_ADDS = re.compile(rf"(?<!\w){listed('adds')}(?!\w)", re.I)
_TO = re.compile(r"\b(?:to|into|zu|à)\s", re.I)
_AT_ITS_END = re.compile(r"\bat the \w+ of\b", re.I)


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that a prompt wants made. `part`: what it asks for is a part of it; `names`: of that, the last parts."""

    path: str
    part: bool
    names: frozenset[str]


_CALLED = re.compile(r"[,:(]\s*[`\"']?(?P<path>[^\s,:()`\"']+)[`\"')]*[.!?]?\s*\Z")
"""What the end of a sentence is about, by its name: `Write a migration, 002.sql.`"""


def paths_named(prose: str, root: str | None) -> set[str]:
    """All paths in some words, as the State Map writes them."""
    return _written(re.split(rf"[{_APART}]+", apart(prose)), root)


def _written(words: Iterable[str], root: str | None) -> set[str]:
    said = (word.rstrip(".:!?").partition("::")[0] for word in words)
    found = (normalise_path(word, root) for word in said if looks_like_path(word))
    return {path for path in found if path is not None}


def paths_put(prose: str, root: str | None) -> dict[str, bool]:
    """The paths to which some words put something, each with whether it is asked for itself.

    >>> paths_put("在src/a.py里写load", None), paths_put("src/a.pyを作って", None)
    ({'src/a.py': False}, {'src/a.py': True})
    >>> paths_put("Write a parser in a.py and create b.py.", None)
    {'a.py': False, 'b.py': True}
    """
    found = dict[str, bool]()
    for put in (*_PUT.finditer(prose), *_PUT_BEHIND.finditer(prose)):
        for path in _written(apart(put["path"]).split()[:1], root):
            found[path] = found.get(path, False) or put["itself"] is not None
    return found


def new_files(prose: str, root: str | None) -> list[NewFile]:
    """The files of code that a prompt wants made; of files alike that one sentence puts something into none is meant.

    >>> new_files("Write a small parser in a.py. It reads b.json.", None)
    [NewFile(path='a.py', part=False, names=frozenset())]
    >>> new_files("Write a new migration for it, 002.sql.", None)
    [NewFile(path='002.sql', part=False, names=frozenset())]
    >>> new_files("Write a function `f` in a.py.", None)
    [NewFile(path='a.py', part=True, names=frozenset({'f'}))]
    >>> new_files("Fix the parser in a.py. Add logging to a.py.", None)
    []
    """
    found, said_all = dict[str, NewFile](), sentences(prose)
    asking = filter(asks_for_deed, said_all) if said_all and asks_for_deed(said_all[-1]) else ()
    for said in (one for one in asking if not holds(one, "negation")):
        makes = holds(said, "makes") and _AT_ITS_END.search(said) is None
        called = _written([name["path"] for name in _CALLED.finditer(said)] if makes else (), root)
        put = dict.fromkeys(called, True) | paths_put(said, root)
        for path, itself in put.items():
            wanted = makes or (itself and holds(said, "adds"))
            others = (other for other, same in put.items() if other != path and same >= itself)  # `like a.py` is there
            if wanted and language_of_path(path) is not None and not any(alike(path, other) for other in others):
                part = not itself and (holds(said, "part") or is_there(said, path))
                found[path] = NewFile(path, part, leaves_in(said) if part else frozenset())
    return list(found.values())


def is_there(said: str, path: str) -> bool:
    """Whether a sentence speaks of a file as of one that is there already.

    >>> is_there("Add logging to a.py.", "a.py"), is_there("Log in my a.py.", "a.py"), is_there("Add a.py.", "a.py")
    (True, True, False)
    """
    added = _ADDS.split(said, maxsplit=1)[1:]
    return is_theirs(said, path) or _AT_ITS_END.search(said) is not None or any(map(_TO.search, added))


def is_theirs(said: str, path: str) -> bool:
    """Whether a sentence speaks of a file as of the user's own.

    >>> is_theirs("There is a bug in my a.py.", "a.py"), is_theirs("Write a.py for my cart.", "a.py")
    (True, False)
    """
    base = re.escape(path.rpartition("/")[2])
    return re.search(rf"{WORD_BEGINS}{listed('mine')}{_BLANK}[^\s]*{base}", said, re.I) is not None


def is_users_data(snippet: Snippet, path: str, written: str) -> bool:
    """Whether the user calls code in the very language of a file of data his file, or leads to it by nothing more than
    the name as it is `written`: `This is my style.css:`, `Here is style.css`."""
    language, above = language_of_path(path), snippet.above
    if language is None or language.nature is not Nature.DATA or language_named(snippet.language) != language:
        return False
    if not snippet.text.strip() or not (outline(language, snippet.text).sound or not language.grammar):
        return False
    bare = leads_to_code(f"{above.replace(written, ' ').rstrip(' .:：')}:")
    return (bare or is_theirs(above, path)) and not holds(above, "part") and not paths_put(above, None)


def lacks_head(language: Language, text: str) -> bool:
    """Whether code lacks what a whole file of its language has: Go's package, a type around Java's methods."""
    if language.name == "go":
        return re.search(r"^package\s", text, re.M) is None
    top = [s for s in outline(language, text).symbols if s.parent is None] if language.name in NO_FUNCTIONS else []
    return any(symbol.kind is Kind.FUNCTION for symbol in top) or (language.name in NO_FUNCTIONS and not top)


def as_prompted(path: str, prose: str, root: str | None) -> str:
    """A path, or the one that a prompt names and of which it is the tail: models shorten what they are asked for.

    >>> as_prompted("a.ts", "Add a file src/a.ts.", None)
    'src/a.ts'
    """
    longer = [one for one in paths_named(prose[-PROSE_CHARS_MAX:], root) if one.endswith(f"/{path}")]
    return longer[0] if len(longer) == 1 else path


def alike(path: str, other: str) -> bool:
    """Whether two files are of one language, and both of tests or neither."""
    language = language_of_path(path)
    return language is not None and is_of(other, language) and is_of_tests(path) == is_of_tests(other)


def leaves_in(words: str) -> frozenset[str]:
    """The last parts of the names that words hold; `a.py` is a file."""
    named = [one for one in mentions(words) if isinstance(one, NameMention) and not one.type_only]
    return frozenset(one.name.rpartition(".")[2] for one in named if language_of_path(one.name) is None)
