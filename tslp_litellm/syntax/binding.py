"""What a text binds and refers to, by its language: a table (SEMANTICS 10, Use). Runs in the parser's process."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from tslp_litellm.syntax import ecma_bindings, embedded, parsing, python_bindings, query_bindings
from tslp_litellm.syntax.languages import Language
from tslp_litellm.syntax.references import Bindings

_READERS: dict[str, Callable[[Node], Bindings]] = {
    "python": python_bindings.bindings,
    **dict.fromkeys(("javascript", "typescript", "tsx"), ecma_bindings.bindings),
}


def bindings(language: Language, source: bytes) -> Bindings:
    """A text's bindings; none where its language has no reader, or where it does not parse: an error may hide a second
    binding."""
    tree = parsing.parse(language.grammar, source) if language.grammar else None
    if tree is None or tree.root_node.has_error:
        return Bindings()
    if language.components:
        parts = embedded.parts(tree.root_node, language, source)
        return bindings(parts.language, parts.text) if parts is not None else Bindings()
    read = _READERS.get(language.name)
    if read is not None:
        return read(tree.root_node)
    return query_bindings.bindings(tree.root_node, language.name, language.grammar or "") or Bindings()
