"""Sentences that say which file follows (SEMANTICS 2, Sentences): a closed list of forms, and what takes it back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tslp_litellm.prose.lexicon import Phrases
from tslp_litellm.prose.tokens import Sentence, Sort, Token, sentences

WORDS_MAX = 60
"""A sentence of more words says more than which file follows."""


@dataclass(frozen=True, slots=True)
class _Forms:
    known: re.Pattern[str]
    known_of_users: re.Pattern[str]
    attributive: re.Pattern[str]
    takes_back: Phrases
    taken_back_above: Phrases
    alternatives: Phrases


@cache
def _forms() -> _Forms:
    data = json.loads((resources.files("tslp_litellm") / "data" / "sentences.json").read_text("utf-8"))
    parts = data["parts"]
    attributive = re.compile(rf"@ (?!file\b)(?:{data['parts']['nouns']})\b")
    return _Forms(
        compiled(data["forms"], parts),
        compiled(data["forms"], {**parts, **data["user_parts"]}),
        attributive,
        Phrases(data["takes_back"]),
        Phrases(data["taken_back_above"]),
        Phrases(data["alternatives"]),
    )


def compiled(forms: Sequence[str], parts: Mapping[str, str]) -> re.Pattern[str]:
    """Forms as one pattern, `{…}` filled in."""
    whole = "|".join(f"(?:{form})" for form in forms)
    while (filled := re.sub(r"\{([a-z]\w*)\}", lambda m: parts[m[1]], whole)) != whole:
        whole = filled
    return re.compile(rf"\A(?:{whole})")


@dataclass(frozen=True, slots=True)
class Named:
    """A path in a sentence. `marked`: in backticks or quotation marks. `attributive`: it goes with a noun behind it, as
    the name of a library does (`the Node.js script`); `the util.py file` says that it is one."""

    path: str
    marked: bool
    attributive: bool


def file_that_follows(paragraph: str, is_path: Callable[[str], bool], by_user: bool = False) -> Named | None:
    """The path that a paragraph's last sentence names, if it says that what follows is that file or its new text.

    It must end in a colon and name exactly one path. `by_user`: said by who shows what there is, not what there shall
    be; so every word of it must be known.
    """
    found = sentences(paragraph.replace("*", ""))
    said = found[-1] if found else Sentence(())
    if said.end != ":" or said.hearsay or len(said.tokens) > WORDS_MAX:
        return None
    paths = {token.text for token in said.tokens if is_path(token.text)}
    if len(paths) != 1:
        return None
    path = paths.pop()
    text = " ".join(_word(token, path) for token in said.tokens)
    if _holds(_forms().takes_back, said.tokens) or re.search(r"\badd\b.*\bto\b", text):
        return None
    if not (_forms().known_of_users if by_user else _forms().known).fullmatch(text):
        return None
    marked = any(token.marked for token in said.tokens if token.text == path)
    return Named(path, marked, _forms().attributive.search(text) is not None)


def _word(token: Token, path: str) -> str:
    if token.text == path:  # some are words: `Dockerfile`
        return "@"
    return "%" if token.sort is Sort.NAME else token.low or "¤"


def _holds(phrases: Phrases, tokens: Sequence[Token]) -> bool:
    return any(phrases.length(tokens, at) for at in range(len(tokens)))


def is_taken_back(line: str) -> bool:
    """Whether a heading, or the last sentence of a line that ends in a colon, says that what follows is no version of
    a file."""
    bare = line.strip().strip("#*_ ")
    if not (line.lstrip().startswith(("#", "**", "__")) or bare.endswith(":")):
        return False
    found = sentences(bare)
    return bool(found) and says_otherwise(found[-1])


def is_alternative(line: str) -> bool:
    """Whether a line calls what follows another version of what is shown beside it.

    >>> is_alternative("Alternatively:"), is_alternative("The original:")
    (True, False)
    """
    return any(_holds(_forms().alternatives, said.tokens) for said in sentences(line.strip().strip("#*_ "))[-1:])


def says_otherwise(said: Sentence) -> bool:
    """Whether a sentence that introduces a label holds a word that makes what is labelled no version of the file."""
    return _holds(_forms().taken_back_above, said.tokens)
