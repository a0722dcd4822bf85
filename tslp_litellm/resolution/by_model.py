"""The model's word: what it shows or edits must pass both gates; what is refused stays PROPOSED, with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tslp_litellm.dialects.values import (
    Carrier,
    Edit,
    Evidence,
    Excerpt,
    FileChange,
    Replacement,
    Shown,
    Snippet,
    Standing,
)
from tslp_litellm.parser import outline
from tslp_litellm.parser.budget import spend
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.common import (
    Context,
    base_acknowledged,
    completed,
    file_of,
    is_stated,
    is_whole,
    judge_snippet,
    labelled_pieces,
    new_preamble,
    paths_of,
    proposal_text,
    source_of,
    stranger,
)
from tslp_litellm.resolution.edits import applied
from tslp_litellm.resolution.files import Piece, adopt, dirty, insert, language_of, outline_of
from tslp_litellm.resolution.fragments import Fragment, held_back_with
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.resolution.versions import without_versions
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import Confidence, FileState, Flag, Grant, Origin, Source, artifact_hash
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.softened import compilations
from tslp_litellm.syntax.unwritten import gaps

WHOLE_FILES = frozenset({Carrier.FENCE})
"""The form of a client that takes each fence as a whole file (aider's `whole` format)."""


def judge_model(
    unit: UnitOfWork, evidence: Sequence[Evidence], context: Context, beside: Sequence[Evidence] = ()
) -> None:
    """What the model's text shows or edits. Several edits of one file apply in order, all or none. `beside`: what the
    same answer's tool calls would do."""
    sure = [Snippet(p.text, p.language) if isinstance(p, Shown) and p.doubted else p for p in evidence]
    if context.forms is None:  # who takes texts out of an answer reads no words
        kept = [p for p in sure if not (isinstance(p, Shown) and p.standing is Standing.WITHDRAWN)]
        kept = without_versions(unit, kept, context, beside)
        sure = [p for p in kept if not _is_talk(unit, p, context)]
    sure = [p for p in sure if not (isinstance(p, Edit) and p.standing is Standing.ALTERNATIVE)]
    for piece in merged(sure):
        if isinstance(piece, Snippet):
            judge_snippet(unit, piece, Origin.MODEL)
        elif isinstance(piece, Shown):
            state = file_of(unit, piece, context)
            if state is not None:
                _shown_by_model(unit, piece, state, context)
        elif isinstance(piece, Edit):
            _edited_by_model(unit, piece, context)
        elif not isinstance(piece, Excerpt):
            _done_by_model(unit, piece, context)
    _flag_moves(unit)


def _is_talk(unit: UnitOfWork, piece: Evidence, context: Context) -> bool:
    """Whether the words around a text do not leave it the file's."""
    path = normalise_path(piece.path, context.root) if isinstance(piece, Shown) else None
    return isinstance(piece, Shown) and path is not None and not is_stated(unit.file(path), piece)


def _flag_moves(unit: UnitOfWork) -> None:
    """Definitions that went from one file to another without being asked for: renames across files (§12).

    The file that lost one was refused; with the user's word for it (`move`, `rename`) it was not, and nothing is said.
    """
    for before, after in unit.candidates:
        base, now = outline_of(before), unit.file(before.path)
        if base is None or now.file != before.file:
            continue
        for other, text in unit.candidates:
            found = gates.moves(after, base, text, outline_of(other)) if other.path != before.path else {}
            for old, new in found.items():
                unit.flags.append(Flag("rename", (before.entity(old), other.entity(new))))


def merged(evidence: Iterable[Evidence]) -> list[Evidence]:
    """The evidence, with the edits of one file brought together at the place of the first."""
    out: list[Evidence] = []
    at: dict[str, int] = {}
    for piece in evidence:
        if isinstance(piece, Edit) and piece.path in at:
            first = out[at[piece.path]]
            assert isinstance(first, Edit)
            out[at[piece.path]] = replace(first, steps=first.steps + piece.steps)
        else:
            if isinstance(piece, Edit):
                at[piece.path] = len(out)
            out.append(piece)
    return out


def _shown_by_model(unit: UnitOfWork, shown: Shown, state: FileState, context: Context) -> None:
    text = completed(shown, state)
    seen, base = outline(language_of(state), text), outline_of(state)
    if not context.applies(shown.carrier):
        unit.propose(
            state.entity(),
            text,
            Confidence.CONFIRMED,
            "client-edits-otherwise",
            origin=Origin.MODEL,
            carrier=shown.carrier,
        )
    elif not shown.symbol and (
        not state.tracked
        or context.forms == WHOLE_FILES
        or (not gaps(seen, base) and is_whole(seen, state, base, context.about(state.path).intent))
    ):
        candidate(unit, state, text, context, shown.carrier, source_of(state, seen))
    else:
        _fragment(unit, state, text, seen, base, context, shown)


def candidate(unit: UnitOfWork, state: FileState, text: str, context: Context, carrier: str, source: Source) -> None:
    """A whole text of a file by the model, judged as one."""
    context = context.about(state.path)
    seen, base = outline(language_of(state), text), outline_of(state)
    unit.candidates.append((state, seen))
    refusal = gates.whole_refused(seen, base, context.intent, unit.limits, _compiled(state, seen))
    if refusal is None and state.tracked and not base_acknowledged(state):
        refusal = gates.Refusal("base-unknown", (("needed", "the file's current text"),))
    if refusal is None and base is not None:
        refusal = gates.whole_parity(seen, base, context.intent, state.path)
        renamed = gates.renames(seen, base) if refusal is not None else {}
        if renamed:
            refusal = _judge_renames(unit, state, seen, base, renamed, context)
    if refusal is None and text != state.text():
        refusal = untrusted(unit)
    if refusal is None:
        unit.change(adopt(state, text, source, Grant.PARITY), origin=Origin.MODEL, carrier=carrier, grant=Grant.PARITY)
    else:
        confidence = Confidence.INFERRED if refusal.reason == "syntax-error" else Confidence.CONFIRMED
        if context.chat is not None:
            unit.change(dirty(state, "applied-unproven"), origin=Origin.MODEL, carrier=carrier)
        unit.propose(
            state.entity(),
            text,
            confidence,
            refusal.reason,
            origin=Origin.MODEL,
            refusal=refusal,
            source=source,
            carrier=carrier,
            path=state.path,
        )


def untrusted(unit: UnitOfWork) -> gates.Refusal | None:
    """Why no text of the model's counts in a turn by itself, whatever it proves (SEMANTICS 13)."""
    if unit.trust.takes_model:
        return None
    return gates.Refusal("model-not-trusted", (("trust", str(unit.trust)), ("needed", "the user's side")), gate="B")


def _compiled(state: FileState, seen: Outline) -> list[Outline]:
    """A text with errors as compilers would read it, where it has conditional compilation."""
    language = language_of(state)
    if language is None or not seen.errors:
        return []
    return [outline(language, text.decode()) for text in compilations(language.name, seen.text)]


def _judge_renames(
    unit: UnitOfWork, state: FileState, seen: Outline, base: Outline, renamed: dict[str, str], context: Context
) -> gates.Refusal | None:
    """Renames that the prompt names are confirmed; else the old names stay and the mismatch is flagged (§12)."""
    open_ones = {
        old: new
        for old, new in renamed.items()
        if not (context.intent.asks_to_rename(old, new) or context.intent.asks_to_lose(old))
    }
    refusal = gates.whole_parity(seen, base, context.intent, state.path, besides=renamed)
    if open_ones:
        for old, new in open_ones.items():
            unit.flags.append(Flag("rename", (state.entity(old), state.entity(new))))
        return gates.Refusal(
            "rename-unconfirmed", (("renamed", open_ones), ("needed", "a prompt that names both")), gate="B"
        )
    return refusal


def _fragment(
    unit: UnitOfWork, state: FileState, text: str, seen: Outline, base: Outline | None, context: Context, shown: Shown
) -> None:
    """Part of a file by the model: each complete definition in it is judged by itself."""
    about: dict[str, Any] = {"origin": Origin.MODEL, "carrier": shown.carrier}
    context = context.about(state.path)
    if (stray := gates.conflicting(seen) or _of_another(unit, state, seen, base)) is not None:
        unit.propose(state.entity(), text, Confidence.INFERRED, stray.reason, refusal=stray, **about)
        return
    fragment = Fragment(seen, base, context.intent)
    pieces = labelled_pieces(fragment.pieces, shown)
    accepted = _accepted(unit, state, fragment, pieces, _open_renames(unit, state, seen, base, context), about)
    changed = insert(state, accepted, Grant.PARITY) if accepted else None
    if changed is not None:
        if unit.change(changed, **about, grant=Grant.PARITY):
            new_preamble(unit, state.path, seen, base, about)
    elif accepted or not pieces:
        refusal = gates.left_out(seen, base) or gates.Refusal("unplaced-fragment")
        unit.propose(
            state.entity(),
            text,
            Confidence.CONFIRMED if refusal.reason == "left-out-code" else Confidence.INFERRED,
            refusal.reason,
            refusal=refusal,
            **about,
        )


def _accepted(
    unit: UnitOfWork,
    state: FileState,
    fragment: Fragment,
    pieces: Sequence[Piece],
    renamed: Mapping[str, str],
    about: Mapping[str, Any],
) -> list[Piece]:
    """The definitions of a fragment that nothing speaks against. The others are proposed, each with its reason."""
    refusals = {p.name: refusal for p in pieces if (refusal := _refused(unit, state, fragment, p, renamed)) is not None}
    accepted = [p for p in pieces if p.name not in refusals]
    for name, word in held_back_with(accepted, fragment.seen, fragment.base, state.symbols).items():
        refusals[name] = gates.Refusal("names-what-is-held-back", (("named", word), ("needed", "that it be known")))
    for piece in pieces:
        if refusal := refusals.get(piece.name):
            inferred = refusal.reason in ("ambiguous", "leaf-of-another")
            unit.propose(
                state.entity(piece.name),
                piece.text,
                Confidence.INFERRED if inferred else Confidence.CONFIRMED,
                refusal.reason,
                refusal=refusal,
                **about,
            )
    return [p for p in accepted if p.name not in refusals]


def _refused(
    unit: UnitOfWork, state: FileState, fragment: Fragment, piece: Piece, renamed: Mapping[str, str]
) -> gates.Refusal | None:
    """Why one of a fragment's definitions, looked at by itself, is not the truth. `renamed`: new name -> old."""
    spend()
    if refusal := fragment.refused(piece, unit.limits) or fragment.astray(piece):
        return refusal
    if piece.name in renamed:
        return gates.Refusal(
            "rename-unconfirmed",
            (("renamed", {renamed[piece.name]: piece.name}), ("needed", "a prompt that names both")),
            gate="B",
        )
    if piece.name not in state.symbols:
        return stranger(piece.name, state) or untrusted(unit)
    if not state.symbols[piece.name].clean:
        return gates.Refusal("base-unknown", (("needed", "the symbol's current text"),))
    return untrusted(unit) if state.symbols[piece.name].artifact != artifact_hash(piece.text) else None


def _of_another(unit: UnitOfWork, state: FileState, seen: Outline, base: Outline | None) -> gates.Refusal | None:
    """Whether a fragment is the text of a file beside this one, put under the wrong name."""
    if base is None or not seen.symbols:
        return None
    for path, other in unit.files.items():
        spend()
        text = outline_of(other) if path != state.path and language_of(other) == language_of(state) else None
        if text is not None and gates.belongs_to(seen, base, text):
            return gates.Refusal("text-of-another-file", (("file", path), ("needed", f"code of {state.path}")))
    return None


def _open_renames(
    unit: UnitOfWork, state: FileState, seen: Outline, base: Outline | None, context: Context
) -> dict[str, str]:
    """What a fragment brings as new, but is a tracked definition under another name: new name -> old. Flagged (§12)."""
    found = gates.renames(seen, base) if base is not None else {}
    open_ones = {
        new: old
        for old, new in found.items()
        if not (context.intent.asks_to_rename(old, new) or context.intent.asks_to_lose(old))
    }
    for new, old in open_ones.items():
        unit.flags.append(Flag("rename", (state.entity(old), state.entity(new))))
    return open_ones


def _edited_by_model(unit: UnitOfWork, edit: Edit, context: Context) -> None:
    path = normalise_path(edit.path, context.root)
    if path is None:
        return
    state = unit.file(path)
    base = state.text() if state.tracked else ""
    first = edit.steps[0]
    makes_whole = isinstance(first, Replacement) and not first.old
    result = applied(base, edit.steps) if base is not None and (state.tracked or makes_whole) else None
    if not context.applies(edit.carrier) or result is None:
        reason = "not-one-match" if base is not None else "base-unknown"
        if not context.applies(edit.carrier):
            reason = "client-edits-otherwise"
        unit.propose(
            state.entity(),
            proposal_text(edit),
            Confidence.CONFIRMED,
            reason,
            origin=Origin.MODEL,
            carrier=edit.carrier,
            path=path,
        )
        if context.chat is not None and context.applies(edit.carrier):
            unit.change(dirty(state, "applied-unfollowed"), origin=Origin.MODEL, carrier=edit.carrier)
    else:
        candidate(unit, state, result, context, edit.carrier, Source.EDIT)


def _done_by_model(unit: UnitOfWork, change: FileChange, context: Context) -> None:
    """A file that the model's text would delete or move: the client's word is needed for that."""
    for raw in paths_of(change)[:1]:
        path = normalise_path(raw, context.root)
        if path is not None and unit.file(path).tracked:
            unit.propose(path, proposal_text(change), Confidence.CONFIRMED, "removal-unconfirmed", origin=Origin.MODEL)
            if context.chat is not None and context.applies(change.carrier):
                unit.change(dirty(unit.file(path), "applied-unproven"), origin=Origin.MODEL, carrier=change.carrier)
