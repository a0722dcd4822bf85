"""Words around a labelled fence: whether what is labelled is the file (SEMANTICS 2, Positive proof).

A label says which file, and not that this is its content now. What introduces it counts where it begins as one that
shows a file or a change: what somebody did, asks for, or calls it (`captions` in `data/sentences.json`). `Here is the
fixed version:` does; `From the git history:` does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tslp_litellm.prose.sentences import WORDS_MAX, compiled, says_otherwise
from tslp_litellm.prose.tokens import Sentence, Sort, Token, sentences

CAPTION_CHARS_MAX = 1_000
_ORDINAL = re.compile(r"^[\s#>*_]*(?:\(?\d{1,3}[.):]|[a-zA-Z][.)])\s+")
_MARKED = re.compile(r"\A(?:\[[^\[\]]*\]|@\w+(?: \S+){0,3})\Z")
"""A line by which a client says where what follows comes from: `[Retrieved from index]`, `@commit abc123`."""
_DECORATED = re.compile(
    r"\A(?:\*\*(?P<bold>[^*]+)\*\*\s*:?|__([^_]+)__\s*:?|\(([^()]+)\)|[-*+•]\s+(.+)|>\s*(.+)"
    r"|<(?:summary|b|h\d|em|strong|i)>(.+)</[a-z\d]+>)\Z"
)
"""A line that is no sentence in a text: bold, in brackets, an item, a quotation, a summary."""
_TROUBLE = re.compile(
    r"\A(?:[\w.]{0,100}(?:Error|Exception|Warning|Panic)\b|(?:fatal )?error\b|panic:|npm ERR!|E  )", re.I
)
"""How the last line of a trace, or of a tool's complaint, begins, which users paste above the file that it is about."""
SHORT_WORDS = 4
"""A sentence of so few words (`Old version.`) speaks of what follows."""
_UNKNOWN = "¤"
_NUMBERED = re.compile(r"^[^._/]*\d|^[A-Z_]+[~^@]")


@dataclass(frozen=True, slots=True)
class _Captions:
    known: re.Pattern[str]
    known_of_users: re.Pattern[str]
    asks: re.Pattern[str]
    firm: re.Pattern[str]
    claims: frozenset[str]
    abroad: re.Pattern[str]
    taken_back_abroad: re.Pattern[str]
    offers: re.Pattern[str]
    withdrawn_by_models: re.Pattern[str]
    withdrawn_by_users: re.Pattern[str]


@cache
def _captions() -> _Captions:
    data = json.loads((resources.files("tslp_litellm") / "data" / "sentences.json").read_text("utf-8"))
    captions: Mapping[str, Sequence[str]] = data["captions"]
    below: Mapping[str, Any] = data["withdrawn"]
    parts: dict[str, str] = {**data["parts"], **data["captions"]["parts"]}
    of_users: dict[str, str] = {**parts, **data["captions"]["user_parts"]}
    return _Captions(
        compiled(captions["forms"], parts),
        compiled([*captions["forms"], *captions["of_users"]], of_users),
        compiled(captions["asks"], parts),
        compiled(captions["firm"], parts),
        frozenset(captions["claims"]),
        re.compile("|".join(captions["abroad"])),
        re.compile(data["captions"]["taken_back_abroad"]),
        compiled(below["offers"], {**parts, **below["parts"]}),
        compiled([*below["said"], *below["by_models"]], below["parts"]),
        compiled([*below["said"], *below["by_users"]], below["parts"]),
    )


def shows_file(paragraph: str, by_user: bool) -> bool:
    """Whether a paragraph above a label leaves that label its meaning: what introduces it must say that it is the file,
    other sentences must not say that it is none.

    `by_user`: said by who shows what there is, and may ask for something, or complain.

    >>> shows_file("I added a guard:", by_user=False), shows_file("A colleague suggests:", by_user=False)
    (True, False)
    """
    caption, forms = _caption(paragraph), _captions()
    if caption is None or forms.firm.match(caption.words) or (by_user and forms.asks.match(caption.words)):
        return True
    if not caption.introduces or (caption.heading and not by_user):
        return _withdrawal(by_user).match(caption.words) is None
    if caption.words.count(" ") >= WORDS_MAX or says_otherwise(caption.sentence):
        return False
    known = forms.known_of_users if by_user else forms.known
    return known.match(caption.words) is not None or _is_known_abroad(caption.sentence)


def asks(paragraph: str) -> bool:
    """Whether a user's paragraph above a label asks for something, or complains: its words say nothing of the text."""
    caption = _caption(paragraph)
    return caption is not None and _captions().asks.match(caption.words) is not None


def tells(paragraph: str) -> bool:
    """Whether a user's paragraph above code says that it is how something is now: `I changed total:`.

    >>> tells("I changed total:"), tells("What about this?"), tells("Fix this:")
    (True, False, False)
    """
    caption, forms = _caption(paragraph), _captions()
    if caption is None or forms.asks.match(caption.words) or caption.sentence.end == "?":
        return False
    known = caption.introduces and forms.known_of_users.match(caption.words) is not None
    return known or forms.firm.match(caption.words) is not None


def claims(paragraph: str, said: bool = False) -> bool:
    """Whether a user's paragraph above a file says that it is how the file is now on the user's side.

    `said`: it was found to say which file follows.

    >>> claims("I applied it:"), claims("Now it is:"), claims("The proposal:"), claims("Review my change:")
    (True, True, False, False)
    """
    caption, forms = _caption(paragraph), _captions()
    if caption is None or forms.asks.match(caption.words) or caption.sentence.end == "?":
        return False
    shows = said or (caption.introduces and forms.known_of_users.match(caption.words) is not None)
    return shows and any(token.low in forms.claims for token in caption.sentence.tokens)


@dataclass(frozen=True, slots=True)
class _Caption:
    """What stands above a label: its last sentence, and its words as the forms have them. `introduces`: it is no
    sentence of its own, but speaks of what follows; `heading`: it may be one of more than that."""

    sentence: Sentence
    words: str
    introduces: bool
    heading: bool = False


def _caption(paragraph: str) -> _Caption | None:
    said = paragraph.strip()[-CAPTION_CHARS_MAX:]
    last = said.rpartition("\n")[2].strip()
    if _TROUBLE.match(last) and not last.endswith(":"):
        return None
    if _MARKED.match(last):
        return _Caption(Sentence(()), _UNKNOWN, introduces=True)
    heading, inner = last.startswith("#"), _DECORATED.match(last)
    text = next((part for part in inner.groups() if part), "") if inner else last.strip("# ") if heading else said
    found = [one for one in sentences(_ORDINAL.sub("", text).replace("*", "")) if one.tokens]
    if not found:
        return None
    tokens = list(found[-1].tokens)
    while tokens and tokens[-1].sort is Sort.OPAQUE and not any(map(str.isalnum, tokens[-1].text)):
        tokens.pop()  # an emoji
    alone = inner is not None or found[-1].end in ("", ":") or len(tokens) <= SHORT_WORDS
    return _Caption(found[-1], " ".join(map(_word, tokens)), alone and found[-1].end != "?", heading)


def is_withdrawn(prose: str, by_user: bool) -> bool:
    """Whether what stands below a fence takes it back: `Ignore the above.`, or a model's `Should I apply it?`."""
    said = (one for one in sentences(prose[:CAPTION_CHARS_MAX]) if not one.hearsay and len(one.tokens) <= WORDS_MAX)
    return any(_takes_back(one, by_user) for one in said)


def _withdrawal(by_user: bool) -> re.Pattern[str]:
    return _captions().withdrawn_by_users if by_user else _captions().withdrawn_by_models


def _takes_back(said: Sentence, by_user: bool) -> bool:
    words = " ".join(map(_word, said.tokens)).lstrip("( ")
    if said.end == "?":
        return not by_user and _captions().offers.match(words) is not None
    return _withdrawal(by_user).match(words) is not None


def _is_known_abroad(said: Sentence) -> bool:
    words = " ".join(token.text for token in said.tokens).lower()
    return _captions().abroad.match(words) is not None and _captions().taken_back_abroad.search(words) is None


def _word(token: Token) -> str:
    """A word as the forms have it: `%` a name, `#` a number; what may be a version or a commit is neither."""
    if token.sort is not Sort.NAME:
        return token.low or _UNKNOWN
    if token.text.isdecimal():
        return "#"
    return "%" if token.marked or not _NUMBERED.search(token.text) else _UNKNOWN
