"""Precision and recall of the left-out detector on real files.

    python benchmarks/left_out.py ../shared/acceptance/replay/data/*.jsonl tests/corpus/*.txt

A `.jsonl` file is a public history (one commit a line: `changes` with `path`, `before`, `after`), a `.txt` file a
corpus of one language. Precision: what a person committed, judged against what it replaced, has no placeholder. A
folder is the harder test: its files, judged against nothing (a sample of `--sample`), as if all of them were new.
Recall: every habit of leaving code out, put in place of code, in the comment style of the language, must be found.
The places are drawn from a seed. Exit status 1: a false alarm, or less recall than `--require`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tslp_litellm.syntax.languages import Language, Nature, language_named, language_of_path
from tslp_litellm.syntax.left_out import is_placeholder, placeholders
from tslp_litellm.syntax.measuring import measure
from tslp_litellm.syntax.outline import Kind, Outline

# ruff: noqa: E501
HABITS: dict[str, tuple[str, ...]] = {
    "dots alone": ("...", "…", "(...)", "[...]"),
    "existing code": (
        "... existing code ...", "...existing code...", "... (existing code)", "existing code...", "existing code",
        "... existing imports ...", "... keep existing code ...", "your existing code here", "your existing code",
        "existing code remains unchanged", "... existing methods ...", "(existing code)", "... existing code here ...",
    ),
    "rest of": (
        "... rest of the code", "... rest of the method ...", "rest of the code", "... (rest of the existing code)",
        "... (rest of the method)", "... rest of code ...", "... rest of function ...", "rest of existing styles...",
        "... rest of the code unchanged ...", "the rest of the code remains the same", "rest of your code",
        "... (keep the rest of the method as is)", "rest of the class unchanged", "... rest of file ...",
        "... the rest of the function stays the same", "remainder of the function", "rest of implementation",
        "the rest of your code goes here", "rest of methods ...", "(rest of code)", "rest of the logic here",
    ),
    "other members": (
        "other methods...", "... other methods ...", "other methods remain unchanged", "... methods using itemdata",
        "... (other parts of the class remain the same)", "other functions here", "... other functions remain the same",
        "remaining methods unchanged", "... more methods ...", "other code here", "... other handlers",
        "all other methods stay the same", "the other functions are unchanged", "remaining code",
    ),
    "unchanged": (
        "... unchanged ...", "unchanged", "UNCHANGED CODE", "unchanged code", "no changes here", "same as before",
        "... same as before ...", "code remains the same", "this function is unchanged", "remains unchanged",
        "... (unchanged)", "(unchanged)", "no change", "no changes needed", "same as above", "same code as before",
        "implementation unchanged", "stays the same", "previous code", "... previous code ...", "as before",
        "(same as before)", "same implementation as before", "original code here",
    ),
    "omitted": (
        "... omitted for brevity ...", "code omitted for brevity", "omitted", "(omitted)", "[code omitted]",
        "implementation omitted", "... snip ...", "<snip>", "truncated", "[truncated]", "... truncated ...",
        "omitted for brevity", "body omitted", "details omitted", "skipped for brevity",
    ),
    "your code here": (
        "your existing code here", "your code here", "your implementation here", "... your code here ...",
        "... your existing logic", "your original code here", "insert existing code here", "add your code here",
        "implementation here", "... implementation ...", "implementation goes here", "code goes here", "logic here",
    ),
    "French": (
        "... reste du code ...", "reste du code", "... autres balises meta ...", "... autres sections existantes ...",
        "le reste du code reste inchangé", "... code existant ...", "code existant", "autres méthodes", "inchangé",
        "... (reste de la fonction)", "le reste de la fonction est inchangé", "le reste est inchangé",
    ),
    "German": (
        "... restlicher Code ...", "Rest des Codes", "restlicher Code bleibt unverändert", "bestehender Code",
        "... bestehender Code ...", "unverändert", "Rest der Funktion bleibt gleich", "weitere Methoden unverändert",
        "der Rest bleibt unverändert", "vorhandener Code", "hier Ihr Code", "wie zuvor", "wie oben",
    ),
    "Spanish": (
        "... resto del código ...", "resto del código", "el resto del código permanece igual", "código existente",
        "... código existente ...", "sin cambios", "otros métodos", "resto de la función", "el resto sigue igual",
        "tu código aquí", "igual que antes",
    ),
    "Portuguese": (
        "... resto do código ...", "resto do código", "o resto do código permanece o mesmo", "código existente",
        "... código existente ...", "sem alterações", "outros métodos", "restante do código", "inalterado",
        "seu código aqui",
    ),
    "Italian": (
        "... resto del codice ...", "resto del codice", "il resto del codice rimane invariato", "codice esistente",
        "invariato", "altri metodi", "nessuna modifica", "come prima",
    ),
    "Russian": (
        "... остальной код ...", "остальной код", "остальной код без изменений", "существующий код", "без изменений",
        "остальные методы", "здесь ваш код", "как раньше", "остальная часть функции",
    ),
    "Chinese": (
        "... 其余代码 ...", "其余代码保持不变", "其他代码不变", "现有代码", "... 现有代码 ...", "省略", "此处省略", "其他方法",
        "剩余代码", "保持不变", "與之前相同", "与之前相同", "原有代码", "其餘程式碼保持不變", "現有程式碼",
    ),
    "Japanese": (
        "... 残りのコード ...", "残りのコード", "残りのコードは変更なし", "既存のコード", "... 既存のコード ...", "変更なし",
        "省略", "以下省略", "(省略)", "その他のメソッド", "以前と同じ", "同上",
    ),
    "Dutch, Polish, Turkish, Ukrainian": (
        "... rest van de code ...", "rest van de code", "bestaande code", "ongewijzigd", "reszta kodu", "istniejący kod",
        "bez zmian", "kodun geri kalanı aynı", "mevcut kod", "решта коду", "існуючий код", "без змін",
    ),
    "Korean": (
        "... 나머지 코드 ...", "나머지 코드", "나머지 코드는 동일", "기존 코드", "... 기존 코드 ...", "변경 없음", "생략",
        "다른 메서드", "기존 코드 유지", "이전과 동일",
    ),
}  # fmt: skip
"""What models write, without comment markers: seen in transcripts, asked for by clients' prompts, and translated."""

HELD_OUT = (
    "... (all the previous handlers)", "... previous routes ...", "... and so on for the other fields",
    "... more cases ...", "... existing props ...",
    "nothing else changes", "everything below is as it was", "the remaining part is identical", "keep everything else",
    "(leave this part alone)", "[rest of implementation]", "original body goes here", "see original for the rest",
    "etc.", "and the others", "same logic", "remaining tests omitted", "rest stays as is", "unmodified code below",
    "all imports as before", "previous implementation stays here", "handle the other cases similarly",
    "similar for other types", "copy the rest from above", "existing functionality preserved",
)  # fmt: skip
"""Written after the phrases were, and never fitted to: what is to be expected of words that nobody listed."""

HASH = {"python", "ruby", "bash", "elixir"}
DASHES = {"lua", "sql"}
SIGNS = {"//": "// {}", "/*": "/* {} */", "#": "# {}", "--": "-- {}"}


@dataclass(frozen=True)
class Text:
    """A file as it was committed, and what it replaced."""

    path: str
    language: Language
    after: str
    before: str | None


@dataclass(frozen=True)
class Hole:
    """Where code is taken out: bytes of the text, and the indentation there."""

    place: str
    start: int
    end: int
    indent: str


@dataclass
class Tally:
    """What was judged, and what was found."""

    judged: Counter[str] = field(default_factory=Counter)
    alarms: Counter[str] = field(default_factory=Counter)
    tried: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)
    missed: Counter[str] = field(default_factory=Counter)

    def count(self, keys: list[tuple[str, str]], hit: bool) -> None:
        """One elided text."""
        self.tried.update(keys)
        if hit:
            self.found.update(keys)


def history(data: Path) -> Iterator[Text]:
    """The versions of the files of a history that hold code."""
    for line in data.read_text("utf-8").splitlines():
        for change in json.loads(line).get("changes", []):
            language = language_of_path(change["path"])
            if change.get("after") and language is not None and language.nature is Nature.CODE and language.grammar:
                yield Text(change["path"], language, change["after"], change.get("before"))


def corpus(data: Path) -> Iterator[Text]:
    """The sources of a corpus: the texts between a title and its outline."""
    language = language_named(data.stem)
    for n, case in enumerate(re.split(r"^=== .+\n", data.read_text("utf-8"), flags=re.M)[1:]):
        source = case.partition("\n---\n")[0] + "\n"
        yield Text(f"{data.stem}-{n}", language, source, None)


def tree(folder: Path, sample: int, draw: random.Random) -> Iterator[Text]:
    """Files of a folder that hold code, a sample of them."""
    files = sorted(f for f in folder.rglob("*") if f.is_file() and not f.is_symlink() and f.stat().st_size < 100_000)
    known = [(f, row) for f in files if (row := language_of_path(f.name)) is not None]
    known = [(f, row) for f, row in known if row.nature is Nature.CODE and row.grammar]
    for file, row in draw.sample(known, min(sample, len(known))):
        yield Text(str(file.relative_to(folder)), row, file.read_text("utf-8", errors="replace"), None)


def outline_of(language: Language, text: str) -> Outline:
    """Made anew: these texts are looked at once."""
    return measure(language, text.encode())


def styles(language: Language) -> list[str]:
    """The comment markers of a language."""
    if language.name in HASH:
        return ["#"]
    return ["--"] if language.name in DASHES else ["//", "/*"]


def holes(seen: Outline) -> list[Hole]:
    """The places where a model leaves code out."""
    raw, found = seen.text, list[Hole]()
    functions = [s for s in seen.symbols if s.kind is Kind.FUNCTION and s.alone and s.sound]
    for s in functions:
        lines = raw[s.inner : s.end].decode().splitlines(keepends=True)
        first = next((n for n, x in enumerate(lines) if x.rstrip().endswith(("{", ":", "do"))), 0) + 1
        last = len(lines) - lines[-1].strip().startswith(("}", "end"))
        if last - first >= 2:
            starts = [s.inner]
            for line in lines:
                starts.append(starts[-1] + len(line.encode()))
            indent = re.match(r"\s*", lines[first])[0].strip("\n")  # type: ignore[index]
            found.append(Hole("body", starts[first], starts[last], indent))
            found.append(Hole("rest of a body", starts[(first + last) // 2], starts[last], indent))
        if s.parent is not None:
            indent = re.match(r"[ \t]*", raw[s.start :].decode())[0]  # type: ignore[index]
            found.append(Hole("method", s.start, min(s.end + 1, len(raw)), indent))
    top = [s for s in seen.symbols if s.parent is None and s.alone and s.end + 1 < len(raw)]
    top = [] if seen.sections else top  # the end of a component is no code
    found += [Hole("rest of the file", s.end + 1, len(raw), "") for s in top[:-1]]
    return found


def with_hole(raw: bytes, hole: Hole, comment: str) -> str:
    """The text with a comment in place of code."""
    return (raw[: hole.start] + f"{hole.indent}{comment}\n".encode() + raw[hole.end :]).decode()


def judge_commit(text: Text, seen: Outline, tally: Tally) -> None:
    """Precision: what was committed is no elision."""
    base = outline_of(text.language, text.before) if text.before else None
    tally.judged[text.language.name] += 1
    for at in placeholders(seen, base):
        tally.alarms[text.language.name] += 1
        line = seen.text[at : seen.text.find(b"\n", at)].decode(errors="replace")
        tally.shown.append(f"{text.path}: {line.strip()[:100]}")
        return


def leave_out(text: Text, seen: Outline, draw: random.Random, turn: int, tally: Tally) -> int:
    """Recall: one hole of each place, each with the next habits in turn. Returns how many were made."""
    by_place: dict[str, list[Hole]] = defaultdict(list)
    for hole in holes(seen):
        by_place[hole.place].append(hole)
    every = [(group, phrase) for group, phrases in HABITS.items() for phrase in phrases]
    made = 0
    for place, choices in by_place.items():
        for _ in range(ROUNDS):
            group, phrase = every[(turn + made) % len(every)]
            sign = styles(text.language)[(turn + made) // len(every) % len(styles(text.language))]
            made += 1
            if phrase in text.after:
                continue
            hole = draw.choice(choices)
            elided = outline_of(text.language, with_hole(seen.text, hole, SIGNS[sign].format(phrase)))
            hit = any(hole.start <= at <= hole.start + 400 for at in placeholders(elided, seen))
            tally.count([("language", text.language.name), ("habit", group), ("place", place)], hit)
            if not hit:
                tally.missed[f"{group}: {phrase}"] += 1
    return made


ROUNDS = 20
"""Habits a place and file."""


def table(title: str, tally: Tally, kind: str) -> None:
    """Recall by one of the keys."""
    print(f"\n| {title} | left out | found | recall |\n| --- | --: | --: | --: |")
    for key, name in sorted(tally.tried, key=lambda k: -tally.tried[k]):
        if key == kind:
            n, hits = tally.tried[key, name], tally.found[key, name]
            print(f"| {name} | {n} | {hits} | {hits / n:.3f} |")


def main() -> int:
    """Judge, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=1000)
    parser.add_argument("--require", type=float, default=0.99)
    options = parser.parse_args()
    draw, tally, turn = random.Random(options.seed), Tally(), 0
    last: dict[tuple[Path, str], Text] = {}
    for data in [d for d in options.data if d.is_dir()]:
        for text in tree(data, options.sample, draw):
            judge_commit(text, outline_of(text.language, text.after), tally)
    for data in [d for d in options.data if d.is_file()]:
        for text in history(data) if data.suffix == ".jsonl" else corpus(data):
            last[data, text.path] = text
            if data.suffix == ".jsonl":
                judge_commit(text, outline_of(text.language, text.after), tally)
    for text in last.values():
        turn += leave_out(text, outline_of(text.language, text.after), draw, turn, tally)
    print("| language | texts | false alarms |\n| --- | --: | --: |")
    for name, n in tally.judged.most_common():
        print(f"| {name} | {n} | {tally.alarms[name]} |")
    for line in tally.shown:
        print(f"false alarm: {line}")
    for title in ("language", "habit", "place"):
        table(title, tally, title)
    for phrase, n in sorted(tally.missed.items()):
        print(f"missed {n}: {phrase}", file=sys.stderr)
    new = [phrase for phrase in HELD_OUT if is_placeholder(phrase)]
    dotted = [phrase for phrase in HELD_OUT if "..." in phrase]
    print(f"\nheld out: {len(new)} of {len(HELD_OUT)} found, with dots {len({*new} & {*dotted})} of {len(dotted)}")
    tried = sum(n for (kind, _), n in tally.tried.items() if kind == "language")
    found = sum(n for (kind, _), n in tally.found.items() if kind == "language")
    print(f"\n{sum(tally.judged.values())} texts by people, {sum(tally.alarms.values())} false alarms; ", end="")
    print(f"{found} of {tried} left-out parts found ({found / max(tried, 1):.4f}).")
    return 0 if not tally.alarms and found >= options.require * tried else 1


if __name__ == "__main__":
    raise SystemExit(main())
