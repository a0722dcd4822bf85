"""What a text binds and refers to, by its language: a table (SEMANTICS 10, Use). Runs in the parser's process."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from tslp_litellm.syntax import ecma_bindings, parsing, python_bindings
from tslp_litellm.syntax.languages import Language
from tslp_litellm.syntax.references import Bindings

_READERS: dict[str, Callable[[Node], Bindings]] = {
    "python": python_bindings.bindings,
    **dict.fromkeys(("javascript", "typescript", "tsx"), ecma_bindings.bindings),
}


def bindings(language: Language, source: bytes) -> Bindings:
    """A text's bindings; none where its language has no reader, or where it does not parse: an error may hide a second
    binding."""
    read = _READERS.get(language.name)
    tree = parsing.parse(language.grammar, source) if read is not None and language.grammar else None
    if read is None or tree is None or tree.root_node.has_error:
        return Bindings()
    return read(tree.root_node)
