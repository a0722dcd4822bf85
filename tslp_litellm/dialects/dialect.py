"""What a dialect is: it takes out of a text what it reads, and leaves the rest to the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tslp_litellm.dialects.values import Evidence, Report


@dataclass(frozen=True, slots=True)
class Taken:
    """What a text is evidence of, and the text without it; an empty `rest` leaves nothing to any other dialect."""

    evidence: tuple[Evidence | Report, ...]
    rest: str


Dialect = Callable[[str], Taken]


def in_turn(text: str, dialects: Iterable[Dialect]) -> Taken:
    """What dialects read in a text, one after the other.

    What is read last stands first: whole files are read when the edits around them are out of the way, and count before
    them.
    """
    found: tuple[Evidence | Report, ...] = ()
    for read in dialects:
        if not text:
            break
        taken = read(text)
        found, text = (*taken.evidence, *found), taken.rest
    return Taken(found, text)
