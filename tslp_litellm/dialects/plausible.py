"""Whether a tool's bare output can be a file's text at all, or is the tool's own word.

Nothing frames such an output as content: that it looks like the file that was asked for, by its language, is all that
speaks for it (SEMANTICS 2, Positive proof, Reads).
"""

from __future__ import annotations

import json
import re
from enum import StrEnum

from tslp_litellm.dialects.results import of_fields
from tslp_litellm.parser import outline
from tslp_litellm.syntax.endings import Ending, ending
from tslp_litellm.syntax.languages import Language, Nature, language_named, language_of_path
from tslp_litellm.syntax.left_out import comments_of
from tslp_litellm.syntax.open_ends import is_open, speaks_of_more
from tslp_litellm.syntax.outline import Outline

NOTE_LINES_MAX = 3
"""So many lines may be nothing but a note."""
NOTE_CHARS_MAX = 400
"""A longer line is no note."""
EDGE_LINES = 3
"""What a tool says of a text stands so near its beginning or its end."""

_CUT_WORDS = (
    r"truncated|omitted|clipped|elided|skipped|abridged|shortened|hidden|removed|redacted|left out|cut off|"
    r"not shown|snipped"
)
_UNITS = (
    r"lines?|chars?|characters?|bytes?|tokens?|content|contents|output|text|file|rest|part|parts|section|more|"
    r"remaining|remainder|limit"
)
_SET_OFF = re.compile(r"^[\s#/*;%!'\"-]*(?:\.{3}|…|\[|\(|<|-{2}|={2}|~{2}|>)")
_SAYS_CUT = re.compile(
    rf"\b(?:{_CUT_WORDS})\b.*\b(?:{_UNITS})\b|\b(?:{_UNITS})\b.*\b(?:{_CUT_WORDS})\b|\b(?:more|other|further|"
    rf"remaining) (?:{_UNITS})\b|"
    rf"\b(?:showing|displaying|shown|lines) (?:only )?(?:the )?(?:first |last |lines? )?\d+\b|"
    rf"\A\W*(?:{_CUT_WORDS}|snip)\W*\Z|\b(?:{_UNITS}) (?:above|below)\b",
    re.I,
)
_TROUBLE = re.compile(
    r"\b(?:errors?|\w+error|failed|failure|unable|cannot|could ?n[o']t|can't|not (?:found|exist|available|"
    r"supported|allowed|permitted|"
    r"shown|read|a)|no such|does(?:n't| not)|did(?:n't| not)|denied|refused|forbidden|invalid|unavailable|"
    r"timed? ?out|timeout|missing|"
    r"empty|binary|image|unchanged|cached|cleared|outdated|cancell?ed|aborted|expired|there (?:is|are) no)\b",
    re.I,
)
_SHELL_WORDS = re.compile(
    r"\b(?:commands?|exit(?:ed)?|outputs?|terminal|process|shell|stdout|stderr|working directory|returned|elapsed|"
    r"duration|executed|completed|finished|contents? of|file contents?|here (?:is|are))\b",
    re.I,
)
_SENTENCE = re.compile(r"^\W*\w[^ ]*(?: +[^ ]+)+$")
_NO_SENTENCE_ENDS = ("{", "}", ";")
_BRACKETED = re.compile(r"^\s*[\[(<{*_-].*[\])>}*_-]\s*$")
_ENTRY = re.compile(
    r"^[\s│├└─|`+*•-]*(?:\[?(?:DIR|FILE|dir|file)\]?:? )?[\w.@+-]+(?:/[\w.@+-]+)*/?(?:\s+[\d.,]+ ?[kKMGB]*)?$"
)
_MARKUP = re.compile(r"\.(?:x?html?|xml|svg|vue|svelte|astro|jsx|tsx|php|erb|ejs|hbs|md|mdx)$", re.I)
_PAGE = re.compile(r"\A\s*+<(?:!doctype html|html)\b", re.I)
_ASIDE = re.compile(r"^\W*(?:\[[^\[\]]*\]|\([^()]*\)|（[^（）]*）|【[^【】]*】|［[^［］]*］|…|⋯|\.{3})\W*$")
_PAIRS = {("{", "}"), ("[", "]"), ("(", ")"), ("<", ">")}
_RULES, _GAPS = ("--", "==", "~~", "##"), ("…", "...")
_LABELLED = re.compile(r"^[\w -]{1,40}: *+[^=(){};\[\]<>]*$")
_CODE_SIGNS = re.compile(r"[=(){};:\[\]<>]")


def is_cut(text: str) -> bool:
    """Whether a line of a text, set off from the rest, says that lines were left out."""
    return any(_says_cut(line) for line in text.split("\n"))


def before_cut(text: str) -> list[str]:
    """The lines in front of the first that says that lines were left out, without empty ones at their end."""
    lines = text.split("\n")
    lines = lines[: next((n for n, line in enumerate(lines) if _says_cut(line)), len(lines))]
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _says_cut(line: str) -> bool:
    if len(line) >= NOTE_CHARS_MAX or not _SET_OFF.match(line):
        return False
    return _SAYS_CUT.search(line) is not None or _counts_between_dots(line)


def _counts_between_dots(line: str) -> bool:
    """Whether a line is a number of something between dots (`… 12 lines …`)."""
    said = line.strip(" \t#/*;%!<>-()[]")
    return said.startswith(_GAPS) and said.endswith(_GAPS) and any(sign.isdigit() for sign in said)


def _is_short(line: str) -> bool:
    return len(line) <= NOTE_CHARS_MAX


class Likeness(StrEnum):
    """What a bare output may be: the file's text, perhaps that, or nothing but a tool's word."""

    FILE = "file"
    PERHAPS = "perhaps"
    NOTE = "note"


def likeness(path: str, text: str) -> Likeness:
    """What a bare output is that a tool gave for a path."""
    language = language_of_path(path)
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or is_cut(text) or "\0" in text or _is_page(path, text) or _is_answer(path, text):
        return Likeness.NOTE
    if not text.endswith("\n") and len(lines) == 1:
        return Likeness.NOTE
    if language is None:
        return _of_prose(lines, text)
    seen = outline(language, text)
    if seen.refused:
        return Likeness.FILE
    if not _proves(language, seen):
        found = _of_prose(lines, text)
        unsure = _is_torn(seen) or is_open(language.name, path, text) or _ends_in_remark(language, seen, lines[-1])
        return Likeness.PERHAPS if found is Likeness.FILE and unsure else found
    if _is_code(seen, text, lines):
        return Likeness.FILE
    return Likeness.PERHAPS if len(lines) > NOTE_LINES_MAX else Likeness.NOTE


def is_content(path: str, text: str) -> bool:
    """Whether a bare output is the text of the file of a path, as far as it can be told."""
    return likeness(path, text) is Likeness.FILE


def is_code(path: str, text: str) -> bool:
    """Whether a text is beyond doubt of the language of a path: one whose grammar refuses what is not of it."""
    language = language_of_path(path)
    if language is None:
        return False
    seen = outline(language, text)
    return not seen.refused and _proves(language, seen) and not seen.errors


def _is_page(path: str, text: str) -> bool:
    """Whether a text is a web page in place of another file."""
    return not _MARKUP.search(path) and _PAGE.match(text) is not None


def _is_answer(path: str, text: str) -> bool:
    """Whether a text is a tool's answer in JSON rather than a file of it."""
    fields = of_fields(text)
    return fields is not None and (not path.endswith((".json", ".jsonc", ".json5")) or fields.bad)


def _proves(language: Language, seen: Outline) -> bool:
    """Whether a parse without error says anything: prose, and formats in which a sentence is a value, parse always."""
    return seen.parsed and (language.nature is Nature.CODE or language.name in ("json", "toml", "hcl", "proto"))


def _is_torn(seen: Outline) -> bool:
    """Whether a text does not read as its language on its last lines: a tool may have put them there."""
    last = seen.text.rstrip().rfind(b"\n") + 1
    return seen.parsed and any(error.end >= last for error in seen.errors)


_COMMENTED_OUT = re.compile(r"\W{1,9}(?:- \S|[\w.\-]{1,60} ?[=:](?:\s|\S|\Z))")


def _ends_in_remark(language: Language, seen: Outline, last: str) -> bool:
    """Whether the last line of a text may be somebody's word about it: one that speaks of more, or a comment in which
    nothing was commented out."""
    if speaks_of_more(last):
        return True
    if language.nature is Nature.PROSE or not _is_comment(seen, last):
        return False
    return _COMMENTED_OUT.match(last.strip()) is None


def _is_comment(seen: Outline, last: str) -> bool:
    """Whether a text's last line is a comment, by its tree or the marks of its language."""
    start = len(seen.text.rstrip()) - len(last.strip().encode())
    return any(at <= start < at + len(said.encode()) for at, said in comments_of(seen))


def _is_code(seen: Outline, text: str, lines: list[str]) -> bool:
    """Whether a text is of its language: errors only in its midst, and more than words."""
    if seen.errors:
        ends = {n for n, line in enumerate(text.split("\n")) if line.strip()}
        edge = set(sorted(ends)[:EDGE_LINES]) | set(sorted(ends)[-EDGE_LINES:])
        wrong = {seen.text.count(b"\n", 0, error.start) for error in seen.errors}
        return bool(seen.symbols) and len(lines) > 2 * EDGE_LINES and not wrong & edge and is_closed(seen)
    if _is_framed(seen, lines) or not is_closed(seen):
        return False
    if seen.top_level() or seen.preamble:
        return True
    trouble = len(lines) <= NOTE_LINES_MAX and any(_TROUBLE.search(line) for line in lines)
    return not trouble and any(_CODE_SIGNS.search(line) for line in lines)


def ends_well(path: str, text: str) -> bool:
    """Whether a text that a client frames ends as files of a path do, as far as their language tells."""
    language = language_of_path(path)
    lines = [line for line in text.split("\n") if line.strip()]
    if language is None:
        return not _is_apart(lines)
    seen = outline(language, text)
    spoken = bool(lines) and speaks_of_more(lines[-1])
    if is_open(language.name, path, text) or (
        spoken and (language.nature is not Nature.CODE or _is_comment(seen, lines[-1]))
    ):
        return False
    if seen.refused or seen.errors:
        return language.nature is Nature.CODE or not _is_torn(seen)  # a file may be broken
    return is_closed(seen) if _proves(language, seen) else not _is_apart(lines)


def is_closed(seen: Outline) -> bool:
    """Whether a text that a grammar read ends in what its language makes something of, and in no tool's word."""
    if seen.language == "json":
        return _is_one_value(seen.text.decode().lstrip("\ufeff \t\r\n"))
    return language_named(seen.language).nature is not Nature.CODE or ending(seen) is not Ending.IDLE


def _is_one_value(text: str) -> bool:
    """Whether a text that reads as JSON, comments apart, is one value: another one behind it is no part of a file."""
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return True
    return not text[end:].strip()


def _is_framed(seen: Outline, lines: list[str]) -> bool:
    """Whether the first or the last line may be the tool's own in the language of the code: a comment that says how
    much is shown, a comment or a label at the very end. In what words does not matter."""
    end = len(seen.text.rstrip())
    last = seen.text.rfind(b"\n", 0, end) + 1
    remarked = any(at <= last and at + len(said.encode()) >= end for at, said in comments_of(seen))
    opened = len(seen.text) - len(seen.text.lstrip())
    headed = any(comment.start == opened for comment in seen.comments) and _SAYS_CUT.search(lines[0])
    return remarked or bool(headed) or _LABELLED.match(lines[-1]) is not None


def _of_prose(lines: list[str], text: str) -> Likeness:
    """What a text is that no grammar proves: perhaps a note, a listing, or framed by words of a tool."""
    notes = [line for line in lines if _is_note(line)]
    edge = [line for line in (*lines[:EDGE_LINES], *lines[-EDGE_LINES:]) if _is_short(line)]
    framed = any(_SAYS_CUT.search(line) or (_SHELL_WORDS.search(line) and _is_note(line)) for line in edge)
    if framed or _is_listing(lines) or (_TROUBLE.search(lines[0]) and _is_note(lines[0])):
        return Likeness.NOTE
    if len(lines) <= NOTE_LINES_MAX and (notes or not text.endswith("\n")):
        return Likeness.NOTE
    ended = text.endswith("\n")  # as a file's last line is, and a note seldom
    return Likeness.FILE if ended and len(lines) > 1 and not _is_apart(lines) else Likeness.PERHAPS


def _is_apart(lines: list[str]) -> bool:
    """Whether the last line is set off from all others by its marks, as a tool's word is, whatever it says."""
    if len(lines) < 2:
        return False
    alone = _is_set_off(lines[-1]) and not any(line[:1] == lines[-1][:1] for line in lines[:-1])
    return alone or _ASIDE.match(lines[-1]) is not None


def _is_set_off(line: str) -> bool:
    line = line.strip()
    if not _is_short(line) or not any(sign.isalnum() for sign in line):
        return False
    return (line[:1], line[-1:]) in _PAIRS or (line[:2] == line[-2:] and line[:2] in _RULES) or line.startswith(_GAPS)


def _is_listing(lines: list[str]) -> bool:
    """Whether nearly all lines are names, and most of them names of files."""
    entries = [line for line in lines if _is_short(line) and _ENTRY.match(line)]
    named = [line for line in entries if "." in line or "/" in line]
    return len(entries) * 5 >= len(lines) * 4 and len(named) * 2 >= len(entries)


def _is_note(line: str) -> bool:
    """Whether a line reads like what a tool says: a sentence, words between brackets, or words of trouble."""
    said = _SENTENCE.match(line) and not line.startswith("#") and not line.rstrip().endswith(_NO_SENTENCE_ENDS)
    return _is_short(line) and bool(said or _TROUBLE.search(line) or _BRACKETED.match(line))
