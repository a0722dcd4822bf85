"""What a shell remembers from one command to the next: folders, parameters, functions, options, what it has left.

Two states are joined where one of two ways was taken: what they differ in is unknown from then on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, auto

from tslp_litellm.shell.certainty import Certainty
from tslp_litellm.shell.expansion import ANYTHING, Parts, known
from tslp_litellm.shell.syntax import Command
from tslp_litellm.shell.targets import HERE, UNKNOWN, Folder

STEERING = frozenset({"IFS", "CDPATH", "BASH_ENV", "ENV", "GLOBIGNORE", "BASHOPTS", "SHELLOPTS", "POSIXLY_CORRECT"})
"""Parameters that change how a script is read."""
_RUN_BY_THE_SHELL = frozenset({"PROMPT_COMMAND", "PS0", "PS1", "BASH_ENV"})
CHARS_MAX, PARTS_MAX = 10_000, 20
"""A longer value is not followed: values double with every assignment."""


class Left(Enum):
    """What may have been left before its end: by `exit`, `return`, `break`, `continue`."""

    SHELL = auto()
    FUNCTION = auto()
    LOOP = auto()
    BODY = auto()


@dataclass(slots=True)
class Shell:
    """A shell's state.

    `failing`: the folder that the shell is in if its last command failed. `functions` maps to None where a function
    may be one of several. `exits`: its exit status is the script's. `impossible`: the outcome says that it did not
    come to this. `doubt`: something was done after which nothing is certain. `renamed`: words may stand for others.
    """

    folder: Folder = HERE
    before: Folder = UNKNOWN
    failing: Folder | None = None
    stack: tuple[Folder, ...] = ()
    variables: dict[str, Parts] = field(default_factory=dict)
    functions: dict[str, Command | None] = field(default_factory=dict)
    positional: tuple[str, ...] | None = None
    saved: list[dict[str, Parts | None]] = field(default_factory=list)
    made: frozenset[str] = frozenset()
    errexit: bool = False
    pipefail: bool = False
    nounset: bool = False
    exits: bool = True
    trapped: bool = False
    doubt: bool = False
    renamed: bool = False
    impossible: bool = False
    loops: int = 0
    left: dict[Left, Certainty] = field(default_factory=dict)

    def copy(self) -> Shell:
        """A state that goes its own way."""
        return replace(
            self,
            variables={**self.variables},
            functions={**self.functions},
            saved=[{**names} for names in self.saved],
            left={**self.left},
        )

    @property
    def reached(self) -> Certainty:
        """Whether this place is reached."""
        return Certainty.MAYBE if self.doubt else min(self.left.values(), default=Certainty.SURE)

    @property
    def over(self) -> bool:
        """Whether nothing that follows runs."""
        return self.impossible or Certainty.NEVER in self.left.values()

    def leave(self, what: Left, certainty: Certainty) -> None:
        """From here on the rest of it is reached with no more than this certainty."""
        self.left[what] = min(self.left.get(what, Certainty.SURE), certainty)

    def leaving(self, *what: Left) -> dict[Left, Certainty]:
        """How far some of it may have been left."""
        return {left: certainty for left, certainty in self.left.items() if left in what}

    def settle(self) -> None:
        """Where the last command may have failed, its folder may be either."""
        if self.failing is not None:
            self.folder, self.failing = self.folder.joined(self.failing), None

    def merge(self, other: Shell) -> None:
        """What is known where one of two ways was taken."""
        if other.impossible:
            return
        if self.impossible:
            for name in self.__slots__:
                setattr(self, name, getattr(other, name))
            return
        self.folder, self.before = self.folder.joined(other.folder), self.before.joined(other.before)
        self.stack = self.stack if self.stack == other.stack else ()
        self.variables = {n: v for n, v in self.variables.items() if other.variables.get(n) == v}
        names = {**self.functions, **other.functions}
        self.functions = {n: f if self.functions.get(n) is other.functions.get(n) else None for n, f in names.items()}
        self.positional = self.positional if self.positional == other.positional else None
        self.made &= other.made
        if (self.errexit, self.pipefail, self.nounset) != (other.errexit, other.pipefail, other.nounset):
            self.doubt = True
        self.trapped |= other.trapped
        self.doubt |= other.doubt
        self.renamed |= other.renamed
        sure = Certainty.SURE
        both = {*self.left, *other.left}
        self.left = {w: self.left.get(w, sure).joined(other.left.get(w, sure)) for w in both}

    def forget(self) -> None:
        """Nothing is known any more of where the shell is and what its parameters hold."""
        self.folder = self.before = UNKNOWN
        self.stack, self.variables, self.positional = (), {}, None

    def same(self, other: Shell) -> bool:
        """Whether two states know the same."""
        return (self.folder, self.before, self.stack, self.variables, self.functions, self.left, self.doubt) == (
            other.folder,
            other.before,
            other.stack,
            other.variables,
            other.functions,
            other.left,
            other.doubt,
        )

    # -- parameters

    def value(self, name: str) -> Parts:
        """What a parameter holds."""
        if name.isdecimal() and name != "0" and self.positional is not None:
            at = int(name) - 1
            return (self.positional[at],) if at < len(self.positional) else ("",)
        return self.variables.get(name, ANYTHING)

    def assign(self, name: str, value: Parts) -> None:
        """Give a parameter a value. A name that steers the shell itself makes everything uncertain."""
        self.doubt |= name in STEERING
        self.renamed |= name in _RUN_BY_THE_SHELL
        if value == ANYTHING or len(value) > PARTS_MAX or sum(len(p) for p in value if isinstance(p, str)) > CHARS_MAX:
            self.variables.pop(name, None)
        else:
            self.variables[name] = value

    def localise(self, name: str) -> None:
        """A parameter is the function's own: it has its value back when the function ends."""
        if self.saved and name not in self.saved[-1]:
            self.saved[-1][name] = self.variables.get(name)

    def restore(self) -> None:
        """The end of a function."""
        for name, value in self.saved.pop().items():
            self.assign(name, ANYTHING if value is None else value)

    def text(self, name: str) -> str | None:
        """A parameter's value where all of it is known."""
        return known(self.value(name))
