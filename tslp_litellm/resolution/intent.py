"""What a user's prompt asks for by name: removals and renames (SEMANTICS 3, gate B 1).

One of a short list of words, the name within four words behind it (in front of verbs that stand last, as `entfernen`),
in a sentence that neither asks nor denies; or `it` or `them` just behind, where the name is what the sentence, or the
one before, begins or ends with.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from tslp_litellm.dialects.paths import looks_like_path
from tslp_litellm.words.letters import LETTER, WORD_BEGINS, WORD_ENDS
from tslp_litellm.words.mentions import PathMention, mentions
from tslp_litellm.words.sentences import (
    asks_for_deed,
    holds,
    listed,
    listed_before,
    listed_behind,
    mentions_word,
    merely_asks,
    sentences,
)

TOPIC_WORDS_MAX = 2
"""So few words in front of `remove it` name nothing: `Please`, `you can`."""
LEADING_WORDS_MIN = 2
"""So many stand in front of a name that is no subject: `We need`."""
WORDS_MAX, BEHIND_CHARS_MAX, BETWEEN_CHARS_MAX = 4, 2_000, 40
"""The name is the fourth word behind the word that asks, at most."""
GUARD = "main guard"
_MEMBER = re.compile(r"(?<=\w)(?:::|->|#(?!\d))(?=\w)")
_HOLDER = re.compile(
    r"[`\"'()]*\s+(?:from|in|of)\s+(?:the\s+|class\s+)*[`\"']?(?P<holder>[A-Z]\w*(?:\.\w+)*|\w+(?:\.\w+)+)(?![\w/])"
)
_BETWEEN = r"[`\"'()]*\s+(?:in)?(?:to|as|zu|en|à|a)\s+[`\"']*"
_IS = r"(?:is|was)(?:n['’]t)?\b"
_NAMES = re.compile(r"(?<![\w`.$])[\w`.$]+\w")
_OF_IT = re.compile(r"(?<!\w)(?:from|in|of|to)\s+(?:the\s+)?(?:\w+\s+)?\Z", re.I)
_CLAUSE_ENDS = ",;，、；"
_OUT_OF = r"from|of|aus|von|de|da|z|из"
_IDENTIFIER = re.compile(r"[_$]|[a-z0-9][A-Z]|\d|\.|^[A-Z]")


@lru_cache(maxsize=64)
def _asking(prompt: str) -> tuple[tuple[str, str], ...]:
    """The sentences of a prompt that may ask for something to go, each behind the one before."""
    said = sentences(prompt)
    asking = ((before, one) for before, one in pairwise(["", *said]) if asks_for_deed(one))
    return tuple((before, one) for before, one in asking if holds(one, "lose") and not holds(one, "unless"))


@dataclass(frozen=True, slots=True)
class Intent:
    """A prompt, to be asked about the symbols of a file. `path`: that file; None where it is not known. `before`: the
    user's own words of the turn before; `taken_back`: entities that are asked to go without a word."""

    prompt: str = ""
    path: str | None = None
    before: str = ""
    taken_back: frozenset[str] = frozenset()

    def at(self, path: str) -> Intent:
        """The same prompt, asked about a file's symbols."""
        return replace(self, path=path)

    def with_before(self, brought: frozenset[str]) -> Intent:
        """The prompt and the one before: who asks for something to go, and then shows his file without it, did it; and
        who shows it without what the answer brought (entities) did not take that."""
        prompt = f"{self.before}\n\n{self.prompt}" if self.before else self.prompt
        return replace(self, prompt=prompt, taken_back=brought)

    def mentions(self, symbol: str) -> bool:
        """Whether the prompt names a symbol: in full, or by its last part."""
        return any(mentions_word(self.prompt, form) for form in _forms(symbol))

    def asks_to_lose(self, symbol: str) -> bool:
        """Whether the prompt asks for a symbol, or what holds it, to be removed or renamed.

        >>> Intent("Please delete shout from a.py.", "a.py").asks_to_lose("shout")
        True
        >>> Intent("Remove the mark from `shout`.", "a.py").asks_to_lose("shout")
        False
        """
        return f"{self.path}::{symbol}" in self.taken_back or self._asks_for(symbol)

    def asks_to_remove(self, symbol: str) -> bool:
        """Whether the prompt asks for a symbol, or what holds it, to go for good: not to be renamed, moved or inlined.

        >>> Intent("Please delete shout from a.py.", "a.py").asks_to_remove("shout")
        True
        >>> Intent("Please rename shout in a.py to cry.", "a.py").asks_to_remove("shout")
        False
        """
        return self._asks_for(symbol, for_good=True)

    def asks_to_rename(self, old: str, new: str) -> bool:
        """Whether the prompt asks for it by both names, or marks both as names and does not merely ask."""
        if (self.mentions(new) and self.asks_to_lose(old)) or self._pairs(old, new) or self.takes_along(old, [new]):
            return True
        return self._marks(old) and self._marks(new) and not merely_asks(self.prompt, old, new)

    def asks_for_new_name(self, old: str, new: str) -> bool:
        """Whether the prompt asks for a symbol to go on under another name, or in another's place.

        >>> Intent("Rename total to total_price.", "a.py").asks_for_new_name("total", "total_price")
        True
        >>> Intent("Write `total_price` like `total`.", "a.py").asks_for_new_name("total", "total_price")
        False
        """
        goes_on = self.mentions(new) and self.asks_to_lose(old) and not self.asks_to_remove(old)
        return old != new and (goes_on or self._pairs(old, new))

    def takes_along(self, old: str, names: Collection[str]) -> bool:
        """Whether one of some names has what is asked for where the old one has what that takes the place of: its test.

        >>> Intent("Rename `slug` to `slugify` everywhere.").takes_along("test_slug", ["test_slugify"])
        True
        """
        words = _words(self.prompt)
        for part in (word for word in words if word in old and word != old):
            before, _, behind = old.partition(part)
            fits = (new for new in names if new.startswith(before) and new.endswith(behind))
            asked = {new[len(before) : len(new) - len(behind)] for new in fits} & words
            if any(self.asks_for_new_name(part, word) for word in asked):
                return True
        return False

    def _pairs(self, old: str, new: str) -> bool:
        """Whether a sentence that renames has both in a row: `total to total_price and report to print_report`."""
        olds, news = ("|".join(map(re.escape, _forms(name))) for name in (old, new))
        pair = re.compile(rf"(?<![\w$.])(?:{olds}){_BETWEEN}(?:{news})(?![\w$])")
        asking = (one for _, one in _asking(self.prompt) if holds(one, "goes_on") and not holds(one, "negation"))
        return any(map(pair.search, asking))

    def _marks(self, symbol: str) -> bool:
        """Whether the prompt holds a name that looks like one, or stands in backticks or before a bracket."""
        forms = [re.escape(form) for form in _forms(symbol) if mentions_word(self.prompt, form)]
        return any(_IDENTIFIER.search(f.replace("\\", "")) or re.search(rf"`{f}\b|\b{f}\(", self.prompt) for f in forms)

    def asks_to_lose_guard(self) -> bool:
        """Whether the prompt asks for a script's main guard to be removed."""
        return self._asks(GUARD) or self._asks("__main__")

    def _asks_for(self, symbol: str, for_good: bool = False) -> bool:
        parts = symbol.partition("#")[0].split(".")
        return any(self._asks(".".join(parts[:n]), for_good) for n in range(len(parts), 0, -1))

    def _asks(self, name: str, for_good: bool = False) -> bool:
        return any(
            self._asks_in(sentence, name, for_good) or self._speaks_of(before, sentence, name, for_good)
            for before, sentence in _asking(self.prompt)
        )

    def _speaks_of(self, before: str, sentence: str, name: str, for_good: bool) -> bool:
        """Whether a name is the `it` of a sentence: `parse_day isn't used, you can drop it`."""
        found = _lose_it().search(sentence)
        if found is None or (for_good and found["onwards"]):
            return False
        above, named = sentence[: found.start()], found["it"].lower() == "it"
        head, comma, clause = above.rpartition(",")
        if not comma or holds(head, "lose"):
            head, clause = above, above  # `i don't need Cart.empty any more, delete it` denies no deed
        close = len(clause.split()) <= TOPIC_WORDS_MAX
        topic = before if len(above.split()) <= TOPIC_WORDS_MAX else head if close else above
        about = _is_about if named else _is_among
        return not holds(clause, "negation") and any(about(topic, form) for form in _forms(name))

    def _asks_in(self, sentence: str, name: str, for_good: bool) -> bool:
        leaf = name.rpartition(".")[2]
        if leaf not in sentence:
            return False
        others = self._others(sentence, name)
        here = self._without_path(sentence)
        if not others and any(_goes_before_last(here, form, for_good) for form in _forms(name)):
            return True
        before = 0
        for verb in _lose().finditer(here):
            if holds(here[before : verb.start()], "negation"):
                return False  # it stands in front of each that follows, too
            before = verb.end()
            if (for_good and holds(verb.group(), "goes_on")) or _is_denied(here, verb, leaf):
                continue
            moves, rest = verb.group().lower() == "move", here[before : before + BEHIND_CHARS_MAX]
            if bool(others) == moves and any(_stands(rest, form, name) for form in _forms(name)):
                return True
        return False

    def _others(self, sentence: str, name: str) -> list[str]:
        """The paths of other files in a sentence; none is a word in which this file's stands (`**src/a.py`)."""
        written = [m for m in mentions(sentence) if isinstance(m, PathMention) and " " not in m.path]
        own = [m for m in written if self.path is not None and _same_file(m.path, self.path)]
        return [
            one.path
            for one in written
            if self._is_other(one.path, name) and not any(one.at <= m.at and m.end <= one.end for m in own)
        ]

    def _is_other(self, written: str, name: str) -> bool:
        """Whether a word is a path, and not this file's. None is one by a dot alone, and no member of the same type."""
        holder = name.rpartition(".")[0]
        if name.endswith(written) or written.endswith(name) or (holder and written.startswith(holder + ".")):
            return False
        if "/" not in written and not looks_like_path(written):
            return False
        return self.path is None or not _same_file(written, self.path)

    def _without_path(self, sentence: str) -> str:
        """A sentence with `path::symbol` of this file as the symbol alone, and members as `Cart.add`."""
        path = self.path
        here = re.sub(
            r"[^\s`\"'(]+::", lambda m: "" if path and _same_file(m.group()[:-2], path) else m.group(), sentence
        )
        return _MEMBER.sub(".", here)


def _stands(rest: str, form: str, name: str) -> bool:
    """Whether a name follows closely enough: a plain word just behind, what is marked as a name a little later."""
    for found in re.finditer(rf"(?<!{LETTER}|[.$:>#-]){re.escape(form)}(?!{LETTER}|[$-])(?!\.\w)(?!['’]s)", rest):
        between = rest[: found.start()].strip("`\"' ")
        if len(re.findall(r"[\w'’-]+", between)) >= WORDS_MAX:
            break  # and more stand in front of each that follows
        if holds(between, "before_other"):
            continue
        marked = rest[found.start() - 1 : found.start()] == "`" or rest[found.end() : found.end() + 1] == "("
        close = marked or _IDENTIFIER.search(form) or _just_behind(between)
        if close and _is_of_holder(rest[found.end() :], name):
            return True
    return False


def _goes_before_last(here: str, form: str, for_good: bool) -> bool:
    """Whether a name stands just before a verb that is last: `load bitte entfernen`, not `den Fehler in load
    entfernen`."""
    if form not in here:
        return False
    name = rf"(?<!{LETTER}|[.$:>#-])(?-i:{re.escape(form)})(?!{LETTER}|[$-]|\.\w)[`\"'()]*"
    last = rf"(?P<between>[^,;，；]{{0,{BETWEEN_CHARS_MAX}}}?){WORD_BEGINS}(?P<verb>{listed_behind('lose')}){WORD_ENDS}"
    for found in re.finditer(name + last, here, re.I):
        between = re.sub(rf"{WORD_BEGINS}(?:{listed('article')}|{listed('deed')}){WORD_ENDS}", " ", found["between"])
        other = re.search(r"[A-Za-z]{2}", between) or holds(between, "part_of")
        front = here[: found.start()].rstrip("`\"'( ")
        of_it = re.search(rf"(?<!\w)(?:{listed_before('place')}|{_OUT_OF})(?:\s+{listed('article')})*\Z", front, re.I)
        if not (other or of_it or _is_denied(here, found, form) or (for_good and holds(found["verb"], "goes_on"))):
            return True
    return False


def _is_denied(here: str, verb: re.Match[str], name: str) -> bool:
    """Whether the clause in which a verb stands denies it, as other languages do it behind the verb, too."""
    begin = max(here.rfind(mark, 0, verb.start()) for mark in _CLAUSE_ENDS) + 1
    ends = (at for mark in _CLAUSE_ENDS if (at := here.find(mark, verb.end())) >= 0)
    return holds(here[begin : min(ends, default=len(here))].replace(name, " "), "denies")


def _is_about(sentence: str, name: str) -> bool:
    """Whether a sentence begins or ends with a name, which looks like one, or stands in backticks or before a bracket
    or with its file, and speaks of no other. Of `total takes an argument that isn't used` the argument may be meant,
    and of `I don't need the argument of total`."""
    if name not in sentence:
        return False
    marked, path = rf"(`?)(?<![\w.$]){re.escape(name)}(?![\w$]|\.\w|['’]s)(`|\(\))*", r"(\s+in\s+[^\s`]+\.\w+)?"
    first = _pattern(rf"\W*(?:{listed('article')}\s+)*{marked}{path}\s+{_IS}").match(sentence)
    last = _pattern(rf"{marked}(?:\s+[a-z]+){{0,{TOPIC_WORDS_MAX}}}[\s.!]*\Z").search(sentence)
    front = sentence[: last.start()] if last is not None else ""
    if first is None and (len(front.split()) < LEADING_WORDS_MIN or _OF_IT.search(front)):
        return False
    found = first or last
    if found is None or not (any(found.groups()) or _IDENTIFIER.search(name)):
        return False
    others = sentence[found.end() :] if first else front.split(maxsplit=1)[1]
    return not any("`" in word or _IDENTIFIER.search(word) for word in _NAMES.findall(others))


def _is_among(sentence: str, name: str) -> bool:
    """Whether a sentence begins with some names in a row, this one among them: ``"`load` and `save` are unused."``"""
    found = _pattern(rf"\W*(?:{listed('article')}\s+)*(?P<row>.{{1,200}}?)\s+(?:are|were)(?:n['’]t)?\b").match(sentence)
    row = _pattern(rf"\s*(?:,|(?<!\w){listed('joins')}(?!\w))[\s,]*").split(found["row"]) if found is not None else ()
    bare = [one.strip("`").removesuffix("()") for one in row]
    return name in bare and all("`" in one or "(" in one or _IDENTIFIER.search(one) for one in row)


def _lose_it() -> re.Pattern[str]:
    it = r"(?P<it>it|them)(?![\w'’-])"
    behind = rf"(?!\s+{listed('before_other')}\b)"
    return _pattern(rf"(?<![\w-])(?:(?P<onwards>{listed('goes_on')})|{listed('lose')}(?=\s+\w+{behind}))\s+{it}")


def _lose() -> re.Pattern[str]:
    return _pattern(rf"{WORD_BEGINS}{listed_before('lose')}{WORD_ENDS}")


@lru_cache(maxsize=4)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.I)


@lru_cache(maxsize=4)
def _words(prompt: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w{3,}", prompt))


def _just_behind(between: str) -> bool:
    """Whether nothing but articles, and other names in a row with this one, stands between: `title and shorten`."""
    others = rf"(?:[`\"']?[\w.]+(?:\(\))?[`\"']?(?:\s*,(?:\s*{listed('joins')}\b)?|\s+{listed('joins')}\b)\s*)*"
    articles = rf"(?:{listed('article')}|\s)*"
    return _pattern(rf"{articles}{others}{articles}\Z").match(between) is not None


def _is_of_holder(behind: str, name: str) -> bool:
    """Whether a type or module that a name is said to be of (`total from Order`) is what holds it; files are looked at
    elsewhere."""
    found = _HOLDER.match(behind)
    if found is None or looks_like_path(found["holder"]):
        return True
    return found["holder"].rpartition(".")[2] in name.split(".")[:-1]


def _forms(symbol: str) -> Iterator[str]:
    """How a symbol may be written: in full, and without what holds it."""
    parts = symbol.partition("#")[0].split(".")
    for n in range(len(parts)):
        yield ".".join(parts[n:])


def _same_file(written: str, path: str) -> bool:
    written = written.replace("\\", "/").removeprefix("./").lstrip("@")
    return bool(written) and (written == path or path.endswith("/" + written) or written.endswith("/" + path))
