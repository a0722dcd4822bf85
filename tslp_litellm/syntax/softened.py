"""Text as a grammar can read it: what a preprocessor or a client program would take away, blanked byte for byte.

Grammars know no macros. Where one finds errors in a text, it is given the text without them; every offset holds.
"""

from __future__ import annotations

import re

_WORD = rb"_*[A-Z][A-Z0-9]*_[A-Z0-9_]*"
_CALL = rb"[ \t]*\((?:[^()\n]|\([^()\n]*\))*\)"
_MACRO = _WORD + rb"(?:" + _CALL + rb")?"
_BODY = rb"(?:\{|:(?!:)|=[ \t]*0)"
_C_MACROS = re.compile(
    rb"(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|"  # a directive, kept
    rb"(?P<line>^[ \t]*" + _MACRO + rb"[ \t]*$)|"  # Q_OBJECT_X; BEGIN_NAMESPACE
    rb"(?P<clause>^[ \t]*" + _MACRO + rb"(?=[ \t]*" + _BODY + rb"))|"  # void f()\n    NOEXCEPT_X {
    rb"(?P<front>(?<!typedef )\b" + _MACRO + rb"(?=[ \t\n]+[A-Za-z_~]))|"  # API_EXPORT void f(); class API_EXPORT C
    rb"(?P<behind>(?:(?<=\))|(?<=\bconst)|(?<=\boverride)|(?<=\bfinal))\s*\b"
    + _MACRO
    + rb"(?=\s*(?:;|"
    + _BODY
    + rb")))|"  # void f() NOEXCEPT_X;
    rb"(?P<field>(?<=\w)[ \t]+" + _WORD + _CALL + rb"(?=\s*[;=]))"  # int x GUARDED_BY(m);
)
_PATTERNS = {
    "c": _C_MACROS,
    "cpp": _C_MACROS,
    "swift": re.compile(rb"(?m)(?P<line>^[ \t]*#(?:if|elseif|else|endif)\b[^\n]*)"),
    "csharp": re.compile(rb"(?m)(?P<line>^[ \t]*#(?:if|elif|else|endif)\b[^\n]*)"),
    "sql": re.compile(rb"(?m)(?P<line>^\\[a-z][^\n]*)"),
}
_BLACK = re.compile(rb"\S")


def softened(language: str, source: bytes) -> bytes | None:
    """The text with what its grammar can't know blanked; None where there is nothing of that."""
    pattern = _PATTERNS.get(language)
    if pattern is None:
        return None
    text = pattern.sub(lambda m: _BLACK.sub(b" ", m.group()) if m.lastgroup else m.group(), source)
    return text if text != source else None


_CONDITIONAL = frozenset({"c", "cpp", "csharp", "swift", "objc"})
_DEPTH_MAX = 50
_Place = tuple[tuple[int, int], ...]
_DIRECTIVE = re.compile(rb"(?m)^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elseif|else|endif)\b")
_COMPILATIONS_MAX = 16


def compilations(language: str, source: bytes) -> list[bytes]:
    """The text as it may be compiled: directives blanked, and of each condition all alternatives but one.

    Each alternative stands in one of the texts at least. Empty without conditional compilation, or with too much of it.
    """
    if language not in _CONDITIONAL or not _DIRECTIVE.search(source):
        return []
    lines = source.splitlines(keepends=True)
    places = _places(lines)
    left = {place for place in places if place}
    found: list[bytes] = []
    while left or not found:
        if len(found) == _COMPILATIONS_MAX:
            return []
        taken: dict[int, int] = {}
        for place in sorted(left):
            if all(taken.get(condition, branch) == branch for condition, branch in place):
                taken.update(place)
        kept = {
            p for p in places if p is not None and all(taken.get(condition, 0) == branch for condition, branch in p)
        }
        left -= kept
        found.append(b"".join(x if p in kept else _BLACK.sub(b" ", x) for x, p in zip(lines, places, strict=True)))
    return found


def _places(lines: list[bytes]) -> list[_Place | None]:
    """Where each line stands: the conditions around it, each with the number of its alternative. None: a directive."""
    found: list[_Place | None] = []
    around: list[tuple[int, int]] = []
    conditions = 0
    for line in lines:
        directive = _DIRECTIVE.match(line)
        word = directive[1] if directive else b""
        if word.startswith(b"if"):
            around.append((conditions, 0))
            conditions += 1
        elif word == b"endif" and around:
            around.pop()
        elif word and around:
            around[-1] = (around[-1][0], around[-1][1] + 1)
        found.append(None if word else tuple(around[:_DEPTH_MAX]))
    return found
