"""From words to fields: what a command is given, with wild cards where it is not known (bash manual, 3.5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from tslp_litellm.shell.syntax import Opaque, Parameter, Part, Substitution, Text, Word
from tslp_litellm.shell.targets import ANYWHERE, Folder, Target, escaped

FIELDS_MAX, CHARS_MAX = 1000, 2_000_000
BRACES_MAX = 3
_BRACED = re.compile(r"([^{}]*+)\{((?=[^{},]*+,)[^{}]*+)\}(.*)", re.S)
_SPLITTING = frozenset(" \t\n*?[")
_QUOTED_NOTHING = Text("", quoted=True)


class Wild(Enum):
    """Characters that are not known: of one name, or any at all."""

    NAME = "*"
    ANY = "**"


Parts = tuple[str | Wild, ...]
"""A text with wild cards."""
ANYTHING: Parts = (Wild.ANY,)
Values = Callable[[Parameter | Substitution | Opaque], Parts]
"""What an expansion stands for."""


@dataclass(frozen=True, slots=True)
class Field:
    """An argument. `many`: it may stand for several, or for none."""

    parts: Parts
    many: bool = False

    @property
    def text(self) -> str | None:
        """The argument, where all of it is known."""
        return None if self.many else known(self.parts)

    @property
    def ending(self) -> str:
        """What is known to stand at its end."""
        last = self.parts[-1]
        return last if isinstance(last, str) else ""

    def target(self, folder: Folder) -> Target:
        """The files that the argument names, if it names files."""
        if (text := self.text) is not None:
            return folder.at(text)
        if Wild.ANY in self.parts:
            tail = _tail(self.parts[len(self.parts) - self.parts[::-1].index(Wild.ANY) :])
            return Folder(None).like("", tail[1:] if tail.startswith("/") else "*" + tail) if tail else ANYWHERE
        first = self.parts[0] if isinstance(self.parts[0], str) else ""
        head = first[: first.rfind("/") + 1]
        return folder.like(head, _tail((first[len(head) :], *self.parts[1:]) if first else self.parts))


UNKNOWN = Field(ANYTHING, many=True)


def known(parts: Parts) -> str | None:
    """The text, where there are no wild cards in it."""
    return None if any(isinstance(part, Wild) for part in parts) else "".join(p for p in parts if isinstance(p, str))


def _tail(parts: Iterable[str | Wild]) -> str:
    return "".join(part.value if isinstance(part, Wild) else escaped(part) for part in parts)


def fields(words: Iterable[Word], values: Values, listed: tuple[str, ...] | None) -> list[Field]:
    """The arguments that words make. `listed`: what `$@` stands for, None where that is not known."""
    found: list[Field] = []
    for word in words:
        own = _listed(word, listed)
        found += _expanded(word, values) if own is None else own
        if len(found) > FIELDS_MAX:
            return [*found[:1], UNKNOWN]
    return found


def single(word: Word, values: Values) -> Parts:
    """The one text that a word makes where it is not split (assignments, here-documents)."""
    found: list[str | Wild] = []
    for part in word.parts:
        if not isinstance(part, Text):
            found += values(part)
        elif not part.quoted and part.text.startswith("~"):
            found += [Wild.ANY, part.text[part.text.find("/") :] if "/" in part.text else ""]
        else:
            found.append(part.text)
    return _merged(found)


def expansions(words: Iterable[Word]) -> Iterable[Parameter | Substitution | Opaque]:
    """What is expanded in words, in order."""
    return (part for word in words for part in word.parts if not isinstance(part, Text))


def _listed(word: Word, listed: tuple[str, ...] | None) -> list[Field] | None:
    """`"$@"` and `$@` by themselves; None for other words."""
    own = [part for part in word.parts if part != _QUOTED_NOTHING]
    if len(own) != 1 or not isinstance(own[0], Parameter) or own[0].name not in ("@", "*"):
        return None
    if listed is None or (own[0].name == "*" and own[0].quoted):
        return [UNKNOWN]
    if own[0].quoted:
        return [Field((value,)) for value in listed]
    return [UNKNOWN] if any(set(value) & _SPLITTING for value in listed) else [Field((v,)) for v in listed if v]


def _expanded(word: Word, values: Values) -> list[Field]:
    """The fields of a word; `many` where the shell may make several of it, or none."""
    if (alternatives := _alternatives(word)) is not None:
        return [Field(_merged(_texts(Text(text), first=True)), many=True) for text in alternatives]
    current: list[str | Wild] = []
    many = False
    for n, part in enumerate(word.parts):
        if isinstance(part, Text):
            current += _texts(part, first=n == 0)
            many = many or (not part.quoted and _braces(part.text) is not None)
            continue
        parts = values(part)
        if part.quoted:
            current += parts
            continue
        whole = known(parts)
        if whole is None or set(whole) & _SPLITTING:  # bash splits it and zsh does not
            many = True
            parts = parts if whole is None else ANYTHING
        current += parts
    return _field(current, word.parts, many)


def _alternatives(word: Word) -> list[str] | None:
    """The words that one with braces stands for, where all of it is plain; a shell other than bash may not see them."""
    part = word.parts[0] if len(word.parts) == 1 else None
    if not isinstance(part, Text) or part.quoted or not _BRACED.match(part.text) or part.text.count("{") > BRACES_MAX:
        return None
    return _unfolded(part.text)


def _unfolded(text: str) -> list[str]:
    match = _BRACED.fullmatch(text)
    if match is None:
        return [text]
    rests = _unfolded(match[3])
    return [match[1] + one + rest for one in match[2].split(",") for rest in rests][:FIELDS_MAX]


def _texts(part: Text, *, first: bool) -> list[str | Wild]:
    if part.quoted:
        return [part.text]
    if first and part.text.startswith("~"):
        return [Wild.ANY, *_patterned(part.text[part.text.find("/") :] if "/" in part.text else "")]
    return _patterned(part.text)


def _field(parts: list[str | Wild], word: tuple[Part, ...], many: bool) -> list[Field]:
    """The field that parts make; none where they are empty and nothing of the word is quoted."""
    if any(parts) or any((not isinstance(part, Text) and part.quoted) or part.quoted for part in word):
        return [Field(_merged(parts), many)]
    return []


def _braces(text: str) -> tuple[int, int] | None:
    """Where braces that stand for several words begin and end."""
    start, end = text.find("{"), text.rfind("}")
    return (start, end) if 0 <= start < end and ("," in text[start:end] or ".." in text[start:end]) else None


def _patterned(text: str) -> list[str | Wild]:
    """An unquoted text: patterns of file names and braces are wild."""
    if (braces := _braces(text)) is not None:
        return [*_patterned(text[: braces[0]]), Wild.ANY, *_patterned(text[braces[1] + 1 :])]
    start, end = text.find("["), text.rfind("]")
    if 0 <= start < end:
        inside = Wild.ANY if "/" in text[start:end] else Wild.NAME
        return [*_starred(text[:start]), inside, *_starred(text[end + 1 :])]
    return _starred(text)


def _starred(text: str) -> list[str | Wild]:
    found: list[str | Wild] = []
    for n, piece in enumerate(re.split(r"[*?]", text)):
        found += [Wild.NAME, piece] if n else [piece]
    return [Wild.ANY if part is Wild.NAME and "**" in text else part for part in found]


def _merged(parts: Iterable[str | Wild]) -> Parts:
    """Neighbouring texts as one; no empty ones but for the empty argument. What is too long is not known."""
    parts = list(parts)
    if sum(len(part) for part in parts if isinstance(part, str)) > CHARS_MAX:
        return ANYTHING
    found: list[list[str] | Wild] = []
    for part in parts:
        if isinstance(part, Wild):
            if not found or found[-1] is not part:
                found.append(part)
        elif part:
            last = found[-1] if found else None
            if isinstance(last, list):
                last.append(part)
            else:
                found.append([part])
    return tuple("".join(part) if isinstance(part, list) else part for part in found) or ("",)
