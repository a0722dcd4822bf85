"""Labels of a fence (SEMANTICS 2, Which file): its info string, the line above it, its first line.

Refuses what only looks like a path: commands, URLs, line-ranged excerpts. A bare name may be a title (`Node.js`): it
names a file that is tracked; a new one only in a form that titles don't have.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tslp_litellm.dialects.lines import pieces
from tslp_litellm.syntax.languages import Language, Nature, language_of_fence, language_of_path
from tslp_litellm.words.letters import PARTING_NONE
from tslp_litellm.words.sentences import listed

_TOKEN = re.compile(r"(?:[A-Za-z]:[\\/])?(?:[\w.@~$+\-/\\]++|\[[\w.\-]++\]|\([\w.\-]++\)(?=/))++")
_EXTENSION = re.compile(r"[A-Za-z][\w+\-]{0,11}")
_BARE = re.compile(r"[\w.\-]++")
_IMPORT = re.compile(r"\b(?:import|from|require)\b")
IMPORTS_CHARS = 4_000
IMPORT_CHARS = 200
HINT_CHARS_MAX = 512
"""Longer lines are no labels."""
_DECORATION = re.compile(r"^[\s>#*=\-•]*(?:\d+[.)]\s+)?[\s*`「『《【“„«]*|[\s*`:：=\-」』》】”“»]*$")
_LATIN = "A-Za-z\u00c0-\u024f"
_NAMING = re.compile(
    rf"^(?:(?:new|updated|modified|edited|full|complete)\s+)?{listed('file')}\s*[:：=]\s*"
    rf"|^[^\W{_LATIN}]{{0,4}}{listed('file')}[^\W{_LATIN}]{{0,4}}\s*[:：][\s*_`]*",
    re.I,
)
"""What says that a name follows."""
_REMARK = re.compile(
    r"(?<!\s)\s*+[(\[](?:new(?: file)?|updated|modified|edited|created?|changed|full(?: file)?|complete|fixed)"
    r"[)\]]\s*+$",
    re.I,
)
_RANGE = re.compile(r"\blines?\s+\d+|\(\s*\d+\s*[-–:]\s*\d+\s*\)|:\d+[-–:]\d+\b|#L\d+", re.I)
_OF_SYMBOL = re.compile(r"\A(?P<path>[^\s:`]+)::(?P<symbol>[\w$]+(?:(?:\.|::)[\w$]+)*)")
_CITATION = re.compile(r"(?:^|\s)\d+:\d+:")
_ATTRIBUTE = re.compile(r"(?:title|file|filename|filepath|path|name)\s*=\s*(?:\"([^\"]+)\"|'([^']+)'|([^\s}]+))", re.I)
_FILE_KEY = re.compile(r"file|path", re.I)
_COMMENT = re.compile(r"^\s*+(?://+|#+|--+|;+|%+|/\*+|<!--+|\{/\*)\s*+")
_TESTS = re.compile(r"(?:\A|[._-])(?:tests?|spec)[._-]|\ATest[A-Z]|[a-z]Tests?\.\w+\Z")
_COMMENT_END = re.compile(r"(?:\*/\}?|(?<!-)--++>)$")


@dataclass(frozen=True, slots=True)
class Hint:
    """Where a fence's text belongs. `excerpt`: it says itself that it is only some lines of the file. `symbol`: it is
    only that definition. `founds`: it may name a file that nobody knows. `bare`: only its
    looks say that it is a file at all. `alone`: it is all there is in its line. `doubted`: there are more words by it,
    which nobody knows."""

    path: str
    sure: bool = True
    excerpt: bool = False
    symbol: str = ""
    founds: bool = True
    bare: bool = False
    alone: bool = False
    doubted: bool = False


def looks_like_path(token: str) -> bool:
    """Whether a word is a path by its looks: a file name or extension of a known language, or a folder; no URL."""
    if not token or "://" in token or token.endswith(("/", "\\", ".")):
        return False
    name = _name(token)
    stem, dot, extension = name.rpartition(".")
    if not dot:
        return language_of_path(name) is not None
    if _EXTENSION.fullmatch(extension) is None or (stem and not stem.strip(".")):
        return False
    return name != token or not stem or language_of_path(name) is not None


def may_be_path(token: str) -> bool:
    """Whether a word is a path, or a name with an extension that may be one: `schema.prisma`, and `os.path` too."""
    stem, _, extension = token.rpartition(".")
    bare = bool(stem.strip(".")) and _BARE.fullmatch(stem) is not None and _EXTENSION.fullmatch(extension) is not None
    return bare or looks_like_path(token)


def _name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def _is_title(path: str) -> bool:
    """Whether a bare name is written as titles are, with the extension of a programming language: `Node.js`."""
    language = language_of_path(path)
    return path[:1].isupper() and language is not None and language.nature is Nature.CODE


def imports(body: str, path: str) -> bool:
    """Whether a text imports a module of a file's name, which that file itself never does; in a package, where the path
    has a folder. Go imports folders: its `errors.go` may import `errors`."""
    name = _name(path)
    if name.endswith(".go"):
        return False
    stem = (r"(?:[\w.]*\.)?" if name != path else "") + re.escape(name.rpartition(".")[0].lower())
    module = re.compile(rf"\s*(?:from\s+{stem}[\s.]|import\s+{stem}\s*(?:$|[.,;]|as\b)|.*['\"]{stem}(?:\.\w+)?['\"/])")
    lines = (line.lower() for line in body[:IMPORTS_CHARS].splitlines() if len(line) <= IMPORT_CHARS)
    return any(_IMPORT.search(line) and module.match(line) for line in lines)


def fits(path: str, language: Language | None) -> bool:
    """Whether a file of that name can hold what the fence says it holds; the unknown fits everything."""
    other = language_of_path(path)
    if language is None or other is None or language.nature in (Nature.OUTPUT, Nature.PROSE):
        return True
    return language.kin == other.kin


def is_of(path: str, language: Language | None) -> bool:
    """Whether a fence that names both a language and a path can hold that file: output and prose are no code."""
    other = language_of_path(path)
    return language is None or other is None or language.kin == other.kin


def is_of_tests(path: str) -> bool:
    """Whether a file is named as one of tests is: `test_a.py`, `a.spec.ts`, `ATest.java`."""
    return _TESTS.search(path.replace("\\", "/").rpartition("/")[2]) is not None


def language_of_info(info: str) -> Language | None:
    """The language that an info string names: its first word, or what stands before a colon or a brace."""
    word = re.split(r"[\s:{,]", info.strip(), maxsplit=1)[0]
    return language_of_fence(word) if word else None


def hint_in_info(info: str) -> Hint | None:
    """A path in the info string: `python src/a.py`, `src/a.py`, `python:src/a.py`, `js title="a.js"`."""
    if len(info) > HINT_CHARS_MAX:
        return None
    if (cited := _CITATION.search(info)) is not None:
        return Hint(info[cited.end() :].strip(), excerpt=True)
    for match in _ATTRIBUTE.finditer(info):
        path = next(filter(None, match.groups()))
        if looks_like_path(path) or (_FILE_KEY.match(match.group()) and may_be_path(path)):
            return Hint(path, doubted=_says_more(info[: match.start()], info[match.end() :]))
    words = re.split(r"\s+", info.strip())
    head, colon, tail = words[0].partition(":")
    if colon and language_of_fence(head) and looks_like_path(tail):
        words = [head, tail, *words[1:]]
    candidates = [w for w in words if looks_like_path(w) and not (w is words[0] and language_of_fence(w))]
    if not candidates and len(words) > 1 and words[1].lower().endswith("." + words[0].lower()):
        candidates = [words[1]] if may_be_path(words[1]) else []  # `prisma schema.prisma`
    if len(candidates) != 1:
        return None
    at = words.index(candidates[0])
    more = _says_more(" ".join(words[:at]), " ".join(words[at + 1 :]))
    return Hint(candidates[0], excerpt=bool(_RANGE.search(info)), doubted=more)


_INFO_EXTRA = re.compile(r"(?:\{[\d,-]+\}|\s|[{}()\[\],:.]|\blinenums(?:=\"?\d+\"?)?|\bshowLineNumbers)*+", re.I)
"""What an info string may hold beside the language and the path: it says nothing of the text."""


def _says_more(before: str, behind: str) -> bool:
    """Whether an info string holds more than a language in front of the path, and what says nothing of the text."""
    rest = re.sub(r"\A[\s{.]*[\w+#-]*", "", before)
    return not (_INFO_EXTRA.fullmatch(rest) and _INFO_EXTRA.fullmatch(_REMARK.sub("", behind)))


def undecorated(line: str) -> str:
    """A line without headings, bullets, emphasis, `File:` and a final colon; a long one as it is."""
    if len(line) > HINT_CHARS_MAX:
        return line
    bare = _REMARK.sub("", _DECORATION.sub("", line.strip()))
    bare = _DECORATION.sub("", _REMARK.sub("", _NAMING.sub("", _DECORATION.sub("", bare))))
    return bare.strip()


def hint_in_line(line: str) -> Hint | None:
    """A line that is only a path plus decoration."""
    if len(line) > HINT_CHARS_MAX:
        return None
    bare = undecorated(line)
    ranged = _RANGE.search(bare)
    if ranged:
        bare = bare[: ranged.start()].rstrip(" \t([")
    of_symbol = _OF_SYMBOL.fullmatch(bare)
    if of_symbol is not None and looks_like_path(of_symbol["path"]):
        return Hint(of_symbol["path"], symbol=of_symbol["symbol"].replace("::", "."))
    if not bare or re.search(r"\s", bare) or not _TOKEN.fullmatch(bare) or without_words_around(bare) != bare:
        return None
    if looks_like_path(bare):
        return replace(_labelled(bare, line), excerpt=bool(ranged), alone=line.strip() == bare)
    if may_be_path(bare):
        return Hint(bare, sure=False, excerpt=bool(ranged))
    plausible = re.fullmatch(r"[\w.\-]+(?:/[\w.\-]+)+|[A-Z][\w\-]*file|[\w\-]+", bare) and "`" not in line[1:-1]
    return Hint(bare, sure=False, excerpt=bool(ranged)) if plausible else None


_UNSPACED = re.compile(rf"\A[{PARTING_NONE}]+(?=[A-Za-z_.])|(?<=[A-Za-z0-9])[{PARTING_NONE}]+\Z")


def without_words_around(token: str) -> str:
    """A path without the words that stand right before and behind it, as in scripts that part no words.

    >>> without_words_around("这是我的shop/rates.py"), without_words_around("文档/说明.md")
    ('shop/rates.py', '文档/说明.md')
    >>> without_words_around("これがtodo.pyです")
    'todo.py'
    """
    return _UNSPACED.sub("", token)


def _labelled(path: str, line: str) -> Hint:
    """A label's path. A bare name that may be a title founds a file only where it is marked as a name."""
    said = _DECORATION.sub("", line.strip())
    marked = _name(path) != path or f"`{path}`" in line or bool(_NAMING.match(said) or _REMARK.search(said))
    return Hint(path, founds=marked or not _is_title(path), bare=not marked)


def says_range(sentence: str) -> bool:
    """Whether a sentence speaks of some lines of a file: `Lines 3-7 of a.py:`."""
    return _RANGE.search(sentence) is not None


def hint_in_first_line(body: str) -> tuple[Hint, str] | None:
    """A first line that is a comment with only a path in it; with the rest of the body."""
    first, newline, rest = body.partition("\n")
    match = _COMMENT.match(first) if len(first) <= HINT_CHARS_MAX else None
    if not match or not newline:
        return None
    comment = _COMMENT_END.sub("", first[match.end() :].rstrip())
    said = undecorated(comment)
    if not said or re.search(r"\s", said) or not looks_like_path(said):
        return None
    return _labelled(said, comment), rest


def paths_in(text: str, most: int | None = None) -> list[str]:
    """The words of a text that may be paths, each once; where there are more than `most`, one more than that."""
    found: dict[str, None] = {}
    looked_at: set[str] = set()
    for start, end in pieces(text):
        tokens = dict.fromkeys(m.group().rstrip(".") for m in _TOKEN.finditer(text, start, end))
        found |= dict.fromkeys(t for t in tokens if t not in looked_at and may_be_path(t))
        looked_at |= tokens.keys()
        if most is not None and len(found) > most:
            break
    return list(found)[: None if most is None else most + 1]
