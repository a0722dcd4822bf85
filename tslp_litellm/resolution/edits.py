"""Applying an edit: exact text, found exactly once (SEMANTICS 2, Edits)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tslp_litellm.dialects.values import EditStep, Insertion, Replacement
from tslp_litellm.parser.budget import spend
from tslp_litellm.parser.limits import TEXT_BYTES_MAX

OCCURRENCES_MAX = 64


def applied(text: str, steps: Iterable[EditStep], placed: bool = False) -> str | None:
    """The text after the steps, in order; None where one of them doesn't fit exactly, or makes more than a text may be.

    `placed`: a step's line number or scope may tell apart several occurrences: a client has applied it there.
    """
    for step in steps:
        after = _inserted(text, step) if isinstance(step, Insertion) else replace_one(text, step, placed)
        if after is None:
            return None
        spend(len(after))
        text = after
    return text


def stands(text: str, steps: Iterable[EditStep]) -> bool:
    """Whether the new side of every step stands in a text: at the stated line, or anywhere."""
    spots = [(s.new, _start_of_line(text, s.line) if isinstance(s, Replacement) else -1) for s in steps]
    if all(at >= 0 and text.startswith(new, at) and _ends_well(text, new, at) for new, at in spots):
        return True
    return all(
        new != "" and any(_ends_well(text, new, at) for at in occurrences(text, new, True, OCCURRENCES_MAX))
        for new, _ in spots
    )


def _ends_well(text: str, part: str, at: int) -> bool:
    """Whether lines can stand there: an unended one only at the very end."""
    return part.endswith("\n") or not part or at + len(part) == len(text)


def replace_one(text: str, step: Replacement, placed: bool = False) -> str | None:
    """One replacement. An empty old text makes the new text the whole file."""
    if not step.old:
        return step.new
    if step.lines and text and not text.endswith("\n") and step.old.endswith("\n"):
        ended = replace_one(text + "\n", step, placed)  # clients that edit by lines end the last one
        within = step.keeps_end and not (text + "\n").endswith(step.old)
        return ended.removesuffix("\n") if within and ended is not None else ended
    step = _with_line_ends(text, step)
    if step.whole_lines:
        if "\r\n" in text and not _is_dos(text):
            return None  # all line ends become one kind, and nobody knows which
        step = _to_line_end(text, step)
    found = occurrences(text, step.old, step.lines, OCCURRENCES_MAX if placed else 2)
    if step.lines and not (step.old.endswith("\n") and step.new[-1:] in ("", "\n")):
        found = [len(text) - len(step.old)] if text.endswith(step.old) and _begins_line(text, step.old) else []
    if not found:
        return None
    if step.everywhere:
        grown = len(text) + text.count(step.old) * (len(step.new) - len(step.old))
        return text.replace(step.old, step.new) if grown <= TEXT_BYTES_MAX else None
    at = found[0] if len(found) == 1 else _meant(text, step, found) if placed else None
    return text[:at] + step.new + text[at + len(step.old) :] if at is not None else None


def occurrences(text: str, part: str, lines: bool = False, most: int = 2) -> list[int]:
    """Where a part stands in a text, overlaps included, at most so many; `lines`: only where it begins a line."""
    found: list[int] = []
    at = text.find(part)
    while at >= 0 and len(found) < most:
        if not lines or at == 0 or text[at - 1] == "\n":
            found.append(at)
        at = text.find(part, at + 1)
    return found


def _begins_line(text: str, tail: str) -> bool:
    """Whether a text's tail begins a line."""
    return len(text) == len(tail) or text[-len(tail) - 1] == "\n"


def _with_line_ends(text: str, step: Replacement) -> Replacement:
    """A replacement with the line ends of a text that has only one kind: clients hide `\\r` from the model."""
    if step.lines or "\r" not in text or "\r" in step.old or not _is_dos(text):
        return step
    old, new = (part.replace("\r\n", "\n").replace("\n", "\r\n") for part in (step.old, step.new))
    return replace(step, old=old, new=new)


def _is_dos(text: str) -> bool:
    """Whether every line end of a text has a `\\r`."""
    return text.count("\n") == text.count("\r\n")


def _to_line_end(text: str, step: Replacement) -> Replacement:
    """A deletion with the newline that goes too, if one stands behind the old text."""
    whole = step.old + ("\r\n" if "\r\n" in text else "\n")
    takes = not step.new and not step.old.endswith("\n") and whole in text
    return replace(step, old=whole) if takes and (step.everywhere or len(occurrences(text, step.old)) == 1) else step


def _meant(text: str, step: Replacement, found: list[int]) -> int | None:
    """Which of several occurrences is meant, by its line or by the scope above it; None where neither tells."""
    if step.line:
        at = _start_of_line(text, step.line)
        return at if at in found else None
    if not step.scope:
        return None
    scopes = [n for n, line in enumerate(text.split("\n")) if line.strip() == step.scope.strip()]
    if len(scopes) != 1:
        return None
    below = _start_of_line(text, scopes[0] + 1)
    return next((at for at in found if at >= below), None)


def _start_of_line(text: str, line: int) -> int:
    """The offset of a line (counted from 1); -1 where the text has no such line."""
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
        if at == 0:
            return -1
    return at if line >= 1 else -1


def _inserted(text: str, step: Insertion) -> str | None:
    if step.before is None and step.exact:
        return text + step.new
    if step.before is None:
        return text + ("\n" if text and not text.endswith("\n") else "") + step.new
    lines = text.split("\n")
    if not 1 <= step.before <= len(lines) + 1:
        return None
    lines[step.before - 1 : step.before - 1] = step.new.split("\n")
    return "\n".join(lines)
