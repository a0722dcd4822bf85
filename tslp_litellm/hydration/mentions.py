"""Mentions: which entities a prompt's prose may name (SEMANTICS 4).

Finds candidates only; what is tracked under them is looked up elsewhere. Linear in the prose, whatever it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PROSE_CHARS_MAX = 200_000
"""More is no prose: of a longer text the beginning and the end are looked at."""
WORD_CHARS_MAX = 512

_TICKED = re.compile(r"`([^`\n]+)`")
_WORD = re.compile(r"[^\s`'\"<>|,;*]+")
_PATH = re.compile(r"[\w.@+$~\-/\[\]()]+")
_SUFFIX = re.compile(r":\d+(?:[:-]\d+)?$")
_SYMBOL = re.compile(r"[^\W\d][\w$]*(?:(?:\.|#|::)[\w$]+)*")
_NAME = re.compile(r"(?<![\w$])(?!\d)[\w$]+(?:(?:\.|::|#|->)(?!\d)[\w$]+)*(?:[?!](?!\w))?(?:#\d+)?")
_URL = re.compile(r"\b[A-Za-z][A-Za-z0-9+.\-]{1,20}://\S+")
_IDENTIFIER = re.compile(r"_|\$|[a-z0-9][A-Z]|\d|^[A-Z]{2}[A-Z0-9]*[a-z]")
_BARE_FILE = re.compile(r"\A(?:[A-Z][A-Za-z]*file|\.\w[\w.\-]*)")


@dataclass(frozen=True, slots=True)
class PathMention:
    """A word that may be a path, or the tail of one."""

    at: int
    path: str


@dataclass(frozen=True, slots=True)
class NameMention:
    """A word that may be a symbol: `total`, `Cart.total`. `path`: where it was written `path::symbol`.
    `type_only`: a plain capitalised word, which means a type or nothing."""

    at: int
    name: str
    path: str | None = None
    type_only: bool = False


Mention = PathMention | NameMention


def mentions(prose: str) -> list[Mention]:
    """Candidates in the order of the text, each once."""
    if len(prose) > PROSE_CHARS_MAX:
        prose = prose[: PROSE_CHARS_MAX // 2] + "\n" + prose[-PROSE_CHARS_MAX // 2 :]
    text = _URL.sub(lambda m: " " * len(m.group()), prose)
    found: list[Mention] = []
    full: dict[int, int] = {}  # where words with `path::symbol` begin and end
    for m in _WORD.finditer(text):
        if len(m.group()) <= WORD_CHARS_MAX:
            found += _word(m.group(), m.start(), full)
    ticked = {at for m in _TICKED.finditer(text) for at in range(m.start(1), m.end(1))}
    taken = 0
    for m in _NAME.finditer(text):
        if m.start() in full or (full and m.start() < taken):
            taken = max(taken, full.get(m.start(), 0))
        elif len(m.group()) <= WORD_CHARS_MAX:
            found += _name(m, text, m.start() in ticked)
    return sorted(_once(found), key=lambda mention: mention.at)


def _word(word: str, at: int, full: dict[int, int]) -> list[Mention]:
    """A word as `path::symbol`, or as a path."""
    path, separator, rest = word.partition("::")
    if separator:
        symbol = _SYMBOL.match(rest)
        if symbol is None or not re.search(r"[./\\]", path):
            return []
        full[at] = at + len(word)
        return [NameMention(at, symbol.group().replace("::", "."), clean_path(path))]
    path = clean_path(word)
    if _PATH.fullmatch(path) and ("/" in path.strip("/") or "." in path[1:] or _BARE_FILE.fullmatch(path)):
        return [PathMention(at, path)]
    return []


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


def _balanced(word: str) -> bool:
    return all(word.count(a) == word.count(b) for a, b in ("()", "[]", "{}"))


def _name(m: re.Match[str], text: str, quoted: bool) -> list[NameMention]:
    name = re.sub(r"::|->|#(?!\d)", ".", m.group())
    name = name if quoted else name.rstrip("?!")  # Ruby's `empty?`, or the end of a question
    called = text[m.end() : m.end() + 1] == "("
    if quoted or called or "." in name or _IDENTIFIER.search(name):
        return [NameMention(m.start(), name)]
    return [NameMention(m.start(), name, type_only=True)] if name[0].isupper() else []


def _once(found: list[Mention]) -> list[Mention]:
    """The first mention of each word; a plain one gives way to one in backticks."""
    kept: dict[tuple[str | None, str, bool], Mention] = {}
    for mention in sorted(found, key=lambda m: m.at):
        if isinstance(mention, PathMention):
            kept.setdefault((None, mention.path, True), mention)
            continue
        key = (mention.path, mention.name, False)
        old = kept.get(key)
        if old is None:
            kept[key] = mention
        elif isinstance(old, NameMention) and old.type_only and not mention.type_only:
            kept[key] = NameMention(old.at, old.name, old.path)
    return list(kept.values())
