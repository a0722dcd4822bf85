"""What a client says it did to files: written, edited, removed, moved, drifted. It is the truth on the user's disk."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tslp_litellm.dialects.plausible import is_view
from tslp_litellm.dialects.values import (
    Carrier,
    Drift,
    Edit,
    EditStep,
    FileChange,
    Insertion,
    Removal,
    Replacement,
    Shown,
    Transfer,
)
from tslp_litellm.parser import outline
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.common import paths_of, shown_as_is, source_of
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.edits import applied, stands
from tslp_litellm.resolution.files import adopt, dirty, language_of, outline_of, remove
from tslp_litellm.resolution.renaming import renames
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.shell import changed_by
from tslp_litellm.shell.targets import ANYWHERE, At, Like, Target, escaped
from tslp_litellm.state.events import Move, Op
from tslp_litellm.state.names import is_absolute, normalise_path
from tslp_litellm.state.other_names import inner_names, is_outside
from tslp_litellm.state.spelling import fold_drive
from tslp_litellm.state.values import FileState, Flag, Grant, Source
from tslp_litellm.syntax.languages import Nature
from tslp_litellm.syntax.outline import Outline

About = dict[str, Any]
SCRIPTS_MAX = 20
"""So many scripts that run each other are followed."""
AGAIN_MAX = 64
"""Of more files that were DIRTY already it is not recorded: commands that may change everything come by the hundred."""
_ASIDE = re.compile(r"/(?:dev|proc|tmp|var/tmp)/")
"""Where files of no workspace are written, unless they are tracked."""


def written(
    unit: UnitOfWork, state: FileState, text: str, about: About, context: Context, source: Source | None = None
) -> None:
    """A file with a text that the client confirms. What the gates would have refused is said in the next notice."""
    seen, base = outline(language_of(state), text), outline_of(state)
    refusal = gates.left_out(seen, base) or (_refused(unit, state, seen, base, context) if base is not None else None)
    reason = Grant.CLIENT if refusal is None else f"{Grant.CLIENT}:{refusal.reason}"
    changed = unit.change(
        adopt(state, text, source or source_of(state, seen), reason),
        **about,
        grant=Grant.CLIENT,
        refused=refusal.body() if refusal else None,
    )
    if refusal is not None and changed:
        unit.flags.append(Flag("confirmed", (state.entity(),), refusal.reason))


def _refused(
    unit: UnitOfWork, state: FileState, seen: Outline, base: Outline, context: Context
) -> gates.Refusal | None:
    """What the gates would say of a file's new text, had it been shown. The prompt may have come with the result,
    behind the one that was worked on."""
    context = replace(context, intent=context.intent.with_before(context.intent.taken_back))
    intent = context.about(state.path).intent
    asked = [old for old, new in renames(seen, base).items() if context.renames(state.path, old, new)]
    return (
        gates.given_way(seen, base, intent)
        or gates.collapsed(seen, base, intent, unit.limits)
        or gates.whole_parity(seen, base, intent, state.path, besides=asked)
    )


def edited(
    unit: UnitOfWork, state: FileState, edit: Edit, stated: Sequence[FileChange], about: About, context: Context
) -> None:
    """An edit that the client confirms: as its own diff says, else exactly, else the file is of unknown text.

    A text that was refused to the model may stand on the disk all the same: where one waits, the edit is applied to
    that of the two which it fits; if it fits both, the file is of unknown text.
    """
    bases = [state.text() if state.tracked else "", unit.waiting.pop(state.path, None)]
    own = [step for change in stated if isinstance(change, Edit) and change.path == edit.path for step in change.steps]
    results = {applied(base, own, placed=True) for base in bases if base} if own else set()
    if not results - {None}:
        results = {_result(base, edit.steps, state) for base in bases if base is not None}
    fitting = [result for result in results if result is not None]
    if len(fitting) == 1:
        written(unit, state, fitting[0], about, context, Source.EDIT)
    elif state.tracked:
        _unknown(unit, [state], "edit-on-another-base", about)


def _result(base: str, steps: Sequence[EditStep], state: FileState) -> str | None:
    if not state.tracked and not _makes_whole(steps):
        return None
    return applied(base, steps, placed=True)


def _makes_whole(steps: Sequence[EditStep]) -> bool:
    return bool(steps) and isinstance(steps[0], Replacement) and not steps[0].old


def reported(unit: UnitOfWork, state: FileState, edit: Edit, about: About, context: Context) -> None:
    """A client's own diff: nothing where its new side stands, else applied where its old side does, else drift."""
    if not state.tracked:
        if _makes_whole(edit.steps) and len(edit.steps) == 1 and edit.steps[0].new:
            written(unit, state, edit.steps[0].new, about, context, Source.EDIT)
        return
    base = state.text()
    if base is None:
        unit.change(dirty(state, "diff-on-unknown-base"), **about)
        return
    if stands(base, edit.steps):
        return
    misfit = _makes_whole(edit.steps) and base != ""
    result = None if misfit else applied(base, edit.steps, placed=True)
    if result is None:
        unit.change(dirty(state, "diff-on-another-base"), **about)
    else:
        written(unit, state, result, about, context, Source.EDIT)


def removed(unit: UnitOfWork, path: str, about: About, tree: bool = False) -> None:
    """A file gone, or a folder with all that is tracked in it."""
    for state in below(unit, path) if tree else [unit.file(path)]:
        if state.tracked:
            unit.change(remove(state, "deleted"), **about)


def transferred(unit: UnitOfWork, path: str, to: str, change: Transfer, about: About) -> None:
    """A file moved or copied; into a folder, if files are tracked below one of that name."""
    if path == to and not change.steps:
        return  # written in another case, where that makes no difference
    if change.loose and (unit.file(path).tracked or not below(unit, path)):
        removed(unit, path, about, tree=True)
        drifted(unit, [to], "drift", about)
        return
    if any(known.startswith(to + "/") for known, state in unit.files.items() if state.tracked):
        to = posixpath.join(to, posixpath.basename(path))
    source = unit.file(path)
    if not source.tracked and not change.keep:
        for state in below(unit, path):
            transferred(unit, state.path, to + state.path[len(path) :], replace(change, loose=False), about)
        if unit.file(to).tracked and not below(unit, path):
            unit.change(dirty(unit.file(to), "moved-over"), **about)
        return
    base = source.text()
    result = applied(base, change.steps, placed=True) if base is not None else None
    target = unit.file(to)
    if result is not None:
        unit.change(adopt(target, result, source.file.source if source.file else Source.FILE, Grant.CLIENT), **about)
    elif target.tracked:
        unit.change(dirty(target, "moved-over"), **about)
    if not change.keep and source.tracked and path != to:
        unit.change(remove(source, "moved"), **about)


def drifted(unit: UnitOfWork, paths: Iterable[str] | None, reason: str, about: About) -> None:
    """Files (None: all there are) of unknown text; a folder stands for what is tracked in it."""
    paths = None if paths is None else list(paths)
    states = (
        [state for state in unit.files.values() if state.tracked]
        if paths is None
        else [state for path in paths for state in below(unit, path)]
    )
    _unknown(unit, states, reason, about)
    for path in paths or ():
        unit.doubt_others(path, about)


def _unknown(unit: UnitOfWork, states: Iterable[FileState], reason: str, about: About) -> None:
    """Files of unknown text. That a call changed what was DIRTY is recorded, too: what was true before does not come
    back over it."""
    again = [s for s in states if not unit.change(dirty(unit.file(s.path), reason), **about)]
    if about.get("call") is not None and len(again) <= AGAIN_MAX:
        unit.record([Move(Op.DIRTY, state.entity(), reason=reason) for state in again], **about)


def below(unit: UnitOfWork, path: str) -> list[FileState]:
    """The tracked file of a path, and those in the folder of that name."""
    return [
        state
        for known, state in list(unit.files.items())
        if state.tracked and (known == path or known.startswith(path.rstrip("/") + "/"))
    ]


def drift_paths(drift: Drift, context: Context) -> list[str] | None:
    """The files and folders of a drift; None where it is all of them."""
    found = [normalise_path(path.rstrip("/"), context.root) for path in drift.paths]
    if drift.anything or any(path.rstrip("/") in (".", "") or holds_root(path, context) for path in drift.paths):
        return None
    return [path for path in found if path is not None]


def holds_root(path: str, context: Context) -> bool:
    """Whether a path is a folder that holds the client's working directory, or is it."""
    if not context.root or not is_absolute(path):
        return False
    return _folder(context.root).startswith(_folder(path))


def _folder(path: str) -> str:
    return fold_drive(posixpath.normpath(path).rstrip("/") + "/")


def fitting(known: Iterable[str], drift: Drift, context: Context, texts: Mapping[str, FileState]) -> list[str]:
    """Those of the known paths that a drift's patterns, or the text of a script that ran, may mean."""
    like = [_rooted(target, context) for target in drift.like]
    for changed in scripts_run(drift, context, texts.get).values():
        like += [_rooted(t, context) if isinstance(t, Like) else _exactly(t.path, context) for t in changed]
    known = list(known) if like else []
    found: dict[str, None] = {}
    for target in like:
        exact = [path for path in known if target.matches(path)]
        meant = exact or _may_mean(target, known, context)
        found |= dict.fromkeys(meant if len(meant) == 1 or not target.alone else ())
    return list(found)


def _may_mean(target: Like, known: list[str], context: Context) -> list[str]:
    """The tracked paths that a pattern in a folder that is not known, or that may be the working directory by another
    name, may mean by what follows in it."""
    inside = [path for path in known if not is_absolute(path)]
    if not (target.folder is None or is_outside(target.folder)):
        return []
    if target.folder is None and context.root:
        return [path for path in inside if target.matches(posixpath.join(context.root, path))]
    whole = f"{target.folder or '~'}/{target.tail}"
    rests = [Like("", rest) for rest in inner_names(whole, context.root)]
    return [path for path in inside if any(rest.matches(path) for rest in rests)]


def holding(drift: Drift, texts: Mapping[str, FileState]) -> list[str]:
    """The files of code that hold a symbol of which nobody knows where it has another name now."""
    if not drift.holding:
        return []
    word = re.compile(rf"(?<![\w$])(?:{'|'.join(map(re.escape, drift.holding))})(?![\w$])")
    return [path for path, state in texts.items() if (text := state.text()) and _is_code(state) and word.search(text)]


def _is_code(state: FileState) -> bool:
    language = language_of(state)
    return language is not None and language.nature is Nature.CODE


def scripts_run(
    drift: Drift, context: Context, state_of: Callable[[str], FileState | None]
) -> dict[str, tuple[Target, ...]]:
    """The tracked scripts that ran, those that they ran too, each with what it may have changed."""
    found: dict[str, tuple[Target, ...]] = {}
    waiting = [(script, drift.run_in, drift.recipes) for script in drift.scripts]
    while waiting and len(found) < SCRIPTS_MAX:
        script, folder, recipes = waiting.pop()
        path = normalise_path(script, context.root)
        state = state_of(path) if path is not None and path not in found else None
        if path is None or state is None or state.file is None:
            continue
        found[path], ran = changed_by(path, state.file.text, folder, recipes)
        waiting += [(t.path, r.folder, r.recipes) for r in ran for t in r.targets if isinstance(t, At)]
    return found


def _rooted(target: Like, context: Context) -> Like:
    """A pattern as seen from the client's working directory."""
    if not target.folder:
        return target
    if holds_root(target.folder, context):
        return Like("" if _folder(context.root or "") == _folder(target.folder) else None, target.tail)
    return Like(normalise_path(target.folder, context.root), target.tail)


def _exactly(path: str, context: Context) -> Like:
    return Like("", escaped(normalise_path(path, context.root) or path)) if path != "." else ANYWHERE


def done(
    unit: UnitOfWork,
    change: FileChange,
    context: Context,
    about: About,
    stated: Sequence[FileChange] = (),
    created: bool = False,
) -> None:
    """A change that has been made, as a client's word for it says."""
    _done(unit, change, context, about, stated, created)
    for raw in paths_of(change):
        if (path := normalise_path(raw.rstrip("/"), context.root)) is not None:
            unit.doubt_others(path, about)


def _written_whole(unit: UnitOfWork, path: str, shown: Shown, about: About, context: Context) -> None:
    text, ended = shown.text, shown.ended
    if is_view(path, text):
        drifted(unit, [path], "drift", about)
    else:
        text = text if ended or text.endswith("\n") or not text else text + "\n"
        written(unit, unit.file(path), text, about, context)
        unit.rewritten |= shown_as_is(unit.file(path), outline(language_of(unit.file(path)), text))


def _done(
    unit: UnitOfWork,
    change: FileChange,
    context: Context,
    about: About,
    stated: Sequence[FileChange],
    created: bool,
) -> None:
    if isinstance(change, Drift):
        paths = drift_paths(change, context)
        drifted(unit, paths, "drift", about)
        if change.carrier is Carrier.TOLD and paths and all(unit.file(path).tracked for path in paths):
            return  # short for nothing
        drifted(unit, fitting(unit.files, change, context, unit.files), "drift", about)
        drifted(unit, holding(change, unit.files), "drift", about)
        return
    if isinstance(change, Removal) and holds_root(change.path, context):
        drifted(unit, None, "drift", about)
        return
    path = normalise_path(change.path, context.root)
    aside = path is not None and is_absolute(path) and _ASIDE.match(path) and not unit.file(path).tracked
    if path is None or (aside and not isinstance(change, Transfer)):
        return
    match change:
        case Shown():
            _written_whole(unit, path, change, about, context)
        case Edit(steps=(Replacement(new=new),)) if created:
            written(unit, unit.file(path), new, about, context)
        case Edit(steps=(Insertion(new=new),)) if created:
            written(unit, unit.file(path), new, about, context)
        case Edit():
            edited(unit, unit.file(path), change, stated, about, context)
        case Removal(tree=tree):
            removed(unit, path, about, tree)
        case Transfer(to=to):
            target = normalise_path(to, context.root)
            if target is not None:
                transferred(unit, path, target, change, about)
