"""The corpus: source text in, outline text out. One file a language, cases as `=== title`, source, `---`, outline."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.measuring import measure


@dataclass(frozen=True)
class Case:
    title: str
    source: str
    expected: str


def cases(file: Path) -> list[Case]:
    parts = re.split(r"(?m)^=== (.+)\n", file.read_text(encoding="utf-8"))[1:]
    found = []
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        source, _, expected = body.partition("\n---\n")
        found.append(Case(title, source + "\n", expected.strip("\n") + "\n" if expected.strip() else ""))
    return found


def rendered(language: str, source: str) -> str:
    """An outline as text: name, kind, first and last line, and what is odd about it; then preamble and errors."""
    seen = measure(language_named(language), source.encode())
    lines = []
    for symbol in seen.symbols:
        first = source.encode()[: symbol.start].count(b"\n") + 1
        last = source.encode()[: symbol.end].count(b"\n") + 1
        odd = "".join(
            f" {word}" for word, on in (("shared-line", not symbol.alone), ("unsound", not symbol.sound)) if on
        )
        lines.append(f"{symbol.name} {symbol.kind} {first}-{last}{odd}\n")
    lines += [f"preamble: {text}\n" for text in sorted(seen.preamble)]
    lines += [f"errors: {len(seen.errors)}\n"] if seen.errors else []
    return "".join(lines)
