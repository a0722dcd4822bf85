"""Programs: what they do to the files that they are given, by handlers for the usual ones and by the table for others.

A program that nobody knows may have changed what it was given by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from tslp_litellm.shell import commands
from tslp_litellm.shell.builtins import BUILTINS
from tslp_litellm.shell.certainty import Outcome, Status
from tslp_litellm.shell.commands import Interpreter, Wrapper, has
from tslp_litellm.shell.containers import ENGINES, contained
from tslp_litellm.shell.downloads import DOWNLOADERS, download
from tslp_litellm.shell.effects import Dirtied, Patched, Ran
from tslp_litellm.shell.evaluation import EITHER, SURE, ZERO
from tslp_litellm.shell.expansion import UNKNOWN, Field
from tslp_litellm.shell.files import FILES
from tslp_litellm.shell.git import git, pre_commit
from tslp_litellm.shell.naming import names_files, quoted_in, said_in
from tslp_litellm.shell.rows import by_table, everything, mentioned, unknown
from tslp_litellm.shell.simple import Call, Result
from tslp_litellm.shell.state import Shell
from tslp_litellm.shell.targets import ANYWHERE, At, Folder, Like, Target

_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "rbash"})
_BEGIN = "*** Begin Patch"
_TWINS = frozenset({"echo", "printf", "test", "[", "true", "false", "pwd", "kill"})
"""Builtins that are programs, too; only those can be run by other programs."""
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.*\S)", re.M)
_OPENS = re.compile(r"(?<!\.)\bopen\s*+\((?![^(),\n]{0,300}\))|\.\s{0,20}open\s*+\((?!\s*+\))|exec|eval|\$|`|>")
"""What may open a file to be written: all but `open(a_name)` and the method without an argument."""
_OPENS_BARE = re.compile(r"\bopen\b|exec|eval|`|(?<![-=])>")
_STRING = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|(?:\b[ms]|(?<![\w)\]]))/[^/\n]*/(?:[^/\n]*/)?\w*|[$@%]\w+")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w:]*")
_MODULE = re.compile(r"[A-Za-z_][\w:/]*")
_CALLED = re.compile(r"(?<!\w)[^\WA-Za-z_]*+([A-Za-z_]\w*+)\s*+\(")
_WRITES = re.compile(
    r"writ|append|remove|unlink|rename|replace|delete|copy|move|save|dump|truncate|system|exec|spawn|[>`]"
)
_SED_WRITES = re.compile(r"(?:^|[\s;{}/,0-9$gpIiMme])[wWe]\s*[^\s;{}]")
_AWK_WRITES = re.compile(r">|system|\|")
TARGETS_MAX = 200


def execute(call: Call) -> Result:
    """Run a program or a builtin."""
    if (builtin := BUILTINS.get(call.name)) is not None:
        return builtin(call)
    name = call.name.rpartition("/")[2]
    first = call.texts[0] if call.arguments else None
    if (wrapped := commands.wrapper_of(name, first)) is not None:
        return _wrapped(replace(call, name=name), *wrapped)
    if (handler := _HANDLERS.get(name) or FILES.get(name)) is not None:
        return handler(replace(call, name=name))
    call.run.unsteady()
    if name in DOWNLOADERS:
        download(replace(call, name=name))
    if name in ENGINES and (result := contained(replace(call, name=name), execute)) is not None:
        return result
    if "/" in call.name:
        _ran(call, Field((call.name,)))
    known = commands.row_of(name, [text for text in call.texts if text is None or not text.startswith("-")])
    if (interpreter := commands.interpreter_of(name)) is not None and not (known is not None and known[1]):
        return _interpreted(replace(call, name=name), interpreter)
    return by_table(replace(call, name=name))


def _ran(call: Call, script: Field) -> None:
    call.run.emit(Ran((call.target(script),), call.shell.folder.path), call.shell, call.point)


# -- programs that run others


def _wrapped(call: Call, wrapper: Wrapper, named: int) -> Result:
    arguments, at = call.arguments, named - 1
    within = call.name in ("command", "builtin")
    while at < len(arguments) and ((text := arguments[at].text) is None or re.match(r"-|\w+=", text)):
        if text is None:
            return everything(call)
        if text == "--":
            at += 1
            break
        if within and text in ("-v", "-V"):
            return Result(EITHER, None)
        at += 2 if text in wrapper.values else 1
    at += wrapper.takes
    if at >= len(arguments):
        return Result(EITHER, None)
    shell = call.shell if within else call.shell.copy()
    shell.functions = shell.functions if within else {}
    inner = replace(call, shell=shell).without(at)
    if arguments[at].text is None:
        return everything(call)
    if wrapper.limits and call.run.status(call.shell, call.point) is not ZERO:
        call.run.unsteady()
        inner = replace(inner, point=inner.point.maybe())
    if not within and inner.name in BUILTINS and inner.name not in _TWINS:
        return Result(call.run.status(call.shell, call.point), None)
    result = execute(inner)
    call.shell.doubt |= shell.doubt
    return result


def _xargs(call: Call) -> Result:
    at = 0
    while at < len(call.arguments) and (text := call.texts[at]) is not None and text.startswith("-"):
        at += 2 if text in ("-n", "-P", "-I", "-L", "-d", "-E", "-s", "-a", "-i") else 1
    if at >= len(call.arguments):
        return Result(EITHER, None)
    given = call.without(at)
    point = replace(call.point.maybe().hidden(), given=None)
    arguments = tuple(UNKNOWN if "{}" in (a.text or "") else a for a in given.arguments)
    execute(replace(given, arguments=(*arguments, UNKNOWN), point=point, shell=call.shell.copy()))
    return Result(call.run.status(call.shell, call.point), None)


def _find(call: Call) -> Result:
    texts = call.texts
    start = next((n for n, text in enumerate(texts) if text is None or text[:1] in "-(!"), len(texts))
    roots = call.arguments[:start] or (Field((".",)),)
    names = _names(texts[start:])
    found = [_found(call.target(root), name) for root in roots for name in names]
    for n, text in enumerate(texts):
        if text == "-delete":
            call.run.dirty(found, call.shell, call.point)
        elif text in ("-fprint", "-fprintf", "-fls", "-fprint0"):
            call.dirty(call.arguments[n + 1 : n + 2])
        elif text in ("-exec", "-execdir", "-ok", "-okdir"):
            _each(call, n + 1, found)
    if any(text is None for text in texts[start:]):
        call.run.dirty(found, call.shell, call.point)
    return Result(call.run.status(call.shell, call.point), None)


def _names(texts: Sequence[str | None]) -> Sequence[str]:
    """The names that `find` looks for, one of which all have that it finds; `*` where any may do."""
    found: list[str] = []
    ways = " ".join("<>" if text is None or re.search(r"\s", text) else text for text in texts).split(" -o ")
    for way in ways:
        names = re.findall(r"(?<!\S)-(?:name |iname (?=\*))([\w.\-*?]+)(?!\S)", way)
        if not (names or way.endswith("-prune")) or {"!", "-not", "-or", ","} & set(way.split()):
            return ["*"]
        found += names[:1] if not way.endswith("-prune") else []
    return found or ["*"]


def _found(root: Target, name: str) -> Target:
    """The files of a name that `find` finds below a folder, and what is below those."""
    if not isinstance(root, At):
        return ANYWHERE
    return Like("" if root.path == "." else root.path, "**" + name.lstrip("*"))


def _each(call: Call, at: int, found: list[Target]) -> None:
    """`-exec`: the command, on what is found."""
    end = next((n for n in range(at, len(call.texts)) if call.texts[n] in (";", "+")), len(call.texts))
    words = tuple(UNKNOWN if "{}" in (a.text or "{}") else a for a in call.arguments[at:end])
    before = len(call.run.effects)
    if words and words[0].text is not None:
        inner = replace(call, name=words[0].text, arguments=words[1:], shell=call.shell.copy())
        found = [*found, ANYWHERE] if words[0].text.rpartition("/")[2] in _SHELLS else found  # names are made there
        execute(replace(inner, point=call.point.maybe().hidden()))
    elif words:
        call.run.anything(call.shell.copy(), call.point)
    if len(call.run.effects) > before:
        call.run.effects[before:] = [
            Dirtied((*found, *(t for t in effect.targets if t != ANYWHERE))) if isinstance(effect, Dirtied) else effect
            for effect in call.run.effects[before:]
        ]


def _shell(call: Call) -> Result:
    """`bash`: a script as an argument, from a file, or on standard input."""
    arguments, at, command = call.arguments, 0, False
    shell = Shell(folder=call.shell.folder, exits=call.run.shows(call.shell, call.point), made=call.shell.made)
    while at < len(arguments) and (text := arguments[at].text) is not None and re.match(r"[-+]\w|--", text):
        if text.startswith("--"):
            at += 2 if text in ("--rcfile", "--init-file") else 1
            continue
        command |= "c" in text
        shell.errexit |= "e" in text
        shell.nounset |= "u" in text
        if "o" in text:
            at += 1
            shell.pipefail |= at < len(arguments) and arguments[at].text == "pipefail"
        at += 1
    rest = arguments[at:]
    if command:
        return _child_script(call, rest[0].text if rest else "", rest[2:], shell)
    if rest:
        _ran(call, rest[0])
        call.run.unsteady()
        return unknown(replace(call, arguments=rest[1:]))
    return _child_script(call, call.point.given, (), shell)


def _child_script(call: Call, script: str | None, positional: Sequence[Field], shell: Shell) -> Result:
    texts = [field.text for field in positional]
    shell.positional = None if None in texts else tuple(text or "" for text in texts)
    if script is None:
        return everything(call)
    point = call.point if call.shell.reached is SURE else call.point.maybe()
    status = call.run.script(script, shell, point)
    return Result(call.run.ended(shell, status, call.shell, call.point))


# -- interpreters


def _edits_in_place(call: Call) -> bool:
    return call.name in ("perl", "ruby") and any(t is not None and re.match(r"-[a-zA-Z0]*i", t) for t in call.texts)


def _interpreted(call: Call, interpreter: Interpreter) -> Result:
    bare_calls = interpreter.bare_calls
    if _edits_in_place(call):
        bare_calls = False  # a program for each line of what it is given
        call.dirty([argument for argument in call.arguments if not (argument.text or "").startswith("-")])
    arguments = list(call.arguments)
    while arguments and (text := arguments[0].text) is not None and (text.startswith("-") or text in interpreter.words):
        if any(_gives_code(option, text) for option in interpreter.code):
            code = text.partition("=")[2] if text.startswith("--") and "=" in text else None
            code = code if code is not None else arguments[1].text if len(arguments) > 1 else ""
            if interpreter.commands:
                return _foreign(call, arguments[1:])
            return _coded(call, code, arguments[2:], bare_calls=bare_calls)
        if interpreter.modules and text == "-m" and len(arguments) > 1:
            return _module(call, arguments[1:])
        if text == "-":
            return _coded(call, call.point.given, arguments[1:], bare_calls=bare_calls)
        arguments = arguments[2:] if text in interpreter.values else arguments[1:]
    if not arguments:
        given = call.point.given
        return _coded(call, given, [], bare_calls=bare_calls) if not call.arguments else Result(EITHER, None)
    script, *rest = arguments
    if interpreter.parts:
        return _program(call, script, rest)
    _ran(call, script)
    return unknown(replace(call, arguments=tuple(rest)))


def _program(call: Call, script: Field, rest: list[Field]) -> Result:
    """A program of some source files, or of a folder, and what it is given."""
    kind = re.search(r"\.\w+\Z", script.ending)
    while kind and rest and rest[0].ending.endswith(kind[0]):
        rest.pop(0)
    if script.text is not None or not kind:
        _ran(call, script)
    return unknown(replace(call, arguments=tuple(rest)))


_OF_WINDOWS = frozenset(["cmd", "pwsh", "powershell"])
_BARE = re.compile(r"\bcmd(?:\.exe)? /[cCkK] (?![\"'])([^\"'\n&|;]+)")
"""Words for another shell without quotation marks, whose backslashes are no escapes."""


def _foreign(call: Call, words: Sequence[Field]) -> Result:
    """Commands for another kind of shell: read as ours, and never sure."""
    texts = [word.text for word in words]
    script = None if None in texts else " ".join(text or "" for text in texts)
    if call.name in _OF_WINDOWS:
        bare = _BARE.findall(call.run.script_text)
        script = bare[0].replace("\\", "/") if len(bare) == 1 else script and script.replace("\\", "/")
    shell = Shell(folder=call.shell.folder, made=call.shell.made)
    return _child_script(replace(call, point=call.point.maybe()), script, (), shell)


def _gives_code(option: str, text: str) -> bool:
    """Whether a word is an option that code follows, alone or behind others that take no value."""
    if text == option or text.startswith(option + "="):
        return True
    return len(option) == 2 and re.fullmatch(rf"-[^\WMmI_]*{option[1]}", text) is not None


def _module(call: Call, arguments: list[Field]) -> Result:
    """`python -m name`: a known program, or a module that may be a tracked one."""
    name = arguments[0].text
    if name is None:
        return everything(call)
    if commands.row_of(name, ()) or commands.wrapper_of(name, None):
        return execute(replace(call, name=name, arguments=tuple(arguments[1:])))
    path = name.replace(".", "/")
    for script in (f"{path}.py", f"{path}/__main__.py"):
        _ran(call, Field((script,)))
    return unknown(replace(call, arguments=tuple(arguments[1:])))


def _coded(call: Call, code: str | None, arguments: Sequence[Field], *, bare_calls: bool = False) -> Result:
    """A program in another language: it changes what it names, unless all that it calls is known to read."""
    if code is None:
        return everything(call)
    known = commands.tables()
    called = set((_IDENTIFIER.findall(_QUOTED.sub(" ", code))) if bare_calls else _CALLED.findall(code))
    if called <= known.calls_that_read and not (_OPENS_BARE if bare_calls else _OPENS).search(code):
        return Result(EITHER, None)
    found = mentioned(call, code, apart="chdir" in code)
    call.dirty(arguments if isinstance(arguments, list) else list(arguments))
    reaches = not known.reaching.isdisjoint(_MODULE.findall(code))
    named = " ".join(_STRING.findall(code)) if bare_calls else code
    if (bare_calls or reaches or _WRITES.search(code)) and not names_files(named):
        return everything(call)
    call.run.dirty([*found, *quoted_in(code), *said_in(call.run.heed())], call.shell, call.point)
    return Result(call.run.status(call.shell, call.point), None)


# -- editors of streams


def _sed(call: Call) -> Result:
    texts = call.texts
    in_place = any(text is not None and re.match(r"-[nErszl]*i|--in-place", text) for text in texts)
    scripts, operands, at = list[str | None](), list[Field](), 0
    given = any(text is not None and re.match(r"-[nErszi]*[ef]|--(?:expression|file)", text) for text in texts)
    while at < len(texts):
        text = texts[at]
        if text is not None and re.fullmatch(r"-[nErsz]*[ef]|--expression|--file", text) and at + 1 < len(texts):
            at += 1
            scripts.append(texts[at])
        elif text is None or not text.startswith("-"):
            operands.append(call.arguments[at])
        at += 1
    operands = [operand for operand in operands if operand.text != ""]
    if not given and operands:
        scripts.append(operands.pop(0).text)
    for script in scripts:
        if script is None or _SED_WRITES.search(script):
            call.run.dirty(mentioned(call, script or ""), call.shell, call.point)
    if in_place:
        call.dirty(operands)
    return Result(call.status(*operands), None)


def _awk(call: Call) -> Result:
    texts = call.texts
    if "-i" in texts or "--include" in texts or any(text is None or text == "-f" for text in texts[:1]):
        call.dirty(call.arguments)
    for text in texts:
        if text is not None and _AWK_WRITES.search(text) and ("{" in text or "(" in text):
            found = mentioned(call, text)
            dynamic = re.search(r"print[^;}\n]*>\s*(?![\s\"\d])|system|\|", text)
            call.run.dirty([ANYWHERE] if dynamic else found, call.shell, call.point)
    return Result(call.run.status(call.shell, call.point), None)


def _patch_text(call: Call) -> Result:
    """`apply_patch`: a V4A patch, whole or not at all."""
    text = call.point.given or next((text for text in call.texts if text), None)
    if text is None:
        return everything(call)
    status = call.run.status(call.shell, call.point)
    folder = call.shell.folder
    if call.run.outcome is Outcome.FAILURE and _is_refused(call):
        return Result(Status.NONZERO, None)
    if status is ZERO and folder.path is not None and call.run.sure(call.shell, call.point):
        call.run.emit(Patched(text, folder.path), call.shell, call.point)
    else:
        named = [folder.at(path) for path in _PATCHED.findall(text)[:TARGETS_MAX]]
        call.run.dirty(named or [ANYWHERE], call.shell, call.point)
    return Result(status, None)


def _is_refused(call: Call) -> bool:
    """Whether the output says that the patch was not applied; there must be no other patch that it could mean."""
    said = call.run.output.text or ""
    return call.run.script_text.count(_BEGIN) == 1 and any(words in said for words in commands.tables().patch_refused)


def _patch(call: Call) -> Result:
    """`patch`: with `-d` it names its files as seen from another folder."""
    apart = any(text is None or has("-d", text) or has("--directory", text) for text in call.texts)
    shell = call.shell.copy()
    shell.folder = Folder(None) if apart else shell.folder
    call.run.unsteady()
    return by_table(replace(call, shell=shell))


_HANDLERS: dict[str, Callable[[Call], Result]] = {
    **dict.fromkeys(_SHELLS, _shell),
    "xargs": _xargs,
    "parallel": _xargs,
    "find": _find,
    "sed": _sed,
    "gsed": _sed,
    "awk": _awk,
    "gawk": _awk,
    "mawk": _awk,
    "apply_patch": _patch_text,
    "applypatch": _patch_text,
    "git": git,
    "patch": _patch,
    "pre-commit": pre_commit,
}
