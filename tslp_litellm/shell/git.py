"""Git: which of its commands change the files of the work tree, and which files."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from tslp_litellm.shell.commands import tables
from tslp_litellm.shell.effects import Written
from tslp_litellm.shell.evaluation import Out
from tslp_litellm.shell.expansion import Field, Wild
from tslp_litellm.shell.files import move, remove, split
from tslp_litellm.shell.naming import said_in
from tslp_litellm.shell.rows import by_table
from tslp_litellm.shell.simple import Call, Result
from tslp_litellm.shell.targets import ANYWHERE, At, Like, Target, escaped

_PATHSPEC_MAGIC = re.compile(r":[/(!^]")
_MERGED = re.compile(r"^[^\S\n]*+(?:Fast-forward|Merge made by )", re.M)
_STAT = re.compile(r"^[^\S\n]*+(\S[^|\n]*+)(?<= )\| +(?:\d+(?: [+-]+)?|Bin [^\n]*+)[^\S\n]*+$", re.M)
_CHANGED = re.compile(r"^[^\S\n]*+(\d++) files? changed, \d+ (?:insertion|deletion)", re.M)
_SHARED = re.compile(r"([^{}]*+)\{((?:(?! => )[^{}])*+) => ([^{}]*+)\}([^{}]*+)")
_LISTED = re.compile(r"^\t(?:[\w ]++: +)?(\S[^\n]*)$", re.M)
_UPWARDS = re.compile(r"\A(?:\.\./)+")
_FROM_INDEX = r"^Updated \d+ paths? from the index"
_REMOVING = re.compile(r"\bRemoving (\S[^\n]*)")
_APPLYING = frozenset(
    {"v", "verbose", "q", "quiet", "index", "recount", "R", "reverse", "3", "3way", "reject", "whitespace"}
)
_HEAD = re.compile(r"^(?:---|\+\+\+) (?P<path>[^\t\n]+)", re.M)
_RENAMED = re.compile(r"^(?:rename (?:from|to)|copy to) (?P<path>[^\n]+)", re.M)
_VERDICT = re.compile(r"\w\.{3,}+(?:\([^()]*\))?[A-Z]\w*+\s*$")
"""How a runner of hooks says what came of one: `black....Failed`."""
_REPORT = re.compile(r"\w\.{3,}+(?:\([^()]*\))?(?:[A-Z]\w*+)?\s*$")
"""That, or what it is doing: `Applying modifications from tasks...`."""
_QUIET = frozenset({"q", "quiet"})
_COMPLAINS = re.compile(r"^(?!\d+:)\S+ ?(?::(?:\s|\Z)|：)", re.M)
"""How git begins a complaint, in any language, and the shell one of git: `fatal: `, `usage: `, `sh: `."""
_ODD = re.compile(r"[\"{}]|=>")
"""What stands in a path that is quoted, or that is shortened in the middle of two names."""


def git(call: Call) -> Result:
    """Run git."""
    shell = call.shell.copy()
    arguments = list(call.arguments)
    while arguments and (text := arguments[0].text) is not None and text.startswith("-"):
        if text == "-C" and len(arguments) > 1:
            shell.folder = shell.folder.entered(arguments[1].target(shell.folder))
        if text.startswith(("--work-tree", "--git-dir")):
            return _everything(call)
        arguments = arguments[2 if text in ("-C", "-c", "--exec-path", "--namespace") else 1 :]
    if not arguments:
        return _nothing(call)
    verb = arguments[0].text
    own = replace(call, name=f"git {verb}", arguments=tuple(arguments[1:]), shell=shell)
    call.run.unsteady()
    if verb in tables().git_reads:
        _written_output(own)
        return replace(_nothing(call), warnings=verb == "add")
    options, operands = split(own)
    if _was_refused(own, verb or "") and not options & {"reject", "3way", "3"}:
        return _nothing(own)
    if verb in ("rm", "mv"):
        return _index(own, verb, options, operands)
    handler = _VERBS.get(verb or "")
    return handler(own, options, operands) if handler else _everything(call)


def _nothing(call: Call) -> Result:
    return Result(call.run.status(call.shell, call.point), None)


def _was_refused(call: Call, verb: str) -> bool:
    """Whether the output says that a command, the only one of its kind, did nothing."""
    refused = tables().git_refused
    forms = (*refused.get(verb, ()), *refused["any"])
    return None not in call.texts and _says(call, verb, f"^(?:{'|'.join(forms)})")


def _says(call: Call, verb: str, form: str) -> bool:
    """Whether the output says something of a command that is the only one of its kind."""
    alone = len(re.findall(rf"\b{re.escape(verb)}\b", call.run.script_text)) == 1
    return alone and re.search(form, call.run.heed(), re.M) is not None


def _everything(call: Call) -> Result:
    call.run.dirty([ANYWHERE], call.shell, call.point)
    return _nothing(call)


def _written_output(call: Call) -> None:
    for n, text in enumerate(call.texts):
        if text is None or text in ("--output", "-o"):
            call.dirty(call.arguments[n : n + 2])
        elif text.startswith("--output="):
            call.run.dirty([call.shell.folder.at(text.partition("=")[2])], call.shell, call.point)


def _index(call: Call, verb: str, options: set[str], operands: list[Field]) -> Result:
    """`git rm` and `git mv` are `rm` and `mv`, but that they fail without naming what on; then they complain."""
    if options & {"cached", "n", "dry-run"}:
        return _nothing(call)
    complains = _COMPLAINS.search(call.run.output.text or "") is not None
    status = call.run.status(call.shell, call.point, None if complains else ())
    fields = [_pathspec(operand) for operand in operands]
    options_as_given = [a for a in call.arguments if (a.text or "").startswith("-") and a.text != "--"]
    own = replace(call, arguments=(*options_as_given, *fields), ended=status)
    (remove if verb == "rm" else move)(own)
    return Result(status, None)


def _pathspec(operand: Field) -> Field:
    """An operand as git reads it: its own patterns, in which `*` stands for `/` too."""
    text = operand.text
    if text is None:
        return operand
    if _PATHSPEC_MAGIC.match(text):
        return Field((Wild.ANY,))
    if not set(text) & set("*?["):
        return operand
    return Field((text[: re.search(r"[*?\[]", text).start()], Wild.ANY, re.split(r"[*?\]]", text)[-1]))  # type: ignore[union-attr]


def _paths(call: Call, operands: list[Field]) -> Result:
    """Some paths get another text."""
    fields = [_pathspec(operand) for operand in operands]
    if any(field.text in (".", None) for field in fields):
        return _everything(call)
    call.dirty(fields)
    return _nothing(call)


def _checkout(call: Call, options: set[str], operands: list[Field]) -> Result:
    texts = call.texts
    if "--" in texts:
        return _paths(call, list(call.arguments[texts.index("--") + 1 :]))
    if len(operands) == 1 and options - _QUIET in ({"b"}, {"c"}, {"create"}, {"orphan"}):
        return _nothing(call)
    if options <= _QUIET | {"f", "force"}:
        if operands and (_is_file(operands[0]) or _says(call, "checkout", _FROM_INDEX)):
            return _paths(call, operands)
        if len(operands) > 1:  # the first is a commit, or a folder
            return _paths(call, [operand for n, operand in enumerate(operands) if n or operand.text])
    return _everything(call)


def _is_file(operand: Field) -> bool:
    """Whether a word is rather a file's name than a branch's."""
    name = posixpath.basename(operand.text or "")
    if (operand.text or "").endswith("/") or (operand.text or "").startswith(("./", "../")):
        return True
    return re.fullmatch(r"\.?[\w-]+(?:\.[A-Za-z]\w*)+", name) is not None


def _restore(call: Call, options: set[str], operands: list[Field]) -> Result:
    if options & {"staged", "S"} and not options & {"worktree", "W"}:
        return _nothing(call)
    if "-s" in call.texts or "--source" in call.texts:
        operands = operands[1:]
    return _paths(call, operands) if operands else _everything(call)


def _clean(call: Call, options: set[str], _operands: list[Field]) -> Result:
    """What git does not track goes, and it lists that, if it is not told to be quiet."""
    if options & {"n", "dry-run"}:
        return _nothing(call)
    gone = _REMOVING.findall(call.run.heed())
    whole = call.run.output.text is not None and call.point.out == Out() and not options & _QUIET
    if not whole or not (gone or call.run.output.is_empty) or any(_ODD.search(path) for path in gone):
        return _everything(call)
    call.run.dirty([call.shell.folder.at(path.rstrip()) for path in gone], call.shell, call.point)
    return _nothing(call)


def _reset(call: Call, options: set[str], _operands: list[Field]) -> Result:
    return _everything(call) if options & {"hard", "merge", "keep"} else _nothing(call)


def _stash(call: Call, _options: set[str], operands: list[Field]) -> Result:
    verb = operands[0].text if operands else "push"
    if verb in ("list", "show", "drop", "clear", "create", "store"):
        return _nothing(call)
    return _said(call, _status(call.run.heed())) if verb in ("pop", "apply") else _everything(call)


def _merge(call: Call, _options: set[str], _operands: list[Field]) -> Result:
    return _said(call, _diffstat(call.run.heed()))


def _said(call: Call, paths: list[str]) -> Result:
    """The files that an output lists, as seen from the top of the work tree, wherever that is; any where it lists none,
    or one of them otherwise than by its path."""
    if not paths or call.run.output.text is None or any(_ODD.search(path) for path in paths):
        return _everything(call)
    call.run.dirty([_tail(path) for path in paths], call.shell, call.point)
    return _nothing(call)


def _tail(path: str) -> Target:
    """The file of a path, which `...` shortens by its head."""
    path = _UPWARDS.sub("", path)
    rest = path.removeprefix("...")
    return Like(None, ("*" if rest != path and not rest.startswith("/") else "") + escaped(rest.lstrip("/")))


def _status(output: str) -> list[str]:
    """The paths that `git status` lists, as `git stash pop` shows it."""
    if not re.search(r"^(?:On branch |HEAD detached |Not currently on any branch)", output, re.M):
        return []
    return [path for listed in _LISTED.findall(output) for path in listed.rstrip().split(" -> ")]


def _diffstat(output: str) -> list[str]:
    """The paths of the diffstat of a merge, where it has as many lines as its summary, as git writes it, says that
    files changed."""
    listed = _STAT.findall(output)
    counted = sum(int(count) for count in _CHANGED.findall(output))
    if not _MERGED.search(output) or "CONFLICT" in output or counted != len(listed):
        return []
    return [path for name in listed for path in _both_names(name.rstrip())]


def _both_names(name: str) -> list[str]:
    """A path of a diffstat; of a renamed file both, of which it writes once what they share."""
    if match := _SHARED.fullmatch(name):
        return [f"{match[1]}{part}{match[4]}".replace("//", "/") for part in (match[2], match[3])]
    return name.split(" => ")


def _worktree(call: Call, _options: set[str], _operands: list[Field]) -> Result:
    return _nothing(call)


def _apply(call: Call, options: set[str], operands: list[Field]) -> Result:
    if options & {"check", "stat", "numstat", "summary", "cached"}:
        return _nothing(call)
    patches = [_patch_in(call, operand) for operand in operands] or [call.point.given]
    paths = [_patched(patch or "") for patch in patches] if options <= _APPLYING else [[]]
    if not all(paths) or any(_ODD.search(path) for found in paths for path in found):
        return _everything(call)
    call.run.dirty([_tail(path) for found in paths for path in found], call.shell, call.point)
    return _nothing(call)


def _patch_in(call: Call, operand: Field) -> str | None:
    """The text of a patch, where this script wrote it."""
    target = call.target(operand)
    wrote = [e for e in call.run.effects if isinstance(e, Written) and target == At(e.path)]
    return call.point.given if operand.text == "-" else wrote[-1].text if wrote else None


def _patched(patch: str) -> list[str]:
    """The files that a patch names, as seen from the top of the work tree; none where it may be about others."""
    if "GIT binary patch" in patch:
        return []
    headed = (match["path"].rstrip() for match in _HEAD.finditer(patch) if "/dev/null" not in match["path"])
    named = (match["path"].rstrip() for match in _RENAMED.finditer(patch))
    return list(dict.fromkeys([*(path.partition("/")[2] or path for path in headed), *named]))


def _commit(call: Call, options: set[str], _operands: list[Field]) -> Result:
    """A commit changes nothing, but its hooks may: whatever was said before its summary and is not git's own word."""
    if not options & {"n", "no-verify", "dry-run"}:
        _hooks(call, quiet=bool(options & _QUIET))
    return _nothing(call)


def _hooks(call: Call, *, quiet: bool = False) -> None:
    """What hooks did. `quiet`: no summary ends their words, so that the next command's may follow."""
    unknown = list(dict.fromkeys(_hooks_words(call.run.heed(), shared=call.run.talks or quiet)))
    named = said_in("\n".join(unknown))
    call.run.dirty(named if named or not unknown else [ANYWHERE], call.shell, call.point)


def pre_commit(call: Call) -> Result:
    """`pre-commit`: the hooks of a commit, without one."""
    if "run" not in call.texts[:1] or not call.run.heed().strip() or call.point.out != Out():
        return by_table(call)
    _hooks(call)
    return _nothing(call)


def _hooks_words(output: str, *, shared: bool) -> Iterator[str]:
    """Lines before a commit's summary that may be its hooks'. `shared`: of an output in which other commands may have
    spoken, too: then those that follow the first one in the form of a runner of hooks."""
    known = tables()
    lines, harmless = output.split("\n"), "|".join(known.commit_says)
    done = next((n for n, line in enumerate(lines) if re.match(known.commit_done, line)), None)
    runner = _VERDICT if done is None else _REPORT
    begins = (n for n, line in enumerate(lines) if runner.search(line))
    for line in lines[next(begins, len(lines)) if shared else 0 : done]:
        if line.strip() and not re.fullmatch(harmless, line.rstrip()):
            yield line


_VERBS = {
    "commit": _commit,
    "checkout": _checkout,
    "switch": _checkout,
    "restore": _restore,
    "clean": _clean,
    "reset": _reset,
    "stash": _stash,
    "worktree": _worktree,
    "apply": _apply,
    "merge": _merge,
    "pull": _merge,
}
