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
_DIRECTIVE = re.compile(rb"(?m)^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elseif|else|endif)\b")


def first_alternatives(language: str, source: bytes) -> bytes | None:
    """The text as it is compiled where every first alternative holds: directives and other alternatives blanked.

    None where there is no conditional compilation.
    """
    if language not in _CONDITIONAL or not _DIRECTIVE.search(source):
        return None
    out: list[bytes] = []
    blank: list[bool] = []
    for line in source.splitlines(keepends=True):
        directive = _DIRECTIVE.match(line)
        word = directive[1] if directive else b""
        if word.startswith(b"if"):
            blank.append(False)
        elif word == b"endif" and blank:
            blank.pop()
        elif word and blank:
            blank[-1] = True
        out.append(_BLACK.sub(b" ", line) if word or any(blank[-_DEPTH_MAX:]) else line)
    return b"".join(out)
