"""The simulated model: a seeded, pure function of what it is shown, with the failings of small models.

It understands every task. It knows of the code what the cut left in its sight: it reads what stands there, changes what
it read, and makes up what it does not see.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks.sight.measures import BLOCK
from benchmarks.turns import code
from benchmarks.turns.code import COMMENT, INDENT, Function, definitions, parsed, rendered
from benchmarks.turns.job import Target, Task, edited, function, language_of

FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.M | re.S)
PATH = re.compile(r"[\w./-]+\.(?:py|ts|go)\b")
_NUMBER = re.compile(r"(?<![\w.])\d+")
LEFT_OUT = ("... rest unchanged ...", "... existing code ...", "... (rest of the function) ...")


@dataclass(frozen=True, slots=True)
class Ask:
    """What the user asks for: a change, and the form of the answer: `whole`, `function`, `listing` (whole files, each
    below its path) or nothing."""

    task: Task
    form: str


def answer(seen: Sequence[str], ask: Ask, rates: dict[str, float], rng: random.Random) -> tuple[str, str]:
    """What it says, and why it ended: `stop` or `length`. `seen`: the texts of the messages, oldest first."""
    does = {name: rng.random() < rate for name, rate in sorted(rates.items())}
    texts = [*seen[:-1], BLOCK.sub("", seen[-1])] if does["ignored"] else list(seen)
    if does["none"]:
        return f"You can change `{ask.task.main.leaf}` as you said, and leave the rest as it is.", "stop"
    if rates.get("repeats") and rng.random() < rates["repeats"] and (before := _said_before(texts)):
        return f"Here is the updated code:\n\n{before}", "stop"
    said = [rng.choice(["Certainly! Here is the updated code:", "Sure.", f"Here is `{ask.task.main.leaf}`:"])]
    for path in dict.fromkeys(target.path for target in ask.task.targets):
        said += _of_file(path, texts, ask, does, rng)
    if does["example"]:
        language = language_of(ask.task.main.path)
        use = f"{ask.task.after(ask.task.main)}({rng.randint(1, 99)})"
        said += ["You can use it like this:", f"```{language}\n{use}{';' if language == 'typescript' else ''}\n```"]
    text = "\n\n".join([*said, f"This changes `{ask.task.main.leaf}` as you asked."])
    if does["length"]:
        return text[: int(len(text) * rng.uniform(0.3, 0.9))], "length"
    return text, "stop"


def _said_before(texts: Sequence[str]) -> str:
    """The last code in sight, whatever it was about."""
    return next((found[-1][0] for text in reversed(texts[:-1]) if (found := list(FENCED.finditer(text)))), "")


def _of_file(path: str, texts: list[str], ask: Ask, does: dict[str, bool], rng: random.Random) -> list[str]:
    """What it shows of one file: the file where it sees it and shows files, else the functions."""
    task, language = ask.task, language_of(path)
    targets = [target for target in task.targets if target.path == path]
    before = {target: read(texts, target, does["any"], rng) for target in targets}
    after = {target: _after(target, task, before[target], does, rng) for target in targets}
    file = _file(texts, path)
    whole = ask.form in ("whole", "listing") or task.kind == "remove" or (ask.form != "function" and does["whole"])
    if whole and file is not None:
        body = _rewritten(file, path, before, after, does, rng)
    elif task.kind == "remove":
        return [f"`{task.main.leaf}` can go; delete it from your file."]
    else:
        body = "\n\n".join(_alone(f, language, rng) for f in after.values() if f is not None)
    if does["elided"]:
        body = _elided(body, language, rng)
    label = does["asked"] if ask.form in ("function", "listing") else does["labelled"]
    fences, between = [body], "Or, alternatively:"
    if does["versions"]:
        fences.append(_NUMBER.sub(lambda m: str(int(m[0]) + 1), body, count=3))
        if rng.random() < 0.5:  # the last one is the one that was asked for
            fences, between = fences[::-1], "Or:"
    shown = [f"```{language}\n{one.rstrip()}\n```" for one in fences]
    out = [f"{path}\n{one}" if label else one for one in shown]
    return [part for n, one in enumerate(out) for part in ([between] if n else []) + [one]]


def read(texts: list[str], target: Target, any_copy: bool, rng: random.Random) -> Function | None:
    """A function as it stands in sight: the last copy or any; None where there is none."""
    found = copies(texts, target)
    if not found:
        return None
    text = rng.choice(found) if any_copy else found[-1]
    return parsed(text, language_of(target.path), target.leaf, target.symbol.rpartition(".")[0])


def copies(texts: Sequence[str], target: Target) -> list[str]:
    """The copies of a function in sight, oldest first, but for those that stand below another file's name."""
    language, found = language_of(target.path), list[str]()
    for text in texts:
        at = 0
        for one in definitions(text, language, target.leaf):
            at = text.index(one, at)
            labels = PATH.findall(_label(text, at))
            if not labels or target.path in labels:
                found.append(one)
            at += 1
    return found


def _label(text: str, at: int) -> str:
    """The line above the fence or block that a place stands in."""
    fence = max(text.rfind("\n```", 0, at), text.rfind("Entity: ", 0, at))
    if fence < 0:
        return ""
    end = text.find("\n", fence + 1)
    return text[text.rfind("\n", 0, fence) + 1 : max(fence, end)]


def _file(texts: list[str], path: str) -> str | None:
    """The last copy of a whole file in sight: a labelled fence, or a block of ours."""
    for text in reversed(texts):
        found = [(m.start(1), m[2]) for m in BLOCK.finditer(text) if m[1] == path]
        fences = re.finditer(r"^(\S+)\n```\w*\n(.*?)^```", text, re.M | re.S)
        found += [(m.start(1), m[2]) for m in fences if m[1] == path and _is_whole(m[2], language_of(path))]
        if found:
            return max(found)[1]
    return None


def _is_whole(text: str, language: str) -> bool:
    """Whether a fence looks like a file: it has what stands at a file's top."""
    head = {"python": r"from |[A-Z_]+ = ", "typescript": r"import |export const ", "go": r"package "}[language]
    return re.match(head, text) is not None


def _after(
    target: Target, task: Task, before: Function | None, does: dict[str, bool], rng: random.Random
) -> Function | None:
    """The function as it answers with it."""
    if task.kind == "new":
        made = task.made
    else:
        made = edited(before or function(rng, target.leaf, target.symbol.rpartition(".")[0]), task, target)
    if made is not None and does["renamed"]:
        made = replace(made, name=made.name + ("_new" if language_of(target.path) == "python" else "New"))
    return made


def _alone(made: Function, language: str, rng: random.Random) -> str:
    """A function by itself; a method dedented, or in its class."""
    if not made.owner or language == "go":
        return rendered(made, language)
    if rng.random() < 0.5:
        return textwrap.dedent(rendered(made, language))
    text = rendered(made, language)
    return f"class {made.owner}:\n{text}" if language == "python" else f"export class {made.owner} {{\n{text}\n}}"


def _rewritten(
    text: str, path: str, before: dict[Target, Function | None], after: dict[Target, Function | None],
    does: dict[str, bool], rng: random.Random,
) -> str:  # fmt: skip
    """A file that it sees, with the change in it, and what it spoils on the way."""
    language = language_of(path)
    for target, made in after.items():
        shown = list(definitions(text, language, target.leaf))
        new = rendered(made, language) if made is not None else ""
        if shown and made is not None:
            text = text.replace(shown[-1], new)
        elif shown:
            text = re.sub(r"\n+" + re.escape(shown[-1]), "", text)
        elif made is not None:
            text = _added(text, new, language)
    others = [
        one
        for one in all_functions(text, language)
        if not any(f and f"{f.name}(" in one.split("\n")[0] for f in after.values())
    ]
    if does["dropped"] and len(others) > 1:
        text = re.sub(r"\n+" + re.escape(rng.choice(others)), "", text)
    if does["altered"] and others:
        one = rng.choice(others)
        text = text.replace(one, _NUMBER.sub(lambda m: str(int(m[0]) + 1), one, count=1))
    if does["headless"]:
        text = re.sub(r"\A(?:from|import|package) [^\n]*\n+", "", text)
    return text


def _added(text: str, new: str, language: str) -> str:
    """A file with a function more, above its class or at its end."""
    gap = "\n" * (3 if language == "python" else 2)
    found = re.search(r"^(?:export )?(?:class \w+.*\{|class \w+:|type \w+ struct \{)$", text, re.M)
    if found is not None:
        return text[: found.start()] + new + gap + text[found.start() :]
    return text.rstrip("\n") + gap + new + "\n"


def all_functions(text: str, language: str) -> list[str]:
    """The functions of a file, by their heads."""
    return [one for name in functions_named(text, language) for one in definitions(text, language, name)]


def functions_named(text: str, language: str) -> list[str]:
    """The names of a text's functions, each once."""
    head = re.compile(r"[ \t]*" + code.HEADS[language][0].format(r"(\w+)"))
    return list(dict.fromkeys(m[1] for line in text.split("\n") if (m := head.match(line))))


def _elided(text: str, language: str, rng: random.Random) -> str:
    """Code with two lines of a function left out."""
    lines = text.split("\n")
    inner = [n for n, line in enumerate(lines[1:-3], 1) if line.startswith(INDENT[language])]
    if not inner:
        return text
    at = rng.choice(inner)
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    return "\n".join([*lines[:at], f"{indent}{COMMENT[language]} {rng.choice(LEFT_OUT)}", *lines[at + 2 :]])
