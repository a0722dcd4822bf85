"""Mentions: which entities a prompt's prose may name (SEMANTICS 4).

Finds candidates only; what is tracked under them is looked up elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TICKED = re.compile(r"`+([^`\n]+)`+")
_FULL = re.compile(r"(?P<path>[^\s`'\"()<>,;|*]+?)::(?P<symbol>[A-Za-z_$][\w$]*(?:[.#][\w$]+)*)")
_PATH = re.compile(
    r"(?:[A-Za-z]:[\\/]|~?/|\.{0,2}[\\/])?(?:[\w.@+$~\-]|\[[\w.\-]+\]|\([\w.\-]+\)(?=[\\/])|[\\/])*[\w\])$+~\-](?::\d+(?:[:-]\d+)?)?"
)
_NAME = re.compile(r"(?<![\w$])[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$?!]*)*[?!]?(?:#\d+)?")
_URL = re.compile(r"\b[a-z][a-z0-9+.\-]*://\S+", re.I)
_IDENTIFIER = re.compile(r"_|[a-z0-9][A-Z]|\d|^[A-Z]{2,}.*[a-z]")


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
    text = _URL.sub(lambda m: " " * len(m.group()), prose)
    found: list[Mention] = []
    spans: list[tuple[int, int]] = []
    for m in _FULL.finditer(text):
        if re.search(r"[./\\]", m["path"]):
            found.append(NameMention(m.start(), m["symbol"].replace("::", "."), clean_path(m["path"])))
            spans.append(m.span())
    ticked = [(m.start(1), m.end(1)) for m in _TICKED.finditer(text)]
    for m in _PATH.finditer(text):
        word = clean_path(m.group())
        if not _within(m.start(), spans) and _may_be_path(word):
            found.append(PathMention(m.start(), word))
    for m in _NAME.finditer(text):
        if not _within(m.start(), spans):
            found += _name(m, text, ticked)
    return sorted(_once(found), key=lambda mention: mention.at)


def clean_path(word: str) -> str:
    """A path as written in prose, without `@`, line numbers and punctuation."""
    word = re.sub(r":\d+(?:[:-]\d+)?$", "", word.strip("`*'\"")).rstrip(".,:;!?").lstrip("@")
    return re.sub(r"^(?:\./)+", "", word.replace("\\", "/"))


def _may_be_path(word: str) -> bool:
    return bool(word) and (
        "/" in word.strip("/") or "." in word[1:] or re.fullmatch(r"[A-Z][A-Za-z]*file|\.\w+", word) is not None
    )


def _name(m: re.Match[str], text: str, ticked: list[tuple[int, int]]) -> list[NameMention]:
    name = re.sub(r"::|->|#(?!\d)", ".", m.group())
    called = text[m.end() : m.end() + 1] == "("
    quoted = any(a <= m.start() and m.end() <= b for a, b in ticked)
    if quoted or called or "." in name or _IDENTIFIER.search(name):
        return [NameMention(m.start(), name)]
    return [NameMention(m.start(), name, type_only=True)] if name[0].isupper() else []


def _within(at: int, spans: list[tuple[int, int]]) -> bool:
    return any(a <= at < b for a, b in spans)


def _once(found: list[Mention]) -> list[Mention]:
    """The first mention of each word; a plain one gives way to one in backticks."""
    kept: dict[tuple[str | None, str, bool], Mention] = {}
    for mention in sorted(found, key=lambda m: m.at):
        if isinstance(mention, PathMention):
            kept.setdefault((None, mention.path, True), mention)
        else:
            key = (mention.path, mention.name, False)
            old = kept.get(key)
            if old is None:
                kept[key] = mention
            elif isinstance(old, NameMention) and old.type_only and not mention.type_only:
                kept[key] = NameMention(old.at, old.name, old.path)
    return list(kept.values())
