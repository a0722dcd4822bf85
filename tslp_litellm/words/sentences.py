"""Sentences, and the lists of words that are looked for in them (`data/words.json`)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Literal

from tslp_litellm.data import table
from tslp_litellm.data.schema import WordLists
from tslp_litellm.words.letters import LETTER, PARTING_NONE, WORD_BEGINS, WORD_ENDS

Listed = Literal[
    "taken_back", "earlier", "go_back", "leads_to", "unasked", "follows", "part", "place", "asks", "deed", "told",
    "everywhere", "lose", "goes_on", "article", "joins", "before_other", "negation", "unless", "fault", "method",
    "switched", "versions", "overload", "itself", "makes",
    "adds", "mine", "shows", "again", "elsewhere", "urges", "file", "denies", "i_did", "part_of",
]  # fmt: skip
"""A list of the table."""
PROSE_CHARS_MAX = 20_000
"""Of a longer text the end is looked at: there people ask."""
IT_WORDS_MAX, BACK_WORDS_MAX = 5, 8
PART_MIN = 4
"""So many letters has a part of a name by which people speak of it."""
_ENDS = re.compile(
    r"(?<=[.…])[\"')*_`]*\s+|(?<=[!?])[\"')*_]*\s+|(?<=[。！？।])|\n\s*\n|\n(?=[ \t]*(?:[-*•#>]|\d+[.)])\s)"
)
_HIDDEN = str.maketrans("?!", "\ue000\ue001")
"""What stands for the mark of a name (`recent?`) while sentences are parted."""
_BARE = {hidden: chr(mark) for mark, hidden in _HIDDEN.items()}
_NUMBER = re.compile(r"[#>*_\-\s]*\d{1,3}[.)]")
_DOTTED = re.compile(rf"(?<!\w)\w+://\S+|(?<![^\s{PARTING_NONE}])[^\s{PARTING_NONE}]*\w\.[A-Za-z]{LETTER}*")
"""Files, members and URLs: what they are called says nothing."""
_IN_BACKTICKS = re.compile(r"`[^`\s]+`")
_SHOWN = re.compile(r"`\w+(?:\(\))?`|(?<![\w.])\w+(?:\.\w+)*\(\)|(?<![\w.])(?=\w*(?:_|[a-z\d][A-Z]))\w+(?![\w.])")
"""Names of definitions, as people write them; those of files have a dot."""
_REPLACES = re.compile(r"\A(?>.*?\breplace\b).*\bwith\b(?:\s++\w++){0,3}\W*\Z", re.I | re.S)
"""`Replace the old function with this one:` shows the new one."""
_ONE_WORD = re.compile(rf"\W*[^\W{PARTING_NONE}]+\W*")
_TRAILING = " \t\n*_`\"')"
_MARKS = re.compile(r"^[\s>#*_`\-•\"'(¿¡]*+(?:\d+[.)]\s++)?[\s*_`\"'(]*+(?:[^\W\d_]['’])?")
_BEHIND = "…"
"""With it a word of a list begins that stands behind what it is about, as verbs do in Japanese: `loadを削除して`.
Between words it stands for some others: `ich habe … geändert`."""
_SOME_WORDS = rf"{WORD_ENDS}(?:[^,;:!?。，、；：！？.]|\.(?=\w)){{1,80}}?{WORD_BEGINS}"
_ENDING_CHARS_MAX = 12
"""So much stands at most behind a verb that is last: `説明していただけますか？`"""


def sentences(text: str, *names: str) -> list[str]:
    r"""The sentences of a text; a heading, an item of a list and a paragraph end one. No mark in backticks does,
    nor that of some names (`empty?`) behind which a small letter goes on.

    >>> sentences("That was not right. Here is my a.py now:")
    ['That was not right.', 'Here is my a.py now:']
    >>> sentences("Do both:\n\n### 1. Update `a.py`")
    ['Do both:', '### 1. Update `a.py`']
    >>> sentences("Is it slow? empty? should say no. Or does `full?` do?", "empty?")
    ['Is it slow?', 'empty? should say no.', 'Or does `full?` do?']
    """
    said: list[str] = []
    for piece in filter(None, map(str.strip, _ENDS.split(_with_hidden_marks(text[-PROSE_CHARS_MAX:], names)))):
        number = f"{said.pop()} " if said and _NUMBER.fullmatch(said[-1]) else ""
        said.append(number + piece)
    return [one.translate(_BARE) for one in said]


def _with_hidden_marks(text: str, names: Iterable[str]) -> str:
    for name in (one for one in names if one.endswith(("?", "!"))):
        text = re.sub(rf"(?<!{LETTER}){re.escape(name)}(?=\s+[a-z\d(])", name.translate(_HIDDEN), text)
    return text


@cache
def _pattern(name: Listed) -> re.Pattern[str]:
    return re.compile(rf"{WORD_BEGINS}{listed(name)}{WORD_ENDS}", re.I)


@cache
def listed(name: Listed) -> str:
    """A list as a pattern for one of its words, to be part of another pattern."""
    return _one_of(word.removeprefix(_BEHIND) for word in table("words", WordLists).words(name))


@cache
def listed_before(name: Listed) -> str:
    """The same of the words that stand in front of what they are about: `remove`."""
    return _one_of(word for word in table("words", WordLists).words(name) if not word.startswith(_BEHIND))


@cache
def listed_behind(name: Listed) -> str:
    """The same of the words that stand behind what they are about: `entfernen`."""
    words = table("words", WordLists).words(name)
    return _one_of(word.removeprefix(_BEHIND) for word in words if word.startswith(_BEHIND))


def _one_of(words: Iterable[str]) -> str:
    words, ends = set(words), defaultdict[str, list[str]](list)
    for word in sorted(words, key=lambda word: (-len(word), word)):
        begin, gap, end = (re.escape(part).replace("'", "'?") for part in word.partition(f" {_BEHIND} "))  # `dont`
        ends[begin + (_SOME_WORDS if gap else "")].append(end)
    first = "".join(sorted({re.escape(form[0]) for begin in words for form in (begin.lower(), begin.upper())}))
    either = _either(begin + (_either(behind) if any(behind) else "") for begin, behind in ends.items())
    return f"(?:(?-i:(?=[{first}])){either})" if first else either  # else each word is tried at each place


def _either(patterns: Iterable[str]) -> str:
    return f"(?:{'|'.join(patterns)})"


def holds(sentence: str, name: Listed) -> bool:
    """Whether a sentence holds a word of a list, which is no part of a file's name or a member's.

    >>> holds("Here is docs/usage.py:", "taken_back"), holds("Usage of a.py:", "taken_back")
    (False, True)
    """
    said, words = sentence.replace("’", "'"), _pattern(name)
    return words.search(said) is not None and words.search(_DOTTED.sub(" ", said)) is not None  # most have none


def begins(sentence: str, name: Listed) -> bool:
    """Whether a sentence begins with a word of a list."""
    said = sentence.replace("’", "'")
    return _pattern(name).match(said, _start(said)) is not None


def is_question(sentence: str) -> bool:
    """Whether a sentence ends in a question mark, which is no part of a name in backticks."""
    return sentence.rstrip(_TRAILING.replace("`", "")).endswith(("?", "？"))


def asks_for_deed(sentence: str) -> bool:
    """Whether a sentence is more than a question: `Hi, can you …?` asks for the deed, `Can you explain …?` does not.

    >>> asks_for_deed("能不能把load改一下？"), asks_for_deed("loadを説明してもらえますか？")
    (True, False)
    """
    said = sentence.replace("’", "'")
    if _shows_again(said) or _asks_last().search(said):
        return False
    urges = _pattern("urges").match(said, _start(said))
    polite = [said[urges.end() :]] if urges is not None else []
    polite += [said[found.end() :] for found in _pattern("deed").finditer(said)]
    if polite and not begins(said, "asks"):
        return not begins(polite[-1], "asks")
    return not (is_question(sentence) or begins(sentence, "asks"))


@cache
def _asks_last() -> re.Pattern[str]:
    """A sentence whose last word asks, but for courtesy behind it: `Kannst du mir load erklären?`"""
    courtesy = rf"(?:{listed('deed')}|[^\w,;，、；]|[^\x00-\x7f\W]){{0,{_ENDING_CHARS_MAX}}}+"
    return re.compile(rf"{WORD_BEGINS}{listed_behind('asks')}{WORD_ENDS}{courtesy}\Z", re.I)


def _shows_again(sentence: str) -> bool:
    """Whether a sentence asks for nothing but to see definitions again that it names: `Show me load() again.`"""
    if not holds(sentence, "again"):
        return False
    rest, names = _SHOWN.subn(" ", sentence)
    asks = names > 0 and holds(rest, "shows")
    for known in ("deed", "shows", "again", "article"):
        rest = _pattern(known).sub(" ", rest)
    return asks and re.search(r"\w", rest) is None


def _start(sentence: str) -> int:
    """Where the words of a sentence begin, behind bullets and marks."""
    marks = _MARKS.match(sentence)
    return marks.end() if marks is not None else 0


def merely_asks(prose: str, *names: str) -> bool:
    """Whether a prompt asks for no deed, by its sentences that mention one of some names, else by all (SEMANTICS 2). A
    word in front of others is none of them.

    >>> merely_asks("Thanks. Why is load slow?", "load"), merely_asks("Can you make load faster?", "load")
    (True, False)
    >>> merely_asks("Thanks. Why is it slow?", "load"), merely_asks("It works. Why is it slow?", "load")
    (True, False)
    """
    said = sentences(prose, *names)
    mention = [any(mentions_word(one, name) for name in names) for one in said]
    about = [one for n, one in enumerate(said) if mention[n] or (n and mention[n - 1] and _is_about_it(one))]
    said = said[1:] if len(said) > 1 and _ONE_WORD.fullmatch(said[0]) else said
    return bool(said) and not any(map(asks_for_deed, about or said))


def _is_about_it(sentence: str) -> bool:
    """Whether a short sentence asks for what the one before speaks of: `Fix it.`, `Please fix.`"""
    words = [word.lower() for word in re.findall(r"[\w'’]+", sentence)]
    about = "it" in words[1:] or begins(sentence, "deed")
    return about and len(words) <= IT_WORDS_MAX and not holds(sentence, "negation")


def mentions_word(text: str, name: str) -> bool:
    """Whether a text holds a name as a word of its own, letter for letter."""
    return name in text and re.search(rf"(?<!{LETTER}|\$){re.escape(name)}(?!{LETTER}|\$)", text) is not None


def is_taken_back(above: str, asked: str = "") -> bool:
    """Whether the last sentence of what stands above a fence says that it is no version of anything (SEMANTICS 2).

    Of some words it says so only where it leads to the fence: people ask about the code that they show. A model that
    repeats such a word of its prompt says what it did.

    >>> is_taken_back("This would be wrong:"), is_taken_back("What is wrong here?"), is_taken_back("It was so before.")
    (True, False, False)
    >>> is_taken_back("Here is the original code:", asked="Undo that."), is_taken_back("Here is the original code:")
    (False, True)
    >>> is_taken_back("This is mean, to avoid a division by zero:", asked="Avoid the division by zero in mean.")
    False
    >>> is_taken_back("Here is the updated `previous` function:"), is_taken_back("`Previous`:")
    (False, True)
    >>> is_taken_back("Add this before the last line:"), is_taken_back("Before the change:")
    (False, True)
    """
    said = [_without_names(one) for one in sentences(above)[-1:]]
    return any(
        holds(one, "taken_back")
        or (holds(one, "earlier") and not _REPLACES.search(one) and not asks_to_go_back(asked))
        or (_leads(one) and (holds(one, "leads_to") or (_says_unasked(one, asked) and not asks_to_go_back(asked))))
        for one in said
    )


def _without_names(sentence: str) -> str:
    """A sentence without what stands in backticks, if it says anything else."""
    bare = _IN_BACKTICKS.sub(" ", sentence)
    return bare if re.search(r"\w", bare) else sentence


def is_request(sentence: str) -> bool:
    """Whether a sentence above the user's code asks for something, and does not lead to that code.

    >>> is_request("Write tests for this file."), is_request("Can you add docs?"), is_request("Add it, as before:")
    (True, True, False)
    """
    asks = any(begins(sentence, name) for name in ("deed", "makes", "adds", "lose"))
    return asks and not introduces(sentence)


def introduces(sentence: str) -> bool:
    """Whether a sentence ends in a colon."""
    return sentence.rstrip(_TRAILING).endswith((":", "："))


def leads_to_code(sentence: str) -> bool:
    """Whether a sentence ends in a colon, and has no word but such as stand around a label: `Here are my files:`."""
    bare = _around_labels().sub(" ", sentence.replace("’", "'"))
    return introduces(sentence) and re.search(r"\w", bare) is None


@cache
def _around_labels() -> re.Pattern[str]:
    words = f"{listed('follows')}|{listed('article')}|{listed('mine')}"
    return re.compile(rf"(?<!\w)(?:{words})(?:'s)?(?!\w)", re.I)


def asks_to_go_back(asked: str) -> bool:
    """Whether a prompt asks for what was before.

    >>> asks_to_go_back("No, please put the old one back."), asks_to_go_back("Why did you go back?")
    (True, False)
    """
    return any(speaks_of_going_back(one) and asks_for_deed(one) for one in sentences(asked))


def speaks_of_going_back(sentence: str) -> bool:
    """Whether a sentence holds a word for going back; what goes back may stand within: `put the old one back`."""
    return _going_back().search(_DOTTED.sub(" ", sentence.replace("’", "'"))) is not None


def asks_only_to_go_back(asked: str) -> bool:
    """Whether a prompt asks for what was before in a few words, which leave no room for what else it may be about.

    >>> asks_only_to_go_back("No, keep the old one."), asks_only_to_go_back("Add a way to undo a move in the editor.")
    (True, False)
    """
    return asks_to_go_back(asked) and len(asked.split()) <= BACK_WORDS_MAX


@cache
def _going_back() -> re.Pattern[str]:
    words = re.sub(r"\\ (?=back|old)", r"(?:\\s+\\S+){0,3}\\s+", listed("go_back"))
    return re.compile(rf"{WORD_BEGINS}{words}{WORD_ENDS}", re.I)


def _says_unasked(sentence: str, asked: str) -> bool:
    if asked and holds(sentence, "told"):  # `the updated function, which uses a loop:`
        return False
    sentence = _adds_before().sub(" ", sentence)
    said = {found.group().lower().removesuffix("s") for found in _pattern("unasked").finditer(sentence)}
    return any(re.search(rf"(?<!\w){word}s?(?!\w)", asked, re.I) is None for word in said)


@cache
def _adds_before() -> re.Pattern[str]:
    """`Add this before the last line:` names a place."""
    return re.compile(rf"{WORD_BEGINS}{listed('adds')}{WORD_ENDS}.{{0,99}}{WORD_BEGINS}before(?=\s+\S)", re.I | re.S)


def _leads(sentence: str) -> bool:
    return not sentence.rstrip(_TRAILING).endswith((".", "!", "?", "…", "。", "！", "？"))
