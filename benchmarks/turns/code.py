"""The code that is worked on: functions of steps with constants that nobody can guess, in Python, TypeScript and Go.

A function is a value, `rendered` gives its text in a language, `parsed` reads it back. Pure functions.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

Step = tuple[str, tuple[str, ...]]
"""A step's kind and its values: numbers; of a `call` the callee and what it is given beside the total."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function; of a class, where it has an `owner`. `params`: beside the amount."""

    name: str
    steps: tuple[Step, ...]
    params: tuple[str, ...] = ()
    owner: str = ""

    @property
    def symbol(self) -> str:
        """As the State Map names it in its file."""
        return f"{self.owner}.{self.name}" if self.owner else self.name


@dataclass(frozen=True, slots=True)
class File:
    """A file: constants, functions, and one class at most, with its unit."""

    path: str
    language: str
    imports: tuple[str, ...]
    constants: tuple[tuple[str, str], ...]
    functions: tuple[Function, ...]
    unit: str = ""

    def with_functions(self, functions: tuple[Function, ...]) -> File:
        """The file with other functions."""
        return replace(self, functions=functions)

    def function(self, symbol: str) -> Function | None:
        """A function of it."""
        return next((f for f in self.functions if f.symbol == symbol), None)


FORMS: dict[str, dict[str, str]] = {
    "python": {
        "factor": "total = total * {}", "fee": "total = total + {}", "rebate": "total = total - {}",
        "cap": "total = min(total, {})", "floor": "total = max(total, {})", "use": "total = total * {}",
        "start": "if amount < {}:\n    return {}", "step": "while total > {}:\n    total = total / {}",
        "call": "total = total + {}(total{})",
    },
    "typescript": {
        "factor": "total = total * {};", "fee": "total = total + {};", "rebate": "total = total - {};",
        "cap": "total = Math.min(total, {});", "floor": "total = Math.max(total, {});", "use": "total = total * {};",
        "start": "if (amount < {}) {{\n  return {};\n}}", "step": "while (total > {}) {{\n  total = total / {};\n}}",
        "call": "total = total + {}(total{});",
    },
    "go": {
        "factor": "total = total * {}", "fee": "total = total + {}", "rebate": "total = total - {}",
        "cap": "total = min(total, {})", "floor": "total = max(total, {})", "use": "total = total * {}",
        "start": "if amount < {} {{\n\treturn {}\n}}", "step": "for total > {} {{\n\ttotal = total / {}\n}}",
        "call": "total = total + {}(total{})",
    },
}  # fmt: skip
INDENT = {"python": "    ", "typescript": "  ", "go": "\t"}
FENCE = {"python": "python", "typescript": "typescript", "go": "go"}
COMMENT = {"python": "#", "typescript": "//", "go": "//"}
HEADS = {
    "python": (r"def {}\(", "def {name}({first}{params}):"),
    "typescript": (r"(?:export function )?{}\((?=[^\n]*: number \{{$)", "{export}{name}({first}{params}): number {{"),
    "go": (r"func (?:\(\w+ \*\w+\) )?{}\(", "func {receiver}{name}({first}{params}) float64 {{"),
}


def rendered(function: Function, language: str) -> str:
    """Its text, at the indentation that it has in a file, without the last newline."""
    owner, indent = function.owner, INDENT[language]
    first = {"python": "self, amount" if owner else "amount", "typescript": "amount: number", "go": "amount float64"}
    param = {"python": ", {}", "typescript": ", {}: number", "go": ", {} float64"}[language]
    head = HEADS[language][1].format(
        name=function.name,
        first=first[language],
        params="".join(map(param.format, function.params)),
        export="" if owner else "export function ",
        receiver=f"(r *{owner}) " if owner else "",
    )
    start = {"python": "total = amount", "typescript": "let total = amount;", "go": "total := amount"}[language]
    end = {"python": "return total", "typescript": "return total;", "go": "return total"}[language]
    body = "\n".join([start, *(_step(step, language) for step in function.steps), end])
    text = "\n".join([head, textwrap.indent(body, indent), *(["}"] if language != "python" else [])])
    return textwrap.indent(text, indent) if owner and language != "go" else text


def _step(step: Step, language: str) -> str:
    kind, values = step
    if kind == "call":
        values = (values[0], "".join(f", {v}" for v in values[1:]))
    return FORMS[language][kind].format(*values)


@lru_cache
def _reader(language: str) -> re.Pattern[str]:
    """All steps; each kind is a group of its own."""
    slots = {"call": (r"([\w.]+)", r"((?:, [\w.]+)*)"), "use": (r"([a-z]\w*)",)}
    found = []
    for kind, form in FORMS[language].items():
        pattern = re.escape(form.format(*["@"] * form.count("{}")))
        for slot in slots.get(kind, (r"([\d.]+)",) * form.count("{}")):
            pattern = pattern.replace("@", slot, 1)
        found.append(f"(?P<{kind}>^{pattern}$)")
    return re.compile("|".join(found), re.M)


def parsed(text: str, language: str, name: str, owner: str = "") -> Function | None:
    """A function's text read back: the steps that are there; None where its head is none. What was left out is lost."""
    lines = textwrap.dedent(text).split("\n")
    if not re.match(HEADS[language][0].format(re.escape(name)), lines[0]):
        return None
    given = re.findall(
        r"(\w+)(?:: number|(?: float64))?(?=[,)])", lines[0][lines[0].rindex(name) :].partition(")")[0] + ")"
    )
    params = tuple(p for p in given if p not in ("self", "amount"))
    inner = lines[1:] if language == "python" else lines[1:-1]
    body, steps = textwrap.dedent("\n".join(inner)), list[Step]()
    for match in _reader(language).finditer(body):
        kind = str(match.lastgroup)
        values = [g for g in match.groups() if g is not None and g != match[0]]
        if kind == "call":
            values = [values[0], *(v for v in values[1].split(", ") if v)]
        steps.append((kind, tuple(values)))
    return Function(name, tuple(steps), params, owner)


def definitions(text: str, language: str, name: str) -> Iterator[str]:
    """The texts of all whole functions of a name in a text, in order, also with a mark of omission in them."""
    lines = text.split("\n")
    head = re.compile(r"[ \t]*" + HEADS[language][0].format(re.escape(name)))
    for n, line in enumerate(lines):
        if not head.match(line):
            continue
        indent = line[: len(line) - len(line.lstrip())]
        end = n + 1
        if language == "python":
            while end < len(lines) and (not lines[end].strip() or lines[end].startswith(indent + " ")):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            yield "\n".join(lines[n:end])
            continue
        while end < len(lines) and lines[end] != indent + "}":
            end += 1
        if end < len(lines):
            yield "\n".join(lines[n : end + 1])


def file_text(file: File) -> str:
    """A file's text."""
    language, parts = file.language, list[str]()
    preamble = {
        "python": "\n".join(f"from shop import {name}" for name in file.imports),
        "typescript": "\n".join(f'import * as {name} from "./{name}";' for name in file.imports),
        "go": "package shop",
    }[language]
    form = {"python": "{} = {}", "typescript": "export const {} = {};", "go": "const {} = {}"}[language]
    parts += [preamble] if preamble else []
    parts += ["\n".join(form.format(*constant) for constant in file.constants)] if file.constants else []
    parts += [rendered(f, language) for f in file.functions if not f.owner]
    methods = [f for f in file.functions if f.owner]
    if methods:
        parts.append(class_text(file))
    return ("\n\n\n" if language == "python" else "\n\n").join(parts) + "\n"


def class_text(file: File) -> str:
    """Its class; in Go the type and its methods."""
    methods = [f for f in file.functions if f.owner]
    owner, texts = methods[0].owner, [rendered(f, file.language) for f in methods]
    if file.language == "python":
        return "\n\n".join([f'class {owner}:\n    unit = "{file.unit}"', *texts])
    if file.language == "typescript":
        return "\n\n".join([f'export class {owner} {{\n  unit = "{file.unit}";', *texts]) + "\n}"
    return "\n\n".join([f"type {owner} struct {{\n\tUnit string\n}}", *texts])
