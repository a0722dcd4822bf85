"""What users tell that they changed themselves (SEMANTICS 2, Told): in the first person and the past."""

from __future__ import annotations

import re
from functools import cache

from tslp_litellm.data import table
from tslp_litellm.data.schema import WordLists
from tslp_litellm.dialects.paths import paths_in
from tslp_litellm.dialects.values import Carrier, Drift, Told
from tslp_litellm.words.letters import WORD_BEGINS, WORD_ENDS
from tslp_litellm.words.sentences import holds, is_question, listed, sentences

_TAG = re.compile(r"<(?P<name>[A-Za-z][\w.:-]{0,60})(?P<attributes>\s[^<>\n]{1,2000})/?>")
_PATH = re.compile(r"\b(?:path|file|filepath|file_path|filename|name|uri)=(?:\"([^\"\n]{1,1024})\"|'([^'\n]{1,1024})')")


_TO_ASK = r"(?<=\bmy mind)\b|[,;:]\s+(?:and\s+)?(?:so|but|please|now|then|can you|could you)\b"
_TO_TELL = r"(?:(?:the|my|its|their)\s+)?+\S+(?<!,)\s+(?!(?:in|of|from|to|and|or|at|for|as)\b)\S"
_SINCE = r"(?:\s+(?:have|had|just|also|already|then|now|myself|manually|both|all|since|\w+ly))*"
_FIRST = rf"\s+(?:(?!need)\w+ed|ran|put|did|went|made|took|wrote|tried|got|read|built)\b[^.!?;:]{{0,60}}?\sand{_SINCE}"
"""What he did before, and tells first: `I ran the tests and then removed total`."""
_REFERENCE = r"HEAD[~^\d]*|[0-9a-f]{7,40}|v?\d+\.\d+[\w.-]*|#\d+|[\w.-]+(?:/[\w.#-]+)+|[A-Za-z]+-\d{2,}[\w-]*"
"""What can only be a branch, a tag or a commit, where it is no file."""
_PLAIN = re.compile(r"(?<![\w`$.:/\\-])[^\W\d]\w*(?![\w`$(:/\\-]|\.\w)")
_TOKEN = re.compile(r"[\w']+")
_COMMA = re.compile(r"[,;，、；]")
_GIT = (
    r"(?:ran|did|used)\b[^.!?]{0,40}\bgit (?:pull|checkout|switch|merge|rebase|reset|restore|stash|revert|cherry-pick)"
)


@cache
def _says() -> re.Pattern[str]:
    """`I changed`, `we've just pulled`, `I have renamed`, `I ran git pull`, `I tested it and fixed`; not `I set up`."""
    told = rf"\s+(?:{listed('told')}(?![\w'’-]|\s+up\b)|{_GIT}\b)"
    return re.compile(rf"(?<![\w'’])(?:I|we)(?:['’]?ve|['’]d)?{_SINCE}(?:{_FIRST})?{told}", re.I)


@cache
def _says_elsewhere() -> re.Pattern[str]:
    """The same in other languages, and a plain word just behind it: `ich habe … geändert`, `変更しました`."""
    return re.compile(rf"(?P<said>{WORD_BEGINS}{listed('i_did')}{WORD_ENDS})(?:{_name_behind()})?", re.I)


def _name_behind() -> str:
    return rf"(?P<between>\s+(?:{listed('article')}\s+)*)(?P<name>[^\W\d]\w*)(?![\w`$(:/\\-]|\.\w)"


@cache
def _begin_elsewhere() -> frozenset[str]:
    """How such words begin: most sentences hold none of it, and need not be searched."""
    return frozenset(word.partition(" ")[0].lower() for word in table("words", WordLists).words("i_did"))


def _found_elsewhere(sentence: str) -> re.Match[str] | None:
    said, begin = sentence.lower(), _begin_elsewhere()
    if begin.isdisjoint(_TOKEN.findall(said)) and (said.isascii() or not any(word in said for word in begin)):
        return None
    return _says_elsewhere().search(sentence)


def _says_so(sentence: str) -> bool:
    found = _found_elsewhere(sentence)
    return _says().search(sentence) is not None or (found is not None and not holds(found["said"], "denies"))


@cache
def _named() -> re.Pattern[str]:
    """A plain word just behind the verb: `I renamed the function shorten`."""
    return re.compile(rf"(?P<said>{_says().pattern}){_name_behind()}", re.I)


@cache
def _switches() -> re.Pattern[str]:
    """What a verb of version control is followed by: a name of a version, or nothing but `the latest`."""
    rest = r"(?:\s+(?:the|my|all|your|latest|newest|new|version|changes|updates|everything|again|in|now))*[\W]*\Z"
    between = r"\b(?:[^.!?]|\.(?=\w)){0,60}?(?<![\w/.-])"
    name = rf"{between}(?:{listed('versions')}|{_REFERENCE})(?![\w/(-]|\s+{listed('part')})"
    return re.compile(rf"\b(?:{listed('switched')}{name}|(?:pulled|rebased|stashed|rolled back){rest}|{_GIT}\b)", re.I)


_DID = re.compile(
    rf"(?<![\w'’])(?:I|we)(?:['’](?:ve|d))?{_SINCE}\s+(?:did|done|made|committed|pushed)\b(?! not\b)", re.I
)


def tells(sentence: str) -> bool:
    """Whether the sentence above a change tells that the user made it: `This is what I did:`, `I changed this:`."""
    said = _clause(sentence)
    if is_question(sentence) or holds(sentence, "taken_back"):  # `What if I changed this:`
        return False
    return _says_so(said) or _DID.search(said) is not None


def told_changes(prose: str) -> list[Told]:
    """The sentences of a user's own prose that tell of changes."""
    said = (_clause(one) for one in sentences(prose) if not is_question(one))
    return [_told(one) for one in said if _says_so(one)]


def _clause(sentence: str) -> str:
    """A sentence without what it goes on to ask for: `We moved to v2, so change BASE_URL`."""
    other = _found_elsewhere(sentence)
    found = _goes_on().search(sentence) if other is None else _COMMA.search(sentence, other.end("said"))
    return sentence[: found.start()] if found is not None else sentence


@cache
def _goes_on() -> re.Pattern[str]:
    """Where a sentence goes on to ask, or to say what something else did (`and total fails`), and not to tell more:
    `, but I renamed total`."""
    says = _says().pattern
    told = rf"{_SINCE}\s+(?:{listed('told')}\b|{says})"
    return re.compile(rf"(?:{_TO_ASK})(?!\s+{says})|(?<!\s)\s+and\b(?!{told})\s+{_TO_TELL}", re.I)


def _told(sentence: str) -> Told:
    if holds(sentence, "everywhere") or _names_version(sentence):
        return Told(sentence, True)  # in `I merged main` that is no function's name
    sentence = _named().sub(r"\g<said>\g<between>`\g<name>`", sentence)
    return Told(sentence if _found_elsewhere(sentence) is None else _says_elsewhere().sub(_marked, sentence), False)


def _marked(found: re.Match[str]) -> str:
    """The words of another language, with each that may be a name in backticks."""
    name = f"{found['between']}`{found['name']}`" if found["name"] is not None else ""
    return _PLAIN.sub(r"`\g<0>`", found["said"]) + name


def _names_version(sentence: str) -> bool:
    """Whether a sentence tells of another version of all files."""
    for path in paths_in(sentence):
        sentence = sentence.replace(path, " ")
    return _switches().search(sentence) is not None


def tagged_changes(text: str) -> list[Drift]:
    """The paths of tags that say by their name that a file changed: `<file_changed path="util.py"/>`."""
    paths = [
        said[1] or said[2]
        for tag in _TAG.finditer(text)
        if holds(re.sub(r"[\W_]+", " ", tag["name"]), "told")
        for said in _PATH.finditer(tag["attributes"])
    ]
    return [Drift(tuple(paths), Carrier.TOLD)] if paths else []
