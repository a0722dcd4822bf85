"""How a text ends: whether its last line is code that its language makes something of, or may be somebody's word about
the text (SEMANTICS 2, Reads).

A word about a text can parse: `[cut]` is a list, `{"has_more": true}` a dictionary, `more` a name. None of them does
anything. What proves a line is its place in a definition, in the preamble or in a statement that does something.
"""

from __future__ import annotations

import re
from enum import StrEnum

from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.symbols import Kind, squeeze

_CLOSERS = re.compile(r"[\s)\]}>;,/?]+|\s*</[\w.:-]+>\s*")
_WORD = re.compile(r"[@$#.]?[A-Za-z_]\w*")
_SIGN = re.compile(r"[=(){};:\[\]<>\"'.]")


class Ending(StrEnum):
    """What the last line of a text is: in a definition of several lines, closing it or a statement in it; a definition
    or a statement outside of all; or nothing that does anything."""

    CLOSING = "closing"
    INSIDE = "inside"
    OUTSIDE = "outside"
    IDLE = "idle"


def first_word(line: str) -> str:
    """The word that a line begins with, white space apart; empty where it begins with none."""
    match = _WORD.match(line.strip())
    return match[0] if match else ""


def lines_of(text: str) -> list[str]:
    """The lines of a text that hold something, without what is blank at their ends."""
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def ending(seen: Outline) -> Ending:
    """What the last line is, in a text of a language whose grammar refuses what is not of it."""
    text = seen.text.rstrip()
    start = text.rfind(b"\n") + 1
    line = text[start:].decode(errors="replace").strip()
    holders = [s for s in seen.symbols if s.start <= start < s.end]
    if any(s.kind is not Kind.VALUE and seen.text.find(b"\n", s.node_start, start) >= 0 for s in holders):
        return _within(line)
    if holders or squeeze(line) in seen.preamble:
        return Ending.OUTSIDE
    return _outside(seen, text.decode(errors="replace"), line)


def _within(line: str) -> Ending:
    if _closes(line):
        return Ending.CLOSING
    return Ending.INSIDE if first_word(line) or not _is_group(line) else Ending.IDLE


def _closes(line: str) -> bool:
    """Whether a line, which parses where it stands, ends something that was begun above it."""
    opened, closed = (sum(line.count(sign) for sign in signs) for signs in ("([{", ")]}"))
    return closed > opened or _CLOSERS.fullmatch(line) is not None


def _is_group(line: str) -> bool:
    """Whether a line is nothing but what stands between brackets, or marks: a value that goes nowhere."""
    return line[:1] in "[({<…." or not any(sign.isalnum() for sign in line)


def _outside(seen: Outline, text: str, line: str) -> Ending:
    """What a line is that stands outside of all definitions: the end of a statement that does something, or idle."""
    folded = squeeze(text)
    whole = max((part for part in seen.loose if folded.endswith(part)), key=len, default="")
    if not whole:
        return Ending.CLOSING if _closes(line) else Ending.IDLE if _is_group(line) else Ending.OUTSIDE
    word = first_word(whole)
    if not word:
        return Ending.OUTSIDE if ")(" in whole else Ending.IDLE  # a function that is called where it stands
    return Ending.OUTSIDE if _SIGN.search(whole[len(word) :]) or _is_known(word, whole, text) else Ending.IDLE


def _is_known(word: str, whole: str, text: str) -> bool:
    """Whether a word that a statement begins with, and that does not make all of it, begins another line too."""
    return whole != word and any(first_word(line) == word for line in lines_of(text)[:-1])
