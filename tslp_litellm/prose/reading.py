"""A place in a sentence, and the parts of one that are not clauses: names, nouns, places (SEMANTICS 3, gate B)."""

from __future__ import annotations

from dataclasses import dataclass

from tslp_litellm.prose.lexicon import Lexicon, words
from tslp_litellm.prose.tokens import Sort, Token

MAIN_GUARD = "main guard"
"""What a script's guard (`if __name__ == "__main__"`) is called as the object of a request."""


@dataclass(frozen=True, slots=True)
class Named:
    """A thing by the name it is written with. `noun`: what it was called (`function`, `type`, `value`, `file`)."""

    text: str
    noun: str = ""


class NotUnderstoodError(Exception):
    """Something stands where the grammar has no place for it."""


@dataclass(slots=True)
class Reader:
    """A place in a sentence. Every step goes forward, but for the one item of a list that turns out to be none.

    `subject`: what a pronoun means. `places`: where things are said to be, so far.
    """

    tokens: tuple[Token, ...]
    language: Lexicon
    subject: tuple[Named, ...]
    at: int = 0
    places: tuple[str, ...] = ()

    # -- steps

    @property
    def done(self) -> bool:
        return self.at >= len(self.tokens)

    def peek(self) -> Token | None:
        return None if self.done else self.tokens[self.at]

    def take(self, part: str) -> bool:
        """Step over a phrase of a part."""
        n = self.language.of(part).length(self.tokens, self.at)
        self.at += n
        return n > 0

    def mark(self, *marks: str) -> bool:
        token = self.peek()
        if token is None or token.sort is not Sort.MARK or token.text not in marks:
            return False
        self.at += 1
        return True

    def demand(self, happened: bool) -> None:
        if not happened:
            raise NotUnderstoodError

    def words(self, until: int | None = None) -> str:
        """What stands from here on, names as `@`."""
        return " ".join(_word(token) for token in self.tokens[self.at : until])

    def separator(self) -> bool:
        before = self.at
        while self.mark(",", ";", "—", "–", ":", "-") or self.take("and"):
            pass
        return self.at > before

    def limit(self) -> int:
        """Where the part of the sentence ends that this place is in."""
        here = range(self.at, len(self.tokens))
        joints = (n for n in here if self.tokens[n].text in (",", ";", ":", "—", "–", "(", ")"))
        ands = (n for n in here if self.tokens[n].low in ("so", "and") and self._begins_clause(n + 1))
        return min(next(joints, len(self.tokens)), next(ands, len(self.tokens)))

    def _begins_clause(self, at: int) -> bool:
        while n := self.language.of("lead").length(self.tokens, at):
            at += n
        return at < len(self.tokens) and self.language.is_verb(self.tokens[at].low)

    # -- places

    def place(self) -> bool:
        """`from util.py`, `in the class Cart`, `from the file`."""
        start = self.at
        if not self.take("in"):
            return False
        if self.take("here"):
            return True
        self.take("determiners")
        noun = self.noun()
        token = self.peek()
        if token is None or not (
            token.sort is Sort.NAME or (token.sort is Sort.WORD and (noun or token.text[0].isupper()))
        ):
            self.at = start
            return False
        self.at += 1
        self.noun()
        self.places += (token.text,)
        return True

    # -- objects

    def names(self, most: int = 100) -> tuple[Named, ...] | None:
        """`shout`, `the function shout`, `the functions a, b and c`; None where that is not what stands here.

        Behind a comma alone only what can be nothing but a name is one; `and` makes a plain word one, too.
        """
        first = self.name(first=True)
        if first is None:
            return None
        found, noun = [first], first.noun
        while len(found) < most:
            start = self.at
            paused = self.mark(",")
            joined = self.take("and")
            one = self.name(first=False, noun=noun) if paused or joined else None
            plain = one is not None and self.tokens[start : self.at] and not self._is_sure(start, one)
            if one is None or (plain and not joined and not self._list_goes_on()):
                self.at = start
                break
            noun = one.noun
            found.append(one)
        return tuple(found)

    def _is_sure(self, start: int, one: Named) -> bool:
        return any(token.sort is Sort.NAME and token.text == one.text for token in self.tokens[start : self.at])

    def _list_goes_on(self) -> bool:
        """Whether a list of plain words comes to its `and`."""
        ahead = self.tokens[self.at : self.at + 12]
        ands = [n for n, token in enumerate(ahead) if token.low in self.language.of("and")]
        return bool(ands) and all(
            token.text == "," if n % 2 == 0 else token.sort in (Sort.WORD, Sort.NAME)
            for n, token in enumerate(ahead[: ands[0] - (ands[0] > 0 and ahead[ands[0] - 1].text == ",")])
        )

    def name(self, first: bool, noun: str = "") -> Named | None:
        """One name, with the words that belong to it."""
        start = self.at
        self.take("quantifiers")
        given = self.take("determiners")
        while self.take("adjectives"):
            given = True
        guard = words().guard.length(self.tokens, self.at)
        if guard:
            self.at += guard
            return Named(MAIN_GUARD, "value")
        called = self.noun()
        if called:
            self.mark(":")
        token = self._name_here(first)
        if token is None and called:  # `remove test`: the noun is the name
            self.at, called = start + given, ""
            token = self._name_here(first)
        if token is None:
            self.at = start
            return None
        called = called or self.noun() or (noun if not given else "")
        if token.sort is Sort.WORD and given and not called:  # `the title`: some title
            self.at = start
            return None
        return Named(token.text, called)

    def _name_here(self, first: bool) -> Token | None:
        token = self.peek()
        if token is None or token.sort not in (Sort.NAME, Sort.WORD):
            return None
        if token.sort is Sort.WORD and not self._may_be_name(token.low, first):
            return None
        self.at += 1
        return token

    def _may_be_name(self, word: str, first: bool) -> bool:
        known = word in words().never_names or word in words().closed
        role = any(word in self.language.of(part) for part in ("determiners", "in", "and", "because", "governing"))
        verb = not first and (self.language.is_verb(word) or word in self.language.of("lead"))
        return not (known or role or verb)

    def noun(self) -> str:
        """Step over what a thing is called; its kind."""
        best, kind = 0, ""
        for name, phrases in self.language.nouns.items():
            n = phrases.length(self.tokens, self.at)
            if n > best:
                best, kind = n, name
        self.at += best
        return kind


def _word(token: Token) -> str:
    return "@" if token.sort is Sort.NAME else token.low or "¤"
