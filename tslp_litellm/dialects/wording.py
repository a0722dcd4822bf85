"""What a sentence says was done, or was not: English that says it in so many words, and nothing else.

Clients that no table knows word their results as they like. A sentence proves that something was done only if it is
a past verb with the file that the call named and nothing more; that it was not, only if its first clause denies the
doing and no other claims one. Everything else proves nothing (SEMANTICS 2, Positive proof, Outcomes).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WORDS_MAX = 2000
"""Longer words of a client's own are no verdict."""

_LEAD = r"\A(?:(?:ok(?:ay)?|success|done|\[ok\]|[✓✔✅])[:.,!–—-]{0,3}\s{1,8}+)?"
_PAST = (
    r"(?P<verb>wrote|written|created|updated|saved|edited|modified|overwrote|overwritten|replaced|inserted|appended|"
    r"patched|changed|applied|deleted|removed|moved|renamed)"
)
_COUNT = (
    r"(?P<{0}>[1-9]\d{{0,9}}) (?P<{0}_unit>bytes?|chars?|characters?|lines?|edits?|changes?|replacements?|"
    r"occurrences?|hunks?|blocks?)"
)
_PATH = r"[`'\"]?(?P<path>[^\n`'\"]{1,400}?)[`'\"]?"
_WAS = r"(?:(?:has|have) been |was |were )?(?:successfully )?"
_DONE = tuple(
    re.compile(form, re.I)
    for form in (
        rf"{_LEAD}(?:successfully )?{_PAST}(?: and (?:wrote|written|saved))?(?: to)?(?: the| a)?(?: new| existing)?"
        rf" file(?: successfully)?[.!]?",
        rf"{_LEAD}(?:the )?(?:(?:new )?file|contents?|changes?|edits?) {_WAS}{_PAST}(?: successfully)?[.!]?",
        rf"{_LEAD}(?:successfully )?{_PAST}(?: {_COUNT.format('count')})?(?: (?:to|in|into|"
        rf"at))?(?: the)?(?: new| existing)?"
        rf"(?: file)?:? {_PATH}(?: successfully)?(?: \({_COUNT.format('more')}\))?[.!]?",
        rf"{_LEAD}(?:the )?(?:(?:new )?file |edits? to |changes? to |"
        rf"contents? of )?{_PATH} {_WAS}{_PAST}(?: successfully)?[.!]?",
        rf"{_LEAD}(?:the )?(?:file|contents?|changes?|edits?) {_WAS}{_PAST}(?: successfully)?(?: (?:to|at|"
        rf"in))?:? {_PATH}[.!]?",
        rf"{_LEAD}(?:the )?(?:file )?(?P<verb>edits?|writes?|updates?|patch|replacements?|changes?)(?: operation)?"
        rf"(?: was| were)? successful[.!]?",
    )
)

_DOING = (
    r"(?:writ(?:e|ten)|wrote|creat(?:e|ed)|updat(?:e|ed)|sav(?:e|ed)|edit(?:ed)?|modif(?:y|ied)|overwr(?:ite|itten)|"
    r"replac(?:e|ed)|insert(?:ed)?|append(?:ed)?|patch(?:ed)?|chang(?:e|ed)|appl(?:y|ied)|delet(?:e|ed)|"
    r"remov(?:e|ed)|"
    r"mov(?:e|ed)|renam(?:e|ed)|stor(?:e|ed)|perform(?:ed)?|ma(?:k|d)e|complet(?:e|ed)|succeed(?:ed)?|execut(?:e|ed)|"
    r"open(?:ed)?|read|f[io]u?nd|match(?:ed)?|locat(?:e|ed)|accept(?:ed)?|exist|persist(?:ed)?)\b"
)
_SUBJECT = (
    r"(?:(?:the|your|this|that|any|all) )?(?:(?:requested|proposed|tool|file|text|code|search) )*"
    r"(?:edits?|writes?|patch(?:es)?|changes?|files?|operations?|requests?|tools?|calls?|updates?|replacements?|"
    r"hunks?|"
    r"contents?|text|strings?|blocks?|modifications?|it|we|i|"
    r"(?=\S{0,400}[./])\S{1,400}+)(?: (?:to|"
    r"of|in|for|on|at) \S{1,400}+)?"
)
_NOT = r"(?:\w{1,10}n['’]t|(?:\w{1,10} )?(?:not|never)|cannot)"
_FAILED = re.compile(
    rf"\A(?:{_SUBJECT} {_NOT}(?: \w+){{0,2}} {_DOING}|"
    rf"{_SUBJECT} (?:(?:was|were|is|are|has|have|been|got) )*(?:unsuccessful|fail(?:ed|s)?|rejected|refused|"
    rf"denied|aborted|"
    rf"cancell?ed|unchanged|skipped|discarded|blocked|declined|invalid)\b|"
    rf"(?:could not|couldn['’]t|cannot|can['’]t|can not|unable to|failed to|not able to|refused to|did not|"
    rf"didn['’]t|will not|"
    rf"won['’]t)(?: \w+){{0,2}} {_DOING}|"
    rf"(?:no|0|zero|none of the)(?: (?:of|the|such|\d+)){{0,4}} "
    rf"(?:edits?|changes?|hunks?|lines?|replacements?|matches|match|"
    rf"occurrences?|blocks?|files?|updates?|modifications?)"
    rf"(?: (?:was|were|has|have|been|could|be|is|are)){{0,3}} {_DOING}|"
    rf"nothing (?:was|has been|could be) {_DOING}|no such file|"
    rf"(?:\[?\w{{0,40}}error|fail(?:ed|ure)|fatal|exception|e[a-z]{{4,10}}(?=:)|invalid|forbidden|not found|"
    rf"(?:permission|access) denied|traceback|[✗❌✘])(?=\W|\Z))",
    re.I,
)
_CLAIM = re.compile(
    r"\b(?:wrote|written|created|updated|saved|edited|modified|overwr(?:itten|ote)|replaced|inserted|appended|"
    r"patched|"
    r"committed|persisted|patched|changed|applied|deleted|removed|moved|renamed|stored|made|done|completed|succeeded|success(?:ful(?:ly)?)?|"
    r"partial(?:ly)?)\b",
    re.I,
)
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nothing|neither|nor|zero|0|cannot|\w+n['’]t|without|unable|fail(?:ed|s|ure)?|"
    r"refused|must)\b",
    re.I,
)
_CLAUSE_END = re.compile(
    r"(?<![.!?;:,])[.!?;:,]++(?=[\s(]|\Z)|\s(?:but|however|except|although|though|and)(?=\s)|[()\n]"
)


@dataclass(frozen=True, slots=True)
class Done:
    """What a sentence says was done: the verb in lower case, the path as written, and how many of what.

    `path` is empty where the sentence speaks of "the file": the one that the call named.
    """

    verb: str
    path: str
    counts: tuple[tuple[int, str], ...] = ()


def done_by(text: str) -> Done | None:
    """What a text says was done, if it says that and nothing else."""
    text = text.strip()
    if len(text) > WORDS_MAX:
        return None
    match = next((m for form in _DONE if (m := form.fullmatch(text))), None)
    if match is None:
        return None
    said = match.groupdict()
    counts = [(said.get(name), said.get(f"{name}_unit")) for name in ("count", "more")]
    return Done(
        match["verb"].lower(),
        said.get("path") or "",
        tuple((int(n), unit.lower().rstrip("s")) for n, unit in counts if n and unit),
    )


def denies(text: str, parts: int = 1) -> bool:
    """Whether a text says that nothing was done: its first clause denies it, and no clause claims anything.

    `parts`: of how many things; of several, one clause that is denied says nothing of the others.
    """
    text = text.strip()[:WORDS_MAX]
    clauses = [clause.strip(" \t-–—*`'\"") for clause in _CLAUSE_END.split(text)]
    first = next((clause for clause in clauses if clause), "")
    alone = parts == 1 or len([clause for clause in clauses if clause]) == 1
    return alone and bool(_FAILED.match(first)) and not claims(text)


def claims(text: str) -> bool:
    """Whether some clause of a text says that something was done."""
    return any(
        not _NEGATION.search(clause, 0, claim.start())
        for clause in _CLAUSE_END.split(text[:WORDS_MAX])
        if (claim := _CLAIM.search(clause)) is not None
    )


def same_path(named: str, called: str) -> bool:
    """Whether two writings may be of one path: the same, or one the tail of the other."""
    one, other = (_plain(path) for path in (named, called))
    return bool(one) and bool(other) and (one == other or one.endswith("/" + other) or other.endswith("/" + one))


def _plain(path: str) -> str:
    path = path.strip().strip("`'\"").removeprefix("file://").replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    return path.casefold() if re.match(r"/?[A-Za-z]:/", path) else path
