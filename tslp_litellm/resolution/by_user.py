"""The user's word: what the user shows, or a tool has read, is the truth at once (§6, §9.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from tslp_litellm.dialects.plausible import is_view
from tslp_litellm.dialects.values import Carrier, Edit, Evidence, Excerpt, FileChange, Ground, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.new_files import NO_FUNCTIONS, paths_put
from tslp_litellm.placing.rules import said_above
from tslp_litellm.placing.values import Unplaced
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.common import (
    aligned,
    completed,
    doubt_twins,
    in_parts,
    is_whole,
    new_preamble,
    pieces_shown,
    placed,
    shown_as_is,
    source_of,
    stranger,
    unplaced,
)
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.edits import stands
from tslp_litellm.resolution.files import adopt, dirty, insert, language_of, outline_of, with_holders
from tslp_litellm.resolution.fragments import SHOWN_MIN, Fragment
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.operations import About, done, reported
from tslp_litellm.resolution.quotes import begins_and_ends, contradicts, doubtful, stands_in
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import holders, normalise_path
from tslp_litellm.state.values import Confidence, FileState, Grant, Origin
from tslp_litellm.syntax.conflicts import conflicts
from tslp_litellm.syntax.languages import Language
from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.outline import Kind, Outline, Symbol
from tslp_litellm.words.sentences import holds


def judge_user(
    unit: UnitOfWork,
    evidence: Iterable[Evidence],
    context: Context,
    origin: Origin = Origin.USER,
) -> None:
    """What the user, or a tool's read, shows."""
    for piece in in_parts(unit, evidence, context, origin):
        if isinstance(piece, Shown) and piece.doubted and piece.part:
            _torn(unit, piece, context, {"origin": origin, "carrier": piece.carrier})
        elif isinstance(piece, (Snippet, Shown)):
            _code_by_user(unit, piece, context, origin)
        elif isinstance(piece, Excerpt):
            _excerpt(unit, piece, context, {"origin": origin, "carrier": piece.carrier})
        else:
            _done_by_client(unit, piece, context, {"origin": origin, "carrier": piece.carrier})


def _done_by_client(unit: UnitOfWork, change: FileChange, context: Context, about: About) -> None:
    """What a client's message says it did to a file; a diff that is only quoted contradicts what lacks its new side."""
    path = normalise_path(change.path, context.root) if isinstance(change, Edit) else None
    if not isinstance(change, Edit):
        done(unit, change, context, about)
    elif path is not None and change.stated:
        reported(unit, unit.file(path), change, about, context)
    elif path is not None and (text := unit.file(path).text()) is not None and not stands(text, change.steps):
        unit.change(dirty(unit.file(path), "read-differs"), **about)


def _torn(unit: UnitOfWork, shown: Shown, context: Context, about: About) -> None:
    """What a user pastes of a file in no frame, and in words, so that nobody knows where it ends: the definitions that
    it holds and that don't stand in it as they are changed, most likely."""
    path = normalise_path(shown.path, context.root)
    tracked = [path, *unit.longer(path)] if path is not None else []
    states = [state for at in tracked if (state := unit.file(at)).tracked][:2]
    base = outline_of(states[0]) if len(states) == 1 else None
    if base is None or context.forms is not None:
        return
    seen = outline(language_of(states[0]), shown.text)
    both = [symbol for symbol in base.symbols if symbol.name in seen.by_name]
    changed = {symbol.name for symbol in both if not stands_in(shown.text, base.slice(symbol))}
    if changed and any(symbol.kind is not Kind.VALUE for symbol in both):
        unit.change(dirty(states[0], "unplaced-change", with_holders(states[0], changed)), **about)


def _excerpt(unit: UnitOfWork, excerpt: Excerpt, context: Context, about: About) -> None:
    """Lines that a read shows: where ours are others, the file's text is not known any more. Bare output that begins
    and ends with lines of ours has none of the tool's: it is the file."""
    path = normalise_path(excerpt.path, context.root)
    state = unit.file(path) if path is not None else None
    if state is not None and excerpt.bare and state.file is not None and begins_and_ends(excerpt.bare, state.file.text):
        shown = Shown(excerpt.path, excerpt.bare, excerpt.carrier, whole=True, raw=True)
        _code_by_user(unit, shown, context, about["origin"])
        return
    if state is None or is_view(state.path, "\n".join(excerpt.lines)):
        return
    if excerpt.carrier is Carrier.FENCE:
        return
    others = unit.others.get(state.path, ()) if excerpt.lines else ()
    for known in (state, *(unit.file(other) for other in sorted(others))):
        text = known.text() if known.tracked else None
        if text is not None and contradicts(excerpt, text):
            unit.change(dirty(known, "read-differs"), **about)


def _code_by_user(unit: UnitOfWork, piece: Shown | Snippet, context: Context, origin: Origin) -> None:
    if isinstance(piece, Shown) and piece.named and context.root:
        piece = replace(piece, path=piece.named)
    found = placed(unit, piece, context, origin)
    if isinstance(piece, Snippet) and piece.doubted:
        if isinstance(found, Shown):
            _torn(unit, found, context, {"origin": origin, "carrier": found.carrier, "placed": found.placed})
    elif isinstance(found, Unplaced):
        unplaced(unit, found, origin)
    elif found is not None:
        _shown_by_user(unit, found, context, origin)


def _shown_by_user(unit: UnitOfWork, shown: Shown, context: Context, origin: Origin) -> None:
    state = unit.file(shown.path)
    text = completed(shown, state)
    about = {"origin": origin, "carrier": shown.carrier, "grant": Grant.WRITE_HEAD, "placed": shown.placed}
    seen, base = outline(language_of(state), text), outline_of(state)
    if shown.doubted:
        if base is not None and not stands_in(base.text.decode(), text):
            unit.change(dirty(state, "unplaced-change"), **about)
        return
    if shown.with_numbers and base is not None and stands_in(base.text.decode(), shown.with_numbers):
        return
    if shown.raw and base is not None and doubtful(seen, base):
        unit.change(dirty(state, "read-in-doubt"), **about)
        return
    intent = context.about(state.path).intent
    whole = is_whole(shown, seen, state, intent.with_before(context.brought | context.going), origin)
    whole = whole and (shown.whole or not context.in_part(state) or _is_said_whole(shown))
    unsaid = whole and not shown.whole and gates.gave_way_unsaid(seen, base, intent)
    if shown.whole or (whole and not unsaid and not placeholders(seen, base)):
        unit.change(adopt(state, text, source_of(state, seen), Grant.WRITE_HEAD), **about, whole=True)
    elif shown.part:
        _part_of_unknown(unit, state, seen, about)
    else:
        bared = _is_said_whole(shown) and any(state.entity(s.name) in context.commented() for s in seen.symbols)
        quoted = base is not None and _is_clean(state, seen) and not bared and stands_in(base.text.decode(), text)
        if not quoted:
            _part_shown(unit, shown, state, aligned(seen, base, state), intent, unsaid, about, context.commented())
            _not_taken(unit, state.path, seen, context, about)
        said = _is_named_above(shown) if quoted else _is_said_whole(shown)
        if base is not None and said and (lacks := _lacking(seen, base, named=_is_named_above(shown))):
            now = unit.file(state.path)
            unit.change(dirty(now, "most-shown", with_holders(now, lacks & now.symbols.keys())), **about)
    as_is = shown_as_is(unit.file(state.path), seen)
    unit.shown |= as_is
    if state.entity() in as_is:
        unit.shown_whole[state.path] = about


def _lacking(seen: Outline, base: Outline, *, named: bool) -> set[str]:
    """What a text lacks that has most of the file's definitions, or of the members of a type that it shows, and some of
    the preamble: it may be the file, and that gone. Where the file has no preamble, a sentence above must name it."""
    if placeholders(seen, base) or not (base.preamble & seen.preamble if base.preamble else named):
        return set()
    lacks = _few_lacking([symbol.name for symbol in base.top_level()], seen)
    for symbol in base.symbols:
        if symbol.kind is Kind.TYPE and symbol.name in seen.by_name:
            inner = [m.name for m in base.members(symbol.name) if m.kind is not Kind.VALUE]
            lacks |= _few_lacking([symbol.name, *inner], seen)
    return {symbol.name for symbol in base.symbols if lacks & {symbol.name, *holders(symbol.name)}}


def _few_lacking(names: list[str], seen: Outline) -> set[str]:
    """Those of some names that a text lacks, where it has most of them."""
    lacks = {name for name in names if name not in seen.by_name}
    return lacks if SHOWN_MIN * len(lacks) <= len(names) - len(lacks) else set()


def _part_of_unknown(unit: UnitOfWork, state: FileState, seen: Outline, about: dict[str, Any]) -> None:
    """A part of a file that nobody knows: its definitions are known, but for members without what holds them; what else
    the file holds is not."""
    made, moves = adopt(state, seen.text.decode(), source_of(state, seen), Grant.WRITE_HEAD)
    if any(_is_torn_out(language_of(state), seen, symbol) for symbol in seen.symbols):
        made, moves = replace(made, symbols={}), tuple(move for move in moves if move.entity == state.entity())
    unit.change((made, moves), **about)
    unit.change(dirty(unit.file(state.path), "part-shown", symbols=False), **about)


def _is_torn_out(language: Language | None, seen: Outline, symbol: Symbol) -> bool:
    """Whether a definition is most likely a member, shown without its type."""
    of_type = language is not None and language.name in NO_FUNCTIONS and symbol.kind is Kind.FUNCTION
    return symbol.parent is None and (of_type or seen.slice(symbol)[:1].isspace())


def _is_clean(state: FileState, seen: Outline) -> bool:
    """Whether nothing that a text shows is of unknown text; else its being shown is news, though it be the old one."""
    return all(state.symbols[symbol.name].clean for symbol in seen.symbols if symbol.name in state.symbols)


def _not_taken(unit: UnitOfWork, path: str, seen: Outline, context: Context, about: dict[str, Any]) -> None:
    """What an answer brought to a file, or was asked to remove from it, and of which the user then shows a part without
    it, and finds fault: DIRTY. So is what an answer brought alone that nobody had asked for by name, where the user
    then shows himself what he had asked for."""
    state, asked = unit.file(path), Intent(context.intent.before, path, taken_back=context.brought)
    names = [name for name in state.symbols if name not in seen.by_name and asked.asks_to_lose(name)]
    if not holds(context.intent.prompt, "fault"):
        instead = context.alone and any(asked.mentions(symbol.name) for symbol in seen.symbols)
        new = {name for name in names if state.entity(name) in context.brought and not asked.mentions(name)}
        names = [name for name in names if instead and name in new]
    if names:
        unit.change(dirty(state, "not-taken", with_holders(state, names)), **about)


def _is_said_whole(shown: Shown) -> bool:
    """Whether a label, or a sentence that speaks of no part, says that a text is its file."""
    return shown.by is Ground.LABEL or _is_named_above(shown)


def _is_named_above(shown: Shown) -> bool:
    """Whether a sentence says that a text is its file, and speaks of no part of it, nor of what stands in it."""
    named = said_above(shown.above, by_user=True).replace("\\", "/").rpartition("/")[2]
    is_part = holds(shown.above, "part") or paths_put(shown.above, None)
    return named == shown.path.rpartition("/")[2] and not is_part


def _part_shown(
    unit: UnitOfWork,
    shown: Shown,
    state: FileState,
    seen: Outline,
    intent: Intent,
    unsaid: bool,
    about: dict[str, Any],
    commented: Collection[str] = (),
) -> None:
    """A part of a file: its complete definitions count, and nothing is deleted but the comments of those `commented`,
    which the answer before brought.

    What a part shows with code that gave way inside is of unknown text. So is, where it is the whole file but for what
    gave way in no known words (`unsaid`), all that it does not show: it may be left out, and it may be gone.
    """
    base = outline_of(state)
    if base is not None and seen.only_imports:
        new_preamble(unit, state.path, seen, base, about)
        return
    fragment = Fragment(seen, base, intent, labelled=shown.by is Ground.LABEL, by_user=True)
    all_shown = pieces_shown(fragment.pieces, seen, shown)
    others = [piece for piece in all_shown if fragment.is_another(piece)]
    found = [piece for piece in all_shown if not fragment.is_another(piece)]
    pieces = [piece for piece in found if not fragment.has_gaps(piece)]
    if shown.by is not Ground.LABEL:
        found = pieces  # a stub never replaces a body, and says nothing of it
    if not pieces and (others or shown.by is not Ground.LABEL):
        doubt_twins(unit, state.path, fragment, others, about)
        return
    torn = conflicts(seen.text) or any(stranger(piece, state) is not None for piece in pieces)
    bare = [piece.name for piece in pieces if state.entity(piece.name) in commented]
    changed = insert(state, pieces, Grant.WRITE_HEAD, bare=bare) if pieces and not torn else None
    if changed is None:
        if state.tracked:
            unit.change(dirty(state, "unplaced-change"), **about)
        unit.propose(
            state.entity(),
            seen.text.decode(),
            Confidence.INFERRED,
            "unplaced-fragment",
            origin=about["origin"],
            carrier=shown.carrier,
            placed=shown.placed,
        )
        return
    unit.change(changed, **about)
    new_preamble(unit, state.path, seen, base, about)
    doubt_twins(unit, state.path, fragment, others, about)
    if fragment.partly:
        unit.change(dirty(unit.file(state.path), "shown-in-part", with_holders(state, fragment.partly)), **about)
    known = {name for piece in pieces for name in piece.parts()}
    doubtful = state.symbols.keys() if unsaid else {name for piece in found for name in piece.parts()}
    if unsaid or len(pieces) < len(found):
        unit.change(dirty(unit.file(state.path), "unplaced-change", with_holders(state, doubtful - known)), **about)
