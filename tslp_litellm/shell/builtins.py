"""The shell's own commands: they change the shell and touch no file (bash manual, 4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from tslp_litellm.shell.certainty import Outcome, Status
from tslp_litellm.shell.effects import Ran
from tslp_litellm.shell.evaluation import EITHER, NEVER, NONZERO, ZERO
from tslp_litellm.shell.expansion import ANYTHING, Field
from tslp_litellm.shell.simple import Call, Result
from tslp_litellm.shell.targets import UNKNOWN

_PRINTF = re.compile(r"(%%)|(%s)|\\([nt\\])|([^%\\]+)")
_PRINTF_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\"}
_NAME = re.compile(r"([A-Za-z_]\w*)(\+?=)?", re.A)
_SET_FLAGS = frozenset("euxvfhmbETaC")
_SET_NAMES = frozenset(
    {"errexit", "nounset", "pipefail", "xtrace", "verbose", "noglob", "errtrace", "functrace", "allexport"}
)
_SHOPT_NAMES = frozenset({"nullglob", "dotglob", "extglob", "globstar", "nocaseglob", "checkwinsize", "histappend"})
_KEEPS_FOLDER = re.compile(
    r"\A(?:.*/)?(?:activate|\.env(?:\.\w+)?|env|\.(?:bash|zsh)rc|\.(?:bash_|z)?profile|nvm\.sh|\.envrc)"
)


def _enter(call: Call, argument: Field) -> Status:
    """Go to a folder, or not."""
    shell = call.shell
    expected = call.point.foreseen and not call.point.shown  # `cd there || …`: its writer thinks that it may fail
    unstated = call.run.outcome is not Outcome.SUCCESS
    status = EITHER if expected and unstated else call.status(argument)
    to = shell.folder.entered(call.target(argument))
    shell.failing = None if status is ZERO else shell.folder
    shell.before, shell.folder = shell.folder, to
    return status


def _cd(call: Call) -> Result:
    shell = call.shell
    arguments = [a for a in call.arguments if a.text not in ("--", "-L", "-P")]
    if len(arguments) == 1 and arguments[0].text == "-":
        shell.folder, shell.before = shell.before, shell.folder
        return Result(call.run.status(shell, call.point), None)
    if len(arguments) != 1 or arguments[0].many:
        shell.folder = shell.before = UNKNOWN
        return Result(call.run.status(shell, call.point))
    return Result(_enter(call, arguments[0]))


def _echo(call: Call) -> Result:
    texts = [text for text in call.texts if text is not None]
    said = " ".join(texts)
    if len(texts) < len(call.texts) or "\\" in said or (said.startswith("-") and texts[0] != "-n"):
        return Result(ZERO, None)
    if texts[:1] == ["-n"]:
        return Result(ZERO, None if said.startswith("-n -") else said[3:])
    return Result(ZERO, said + "\n")


def _printf(call: Call) -> Result:
    texts = call.texts
    if texts[:1] == ("-v",) and len(texts) > 1:
        call.shell.assign(texts[1] or "_", ANYTHING)
        return Result(EITHER)
    if not texts or None in texts or (texts[0] or "").startswith("-"):
        return Result(EITHER, None)
    form, *rest = (text or "" for text in texts)
    pieces = list(_PRINTF.finditer(form))
    if "".join(piece.group() for piece in pieces) != form:
        return Result(EITHER, None)
    wanted = sum(bool(piece[2]) for piece in pieces)
    found: list[str] = []
    while True:
        for piece in pieces:
            own = (rest.pop(0) if rest else "") if piece[2] else "%" if piece[1] else ""
            found.append(own or _PRINTF_ESCAPES.get(piece[3] or "", "") or piece[4] or "")
        if not rest or not wanted:
            return Result(ZERO, "".join(found))


def _exit(call: Call) -> Result:
    code = call.texts[0] if call.arguments else None
    call.run.exit(call.shell, failed=bool(code and code.isdecimal() and int(code[:6]) % 256))
    return Result(EITHER)


def _return(call: Call) -> Result:
    call.shell.doubt = True
    return Result(EITHER)


def _break(call: Call) -> Result:
    call.shell.leave_round(replace(call.shell.copy(), left=None))
    call.shell.doubt |= bool(call.arguments)
    return Result(EITHER)


def _elsewhere(call: Call) -> Result:
    call.shell.folder = call.shell.before = UNKNOWN
    return Result(EITHER, None)


def _exec(call: Call) -> Result:
    if call.arguments and (call.texts[0] or "-").startswith("-"):
        return _uncertain(call)
    result: Result = (
        call.run.execute(replace(call.without(0), shell=call.shell.copy())) if call.arguments else Result(ZERO)
    )
    call.shell.leave(NEVER)
    return result


def _eval(call: Call) -> Result:
    if None in call.texts:
        return _uncertain(call)
    return Result(call.run.script(" ".join(text or "" for text in call.texts), call.shell, call.point))


def _source(call: Call) -> Result:
    shell = call.shell
    if not call.arguments:
        return Result(NONZERO)
    call.run.emit(Ran((call.target(call.arguments[0]),), shell.folder.path), shell, call.point)
    folder = shell.folder if _KEEPS_FOLDER.fullmatch(call.texts[0] or "") else UNKNOWN
    shell.forget()
    shell.folder = folder
    call.run.abort(shell, call.point)
    return Result(EITHER, None)


def _declare(call: Call) -> Result:
    options = "".join(text[1:] for text in call.texts if text is not None and text.startswith("-"))
    for argument in call.arguments:
        first = argument.parts[0] if isinstance(argument.parts[0], str) else ""
        match = _NAME.match(first)
        if first.startswith("-") or match is None:
            continue
        plain = match[2] == "=" and not set(options) - set("xg")
        value = (first[match.end() :], *argument.parts[1:]) if plain else ANYTHING
        call.shell.assign(match[1], value if not argument.many else ANYTHING)
    call.shell.doubt |= call.name == "readonly" or bool(set(options) & set("nr"))
    if any(not isinstance(argument.parts[0], str) for argument in call.arguments):
        call.shell.variables = {}
    return Result(call.run.status(call.shell, call.point), None if "p" in options or not call.arguments else "")


def _set(call: Call) -> Result:
    shell, texts = call.shell, list(call.texts)
    while texts:
        word = texts.pop(0)
        if word is None or (word[:1] not in ("-", "+") and word):
            shell.positional = None
            shell.doubt |= word is None
            return Result(ZERO)
        if word in ("--", "-"):
            shell.positional = None
            return Result(ZERO)
        on = word.startswith("-")
        flags = word[1:]
        if "o" in flags:
            _option(call, texts.pop(0) if texts else "", on)
        shell.doubt |= not set(flags) <= _SET_FLAGS | {"o"}
        shell.errexit = on if "e" in flags else shell.errexit
        shell.nounset = on if "u" in flags else shell.nounset
    return Result(ZERO)


def _option(call: Call, name: str | None, on: bool) -> None:
    call.shell.doubt |= name not in _SET_NAMES
    if name in ("errexit", "nounset", "pipefail"):
        setattr(call.shell, name, on)


def _shopt(call: Call) -> Result:
    names = [text for text in call.texts if text is None or not text.startswith("-")]
    call.shell.doubt |= any(name not in _SHOPT_NAMES for name in names)
    return Result(EITHER, None)


def _unset(call: Call) -> Result:
    for text in call.texts:
        if text is None:
            call.shell.variables, call.shell.doubt = {}, True
        elif not text.startswith("-"):
            call.shell.assign(text, ANYTHING)
            if "-v" not in call.texts and call.shell.functions.pop(text, None) and "-f" not in call.texts:
                call.shell.functions[text] = None
    return Result(ZERO)


def _read(call: Call) -> Result:
    """Commands that give parameters values that are not known."""
    for text in call.texts:
        match = _NAME.match(text or "")
        if match:
            call.shell.assign(match[1], ANYTHING)
        elif text is None:
            call.shell.variables = {}
    return Result(call.run.status(call.shell, call.point))


def _trap(call: Call) -> Result:
    if not call.arguments or call.texts[0] in ("-", "", "-p", "-l", "--"):
        return Result(ZERO, None)
    call.shell.trapped = True
    script, own = call.texts[0], call.shell.copy()
    own.forget()
    point = call.point.maybe().hidden()
    call.run.beside(lambda: call.run.anything(own, point) if script is None else call.run.script(script, own, point))
    return Result(ZERO)


def _shift(call: Call) -> Result:
    call.shell.positional = None
    return Result(EITHER)


def _uncertain(call: Call) -> Result:
    """Something whose consequences are not followed."""
    call.run.anything(call.shell, call.point)
    call.shell.doubt = True
    return Result(EITHER, None)


def _doubtful(call: Call) -> Result:
    """Something after which commands may mean something else."""
    call.shell.doubt |= bool(call.arguments)
    call.shell.renamed |= bool(call.arguments) and call.name in ("alias", "enable")
    return Result(EITHER, None)


def _tested(call: Call) -> Result:
    return Result(call.run.status(call.shell, call.point))


def _always(status: Status, printed: str | None = "") -> Callable[[Call], Result]:
    return lambda _: Result(status, printed)


BUILTINS: dict[str, Callable[[Call], Result]] = {
    "cd": _cd,
    "chdir": _cd,
    "pushd": _elsewhere,
    "popd": _elsewhere,
    "echo": _echo,
    "printf": _printf,
    "exit": _exit,
    "return": _return,
    "break": _break,
    "continue": _break,
    "exec": _exec,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "export": _declare,
    "declare": _declare,
    "typeset": _declare,
    "local": _declare,
    "readonly": _declare,
    "set": _set,
    "shopt": _shopt,
    "unset": _unset,
    "read": _read,
    "mapfile": _read,
    "readarray": _read,
    "getopts": _read,
    "let": _read,
    "trap": _trap,
    "shift": _shift,
    "alias": _doubtful,
    "unalias": _doubtful,
    "enable": _doubtful,
    "ulimit": _doubtful,
    "kill": _doubtful,
    "setopt": _doubtful,
    "unsetopt": _doubtful,
    "emulate": _doubtful,
    "test": _tested,
    "[": _tested,
    ":": _always(ZERO),
    "true": _always(ZERO),
    "false": _always(NONZERO),
    "wait": _always(EITHER),
    "pwd": _always(ZERO, None),
    "type": _always(EITHER, None),
    "hash": _always(EITHER, None),
    "jobs": _always(EITHER, None),
    "umask": _always(EITHER, None),
    "dirs": _always(EITHER, None),
    "times": _always(EITHER, None),
    "history": _always(EITHER, None),
    "disown": _always(EITHER),
}
