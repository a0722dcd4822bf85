"""A text measured: its outline by the grammar, or by patterns where there is no usable parse (§4.1, §7).

Runs in the parser's process, for what a grammar does with a text that was made to hurt it is nobody's to know.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from tree_sitter import Node

from tslp_litellm.syntax import embedded, fallback, parsing
from tslp_litellm.syntax.languages import Language, language_named
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.softened import softened
from tslp_litellm.syntax.symbols import Span, Symbol, squeeze
from tslp_litellm.syntax.tags import Tags


def outlined(language: Language, source: bytes) -> Outline:
    """The outline of a text, by its grammar or, without a usable parse, by patterns."""
    made = measure(language, source)
    return made if made.parsed else by_patterns(language, source)


def by_patterns(language: Language, source: bytes) -> Outline:
    """The outline of a text without a usable parse."""
    found = fallback.definitions(language.name, source)
    return Outline(
        source,
        False,
        found.symbols,
        (),
        found.comments,
        preamble=found.preamble,
        loose=found.loose,
        tokens=len(source.split()),
        by_name={symbol.name: symbol for symbol in found.symbols},
        by_pattern=bool(found.symbols),
        named=found.named,
        language=language.name,
    )


def measure(language: Language, source: bytes) -> Outline:
    """The outline, made anew."""
    tree = parsing.parse(language.grammar, source) if language.grammar else None
    if tree is None:
        return Outline(source, parsed=False, language=language.name)
    root = tree.root_node
    if language.components:
        return _component(language, source, root)
    if root.has_error:
        return _best(language, source, root)
    return _tagged(language, source, root, source)


def _best(language: Language, source: bytes, root: Node) -> Outline:
    """The outline by the reading with the fewest errors: as it is, softened, or as another language."""
    best, fewest = (language, root, source), len(parsing.errors(root))
    for reading in (language, *([language_named(language.otherwise)] if language.otherwise else [])):
        for text in (source, softened(reading.name, source)):
            if text is None or (reading is language and text is source) or not fewest:
                continue
            tree = parsing.parse(reading.grammar or "", text)
            if tree is not None and (found := len(parsing.errors(tree.root_node))) < fewest:
                best, fewest = (reading, tree.root_node, text), found
    language, root, text = best
    return _tagged(language, source, root, text)


def _tagged(language: Language, source: bytes, root: Node, text: bytes) -> Outline:
    """The outline of a tree by the language's tags query. `text` is what the parser read of the source."""
    starts, hollow = parsing.leaves(root)
    errors = _spans(sorted((*parsing.errors(root), *hollow), key=lambda node: node.start_byte))
    query = parsing.tags_query(language.name, language.grammar or "", language.wrappers)
    if query is None:
        return Outline(
            source, True, (), errors, nodes=root.descendant_count, tokens=len(starts), language=language.name
        )
    matches = parsing.matches(query, root)
    if matches is None:
        return Outline(source, parsed=False, language=language.name)
    found = Tags(source, matches, text)
    symbols = _number(found.symbols(starts, errors))
    return Outline(
        source,
        True,
        symbols,
        errors,
        _outermost(found.comments),
        found.preamble,
        _loose(root, source, symbols, found),
        gaps=tuple(found.gaps),
        nodes=root.descendant_count,
        tokens=len(starts),
        by_name={symbol.name: symbol for symbol in symbols},
        language=language.name,
        sections=_around(source) if language.name == "php" else frozenset(),
    )


def _around(source: bytes) -> frozenset[str]:
    """The markup around PHP's code, as a part of the file; none where no tag tells them apart."""
    head, *scripts = source.split(b"<?")
    found = bool(scripts and head.strip()) or any(script.partition(b"?>")[2].strip() for script in scripts)
    return frozenset({"markup"}) if found else frozenset()


def _component(language: Language, source: bytes, root: Node) -> Outline:
    """The outline of a single-file component: the symbols of its scripts, the figures of the whole."""
    parts = embedded.parts(root, language, source)
    if parts is None:
        return Outline(source, parsed=False, language=language.name)
    tree = parsing.parse(parts.language.grammar or "", parts.text)
    if tree is None:
        return Outline(source, parsed=False, language=language.name)
    inner = _tagged(parts.language, source, tree.root_node, source)
    if not inner.parsed or not parts.sections:
        return inner
    errors = {*inner.errors, *_spans(parsing.errors(root))}
    return replace(
        inner,
        errors=tuple(sorted(errors, key=lambda span: span.start)),
        comments=_outermost([*inner.comments, *parts.comments]),
        sections=parts.sections,
        nodes=inner.nodes + root.descendant_count,
        tokens=inner.tokens + len(parsing.leaves(root)[0]),
    )


def _outermost(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans in order, without those that lie in others: of a comment within a comment the outer one says it all."""
    out: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not out or span.end > out[-1].end:
            out.append(span)
    return tuple(out)


def _spans(nodes: list[Node]) -> tuple[Span, ...]:
    return tuple(Span(node.start_byte, node.end_byte) for node in nodes)


def _number(symbols: list[Symbol]) -> tuple[Symbol, ...]:
    """Names made unique: `name`, `name#2`, … in file order; one definition found under one name twice counts once."""
    seen: Counter[str] = Counter()
    spans: set[tuple[str, int, int]] = set()
    out = []
    for s in symbols:
        if (s.name, s.start, s.end) in spans:
            continue
        spans.add((s.name, s.start, s.end))
        seen[s.name] += 1
        out.append(s if seen[s.name] == 1 else replace(s, name=f"{s.name}#{seen[s.name]}"))
    return tuple(out)


def _loose(root: Node, source: bytes, symbols: tuple[Symbol, ...], found: Tags) -> frozenset[str]:
    """Top-level statements that hold no symbol and belong to none, white space folded."""
    ignored = {(c.start, c.end) for c in found.comments}
    starts = sorted(s.node_start for s in symbols)
    out: set[str] = set()
    covered = 0
    spans = iter(sorted((s.start, s.end) for s in symbols if s.parent is None))
    span = next(spans, None)
    for node in root.named_children:
        while span is not None and span[0] <= node.start_byte:
            covered = max(covered, span[1])
            span = next(spans, None)
        holds = bisect_left(starts, node.end_byte) > bisect_left(starts, node.start_byte)
        if not holds and node.start_byte >= covered and (node.start_byte, node.end_byte) not in ignored:
            out.add(squeeze(source[node.start_byte : node.end_byte].decode()))
    return frozenset(out)
