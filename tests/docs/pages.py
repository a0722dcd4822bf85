"""The pages of the documentation: their fenced blocks, and which commands in them are not run, and why."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")], key=lambda p: (p.stem != "tutorial", str(p)))
"""The tutorial comes first: it counts on a State Map that nobody has touched."""

NOT_RUN: dict[str, str] = {
    r"((make|tslp) run|tslp log(?!.*--count))\b": "never ends; the gateway of this test is started as there, by `tslp run`",
    r"(make (test|check|bench|turns|lint|docs|release)|scripts/litellm_range\.sh)\b": "would run this very test, or takes minutes",
    r"(LITELLM_MASTER_KEY=\S+ )?litellm --config\b": "would never end; tests/packaging and tests/e2e start it",
    r"(pip|uv pip) install\b": "installs from the package index; tests/packaging installs the wheel",
    r"(sudo )?docker\b": "no Docker engine where this is tested; see docs/docker.md",
    r"ollama (pull|serve|run|list|ps)\b": "no ollama where this is tested; a scripted server answers in its place",
    r"(claude|cline|codex|cn|opencode|qwen|aider)\b": "the client is not installed; docs/clients says how it was run",
    r"\.\./shared/\S+|\.venv/bin/python \.\./shared/\S+": "the acceptance tools lie beside the checkout, if at all",
    r"\.venv/bin/python (-m benchmarks\b|benchmarks/)": "measures, for minutes",
    r"curl .*/(key|team)/\w+": "needs LiteLLM's own database, which needs the network to be set up",
    r"(pg_dump|pg_restore|psql|createdb)\b": "needs a PostgreSQL server that everyone who runs the tests has",
}
"""Logical lines (continuations joined) that begin so are checked for syntax only -> why."""


@dataclass(frozen=True)
class Block:
    """A fenced block. `line`: from 1. `output`: what the page shows as its output; `wait`: it may take a moment."""

    page: Path
    line: int
    language: str
    text: str
    output: str | None = None
    wait: bool = False

    @property
    def where(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """The page's fenced blocks, in order. A fence after `<!-- output -->` (or `<!-- output: wait -->`) belongs to the
    block before it."""
    found: list[Block] = []
    marked: str | None = None
    for token in MarkdownIt().parse(page.read_text("utf-8")):
        if token.type == "html_block" and (mark := re.match(r"<!-- output(?:: (wait))? -->", token.content)):
            marked = mark[1] or "now"
        elif token.type == "fence":
            line = token.map[0] + 1 if token.map else 0
            if marked is not None:
                assert found, f"{page}:{line}: output of nothing"
                last = found.pop()
                assert last.output is None, f"{page}:{line}: a second output of {last.where}"
                found.append(Block(page, last.line, last.language, last.text, token.content, marked == "wait"))
            else:
                found.append(Block(page, line, token.info.split(" ")[0] if token.info else "", token.content))
            marked = None
    assert marked is None, f"{page}: an output mark without a fence"
    return found


def logical_lines(text: str) -> Iterator[str]:
    """Lines with their continuations, by a backslash or an open quote."""
    line = ""
    for part in text.splitlines():
        line += part + "\n"
        if not part.endswith("\\") and _closed(line):
            yield line
            line = ""
    if line:
        yield line


def _closed(line: str) -> bool:
    try:
        shlex.split(line, comments=True)
    except ValueError:
        return False
    return True


def why_not(line: str) -> tuple[str, str] | None:
    """The pattern and the reason, where a logical line is not run."""
    bare = re.sub(r"\s*\\\n\s*", " ", line).strip()
    return next(((p, why) for p, why in NOT_RUN.items() if re.match(p, bare)), None)


def runnable(text: str) -> str:
    """The block with what is not run made a no-op."""
    return "".join(":\n" if why_not(line) else line for line in logical_lines(text))


def matches(expected: str, got: str) -> bool:
    """Whether an output is as shown: `…` stands for anything, white space at line ends doesn't count."""

    def tidy(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.strip().splitlines())

    pattern = ".*?".join(re.escape(part) for part in tidy(expected).split("…"))
    return re.fullmatch(pattern, tidy(got), re.DOTALL) is not None
