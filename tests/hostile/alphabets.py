"""Alphabets: the tokens of a grammar by the grammar's own word, and those of a reader by its source.

Neither is a list that somebody has to keep: a grammar more, or a reader more, is swept from its first day.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from types import ModuleType

import tree_sitter_language_pack as pack

from tslp_litellm.syntax.languages import Language
from tslp_litellm.syntax.parsing import grammar

PLAIN = (
    "a",
    "1",
    " ",
    "\n",
    "\t",
    "é",
    "\\",
    '"',
    "'",
    "`",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ";",
    ":",
    "=",
    ".",
)
"""What every alphabet has."""
LITERAL_CHARS_MAX = 80
_WORD = re.compile(r"[A-Za-z_<>/@*=+\-#`:.{}\[\]\"'!~|$()]{2,}(?: [A-Za-z_<>/@*=+\-#`:.]+)*")


@cache
def of_language(language: Language) -> tuple[str, ...]:
    """The literal tokens of a language's grammar, and of what may stand in it; without a grammar, code's usual ones."""
    names = [language.grammar or (language.name if language.components else "")]
    names += ["javascript", "typescript"] if language.components else []
    found = [token for name in names if name for token in _literals(name)]
    return _unique(found or (*_literals("python"), *_literals("javascript"), *_literals("bash")))


def _literals(name: str) -> Iterator[str]:
    try:
        rules = grammar(name)
    except LookupError:
        rules = pack.get_language("html")
    for number in range(rules.node_kind_count):
        if not rules.node_kind_is_named(number) and rules.node_kind_is_visible(number):
            yield (rules.node_kind_for_id(number) or "").replace("\\{", "{").replace("\\(", "(")


@cache
def of_module(module: ModuleType) -> tuple[str, ...]:
    """The words of a module's string literals, patterns among them, and of the data that it reads."""
    source = inspect.getsource(module)
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            found += _words(node.value)
    for name in re.findall(r'"data" / "(\w+\.json)"', source):
        data = json.loads((resources.files("tslp_litellm") / "data" / name).read_text("utf-8"))
        found += [word for text in _strings(data) for word in _words(text)]
    return _unique(found)


def _words(literal: str) -> list[str]:
    """A literal, and its parts that a text could hold: what a pattern says with signs of its own falls apart."""
    bare = re.sub(r"\\[AZbBsSdDwW]|\(\?P?<?\w*>?:?|\(\?[=!<:]+", " ", literal).replace("\\n", "\n").replace("\\", "")
    whole = [literal] if 0 < len(literal) <= LITERAL_CHARS_MAX and "\\" not in literal else []
    return [*whole, *(word for word in _WORD.findall(bare) if len(word) <= LITERAL_CHARS_MAX)]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)


def _unique(tokens: Iterator[str] | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(token for token in (*tokens, *PLAIN) if token))
