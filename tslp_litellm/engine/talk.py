"""A request, read: its own items, which calls its results answer, and the user's latest own words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from threading import Lock

from tslp_litellm.clients.asides import without_skills
from tslp_litellm.clients.frames import after_examples
from tslp_litellm.clients.makers import attempt, shell_scripts, told_by
from tslp_litellm.clients.outcomes import outcome, shell_outcome
from tslp_litellm.clients.ran_scripts import by_scripts
from tslp_litellm.clients.reads import read
from tslp_litellm.clients.reminders import noticed
from tslp_litellm.clients.shell import begins_anew_by, by_definitions, carried_out
from tslp_litellm.clients.shell_folders import ShellFolders
from tslp_litellm.clients.synthetic import rejoined
from tslp_litellm.clients.text_calls import expand
from tslp_litellm.clients.tools import arguments_of
from tslp_litellm.conversation import history
from tslp_litellm.conversation.model_text import read_answer
from tslp_litellm.conversation.user_text import Reading, read_user_text
from tslp_litellm.dialects.values import Attempt, Evidence, Outcome, Report, Told
from tslp_litellm.engine import beside
from tslp_litellm.parser.budget import OverBudgetError, spend
from tslp_litellm.state.events import Event
from tslp_litellm.wire.turn import Item, ItemKind, Role, Turn, is_empty

Piece = Evidence | Outcome | Report | Told
"""What an item may be evidence of."""
READINGS_CHARS_MAX = 4_000_000
"""What the readings that are kept may hold, in characters of the texts that were read."""
UNREAD = Reading(())
"""Stands for a text whose reading took longer than anybody has time for. It is not read again."""
READING_CHARS = 500
"""What a reading weighs beside its text."""


@dataclass(frozen=True)
class Talk:
    """A request's own items. `calls`: for a result, the call it answers.

    `prompt` is the index of the last item of the user's latest own message, `message` that message's index on the
    wire, `prose` its words; None and empty where there is no such message. `said`: what is searched for mentions: its
    words, those of other messages since the last answer, and the files of the traces that are pasted in them.
    `folders`: where shell calls begin; `own`: the items that hold the user's own words; `made`: for a result, the call
    that was carried out, where the Ledger knows it; `since`: and the place of the answer that made it there;
    `beside`: what items say that changes no state; `strayed`: results of shell calls that may not have begun where the
    calls before left their shell;
    `results`: what results were found to be evidence of, by item and working directory; `large`: readings that are
    too large to be kept beyond the visit, by digest.
    """

    items: tuple[Item, ...]
    digests: tuple[bytes, ...]
    calls: tuple[Item | None, ...]
    prompt: int | None
    message: int | None
    prose: str
    folders: ShellFolders
    own: tuple[int, ...] = ()
    said: str = ""
    results: dict[tuple[int, str | None], Sequence[Piece]] = field(default_factory=dict)
    large: dict[bytes, Reading] = field(default_factory=dict)
    made: dict[int, Item] = field(default_factory=dict)
    since: dict[int, int] = field(default_factory=dict)
    beside: dict[int, list[Event]] = field(default_factory=dict)
    strayed: set[int] = field(default_factory=set)

    @cached_property
    def floats(self) -> Sequence[bool]:
        """Which items are made anew for each request."""
        return history.floating(self.items)

    @cached_property
    def listings(self) -> frozenset[int]:
        """The listings that say what the files are now."""
        return history.standing_listings(self.items)

    def align(self, memory: history.Memory) -> history.Alignment:
        """The ages of the items, by what is remembered of a conversation."""
        return history.align(self.items, self.digests, memory, self.floats, self.listings)

    def call(self, n: int) -> Item | None:
        """The call that a result answers."""
        return self.made.get(n) or self.calls[n]

    def folder(self, n: int, root: str | None) -> str | None:
        """Where the shell call begins that a result answers; None where that is not known."""
        if n in self.strayed:
            return None
        call = self.call(n)
        if call is None or self.calls[n] is not None:
            return self.folders.before(n, root)
        return "" if self.folders.begins_anew(call) else None

    def answered(self) -> bool:
        """Whether the model has said anything since the user's latest own words."""
        last = self.prompt if self.prompt is not None else -1
        return any(item.role is Role.ASSISTANT and not self.floats[n] for n, item in enumerate(self.items) if n > last)

    def turn_key(self) -> bytes | None:
        """What tells the user's latest words from the ones before, also where they are the same words again."""
        if self.prompt is None:
            return None
        digest = self.digests[self.prompt]
        return digest + self.digests[: self.prompt + 1].count(digest).to_bytes(2, "big")


class ReadingCache:
    """The last readings of texts, by their digest: a resent history costs its hashing only."""

    def __init__(self) -> None:
        self._kept, self._lock = OrderedDict[bytes, tuple[Reading, int]](), Lock()
        self._chars = 0

    def get(self, item: Item, digest: bytes, large: dict[bytes, Reading], known_only: bool = False) -> Reading:
        """The reading of a text; the model's own words show files too, but hold no prose of the user's.

        `large`: where it is put if it is too large to be kept; `known_only`: UNREAD where it is not known.
        OverBudgetError where the visit's time is up; UNREAD from then on.
        """
        with self._lock:
            if digest in self._kept:
                self._kept.move_to_end(digest)
                return self._kept[digest][0]
        if digest in large:
            return large[digest]
        if known_only:
            return UNREAD
        spend()
        try:
            made = read_user_text(item.text) if item.role is Role.USER else Reading(tuple(read_answer(item.text)))
        except OverBudgetError:
            with self._lock:
                self._keep(digest, UNREAD, READING_CHARS)
            raise
        if (chars := len(item.text) + READING_CHARS) > READINGS_CHARS_MAX // 4:
            large[digest] = made
            return made
        with self._lock:
            self._keep(digest, made, chars)
        return made

    def _keep(self, digest: bytes, made: Reading, chars: int) -> None:
        _, before = self._kept.pop(digest, (made, 0))
        self._kept[digest] = (made, chars)
        self._chars += chars - before
        while self._chars > READINGS_CHARS_MAX:
            _, (_, gone) = self._kept.popitem(last=False)
            self._chars -= gone

    def talk(self, turn: Turn, known_only: bool = False) -> Talk:
        """A request, read as far as finding the user's words needs it. `known_only`: nothing is read for it."""
        items = _in_call_order(
            [i for i in expand(without_skills(rejoined(after_examples(turn.items)))) if not is_empty(i)]
        )
        digests = tuple(history.digest(item) for item in items)
        calls = _answered_calls(items)
        folders = ShellFolders(items, calls, anew=begins_anew_by(turn.system()))
        large: dict[bytes, Reading] = {}
        own = {
            n: reading
            for n, item in enumerate(items)
            if item.role is Role.USER
            and item.kind is ItemKind.TEXT
            and ((reading := self.get(item, digests[n], large, known_only)).prose or reading.pasted)
        }
        if not own:
            return Talk(items, digests, calls, None, None, "", folders, large=large)
        last = max(own)
        answer = max((n for n, item in enumerate(items) if item.role is Role.ASSISTANT and n < last), default=-1)
        latest = [reading for n, reading in own.items() if items[n].message == items[last].message]
        others = [one for n, one in own.items() if n > answer and items[n].message != items[last].message]
        prose, traces = "\n\n".join(one.prose for one in latest), [path for one in latest for path in one.traced]
        said = "\n\n".join((prose, *(one.prose for one in others), *traces))
        return Talk(items, digests, calls, last, items[last].message, prose, folders, tuple(own), said, large=large)

    def evidence(self, talk: Talk, n: int, root: str | None = None, *, known_only: bool = False) -> list[Piece]:
        """What an item is evidence of, if it is new. OverBudgetError where that was found to take too long.

        `root`: the client's working directory. `known_only`: no text is read for it.
        """
        item, call = talk.items[n], talk.call(n)
        if not item.exact:
            return []
        spend()
        if item.kind is ItemKind.TEXT:
            reading = self.get(item, talk.digests[n], talk.large, known_only)
            if reading is UNREAD:
                raise OverBudgetError("it was found before that the text takes too long to read")
            return list(reading.evidence)
        if call is None:
            return []
        if (n, root) not in talk.results:
            talk.results[n, root] = self.of_result(talk, n, talk.folder(n, root))
        return list(talk.results[n, root])

    @staticmethod
    def of_result(talk: Talk, n: int, folder: str | None) -> list[Piece]:
        """What the result of a call is evidence of; `folder`: where a shell call begins (None: unknown)."""
        item, call = talk.items[n], talk.call(n)
        if call is None:
            return []
        attempted = attempt(call, folder)
        found: Sequence[Piece] = [_outcome(call, item, attempted)] if attempted else read(call, item, folder)
        found = [*found, *told_by(call, item), *by_scripts(talk.calls[:n], found)]
        if definitions := talk.folders.definitions(n):
            scripts = (script for script, _ in shell_scripts(arguments_of(call)))
            found = [*found, *by_definitions((*definitions, *scripts), folder)]
        return [*noticed(item.text), *found]

    def beside(self, talk: Talk, n: int, root: str | None) -> list[Event]:
        """What an item says that changes no state, if it is new (SEMANTICS 12)."""
        if n not in talk.beside:
            item, call, found = talk.items[n], talk.call(n), list[Event]()
            if item.exact and item.kind is ItemKind.TEXT and item.role is Role.USER:
                found = beside.of_user(item, self.get(item, talk.digests[n], talk.large))
            elif item.exact and call is not None and item.kind is ItemKind.RESULT:
                found = beside.of_result(call, item, self.evidence(talk, n, root))
            talk.beside[n] = found
        return talk.beside[n]

    def shown(self, talk: Talk, n: int) -> list[Evidence]:
        """The files that an item shows, whoever's word it is."""
        item = talk.items[n]
        if item.kind is ItemKind.CALL:
            attempted = attempt(item)
            return list(attempted.changes) if attempted else []
        if item.kind is ItemKind.TEXT and self.get(item, talk.digests[n], talk.large) is UNREAD:
            return []
        return [piece for piece in self.evidence(talk, n) if not isinstance(piece, (Outcome, Report, Told))]

    def visible(self, talk: Talk, n: int) -> list[Evidence]:
        """The files that an item shows to a model: also those whose text the result of an edit states."""
        found = self.evidence(talk, n) if talk.items[n].kind is ItemKind.RESULT else []
        return [*self.shown(talk, n), *(piece for one in found if isinstance(one, Outcome) for piece in one.stated)]


def _outcome(call: Item, result: Item, attempted: Attempt) -> Outcome:
    said = shell_outcome(result, call.name, arguments_of(call)) if attempted.scripts else None
    return carried_out(outcome(attempted, result), result.text, said)


def _in_call_order(items: Sequence[Item]) -> tuple[Item, ...]:
    """The items, results that stand together in the order of their calls: so the client carried them out."""
    called: dict[str, int] = {}
    out: list[Item] = []
    for results, run in groupby(items, key=lambda item: item.kind is ItemKind.RESULT):
        if results:
            out += sorted(run, key=lambda item: called.get(item.call_id, len(out)))
            continue
        for item in run:
            out.append(item)
            if item.kind is ItemKind.CALL:
                called[item.call_id] = len(out)
    return tuple(out)


def _answered_calls(items: Sequence[Item]) -> tuple[Item | None, ...]:
    """For each result, the nearest call before it with the same id."""
    known: dict[str, Item] = {}
    calls: list[Item | None] = []
    for item in items:
        if item.kind is ItemKind.CALL:
            known[item.call_id] = item
        calls.append(known.get(item.call_id) if item.kind is ItemKind.RESULT else None)
    return tuple(calls)
