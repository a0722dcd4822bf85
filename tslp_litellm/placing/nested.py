"""A function that stands inside another one, shown alone: React's handlers, Python's closures, the methods of Vue's
objects (SEMANTICS 2, Which file 2). It has no entity of its own; what holds it has."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from tslp_litellm.parser import outline
from tslp_litellm.parser.budget import spend
from tslp_litellm.placing.members import members_in
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.languages import Language, Nature, language_named, language_of_path
from tslp_litellm.syntax.outline import Kind

LINES_TRIED_MAX = 20
"""So many lines that hold the name are read as the beginning of a definition."""
VALUE_LINES_MIN = 3
"""A value of fewer lines may be anybody's; `const save = useCallback(() => {` goes on for some."""
_CLOSES = re.compile(r"[ \t]*(?:[)\]}]|end\b)")
_COMMA = re.compile(r"\A(.*[^\s,])\s*,\s*\Z", re.S)


def alone(language: Language, text: str) -> str:
    """The name of the one function that a text is; empty where it is anything else, or more.

    >>> from tslp_litellm.syntax.languages import language_named
    >>> alone(language_named("javascript"), "const toggle = (id) => {\\n  open(id);\\n};\\n")
    'toggle'
    """
    language = language_named("typescript") if language.components else language
    seen = outline(language, text)
    top = [symbol for symbol in seen.symbols if symbol.parent is None]
    if seen.sound and not seen.preamble and not seen.loose and len(top) == 1:
        long = text.strip().count("\n") + 1 >= VALUE_LINES_MIN
        return top[0].base if top[0].kind is Kind.FUNCTION or (top[0].kind is Kind.VALUE and long) else ""
    members = members_in(language, found[1] if (found := _COMMA.match(text)) else text) if not seen.sound else []
    return members[0] if len(members) == 1 else ""


def with_nested(language: Language, text: str, name: str, new: str) -> str | None:
    """A text with a new one for the function of that name that stands inside something in it; None where there is none,
    or more than one, and where it is the same.

    >>> from tslp_litellm.syntax.languages import language_named
    >>> with_nested(language_named("python"), "def a():\\n    def b():\\n        pass\\n    return b\\n", "b",
    ...     "def b():\\n    return 1\\n")
    'def a():\\n    def b():\\n        return 1\\n    return b\\n'
    """
    lines = text.split("\n")
    found = [place for place in _places(lines, name) if alone(language, _dedented(lines, place)) == name]
    if len(found) != 1:
        return None
    first, end = found[0]
    margin = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
    body = textwrap.indent(textwrap.dedent(new).strip("\n"), margin)
    old, comma = lines[first:end], lines[end - 1].rstrip().endswith(",")
    made = body.rstrip(", \t") + "," if comma else body
    return None if made == "\n".join(old) else "\n".join([*lines[:first], made, *lines[end:]])


def _dedented(lines: list[str], place: tuple[int, int]) -> str:
    return textwrap.dedent("\n".join(lines[slice(*place)])) + "\n"


def _places(lines: list[str], name: str) -> Iterator[tuple[int, int]]:
    """Where indented lines hold the name: the first line, and the one behind the last that belongs to it."""
    holds = re.compile(rf"[ \t].*(?<![\w$.]){re.escape(name)}(?![\w$])")
    for first in [n for n, line in enumerate(lines) if holds.match(line)][:LINES_TRIED_MAX]:
        spend()
        margin, end = _margin(lines[first]), first + 1
        while end < len(lines) and _goes_on(lines[end], margin):
            end += 1
        while not lines[end - 1].strip():
            end -= 1
        yield first, end


def _goes_on(line: str, margin: int) -> bool:
    if not line.strip():
        return True
    return _margin(line) > margin or (_margin(line) == margin and _CLOSES.match(line) is not None)


def _margin(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def with_inner(text: str, state: FileState) -> tuple[str, str] | None:
    """The name of the one function that a text is, and the file's text, or that of what is known of it, with it in the
    place of the one of that name that stands inside another; None where there is not exactly one."""
    language = language_of_path(state.path)
    name = alone(language, text) if language is not None and language.nature is Nature.CODE else ""
    entity = any(symbol.rpartition(".")[2] == name for symbol in state.symbols)
    if language is None or not name or (entity and not language.components):  # of components some are, inside objects
        return None
    whole = state.text()
    clean = [one.text for symbol, one in state.symbols.items() if one.clean and "." not in symbol]
    made = [with_nested(language, one, name, text) for one in ([whole] if whole is not None else clean)]
    found = [one for one in made if one is not None]
    return (name, found[0]) if len(found) == 1 else None
