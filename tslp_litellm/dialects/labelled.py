"""Fences as evidence: which file each one shows, or that it shows code of no known file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tslp_litellm.dialects.dialect import Taken
from tslp_litellm.dialects.fences import Fence, fences, prose_lines
from tslp_litellm.dialects.headings import Headings
from tslp_litellm.dialects.lines import APART, first_on_lines, split_lines
from tslp_litellm.dialects.listed import named_in_turn
from tslp_litellm.dialects.paths import (
    HINT_CHARS_MAX,
    Hint,
    fits,
    hint_in_first_line,
    hint_in_info,
    hint_in_line,
    imports,
    is_of,
    is_of_tests,
    language_of_info,
    looks_like_path,
    paths_in,
    says_range,
)
from tslp_litellm.dialects.several import files_in
from tslp_litellm.dialects.unified_diff import bare_hunks, head_path, is_marked, parse_diff
from tslp_litellm.dialects.values import Carrier, Drift, Edit, Evidence, Excerpt, Shown, Snippet
from tslp_litellm.parser.budget import spend
from tslp_litellm.syntax.languages import Language, Nature, language_of_path
from tslp_litellm.syntax.opening import opened
from tslp_litellm.words.sentences import PROSE_CHARS_MAX, begins, introduces, is_request, is_taken_back, sentences

UNREAD_PATHS_MAX = 1000

_SEARCH = re.compile(r"^[ \t]*(?:<{3,}|-{3,}) (?:SEARCH|ORIGINAL)>?[ \t\r]*$", re.M)
_REPLACE = re.compile(r"^[ \t]*(?:>{3,}|\+{3,}) (?:REPLACE|UPDATED)>?[ \t\r]*$", re.M)


def read(text: str, asked: str = "") -> Taken:
    """The files, snippets and diffs in a model's fences; nobody reads what is left. `asked`: the prompt it answers."""
    blocks = fences(text)
    diffs = (change for block in blocks if _is_diff(block) for change in parse_diff(block.body))
    return Taken((*shown_by(text, blocks, asked), *diffs), "")


def _is_diff(block: Fence) -> bool:
    language = language_of_info(block.info)
    return block.closed and language is not None and language.nature is Nature.DIFF


def shown_in(text: str) -> list[Evidence]:
    """The files and snippets that a text shows in fences. Shell commands, output and excerpts are none."""
    return shown_by(text, fences(text))


def shown_by(text: str, blocks: list[Fence], asked: str | None = None) -> list[Evidence]:
    """The same for fences that were found already; a model's, which was `asked`, with its diffs that lack their
    heads."""
    lines = prose_lines(text, blocks)
    found: list[Evidence] = []
    headings = Headings()
    named: Hint | None = None  # a fence that held only a path names the next one
    blocks = _unframed(blocks, lines) if asked is None else blocks
    in_turn = named_in_turn(blocks, lines) if asked is None else {}
    for n, block in enumerate(blocks):
        spend()
        if block.beyond:
            found += unread(block.body)
            break
        between = lines[blocks[n - 1].last + 1 if n else 0 : block.first]
        above = _last_lines(between[_begun(between) :])
        headed = headings.go_on(between) if asked is not None else ""
        alone = _only_path(block)
        if (
            alone is not None
            and n + 1 < len(blocks)
            and not any(line.strip() for line in lines[block.last + 1 : blocks[n + 1].first])
        ):
            named = alone
            continue
        hunks, named = _hunks(block, above, asked) if asked is not None else None, in_turn.get(n, named)
        shown = [hunks] if hunks is not None else _files(block, above, named, asked)
        if n and len(shown) == 1 and isinstance(shown[0], (Shown, Snippet)):
            shown = [replace(shown[0], before=_after(blocks[n - 1], block, between))]
        found += [replace(one, headed=headed) if isinstance(one, Snippet) else one for one in shown]
        named = None
    return found


def _unframed(blocks: list[Fence], lines: list[str]) -> list[Fence]:
    """A user's fences without the line's end that Continue puts behind each file in front of his words, whose fence has
    the path and nothing else."""
    begin, out = 0, list[Fence]()
    for block in blocks:
        hint = hint_in_info(block.info)
        if hint is None or hint.path != block.info or any(line.strip() for line in lines[begin : block.first]):
            break
        out.append(replace(block, body=block.body[:-1] if block.body.endswith("\n\n") else block.body))
        begin = block.last + 1
    return [*out, *blocks[len(out) :]]


def selected_in(text: str, blocks: Sequence[Fence]) -> list[Excerpt]:
    """The lines of files that a user's fences show by a path with their numbers: `a.ts (15-17)`."""
    lines, found, above = prose_lines(text, [*blocks]), list[Excerpt](), 0
    for block in blocks:
        language = language_of_info(block.info)
        hint = hint_in_info(block.info) or _hint_above(_last_lines(lines[above : block.first]), language)
        above = block.last + 1
        if hint is None or not (hint.excerpt and hint.sure and block.closed) or is_no_content(block.body):
            continue
        if is_of(hint.path, language) and looks_like_path(hint.path):
            found.append(Excerpt(hint.path, 0, tuple(split_lines(block.body.rstrip("\n"))), Carrier.FENCE))
    return found


def _after(before: Fence, block: Fence, between: list[str]) -> str:
    """The text of the fence just before one, if what that shows may take its place: of the same language, with a few
    lines in between at most."""
    same = language_of_info(before.info) == language_of_info(block.info) and before.closed
    return before.body if same and sum(bool(line.strip()) for line in between) <= LINES_BETWEEN else ""


def _files(block: Fence, above: list[str], named: Hint | None, asked: str | None) -> list[Evidence]:
    """The files of a fence, each with its own label; what stands above the fence may be the label of the first."""
    first, *others = files_in(block)
    evidence = _evidence(first, above, named, asked)
    if not others or not isinstance(evidence, Shown) or not evidence.label:
        one = _evidence(block, above, named, asked, begins_so=asked is None)
        return [one] if one is not None else []
    above = above[:-1] if _hint_above(above, language_of_info(block.info)) is not None else above
    return [evidence, *(one for other in others if (one := _evidence(other, above, None, asked)) is not None)]


def _begun(lines: list[str]) -> int:
    """Where what stands above a fence begins: what is said above another file that was shown is about that one."""
    return next((n + 1 for n in reversed(range(len(lines))) if lines[n] == APART), 0)


_TEST_FOR = re.compile(r"\btests? for\b", re.I)
_OF_CODE = "output"
"""A word that takes back what is no code: a function that formats a row for CSV output is none of it."""
HEADING_WORDS_MAX = 3
"""So many words without a full stop may be a heading: `Expected output`."""
LINES_ABOVE = 4
"""So many lines above a fence, blank ones not counted, are looked at for what they say of it."""
LINES_BETWEEN = 2
"""With more lines between two fences, blank ones not counted, the one is no longer said to become the other."""


def _last_lines(lines: list[str]) -> list[str]:
    """The last lines of what stands above a fence, with the blank ones between them, which end a sentence."""
    said = [n for n, line in enumerate(lines) if line.strip()][-LINES_ABOVE:]
    return lines[said[0] : said[-1] + 1] if said else []


def _sentence_above(above: list[str], hint: Hint | None) -> str:
    """The sentence just above a fence, or above its label. It may go on for some lines."""
    is_label = hint is not None and (hint.sure or "." in hint.path or "/" in hint.path)
    rest = above[:-1] if is_label else above
    found = sentences("\n".join(line[-HINT_CHARS_MAX:] for line in rest))
    return found[-1] if found else ""


def _only_path(block: Fence) -> Hint | None:
    said = block.body.strip()
    lines = said.splitlines() if len(said) <= HINT_CHARS_MAX else []
    hint = hint_in_line(lines[0]) if len(lines) == 1 else None
    return hint if hint and hint.sure and block.closed else None


def _hunks(block: Fence, above: list[str], asked: str) -> Evidence | None:
    """A diff without its head, or without line numbers. Models write some with a code's info string."""
    language = language_of_info(block.info)
    is_code = language.nature is Nature.CODE if language is not None else not block.info
    if not (_is_diff(block) and not parse_diff(block.body)) and not (
        is_code and block.closed and is_marked(block.body)
    ):
        return None
    hint = _hint_above(above, None)
    readings = bare_hunks(block.body)
    if not readings or is_taken_back(_sentence_above(above, hint), asked):
        return None
    path = head_path(block.body) or (hint.path if hint is not None and hint.sure else "")
    return Edit(path, readings[0], Carrier.UDIFF, unmarked=readings[1] if len(readings) > 1 else ())


def _is_taken_back(sentence: str, asked: str, language: Language | None, *, own: bool = False) -> bool:
    """Whether a sentence takes its fence back. What a user asks for is no word on the file of his `own` that he shows:
    `Write tests for this file.` Of a prompt that names a file of tests a model repeats `a test for`."""
    if own and is_request(sentence):
        return False
    if own and not introduces(sentence) and len(sentence.split()) > HEADING_WORDS_MAX:
        sentence += "."  # people forget it
    if language is not None and language.nature is Nature.CODE:
        asked = f"{asked} {_OF_CODE}"
    wanted = own and (begins(sentence, "makes") or not introduces(sentence))
    if wanted or any(map(is_of_tests, paths_in(asked[-PROSE_CHARS_MAX:]))):
        sentence = _TEST_FOR.sub("", sentence)
    return is_taken_back(sentence, asked)


def _evidence(
    block: Fence, above: list[str], named: Hint | None, asked: str | None, *, begins_so: bool = False
) -> Evidence | None:
    """What a fence shows. `begins_so`: a path in the first line of a file that has a label is the file's own."""
    language = language_of_info(block.info)
    if not block.closed or (language is not None and language.nature in (Nature.DIFF, Nature.OUTPUT)):
        return None
    label_above = _hint_above(above, language)
    sentence = _sentence_above(above, label_above)
    if language is not None and language.nature is Nature.SHELL and not is_script(block.body):
        return None if _is_taken_back(sentence, asked or "", language) else _named_script(block)
    hint = hint_in_info(block.info)
    if hint is not None and not is_of(hint.path, language):
        hint = replace(hint, doubted=True)
    hint = hint or named or label_above
    label, body = "", block.body
    inside = hint_in_first_line(body)
    if (
        inside is not None
        and fits(inside[0].path, language)
        and (hint is None or not hint.sure or _same_file(hint.path, inside[0].path))
    ):
        longer = hint is None or not hint.sure or len(inside[0].path) > len(hint.path)
        hint = inside[0] if longer else hint
        if longer or not begins_so:
            label, body = block.body[: len(block.body) - len(inside[1])], inside[1]
    meant = language_of_path(hint.path) if hint is not None else language
    body = opened(meant, body)
    own = asked is None and hint is not None
    if _is_taken_back(sentence, asked or "", language, own=own) or has_edit_markers(body) or is_no_content(body):
        return None
    if hint is None:
        return None if says_range(sentence) else _snippet(replace(block, body=body), language, sentence)
    if hint.excerpt or (block.doubtful and _is_prose(hint.path)):
        return None
    return Shown(
        hint.path,
        body,
        Carrier.FENCE,
        label=label,
        sure=_founds(hint, block, body),
        alone=hint.alone,
        language=language.name if language else "",
        symbol=hint.symbol,
        doubted=hint.doubted,
        above=sentence,
    )


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


def _hint_above(above: list[str], language: Language | None) -> Hint | None:
    hint = hint_in_line(above[-1]) if above else None
    if hint is not None and (hint.sure or language is not None or "." in hint.path) and fits(hint.path, language):
        return hint
    return None


_SCRIPT = re.compile(
    r"#!|(?:[ \t]*+(?:#[^\n]*+)?\n)*+(?:function[ \t]++[\w-]++[ \t]*+(?:\(\))?|[\w-]++[ \t]*+\(\))\s*+\{"
)


def is_script(text: str) -> bool:
    r"""Whether shell code begins as code of a file does, and no commands: with a function, comments above it.

    >>> is_script("# Builds it.\nbuild() {\n"), is_script("#!/bin/sh\n"), is_script("# Build it:\n./build.sh\n")
    (True, True, False)
    """
    return _SCRIPT.match(text) is not None


def _named_script(block: Fence) -> Evidence | None:
    """Shell fences are commands; a file only where the info string names it."""
    hint = hint_in_info(block.info)
    if hint is None or not hint.sure or hint.excerpt:
        return None
    return Shown(hint.path, block.body, Carrier.FENCE, doubted=hint.doubted)


def _snippet(block: Fence, language: Language | None, above: str) -> Evidence | None:
    if language is None:  # or a word that nobody knows: `react`
        return Snippet(block.body, "", above, bare=block.bare)
    doubtful = language.nature is Nature.PROSE and block.doubtful  # where it ends is not known
    return Snippet(block.body, language.name, above) if not doubtful else None


def _same_file(one: str, other: str) -> bool:
    a, b = (re.split(r"[/\\]", p.lstrip("./")) for p in (one, other))
    n = min(len(a), len(b))
    return a[-n:] == b[-n:]


def _is_prose(path: str) -> bool:
    return path.lower().endswith((".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc"))
