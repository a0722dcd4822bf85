"""Fences as evidence: which file each one shows, or that it shows code of no known file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from tslp_litellm.dialects.dialect import Taken
from tslp_litellm.dialects.displays import new_sides
from tslp_litellm.dialects.fences import Fence, fences, prose_lines
from tslp_litellm.dialects.lines import first_on_lines
from tslp_litellm.dialects.paths import (
    HINT_CHARS_MAX,
    Hint,
    fits,
    hint_in_first_line,
    hint_in_info,
    hint_in_line,
    hint_in_sentence,
    imports,
    is_of,
    language_of_info,
    looks_like_path,
    names_lines,
    paths_in,
)
from tslp_litellm.dialects.selections import of_lines
from tslp_litellm.dialects.speakers import another_speaks
from tslp_litellm.dialects.unified_diff import parse_diff
from tslp_litellm.dialects.values import Carrier, Drift, Edit, Evidence, Excerpt, FileChange, Shown, Snippet, Standing
from tslp_litellm.parser.budget import spend
from tslp_litellm.prose.captions import asks, claims, is_withdrawn, shows_file, tells
from tslp_litellm.prose.sentences import is_alternative, is_taken_back
from tslp_litellm.syntax.languages import Language, Nature, language_of_path

UNREAD_PATHS_MAX = 1000
_OF_EDITORS = re.compile(
    r"\A(?P<ext>\w{1,12}) (?P<path>[^\s:()]{1,400})(?: \((?P<first>\d{1,9})-\d{1,9}\)|:(?P<from>\d{1,9})-\d{1,9})\Z"
)

_SEARCH = re.compile(r"^[ \t]*(?:<{3,}|-{3,}) (?:SEARCH|ORIGINAL)>?[ \t\r]*$", re.M)
_REPLACE = re.compile(r"^[ \t]*(?:>{3,}|\+{3,}) (?:REPLACE|UPDATED)>?[ \t\r]*$", re.M)


def read(text: str) -> Taken:
    """The files, snippets and diffs in a model's fences; nobody reads what is left."""
    blocks = fences(text)
    lines = prose_lines(text, blocks) if any(map(_is_diff, blocks)) else []
    diffs = (
        change
        for n, block in enumerate(blocks)
        if _is_diff(block)
        for change in as_meant(parse_diff(block.body), lines, blocks[n - 1].last + 1 if n else 0, block.first)
    )
    return Taken((*shown_by(text, blocks), *diffs), "")


def as_meant(changes: Iterable[FileChange], lines: list[str], start: int, end: int) -> list[FileChange]:
    """Edits as the lines above them leave them: none where those say that it is none to make, as they do of a label
    (`Don't do this:`); one of several versions where they say that."""
    found, standing = list(changes), _standing(lines[start:end])
    if standing is Standing.ALTERNATIVE:
        return [replace(change, standing=standing) for change in found if isinstance(change, Edit)]
    return found if standing is Standing.STATED else []


def _standing(above: list[str]) -> Standing:
    """What the line above a label or an edit, or a heading there, says of it."""
    if not _is_no_version(above):
        return Standing.STATED
    said = [line for line in above if line.strip()][-3:]
    return Standing.ALTERNATIVE if any(map(is_alternative, said)) else Standing.WITHDRAWN


def _is_diff(block: Fence) -> bool:
    language = language_of_info(block.info)
    return block.closed and language is not None and language.nature is Nature.DIFF


def shown_in(text: str) -> list[Evidence]:
    """The files and snippets that a text shows in fences. Shell commands, output and excerpts are none."""
    return shown_by(text, fences(text))


def shown_by(text: str, blocks: list[Fence], by_user: bool = False) -> list[Evidence]:
    """The same for fences that were found already. `by_user`: the text is that of who shows what there is."""
    lines = prose_lines(text, blocks)
    found: list[Evidence] = []
    named: Hint | None = None  # a fence that held only a path names the next one
    introduced = True  # what stands above several fences speaks of all of them
    another = another_speaks(lines) if by_user else []
    for n, block in enumerate(blocks):
        spend()
        if block.beyond:
            found += unread(block.body)
            break
        start = blocks[n - 1].last + 1 if n else 0
        above = _above(lines, start, block.first)
        alone = _only_path(block)
        if (
            alone is not None
            and n + 1 < len(blocks)
            and not any(line.strip() for line in lines[block.last + 1 : blocks[n + 1].first])
        ):
            named = alone
            continue
        if by_user and (lines_of := _some_lines(block)) is not None:
            found.append(lines_of)
            named = None
            continue
        evidence = _evidence(block, above, named, by_user)
        caption = _caption(lines, start, block, evidence)
        introduced = shows_file(caption, by_user) if caption else introduced
        if by_user and caption and isinstance(evidence, Snippet):
            evidence = replace(evidence, told=tells(caption))
        if by_user and _is_diff(block) and not asks(caption) and not _is_no_version(lines[start : block.first]):
            found += [_of_user(side) for side in new_sides(block.body)]
        if isinstance(evidence, Shown):
            below = lines[block.last + 1 : blocks[n + 1].first if n + 1 < len(blocks) else len(lines)]
            above = [] if by_user and asks(caption) else lines[start : block.first]
            claimed = by_user and bool(caption) and claims(caption, evidence.said)
            evidence = _as_said(
                replace(evidence, claim=caption) if claimed else evidence, above, below, introduced, by_user
            )
            if evidence is not None and by_user and another[block.first]:
                evidence = replace(evidence, standing=Standing.WITHDRAWN)
        named = None
        if evidence is not None:
            found.append(evidence)
    return found


def _some_lines(block: Fence) -> Excerpt | None:
    """Lines that an editor shows of a file, where the info string is one that Continue and Zed write: the file's
    extension, its path, and which lines they are. A range that stands elsewhere is talk of what was."""
    said = _OF_EDITORS.match(block.info) if block.closed and len(block.info) <= HINT_CHARS_MAX else None
    if said is None or not said["path"].lower().endswith("." + said["ext"].lower()):
        return None
    return of_lines(said["path"], int(said["first"] or said["from"]), block.body, Carrier.FENCE)


def _of_user(side: Excerpt | Drift) -> Excerpt | Drift:
    """A user's diff: its new side stands somewhere in the file, or the file is gone."""
    side = replace(side, carrier=Carrier.FENCE)
    return replace(side, first=0) if isinstance(side, Excerpt) else side


def _as_said(shown: Shown, above: list[str], below: list[str], introduced: bool, by_user: bool) -> Shown | None:
    """A file as the words around it leave it; None for what a user shows as another version of it."""
    if (standing := _standing(above)) is not Standing.STATED:
        return None if by_user else replace(shown, standing=standing)
    if (not by_user and _is_asked(above)) or is_withdrawn("\n".join(below), by_user):
        return replace(shown, standing=Standing.WITHDRAWN)
    return shown if introduced or shown.said else replace(shown, standing=Standing.UNSTATED)


def _above(lines: list[str], start: int, end: int) -> list[str]:
    """The paragraph just above a line; blank lines between do not count."""
    while end > start and not lines[end - 1].strip():
        end -= 1
    begin = end
    while begin > start and lines[begin - 1].strip():
        begin -= 1
    return lines[begin:end]


def _caption(lines: list[str], start: int, block: Fence, evidence: Evidence | None) -> str:
    """The paragraph above a label, whether that stands above its fence or in it."""
    above = [n for n in range(start, block.first) if lines[n].strip()]
    hint = hint_in_line(lines[above[-1]]) if above else None
    labelled = hint is not None and (hint.sure or (isinstance(evidence, Shown) and hint.path == evidence.path))
    return "\n".join(_above(lines, start, above[-1] if labelled else block.first))


def _is_no_version(above: list[str]) -> bool:
    """Whether the line above a label, or a heading there, takes back what the label says: `Before:`, `A mistake:`."""
    said = [line for line in above if line.strip()][-3:]
    hints = ((line, hint_in_line(line)) for line in said)
    return any(is_taken_back(line) for line, hint in hints if hint is None or not hint.sure)


def _is_asked(above: list[str]) -> bool:
    """Whether the line above a label is a question: what a model asks about is not what it wrote."""
    said = [line for line in above if line.strip() and hint_in_line(line) is None]
    return bool(said) and said[-1].rstrip("*_ ").endswith(("?", "？"))


def _only_path(block: Fence) -> Hint | None:
    said = block.body.strip()
    lines = said.splitlines() if len(said) <= HINT_CHARS_MAX else []
    hint = hint_in_line(lines[0]) if len(lines) == 1 else None
    return hint if hint and hint.sure and block.closed else None


def _evidence(block: Fence, above: list[str], named: Hint | None, by_user: bool) -> Evidence | None:
    language = language_of_info(block.info)
    if not block.closed or (language is not None and language.nature in (Nature.DIFF, Nature.OUTPUT)):
        return None
    if language is not None and language.nature is Nature.SHELL:
        return _script(block, above, language, by_user)
    hint = hint_in_info(block.info)
    if hint is not None and not is_of(hint.path, language):
        hint = replace(hint, doubted=True)
    hint = hint or named or _hint_above(above, language, by_user)
    label, body = "", block.body
    inside = hint_in_first_line(body)
    if (
        inside is not None
        and fits(inside[0].path, language)
        and (hint is None or _same_file(hint.path, inside[0].path))
    ):
        if hint is None or len(inside[0].path) > len(hint.path):
            hint = inside[0]
        label, body = block.body[: len(block.body) - len(inside[1])], inside[1]
    if hint is None:
        return _snippet(block, language)
    if language is None and _is_of_another(block.info, hint.path):
        hint = replace(hint, doubted=True)
    if (
        hint.excerpt
        or names_lines(block.info)
        or (block.doubtful and _is_prose(hint.path))
        or has_edit_markers(body)
        or is_no_content(body)
    ):
        return None
    return Shown(
        hint.path,
        body,
        Carrier.FENCE,
        label=label,
        sure=_founds(hint, block, body),
        alone=hint.alone,
        language=language.name if language else "",
        said=hint.said,
        symbol=hint.symbol,
        doubted=hint.doubted,
        plain=not block.info.strip(),
    )


def _is_of_another(info: str, path: str) -> bool:
    """Whether an info string calls its text by a word that nobody knows, where the path's language is known:
    `suggestion`, `pycon`. The path itself is no such word, nor is its extension."""
    word, language = info.strip().partition(" ")[0], language_of_path(path)
    if language is None or language.nature is not Nature.CODE or looks_like_path(word.rpartition(":")[2]):
        return False
    return re.fullmatch(r"[\w+#-]+", word) is not None and not path.lower().endswith("." + word.lower())


def _founds(hint: Hint, block: Fence, body: str) -> bool:
    """Whether the text may be a file that nobody knows. An extension of no known language is one where the fence's
    language has its name."""
    if not hint.sure:
        return "." in hint.path and block.info.strip().lower() == hint.path.rpartition(".")[2].lower()
    return hint.founds and not (hint.bare and imports(body, hint.path))


_NUMBERED = re.compile(r"\A[ \t]*+[>*→]?[ \t]*+(\d{1,6})(?:[ \t]*[:|│┃→]|[ \t]|$)")
_DIFF = re.compile(r"^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)", re.M)
_TRACE = re.compile(r"\A\s*+(?:Traceback \(most recent call last\):|E  +\S|={5,} FAILURES ={5,}|\$ \S)")
_TREE = re.compile(r"^[ \t│|]*[├└][─-]", re.M)


def is_no_content(body: str) -> bool:
    """Whether a text can be no file's content, whatever stands above it: a numbered excerpt, a diff, a trace, console
    output or a folder's tree."""
    head = body[:NO_CONTENT_CHARS]
    lines = [line for line in body.splitlines() if line.strip()]
    numbers = [int(m[1]) for line in lines if (m := _NUMBERED.match(line))] if _NUMBERED.match(body) else []
    numbered = len(numbers) == len(lines) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return bool(numbered or _DIFF.search(head) or _TRACE.match(head) or _TREE.search(head))


NO_CONTENT_CHARS = 4_000


def has_edit_markers(body: str) -> bool:
    """Whether a text is made of search/replace blocks: an edit, not a file."""
    return first_on_lines(_SEARCH, body) is not None and first_on_lines(_REPLACE, body) is not None


def unread(text: str) -> list[Evidence]:
    """What a text that is too much to read may have changed: the files that it names, any where it names too many."""
    paths = paths_in(text, UNREAD_PATHS_MAX)
    return [Drift(tuple(paths) if len(paths) <= UNREAD_PATHS_MAX else (), Carrier.FENCE)] if paths else []


def _hint_above(above: list[str], language: Language | None, by_user: bool = False) -> Hint | None:
    hint = hint_in_line(above[-1]) if above else None
    if hint is not None and (hint.sure or language is not None or "." in hint.path):
        return hint if fits(hint.path, language) else None
    return hint_in_sentence(above, language, by_user) if above else None


_TRANSCRIPTS = frozenset({"console", "terminal", "shell-session", "shellsession"})
"""Info strings of what was typed and printed, which is no file whatever it names."""


def _script(block: Fence, above: list[str], language: Language, by_user: bool) -> Evidence | None:
    """Shell fences are commands; a file only where the info string names it, or words above do and it has a `#!` line.
    Without one, who shows what there is may mean either: it proves nothing but doubt."""
    hint, marked = hint_in_info(block.info), block.body.startswith("#!")
    if block.info.split(maxsplit=1)[:1] and block.info.split()[0].lower() in _TRANSCRIPTS:
        return None
    if hint is not None and not is_of(hint.path, language):
        hint = replace(hint, doubted=True)
    if hint is None and above and (marked or by_user):
        labelled = hint_in_line(above[-1]) is not None
        hint = _hint_above(above[-1:] if labelled else above, language, by_user)
        hint = replace(hint, doubted=not marked) if hint is not None and (labelled or by_user) else None
    if hint is None or not hint.sure or hint.excerpt:
        return None
    return Shown(hint.path, block.body, Carrier.FENCE, language=language.name, said=hint.said, doubted=hint.doubted)


def _snippet(block: Fence, language: Language | None) -> Evidence | None:
    if language is None:
        return Snippet(block.body, "") if not block.info else None
    return Snippet(block.body, language.name) if language.nature is Nature.CODE else None


def _same_file(one: str, other: str) -> bool:
    a, b = (re.split(r"[/\\]", p.lstrip("./")) for p in (one, other))
    n = min(len(a), len(b))
    return a[-n:] == b[-n:]


def _is_prose(path: str) -> bool:
    return path.lower().endswith((".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc"))
