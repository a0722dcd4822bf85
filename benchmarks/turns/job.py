"""The job: a workspace of files, and one change after the other of the sorts that people ask for, all from a seed.

`changed` is what a change does to the files, `edited` what it does to one function, be it the outdated one that a model
has seen. Pure functions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchmarks.turns.code import INDENT, File, Function, Step

KINDS = {"constant": 50, "parameter": 16, "new": 12, "rename": 11, "remove": 11}
"""What is asked for, of a hundred changes."""
VALUED = {
    "factor": "the factor becomes {}", "fee": "add {} as the fee", "rebate": "the rebate becomes {}",
    "cap": "never more than {}", "floor": "never less than {}", "start": "it begins at {}",
    "step": "it is divided while above {}",
}  # fmt: skip
IN_CODE = {
    "factor": "multiply the total by {}", "fee": "add {} to the total", "rebate": "subtract {} from the total",
    "cap": "limit the total to at most {}", "floor": "raise the total to at least {}",
    "start": "return {1} where the amount is below {0}", "step": "divide the total by {1} while it is above {0}",
}  # fmt: skip
"""The same, as a real model can know it."""
NOUNS = (
    "order parcel invoice badge league clinic member courier pallet ticket studio refund quote shelf season rental "
    "voucher cargo transit harvest orchard gallery meter tariff salary pension museum ferry tunnel reactor glacier "
    "lantern"
).split()
DEEDS = "total cost points share score rate quota charge bonus margin weight budget".split()
PARAMS = ["scale", "ratio", "season_rate", "weight_rate", "share_rate", "boost", "damping", "spread"]
SUFFIX = {"python": "py", "typescript": "ts", "go": "go"}
METHODS = 2


@dataclass(frozen=True, slots=True)
class Target:
    """A function that a change touches."""

    path: str
    symbol: str

    @property
    def leaf(self) -> str:
        """Its bare name."""
        return self.symbol.rpartition(".")[2]

    @property
    def entity(self) -> str:
        """As the State Map names it."""
        return f"{self.path}::{self.symbol}"


@dataclass(frozen=True, slots=True)
class Task:
    """A change. `targets`: what it touches, the main one first; `given`: what it is about, by kind; `words`: what the
    user says; `made`: the new function."""

    kind: str
    targets: tuple[Target, ...]
    given: tuple[str, ...]
    words: str
    made: Function | None = None

    @property
    def main(self) -> Target:
        """What is asked about."""
        return self.targets[0]

    def after(self, target: Target) -> str:
        """The bare name that a target has afterwards."""
        return self.given[0] if self.kind == "rename" and target == self.main else target.leaf


def language_of(path: str) -> str:
    """By the ending."""
    return next(name for name, suffix in SUFFIX.items() if path.endswith("." + suffix))


def called(path: str, name: str) -> str:
    """How a function is called from another file of its language."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return name if language_of(path) == "go" else f"{stem}.{name}"


def edited(function: Function, task: Task, target: Target) -> Function | None:
    """A target after the change; None where it is removed."""
    if task.kind == "remove":
        return None
    if target != task.main:
        return replace(function, steps=tuple(_recalled(step, task) for step in function.steps))
    if task.kind == "rename":
        return replace(function, name=task.given[0])
    if task.kind == "parameter":
        name = task.given[0]
        return replace(function, params=(*function.params, name), steps=(*function.steps, ("use", (name,))))
    kind, value = task.given
    return replace(function, steps=tuple((k, (value, *v[1:])) if k == kind else (k, v) for k, v in function.steps))


def _recalled(step: Step, task: Task) -> Step:
    """A caller's step, where it calls what was changed."""
    kind, (callee, *rest) = step
    if kind != "call" or callee.rpartition(".")[2] != task.main.leaf:
        return step
    module = callee.rpartition(".")[0]
    if task.kind == "rename":
        return kind, (f"{module}.{task.given[0]}" if module else task.given[0], *rest)
    return kind, (callee, *rest, task.given[1])


def changed(files: dict[str, File], task: Task) -> dict[str, File]:
    """The workspace after the change."""
    out = dict(files)
    if task.kind == "new" and task.made is not None:
        file = out[task.main.path]
        out[task.main.path] = file.with_functions((*file.functions, task.made))
        return out
    for target in task.targets:
        file = out[target.path]
        after = [edited(f, task, target) if f.symbol == target.symbol else f for f in file.functions]
        out[target.path] = file.with_functions(tuple(f for f in after if f is not None))
    return out


class Names:
    """Names that are new, but for a few that two files share."""

    def __init__(self, rng: random.Random, shared: float = 0.04) -> None:
        pairs = [(a, b) for a in NOUNS for b in DEEDS]
        self._rng, self._shared, self._free, self._used = rng, shared, rng.sample(pairs, len(pairs)), pairs[:0]
        self._round = 1

    def one(self, language: str) -> str:
        """A function's name in a language's style."""
        if not self._free:
            self._round, self._free, self._used = self._round + 1, self._rng.sample(self._used, len(self._used)), []
        again = self._used and self._rng.random() < self._shared
        pair = self._rng.choice(self._used) if again else self._free.pop()
        self._used.append(pair)
        tail = str(self._round) if self._round > 1 else ""
        return f"{pair[0]}_{pair[1]}{tail}" if language == "python" else f"{pair[0]}{pair[1].capitalize()}{tail}"


def number(rng: random.Random) -> str:
    """A constant that nobody can guess."""
    return str(rng.choice([rng.randint(2, 97), round(rng.uniform(1.1, 9.9), 2)]))


def function(rng: random.Random, name: str, owner: str = "", calls: tuple[str, ...] = ()) -> Function:
    """A function of some steps; `calls`: what it may call."""
    kinds = rng.sample(list(VALUED), rng.randint(3, 6))
    steps = [(kind, (number(rng), *([number(rng)] if kind in ("start", "step") else []))) for kind in kinds]
    if calls:
        steps.insert(rng.randrange(len(steps) + 1), ("call", (rng.choice(calls),)))
    return Function(name, tuple(steps), (), owner)


def workspace(rng: random.Random, names: Names, files: int) -> dict[str, File]:
    """Files of three languages in turns, a third of them with a class."""
    out: dict[str, File] = {}
    stems = [*NOUNS, *(f"{a}s" for a in NOUNS)]
    for n in range(files):
        language = list(INDENT)[n % 3]
        path = f"shop/{stems[n]}.{SUFFIX[language]}"
        other = [f for f in out.values() if f.language == language]
        import_from = rng.choice(other) if other else None
        calls = [called(import_from.path, f.name) for f in import_from.functions if not f.owner] if import_from else []
        made: list[Function] = []
        for _ in range(rng.randint(3, 5)):
            own = [f.name for f in made]
            choice = tuple(rng.choice([own, calls]) if rng.random() < 0.5 else [])
            made.append(function(rng, _fresh(names, language, made), calls=choice))
        if n % 3 == n // 3 % 3:
            owner = stems[n].capitalize() + "Plan"
            made += [function(rng, _fresh(names, language, made), owner) for _ in range(METHODS)]
        imports = (calls[0].partition(".")[0],) if calls and "." in calls[0] else ()
        constants = tuple(
            (f"{stems[n].upper()}_{word}", number(rng)) for word in ("LIMIT", "BASE")[: rng.randint(1, 2)]
        )
        out[path] = File(path, language, imports, constants, tuple(made), rng.choice(["kg", "km", "eur", "pcs"]))
    return out


def _fresh(names: Names, language: str, made: list[Function]) -> str:
    while True:
        name = names.one(language)
        if all(f.name != name for f in made):
            return name


def callers(files: dict[str, File], target: Target) -> Iterator[Target]:
    """Who calls a function, by its full name, not by its bare name alone."""
    far = called(target.path, target.leaf)
    for file in files.values():
        near = target.leaf if file.path == target.path else far
        if language_of(file.path) == language_of(target.path):
            if near == target.leaf and file.path != target.path and file.function(target.leaf):
                continue  # its own function of that name
            for f in file.functions:
                if any(kind == "call" and values[0] == near for kind, values in f.steps):
                    yield Target(file.path, f.symbol)


def next_task(rng: random.Random, files: dict[str, File], names: Names, real: bool = False) -> Task:
    """The next change that the files allow. `real`: in words for a real model."""
    while True:
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        file = rng.choice(list(files.values()))
        chosen = rng.choice(file.functions)
        task = MAKERS[kind](rng, files, names, Target(file.path, chosen.symbol), chosen)
        if task is not None:
            return in_code(task, files) if real else task


def in_code(task: Task, files: dict[str, File]) -> Task:
    """A task in words of the code. The simulated model understands any; a real one can't know what a rebate is here."""
    main, words = task.main, task.words
    if task.kind == "constant" and (function := files[main.path].function(main.symbol)) is not None:
        kind, value = task.given
        was, *rest = next(values for step, values in function.steps if step == kind)
        words = f"In {main.path}, `{main.symbol}`: {IN_CODE[kind].format(value, *rest)}, instead of {was}."
    elif task.kind == "parameter":
        name, value = task.given
        told = "".join(f" `{one.symbol}` in {one.path} calls it, and passes {value}." for one in task.targets[1:])
        deed = f"add a last parameter `{name}`, and just above the return a line that multiplies the total by it"
        words = f"In {main.path}, `{main.symbol}`: {deed}.{told}"
    elif task.made is not None:
        deeds = "; then ".join(IN_CODE[kind].format(*values) for kind, values in task.made.steps)
        words = f"Add to {main.path} a function `{task.made.name}`, written like those there: {deeds}."
    return replace(task, words=words)


def _called(rng: random.Random, target: Target) -> str:
    """How a user names a function."""
    return rng.choice([f"In {target.path}, `{target.symbol}`", f"`{target.symbol}` in {target.path}", target.entity])


def _constant(rng: random.Random, _files: object, _names: object, target: Target, chosen: Function) -> Task:
    kind, values = rng.choice([step for step in chosen.steps if step[0] in VALUED])
    value = number(rng)
    while value == values[0]:
        value = number(rng)
    return Task("constant", (target,), (kind, value), f"{_called(rng, target)}: {VALUED[kind].format(value)}.")


def _parameter(
    rng: random.Random, files: dict[str, File], _names: object, target: Target, chosen: Function
) -> Task | None:
    free, by = [p for p in PARAMS if p not in chosen.params], tuple(callers(files, target))
    if not free or chosen.owner or len(by) > 3 or target in by or len(chosen.params) > 2:
        return None
    name, value = rng.choice(free), number(rng)
    told = "".join(f" `{one.symbol}` in {one.path} passes {value}." for one in by)
    words = f"{_called(rng, target)}: a new last parameter `{name}`; the total is multiplied by it at the end.{told}"
    return Task("parameter", (target, *by), (name, value), words)


def _new(rng: random.Random, files: dict[str, File], names: Names, target: Target, _chosen: object) -> Task | None:
    file = files[target.path]
    if len(file.functions) > 6:
        return None
    made = function(rng, _fresh(names, file.language, list(file.functions)))
    if any(f.name == made.name for other in files.values() for f in other.functions):
        return None
    told = ", ".join(f"{kind} {' and '.join(values)}" for kind, values in made.steps)
    place = f"Add to {file.path} a function `{made.name}`, like the others: {told}."
    return Task("new", (Target(file.path, made.name),), (), place, made)


def _rename(rng: random.Random, files: dict[str, File], names: Names, target: Target, chosen: Function) -> Task | None:
    by, name = tuple(callers(files, target)), names.one(language_of(target.path))
    taken = {f.name for file in files.values() for f in file.functions}
    if chosen.owner or len(by) > 3 or target in by or name in taken:
        return None
    told = f" Its callers: {', '.join(f'`{one.symbol}` in {one.path}' for one in by)}." if by else ""
    return Task("rename", (target, *by), (name,), f"Rename `{target.symbol}` in {target.path} to `{name}`.{told}")


def _remove(
    rng: random.Random, files: dict[str, File], _names: object, target: Target, chosen: Function
) -> Task | None:
    if chosen.owner or len(files[target.path].functions) < 4 or any(callers(files, target)):
        return None
    words = rng.choice(["Remove `{}` from {}.", "Delete `{}` in {}, nobody calls it."])
    return Task("remove", (target,), (), words.format(target.symbol, target.path))


MAKERS = {"constant": _constant, "parameter": _parameter, "new": _new, "rename": _rename, "remove": _remove}
