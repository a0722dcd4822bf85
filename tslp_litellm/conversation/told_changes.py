"""What a user, or a client in words that no table knows, tells of changes of files: they are of unknown text then."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from tslp_litellm import shell
from tslp_litellm.clients.shell import changes_of
from tslp_litellm.dialects.fences import Fence
from tslp_litellm.dialects.paths import may_be_path, paths_in
from tslp_litellm.dialects.sessions import as_shell, framed, shown_in
from tslp_litellm.dialects.terminals import led_to, printed_in, typed_in, unprompted_in
from tslp_litellm.dialects.values import Carrier, Drift, Excerpt, Report
from tslp_litellm.parser.budget import spend
from tslp_litellm.prose.taken_back import takes_back
from tslp_litellm.prose.told import is_change, told
from tslp_litellm.shell.targets import Like, escaped
from tslp_litellm.syntax.languages import language_of_path

_SOME = "some --command"
"""Stands in a sentence for the command that a fence below holds."""
_TAG = re.compile(r"<(?P<name>[A-Za-z][\w.:-]{0,60})(?P<attributes>\s[^<>\n]{1,2000})?(?P<closed>/)?>")
_NOTICE = re.compile(r"<(?P<name>[A-Za-z][\w.:-]{0,60})>(?P<says>[^<>]{1,600})</(?P=name)>")
"""A tag that holds a few words: what a client says by itself."""
HELD_CHARS_MAX = 4_000
"""So far a tag that says that files changed lists them."""
_PATH = re.compile(r"\b(?:path|file|filepath|file_path|filename|name|uri)=(?:\"([^\"\n]{1,1024})\"|'([^'\n]{1,1024})')")
COUNTED_CHARS_MAX = 600
_DOING = re.compile(
    r"\W{0,4}(?P<verb>[A-Za-z-]{3,30})ing(?: file)?:? "
    r"['\"`]?(?P<path>[^\s'\"`]{1,400})['\"`]?(?:\s?\.{3}|…)?(?: .{0,200})?"
)
"""A line of what a program says it does to a file: `Fixing util.py`, `Auto-merging util.py`."""
_HEREDOC = re.compile(r"<<-?\s{0,4}(?:'\w{1,40}'|\"\w{1,40}\"|\w{1,40})")
_COUNTED = re.compile(r" {1,4}(?P<path>[^\s|][^|]{0,400}?) +\| +(?:\d{1,7} [+-]{1,200}|Bin \d.{0,60})")
"""A line of git's counts (`--stat`, a pull, a merge)."""


def told_changes(own: str, prose: str, shown: Collection[str] = ()) -> list[Drift]:
    """The drift that a user's own words tell of, and tags in all the prose around them.

    `shown`: the paths that the same message shows code of: a line that leads to it says that this is the change.

    A path that is written short may be any tracked file that ends so: the user says `util.py` of `src/util.py`.
    """
    found = told(own, may_be_path, spend)
    if found.everything:
        return [Drift((), Carrier.TOLD)]
    drifts = [_drift([*(n for n in found.names if not (n in found.leading and n in shown)), *_tagged(prose)])]
    symbols = tuple(name for name in found.symbols if "/" not in name and language_of_path(name) is None)
    drifts.append(Drift((), Carrier.TOLD, symbols=symbols) if symbols else None)
    drifts += [drift for command in found.commands for drift in _by_command(command)]
    return [drift for drift in drifts if drift is not None]


def ran(prose: Sequence[str], blocks: Sequence[Fence], files: Collection[str] = ()) -> list[Drift | Excerpt]:
    """The drift that commands may have made which a user shows to have run: behind prompts of a terminal, or in a fence
    that a line leads to which says so; the lines that they show of files below a prompt, and that traces show anywhere;
    and what bare output says that it changed. `files`: texts that the same message shows of files."""
    sessions = list(typed_in(prose, blocks, files))
    commands = [as_shell(typed.command) for session in sessions for typed in session]
    for line, script in led_to(prose, blocks):
        if told(f"{line} `{_SOME}`.", may_be_path, spend).commands:
            commands.append(script)
    drifts = [drift for command in commands for drift in _by_command(command)]
    for line in unprompted_in(prose, blocks, files):  # nobody says that it ran: it may have changed what it names
        spend()
        drifts += [drift for drift in _by_command(_HEREDOC.sub(" ", line)) if drift.paths]
    outputs = list(printed_in(blocks, files))
    return [
        *drifts,
        *(piece for session in sessions for piece in shown_in(session)),
        *(drift for output in outputs if (drift := _drift(_said_changed(output))) is not None),
        *(frame for output in [*outputs, "\n".join(prose)] for frame in framed(output)),
    ]


def _said_changed(output: str) -> list[str]:
    """The files of which something printed says that they changed: in words, or as git counts the lines."""
    counted = (match["path"] for line in output.split("\n") if (match := _COUNTED.fullmatch(line[:COUNTED_CHARS_MAX])))
    said = (match for line in output.split("\n") if (match := _DOING.fullmatch(line[:COUNTED_CHARS_MAX])))
    doing = (match["path"] for match in said if may_be_path(match["path"]) and _is_changing(match["verb"]))
    return [*told(output, may_be_path, spend).names, *counted, *doing]


def _is_changing(verb: str) -> bool:
    """Whether a verb, without its `ing`, is one of changing.

    >>> _is_changing("Fix"), _is_changing("Overwrit"), _is_changing("Check")
    (True, True, False)
    """
    return is_change(f"{verb}ed") or is_change(f"{verb}ten")


def _by_command(command: str) -> list[Drift]:
    """What a command may have changed, in whatever folder it ran."""
    found: list[Drift | None] = []
    for change in changes_of(command, "", shell.Outcome.UNKNOWN, None):
        found.append(change if isinstance(change, Drift) and not change.paths else None)
        found.append(_drift(change.paths if isinstance(change, Drift) else [change.path]))
    return [drift for drift in found if drift is not None]


def taken_back(own: str) -> list[Report]:
    """That a user's own words say that the model's last change is not on the disk."""
    return [Report(undone=True, told=True)] if takes_back(own, spend) else []


def _drift(named: Iterable[str]) -> Drift | None:
    paths = list(dict.fromkeys(path.removeprefix("@") for path in named))
    like = tuple(Like(None, escaped(path.replace("\\", "/").removeprefix("./"))) for path in paths)
    return Drift(tuple(paths), Carrier.TOLD, like) if paths else None


def _tagged(text: str) -> list[str]:
    """The paths of tags that say by their name that a file changed: `<file_changed path="util.py"/>`, and of those that
    they hold: `<changed_files>`; and those of which short ones say so."""
    found: list[str] = []
    for tag in _TAG.finditer(text):
        if any(is_change(word) for word in re.split(r"[\W_]+", tag["name"])):
            found += [said[1] or said[2] for said in _PATH.finditer(tag["attributes"] or "")]
            end = text.find(f"</{tag['name']}>", tag.end(), tag.end() + HELD_CHARS_MAX)
            found += paths_in(text[tag.end() : end]) if end >= 0 and not tag["closed"] else []
    for notice in _NOTICE.finditer(text):
        found += told(notice["says"], may_be_path, spend).names
    return found
