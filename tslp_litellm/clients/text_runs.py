"""Commands in a model's text that the client ran: the next user message is what it says of the run (`runs` in
`data/clients.json`).

Behind this module nobody knows that they were text: each is a call with its result. A known frame says which of the
fences is run, and what became of it. Any other message is either known only to go on (`prose/going_on.py`), or it may
report: a machine's, as nobody knows, or the user's "I ran it." Then whatever the answer before holds in a form of its
own (`clients/text_parts.py`) may have run, and nobody knows how it ended; the message is read as ever.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

from tslp_litellm.clients.frames import floating, without_volatile
from tslp_litellm.clients.shell import UNSHOWN
from tslp_litellm.clients.text_parts import PROGRAMS, SHELLS, Part, parts_in, script_of
from tslp_litellm.clients.text_told import TOLD, told_in
from tslp_litellm.clients.tools import argument, arguments_of
from tslp_litellm.clients.user_commands import UNTOLD
from tslp_litellm.data import table
from tslp_litellm.data.schema import Attachments, Clients, Run
from tslp_litellm.dialects.fences import Fence, fences, prose_lines
from tslp_litellm.dialects.framing import spoken
from tslp_litellm.dialects.lines import line_end
from tslp_litellm.dialects.paths import hint_in_line, may_be_path, paths_in
from tslp_litellm.dialects.tags import tagged, without
from tslp_litellm.parser.budget import spend
from tslp_litellm.prose.going_on import is_users_label, only_goes_on, tells_an_end
from tslp_litellm.wire.turn import Item, ItemKind, Role

_OPENING = re.compile(r"^```(?P<language>[\w+.-]*)[ \t\r]*\n", re.M)
_TAG = re.compile(r"<(?P<name>[A-Za-z][\w.:-]{0,60})(?:\s[^<>\n]{0,400})?>")
_LABEL = re.compile(
    r"(?:[\[(](?P<held>[^\[\]()\n]{1,60})[\])]:?|(?P<label>\w[\w-]{0,40}(?: [\w-]{1,40}){0,3}):)(?=\s|\Z)"
)
REPORT_CHARS_MAX = 8_000
"""So much of a message is looked at for what it reports."""
EARLIER_MAX = 3
"""So many answers before the last one a message may still report of."""
VIEWS_MAX, VIEW_CHARS_MAX, SHOWN_MAX = 8, 20_000, 64
"""So many messages of users, and so much of each, are looked at for the files that an answer may mean."""
_OUTPUTS = frozenset({"", "text", "txt", "plaintext", "console", "terminal", "shell-session", "shellsession", "log"})
_OUTPUT = re.compile(r"(?:^|[_-])(?:outputs?|results?|response|stdout|observations?|logs?)$")
"""What fences are called that hold what something printed."""


@dataclass(frozen=True, slots=True)
class _Fence:
    language: str
    text: str


@dataclass(slots=True)
class _Answer:
    """What the model's last words hold that may have been run: texts, fences, calls in text."""

    texts: list[str] = field(default_factory=list)
    fences: list[_Fence] = field(default_factory=list)
    calls: list[Item] = field(default_factory=list)

    def hear(self, item: Item) -> None:
        """Another item of the answer."""
        self.fences += _fences(item)
        self.calls += [item] if item.kind is ItemKind.CALL and item.call_id.startswith("text-") else []
        self.texts += [item.text] if item.kind is ItemKind.TEXT and item.exact else []

    @property
    def paths(self) -> set[str]:
        """The files that it names."""
        return {path for text in self.texts for path in paths_in(text, SHOWN_MAX)}

    @property
    def parts(self) -> Iterator[Part]:
        """What may have been run in whatever form."""
        for text in self.texts:
            yield from _parts(text)


@dataclass(slots=True)
class _Said:
    """What was said so far. `earlier`: answers before the last one of which no message has reported anything yet;
    `views`: the last messages of users, and calls, in which files were in view."""

    answer: _Answer = field(default_factory=_Answer)
    earlier: list[_Answer] = field(default_factory=list)
    views: list[Item] = field(default_factory=list)

    def go_on(self) -> None:
        """The model answers anew."""
        self.earlier = [*self.earlier, self.answer][-EARLIER_MAX:]
        self.answer = _Answer()

    def forget(self) -> None:
        """Nothing that was said before can be reported any more."""
        self.answer, self.earlier = _Answer(), []

    def heard(self, item: Item, reported: bool) -> None:
        """A message behind the answer. What a user shows anew is how it is, whatever was run before."""
        if reported:
            self.forget()
        if item.role is Role.USER:
            self.see(item)
            shown = set(paths_in(item.text, SHOWN_MAX)) if self.earlier and _shows(item.text) else set()
            self.earlier = [one for one in self.earlier if not shown or one.paths.isdisjoint(shown)]

    def see(self, item: Item) -> None:
        """An item that may bring files into view."""
        self.views = [*self.views, item][-VIEWS_MAX:]

    def in_view(self) -> list[str]:
        """The files that were named last, by a user or in a call."""
        return next((paths for item in reversed(self.views) if (paths := _named_in(item))), [])


def _named_in(item: Item) -> list[str]:
    if item.kind is ItemKind.TEXT:
        return paths_in(item.text[:VIEW_CHARS_MAX], SHOWN_MAX)
    path = argument(arguments_of(item), "path")
    return [path] if isinstance(path, str) else []


def with_runs(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items, with what a message reports of the answers before made calls and results of their own. What a client
    says by itself (a system message) behind an answer counts for nothing else."""
    out, said, message = list[Item](), _Said(), -1
    runs = False  # whether the client is known to run commands: then whatever follows one is what it says of the run
    items = list(items)
    for item, floats in zip(items, floating(items), strict=True):
        spend()
        if floats:  # it stands in front of the last message, and behind the answer only for as long
            out.append(item)
        elif item.role is Role.ASSISTANT:
            if message >= 0:
                said.go_on()
                message = -1
            said.answer.hear(item)
            if item.kind is ItemKind.CALL:
                said.see(item)
            out.append(item)
        elif item.kind is not ItemKind.TEXT:
            said.forget()  # a client that answers calls runs no text, and one call at a time
            out.append(item)
        else:
            by_client = item.role is Role.SYSTEM
            made, machine = [item], False
            if message == -1 or (message == item.message and not by_client):
                own = any(fence.language in _clients_own() for fence in said.answer.fences)
                made, machine = _reported(item, said, runs or own)
            runs = runs or (machine and len(made) > 1)
            said.heard(item, reported=len(made) > 1)
            message = message if by_client else item.message
            out += [one for one in made if one.role is not Role.SYSTEM]
    return tuple(out)


def _fences(item: Item) -> list[_Fence]:
    """The fences of an answer, as clients of this kind find them: each ends at the next line that begins with one."""
    if item.kind is not ItemKind.TEXT or not item.exact or "```" not in item.text:
        return []
    text, at, found = spoken(item.text), 0, list[_Fence]()
    while (opening := _OPENING.search(text, at)) is not None:
        end = text.find("\n```", opening.end() - 1)
        if end < 0:
            break
        found.append(_Fence(opening["language"].lower(), text[opening.end() : end + 1]))
        at = max(line_end(text, end + 1), opening.end())
    return found


@cache
def _runs() -> tuple[tuple[Run, re.Pattern[str]], ...]:
    return tuple((run, re.compile(run.frame)) for run in table("clients", Clients).runs)


@cache
def _clients_own() -> frozenset[str]:
    """What fences of commands are called that only a client which runs them asks for."""
    named = {word for run, _ in _runs() for words in run.fences for word in words}
    return frozenset(named - SHELLS - PROGRAMS.keys() - {""})


@cache
def _known_tags() -> frozenset[str]:
    """The tags with which clients begin a message of the user's own."""
    files, clients = table("attachments", Attachments), table("clients", Clients)
    return frozenset({*files.files, *files.holders, *clients.machine_tags, *clients.asides.tags})


def _reported(item: Item, said: _Said, runs: bool) -> tuple[list[Item], bool]:
    """A text as the runs that it reports, and what is left of it; the text alone where it reports none. And whether it
    is a machine's.

    `runs`: the client is one that runs commands, so that the text reports one in whatever words.
    """
    for run, frame in _runs():
        match = frame.search(item.text) if item.exact else None
        if match is not None and said.answer.fences:
            return _by_row(item, run, match, said.answer.fences), True
    machine, answer = runs or is_machine(item.text), said.answer
    users = "" if machine or item.role is not Role.USER else _prose(without_volatile(item.text)[:REPORT_CHARS_MAX])
    ended = bool(users) and tells_an_end(users, spend)
    meant = [*(said.earlier if ended else ()), answer]
    if not any(one.texts or one.calls for one in meant):
        return [item], machine
    if not (machine or may_report(without_volatile(item.text))):
        return [item], machine
    heard = replace(item, role=Role.USER)
    made = [made for one in meant for made in _perhaps_ran(heard, one, UNSHOWN if users else UNTOLD)]
    told = told_in([text for one in meant for text in one.texts], said.in_view) if users else None
    made += _ran(heard, TOLD, told, UNTOLD) if told is not None else []
    return [*made, item], machine


def _perhaps_ran(heard: Item, answer: _Answer, result: str) -> list[Item]:
    """All that an answer holds which may have been run, each with what stands for its result."""
    made = [replace(heard, role=Role.TOOL, kind=ItemKind.RESULT, text=result, call_id=c.call_id) for c in answer.calls]
    for part in answer.parts:
        made += _ran(heard, part.tool, part.arguments, result)
    return made


@lru_cache(maxsize=256)
def _parts(text: str) -> tuple[Part, ...]:
    return tuple(parts_in(spoken(text), _known_tags(), _clients_own()))


def _by_row(item: Item, run: Run, match: re.Match[str], fences: Sequence[_Fence]) -> list[Item]:
    """What a client of a row reports. Which fence it ran is known where it runs the only one of its languages, or the
    last; else each may have run."""
    named = next((found for words in run.fences if (found := [f for f in fences if f.language in words])), [])
    ran = named[-1:] if run.last else named
    result = item.text if run.states and len(ran) == 1 else UNTOLD
    told = match.groupdict()
    out: list[Item] = []
    for fence in ran:
        script = _script(fence)
        out += _ran(item, run.tool, {"command": script}, result)
        if told.get("path") and script.split()[:1] and script.split()[0] not in run.reads:
            out += _ran(item, "windowed_edit", {"path": told["path"], "command": script}, UNTOLD)
    return out if ran else [item]


def _script(fence: _Fence) -> str:
    """A fence as a shell script; one of another language is given to its program."""
    return script_of(fence.language, fence.text)


def _ran(item: Item, tool: str, arguments: dict[str, Any], result: str) -> list[Item]:
    """A call of the user's side with its result; the same text is the same call whenever it is sent again."""
    text = json.dumps(arguments, ensure_ascii=False)
    digest = hashlib.blake2b(f"{tool}\0{text}\0{result}".encode(errors="replace"), digest_size=12).hexdigest()
    call = replace(item, kind=ItemKind.CALL, text=text, name=tool, call_id=f"run-{digest}")
    return [call, replace(call, role=Role.TOOL, kind=ItemKind.RESULT, text=result, name="")]


def is_machine(text: str) -> bool:
    """Whether a text begins as machines frame what they report, in whatever words: with a tag, a label, a structure or
    a fence of output, and not as clients show files."""
    text = text.strip()
    if not text or text.startswith(('{"', "[{", "```\n")):
        return True
    if (fence := _OPENING.match(text)) is not None:
        return _OUTPUT.search(fence["language"].lower()) is not None
    if (tag := _TAG.match(text)) is not None:
        return tag["name"] not in _known_tags()
    label = _LABEL.match(text)
    if label is None or may_be_path(label["held"] or label["label"]):
        return False
    return not is_users_label(label["held"] or label["label"], text[label.end() : line_end(text, label.end())])


def may_report(text: str) -> bool:
    """Whether a user's text may say what became of commands: it is not known only to go on, and shows no file."""
    return _may_report(text[:REPORT_CHARS_MAX])


@lru_cache(maxsize=1024)
def _may_report(text: str) -> bool:
    if prose := _prose(text):
        return not only_goes_on(prose, spend)
    own = without(text, tagged(text, _known_tags())) if "<" in text else text
    return any(_is_output(block) for block in fences(own))


def _prose(text: str) -> str:
    """A user's own words in a text, without the labels of what it shows."""
    own = without(text, tagged(text, _known_tags())) if "<" in text else text
    return "\n".join(line for line in prose_lines(own, fences(own)) if not _is_label(line)).strip()


def _shows(text: str) -> bool:
    """Whether a text shows anything but words."""
    return "```" in text or "~~~" in text or any(f"<{tag}" in text for tag in _known_tags())


def _is_label(line: str) -> bool:
    hint = hint_in_line(line)
    return hint is not None and hint.sure


def _is_output(block: Fence) -> bool:
    """Whether a fence may hold what something printed, and is called nothing else."""
    word = block.info.strip().lower()
    return word in _OUTPUTS or _OUTPUT.search(word) is not None
