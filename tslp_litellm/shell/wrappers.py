"""Programs that run others (`env`, `sudo`, `timeout`, …): what runs then, and in which folder.

Only options that are known tell where the other program begins and where it runs. Behind any other one it may be the
next word or the one after it, in any folder, and what such an option is given may be a script or a file to write.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from tslp_litellm.shell.builtins import BUILTINS
from tslp_litellm.shell.commands import Wrapper, has
from tslp_litellm.shell.evaluation import EITHER, ZERO
from tslp_litellm.shell.expansion import Field
from tslp_litellm.shell.naming import names_files
from tslp_litellm.shell.rows import everything
from tslp_litellm.shell.simple import Call, Result
from tslp_litellm.shell.state import Shell
from tslp_litellm.shell.targets import UNKNOWN

_TWINS = frozenset({"echo", "printf", "test", "[", "true", "false", "pwd", "kill"})
"""Builtins that are programs, too; only those can be run by other programs."""
_SHELLS_OWN = frozenset({"command", "builtin", "noglob", "nocorrect"})
_OPTION = re.compile(r"\A(?:-|\w++=)")
_NUMBER = re.compile(r"-\d+")
Execute = Callable[[Call], Result]


@dataclass(slots=True)
class _Options:
    """What the options of a wrapper say. `at`: where the words behind them begin; `module`: that they name one."""

    at: int
    shell: Shell
    module: bool = False
    asked: bool = False
    known: bool = True


def wrapping(call: Call, wrapper: Wrapper, named: int, execute: Execute) -> Result:
    """Run a program that runs another. `named`: how many words name it."""
    within = call.name in _SHELLS_OWN
    shell = call.shell if within else call.shell.copy()
    shell.functions = shell.functions if within else {}
    options = _options(replace(call, shell=shell), wrapper, named - 1)
    if not options.known:
        return _doubtful(call, options.at, execute)
    at = options.at + wrapper.takes
    if at >= len(call.arguments) or options.asked:
        return Result(EITHER, None)
    if call.arguments[at].text is None:
        return everything(call)
    inner = replace(call, shell=shell).without(at)
    if options.module:
        inner = replace(call, name="python", arguments=(Field(("-m",)), *call.arguments[at:]), shell=shell)
    if wrapper.limits and call.run.status(call.shell, call.point) is not ZERO:
        call.run.unsteady()
        inner = replace(inner, point=inner.point.maybe())
    if not within and inner.name in BUILTINS and inner.name not in _TWINS:
        return Result(call.run.status(call.shell, call.point), None)
    result = execute(inner)
    call.shell.doubt |= shell.doubt
    return result


def _options(call: Call, wrapper: Wrapper, at: int) -> _Options:
    found = _Options(at, call.shell)
    while found.at < len(call.arguments) and not found.module:
        text = call.texts[found.at]
        if text is None or not _OPTION.match(text):
            found.known = text is not None
            return found
        if text == "--":
            found.at += 1
            return found
        if not text.startswith("-") or _is_flag(wrapper, text):
            found.at += 1
            found.asked |= call.name in _SHELLS_OWN and text in ("-v", "-V")
        elif text in wrapper.modules:
            found.module = True
            found.at += 1
        elif not _takes(call, wrapper, text, found):
            found.known = False
            return found
    return found


def _is_flag(wrapper: Wrapper, text: str) -> bool:
    name, equals, _ = text.partition("=")
    if text in wrapper.flags or (equals and name in wrapper.flags | wrapper.values):
        return True
    letters = {"-" + letter for letter in text[1:]}
    return _NUMBER.fullmatch(text) is not None or (not text.startswith("--") and letters <= wrapper.flags)


def _takes(call: Call, wrapper: Wrapper, text: str, found: _Options) -> bool:
    """An option with a value of its own; False where it is none that is known."""
    name, equals, value = text.partition("=")
    if text in wrapper.values:
        found.at += 2
    elif text in wrapper.folders and found.at + 1 < len(call.arguments):
        _enter(call, call.arguments[found.at + 1])
        found.at += 2
    elif equals and name in wrapper.folders:
        _enter(call, Field((value,)))
        found.at += 1
    elif any(len(o) == 2 and has(o, text[:2]) for o in wrapper.values) and not text.startswith("--"):
        found.at += 1
    elif (short := text[:2]) in wrapper.folders and not text.startswith("--"):
        _enter(call, Field((text[len(short) :],)))
        found.at += 1
    else:
        return False
    return True


def _enter(call: Call, folder: Field) -> None:
    call.shell.folder = call.shell.folder.entered(call.target(folder))


def _doubtful(call: Call, at: int, execute: Execute) -> Result:
    """What may run behind an option that nobody knows, in a folder that nobody knows."""
    option = call.texts[at]
    if option is None:
        return everything(call)
    value = Field((option.partition("=")[2] if option.startswith("--") else option[2:],))
    call.run.unsteady()
    for first in (value, *call.arguments[at + 1 : at + 3]):
        shell = call.shell.copy()
        shell.folder, shell.functions = UNKNOWN, {}
        own = replace(call, shell=shell, point=call.point.maybe().hidden())
        if first.text is None:
            return everything(call)
        if re.search(r"\s", first.text):
            own.run.script(first.text, shell, own.point)
            continue
        own.dirty([first] if names_files(first.text) else [])
        if first is not value and not _OPTION.match(first.text):
            execute(own.without(call.arguments.index(first, at + 1)))
    return Result(EITHER, None)
