"""The shell as an interpreter without I/O: from a script and what became of it to what it did (SEMANTICS 2, Shell).

Owns what bash's constructs and the usual programs mean for files and folders. Refuses to guess: what is not known
exactly leaves the files that it could have touched without a known text.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from tslp_litellm.shell.certainty import Certainty, Outcome, Status
from tslp_litellm.shell.commands import tables
from tslp_litellm.shell.constructs import CONSTRUCTS
from tslp_litellm.shell.displays import Form, displays
from tslp_litellm.shell.effects import EVERYTHING, Dirtied, Effect, Ran, loosened, settled, touched
from tslp_litellm.shell.evaluation import MAYBE, Evaluation, Point, TooMuchError
from tslp_litellm.shell.naming import named_in, quoted_in
from tslp_litellm.shell.programs import execute
from tslp_litellm.shell.reading import read
from tslp_litellm.shell.recipes import commands_of, is_recipe_book
from tslp_litellm.shell.state import Shell
from tslp_litellm.shell.syntax import Simple, UnreadableError
from tslp_litellm.shell.targets import ANYWHERE, HERE, UNKNOWN, At, Folder, Like, Target, escaped
from tslp_litellm.shell.witnesses import Output

__all__ = ["Outcome", "Run", "changed_by", "evaluate", "named_in", "shown_by"]
SCRIPTS_MAX = 10
"""So many scripts are followed that a script writes and runs."""
_SHELL_SCRIPT = re.compile(r"\.(?:sh|bash|zsh|ksh|envrc)$")
_SHELL_LINE = re.compile(r"\A#![^\n]*\b(?:ba|z|da|k)?sh\b")


@dataclass(frozen=True, slots=True)
class Run:
    """What a script did, in order, and the folder that its shell was left in. `heeded`: its output tells more of it;
    `defines`: what a later script's words mean may be told by this one."""

    effects: tuple[Effect, ...]
    folder: Folder = UNKNOWN
    heeded: bool = False
    defines: bool = False


def evaluate(
    script: str, outcome: Outcome, output: str | None = None, folder: Folder = HERE, seen: str | None = None
) -> Run:
    """Evaluate a script that began in a folder.

    `output`: all that it and its errors printed, None where that is not known whole; `seen`: what is known of it. Never
    raises for a script: one that is not read, or does more than is followed, may have changed any file.
    """
    if re.search(tables().powershell, script, re.M):
        return Run((Dirtied(tuple(named_in(script, folder)) or (ANYWHERE,)),), folder)
    run = Evaluation(outcome, Output(output, seen or output or ""), CONSTRUCTS, execute, script)
    shell = Shell(folder=folder)
    point = Point() if outcome is not Outcome.UNKNOWN else Point(certainty=MAYBE)
    try:
        status = run.script(script, shell, point)
    except (TooMuchError, RecursionError):
        return Run((EVERYTHING,))
    if _contradicts(run, outcome, status):
        return evaluate(script, Outcome.UNKNOWN, output, folder, seen)
    sure = outcome is not Outcome.UNKNOWN and shell.reached is Certainty.SURE
    ended = not sure or shell.impossible or run.doubtful
    late = tuple(loosened(effect) for effect in run.late)
    left = UNKNOWN if ended and shell.folder != folder else shell.folder
    defines = bool(shell.functions) or shell.trapped or shell.renamed
    return Run(settled((*_with_scripts(run), *late)), left, run.heeded, defines)


def _with_scripts(run: Evaluation) -> list[Effect]:
    """The effects, with those of scripts that were written before they ran."""
    found, seen = list[Effect](), set[Ran]()
    for effect in run.effects:
        found.append(effect)
        if not isinstance(effect, Ran) or effect in seen or len(seen) == SCRIPTS_MAX:
            continue
        seen.add(effect)
        paths = [target.path for target in effect.targets if isinstance(target, At) and target.path in run.written]
        for path in paths:
            targets, _ = changed_by(path, "".join(run.written[path]), effect.folder, effect.recipes)
            found += [Dirtied(targets)] if targets else []
    return found


def _contradicts(run: Evaluation, outcome: Outcome, status: Status) -> bool:
    """Whether the output can't be what the script printed: then who knows what became of it.

    It is said to have failed though nothing in it did; or something was said where its commands say nothing.
    """
    if outcome is Outcome.FAILURE:
        return status is Status.ZERO
    return outcome is Outcome.RAN and not run.speaks and bool((run.output.text or "").strip())


def changed_by(
    path: str, text: str, folder: str | None, recipes: tuple[str, ...] | None = None
) -> tuple[tuple[Target, ...], tuple[Ran, ...]]:
    """The files that a script in a file may have changed when it ran in a folder (None: an unknown one), and the files
    that it ran.

    What it names, but not itself; and, of a shell script, what its commands do. `recipes`: the names of the commands
    that ran, of a file that holds commands under names.
    """
    place = Folder(folder)
    if recipes is not None and is_recipe_book(path):
        script = commands_of(path, text, recipes)
        effects = evaluate(script, Outcome.UNKNOWN, None, place).effects if script is not None else ()
        found = [target for effect in effects if not isinstance(effect, Ran) for target in touched(effect)]
    else:
        found = [*named_in(text, place), *quoted_in(text)]
        shell = _SHELL_SCRIPT.search(path) or _SHELL_LINE.match(text)
        effects = evaluate(text, Outcome.UNKNOWN, None, place).effects if shell else ()
        found += [target for effect in effects for target in touched(effect)]
    name = posixpath.basename(path)
    itself = (At(path), place.at(name), Like(None, escaped(name), alone=True))
    ran = tuple(effect for effect in effects if isinstance(effect, Ran))
    return tuple(target for target in found if target not in itself), ran


def shown_by(script: str) -> tuple[str, int] | None:
    """The path of a script that only shows a file from its first line on (`cat PATH`, `sed -n '1,200p' PATH`), and how
    many lines at most; 0: all."""
    try:
        items = read(script).items
    except UnreadableError:
        return None
    if len(items) != 1 or items[0].background or not isinstance(items[0].command, Simple):
        return None
    shown = displays(script)
    if len(shown) != 1 or shown[0].form is not Form.LINES or shown[0].first != 1:
        return None
    return shown[0].path, shown[0].count
