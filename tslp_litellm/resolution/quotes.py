"""What is shown of a file in part, or by bare output, held against our text of it (SEMANTICS 2, Quotes and Reads).

What stands in our text as it is changes nothing. What contradicts it, where it says that it stands, proves that ours is
not what the disk holds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from tslp_litellm.dialects.numbering import numbered
from tslp_litellm.dialects.values import Excerpt
from tslp_litellm.syntax.outline import Outline

FEW_LINES = 5
"""From so many lines on, a file is not taken to have become another one by bare output that shares nothing with it."""


def stands_in(text: str, part: str) -> bool:
    """Whether the lines of a part stand together in a text as they are, or all as much further in; how they end makes
    no difference."""
    lines, wanted = (one.replace("\r\n", "\n").strip("\n").split("\n") for one in (text, part))
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
    no lines says that there is no such file."""
    if not excerpt.lines:
        return True
    if excerpt.total and text.count("\n") not in (excerpt.total, excerpt.total - 1):
        return True
    if excerpt.with_numbers and stands_in(text, excerpt.with_numbers):
        return False
    shown = [line.removesuffix("\r") for line in excerpt.lines]
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if excerpt.first < 0:
        lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")[excerpt.first :]
        excerpt = replace(excerpt, first=1)
    if excerpt.until:
        last = len(lines) if excerpt.until < 0 else excerpt.first - 1 + excerpt.until
        ours, theirs = "\n".join(lines[excerpt.first - 1 : last]).strip(), "\n".join(shown).strip()
        if not excerpt.among:
            return ours != theirs
        return ours not in theirs and (not excerpt.unsure or _most(ours, theirs))
    if excerpt.first == 0:
        return not stands_in("\n".join(lines), "\n".join(shown))
    return lines[excerpt.first - 1 : excerpt.first - 1 + len(shown)] != shown


def _most(ours: str, theirs: str) -> bool:
    """Whether most lines of a text, but for empty ones, stand in another."""
    wanted, seen = (Counter(line for line in one.split("\n") if line.strip()) for one in (ours, theirs))
    return 2 * (wanted & seen).total() > wanted.total()


def begins_and_ends(text: str, ours: str) -> bool:
    """Whether a text's first and last lines, but for white space, are those of ours: nobody put any around it."""
    shown, known = ([line for line in one.split("\n") if line.strip()] for one in (text, ours))
    return len(shown) > 1 and len(known) > 1 and (shown[0], shown[-1]) == (known[0], known[-1])


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
