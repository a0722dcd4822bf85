"""Mentions: which entities a prompt's prose may name (SEMANTICS 4).

Finds candidates only; what is tracked under them is looked up elsewhere. Linear in the prose, whatever it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from tslp_litellm.words.letters import apart, without_first, without_last

PROSE_CHARS_MAX = 200_000
"""More is no prose: of a longer text the beginning and the end are looked at."""
PROSES_MAX = 8
"""So many are remembered: the calls of a turn come with the same words."""
WORD_CHARS_MAX = 512
WORDS_BEFORE_MAX = 6
"""A path may begin so many words before its last one, the one with its extension."""
LONGER_MAX = 4_000
"""So many words of a prose are tried as the end of a path with spaces, words before each counted."""

_TICKED = re.compile(r"`([^`\n]+)`")
_QUOTED = re.compile(
    rf"`([^`\n]{{1,{WORD_CHARS_MAX}}})`|\"([^\"\n]{{1,{WORD_CHARS_MAX}}})\"|[“„]([^“„”\n]{{1,{WORD_CHARS_MAX}}})[”“]"
    rf"|«([^«»\n]{{1,{WORD_CHARS_MAX}}})»|(?<!\w)'([^'\n]{{1,{WORD_CHARS_MAX}}})'(?!\w)"
)
_BEGINNING = re.compile(r"(?:^|(?<=[\s(\[{<\"'`“„«=:，。：；、（「『《【]))\S", re.M)
_WORD = re.compile(r"[^\s`'\"<>|,;*，。：；、！？（）「」『』《》【】]+")
_PIECE = re.compile(r"(?:[\w.@~$+\-/\\]++|\[[\w.\-]++\]|\([\w.\-]++\)(?=/))++(?:::[\w$.:#]++)?")
"""What a path is mostly written with, in a word that holds other characters too."""
EMPHASIS = "_~"
"""Marks of Markdown around a word that may be part of one as well."""
_TELLING = re.compile(r"\w|[^\x00-\x7f]")
_SUFFIX = re.compile(r":\d+(?:[:-]\d+)?$")
_SYMBOL = re.compile(r"[^\W\d][\w$]*(?:(?:\.|#|::)[\w$]+)*")
_NAME = re.compile(r"(?<![\w$])(?!\d)[\w$]+(?:(?:\.|::|#|->)(?!\d)[\w$]+)*(?:[?!](?!\w))?(?:#\d+)?")
_CALLS = ("(", "（")
_MARKS = "!?"
"""What may end a name in Ruby or Elixir, and a sentence in any language."""
_URL = re.compile(r"\b[A-Za-z][A-Za-z0-9+.\-]{1,20}://\S+")
_IDENTIFIER = re.compile(r"_|\$|[a-z0-9][A-Z]|\d|^[A-Z]{2}")
_TRACED = re.compile(
    r"(?<![\w./\\~@+:-])((?:[A-Za-z]:)?[\w./\\~@+-]+\.\w{1,10})(?:[\"']?, line |:line |:|\(| on line )\d"
)
"""A file with a line of it: `"a.py", line 7`, `a.rs:7:3`, `(A.java:7)`, `A.cs:line 7`, `a.ts(7,3)`, `a.c on line 7`."""
_BARE_FILE = re.compile(r"\A(?:[A-Z][A-Za-z]*file|\.\w[\w.\-]*)")


@dataclass(frozen=True, slots=True)
class PathMention:
    """Words that may be a path, or the tail of one: `at` … `end` in the prose."""

    at: int
    path: str
    end: int = 0


@dataclass(frozen=True, slots=True)
class NameMention:
    """A word that may be a symbol: `total`, `Cart.total`. `path`: where it was written `path::symbol`.
    `type_only`: a plain capitalised word, which means a type or nothing. `marked`: in backticks, or before `(`."""

    at: int
    name: str
    path: str | None = None
    type_only: bool = False
    end: int = 0
    marked: bool = False

    @property
    def is_identifier(self) -> bool:
        """Whether it looks like a name by itself: an underscore, an inner capital, a digit."""
        return _IDENTIFIER.search(self.name) is not None


Mention = PathMention | NameMention


def mentions(prose: str) -> tuple[Mention, ...]:
    """Candidates in the order of the text, of those that begin together the longest first.

    One may hold another: `file.md` is one, and so is `my notes/file.md`; only what is tracked tells which is meant.
    """
    return _found(prose)


@lru_cache(maxsize=PROSES_MAX)
def _found(prose: str) -> tuple[Mention, ...]:
    if len(prose) > PROSE_CHARS_MAX:
        prose = prose[: PROSE_CHARS_MAX // 2] + "\n" + prose[-PROSE_CHARS_MAX // 2 :]
    text = _URL.sub(lambda m: " " * len(m.group()), prose)
    found = dict.fromkeys((*_mentions(text), *(_mentions(parted) if (parted := apart(text)) != text else ())))
    return tuple(sorted(found, key=lambda mention: (mention.at, -mention.end)))


def _mentions(text: str) -> list[Mention]:
    written = [(m.group(), m.start()) for m in _WORD.finditer(text)]
    words = [mention for word, at in written for mention in (*_paths(word, at), *_inside(word, at))]
    glued = ((part, at + len(word) - len(part)) for word, at in written for part in without_first(word))
    words += [mention for part, at in islice(glued, LONGER_MAX) for mention in _paths(part, at)]
    quoted = _quoted(text)
    ended = {(mention.at, mention.end) for mention in quoted}
    longer = _longer(text, [word for word in words if (word.at, word.end) not in ended])
    return [*words, *quoted, *longer, *_names(text, words)]


def _paths(words: str, at: int) -> list[Mention]:
    """Words as `path::symbol`, or as a path."""
    if len(words) > WORD_CHARS_MAX:
        return []
    end = at + len(words)
    path, separator, rest = words.partition("::")
    if separator:
        symbol = _SYMBOL.match(rest)
        if symbol is None or not re.search(r"[./\\]", path):
            return []
        whole, *cut = without_last(symbol.group())
        names = [(whole, end), *((whole + mark, end) for mark in rest[symbol.end() :][:1] if mark in _MARKS)]
        names += [(name, end - len(rest) + len(name)) for name in cut]
        return [NameMention(at, name.replace("::", "."), clean_path(path), end=ends) for name, ends in names]
    path = clean_path(words)
    if _TELLING.search(path) and ("/" in path.strip("/") or "." in path[1:] or _BARE_FILE.fullmatch(path)):
        return [PathMention(at, path, end)]
    return []


def _inside(word: str, at: int) -> list[Mention]:
    """Paths with something beside them in their word: `src/a.py#L12`, `[a](src/a.py)`, `_src/a.py_`. None begins with a
    slash: what stands before that is its folder."""
    if len(word) > WORD_CHARS_MAX:
        return []
    pieces = [(m.group(), m.start()) for m in _PIECE.finditer(word) if not (m.start() and m.group()[0] in "/\\")]
    marked = [
        (piece.strip(piece[0]), start + len(piece) - len(piece.lstrip(piece[0])))
        for piece, start in pieces
        if piece[0] in EMPHASIS and piece[-1] == piece[0]
    ]
    found = [(piece, start) for piece, start in (*pieces, *marked) if start or ("::" not in piece and piece != word)]
    return [one for piece, start in found for one in _paths(piece, at + start)]


def _quoted(text: str) -> list[Mention]:
    """What stands in backticks or quotation marks, spaces and all."""
    spans = (m.span(m.lastindex or 0) for m in _QUOTED.finditer(text))
    return [mention for start, end in spans for mention in _paths(text[start:end], start)]


def _longer(text: str, words: Sequence[Mention]) -> list[Mention]:
    """Words that look like a path, with some of the words before them in their line: a path may hold spaces."""
    beginnings = [m.start() for m in _BEGINNING.finditer(text)] if words else []
    spans = (
        (start, word.end)
        for word in words
        for start in _before(text, word.at, beginnings)
        if word.end - start <= WORD_CHARS_MAX and "::" not in text[start : word.at]
    )
    return [mention for start, end in islice(spans, LONGER_MAX) for mention in _paths(text[start:end], start)]


def _before(text: str, at: int, beginnings: Sequence[int]) -> Sequence[int]:
    """The last few beginnings of words before a place in its line."""
    line = text.rfind("\n", max(0, at - WORD_CHARS_MAX), at) + 1
    last = bisect_left(beginnings, at)
    return [start for start in beginnings[max(0, last - WORDS_BEFORE_MAX) : last] if start >= line]


def _names(text: str, words: Sequence[Mention]) -> list[Mention]:
    """Names outside of words `path::symbol`."""
    full = {mention.at: mention.end for mention in words if isinstance(mention, NameMention)}
    ticked = {at for m in _TICKED.finditer(text) for at in range(m.start(1), m.end(1))}
    found: list[Mention] = []
    taken = 0
    for m in _NAME.finditer(text):
        if m.start() in full or (full and m.start() < taken):
            taken = max(taken, full.get(m.start(), 0))
        elif len(m.group()) <= WORD_CHARS_MAX:
            found += _name(m, text, m.start() in ticked)
    return found


def clean_path(word: str) -> str:
    """A path as written in prose, without `@`, line numbers, brackets around it and punctuation; a long word as is."""
    if len(word) > WORD_CHARS_MAX:
        return word
    word = word.rstrip(".,:;!?")
    word = _SUFFIX.sub("", word).replace("\\", "/")
    while word[:1] in "([{" and word[:1] and not _balanced(word):
        word = word[1:]
    while word[-1:] in ")]}.,:;!?" and word and not _balanced(word):
        word = word[:-1]
    if re.fullmatch(r"\([^()]*\)|\[[^\[\]]*\]", word):
        word = word[1:-1]
    word = _SUFFIX.sub("", word.rstrip(".,:;!?")).lstrip("@")
    while word.startswith("./"):
        word = word[2:]
    return word


def traced(text: str) -> tuple[str, ...]:
    """The files of which some output names a line, as traces, compilers and linters do, each once."""
    return tuple(dict.fromkeys(m[1] for m in _TRACED.finditer(text)))


def _balanced(word: str) -> bool:
    return all(word.count(a) == word.count(b) for a, b in ("()", "[]", "{}"))


def _name(m: re.Match[str], text: str, quoted: bool) -> list[NameMention]:
    name = re.sub(r"::|->|#(?!\d)", ".", m.group())
    name = name if quoted else name.rstrip("?!")  # Ruby's `empty?`, or the end of a question
    called = text[m.end() : m.end() + 1] in _CALLS
    if quoted or called or "." in name or _IDENTIFIER.search(name):
        return [NameMention(m.start(), name, end=m.end(), marked=quoted or called)]
    return [NameMention(m.start(), name, type_only=True, end=m.end())] if name[0].isupper() else []


READ_MAX = 4
"""So many of its last words are looked at where a dotted name is read otherwise than as it stands."""


def readings(mention: NameMention) -> list[NameMention]:
    """What a dotted name that nothing has may mean, what is nearest first: the type that is to have such a member, and
    what stands behind its first words, which may be a package, a module or a variable.

    >>> [one.name for one in readings(NameMention(0, "shop.Cart.total"))]
    ['shop.Cart', 'Cart.total', 'Cart', 'total']
    """
    words = mention.name.split(".")
    last, found = words[-READ_MAX:], list[NameMention]()
    for n in range(len(last) - 1):
        found += [replace(mention, name=".".join(last[n:]))] if n or len(last) < len(words) else []
        found.append(replace(mention, name=".".join(last[n:-1]), type_only=True))
    return (
        [*found, replace(mention, name=last[-1], type_only=last[-1][:1].isupper() and not mention.marked)]
        if found
        else []
    )


def once(found: Sequence[Mention]) -> list[Mention]:
    """The first mention of each word; a plain one gives way to one in backticks, or before `(`."""
    kept: dict[tuple[str | None, str, bool], Mention] = {}
    for mention in found:
        if isinstance(mention, PathMention):
            kept.setdefault((None, mention.path, True), mention)
            continue
        key = (mention.path, mention.name, False)
        old = kept.get(key)
        if old is None:
            kept[key] = mention
        elif isinstance(old, NameMention) and (old.type_only, not old.marked) > (mention.type_only, not mention.marked):
            kept[key] = replace(mention, at=old.at, end=old.end)
    return list(kept.values())
