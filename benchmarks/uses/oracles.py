"""Who resolves names better than a reader of texts can: jedi for Python, the compiler for TypeScript."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.uses.judging import Place, Resolved

_NAME = re.compile(r"(?<!\bdef )(?<!\bclass )\b[^\W\d]\w*")
_WRAPPERS = ("builtins.classmethod", "builtins.staticmethod")
"""Where jedi leads instead of to a member of an enumeration: it says nothing of that."""
_COMPILER = Path(__file__).with_name("compiler.js")


def by_jedi(folder: Path, texts: Mapping[str, str], names: set[str]) -> Iterator[Resolved]:
    """What jedi makes of the names in Python files. `names`: those that any definition has; aliases of them are asked
    for as well."""
    import jedi  # noqa: PLC0415 - of the group `bench`
    from jedi.api.environment import InterpreterEnvironment  # noqa: PLC0415

    inside = InterpreterEnvironment()  # no process is started for it
    project = jedi.Project(folder, added_sys_path=[str(folder)])
    lines = {path: text.split("\n") for path, text in texts.items()}
    scripts = {
        str(folder / path): jedi.Script(text, path=folder / path, project=project, environment=inside)
        for path, text in texts.items()
    }
    for path, text in texts.items():
        asked = names | set(re.findall(r"\bas (\w+)", text))
        script = scripts[str(folder / path)]
        below = {name: text.count("\n") + 2 + n for n, name in enumerate(sorted(asked))}
        at_end = jedi.Script("\n".join([text, *below]), path=folder / path, project=project, environment=inside)
        for n, column, name in _asked(text, lines[path], asked):
            found = [one for one in script.goto(n, column, follow_imports=True) if one.full_name not in _WRAPPERS]
            late = not found and lines[path][n - 1][:column].rstrip()[-1:] != "."
            if late:  # jedi knows of no definition that stands below an annotation
                found = at_end.goto(below[name], 0, follow_imports=True)
            places = [_place(folder, lines, end) for one in found for end in _ends(one, scripts)]
            at = path, _byte(lines[path], n, column)
            yield Resolved(name, at, tuple(place for place in places if place), silent=not found, below=late)


def _ends(name: Any, scripts: Mapping[str, Any]) -> list[Any]:
    """Where an import leads at which jedi stopped (`import a as a`); the name itself where it is none."""
    script = scripts.get(str(name.module_path))
    said = re.match(r"\s*(?:from\s+\S+\s+import\s+)?(\w+)\s+as\s+\w+", name.get_line_code()) if script else None
    if script is None or said is None:
        return [name]
    return list(script.goto(name.line, said.start(1), follow_imports=True)) or [name]


def _asked(text: str, lines: list[str], names: set[str]) -> Iterator[tuple[int, int, str]]:
    """Line (from 1), column and name of each place with one of some names that neither imports nor
    defines it."""
    skipped = _imports(text)
    for n, line in enumerate(lines, 1):
        for said in _NAME.finditer(line) if n not in skipped else ():
            if said[0] in names:
                yield n, said.start(), said[0]


def _imports(text: str) -> set[int]:
    """The lines of the import statements, which bind names and use none."""
    found = (node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Import, ast.ImportFrom)))
    return {n for node in found for n in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


def _place(folder: Path, lines: Mapping[str, list[str]], name: Any) -> Place | None:
    path, line, column = name.module_path, name.line, name.column
    if path is None or line is None or not Path(path).is_relative_to(folder):
        return None
    inner = Path(path).relative_to(folder).as_posix()
    return (inner, _byte(lines[inner], line, column)) if inner in lines else None


def _byte(lines: list[str], line: int, column: int) -> int:
    return len("\n".join([*lines[: line - 1], lines[line - 1][:column]]).encode())


def by_compiler(folder: Path, modules: Path, texts: Mapping[str, str]) -> Iterator[Resolved]:
    """What TypeScript's compiler makes of the names in files below a folder. `modules`: where it is installed."""
    said = subprocess.run(
        ["node", _COMPILER, modules / "typescript", folder, *texts], check=True, capture_output=True, text=True
    )
    units = {path: text.encode("utf-16-le") for path, text in texts.items()}
    for line in said.stdout.splitlines():
        name, *told = json.loads(line)
        at, *targets = ((path, len(units[path][: 2 * n].decode("utf-16-le").encode())) for path, n in told)
        yield Resolved(name, at, tuple(targets), silent=False)
