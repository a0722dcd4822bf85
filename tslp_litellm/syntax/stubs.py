"""Code that gave way to nothing: to comments, blanks or a stub, in whatever words (SEMANTICS 3, gate A).

Found by the lines of a text aligned with those of the text that it replaces. What is merely gone is no matter of
this module, but of collapse and parity; nor is what stands elsewhere in the new text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from tslp_litellm.syntax.alignment import Hunk, alike, hunks
from tslp_litellm.syntax.code_lines import HEADER, Line, code_lines, has_tags, within
from tslp_litellm.syntax.emptied import BLOCK_LINES_MIN, Before, emptied, opens, takes
from tslp_litellm.syntax.hollow import hollow
from tslp_litellm.syntax.idle import Idle, Words, is_form, sayings
from tslp_litellm.syntax.orphans import Code, orphaned
from tslp_litellm.syntax.outline import Outline, Span, Symbol
from tslp_litellm.syntax.remarks import Remarks

WORKED_LINES_MIN = 2
"""Of so many lines which did something, what does nothing is taken for a stub; of fewer, for an edit."""
INERT_FOR_LINES_MIN = 2
"""And of so many, whatever they did, a bare text, or a name that stands nowhere else."""
CONSTANT_FOR_LINES_MIN = 3
"""And of so many, a constant; so are entries of data."""
INDENTATION_MAX = 200


def gave_way(candidate: Outline, base: Outline, excused: Iterable[Span] = ()) -> tuple[int, ...]:
    """Byte offsets in a text of what stands where the text before has code. `excused`: what may go of that."""
    return Beside(candidate, base, excused).gave_way()


class Beside:
    """A text and the one before it; what all their definitions have in common is worked out once.

    `excused`: what may go of the text before. `spend`: called for each place that is looked at.
    """

    def __init__(
        self,
        candidate: Outline,
        base: Outline,
        excused: Iterable[Span] = (),
        spend: Callable[[], None] = lambda: None,
    ) -> None:
        self._candidate, self._base, self._excused, self._spend = candidate, base, tuple(excused), spend
        self._words = Words(candidate, base)

    def gave_way(self, part: tuple[Symbol, Symbol] | None = None) -> tuple[int, ...]:
        """Byte offsets in the text of what stands where the text before has code.

        `part`: only of these definitions of the two texts, new and old.
        """
        if self._base.text == self._candidate.text:
            return ()
        inside = self._inside
        if part is not None:
            inside = inside[bisect_left(inside, part[0].start) : bisect_left(inside, part[0].end)]
        places = set(inside)
        for new, old in self._ways:
            if part is not None:
                new, old = (within(side, s.start, s.end) for side, s in ((new, part[0]), (old, part[1])))  # noqa: PLW2901
            places |= self._between(new, old)
        return tuple(sorted(places))

    def _between(self, new: list[Line], old: list[Line]) -> set[int]:
        """What stands for code in lines of the text, given those before."""
        found = hunks([line.key for line in old], [line.key for line in new])
        moved = Counter(line.code for hunk in found for line in new[hunk.new : hunk.new_end])
        remarks = (comment for line in old for _, comment in (*line.comments, *line.trailing))
        known = {said for comment in remarks for said in sayings(comment)}
        texts = self._candidate.text, self._base.text
        sides = _Sides(old, new, moved, known, self._excused, self._words, *texts)
        places: set[int] = set()
        for hunk in found:
            self._spend()
            places.update(_stands_for(hunk, sides))
        return places

    @cached_property
    def _ways(self) -> list[tuple[list[Line], list[Line]]]:
        """The lines of the two texts, in each of the ways in which they may be told."""
        return [(self._new, self._old), *([self._joined] if has_tags(self._candidate) else [])]

    @cached_property
    def _joined(self) -> tuple[list[Line], list[Line]]:
        return code_lines(self._candidate, leaves=True), code_lines(self._base, leaves=True)

    @cached_property
    def _new(self) -> list[Line]:
        return code_lines(self._candidate)

    @cached_property
    def _old(self) -> list[Line]:
        return code_lines(self._base)

    @cached_property
    def _inside(self) -> list[int]:
        """What is missed in definitions, or stands for the whole of one."""
        new, old = ([Code(line.start, line.code) for line in side] for side in (self._new, self._old))
        missed = orphaned(self._candidate, self._base, new, old)
        return sorted({*missed, *hollow(self._candidate, self._base, self._words)})


@dataclass(frozen=True)
class _Sides:
    """The lines of two texts, and what may be said or gone of them."""

    old: list[Line]
    new: list[Line]
    moved: Counter[str]
    known: set[str]
    excused: tuple[Span, ...]
    words: Words
    text: bytes
    before: bytes

    def indentation(self, line: Line) -> int:
        """By how many bytes a line of the new text is indented."""
        return _indentation(self.text, line)

    def indented(self, line: Line) -> int:
        """By how many bytes a line of the text before was indented."""
        return _indentation(self.before, line)

    def lost(self, hunk: Hunk) -> list[str]:
        """The code that is gone at a place, and stands nowhere else."""
        return [line.code for line in self.old[hunk.old : hunk.old_end] if self.is_lost(line)]

    def is_lost(self, line: Line) -> bool:
        """Whether a line of the text before was code, and stands nowhere in the new one."""
        return (
            not is_form("trivial", line.code)
            and not is_form("stub", line.code)
            and not self.moved[line.code]
            and not any(span.start <= line.start < span.end for span in self.excused)
        )

    def worked(self, line: Line) -> bool:
        """Whether a line of the text before did something, and is gone."""
        return self.is_lost(line) and self.words.kind(line.code) is None


def _indentation(text: bytes, line: Line) -> int:
    front = text[line.start : line.start + INDENTATION_MAX]
    return len(front) - len(front.lstrip(b" \t"))


def _stands_for(hunk: Hunk, sides: _Sides) -> list[int]:
    """What a place of the new text has instead of code; nothing where it has code, or where nothing is there."""
    comments = _comments_at(hunk, sides.new)
    found, has_code = _at(hunk, sides, [*comments, *_comments_beside(hunk, sides)])
    if not has_code or not (comments or _does_nothing(hunk, sides)):
        return found
    parts = _parts(hunk, sides)
    return [*found, *(at for part, about in parts for at in _at(part, sides, about)[0])]


def _does_nothing(hunk: Hunk, sides: _Sides) -> bool:
    """Whether any line at a place does nothing: only that, or a comment, can stand for code in a part of it."""
    codes = [line.code for line in sides.new[hunk.new : hunk.new_end] if _is_code(line.code)]
    return any(is_form("dots", code) for code in codes) or any(sides.words.kinds(codes))


def _at(hunk: Hunk, sides: _Sides, comments: list[tuple[int, str]]) -> tuple[list[int], bool]:
    """What one place has instead of code, and whether it has other code beside what was lost there."""
    lost = sides.lost(hunk)
    if not lost or all(is_form("dots", code) for code in lost):
        return [], False
    here, words = sides.new[hunk.new : hunk.new_end], sides.words
    if values := [line.start for line in here if words.are_dots(line.code, lost) or words.is_unwritten(line.code)]:
        return values, False
    if dotted := _dotted(here, lost) if words.are_statements else []:
        return dotted, False
    before = Before(sides.old[hunk.old : hunk.old_end], sides.indented, sides.worked)
    if blocks := emptied(before, here, words) or _left_empty(hunk, sides):
        return blocks, False
    gained = [line for line in here if _is_code(line.code)]
    told = gained or _changed_head(hunk, sides)
    remarks = Remarks(lost, words.language, alone=len(told) == 1)
    if said := [line.start for line in told if remarks.stand_in(line.code)]:
        return said, False
    kinds = _kinds(hunk, sides)
    if kinds is None or not _all_count(kinds, hunk, sides, lost):
        return [], bool(gained)
    return [line.start for line in gained] or _new(comments, lost, sides.known), False


def _changed_head(hunk: Hunk, sides: _Sides) -> list[Line]:
    """The line above a place where it begins a definition whose head is another one now."""
    above, before = sides.new[hunk.new - 1 : hunk.new], sides.old[hunk.old - 1 : hunk.old]
    is_head = bool(hunk.new and hunk.old) and above[0].key.startswith(HEADER) and above[0].key == before[0].key
    return above if is_head and above[0].code != before[0].code else []


def _dotted(here: list[Line], lost: list[str]) -> list[int]:
    """Lines with a remark behind their code that has dots for code which is gone."""
    said = [(line, "".join(s for _, s in line.trailing if "..." in s or "…" in s)) for line in here if line.trailing]
    gone = {word for code in lost for word in _words(code)} if any(dots for _, dots in said) else set[str]()
    return [line.start for line, dots in said if (gone & _words(dots)) - _words(line.code)]


def _kinds(hunk: Hunk, sides: _Sides) -> list[Idle] | None:
    """What the lines of a place that do nothing are; None where one of them is code."""
    gained, words = [line for line in sides.new[hunk.new : hunk.new_end] if _is_code(line.code)], sides.words
    blocks = _idle_blocks(hunk, sides) if words.are_statements else set[int]()
    found: list[Idle] = []
    for line, kind in zip(gained, words.kinds(line.code for line in gained), strict=False):
        if is_form("dots", line.code):
            found.append(Idle.STUB)
        elif line.start in blocks:
            found.append(Idle.NOTHING)
        elif kind is not None and words.are_code:
            found.append(kind)
        else:
            return None
    return found


def _idle_blocks(hunk: Hunk, sides: _Sides) -> set[int]:
    """The offsets of heads of blocks that are all new and do nothing by themselves, and of what never runs in one."""
    found: set[int] = set()
    past = hunk.new
    for n in range(hunk.new, hunk.new_end):
        line = sides.new[n]
        if n < past or not sides.words.heads_nothing(line.code):
            continue
        end = _block_end(n, hunk, sides)
        if end is not None:
            past = end if sides.words.never_runs(line.code) else n + 1
            found.update(sides.new[m].start for m in range(n, past))
    return found


def _block_end(n: int, hunk: Hunk, sides: _Sides) -> int | None:
    """The number of the line that ends the block which a line opens; None where that stands beyond the place."""
    first = sides.indentation(sides.new[n])
    is_directive = sides.new[n].code.startswith("#")
    for m in range(n + 1, hunk.new_end + (not is_directive)):
        line = sides.new[m]
        ends = line.code.startswith("#") if is_directive else not line.code or sides.indentation(line) <= first
        if ends:
            return m
    return None


def _is_code(code: str) -> bool:
    """Whether a line says something; that of a docstring is neither code nor what stands for it."""
    if code.lstrip("rbuRBU").startswith(('"""', "'''")):
        return False
    return not is_form("trivial", code) or is_form("empty_statement", code)


def _all_count(kinds: list[Idle], hunk: Hunk, sides: _Sides, lost: list[str]) -> bool:
    """Whether what does nothing is a stub for what is gone at a place: for so many lines, of which so many did
    something."""
    if all(kind is Idle.STUB for kind in kinds):
        return True
    worked = sum(kind is None for kind in sides.words.kinds(lost))
    only_binds = all(kind is Idle.BINDING for kind in kinds)
    is_code = sides.words.are_statements and worked >= WORKED_LINES_MIN
    if is_code and _is_body(hunk, sides) and not (only_binds and sides.words.by_tree):
        return True
    if not _is_statement(hunk, sides):
        return False
    if is_code and (Idle.END in kinds or not {Idle.BINDING, Idle.SAYING} & set(kinds)):
        return True
    if Idle.NOTHING in kinds and len(lost) >= INERT_FOR_LINES_MIN:
        return True
    return all(kind is Idle.VALUE for kind in kinds) and bool(worked) and len(lost) >= CONSTANT_FOR_LINES_MIN


def _is_body(hunk: Hunk, sides: _Sides) -> bool:
    """Whether a place is all of a definition's body, by its head and its indentation."""
    if not hunk.new or hunk.new == hunk.new_end:
        return False
    above, first, below = sides.new[hunk.new - 1], sides.new[hunk.new], sides.new[hunk.new_end]
    inner = sides.indentation(first)
    is_head = above.key.startswith(HEADER) or not sides.indentation(above)
    return is_head and sides.indentation(above) < inner and (not below.code or sides.indentation(below) < inner)


def _left_empty(hunk: Hunk, sides: _Sides) -> list[int]:
    """Where a block begins of which nothing is left but what leaves it, if this place is where the rest of it stood."""
    here, gone = sides.new[hunk.new : hunk.new_end], sides.old[hunk.old : hunk.old_end]
    if not (hunk.new and hunk.old and gone and sides.words.are_statements) or any(_is_code(line.code) for line in here):
        return []
    above = sides.new[hunk.new - 1]
    if above.key != sides.old[hunk.old - 1].key or above.key.startswith(HEADER) or not opens(above.code):
        return []
    first = sides.indentation(above)
    if sum(map(sides.worked, gone)) < BLOCK_LINES_MIN or any(sides.indented(line) <= first for line in gone):
        return []
    below = (sides.new[n] for n in range(hunk.new, len(sides.new)))
    left = takewhile(lambda line: line.code and sides.indentation(line) > first, below)
    leaves = False
    for line in left:
        if not is_form("trivial", line.code) and not is_form("leaves", line.code):
            return []
        leaves = True
    next_ = sides.new[hunk.new_end].code if not leaves else ""
    falls_through = above.code.endswith(":") and next_.endswith(":")  # a label alone has the next one's code
    return [] if falls_through else [above.start]


_WENT_ON = (")", "]", ",", "+", ".", "|", "&", "?", '"', "'", "`")


def _is_statement(hunk: Hunk, sides: _Sides) -> bool:
    """Whether a place's lines are no part of what the lines around it say."""
    new = sides.new
    above = new[hunk.new - 1].code if hunk.new and not new[hunk.new - 1].key.startswith(HEADER) else ""
    below = new[hunk.new_end].code if hunk.new_end < len(new) else ""
    return (takes(above) or not above.endswith(sides.words.goes_on)) and not below.startswith(_WENT_ON)


def _parts(hunk: Hunk, sides: _Sides) -> list[tuple[Hunk, list[tuple[int, str]]]]:
    """A place with code of its own cut at the lines that only changed: what lies between them, with its comments.

    A comment above a line that changed is about that line, unless the line above it is one that changed, too.
    """
    old, new = sides.old[hunk.old : hunk.old_end], sides.new[hunk.new : hunk.new_end]
    pairs = alike([line.code for line in old], [line.code for line in new])
    if not pairs:
        return []
    out: list[tuple[Hunk, list[tuple[int, str]]]] = []
    a, b = hunk.old, hunk.new
    for x, y in [*((hunk.old + x, hunk.new + y) for x, y in pairs), (hunk.old_end, hunk.new_end)]:
        part = Hunk(a, x, b, y)
        is_last, is_first = x == hunk.old_end, b == hunk.new
        comments = _comments_at(part, sides.new)
        if not is_last and (is_first or len(sides.lost(part)) < WORKED_LINES_MIN):
            comments = []
        out.append((part, comments))
        a, b = x + 1, y + 1
    return out


def _comments_at(hunk: Hunk, new: list[Line]) -> list[tuple[int, str]]:
    """The comments at a place. Those above a definition are about it."""
    here = new[hunk.new : hunk.new_end + 1]
    return [(at, comment) for line in here for at, comment in line.comments if at < line.belongs]


def _comments_beside(hunk: Hunk, sides: _Sides) -> list[tuple[int, str]]:
    """The comments behind the code of the lines around a place where code is gone and none has come."""
    here, gone = sides.new[hunk.new : hunk.new_end], sides.old[hunk.old : hunk.old_end]
    if not sides.words.are_statements or any(_is_code(line.code) for line in here) or not any(map(sides.worked, gone)):
        return []
    around = (*sides.new[max(hunk.new - 1, 0) : hunk.new], *sides.new[hunk.new_end : hunk.new_end + 1])
    return [said for line in around for said in line.trailing]


def _new(comments: list[tuple[int, str]], lost: list[str], known: set[str]) -> list[int]:
    """The comments that are new. Code that was commented out is no stand-in."""
    gone = {_letters(code) for code in lost}
    return [
        at
        for at, comment in comments
        if any(said and said not in known and _letters(said) not in gone for said in sayings(comment))
    ]


def _letters(text: str) -> str:
    return "".join(re.findall(r"\w+", text.lower()))


def _words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w+", text))
