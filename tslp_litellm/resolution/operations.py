"""What a client says it did to files: written, edited, removed, moved, drifted. It is the truth on the user's disk."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tslp_litellm.dialects.values import (
    Carrier,
    Drift,
    Edit,
    EditStep,
    Excerpt,
    FileChange,
    Insertion,
    Removal,
    Replacement,
    Shown,
    Transfer,
)
from tslp_litellm.parser import outline
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.common import Context, paths_of, source_of
from tslp_litellm.resolution.edits import applied, stands
from tslp_litellm.resolution.files import adopt, dirty, language_of, outline_of, remove, with_holders
from tslp_litellm.resolution.formatters import FORMATTER, may_have_changed
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.shell import changed_by
from tslp_litellm.shell.targets import ANYWHERE, At, Like, Target, escaped
from tslp_litellm.state.events import Move, Op
from tslp_litellm.state.names import MAX_PATH_CHARS, is_absolute, normalise_path
from tslp_litellm.state.spelling import fold_drive
from tslp_litellm.state.twins import above, rests, twins
from tslp_litellm.state.values import FileState, Flag, Grant, Source
from tslp_litellm.syntax.outline import Outline

About = dict[str, Any]
SCRIPTS_MAX = 20
"""So many scripts that run each other are followed."""
_ASIDE = re.compile(r"/(?:dev|proc|tmp|var/tmp)/")
"""Where files of no workspace are written, unless they are tracked."""


def written(unit: UnitOfWork, state: FileState, text: str, about: About, source: Source | None = None) -> None:
    """A file with a text that the client confirms. What the gates would have refused is said in the next notice."""
    seen = outline(language_of(state), text)
    refusal = None if unit.rehearsal else _refused(unit, state, seen)
    reason = Grant.CLIENT if refusal is None else f"{Grant.CLIENT}:{refusal.reason}"
    changed = unit.change(
        adopt(state, text, source or source_of(state, seen), reason),
        **about,
        grant=Grant.CLIENT,
        refused=refusal.body() if refusal else None,
    )
    if refusal is not None and changed:
        unit.flags.append(Flag("confirmed", (state.entity(),), refusal.reason))


def _refused(unit: UnitOfWork, state: FileState, seen: Outline) -> gates.Refusal | None:
    base = outline_of(state)
    if base is None:
        return gates.left_out(seen, base)
    return (
        gates.left_out(seen, base)
        or gates.given_way(seen, base, Intent())
        or gates.collapsed(seen, base, Intent(), unit.limits)
        or gates.whole_parity(seen, base, Intent(), state.path)
    )


def edited(unit: UnitOfWork, state: FileState, edit: Edit, stated: Sequence[FileChange], about: About) -> None:
    """An edit that the client confirms: as its own diff says, else exactly, else the file is of unknown text.

    A text that was refused to the model may stand on the disk all the same: where some wait, the edit is applied to
    that of them and ours which it fits; if it fits more than one, the file is of unknown text.
    """
    bases = [state.text() if state.tracked else "", *unit.waiting.pop(state.path, ())]
    own = [step for change in stated if isinstance(change, Edit) and change.path == edit.path for step in change.steps]
    results = {applied(base, own, placed=True) for base in bases if base} if own else set()
    if not results - {None}:
        results = {_result(base, edit.steps, state) for base in bases if base is not None}
    fitting = [result for result in results if result is not None]
    if len(fitting) == 1:
        written(unit, state, fitting[0], about, Source.EDIT)
    elif state.tracked:
        _doubt(unit, state, "edit-on-another-base", about)


def _doubt(unit: UnitOfWork, state: FileState, reason: str, about: About) -> None:
    """A file of unknown text. One that was so before has changed once more: a read from before that is of no use."""
    if not unit.change(dirty(state, reason), **about) and state.file is not None:
        unit.record([Move(Op.DIRTY, state.entity(), reason=reason)], path=state.path, **about)


def _result(base: str, steps: Sequence[EditStep], state: FileState) -> str | None:
    if not state.tracked and not _makes_whole(steps):
        return None
    return applied(base, steps, placed=True)


def _makes_whole(steps: Sequence[EditStep]) -> bool:
    return bool(steps) and isinstance(steps[0], Replacement) and not steps[0].old


def reported(unit: UnitOfWork, state: FileState, edit: Edit, about: About) -> None:
    """A client's own diff: nothing where its new side stands, else applied where its old side does, else drift."""
    if not state.tracked:
        if _makes_whole(edit.steps) and len(edit.steps) == 1 and edit.steps[0].new:
            written(unit, state, edit.steps[0].new, about, Source.EDIT)
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
        written(unit, state, result, about, Source.EDIT)


def removed(unit: UnitOfWork, path: str, about: About, tree: bool = False) -> None:
    """A file gone, or a folder with all that is tracked in it."""
    for state in below(unit, path) if tree else [unit.file(path)]:
        if state.tracked:
            unit.change(remove(state, "deleted"), **about)


def transferred(unit: UnitOfWork, path: str, to: str, change: Transfer, about: About) -> None:
    """A file moved or copied; into a folder, if files are tracked below one of that name."""
    if path == to and not change.steps:
        return  # written in another case, where that makes no difference
    if any(known.startswith(to + "/") for known, state in unit.files.items() if state.tracked):
        to = posixpath.join(to, posixpath.basename(path))
    source = unit.file(path)
    if not source.tracked and not change.keep:
        for state in below(unit, path):
            transferred(unit, state.path, to + state.path[len(path) :], change, about)
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
    named = {path.rstrip("/") for path in paths} if paths is not None else None
    for path, state in list(unit.files.items()):
        if not state.tracked or (named is not None and path not in named and named.isdisjoint(above(path))):
            continue
        _doubt(unit, unit.file(state.path), reason, about)


def below(unit: UnitOfWork, path: str) -> list[FileState]:
    """The tracked file of a path, and those in the folder of that name."""
    return [
        state
        for known, state in list(unit.files.items())
        if state.tracked and (known == path or known.startswith(path.rstrip("/") + "/"))
    ]


def touched_by(change: FileChange, context: Context) -> list[str]:
    """The paths that a change names, normalised."""
    found = (normalise_path(path.rstrip("/"), context.root) for path in paths_of(change))
    return [path for path in found if path is not None]


def twins_drifted(unit: UnitOfWork, change: FileChange, context: Context, about: About) -> None:
    """The files that a change may have been made to because its path may be another name of theirs."""
    found = twins(touched_by(change, context), context.root, unit.files)
    if found:
        drifted(unit, sorted(found), "perhaps-the-same-file", about)


def drift_paths(drift: Drift, context: Context) -> list[str] | None:
    """The files and folders of a drift; None where it is all of them."""
    found = [normalise_path(path.rstrip("/"), context.root) for path in drift.paths]
    if drift.anything or any(path.rstrip("/") in (".", "") or holds_root(path, context) for path in drift.paths):
        return None
    return [path for path in found if path is not None]


def holds_root(path: str, context: Context) -> bool:
    """Whether a path is a folder that holds the client's working directory, or is it."""
    if not context.root:
        return False
    path = path if is_absolute(path) else posixpath.join(context.root, path)
    return _folder(context.root).startswith(_folder(path))


def takes_root(change: FileChange | Excerpt, context: Context) -> bool:
    """Whether a change takes away a folder that holds the client's working directory."""
    if isinstance(change, Removal) or (isinstance(change, Transfer) and not change.keep):
        return holds_root(change.path, context)
    return False


def _folder(path: str) -> str:
    return fold_drive(posixpath.normpath(path).rstrip("/") + "/")


def fitting(known: Iterable[str], drift: Drift, context: Context, texts: Mapping[str, FileState]) -> list[str]:
    """Those of the known paths that a drift's patterns, or the text of a script that ran, may mean."""
    like = [other for target in drift.like for other in rooted(target, context)]
    for changed in scripts_run(drift, context, texts.get).values():
        for target in changed:
            like += rooted(target, context) if isinstance(target, Like) else [_exactly(target.path, context)]
    return [path for path in known if any(_may_mean(target, path, context) for target in like)] if like else []


def _may_mean(target: Like, path: str, context: Context) -> bool:
    """Whether a pattern may mean a tracked path. In a folder that is not known it may begin above the working
    directory, or name a folder that holds it."""
    if target.matches(path):
        return True
    if target.folder is not None or is_absolute(path):
        return False
    if context.root:
        return target.matches(posixpath.join(context.root, path))
    return target.tail.endswith("/" + escaped(path))


def shown_paths(known: Iterable[str], excerpt: Excerpt, context: Context) -> list[str]:
    """The files that an excerpt shows beside each other, in order; of those that fit a pattern the known ones."""
    found: list[str] = []
    for target in excerpt.beside:
        if isinstance(target, At):
            found.append(normalise_path(target.path, context.root) or target.path)
        else:
            like = rooted(target, context)
            found += sorted(path for path in known if any(one.shows(path) for one in like))
    return found


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


def rooted(target: Like, context: Context) -> list[Like]:
    """A pattern as seen from the client's working directory, which the folder that it names may be by another name."""
    if len(target.tail) > MAX_PATH_CHARS:
        return [ANYWHERE]
    if target.folder is None:
        others = rests(target.tail, context.root) if context.root else ()
        return [target, *(Like("", rest) for rest in others if rest)]
    if not target.folder:
        return [target]
    if holds_root(target.folder, context):
        return [Like("" if _folder(context.root or "") == _folder(target.folder) else None, target.tail)]
    folder = normalise_path(target.folder, context.root)
    others = rests(folder, context.root) if folder is not None and is_absolute(folder) else ()
    return [Like(folder, target.tail), *(Like(rest, target.tail) for rest in others)]


def _exactly(path: str, context: Context) -> Like:
    return Like("", escaped(normalise_path(path, context.root) or path)) if path != "." else ANYWHERE


def _is_aside(unit: UnitOfWork, raw: str, context: Context) -> bool:
    """Whether a path is of no workspace's file, as far as anybody knows."""
    path = normalise_path(raw, context.root)
    return path is not None and is_absolute(path) and bool(_ASIDE.match(path)) and not unit.file(path).tracked


def done(
    unit: UnitOfWork,
    change: FileChange,
    context: Context,
    about: About,
    stated: Sequence[FileChange] = (),
    created: bool = False,
) -> None:
    """A change that has been made, as a client's word for it says."""
    twins_drifted(unit, change, context, about)
    if isinstance(change, Drift):
        paths = drift_paths(change, context)
        about = {**about, FORMATTER: change.formatter or None} if change.formatted else about
        drifted(unit, may_have_changed(unit, change, paths) if paths is not None else None, "drift", about)
        if change.carrier is Carrier.TOLD and paths and all(unit.file(path).tracked for path in paths):
            return  # short for nothing
        drifted(unit, may_have_changed(unit, change, fitting(unit.files, change, context, unit.files)), "drift", about)
        _symbols_drifted(unit, change, about)
        return
    if takes_root(change, context):
        drifted(unit, None, "drift", about)
        return
    path = normalise_path(change.path, context.root)
    if path is None and isinstance(change, Transfer):  # of whatever it was
        drifted(unit, drift_paths(Drift((change.to,), change.carrier), context), "drift", about)
    elif path is not None and not all(_is_aside(unit, raw, context) for raw in paths_of(change)):
        _done_to(unit, path, change, context, about, stated, created)


def _symbols_drifted(unit: UnitOfWork, drift: Drift, about: About) -> None:
    """Definitions that are said to have changed, in all the files that have them."""
    for name in drift.symbols:
        for path in sorted(unit.holders.get(name, ())):
            unit.change(dirty(unit.file(path), "drift", with_holders([name])), **about)


def _done_to(
    unit: UnitOfWork,
    path: str,
    change: FileChange,
    context: Context,
    about: About,
    stated: Sequence[FileChange],
    created: bool,
) -> None:
    match change:
        case Shown(text=text, ended=ended):
            state = unit.file(path)
            written(unit, state, text if ended or text.endswith("\n") or not text else text + "\n", about)
        case Edit(steps=(Replacement(new=new),)) if created:
            written(unit, unit.file(path), new, about)
        case Edit(steps=(Insertion(new=new),)) if created:
            written(unit, unit.file(path), new, about)
        case Edit():
            edited(unit, unit.file(path), change, stated, about)
        case Removal(tree=tree):
            removed(unit, path, about, tree)
        case Transfer(to=to):
            target = normalise_path(to, context.root)
            if target is not None:
                transferred(unit, path, target, change, about)
