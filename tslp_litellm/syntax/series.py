"""Entries that stand one after the other in files of data and of words: rules of a style sheet, elements, sections,
blocks of a configuration, keys of a table; and which of them are merely gone (SEMANTICS 3, gate B 1).

What has another entry in its place was changed or renamed, and what became part of another one still has its name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tslp_litellm.syntax.alignment import hunks

DEPTH_MAX = 3
"""Blocks of a configuration that stand deeper are no entries."""
_HEADING = re.compile(r"\A {0,3}#{1,6}[ \t]+(?=\S)")
_FENCE = re.compile(r"\A {0,3}(`{3,}+|~{3,}+)")
_SUBSTITUTED = re.compile(r"\{[^\s{}]{1,100}\}")
_BLOCK = re.compile(r"[A-Za-z_]\w{0,60}(?: [^\[\]={}]{1,200})?")
_MARK = re.compile(r"[{};]")
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z_][\w:.\-]*+)(?P<rest>[^<>]*+)>")
_NAMED = re.compile(r"\b(?:id|name|key|Include)\s*=\s*[\"'](?P<name>[^\"'<>]{1,200})")
_TABLE = re.compile(r"^(?:\[++(?P<table>[^\[\]\n]++)\]++|(?P<key>[\w.\"'\-]++)[ \t]*+=)", re.M)
_NAME_IN_TABLE = re.compile(r"^(?:name|id|key|path)[ \t]*=[ \t]*[\"'](?P<name>[^\"'\n]{1,200})", re.M)


class Entry(NamedTuple):
    """An entry by its full name, what a prompt may call it, and the full name of what it stands in."""

    label: str
    name: str
    holder: str = ""


def merely_gone(language: str, old: str, new: str) -> list[tuple[str, str]]:
    """The entries of a text that the one after it has no more, in the place of which no other one stands: in full, and
    as a prompt may call them. What is gone with what held it is no matter of its own."""
    read = _READERS.get(language)
    if read is None or old == new:
        return []
    before, after = (list(_numbered(read(text)) if read is not _of_styles else read(text)) for text in (old, new))
    kept = {entry.label for entry in after} | {""}
    lost = [
        entry
        for hunk in hunks(before, after)
        if hunk.old_end - hunk.old > hunk.new_end - hunk.new
        for entry in before[hunk.old : hunk.old_end]
    ]
    return [(entry.label, entry.name) for entry in lost if entry.label not in kept and entry.holder in kept]


def _numbered(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Entries, the second of one name as `name 2`."""
    seen: Counter[str] = Counter()
    for entry in entries:
        seen[entry.label] += 1
        n = seen[entry.label]
        yield entry if n == 1 else entry._replace(label=f"{entry.label} {n}")


def without(text: str, first: str, last: str) -> str:
    """A text without what stands between two marks."""
    head, *parts = text.split(first)
    return "".join([head, *(part.partition(last)[2] for part in parts)])


def _of_styles(text: str) -> Iterator[Entry]:
    """The selectors of a style sheet's outermost rules."""
    for depth, head in _heads(without(text, "/*", "*/")):
        if not depth:
            parts = [head] if head.startswith("@") else [part.strip() for part in head.split(",")]
            yield from (Entry(part, part) for part in dict.fromkeys(parts) if part)


def _of_blocks(text: str) -> Iterator[Entry]:
    """The blocks of a configuration in braces, each behind the one that it stands in."""
    lines = (line for line in text.split("\n") if not line.lstrip().startswith(("#", ";")))
    above: list[str] = []
    for depth, head in _heads(_SUBSTITUTED.sub("", "\n".join(lines))):
        if depth < DEPTH_MAX and _BLOCK.fullmatch(head):
            above[depth:] = [head]
            yield Entry(" > ".join(above), head, " > ".join(above[:-1]))


def _heads(text: str) -> Iterator[tuple[int, str]]:
    """What stands in front of each brace that opens, with how many are open there."""
    depth, start = 0, 0
    for m in _MARK.finditer(text):
        if m.group() == "{":
            if head := " ".join(text[start : m.start()].split()):
                yield depth, head
            depth += 1
        elif m.group() == "}":
            depth = max(depth - 1, 0)
        start = m.end()


def _of_elements(text: str) -> Iterator[Entry]:
    """The elements that the outermost one holds, by the name that they state."""
    depth = 0
    for m in _TAG.finditer(without(without(text, "<!--", "-->"), "<![CDATA[", "]]>")):
        if m["close"]:
            depth -= 1
            continue
        if depth == 1:
            named = _NAMED.search(m["rest"])
            yield Entry(f"{m['name']} {named['name']}", named["name"]) if named else Entry(m["name"], m["name"])
        depth += not m["rest"].endswith("/")


def _of_sections(text: str) -> Iterator[Entry]:
    """The headings of a Markdown text."""
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence and (m := _HEADING.match(line)):
            name = line[m.end() :].rstrip(" \t\r#")
            yield Entry(name, name)


def _of_tables(text: str) -> Iterator[Entry]:
    """The keys of the tables of a TOML file, each behind its table; those before the first are looked at elsewhere."""
    table = ""
    for m in _TABLE.finditer(text):
        if m["table"] is not None:
            table = m["table"].strip(" \t\"'")
            if m.group().startswith("[[") and (named := _NAME_IN_TABLE.search(text, m.end(), m.end() + 500)):
                table += f" {named['name']}"
            yield Entry(table, table)
        elif table:
            yield Entry(f"{table}.{m['key']}", m["key"].strip("\"'"), table)


_READERS: dict[str, Callable[[str], Iterator[Entry]]] = {
    "css": _of_styles,
    "scss": _of_styles,
    "xml": _of_elements,
    "markdown": _of_sections,
    "ini": _of_blocks,
    "toml": _of_tables,
}
