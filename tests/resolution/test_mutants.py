"""Mutants: what a small model makes of a file when it goes wrong. None may become the truth by its word alone.

Every original is shown by the user; the mutant is the model's whole-file answer. The originals themselves, given by
the model, must be taken. The mutants are drawn from a seed, so that a run can be repeated.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.corpus import cases
from tslp_litellm.dialects.values import Carrier, Shown
from tslp_litellm.parser import outline
from tslp_litellm.resolution.by_model import judge_model
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Op
from tslp_litellm.syntax.languages import Language, language_named, language_of_path
from tslp_litellm.syntax.outline import Kind, Outline, Symbol

from .helpers import asked, known, moved

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
REPLAYS = ROOT.parent / "shared" / "acceptance" / "replay" / "data"
WANTED, SEED = 10_000, 5
TRIES = 60
"""Draws for one mutant before its file or kind is given up."""


@dataclass(frozen=True)
class Original:
    path: str
    text: str
    language: Language

    @property
    def outline(self) -> Outline:
        return outline(self.language, self.text)


def corpus() -> Iterator[Original]:
    for file in sorted((ROOT / "tests" / "corpus").glob("*.txt")):
        language = language_named(file.stem)
        for n, case in enumerate(cases(file)):
            yield Original(f"src/{file.stem}{n}{language.extensions[0]}", case.source, language)


def replayed() -> Iterator[Original]:
    """The first and the last text of every file in the replays, where they are there."""
    for data in sorted(REPLAYS.glob("*.jsonl")):
        ends: dict[str, list[str]] = {}
        for line in data.read_text("utf-8").splitlines():
            for change in json.loads(line).get("changes", []):
                ends.setdefault(change["path"], []).extend(t for t in (change.get("before"), change.get("after")) if t)
        for path, texts in ends.items():
            language = language_of_path(path)
            if language is not None and language.name in LANGUAGES:
                for text in dict.fromkeys((texts[:1] + texts[-1:]) if texts else []):
                    yield Original(path, text, language)


LANGUAGES = {file.stem for file in (ROOT / "tests" / "corpus").glob("*.txt")}


# --- the mutations: each gives a real mutant of a file, or None where it has no place -------------------------------

Mutation = Callable[[Original, random.Random, list[Original]], str | None]


def top_level(of: Original) -> list[Symbol]:
    return [s for s in of.outline.top_level() if s.sound and s.alone]


def delete_a_symbol(of: Original, draw: random.Random, _: list[Original]) -> str | None:
    symbols = top_level(of)
    if not symbols:
        return None
    s = draw.choice(symbols)
    raw = of.text.encode()
    return (raw[: s.start] + raw[s.end + 1 :]).decode()


def cut_the_end(of: Original, draw: random.Random, _: list[Original]) -> str | None:
    """The answer stops inside a definition: it has an error, or too little of it is left to be an edit."""
    symbols = top_level(of)
    if not symbols:
        return None
    s = draw.choice(symbols)
    lines = of.text.encode()[s.start : s.end].decode().splitlines(keepends=True)
    if len(lines) < 3:
        return None
    text = of.text.encode()[: s.start].decode() + "".join(lines[: draw.randrange(1, len(lines) - 1)])
    seen = outline(of.language, text)
    after = seen.by_name.get(s.name)
    lost = after is None or after.tokens < s.tokens * Limits().tokens_min_ratio
    return text if lost or seen.error_lines() - of.outline.error_lines() else None


def body_of(of: Original, draw: random.Random, lines_min: int = 4) -> tuple[Symbol, list[str]] | None:
    symbols = [s for s in of.outline.symbols if s.sound and s.alone and s.kind is Kind.FUNCTION]
    raw = of.text.encode()
    found = [(s, raw[s.node_start : s.end].decode().splitlines(keepends=True)) for s in symbols]
    found = [(s, lines) for s, lines in found if len(lines) >= lines_min]
    return draw.choice(found) if found else None


SAYINGS = ("... existing code ...", "rest of the code", "existing code here", "... rest of the function unchanged ...")
SIGNS = {"python": "#", "ruby": "#", "bash": "#", "elixir": "#", "lua": "--", "sql": "--"}


def replace_a_body_by_a_placeholder(of: Original, draw: random.Random, _: list[Original]) -> str | None:
    drawn = body_of(of, draw)
    if drawn is None:
        return None
    s, lines = drawn
    said = draw.choice(SAYINGS)
    if said in of.text:
        return None
    a = draw.randrange(1, len(lines) - 2)
    b = draw.randrange(a + 1, len(lines))
    indent = lines[a][: len(lines[a]) - len(lines[a].lstrip())]
    comment = f"{indent}{SIGNS.get(of.language.name, '//')} {said}\n"
    raw = of.text.encode()
    text = raw[: s.node_start].decode() + "".join([*lines[:a], comment, *lines[b:]]) + raw[s.end :].decode()
    seen = outline(of.language, text)
    return text if any(said in seen.text[c.start : c.end].decode() for c in seen.comments) else None


def replace_a_body_by_dots(of: Original, draw: random.Random, _: list[Original]) -> str | None:
    drawn = body_of(of, draw)
    if drawn is None:
        return None
    s, lines = drawn
    indent = lines[1][: len(lines[1]) - len(lines[1].lstrip())]
    keep_last = lines[-1].strip() in ("}", "end", "};", "})")
    body = [lines[0], f"{indent}...\n", *(lines[-1:] if keep_last else [])]
    raw = of.text.encode()
    return raw[: s.node_start].decode() + "".join(body) + raw[s.end :].decode()


def break_the_syntax(of: Original, draw: random.Random, _: list[Original]) -> str | None:
    """A bracket too few or too many; a mutant only where the grammar sees it."""
    places = [i for i, c in enumerate(of.text) if c in "(){}[]"]
    if not places:
        return None
    at = draw.choice(places)
    text = of.text[:at] + draw.choice(("", of.text[at] * 2)) + of.text[at + 1 :]
    return text if outline(of.language, text).error_lines() - of.outline.error_lines() else None


def swap_two_files(of: Original, draw: random.Random, others: list[Original]) -> str | None:
    mine = {s.name for s in of.outline.top_level()}
    strangers = [o for o in others if o.path != of.path and mine and not mine <= {s.name for s in o.outline.symbols}]
    return draw.choice(strangers).text if strangers else None


def rename_unasked(of: Original, draw: random.Random, _: list[Original]) -> str | None:
    symbols = [s for s in top_level(of) if s.leaf.isidentifier() and "#" not in s.name and len(s.leaf) > 2]
    if not symbols:
        return None
    s = draw.choice(symbols)
    raw = of.text.encode()
    body = raw[s.inner : s.end].decode()
    text = raw[: s.inner].decode() + body.replace(s.leaf, f"{s.leaf}Renamed", 1) + raw[s.end :].decode()
    return text if s.name not in outline(of.language, text).by_name else None


def shrink_to_a_stub(of: Original, draw: random.Random, _: list[Original]) -> str | None:
    """A function of which less than half is left, while the rest of the file stays."""
    drawn = body_of(of, draw)
    if drawn is None:
        return None
    s, lines = drawn
    raw = of.text.encode()
    for kept in range(1, len(lines) - 1):
        text = raw[: s.node_start].decode() + "".join([*lines[:kept], lines[-1]]) + raw[s.end :].decode()
        seen = outline(of.language, text)
        after = seen.by_name.get(s.name)
        if after is not None and not seen.error_lines() - of.outline.error_lines():
            return text if after.tokens < s.tokens * Limits().tokens_min_ratio else None
    return None


MUTATIONS: dict[str, Mutation] = {
    "delete": delete_a_symbol,
    "cut": cut_the_end,
    "placeholder": replace_a_body_by_a_placeholder,
    "dots": replace_a_body_by_dots,
    "syntax": break_the_syntax,
    "swap": swap_two_files,
    "rename": rename_unasked,
    "stub": shrink_to_a_stub,
}


# --- the judgement --------------------------------------------------------------------------------------------------


def promoted(of: Original, text: str, others: list[Original]) -> bool:
    """Whether anything of the model's whole-file text has become the truth."""
    files = {o.path: known(o.path, o.text) for o in (*others, of)}
    unit = UnitOfWork(files)
    shown = Shown(of.path, text, Carrier.FENCE, language=of.language.name)
    judge_model(unit, [shown], asked("Please tidy up this file."))
    return bool(moved(unit, Op.PROMOTE) or moved(unit, Op.TOMBSTONE))


def taken(of: Original) -> bool:
    """Whether the model's first text of a file becomes its truth."""
    unit = UnitOfWork()
    judge_model(unit, [Shown(of.path, of.text, Carrier.FENCE, language=of.language.name)], asked())
    return unit.file(of.path).text() == of.text


def test_originals_are_taken() -> None:
    refused = [of.path for of in (*corpus(), *replayed()) if of.outline.sound and not taken(of)]
    assert not refused


def test_no_mutant_becomes_the_truth() -> None:
    originals = [*corpus(), *replayed()]
    by_language: dict[str, list[Original]] = {}
    for of in originals:
        by_language.setdefault(of.language.name, []).append(of)
    draw = random.Random(SEED)
    made: Counter[tuple[str, str]] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    examples: list[str] = []
    kinds = [(language, kind) for language in sorted(by_language) for kind in MUTATIONS]
    while made.total() < WANTED and kinds:
        for language, kind in list(kinds):
            files = by_language[language]
            drawn = ((of, MUTATIONS[kind](of, draw, files)) for of in (draw.choice(files) for _ in range(TRIES)))
            found = next(
                ((of, text) for of, text in drawn if text is not None and text.strip() != of.text.strip()), None
            )
            if found is None:
                kinds.remove((language, kind))
                continue
            made[language, kind] += 1
            if promoted(*found, [o for o in files if o.text == found[1]]):
                wrong[language, kind] += 1
                examples.append(f"{found[0].path} {kind}\n{found[1]}")
            if made.total() >= WANTED:
                break
    print("\n" + f"{'language':<12}" + "".join(f"{kind:>13}" for kind in MUTATIONS))
    for language in sorted(by_language):
        print(f"{language:<12}" + "".join(f"{made[language, k]:>9}/{wrong[language, k]:<3}" for k in MUTATIONS))
    print(f"mutants/promoted: {made.total()}/{wrong.total()}")
    if examples:
        print(*examples[:6], sep="\n" + "-" * 80 + "\n")
    assert not wrong
