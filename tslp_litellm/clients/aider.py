"""What aider takes out of a model's text: its edit formats, parsed as it parses them (SEMANTICS 2, Clients that apply
text themselves).

It reads by rules of its own, not by Markdown's: any line that begins with its fence opens or ends a listing, the line
above is the file's name whatever it says, and one malformed part makes it refuse the whole answer. What it refuses is
no evidence.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from posixpath import basename

from tslp_litellm.dialects.framing import spoken
from tslp_litellm.dialects.listings import is_added, is_listing, listed_files, opening_of, says_none_added
from tslp_litellm.dialects.values import Applied, ApplierChat, Block, Carrier
from tslp_litellm.parser.budget import spend
from tslp_litellm.wire.turn import Item, ItemKind, Role

BACKTICKS = "```"
QUADRUPLE = "Use *quadruple* backticks"
NAME_CHARS_MAX = 250
SIMILAR = 0.8
LINES_ABOVE = 3

_HEAD = re.compile(r"<{5,9} SEARCH>?\s*")
_DIVIDER = re.compile(r"={5,9}\s*")
_TAIL = re.compile(r">{5,9} REPLACE\s*")
_SHELLS = tuple(
    BACKTICKS + shell
    for shell in ("bash", "sh", "shell", "cmd", "batch", "powershell", "ps1", "zsh", "fish", "ksh", "csh", "tcsh")
)


class _RefusedError(Exception):
    """aider refuses the whole answer, and asks the model to say it again."""


def chat_in(items: Iterable[Item]) -> ApplierChat:
    """The files in the chat and the fence in use, as the request's listings and rules state them."""
    files: tuple[str, ...] | None = None
    opening = ""
    quadruple = False
    for item in items:
        if item.kind is not ItemKind.TEXT or item.role not in (Role.USER, Role.SYSTEM):
            continue
        quadruple = quadruple or QUADRUPLE in item.text
        if says_none_added(item.text):
            files = ()
        elif is_listing(item.text):
            opening = opening_of(item.text) or opening
            if is_added(item.text):
                files = tuple(shown.path for shown in listed_files(item.text))
    opening = opening or (BACKTICKS + "`" if quadruple else BACKTICKS)
    return ApplierChat(opening, opening.replace("<", "</", 1), files)


def applied_in(text: str, form: Carrier, chat: ApplierChat) -> Applied | None:
    """What aider applies of an answer in one of its formats; None where it takes nothing, or refuses it.

    `form`: FENCE for `whole`, SEARCH_REPLACE for `diff` and `diff-fenced`, UDIFF for `udiff`. Whether it looks into
    the model's thinking depends on its settings: a file for which that makes a difference is `doubtful`.
    """
    said = _blocks(spoken(text), form, chat)
    thought = said if spoken(text) == text else _blocks(text, form, chat)
    doubtful = frozenset(block.path for block in {*said} ^ {*thought} | {block for block in said if block.blurred})
    return Applied(said, form, chat, doubtful) if said or doubtful else None


def _blocks(text: str, form: Carrier, chat: ApplierChat) -> tuple[Block, ...]:
    try:
        return tuple(FORMATS[form](text, chat))
    except _RefusedError:
        return ()


# -- whole ------------------------------------------------------------------------------------------------------------


def _listed(text: str, chat: ApplierChat) -> list[Block]:
    """Whole files: for each name one text, from the surest source (named above its fence, in prose, the only one)."""
    found: list[tuple[int, Block]] = []
    lines = text.rstrip().splitlines(keepends=True)
    quoted = {f"`{path}`": path for path in chat.files or ()}
    mentioned, name, source, body = "", "", 0, list[str]()
    for n, line in enumerate(lines):
        if line.startswith((chat.opening, chat.closing)):
            spend()
            if name:
                found.append((source, Block(name, "", "".join(body))))
                name, mentioned, body = "", "", []
            else:
                name, source = _name_of_listing(lines[n - 1] if n else "", mentioned, chat)
        elif name:
            body.append(line)
        else:
            for word in line.split():
                mentioned = quoted.get(word.rstrip(".:,;!"), mentioned)
    if name:
        found.append((source, Block(name, "", "".join(body))))
    best: dict[str, Block] = {}
    for _, block in sorted(found, key=lambda one: one[0]):
        best.setdefault(block.path, block)
    return list(best.values())


def _name_of_listing(above: str, mentioned: str, chat: ApplierChat) -> tuple[str, int]:
    """The file that a listing is of, and how it is known: 0 by the line above, 1 by prose, 2 as the only one."""
    name = above.strip().strip("*").rstrip(":").strip("`").lstrip("#").strip()
    name = name if len(name) <= NAME_CHARS_MAX else ""
    files = chat.files or ()
    if name and name not in files and basename(name) in files:
        name = basename(name)
    if name:
        return name, 0
    if mentioned:
        return mentioned, 1
    if len(files) == 1:
        return files[0], 2
    raise _RefusedError


# -- diff, diff-fenced -------------------------------------------------------------------------------------------------


def _searched(text: str, chat: ApplierChat) -> Iterator[Block]:
    """Search/replace blocks. A second divider ends one as well; what is not ended is refused."""
    lines = text.splitlines(keepends=True)
    n, known = 0, ""
    while n < len(lines):
        if lines[n].strip().startswith(_SHELLS) and not _is_head(lines, n + 1, n + 2):
            n = _first(lines, n + 1, lambda line: line.strip().startswith(BACKTICKS)) + 1
            continue
        if _is_head(lines, n):
            spend()
            divider = _first(lines, n + 1, lambda line: _DIVIDER.fullmatch(line.strip()))
            tail = _first(
                lines, divider + 1, lambda line: _TAIL.fullmatch(line.strip()) or _DIVIDER.fullmatch(line.strip())
            )
            creates = divider == n + 1
            known = _name_above(lines[max(0, n - LINES_ABOVE) : n], chat, () if creates else chat.files or ()) or known
            if not known or tail >= len(lines):
                raise _RefusedError
            yield Block(known, "".join(lines[n + 1 : divider]), "".join(lines[divider + 1 : tail]))
            n = tail
        n += 1


def _is_head(lines: Sequence[str], *numbers: int) -> bool:
    return any(n < len(lines) and _HEAD.fullmatch(lines[n].strip()) is not None for n in numbers)


def _first(lines: Sequence[str], start: int, found: Callable[[str], object]) -> int:
    """The number of the first line from one on that fits; that of the line after the last where none does."""
    return next((n for n in range(start, len(lines)) if found(lines[n])), len(lines))


def _name_above(above: Sequence[str], chat: ApplierChat, files: Sequence[str]) -> str:
    """The best name in the lines above a block, looked for upwards as long as they are fences."""
    names: list[str] = []
    for line in reversed(above):
        if name := _bare_name(line, chat):
            names.append(name)
        if not line.startswith((chat.opening, BACKTICKS)):
            break
    by_base = {basename(path): path for path in reversed(files)}
    similar = (difflib.get_close_matches(name, files, n=1, cutoff=SIMILAR) for name in names)
    best = (
        [name for name in names if name in files]
        or [by_base[name] for name in names if name in by_base]
        or next(([*found] for found in similar if found), [])
        or [name for name in names if "." in name]
        or names
    )
    return best[0] if best else ""


def _bare_name(line: str, chat: ApplierChat) -> str:
    """A line above a block as a name: a fence's counts only where something like a path stands behind its marks."""
    line = line.strip()
    if line == "...":
        return ""
    for mark in (chat.opening, BACKTICKS):
        if line.startswith(mark):
            name = line[len(mark) :]
            return name if "." in name or "/" in name else ""
    return line.rstrip(":").lstrip("#").strip().strip("`").strip("*")


# -- udiff -------------------------------------------------------------------------------------------------------------


def _diffed(text: str, _chat: ApplierChat) -> list[Block]:
    """The hunks of all fences that begin with ```diff; each line that begins with three backticks ends one."""
    lines = (text if text.endswith("\n") else text + "\n").splitlines(keepends=True)
    hunks: list[tuple[str, list[str]]] = []
    n = 0
    while n < len(lines):
        if lines[n].startswith(BACKTICKS + "diff"):
            spend()
            end = _first(lines, n + 1, lambda line: line.startswith(BACKTICKS))
            hunks += _hunks(lines[n + 1 : end if end < len(lines) else end - 1])
            n = end
        n += 1
    blocks: dict[Block, None] = {}
    path = ""
    for named, hunk in hunks:
        path = named or path
        old, new = _side(hunk, "-"), _side(hunk, "+")
        if old != new and not path:
            raise _RefusedError
        if old != new:
            blocks[Block(path, old, new, _is_blurred(hunk))] = None  # the same hunk twice is applied once
    return list(blocks)


def _hunks(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """A fence's hunks, each with its file's name (empty: that of the one before). One without changes is dropped."""
    path = ""
    if len(lines) > 1 and lines[0].startswith("--- ") and lines[1].startswith("+++ "):
        path, lines = _new_name(lines[0][4:].strip(), lines[1][4:].strip()), lines[2:]
    hunk: list[str] = []
    changed = False
    for line in (*lines, "@@ @@"):
        if line.startswith("+++ ") and (not hunk or (len(hunk) == 1 and hunk[0].startswith("--- "))):
            raise _RefusedError
        if line.startswith("+++ ") and hunk[-1].startswith("--- "):
            yield path, hunk[:-2] if hunk[-2] == "\n" else hunk[:-1]
            path, hunk, changed = line[4:].strip(), [], False
        elif line.startswith("@") and len(line) > 1:
            if changed:
                yield path, hunk
            hunk, changed = [], False
        else:
            hunk.append(line)
            changed = changed or (len(line) > 1 and line[0] in "+-")


def _new_name(old: str, new: str) -> str:
    """The new file's name, without git's `b/` where the old one has its `a/`, or is none."""
    return new[2:] if new.startswith("b/") and (old.startswith("a/") or old == "/dev/null") else new


def _side(hunk: Iterable[str], mark: str) -> str:
    """One side of a hunk. A line that is nothing but its end is context; one with another mark is passed over."""
    out = []
    for line in hunk:
        short = len(line) < 2
        if short or line[0] in (" ", mark):
            content = line if short else line[1:]
            out.append(content if content.strip() else "\n")
    return "".join(out)


def _is_blurred(hunk: Iterable[str]) -> bool:
    """Whether a hunk adds a line of nothing but white space."""
    return any(line[0] == "+" and len(line) > 2 and not line[1:].strip() for line in hunk)


FORMATS = {Carrier.FENCE: _listed, Carrier.SEARCH_REPLACE: _searched, Carrier.UDIFF: _diffed}
"""The forms that are read here; a patch is a dialect that others share."""
