"""Simple commands: what they are given, where their output goes, and which program they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from tslp_litellm.shell.certainty import Status
from tslp_litellm.shell.effects import Dirtied, Written, loosened
from tslp_litellm.shell.evaluation import EITHER, MAYBE, SURE, ZERO, Evaluation, Out, Point
from tslp_litellm.shell.expansion import ANYTHING, UNKNOWN, Field, known
from tslp_litellm.shell.reading import read
from tslp_litellm.shell.state import STEERING, Shell
from tslp_litellm.shell.syntax import Redirect, Redirected, Simple, Word
from tslp_litellm.shell.targets import At, Target
from tslp_litellm.shell.witnesses import Output

_READERS = frozenset({"read", "mapfile", "readarray"})
_STREAM = re.compile(r"/dev/(?:null|tty|stdout|stderr|fd/\d+)")


@dataclass(frozen=True, slots=True)
class Call:
    """A program or builtin that is called, with its arguments. `ended`: its status, where that is known already."""

    run: Evaluation
    name: str
    arguments: tuple[Field, ...]
    shell: Shell
    point: Point
    ended: Status | None = None

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The arguments, None for those that are not known."""
        return tuple(argument.text for argument in self.arguments)

    def target(self, argument: Field) -> Target:
        """The file that an argument names."""
        return argument.target(self.shell.folder)

    def dirty(self, arguments: tuple[Field, ...] | list[Field]) -> None:
        """The files that these arguments name may have changed."""
        self.run.dirty([self.target(argument) for argument in arguments], self.shell, self.point)

    def status(self, *arguments: Field) -> Status:
        """The exit status of a program that names the argument that it fails on."""
        names = [argument.text for argument in arguments]
        if self.ended is not None:
            return self.ended
        if None in names:
            return self.run.status(self.shell, self.point)
        return self.run.status(self.shell, self.point, [name for name in names if name is not None])

    def refused(self, status: Status, operands: list[Field]) -> bool:
        """Whether a program, which ran once, says that it failed on an operand: then it did nothing at all."""
        names = [operand.text for operand in operands if operand.text is not None]
        alone = len(re.findall(rf"\b{re.escape(self.name)}\b", self.run.script_text)) == 1
        if status is ZERO or not self.point.heard or not alone or len(names) < len(operands):
            return False
        told = self.run.sure(self.shell, self.point) and self.run.output.refuses(self.name, names)
        return told and read(self.run.script_text).plain

    def without(self, count: int) -> Call:
        """The call that the arguments from there on are."""
        rest = self.arguments[count:]
        return replace(self, name=(rest[0].text or "") if rest else "", arguments=rest[1:])


@dataclass(frozen=True, slots=True)
class Result:
    """An exit status, and what was printed; None where that is not known. `warnings`: at most those."""

    status: Status
    printed: str | None = ""
    warnings: bool = False


def simple(run: Evaluation, command: Simple, shell: Shell, point: Point) -> Status:
    """Evaluate a simple command."""
    words = run.fields(command.words, shell, point)
    if not words:
        return _assignments(run, command, shell, point)
    prefixes = {assignment.name: run.assigned(assignment, shell, point) for assignment in command.assignments}
    if STEERING & prefixes.keys() and words[0].text not in _READERS:
        shell.doubt = True
    for name in STEERING:
        prefixes.pop(name, None)
    before = {name: shell.variables.get(name) for name in prefixes}
    for name, value in prefixes.items():
        shell.assign(name, value)
    if len(words) == 1 and words[0].text == "exec" and command.redirects:
        return _for_good(run, command.redirects, shell, point)
    status = _redirecting(run, command.redirects, shell, point, lambda own: call(run, words, shell, own))
    for name, old in before.items():
        shell.assign(name, ANYTHING if old is None else old)
    return status


def _assignments(run: Evaluation, command: Simple, shell: Shell, point: Point) -> Status:
    def assign(own: Point) -> Status:
        for assignment in command.assignments:
            shell.assign(assignment.name, run.assigned(assignment, shell, own))
        return ZERO if not command.assignments else run.status(shell, own)

    plain = all(a.value is not None and a.value.literal is not None for a in command.assignments)
    status = _redirecting(run, command.redirects, shell, point, assign)
    return ZERO if plain and not command.redirects else status


def redirected(run: Evaluation, command: Redirected, shell: Shell, point: Point) -> Status:
    """Evaluate a compound command with redirections."""
    return _redirecting(
        run, command.redirects, shell, point, lambda own: run.evaluate(command.command, shell, own, keep=True)
    )


def call(run: Evaluation, words: list[Field], shell: Shell, point: Point) -> Status:
    """Evaluate a command by its words: a function, a builtin, a program, or something that is not known."""
    first = words[0].text if words else ""
    made = Call(run, first or "", tuple(words[1:]), shell, point)
    if first in shell.functions:
        return _function(made)
    name = first if first is not None else words[0].ending.rpartition("/")[2] if "/" in words[0].ending else None
    if name in run.output.missing and run.status(shell, point) is not ZERO:
        return Status.NONZERO  # it did not run
    result = _unknown(made) if name is None else run.execute(replace(made, name=name))
    own = point if result.status is ZERO else point.maybe()
    run.prints(result.printed, shell, own, warnings=result.warnings)
    return result.status


def _unknown(made: Call) -> Result:
    made.run.anything(made.shell, made.point)
    made.shell.doubt = True
    made.run.unsteady()
    return Result(EITHER, None)


def _function(made: Call) -> Status:
    run, shell, body = made.run, made.shell, made.shell.functions[made.name]
    if body is None:
        return _unknown(made).status
    texts = None if None in made.texts else tuple(text for text in made.texts if text is not None)
    point = made.point if shell.reached is SURE else made.point.maybe()
    positional, before = shell.positional, {**shell.variables}
    shell.positional = texts
    status = run.evaluate(body, shell, point)
    shell.positional = positional
    shell.variables = {name: value for name, value in before.items() if shell.variables.get(name) == value}
    if shell.doubt:  # it may have returned before
        shell.forget()
        return run.status(shell, made.point)
    return status


# -- redirections


def _for_good(run: Evaluation, redirects: tuple[Redirect, ...], shell: Shell, point: Point) -> Status:
    """`exec > file`: whatever is printed from here on may go there, and errors are not heard any more."""
    before = len(run.effects)
    status = _redirecting(run, redirects, shell, point, lambda _: ZERO)
    run.effects[before:] = [loosened(effect) for effect in run.effects[before:]]
    run.late += run.effects[before:]
    run.output = Output()
    return status


@dataclass(slots=True)
class _Streams:
    """A command's streams while its redirections are made, from left to right."""

    point: Point
    status: Status = ZERO


def _redirecting(
    run: Evaluation,
    redirects: tuple[Redirect, ...],
    shell: Shell,
    point: Point,
    body: Callable[[Point], Status],
) -> Status:
    """Make redirections, and evaluate what they are for."""
    if not redirects:
        return body(point)
    streams = _Streams(point)
    for redirect in redirects:
        _redirect(run, redirect, shell, streams)
        if streams.status is Status.NONZERO:
            return streams.status
    own = streams.point
    if streams.status is ZERO:
        status = body(own)
    else:
        other = shell.copy()
        status = body(replace(own, certainty=MAYBE)).joined(Status.NONZERO)
        shell.merge(other)
    return ZERO if run.status(shell, point) is ZERO else status


def _redirect(run: Evaluation, redirect: Redirect, shell: Shell, streams: _Streams) -> None:
    operator, point = redirect.operator, streams.point
    if redirect.document is not None:
        text = redirect.document.text
        given = None if text is None else known(run.single(text, shell, point))
        streams.point = replace(point, given=given if redirect.descriptor == 0 else point.given)
    elif operator == "<<<":
        said = known(run.single(redirect.target or Word(()), shell, point))
        streams.point = replace(point, given=None if said is None else said + "\n")
    elif operator in (">&", "<&") and _duplicates(redirect):
        _duplicate(redirect, streams)
    else:
        _open(run, redirect, shell, streams)


def _duplicates(redirect: Redirect) -> bool:
    name = redirect.target.literal if redirect.target is not None else None
    return name is not None and (name.isdecimal() or name.rstrip("-").isdecimal() or name == "-")


def _duplicate(redirect: Redirect, streams: _Streams) -> None:
    """`2>&1` and the like."""
    to, point = redirect.target.literal if redirect.target else None, streams.point
    if redirect.descriptor == 2:
        own_terminal = point.out == Out()
        streams.point = replace(point, heard=point.heard and (to == "2" or (to == "1" and own_terminal)))
        if to == "1" and point.out.sink is not None:
            point.out.sink.append(None)
    elif redirect.descriptor == 1 and to != "1":
        streams.point = replace(point, out=Out())
        if to != "2":
            streams.status = EITHER
    elif redirect.descriptor == 0:
        streams.point = replace(point, given=None)


def _open(run: Evaluation, redirect: Redirect, shell: Shell, streams: _Streams) -> None:
    point, operator = streams.point, redirect.operator
    found = run.fields([redirect.target] if redirect.target else [], shell, point)
    name = found[0] if len(found) == 1 else UNKNOWN
    if name.text is not None and _STREAM.fullmatch(name.text):
        _to_stream(redirect, name.text, streams)
        return
    if run.status(shell, point, None if name.text is None else [name.text]) is not ZERO:
        streams.status = EITHER
        point = replace(point, certainty=MAYBE)
    if operator == "<":
        streams.point = replace(streams.point, given=None)
        return
    target = name.target(shell.folder)
    both = operator in ("&>", "&>>") or (operator == ">&" and redirect.descriptor == 1)
    if not operator.endswith(">>"):
        exact = isinstance(target, At) and operator in (">", ">|")
        run.emit(Written(target.path, "") if exact else Dirtied((target,)), shell, point)  # type: ignore[union-attr]
    if redirect.descriptor == 1 or both:
        streams.point = replace(streams.point, out=Out(target=target))
    if redirect.descriptor == 2 or both:
        streams.point = replace(streams.point, heard=False)
    if redirect.descriptor != 1 or both:
        run.dirty([target], shell, point)
        run.late.append(Dirtied((target,)))


def _to_stream(redirect: Redirect, name: str, streams: _Streams) -> None:
    point = streams.point
    silent = name == "/dev/null"
    if redirect.operator == "<":
        streams.point = replace(point, given="" if silent else None)
        return
    if redirect.descriptor == 2 or redirect.operator.startswith("&"):
        streams.point = point = replace(point, heard=point.heard and not silent)
    if silent and (redirect.descriptor == 1 or redirect.operator.startswith("&")):
        streams.point = replace(point, out=Out(void=True))
