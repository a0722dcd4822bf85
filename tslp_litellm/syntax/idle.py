"""Statements that do nothing with what a function is given: what may stand for code that was left out, in any words.

A statement's words are told apart: what ends a function (`return`, `raise`, `panic`), what names an error, what is a
constant, what a body itself bound to one of these. Whatever else it names it works with, and so it is code. The words
are data (`data/stubs.json`).
"""

from __future__ import annotations

import builtins
import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from enum import Enum
from functools import cache, cached_property
from importlib import resources

from tslp_litellm.syntax.languages import Nature, language_named
from tslp_litellm.syntax.left_out import bare, comments_of
from tslp_litellm.syntax.outline import Outline, Symbol


class Idle(Enum):
    """What a statement that does nothing is: nobody's code whatever stood there (`STUB`, `NOTHING`), an end by an error
    with a constant text, a constant value, a name bound to one, or a constant text said to somebody."""

    STUB, NOTHING, END, VALUE, BINDING, SAYING = range(6)


@cache
def _lists() -> dict[str, list[str]]:
    data = json.loads((resources.files("tslp_litellm") / "data" / "stubs.json").read_text("utf-8"))
    return {kind: forms for kind, forms in data.items() if isinstance(forms, list)}


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {kind: re.compile(rf"\A(?:{'|'.join(forms)})") for kind, forms in _lists().items()}


@cache
def _empty() -> re.Pattern[str]:
    """An expression that makes an empty value."""
    return re.compile("|".join(f"(?:{form})" for form in _lists()["empty"]))


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(_lists()[kind])


def is_form(kind: str, statement: str) -> bool:
    """Whether a whole statement has a form of that kind in `data/stubs.json`."""
    said = statement.strip()
    return _patterns()[kind].fullmatch(said.rstrip(";").strip() or said) is not None


STATEMENT_CHARS_MAX = 400
"""A stub is short."""
_WORD = re.compile(r"[\w$]+")
_LITERAL = re.compile(r"@?[rbuRBUL]{0,2}(?:\"(?>(?:[^\"\\\n]|\\.)*)\"|'(?>(?:[^'\\\n]|\\.)*)'|`[^`]*+`)")
_FILLED = re.compile(r"[{$]\w|#\{|\$\{|\\\(|%\w")
"""A text into which something is put; `%` alone is put in by an argument, which is a word of its own."""
_ATOM = re.compile(r"(?<![\w:)\]]):[A-Za-z_]\w*")
_NUMBER = re.compile(r"(?<![\w$])-?\d[\w.]*")
_OF_ERRORS = re.compile(r"\b[A-Za-z_]\w*+(?:(?:\.|::|->)[A-Za-z_]\w*+)+(?P<called>!?\()?")
_PARTS = re.compile(r"\.|::|->")
_PREFIX = re.compile(r"\A[\s(\[{@]*(?:(?:try|await|else|do|then)\b[\s({]*)?(?:\w{1,40}(?:\.|::|:|->)){0,4}")
_BINDS = re.compile(
    r"\A(?P<front>(?:[\w<>\[\].*&?]{1,60} ){0,3})(?P<name>[$@%]?[A-Za-z_]\w*)(?: ?: ?[\w<>\[\].|& ?]{1,80})? ?"
    r"(?::=|=|<-) ?(?![=>~])"
)
_DECLARES = re.compile(r"\A(?:var|let|local|my|dim|auto) (?P<name>[$@%]?[A-Za-z_]\w*)(?: [\w.\[\]*]{1,60})?")
_SAYS = re.compile(r"\A@?(?P<name>[A-Za-z_][\w.:\\-]*)!?[ (]+(?P<rest>.*)")
_ENDED = re.compile(r"\A[\s!(,;:.\"'`\\]|\A\Z")


_ATOMS = {"erlang": re.compile(r"(?<![\w$])[a-z]\w*+(?!\s*[(:])")}
"""Languages in which a plain word is a constant."""


def _without_literals(statement: str, language: str = "") -> str:
    """A statement without its constants' characters; a text into which names are put stays as it is."""
    if (atoms := _ATOMS.get(language)) is not None:
        statement = atoms.sub('""', statement)
    text = _LITERAL.sub(lambda m: m.group() if _FILLED.search(m.group()) else '""', statement)
    return _NUMBER.sub("0", _ATOM.sub('""', text))


_GOES_ON = ("(", "[", ",", "=", "+", "\\", "|", "&", "?", '"', "'", "`")
"""A line that ends in one of these is not all of its statement."""
_JOINS = {"erlang": ",", "ocaml": "=", "fsharp": "=", "haskell": "=", "nim": "=", "scala": "="}
"""By language, what stands between two statements, or before a body."""


class Words:
    """What a statement's words mean in two texts, the new one and the one that it replaces."""

    def __init__(self, candidate: Outline, base: Outline) -> None:
        self.language = candidate.language
        self.are_values = candidate.language in _BY_VALUE
        self.are_statements = not candidate.language or _nature(candidate) in (Nature.CODE, Nature.SHELL)
        self.are_code = candidate.by_pattern or self.are_statements or _is_structured(candidate)
        self.by_tree = candidate.parsed
        self.declares = candidate.language in _DECLARED
        self.goes_on = tuple(set(_GOES_ON) - set(_JOINS.get(candidate.language, "")))
        self._candidate, self._base = candidate, base

    @cached_property
    def _counted(self) -> Counter[str]:
        return Counter(word for seen in (self._candidate, self._base) for word in _WORD.findall(seen.text.decode()))

    @cached_property
    def _new_comments(self) -> list[int]:
        """Where comments of the new text begin that the other one has not."""
        known = {said for _, comment in comments_of(self._base) for said in sayings(comment)}
        return [at for at, comment in comments_of(self._candidate) if any({*sayings(comment)} - known - {""})]

    def say_more(self, definition: Symbol) -> bool:
        """Whether a definition of the new text has a comment that is new."""
        at = bisect_left(self._new_comments, definition.inner)
        return at < len(self._new_comments) and self._new_comments[at] < definition.end

    def kind(self, statement: str, bound: Container[str] = ()) -> Idle | None:
        """What a statement that does nothing is; None for code. `bound`: names that only stand for constants."""
        said = statement.strip().rstrip(";").strip() or statement.strip()
        if len(said) > STATEMENT_CHARS_MAX:
            return None
        return self._one(said, bound) or (self._several(said, bound) if ";" in said else None)

    def _several(self, said: str, bound: Container[str]) -> Idle | None:
        """What several statements on one line are, if all of them do nothing."""
        kinds = [
            self._one(part, bound) for one in _SEPARATED.split(said) if not is_form("trivial", part := one.strip())
        ]
        return min((kind for kind in kinds if kind), key=lambda kind: kind.value) if kinds and all(kinds) else None

    def _one(self, said: str, bound: Container[str]) -> Idle | None:
        """What one statement is."""
        if self._candidate.language == "sql":
            said = _BEGUN.sub("", said.lower())
        if is_form("stub", said):
            return Idle.STUB
        if is_form("inert", said) or (is_form("text", said) and not self.are_values):
            return Idle.NOTHING
        if is_form("leaves", said):
            return Idle.VALUE
        return self._of_words(said, bound) or (Idle.NOTHING if self.is_unknown(said) else None)

    def kinds(self, statements: Iterable[str]) -> Iterator[Idle | None]:
        """What the statements of one body are, in order: what one of them bound to a constant is one for the next."""
        bound: set[str] = set()
        for statement in statements:
            kind = self.kind(statement, bound)
            if kind is Idle.BINDING and (m := _BINDS.match(statement) or _DECLARES.match(statement)) is not None:
                bound.add(m["name"].lstrip("$@%"))
            yield kind

    def _of_words(self, said: str, bound: Container[str]) -> Idle | None:
        text = _without_literals(said, self._candidate.language)
        rest = text[m.end() :] if (m := _PREFIX.match(text)) else text
        first = m.group() if (m := _WORD.match(rest)) else ""
        behind = rest[len(first) :]
        is_again = first in ("raise", "throw", "rethrow") and not behind.strip()
        if first in _words("ends") and not is_again and _ENDED.match(behind) and self._dead(behind, bound, thrown=True):
            return Idle.END
        if first in _words("denials") and (m := _DENIED.match(behind)) and self._dead(behind[m.end() :], bound, True):
            return Idle.END
        if not self._live(text, bound):
            return Idle.VALUE
        if first in _words("denials") and behind.strip() and self._dead(behind, bound):
            return Idle.NOTHING  # what is always so
        if self._is_of_dots(text):
            return Idle.STUB
        if _words("control") & {first} and not opens_block(said) and self._is_constant(text, bound):
            return Idle.NOTHING
        if (m := _DECLARES.fullmatch(text)) is not None:
            return Idle.BINDING
        if (m := _BINDS.match(text)) is not None and self._dead(text[m.end() :], bound):
            return Idle.BINDING
        return Idle.SAYING if self._says(text) else None

    def heads_nothing(self, code: str) -> bool:
        """Whether a line opens a block and does nothing by itself: a condition without a call, or a constant."""
        if not opens_block(code) or len(code) > STATEMENT_CHARS_MAX:
            return False
        text = _without_literals(code, self.language)
        return (_CONDITION.match(text) is not None and _CALLED.search(text) is None) or (
            _CONTROL.match(text) is not None and self._is_constant(text, ())
        )

    def never_runs(self, code: str) -> bool:
        """Whether what a line opens is never run."""
        return _NEVER.match(code) is not None

    def _is_constant(self, text: str, bound: Container[str]) -> bool:
        """Whether a statement with its block has no word but those of the language and of constants."""
        control = _words("control")
        counted = {match["name"] for match in _COUNTED.finditer(text)}
        rest = " ".join(w for w in _WORD.findall(text) if w not in control and w not in counted and w.strip("_"))
        return self._dead(rest, bound)

    def _is_of_dots(self, text: str) -> bool:
        """Whether a statement only binds a name to Python's dots, as none does in the text before."""
        return self.language == "python" and _BOUND_TO_DOTS.fullmatch(text) is not None and not self._binds_dots

    @cached_property
    def _binds_dots(self) -> bool:
        lines = self._base.text.decode().splitlines()
        return any(_BOUND_TO_DOTS.fullmatch(line.strip()[:STATEMENT_CHARS_MAX]) for line in lines)

    def _dead(self, text: str, bound: Container[str], thrown: bool = False) -> bool:
        return not self._live(text, bound, thrown)

    def _live(self, text: str, bound: Container[str], thrown: bool = False) -> bool:
        """Whether a word of an expression names something that is worked with. `thrown`: it is thrown, so that a type
        in it is an error's."""
        text = _empty().sub('""', _OF_ERRORS.sub(_without_errors, text))
        words = {word.lstrip("$") or word for word in _WORD.findall(text) if not word[0].isdigit()}
        dead = _words("constants") | (_words("ends") if thrown else frozenset())
        return not all(
            word in dead
            or word in bound
            or _is_error(word)
            or (thrown and (word[0].isupper() or word == "newException"))
            for word in words
        )

    def _says(self, text: str) -> bool:
        """Whether a statement calls something with constant texts alone, which nothing else in the texts names."""
        if is_form("told", text):
            return True
        m = _SAYS.fullmatch(text)
        if m is None or '""' not in m["rest"] or self._live(m["rest"], ()):
            return False
        name = _WORD.findall(m["name"])[-1]
        return self._counted[name] <= 1

    def are_dots(self, code: str, lost: list[str]) -> bool:
        """Whether a line is only dots in brackets, has them for a value, or is one of those that are gone but for dots
        in place of an expression of it."""
        if not self.are_code or ("..." not in code and "…" not in code):
            return False
        language = self._candidate.language
        if language not in _DOTS_ARE_VALUES and _DOTS_IN_BRACKETS.fullmatch(code):
            return True
        if self._are_value(_without_literals(code), language):
            return True
        m = _DOTS.fullmatch(_BRACKETED.sub(r"\1", code)) or _QUOTED.fullmatch(code)
        if m is None or (m["before"].endswith("[") and language == "python"):
            return False
        if language in _DOTS_ARE_VALUES and m.re is _DOTS:
            return False
        texts, several = m.re is _DOTS, len(lost) > 1
        return any(self._is_left_out(m["before"], m["after"], one, texts, several) for one in lost)

    def _are_value(self, text: str, language: str) -> bool:
        """Whether dots are all of a value, or of what a call is given, in a language in which they are neither."""
        if _SIGN.search(text):
            return True  # no language has that sign
        if language == "python":
            return False
        if language in _DOTS_ARE_PASSED and self._passes_dots:
            return False
        if _VALUE_OF_DOTS.search(text):
            return True
        return language not in _DOTS_ARE_GIVEN and _CALL_OF_DOTS.search(text) is not None

    @cached_property
    def _passes_dots(self) -> bool:
        """Whether a function of the new text has dots in its head, and so may pass on what it is given."""
        return _HEAD_OF_DOTS.search(self._candidate.text) is not None

    def _is_left_out(self, before: str, after: str, line: str, texts: bool, several: bool) -> bool:
        """Whether a line has code between a beginning and an end, more than a constant. `texts`: a text is code;
        `several`: more than this line is gone, and so a constant is code, too."""
        end = len(line) - len(after)
        if len(before) >= end or not line.startswith(before) or not line.endswith(after):
            return False
        between = line[len(before) : end]
        if _WORD.search(between) is None or "..." in between:
            return False
        return (texts and (several or _LITERAL.search(between) is not None)) or self._live(
            _without_literals(between), ()
        )

    def is_unwritten(self, code: str) -> bool:
        """Whether a line has a stub in place of a value (`let x = todo!()`)."""
        if not self.are_code:
            return False
        patterns = (_value(), _UNWRITTEN_IN.get(self._candidate.language))
        return any(pattern is not None and pattern.search(code) for pattern in patterns)

    def is_unknown(self, statement: str) -> bool:
        """Whether a statement is only a name, or a call of it with nothing, that nothing binds.

        A name that stands nowhere else is bound by nothing where a language has no scope beyond the file but what is
        imported by name. In the others a name alone does nothing all the same, but a call may be one.
        """
        m = _patterns()["name"].fullmatch(statement.strip().rstrip(";").strip())
        if m is None or self._counted[m["name"]] != 1 or hasattr(builtins, m["name"]):
            return False
        closed = self._candidate.language in _BY_NAME
        return closed or (m["called"] is None and self._candidate.language in _BY_CALL)


def opens_block(code: str) -> bool:
    """Whether a line ends in what opens a block that control goes into, or is a preprocessor's condition."""
    return code.endswith((":", "{", " then", " do")) or _IF_COMPILED.match(code) is not None


_IF_COMPILED = re.compile(r"# ?(?:if|elif)\b")
_CONTROL = re.compile(r"[#} ]{0,4}(?:if|elif|elsif|else|unless|while|until|for|foreach|switch|match)\b")
_CONDITION = re.compile(r"[} ]{0,3}(?:if|elif|elsif|else if|unless)\b")
_CALLED = re.compile(r"\w(?<!\bif)(?<!\belif)(?<!\bnot)(?<!\band)(?<!\bor) ?\(|:=|(?<![=!<>])=(?!=)|\+\+|--")
"""What may have an effect in a condition."""
_COUNTED = re.compile(r"\b(?:for|foreach) ?\(?(?:(?:let|const|var|int|auto) )?(?P<name>\w+)(?= (?:in|of)\b)")
_NEVER = re.compile(
    r"(?:# ?if (?:0|false)|(?:if|while) ?\(? ?(?:False|false|FALSE|0|None|nil|null|undef) ?\)? ?(?:[:{]|then|do)?"
    r"|for \w+ in (?:\(\)|\[\]|\{\}) ?(?:[:{]|do)?)\Z"
)
_BOUND_TO_DOTS = re.compile(r"\A[A-Za-z_][\w.]*+(?: ?= ?[A-Za-z_][\w.]*+)* ?= ?(?:\.{3}|Ellipsis)")
_SEPARATED = re.compile(r";(?=\s|\Z)")
_BEGUN = re.compile(r"\Abegin\s+")
_DENIED = re.compile(r"\A[\s(]++!?(?:false|False|FALSE|NO|0|nil|null)\b")
"""What is claimed is never so."""
_ERROR = re.compile(
    r"[eE]rror(?!s\Z)\w|\w[eE]rrors?\Z|\A(?:Error|ERROR|errors|Err|E)\Z|\A[eE]rr[A-Z_]\w|\w(?:_err|Err)\Z|[eE]xception"
    r"|\A(?:anyhow|eyre|bail)\Z|[uU]nimplemented|[nN]ot_?[iI]mplemented|[nN]ot_?[sS]upported|[uU]nsupported"
)


def _without_errors(m: re.Match[str]) -> str:
    """A dotted name, blanked where it is one of an error: a member of a type of errors, or what makes an error."""
    first, *_, last = _PARTS.split(m.group().rstrip("!("))
    is_made = bool(m["called"]) and (_is_error(last) or last in _words("ends"))
    is_member = _is_error(first) or (first == "error" and last[0].isupper())
    return f'""{m["called"] or ""}' if is_made or is_member else m.group()


def _is_error(word: str) -> bool:
    return _ERROR.search(word) is not None


_DOTS = re.compile(
    r"\A(?P<before>[^.…]*(?:\.[^.…]+)*(?:[=(\[,:]|\breturn|\byield|=>) ?)(?:\.{3}|…)(?P<after>[)\],;}]*)"
)
"""A line that has dots in place of an expression."""
_DOTS_IN_BRACKETS = re.compile(r"\A(?:[(\[{]+ ?(?:\.{3}|…) ?[)\]}]+[;,]?|\{[\"'`](?:\.{3}|…)[\"'`]\})")
_BRACKETED = re.compile(r"(?<![\w)\]])[(\[{]{1,4} ?(\.{3}|…) ?[)\]}]{1,4}")
_QUOTED = re.compile(r"\A(?P<before>.*(?:=|<-|:|\breturn) ?)[\"'](?:\.{3}|…)[\"'](?P<after>[,;]?)")
"""A line that has a text of dots for a value."""
_SIGN = re.compile(r"(?:[=(\[,]|<-|\breturn|\byield) ?[(\[{]{0,20}…[)\]}]{0,20}[,;]?\Z")
_VALUE_OF_DOTS = re.compile(r"(?:(?<![=!<>~])=>?|<-|\breturn|\byield) ?[(\[{]{0,20}\.{3}[)\]}]{0,20}[,;]?\Z")
_CALL_OF_DOTS = re.compile(r"\w!?\(\.{3}\)")
_HEAD_OF_DOTS = re.compile(rb"(?:\bfunction|\bdef)\b[^\n()]{0,200}\([^\n()]{0,200}\.{3}[ \t]*\)")
_DOTS_ARE_PASSED = frozenset({"lua", "r", "ruby"})
"""Languages in which a function passes on what it is given as dots, which its head has, too."""
_DOTS_ARE_GIVEN = frozenset({"php", "c", "cpp", "objc"})
"""Languages in which dots in brackets are ordinary code."""
_DOTS_ARE_VALUES = frozenset({"c", "cpp", "objc", "php", "lua", "r", "go", "csharp", "swift", "scala"})
"""Languages in which dots are ordinary code: variable arguments, or all that there is."""


_UNWRITTEN_IN = {
    "haskell": re.compile(r"(?:[=(\[,]|->|<-) ?(?:undefined|error \"[^\"\n]{0,200}\")[)\],]*\Z"),
    "toml": re.compile(r"=\s?[\"'](?:\.{3}|…)[\"']\Z"),
    "yaml": re.compile(r"[:-]\s[\"'](?:\.{3}|…)[\"']\Z"),
    "json": re.compile(r":\s?\"(?:\.{3}|…)\",?\Z"),
}
"""What stands for a value in one language, and is an ordinary value in others."""


@cache
def _value() -> re.Pattern[str]:
    """A line's end that holds a stub as a value, behind what asks for one."""
    asks = r"(?:[=(\[{,:>]|<-|\breturn|\byield|\bawait) ?"
    return re.compile(rf"{asks}(?:{'|'.join(_lists()['unwritten'])})(?: in| ?[)\],;}}]*)\Z")


_MARKUP = frozenset({"html", "xml"})


def _nature(seen: Outline) -> Nature:
    return language_named(seen.language).nature


def _is_structured(seen: Outline) -> bool:
    """Whether a stub can stand for a text's lines; in words and markup only a comment can."""
    return seen.parsed and seen.language not in _MARKUP


_BY_NAME = frozenset({"python", "javascript", "typescript", "tsx", "rust"})
"""Languages whose files name what they use of others."""
_DECLARED = frozenset({"", "c", "cpp", "objc"})
"""Languages in which a declaration is no definition."""
_BY_CALL = frozenset({"java", "csharp", "c", "cpp", "go", "dart", "php", "swift", "kotlin"})
"""Languages in which a name alone calls nothing."""
_BY_VALUE = frozenset({"ruby", "rust", "scala", "elixir", "swift", "kotlin"})
"""Languages in which a block may end in its value, so that a bare text is a constant."""


def sayings(comment: str) -> list[str]:
    """What a comment says, line by line."""
    return [bare(line) for line in comment.splitlines()]
