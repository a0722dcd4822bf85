"""Common ground of the judgements: which file is meant, whether a text is whole, code without a path."""

from __future__ import annotations

import posixpath
import textwrap
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from tslp_litellm.dialects.lines import with_ends_of
from tslp_litellm.dialects.paths import paths_in
from tslp_litellm.dialects.plausible import is_view
from tslp_litellm.dialects.values import (
    Carrier,
    Drift,
    Edit,
    EditStep,
    Evidence,
    Excerpt,
    FileChange,
    Ground,
    Replacement,
    Shown,
    Snippet,
    Transfer,
)
from tslp_litellm.parser import outline
from tslp_litellm.placing.apart import apart
from tslp_litellm.placing.members import members_in
from tslp_litellm.placing.new_files import as_prompted, is_theirs
from tslp_litellm.placing.new_members import new_under_label
from tslp_litellm.placing.readings import code_languages, readings, unlabelled
from tslp_litellm.placing.rules import place
from tslp_litellm.placing.structure import SELF, member_under_label
from tslp_litellm.placing.usage import is_an_extra, says_usage, takes_places, trailing_usage
from tslp_litellm.placing.values import Asked, Known, Unplaced
from tslp_litellm.resolution import gates, whole_files
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import Piece, dirty, language_of, outline_of, with_holders
from tslp_litellm.resolution.fragments import Fragment
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.quotes import stands_in
from tslp_litellm.resolution.twins import named_as_in
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Op
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import Confidence, FileState, Flag, Origin, Source, artifact_hash
from tslp_litellm.syntax.languages import Language, Nature
from tslp_litellm.syntax.outline import Outline, Symbol
from tslp_litellm.syntax.symbols import Kind
from tslp_litellm.words.sentences import holds, mentions_word, sentences


def new_preamble(unit: UnitOfWork, path: str, seen: Outline, base: Outline | None, about: dict[str, Any]) -> None:
    """A fragment that brings imports of its own, or beside its definitions another text of a statement of the file's:
    where they go is unknown, and so is the file's text."""
    if base is not None and (seen.preamble - base.preamble or takes_places(seen, base)):
        unit.change(dirty(unit.file(path), "unknown-place", symbols=False), **about)


def shown_as_is(state: FileState, seen: Outline) -> set[str]:
    """What of a file is shown with the text that is current: that confirms it (SEMANTICS 10, Freshness)."""
    known = ((state.symbols.get(symbol.name), symbol) for symbol in seen.symbols)
    found = {
        state.entity(symbol.name)
        for one, symbol in known
        if one is not None and one.clean and one.artifact == artifact_hash(seen.slice(symbol))
    }
    return found | ({state.entity()} if state.text() == seen.text.decode() else set())


def doubt_twins(
    unit: UnitOfWork, path: str, fragment: Fragment, others: Iterable[Piece], about: dict[str, Any]
) -> None:
    """What of a part is another definition of a name than those that the file has, or may be one of several: it stands
    where is not known, and what it may be the new text of is of unknown text."""
    shown = list(others)
    if not shown:
        return
    state, names = unit.file(path), {piece.name for piece in shown}
    doubted = fragment.in_doubt(shown)
    said = {key: about[key] for key in ("origin", "carrier", "placed")}
    for piece in shown:
        unit.propose(state.entity(piece.symbol.base), piece.text, Confidence.INFERRED, "ambiguous", **said)
    unit.change(dirty(state, "ambiguous", with_holders(state, names | doubted) - names), **about)


def known(unit: UnitOfWork, asked: Asked) -> Known:
    """What is tracked as it stands now, for placing."""

    def holding(name: str) -> Collection[str]:
        return [path for path in unit.holding(name) if str(Entity(path, name)) not in asked.left]

    languages = partial(_languages, unit, asked)
    return Known(unit.file, holding, unit.members_named, unit.longer, languages, unit.files.keys, unit.removed)


def _languages(unit: UnitOfWork, asked: Asked) -> list[Language]:
    return code_languages((*unit.files, *asked.play.files(), *paths_in(asked.prose)))


def unplaced(unit: UnitOfWork, code: Unplaced, origin: Origin) -> None:
    """Code of no proven file: INFERRED where it may be of some, else UNRESOLVED.

    Of several files the next notice names all; what the user's code defines has changed in one of them.
    """
    if not code.paths:
        read = readings(Snippet(code.text, code.language), lambda: code_languages(unit.files))
        if any(seen.symbols and not seen.prose for _, seen in read):
            unit.propose(None, code.text, Confidence.UNRESOLVED, code.reason, origin=origin, carrier=Carrier.FENCE)
        return
    one = len(code.paths) == 1
    entity = (
        str(Entity(code.paths[0], code.names[0])) if one and len(code.names) == 1 else code.paths[0] if one else None
    )
    move = unit.proposal(Op.PROPOSE if one else Op.LOG, entity, code.text, Confidence.INFERRED, code.reason)
    unit.record([move], origin=origin, carrier=Carrier.FENCE, candidates=list(code.paths[:CANDIDATES_MAX]))
    if origin is Origin.MODEL and code.reason in PATHLESS:
        unit.unplaced.append(code)
    if not one:
        unit.flags.append(Flag("several-files", code.paths[:CANDIDATES_MAX], ", ".join(code.names)))
    if origin is not Origin.MODEL:
        _doubt(unit, code, origin)


CANDIDATES_MAX = 5
PATHLESS = frozenset({"no-path", "short-path"})
"""Why code of the model's may be of a file all the same, if the user says so."""


def _doubt(unit: UnitOfWork, code: Unplaced, origin: Origin) -> None:
    """What the user shows and nobody can place has changed, but for a quotation of what there is."""
    states = [unit.file(path) for path in code.paths]
    if any(state.file is not None and stands_in(state.file.text, code.text) for state in states):
        return
    for state in states:
        names = [name for name in code.names if name in state.symbols]
        if names:
            unit.change(
                dirty(state, "unplaced-change", with_holders(state, names)), origin=origin, carrier=Carrier.FENCE
            )


def in_parts(unit: UnitOfWork, evidence: Iterable[Evidence], context: Context, origin: Origin) -> Iterator[Evidence]:
    """The evidence; code without a label that is of several files as a piece for each."""
    for piece in evidence:
        snippet = unlabelled(piece)
        if isinstance(piece, Shown) and snippet is not None and _labelled(unit, piece, context, origin) is not None:
            snippet = None
        if snippet is None or (origin is Origin.MODEL and not context.applies(Carrier.FENCE)):
            yield piece
        else:
            asked = _asked(context, origin)
            parts: list[Evidence] = [*apart(snippet, asked, known(unit, asked))]
            yield from parts or [piece]


def _asked(context: Context, origin: Origin) -> Asked:
    by_model = origin is Origin.MODEL
    return Asked(context.intent.prompt, context.play, by_model, context.root, context.left, context.single)


def placed(unit: UnitOfWork, piece: Shown | Snippet, context: Context, origin: Origin) -> Shown | Unplaced | None:
    """Which file a piece of code belongs to (SEMANTICS 2, Which file), its path as the State Map writes it."""
    if isinstance(piece, Shown):
        if (found := _labelled(unit, piece, context, origin)) is not None:
            return found
        if not piece.language and piece.sure:
            return None
        piece = Snippet(piece.text, piece.language, piece.above)
    if origin is Origin.MODEL and not context.applies(Carrier.FENCE):
        return Unplaced(piece.text, piece.language)
    asked = _asked(context, origin)
    return place(piece, asked, known(unit, asked))


def _labelled(unit: UnitOfWork, shown: Shown, context: Context, origin: Origin) -> Shown | Unplaced | None:
    """By its label. A short path is the one tracked file of those it is the tail of that shares a definition."""
    path = normalise_path(shown.path, context.root)
    state = unit.file(path) if path is not None else None
    if state is None or is_view(state.path, shown.text):
        return None
    longer = unit.longer(state.path) if not state.tracked else []
    if not (shown.sure or state.tracked or _founds(state, shown, origin) or _sharing(unit, state, shown.text, longer)):
        return None
    if shown.carrier is not Carrier.FENCE:
        return replace(shown, path=state.path)
    if not (longer or state.tracked) and len(glued := _sharing(unit, state, shown.text, unit.glued(state.path))) == 1:
        state = unit.file(glued[0])
    if not (longer or state.tracked) and origin is Origin.MODEL and context.forms is None:
        state = unit.file(as_prompted(state.path, context.intent.prompt, context.root))
    if longer:
        sharing = _sharing(unit, state, shown.text, longer)
        if len(sharing) != 1:
            names = outline(language_of(state), shown.text).by_name.keys()
            return Unplaced(shown.text, shown.language, tuple(sharing or longer), tuple(sorted(names)), "short-path")
        state = unit.file(sharing[0])
    if unit.holding(shown.path):
        return None
    asked = _asked(context, origin)
    for rule in (member_under_label, new_under_label):
        if (member := rule(shown, state.path, asked, known(unit, asked))) is not None:
            return member
    part = shown.part or (origin is Origin.MODEL and _is_there(unit, state, shown.text, context))
    return replace(shown, path=state.path, part=part) if _may_be_content(state, shown) else None


def _sharing(unit: UnitOfWork, state: FileState, text: str, paths: Collection[str]) -> list[str]:
    """Those of some files that have one of the definitions that a text shows."""
    names = outline(language_of(state), text).by_name.keys() if paths else set()
    sharing = [other for other in paths if names & unit.file(other).symbols.keys()]
    leaves = _members_alone(state, text) if paths and not sharing else ()
    sharing = sharing or [Entity.parse(e).path for leaf in leaves for e in unit.members_named(leaf)]
    return sorted(set(sharing) & set(paths))


def _is_there(unit: UnitOfWork, state: FileState, text: str, context: Context) -> bool:
    """Whether a text is a part of a file that is there, though nobody has shown it: the user calls it his, or it is
    said to be the new name of a tracked one (`I renamed a.py to b.py.`)."""
    if state.tracked or context.forms is not None:
        return False
    if any(is_theirs(one, state.path) and not holds(one, "makes") for one in sentences(context.intent.prompt)):
        return True
    said = [one for one in sentences(context.intent.prompt) if holds(one, "told")]
    said += [one for one in sentences(context.intent.before) if holds(one, "goes_on")]  # and is done by now
    said = [one for one in said if mentions_word(one, posixpath.basename(state.path))]
    olds = [unit.file(path) for path in context.play.files() if any(_is_of_file(one, unit.file(path)) for one in said)]
    seen = outline(language_of(state), text)
    names = {symbol.name for symbol in seen.symbols if symbol.parent is None}
    return any(names <= old.symbols.keys() and gates.symbols_missing(seen, old.symbols) for old in olds)


def _is_of_file(sentence: str, state: FileState) -> bool:
    """Whether a sentence names a file, and nothing in it."""
    named = mentions_word(sentence, posixpath.basename(state.path))
    return named and not any(mentions_word(sentence, name) for name in state.symbols)


def _members_alone(state: FileState, text: str) -> list[str]:
    """The last parts of the names of members that a text shows without what holds them."""
    language = language_of(state)
    return members_in(language, text) if language is not None and language.nature is Nature.CODE else []


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


def _may_be_content(state: FileState, shown: Shown) -> bool:
    """Whether a fence's text can be what its label says. Without an info string it must read as the path's language."""
    language = language_of(state)
    if shown.language or language is None or language.nature is not Nature.CODE:
        return True
    seen = outline(language, shown.text)
    return bool(seen.symbols) or seen.sound or not language.grammar


def without_usage(unit: UnitOfWork, shown: Shown, intent: Intent) -> Shown:
    """Code of the model's that has no label, without the usage example behind its definitions. A file that has nothing
    behind its own gets none, unless that is all that changes, or the prompt has a word of it. What takes the place of a
    statement of the file's is none, if it does not say that it is one."""
    if shown.by is Ground.LABEL or shown.container:
        return shown
    seen = outline(language_of(unit.file(shown.path)), shown.text)
    state = unit.file(shown.path)
    base = outline_of(state)
    end = trailing_usage(seen, base)
    asked = any(s.start >= end and s.kind is not Kind.VALUE and intent.mentions(s.name) for s in seen.symbols)
    if (
        asked
        or end == len(seen.text)
        or (base is not None and takes_places(seen, base))
        or (
            not says_usage(seen, end)
            and (base is None or not is_an_extra(seen, end, base, intent.prompt))
            and is_whole(shown, seen, state, intent.at(state.path), Origin.MODEL)
        )
    ):
        return shown
    return replace(shown, text=seen.text[:end].decode() + "\n")


def completed(shown: Shown, state: FileState) -> str:
    """The shown text with what its carrier hides: the last line's end, and a first line that belongs to the file. A
    fence that differs from our text in line ends alone shows that.

    A blank last line is one of the file's, unless it stands for our own text's end: some readers show that as a line.
    """
    text = shown.text
    known = state.file.text if state.file is not None else None
    if shown.label and known is not None and known.startswith(shown.label):
        text = shown.label + text
    if shown.carrier is Carrier.FENCE and known is not None and with_ends_of(text, known) == known:
        text = known
    if not shown.ended and text and text != state.text() and (not known or known.endswith("\n")):
        text += "\n"
    return text


def aligned(seen: Outline, base: Outline | None, state: FileState) -> Outline:
    """A part of a file, written as the file is: as deep as its definitions stand there (in a namespace that the part
    left out), with the file's line ends, and the numbers of definitions of one name."""
    if base is None:
        return seen
    text = textwrap.indent(seen.text.decode(), _deeper(seen, base))
    return named_as_in(base, outline(language_of(state), with_ends_of(text, base.text.decode())))


def _deeper(seen: Outline, base: Outline) -> str:
    """How much deeper all the definitions of a part stand in their file."""
    both = [(_margin(base, base.by_name[s.name]), _margin(seen, s)) for s in seen.symbols if s.name in base.by_name]
    found = {old.removesuffix(new) if old.endswith(new) else "" for old, new in both}
    return found.pop() if len(found) == 1 else ""


def _margin(seen: Outline, symbol: Symbol) -> str:
    line = seen.slice(symbol)
    return line[: len(line) - len(line.lstrip(" \t"))]


def pieces_shown(pieces: list[Piece], seen: Outline, shown: Shown) -> list[Piece]:
    """A fragment's definitions; only the one that its label names (`a.py::f`), or the members that stand alone."""
    if shown.container:
        return [Piece(s, seen) for s in seen.symbols if s.base.rpartition(".")[0] == shown.container and s.sound]
    return [piece for piece in pieces if shown.symbol in ("", piece.name, piece.symbol.base)]


def stranger(piece: Piece, state: FileState) -> gates.Refusal | None:
    """A definition new to the file with a member's bare name: most likely that member, torn out of its type. Beside one
    of the file's own functions, as deep as that one and without `self`, it is a new function."""
    if piece.name in state.symbols:
        return None
    namesakes = [s for s in state.symbols if "." in s and s.rsplit(".", 1)[-1] == piece.name]
    if not namesakes or (_stands_beside_known(piece, state) and not SELF.search(piece.text)):
        return None
    return gates.Refusal("leaf-of-another", (("namesakes", namesakes),))


def _stands_beside_known(piece: Piece, state: FileState) -> bool:
    seen = piece.outline
    known = (s for s in seen.symbols if s.parent is None and "." not in s.name and s.name in state.symbols)
    return any(_margin(seen, s) == _margin(seen, piece.symbol) for s in known)


def is_whole(shown: Shown, seen: Outline, state: FileState, intent: Intent, origin: Origin) -> bool:
    """Whether a fence's text is its whole file, not a part of it (SEMANTICS 2, Whole file or fragment)."""
    if shown.whole or shown.symbol or shown.container or shown.part:
        return shown.whole
    base = outline_of(state)
    if not state.tracked:
        return True
    if base is None or base.refused is not None:
        return not [s for s in gates.symbols_missing(seen, state.symbols) if not intent.asks_to_lose(s)]
    labelled, by_model = shown.by is Ground.LABEL, origin is Origin.MODEL
    known = state.text() is not None
    return whole_files.is_whole(seen, base, state.symbols, intent, labelled=labelled, by_model=by_model, known=known)


def base_acknowledged(state: FileState, context: Context) -> bool:
    """Whether what a candidate would replace is known: the file's text, or at least that of all its symbols, but for
    those that the prompt asks to go, and that answers alone left of unknown text; of a type whose text is in doubt for
    a new member's sake, that of its members."""
    holders = {name.rpartition(".")[0] for name in state.symbols}
    unknown = [name for name, known in state.symbols.items() if not known.clean and name not in holders]
    unknown = [name for name in unknown if not context.intent.asks_to_lose(name)]
    return state.text() is not None or {state.entity(name) for name in unknown} <= {*context.altered(state.path)}


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
