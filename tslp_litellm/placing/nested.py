"""A function that stands inside another one, shown alone: React's handlers, Python's closures, the methods of Vue's
objects (SEMANTICS 2, Which file 2). It has no entity of its own; what holds it has."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from tslp_litellm.dialects.lines import with_ends_of
from tslp_litellm.parser import outline
from tslp_litellm.parser.budget import spend
from tslp_litellm.placing.members import flush_left, members_in
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.languages import Language, Nature, language_named, language_of_path
from tslp_litellm.syntax.outline import Kind

MARKUP = "html"
"""A language without definitions, whose files may have scripts."""
LINES_TRIED_MAX = 20
"""So many lines that hold the name are read as the beginning of a definition."""
VALUE_LINES_MIN = 3
"""A value of fewer lines may be anybody's; `const save = useCallback(() => {` goes on for some."""
HEAD_LINES_MAX = 20
_HEADS = ("@", "#", "//", "/*")
_WORD = re.compile(r"\w")
_CLOSES = re.compile(r"[ \t]*(?:[)\]}]|end\b)")
_COMMA = re.compile(r"\A(.*[^\s,])\s*,\s*\Z", re.S)


def functions(language: Language, text: str) -> dict[str, str]:
    """The functions that a text is, by name; none where it is anything else, or holds more.

    >>> from tslp_litellm.syntax.languages import language_named
    >>> functions(language_named("javascript"), "const toggle = (id) => {\\n  open(id);\\n};\\n")
    {'toggle': 'const toggle = (id) => {\\n  open(id);\\n};'}
    """
    language = _of_scripts(language)
    seen = outline(language, text)
    if not seen.sound:
        bare = found[1] if (found := _COMMA.match(text)) else text
        members = members_in(language, bare)
        return {members[0]: text} if len(members) == 1 else {}
    top = {symbol.base: symbol for symbol in seen.symbols if symbol.parent is None}
    found_in = {name: seen.slice(symbol) for name, symbol in top.items()}
    plain = not seen.preamble and not seen.loose
    return found_in if plain and all(_may_be_inner(s.kind, found_in[name]) for name, s in top.items()) else {}


def _may_be_inner(kind: Kind, text: str) -> bool:
    return kind is Kind.FUNCTION or (kind is Kind.VALUE and text.count("\n") + 1 >= VALUE_LINES_MIN)


def _of_scripts(language: Language) -> Language:
    """The language of what functions stand in a file: that of the scripts in markup."""
    return language_named("typescript") if language.components or language.name == MARKUP else language


def with_nested(language: Language, text: str, name: str, new: str) -> str | None:
    """A text with a new one for the function of that name that stands inside something in it; None where there is none,
    or more than one.

    >>> from tslp_litellm.syntax.languages import language_named
    >>> with_nested(language_named("python"), "def a():\\n    def b():\\n        pass\\n    return b\\n", "b",
    ...     "def b():\\n    return 1\\n")
    'def a():\\n    def b():\\n        return 1\\n    return b\\n'
    """
    if "\r\n" in text and text.count("\r\n") == text.count("\n"):
        made = with_nested(language, text.replace("\r\n", "\n"), name, new.replace("\r\n", "\n"))
        return made.replace("\n", "\r\n") if made is not None else None
    new, lines = with_ends_of(new, text), text.split("\n")
    anywhere = language.name == MARKUP
    found = [
        one for one in _places(lines, name, anywhere) if [name] == list(functions(language, _dedented(lines, one)))
    ]
    if len(found) != 1:
        return None
    first, end = found[0]
    if not _is_like(lines[first:end], new.splitlines()):
        return None
    margin = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
    first -= _above(language, lines, found[0], name) if new.lstrip().startswith(_HEADS) else 0
    body = textwrap.indent(flush_left(_of_scripts(language), new).strip("\n"), margin)
    made = body.rstrip(", \t") + "," if lines[end - 1].rstrip().endswith(",") else body
    return "\n".join([*lines[:first], made, *lines[end:]])


def _is_like(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether one may be the other's next version: it begins alike, or has half of its lines. Another function may have
    the same name, too."""
    was, now = (Counter(line.strip() for line in lines if _WORD.search(line)) for lines in (old, new))
    return old[0].strip() in now or 2 * (was & now).total() >= was.total()


def _above(language: Language, lines: list[str], place: tuple[int, int], name: str) -> int:
    """How many lines above a function belong to it: decorators, and what says something of it."""
    first, found = place[0], 0
    for more in range(1, min(HEAD_LINES_MAX, first) + 1):
        if not lines[first - more].strip() or _margin(lines[first - more]) != _margin(lines[first]):
            break
        text = _dedented(lines, (first - more, place[1]))
        if functions(language, text).get(name, "").strip() == text.strip():
            found = more
    return found


def _dedented(lines: list[str], place: tuple[int, int]) -> str:
    return textwrap.dedent("\n".join(lines[slice(*place)])) + "\n"


def _places(lines: list[str], name: str, anywhere: bool) -> Iterator[tuple[int, int]]:
    """Where indented lines hold the name, or any do: the first line, and the one behind the last that belongs to it."""
    word = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")
    holding = (n for n, line in enumerate(lines) if (anywhere or line[:1].isspace()) and word.search(line))
    for first in islice(holding, LINES_TRIED_MAX):
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


def with_inner(text: str, state: FileState, meant: Collection[str] = ()) -> tuple[list[str], str] | None:
    """The names of the functions that a text is, and the file's text, or that of what is known of it, with them in the
    places of those that stand inside others; None where not each has exactly one, there or in what is `meant` of it."""
    language = language_of_path(state.path)
    if language is None or (language.nature is not Nature.CODE and language.name != MARKUP):
        return None
    new = functions(language, text)
    leaves = {symbol.rpartition(".")[2] for symbol in state.symbols}
    if not new or (leaves & new.keys() and not language.components):  # of components some are, inside objects
        return None
    whole = state.text()
    if whole is None:
        return _in_one([one.text for one in state.symbols.values() if one.clean], language, new)
    base = outline(language, whole)
    parts = [base.slice(base.by_name[one]) for one in meant if one in base.by_name]
    return _in_one([whole], language, new) or _in_one(parts, language, new)


def _in_one(texts: Iterable[str], language: Language, new: dict[str, str]) -> tuple[list[str], str] | None:
    """The one of some texts that has a place for all, changed; a member's holder, where it stands in both."""
    made = {text: after for text in texts if (after := _with_all(language, text, new)) is not None}
    outer = [text for text in made if not any(text != other and text in other for other in made)]
    return (list(new), made[outer[0]]) if len(outer) == 1 and made[outer[0]] != outer[0] else None


def _with_all(language: Language, text: str, new: dict[str, str]) -> str | None:
    made: str | None = text
    for name, one in new.items():
        made = with_nested(language, made, name, one) if made is not None else None
    return made
