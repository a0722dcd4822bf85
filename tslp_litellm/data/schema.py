"""The shape of each table of what clients write; what the fields mean says each file's own `about`."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from tslp_litellm.data import Pattern, Row, Table

Words = frozenset[str]
Patterns = tuple[Pattern, ...]
Habit = Literal["whole-lines"]
Does = Literal[
    "write", "edit", "patch", "delete", "move", "shell", "command", "lazy", "insert", "drift", "keys", "read", "search",
    "nothing",
]  # fmt: skip
ANY = "*"
"""A role that stands for every argument."""


def _spaced(text: str) -> str:
    if text != " ".join(text.split()):
        raise ValueError("white space is written as one space")
    return text


Spaced = Annotated[str, AfterValidator(_spaced)]


class Selection(Row):
    """How a client frames what its user has selected: `head` stands behind `opens`, with the group `path`."""

    client: str
    opens: str
    head: Pattern
    ends: tuple[str, ...]


class Attachments(Table):
    """`attachments.json`."""

    files: dict[str, str]
    attributes: dict[str, Words]
    above: Words
    contexts: Words
    ranges: Words
    selections: tuple[Selection, ...]
    holders: Words

    @model_validator(mode="after")
    def _each_tag_has_its_own(self) -> Self:
        if self.files.keys() != self.attributes.keys() or any(
            p not in self.attributes[t] for t, p in self.files.items()
        ):
            raise ValueError("each tag has its attributes, the one that names its file among them")
        return self


class EditForm(Row):
    """How a client's prompt asks for edits of some forms."""

    client: str
    pattern: Pattern
    forms: tuple[str, ...]


class WorkingDirectory(Row):
    """How a client's own message states the folder, in the group `path`."""

    client: str
    pattern: Pattern
    opens: str = ""


class DriftNotice(Row):
    """How a client lists files that changed: below a line that holds `opens`, up to one of `ends`."""

    client: str
    opens: str
    ends: tuple[str, ...]


class UserCommand(Row):
    """How a client frames a command that the user ran: `parts` stand between `marks`, one after the other."""

    client: str
    tool: str
    marks: tuple[str, ...]
    parts: tuple[Literal["command", "exit", "took", "output", "errors", ""], ...]
    silence: Words = frozenset()

    @model_validator(mode="after")
    def _alternate(self) -> Self:
        if len(self.marks) != len(self.parts) + 1 or not all(self.marks[:-1]) or self.parts[0] != "command":
            raise ValueError("a command's frame is marks with parts between them, its command first")
        return self


class Run(Row):
    """How a client that runs commands out of the model's text says what became of them; `frame` may have the group
    `path`, the file that is open."""

    client: str
    frame: Pattern
    tool: str
    fences: Annotated[tuple[Words, ...], Field(min_length=1)]
    last: bool = False
    states: bool = False
    reads: Words = frozenset()


class Asides(Row):
    """What a client says by itself: texts by how they begin, and the names of its tags."""

    begins: Patterns
    tags: Words


class Clients(Table):
    """`clients.json`."""

    editors: Patterns
    gaps: Pattern
    examples_end: Words
    floating: Patterns
    acknowledgements: Words
    machine: Patterns
    machine_tags: Words
    skills: Patterns
    asides: Asides
    volatile: Patterns
    working_directory: tuple[WorkingDirectory, ...]
    edit_forms: tuple[EditForm, ...]
    commands: tuple[UserCommand, ...]
    runs: tuple[Run, ...]
    drift: tuple[DriftNotice, ...]


class Success(Row):
    """A client's words of success; `then` may follow each of them."""

    client: str
    says: Patterns
    then: Patterns = ()
    habits: frozenset[Habit] = frozenset()


class Quote(Row):
    """Between what marks a result holds others' words."""

    begins: Pattern = Field(alias="from")
    ends: tuple[str, ...] = Field((), alias="to")


class Fields(Row):
    """What the fields of a structured result say."""

    says: dict[str, tuple[bool | int | str, ...]]
    fails: Words
    denied: Words
    errors: Words
    counts: Words
    sizes: Words
    words: Words
    paths: Words
    beside: Words
    holders: Words
    after: Patterns


class Reminders(Row):
    """What says nothing of a call."""

    whole: Patterns
    begins: Patterns
    lists: tuple[str, ...]


class Shows(Row):
    """How a client shows what an edit made of the file."""

    client: str
    form: Pattern


class Outcomes(Table):
    """`outcomes.json`."""

    quotes: tuple[Quote, ...]
    shows: tuple[Shows, ...]
    success: tuple[Success, ...]
    failure: Patterns
    denied: Patterns
    fields: Fields
    reminders: Reminders
    created: Patterns
    moved: Patterns
    refusals: dict[str, Patterns]
    error: Patterns
    exit: Patterns
    exit_nought: Patterns
    silent: Patterns
    ran: Patterns
    unknown: Patterns
    refused: Patterns
    error_line: Patterns


class Search(Row):
    """How a search tool shows lines."""

    client: str
    line: Pattern
    head: Pattern | None = None
    below: bool = False
    trimmed: bool = False


class Reads(Table):
    """`reads.json`."""

    frames: Patterns
    named: dict[str, Pattern]
    parts: Patterns
    searches: tuple[Search, ...]
    outputs: Patterns
    trailers: Patterns
    stubs: Patterns
    empty: Patterns
    cut: Patterns


class SideRequest(Row):
    """One errand, by its whole prompt."""

    client: str
    where: Literal["system", "user"]
    opening: Annotated[tuple[Spaced, ...], Field(min_length=1)]
    next: tuple[str, ...]
    tools: Literal["none", "any"]
    end: str = ""
    carries: Literal["", "diffs"] = ""


class SideRequests(Table):
    """`side_requests.json`."""

    side_requests: tuple[SideRequest, ...]


class Tool(Row):
    """What tools of some names do. `takes` names roles, `only` the very arguments instead."""

    client: str
    names: Annotated[Words, Field(min_length=1)]
    does: Does
    takes: tuple[str, ...]
    only: Words | None = None
    limit: int = 0
    raw: bool = False
    numbers: bool = True
    ended: bool = False
    trailer: bool = False
    frames: tuple[str, ...] = ()
    needs: Words = frozenset()
    knows: tuple[str, ...] = ()
    habits: frozenset[Habit] = frozenset()


class Unknown(Row):
    """The words by which the name of an unknown tool says what it may do."""

    readers: Words
    things: Words
    orders: Words
    origins: Words
    runners: Words
    versions: Words
    keepers: Words
    revisions: Words
    restorers: Words
    restored: Words


class Tools(Table):
    """`tools.json`."""

    servers: Words
    roles: dict[str, tuple[str, ...]]
    once: tuple[str, ...]
    values: dict[str, tuple[bool | str, ...]]
    parts: tuple[str, ...]
    elsewhere: Words
    commands: dict[str, Does]
    tools: tuple[Tool, ...]
    unknown: Unknown

    @model_validator(mode="after")
    def _roles_are_known(self) -> Self:
        named = {*self.once, *self.parts, *(role for tool in self.tools for role in (*tool.takes, *tool.knows))} - {ANY}
        if unknown := named - self.roles.keys():
            raise ValueError(f"no such roles: {sorted(unknown)}")
        return self
