"""What the terminal's sessions that a user pastes show of files: read as the results of those commands, held against
our text, and never a truth by themselves (SEMANTICS 2, Reads).

A paste is looser than a tool's result: it may be cut, in a folder that only its prompts name, and run on into the
user's own words.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from tslp_litellm.dialects.displays import excerpts
from tslp_litellm.dialects.plausible import Likeness, is_cut, likeness
from tslp_litellm.dialects.terminals import Typed
from tslp_litellm.dialects.traces import frames, is_installed
from tslp_litellm.dialects.values import Drift, Excerpt
from tslp_litellm.parser.budget import spend
from tslp_litellm.shell.certainty import Outcome
from tslp_litellm.shell.displays import Display, Form, displays
from tslp_litellm.shell.targets import At
from tslp_litellm.state.names import is_absolute
from tslp_litellm.syntax.languages import Nature, language_of_path

ENDS_MAX = 20
"""At so many places the output may end and the user's words begin."""
LOOKED_AT_MAX = 60
WORDS_CHARS_MAX = 1_000
LINES_MAX = 60
"""Of lines that a search found so many are looked at."""
FEW_LINES = 3
"""Of no more lines below a command even the first may be the user's words."""
_BEGINS = frozenset(
    ["why", "how", "what", "where", "when", "which", "who", "can", "could", "would", "does", "should", "please", "now",
     "then", "also", "so", "thanks", "thank", "ok", "okay", "here", "i", "we", "that", "the", "you", "my", "but", "and"]
)  # fmt: skip
"""With what users go on below what they pasted, and no code begins."""
_GOES = re.compile(r"\A(?:cd|pushd|chdir|sl|Set-Location)(?: +(?P<to>[^\s;&|]{1,400}))? *\Z", re.I)
_GAP = re.compile(r"\A(?:[\[(<] ?|[#/*;-]{1,3} ?|\s{1,40}[#/*;\[(<-]{1,3} ?)?(?:\.{3,9}|…|⋮|snip)[\s\])>*/-]{0,9}\Z")
_BROKEN = re.compile(r"(?<![:=]) (?:\.{3}|…)\Z")
"""How a line ends that was cut, and no stub of code."""
_MARK = re.compile(r"\A(?:[-*•] |\d{1,2}[.)] )")
_SPOKEN = re.compile(r"\A(?:[-*•] |\d{1,2}[.)] )?[\"'(“«¿¡*_`]{0,2}\w")
_ABOVE = re.compile(r"\A(?:[╭┌]|[\w.-]{1,40}@[\w.-]{1,60}[: ]|[~/]\S{0,200}(?:\s|\Z)|\S{1,60} on \S)")
"""The upper line of a prompt that has two."""
_COLUMN = re.compile(r"\A(\s{0,5}\d{1,6}) {2}")
"""A number as `cat -n` sets it, where the terminal made spaces of the tab."""
_BARRED = re.compile(r"\A\s{0,8}(?P<n>\d{1,6})\s{1,8}[│┃|] ?(?P<line>.*)")
_SHOWS = re.compile(
    r"\A(?:type|more|cat|gc|Get-Content)\s{1,9}(?:-(?:Literal)?Path\s{1,9})?"
    r"(?P<path>\"[^\"\n]{1,400}\"|'[^'\n]{1,400}'|[^\s|;&><-][^\s|;&><]{0,400})(?P<rest>[^|;&><\n]{0,80})\Z",
    re.I,
)
_ENDS = re.compile(r"\s{1,9}-(?:(?P<head>TotalCount|Head|First)|Tail|Last)\s{1,9}(?P<count>\d{1,7})\s{0,9}", re.I)
_WHOLE = re.compile(r"\s{0,9}(?:-Raw\s{0,9}|-Encoding\s{1,9}[\w-]{1,20}\s{0,9}){0,2}", re.I)
_FINDS = re.compile(
    r"\A(?:(?:Select-String|sls)\s{1,9}(?:-Pattern\s{1,9})?|(?P<here>findstr\s{1,9}/n\s{1,9}))"
    r"(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|[^\s\"']{1,200})\s{1,9}(?:-Path\s{1,9})?(?P<path>[^\s|;&><-][^\s|;&><]{0,400})\Z",
    re.I,
)


def shown_in(session: Sequence[Typed]) -> Iterator[Excerpt | Drift]:
    """What the commands of one session show."""
    folder: str | None = ""
    for typed in session:
        spend()
        folder = typed.place or folder
        if (goes := _GOES.match(typed.command)) is not None:
            folder = _gone_to(folder, (goes["to"] or "~").replace("\\", "/"))
        elif typed.shown and typed.output and folder is not None:
            yield from _shown(typed, folder)


def _gone_to(folder: str | None, to: str) -> str | None:
    """The folder behind a change of folders; None where it is not known."""
    if is_absolute(to) or to.startswith("~"):
        return to
    known = folder is not None and not set(to) & set("$%*?`") and to != "-"
    joined = posixpath.normpath(posixpath.join(folder or "", to)) if known else ".."
    return None if joined.startswith("..") else joined


def _shown(typed: Typed, folder: str) -> Iterator[Excerpt | Drift]:
    script = as_shell(typed.command)
    known = displays(script)
    for start, part in _parts(typed.output) if known else ():
        cut = len(part) < len(typed.output)
        for piece in excerpts(script, folder, _as_tool(part, known[0], typed.spoken), Outcome.UNKNOWN, framed=True):
            if not (cut and isinstance(piece, Excerpt) and (piece.among or piece.beside)):
                yield _typed(piece, typed, cut, last=start + len(part) == len(typed.output))
    if not known:
        yield from framed("\n".join(typed.output), folder)


def framed(output: str, folder: str = "") -> Iterator[Excerpt]:
    """The lines that traces show in what a user pastes, but those of installed packages."""
    for frame in frames(output):
        if not is_installed(frame.path):
            yield replace(frame, path=posixpath.join(folder, frame.path), typed=True)


def as_shell(command: str) -> str:
    """A command of PowerShell's or `cmd`'s that shows a file, as one of a shell's; any other as it is.

    >>> as_shell(r"Get-Content src\\util.py -Tail 3"), as_shell("findstr /n def util.py")
    ("tail -n 3 'src/util.py'", "grep -n x 'util.py'")
    """
    if (found := _FINDS.match(command)) is not None:
        return f"grep {'-n' if found['here'] else '-rn'} x '{found['path']}'".replace("\\", "/")
    shows = _SHOWS.match(command)
    if shows is None or command.startswith("cat "):
        return command
    path = f"'{shows['path'].strip(chr(34) + chr(39))}'".replace("\\", "/")
    if (ends := _ENDS.fullmatch(shows["rest"])) is not None:
        return f"{'head' if ends['head'] else 'tail'} -n {ends['count']} {path}"
    return f"cat {path}" if _WHOLE.fullmatch(shows["rest"]) else command


def _parts(output: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """The lines between those that stand for what was left out, each part with where it begins."""
    start = 0
    for n, line in enumerate([*output, "..."]):
        if n < len(output) and not _is_gap(line):
            continue
        part = output[start:n]
        if any(one.strip() for one in part):
            yield start, part
        start = n + 1


def _is_gap(line: str) -> bool:
    short = line[:WORDS_CHARS_MAX]
    return bool(_GAP.match(short)) or _BROKEN.search(short.rstrip()) is not None or is_cut(short)


def _as_tool(lines: Sequence[str], display: Display, spoken: bool) -> str:
    """Lines as the command printed them: numbers behind a tab; of those that were found, up to the user's words."""
    if display.form is Form.NUMBERED:
        lines = [_COLUMN.sub("\\1\t", line) for line in lines]
    if display.form is Form.SOME and spoken:
        found = takewhile(str.strip, lines[:LINES_MAX])
        lines = list(takewhile(lambda line: not _is_spoken(display.path, line, apart=False), found))
    return "\n".join(lines)


def _typed(piece: Excerpt | Drift, typed: Typed, cut: bool, last: bool) -> Excerpt | Drift:
    """An excerpt as of a paste. One of a part stands somewhere."""
    if isinstance(piece, Drift):
        return piece
    if piece.until or piece.beside:
        if (barred := _without_bars(piece.lines)) is not None:
            piece = replace(piece, lines=barred)
        ends = _ends(piece, typed.spoken and last)
        piece = replace(piece, first=0, until=0, ends=ends) if cut else replace(piece, ends=ends)
    return replace(piece, typed=True)


def _without_bars(lines: Sequence[str]) -> tuple[str, ...] | None:
    """The lines that a viewer put behind numbers and a bar; None where it is none."""
    found = [match["line"] for line in lines if (match := _BARRED.match(line)) is not None]
    return tuple(found) if len(found) * 2 > len(lines) else None


def _ends(piece: Excerpt, spoken: bool) -> tuple[int, ...]:
    """Before which lines what was printed may end, because another prompt's upper line or the user's words begin."""
    lines, found, looked_at = piece.lines, list[int](), 0
    if lines and _ABOVE.match(lines[-1]):
        found.append(len(lines) - 1)
    path = piece.path or next((one.path for one in piece.beside if isinstance(one, At)), "")
    few = len(lines) <= FEW_LINES
    for n, line in enumerate(lines) if spoken else ():
        if not _SPOKEN.match(line) or len(line) > WORDS_CHARS_MAX or not (n or few):
            continue
        looked_at += 1
        if _is_spoken(path, line, apart=n == 0 or not lines[n - 1].strip()):
            found.append(n)
        if looked_at >= LOOKED_AT_MAX or len(found) >= ENDS_MAX:
            break
    return tuple(found)


def _is_spoken(path: str, line: str, apart: bool) -> bool:
    """Whether a line may be the user's own words: it ends or, apart from what is above, begins as a sentence does, and
    is no code of the file's language. Where anything reads as that, it stands apart and asks."""
    line = _MARK.sub("", line)
    asks, ended = line.rstrip().endswith(("?", "？")), line.rstrip().endswith((".", "!", "…", "。", "！"))
    language = language_of_path(path)
    if language is None or not (language.nature is Nature.CODE or language.name in ("json", "toml")):
        return apart and asks
    begun = apart and line.split(maxsplit=1)[0].strip(",:!").lower() in _BEGINS
    return (asks or ended or begun) and likeness(path, line + "\n") is not Likeness.FILE
