"""Members shown alone, dedented or not: read within a header of their type (SEMANTICS 2, Which file 2)."""

from __future__ import annotations

import re
import textwrap
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from tslp_litellm.parser import outline
from tslp_litellm.syntax.languages import Language
from tslp_litellm.syntax.left_out import comments_of
from tslp_litellm.syntax.opening import unopened
from tslp_litellm.syntax.outline import Kind, Outline, Symbol

_HEADERS = {
    "python": ("class {}:\n", ""),
    "ruby": ("class {}\n", "end\n"),
    "rust": ("impl {} {{\n", "}\n"),
    "swift": ("extension {} {{\n", "}\n"),
    "php": ("class {} {{\n", "}\n"),
    "cpp": ("class {} {{\n", "};\n"),
    **dict.fromkeys(
        ("javascript", "typescript", "tsx", "java", "csharp", "kotlin", "scala", "dart"), ("class {} {{\n", "}\n")
    ),
}
"""What stands around a member, by language; other languages have none that stand inside a type."""
_PHP = "<?php\n"
_SOME_TYPE = "Tslp"
_INDENT = "    "
_IMPORTS = re.compile(r"\s*(?:import|from|using|use|require|require_relative|package)\b|\s*#include\b")
IMPORTS_LINES_MAX = 20
"""So many lines of imports are looked for above a member."""


def within(language: Language, text: str, container: str, indent: str = _INDENT) -> str | None:
    """A member's text, with bare line ends, within headers of what holds it (`Outer.Inner`), its imports above them.
    `indent`: that of the members in their file. None where the language has no such members.

    >>> from tslp_litellm.syntax.languages import language_named
    >>> within(language_named("python"), "def total(self):\\n    return 1\\n", "Cart")
    'class Cart:\\n    def total(self):\\n        return 1\\n'
    """
    if language.name not in _HEADERS:
        return None
    opening, closing = _HEADERS[language.name]
    imports, text = _apart(language, unopened(language, text.replace("\r\n", "\n")))
    parts = [part.partition("#")[0] for part in container.split(".")]
    expands = language.name == "python" and "\t" not in indent
    body = textwrap.indent(flush_left(language, text.expandtabs(4) if expands else text), indent)
    made = body if body.endswith("\n") else body + "\n"
    for n in reversed(range(len(parts))):
        margin = indent[: len(indent) * n // len(parts)]
        end = textwrap.indent(closing, margin) if closing else ""
        made = margin + opening.format(parts[n]) + made + end
    return (_PHP if language.name == "php" else "") + imports + made


def flush_left(language: Language, text: str) -> str:
    """A text as far to the left as its code goes. Comments that stand further out than that go where it does.

    >>> from tslp_litellm.syntax.languages import language_named
    >>> flush_left(language_named("python"), "# ... existing code ...\\n\\n    def total(self):\\n        return 1\\n")
    '# ... existing code ...\\n\\ndef total(self):\\n    return 1\\n'
    """
    lines, own, opening = text.split("\n"), dict[int, str](), _PHP if language.name == "php" else ""
    starts = list(accumulate((len(line.encode()) + 1 for line in lines), initial=len(opening)))
    for at, comment in comments_of(outline(language, opening + text)):
        first, last = (bisect_right(starts, place) - 1 for place in (at, at + len(comment.rstrip().encode()) - 1))
        if first not in own and "\n".join(lines[first : last + 1]).strip() == comment.strip():
            own |= dict.fromkeys(range(first, last + 1), _margin(lines[first]))
    code = ["" if n in own else line for n, line in enumerate(lines)]
    out = textwrap.dedent("\n".join(code)).split("\n")
    margin = next((line.removesuffix(new) for line, new in zip(code, out, strict=True) if new), "")
    for n, outer in own.items():
        out[n] = lines[n].removeprefix(margin if outer.startswith(margin) else outer)
    return "\n".join(out)


def _margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _apart(language: Language, text: str) -> tuple[str, str]:
    """The imports that a text begins with, and the rest."""
    lines, opening = text.splitlines(keepends=True), _PHP if language.name == "php" else ""
    if _IMPORTS.match(text) is not None:
        for n in range(1, min(len(lines), IMPORTS_LINES_MAX)):
            head, rest = "".join(lines[:n]), "".join(lines[n:])
            if lines[n].strip() and _IMPORTS.match(rest) is None and outline(language, opening + head).only_imports:
                return head, rest
    return "", text


def members_in(language: Language, text: str) -> list[str]:
    """The last parts of the names of what a text defines, if it is sound inside a type; else none."""
    return [symbol.leaf for symbol in as_members(language, text)]


def as_members(language: Language, text: str) -> list[Symbol]:
    """What a text defines, as members of a type, if it is sound inside one; else nothing."""
    wrapped = within(language, text, _SOME_TYPE)
    seen = outline(language, wrapped) if wrapped is not None else None
    if seen is None or not seen.sound:
        return []
    return [symbol for symbol in seen.symbols if symbol.base.rpartition(".")[0] == _SOME_TYPE]


def are_alike(members: Iterable[Symbol], holder: str, base: Outline) -> bool:
    """Whether members may be versions of those that a type has of their names: a type is none of a constructor, nor a
    body of what is only declared."""
    pairs = ((member, base.by_name.get(f"{holder}.{member.leaf}")) for member in members)
    return all(old is None or _form(old) == _form(member) for member, old in pairs)


def _form(symbol: Symbol) -> tuple[bool, bool]:
    return symbol.kind is Kind.TYPE, symbol.kind is Kind.FUNCTION and symbol.body is None


def indent_of(base: Outline | None, container: str) -> str:
    """How far the members of a type are indented in a file's text."""
    for symbol in base.symbols if base is not None else ():
        if symbol.name.rpartition(".")[0] == container:
            return _margin(base.slice(symbol).lstrip("\n") if base is not None else "") or _INDENT
    return _INDENT * (container.count(".") + 1)
