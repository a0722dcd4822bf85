"""Whether a text of data or words ends where its format says that it can't, or in a word about more of it (SEMANTICS 2,
Reads): an open fence, a page without its closing tags, an element, a brace or a value that does not close.

No grammar refuses such a text, but its own beginning says what its end has to be.
"""

from __future__ import annotations

import json
import re

from tslp_litellm.syntax.left_out import is_placeholder
from tslp_litellm.syntax.series import without

_FENCE = re.compile(r"\A {0,3}(?P<mark>`{3,}+|~{3,}+)(?P<info>[^`\n]*)\Z")
_FIRST_TAG = re.compile(r"<(?P<name>[A-Za-z_][\w:.\-]*)")
_PAGE_TAG = re.compile(r"<(html|body)(?=[\s>])", re.I)
_MORE = re.compile(
    r"\b\d[\d,.]{0,20} (?:more|further|other|additional|remaining)\b"
    r"|\b(?:file|output|text|contents?|listing|document) (?:is |was )?(?:continue|truncate|cut|clip|abridge|shorten)"
    r"|\b(?:truncated|continued|snip|snipped|omitted)\W{0,9}\Z|\bend of (?:excerpt|preview|sample)\b"
    r"|\b(?:first|last) \d+ (?:lines|bytes|characters|chars|rows)\b",
    re.I,
)
WORD_CHARS_MAX = 200
"""A longer line is no word about a text."""
_BRACED = frozenset({"css", "scss", "graphql", "ini", "proto", "hcl"})
_VALUES = (".jsonc", ".json5")


def speaks_of_more(line: str) -> bool:
    """Whether a line says that a text goes on, or was cut."""
    said = line.strip()
    return len(said) <= WORD_CHARS_MAX and (is_placeholder(said) or _MORE.search(said) is not None)


def is_open(language: str, path: str, text: str) -> bool:
    """Whether a text is no whole one of its language, as far as its end tells."""
    match language:
        case "markdown":
            return _in_fence(text)
        case "html":
            opened = {m[1].lower() for m in _PAGE_TAG.finditer(text)}
            return any(f"</{tag}" not in text.lower() for tag in opened)
        case "xml":
            return _in_element(text)
        case "json":
            return _in_brace(text) and not _reads(text)
        case "jsonlines" if not path.endswith(_VALUES):
            return not _reads(text.rstrip().rpartition("\n")[2])
        case "jsonlines":
            return _in_brace(text)
        case _:
            return language in _BRACED and _in_brace(text)


def _in_fence(text: str) -> bool:
    """Whether a fence of a Markdown text is open at its end."""
    mark = ""
    for line in text.split("\n"):
        m = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if m is None:
            continue
        if not mark:
            mark = m["mark"]
        elif m["mark"].startswith(mark) and not m["info"].strip():
            mark = ""
    return bool(mark)


def _in_element(text: str) -> bool:
    """Whether the outermost element of an XML text is open at its end."""
    text = without(text, "<!--", "-->")
    first = _FIRST_TAG.search(text)
    if first is None:
        return False
    closing = f"</{first['name']}"
    at = text.rfind(closing)
    if at < 0:
        return not text.rstrip().endswith("/>") or "<" in text[first.end() :]
    rest = text[at + len(closing) :].partition(">")[2]
    return bool(rest.strip()) and not rest.lstrip().startswith("<?")


def _reads(text: str) -> bool:
    """Whether a text is a value of JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _in_brace(text: str) -> bool:
    return text.count("{") > text.count("}")
