"""The shape of each table of what clients write; what the fields mean says each file's own `about`."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from tslp_litellm.data import Pattern, Row, Table

Words = frozenset[str]
Patterns = tuple[Pattern, ...]
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


class Attachments(Table):
    """`attachments.json`."""

    files: dict[str, str]
    attributes: Words
    holders: Words


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


class Clients(Table):
    """`clients.json`."""

    editors: Patterns
    gaps: Pattern
    examples_end: Words
    floating: Patterns
    acknowledgements: Words
    machine: Patterns
    above_reply: Pattern
    machine_tags: Words
    skills: Patterns
    volatile: Patterns
    working_directory: tuple[WorkingDirectory, ...]
    edit_forms: tuple[EditForm, ...]


class Success(Row):
    """A client's words of success; `then` may follow each of them."""

    client: str
    says: Patterns
    then: Patterns = ()


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
    silent: Patterns
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
    clipped: Patterns


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
    """What tools of some names do. `takes`: roles of the arguments that it knows; `only`: the very arguments instead;
    `needs`: of which one is given.

    Of a read: `limit`, the lines it shows at most where it does not say that there are more (0: any number); `raw`,
    its result may be the bare text; `numbers`, it may number the lines; `ended`, its numbers show whether the last line
    is ended; `frames`, in which alone it shows a file.
    """

    client: str
    names: Annotated[Words, Field(min_length=1)]
    does: Does
    takes: tuple[str, ...]
    only: Words | None = None
    limit: int = 0
    raw: bool = False
    numbers: bool = True
    ended: bool = False
    frames: tuple[str, ...] = ()
    needs: Words = frozenset()
    knows: tuple[str, ...] = ()


class Unknown(Row):
    """The words by which the name of an unknown tool says what it may do."""

    readers: Words
    runners: Words
    doers: Words
    renamers: Words
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


class WordLists(Table):
    """`words.json`. `languages`: what each language has beside English, by the names of the lists."""

    taken_back: Words
    earlier: Words
    go_back: Words
    leads_to: Words
    unasked: Words
    follows: Words
    part: Words
    place: Words
    itself: Words
    elsewhere: Words
    makes: Words
    adds: Words
    mine: Words
    asks: Words
    deed: Words
    shows: Words
    again: Words
    told: Words
    everywhere: Words
    switched: Words
    versions: Words
    lose: Words
    goes_on: Words
    article: Words
    joins: Words
    before_other: Words
    negation: Words
    unless: Words
    fault: Words
    method: Words
    overload: Words
    urges: Words
    file: Words
    denies: Words
    i_did: Words
    part_of: Words
    languages: dict[str, dict[str, Words]]

    @model_validator(mode="after")
    def _lists_are_known(self) -> Self:
        known = type(self).model_fields.keys() - {"about", "languages"}
        if unknown := {name for lists in self.languages.values() for name in lists} - known:
            raise ValueError(f"no such lists: {sorted(unknown)}")
        return self

    def words(self, name: str) -> Words:
        """A list in all languages."""
        english: Words = getattr(self, name)
        return english.union(*(lists.get(name, ()) for lists in self.languages.values()))


class Runner(Row):
    """What a test run, a compiler or a linter says last."""

    tool: str
    says: dict[str, Pattern]
    tests: bool = False
    tests_with: Pattern = ""
    silent: Words = frozenset()


class Verdicts(Table):
    """`verdicts.json`."""

    runners: tuple[Runner, ...]
    counts: dict[str, Literal["passed", "failed", "errors", "skipped", "total"]]
    shows: Words
    fetches: Words
    paste: Words
