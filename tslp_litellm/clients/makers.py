"""From a tool call's arguments to the file changes it attempts, by the shape of the arguments."""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from collections.abc import Callable
from dataclasses import replace

from tslp_litellm.clients.outcomes import verdict_of
from tslp_litellm.clients.shell import attempted, changes_of, may_tell, path_shown, proposed
from tslp_litellm.clients.tools import (
    Arguments,
    argument,
    arguments_of,
    bare_name,
    changes_nothing,
    changes_what_it_names,
    code_paths,
    is_known_part,
    kind_of,
    may_change,
    only_shows,
    renamed_symbols,
    shell_folder,
)
from tslp_litellm.dialects import search_replace
from tslp_litellm.dialects.apply_patch import is_patch, parse_operation, parse_patch
from tslp_litellm.dialects.unified_diff import parse_diff
from tslp_litellm.dialects.values import (
    Attempt,
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
    Verdict,
)
from tslp_litellm.dialects.wording import claims
from tslp_litellm.shell import Outcome
from tslp_litellm.shell.naming import said_in
from tslp_litellm.shell.targets import ANYWHERE, At, Like
from tslp_litellm.state.names import is_absolute
from tslp_litellm.wire.turn import Item, string

TOLD_LINES_MAX, TOLD_CHARS_MAX = 1000, 400
"""So many lines of a result, and so long ones, are looked at for what it says was done."""
_WHOLE = re.compile(r"write|create|overwrite|save|new_file|^editor$")


def attempt(call: Item, folder: str | None = "") -> Attempt | None:
    """The file changes that a call attempts; None for a call that changes no file.

    `folder`: where the tool's shell stands, empty for the working directory, None where that is not known.
    """
    if not call.exact:
        return None
    arguments = arguments_of(call)
    kind = kind_of(call.name, arguments)
    if kind is None:
        touched = may_change(call.name, arguments)
        return _attempt(call, "", (Drift(touched, Carrier.TOOL_EDIT),)) if touched is not None else None
    if only_shows(arguments):
        return None
    if kind == "keys":
        return _typed(call, arguments)
    if kind == "shell":
        scripts = shell_scripts(arguments, folder)
        if not scripts:
            return _typed(call, arguments)
        if _stated_folder(arguments) is None:
            return _somewhere(call, scripts)
        done = attempted(scripts)
        if not done and not may_tell(scripts):
            return None
        return replace(_attempt(call, kind, proposed(done), len(scripts) == 1), scripts=scripts)
    maker = _MAKERS.get(kind)
    changes = maker(arguments, bare_name(call.name)) if maker else []
    return _attempt(call, kind, tuple(changes)) if changes else None


def told_by(call: Item, result: Item) -> list[Drift]:
    """The files that the result of a tool which no row knows says something was done to; where it names none, those
    that hold a symbol which the tool gives another name."""
    arguments = arguments_of(call)
    if not result.exact or kind_of(call.name, arguments) is not None or changes_nothing(call.name, arguments):
        return []
    doer = changes_what_it_names(call.name)
    if doer and verdict_of(result) in (Verdict.FAILURE, Verdict.DENIED):
        return []
    lines = [line for line in result.text.split("\n")[:TOLD_LINES_MAX] if len(line) <= TOLD_CHARS_MAX or doer]
    said = "\n".join(line for line in lines if doer or claims(line))
    targets = said_in(said.replace("file://", " "), places=doer)
    if ANYWHERE in targets:
        return [Drift((), Carrier.REPORT)]
    paths = tuple(target.path for target in targets if isinstance(target, At))
    like = tuple(target for target in targets if isinstance(target, Like))
    symbols = renamed_symbols(call.name, arguments) if not targets else ()
    return [Drift(paths, Carrier.REPORT, like, holding=symbols)] if paths or like or symbols else []


def _typed(call: Item, arguments: Arguments) -> Attempt | None:
    """What is typed into a program that runs: nobody knows what reads it, so what it names may have changed, and what
    it does if a shell does."""
    typed = string(argument(arguments, "keys"))
    done = changes_of(typed, None, Outcome.UNKNOWN, None) if typed.strip() else ()
    named = code_paths(arguments)
    changes = (*((Drift(tuple(named), Carrier.TOOL_EDIT),) if named else ()), *done)
    return _attempt(call, "", changes, certain=False) if changes else None


def _somewhere(call: Item, scripts: tuple[tuple[str, str | None], ...]) -> Attempt | None:
    """What scripts may have changed that ran nobody knows where: no text of theirs is the truth here."""
    changes = tuple(c for script, _ in scripts for c in changes_of(script, None, Outcome.UNKNOWN, None))
    return _attempt(call, "shell", changes, certain=False) if changes else None


def _attempt(call: Item, kind: str, changes: tuple[FileChange, ...], certain: bool = True) -> Attempt:
    return Attempt(call.call_id, call.name, changes, kind, certain)


def shell_read(arguments: Arguments, folder: str | None = "") -> tuple[str, int] | None:
    """The path that a shell call only shows, and how many lines of it at most (0: all); `folder` as for `attempt`."""
    scripts = shell_scripts(arguments, folder)
    if len(scripts) != 1 or _stated_folder(arguments) is None:
        return None
    script, place = scripts[0]
    shown = path_shown(script, place or "")
    return shown if place is not None or is_absolute(shown[0] if shown is not None else "") else None


def _scripts(arguments: Arguments) -> list[str]:
    """The scripts of a shell call: one string, an argv, or a list of strings (`commands`)."""
    given = argument(arguments, "command")
    if "commands" in arguments and given is arguments["commands"]:
        return [script for entry in (given if isinstance(given, list) else [given]) if (script := _command_line(entry))]
    if isinstance(given, list) and all(isinstance(word, str) for word in given):
        if len(given) >= 3 and re.fullmatch(r"-\w*c", given[1]):
            return [given[2]]
        if given and bare_name(given[0].rsplit("/", 1)[-1]) in ("apply_patch", "applypatch"):
            return ["apply_patch <<'EOF'\n" + "\n".join(given[1:]).strip("\n") + "\nEOF\n"]
        return list(given) if any(" " in word for word in given[:1]) or len(given) == 1 else [shlex.join(given)]
    return [given] if isinstance(given, str) else []


def _command_line(entry: object) -> str:
    """One of several commands: a line, or a program with its arguments."""
    if isinstance(entry, dict):
        words = [word for word in entry.get("args") or [] if isinstance(word, str)]
        return " ".join([string(entry.get("command")), shlex.join(words)]).strip()
    return string(entry)


def _stated_folder(arguments: Arguments) -> str | None:
    """The folder that a shell call states; None where it may run elsewhere, or one of its commands may."""
    commands = argument(arguments, "command")
    parts = [part for part in commands if isinstance(part, dict)] if isinstance(commands, list) else []
    return shell_folder(arguments) if all(shell_folder({**part, "args": None}) == "" for part in parts) else None


def shell_scripts(arguments: Arguments, folder: str | None = "") -> tuple[tuple[str, str | None], ...]:
    """The scripts of a shell call, each with the folder it begins in."""
    own = _stated_folder(arguments)
    place = own
    if own is not None and not is_absolute(own):
        place = None if folder is None else posixpath.join(folder, own)
    return tuple((script, place) for script in _scripts(arguments))


def _edit(arguments: Arguments, name: str) -> list[FileChange]:
    """Edits of one file, whatever their form: patch, list of edits, old and new text, blocks, insertion, new text."""
    patch = argument(arguments, "patch")
    path = argument(arguments, "path")
    if isinstance(patch, str) and (is_patch(patch) or not isinstance(path, str)):
        return parse_patch(patch)
    if not isinstance(path, str):
        return _several_files(arguments, name)
    if _is_fuzzy(arguments, name):
        return [Drift((path,), Carrier.TOOL_EDIT)]
    made = _steps(arguments, name)
    if made is not None:
        return [Edit(path, tuple(made), Carrier.TOOL_EDIT)] if made else [Drift((path,), Carrier.TOOL_EDIT)]
    diff = next((v for n in ("diff", "the_diff") if isinstance(v := arguments.get(n), str)), None)
    if diff is not None:
        return _diff(path, diff)
    if argument(arguments, "lazy") is not None:
        return [Drift((path,), Carrier.TOOL_EDIT)]
    whole = _write(arguments, name) if _makes_whole(arguments, name) and argument(arguments, "new") is None else []
    return whole or [Drift((path,), Carrier.TOOL_EDIT)]


def _is_fuzzy(arguments: Arguments, name: str) -> bool:
    """Whether a call replaces by a pattern, or only between some lines."""
    flags = ("use_regex", "useRegex", "is_regex", "isRegex", "regex", "ignore_case", "ignoreCase")
    ranged = name == "search_and_replace" and argument(arguments, "range") is not None
    return ranged or any(arguments.get(flag) in (True, "true", "True") for flag in flags)


def _makes_whole(arguments: Arguments, name: str) -> bool:
    """Whether a text without an old one is the whole file: the tool's name or its mode says so, and no range speaks
    against it."""
    said = _WHOLE.search(name) or string(arguments.get("mode")) in ("write", "create", "overwrite")
    return bool(said) and argument(arguments, "range") is None


def _steps(arguments: Arguments, name: str) -> list[EditStep] | None:
    """The steps of a call; empty where they can't be known, None where it has none."""
    edits = argument(arguments, "edits")
    if isinstance(edits, str):
        try:
            edits = json.loads(edits)
        except (ValueError, RecursionError):
            return []
    if isinstance(edits, list):
        steps = [_step(edit) if isinstance(edit, dict) and is_known_part(edit) else None for edit in edits]
        late = any(isinstance(step, Replacement) and not step.old for step in steps[1:])
        return [] if late or None in steps else [step for step in steps if step is not None]
    if arguments.get("insert_line") is not None or argument(arguments, "old") is not None:
        step = _step(arguments)
        if name == "search_and_replace" and isinstance(step, Replacement):
            step = replace(step, everywhere=True)
        return [step] if step is not None else []
    if argument(arguments, "new") is not None and argument(arguments, "content") is None:
        step = _step({**arguments, "old_string": ""}) if _makes_whole(arguments, name) else None
        return [step] if step is not None else []
    return None


def _step(arguments: Arguments) -> EditStep | None:
    old, new, line = argument(arguments, "old"), argument(arguments, "new"), _line(arguments)
    if new is None and old is not None:
        new = ""
    if not old and (line is not None or argument(arguments, "range") is not None):
        if line is None:
            return None  # only what stands between some lines gives way
        text = new if new is not None else argument(arguments, "content")
        return Insertion(text, line) if isinstance(text, str) else None
    if not isinstance(old, str) or not isinstance(new, str) or line is not None:
        return None
    everywhere = argument(arguments, "everywhere") in (True, "true", "True")
    expected = arguments.get("expected_replacements")
    return Replacement(old, new, everywhere=everywhere or (isinstance(expected, int) and expected > 1))


def _line(arguments: Arguments) -> int | None:
    """Before which line a call inserts, counted from 1."""
    at = arguments.get("insert_line")
    try:
        line = int(at) if isinstance(at, (int, str)) and not isinstance(at, bool) else None
    except (ValueError, RecursionError):
        return None
    if line is None:
        return None
    return line + 1 if "new_str" in arguments or "command" in arguments else line


def _insert_content(arguments: Arguments, _name: str) -> list[FileChange]:
    """Roo: `line` is where the content begins, 0 for the end."""
    path, content, line = arguments.get("path"), arguments.get("content"), arguments.get("line")
    if not isinstance(path, str) or not isinstance(content, str):
        return []
    try:
        at = int(str(line))
    except (ValueError, RecursionError):
        return [Drift((path,), Carrier.TOOL_EDIT)]
    step = Insertion(content, at) if at > 0 else Insertion(content + ("" if content.endswith("\n") else "\n"))
    return [Edit(path, (step,), Carrier.TOOL_EDIT)]


def _diff(path: str, diff: str) -> list[FileChange]:
    blocks = search_replace.blocks(diff, path)
    if blocks:
        steps = _in_order([step for block in blocks for step in block.edit.steps])
        return [Edit(path, tuple(steps), Carrier.TOOL_EDIT)]
    changes = parse_diff(diff, Carrier.TOOL_EDIT, path=path)
    return changes or [Drift((path,), Carrier.TOOL_EDIT)]


def _in_order(steps: list[EditStep]) -> list[EditStep]:
    """Steps as Roo applies them: by their lines in the file as it was, each moved by what those before it added."""
    found: list[EditStep] = []
    added = 0
    for step in sorted(steps, key=_place):
        line = _place(step)
        if isinstance(step, Insertion):
            found.append(replace(step, before=line + added) if line else step)
            added += step.new.count("\n") + 1 if line else 0
        else:
            found.append(replace(step, line=line + added) if line else step)
            added += step.new.count("\n") - step.old.count("\n")
    return found


def _place(step: EditStep) -> int:
    """The line that a step states; 0 where it states none."""
    return (step.before if isinstance(step, Insertion) else step.line) or 0


def _several_files(arguments: Arguments, name: str) -> list[FileChange]:
    """Edits that each name their file (Copilot's `replacements`, Roo's `args`), in order."""
    edits = argument(arguments, "edits") or arguments.get("args") or arguments.get("files") or arguments.get("file")
    if isinstance(edits, dict):
        edits = edits.get("file", edits)
    edits = edits if isinstance(edits, list) else [edits]
    changes: list[FileChange] = []
    for edit in edits:
        if isinstance(edit, dict) and isinstance(path := argument(edit, "path"), str):
            if not is_known_part(edit):
                changes.append(Drift((path,), Carrier.TOOL_EDIT))
                continue
            inner = edit.get("diff")
            parts = inner if isinstance(inner, list) else [inner]
            if any(isinstance(part, dict) for part in parts):
                text = "\n".join(string(p.get("content")) for p in parts if isinstance(p, dict))
                edit = {**edit, "diff": text}  # noqa: PLW2901
            changes += _edit(edit, name)
    return changes


def _write(arguments: Arguments, _name: str) -> list[FileChange]:
    path, content = argument(arguments, "path"), argument(arguments, "content")
    if not isinstance(path, str):
        return []
    if isinstance(content, (dict, list)):  # a JSON file's content that came as JSON
        return [Drift((path,), Carrier.WRITE)]
    return [Shown(path, content, Carrier.WRITE, whole=True)] if isinstance(content, str) else []


def _write_or_edit(arguments: Arguments, name: str) -> list[FileChange]:
    """A write, unless the call brings an old text too."""
    if argument(arguments, "old") is not None or argument(arguments, "edits") is not None:
        return _edit(arguments, name)
    return _write(arguments, name) or (_edit(arguments, name) if argument(arguments, "new") is not None else [])


def _patch(arguments: Arguments, name: str) -> list[FileChange]:
    text, operation = argument(arguments, "patch"), string(arguments.get("type"))
    if operation.endswith("_file"):
        return parse_operation(operation, string(arguments.get("path")), string(arguments.get("diff")))
    if not isinstance(text, str):
        return []
    if is_patch(text):
        return parse_patch(text)
    path = argument(arguments, "path")
    return parse_diff(text, Carrier.PATCH, path=path if isinstance(path, str) else None)


def _delete(arguments: Arguments, _name: str) -> list[FileChange]:
    given = arguments.get("paths") or argument(arguments, "path")
    paths = given if isinstance(given, list) else [given]
    return [Removal(path, Carrier.TOOL_EDIT, tree=True) for path in paths if isinstance(path, str)]


def _move(arguments: Arguments, _name: str) -> list[FileChange]:
    source, to = argument(arguments, "source"), argument(arguments, "destination")
    known = isinstance(source, str) and isinstance(to, str)
    return [Transfer(source, to, Carrier.TOOL_EDIT)] if known else []


def _lazy(arguments: Arguments, name: str) -> list[FileChange]:
    """A call whose text another model merges into the file: what comes out is not known."""
    if argument(arguments, "old") is not None or argument(arguments, "edits") is not None:
        return _edit(arguments, name)
    path = argument(arguments, "path")
    return [Drift((path,), Carrier.TOOL_EDIT)] if isinstance(path, str) else []


_MAKERS: dict[str, Callable[[Arguments, str], list[FileChange]]] = {
    "write": _write_or_edit,
    "edit": _edit,
    "patch": _patch,
    "delete": _delete,
    "move": _move,
    "lazy": _lazy,
    "insert": _insert_content,
    "drift": _lazy,
}
