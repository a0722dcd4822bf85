"""A field of a type, shown alone with another value: a line that takes the place of one line (SEMANTICS 2, Edits)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tslp_litellm.dialects.values import Carrier, Edit, Evidence, Replacement, Shown, Snippet
from tslp_litellm.placing.readings import unlabelled
from tslp_litellm.placing.rules import only_asks
from tslp_litellm.placing.structure import is_of
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import outline_of
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.outline import Kind
from tslp_litellm.words.sentences import mentions_word

LINE_CHARS_MAX = 500
_GIVES = re.compile(r"\s*+(?P<declared>(?:[^\s=]+\s+)*?(?P<name>[\w$]+)(?::[^=]*|\s+[^=\w]*)?)=(?![=>])\s*\S.*")
_TOKEN = re.compile(r"[\w$]+|[^\w\s]")


def with_fields(unit: UnitOfWork, evidence: Sequence[Evidence], context: Context) -> Sequence[Evidence]:
    """The evidence; a field that is all the code of an answer as the edit of the one line in play that gives that name
    another value, where the prompt names it and does not merely ask."""
    code = [piece for piece in evidence if isinstance(piece, (Edit, Shown, Snippet))]
    snippet = unlabelled(code[0]) if len(code) == 1 and context.applies(Carrier.FENCE) else None
    line = snippet.text.strip() if snippet is not None else ""
    if snippet is None or (said := _declared(line)) is None or not mentions_word(context.intent.prompt, said[0]):
        return evidence
    states = [unit.file(path) for path in sorted(context.play.named() or context.play.files())]
    states = [one for one in states if not snippet.language or is_of(one.path, language_named(snippet.language))]
    found = [(state, old) for state in states for old in _fields(state) if _declared(old) == said]
    if len(found) != 1 or only_asks(context.intent.prompt, found[0][0].path.rpartition("/")[2], said[0]):
        return evidence
    ((state, old),) = found
    new = old[: len(old) - len(old.lstrip())] + line
    edit = Edit(state.path, (Replacement(f"{old}\n", f"{new}\n"),), Carrier.FENCE)
    return [edit if piece is code[0] else piece for piece in evidence]


def _declared(line: str) -> tuple[str, tuple[str, ...]] | None:
    """The name that a line gives a value to, and all that stands in front of that.

    >>> _declared("static readonly MAX: number = 5;")
    ('MAX', ('static', 'readonly', 'MAX', ':', 'number'))
    """
    found = _GIVES.fullmatch(line) if len(line) <= LINE_CHARS_MAX else None
    return (found["name"], tuple(_TOKEN.findall(found["declared"]))) if found is not None else None


def _fields(state: FileState) -> Iterator[str]:
    """The lines of a file that stand in a type, and in nothing else."""
    base, at = outline_of(state) if state.text() is not None else None, 0
    for line in base.text.split(b"\n") if base is not None else ():
        around = [s for s in base.symbols if s.start <= at < s.end] if base is not None and b"=" in line else []
        if around and all(symbol.kind is Kind.TYPE for symbol in around):
            yield line.decode()
        at += len(line) + 1
