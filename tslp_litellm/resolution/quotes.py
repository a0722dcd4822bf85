"""What is shown of a file in part, or by bare output, held against our text of it (SEMANTICS 2, Quotes and Reads).

What stands in our text as it is changes nothing. What contradicts it, where it says that it stands, proves that ours is
not what the disk holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tslp_litellm.dialects.numbering import numbered
from tslp_litellm.dialects.plausible import EDGE_LINES
from tslp_litellm.dialects.values import Excerpt
from tslp_litellm.syntax.outline import Outline

FEW_LINES = 5
"""From so many lines on, a file is not taken to have become another one by bare output that shares nothing with it."""

TAB = 8
"""So many columns a terminal makes of a tab."""


def stands_in(text: str, part: str) -> bool:
    """Whether the lines of a part stand together in a text as they are, or all as much further in."""
    lines, wanted = text.split("\n"), part.strip("\n").split("\n")
    if not wanted[0].strip():
        return False
    first = wanted[0]
    for at, line in enumerate(lines[: len(lines) - len(wanted) + 1]):
        if line.endswith(first) and not (indent := line[: len(line) - len(first)]).strip():
            window = lines[at : at + len(wanted)]
            if window == [indent + want if want.strip() else want for want in wanted]:
                return True
    return False


def contradicts(excerpt: Excerpt, text: str) -> bool:
    """Whether a text has other lines where an excerpt says that its own stand; where it does not say, anywhere. One of
    no lines says that there is no such file, or how many lines there are."""
    if excerpt.typed:
        return _contradicts_typed(excerpt, text)
    if not excerpt.lines:
        return excerpt.total == 0 or text.count("\n") != excerpt.total
    if excerpt.total and text.count("\n") not in (excerpt.total, excerpt.total - 1):
        return True
    if excerpt.with_numbers and stands_in(text, excerpt.with_numbers):
        return False
    shown = [line.removesuffix("\r") for line in excerpt.lines]
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if excerpt.first < 0:
        lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")[excerpt.first :]
        excerpt = replace(excerpt, first=1)
    if excerpt.loose:
        return not _stands_near(lines, excerpt.first, "\n".join(shown))
    if excerpt.until:
        last = len(lines) if excerpt.until < 0 else excerpt.first - 1 + excerpt.until
        ours, theirs = "\n".join(lines[excerpt.first - 1 : last]).strip(), "\n".join(shown).strip()
        return not among(ours, theirs) if excerpt.among else ours != theirs
    if excerpt.first == 0:
        return not stands_in("\n".join(lines), "\n".join(shown))
    return lines[excerpt.first - 1 : excerpt.first - 1 + len(shown)] != shown


def _contradicts_typed(excerpt: Excerpt, text: str) -> bool:
    """The same for what a user pasted: as it was printed, up to any place where it may end. No lines show nothing."""
    lines, ours = _printed(excerpt.lines), "\n".join(_printed(text.replace("\r\n", "\n").split("\n")))
    parts = (lines[:end] for end in dict.fromkeys((len(lines), *excerpt.ends)))
    bare = replace(excerpt, typed=False, ends=())
    return all(any(line.strip() for line in part) and contradicts(replace(bare, lines=part), ours) for part in parts)


def _printed(lines: Sequence[str]) -> tuple[str, ...]:
    """Lines as a terminal leaves them: without tabs, and without blanks at their ends."""
    return tuple(line.expandtabs(TAB).rstrip() for line in lines)


def _stands_near(lines: list[str], first: int, part: str) -> bool:
    """Whether a part, which may begin and end within lines, stands from a line on (0: anywhere), or from one beside."""
    near = "\n".join(lines[max(first - 2, 0) : first + part.count("\n") + 1] if first else lines)
    return part.strip() in near or stands_in(near, part) or " ".join(part.split()) in " ".join(near.split())


def among(ours: str, theirs: str) -> bool:
    """Whether the lines of a text stand together among others."""
    return f"\n{ours.strip()}\n" in f"\n{theirs.strip()}\n"


def follow(shown: Sequence[str], texts: Sequence[str | None]) -> bool:
    """Whether lines are these texts, one after the other; None is one that is not known."""
    theirs = "\n" + "\n".join(line.removesuffix("\r") for line in shown).strip("\n").rstrip() + "\n"
    at, gap = 1, False
    for n, text in enumerate(texts):
        if text is None:
            gap = True
            continue
        ours = text.replace("\r\n", "\n")
        ours = ours.lstrip("\n") if n == 0 else ours
        ours = ours.rstrip() + "\n" if n == len(texts) - 1 else ours
        if n == len(texts) - 1 and gap:
            return theirs[at - 1 :].endswith("\n" + ours)
        found = theirs.find("\n" + ours, at - 1) + 1 if gap else at
        if found < at or not theirs.startswith(ours, found):
            return False
        at, gap = found + len(ours), False
    return gap or at == len(theirs)


def begins_and_ends(text: str, ours: str) -> bool:
    """Whether a text's first and last lines, but for white space, are those of ours: nobody put any around it."""
    shown, known = ([line for line in one.split("\n") if line.strip()] for one in (text, ours))
    return len(shown) > 1 and len(known) > 1 and (shown[0], shown[-1]) == (known[0], known[-1])


def torn_at_ends(seen: Outline) -> bool:
    """Whether a text does not read as its language where it begins or ends: a terminal may have put lines there."""
    if not seen.parsed or not seen.errors:
        return False
    lines = [n for n, line in enumerate(seen.text.split(b"\n")) if line.strip()]
    wrong = {seen.text.count(b"\n", 0, error.start) for error in (seen.errors[0], seen.errors[-1])}
    return bool(wrong & {*lines[:EDGE_LINES], *lines[-EDGE_LINES:]})


def doubtful(seen: Outline, base: Outline) -> bool:
    """Whether a tool's bare output, shown for a file, may be no text of it: it does not parse where ours does, is ours
    behind numbers, a single line for a file of many, or shares no line with a file that has no definitions."""
    if seen.text == base.text or seen.refused is not None:
        return False
    if base.sound and seen.parsed and seen.errors:
        return True
    counted = numbered(seen.text.decode())
    if counted is not None and "\n".join(counted.lines).rstrip("\n") == base.text.decode().rstrip("\n"):
        return True
    ours, theirs = ({line.strip() for line in outlined.text.splitlines() if line.strip()} for outlined in (base, seen))
    if len(ours) < FEW_LINES:
        return False
    return len(theirs) == 1 or (not base.symbols and not ours & theirs)
