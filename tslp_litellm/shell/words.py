"""Words of a shell script: quotes, expansions, here-documents. Linear in the text; each nested script is one level.

The rules are bash's own (its manual, 3.1.2 Quoting and 3.5 Shell Expansions).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable

from tslp_litellm.shell.syntax import (
    HereDocument,
    Opaque,
    Parameter,
    Part,
    Sequence,
    Substitution,
    Text,
    UnreadableError,
    Word,
)

DEPTH_MAX, WORDS_MAX = 30, 5000
_PLAIN = re.compile(r"[^ \t\n|&;()<>'\"\\$`]+")
_IN_QUOTES = re.compile(r"[^\"\\$`]+")
_IN_DOCUMENT = re.compile(r"[^\\$`]+")
_SCANNED = re.compile(r"[^'\"\\$`()}\]]+")
_NAME = re.compile(r"\$(?:([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])|\{([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])\})")
_ANSI = re.compile(r"\$'([^'\\]*(?:\\.[^'\\]*)*)'", re.S)
_EXPANSION = re.compile(r"\A(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?:\[[@*\w]+\])?(?P<operator>:?[-=+?]|%|#|/|\^|,|:\d|\Z)")
_LENGTH = re.compile(r"#[A-Za-z_][A-Za-z0-9_]*(?:\[[@*]\])?")
_SUM = re.compile(r"\A\s*\$?\w+(?:\s*[-+*]\s*\$?\w+)*\s*")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.A)


class WordReader(ABC):
    """The place in a script, and the here-documents announced on the line."""

    def __init__(self, text: str, depth: int = 0) -> None:
        if depth > DEPTH_MAX or "\0" in text or "\r" in text:
            raise UnreadableError
        self.text, self.at, self.depth, self.count = text, 0, depth, 0
        self.pending: list[tuple[HereDocument, str, bool, bool]] = []

    @abstractmethod
    def nested(self) -> Sequence:
        """The script up to the `)` that ends it; the place is behind that."""

    def word(self) -> Word | None:
        """The word at the place; None where there is none."""
        start, parts = self.at, list[Part]()
        while self.at < len(self.text):
            here = self.text[self.at]
            if match := _PLAIN.match(self.text, self.at):
                parts.append(Text(match.group()))
                self.at = match.end()
            elif here in "'\"\\$`":
                parts += self._quoting(here)
                if len(parts) > 4 * WORDS_MAX:
                    raise UnreadableError
            elif here in "<>" and self.text.startswith("(", self.at + 1):
                self.at += 2
                parts.append(Substitution(self.nested(), awaited=False))
            else:
                break
        if self.at == start:
            return None
        self._counted(1 + len(parts) // 4)
        return Word(tuple(parts))

    def _counted(self, words: int) -> None:
        self.count += words
        if self.count > WORDS_MAX:
            raise UnreadableError

    def _quoting(self, here: str) -> Iterable[Part]:
        match here:
            case "'":
                end = self.text.find("'", self.at + 1)
                if end < 0:
                    raise UnreadableError
                found, self.at = self.text[self.at + 1 : end], end + 1
                return [Text(found, quoted=True)]
            case '"':
                self.at += 1
                return self._double_quoted()
            case "\\":
                escaped = self.text[self.at + 1 : self.at + 2]
                if not escaped:
                    raise UnreadableError
                self.at += 2
                return [] if escaped == "\n" else [Text(escaped, quoted=True)]
            case _:
                return self._expansion(quoted=False)

    def _double_quoted(self) -> list[Part]:
        """The parts up to the closing quote, which is passed."""
        parts: list[Part] = [Text("", quoted=True)]
        while True:
            here = self.text[self.at : self.at + 1]
            if not here:
                raise UnreadableError
            if here == '"':
                self.at += 1
                return parts
            parts += self._in_quotes(_IN_QUOTES, '$`"\\')

    def _in_quotes(self, plain: re.Pattern[str], escapable: str) -> Iterable[Part]:
        if match := plain.match(self.text, self.at):
            self.at = match.end()
            return [Text(match.group(), quoted=True)]
        if self.text[self.at] != "\\":
            return self._expansion(quoted=True)
        escaped = self.text[self.at + 1 : self.at + 2]
        self.at += 1 + len(escaped)
        if escaped == "\n":
            return []
        return [Text(escaped if escaped and escaped in escapable else "\\" + escaped, quoted=True)]

    def _expansion(self, *, quoted: bool) -> list[Part]:
        """What begins with `$` or a backtick."""
        text, at = self.text, self.at
        if text[at] == "`":
            return [Substitution(self._backticks(), quoted)]
        if match := _NAME.match(text, at):
            self.at = match.end()
            return [Parameter(match[1] or match[2], quoted)]
        following = text[at + 1 : at + 2]
        if text.startswith("$((", at):
            self.at += 3
            return [self._arithmetic(quoted)]
        if following == "(":
            self.at += 2
            return [Substitution(self.nested(), quoted)]
        if following == "{":
            self.at += 2
            return [self._braces(quoted)]
        if not quoted and following == '"':
            self.at += 2
            return self._double_quoted()
        if not quoted and (match := _ANSI.match(text, at)):
            self.at = match.end()
            return [Opaque(quoted=True)]  # what else than bash reads literally
        self.at += 1
        return [Text("$", quoted=True)]

    def _backticks(self) -> Sequence:
        at, inner = self.at + 1, list[str]()
        while True:
            end = next((n for n in range(at, len(self.text)) if self.text[n] in "`\\"), None)
            if end is None:
                raise UnreadableError
            inner.append(self.text[at:end])
            if self.text[end] == "`":
                self.at = end + 1
                return self.within("".join(inner))
            escaped = self.text[end + 1 : end + 2]
            inner.append(escaped if escaped and escaped in "`\\$" else "\\" + escaped)
            at = end + 2

    @abstractmethod
    def within(self, text: str) -> Sequence:
        """A whole script that stands, unquoted, in this one."""

    def arithmetic(self) -> Opaque:
        """An arithmetic expression up to its `))`, which is passed."""
        return self._arithmetic(quoted=False)

    def _arithmetic(self, quoted: bool) -> Opaque:
        said, inside = self._scanned("))", quoted)
        names = frozenset(_IDENTIFIER.findall(said)) if re.search(r"(?<![=!<>])=(?!=)|\+\+|--", said) else frozenset()
        return Opaque(quoted, inside, names, aborts=not _SUM.fullmatch(said))

    def condition(self) -> Opaque:
        """What stands between `[[` and `]]`, which is passed."""
        return Opaque(False, self._scanned("]]", quoted=False)[1])

    def _braces(self, quoted: bool) -> Opaque:
        said, inside = self._scanned("}", quoted)
        match = _EXPANSION.match(said)
        if match is None:
            return Opaque(quoted, inside, aborts=not _LENGTH.fullmatch(said))
        assigns = frozenset({match["name"]}) if match["operator"].endswith("=") else frozenset()
        return Opaque(quoted, inside, assigns, aborts=match["operator"].endswith("?"))

    def _scanned(self, end: str, quoted: bool) -> tuple[str, tuple[Substitution, ...]]:
        """The text up to `end`, which is passed, and the scripts in it."""
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise UnreadableError
        start, parentheses, inside = self.at, 0, list[Substitution]()
        while self.at < len(self.text):
            here = self.text[self.at]
            if not parentheses and self._ends(end):
                said, self.at = self.text[start : self.at], self.at + len(end)
                self.depth -= 1
                return said, tuple(inside)
            if here == "'" and quoted:
                raise UnreadableError
            if here in "'\"\\$`":
                inside += _scripts(self._quoting(here))
            elif match := _SCANNED.match(self.text, self.at):
                self.at = match.end()
            else:
                parentheses += {"(": 1, ")": -1}.get(here, 0) if end == "))" else 0
                self.at += 1
            if parentheses < 0:
                raise UnreadableError
        raise UnreadableError

    def _ends(self, end: str) -> bool:
        if not self.text.startswith(end, self.at):
            return False
        return end != "]]" or (
            self.text[self.at - 1] in " \t\n" and self.text[self.at + 2 : self.at + 3] in " \t\n;&|)"
        )

    # -- here-documents

    def announce(self, delimiter: Word, *, tabs: bool) -> HereDocument:
        """A here-document whose text follows at the end of the line."""
        name = delimiter.literal
        if name is None or "\n" in name:
            raise UnreadableError
        document = HereDocument()
        quoted = any(isinstance(part, Text) and part.quoted for part in delimiter.parts)
        self.pending.append((document, name, quoted, tabs))
        return document

    def documents(self) -> None:
        """Read the announced here-documents: the place is at the beginning of a line."""
        pending, self.pending = self.pending, []
        for document, name, quoted, tabs in pending:
            text = self._document(name, quoted, tabs)
            document.text = Word((Text(text, quoted=True),)) if quoted else self.expanding(text)

    def _document(self, name: str, quoted: bool, tabs: bool) -> str:
        lines: list[str] = []
        joined = False
        while self.at < len(self.text):
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            line, self.at = self.text[self.at : end], end + 1
            line = line.lstrip("\t") if tabs and not joined else line
            if line == name and not joined:
                return "".join(lines)
            joined = not quoted and (len(line) - len(line.rstrip("\\"))) % 2 == 1
            lines.append(line + "\n")
        return "".join(lines)

    @abstractmethod
    def expanding(self, text: str) -> Word:
        """The text of a here-document in which the shell expands."""

    def document_parts(self) -> Word:
        """All of the text, read as a here-document in which the shell expands."""
        parts: list[Part] = []
        while self.at < len(self.text):
            parts += self._in_quotes(_IN_DOCUMENT, "$`\\")
            if len(parts) > WORDS_MAX:
                raise UnreadableError
        return Word(tuple(parts) or (Text("", quoted=True),))


def _scripts(parts: Iterable[Part]) -> list[Substitution]:
    found: list[Substitution] = []
    for part in parts:
        if isinstance(part, Substitution):
            found.append(part)
        elif isinstance(part, Opaque):
            found += part.inside
    return found
