"""Changes of a file that stand, carried over to the text that it has without what a conversation left (SEMANTICS 2,
Going back): definitions, where nothing else was changed. What was written on a text that is gone is of unknown text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tslp_litellm.parser import outline
from tslp_litellm.resolution.files import Change, Piece, adopt, dirty, insert, with_holders
from tslp_litellm.state.names import holders
from tslp_litellm.state.values import FileState, Grant, Held, Source
from tslp_litellm.syntax.languages import language_of_path

STEPS_MAX = 8
"""So many of one file are carried over."""


@dataclass(frozen=True, slots=True)
class Step:
    """A change of a file's whole text that stands, by the artifacts before and after it. `shown`: whether the user
    showed what it changed."""

    before: str
    after: str
    shown: bool


def joined(steps: tuple[Step, ...], step: Step) -> tuple[Step, ...] | None:
    """Steps with one more, as one with the last where that led there; None: too many."""
    if steps and (steps[-1].after, steps[-1].shown) == (step.before, step.shown):
        return (*steps[:-1], Step(steps[-1].before, step.after, step.shown))
    return (*steps, step) if len(steps) < STEPS_MAX else None


def carried_over(state: FileState, text: str, whole: Held, steps: Iterable[Step], texts: Mapping[str, str]) -> Change:
    """A file with a text, held so once, and what some steps changed of it. `texts`: those of the steps, by artifact."""
    path, doubted = state.path, set[str]()
    for step in steps:
        pieces = _changed(path, texts.get(step.before), texts.get(step.after))
        spliced = _with(path, text, pieces) if pieces is not None else None
        if pieces is None or spliced is None:
            return dirty(state, "rewound")
        parts = {piece.name: piece.parts().keys() for piece in pieces}
        here, there = (_texts(path, one) for one in (text, texts[step.before]))
        built_on = (name for name in parts if not step.shown and here.get(name) != there.get(name))
        doubted = doubted.difference(*parts.values() if step.shown else ()).union(*(parts[name] for name in built_on))
        text = spliced
    made, moves = adopt(state, text, whole.source, Grant.REINSTATED)
    if doubted:
        made, more = dirty(made, "rewound", with_holders(made, doubted))
        moves += more
    return made, moves


def _changed(path: str, before: str | None, after: str | None) -> list[Piece] | None:
    """The innermost definitions that make one text another; None where more than these was changed."""
    if before is None or after is None:
        return None
    now, was = outline(language_of_path(path), after), _texts(path, before)
    changed = {symbol.name: symbol for symbol in now.symbols if was.get(symbol.name) != now.slice(symbol)}
    outer = {holder for name in changed for holder in holders(name)}
    pieces = [Piece(symbol, now) for name, symbol in changed.items() if name not in outer]
    return pieces if _with(path, before, pieces) == after else None


def _with(path: str, text: str, pieces: list[Piece]) -> str | None:
    """A text with some of its definitions replaced; None where it lacks one, or that can't be done without doubt."""
    state, _ = adopt(FileState(path), text, Source.AST, Grant.REINSTATED)
    changed = insert(state, pieces, Grant.REINSTATED)
    return changed[0].text() if changed is not None else None


def _texts(path: str, text: str) -> dict[str, str]:
    """The definitions of a text, by name."""
    seen = outline(language_of_path(path), text)
    return {symbol.name: seen.slice(symbol) for symbol in seen.symbols}
