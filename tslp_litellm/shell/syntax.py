"""What a shell script is: values without meaning, made by `reading` and given their meaning by `evaluation`.

Covers the part of bash's grammar that is read exactly; what is not covered makes a script unreadable as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass


class UnreadableError(ValueError):
    """A script that is not read: malformed, too deep, too large, or in a form that is not known exactly."""


@dataclass(frozen=True, slots=True)
class Text:
    """Characters as they are. `quoted`: the shell makes neither patterns nor words of them."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """`$name`, `${name}`, `$1`, `$@`: the value of a parameter."""

    name: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$(…)` and backticks, whose commands run first; `awaited` is False for `<(…)` and `>(…)`, which run beside."""

    script: Sequence
    quoted: bool = False
    awaited: bool = True


@dataclass(frozen=True, slots=True)
class Opaque:
    """An expansion whose value is not computed. `inside`: what runs in it; `assigns`: the parameters that it may set;
    `aborts`: it may end the shell with an error."""

    quoted: bool = False
    inside: tuple[Substitution, ...] = ()
    assigns: frozenset[str] = frozenset()
    aborts: bool = False


Part = Text | Parameter | Substitution | Opaque


@dataclass(frozen=True, slots=True)
class Word:
    """A word before expansion."""

    parts: tuple[Part, ...]

    @property
    def bare(self) -> str | None:
        """The word's text where no character of it is quoted or expanded: what a reserved word must be."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Text) and not self.parts[0].quoted:
            return self.parts[0].text
        return None

    @property
    def literal(self) -> str | None:
        """The word's text where nothing of it is expanded."""
        texts = [part.text for part in self.parts if isinstance(part, Text)]
        return "".join(texts) if len(texts) == len(self.parts) else None

    @property
    def itself(self) -> str | None:
        """The word's text where it stands for itself: no pattern. `~/p`, `$HOME/p`: one place, wherever that is."""
        parts = [part for part in self.parts if part != Text("", quoted=True)] or [*self.parts]
        if home := bool(parts) and isinstance(parts[0], Parameter) and parts[0].name == "HOME":
            parts[0] = Text("~")
        bare = [part.text for part in parts if isinstance(part, Text) and not part.quoted]
        text = Word(tuple(parts)).literal
        patterned = any(set(one) & set("*?[{") for one in bare)
        elsewhere = text is not None and not text.startswith("~/") and (home or (self.bare is not None and "~" in text))
        return None if patterned or elsewhere else text


@dataclass(frozen=True, slots=True)
class Assignment:
    """`name=value`; `value` is None for `name=(…)` and `name[…]=…`, whose words are `inside`."""

    name: str
    value: Word | None
    append: bool = False
    inside: tuple[Word, ...] = ()


@dataclass(slots=True)
class HereDocument:
    """A here-document; its text is read at the end of the line that announces it."""

    text: Word | None = None


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirection. `operator` as written; `target` is None for a here-document."""

    descriptor: int
    operator: str
    target: Word | None = None
    document: HereDocument | None = None


@dataclass(frozen=True, slots=True)
class Simple:
    """A simple command: assignments, words, redirections."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by pipes."""

    commands: tuple[Command, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AndOr:
    """Commands joined by `&&` and `||`, from left to right."""

    first: Command
    rest: tuple[tuple[str, Command], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A command of a sequence; `background` where `&` follows it."""

    command: Command
    background: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """Commands one after the other."""

    items: tuple[Item, ...]

    @property
    def plain(self) -> bool:
        """Whether these are simple commands, one after the other, each of which runs once at most."""
        commands = (item.command for item in self.items if not item.background)
        lists = [(c.first, *(one for _, one in c.rest)) if isinstance(c, AndOr) else (c,) for c in commands]
        return len(lists) == len(self.items) and all(isinstance(one, Simple) for found in lists for one in found)


@dataclass(frozen=True, slots=True)
class Subshell:
    """`( … )`."""

    body: Sequence


@dataclass(frozen=True, slots=True)
class Group:
    """`{ …; }`."""

    body: Sequence


@dataclass(frozen=True, slots=True)
class If:
    """`if`: conditions with their bodies, and what else."""

    branches: tuple[tuple[Sequence, Sequence], ...]
    otherwise: Sequence | None


@dataclass(frozen=True, slots=True)
class For:
    """`for name in words`; `words` is None where the positional parameters or an arithmetic loop are meant."""

    name: str
    words: tuple[Word, ...] | None
    body: Sequence
    exact: bool = True


@dataclass(frozen=True, slots=True)
class While:
    """`while` and `until`."""

    condition: Sequence
    body: Sequence


@dataclass(frozen=True, slots=True)
class Case:
    """`case subject in patterns) body …`."""

    subject: Word
    arms: tuple[tuple[tuple[Word, ...], Sequence], ...]


@dataclass(frozen=True, slots=True)
class Function:
    """The definition of a function."""

    name: str
    body: Command


@dataclass(frozen=True, slots=True)
class Test:
    """`[[ … ]]` and `(( … ))`: reads, may set parameters, may run what is substituted in it."""

    expansion: Opaque


@dataclass(frozen=True, slots=True)
class Redirected:
    """A compound command with redirections of its own."""

    command: Command
    redirects: tuple[Redirect, ...]


Command = (
    Simple | Pipeline | AndOr | Sequence | Subshell | Group | If | For | While | Case | Function | Test | Redirected
)
