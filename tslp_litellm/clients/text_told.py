"""What an answer tells its reader to change, in words or by code that names no file; whether it was done, the next
message of the user's tells (`clients/text_runs.py`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from tslp_litellm import shell
from tslp_litellm.clients.tools import Arguments
from tslp_litellm.dialects import labelled, search_replace
from tslp_litellm.dialects.fences import Fence, fences, prose_lines
from tslp_litellm.dialects.framing import spoken
from tslp_litellm.dialects.lines import join_lines
from tslp_litellm.dialects.paths import language_of_info, may_be_path, paths_in
from tslp_litellm.dialects.values import Carrier, Drift, Edit, Insertion, Shown, Snippet, Standing
from tslp_litellm.parser.budget import spend
from tslp_litellm.prose.instructions import instructed
from tslp_litellm.shell.targets import Like, escaped
from tslp_litellm.syntax.languages import Nature

TOLD = "told_in_words"
"""What the call of a change that was told in words is named."""
NAMES_MAX, TEXTS_MAX = 64, 50
_COMMAND = re.compile(r"`([^`\n]{1,40} [^`\n]{1,400})`")
_SYMBOL = re.compile(r"[^\W\d]\w{0,200}(?:\.\w{1,200}){0,8}")


@dataclass(slots=True)
class _Told:
    """What an answer tells. `brought`: texts by the path that they are shown for, empty where they have none; `named`:
    the files that instructions name; `symbols`: what else they name; `instructs`: there are any."""

    brought: dict[str, list[Snippet]] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)
    symbols: list[str] = field(default_factory=list)
    instructs: bool = False
    loses: bool = False


def told_in(texts: Sequence[str], in_view: Callable[[], list[str]]) -> dict[str, Any] | None:
    """What the texts of an answer tell to change, as arguments of a call; None where it is nothing.

    `in_view`: the files that were spoken of before, which it means where it names none.
    """
    told = _read("\n\n".join(texts))
    paths = dict.fromkeys([*told.named, *(path for path in told.brought if path)])
    if not paths and (told.instructs or told.symbols):
        paths = dict.fromkeys(in_view())
    loose = told.brought.get("", [])
    changes = [_change([path], (), told.brought.get(path, loose), told.loses) for path in list(paths)[:NAMES_MAX]]
    if told.symbols or loose:
        changes.append(_change([], told.symbols[:NAMES_MAX], loose, told.loses))
    return {"changes": changes} if changes else None


def _change(paths: list[str], symbols: Iterable[str], brings: list[Snippet], exact: bool) -> dict[str, Any]:
    texts = [[piece.text, piece.language] for piece in brings[:TEXTS_MAX]]
    return {"paths": paths, "symbols": [*symbols], "brings": texts, "exact": exact}


def changes_told(arguments: Arguments) -> list[Drift]:
    """Those arguments as the changes that they tell of. A path may be written short."""
    found: list[Drift] = []
    for change in arguments["changes"]:
        paths, symbols = tuple(change["paths"]), tuple(change["symbols"])
        like = tuple(Like(None, escaped(path.replace("\\", "/").removeprefix("./"))) for path in paths)
        brings = tuple(Snippet(text, language) for text, language in change["brings"])
        found.append(Drift(paths, Carrier.TOLD, like, symbols, brings=brings, exact=change["exact"]))
    return found


@lru_cache(maxsize=64)
def _read(answer: str) -> _Told:
    text = spoken(answer)
    blocks, told = fences(text), _Told()
    for piece in (*search_replace.read(text).evidence, *labelled.read(text).evidence):
        if isinstance(piece, Snippet):
            told.brought.setdefault("", []).append(piece)
        elif isinstance(piece, Shown) and piece.standing is not Standing.WITHDRAWN:
            told.brought.setdefault(piece.path, []).append(Snippet(piece.text, piece.language))
        elif isinstance(piece, Edit) and piece.standing is not Standing.WITHDRAWN:
            new = [Snippet(step.new, "") for step in piece.steps if isinstance(step, Insertion) or step.new]
            told.brought.setdefault(piece.path, []).extend(new)
    lines = prose_lines(text, blocks)
    for n, block in enumerate(blocks):
        if (side := _new_side(block)) is not None:
            told.brought.setdefault("", []).append(side)
            told.instructs = True
        if _is_script(block):
            _without_lead(lines, blocks[n - 1].last + 1 if n else 0, block.first)
    prose = _COMMAND.sub(_without_command, join_lines(lines))
    for one in instructed(prose, spend):
        told.loses = told.loses or one.loses
        paths = [name for name in one.names if may_be_path(name)]
        told.named += paths
        told.symbols += [name for name in one.names if name not in paths and _SYMBOL.fullmatch(name)]
        told.instructs = told.instructs or not paths
    if not told.named and (told.instructs or told.symbols):
        told.named += paths_in(prose, NAMES_MAX)
    return told


def _is_script(block: Fence) -> bool:
    """Whether a fence holds commands, which are judged as such (`clients/text_parts.py`)."""
    language = language_of_info(block.info)
    return language is not None and language.nature in (Nature.SHELL, Nature.OUTPUT)


def _without_lead(lines: list[str], start: int, end: int) -> None:
    """Take away the line that leads to a fence."""
    last = next((n for n in range(end - 1, start - 1, -1) if lines[n].strip()), -1)
    if last >= 0 and lines[last].rstrip("*_ ").endswith((":", "：")):
        lines[last] = ""


def _without_command(match: re.Match[str]) -> str:
    """A command within a sentence is one of its own (`clients/text_parts.py`)."""
    return "…" if shell.is_program(next(iter(match[1].split()), "")) else match[0]


def _new_side(block: Fence) -> Snippet | None:
    """What a diff that names no file leaves of the lines that it shows."""
    language = language_of_info(block.info)
    if not block.closed or language is None or language.nature is not Nature.DIFF or "\n+++ " in "\n" + block.body:
        return None
    lines = [line[1:] for line in block.body.split("\n") if line[:1] in ("+", " ")]
    return Snippet("\n".join(lines), "") if any(line.strip() for line in lines) else None
