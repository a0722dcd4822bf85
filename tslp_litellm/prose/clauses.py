"""One sentence as requests: imperatives with a direct object (SEMANTICS 3, gate B 1 and 3).

A sentence is read from its first word to its last. Where something stands that the grammar has no place for, all of
it is not understood, and asks for nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum

from tslp_litellm.prose.lexicon import Lexicon
from tslp_litellm.prose.reading import Named, NotUnderstoodError, Reader
from tslp_litellm.prose.tokens import Sentence, Sort

TOKENS_MAX = 200


class Act(StrEnum):
    """What is asked for."""

    LOSE = "lose"
    RENAME = "rename"
    CHANGE = "change"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Request:
    """An imperative and its objects. `target`: the new name, or the file that it moves to. `places`: where they are
    said to be, as written; all of them must be true of what is meant."""

    act: Act
    objects: tuple[Named, ...]
    target: str = ""
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence that was understood. `subject`: what it is about, for a pronoun in the next one."""

    requests: tuple[Request, ...] = ()
    subject: tuple[Named, ...] = ()


def read(sentence: Sentence, language: Lexicon, subject: tuple[Named, ...] = ()) -> Read | None:
    """A sentence in a language; None where it is not understood, as is one of more than `TOKENS_MAX` words."""
    if len(sentence.tokens) > TOKENS_MAX:
        return None
    try:
        return _Sentence(sentence.tokens, language, subject).sentence(sentence.end)
    except NotUnderstoodError:
        return None


@dataclass(slots=True)
class _Sentence(Reader):
    """A sentence being read, with the requests in it so far."""

    found: list[Request] = field(default_factory=list)

    # -- a sentence

    def sentence(self, end: str) -> Read:
        if self.language.pattern("known").fullmatch(self.words()):
            return Read()
        polite, gerund = self.lead()
        self.demand(end != "?" or polite)
        if self.done:
            return Read(subject=self.subject)
        if self.statement():
            if self.done:
                return Read(subject=self.subject)
            self.demand(self.separator())
            self.lead()
        elif self.reason() and self.done:
            return Read(subject=self.subject)
        self.clause(gerund)
        while not self.done:
            self.demand(self.separator())
            self.lead()
            if not self.done:
                self.clause(gerund=False)
        about = tuple(one for request in self.found for one in request.objects)
        return Read(tuple(self.found), about or self.subject)

    def lead(self) -> tuple[bool, bool]:
        """Step over what only leads into a request; whether it is a polite question, and wants a gerund."""
        polite = gerund = False
        before = -1
        while before != self.at:
            before = self.at
            polite = self.take("polite") or polite
            gerund = self.take("polite-gerund") or gerund
            self.take("lead")
            self.place_ahead()
            if self.at != before:
                self.mark(",", ":", "—", "–")
        return polite or gerund, gerund

    def place_ahead(self) -> None:
        """`In util.py, …`; `util.py: …`; `Refactoring: …`."""
        start = self.at
        if self.take("labels") and self.mark(":"):
            return
        self.at = start
        label = self.tokens[self.at : self.at + 2]
        if len(label) == 2 and label[0].sort is Sort.NAME and label[1].text == ":":
            self.places += (label[0].text,)
            self.at += 2
        elif not self.place():
            self.at = start

    # -- what is said of a thing, so that a pronoun may mean it

    def statement(self) -> bool:
        """`X is unused`, `nobody calls X`."""
        start = self.at
        end = self.limit()
        unused = self.language.pattern("unused").match(self.words(end))
        if unused is not None:
            self.at += len(unused.group().split())
        objects = self.names()
        rest = self.words(end)
        if objects is None or self.at > end:
            self.at = start
            return False
        if unused is None and self.language.pattern("predicate").fullmatch(rest):
            self.at, self.subject = end, objects
            return True
        if unused is not None and (not rest or rest in ("anymore", "any more", "now", "anywhere")):
            self.at, self.subject = end, objects
            return True
        self.at = start
        return False

    # -- clauses

    def clause(self, gerund: bool) -> None:
        """One imperative with all that belongs to it."""
        start, places = self.at, self.places
        for part, read_clause in (
            ("lose-gerund", self.lose) if gerund else ("lose", self.lose),
            ("rename-of", self.rename),
            ("rename", self.rename),
            ("keep", self.keep),
            ("swap", self.swap),
            ("move", self.move),
            ("fold", self.fold),
            ("change", self.change),
            ("make", self.make),
            ("add", self.add),
        ):
            if self.take(part):
                known = len(self.found)
                read_well = read_clause()
                self.places = places
                if read_well:
                    return
                del self.found[known:]
                self.at = start
        if self.object_first():
            return
        self.demand(not gerund and self.take("other"))
        self.demand(self.free())

    def object_first(self) -> bool:
        """A language in which the verb comes last."""
        start = self.at
        objects = self.names()
        if objects is None or not self.take("object-first"):
            self.at = start
            return False
        for part, act in (("lose", Act.LOSE), ("change", Act.CHANGE)):
            if self.take(part):
                self.found.append(Request(act, objects, places=self.places))
                return self.done
        return False

    def lose(self) -> bool:
        self.listing()
        objects = self.subject if self.subject and self.take("pronouns") else self.names()
        return objects is not None and self.ended(Request(Act.LOSE, objects))

    def listing(self) -> None:
        """`the following functions:`, before their names."""
        start = self.at
        if self.take("listing"):
            self.noun()
            if self.mark(":"):
                return
        self.at = start

    def rename(self) -> bool:
        while True:
            one = len(self.subject) == 1 and self.take("pronouns")
            objects = self.subject if one else self.names(most=1)
            if objects is None or not (self.mark("->", "=>", "→", "⇒") or self.take("as")):
                return False
            target = self.name(first=True)
            if target is None:
                return False
            self.found.append(Request(Act.RENAME, objects, target.text, self.places))
            start = self.at
            if self.separator() and self._is_pair():
                continue
            self.at = start
            return self.ended(self.found.pop())

    def _is_pair(self) -> bool:
        pair = self.tokens[self.at : self.at + 3]
        return len(pair) == 3 and (pair[1].low in self.language.of("as") or pair[1].text in ("->", "=>", "→", "⇒"))

    def keep(self) -> bool:
        objects = self.names()
        if objects is None:
            return False
        self.take("kept")
        return self.ended(Request(Act.KEEP, objects))

    def swap(self) -> bool:
        objects = self.names()
        if objects is None or not self.take("by"):
            return False
        target = self.name(first=True)
        if target is None or not re.fullmatch(r"[\w.:]+", target.text):
            return False
        return self.ended(Request(Act.RENAME, objects, target.text))

    def move(self) -> bool:
        objects = self.names()
        while objects is not None and self.place():
            pass
        if objects is None or not self.take("to"):
            return False
        if self.take("elsewhere"):
            return self.ended(Request(Act.LOSE, objects))
        self.take("determiners")
        self.noun()
        target = self.peek()
        if target is None or target.sort is not Sort.NAME or not re.search(r"\w\.\w|/", target.text):
            return False
        self.at += 1
        return self.ended(Request(Act.LOSE, objects, target.text))

    def fold(self) -> bool:
        objects = self.names()
        if objects is None:
            return False
        request = Request(Act.LOSE, objects, places=self.places)
        if self.done:
            self.found.append(request)
            return True
        start = self.at
        if not (self.take("into") and (self.take("callers") or self.free())):
            return False
        into = {token.text for token in self.tokens[start : self.at]}
        gone = tuple(one for one in objects if one.text not in into)
        self.found.append(replace(request, objects=gone))
        return True

    def change(self) -> bool:
        self.take("determiners")
        while self.take("adjectives"):
            pass
        if not (self.take("details") and self.take("part-of")):
            return self.changed_itself()
        objects = self.names()
        return objects is not None and self.changed(objects)

    def changed_itself(self) -> bool:
        while self.at and self.tokens[self.at - 1].low in self.language.of("determiners"):
            self.at -= 1  # the words before a name are read with it
        objects = self.names()
        return objects is not None and self.changed(objects)

    def make(self) -> bool:
        """`Make X return a tuple`, `make X faster`: what it is to do, or to be, is in known words. `Let X be` asks for
        nothing."""
        objects = self.names()
        if objects is None or self.done:
            return False
        known = any(self.language.of(kind).length(self.tokens, self.at) for kind in ("other", "change", "better"))
        return known and self.changed(objects, how=False)

    def add(self) -> bool:
        """`Add a docstring to X`: what X is made of, so that it is X that changes."""
        start = self.at
        while not self.done and self.peek_low() not in self.language.of("to") and self.peek_low() != "in":
            token = self.tokens[self.at]
            if token.sort not in (Sort.WORD, Sort.NAME) or token.low in self.language.of("governing"):
                return False
            self.at += 1
        if self.done or not any(self._is_part(n) for n in range(start, self.at)):
            return False
        self.at += 1
        objects = self.names()
        return objects is not None and self.changed(objects)

    def _is_part(self, at: int) -> bool:
        n = self.language.of("parts").length(self.tokens, at)
        named = self.tokens[self.at - 1].sort is Sort.NAME  # `a method whisper`
        return n > 0 and at + n in (self.at, self.at - named)

    def peek_low(self) -> str:
        return "" if self.done else self.tokens[self.at].low

    def changed(self, objects: tuple[Named, ...], how: bool = True) -> bool:
        """The rest of a change: how, and where."""
        self.closing()
        places: tuple[str, ...] = ()
        if not self.done and not self._joined():
            if how and (self._is_elsewhere() or not self.language.of("how").length(self.tokens, self.at)):
                return False
            places = self._places_until_end()
            if not self.free():
                return False
        self.found.append(Request(Act.CHANGE, objects, places=self.places + places))
        return True

    def _is_elsewhere(self) -> bool:
        """`in the README`: whether a place follows that is no file by name, where the change may be made instead."""
        start, places = self.at, self.places
        elsewhere = not self.place() and self.take("in") and self.take("determiners")
        self.at, self.places = start, places
        return elsewhere

    def closing(self) -> None:
        """Step over words that only close a request: `, please`."""
        while not self.done:
            start = self.at
            self.mark(",", "—", "–")
            if not self.take("close"):
                self.at = start
                return

    def _places_until_end(self) -> tuple[str, ...]:
        """Files that a free rest names with a preposition of place."""
        tokens, before = self.tokens, self.language.of("in")
        return tuple(
            tokens[n].text
            for n in range(self.at + 1, len(tokens))
            if tokens[n].sort is Sort.NAME and tokens[n - 1].low in before and re.search(r"\w\.\w|/", tokens[n].text)
        )

    # -- what follows an object

    def ended(self, request: Request) -> bool:
        """Step over places, reasons and closing words; False where something else follows than another clause."""
        before = -1
        while before != self.at and not self.done:
            before = self.at
            if self.place():
                continue
            start = self.at
            paused = self.mark(",", "—", "–", "(")
            aside = paused and self.tokens[start].text == "(" and self.take("adjectives")
            known = aside or (self.take("and") and self.take("along")) or self.take("close")
            if not (known or ((paused or self._because()) and self.reason())):
                self.at = start
            elif paused:
                self.mark(")")
        request = replace(request, places=self.places)
        if not self.done and not self._joined():
            return False
        self.found.append(request)
        return True

    def _joined(self) -> bool:
        """Whether another clause follows."""
        start = self.at
        joined = self.separator()
        if joined:
            joined = self.done or self._begins_clause(self.at)
        self.at = start
        return joined

    def _because(self) -> bool:
        return self.language.of("because").length(self.tokens, self.at) > 0

    def reason(self) -> bool:
        """`because it is unused`, `nobody calls it`."""
        start = self.at
        self.take("because")
        end = self.limit()
        said = self.words(end)
        about = re.sub(r"^(?:it's|that's|this's)\b", "it is", re.sub(r"^(?:they're|these're)\b", "they are", said))
        subject = re.match(r"(?:it|they|that|this|which|those|these|@) ", about)
        unused = self.language.pattern("unused").match(said)
        if subject and self.language.pattern("predicate").fullmatch(about[subject.end() :]):
            self.at = end
            return True
        rest = said[unused.end() :].strip() if unused else ""
        if unused and re.fullmatch(r"(?:it|them|that|this|those|@)?(?: ?(?:anymore|any more|now|anywhere))?", rest):
            self.at = end
            return True
        self.at = start
        return False

    def free(self) -> bool:
        """The rest of a clause that is none of our business; up to the next clause, if it can be told.

        Words that govern a sentence (negations, conditions, modals, pronouns that may mean an object) leave it
        not understood. Behind an infinitive or the like, only a pause begins a new clause.
        """
        deep = False
        start = self.at
        while not self.done:
            token = self.tokens[self.at]
            paused = token.text in (",", ";", "—")
            if (paused or token.low in self.language.of("and")) and self.at > start:
                after = self.at + 1 + (paused and self._low(self.at + 1) in self.language.of("and"))
                if (paused or not deep) and self._begins_clause(after):
                    return True
            if token.sort is Sort.OPAQUE or token.low in self.language.of("governing"):
                return False
            deep = deep or token.low in ("to", "so", ":")
            self.at += 1
        return True

    def _low(self, at: int) -> str:
        return self.tokens[at].low if at < len(self.tokens) else ""
