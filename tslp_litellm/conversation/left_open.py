"""Fences that people and small models begin or end carelessly, made as they are meant (SEMANTICS 2).

A fence that nobody ends ends with its message, as CommonMark has it; the parse says whether that is code, and, of what
a user pastes, where his words go on behind it. Only for texts that ended by themselves. Pure functions.
"""

from __future__ import annotations

import re

from tslp_litellm.conversation.pasted import code_at, defines, tells_words
from tslp_litellm.dialects.fences import Fence, fences, is_fence_line, prose_lines
from tslp_litellm.dialects.lines import join_lines, split_lines
from tslp_litellm.dialects.paths import hint_in_info, hint_in_line, language_of_info
from tslp_litellm.parser import outline
from tslp_litellm.syntax.languages import Language, Nature, language_of_path
from tslp_litellm.syntax.looks import looks_like

SET_APART_MAX = 20
"""So many fences are set apart from the words in front of them."""
_GLUED = re.compile(r"^(?P<said>[^\n`]*+)```(?!`)(?P<code>(?:(?!```)[\s\S])*+)```(?P<rest>[^\n`]*+)$", re.M)
"""Two marks of a fence, with what stands in front of the first one and behind the last one in their lines."""
_MARKS = re.compile(r"[ \t]*(?:`{3,}|~{3,})")


def set_apart(text: str) -> str:
    r"""A text whose fences all begin a line: models write one behind the words that lead to it.

    >>> set_apart("Here it is: ```python\nx = 1\n```")
    'Here it is:\n```python\nx = 1\n```'
    >>> set_apart("It is so now: ```def f():\n    return 1``` Good?")
    'It is so now:\n```\ndef f():\n    return 1\n```\nGood?'
    """
    text = _GLUED.sub(_unglued, text) if "```" in text else text
    lines, at = split_lines(text), 0
    if not any(map(_begins_late, lines)):
        return text
    for _ in range(SET_APART_MAX):
        prose = prose_lines(join_lines(lines), fences(join_lines(lines)))
        found = next((n for n in range(at, len(prose) - 1) if _begins_late(prose[n])), None)
        if found is None:
            break
        said, _, word = lines[found].rpartition("```")
        lines[found : found + 1], at = [said.rstrip(), "```" + word], found + 1
    return join_lines(lines)


def _unglued(pair: re.Match[str]) -> str:
    """Two marks with the code between them on lines of its own, where it begins right behind the first one and is
    sound; else as they are."""
    said, code, rest = pair["said"], pair["code"].strip("\n"), pair["rest"]
    head = pair["code"].partition("\n")[0].strip()
    if (not said.strip() and not head) or language_of_info(head) or hint_in_info(head):
        return pair.group()
    if not any(defines(language, f"{code}\n") for language in looks_like(code)):
        return pair.group()
    return "\n".join(filter(None, (said.rstrip(), "```", code.rstrip(), "```", rest.lstrip())))


def _begins_late(line: str) -> bool:
    said, marks, word = line.rpartition("```")
    if not marks or "```" in said or not said.strip() or not (said[-1].isspace() or said[-1] == ":"):
        return False
    language = language_of_info(word) if re.fullmatch(r"[\w+#-]{1,20}", word.strip()) else None
    return language is not None and language.nature is Nature.CODE


def ended(text: str, by_user: bool) -> str:
    """A text whose last fence has an end: behind the code that a user pastes; of a model's text at the end, if that is
    one definition. Of several nobody knows whether another one was to follow.

    >>> ended("```python\\ndef f():\\n    return 1", by_user=False)
    '```python\\ndef f():\\n    return 1\\n```'
    >>> ended("```python\\ndef f():\\n    return 1\\n\\nWhy is it slow?", by_user=True)
    '```python\\ndef f():\\n    return 1\\n```\\n\\nWhy is it slow?'
    """
    last = fences(text)[-1:]
    if not last or last[0].closed or last[0].beyond:
        return text
    (block,), lines = last, split_lines(text)
    language, marks = _language(block, lines), _MARKS.match(lines[block.first])
    if language is None or language.nature is not Nature.CODE or marks is None:
        return text
    end = _end_of_paste(lines, block.first + 1, language) if by_user else _end_of_one(block, lines, language)
    return text if end is None else join_lines([*lines[:end], marks.group(), *lines[end:]])


def _language(block: Fence, lines: list[str]) -> Language | None:
    """The language of a fence: its own word, or that of the path in its info string or above it."""
    above = next((line for line in reversed(lines[: block.first]) if line.strip()), "")
    hint = hint_in_info(block.info) or hint_in_line(above)
    named = language_of_path(hint.path) if hint is not None and hint.sure else None
    return language_of_info(block.info) or named


def _end_of_one(block: Fence, lines: list[str], language: Language) -> int | None:
    seen = outline(language, block.body)
    alone = sum(symbol.parent is None for symbol in seen.symbols) == 1
    return len(lines) - (not lines[-1]) if seen.sound and alone else None


def _end_of_paste(lines: list[str], start: int, language: Language) -> int | None:
    """Behind the last line of the code that a fence begins with, if nothing but words follows it."""
    if tells_words(language):
        found = code_at(lines, start, len(lines), language)
        end = found[0].last + 1 if found else None
    else:
        code = join_lines(lines[start:]).rstrip() + "\n"
        seen = outline(language, code)
        end = start + code.count("\n") if seen.sound and seen.symbols and code.endswith("}\n") else None
    return end if end is not None and not any(map(is_fence_line, lines[end:])) else None
