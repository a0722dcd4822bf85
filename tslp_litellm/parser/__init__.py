"""The parser: texts in, outlines out, by processes that any text may kill (SEMANTICS 3, 9).

Owns the proxy's only way to tree-sitter; `syntax/` is what runs inside. A text that ends or outruns a process is
refused from then on: its outline says so, and the file is tracked whole. Answers are remembered by content.
"""

from __future__ import annotations

import atexit
import json
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from tslp_litellm.parser import limits
from tslp_litellm.parser.budget import OverBudgetError
from tslp_litellm.parser.budget import budget as time_for
from tslp_litellm.parser.memory import Memory
from tslp_litellm.parser.pool import ParserError, Pool, Report
from tslp_litellm.state.values import Refused
from tslp_litellm.syntax import fallback
from tslp_litellm.syntax.codec import decoded, decoded_bindings
from tslp_litellm.syntax.conflicts import with_conflicts
from tslp_litellm.syntax.languages import Language, Nature
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.patterns import table
from tslp_litellm.syntax.references import Bindings

__all__ = [
    "ParserError",
    "Refused",
    "Report",
    "bindings",
    "close",
    "configure",
    "news",
    "outline",
    "pieces",
    "prepare",
    "report",
]

OUTLINES_BYTES = 4_000_000
COLOURED_CHARS, COLOURED_S = 50_000, 5.0
"""How much of a text is coloured for people (Pygments takes 8 s for a megabyte), and how long they wait for it; beyond
that they see the plain text."""
SYMBOL_BYTES, ENTRY_BYTES = 250, 500
"""What a symbol, and anything that is remembered, weighs beside its text."""


class _Parser:
    """The process's pool and memories, made on first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        self._own: Path | None = None
        self.outlines = Memory[Outline](OUTLINES_BYTES)

    def pool(self) -> Pool:
        with self._lock:
            if self._pool is None:
                self._pool = Pool(self._own)
            return self._pool

    def replace(self, own: Path | None) -> None:
        """Another pool, with other patterns of the user's, from the next text on."""
        with self._lock:
            before, self._pool, self._own = self._pool, None, own
        if before is not None:
            before.close()


_parser = _Parser()


def outline(language: Language | None, text: str) -> Outline:
    """The outline of a text. Without a usable parse it says so.

    OverBudgetError where the visit's time is up, ParserError where no process can be had.
    """
    source = text.encode()
    if language is None or (language.grammar is None and fallback.rules_for(language.name) is None):
        prose = language is not None and language.nature is Nature.PROSE
        return with_conflicts(Outline(source, parsed=False, prose=prose, language=language.name if language else ""))
    if len(source) > limits.TEXT_BYTES_MAX:
        return with_conflicts(Outline(source, parsed=False, language=language.name))
    name = language.name
    return _parser.outlines.get((name, fallback.generation()), source, lambda: _outlined(name, source))


def _outlined(language: str, source: bytes) -> tuple[Outline, int]:
    answer = _parser.pool().ask(language, source)
    if isinstance(answer, Refused):
        return Outline(source, parsed=False, refused=answer.reason, language=language), ENTRY_BYTES + len(source)
    try:
        made = with_conflicts(decoded(answer, source))
    except ValueError:  # a process that a text has damaged
        made = Outline(source, parsed=False, refused="crash", language=language)
    return made, ENTRY_BYTES + len(source) + SYMBOL_BYTES * len(made.symbols)


def bindings(language: Language | None, text: str) -> Bindings:
    """What a text binds and refers to (SEMANTICS 10); nothing where its language's bindings are not read, or the text
    is refused.

    OverBudgetError and ParserError as for `outline`.
    """
    source = text.encode()
    if language is None or language.grammar is None or len(source) > limits.TEXT_BYTES_MAX:
        return Bindings()
    answer = _parser.pool().ask(language.name, source, "bindings")
    try:
        return Bindings() if isinstance(answer, Refused) else decoded_bindings(answer)
    except ValueError:  # a process that a text has damaged
        return Bindings()


def pieces(language: Language | None, text: str) -> list[list[Any]]:
    """The pieces of a text's first lines, each a length in UTF-16 and a kind (`syntax.colouring`); nothing where they
    can't be had, or it takes too long."""
    if language is None:
        return []
    end = len(text) if len(text) <= COLOURED_CHARS else text.rfind("\n", 0, COLOURED_CHARS) + 1
    source = text[:end].encode()
    try:
        with time_for(COLOURED_S):
            answer = _parser.pool().ask(language.name, source, "pieces")
        return [] if isinstance(answer, Refused) else list(orjson.loads(answer))
    except (ParserError, OverBudgetError, ValueError):
        return []


def configure(own_patterns: Path | None, refused: Iterable[Refused] = ()) -> None:
    """Use a user's `symbols.json`, and know the texts that were refused before.

    OSError or ValueError where the file can't be read as JSON, PatternError where its patterns are bad.
    """
    fallback.install(table(json.loads(own_patterns.read_text("utf-8")), str(own_patterns)) if own_patterns else None)
    _parser.replace(own_patterns)
    know(refused)


def know(refused: Iterable[Refused]) -> None:
    """Texts that were refused before, and are not tried again."""
    pool = _parser.pool()
    for one in refused:
        pool.know(one)


def prepare(languages: Iterable[str]) -> None:
    """Start the processes, with some languages' grammars, before the first text comes."""
    _parser.pool().prepare(list(languages))


def news() -> list[Refused]:
    """The texts that were refused since this was last asked; for the database."""
    return _parser.pool().news()


def report() -> Report:
    """How the parser is, for the doctor."""
    return _parser.pool().report()


def close() -> None:
    """End the processes. The next text starts them anew."""
    _parser.replace(_parser._own)


atexit.register(close)
