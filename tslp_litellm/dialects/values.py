"""Kinds of evidence. Paths are as written on the wire; they are normalised when they are judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from tslp_litellm.shell.targets import Like


class Carrier(StrEnum):
    """In what form evidence came; recorded in the Ledger."""

    FENCE = "fence"
    LISTING = "listing"
    ATTACHMENT = "attachment"
    READ = "read"
    WRITE = "write"
    SEARCH_REPLACE = "search-replace"
    UDIFF = "unified-diff"
    PATCH = "patch"
    TOOL_EDIT = "tool-edit"
    SHELL = "shell"
    REPORT = "report"
    TOLD = "told"
    TAG = "tag"


class Ground(StrEnum):
    """What says to which file a piece of code belongs (SEMANTICS 2, Which file)."""

    LABEL = "label"
    STRUCTURE = "structure"
    SENTENCE = "sentence"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Shown:
    """A text shown as, or written to, a file.

    `whole`: the carrier leaves no doubt that it is the whole file. `ended`: the carrier shows whether the last line
    is ended. `label`: a first line that only names the path, cut off from `text`. `sure`: the path is one by its
    looks; else it counts only where such a file is tracked. `language`: what a fence calls its content.
    `symbol`: the label names a definition, and the text is only that. `raw`: a tool's bare output, which nothing frames
    as the file's text. `named`: the path that the frame itself names.
    `alone`: its label is a line of nothing else, which a user writes above a file, and a model above an example too.
    `doubted`: words that nobody knows stand by the path, or, of a `part`, in the text, so that it proves nothing.
    `with_numbers`: the text with the numbers in front of its lines, which may be the file's own. `above`: the sentence
    just above the fence. `by`: what says that it is of that file. `container`: it shows only members, within a header
    of that type. `part`: it is said
    to be a part of the file. `inner`: what it shows is that, functions that stand inside others; `text` is the file, or
    what holds them, with them in their places. `before`: the fence just before, which this one may take the place of.
    """

    path: str
    text: str
    carrier: Carrier
    whole: bool = False
    ended: bool = True
    label: str = ""
    sure: bool = True
    language: str = ""
    symbol: str = ""
    raw: bool = False
    named: str = ""
    alone: bool = False
    doubted: bool = False
    with_numbers: str = ""
    above: str = ""
    by: Ground = Ground.LABEL
    container: str = ""
    part: bool = False
    inner: str = ""
    before: str = field(default="", compare=False)

    @property
    def placed(self) -> str | None:
        """What said, in a label's place, that it is of that file, as the Ledger writes it."""
        return None if self.by is Ground.LABEL else str(self.by)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines that a read shows of a file, which is no whole text. `first`: the number of the first one, from 1;
    below 1, counted from the file's end; 0 where it is not known.

    No lines: it says that there is no such file. `until`: they are all that stands in so many lines (-1: to the file's
    end; 0: it is not said), but for white space at both ends. `among`: those lines stand together among the ones shown;
    `unsure`: if they were shown at all.
    `bare`: the output of a tool that shows files so and that may have put a line of its own at either end.
    `with_numbers`: the lines with the numbers in front of them, which may be the file's own. `total`: how many lines
    the file is said to have, with or without an empty last one; 0 where it is not said.
    """

    path: str
    first: int
    lines: tuple[str, ...]
    carrier: Carrier = Carrier.READ
    until: int = 0
    among: bool = False
    bare: str = ""
    with_numbers: str = ""
    total: int = 0
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class Replacement:
    """`old` becomes `new`: where it stands exactly once, or everywhere. An empty `old` makes `new` the whole file.

    `lines`: both are whole lines, and match only whole lines. Where `old` stands more than once: `line` (counted
    from 1 in the text as it is after the replacements before; 0 if unknown) or `scope` (a line above it that stands
    once) say which one is meant. `keeps_end`: what does the replacing leaves the end of the file's last line as it
    is, where it replaces only others; clients that edit by lines end it.
    """

    old: str
    new: str
    everywhere: bool = False
    lines: bool = False
    line: int = 0
    scope: str = ""
    keeps_end: bool = False


@dataclass(frozen=True, slots=True)
class Insertion:
    """Lines put in front of a line (counted from 1); before None, at the end of the file.

    `exact`: the text's characters go there as they are; else its lines do, each with an end of its own.
    """

    new: str
    before: int | None = None
    exact: bool = False


EditStep = Replacement | Insertion


@dataclass(frozen=True, slots=True)
class Edit:
    """Steps in one file, in order, all or none. `stated`: the client itself says that this is what it did. `path`:
    empty for a model's diff that names no file. `unmarked`: the steps as they are where its lines of context lack their
    mark, if that makes a difference."""

    path: str
    steps: tuple[EditStep, ...]
    carrier: Carrier
    stated: bool = False
    unmarked: tuple[EditStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Removal:
    """A file deleted; with `tree`, all files of a folder, if it is one."""

    path: str
    carrier: Carrier
    tree: bool = False


@dataclass(frozen=True, slots=True)
class Transfer:
    """A file moved to another place (or copied: `keep`), after `steps`. `to` may be a folder that exists; `loose`: of a
    file nobody knows whether it is."""

    path: str
    to: str
    carrier: Carrier
    keep: bool = False
    steps: tuple[EditStep, ...] = ()
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Drift:
    """Tracked files are known to have changed, but not into what; no path means any file may have.

    A path that ends in a slash means all files below that folder. With `like`, only `paths` and the files that one of
    these fits. `scripts`: files that ran from the folder `run_in` (None: an unknown one); what their text names, too;
    `recipes`: of their commands only those under these names. `holding`: files whose text holds one of these names.
    """

    paths: tuple[str, ...]
    carrier: Carrier
    like: tuple[Like, ...] = ()
    scripts: tuple[str, ...] = ()
    run_in: str | None = ""
    recipes: tuple[str, ...] | None = None
    holding: tuple[str, ...] = ()

    @property
    def anything(self) -> bool:
        """Whether any file may have changed."""
        return not self.paths and not self.like and not self.scripts and not self.holding


@dataclass(frozen=True, slots=True)
class Snippet:
    """Code without a path. `above`: the sentence just above its fence; `before`: the fence before, as in `Shown`;
    `headed`: the one path that the headings above it name; `bare`: it stands in no fence; `doubted`: and in words, of
    which nobody knows where they begin."""

    text: str
    language: str
    above: str = ""
    headed: str = field(default="", compare=False)
    before: str = field(default="", compare=False)
    bare: bool = False
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence in which a user says that he changed something, by his own words: what it names is of unknown text,
    or all there is where it names a branch, a commit or the repository (`everywhere`) and no file."""

    sentence: str
    everywhere: bool = False


FileChange = Shown | Edit | Removal | Transfer | Drift
Evidence = FileChange | Snippet | Excerpt


@dataclass(frozen=True, slots=True)
class ApplierChat:
    """What a client that applies edits out of the model's text goes by: its fence, and the files in the chat.

    `files`: their paths as it writes them; None where the request does not state them.
    """

    opening: str = "```"
    closing: str = "```"
    files: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One part of what such a client takes: in the file of that name, `old` becomes `new`."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What such a client takes out of one answer, in order; it applies each block by itself, as far as it can.

    `form` FENCE: `new` is the whole file. SEARCH_REPLACE, UDIFF: it looks for `old` by rules of its own; without an
    `old` it appends. `doubtful`: files of which nobody knows what it took.
    """

    blocks: tuple[Block, ...]
    form: Carrier
    chat: ApplierChat
    doubtful: frozenset[str] = frozenset()


class Verdict(StrEnum):
    """What became of a tool call."""

    SUCCESS = "success"
    FAILURE = "failure"
    DENIED = "denied"
    UNKNOWN = "unknown"


class Refusal(StrEnum):
    """What the words of a failure say of the file: the old text of an edit is not there, or several times; there is no
    such file; it has the new text already; nothing of its text. UNKNOWN: nobody knows what they say."""

    ABSENT = "absent"
    SEVERAL = "several"
    GONE = "gone"
    SAME = "same"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A tool call that would change files: it counts when its result says so.

    `certain`: False where success of the whole does not prove each change, or failure does not disprove it (several
    shell commands): then the files are of unknown text after a failure. `scripts`: the shell scripts that it runs, with
    the folder each begins in (None: an unknown one); its result tells what they did.
    """

    call_id: str
    tool: str
    changes: tuple[FileChange, ...]
    kind: str = ""
    certain: bool = True
    scripts: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A tool call's result: the verdict, the attempt, and what the client itself states of files.

    `created`: it says that the file is new. `moved`: that a file was not as expected, or that the user changed what
    was proposed, so that its text is no longer known. `refusal`: why it failed; None where it did not. `shows` and
    `showed`: lines of the file as it is after the edit, and was before; `replaced`: how often a text was replaced, 0
    where the client does not say.
    """

    attempt: Attempt
    verdict: Verdict
    stated: tuple[FileChange, ...] = ()
    created: bool = False
    moved: bool = False
    refusal: Refusal | None = None
    undone: tuple[FileChange, ...] = ()
    shows: tuple[Excerpt, ...] = ()
    showed: tuple[Excerpt, ...] = ()
    replaced: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What a client says became of edits in the model's text: some failed to match, or all were undone.

    `failed` holds the old texts of the edits that failed; empty where it does not say which. `dropped`: it took none of
    the answer that stands right before.
    """

    undone: bool
    failed: tuple[str, ...] = ()
    dropped: bool = False
