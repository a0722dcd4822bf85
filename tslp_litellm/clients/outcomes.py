"""What became of a tool call, by its result: success and failure only in forms that are known (`data/outcomes.json`).

Structured results speak by their own fields, the words of known clients by their exact forms, those of others by a
small grammar (`dialects/wording.py`). Anything else is unknown: what the call could have changed is DIRTY.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from tslp_litellm.clients.counts import adds_up, measures
from tslp_litellm.clients.echoes import Echo, echo_of
from tslp_litellm.clients.printed import printed
from tslp_litellm.clients.reminders import without_reminders
from tslp_litellm.clients.stated import is_own_diff, stated_in
from tslp_litellm.data import table
from tslp_litellm.data.schema import Outcomes
from tslp_litellm.dialects.lines import LineSearch, Words
from tslp_litellm.dialects.results import Fields, of_fields
from tslp_litellm.dialects.values import (
    Attempt,
    Drift,
    Edit,
    FileChange,
    Outcome,
    Refusal,
    Removal,
    Shown,
    Transfer,
    Verdict,
)
from tslp_litellm.dialects.wording import Done, claims, denies, done_by, same_path
from tslp_litellm.shell.certainty import Outcome as ShellOutcome
from tslp_litellm.shell.commands import tables
from tslp_litellm.wire.turn import Item

WORDS_OF_VERDICT = 400
_EXIT_WORDS = ("exit", "return code")
"""Each form of an exit status that may stand behind an output's beginning holds one of these in its first line."""
LINES_MAX = 40
"""A verdict stands in a result's first lines, and what it was about in their first characters."""
_PATH = r"[`'\"]?([^\n`'\"]{1,400}?)[`'\"]?"
_REMOVES = frozenset({"deleted", "removed"})
_MOVES = frozenset({"moved", "renamed"})


@dataclass(frozen=True, slots=True)
class _Forms:
    """The data file, compiled. `exit` finds a number in its group `exit`."""

    success: tuple[re.Pattern[str], ...]
    failure: re.Pattern[str]
    denied: re.Pattern[str]
    created: re.Pattern[str]
    moved: re.Pattern[str]
    refusals: Mapping[Refusal, re.Pattern[str]]
    exit: tuple[re.Pattern[str], ...]
    silent: re.Pattern[str]
    unknown: re.Pattern[str]
    refused: re.Pattern[str]
    error: re.Pattern[str]
    error_line: re.Pattern[str]


def _union(patterns: tuple[str, ...]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns).replace("{n}", r"\d+")


def _table() -> Outcomes:
    return table("outcomes", Outcomes)


@cache
def _forms() -> _Forms:
    known = _table()
    begins = r"\A\s*+(?:<(?:error|result|output)>\s*+|error:\s*+)?(?:{})"
    return _Forms(
        tuple(_success(says, row.then) for row in known.success for says in row.says),
        re.compile(begins.format(_union(known.failure)), re.I),
        re.compile(begins.format(_union(known.denied)), re.I),
        re.compile(_union(known.created), re.M),
        re.compile(_union(known.moved)),
        {Refusal(kind): re.compile(_union(forms), re.I) for kind, forms in known.refusals.items()},
        tuple(re.compile(pattern, re.M | re.I) for pattern in known.exit),
        re.compile(rf"\A\s*+(?:{_union(known.silent)})\s*+", re.I),
        re.compile(_union(known.unknown), re.I),
        re.compile(rf"\A\s*+(?:{_union(known.refused)})"),
        re.compile(rf"\A\s*+(?:{_union(known.error)})", re.I),
        re.compile(rf"\A\s*+(?:{_union(known.error_line)})", re.I),
    )


def _success(says: str, then: tuple[str, ...]) -> re.Pattern[str]:
    """A form of success: all that the client says, its paths as groups."""
    return re.compile(says.replace("{path}", _PATH).replace("{n}", r"\d+") + "".join(then), re.I)


@cache
def quotes() -> tuple[re.Pattern[str], tuple[tuple[str, ...], ...]]:
    """Where file text and other programs' words begin (group `qN`), and for each N the marks that end it: without
    one, it reaches to the end."""
    rows = _table().quotes
    opening = re.compile("|".join(f"(?P<q{n}>{row.begins})" for n, row in enumerate(rows)), re.M)
    return opening, tuple(row.ends for row in rows)


def _own_words(text: str) -> str:
    """What the client itself says: without the file text and the diagnostics that it quotes."""
    opening, ends = quotes()
    openings, parts, at = LineSearch(opening, text), list[str](), 0
    closings: dict[tuple[str, ...], Words] = {}
    while (match := openings.first(at)) is not None:
        parts.append(text[at : match.start()])
        marks = tuple(end.format_map(match.groupdict()) for end in ends[_number(match)])
        if marks not in closings:
            closings[marks] = Words(text, marks)
        hit = closings[marks].first(match.end())
        at = hit[0] + len(hit[1]) if hit else len(text)
    return "".join([*parts, text[at:]]).strip()


def _number(match: re.Match[str]) -> int:
    """Which quote an opening opens."""
    return next(int(name[1:]) for name, said in match.groupdict().items() if name != "tag" and said is not None)


def verdict_of(result: Item, made: Attempt | None = None) -> Verdict:
    """What a result says of its call; without the attempt, of any call."""
    result = _unreminded(result, made)
    if made is not None and made.kind == "shell":
        return _verdict_of_shell(result)
    fields = of_fields(result.text)
    if fields is not None:
        said = _verdict_of_fields(fields, made)
    else:
        said = _verdict_of_words(result.text, made)
    if not result.is_error or said is Verdict.DENIED:
        return said
    return Verdict.FAILURE if said is not Verdict.UNKNOWN or not claims(_head(result.text)) else Verdict.UNKNOWN


def _unreminded(result: Item, made: Attempt | None) -> Item:
    """A result without the client's reminders that say nothing of the call's files."""
    return replace(result, text=without_reminders(result.text, _paths(made) if made is not None else ()))


def _head(text: str) -> str:
    return "\n".join(_own_words(text).split("\n")[:LINES_MAX])


def _verdict_of_fields(fields: Fields, made: Attempt | None) -> Verdict:
    """What the fields say, unless the words beside them say more, or something else."""
    known, own = _forms(), [_own_words(words) for words in fields.words]
    if fields.verdict is Verdict.FAILURE:
        if any(known.denied.match(words) for words in (*fields.words, *fields.errors)):
            return Verdict.DENIED
        return (
            Verdict.UNKNOWN if any(claims(said) and not known.failure.match(said) for said in own) else fields.verdict
        )
    if fields.verdict is not Verdict.SUCCESS:
        return fields.verdict
    kept = _names(list(fields.paths), made) and all(not said or _succeeded(said, made) for said in own)
    return Verdict.SUCCESS if kept else Verdict.UNKNOWN


def _verdict_of_words(text: str, made: Attempt | None) -> Verdict:
    known, said = _forms(), _own_words(text)
    if known.denied.match(text):
        return Verdict.DENIED
    if _succeeded(said, made) or (made is not None and is_own_diff(text, _paths(made))):
        return Verdict.SUCCESS
    head, parts = "\n".join(said.split("\n")[:LINES_MAX]), _parts(made)
    if known.failure.match(text) and not (parts > 1 and claims(known.moved.sub("", head))):
        return Verdict.FAILURE
    if denies(head, parts):
        return Verdict.FAILURE
    return Verdict.UNKNOWN


def _parts(made: Attempt | None) -> int:
    """Of how many things a call is made, each of which may fail by itself."""
    if made is None:
        return 1
    return sum(len(change.steps) if isinstance(change, Edit) else 1 for change in made.changes)


def _succeeded(said: str, made: Attempt | None) -> bool:
    """Whether a client's words are a known form of success, of the files that the call named."""
    for form in _forms().success:
        if match := form.fullmatch(said):
            told = match.groupdict()
            named = [path for n, path in enumerate(match.groups(), 1) if path and n not in form.groupindex.values()]
            if _names(named, made) and _lists(told.get("listed"), made):
                return made is None or measures(told, made)
    done = done_by(said)
    return done is not None and made is not None and _fits(done, made)


def _names(named: list[str], made: Attempt | None) -> bool:
    """Whether the paths in a result are those of the call."""
    paths = _paths(made) if made is not None else []
    return not paths or all(any(same_path(name, path) for path in paths) for name in named)


_LISTED = re.compile(r"^(?:(?P<letter>[AMDR]) )?(?P<path>.*?)(?: -> (?P<to>.*)|(?P<gone>: \[deleted\]))?$")
_LETTERS: tuple[tuple[type, str], ...] = (
    (Shown, "AM"),
    (Edit, "M"),
    (Removal, "D"),
    (Transfer, "AMRD"),
    (Drift, "AMRD"),
)
"""The letters under which a list may name a file, by what the call does to it."""


def _lists(listed: str | None, made: Attempt | None) -> bool:
    """Whether a result's list of files holds each that the call changes, and nothing else. A file that is moved stands
    there under its new path, its old one, or both."""
    if listed is None or made is None:
        return True
    found = [match for line in listed.strip().split("\n") if (match := _LISTED.match(line))]
    named = [name for match in found for name in (match["path"], match["to"]) if name]
    needed = [
        _paths_of(change) if isinstance(change, Transfer) else (p,)
        for change in made.changes
        for p in _paths_of(change)
    ]
    return all(any(same_path(n, path) for n in named for path in either) for either in needed) and (
        _names(named, made) and all(_is_so(match, made) for match in found)
    )


def _is_so(listed: re.Match[str], made: Attempt) -> bool:
    """Whether what a list says was done to a file, if it says it, is what the call does to it."""
    letter = "R" if listed["to"] else "D" if listed["gone"] else listed["letter"]
    changes = [change for change in made.changes if any(same_path(listed["path"], path) for path in _paths_of(change))]
    return letter is None or any(
        letter in letters for change in changes for kind, letters in _LETTERS if isinstance(change, kind)
    )


def _fits(done: Done, made: Attempt) -> bool:
    """Whether what was done is what the call asked for: the file, the kind of doing, and how much of it."""
    kinds = {"delete": _REMOVES, "move": _MOVES}
    right = done.verb in kinds[made.kind] if made.kind in kinds else done.verb not in _REMOVES | _MOVES
    return (
        right
        and len(set(_paths(made))) == 1
        and (not done.path or _names([done.path], made))
        and all(adds_up(count, unit, made) for count, unit in done.counts)
    )


def _paths(made: Attempt) -> list[str]:
    return [path for change in made.changes for path in _paths_of(change)]


def _paths_of(change: FileChange) -> tuple[str, ...]:
    match change:
        case Drift(paths=paths):
            return paths
        case Transfer(path=path, to=to):
            return (path, to)
        case _:
            return (change.path,)


def _verdict_of_shell(result: Item) -> Verdict:
    """A command's exit status, where the client states it; else its silence, or output that reports no trouble."""
    known, text = _forms(), result.text
    fields = of_fields(text)
    if known.denied.match(text) or (fields is not None and _refused_all(fields)):
        return Verdict.DENIED
    status = stated_exit(text)
    if result.is_error or status or (fields is not None and fields.verdict is Verdict.FAILURE):
        return Verdict.FAILURE
    if status == 0 or (fields is not None and fields.verdict is Verdict.SUCCESS) or known.silent.fullmatch(text):
        return Verdict.SUCCESS
    return _verdict_of_output(text)


def _refused_all(fields: Fields) -> bool:
    """Whether a structured result says of each command that it was not allowed to run."""
    refused = bool(fields.errors) and all(_forms().denied.match(said) for said in fields.errors)
    return fields.verdict is Verdict.DENIED or (fields.verdict is Verdict.FAILURE and refused)


def stated_exit(text: str) -> int | None:
    """The exit status that a result states, if it does; each form is looked for only where it may stand."""
    line = _line_of_exit(text)
    for pattern in _forms().exit:
        if pattern.pattern.startswith("\\A"):
            match = pattern.match(text)
        else:
            match = pattern.search(text, line) if line is not None else None
        if match is not None:
            return int(match["exit"])
    return None


def _line_of_exit(text: str) -> int | None:
    """Where the first line begins that may state an exit status behind the text's beginning; None if none may."""
    lower = text.lower()
    places = [at for word in _EXIT_WORDS if (at := lower.find(word)) >= 0]
    if not places:
        return None
    return lower.rfind("\n", 0, min(places)) + 1 if len(lower) == len(text) else 0  # İ has two characters in lower case


def shell_outcome(result: Item, tool: str, arguments: Iterable[str] = ()) -> ShellOutcome:
    """What a result says of the script that a call of this tool ran.

    Only a stated exit status is success. Where none is stated it is known at most that the script ran: by a known frame
    of what it printed, or by the contract of a tool whose results are that (`tools` in `data/shell.json`).
    """
    verdict = _verdict_of_shell(result)
    if verdict is Verdict.FAILURE:
        return ShellOutcome.FAILURE
    if verdict is not Verdict.SUCCESS:
        return ShellOutcome.UNKNOWN
    if _states_success(result.text):
        return ShellOutcome.SUCCESS
    fields, known = of_fields(result.text), tables().tools
    if fields is None and printed(result.text) is not None:
        return ShellOutcome.RAN
    if known_silence(result.text):
        return ShellOutcome.RAN if tool in known.silent else ShellOutcome.UNKNOWN
    bare = tool in known.bare or known.bare_with.get(tool) in set(arguments)
    return ShellOutcome.RAN if bare and fields is None else ShellOutcome.UNKNOWN


def known_silence(text: str) -> bool:
    """Whether a result is what clients say of a command that printed nothing."""
    return _forms().silent.fullmatch(text) is not None


def _states_success(text: str) -> bool:
    """Whether a result states exit status nought, or success by a field."""
    fields = of_fields(text)
    return stated_exit(text) is not None or (fields is not None and fields.verdict is Verdict.SUCCESS)


def _verdict_of_output(text: str) -> Verdict:
    """Output without an exit status: errors alone are a failure; what may be one, or a note, proves nothing."""
    known = _forms()
    lines = [_ends(line) for line in text.strip().split("\n") if line.strip()]
    errors = [line for line in lines if known.error_line.match(line)]
    if known.refused.match(text) or len(errors) == len(lines):
        return Verdict.FAILURE
    noted = [line for line in (*lines[:3], *lines[-3:]) if known.unknown.search(line) or _may_deny(line)]
    return Verdict.UNKNOWN if errors or noted else Verdict.SUCCESS


_END_CHARS = 1000


def _ends(line: str) -> str:
    """What a line begins and ends with: more of it is nobody's message, and one pattern on it holds up all threads."""
    return line if len(line) <= 2 * _END_CHARS else f"{line[:_END_CHARS]} {line[-_END_CHARS:]}"


_TROUBLE = re.compile(
    r"\b(?:not|\w+n['’]t|no|cannot|unable|denied|blocked|refus\w+|forbidden|disallowed|rejected|cancell?ed|abort\w*|killed|"
    r"sandbox\w*|permission\w*|error|failed|failure|exception)\b",
    re.I,
)


def _may_deny(line: str) -> bool:
    """Whether a line may be a client's or a shell's note that something did not run."""
    return _TROUBLE.search(line) is not None


def refusal_in(text: str) -> Refusal:
    """What the words of a failure say of the file: the first thing they say."""
    found = (
        (m.start(), kind) for kind, form in _forms().refusals.items() if (m := form.search(text[:WORDS_OF_VERDICT]))
    )
    return min(found, default=(0, Refusal.UNKNOWN))[1]


_NOTE_LINES, _NOTE_CHARS = 3, 2000


def is_gone(result: Item) -> bool:
    """Whether the answer to a read may mean that there is no such file: it says so, or is an error in words that are
    not known to say nothing of the file."""
    own, known = result.text.strip(), _forms()
    refused = result.is_error or known.error.match(own) is not None or _is_error_in_fields(own)
    if len(own) > _NOTE_CHARS or own.count("\n") >= _NOTE_LINES or known.denied.match(own):
        return False
    said = refusal_in(own)
    return said is Refusal.GONE or (refused and said is not Refusal.OTHER)


def _is_error_in_fields(text: str) -> bool:
    fields = of_fields(text)
    return fields is not None and fields.verdict is Verdict.FAILURE


def _refusal(made: Attempt, text: str) -> Refusal | None:
    """Why a call failed. What a script's output says is of one of its commands; only of a patch it is of no other."""
    refusal = refusal_in(text)
    return refusal if made.kind != "shell" or refusal is Refusal.ABSENT else None


def outcome(made: Attempt, result: Item) -> Outcome:
    """The outcome of an attempt."""
    verdict, known = verdict_of(result, made), _forms()
    result = _unreminded(result, made)
    said = _own_words(result.text)
    stated = stated_in(made, result.text) if result.exact else []
    paths = set(_paths(made))
    plain = verdict is Verdict.SUCCESS and made.kind != "shell" and len(paths) == 1 and result.exact
    echo = echo_of(paths.pop(), result.text) if plain else Echo()
    return Outcome(
        made,
        verdict,
        tuple(stated),
        created=verdict is Verdict.SUCCESS and bool(known.created.search(result.text[:WORDS_OF_VERDICT])),
        moved=made.kind != "shell" and verdict is not Verdict.DENIED and bool(known.moved.search(said)),
        refusal=_refusal(made, result.text) if verdict is Verdict.FAILURE else None,
        shows=echo.after,
        showed=echo.before,
        replaced=echo.replaced,
    )
