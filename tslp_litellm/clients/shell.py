"""Shell calls as evidence: what a call's scripts did, as changes of files (`tslp_litellm.shell` evaluates)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tslp_litellm import shell
from tslp_litellm.clients.outcomes import known_silence
from tslp_litellm.clients.printed import printed
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
from tslp_litellm.shell.commands import tables
from tslp_litellm.shell.effects import Appended, Dirtied, Effect, Formatted, Moved, Patched, Ran, Removed, Written
from tslp_litellm.shell.targets import ANYWHERE, At, Folder, Like, Target

EVERYTHING = Drift((), Carrier.SHELL)
_SPOKEN = {Verdict.SUCCESS: shell.Outcome.SUCCESS, Verdict.FAILURE: shell.Outcome.FAILURE}
_MAY_MOVE = re.compile(r"\b(?:cd|chdir|pushd|popd|eval|source)\b|(?:^|[\s;&|])\.\s", re.M)
_MAY_DEFINE = re.compile(r"\(\)(?:\s|\\n)*[{(]|\b(?:function|alias|trap|enable|PROMPT_COMMAND|PS[01]|BASH_ENV)\b")
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
    return tuple(change for change in changes if isinstance(change, Drift) or not _is_aside(change))


def _is_aside(change: Shown | Edit | Removal | Transfer) -> bool:
    """Whether a change is of files outside of all workspaces; a move or a copy is of both ends."""
    paths = (change.path, change.to) if isinstance(change, Transfer) else (change.path,)
    return all(_TEMPORARY.match(path) for path in paths)


def carried_out(outcome: Outcome, output: str, said: shell.Outcome | None = None) -> Outcome:
    """The outcome of a call that runs scripts: what they did, by what the client says of them (`said`)."""
    made = outcome.attempt
    if not made.scripts or outcome.verdict is Verdict.DENIED:
        return outcome
    said = said or _SPOKEN.get(outcome.verdict, shell.Outcome.UNKNOWN)
    if len(made.scripts) > 1 and said is not shell.Outcome.SUCCESS:
        said = shell.Outcome.UNKNOWN
    heard, seen = heard_in(output), _unframed(output)
    changes = tuple(
        change for script, folder in made.scripts for change in changes_of(script, folder, said, heard, seen)
    )
    if said is shell.Outcome.FAILURE and not changes:
        return replace(outcome, attempt=replace(made, certain=True))
    undone = tuple(c for c in made.changes if c not in changes) if said is shell.Outcome.FAILURE else ()
    return replace(outcome, attempt=replace(made, changes=changes), verdict=Verdict.SUCCESS, undone=undone)


def heard_in(text: str) -> str | None:
    """What a script printed, by a result; None where that is not known whole."""
    if _is_cut(text):
        return None
    own = _unframed(text)
    return "" if known_silence(own) else _without_folder(own)


def _unframed(text: str) -> str:
    """What commands printed, without what their client says around it, where its frame is known."""
    found = printed(text)
    return text if found is None else "\n".join(found)


def _without_folder(text: str) -> str:
    """A result without the client's word of the folder that its shell is in."""
    for pattern in tables().tools.folder_is:
        text = re.sub(pattern, "", text)
    return text


def _is_cut(output: str) -> bool:
    return re.search("|".join(tables().tools.cut), output, re.I) is not None


def path_shown(script: str, folder: str = "") -> tuple[str, int] | None:
    """The path of a script that only shows a file, and how many lines of it at most (0: all)."""
    shown = shell.shown_by(script)
    return (posixpath.join(folder, shown[0]), shown[1]) if shown is not None else None


# -- the folder from call to call


def begins_anew(tool: str, arguments: Iterable[str]) -> bool | None:
    """Whether each call of a tool begins in the working directory; None where that is not known."""
    known, given = tables().tools, set(arguments)
    if tool in known.begins_anew or given & known.begins_anew_with:
        return True
    if tool in known.keeps_folder:
        return False
    return True if given & known.begins_anew_else_with else None


def begins_anew_by(prompt: str) -> bool:
    """Whether each call of a client begins in the working directory, by its system prompt: other clients have tools of
    the same names that don't."""
    return any(re.search(pattern, prompt, re.M) for pattern in tables().tools.begins_anew_by)


def may_move(script: str) -> bool:
    """Whether a script may leave its shell in another folder."""
    return _MAY_MOVE.search(script) is not None


def ran_in(script: str, output: str) -> str | None:
    """The folder in which a result says that its terminal stands: the script, which went nowhere, began there."""
    match = next((m for pattern in tables().tools.ran_in if (m := re.search(pattern, output))), None)
    return match["path"] if match and not may_move(script) else None


def folder_after(script: str, folder: str | None, said: shell.Outcome, output: str) -> str | None:
    """The folder that a shell is in after a script; None where that is not known."""
    for pattern in (*tables().tools.folder_is, *tables().tools.ran_in):
        if match := re.search(pattern, output):
            return match["path"].strip()
    return shell.evaluate(script, said, heard_in(output), Folder(folder)).folder.path


def may_define(script: str) -> bool:
    """Whether a script may tell what the words of later ones mean in the same shell."""
    return _MAY_DEFINE.search(script) is not None


def defines(script: str) -> bool:
    """Whether it does: by functions, aliases, traps, what the shell runs by itself."""
    return shell.evaluate(script, shell.Outcome.UNKNOWN, None).defines


def by_definitions(scripts: Iterable[str], folder: str | None) -> list[FileChange]:
    """What a script may have changed by what earlier ones in its shell defined: all that they and it name."""
    return drift([target for script in scripts for target in shell.named_in(script, Folder(folder))])


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
        case Moved(path=path, to=to, keep=keep, loose=loose):
            return [Transfer(path, to, carrier, keep=keep, loose=loose)]
        case Patched(text=text, folder=folder):
            return [moved(change, folder) for change in parse_patch(text, carrier)] or [EVERYTHING]
        case Dirtied(targets=targets):
            return drift(targets)
        case Ran(targets=targets, folder=folder, recipes=recipes):
            paths = tuple(target.path for target in targets if isinstance(target, At))
            return [Drift((), carrier, scripts=paths, run_in=folder, recipes=recipes)] if paths else [EVERYTHING]
        case Formatted(targets=targets, names=names):
            return drift([like for target in targets for like in _named(target, names)])


def drift(targets: Iterable[Target]) -> list[FileChange]:
    """The files of some targets, of unknown text."""
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
