"""The usual programs for files: `cat`, `tee`, `rm`, `mv`, `cp`, `mkdir`, … Each names the file that it fails on."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from dataclasses import replace

from tslp_litellm.shell.certainty import Status
from tslp_litellm.shell.effects import Appended, Dirtied, Moved, Removed, Written, touched
from tslp_litellm.shell.evaluation import MAYBE, NONZERO, ZERO, Point
from tslp_litellm.shell.expansion import Field
from tslp_litellm.shell.simple import Call, Result
from tslp_litellm.shell.targets import At, Target, widened


def split(call: Call) -> tuple[set[str], list[Field]]:
    """The letters and names of a program's options, and its operands."""
    options: set[str] = set()
    operands: list[Field] = []
    arguments = list(call.arguments)
    while arguments:
        argument = arguments.pop(0)
        text = argument.text
        if text == "--":
            return options, operands + arguments
        if text is None or not text.startswith("-") or text == "-":
            operands.append(argument)
        elif text.startswith("--"):
            options.add(text[2:].partition("=")[0])
        else:
            options |= set(text[1:])
    return options, operands


def _as_far(point: Point, status: Status) -> Point:
    return point if status is ZERO else replace(point, certainty=MAYBE)


def _cat(call: Call) -> Result:
    options, operands = split(call)
    if not options and all(operand.text == "-" for operand in operands[:1]) and len(operands) < 2:
        return Result(call.status(), call.point.given)
    return Result(call.status(*operands), None)


def _tee(call: Call) -> Result:
    options, operands = split(call)
    status = call.status(*operands)
    point = _as_far(call.point, status)
    point = replace(point, certainty=MAYBE) if call.point.out.breaks or options - {"a", "append"} else point
    for operand in operands:
        target, text = call.target(operand), call.point.given
        if not isinstance(target, At) or text is None or len({o.parts for o in operands}) < len(operands):
            call.run.dirty([target], call.shell, point)
        elif options & {"a", "append"}:
            call.run.emit(Appended(target.path, text), call.shell, point)
        else:
            call.run.emit(Written(target.path, text), call.shell, point)
    return Result(status, call.point.given)


def remove(call: Call) -> Result:
    """`rm`."""
    options, operands = split(call)
    status = call.status(*operands)
    if len(operands) == 1 and not options & {"r", "R", "recursive"} and call.refused(status, operands):
        return Result(NONZERO)
    known = options <= {"r", "R", "f", "v", "d", "recursive", "force", "verbose", "q", "quiet"}
    point = _as_far(call.point, status) if known else call.point.maybe()
    for operand in operands:
        target = call.target(operand)
        if isinstance(target, At) and widened(target) == target:
            call.run.emit(Removed(target.path, bool(options & {"r", "R", "recursive"})), call.shell, point)
        else:
            call.run.dirty([target], call.shell, point)
    return Result(status, None if options & {"v", "verbose"} else "")


def move(call: Call, *, keep: bool = False) -> Result:
    """`mv`, and `cp` (`keep`)."""
    options, operands = split(call)
    status = call.status(*operands)
    known = {"f", "v", "force", "verbose", "T", "no-target-directory", "k"} | (
        {"p", "preserve", "a", "r", "R"} if keep else set()
    )
    if len(operands) < 2 or not options <= known or any(operand.many for operand in operands):
        call.dirty(operands)
        call.run.dirty(
            [_into(call.target(operands[-1]), call.target(o)) for o in operands[:-1]], call.shell, call.point
        )
        return Result(status, None)
    point = _as_far(call.point, status)
    *sources, to = operands
    tree = keep and bool(options & {"r", "R", "a", "recursive", "archive"})
    if len(sources) == 1 and not tree and call.refused(status, operands):
        return Result(NONZERO)
    for source in sources:
        _moved(replace(call, point=point), source, to, len(sources) > 1, options, keep, tree)
    return Result(status, None if options & {"v", "verbose"} else "")


def _moved(call: Call, source: Field, to: Field, several: bool, options: set[str], keep: bool, tree: bool) -> None:
    from_, target = call.target(source), call.target(to)
    folder = several or (to.text or "").endswith(("/", "/.", "/..")) or to.text in (".", "..")
    folder = folder or (isinstance(target, At) and _holds(target.path, call.shell.made))
    if isinstance(from_, At) and isinstance(target, At) and not tree and not source.ending.endswith("/"):
        if folder and "T" not in options:
            target = At(posixpath.normpath(posixpath.join(target.path, posixpath.basename(from_.path))))
        if folder or "T" in options or _is_file_name(target.path):
            call.run.emit(Moved(from_.path, target.path, keep), call.shell, call.point)
            return
    if not keep and isinstance(from_, At) and isinstance(target, At) and not _may_be_new(call, target.path):
        call.run.emit(Moved(from_.path, target.path, loose=True), call.shell, call.point)
        return
    if not keep and isinstance(from_, At):
        call.run.emit(Removed(from_.path, tree=True), call.shell, call.point)
    elif not keep:
        call.run.dirty([from_], call.shell, call.point)
    call.run.dirty([target, _into(target, from_)], call.shell, call.point)


def _holds(folder: str, paths: Iterable[str]) -> bool:
    """Whether some paths are that folder, or stand below it."""
    return any(path == folder or path.startswith(folder + "/") for path in paths)


def _may_be_new(call: Call, folder: str) -> bool:
    """Whether the script may have made a folder, of which nobody knows then whether it was there."""
    effects = [effect for effect in call.run.effects if not isinstance(effect, Dirtied)]
    named = [target.path for effect in effects for target in touched(effect) if isinstance(target, At)]
    return "mkdir" in call.run.script_text or len(effects) < len(call.run.effects) or _holds(folder, named)


def _into(folder: Target, source: Target) -> Target:
    if isinstance(folder, At) and isinstance(source, At):
        return At(posixpath.normpath(posixpath.join(folder.path, posixpath.basename(source.path))))
    return folder


def _is_file_name(path: str) -> bool:
    """Whether nobody would call a folder so."""
    return "." in posixpath.basename(path).lstrip(".")


def _make_folder(call: Call) -> Result:
    _, operands = split(call)
    status = call.status(*operands)
    if status is ZERO and call.run.sure(call.shell, call.point):
        paths = {target.path for operand in operands if isinstance(target := call.target(operand), At)}
        call.shell.made |= paths
    return Result(status)


def _touch(call: Call) -> Result:
    """A file that is there keeps its text; one that this script took away is there again."""
    _, operands = split(call)
    gone = {target for effect in call.run.effects if isinstance(effect, (Removed, Moved)) for target in touched(effect)}
    if gone:
        call.dirty(operands)
    return Result(call.status(*operands))


def _attributes(call: Call) -> Result:
    return Result(call.status(*split(call)[1]))


def _link(call: Call) -> Result:
    """A link: from here on, what is written under one name may be another file's text."""
    _, operands = split(call)
    call.dirty(operands)
    call.run.dirty([_into(call.target(operands[-1]), call.target(o)) for o in operands[:-1]], call.shell, call.point)
    call.shell.doubt = True
    return Result(call.status(*operands))


def _transfer(call: Call) -> Result:
    """A copy that may leave the target as it was, or go to another machine."""
    return move(replace(call, point=call.point.maybe()), keep=True)


FILES: dict[str, Callable[[Call], Result]] = {
    "cat": _cat,
    "tee": _tee,
    "rm": remove,
    "unlink": remove,
    "mv": move,
    "cp": lambda call: move(call, keep=True),
    "mkdir": _make_folder,
    "touch": _touch,
    "chmod": _attributes,
    "chown": _attributes,
    "rmdir": _attributes,
    "ln": _link,
    "install": _transfer,
    "rsync": _transfer,
    "scp": _transfer,
}
