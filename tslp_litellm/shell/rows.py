"""Programs that a row of the table knows (`data/shell.json`), and those that none does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from tslp_litellm.shell import commands
from tslp_litellm.shell.commands import Does, Row, has
from tslp_litellm.shell.effects import Formatted, Ran
from tslp_litellm.shell.evaluation import EITHER, Out
from tslp_litellm.shell.expansion import Field
from tslp_litellm.shell.naming import named_in, said_in
from tslp_litellm.shell.simple import Call, Result
from tslp_litellm.shell.targets import ANYWHERE, UNKNOWN, At, Folder, Like, Target

LINES_MAX = 5000


def mentioned(call: Call, text: str, *, apart: bool = False) -> list[Target]:
    """The files that a text names; `apart`: seen from a folder that is not known."""
    return named_in(text, Folder(None) if apart else call.shell.folder)


def by_table(call: Call) -> Result:
    """Run a program as its row says; one without a row may have changed what it is given by name."""
    plain = [text for text in call.texts if text is None or not text.startswith("-")]
    found = commands.row_of(call.name, plain)
    if found is None:
        return unknown(call)
    row, named = found
    options = [text for text in call.texts if text is not None and text.startswith("-")]
    operands = _operands(call, row, named)
    _outputs(call, row)
    if row.writes_from:
        call.dirty(operands[row.writes_from - 1 :])
    reads = any(word == o or word.startswith(o + "=") for o in row.reads_with for word in options)
    if row.recipes:
        _follow(call, row, plain)
    reads |= bool(row.harmless) and all(re.fullmatch(row.harmless, w) for t in plain for w in (t or "?").split(","))
    needed = not row.needs or any(has(o, w) for o in row.needs for w in options)
    if row.does is not Does.READS and not reads and needed:
        _DOING[row.does](call, row, operands)
    status = call.run.status(call.shell, call.point)
    return Result(status, None)


def _follow(call: Call, row: Row, plain: Sequence[str | None]) -> None:
    """The commands that a file holds under the names that are given."""
    names = tuple(text for text in plain if text is not None and "=" not in text)
    folder = call.shell.folder
    books = tuple(target for book in row.recipes if isinstance(target := folder.at(book), At))
    if books:
        call.run.emit(Ran(books, folder.path, names), call.shell, call.point)


def _operands(call: Call, row: Row, named: int) -> list[Field]:
    found: list[Field] = []
    arguments = list(call.arguments)
    while arguments:
        argument = arguments.pop(0)
        text = argument.text
        if text == "--":
            return found[named:] + arguments
        if text is not None and text.startswith("-"):
            if text in row.values or text in row.outputs:
                arguments = arguments[1:]
        else:
            found.append(argument)
    return found[named:]


def _outputs(call: Call, row: Row) -> None:
    """What is written by options that say so; `--output` says so for every program."""
    for n, text in enumerate(call.texts):
        if text is None or not text.startswith("-"):
            continue
        name, equals, value = text.partition("=")
        if equals and (name in row.outputs or name in ("--output", "--out", "--output-file")):
            call.run.dirty([call.shell.folder.at(value)], call.shell, call.point)
        elif any(text == o or (len(o) == 2 and has(o, text) and text.endswith(o[1])) for o in row.outputs):
            call.dirty(call.arguments[n + 1 : n + 2])
        elif short := next((o for o in row.outputs if len(o) == 2 and text.startswith(o)), None):
            call.run.dirty([call.shell.folder.at(text[len(short) :])], call.shell, call.point)


def _rewrites(call: Call, row: Row, operands: list[Field]) -> None:
    if operands:
        call.dirty(operands)
    else:
        call.run.dirty(_of_names(row.files) or [ANYWHERE], call.shell, call.point)


def _told(call: Call, row: Row) -> list[Target] | None:
    """The files that the output says it changed, if any; None where it does not tell of all that it did."""
    if not (row.says or row.idle) or not _is_heard(call, row):
        return None
    call.run.heed()
    if call.run.output.text is None:
        return None
    lines = [line.strip() for line in call.run.output.text.strip().split("\n")[:LINES_MAX]]
    lines = [line for line in lines if line] or [""]
    named = [match["path"] for line in lines for form in row.says if (match := re.match(form, line))]
    count = sum(int(match["count"]) for line in lines if row.counts and (match := re.match(row.counts, line)))
    if row.counts and count != len(named):
        return None
    if named or any(re.fullmatch(row.idle, line) for line in lines if row.idle):
        return [call.shell.folder.at(path) for path in named]
    return None


def _is_heard(call: Call, row: Row) -> bool:
    """Whether what a program says stands in the output: who cuts it short leaves a word of how many files it was."""
    if any(text in ("-q", "--quiet", "--silent") for text in call.texts):
        return False
    return (call.point.out == Out() and call.point.heard) or (call.point.out.breaks and bool(row.counts))


def _formats(call: Call, row: Row, operands: list[Field]) -> None:
    told = _told(call, row)
    targets = tuple(call.target(operand) for operand in operands) or (ANYWHERE,)
    names = tuple(name.replace("%", "*") for name in row.files)
    if told is None or told:
        call.run.emit(Formatted(row.run[0], tuple(told or targets), names), call.shell, call.point)


def _generates(call: Call, row: Row, operands: list[Field]) -> None:
    """What the output names, where it names something; else what it is known to write."""
    told = _told(call, row)
    call.run.dirty((_of_names(row.files) or [ANYWHERE]) if told is None else told, call.shell, call.point)


def _runs(call: Call, row: Row, _operands: list[Field]) -> None:
    """What words and the output name, and what such a program is known to write."""
    arguments, kept = list(call.arguments), list[Field]()
    own = {*row.values, *(word for run in row.run for word in run.split()[1:])}
    while arguments:
        argument = arguments.pop(0)
        arguments = arguments[1:] if argument.text in row.values else arguments
        kept += [argument] if argument.text not in own else []
    call.run.dirty(_of_names(row.files), call.shell, call.point)
    unknown(replace(call, arguments=tuple(kept)))


def _anything(call: Call, row: Row, _operands: list[Field]) -> None:
    """What the commands do that it says it runs, in a folder of its own; else any file may have changed."""
    lines = call.run.heed().split("\n")[:LINES_MAX] if row.echoes and call.point.out == Out() else []
    found = [match["command"] for line in lines if (match := re.fullmatch(row.echoes, line.strip()))]
    if not found or not all(_is_known(script.split()) for script in found):
        call.run.dirty([ANYWHERE], call.shell, call.point)
        return
    for script in found:
        shell = call.shell.copy()
        shell.folder, shell.functions = UNKNOWN, {}
        call.run.script(script, shell, call.point.maybe())


def _is_known(words: list[str]) -> bool:
    return bool(commands.row_of(words[0], words[1:]) or commands.wrapper_of(words[0], None))


def _of_names(names: Sequence[str]) -> list[Target]:
    return [Like(None, name.replace("%", "*")) for name in names]


_DOING: dict[Does, Callable[[Call, Row, list[Field]], None]] = {
    Does.REWRITES: _rewrites,
    Does.FORMATS: _formats,
    Does.GENERATES: _generates,
    Does.RUNS: _runs,
    Does.ANYTHING: _anything,
}


def unknown(call: Call) -> Result:
    """A program that nobody knows: it may have changed what it was given by name, and what the output names."""
    found: list[Target] = [*said_in(call.run.heed()), *mentioned(call, call.point.given or "")]
    for argument in call.arguments:
        text = argument.text
        if text is None:
            found.append(argument.target(call.shell.folder))
            continue
        if re.search(r"[\s\"'()=:;,]", text):
            found += mentioned(call, text)
        elif not text.startswith("-"):
            found.append(call.shell.folder.at(text))
        if (value := text.partition("=")[2]).strip("./"):
            found.append(call.shell.folder.at(value))
    call.run.dirty(dict.fromkeys(target for target in found if target != At(".")), call.shell, call.point)
    return Result(call.run.status(call.shell, call.point), None)


def everything(call: Call) -> Result:
    """Run something that may have changed any file, and may have been ended."""
    call.run.dirty([ANYWHERE], call.shell, call.point)
    call.run.unsteady()
    return Result(EITHER, None)
