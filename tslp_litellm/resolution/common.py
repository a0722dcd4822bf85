"""Common ground of the judgements: which file is meant, whether a text is whole, code without a path."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field, replace
from typing import Any

from tslp_litellm.dialects.values import (
    ApplierChat,
    Carrier,
    Drift,
    Edit,
    EditStep,
    Excerpt,
    FileChange,
    Replacement,
    Shown,
    Snippet,
    Standing,
    Transfer,
)
from tslp_litellm.parser import outline
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.files import Piece, dirty, language_of, with_holders
from tslp_litellm.resolution.intent import NOTHING_ASKED, Intent
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.shell.targets import At
from tslp_litellm.state.events import Op
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import Confidence, FileState, Origin, Source, artifact_hash
from tslp_litellm.syntax.alignment import hunks
from tslp_litellm.syntax.languages import Nature, language_named, language_of_path
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.symbols import Kind


@dataclass(frozen=True, slots=True)
class Context:
    """What judging needs to know of the turn. `root`: the stated working directory. `forms`: in which forms the client
    applies edits out of the model's text (empty: it edits by tools, and code in the text is only talk); None: any.
    `chat`: what it goes by where it does so itself; what it applies is then on its disk, whatever the gates say.
    `trust`: whose word counts in it."""

    root: str | None = None
    intent: Intent = field(default_factory=Intent)
    forms: frozenset[Carrier] | None = None
    chat: ApplierChat | None = None
    trust: Trust = Trust.PROOF

    def about(self, path: str) -> Context:
        """The same turn, asked about one file."""
        return replace(self, intent=self.intent.at(path))

    def applies(self, carrier: Carrier) -> bool:
        """Whether the client applies what the model's text says in this form."""
        return self.forms is None or carrier in self.forms


def new_preamble(unit: UnitOfWork, path: str, seen: Outline, base: Outline | None, about: dict[str, Any]) -> None:
    """A fragment that brings imports, statements or markup of its own: where they go is unknown, and so is the file's
    text."""
    if base is not None and (seen.preamble - base.preamble or _own_statements(seen, base) or _own_markup(seen, base)):
        unit.change(dirty(unit.file(path), "unknown-place", symbols=False), **about)


def _own_statements(seen: Outline, base: Outline) -> bool:
    return any(re.search(r"\w", statement) for statement in seen.loose - base.loose)


def _own_markup(seen: Outline, base: Outline) -> bool:
    """Whether a part of a component has lines beside its definitions that are not ours."""
    if not seen.sections:
        return False
    ours, at, rest = {line.strip() for line in base.text.split(b"\n")}, 0, list[bytes]()
    for symbol in sorted((s for s in seen.symbols if s.parent is None), key=lambda s: s.start):
        rest.append(seen.text[at : symbol.start])
        at = max(at, symbol.end)
    return any(line.strip() not in ours for line in b"\n".join([*rest, seen.text[at:]]).split(b"\n"))


def snippet_outline(snippet: Snippet) -> Outline:
    """The outline of code without a path, in the language that it is said to be in; else in the first of the common
    ones in which it is sound and defines something."""
    if snippet.language:
        return outline(language_named(snippet.language), snippet.text)
    tried = (outline(language_named(name), snippet.text) for name in _guesses(snippet.text))
    return next((seen for seen in tried if seen.sound and seen.symbols), outline(None, snippet.text))


_GUESSES = (
    ("python", re.compile(r"^[ \t]*(?:async def|def|class) \w+.*:", re.M)),
    ("typescript", re.compile(r"^[ \t]*(?:export |async )*(?:function\b|const \w|class \w|interface \w)", re.M)),
    ("go", re.compile(r"^(?:func|type) ", re.M)),
    ("rust", re.compile(r"^[ \t]*(?:pub )?(?:fn|struct|enum|trait|impl)\b", re.M)),
    ("ruby", re.compile(r"^[ \t]*(?:def|class|module) \w+", re.M)),
    ("java", re.compile(r"^[ \t]*(?:public|private|protected|abstract|final)\b.*[{(]", re.M)),
    ("c", re.compile(r"^[\w*]+[ \t*]+\w+\(.*\)[ \t]*\{?", re.M)),
)
GUESS_CHARS_MAX = 20_000


def _guesses(text: str) -> list[str]:
    if len(text) > GUESS_CHARS_MAX:
        return []
    return [name for name, looks in _GUESSES if looks.search(text)]


def judge_snippet(unit: UnitOfWork, snippet: Snippet, origin: Origin) -> None:
    """Code without a path: INFERRED where all its symbols belong to one tracked file, else UNRESOLVED."""
    language = language_named(snippet.language) if snippet.language else None
    seen = snippet_outline(snippet)
    names = [s.name for s in seen.symbols]
    if not names:
        return
    paths = frozenset.intersection(*(unit.holders.get(name, frozenset()) for name in names))
    paths = frozenset(p for p in paths if language is None or _kin(p, language.kin))
    if len(paths) == 1:
        path = next(iter(paths))
        moves = [
            unit.proposal(Op.PROPOSE, str(Entity(path, s.name)), seen.slice(s), Confidence.INFERRED, "no-path")
            for s in seen.symbols
            if s.parent is None or s.parent not in names
        ]
        unit.record(moves, origin=origin, carrier="fence", path=path)
        if snippet.told:
            _differs(unit, path, seen, {"origin": origin, "carrier": "fence"})
    else:
        unit.propose(
            None,
            snippet.text,
            Confidence.UNRESOLVED,
            "no-path",
            origin=origin,
            carrier="fence",
            candidates=sorted(paths)[:5] or None,
        )


def _differs(unit: UnitOfWork, path: str, seen: Outline, about: dict[str, Any]) -> None:
    """Definitions as they are said to be now: where ours are others, they are unknown."""
    state = unit.file(path)
    ours = {name: known.artifact for name, known in state.symbols.items()}
    others = {s.name for s in seen.symbols if s.name in ours and artifact_hash(seen.slice(s)) != ours[s.name]}
    if others:
        unit.change(dirty(state, "unplaced-change", with_holders(others)), **about)


def _kin(path: str, kin: str) -> bool:
    language = language_of_path(path)
    return language is not None and language.kin == kin


def file_of(unit: UnitOfWork, shown: Shown, context: Context, origin: Origin = Origin.MODEL) -> FileState | None:
    """The file that a text is shown as; None (and a snippet, if it is code) where the path proves nothing."""
    path = normalise_path(shown.path, context.root)
    state = unit.file(path) if path is not None else None
    if state is not None and (shown.sure or state.tracked or _founds(state, shown, origin)):
        if shown.carrier is not Carrier.FENCE:
            return state
        longer = _longer_paths(unit, state)
        if longer:
            _propose_short(unit, shown, longer, origin)
            return None
        if shown.path not in unit.holders and _may_be_content(state, shown):
            return state
    if language_named(shown.language).nature is Nature.CODE if shown.language else not shown.sure:
        judge_snippet(unit, Snippet(shown.text, shown.language), origin)
    return None


def _founds(state: FileState, shown: Shown, origin: Origin) -> bool:
    """Whether a name that may be a library's is a new file's: a user wrote nothing but it above the text, or the text
    defines the type or function that the file is named after (`Button.js`)."""
    language, (stem, dot, _) = language_of(state), posixpath.basename(shown.path).rpartition(".")
    if not dot or language is None or language.nature is not Nature.CODE:
        return False
    if shown.alone and origin is Origin.USER:
        return True
    symbol = outline(language, shown.text).by_name.get(stem)
    return symbol is not None and symbol.kind is not Kind.VALUE


def _longer_paths(unit: UnitOfWork, state: FileState) -> list[str]:
    """The tracked files whose tail an unknown path is: it is one of them, written short."""
    return [] if state.tracked else unit.longer(state.path)


def _propose_short(unit: UnitOfWork, shown: Shown, longer: list[str], origin: Origin) -> None:
    one = len(longer) == 1
    unit.propose(
        longer[0] if one else None,
        shown.text,
        Confidence.INFERRED if one else Confidence.UNRESOLVED,
        "short-path",
        origin=origin,
        carrier=shown.carrier,
        candidates=longer[:5],
    )


def is_stated(state: FileState, shown: Shown) -> bool:
    """Whether the words around a text leave it the file's. Where they do not say so, a text that we have stays."""
    return shown.standing is Standing.STATED or (shown.standing is Standing.UNSTATED and not state.tracked)


def _may_be_content(state: FileState, shown: Shown) -> bool:
    """Whether a fence's text can be what it is said to be. Without an info string it must read as the path's
    language; an untracked file comes by a sentence only as a text that defines something, and so does a bare fence.
    Where a language defines nothing, a bare fence holds what a sentence says if it is a version of the file's text."""
    if shown.language and not (shown.said and not state.tracked):
        return True
    language = language_of(state)
    if language is None or language.nature is not Nature.CODE:
        return not shown.said or (state.tracked and (bool(shown.language) or _is_version(state, shown.text)))
    seen = outline(language, shown.text)
    if shown.said:
        return bool(seen.symbols) and (seen.sound or seen.by_pattern)
    return bool(seen.symbols) or seen.sound or not language.grammar


LINES_KEPT_MIN = 3
"""A text of so few lines is known by all of them."""


def _is_version(state: FileState, text: str) -> bool:
    """Whether a text keeps at least half of the lines of a file's known text, in order; of a short one, all."""
    known, shown = (
        [line for line in one.splitlines() if line.strip()] for one in (state.file.text if state.file else "", text)
    )
    kept = len(known) - sum(hunk.old_end - hunk.old for hunk in hunks(known, shown))
    return kept >= max(len(known) / 2, min(len(known), LINES_KEPT_MIN)) > 0


def completed(shown: Shown, state: FileState) -> str:
    """The shown text with what its carrier hides: the last line's end, and a first line that belongs to the file."""
    text = shown.text
    known = state.file.text if state.file is not None else None
    if shown.label and known is not None and known.startswith(shown.label):
        text = shown.label + text
    if not shown.ended and text and not text.endswith("\n") and (known is None or not known or known.endswith("\n")):
        text += "\n"
    return text


def labelled_pieces(pieces: list[Piece], shown: Shown) -> list[Piece]:
    """A fragment's definitions; where the label names one (`a.py::f`), only that."""
    return [piece for piece in pieces if shown.symbol in ("", piece.name)]


def stranger(name: str, state: FileState) -> gates.Refusal | None:
    """A definition new to the file with a member's bare name: most likely that member, torn out of its type."""
    if name in state.symbols:
        return None
    namesakes = [s for s in state.symbols if "." in s and s.rsplit(".", 1)[-1] == name]
    return gates.Refusal("leaf-of-another", (("namesakes", namesakes),)) if namesakes else None


def is_whole(seen: Outline, state: FileState, base: Outline | None, intent: Intent = NOTHING_ASKED) -> bool:
    """Whether a labelled text on a tracked file is the whole file. `intent`: what was asked for by whoever got it."""
    if base is None or base.refused is not None:
        return not gates.symbols_missing(seen, state.symbols)
    return gates.is_whole(seen, base, state.symbols, intent)


def base_acknowledged(state: FileState) -> bool:
    """Whether what a candidate would replace is known: the file's text, or at least that of all its symbols."""
    return state.text() is not None or all(known.clean for known in state.symbols.values())


def source_of(state: FileState, seen: Outline) -> Source:
    return (
        Source.AST
        if seen.parsed and (language := language_of(state)) is not None and language.nature is Nature.CODE
        else Source.FILE
    )


def paths_of(change: FileChange | Excerpt) -> tuple[str, ...]:
    """The paths that a change touches, as written; none where it may touch any file."""
    match change:
        case Drift(paths=paths):
            return paths
        case Excerpt(beside=beside) if beside:
            return tuple(target.path for target in beside if isinstance(target, At))
        case Shown(path=path, named=named) if named:
            return (path, named)
        case Transfer(path=path, to=to):
            return (path, to)
        case _:
            return (change.path,)


def proposal_text(change: FileChange) -> str:
    """The text that stands for a change as an artifact."""
    match change:
        case Shown(text=text):
            return text
        case Edit(steps=steps) | Transfer(steps=steps):
            return "\n".join(_step_text(step) for step in steps)
        case _:
            return ""


def _step_text(step: EditStep) -> str:
    old = step.old if isinstance(step, Replacement) else ""
    return f"<<<<<<< SEARCH\n{old}=======\n{step.new}>>>>>>> REPLACE"
