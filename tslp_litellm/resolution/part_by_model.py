"""The model's word on a part of a file: each complete definition in it is judged by itself (SEMANTICS 2 and 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tslp_litellm.dialects.values import Ground, Shown
from tslp_litellm.parser.budget import spend
from tslp_litellm.placing.structure import cut_out
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.common import aligned, doubt_twins, new_preamble, pieces_shown, stranger
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.decorations import redecorated
from tslp_litellm.resolution.files import Piece, dirty, insert, language_of, outline_of, with_holders
from tslp_litellm.resolution.fragments import Fragment, word_counts
from tslp_litellm.resolution.lone_lines import doubt_labelled
from tslp_litellm.resolution.renaming import renames
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.values import Confidence, FileState, Flag, Grant, Origin, artifact_hash
from tslp_litellm.syntax.alike import counted
from tslp_litellm.syntax.outline import Kind, Outline
from tslp_litellm.words.sentences import holds, mentions_word

_UNSURE = ("leaf-of-another", "idle-constant")
"""Refusals of a definition that is most likely none of the file's."""


def part_by_model(unit: UnitOfWork, state: FileState, seen: Outline, context: Context, shown: Shown) -> None:
    """Part of a file by the model. What it asked by name to remove, and no longer shows beside new code, is DIRTY."""
    about: dict[str, Any] = {"origin": Origin.MODEL, "carrier": shown.carrier, "placed": shown.placed}
    context, base = context.about(state.path), outline_of(state)
    seen = redecorated(aligned(seen, base, state), base, language_of(state), context.intent)
    if (stray := gates.conflicting(seen) or _of_another(unit, state, seen, base, shown)) is not None:
        _propose_whole(unit, state, seen, stray, about)
        return
    labelled = shown.by is Ground.LABEL
    excuses = context.excuses(state.path, seen.text.decode())
    headed = bool(shown.container)
    fragment = Fragment(seen, base, context.intent, labelled=labelled, headed=headed, excuses=excuses)
    pieces, others, made_up = _sorted(state, seen, fragment, shown, context)
    renamed = _open_renames(unit, state, seen, context)
    accepted = _accepted(unit, state, fragment, pieces, renamed, context.altered(state.path), about)
    changed = insert(state, accepted, Grant.PARITY, _renamed(state, seen, context)) if accepted else None
    advanced = changed is not None and unit.change(changed, **about, grant=Grant.PARITY)
    repeats = not seen.symbols or (labelled and len(accepted) == len(pieces))
    if advanced or (repeats and unit.trust.takes_model):
        new_preamble(unit, state.path, seen, base, about)
    if unit.trust.takes_model:
        now = unit.file(state.path)
        for reason, names in _doubts(now, fragment, pieces, accepted, context, advanced=advanced, headed=headed):
            if names:
                unit.change(dirty(unit.file(state.path), reason, with_holders(state, names)), **about)
        _leave_out(unit, state, fragment, made_up, accepted, about)
        doubt_twins(unit, state.path, fragment, others, about)
    if changed is None and (accepted or not pieces) and not others:
        unplaced = gates.left_out(seen, base) or gates.Refusal("unplaced-fragment")
        _propose_whole(unit, state, seen, unplaced, about)
        doubt_labelled(unit, unit.file(state.path), seen, shown.above, context)


class _Doubt(NamedTuple):
    """Definitions of a file that a part leaves of unknown text."""

    reason: str
    names: Collection[str]


def _doubts(
    now: FileState,
    fragment: Fragment,
    pieces: Sequence[Piece],
    accepted: Collection[Piece],
    context: Context,
    *,
    advanced: bool,
    headed: bool,
) -> Iterator[_Doubt]:
    """What a part leaves in doubt in its file, as it is now. `advanced`: some of the part counts, so that what stands
    beside that may be as the model has it, too."""
    seen, base = fragment.seen, fragment.base
    refused = [piece for piece in pieces if piece not in accepted]
    gone = _asked_to_go(now, seen, context)
    yield _Doubt("asked-to-go", gone if advanced or refused else _shown_without(seen, gone))
    yield _Doubt("shown-in-part", fragment.partly)
    yield _Doubt("unplaced-inside", _lacking(now, pieces, base, context))
    yield _Doubt("decoration-in-doubt", [piece.name for piece in refused if fragment.lost_what_is_spoken_of(piece)])
    if advanced:
        placed = [piece for piece in pieces if fragment.is_placed(piece)]
        yield _Doubt("idle-constant", [piece.name for piece in placed if fragment.is_idle(piece)])
        yield _Doubt("stands-elsewhere", _became_members(seen, base))
        yield _Doubt("unknown-place", _grown(fragment, accepted) if headed else [])
        yield _Doubt("rename-used", _renamed_in_use(now, accepted, context))
        yield _Doubt("no-longer-used", _replaced(seen, base) if fragment.labelled and seen.preamble else [])


def _sorted(
    state: FileState, seen: Outline, fragment: Fragment, shown: Shown, context: Context
) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """A part's definitions: those to be judged, those that are another one of a name that the file has, and those that
    the model made up."""
    shown_here = pieces_shown(fragment.pieces, seen, shown)
    others = [piece for piece in shown_here if fragment.is_another(piece)]
    pieces = [part for piece in shown_here if piece not in others for part in _opened(state, piece, context)]
    made_up = [piece for piece in pieces if _is_made_up(state, fragment, piece, pieces, context)]
    return [piece for piece in pieces if piece not in made_up], others, made_up


def untrusted(unit: UnitOfWork) -> gates.Refusal | None:
    """Why no text of the model's counts in a turn by itself, whatever it proves (SEMANTICS 13)."""
    if unit.trust.takes_model:
        return None
    return gates.Refusal("model-not-trusted", (("trust", str(unit.trust)), ("needed", "the user's side")), gate="B")


def _propose_whole(
    unit: UnitOfWork, state: FileState, seen: Outline, refusal: gates.Refusal, about: dict[str, Any]
) -> None:
    """Propose a part as it is, none of its definitions for itself."""
    sure = Confidence.CONFIRMED if refusal.reason == "left-out-code" else Confidence.INFERRED
    unit.propose(state.entity(), seen.text.decode(), sure, refusal.reason, refusal=refusal, **about)


def _accepted(
    unit: UnitOfWork,
    state: FileState,
    fragment: Fragment,
    pieces: list[Piece],
    renamed: Mapping[str, str],
    altered: Collection[str],
    about: dict[str, Any],
) -> list[Piece]:
    """The definitions that pass both gates; the others are proposed. `renamed`: new names that nobody asked for;
    `altered`: entities that answers alone left of unknown text, so that their last known one stands for the base."""
    accepted = []
    for piece in pieces:
        spend()
        refusal = _refused(unit, state, fragment, piece, renamed, altered)
        if refusal is None:
            accepted.append(piece)
        else:
            sure = Confidence.INFERRED if refusal.reason in _UNSURE else Confidence.CONFIRMED
            unit.propose(state.entity(piece.name), piece.text, sure, refusal.reason, refusal=refusal, **about)
    return accepted


def _refused(
    unit: UnitOfWork,
    state: FileState,
    fragment: Fragment,
    piece: Piece,
    renamed: Mapping[str, str],
    altered: Collection[str],
) -> gates.Refusal | None:
    if refusal := fragment.refused(piece, unit.limits) or fragment.astray(piece):
        return refusal
    known = state.symbols.get(piece.name)
    homes = [state.path] if fragment.is_placed(piece) else sorted(unit.holding(piece.name)) if known is None else []
    if homes and fragment.is_idle(piece):
        needed = "a use of it, or its name or new value in the prompt"
        return gates.Refusal("idle-constant", (("of", homes), ("needed", needed)))
    if piece.name in renamed:
        said = ("renamed", {renamed[piece.name]: piece.name})
        return gates.Refusal("rename-unconfirmed", (said, ("needed", "a prompt that names both")), gate="B")
    if known is None and (refusal := stranger(piece, state)):
        return refusal
    unknown = known is not None and not known.clean and state.entity(piece.name) not in altered
    if unknown and not _is_known_by_its_members(state, piece):
        return gates.Refusal("base-unknown", (("needed", "the symbol's current text"),))
    repeated = known is not None and known.artifact == artifact_hash(piece.text)
    return None if repeated else untrusted(unit)


def _is_made_up(state: FileState, fragment: Fragment, piece: Piece, pieces: Sequence[Piece], context: Context) -> bool:
    """Whether a member that the prompt does not name is one of a type of which the model saw others only, or it is that
    type: around the method that it is asked for it shows a class out of its head. A new one that another one uses is no
    such thing."""
    is_type, known = piece.symbol.kind is Kind.TYPE, state.symbols.get(piece.name)
    artifact = artifact_hash(piece.text)
    if known is not None and known.artifact == artifact:
        return False
    of_type = piece.name if is_type else piece.name.rpartition(".")[0]
    if artifact not in context.made_up(state.path) and not context.did_not_see(state, of_type):
        return False
    if {state.entity(piece.name), state.entity(of_type)} & (context.shown | context.play.entities):
        return False
    named = context.intent.mentions(piece.name) and piece.symbol.leaf != of_type.rpartition(".")[2]
    if is_type or named:
        return is_type
    return known is not None or (fragment.stands_alone(piece, pieces) and not holds(context.intent.prompt, "adds"))


def _leave_out(
    unit: UnitOfWork,
    state: FileState,
    fragment: Fragment,
    made_up: Iterable[Piece],
    accepted: Collection[Piece],
    about: dict[str, Any],
) -> None:
    """Members that the model made up are none of the type; what another one of the answer needs of them is of unknown
    text."""
    said = {key: about[key] for key in ("origin", "carrier", "placed")}
    for piece in made_up:
        unit.propose(state.entity(piece.name), piece.text, Confidence.INFERRED, "out-of-sight", **said)
    if needed := [piece.name for piece in made_up if not fragment.stands_alone(piece, accepted)]:
        unit.change(dirty(unit.file(state.path), "out-of-sight", with_holders(state, needed)), **about)


def _opened(state: FileState, piece: Piece, context: Context) -> list[Piece]:
    """A type of unknown text, or that the model did not see, as its members, each to be judged by itself; as it is
    where it has none, or is known by them."""
    known = state.symbols.get(piece.name)
    inner = [m for m in piece.outline.members(piece.name) if m.parent == piece.name and m.kind is not Kind.VALUE]
    unknown = known is not None and not known.clean and not _is_known_by_its_members(state, piece)
    unknown = unknown and state.entity(piece.name) not in context.altered(state.path)
    if not inner or not (unknown or context.makes_up(state, piece.name, piece.outline)):
        return [piece]
    return [Piece(member, piece.outline) for member in inner if member.sound]


def _is_known_by_its_members(state: FileState, piece: Piece) -> bool:
    """Whether a type whose text is in doubt, most likely for a new member's sake, is shown with members that are all
    known, and with all that are known."""
    inside = {name: one for name, one in state.symbols.items() if name.startswith(f"{piece.name}.")}
    return bool(inside) and all(one.clean and name in piece.outline.by_name for name, one in inside.items())


def _asked_to_go(now: FileState, seen: Outline, context: Context) -> list[str]:
    """What the prompt asks by name to remove, and a fragment with new code no longer shows, has most likely gone,
    whether that code counts or not."""
    return [name for name in now.symbols if name not in seen.by_name and context.intent.asks_to_lose(name)]


def _shown_without(seen: Outline, names: Iterable[str]) -> list[str]:
    """Those of some members that others of their type are shown without."""
    shown = {symbol.name.rpartition(".")[0] for symbol in seen.symbols} - {""}
    return [name for name in names if name.rpartition(".")[0] in shown]


def _renamed_in_use(now: FileState, pieces: Iterable[Piece], context: Context) -> list[str]:
    """What the prompts ask to rename, and new code uses by a name that the file does not have: what was refused is most
    likely on the disk."""
    texts = [piece.text for piece in pieces]
    asked = [(old, new) for old, new in context.insisted(now.path).renames if new not in now.symbols]
    return [old for old, new in asked if any(mentions_word(text, new.rpartition(".")[2]) for text in texts)]


def _lacking(now: FileState, pieces: Iterable[Piece], base: Outline | None, context: Context) -> list[str]:
    """The types that the prompt names and that lack a member which the answer shows beside them, as a function of the
    file: it goes into them."""
    leaves = {piece.symbol.leaf for piece in pieces if stranger(piece, now)}
    named = [name for name in context.play.symbols(now.path) if base is not None and name in base.by_name]
    types = [name for name in named if base is not None and base.by_name[name].kind is Kind.TYPE]
    return [one for one in types if any(f"{one}.{leaf}" not in now.symbols for leaf in leaves)]


def _grown(fragment: Fragment, pieces: Iterable[Piece]) -> list[str]:
    """The types whose members stand inside of them, and that new ones go into, too: Swift's header of ours is an
    extension."""
    types, base = {p.name.rpartition(".")[0] for p in pieces if not fragment.is_placed(p)}, fragment.base
    return [one for one in sorted(types) if base and any(member.parent == one for member in base.members(one))]


def _replaced(seen: Outline, base: Outline | None) -> list[str]:
    """Definitions that a file, most of it written anew, no longer shows, while it shows all that used them, and no word
    of them."""
    top = [s for s in base.symbols if s.parent is None and s.alone] if base is not None else []
    shown = [s for s in top if s.name in seen.by_name]
    if base is None or not shown:
        return []
    now, rest = word_counts(seen.text.decode()), word_counts(cut_out(base, shown))
    used = {word for symbol in shown for word in word_counts(base.slice(symbol))} - now.keys()
    gone = [s for s in top if s.name not in seen.by_name and s.leaf in used]
    return [old.name for old in gone if rest[old.leaf] == word_counts(base.slice(old))[old.leaf]]


def _became_members(seen: Outline, base: Outline | None) -> list[str]:
    """Functions of a file that a part no longer shows, and that stand in it as members of that name: of a new type, or
    most of whose lines stand there."""
    if base is None:
        return []
    new = [symbol for symbol in seen.symbols if "." in symbol.name and symbol.name not in base.by_name]
    by_leaf = {symbol.leaf: counted(seen.slice(symbol).encode()) for symbol in new}
    of_new = {symbol.leaf for symbol in new if symbol.name.rpartition(".")[0] not in base.by_name}
    gone = [old for old in base.top_level() if old.name not in seen.by_name and old.leaf in by_leaf]
    was = {old: counted(base.slice(old).encode()) for old in gone}
    kept = {old for old in gone if 2 * (was[old] & by_leaf[old.leaf]).total() >= was[old].total()}
    return [old.name for old in gone if old in kept or old.leaf in of_new]


def _of_another(
    unit: UnitOfWork, state: FileState, seen: Outline, base: Outline | None, shown: Shown
) -> gates.Refusal | None:
    """Whether a fragment is the text of a file beside this one, put under the wrong name."""
    if base is None or not seen.symbols or shown.by is Ground.STRUCTURE:
        return None
    for path, other in unit.files.items():
        spend()
        text = outline_of(other) if path != state.path and language_of(other) == language_of(state) else None
        if text is not None and gates.belongs_to(seen, base, text):
            return gates.Refusal("text-of-another-file", (("file", path), ("needed", f"code of {state.path}")))
    return None


# -- renames (§12)


def _renames(state: FileState, seen: Outline) -> dict[str, str]:
    """Definitions of a file that a fragment may show under another name. Old name -> new. What has either name already
    is none: the file's last known text may still hold what was renamed long ago."""
    base = outline_of(state)
    found = renames(seen, base) if base is not None else {}
    known = {name for name, one in state.symbols.items() if one.clean}
    return {old: new for old, new in found.items() if old in known and new not in state.symbols}


def _renamed(state: FileState, seen: Outline, context: Context) -> dict[str, str]:
    """What a fragment brings instead of a definition that was to be renamed, equal but for the name: it stands where
    that one stood. New name -> old."""
    found = _renames(state, seen)
    return {new: old for old, new in found.items() if context.renames(state.path, old, new)}


def _open_renames(unit: UnitOfWork, state: FileState, seen: Outline, context: Context) -> dict[str, str]:
    """What a fragment brings as new, but is a tracked definition under another name: new name -> old. Flagged."""
    open_ones = {
        new: old
        for old, new in _renames(state, seen).items()
        if not (context.renames(state.path, old, new) or context.intent.asks_to_lose(old))
    }
    for new, old in open_ones.items():
        unit.flags.append(Flag("rename", (state.entity(old), state.entity(new))))
    return open_ones
