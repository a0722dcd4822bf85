"""The model's word: what it shows or edits must pass both gates; what is refused stays PROPOSED, with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tslp_litellm.dialects.paths import is_of_tests
from tslp_litellm.dialects.values import (
    Carrier,
    Edit,
    EditStep,
    Evidence,
    Excerpt,
    FileChange,
    Replacement,
    Shown,
    Snippet,
)
from tslp_litellm.parser import outline
from tslp_litellm.placing.readings import unlabelled
from tslp_litellm.placing.rules import only_asks
from tslp_litellm.placing.structure import as_it_stands
from tslp_litellm.placing.values import Play, Unplaced
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.asked import asked_for, cut_as_named
from tslp_litellm.resolution.common import (
    base_acknowledged,
    completed,
    in_parts,
    is_whole,
    paths_of,
    placed,
    proposal_text,
    shown_as_is,
    source_of,
    unplaced,
    without_usage,
)
from tslp_litellm.resolution.companions import with_companions
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.edits import applied
from tslp_litellm.resolution.files import adopt, dirty, language_of, outline_of
from tslp_litellm.resolution.inside import Inside, beside_members, doubt_holder, goes_inside
from tslp_litellm.resolution.lone_fields import with_fields
from tslp_litellm.resolution.lone_lines import Lines, doubt_lines, lone_lines
from tslp_litellm.resolution.moving import doubt_elsewhere, flag_moves, moved_as_asked
from tslp_litellm.resolution.one_fence import of_one_version
from tslp_litellm.resolution.pairs import doubt_pair, moved_as, paired
from tslp_litellm.resolution.part_by_model import part_by_model, untrusted
from tslp_litellm.resolution.quotes import stands_in
from tslp_litellm.resolution.renaming import renames
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.resolution.versions import without_versions
from tslp_litellm.resolution.wanted import goes_back, of_before, of_conversion, of_renamed, with_new_files
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import Confidence, FileState, Flag, Grant, Origin, Source
from tslp_litellm.syntax.alike import counted
from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.opening import filled
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.softened import compilations

WHOLE_FILES = frozenset({Carrier.FENCE})
"""The form of a client that takes each fence as a whole file (aider's `whole` format)."""
SAW_MIN_RATIO = 0.9
"""Of the lines of a file that it was not shown, so much stands in the answer of a model that saw them all the same."""


def judge_model(unit: UnitOfWork, evidence: Sequence[Evidence], context: Context) -> None:
    """What the model's text shows or edits. Several edits of one file apply in order, all or none."""
    tags = [piece for piece in evidence if isinstance(piece, Shown) and piece.carrier is Carrier.TAG]
    found, inside, lone = _placed(unit, [piece for piece in evidence if piece not in tags], context)
    brought, context = _brought(unit, found), _without(context, moved_as_asked(unit, found, context.intent.prompt))
    context = _without(context, cut_as_named(unit, found, context))
    for piece in merged(without_versions(unit, found, context)):
        if isinstance(piece, Shown):
            state = unit.file(piece.path)
            if (shown := as_it_stands(piece, state, context.play)) is not None:
                elsewhere = sum((lines for path, lines in brought.items() if path != piece.path), gates.Lines())
                shown_by_model(unit, shown, state, replace(context, elsewhere=elsewhere))
        elif isinstance(piece, Edit):
            _edited_by_model(unit, piece, context)
        elif not isinstance(piece, (Excerpt, Snippet)):
            _done_by_model(unit, piece, context)
    if unit.trust.takes_model and context.forms is None:
        doubt_elsewhere(unit, found, context)
    for tag in tags:
        _written_by_tag(unit, tag, context)
    for one in inside:
        doubt_holder(unit, one, found)
    for lines in lone:
        doubt_lines(unit, lines)
    flag_moves(unit)


def _without(context: Context, gone: frozenset[str]) -> Context:
    """A context in which some entities are asked to go."""
    return replace(context, intent=replace(context.intent, taken_back=context.intent.taken_back | gone))


def _filled(piece: Evidence) -> Evidence:
    """Python in a fence with something in each body."""
    of_chat = isinstance(piece, Snippet) or (isinstance(piece, Shown) and piece.carrier is Carrier.FENCE)
    if not of_chat or not isinstance(piece, (Shown, Snippet)) or piece.language != "python":
        return piece
    return replace(piece, text=filled(piece.text))


def _brought(unit: UnitOfWork, found: Sequence[Evidence]) -> dict[str, gates.Lines]:
    """Of an answer about several files the lines that it shows of each, and that its text lacks. What tests repeat is a
    copy."""
    if len({piece.path for piece in found if isinstance(piece, Shown)}) <= 1:
        return {}
    lines = dict[str, gates.Lines]()
    for piece in found:
        if isinstance(piece, Shown) and not is_of_tests(piece.path):
            lines.setdefault(piece.path, gates.Lines()).update(counted(piece.text.encode()))
    return {path: seen - counted((unit.file(path).text() or "").encode()) for path, seen in lines.items()}


def _written_by_tag(unit: UnitOfWork, tag: Shown, context: Context) -> None:
    """A tracked file that a client may have written out of a tag of the answer's."""
    path = normalise_path(tag.path, context.root)
    state = unit.file(path) if path is not None and context.applies(tag.carrier) else None
    if state is not None and state.tracked and (state.file is None or not stands_in(state.file.text, tag.text)):
        unit.change(dirty(state, "applied-unfollowed"), origin=Origin.MODEL, carrier=tag.carrier)


def _placed(
    unit: UnitOfWork, evidence: Sequence[Evidence], context: Context
) -> tuple[list[Evidence], list[Inside], list[Lines]]:
    """The evidence with all its code placed, and what code without a place goes into; what an answer labels is in play
    for the rest of its code."""
    labels = (normalise_path(piece.path, context.root) for piece in evidence if isinstance(piece, Shown) and piece.sure)
    context = replace(context, play=context.play | Play(paths=frozenset(path for path in labels if path is not None)))
    evidence = [_filled(piece) for piece in with_fields(unit, paired(unit, evidence, context), context)]
    context = replace(context, single=sum(isinstance(piece, (Shown, Snippet, Edit)) for piece in evidence) == 1)
    found: list[Evidence] = []
    inside: list[Inside] = []
    uncut = dict[int, Shown]()  # with their usage examples, which may be the program that is wanted
    alone: list[tuple[Snippet, Unplaced]] = []
    for piece in (part for one in evidence for part in in_parts(unit, [one], context, Origin.MODEL)):
        if isinstance(piece, Edit) and (piece.carrier is Carrier.UDIFF or not piece.path):
            found += [diff] if (diff := _diff_placed(unit, piece, context)) is not None else []
            continue
        if not isinstance(piece, (Shown, Snippet)):
            found.append(piece)
            continue
        doubted = isinstance(piece, Shown) and piece.doubted
        code = Unplaced(piece.text, piece.language) if doubted else placed(unit, piece, context, Origin.MODEL)
        if isinstance(code, Unplaced) and not doubted and code.reason == "no-path":
            bare = Snippet(piece.text, piece.language)
            wanted = (rule(unit, bare, context) for rule in (of_before, of_renamed, of_conversion))
            code = next(filter(None, wanted), code)
        if not doubted and (holder := goes_inside(unit, piece, code, context)) is not None:
            inside.append(holder)
        elif isinstance(code, Unplaced) and code.reason == "no-path" and (snippet := unlabelled(piece)) is not None:
            alone.append((snippet, code))
        elif isinstance(code, Unplaced):
            unplaced(unit, code, Origin.MODEL)
        elif code is not None:
            found.append(of_one_version(unit, without_usage(unit, code, context.intent), context.intent.prompt))
            uncut[id(found[-1])] = code
            context = replace(context, left=context.left | _left(unit, code, context))
    kept = asked_for(unit, found, _without(context, cut_as_named(unit, found, context)))
    inside += beside_members(unit, kept, [snippet for snippet, _ in alone]) if unit.trust.takes_model else []
    several = [pair for pair in alone if pair[1].paths]
    kept, alone = with_companions(unit, kept, [pair for pair in alone if not pair[1].paths])
    kept, others = with_new_files(unit, kept, [*alone, *several], context, uncut)
    lost = {id(code): snippet for snippet, code in alone if any(code is other for other in others)}
    lines = lone_lines(unit, lost, kept, context)
    for code in others:
        if id(code) not in lines:
            unplaced(unit, code, Origin.MODEL)
    return kept, inside, [*lines.values()]


def _left(unit: UnitOfWork, shown: Shown, context: Context) -> frozenset[str]:
    """What a file that is shown whole lacks, as the prompt asks: another file of the answer may have it now."""
    state, intent = unit.file(shown.path), context.about(shown.path).intent
    seen = outline(language_of(state), shown.text)
    gone = [name for name in state.symbols if name not in seen.by_name and intent.asks_to_lose(name)]
    whole = gone and is_whole(shown, seen, state, intent, Origin.MODEL)
    return frozenset(map(state.entity, gone)) if whole else frozenset()


def _diff_placed(unit: UnitOfWork, edit: Edit, context: Context) -> Edit | None:
    """A diff with a file: the one in play in which its old side stands exactly once, where the prompt does not merely
    ask about it. Its lines of context are read as they fit; lines that fit nowhere, as far in as the file's are."""
    path = normalise_path(edit.path, context.root) if edit.path else None
    paths = [path] if path is not None else sorted(context.play.files())
    fits = {at: steps for at in paths for steps in (edit.unmarked, edit.steps) if _fits(unit.file(at), steps)}
    if not fits and context.forms is None:
        moved = {at: moved_as(unit.file(at), steps) for at in paths for steps in (edit.unmarked, edit.steps)}
        fits = {at: steps for at, steps in moved.items() if _fits(unit.file(at), steps)}
    if path is not None:
        return replace(edit, steps=fits.get(path, edit.steps))
    if len(fits) != 1 or not context.applies(edit.carrier):
        return None
    ((at, steps),) = fits.items()
    names = [e.leaf for e in map(Entity.parse, context.play.entities) if e.path == at and e.leaf]
    asks = only_asks(context.intent.prompt, at.rpartition("/")[2], *names)
    return None if asks else replace(edit, path=at, steps=steps)


def _fits(state: FileState, steps: Sequence[EditStep]) -> bool:
    text = state.text()
    return bool(steps) and text is not None and applied(text, steps) is not None


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


def shown_by_model(unit: UnitOfWork, shown: Shown, state: FileState, context: Context) -> None:
    """A file, or a part of one, that the model's text shows."""
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
            placed=shown.placed,
        )
    elif goes_back(state, text, context):
        candidate(unit, state, text, context, shown.carrier, source_of(state, seen), shown.placed, goes_back=True)
    elif shown.part or (not state.tracked and state.path in context.play.selected):
        _beginning(unit, state, text, seen, context, shown)
    elif context.forms == WHOLE_FILES or (not placeholders(seen, base) and _is_whole(shown, seen, state, context)):
        candidate(unit, state, text, context, shown.carrier, source_of(state, seen), shown.placed)
    else:
        part_by_model(unit, state, seen, context, shown)
    if context.applies(shown.carrier):
        unit.rewritten |= shown_as_is(unit.file(state.path), seen)


def _is_whole(shown: Shown, seen: Outline, state: FileState, context: Context) -> bool:
    """What lacks definitions where, in whatever words, comments stand for them, is a part; and so is what the model
    did not see all of, or nobody ever showed but in part."""
    if context.in_part(state):
        return False
    made_up = any(context.makes_up(state, symbol.name, seen) for symbol in seen.top_level())
    if made_up and not _has_the_rest(seen, state, context):
        return False
    intent = context.about(state.path).intent
    lacks = any(not intent.asks_to_lose(name) for name in gates.symbols_missing(seen, state.symbols))
    left_out = lacks and gates.gave_way_unsaid(seen, outline_of(state), intent)
    return not left_out and is_whole(shown, seen, state, intent, Origin.MODEL)


def _has_the_rest(seen: Outline, state: FileState, context: Context) -> bool:
    """Whether a text has nearly all lines of a file that were not put in front of the prompt: the model saw them
    somewhere."""
    shown = [known.text or "" for name, known in state.symbols.items() if state.entity(name) in context.shown]
    unseen = counted((state.text() or "").encode()) - counted("\n".join(shown).encode())
    return bool(unseen) and (unseen & counted(seen.text)).total() >= SAW_MIN_RATIO * unseen.total()


def _beginning(unit: UnitOfWork, state: FileState, text: str, seen: Outline, context: Context, shown: Shown) -> None:
    """A part of a file that nobody knows: its definitions are known, what else the file holds is not."""
    candidate(unit, state, text, context, shown.carrier, source_of(state, seen), shown.placed)
    now = unit.file(state.path)
    found = dirty(now, "unknown-place", symbols=False) if shown.part else dirty(now, "part-shown", symbols=False)
    unit.change(found, origin=Origin.MODEL, carrier=shown.carrier)


def candidate(
    unit: UnitOfWork,
    state: FileState,
    text: str,
    context: Context,
    carrier: str,
    source: Source,
    placed: str | None = None,
    *,
    goes_back: bool = False,
) -> None:
    """A whole text of a file by the model, judged as one. `placed`: what said that it is of that file, in a label's
    place. `goes_back`: it is what the file was, and was asked for."""
    about: dict[str, Any] = {"origin": Origin.MODEL, "carrier": carrier, "placed": placed}
    context = context.about(state.path)
    seen, base = outline(language_of(state), text), outline_of(state)
    unit.candidates.append((state, seen))
    excuses = context.excuses(state.path, text)
    refusal = gates.whole_refused(seen, base, context.intent, unit.limits, _compiled(state, seen), excuses)
    if refusal is None and state.tracked and not base_acknowledged(state, context):
        refusal = gates.Refusal("base-unknown", (("needed", "the file's current text"),))
    if goes_back:
        refusal = None
    elif refusal is None and base is not None:
        refusal = gates.whole_parity(seen, base, context.intent, state.path)
        renamed = renames(seen, base) if refusal is not None else {}
        if renamed:
            refusal = _judge_renames(unit, state, seen, base, renamed, context)
        refusal = gates.with_members(refusal, seen, base, context.intent)
    if refusal is None and text != state.text():
        refusal = untrusted(unit)
    if refusal is None:
        unit.change(adopt(state, text, source, Grant.PARITY), **about, grant=Grant.PARITY)
    else:
        confidence = Confidence.INFERRED if refusal.reason == "syntax-error" else Confidence.CONFIRMED
        if context.chat is not None:
            unit.change(dirty(state, "applied-unproven"), origin=Origin.MODEL, carrier=carrier)
        unit.propose(
            state.entity(),
            text,
            confidence,
            refusal.reason,
            refusal=refusal,
            source=source,
            path=state.path,
            **about,
        )


def _compiled(state: FileState, seen: Outline) -> list[Outline]:
    """A text with errors as compilers would read it, where it has conditional compilation."""
    language = language_of(state)
    if language is None or not seen.errors:
        return []
    return [outline(language, text.decode()) for text in compilations(language.name, seen.text)]


def _judge_renames(
    unit: UnitOfWork, state: FileState, seen: Outline, base: Outline, renamed: dict[str, str], context: Context
) -> gates.Refusal | None:
    """Renames that are not confirmed leave the old names as they are, and are flagged (§12)."""
    open_ones = {
        old: new
        for old, new in renamed.items()
        if not (context.renames(state.path, old, new) or context.intent.asks_to_lose(old))
    }
    refusal = gates.whole_parity(seen, base, context.intent, state.path, besides=renamed)
    if open_ones:
        for old, new in open_ones.items():
            unit.flags.append(Flag("rename", (state.entity(old), state.entity(new))))
        besides = tuple(said for said in refusal.witness if said[0] == "lost") if refusal is not None else ()
        needed = ("needed", "a prompt that names both")
        return gates.Refusal("rename-unconfirmed", (("renamed", open_ones), *besides, needed), gate="B")
    return refusal


def _edited_by_model(unit: UnitOfWork, edit: Edit, context: Context) -> None:
    path = normalise_path(edit.path, context.root)
    if path is None:
        return
    state = unit.file(path)
    base = state.text() if state.tracked else ""
    first = edit.steps[0]
    makes_whole = isinstance(first, Replacement) and not first.old
    placed = edit.carrier is Carrier.UDIFF and context.chat is None  # a hunk that stands at the line which it states
    result = applied(base, edit.steps, placed) if base is not None and (state.tracked or makes_whole) else None
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
    if edit.carrier is Carrier.FENCE and unit.file(path).text() != result:
        doubt_pair(unit, state, [name for name, known in state.symbols.items() if known.text not in (result or "")])


def _done_by_model(unit: UnitOfWork, change: FileChange, context: Context) -> None:
    """A file that the model's text would delete or move: the client's word is needed for that."""
    for raw in paths_of(change)[:1]:
        path = normalise_path(raw, context.root)
        if path is not None and unit.file(path).tracked:
            unit.propose(path, proposal_text(change), Confidence.CONFIRMED, "removal-unconfirmed", origin=Origin.MODEL)
            if context.chat is not None and context.applies(change.carrier):
                unit.change(dirty(unit.file(path), "applied-unproven"), origin=Origin.MODEL, carrier=change.carrier)
