"""What a script does: certainty, folder and exit status carried through every construct (SEMANTICS 2, Shell).

An interpreter without I/O: it has no files, and knows of a command's success only what the client says of the whole
script, and that the usual commands name a file that they fail on. Where both ways are possible both are taken, and
what they did is only possible, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from tslp_litellm.shell.certainty import Certainty, Outcome, Status
from tslp_litellm.shell.effects import EVERYTHING, Appended, Dirtied, Effect, Written, loosened
from tslp_litellm.shell.expansion import ANYTHING, Field, Parts, Values, Wild, expansions, fields, single
from tslp_litellm.shell.reading import read
from tslp_litellm.shell.state import Shell
from tslp_litellm.shell.syntax import (
    Assignment,
    Command,
    Opaque,
    Parameter,
    Substitution,
    UnreadableError,
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
    failure ends no shell; `foreseen`: something else is then done. `given`: the text on its standard input, None where
    that is not known.
    """

    certainty: Certainty = SURE
    shown: bool = True
    heard: bool = True
    condition: bool = False
    foreseen: bool = False
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
    """A run of a script. `late`: what may happen at any time until its end. `script_text`: the whole script; `written`:
    what it writes into files, sure or not; `speaks`: its commands may have printed something that the client heard,
    `talks`: more than warnings; `heeded`: what they changed is told by their output.
    """

    outcome: Outcome
    output: Output
    constructs: Mapping[type, Callable[..., Status]]
    execute: Callable[..., Any]
    script_text: str = ""
    written: dict[str, list[str]] = field(default_factory=dict)
    effects: list[Effect] = field(default_factory=list)
    late: list[Effect] = field(default_factory=list)
    doubtful: bool = False
    speaks: bool = False
    talks: bool = False
    heeded: bool = False
    depth: int = 0
    commands: int = 0
    chars: int = 0

    def heed(self) -> str:
        """What is known of the output, for a command whose output tells what it changed."""
        self.heeded = True
        return self.output.seen

    # -- effects

    def sure(self, shell: Shell, point: Point) -> bool:
        """Whether this place is reached for certain."""
        return not self.doubtful and point.certainty is SURE and shell.reached is SURE

    def emit(self, effect: Effect, shell: Shell, point: Point) -> None:
        """Record an effect, as certain as its circumstances are."""
        if isinstance(effect, (Written, Appended)):
            self.written.setdefault(effect.path, []).append(effect.text)
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

    def prints(self, text: str | None, shell: Shell, point: Point, *, warnings: bool = False) -> None:
        """A command has printed; None where it is not known what. `warnings`: nothing else, if anything."""
        out = point.out
        self.spend(len(text or ""))
        self.speaks |= text != "" and out == Out()
        self.talks |= text != "" and out == Out() and not warnings
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
        """A command that may have ended the script with itself: unless that is known to have run to its end, nothing
        after it is certain."""
        self.doubtful = self.doubtful or self.outcome not in (Outcome.SUCCESS, Outcome.RAN)

    def abort(self, shell: Shell, point: Point) -> None:
        """The shell may end here, by an error of its own."""
        if not (self.outcome is Outcome.SUCCESS and shell.exits and not shell.trapped):
            shell.leave(MAYBE)

    def exit(self, shell: Shell, failed: bool) -> None:
        """The shell ends here."""
        if failed and self.outcome is Outcome.SUCCESS and shell.exits and not (shell.trapped or shell.astray):
            shell.impossible = True
        shell.leave(NEVER)

    # -- constructs

    def evaluate(self, command: Command, shell: Shell, point: Point, *, keep: bool = False) -> Status:
        """A command's exit status; what it did is in the effects and the state. `keep`: leave `shell.failing`."""
        if shell.over:
            return EITHER
        self.commands += 1
        if self.commands > COMMANDS_MAX:
            raise TooMuchError
        with self.deeper():
            status: Status = self.constructs[type(command)](self, command, shell, point)
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
            return self.evaluate(body, shell, point, keep=True)

    def child(self, shell: Shell, point: Point) -> Shell:
        """A process of its own that begins as the shell is."""
        made = shell.copy()
        made.exits = self.shows(shell, point)
        return made

    def ended(self, child: Shell, status: Status, shell: Shell, point: Point) -> Status:
        """The status of a process that has ended."""
        shell.impossible |= child.impossible and self.sure(shell, point)
        shell.doubt |= child.doubt
        known_end = not child.over and child.reached is SURE
        if self.outcome is Outcome.SUCCESS and self.shows(shell, point):
            return ZERO
        return status if known_end else EITHER

    def beside(self, run: Callable[[], object]) -> None:
        """What runs at the same time may happen now, or at any time until the end."""
        before = len(self.effects)
        run()
        self.late += [loosened(effect) for effect in self.effects[before:]]

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
        own = replace(shared(point.hidden()), condition=True, foreseen=True, out=Out(sink=sink))
        child = self.child(shell, own)
        if not part.awaited:
            self.beside(lambda: self.evaluate(part.script, child, replace(own.maybe(), out=Out())))
            return ("/dev/fd/", Wild.NAME)
        self.evaluate(part.script, child, own)
        shell.doubt |= child.doubt
        text = known_text(sink) if child.reached is SURE and not child.over else None
        return ANYTHING if text is None else (text.rstrip("\n"),)

    def _opaque(self, part: Opaque, shell: Shell, point: Point) -> None:
        for inner in part.inside:
            self._substituted(inner, shell, point)
        for name in part.assigns:
            shell.assign(name, ANYTHING)
        if part.aborts:  # some errors end the shell, others go on with the next line
            shell.leave(MAYBE)


def known_text(sink: list[str | None]) -> str | None:
    """What was printed, where all of it is known."""
    return None if None in sink else "".join(text for text in sink if text is not None)


def shared(point: Point) -> Point:
    """The circumstances of commands that share their standard input: who of them reads it is not known."""
    return point if point.given == "" else replace(point, given=None)
