"""What a module of JavaScript or TypeScript gives out more than once, which no file that runs does."""

from __future__ import annotations

import re

from tslp_litellm.syntax.outline import Outline

_LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
_DEFAULT = re.compile(r"^export default\b", re.M)
_LIST = re.compile(r"^export\s*\{([^{}]*)\}", re.M)
_DECLARED = re.compile(
    r"^export\s+(?:async\s+|abstract\s+)*(?:function\b[ *]*|(?:class|const|let|var|enum)\s+)([\w$]+)", re.M
)


def given_twice(seen: Outline) -> set[str]:
    """The names that a text exports where they are defined and in a list, too; `default`, where it has two of them.

    >>> from tslp_litellm.parser import outline
    >>> from tslp_litellm.syntax.languages import language_named
    >>> ecma = language_named("javascript")
    >>> [given_twice(outline(ecma, f"export function f() {{}}\\nexport {{ {one} }};\\n")) for one in ("f", "f as g")]
    [{'f'}, set()]
    >>> given_twice(outline(ecma, "export default function f() {}\\nexport default f;\\n"))
    {'default'}
    """
    if seen.language not in _LANGUAGES:
        return set()
    code = bytearray(seen.text)
    for comment in seen.comments:
        code[comment.start : comment.end] = re.sub(rb"[^\n]", b" ", code[comment.start : comment.end])
    text = code.decode(errors="replace")
    lists = [one.split() for names in _LIST.findall(text) for one in names.split(",")]
    listed = {words[-1] for words in lists if words}
    found = listed & {*_DECLARED.findall(text)}
    defaults = len(_DEFAULT.findall(text)) + sum(words[-1:] == ["default"] for words in lists)
    return found | {"default"} if defaults > 1 else found
