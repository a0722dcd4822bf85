"""Shell commands as values: words, redirections, here-documents, and whether a command is sure to run."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Word:
    """A word; `text` is None where an expansion makes it, `glob` where it is a pattern of file names."""

    text: str | None
    glob: bool = False


@dataclass(slots=True)
class Command:
    """A simple command. `output`: the files its output goes to, with whether it is appended; `input`: the text of
    its here-document, None without one or where expansions are in it. `sure`: it runs if what is before it did.
    `last`: it is the script's last one, and the script fails if it or one before it does."""

    words: list[Word] = field(default_factory=list)
    output: list[tuple[Word, bool]] = field(default_factory=list)
    input: str | None = None
    sure: bool = True
    last: bool = False

    @property
    def name(self) -> str:
        """The program's name without its folder; empty where it is not known."""
        first = self.words[0].text if self.words else None
        return first.rsplit("/", 1)[-1] if first else ""
