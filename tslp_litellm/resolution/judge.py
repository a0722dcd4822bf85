"""The judgement: one piece of evidence after the other, each by whose word it is.

The user's word is the truth at once; the model's must pass both gates; a client's confirmation makes true what it
confirms. What is refused stays PROPOSED, with its reason; nothing is guessed (§6, §9, §12).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tslp_litellm.evidence.model import (
    Attempt,
    Drift,
    Edit,
    Evidence,
    FileChange,
    Outcome,
    Removal,
    Shown,
    Snippet,
    Verdict,
)
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.bench import Bench, Flag
from tslp_litellm.resolution.edits import replaced
from tslp_litellm.resolution.files import FileState, adopt, dirty, insert, remove
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.state.events import Move, Op
from tslp_litellm.state.model import Confidence, Grant, Origin, Source, artifact_hash
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.syntax.languages import Nature, language_named, language_of_path
from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.outline import Outline, outline


@dataclass(frozen=True, slots=True)
class Context:
    """What judging needs to know of the turn. `root`: the stated working directory. `talk`: the client edits by tools
    of its own, so that code in the model's text is only talk."""

    root: str | None = None
    intent: Intent = Intent()
    talk: bool = False


# -- the user's side ---------------------------------------------------------------------------------------------------


def judge_user(bench: Bench, evidence: Iterable[Evidence], context: Context, origin: Origin = Origin.USER,
               untracked_only: bool = False) -> None:
    """What the user, or a tool's read, shows. `untracked_only`: history of unknown age, which beats no known truth."""
    for piece in evidence:
        if isinstance(piece, Snippet):
            if not untracked_only:
                _snippet(bench, piece, origin)
        elif isinstance(piece, Shown):
            _shown_by_user(bench, piece, context, origin, untracked_only)


def _shown_by_user(bench: Bench, shown: Shown, context: Context, origin: Origin, untracked_only: bool) -> None:
    state = _state(bench, shown, context)
    if state is None or (untracked_only and state.tracked):
        return
    text = completed(shown, state)
    about = {"origin": origin, "carrier": shown.carrier, "grant": Grant.WRITE_HEAD}
    seen, base = outline(state.language, text), state.outline()
    if shown.whole or (not placeholders(seen, base) and (not state.tracked or _is_whole(seen, state, base))):
        bench.change(adopt(state, text, _source(state, seen), Grant.WRITE_HEAD), **about)
        return
    pieces = gates.pieces_of(seen, base)
    changed = insert(state, pieces, Grant.WRITE_HEAD) if pieces else None
    if changed is None:
        if state.tracked:
            bench.change(dirty(state, "unplaced-change"), **about)
        bench.propose(state.entity(), text, Confidence.INFERRED, "unplaced-fragment", origin=origin, carrier=shown.carrier)
    else:
        bench.change(changed, **about)
        _new_preamble(bench, state.path, seen, base, about)


def _new_preamble(bench: Bench, path: str, seen: Outline, base: Outline | None, about: dict[str, object]) -> None:
    """A fragment that brings imports of its own: where they go is unknown, and so is the file's text."""
    if base is not None and seen.preamble - base.preamble:
        bench.change(dirty(bench.file(path), "unknown-place", symbols=False), **about)


# -- the model's side --------------------------------------------------------------------------------------------------


def judge_model(bench: Bench, evidence: Sequence[Evidence], context: Context) -> None:
    """What the model's text shows or edits. Several edits of one file apply in order, all or none."""
    for piece in merged(evidence):
        if isinstance(piece, Snippet):
            _snippet(bench, piece, Origin.MODEL)
        elif isinstance(piece, Shown):
            state = _state(bench, piece, context)
            if state is not None:
                _shown_by_model(bench, piece, state, context)
        elif isinstance(piece, Edit):
            _edited_by_model(bench, piece, context)


def merged(evidence: Iterable[Evidence]) -> list[Evidence]:
    """The evidence, with the edits of one file brought together at the place of the first."""
    out: list[Evidence] = []
    at: dict[str, int] = {}
    for piece in evidence:
        if isinstance(piece, Edit) and piece.path in at:
            first = out[at[piece.path]]
            assert isinstance(first, Edit)
            out[at[piece.path]] = replace(first, replacements=first.replacements + piece.replacements)
        else:
            if isinstance(piece, Edit):
                at[piece.path] = len(out)
            out.append(piece)
    return out


def _shown_by_model(bench: Bench, shown: Shown, state: FileState, context: Context) -> None:
    text = completed(shown, state)
    seen, base = outline(state.language, text), state.outline()
    if context.talk:
        bench.propose(state.entity(), text, Confidence.CONFIRMED, "client-edits-by-tools", origin=Origin.MODEL, carrier=shown.carrier)
    elif not state.tracked or (not placeholders(seen, base) and _is_whole(seen, state, base)):
        candidate(bench, state, text, context, shown.carrier, _source(state, seen))
    else:
        _fragment(bench, state, text, seen, base, context, shown)


def candidate(bench: Bench, state: FileState, text: str, context: Context, carrier: str, source: Source) -> None:
    """A whole text of a file by the model, judged as one."""
    seen, base = outline(state.language, text), state.outline()
    refusal = gates.whole_refused(seen, base, context.intent, bench.limits)
    if refusal is None and state.tracked and not _base_acknowledged(state):
        refusal = gates.Refusal("base-unknown", (("needed", "the file's current text"),))
    if refusal is None and base is not None:
        refusal = gates.parity(seen, base.top_level(), context.intent)
        renamed = gates.renames(seen, base) if refusal is not None else {}
        if renamed:
            refusal = _judge_renames(bench, state, seen, base, renamed, context)
    if refusal is None:
        bench.change(adopt(state, text, source, Grant.PARITY), origin=Origin.MODEL, carrier=carrier, grant=Grant.PARITY)
    else:
        confidence = Confidence.INFERRED if refusal.reason == "syntax-error" else Confidence.CONFIRMED
        bench.propose(state.entity(), text, confidence, refusal.reason, origin=Origin.MODEL, refusal=refusal, carrier=carrier,
                      path=state.path)


def _judge_renames(bench: Bench, state: FileState, seen: Outline, base: Outline, renamed: dict[str, str],
                   context: Context) -> gates.Refusal | None:
    """Renames that the prompt names are confirmed; else the old names stay and the mismatch is flagged (§12)."""
    open_ones = {old: new for old, new in renamed.items()
                 if not (context.intent.asks_to_rename(old, new) or context.intent.asks_to_lose(old))}
    others = [s for s in base.top_level() if s.name not in renamed]
    refusal = gates.parity(seen, others, context.intent)
    if open_ones:
        for old, new in open_ones.items():
            bench.flags.append(Flag("rename", (state.entity(old), state.entity(new))))
        return gates.Refusal("rename-unconfirmed", (("renamed", open_ones), ("needed", "a prompt that names both")), gate="B")
    return refusal


def _fragment(bench: Bench, state: FileState, text: str, seen: Outline, base: Outline | None, context: Context, shown: Shown) -> None:
    """Part of a file by the model: each complete definition in it is judged by itself."""
    about = {"origin": Origin.MODEL, "carrier": shown.carrier}
    accepted = []
    pieces = gates.pieces_of(seen, base)
    for piece in pieces:
        refusal = gates.piece_refused(piece, state, base, context.intent, bench.limits)
        entity = state.entity(piece.name)
        if refusal is None and piece.name not in state.symbols:
            refusal = _stranger(piece.name, state)
        if refusal is None and piece.name in state.symbols and not state.symbols[piece.name].clean:
            refusal = gates.Refusal("base-unknown", (("needed", "the symbol's current text"),))
        if refusal is None:
            accepted.append(piece)
        else:
            confidence = Confidence.INFERRED if refusal.reason in ("ambiguous", "leaf-of-another") else Confidence.CONFIRMED
            bench.propose(entity, piece.text, confidence, refusal.reason, refusal=refusal, **about)
    changed = insert(state, accepted, Grant.PARITY) if accepted else None
    if changed is not None:
        if bench.change(changed, **about, grant=Grant.PARITY):
            _new_preamble(bench, state.path, seen, base, about)
    elif accepted or not pieces:
        refusal = gates.left_out(seen, base) or gates.Refusal("unplaced-fragment")
        bench.propose(state.entity(), text, Confidence.CONFIRMED if refusal.reason == "left-out-code" else Confidence.INFERRED,
                      refusal.reason, refusal=refusal, **about)


def _stranger(name: str, state: FileState) -> gates.Refusal | None:
    """A definition new to the file whose bare name is that of a member: most likely that member, torn out of its type."""
    namesakes = [s for s in state.symbols if "." in s and s.rsplit(".", 1)[-1] == name]
    return gates.Refusal("leaf-of-another", (("namesakes", namesakes),)) if namesakes else None


def _edited_by_model(bench: Bench, edit: Edit, context: Context) -> None:
    path = normalise_path(edit.path, context.root)
    if path is None:
        return
    state = bench.file(path)
    base = state.text() if state.tracked else ""
    result = replaced(base, edit.replacements) if base is not None and (state.tracked or edit.replacements[0].old == "") else None
    if context.talk or result is None:
        reason = "client-edits-by-tools" if context.talk else "not-one-match" if base is not None else "base-unknown"
        shown = "\n".join(f"<<<<<<< SEARCH\n{r.old}=======\n{r.new}>>>>>>> REPLACE" for r in edit.replacements)
        bench.propose(state.entity(), shown, Confidence.CONFIRMED, reason, origin=Origin.MODEL, carrier=edit.carrier, path=path)
    else:
        candidate(bench, state, result, context, edit.carrier, Source.EDIT)


def _snippet(bench: Bench, snippet: Snippet, origin: Origin) -> None:
    """Code without a path: INFERRED where all its symbols belong to one tracked file, else UNRESOLVED."""
    language = language_named(snippet.language) if snippet.language else None
    seen = outline(language, snippet.text)
    names = [s.name for s in seen.symbols]
    if not names:
        return
    paths = frozenset.intersection(*(bench.holders.get(name, frozenset()) for name in names))
    paths = frozenset(p for p in paths if language is None or _kin(p, language.kin))
    if len(paths) == 1:
        path = next(iter(paths))
        moves = [Move(Op.PROPOSE, str(Entity(path, s.name)), bench.put(seen.slice(s)), Confidence.INFERRED, "no-path")
                 for s in seen.symbols if s.parent is None or s.parent not in names]
        bench.record(moves, origin=origin, carrier="fence", path=path)
    else:
        bench.propose(None, snippet.text, Confidence.UNRESOLVED, "no-path", origin=origin, carrier="fence", candidates=sorted(paths)[:5] or None)


def _kin(path: str, kin: str) -> bool:
    language = language_of_path(path)
    return language is not None and language.kin == kin


# -- tool calls --------------------------------------------------------------------------------------------------------


def judge_attempt(bench: Bench, attempt: Attempt, context: Context) -> None:
    """A tool call that would change files: PROPOSED until its result arrives."""
    for change in attempt.changes:
        path = normalise_path(_path_of(change), context.root)
        if path is not None:
            bench.propose(path, _proposal(change), Confidence.CONFIRMED, "awaiting-result", origin=Origin.MODEL, call=attempt.call_id,
                          tool=attempt.tool)


def judge_outcome(bench: Bench, outcome: Outcome, context: Context) -> None:
    """A tool call's result: success makes true what it confirms, failure and denial reject it for good."""
    attempt = outcome.attempt
    for change in attempt.changes:
        path = normalise_path(_path_of(change), context.root)
        if path is None:
            continue
        if outcome.verdict is Verdict.SUCCESS:
            _confirmed(bench, change, bench.file(path), attempt)
        elif outcome.verdict is Verdict.UNKNOWN:
            if bench.file(path).tracked:
                bench.change(dirty(bench.file(path), "outcome-unknown"), origin=Origin.TOOL, call=attempt.call_id)
        else:
            move = Move(Op.REJECT, path, artifact_hash(_proposal(change)), reason=str(outcome.verdict))
            bench.record([move], origin=Origin.TOOL, call=attempt.call_id)
    judge_user(bench, outcome.stated, context, Origin.TOOL)


def _confirmed(bench: Bench, change: FileChange, state: FileState, attempt: Attempt) -> None:
    """What a client confirms as done is the truth on the user's disk, whatever the gates would have said."""
    about = {"origin": Origin.TOOL, "call": attempt.call_id, "tool": attempt.tool}
    match change:
        case Shown(text=text):
            _write_confirmed(bench, state, text, about)
        case Edit(replacements=replacements):
            base = state.text() if state.tracked else ""
            result = replaced(base, replacements) if base is not None else None
            if result is not None:
                _write_confirmed(bench, state, result, about, Source.EDIT)
            elif state.tracked:
                bench.change(dirty(state, "edit-on-another-base"), **about)
        case Removal(to=None):
            bench.change(remove(state, "deleted"), **about)
        case Drift():
            bench.change(dirty(state, "drift"), **about)
        case _:
            pass


def _write_confirmed(bench: Bench, state: FileState, text: str, about: dict[str, object], source: Source | None = None) -> None:
    seen, base = outline(state.language, text), state.outline()
    refusal = gates.left_out(seen, base) or (gates.collapsed(seen, base, Intent(), bench.limits) or gates.parity(
        seen, base.top_level(), Intent()) if base is not None else None)
    reason = Grant.CLIENT if refusal is None else f"{Grant.CLIENT}:{refusal.reason}"
    changed = bench.change(adopt(state, text, source or _source(state, seen), reason), **about, grant=Grant.CLIENT,
                           refused=refusal.body() if refusal else None)
    if refusal is not None and changed:
        bench.flags.append(Flag("confirmed", (state.entity(),), refusal.reason))


# -- common ground -----------------------------------------------------------------------------------------------------


def _state(bench: Bench, shown: Shown, context: Context) -> FileState | None:
    """The file that a text is shown as; None (and a snippet, if it is code) where the path proves nothing."""
    path = normalise_path(shown.path, context.root)
    state = bench.file(path) if path is not None else None
    if state is not None and (shown.sure or state.tracked):
        return state
    if shown.language and language_named(shown.language).nature is Nature.CODE:
        _snippet(bench, Snippet(shown.text, shown.language), Origin.MODEL)
    return None


def completed(shown: Shown, state: FileState) -> str:
    """The shown text with what its carrier hides: the last line's end, and a first line that belongs to the file."""
    text = shown.text
    known = state.file.text if state.file is not None else None
    if shown.label and known is not None and known.startswith(shown.label):
        text = shown.label + text
    if not shown.ended and text and not text.endswith("\n") and (known is None or not known or known.endswith("\n")):
        text += "\n"
    return text


def _is_whole(seen: Outline, state: FileState, base: Outline | None) -> bool:
    """Whether a labelled text on a tracked file is the whole file."""
    if base is None:
        return not gates.symbols_missing(seen, state.symbols)
    return gates.is_whole(seen, base, state.symbols)


def _base_acknowledged(state: FileState) -> bool:
    """Whether what a candidate would replace is known: the file's text, or at least that of all its symbols."""
    return state.text() is not None or all(known.clean for known in state.symbols.values())


def _source(state: FileState, seen: Outline) -> Source:
    return Source.AST if seen.parsed and state.language is not None and state.language.nature is Nature.CODE else Source.FILE


def _path_of(change: FileChange) -> str:
    return change.paths[0] if isinstance(change, Drift) else change.path


def _proposal(change: FileChange) -> str:
    """The text that stands for a change as an artifact."""
    match change:
        case Shown(text=text):
            return text
        case Edit(replacements=replacements) | Removal(replacements=replacements):
            return "\n".join(f"<<<<<<< SEARCH\n{r.old}=======\n{r.new}>>>>>>> REPLACE" for r in replacements)
        case Drift():
            return ""
