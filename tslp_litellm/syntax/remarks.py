"""Lines of data and of words that stand for others: rows of dots, remarks, values that are not written out
(SEMANTICS 3, gate A). In code only comments, statements and texts that say so can stand for code; here anything may
give way to words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from tslp_litellm.syntax.languages import Nature, language_named
from tslp_litellm.syntax.left_out import is_placeholder

REMARK_CHARS_MAX = 300
SECTION_LINES_MIN = 2
"""In place of so many lines words in a line of their own may stand for them; of one, they are an edit."""
FOLDED_WORDS_MIN = 2
"""So many words in place of entries may stand for them; one is a value."""

_DOTS = r"(?:\.{3}|…)"
_ROW = re.compile(rf"\A[\s\-*+\"'`|,;:]*+{_DOTS}(?>(?:[\s\"'`|,;:]*+{_DOTS})*)[\s\"'`|,;:]*+\Z")
_BRACKETED = re.compile(r"\A[\s*_~>\-]*+(?:\([^()]*\)|<[^<>=/]*>|\[[^\[\]]*\]|\{[^{}=:]*\})[\s*_~.,;]*+\Z")
_EMPHASIS = re.compile(r"\A[\s>\-]*+(?P<mark>[*_~`]{1,3})(?=[^\s*_~`]).*(?<=[^\s*_~`])(?P=mark)\.?\Z")
_ITEM = re.compile(rf"[\[,(] ?{_DOTS} ?(?:[,\])]|\Z)|[\[,({{:] ?[\"']{_DOTS}[\"'] ?(?:[,\])}}:]|\Z)")
_INSTRUCTION = re.compile(rf"\A[A-Z]{{3,12}} (?:{_DOTS}|<[^<>]+>)\Z")
_COUNTED = re.compile(r"\A\W*(?:and )?\d[\d,.]{0,20} (?:more|other|further|additional|remaining|similar)\b.{0,40}\Z")
_COMMENT = re.compile(r"\A\{? ?\"(?:[_$]{0,2}(?:comment|note)\w{0,9}|//|#)\" ?: ?\"[^\"]*\" ?\}?,?\Z")
"""What stands for a comment in JSON."""
_ASIDE = re.compile(r"\A[\s\-]*+[\"'][(<\[][^()<>\[\]=/]*[)>\]][\"'],?\Z")
_VALUE = re.compile(r"\A(?P<key>[^=:]{1,200}[=:] ?)(?P<value>\S.*)\Z")
_UNWRITTEN = re.compile(rf"\A(?:{_DOTS}|<[^<>]+>|\*{{3,}})\Z")
_IN_TEXT = re.compile(r"<!--|//|--|/\*|#|;|%")
"""How a line begins that is a comment in some language; where it is code in another, it stands in a text. So does one
of words in brackets."""
_TEXT = re.compile(r"(?P<quote>\"{3}|'{3}|[\"'`])(?P<said>[^\"'`\n]{3,200})(?P=quote)")
_OPENED = re.compile(r"(?P<key>[^=:]{1,200}[=:]) ?[{\[]?")
_WORDS = re.compile(r"\w+")
_SENTENCE = re.compile(r"\A[^\W\d_]++(?:[ ,]{1,2}[^\W\d_]++)+[.!]?")
"""Words of letters alone: no command, address or name with signs in it."""
_QUOTES = "\"',; "
_MARKS = " \t-*_~`\"'>,;|"
_BY_ROWS = {"csv": (",", ";", "\t")}
"""Languages whose lines all hold a sign that tells their fields apart."""
_BY_VALUES = frozenset({"ini", "yaml", "toml", "json", "jsonlines", "hcl", "dockerfile"})
_ASIDES = frozenset({"csv", "jsonlines", "gomod"})
"""Languages in which no line stands in brackets that holds only words."""


class Remarks:
    """What may stand for lines that are gone at a place of a text. `alone`: whether it would be the only line there."""

    def __init__(self, lost: Sequence[str], language: str, alone: bool) -> None:
        self._lost, self._language, self._alone = lost, language, alone
        self._nature = language_named(language).nature if language else None

    def stand_in(self, code: str) -> bool:
        """Whether a new line is not written out, but says that others are."""
        if len(code) > REMARK_CHARS_MAX:
            return False
        if self._nature not in (Nature.DATA, Nature.PROSE):
            return self._is_told(code)
        if _ROW.match(code):
            return not self._had_dots
        if any(sign not in code for sign in self._signs) or (self._language in _ASIDES and _BRACKETED.match(code)):
            return True
        return (self._language in _BY_VALUES and self._is_unwritten(code)) or self._is_remark(code)

    @cached_property
    def _had_dots(self) -> bool:
        return any(_ROW.match(one) or _ITEM.search(one) for one in self._lost)

    @cached_property
    def _signs(self) -> list[str]:
        """The signs that tell fields apart in all the rows that are gone."""
        return [sign for sign in _BY_ROWS.get(self._language, ()) if all(sign in one for one in self._lost)]

    @cached_property
    def _values(self) -> dict[str, str]:
        found = (m for m in map(_VALUE.match, self._lost) if m is not None)
        return {m["key"].strip(): m["value"].strip(_QUOTES) for m in found}

    def _is_told(self, code: str) -> bool:
        """Whether a line of code is, or has for a value, a text which says that something is left out."""
        if _IN_TEXT.match(code) or _BRACKETED.match(code):
            return code not in self._whole and is_placeholder(code)
        section = self._alone and len(self._lost) >= SECTION_LINES_MIN
        return any(
            (section or _is_set_off(said)) and said.strip("." + _MARKS) != "" and is_placeholder(said)
            for said in _texts(code)
            if said not in self._said
        )

    @cached_property
    def _whole(self) -> frozenset[str]:
        return frozenset(self._lost)

    @cached_property
    def _said(self) -> set[str]:
        """The texts in what is gone."""
        return {said for one in self._lost for said in _texts(one)}

    def _is_folded(self, code: str) -> bool:
        """Whether a line has words of its own for a value, where entries or items stood."""
        m = _VALUE.match(code)
        if m is None or len(self._lost) <= SECTION_LINES_MIN or _plain(m["key"]) not in self._opened:
            return False
        value = m["value"].strip(_QUOTES)
        if _UNWRITTEN.match(value) or is_placeholder(value):
            return True
        words = set(_WORDS.findall(value.lower()))
        return len(words) >= FOLDED_WORDS_MIN and _SENTENCE.fullmatch(value) is not None and not words & self._words

    @cached_property
    def _opened(self) -> set[str]:
        """The keys that are gone with their entries or items, or that have others now."""
        return {_plain(m["key"]) for m in map(_OPENED.fullmatch, self._lost) if m is not None}

    @cached_property
    def _words(self) -> set[str]:
        return set(_WORDS.findall(" ".join(self._lost).lower()))

    def _is_unwritten(self, code: str) -> bool:
        """Whether a line has dots, words in brackets or asterisks for a value, or for an item, that was written out."""
        if _ITEM.search(code):
            return not self._had_dots
        if self._language == "dockerfile" and _INSTRUCTION.match(code):
            return True
        if self._alone and len(self._lost) >= SECTION_LINES_MIN and (_ASIDE.match(code) or _COMMENT.match(code)):
            return not any(_ASIDE.match(one) or _COMMENT.match(one) for one in self._lost)
        if self._is_folded(code):
            return True
        m = _VALUE.match(code)
        if m is not None and m["value"].startswith("{") and _COMMENT.match(m["value"]):
            return not any("{" in one and _COMMENT.search(one[one.index("{") :]) for one in self._lost)
        before = self._values.get(m["key"].strip()) if m is not None else None
        if m is None or before is None or _UNWRITTEN.match(before):
            return False
        value = m["value"].strip(_QUOTES)
        return _UNWRITTEN.match(value) is not None or (_BRACKETED.match(value) is not None and is_placeholder(value))

    def _is_remark(self, code: str) -> bool:
        """Whether a line is words that stand for lines which are gone."""
        said = code.strip(_MARKS)
        if _is_set_off(code):
            return is_placeholder(said)
        if len(self._lost) < SECTION_LINES_MIN or not self._alone:
            return False
        if is_placeholder(said) or _COUNTED.match(said):
            return True
        return self._nature is Nature.PROSE and _EMPHASIS.match(code) is not None


def _texts(code: str) -> list[str]:
    """The texts in a line of code."""
    return [m["said"] for m in _TEXT.finditer(code)]


def _plain(key: str) -> str:
    return key.replace('"', "").replace(" ", "")


def _is_set_off(said: str) -> bool:
    """Whether words stand in brackets or have dots."""
    return _BRACKETED.match(said) is not None or "..." in said or "…" in said
