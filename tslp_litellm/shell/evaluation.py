"""What a script does: certainty, folder and exit status carried through every construct (SEMANTICS 2, Shell).

An interpreter without I/O: it has no files, and knows of a command's success only what the client says of the whole
script, and that the usual commands name a file that they fail on. Where both ways are possible both are taken, and
what they did is only possible, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from tslp_litellm.shell.certainty import Certainty, Outcome, Status
from tslp_litellm.shell.effects import EVERYTHING, Appended, Dirtied, Effect, Written, loosened
from tslp_litellm.shell.expansion import ANYTHING, Field, Parts, Values, Wild, expansions, fields, known, single
from tslp_litellm.shell.reading import read
from tslp_litellm.shell.state import Left, Shell
from tslp_litellm.shell.syntax import (
    AndOr,
    Assignment,
    Case,
    Command,
    For,
    Function,
    Group,
    If,
    Item,
    Opaque,
    Parameter,
    Pipeline,
    Redirected,
    Sequence,
    Simple,
    Subshell,
    Substitution,
    Test,
    UnreadableError,
    While,
    Word,
)
from tslp_litellm.shell.targets import At, Target, widened
from tslp_litellm.shell.witnesses import Output

DEPTH_MAX, COMMANDS_MAX, PASSES_MAX = 24, 2000, 4
CHARS_MAX, COPIED_CHARS = 8_000_000, 100
"""Characters that are made, and how many are copied at the cost of making one."""
MAYBE, SURE, NEVER = Certainty.MAYBE, Certainty.SURE, Certainty.NEVER
ZERO, NONZERO, EITHER = Status.ZERO, Status.NONZERO, Status.EITHER


class TooMuchError(Exception):
    """A script that runs more, or deeper, than is followed."""


@dataclass(frozen=True, slots=True)
class Out:
    """Where output goes: to nobody's file, to the target, or to `sink`, None in which is text that is not known.

    `breaks`: who reads it may be gone, which ends the writer. `void`: it is thrown away.
    """

    target: Target | None = None
    sink: list[str | None] | None = None
    breaks: bool = False
    void: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """The circumstances of a command.

    `shown`: if it fails the script does. `heard`: what it says of errors is in the script's output. `condition`: its
    failure ends no shell. `given`: the text on its standard input, None where that is not known.
    """

    certainty: Certainty = SURE
    shown: bool = True
    heard: bool = True
    condition: bool = False
    given: str | None = ""
    out: Out = Out()

    def maybe(self) -> Point:
        """The same where it is not certain that it runs."""
        return replace(self, certainty=MAYBE)

    def hidden(self) -> Point:
        """The same where its failure changes nothing."""
        return replace(self, shown=False)


@dataclass(slots=True)
class Evaluation:
    """A run of a script. `late`: what may happen at any time until its end. `script_text`: the whole script."""

    outcome: Outcome
    output: Output
    simple: Callable[[Evaluation, Simple, Shell, Point], Status]
    redirected: Callable[[Evaluation, Redirected, Shell, Point], Status]
    execute: Callable[..., Any]
    script_text: str = ""
    effects: list[Effect] = field(default_factory=list)
    late: list[Effect] = field(default_factory=list)
    doubtful: bool = False
    depth: int = 0
    commands: int = 0
    chars: int = 0

    # -- effects

    def sure(self, shell: Shell, point: Point) -> bool:
        """Whether this place is reached for certain."""
        return not self.doubtful and point.certainty is SURE and shell.reached is SURE

    def emit(self, effect: Effect, shell: Shell, point: Point) -> None:
        """Record an effect, as certain as its circumstances are."""
        if not self.sure(shell, point):
            effect = loosened(effect)
        last = self.effects[-1] if self.effects else None
        self.spend(len(effect.text) if isinstance(effect, (Written, Appended)) else 0)
        if isinstance(effect, Appended) and isinstance(last, Written) and last.path == effect.path:
            self.spend(len(last.text) // COPIED_CHARS)
            self.effects[-1] = Written(last.path, last.text + effect.text)
        elif effect != last or not isinstance(effect, Dirtied):
            self.effects.append(effect)

    def spend(self, chars: int) -> None:
        """Characters are made; TooMuchError beyond what is followed."""
        self.chars += chars
        if self.chars > CHARS_MAX:
            raise TooMuchError

    def dirty(self, targets: Iterable[Target], shell: Shell, point: Point) -> None:
        """Files may have changed."""
        if found := tuple(widened(target) for target in targets):
            self.emit(Dirtied(found), shell, point)

    def anything(self, shell: Shell, point: Point) -> None:
        """Any file may have changed, and the shell may be anywhere."""
        self.emit(EVERYTHING, shell, point)
        shell.forget()

    def prints(self, text: str | None, shell: Shell, point: Point) -> None:
        """A command has printed; None where it is not known what."""
        out = point.out
        self.spend(len(text or ""))
        if out.sink is not None and text != "":
            out.sink.append(text if self.sure(shell, point) else None)
        elif out.target is not None and text != "":
            if text is not None and isinstance(out.target, At):
                self.emit(Appended(out.target.path, text), shell, point)
            else:
                self.dirty([out.target], shell, point)

    # -- statuses

    def shows(self, shell: Shell, point: Point) -> bool:
        """Whether the script fails if this command does."""
        if shell.trapped:
            return False
        return point.shown or (shell.errexit and not point.condition and shell.exits)

    def status(self, shell: Shell, point: Point, names: Iterable[str] | None = None) -> Status:
        """A command's exit status: by the outcome, or because it would have named one of its arguments (`names`)."""
        if self.outcome is Outcome.SUCCESS and self.shows(shell, point):
            return ZERO
        if names is None or not point.heard:
            return EITHER
        return ZERO if self.output.is_silent_on(names) else EITHER

    def unsteady(self) -> None:
        """A command that may not have come to its end: without success, nothing after it is certain."""
        self.doubtful = self.doubtful or self.outcome is not Outcome.SUCCESS

    def abort(self, shell: Shell, point: Point) -> None:
        """The shell may end here, by an error of its own."""
        if not (self.outcome is Outcome.SUCCESS and shell.exits and not shell.trapped):
            shell.leave(Left.SHELL, MAYBE)

    def exit(self, shell: Shell, failed: bool) -> None:
        """The shell ends here."""
        if failed and self.outcome is Outcome.SUCCESS and shell.exits and not shell.trapped:
            shell.impossible = True
        shell.leave(Left.SHELL, NEVER)

    # -- constructs

    def evaluate(self, command: Command, shell: Shell, point: Point, *, keep: bool = False) -> Status:
        """A command's exit status; what it did is in the effects and the state. `keep`: leave `shell.failing`."""
        if shell.over:
            return EITHER
        self.commands += 1
        if self.commands > COMMANDS_MAX:
            raise TooMuchError
        with self.deeper():
            status: Status = _CONSTRUCTS[type(command)](self, command, shell, point)
        if not keep:
            shell.settle()
        return status

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One level down; TooMuchError beyond what is followed."""
        self.depth += 1
        if self.depth > DEPTH_MAX * 3:
            raise TooMuchError
        try:
            yield
        finally:
            self.depth -= 1

    def script(self, text: str, shell: Shell, point: Point) -> Status:
        """A script that is given as text."""
        with self.deeper():
            try:
                body = read(text, self.depth // 3)
            except UnreadableError:
                self.anything(shell, point)
                shell.doubt = True
                return EITHER
            return self._sequence(body, shell, point)

    def child(self, shell: Shell, point: Point) -> Shell:
        """A process of its own that begins as the shell is."""
        made = shell.copy()
        made.exits, made.loops = self.shows(shell, point), 0
        return made

    def ended(self, child: Shell, status: Status, shell: Shell, point: Point) -> Status:
        """The status of a process that has ended."""
        shell.impossible |= child.impossible and self.sure(shell, point)
        shell.doubt |= child.doubt
        known_end = not child.over and child.reached is SURE
        if self.outcome is Outcome.SUCCESS and self.shows(shell, point):
            return ZERO
        return status if known_end else EITHER

    def _sequence(self, sequence: Sequence, shell: Shell, point: Point) -> Status:
        status = ZERO
        if len(sequence.items) > 1:
            point = replace(self._shared(point), certainty=MAYBE if point.out.breaks else point.certainty)
        for n, item in enumerate(sequence.items):
            if shell.over:
                return EITHER
            last = n == len(sequence.items) - 1
            status = self._item(item, shell, point if last else point.hidden())
        return status

    @staticmethod
    def _shared(point: Point) -> Point:
        """The circumstances of commands that share their standard input: who of them reads it is not known."""
        return point if point.given == "" else replace(point, given=None)

    def _item(self, item: Item, shell: Shell, point: Point) -> Status:
        if item.background:
            self.beside(lambda: self.evaluate(item.command, shell.copy(), replace(point.maybe().hidden(), given="")))
            return ZERO
        status = self.evaluate(item.command, shell, point)
        negated = isinstance(item.command, Pipeline) and item.command.negated
        if shell.errexit and not point.condition and not negated and status is not ZERO and not shell.over:
            if status is NONZERO and not isinstance(item.command, AndOr):
                self.exit(shell, failed=True)
            else:
                self.abort(shell, point)
        return status

    def beside(self, run: Callable[[], object]) -> None:
        """What runs at the same time may happen now, or at any time until the end."""
        before = len(self.effects)
        run()
        self.late += [loosened(effect) for effect in self.effects[before:]]

    def _and_or(self, command: AndOr, shell: Shell, point: Point) -> Status:
        operators = [operator for operator, _ in command.rest]
        point = replace(self._shared(point), certainty=MAYBE if point.out.breaks else point.certainty)
        status = self.evaluate(command.first, shell, self._link(point, operators), keep=True)
        for n, (operator, following) in enumerate(command.rest, 1):
            status = self._linked(operator, following, status, shell, self._link(point, operators[n:]))
        return status

    def _link(self, point: Point, operators: list[str]) -> Point:
        """The circumstances of a part of a list that these operators follow."""
        if not operators:
            return point
        return replace(point, shown=point.shown and "||" not in operators, condition=True)

    def _linked(self, operator: str, command: Command, status: Status, shell: Shell, point: Point) -> Status:
        runs_on = ZERO if operator == "&&" else NONZERO
        if shell.over:
            return EITHER
        if status is not EITHER:
            return self.evaluate(command, shell, point, keep=True) if status is runs_on else status
        other = shell.copy()
        if shell.failing is not None:
            failed = shell if operator == "||" else other
            failed.folder = shell.failing
            shell.failing = other.failing = None
        status = self.evaluate(command, shell, point.maybe())
        if shell.impossible:
            shell.merge(other)
            return runs_on.negated
        shell.merge(other)
        return status.joined(runs_on.negated)

    def _pipeline(self, pipeline: Pipeline, shell: Shell, point: Point) -> Status:
        if pipeline.negated:
            failed = self.outcome is Outcome.SUCCESS and self.shows(shell, point)
            point = replace(point.hidden(), condition=True, certainty=MAYBE if failed else point.certainty)
        if len(pipeline.commands) == 1:
            return self.evaluate(pipeline.commands[0], shell, point).negated
        status, given = ZERO, point.given
        effects: list[int] = []
        for n, (command, errors) in enumerate(zip(pipeline.commands, pipeline.errors, strict=True)):
            last, before = n == len(pipeline.commands) - 1, len(self.effects)
            sink: list[str | None] = []
            own = replace(point, given=given, shown=point.shown and (last or shell.pipefail))
            if not last:
                own = replace(own, out=Out(sink=sink, breaks=True), heard=own.heard and not errors, condition=True)
            child = self.child(shell, own)
            ended = self.ended(child, self.evaluate(command, child, own), shell, own)
            status = ended if last and not shell.pipefail else status.joined(ended) if n else ended
            given = None if errors else known_text(sink)
            effects.append(len(self.effects) - before)
        if sum(bool(count) for count in effects) > 1:
            self.effects[-sum(effects) :] = [loosened(effect) for effect in self.effects[-sum(effects) :]]
        return status.negated if pipeline.negated else status

    def _subshell(self, subshell: Subshell, shell: Shell, point: Point) -> Status:
        child = self.child(shell, point)
        return self.ended(child, self._sequence(subshell.body, child, point), shell, point)

    def _group(self, group: Group, shell: Shell, point: Point) -> Status:
        return self._sequence(group.body, shell, point)

    def _if(self, command: If, shell: Shell, point: Point, at: int = 0) -> Status:
        point = self._shared(point)
        if at == len(command.branches):
            return self._sequence(command.otherwise, shell, point) if command.otherwise else ZERO
        condition, body = command.branches[at]
        status = self._sequence(condition, shell, replace(point.hidden(), condition=True))
        if status is ZERO:
            return self._sequence(body, shell, point)
        if status is NONZERO:
            return self._if(command, shell, point, at + 1)
        other = shell.copy()
        status = self._sequence(body, shell, point.maybe())
        status = status.joined(self._if(command, other, point.maybe(), at + 1))
        shell.merge(other)
        return status

    def _again(self, shell: Shell, point: Point, body: Callable[[Shell, Point], object]) -> None:
        """A body that runs any number of times, until the state does not change any more."""
        for _ in range(PASSES_MAX):
            before, other = shell.copy(), shell.copy()
            body(other, self._shared(point.maybe().hidden()))
            other.left = other.leaving(Left.SHELL, Left.FUNCTION)
            shell.merge(other)
            if shell.same(before):
                return
        shell.forget()
        body(shell, self._shared(point.maybe().hidden()))

    def _while(self, command: While, shell: Shell, point: Point) -> Status:
        shell.loops += 1

        def once(state: Shell, at: Point) -> None:
            self._sequence(command.condition, state, replace(at, condition=True))
            self._sequence(command.body, state, at)

        self._again(shell, point, once)
        shell.loops -= 1
        return EITHER

    def _for(self, command: For, shell: Shell, point: Point) -> Status:
        values = self._values(command, shell, point)
        point = self._shared(point)
        outer = shell.leaving(Left.LOOP, Left.BODY)
        status = ZERO
        shell.loops += 1
        for n, value in enumerate(values):
            shell.left.pop(Left.BODY, None)
            if shell.over:
                break
            if value.text is None or not command.exact:
                self._again(shell, point, lambda state, at: self._once(command, value, state, at))  # noqa: B023
                status = EITHER
            else:
                last = n == len(values) - 1
                status = self._once(command, value, shell, point if last else point.hidden())
        shell.loops -= 1
        status = status if shell.reached is SURE else EITHER
        shell.left = shell.leaving(Left.SHELL, Left.FUNCTION) | outer
        return status

    def _values(self, command: For, shell: Shell, point: Point) -> list[Field]:
        if command.words is None:
            listed = shell.positional if command.exact and command.name else None
            return [Field(ANYTHING, many=True)] if listed is None else [Field((value,)) for value in listed]
        return self.fields(command.words, shell, point)

    def _once(self, command: For, value: Field, shell: Shell, point: Point) -> Status:
        if command.name:
            shell.assign(command.name, value.parts)
        return self._sequence(command.body, shell, point)

    def _case(self, command: Case, shell: Shell, point: Point) -> Status:
        point = self._shared(point)
        subject = known(self.single(command.subject, shell, point))
        status = ZERO
        for patterns, body in command.arms:
            fits = [_fits(subject, self.single(pattern, shell, point), pattern) for pattern in patterns]
            if not command.falls and any(fit is True for fit in fits) and None not in fits:
                return self._sequence(body, shell, point).joined(status)
            if command.falls or any(fit is not False for fit in fits):
                other = shell.copy()
                point = point.maybe()
                status = status.joined(self._sequence(body, other, point))
                shell.merge(other)
        return status

    def _function(self, command: Function, shell: Shell, point: Point) -> Status:
        shell.functions[command.name] = command.body
        return ZERO

    def _test(self, command: Test, shell: Shell, point: Point) -> Status:
        self._opaque(command.expansion, shell, point)
        return self.status(shell, point)

    # -- expansion

    def fields(self, words: Iterable[Word], shell: Shell, point: Point) -> list[Field]:
        """The arguments that words make; what is substituted in them runs."""
        words = tuple(words)
        found = fields(words, self._expansions(words, shell, point), shell.positional)
        self.spend(sum(len(part) for one in found for part in one.parts if isinstance(part, str)))
        return found

    def single(self, word: Word, shell: Shell, point: Point) -> Parts:
        """The text that a word makes where it is not split."""
        found = single(word, self._expansions((word,), shell, point))
        self.spend(sum(len(part) for part in found if isinstance(part, str)))
        return found

    def assigned(self, assignment: Assignment, shell: Shell, point: Point) -> Parts:
        """The value of an assignment."""
        if assignment.value is None:
            self.fields(assignment.inside, shell, point)
            return ANYTHING
        value = self.single(assignment.value, shell, point)
        return (*shell.value(assignment.name), *value) if assignment.append else value

    def _expansions(self, words: Iterable[Word], shell: Shell, point: Point) -> Values:
        found: dict[int, Parts] = {}
        for part in expansions(words):
            match part:
                case Substitution():
                    found[id(part)] = self._substituted(part, shell, point)
                case Opaque():
                    self._opaque(part, shell, point)
                case Parameter(name=name) if shell.nounset and shell.value(name) == ANYTHING:
                    self.abort(shell, point)
        return lambda part: shell.value(part.name) if isinstance(part, Parameter) else found.get(id(part), ANYTHING)

    def _substituted(self, part: Substitution, shell: Shell, point: Point) -> Parts:
        sink: list[str | None] = []
        own = replace(self._shared(point.hidden()), condition=True, out=Out(sink=sink))
        child = self.child(shell, own)
        if not part.awaited:
            self.beside(lambda: self._sequence(part.script, child, replace(own.maybe(), out=Out())))
            return ("/dev/fd/", Wild.NAME)
        self._sequence(part.script, child, own)
        shell.doubt |= child.doubt
        text = known_text(sink) if child.reached is SURE and not child.over else None
        return ANYTHING if text is None else (text.rstrip("\n"),)

    def _opaque(self, part: Opaque, shell: Shell, point: Point) -> None:
        for inner in part.inside:
            self._substituted(inner, shell, point)
        for name in part.assigns:
            shell.assign(name, ANYTHING)
        if part.aborts:  # some errors end the shell, others go on with the next line
            shell.leave(Left.SHELL, MAYBE)


def known_text(sink: list[str | None]) -> str | None:
    """What was printed, where all of it is known."""
    return None if None in sink else "".join(text for text in sink if text is not None)


def _fits(subject: str | None, pattern: Parts, word: Word) -> bool | None:
    """Whether a pattern of `case` fits; None where that is not known."""
    if word.bare == "*":
        return True
    text = known(pattern)
    quoted = word.bare is None
    if (
        subject is None
        or text is None
        or (not quoted and set(text) & set("*?["))
        or (quoted and set(text) & set("*?[\\"))
    ):
        return None
    return subject == text


_CONSTRUCTS: dict[type, Callable[..., Status]] = {
    Simple: lambda run, *rest: run.simple(run, *rest),
    Redirected: lambda run, *rest: run.redirected(run, *rest),
    Pipeline: Evaluation._pipeline,
    AndOr: Evaluation._and_or,
    Sequence: Evaluation._sequence,
    Subshell: Evaluation._subshell,
    Group: Evaluation._group,
    If: Evaluation._if,
    For: Evaluation._for,
    While: Evaluation._while,
    Case: Evaluation._case,
    Function: Evaluation._function,
    Test: Evaluation._test,
}
