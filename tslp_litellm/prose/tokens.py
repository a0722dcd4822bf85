"""Prose cut into sentences, and sentences into words, names and marks. Linear in the text.

A name is what can only be one: a word in backticks or quotes, or one that looks like an identifier or a path. What
is quoted, indented or a heading is nobody's own sentence, and says so (`hearsay`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

LINES_KEPT = 256
"""So many lines are remembered as they were cut."""


class Sort(StrEnum):
    """What a token is. OPAQUE: something that is no word and no name, such as a quotation."""

    WORD = "word"
    NAME = "name"
    MARK = "mark"
    OPAQUE = "opaque"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is what was written, without quotation marks; of a word, in lower case too (`low`). `marked`: it
    stands in backticks or quotation marks."""

    sort: Sort
    text: str
    marked: bool = False
    low: str = field(init=False, compare=False)
    """A word or mark as it is looked up; empty for a name, which means nothing but itself."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", self.text.lower() if self.sort in (Sort.WORD, Sort.MARK) else "")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`end`: the mark that ends it, or nothing. `item`: it opens a list's item. `hearsay`: not the writer's own."""

    tokens: tuple[Token, ...]
    end: str = ""
    item: bool = False
    hearsay: bool = False


_TOKEN = re.compile(
    r"(?P<tick>`{1,3}+)(?P<ticked>[^`\n]+)(?P=tick)"
    r"|(?<!\w)[\"“„«](?P<quoted>[^\"“”„«»\n]*)[\"”“»]"
    r"|(?<![\w'])['‘‚](?P<single>[^\s'’]+)['’](?!\w)"
    r"|(?P<mark>->|=>|→|⇒|\.(?![\w/\\])|[,:—–&;!?。！？；，：、…(){}\[\]])"
    r"|(?P<cjk>[を을를]|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+?(?=[を을를]|[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|$))"
    r"|(?P<word>@?(?:[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[$~])"
    r"(?:[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[$]|[.:#/\\’'+@-](?=[\w$])|::)*(?:\(\))?)"
    r"|(?P<dotted>\.{0,2}/?\.?[\w$](?:[\w$]|[./\\-](?=[\w$]))*)"
    r"|(?P<other>\S)",
)
_IDENTIFIER = re.compile(r"[_$./\\#@:]|\(\)$|\d|[a-z][A-Z]|^[A-Z]{2,}[a-z]")
_ITEM = re.compile(r"^\s{0,3}(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_HEARSAY = re.compile(r"^(?: {4,}|\t|\s{0,3}>|\s{0,3}#{1,6}\s|\s{0,3}\|)")
_ASCII = {"。": ".", "！": "!", "？": "?", "；": ";", "，": ",", "：": ":", "、": ",", "…": "."}


def sentences(prose: str) -> list[Sentence]:
    """The sentences of a text, in order. A line goes on with the next one where that begins in lower case."""
    found: list[Sentence] = []
    for line, item, hearsay in _lines(prose):
        if hearsay:
            found.append(Sentence((), hearsay=True))
        else:
            found += _cut(line, item)
    return found


@lru_cache(LINES_KEPT)
def line_sentences(line: str) -> tuple[Sentence, ...]:
    """The sentences of one line. Several readers ask in turn for the same one, and texts repeat theirs."""
    return tuple(sentences(line))


def _lines(prose: str) -> list[tuple[str, bool, bool]]:
    """Lines as they were meant: text, whether it opens an item, whether it is hearsay."""
    out: list[tuple[list[str], bool, bool]] = []
    fresh = True
    for line in prose.replace("\r\n", "\n").split("\n"):
        item = _ITEM.match(line)
        hearsay = item is None and _HEARSAY.match(line) is not None
        text = line[item.end() :] if item else line.strip()
        if not text:
            fresh = True
        elif fresh or item or hearsay or out[-1][2] or not _goes_on(text):
            out.append(([text], item is not None, hearsay))
            fresh = False
        else:
            out[-1][0].append(text)
    return [(" ".join(parts), item, hearsay) for parts, item, hearsay in out]


def _goes_on(line: str) -> bool:
    first = line.lstrip("`*_\"'(")[:1]
    return bool(first) and not first.isupper()


def _cut(line: str, item: bool) -> list[Sentence]:
    out: list[Sentence] = []
    tokens: list[Token] = []
    for token in _tokens(line):
        if token.sort is Sort.MARK and token.text in ".!?;":
            if tokens or not out:
                out.append(Sentence(tuple(tokens), token.text, item and not out))
            elif token.text == "?":
                out[-1] = Sentence(out[-1].tokens, "?", out[-1].item)
            tokens = []
        else:
            tokens.append(token)
    if tokens:
        end = ":" if tokens[-1].text == ":" else ""
        out.append(Sentence(tuple(tokens[:-1] if end else tokens), end, item and not out))
    return out


def _tokens(line: str) -> list[Token]:
    out: list[Token] = []
    for m in _TOKEN.finditer(line.replace("**", "")):
        kind, text = m.lastgroup, m.group()
        if kind == "ticked" or m["ticked"] is not None:
            out.append(Token(Sort.NAME, _bare(m["ticked"]), marked=True))
        elif m["quoted"] is not None:
            out.append(_said(m["quoted"]))
        elif m["single"] is not None:
            out.append(_said(m["single"]))
        elif kind == "mark":
            out.append(Token(Sort.MARK, _ASCII.get(text, text)))
        elif kind == "cjk":
            out.append(Token(Sort.WORD, text))
        elif kind in ("word", "dotted"):
            out.append(_word(text))
        elif text == "-":
            out.append(Token(Sort.MARK, "—"))
        elif text not in "*_":
            out.append(Token(Sort.OPAQUE, text))
    return out


def _bare(text: str) -> str:
    """A name by itself. `@util.py` mentions a file; `@cached` is a decorator, and no name of a function."""
    name = text.strip().removesuffix("()")
    return name.removeprefix("@") if re.search(r"[./\\]", name) else name


def _said(text: str) -> Token:
    """A quotation: a name where it is one word without spaces; else somebody's words."""
    return (
        Token(Sort.NAME, _bare(text), marked=True)
        if re.fullmatch(r"[\w$./\\:#-]+(?:\(\))?", text)
        else Token(Sort.OPAQUE, text)
    )


def _word(text: str) -> Token:
    word = text.replace("’", "'")
    if "'" not in word and _IDENTIFIER.search(word):
        return Token(Sort.NAME, _bare(word))
    return Token(Sort.WORD, word)
