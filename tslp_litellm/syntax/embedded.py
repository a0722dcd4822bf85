"""Single-file components: Vue's and Svelte's markup with script blocks, whose definitions are the file's symbols.

The scripts are parsed with the grammar of their `lang`, each byte at its place in the file: what is no script is
blanked for the parser, so that every offset holds in the whole text.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from tree_sitter import Node

from tslp_litellm.syntax import parsing
from tslp_litellm.syntax.languages import Language, language_named
from tslp_litellm.syntax.symbols import Span

_LANG = re.compile(rb"""\blang\s*=\s*["']?(\w+)""")
_SCRIPTS = {b"ts": "typescript", b"typescript": "typescript", b"tsx": "tsx"}
_STYLE_COMMENT = re.compile(rb"/\*.*?(?:\*/|\Z)|^[ \t]*//[^\n]*", re.DOTALL | re.MULTILINE)
_BLACK = re.compile(rb"\S")
_TAG = re.compile(rb"^[^\S\n]*+<", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a component is made of. `text` is what the scripts' parser reads; `sections` are its parts by name."""

    language: Language
    text: bytes
    sections: frozenset[str]
    comments: tuple[Span, ...]


def parts(root: Node, language: Language, source: bytes) -> Parts | None:
    """A component's parts; None where they can't be told. A text without any tag is a fragment of its script."""
    if not _TAG.search(source):
        return Parts(language_named("typescript"), source, frozenset(), ())
    query = parsing.tags_query(language.name, language.grammar or "")
    matches = parsing.matches(query, root) if query is not None else None
    if matches is None:
        return None
    scripts = {m["script"][0].start_byte: m["script"][0] for m in matches if "script" in m}
    tags = [m["tag"][0] for m in matches if "script" in m]
    return Parts(
        language_named(_script_language([source[tag.start_byte : tag.end_byte] for tag in tags])),
        _blanked(source, [scripts[start] for start in sorted(scripts)]),
        _sections(root),
        tuple(_comments(matches, source)),
    )


def _script_language(tags: list[bytes]) -> str:
    """The language of a component's scripts: TypeScript where any of them says so."""
    said = {_SCRIPTS.get(found.group(1).lower()) for tag in tags if (found := _LANG.search(tag))}
    return next((name for name in ("tsx", "typescript") if name in said), "javascript")


def _blanked(source: bytes, scripts: list[Node]) -> bytes:
    out, at = [], 0
    for node in scripts:
        out += [_BLACK.sub(b" ", source[at : node.start_byte]), source[node.start_byte : node.end_byte]]
        at = node.end_byte
    return b"".join([*out, _BLACK.sub(b" ", source[at:])])


def _sections(root: Node) -> frozenset[str]:
    """A component's parts: `script`, `script#2`, `style`, `template`; anything else at the top is `markup`."""
    kinds = Counter(
        child.type.removesuffix("_element") if child.type.endswith("_element") else "markup"
        for child in root.named_children
        if child.type != "comment" and (child.type != "text" or (child.text or b"").strip())
    )
    names = {f"{kind}#{n}" for kind, count in kinds.items() if kind != "markup" for n in range(2, count + 1)}
    return frozenset(names | kinds.keys())


def _comments(matches: list[parsing.Match], source: bytes) -> list[Span]:
    """Comments outside the scripts: the markup's, and those of the style sheets."""
    found = {(node.start_byte, node.end_byte) for m in matches for node in m.get("comment", [])}
    for node in (node for m in matches for node in m.get("style", [])):
        found |= {comment.span() for comment in _STYLE_COMMENT.finditer(source, node.start_byte, node.end_byte)}
    return [Span(start, end) for start, end in found]
