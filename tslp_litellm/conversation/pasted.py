"""Code that a user pastes below its path without a fence, as people do in a plain chat window (SEMANTICS 2).

The parse says where it ends: a block is what begins below the path, parses without an error in the path's language, and
is followed by nothing but words. In doubt nothing is read: half a file would be taken for all of it. Pure functions.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice, pairwise

from tslp_litellm.dialects.fences import Fence, fences
from tslp_litellm.dialects.lines import join_lines, split_lines
from tslp_litellm.dialects.paths import paths_in
from tslp_litellm.parser import outline
from tslp_litellm.syntax.languages import Language, Nature, language_of_path
from tslp_litellm.syntax.outline import Kind

LABEL_CHARS_MAX = 200
LABELS_MAX = 20
"""More lines that end with a path are a list of files."""
MAX_BYTES = 1 << 20
ENDS_MAX = 12
"""So many paragraphs of words may stand behind the code."""
_SENTENCES = (
    "Please, could you add a method to this class? It is not there.\n",
    "The function total() should return 0; what is wrong?\n",
    "add discount(percent) to Item\n",
)
_WORDS = re.compile(r"[^\W\d_][^{}<>=;]*[^{}<>=;,()\[\]\"'`]")
"""A line that may be words: it begins with a letter and has no mark that only code has, nor ends with one."""
_EXTENSION = re.compile(r"\.\w{1,10}\Z")
_CODE = re.compile(
    r"\A(?![\[{(\"'\d-])(?s:.*?)(?:\w\(|(?<![=!<>])=(?!=)|[;{}]\s*$|^(?:import|export|from|use|using|include|package|module)\b)",
    re.M,
)
"""What a paragraph of code behind the first has, and output has not: a call, an assignment, an import, an end."""
WORDS_BEFORE_MAX = 3
"""So many words may stand in front of a path that code is of: "This is my a.py". A colon behind it says so, too."""
_OF_CODE = ("{", "}", ";", ",", "(", "[")
"""How a line of code ends, and none of words."""


def shown_code(text: str) -> list[Fence]:
    """The fences of a user's text; where it has none, what it pastes without."""
    return fences(text) or pasted(text)


def pasted(text: str) -> list[Fence]:
    """The blocks of code below paths of a text that has no fence; `first` and `last` are lines of the code itself.

    >>> [block.body for block in pasted("a.py\\n\\ndef f():\\n    return 1\\n\\nLet f return two, please.")]
    ['def f():\\n    return 1\\n']
    """
    lines = split_lines(text)
    named = ((n, language) for n, line in enumerate(lines) if (language := _labelled(line)) is not None)
    labels, found = [*islice(named, LABELS_MAX + 1)], list[Fence]()
    if len(labels) > LABELS_MAX:
        return []
    for (at, language), (end, _) in pairwise([*labels, (len(lines), None)]):
        block = code_at(lines, at + 1, end, language) if language is not None else []
        if block is None:
            return []
        found += block
    return found


def _labelled(line: str) -> Language | None:
    """The language of the path that a line ends with; None where it ends with none."""
    if len(line) > LABEL_CHARS_MAX or line[:1] in " \t#/*-'\"":
        return None
    said = line.rstrip(" \t\r:*`")
    if not _EXTENSION.search(said):
        return None
    language = next((language_of_path(path) for path in paths_in(said) if said.endswith(path)), None)
    if language is None or language.nature is not Nature.CODE or not tells_words(language):
        return None
    return language if ":" in line[len(said) :] or len(said.split()) <= WORDS_BEFORE_MAX + 1 else None


@lru_cache(maxsize=64)
def tells_words(language: Language) -> bool:
    """Whether sentences are errors in a language: in a shell script they are commands, and in Kotlin infix calls."""
    seen = [outline(language, one) for one in _SENTENCES]
    return all(one.refused is None and not one.sound for one in seen)


def code_at(lines: list[str], start: int, end: int, language: Language) -> list[Fence] | None:
    """The code that some lines begin with, if any; None where it can't be told where it ends."""
    while start < end and not lines[start].strip():
        start += 1
    sound = MAX_BYTES  # so much, at most, is without an error
    for last in _ends(lines, start, end) if start < end and not lines[start][:1].isspace() else ():
        text = join_lines(lines[start:last]) + "\n"
        if len(text.encode()) > sound:
            continue
        seen = outline(language, text)
        if not seen.sound or not seen.symbols:
            sound = seen.errors[0].start if seen.errors else sound
            continue
        begin = _paragraph(lines, start, last)
        if begin == last - 1 and re.fullmatch(r"[^\W\d_]\w*\W?", lines[begin].rstrip()):
            continue  # `thanks` is an expression
        sure = begin == start or (_CODE.search(join_lines(lines[begin:last])) and not _is_words(lines, begin, last))
        ends = sure and not _goes_without(lines, start, last, language) and _is_prose(lines[last:end], language)
        return [Fence(language.name, seen.text.decode(), start, last - 1, closed=True)] if ends else None
    return [] if _is_prose(lines[start:end], language) else None


def _ends(lines: list[str], start: int, end: int) -> list[int]:
    """Where code may end, the longest first: behind a paragraph that nothing indented goes on."""
    ends, following = list[int](), "x"
    for n in range(end, start, -1):
        if not lines[n - 1].strip():
            continue
        if (n == end or not lines[n].strip()) and not following[:1].isspace():
            ends.append(n)
        following = lines[n - 1]
    return ends[:ENDS_MAX]


def _paragraph(lines: list[str], start: int, last: int) -> int:
    """Where the last paragraph begins that is not indented."""
    return next(
        (n for n in range(last - 1, start, -1) if not lines[n - 1].strip() and not lines[n][:1].isspace()), start
    )


def _is_words(lines: list[str], begin: int, last: int) -> bool:
    """Whether a paragraph is one line, and may be words."""
    return begin == last - 1 and _WORDS.fullmatch(lines[begin].rstrip()) is not None


def _goes_without(lines: list[str], start: int, last: int, language: Language) -> bool:
    """Whether the last line may be words, and the code is as good without it."""
    line = lines[last - 1].rstrip()
    if last - 1 == start or line[:1].isspace() or not _WORDS.fullmatch(line):
        return False
    return outline(language, join_lines(lines[start : last - 1]) + "\n").sound


def _is_prose(lines: list[str], language: Language) -> bool:
    """Whether each paragraph is words, and no code of a language."""
    said = [line for line in lines if line.strip()]
    if any(line[:1].isspace() or line.rstrip().endswith(_OF_CODE) for line in said):
        return False
    return all(_is_sentence(one, language) for one in re.split(r"\n\s*\n", join_lines(lines).strip()) if one)


def _is_sentence(paragraph: str, language: Language) -> bool:
    seen = outline(language, paragraph + "\n")
    code = any(symbol.sound and symbol.kind is not Kind.VALUE for symbol in seen.symbols)
    return seen.refused is None and not code and (not seen.sound or not re.search(r"\s", paragraph))
