"""From a script's text to its commands: bash's grammar by recursive descent, linear, as deep as `DEPTH_MAX`.

Refuses, as a whole, what it does not know exactly: malformed scripts, extended patterns, coprocesses.
"""

from __future__ import annotations

import re
from typing import NoReturn

from tslp_litellm.shell.syntax import (
    AndOr,
    Assignment,
    Case,
    Command,
    For,
    Function,
    Group,
    If,
    Item,
    Pipeline,
    Redirect,
    Redirected,
    Sequence,
    Simple,
    Subshell,
    Test,
    Text,
    UnreadableError,
    While,
    Word,
)
from tslp_litellm.shell.words import DEPTH_MAX, WordReader

CHARS_MAX = 2_000_000
_BLANKS = re.compile(r"(?:[ \t]|\\\n)*")
_COMMENT = re.compile(r"#[^\n]*")
_BARE = re.compile(r"(?:[A-Za-z]{1,8}+|[{}!]|\[\[)(?=[ \t\n;&|()<>]|\Z)")
"""What could be a reserved word; the longest is `function`."""
_REDIRECT = re.compile(r"(?:(?<!\d)(\d++))?(<<<|<<-|<<|<>|<&|>&|>>|>\||<(?!\()|>(?!\())|(&>>|&>)")
_ASSIGNMENT = re.compile(r"\A([A-Za-z_]\w*+)(\[[^\]]*+\])?(\+?)=", re.A)
_NAME = re.compile(r"[\w.:+@-]+")
_EMPTY = re.compile(r"(?<![ \t])[ \t]*+\([ \t]*+\)")
_CLOSERS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}", "in"})
_END = "\0"
_ARM_ENDS = (";;&", ";;", ";&")


def read(text: str, depth: int = 0) -> Sequence:
    """The commands of a script. UnreadableError where it is not known exactly what they are."""
    if len(text) > CHARS_MAX:
        raise UnreadableError
    return _Reader(text, depth).whole()


class _Reader(WordReader):
    def whole(self) -> Sequence:
        found = self._sequence(frozenset({_END}))
        if self.pending:
            self.documents()
        return found

    def within(self, text: str) -> Sequence:
        return _Reader(text, self.depth + 1).whole()

    def expanding(self, text: str) -> Word:
        return _Reader(text, self.depth + 1).document_parts()

    def nested(self) -> Sequence:
        pending, self.pending = self.pending, []
        self._deeper()
        found = self._sequence(frozenset({")"}))
        self.at += 1
        self.depth -= 1
        if self.pending:
            self._refuse()
        self.pending = pending
        return found

    def _refuse(self) -> NoReturn:
        raise UnreadableError

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            self._refuse()

    # -- between words

    def _blanks(self) -> None:
        match = _BLANKS.match(self.text, self.at)
        self.at = match.end() if match else self.at
        if match := _COMMENT.match(self.text, self.at):
            self.at = match.end()

    def _newlines(self) -> None:
        self._blanks()
        while self.text.startswith("\n", self.at):
            self.at += 1
            if self.pending:
                self.documents()
            self._blanks()

    def _bare(self) -> str:
        """The word at the place, if it could be a reserved one."""
        match = _BARE.match(self.text, self.at)
        return match.group() if match else ""

    def _takes(self, *tokens: str) -> str:
        """The first of these that stands at the place, which is passed; empty where there is none."""
        found = next((token for token in tokens if self.text.startswith(token, self.at)), "")
        self.at += len(found)
        return found

    def _reserved(self, *words: str) -> str:
        self._newlines()
        found = self._bare()
        if found not in words:
            self._refuse()
        self.at += len(found)
        return found

    # -- lists

    def _sequence(self, stops: frozenset[str]) -> Sequence:
        items: list[Item] = []
        while True:
            self._newlines()
            if self._stops(stops):
                return Sequence(tuple(items))
            command = self._and_or()
            self._blanks()
            separated = not self.text.startswith(_ARM_ENDS, self.at) and self._takes(";", "&", "\n")
            if separated == "\n" and self.pending:
                self.documents()
            items.append(Item(command, separated == "&"))
            if not separated and not self.text.startswith((")", *_ARM_ENDS), self.at) and self.at < len(self.text):
                self._refuse()

    def _stops(self, stops: frozenset[str]) -> bool:
        if self.at >= len(self.text):
            return _END in stops or self._refuse()
        if self.text[self.at] in ");":
            arm = next((end for end in _ARM_ENDS if self.text.startswith(end, self.at)), self.text[self.at])
            return arm in stops or self._refuse()
        word = self._bare()
        return word in stops or (word in _CLOSERS and word != "in" and self._refuse())

    def _and_or(self) -> Command:
        first, rest = self._pipeline(), list[tuple[str, Command]]()
        self._blanks()
        while operator := self._takes("&&", "||"):
            self._newlines()
            rest.append((operator, self._pipeline()))
            self._blanks()
        return AndOr(first, tuple(rest)) if rest else first

    def _pipeline(self) -> Command:
        negated = False
        while (word := self._bare()) in ("!", "time"):
            self.at += len(word)
            negated ^= word == "!"
            self._blanks()
            if word == "time" and self.text.startswith("-p ", self.at):
                self.at += 3
                self._blanks()
        commands = [self._command()]
        self._blanks()
        while not self.text.startswith(("||", "|&"), self.at) and self._takes("|"):
            self._newlines()
            commands.append(self._command())
            self._blanks()
        if len(commands) == 1 and not negated:
            return commands[0]
        return Pipeline(tuple(commands), negated)

    # -- commands

    def _command(self) -> Command:
        self._deeper()
        self._blanks()
        word = self._bare()
        if self.text.startswith("(", self.at):
            found = self._parenthesis()
        elif word in _COMPOUND:
            self.at += len(word)
            found = _COMPOUND[word](self)
        elif word in _CLOSERS or word in ("coproc", "select", "!"):
            self._refuse()
        else:
            found = self._simple()
        self.depth -= 1
        return found if isinstance(found, (Simple, Function)) else self._redirected(found)

    def _redirected(self, command: Command) -> Command:
        redirects: list[Redirect] = []
        self._blanks()
        while (redirect := self._redirect()) is not None:
            redirects.append(redirect)
            self._blanks()
        return Redirected(command, tuple(redirects)) if redirects else command

    def _parenthesis(self) -> Command:
        if self.text.startswith("((", self.at):
            self.at += 2
            return Test(self.arithmetic())
        self.at += 1
        body = self._sequence(frozenset({")"}))
        self.at += 1
        return Subshell(body)

    def _group(self) -> Command:
        return Group(self._until("}"))

    def _until(self, *words: str) -> Sequence:
        """A sequence that one of these words ends; the word is passed if it is the only one."""
        found = self._sequence(frozenset(words))
        if not found.items:
            self._refuse()
        if len(words) == 1:
            self.at += len(words[0])
        return found

    def _if(self) -> Command:
        branches: list[tuple[Sequence, Sequence]] = []
        otherwise = None
        word = "if"
        while word in ("if", "elif"):
            condition = self._until("then")
            branches.append((condition, self._until("elif", "else", "fi")))
            word = self._reserved("elif", "else", "fi")
        if word == "else":
            otherwise = self._until("fi")
        return If(tuple(branches), otherwise)

    def _while(self) -> Command:
        return While(self._until("do"), self._until("done"))

    def _for(self) -> Command:
        self._blanks()
        if self._takes("(("):
            self.arithmetic()
            return For("", None, self._do(), exact=False)
        name = _NAME.match(self.text, self.at)
        if name is None:
            self._refuse()
        self.at = name.end()
        self._newlines()
        words: list[Word] | None = None
        if self._bare() == "in":
            self.at += 2
            words = self._words()
        return For(name.group(), None if words is None else tuple(words), self._do())

    def _do(self) -> Sequence:
        self._blanks()
        self._takes(";")
        self._reserved("do")
        return self._until("done")

    def _words(self) -> list[Word]:
        found: list[Word] = []
        self._blanks()
        while (word := self.word()) is not None:
            found.append(word)
            self._blanks()
        return found

    def _case(self) -> Command:
        self._blanks()
        subject = self.word()
        if subject is None:
            self._refuse()
        self._reserved("in")
        arms: list[tuple[tuple[Word, ...], Sequence]] = []
        self._newlines()
        while self._bare() != "esac":
            patterns = self._patterns()
            arms.append((patterns, self._sequence(frozenset({*_ARM_ENDS, "esac"}))))
            self._takes(*_ARM_ENDS)
            self._newlines()
        self.at += len("esac")
        return Case(subject, tuple(arms))

    def _patterns(self) -> tuple[Word, ...]:
        self._takes("(")
        found: list[Word] = []
        while True:
            self._blanks()
            word = self.word()
            self._blanks()
            if word is None:
                self._refuse()
            found.append(word)
            if self._takes(")"):
                return tuple(found)
            if not self._takes("|"):
                self._refuse()

    def _function(self) -> Command:
        self._blanks()
        name = _NAME.match(self.text, self.at)
        if name is None:
            self._refuse()
        self.at = name.end()
        self._blanks()
        if self._takes("("):
            self._blanks()
            if not self._takes(")"):
                self._refuse()
        return self._defined(name.group())

    def _defined(self, name: str) -> Command:
        self._newlines()
        return Function(name, self._command())

    def _condition(self) -> Command:
        return Test(self.condition())

    # -- simple commands

    def _simple(self) -> Command:
        assignments, words, redirects = list[Assignment](), list[Word](), list[Redirect]()
        while True:
            self._blanks()
            if (redirect := self._redirect()) is not None:
                redirects.append(redirect)
                continue
            word = self.word()
            if word is None:
                break
            if not words and not assignments and not redirects and self._defines(word):
                return self._defined(word.bare or "")
            if self.text.startswith("(", self.at):
                array = self._array(word)
                assignments.append(array) if not words else words.append(Word((Text(f"{array.name}="),)))
            elif not words and (assignment := _assignment(word)) is not None:
                assignments.append(assignment)
            else:
                words.append(word)
        if not (assignments or words or redirects):
            self._refuse()
        return Simple(tuple(assignments), tuple(words), tuple(redirects))

    def _defines(self, word: Word) -> bool:
        """Whether `()` follows a name, which is passed then."""
        match = _EMPTY.match(self.text, self.at)
        if match is None or word.bare is None or _NAME.fullmatch(word.bare) is None:
            return False
        self.at = match.end()
        return True

    def _array(self, word: Word) -> Assignment:
        """`name=(…)`, whose words may stand on several lines."""
        match = _ASSIGNMENT.fullmatch(word.bare or "")
        if match is None:
            self._refuse()
        self.at += 1
        inside: list[Word] = []
        while True:
            self._newlines()
            if self._takes(")"):
                return Assignment(match[1], None, inside=tuple(inside))
            element = self.word()
            if element is None:
                self._refuse()
            inside.append(element)

    def _redirect(self) -> Redirect | None:
        match = _REDIRECT.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        operator = match[2] or match[3]
        descriptor = int(match[1][:4]) if match[1] else 0 if operator.startswith("<") else 1
        self._blanks()
        target = self.word()
        if target is None:
            self._refuse()
        if operator in ("<<", "<<-"):
            return Redirect(descriptor, operator, document=self.announce(target, tabs=operator == "<<-"))
        return Redirect(descriptor, operator, target)


_COMPOUND = {
    "{": _Reader._group,
    "if": _Reader._if,
    "while": _Reader._while,
    "until": _Reader._while,
    "for": _Reader._for,
    "case": _Reader._case,
    "function": _Reader._function,
    "[[": _Reader._condition,
}


def _assignment(word: Word) -> Assignment | None:
    """The assignment that a word before a command is."""
    first = word.parts[0]
    if not isinstance(first, Text) or first.quoted:
        return None
    match = _ASSIGNMENT.match(first.text)
    if match is None:
        return None
    value = Word(tuple(part for part in (Text(first.text[match.end() :]), *word.parts[1:]) if part != Text("")))
    if match[2]:
        return Assignment(match[1], None, inside=(value,))
    return Assignment(match[1], value, append=bool(match[3]))
