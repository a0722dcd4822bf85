"""Whether bare output that ends otherwise than our text ends is the file, or ends in a tool's word about more of it
(SEMANTICS 2, Reads).

No list of wordings tells the two apart, so the last line has to prove itself: it is ours; or code that takes the place
of ours, or is added to it, as the language and the file itself have such lines. What proves nothing may be anybody's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tslp_litellm.dialects.plausible import NOTE_LINES_MAX, is_closed
from tslp_litellm.syntax.alignment import Hunk, hunks
from tslp_litellm.syntax.endings import Ending, ending, first_word, lines_of
from tslp_litellm.syntax.languages import Nature, language_named
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.symbols import Kind

_ITEM = re.compile(r"(?:[-*+#|>]{1,9}|\d{1,9}[.)])[ \t]")
"""What an item of a list, a heading or a row begins with."""
_CASE = ((re.compile(r"[A-Z]+"), "A"), (re.compile(r"[a-z]+"), "a"), (re.compile(r"\d+"), "0"))
_INNER = re.compile(r"\w[^\w\s]+\w")


def ends_unproven(seen: Outline, base: Outline) -> bool:
    """Whether a bare text of a file, whose text was `base`, ends in what may be a tool's word, or holds one in the
    place of our lines."""
    ours, theirs = lines_of(base.text.decode()), lines_of(seen.text.decode())
    if not ours or not theirs or seen.text == base.text:
        return False
    if seen.parsed and base.parsed and is_closed(base) and not is_closed(seen):
        return True
    found = hunks(ours, theirs)
    if any(_is_word(seen, base, ours, theirs, hunk) for hunk in found if hunk.new_end < len(theirs)):
        return True
    last = found[-1] if found else None
    if last is None or last.new_end < len(theirs) or last.new == last.new_end:
        return False  # nothing new stands at the end
    lost, added = ours[last.old : last.old_end], theirs[last.new : last.new_end]
    if _is_code(seen):
        return not _proven_code(seen, base, ours, lost, added)
    return not _proven_text(seen, ours, lost, added)


def _is_code(seen: Outline) -> bool:
    return seen.parsed and language_named(seen.language).nature is Nature.CODE


def _is_word(seen: Outline, base: Outline, ours: Sequence[str], theirs: Sequence[str], hunk: Hunk) -> bool:
    """Whether a few new lines in the midst of a text stand for more of ours, and are nothing by themselves."""
    added, lost = theirs[hunk.new : hunk.new_end], ours[hunk.old : hunk.old_end]
    if not added or not lost or len(added) > NOTE_LINES_MAX:
        return False
    if _is_code(seen):
        idle = {part for part in seen.loose - base.loose if not first_word(part)}
        return any(" ".join(line.split()) in idle for line in added)
    kept = {line.strip()[:1] for line in lost}
    return all(
        not _ITEM.match(line.strip()) and (sign := line.strip()[:1]) in "[({<…." and sign not in kept for line in added
    )


def _proven_code(seen: Outline, base: Outline, ours: Sequence[str], lost: Sequence[str], added: Sequence[str]) -> bool:
    """Whether the last of the new lines is code as the file had it before."""
    match ending(seen):
        case Ending.CLOSING:
            return True
        case Ending.INSIDE:
            return _is_statement(added[-1], (*ours, *added[:-1]))
        case Ending.OUTSIDE if lost:
            return _alike(added[-1], lost[-1])
        case Ending.OUTSIDE:
            return _as_before(seen, base, ours, added)
        case _:
            return False


def _is_statement(line: str, others: Sequence[str]) -> bool:
    """Whether a line in a definition assigns, calls, or begins as another line of the file does."""
    if re.search(r"\w\(|=", line):
        return True
    word = first_word(line)
    return bool(word) and any(first_word(other) == word for other in others)


def _as_before(seen: Outline, base: Outline, ours: Sequence[str], added: Sequence[str]) -> bool:
    """Whether what is added to our text ends in a statement of a kind that the file had: a constant in the case of its
    others, or what goes by a word of the file."""
    text = seen.text.rstrip()
    start = text.rfind(b"\n") + 1
    named = [s.leaf for s in seen.symbols if s.start <= start < s.end and s.kind is Kind.VALUE and s.parent is None]
    if named and first_word(added[-1]) == named[-1]:
        cases = {s.leaf.isupper() for s in base.symbols if s.kind is Kind.VALUE and s.parent is None}
        return named[-1].isupper() in cases
    if added[-1][:1].isspace() or not first_word(added[-1]):
        return len(added) > 1  # the end of a statement of several lines
    return _speaks_of(first_word(added[-1]), (*ours, *added[:-1]))


def _speaks_of(word: str, lines: Sequence[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", line) for line in lines)


def _proven_text(seen: Outline, ours: Sequence[str], lost: Sequence[str], added: Sequence[str]) -> bool:
    """Whether the last of the new lines is one of a text that parses whatever it holds: it is like the line of ours
    that it stands for or follows, or so much is new that nobody says it of a text."""
    if _alike(added[-1], lost[-1] if lost else ours[-1]):
        return True
    if lost:
        return False
    shell = bool(seen.language) and language_named(seen.language).nature is Nature.SHELL
    if shell and any(first_word(line) == first_word(added[-1]) != "" for line in ours):
        return True
    return len(added) > NOTE_LINES_MAX or (len(added) > 1 and added[0].startswith("#"))


def _alike(line: str, other: str) -> bool:
    """Whether two lines begin with the same word or mark, as far in; or are one word each, made of the same signs."""
    if len(line) - len(line.lstrip()) != len(other) - len(other.lstrip()):
        return False
    word, item = first_word(line), _ITEM.match(line.strip())
    if word and word == first_word(other):
        return True
    mine = _ITEM.match(other.strip())
    if item and mine:
        return re.sub(r"\d+", "0", item[0]) == re.sub(r"\d+", "0", mine[0])
    return bool(_INNER.search(line)) and " " not in line.strip() and _shape(line) == _shape(other)


def _shape(line: str) -> str:
    for pattern, sign in _CASE:
        line = pattern.sub(sign, line)
    return line
