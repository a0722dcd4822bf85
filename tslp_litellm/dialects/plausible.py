"""Whether a tool's bare output can be a file's text at all, or is the tool's own word.

Nothing frames such an output as content: that it looks like the file that was asked for, by its language, is all that
speaks for it (SEMANTICS 2, Positive proof, Reads).
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from tslp_litellm.data import table
from tslp_litellm.data.schema import Reads
from tslp_litellm.dialects.results import of_fields
from tslp_litellm.parser import outline
from tslp_litellm.syntax.languages import Language, Nature, language_of_path
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
_BRACKETED = re.compile(r"^\s*[\[(<{*_-].*[\])>}*_-]\s*$")
_ENTRY = re.compile(
    r"^[\s│├└─|`+*•-]*(?:\[?(?:DIR|FILE|dir|file)\]?:? )?[\w.@+-]+(?:/[\w.@+-]+)*/?(?:\s+[\d.,]+ ?[kKMGB]*)?$"
)
_MARKUP = re.compile(r"\.(?:x?html?|xml|svg|vue|svelte|astro|jsx|tsx|php|erb|ejs|hbs|md|mdx)$", re.I)
_MARKDOWN = re.compile(r"\.(?:md|mdx|markdown)$", re.I)
_HEADING = re.compile(r"#{1,6} \S")
_PAGE = re.compile(r"\A\s*+<(?:!doctype html|html)\b", re.I)
_ASIDE = re.compile(r"^\W*(?:\[[^\[\]]*\]|\([^()]*\)|（[^（）]*）|【[^【】]*】|［[^［］]*］|…|⋯|\.{3})\W*$")
_FIELD = re.compile(r"^\s*[\"']?[A-Za-z][A-Za-z_]{1,30}[\"']?: ?(?=\S|$)")
_RULED = re.compile(r"^\s*(?:={2,}|~{2,}|-{2,}|\*{2,}|#{2,}) ?\w.* ?(?:={2,}|~{2,}|-{2,}|#{2,})\s*$")
_XML = re.compile(r"\A\s*<\?xml\s")
_TAG = re.compile(r"^\s*</?([A-Za-z][\w.:-]*)(?:\s[^<>]*)?>")
_HTML = re.compile(
    r"a|abbr|address|article|aside|b|big|blockquote|body|br|button|center|cite|code|col|dd|del|details|dfn|div|dl|dt|em|"
    r"figcaption|figure|font|footer|h[1-6r]|head|header|html|i|iframe|img|input|ins|kbd|label|li|link|main|map|mark|meta|"
    r"nav|object|ol|option|p|param|picture|pre|q|s|samp|script|section|select|small|source|span|strike|strong|style|"
    r"su[bmp]|summary|svg|table|tbody|t[dhrt]|tfoot|thead|title|u|ul|var|video",
    re.I,
)
"""The elements of HTML, which Markdown may hold."""
_JSON_LINE = re.compile(r"[\[\]{}\",:\d-]|(?:true|false|null)\b")
"""How a line of JSON begins."""
_LABELLED = re.compile(r"^[\w -]{1,40}: *+[^=(){};\[\]<>]*$")
_CODE_SIGNS = re.compile(r"[=(){};:\[\]<>]")


def is_cut(text: str) -> bool:
    """Whether a line of a text, set off from the rest, or a client's own mark in it says what was left out."""
    return any(_says_cut(line) for line in text.split("\n"))


def before_cut(text: str) -> list[str]:
    """The lines in front of the first that says that lines were left out, without empty ones at their end."""
    lines = text.split("\n")
    lines = lines[: next((n for n, line in enumerate(lines) if _says_cut(line)), len(lines))]
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _says_cut(line: str) -> bool:
    if _clipped().search(line) is not None:
        return True
    return len(line) < NOTE_CHARS_MAX and bool(_SET_OFF.match(line)) and bool(_SAYS_CUT.search(line))


@cache
def _clipped() -> re.Pattern[str]:
    return re.compile("|".join(table("reads", Reads).clipped))


def is_clipped(text: str) -> bool:
    """Whether a client says, by a mark of its own, that it shortened a command's output."""
    return any(map(_clipped().search, text.split("\n")))


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
        return Likeness.PERHAPS if len(lines) > NOTE_LINES_MAX else Likeness.NOTE
    seen = outline(language, text)
    if seen.refused:
        return Likeness.FILE
    if not _proves(language, seen):
        return _unproven(path, lines, text, _has_forms(language, seen))
    if _is_code(seen, text, lines):
        return Likeness.FILE
    return Likeness.PERHAPS if len(lines) > NOTE_LINES_MAX else Likeness.NOTE


def is_content(path: str, text: str) -> bool:
    """Whether a bare output is the text of the file of a path, as far as it can be told."""
    return likeness(path, text) is Likeness.FILE


def is_view(path: str, text: str) -> bool:
    """Whether a text, whole or in part, is how clients show a notebook, cell by cell, and not what its file holds."""
    lines = [line.lstrip() for line in text.split("\n") if line.strip()]
    return path.lower().endswith(".ipynb") and not all(_JSON_LINE.match(line) for line in lines)


def is_provable(path: str) -> bool:
    """Whether a text can be told from a tool's words by the language of its path."""
    language = language_of_path(path)
    return language is not None and _proves(language, outline(language, ""))


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
    return fields is not None and (not path.endswith((".json", ".jsonc", ".json5", ".ipynb")) or fields.bad)


def _proves(language: Language, seen: Outline) -> bool:
    """Whether a parse without error says anything: prose, and formats in which a sentence is a value, parse always."""
    return seen.parsed and (language.nature is Nature.CODE or language.name in ("json", "toml", "hcl", "proto"))


def _is_code(seen: Outline, text: str, lines: list[str]) -> bool:
    """Whether a text is of its language: errors only in its midst, and more than words."""
    if seen.errors:
        ends = {n for n, line in enumerate(text.split("\n")) if line.strip()}
        edge = set(sorted(ends)[:EDGE_LINES]) | set(sorted(ends)[-EDGE_LINES:])
        wrong = {seen.text.count(b"\n", 0, error.start) for error in seen.errors}
        return bool(seen.symbols) and len(lines) > 2 * EDGE_LINES and not wrong & edge
    if _is_framed(seen, lines):
        return False
    if seen.top_level() or seen.preamble:
        return True
    trouble = len(lines) <= NOTE_LINES_MAX and any(_TROUBLE.search(line) for line in lines)
    return not trouble and any(_CODE_SIGNS.search(line) for line in lines)


def _is_framed(seen: Outline, lines: list[str]) -> bool:
    """Whether the first or the last line may be the tool's own in the language of the code: a comment that says how
    much is shown, a comment of one line or a label at the very end. In what words does not matter."""
    end = len(seen.text.rstrip())
    last = seen.text.rfind(b"\n", 0, end) + 1
    remarked = any(comment.start <= last and comment.end >= end for comment in seen.comments)
    remarked = remarked and not any(comment.end == last - 1 for comment in seen.comments)
    opened = len(seen.text) - len(seen.text.lstrip())
    headed = any(comment.start == opened for comment in seen.comments) and _SAYS_CUT.search(lines[0])
    return remarked or bool(headed) or _LABELLED.match(lines[-1]) is not None


def _unproven(path: str, lines: list[str], text: str, has_forms: bool) -> Likeness:
    """What a text is that no grammar proves: perhaps a note, a listing, or framed by words of a tool.

    A script or data has forms that no tool's words have, and in which keys and sections are no frame; a Markdown file
    most often begins with a heading, which they don't.
    """
    notes = [line for line in lines if _is_note(line)]
    trouble = len(lines) <= NOTE_LINES_MAX and any(_TROUBLE.search(line) for line in lines)
    formed = has_forms and not trouble and any(map(_is_formed, lines))
    edge = [line for line in (*lines[:EDGE_LINES], *lines[-EDGE_LINES:]) if _is_short(line)]
    talk = [line for line in edge if _is_note(line) and not (formed and _is_formed(line))]
    framed = any(map(_SAYS_CUT.search, edge)) or any(map(_SHELL_WORDS.search, talk))
    told = _TROUBLE.search(lines[0]) and _is_note(lines[0]) and not (formed and _ASSIGNMENT.match(lines[0]))
    if framed or _is_listing(lines) or told:
        return Likeness.NOTE
    headed = not trouble and len(lines) > 1 and bool(_MARKDOWN.search(path)) and bool(_HEADING.match(lines[0]))
    if len(lines) <= NOTE_LINES_MAX and not (formed or headed) and (notes or not text.endswith("\n")):
        return Likeness.NOTE
    ends = [line for line in (lines[0], lines[-1]) if not (formed and _is_entry(line, path))]
    framed = any(_is_frame(line) and not _ends_document(line, text) for line in ends)
    return Likeness.FILE if len(lines) > 1 and not framed else Likeness.PERHAPS


def _has_forms(language: Language, seen: Outline) -> bool:
    """Whether a text may be a script or data, by its path and where there is a grammar by that."""
    return language.nature is not Nature.PROSE and language.name != "csv" and not seen.errors


_ASSIGNMENT = re.compile(r"[\w.\-]+ ?=")
_SECTION = re.compile(r"\[[\w.\-]+(?: \"[^\"]*\")?\]\s*\Z")
_KEY = re.compile(r"\s*(?:- )?[\"']?[a-z_.][\w.\-]*[\"']?:(?:\s|\Z)")
_FURTHER_IN = re.compile(r" {2,}[\w\"'-]")
_FORM = re.compile(r"#!|\t+\S|[\w.\-]+ ?=|[A-Z]{2,} \S|exit \$?\w+\s*\Z|<[!?/\w]|.*[{};]\s*\Z")


def _is_formed(line: str) -> bool:
    """Whether a line has a form that scripts and data have, and words of a tool have not: an assignment, a key in small
    letters, a section, an instruction in capitals, a block's brace."""
    return _is_short(line) and any((_SECTION.match(line), _KEY.match(line), _FORM.match(line)))


def _is_entry(line: str, path: str) -> bool:
    """Whether a key, a section or a line further in is the file's own: one around it names the file, or says whether it
    was cut."""
    named = path.replace("\\", "/").rpartition("/")[2] in line or "truncated" in line
    return not named and any((_SECTION.match(line), _KEY.match(line), _FURTHER_IN.match(line)))


def _is_frame(line: str) -> bool:
    """Whether a first or last line may be one that a tool puts around a text: a field, a tag, words between brackets or
    rules."""
    tag = _TAG.match(line)
    return _is_short(line) and bool(
        _ASIDE.match(line) or _FIELD.match(line) or _RULED.match(line) or (tag and not _HTML.fullmatch(tag[1]))
    )


def _ends_document(line: str, text: str) -> bool:
    """Whether a line is the end tag of an XML text that declares itself."""
    tag = _TAG.match(line) if _XML.match(text) else None
    return tag is not None and re.search(rf"<{re.escape(tag[1])}[\s>]", text) is not None


def _is_listing(lines: list[str]) -> bool:
    """Whether nearly all lines are names, and most of them names of files."""
    entries = [line for line in lines if _is_short(line) and _ENTRY.match(line)]
    named = [line for line in entries if "." in line or "/" in line]
    return len(entries) * 5 >= len(lines) * 4 and len(named) * 2 >= len(entries)


def _is_note(line: str) -> bool:
    """Whether a line reads like what a tool says: a sentence, words between brackets, or words of trouble."""
    return _is_short(line) and bool(
        _TROUBLE.search(line) or _BRACKETED.match(line) or (_SENTENCE.match(line) and not line.startswith("#"))
    )
