"""Usage examples: what models show behind the definitions that they were asked for, and is none of the file's."""

from __future__ import annotations

import re

from tslp_litellm.placing.statements import EXPORTS, restates
from tslp_litellm.syntax.entries import has_main_guard
from tslp_litellm.syntax.outline import Kind, Outline
from tslp_litellm.words.sentences import is_taken_back

PROGRAM = "main"
"""What any program defines: a model's proves its file only where that is spoken of."""


_CLOSING = re.compile(rb"(?:\s*[})\];])*")
"""What ends that in which the last definition stands: a Rust `impl`, a class of C++."""


def trailing_usage(seen: Outline, base: Outline | None) -> int:
    """Where in a text, in bytes, a usage example begins behind its last definition; its length where there is none.

    What stands there is none of the file's if it defines nothing but values, or the program that uses it, that the file
    has not. A file that nobody knows begins with all of its text, and constants alone are new ones.
    """
    if base is None or (seen.loose <= seen.preamble and all(s.kind is Kind.VALUE for s in seen.symbols)):
        return len(seen.text)
    uses = {s.name for s in seen.symbols if s.kind is Kind.VALUE or s.name.partition(".")[0].lower() == PROGRAM}
    ends = [s.node_end for s in seen.symbols if s.name not in uses or s.name in base.by_name]
    last = max(ends, default=len(seen.text))
    closing = _CLOSING.match(seen.text, last)
    end = _line_end(seen, closing.end() if closing is not None else last)
    tail = seen.text[end:].strip()
    return end if tail and tail not in base.text and not _only_closes(seen, end) else len(seen.text)


def _line_end(seen: Outline, start: int) -> int:
    """Where the line ends on which a definition does, if only a comment follows there: that one belongs to it."""
    end = start + len(seen.text[start:].partition(b"\n")[0])
    spans = [(begin, stop) for begin, stop in seen.comments_in(start, end) if stop <= end]
    before = seen.text[start : spans[0][0]] if len(spans) == 1 else b"x"
    return end if not before.strip(b";, \t") and not seen.text[spans[0][1] : end].strip() else start


def has_statements(seen: Outline, start: int) -> bool:
    """Whether behind a place something else stands than definitions, comments and what a file exports."""
    spans = [(s.start, s.end) for s in seen.symbols if s.end > start]
    spans += seen.comments_in(start, len(seen.text))
    at, parts = start, list[bytes]()
    for begin, end in sorted(spans):
        parts.append(seen.text[at:begin])
        at = max(at, end)
    tail = b"".join((*parts, seen.text[at:])).decode(errors="replace")
    return any(re.search(r"\w", line) and not EXPORTS.match(line) for line in tail.split("\n"))


def ends_in_statements(base: Outline) -> bool:
    """Whether a file goes on behind its last function or type."""
    return has_statements(base, max((s.end for s in base.symbols if s.kind is not Kind.VALUE), default=0))


def is_an_extra(seen: Outline, start: int, base: Outline, prompt: str) -> bool:
    """Whether the statements behind a place come beside a change that was asked for: the file has none there, some
    definition is another now, and no word of theirs stands in the prompt but the names of definitions. A main guard is
    none: it makes a program of the file."""
    tail = seen.text[start:].decode(errors="replace")
    if ends_in_statements(base) or not has_statements(seen, start) or has_main_guard(tail):
        return False
    before = {s.name: base.slice(s) for s in base.symbols}
    if all(before.get(s.name) == seen.slice(s) for s in seen.symbols if s.end <= start):
        return False
    names = _words_of(" ".join(s.leaf for s in (*base.symbols, *seen.symbols)))
    return (_words_of(tail) & _words_of(prompt)) <= names


def _words_of(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[^\W_]{3,}", text)}


def takes_places(seen: Outline, base: Outline) -> bool:
    """Whether a part brings beside its definitions another text of a statement of the file's, and does not say that it
    is an example."""
    return bool(seen.symbols) and restates(seen, base) and not says_usage(seen, trailing_usage(seen, base))


def _only_closes(seen: Outline, start: int) -> bool:
    """Whether behind a place nothing stands but brackets that end what began before (a Rust `impl`), and comments."""
    at, parts = start, list[bytes]()
    for begin, end in seen.comments_in(start, len(seen.text)):
        parts.append(seen.text[at:begin])
        at = max(at, end)
    tail = b"".join((*parts, seen.text[at:])).strip()
    return tail != b"" and not tail.strip(b"})];, \t\r\n")


def says_usage(seen: Outline, start: int) -> bool:
    """Whether what stands behind a place begins with a comment that says that it is an example: `# Example usage`."""
    tail = seen.text[start:].lstrip()
    at = len(seen.text) - len(tail)
    head = tail.partition(b"\n")[0].decode(errors="replace")
    return any(comment.start == at for comment in seen.comments) and is_taken_back(head)
