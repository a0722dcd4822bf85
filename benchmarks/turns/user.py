"""The simulated user: pastes his files once, asks in plain words, takes what is right, and shows his text where the
answer was wrong. Also the judge of answers. Pure functions.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.turns.code import COMMENT, FENCE, File, Function, class_text, definitions, file_text, rendered
from benchmarks.turns.job import Target, Task, language_of
from benchmarks.turns.model import FENCED, Ask, _is_whole, all_functions, functions_named

SYSTEM = "You are a careful programmer. You change only what you are asked to change."
FORMS = {"function": 5, "": 4, "whole": 1}
AT_ONCE = 3
"""Files that he pastes in one message."""
AGAIN = 0.15
"""How often he has a wrong answer made anew, before he shows his text."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer taken as it is given. `right`: it does what was asked and nothing else; `lost`: lines that nobody asked
    to lose; `given`: of each file its functions as they would be; `whole`: files that it gives whole."""

    right: bool
    lost: int
    given: dict[str, dict[str, str | None]]
    whole: frozenset[str] = frozenset()


def pasted(files: dict[str, File]) -> Iterator[str]:
    """His files, a few a message."""
    paths = sorted(files)
    for n in range(0, len(paths), AT_ONCE):
        shown = "\n\n".join(fence(path, file_text(files[path])) for path in paths[n : n + AT_ONCE])
        yield f"Here are my files.\n\n{shown}\n\nJust say ok."


def fence(path: str, text: str) -> str:
    """A labelled fence."""
    return f"{path}\n```{FENCE[language_of(path)]}\n{text.rstrip()}\n```"


def asks(task: Task, rng: random.Random) -> tuple[Ask, str]:
    """The change in his words, with the form that he wants."""
    form = rng.choices(list(FORMS), list(FORMS.values()))[0]
    form = "whole" if task.kind == "remove" else form
    words = {
        "function": f"\nAnswer with the whole function in one fence, below the line {task.main.path}.",
        "whole": f"\nAnswer with the whole of {task.main.path}.",
        "": "",
    }
    return Ask(task, form), task.words + words[form]


def shows(task: Task, files: dict[str, File], judged: Judged, rng: random.Random) -> str:
    """His text, where an answer was wrong: the functions, or the files where more than a function has changed."""
    by_file = dict.fromkeys(target.path for target in task.targets)
    out = []
    for path in by_file:
        if task.kind in ("remove", "rename", "new") or path in judged.whole or rng.random() < 0.2:
            out.append(fence(path, file_text(files[path])))
        else:
            out.append(fence(path, _functions(task, path, files[path])))
    how = rng.choice(["That was not right. Here is my {} now:", "No. I did it myself, {} is now:"])
    return how.format(" and ".join(by_file)) + "\n\n" + "\n\n".join(out)


def _functions(task: Task, path: str, file: File) -> str:
    found, texts = [file.function(_symbol(task, t)) for t in task.targets if t.path == path], list[str]()
    for f in found:
        if f is not None:
            text = class_text(file) if f.owner else rendered(f, file.language)
            texts += [text] if text not in texts else []
    return "\n\n".join(texts)


def _symbol(task: Task, target: Target) -> str:
    return task.after(target) if task.kind == "rename" and target == task.main else target.symbol


def judge(answer: str, finish: str, task: Task, before: dict[str, File], wanted: dict[str, File]) -> Judged:
    """What an answer would do to his files. Of several versions he takes the right one, else the last."""
    fences = [m[1] for m in FENCED.finditer(answer)] if finish == "stop" else []
    right, lost = bool(fences), 0
    given, whole = dict[str, dict[str, str | None]](), set[str]()
    for path in dict.fromkeys(target.path for target in task.targets):
        language, mine = language_of(path), [t for t in task.targets if t.path == path]
        shown = [one for one in fences if _shows_file(one, path, before[path], task)]
        if shown:
            whole.add(path)
            want = _texts(wanted[path])
            best = max(shown, key=lambda one: _as_file(one, wanted[path]) == want)
            given[path] = dict(_as_file(best, before[path], wanted[path]))
            same = {k: v for k, v in given[path].items() if v is not None} == want and _head(best, wanted[path])
            same &= len(all_functions(best, language)) == len(want)  # none that had gone before
            same &= not _comments(best, language, path)
            right &= same
            lost += _lost(file_text(before[path]), file_text(wanted[path]), best)
            continue
        given[path] = {}
        for target in mine:
            name = task.after(target)
            want_f = wanted[path].function(_symbol(task, target))
            found = [(textwrap.dedent(d), one) for one in fences for d in definitions(one, language, name)]
            if want_f is None or not found:
                right = False
                continue
            want_text = textwrap.dedent(rendered(want_f, language))
            chosen, beside = next((pair for pair in found if pair[0] == want_text), found[-1])
            right &= chosen == want_text and not _comments(beside, language, path)
            right &= {f.name for file in wanted.values() for f in file.functions}.issuperset(
                functions_named(beside, language)
            )
            was = before[path].function(target.symbol)
            lost += _lost(textwrap.dedent(rendered(was, language)), want_text, chosen) if was else 0
            given[path] |= {target.symbol: None, _symbol(task, target): chosen}
    return Judged(right, lost, given, frozenset(whole))


def _shows_file(one: str, path: str, file: File, task: Task) -> bool:
    """Whether a fence is that file, as he reads it: it begins like a file, or has most of its other functions."""
    touched = {t.symbol for t in task.targets if t.path == path}
    others = [f for f in file.functions if f.symbol not in touched]
    held = sum(any(definitions(one, file.language, f.name)) for f in others)
    return held * 2 > len(others) or (held > 0 and _is_whole(one, file.language))


def _texts(file: File) -> dict[str, str]:
    return {f.symbol: textwrap.dedent(rendered(f, file.language)) for f in file.functions}


def _as_file(one: str, *files: File) -> dict[str, str | None]:
    known: dict[str, Function] = {f.symbol: f for file in files for f in file.functions}
    out = dict[str, str | None]()
    for symbol, f in known.items():
        found = list(definitions(one, files[0].language, f.name))
        out[symbol] = textwrap.dedent(found[-1]) if found else None
    return out


def _head(one: str, file: File) -> bool:
    """Whether what stands above a file's functions is all there."""
    head = file_text(file).split("\n")
    first = next(n for n, line in enumerate(head) if re.search(r"\b(?:def|function|func|class|type)\b", line))
    lines = set(one.split("\n"))
    return all(line in lines for line in head[:first])


def _comments(one: str, language: str, path: str) -> bool:
    """Whether a fence has comments of its own, which his files never have; its path is none."""
    lines = [line.strip() for line in one.split("\n")]
    return any(line.startswith(COMMENT[language]) and path not in line for line in lines)


def _lost(before: str, wanted: str, given: str) -> int:
    """Lines that stood before, should stand afterwards, and do not."""
    lines = [Counter(line.strip() for line in text.split("\n") if line.strip()) for text in (before, wanted, given)]
    return sum(((lines[0] & lines[1]) - lines[2]).values())
