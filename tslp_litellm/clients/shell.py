"""Shell calls as evidence: what a call's scripts did, as changes of files (`tslp_litellm.shell` evaluates)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tslp_litellm import shell
from tslp_litellm.clients.outcomes import known_silence
from tslp_litellm.clients.printed import printed
from tslp_litellm.data.searching import find
from tslp_litellm.dialects.apply_patch import parse_patch
from tslp_litellm.dialects.values import (
    Carrier,
    Drift,
    Edit,
    FileChange,
    Insertion,
    Outcome,
    Removal,
    Shown,
    Transfer,
    Verdict,
)
from tslp_litellm.shell.commands import patterns, tables
from tslp_litellm.shell.displays import displays
from tslp_litellm.shell.effects import Appended, Dirtied, Effect, Formatted, Moved, Patched, Ran, Removed, Written
from tslp_litellm.shell.targets import ANYWHERE, At, Folder, Like, Target

EVERYTHING = Drift((), Carrier.SHELL)
UNSHOWN = "[output omitted by the user]"
"""Stands for the output of a command that a user only says to have run: as below a prompt that nothing stands behind,
nothing is known to have been printed."""
_SPOKEN = {Verdict.SUCCESS: shell.Outcome.SUCCESS, Verdict.FAILURE: shell.Outcome.FAILURE}
_MAY_MOVE = re.compile(r"\b(?:cd|chdir|pushd|popd|eval|source)\b|(?:^|[\s;&|])\.\s", re.M)
_FUNCTION = re.compile(r"\(\)(?:\s|\\n)*[{(]")
_MAY_DEFINE = re.compile(r"\b(?:function|alias|trap|enable|PROMPT_COMMAND|PS[01]|BASH_ENV)\b")
_TEMPORARY = re.compile(r"/(?:dev|proc|tmp|var/tmp)/")
_ASIDE = re.compile(r"/dev/|/proc/")


def changes_of(
    script: str, folder: str | None, outcome: shell.Outcome, output: str | None, seen: str | None = None
) -> tuple[FileChange, ...]:
    """What a script did that began in a folder (None: an unknown one; empty: the working directory)."""
    run = shell.evaluate(script, outcome, output, Folder(folder), seen)
    return tuple(change for effect in run.effects for change in _changes(effect))


def attempted(scripts: Sequence[tuple[str, str | None]]) -> tuple[FileChange, ...]:
    """What scripts do if all goes well."""
    return tuple(c for script, folder in scripts for c in changes_of(script, folder, shell.Outcome.SUCCESS, ""))


def may_tell(scripts: Sequence[tuple[str, str | None]]) -> bool:
    """Whether the output of scripts may tell that they changed files."""
    return any(shell.evaluate(script, shell.Outcome.SUCCESS, "", Folder(folder)).heeded for script, folder in scripts)


def proposed(changes: Iterable[FileChange]) -> tuple[FileChange, ...]:
    """Those that concern a workspace, as far as paths tell."""
    return tuple(change for change in changes if isinstance(change, Drift) or not _TEMPORARY.match(change.path))


def carried_out(outcome: Outcome, output: str, said: shell.Outcome | None = None) -> Outcome:
    """The outcome of a call that runs scripts: what they did, by what the client says of them (`said`)."""
    made = outcome.attempt
    if not made.scripts or outcome.verdict is Verdict.DENIED:
        return outcome
    said = said or _SPOKEN.get(outcome.verdict, shell.Outcome.UNKNOWN)
    if len(made.scripts) > 1 and said is not shell.Outcome.SUCCESS:
        said = shell.Outcome.UNKNOWN
    framed = printed(output)
    output = framed.text if framed is not None else output
    heard, seen = heard_in(output), None if output == UNSHOWN else output
    changes = tuple(
        change for script, folder in made.scripts for change in changes_of(script, folder, said, heard, seen)
    )
    if said is not shell.Outcome.SUCCESS and heard is not None and len(made.scripts) == 1:
        changes = _shown_again(*made.scripts[0], heard) or changes
    if said is shell.Outcome.FAILURE and not changes:
        return replace(outcome, attempt=replace(made, certain=True))
    undone = tuple(c for c in made.changes if c not in changes) if said is shell.Outcome.FAILURE else ()
    return replace(outcome, attempt=replace(made, changes=changes), verdict=Verdict.SUCCESS, undone=undone)


def _shown_again(script: str, folder: str | None, heard: str) -> tuple[FileChange, ...] | None:
    """What a script did that only writes one file's text and shows that file, where what it printed is that text."""
    shown = displays(script)
    if len(shown) != 1 or shown[0].targets == () or shown[0].beside or not heard.strip():
        return None
    changes = changes_of(script, folder, shell.Outcome.SUCCESS, heard)
    if len(changes) != 1 or not isinstance(written := changes[0], Shown):
        return None
    path = posixpath.normpath(posixpath.join(folder or "", shown[0].path))
    same = posixpath.normpath(written.path) == path and written.text.rstrip("\n") == heard.rstrip("\n")
    return changes if same else None


def heard_in(text: str) -> str | None:
    """What a script printed, by a result; None where that is not known whole."""
    if _is_cut(text):
        return None
    return "" if known_silence(text) else _without_folder(text)


def _without_folder(text: str) -> str:
    """A result without the client's word of the folder that its shell is in."""
    for pattern in patterns().folder_is:
        text = pattern.sub("", text)
    return text


def _is_cut(output: str) -> bool:
    return find(patterns().cut, output) is not None


def path_shown(script: str, folder: str = "") -> str | None:
    """The path of a script that is only `cat PATH`."""
    path = shell.shown_by(script)
    return posixpath.join(folder, path) if path is not None else None


# -- the folder from call to call


def begins_anew(tool: str, arguments: Iterable[str]) -> bool | None:
    """Whether each call of a tool begins in the working directory; None where that is not known."""
    known = tables().tools
    given = set(arguments)
    if tool in known.begins_anew or known.begins_anew_by.get(tool) in given or given & known.begins_anew_with:
        return True
    return False if tool in known.keeps_folder else None


def may_move(script: str) -> bool:
    """Whether a script may leave its shell in another folder."""
    return find(_MAY_MOVE, script) is not None


def folder_after(script: str, folder: str | None, said: shell.Outcome, output: str) -> str | None:
    """The folder that a shell is in after a script; None where that is not known."""
    for pattern in patterns().folder_is:
        if match := find(pattern, output):
            return match["path"].strip()
    framed = printed(output)
    heard = heard_in(framed.text if framed is not None else output)
    return shell.evaluate(script, said, heard, Folder(folder)).folder.path


def may_define(script: str) -> bool:
    """Whether a script may tell what the words of later ones mean in the same shell."""
    return (_FUNCTION.search(script) or find(_MAY_DEFINE, script)) is not None


def defines(script: str) -> bool:
    """Whether it does: by functions, aliases, traps, what the shell runs by itself."""
    return shell.evaluate(script, shell.Outcome.UNKNOWN, None).defines


def by_definitions(scripts: Iterable[str], folder: str | None) -> list[FileChange]:
    """What a script may have changed by what earlier ones in its shell defined: all that they and it name."""
    return _drift([target for script in scripts for target in shell.names_of(script, Folder(folder))])


# -- effects as changes


def _changes(effect: Effect) -> list[FileChange]:
    carrier = Carrier.SHELL
    match effect:
        case Written(path=path, text=text):
            return [Shown(path, text, carrier, whole=True)]
        case Appended(path=path, text=text):
            return [Edit(path, (Insertion(text, exact=True),), carrier)]
        case Removed(path=path, tree=tree):
            return [Removal(path, carrier, tree)]
        case Moved(path=path, to=to, keep=keep):
            return [Transfer(path, to, carrier, keep=keep)]
        case Patched(text=text, folder=folder):
            return [moved(change, folder) for change in parse_patch(text, carrier)] or [EVERYTHING]
        case Dirtied(targets=targets):
            return _drift(targets)
        case Ran(targets=targets, folder=folder, recipes=recipes):
            paths = tuple(target.path for target in targets if isinstance(target, At))
            return [Drift((), carrier, scripts=paths, run_in=folder, recipes=recipes)] if paths else [EVERYTHING]
        case Formatted(by=by, targets=targets, names=names, done=done):
            drifts = _drift([like for target in targets for like in _named(target, names)])
            return [replace(one, formatter=by, formatted=done) for one in drifts if isinstance(one, Drift)]


def _drift(targets: Iterable[Target]) -> list[FileChange]:
    targets = tuple(dict.fromkeys(targets))
    if ANYWHERE in targets or At(".") in targets:
        return [EVERYTHING]
    paths = tuple(target.path for target in targets if isinstance(target, At) and not _ASIDE.match(target.path))
    like = tuple(target for target in targets if isinstance(target, Like))
    return [Drift(paths, Carrier.SHELL, like)] if paths or like else []


def _named(target: Target, names: Sequence[str]) -> list[Target]:
    """The files of some names below a target."""
    if target == ANYWHERE or not names:
        return [Like(None, name) for name in names] or [ANYWHERE]
    if isinstance(target, Like):
        return [target]
    if any(target.path.endswith(name.lstrip("*")) for name in names):
        return [target]
    folder = "" if target.path == "." else target.path
    return [Like(folder, "**" + name.lstrip("*")) for name in names]


def moved(change: FileChange, folder: str | None) -> FileChange:
    """A change with its relative paths below a folder."""
    base = folder or ""
    if isinstance(change, Drift):
        return replace(change, paths=tuple(posixpath.join(base, path) for path in change.paths))
    if isinstance(change, Transfer):
        return replace(change, path=posixpath.join(base, change.path), to=posixpath.join(base, change.to))
    return replace(change, path=posixpath.join(base, change.path))
