"""What a shell remembers from one command to the next: folders, parameters, functions, options, what it has left.

Two states are joined where one of two ways was taken: what they differ in is unknown from then on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tslp_litellm.shell.certainty import Certainty
from tslp_litellm.shell.expansion import ANYTHING, Parts, known
from tslp_litellm.shell.syntax import Command
from tslp_litellm.shell.targets import HERE, UNKNOWN, Folder

STEERING = frozenset({"IFS", "CDPATH", "BASH_ENV", "ENV", "GLOBIGNORE", "BASHOPTS", "SHELLOPTS", "POSIXLY_CORRECT"})
"""Parameters that change how a script is read."""
_RUN_BY_THE_SHELL = frozenset({"PROMPT_COMMAND", "PS0", "PS1", "BASH_ENV"})
CHARS_MAX, PARTS_MAX = 10_000, 20
"""A longer value is not followed: values double with every assignment."""


@dataclass(slots=True)
class Shell:
    """A shell's state.

    `failing`: the folder that the shell is in if its last command failed. `functions` maps to None where a function
    may be one of several. `exits`: its exit status is the script's. `impossible`: the outcome says that it did not
    come to this. `doubt`: something was done after which nothing is certain. `renamed`: words may stand for others.
    `left`: what was known where a round of a loop may have been left. `goes_on`: whether the shell has not ended.
    """

    folder: Folder = HERE
    before: Folder = UNKNOWN
    failing: Folder | None = None
    variables: dict[str, Parts] = field(default_factory=dict)
    functions: dict[str, Command | None] = field(default_factory=dict)
    positional: tuple[str, ...] | None = None
    made: frozenset[str] = frozenset()
    errexit: bool = False
    nounset: bool = False
    pipefail: bool = False
    exits: bool = True
    trapped: bool = False
    doubt: bool = False
    renamed: bool = False
    impossible: bool = False
    left: Shell | None = None
    goes_on: Certainty = Certainty.SURE

    def copy(self) -> Shell:
        """A state that goes its own way."""
        left = self.left.copy() if self.left is not None else None
        return replace(self, variables={**self.variables}, functions={**self.functions}, left=left)

    @property
    def reached(self) -> Certainty:
        """Whether this place is reached."""
        return Certainty.MAYBE if self.astray else self.goes_on

    @property
    def astray(self) -> bool:
        """Whether the script may have gone another way before it came here."""
        return self.doubt or self.left is not None

    @property
    def over(self) -> bool:
        """Whether nothing that follows runs."""
        return self.impossible or self.goes_on is Certainty.NEVER

    def leave(self, certainty: Certainty) -> None:
        """From here on the rest is reached with no more than this certainty, if this place is."""
        self.goes_on = min(self.goes_on, max(certainty, Certainty.MAYBE) if self.astray else certainty)

    def leave_round(self, left: Shell | None) -> None:
        """The round of a loop may be left with this state."""
        if self.left is not None and left is not None:
            self.left.merge(left)
        else:
            self.left = self.left or left

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
        self.variables = {n: v for n, v in self.variables.items() if other.variables.get(n) == v}
        names = {**self.functions, **other.functions}
        self.functions = {n: f if self.functions.get(n) is other.functions.get(n) else None for n, f in names.items()}
        self.positional = self.positional if self.positional == other.positional else None
        self.made &= other.made
        if (self.errexit, self.pipefail, self.nounset) != (other.errexit, other.pipefail, other.nounset):
            self.doubt = True
        self.trapped |= other.trapped
        self.doubt |= other.doubt
        self.leave_round(other.left)
        self.renamed |= other.renamed
        self.goes_on = self.goes_on.joined(other.goes_on)

    def forget(self) -> None:
        """Nothing is known any more of where the shell is and what its parameters hold."""
        self.folder = self.before = UNKNOWN
        self.variables, self.positional = {}, None

    def same(self, other: Shell) -> bool:
        """Whether two states know the same."""
        known = [(s.folder, s.before, s.variables, s.functions, s.goes_on, s.doubt) for s in (self, other)]
        return known[0] == known[1]

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

    def text(self, name: str) -> str | None:
        """A parameter's value where all of it is known."""
        return known(self.value(name))
