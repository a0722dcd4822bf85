"""An answer that goes on with one that was cut short within a fence: both are one answer (SEMANTICS 2).

Small models are cut short by their limits all the time, and their users say "continue". What was cut short shows
nothing by itself. Its end is sought in the next answer, and the parse proves the join. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tslp_litellm.conversation.model_text import read_answer
from tslp_litellm.dialects.fences import Fence, fences
from tslp_litellm.dialects.lines import join_lines, split_lines
from tslp_litellm.dialects.values import Shown, Snippet
from tslp_litellm.placing.readings import names_in, readings
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.words.sentences import mentions_word

REPEATED_LINES_MAX = 60
"""So many lines of what was cut short may be said again, before what comes next."""
_MARKS = re.compile(r"[`~]{3,}")
_BEGINS_ANEW = re.compile(r"(?:async )?(?:def|class)\b|[@#]|if __name__\b")


def begun(texts: Sequence[str]) -> str:
    """What the model's last texts come to that were cut short one after the other; empty where the last one does not
    end within a fence. One that begins a fence of its own begins anew: the text before may only lack its last mark."""
    said = ""
    for text in texts:
        taken = _taken(text)
        said = text if not said or taken.fenced else said + taken.code + _end(said, taken)
        said = said if _open(said) is not None else ""
    return said


def gone_on(cut: str, rest: str, asked: str, sure: bool = False) -> str | None:
    """The answer that `cut`, which ends within a fence, and `rest` make together: its code parses and defines nothing
    twice. None where there is none, and where the prompt names what `rest` defines, which then was asked for anew.

    `sure`: it is known that `cut` was cut short. Else it may be whole and only lack the mark that ends its fence: then
    another fence goes on with it where it says the last lines again, or where `cut` does not parse by itself.

    >>> print(gone_on("a.py\\n```python\\ndef f(x):\\n    return x", " + 1\\n```\\nDone.", "Go on."))
    a.py
    ```python
    def f(x):
        return x + 1
    ```
    Done.
    """
    taken, written = _taken(rest), _written_in(cut)
    if written is None or not taken.ends:
        return None
    path, language = written
    names = set[str]().union(*names_in(Snippet(taken.code, language)))
    if _is_of_another(rest, path) or any(mentions_word(asked, name) for name in names):
        return None
    number, behind = len(fences(cut)) - 1, _behind(cut, taken, language)
    if taken.fenced and not sure and _is_proven(_closed(cut), number, language):
        behind = None
    found = [*_with_lines_again(cut, taken), *([behind] if behind is not None else [])]
    return next((joined for joined in found if _is_proven(joined, number, language)), None)


def _written_in(cut: str) -> tuple[str, str] | None:
    """The file and the language of the fence within which a text ends, as far as they are told."""
    shown = read_answer(_closed(cut))[-1:] if _open(cut) is not None else []
    if not shown or not isinstance(shown[0], (Shown, Snippet)):
        return None
    path = shown[0].path if isinstance(shown[0], Shown) else ""
    language = language_of_path(path) if path else None
    return path, language.name if language is not None else shown[0].language


def _closed(text: str) -> str:
    """A text whose last fence is ended."""
    opening = _open(text)
    return text if opening is None else f"{text.rstrip()}\n{_marks(text, opening)}\n"


@dataclass(frozen=True, slots=True)
class _Taken:
    """The code that an answer begins with; whether its fence ends, and begins; and what stands behind that."""

    code: str
    ends: bool
    behind: str = ""
    fenced: bool = False


def _taken(rest: str) -> _Taken:
    """What of an answer goes on: its first fence, or all up to a mark that ends a fence which never began."""
    blocks, lines = fences(rest), split_lines(rest)
    if not blocks:
        return _Taken(rest, ends=False)
    first = blocks[0]
    if not first.info and not blocks[-1].closed:
        return _Taken(join_lines(lines[: first.first]), True, join_lines(lines[first.first + 1 :]))
    behind = join_lines(lines[first.last + 1 :])
    return _Taken(join_lines(lines[first.first + 1 : first.last]), first.closed, behind, fenced=True)


def _with_lines_again(cut: str, taken: _Taken) -> Iterator[str]:
    """What both may be together where the last lines of `cut` are said again."""
    lines, opening = split_lines(cut), fences(cut)[-1]
    for n in range(max(opening.first + 1, len(lines) - REPEATED_LINES_MAX), len(lines)):
        again = join_lines(lines[n:])
        if again.strip() and taken.code.startswith(again):
            yield join_lines([*lines[:n], taken.code]) + _end(cut, taken)


def _behind(cut: str, taken: _Taken, language: str) -> str | None:
    """What both are together where one begins as the other ends; None where that can't be."""
    if language == "python" and not _may_begin_a_line(split_lines(cut), taken.code):
        return None
    return cut + taken.code + _end(cut, taken)


def _end(cut: str, taken: _Taken) -> str:
    return f"\n{_marks(cut, fences(cut)[-1])}\n{taken.behind}" if taken.ends else ""


def _may_begin_a_line(lines: Sequence[str], code: str) -> bool:
    """Whether Python may stand behind some lines as it is: answers lose the spaces that they begin with."""
    before = next((line for line in reversed(lines) if line.strip()), "")
    indented = before[:1].isspace() or before.rstrip().endswith(":")
    return bool(lines[-1]) or code[:1].isspace() or not indented or bool(_BEGINS_ANEW.match(code))


def _is_of_another(rest: str, path: str) -> bool:
    shown = [piece.path for piece in read_answer(rest) if isinstance(piece, Shown) and piece.sure]
    return bool(path and shown) and path not in shown


def _is_proven(answer: str, number: int, language: str) -> bool:
    found = [seen for _, seen in readings(Snippet(fences(answer)[number].body, language)) if seen.sound]
    return any(seen.symbols and not any("#" in symbol.name for symbol in seen.symbols) for seen in found)


def _open(text: str) -> Fence | None:
    """The fence within which a text ends."""
    last = fences(text)[-1:]
    return last[0] if last and not last[0].closed and not last[0].beyond else None


def _marks(text: str, opening: Fence) -> str:
    found = _MARKS.search(split_lines(text)[opening.first])
    return found[0] if found is not None else "```"
