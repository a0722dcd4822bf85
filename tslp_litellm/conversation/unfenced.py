"""Code that a user writes into his words, in no fence and below no path (SEMANTICS 2, Which file 2).

A block begins with a paragraph that may be code, or with the line of a definition, at the margin or indented as a whole
(Markdown's other way to show code), parses without an error, defines a function or type, and goes on until words
follow. Whether it is anything of a file is for structure to say. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise

from tslp_litellm.conversation.pasted import (
    CODE,
    QUOTED,
    code_at,
    defines,
    ends_of,
    is_prose,
    leads_to_files,
    pasted,
    tells_words,
)
from tslp_litellm.dialects.fences import Fence, fences
from tslp_litellm.dialects.labelled import LINES_ABOVE
from tslp_litellm.dialects.lines import join_lines, split_lines
from tslp_litellm.dialects.values import Snippet
from tslp_litellm.syntax.languages import Language
from tslp_litellm.syntax.looks import looks_like
from tslp_litellm.words.sentences import is_taken_back

_HEAD = re.compile(r"[ \t]*(?:@|#|//|/\*)")
"""How a line begins that may stand right above a definition, and be of it."""
STARTS_MAX = 20
"""So many lines are tried as the first one of a block."""
PARAGRAPHS_MAX = 200
"""So many paragraphs are asked whether they are the words behind one."""


def shown_code(text: str) -> list[Fence]:
    """The fences of a user's text; where it has none, what it pastes without."""
    return fences(text) or pasted(text) or unfenced(text)


def unfenced(text: str) -> list[Fence]:
    """The blocks of code of a text that has no fence; `first` and `last` are lines of the code itself.

    >>> [block.body for block in unfenced("I have this now:\\n\\n    def f():\\n        return 1\\n\\nIs it ok?")]
    ['def f():\\n    return 1\\n']
    """
    return next((found for language in _languages(text) if (found := _blocks(split_lines(text), language))), [])


def unended(text: str) -> list[Snippet]:
    """The code of a text without blocks of which nobody knows where it ends."""
    lines = [] if shown_code(text) else split_lines(text)
    for language in _languages(text):
        for start in _starts(lines):
            said = join_lines(lines[max(0, start - LINES_ABOVE) : start])
            if (code := _longest(_dedented(lines, start), start, language)) and not is_taken_back(said):
                return [Snippet(code, "", said, bare=True, doubted=True)]
    return []


def _languages(text: str) -> list[Language]:
    """The languages of its definitions that words are told from; none of what is quoted, or shown by a program."""
    outdented = "\n".join(map(str.lstrip, split_lines(text)))
    languages = [one for one in looks_like(outdented) if tells_words(one)]
    return [] if QUOTED.search(text) or (languages and leads_to_files(text)) else languages


def _blocks(lines: list[str], language: Language) -> list[Fence]:
    found, behind = list[Fence](), 0
    for start in _starts(lines):
        if start < behind:
            continue
        code = _dedented(lines, start)
        block = code_at(code, start, _words_behind(code, start, language), language)
        if block and defines(language, block[0].body):
            found.append(replace(block[0], info="", bare=True))
            behind = block[0].last + 1
    return found


def _starts(lines: list[str]) -> Iterator[int]:
    """The lines with which code may begin: those of a definition below words, and of a paragraph that may be code."""
    tried = 0
    for n in range(len(lines)):
        above = lines[n - 1] if n else ""
        if not lines[n].strip() or tried == STARTS_MAX:
            continue
        begins = not above.strip() and CODE.search(_paragraph(lines, n)) is not None
        inner = above.strip() and above[:1].isspace() and lines[n][:1].isspace()
        head = _HEAD.match(lines[n]) and any(lines[n + 1 : n + 2])
        if begins or (not inner and (head or looks_like(lines[n].lstrip()))):
            tried += 1
            yield n


def _paragraph(lines: list[str], start: int) -> str:
    end = next((n for n in range(start, len(lines)) if not lines[n].strip()), len(lines))
    return join_lines(lines[start:end])


def _dedented(lines: list[str], start: int) -> list[str]:
    """The lines, those of a block that is indented as a whole without that."""
    margin = re.match(r"[ \t]*", lines[start]).group()  # type: ignore[union-attr]
    end = start
    while margin and end < len(lines) and (lines[end].startswith(margin) or not lines[end].strip()):
        end += 1
    return [*lines[:start], *(line.removeprefix(margin) for line in lines[start:end]), *lines[end:]]


def _words_behind(lines: list[str], start: int, language: Language) -> int:
    """Where the first paragraph of words ends that follows a line; the end of the text, if there is none."""
    blanks = (n for n in range(start + 1, len(lines) + 1) if n == len(lines) or not lines[n].strip())
    for begin, end in pairwise(islice(blanks, PARAGRAPHS_MAX)):
        if any(lines[begin:end]) and is_prose(lines[begin:end], language):
            return end
    return len(lines)


def _longest(lines: list[str], start: int, language: Language) -> str:
    """The most of what begins with a line that is sound and defines something."""
    codes = (join_lines(lines[start:end]) + "\n" for end in ends_of(lines, start, len(lines)))
    return next((code for code in codes if defines(language, code)), "")
