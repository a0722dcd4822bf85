"""The user's word: what the user shows, or a tool has read, is the truth at once (§6, §9.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tslp_litellm.dialects.values import Edit, Evidence, Excerpt, FileChange, Shown, Snippet, Standing
from tslp_litellm.parser import outline
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.common import (
    Context,
    completed,
    file_of,
    is_stated,
    is_whole,
    judge_snippet,
    labelled_pieces,
    new_preamble,
    source_of,
    stranger,
)
from tslp_litellm.resolution.endings import ends_unproven
from tslp_litellm.resolution.files import adopt, dirty, insert, language_of, outline_of, with_holders
from tslp_litellm.resolution.fragments import Fragment
from tslp_litellm.resolution.hearsay import as_whose
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.operations import About, done, reported, shown_paths, twins_drifted
from tslp_litellm.resolution.quotes import (
    among,
    begins_and_ends,
    contradicts,
    doubtful,
    follow,
    stands_in,
    torn_at_ends,
)
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.shell.targets import At
from tslp_litellm.state.names import is_absolute, normalise_path
from tslp_litellm.state.twins import twins
from tslp_litellm.state.values import Confidence, FileState, Grant, Origin, artifact_hash
from tslp_litellm.syntax.conflicts import conflicts
from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.outline import Outline


def judge_user(
    unit: UnitOfWork,
    evidence: Iterable[Evidence],
    context: Context,
    origin: Origin = Origin.USER,
) -> None:
    """What the user, or a tool's read, shows."""
    for piece in evidence:
        if isinstance(piece, Snippet):
            judge_snippet(unit, piece, origin)
        elif isinstance(piece, Shown):
            _shown_by_user(unit, piece, context, origin)
        elif isinstance(piece, Excerpt):
            _excerpt(unit, piece, context, {"origin": origin, "carrier": piece.carrier})
        else:
            _done_by_client(unit, piece, context, {"origin": origin, "carrier": piece.carrier})


def _done_by_client(unit: UnitOfWork, change: FileChange, context: Context, about: About) -> None:
    """What a client's message says it did to a file."""
    path = normalise_path(change.path, context.root) if isinstance(change, Edit) else None
    if not isinstance(change, Edit):
        done(unit, change, context, about)
    elif path is not None:
        twins_drifted(unit, change, context, about)
        reported(unit, unit.file(path), change, about)


def _excerpt(unit: UnitOfWork, excerpt: Excerpt, context: Context, about: About) -> None:
    """Lines that a read shows: where ours are others, the file's text is not known any more. Bare output that begins
    and ends with lines of ours has none of the tool's: it is the file."""
    if excerpt.beside:
        _several(unit, excerpt, context, about)
        return
    path = normalise_path(excerpt.path, context.root)
    state = unit.file(path) if path is not None else None
    if state is not None and excerpt.bare and state.file is not None and begins_and_ends(excerpt.bare, state.file.text):
        shown = Shown(excerpt.path, excerpt.bare, excerpt.carrier, whole=True, raw=True, unclosed=True)
        _shown_by_user(unit, shown, context, about["origin"])
        return
    if state is None:
        return
    short = unit.longer(state.path) if (excerpt.loose or excerpt.typed) and not state.tracked else []
    if excerpt.typed and not state.tracked:
        short += sorted(twins([state.path], context.root, unit.files))
    meant = [unit.file(longer) for longer in short] or [state]
    known = [(one, text) for one in meant if one.tracked and (text := one.text()) is not None]
    if all(contradicts(excerpt, text) for _, text in known):
        for one, _ in known:
            unit.change(dirty(one, "read-differs"), **about)


def _several(unit: UnitOfWork, excerpt: Excerpt, context: Context, about: About) -> None:
    """Whole files, one after the other: where they are not ours, nobody knows which of them is another. Where what
    else is shown is not known, ours must stand among it."""
    exact = not excerpt.among and all(isinstance(target, At) for target in excerpt.beside)
    states = [_tracked(unit, path) for path in shown_paths(unit.files, excerpt, context)]
    texts = [state.text() if state is not None else None for state in states]
    if exact and any(follow(excerpt.lines[:end], texts) for end in (len(excerpt.lines), *excerpt.ends)):
        return
    output = "\n".join(line.removesuffix("\r") for line in excerpt.lines)
    for state in states:
        text = state.text() if state is not None else None
        if state is not None and text is not None and (exact or not among(text.replace("\r\n", "\n"), output)):
            unit.change(dirty(state, "read-differs"), **about)


def _tracked(unit: UnitOfWork, path: str) -> FileState | None:
    state = unit.file(path)
    return state if state.tracked else None


def _shown_by_user(unit: UnitOfWork, shown: Shown, context: Context, origin: Origin) -> None:
    if shown.named and context.root:
        shown = replace(shown, path=shown.named)
    state = file_of(unit, shown, context, origin)
    if state is None:
        return
    shown = as_whose(shown, state)
    text = completed(shown, state)
    about: dict[str, Any] = {"origin": origin, "carrier": shown.carrier, "grant": Grant.WRITE_HEAD}
    seen, base = outline(language_of(state), text), outline_of(state)
    if shown.doubted or not is_stated(state, shown):
        _not_stated(unit, shown, state, seen, base, about)
        return
    if shown.with_numbers and base is not None and stands_in(base.text.decode(), shown.with_numbers):
        return
    if base is not None and ((shown.raw and doubtful(seen, base)) or (shown.unclosed and ends_unproven(seen, base))):
        unit.change(dirty(state, "read-in-doubt"), **about)
        return
    intent = context.about(state.path).intent
    if shown.said and base is not None and gates.given_way(seen, base, intent) and not _news(state, seen, base, intent):
        return  # a stub that a sentence shows replaces nothing
    whole = not shown.symbol and (not state.tracked or is_whole(seen, state, base))
    if shown.plain and whole and (base is None or base.sound) and torn_at_ends(seen):
        if base is not None:
            unit.change(dirty(state, "read-in-doubt"), **about)
        return
    unsaid = whole and not shown.whole and gates.gave_way_unsaid(seen, base, intent)
    if shown.whole or (whole and not unsaid and not placeholders(seen, base)):
        unit.change(adopt(state, text, source_of(state, seen), Grant.WRITE_HEAD), **about)
        _doubt_twins(unit, state.path, text, context, about)
    elif base is None or not stands_in(base.text.decode(), text):
        _part_shown(unit, shown, state, seen, intent, unsaid, about)
    _note_shown(unit, state.path, seen, about)


def _not_stated(
    unit: UnitOfWork, shown: Shown, state: FileState, seen: Outline, base: Outline | None, about: About
) -> None:
    """A text of which nobody says that it is the file's: another one than ours makes ours doubtful."""
    if base is not None and not stands_in(base.text.decode(), seen.text.decode()):
        reason = "models-own-text" if shown.standing is Standing.HEARSAY else "unplaced-change"
        unit.change(dirty(state, reason), **about)
    elif shown.standing is Standing.UNSTATED and not shown.doubted:
        _note_shown(unit, state.path, seen, about)


def _note_shown(unit: UnitOfWork, path: str, seen: Outline, about: About) -> None:
    """Note what was shown with the text that is current, by whoever's word counts."""
    if not unit.admits(about):
        return
    state = unit.file(path)
    if state.text() == seen.text.decode():
        unit.shown.add(state.entity())
    for symbol in seen.symbols:
        known = state.symbols.get(symbol.name)
        if known is not None and known.clean and known.artifact == artifact_hash(seen.slice(symbol)):
            unit.shown.add(state.entity(symbol.name))


def _doubt_twins(unit: UnitOfWork, path: str, text: str, context: Context, about: About) -> None:
    """Files that may be the one that was shown, under another name, and have another text here."""
    if is_absolute(path):
        for other in sorted(twins([path], context.root, unit.files)):
            if unit.file(other).tracked and unit.file(other).text() != text:
                unit.change(dirty(unit.file(other), "perhaps-the-same-file"), **about)


def _news(state: FileState, seen: Outline, base: Outline, intent: Intent) -> bool:
    """Whether a text shows complete definitions that are other than ours."""
    fragment = Fragment(seen, base, intent)
    complete = (piece for piece in fragment.pieces if not fragment.has_gaps(piece))
    ours = {name: known.artifact for name, known in state.symbols.items()}
    return any(piece.name in ours and artifact_hash(piece.text) != ours[piece.name] for piece in complete)


def _part_shown(
    unit: UnitOfWork,
    shown: Shown,
    state: FileState,
    seen: Outline,
    intent: Intent,
    unsaid: bool,
    about: dict[str, Any],
) -> None:
    """A part of a file: its complete definitions count, and nothing is deleted.

    What a part shows with code that gave way inside is of unknown text. So is, where it is the whole file but for what
    gave way in no known words (`unsaid`), all that it does not show: it may be left out, and it may be gone.
    """
    base = outline_of(state)
    fragment = Fragment(seen, base, intent)
    found = labelled_pieces(fragment.pieces, shown)
    pieces = [piece for piece in found if not fragment.has_gaps(piece)]
    torn = conflicts(seen.text) or any(stranger(piece.name, state) is not None for piece in pieces)
    changed = insert(state, pieces, Grant.WRITE_HEAD) if pieces and not torn else None
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
        )
        return
    unit.change(changed, **about)
    new_preamble(unit, state.path, seen, base, about)
    known = {name for piece in pieces for name in piece.parts()}
    doubtful = state.symbols.keys() if unsaid else {name for piece in found for name in piece.parts()}
    if unsaid or len(pieces) < len(found):
        unit.change(dirty(unit.file(state.path), "unplaced-change", with_holders(doubtful - known)), **about)
