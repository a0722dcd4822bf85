"""The shell's constructs: lists, pipelines, conditions, loops, functions (bash manual, 3.2).

Each gives a command's exit status and leaves what it did in the run and the shell. Where both of two ways are possible,
both are taken by shells of their own, and what these know alike is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tslp_litellm.shell.certainty import Outcome, Status
from tslp_litellm.shell.effects import loosened
from tslp_litellm.shell.evaluation import (
    EITHER,
    MAYBE,
    NONZERO,
    PASSES_MAX,
    SURE,
    ZERO,
    Evaluation,
    Out,
    Point,
    known_text,
    shared,
)
from tslp_litellm.shell.expansion import ANYTHING, Field
from tslp_litellm.shell.simple import redirected, simple
from tslp_litellm.shell.state import Shell
from tslp_litellm.shell.syntax import (
    AndOr,
    Case,
    Command,
    For,
    Function,
    Group,
    If,
    Item,
    Pipeline,
    Redirected,
    Sequence,
    Simple,
    Subshell,
    Test,
    While,
)


def _sequence(run: Evaluation, sequence: Sequence, shell: Shell, point: Point) -> Status:
    status = ZERO
    if len(sequence.items) > 1:
        point = replace(shared(point), certainty=MAYBE if point.out.breaks else point.certainty)
    for n, item in enumerate(sequence.items):
        if shell.over:
            return EITHER
        last = n == len(sequence.items) - 1
        status = _item(run, item, shell, point if last else point.hidden())
    return status


def _item(run: Evaluation, item: Item, shell: Shell, point: Point) -> Status:
    if item.background:
        run.beside(lambda: run.evaluate(item.command, shell.copy(), replace(point.maybe().hidden(), given="")))
        return ZERO
    status = run.evaluate(item.command, shell, point)
    negated = isinstance(item.command, Pipeline) and item.command.negated
    if shell.errexit and not point.condition and not negated and status is not ZERO and not shell.over:
        if status is NONZERO and not isinstance(item.command, AndOr):
            run.exit(shell, failed=True)
        else:
            run.abort(shell, point)
    return status


def _and_or(run: Evaluation, command: AndOr, shell: Shell, point: Point) -> Status:
    operators = [operator for operator, _ in command.rest]
    point = replace(shared(point), certainty=MAYBE if point.out.breaks else point.certainty)
    status = run.evaluate(command.first, shell, _link(run, point, operators), keep=True)
    for n, (operator, following) in enumerate(command.rest, 1):
        status = _linked(run, operator, following, status, shell, _link(run, point, operators[n:]))
    return status


def _link(run: Evaluation, point: Point, operators: list[str]) -> Point:
    """The circumstances of a part of a list that these operators follow."""
    if not operators:
        return point
    other = "||" in operators
    return replace(point, shown=point.shown and not other, condition=True, foreseen=point.foreseen or other)


def _linked(run: Evaluation, operator: str, command: Command, status: Status, shell: Shell, point: Point) -> Status:
    runs_on = ZERO if operator == "&&" else NONZERO
    if shell.over:
        return EITHER
    if status is not EITHER:
        return run.evaluate(command, shell, point, keep=True) if status is runs_on else status
    other = shell.copy()
    if shell.failing is not None:
        failed = shell if operator == "||" else other
        failed.folder = shell.failing
        shell.failing = other.failing = None
    status = run.evaluate(command, shell, point.maybe())
    if shell.impossible:
        shell.merge(other)
        return runs_on.negated
    shell.merge(other)
    return status.joined(runs_on.negated)


def _pipeline(run: Evaluation, pipeline: Pipeline, shell: Shell, point: Point) -> Status:
    if pipeline.negated:
        failed = run.outcome is Outcome.SUCCESS and run.shows(shell, point)
        point = replace(point.hidden(), condition=True, foreseen=True, certainty=MAYBE if failed else point.certainty)
    if len(pipeline.commands) == 1:
        return run.evaluate(pipeline.commands[0], shell, point).negated
    status, given = ZERO, point.given
    effects: list[int] = []
    for n, command in enumerate(pipeline.commands):
        last, before = n == len(pipeline.commands) - 1, len(run.effects)
        sink: list[str | None] = []
        own = replace(point, given=given, shown=point.shown and (last or shell.pipefail))
        if not last:
            own = replace(own, out=Out(sink=sink, breaks=True), condition=True, foreseen=True)
        child = run.child(shell, own)
        ended = run.ended(child, run.evaluate(command, child, own), shell, own)
        status = ended if last and not shell.pipefail else status.joined(ended) if n else ended
        given = known_text(sink)
        effects.append(len(run.effects) - before)
    if sum(bool(count) for count in effects) > 1:
        run.effects[-sum(effects) :] = [loosened(effect) for effect in run.effects[-sum(effects) :]]
    return status.negated if pipeline.negated else status


def _subshell(run: Evaluation, subshell: Subshell, shell: Shell, point: Point) -> Status:
    child = run.child(shell, point)
    return run.ended(child, _sequence(run, subshell.body, child, point), shell, point)


def _group(run: Evaluation, group: Group, shell: Shell, point: Point) -> Status:
    return _sequence(run, group.body, shell, point)


def _if(run: Evaluation, command: If, shell: Shell, point: Point, at: int = 0) -> Status:
    point = shared(point)
    if at == len(command.branches):
        return _sequence(run, command.otherwise, shell, point) if command.otherwise else ZERO
    condition, body = command.branches[at]
    status = _sequence(run, condition, shell, replace(point.hidden(), condition=True, foreseen=True))
    if status is ZERO:
        return _sequence(run, body, shell, point)
    if status is NONZERO:
        return _if(run, command, shell, point, at + 1)
    other = shell.copy()
    status = _sequence(run, body, shell, point.maybe())
    status = status.joined(_if(run, command, other, point.maybe(), at + 1))
    shell.merge(other)
    return status


def _again(run: Evaluation, shell: Shell, point: Point, body: Callable[[Shell, Point], object]) -> None:
    """A body that runs any number of times, until the state does not change any more."""
    outer, shell.left = shell.left, None
    for _ in range(PASSES_MAX):
        before, other = shell.copy(), shell.copy()
        body(other, shared(point.maybe().hidden()))
        _left_early(other)
        shell.merge(other)
        if shell.same(before):
            break
    else:
        shell.forget()
        body(shell, shared(point.maybe().hidden()))
        _left_early(shell)
    shell.leave_round(outer)


def _left_early(shell: Shell) -> bool:
    """At the end of a round of a loop: whether it may have been left before. What is known then is so either way."""
    left, shell.left = shell.left, None
    if left is not None:
        shell.merge(left)
    if shell.doubt:
        shell.forget()
    return left is not None


def _while(run: Evaluation, command: While, shell: Shell, point: Point) -> Status:
    def once(state: Shell, at: Point) -> None:
        _sequence(run, command.condition, state, replace(at, condition=True, foreseen=True))
        _sequence(run, command.body, state, at)

    _again(run, shell, point, once)
    return EITHER


def _for(run: Evaluation, command: For, shell: Shell, point: Point) -> Status:
    values = _values(run, command, shell, point)
    outer, shell.left = shell.left, None
    point = shared(point if outer is None else point.maybe())
    status = ZERO
    for n, value in enumerate(values):
        if shell.over:
            break
        if value.text is None or not command.exact:
            _again(run, shell, point, lambda state, at: _once(run, command, value, state, at))  # noqa: B023
            status = EITHER
        else:
            last = n == len(values) - 1
            status = _once(run, command, value, shell, point if last else point.hidden())
            point = point.maybe() if _left_early(shell) else point
    shell.leave_round(outer)  # what follows in the round around it may not be reached
    return status if shell.reached is SURE and point.certainty is SURE else EITHER


def _values(run: Evaluation, command: For, shell: Shell, point: Point) -> list[Field]:
    if command.words is None:
        listed = shell.positional if command.exact and command.name else None
        return [Field(ANYTHING, many=True)] if listed is None else [Field((value,)) for value in listed]
    return run.fields(command.words, shell, point)


def _once(run: Evaluation, command: For, value: Field, shell: Shell, point: Point) -> Status:
    if command.name:
        shell.assign(command.name, value.parts)
    return _sequence(run, command.body, shell, point)


def _case(run: Evaluation, command: Case, shell: Shell, point: Point) -> Status:
    """Which of the arms runs, and whether one does, is not known."""
    point = shared(point)
    run.single(command.subject, shell, point)
    point = point.maybe()
    for patterns, body in command.arms:
        for pattern in patterns:
            run.single(pattern, shell, point)
        other = shell.copy()
        _sequence(run, body, other, point)
        shell.merge(other)
    return EITHER


def _function(run: Evaluation, command: Function, shell: Shell, point: Point) -> Status:
    shell.functions[command.name] = command.body
    return ZERO


def _test(run: Evaluation, command: Test, shell: Shell, point: Point) -> Status:
    run._opaque(command.expansion, shell, point)
    return run.status(shell, point)


CONSTRUCTS: dict[type, Callable[..., Status]] = {
    Simple: simple,
    Redirected: redirected,
    Pipeline: _pipeline,
    AndOr: _and_or,
    Sequence: _sequence,
    Subshell: _subshell,
    Group: _group,
    If: _if,
    For: _for,
    While: _while,
    Case: _case,
    Function: _function,
    Test: _test,
}
