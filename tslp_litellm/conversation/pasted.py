"""Code that a user pastes below its path without a fence, as people do in a plain chat window (SEMANTICS 2).

The parse says where it ends: a block is what begins below the path, parses without an error in the path's language, and
is followed by nothing but words. In doubt nothing is read: half a file would be taken for all of it. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import islice, pairwise

from tslp_litellm.dialects.fences import Fence, fences
from tslp_litellm.dialects.labelled import LINES_ABOVE, is_no_content
from tslp_litellm.dialects.lines import join_lines, split_lines
from tslp_litellm.dialects.paths import hint_in_first_line, hint_in_line, paths_in
from tslp_litellm.dialects.values import Carrier, Shown
from tslp_litellm.parser import outline
from tslp_litellm.syntax.languages import Language, Nature, language_of_path
from tslp_litellm.syntax.outline import Kind
from tslp_litellm.words.sentences import is_taken_back, listed

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
_COMMENTS = ("#", "/", "-")
QUOTED = re.compile(r"^[>+|$]", re.M)
"""How a line begins that is quoted, or shown by a program, and none of code."""
_DECORATED = re.compile(r"\*\*|`|#{2,6} ")
"""How a label begins that no line of code does."""
_LEADS = re.compile(
    rf"(?<![^\s`*])(?P<path>[^\s`*]++)[`*]*+(?:\s++{listed('follows')}){{1,6}}[*_ \t]*+[:：][*_ \t]*+\r?\Z", re.I
)
"""A line that leads to the code below it: a path with the extension of a file, a few words that say so, and a colon."""
_EXTENSION = re.compile(r"\.\w{1,10}\Z")
CODE = re.compile(
    r"\A(?![\[{(\"'\d-])(?s:.*?)(?:\w\(|(?<![=!<>])=(?!=)|[;{}]\s*$|^(?:import|export|from|use|using|include|package|module)\b)",
    re.M,
)
"""What a paragraph of code behind the first has, and output has not: a call, an assignment, an import, an end."""
WORDS_BEFORE_MAX = 3
"""So many words may stand in front of a path that code is of: "This is my a.py". A colon behind it says so, too."""
_OF_CODE = ("{", "}", ";", ",", "(", "[")
"""How a line of code ends, and none of words."""


def pasted(text: str) -> list[Fence]:
    """The blocks of code below paths of a text that has no fence; `first` and `last` are lines of the code itself.

    >>> [block.body for block in pasted("a.py\\n\\ndef f():\\n    return 1\\n\\nLet f return two, please.")]
    ['def f():\\n    return 1\\n']
    """
    lines = split_lines(text)
    return _below(lines, _led_to) or _below(lines, _labelled) or _below_comment(lines)


def torn(text: str) -> list[Shown]:
    """What stands below the paths of a text without a fence that may show code of them, where it can't be told what."""
    lines = split_lines(text)
    if fences(text) or pasted(text) or len(labels := _labels(lines, _led_to)) > LABELS_MAX:
        return []
    ends = [*(n for n, _ in labels[1:]), len(lines)]
    below = [(n, path, join_lines(lines[n + 1 : end])) for (n, path), end in zip(labels, ends, strict=False)]
    return [
        Shown(path, code, Carrier.FENCE, doubted=True, part=True)
        for n, path, code in below
        if _holds_code(path, code) and not is_taken_back("\n".join(lines[max(0, n - LINES_ABOVE) : n + 1]))
    ]


def leads_to_files(text: str) -> bool:
    """Whether a line of a text leads to the code of a file below it."""
    return bool(_labels(split_lines(text), _led_to))


def _holds_code(path: str, text: str) -> bool:
    """Whether a text holds a definition of a path's language, and is no output of a program."""
    if not text.strip() or is_no_content(text) or QUOTED.search(text):
        return False
    return any(symbol.kind is not Kind.VALUE for symbol in outline(_told_from_words(path), text).symbols)


def _labels(lines: list[str], name: Callable[[str], str]) -> list[tuple[int, str]]:
    """The lines that name a path of code that words are told from, one more than are read at most."""
    named = ((n, path) for n, line in enumerate(lines) if (path := name(line)) and _told_from_words(path) is not None)
    return [*islice(named, LABELS_MAX + 1)]


def _below(lines: list[str], name: Callable[[str], str]) -> list[Fence]:
    """The blocks below such lines; none where one can't be told."""
    labels, found = _labels(lines, name), list[Fence]()
    if len(labels) > LABELS_MAX:
        return []
    for (at, path), (end, _) in pairwise([*labels, (len(lines), "")]):
        language = _told_from_words(path)
        block = code_at(lines, at + 1, end, language) if language is not None else []
        if block is None:
            return []
        found += block
    return found


def _below_comment(lines: list[str]) -> list[Fence]:
    """The block that begins with a comment that is only its path, if it is the only one."""
    starts = [n for n, line in enumerate(lines) if line[:1] in _COMMENTS and not (n and lines[n - 1].strip())]
    inside = {n: hint_in_first_line(join_lines(lines[n : n + 2])) for n in starts}
    found = {n: hint[0].path for n, hint in inside.items() if hint is not None and hint[0].sure}
    if len(found) != 1:
        return []
    ((at, path),) = found.items()
    language = _told_from_words(path)
    return (code_at(lines, at, len(lines), language) if language is not None else None) or []


def _led_to(line: str) -> str:
    """The path of a label, however decorated, or in a line that leads on: `This is a.py now:`."""
    if (labelled := _labelled(line)) or len(line) > LABEL_CHARS_MAX:
        return labelled
    if _DECORATED.match(line):
        hint = hint_in_line(line)
        return hint.path if hint is not None and hint.sure and not hint.excerpt else ""
    found = _LEADS.search(line) if line[:1].isalpha() else None
    return found["path"] if found is not None and paths_in(line) == [found["path"]] else ""


def _labelled(line: str) -> str:
    """The path that a line ends with; empty where it ends with none."""
    if len(line) > LABEL_CHARS_MAX or line[:1] in " \t#/*-'\"":
        return ""
    said = line.rstrip(" \t\r:*`")
    if not _EXTENSION.search(said) or not (":" in line[len(said) :] or len(said.split()) <= WORDS_BEFORE_MAX + 1):
        return ""
    return next((path for path in paths_in(said) if said.endswith(path)), "")


def _told_from_words(path: str) -> Language | None:
    """The language of a path, if it is one of code that words are told from."""
    language = language_of_path(path)
    return language if language is not None and language.nature is Nature.CODE and tells_words(language) else None


@lru_cache(maxsize=64)
def tells_words(language: Language) -> bool:
    """Whether sentences are errors in a language: in a shell script they are commands, and in Kotlin infix calls."""
    seen = [outline(language, one) for one in _SENTENCES]
    return all(one.refused is None and not one.sound for one in seen)


def defines(language: Language, code: str) -> bool:
    """Whether a text is sound code of a language that defines a function or a type."""
    seen = outline(language, code)
    return seen.sound and any(symbol.kind is not Kind.VALUE for symbol in seen.symbols)


def code_at(lines: list[str], start: int, end: int, language: Language) -> list[Fence] | None:
    """The code that some lines begin with, if any; None where it can't be told where it ends."""
    while start < end and not lines[start].strip():
        start += 1
    sound = MAX_BYTES  # so much, at most, is without an error
    for last in ends_of(lines, start, end) if start < end and not lines[start][:1].isspace() else ():
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
        sure = begin == start or (CODE.search(join_lines(lines[begin:last])) and not _is_words(lines, begin, last))
        ends = sure and not _goes_without(lines, start, last, language) and is_prose(lines[last:end], language)
        return [Fence(language.name, seen.text.decode(), start, last - 1, closed=True)] if ends else None
    return [] if is_prose(lines[start:end], language) else None


def ends_of(lines: list[str], start: int, end: int) -> list[int]:
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


def is_prose(lines: list[str], language: Language) -> bool:
    """Whether each paragraph is words, and no code of a language."""
    said = [line for line in lines if line.strip()]
    if any(line[:1].isspace() or line.rstrip().endswith(_OF_CODE) for line in said):
        return False
    return all(_is_sentence(one, language) for one in re.split(r"\n\s*\n", join_lines(lines).strip()) if one)


def _is_sentence(paragraph: str, language: Language) -> bool:
    seen = outline(language, paragraph + "\n")
    code = any(symbol.sound and symbol.kind is not Kind.VALUE for symbol in seen.symbols)
    return seen.refused is None and not code and (not seen.sound or not re.search(r"\s", paragraph))
