"""Uses in real packages against the interpreter: what a file uses is the very object that its running module holds."""

from __future__ import annotations

import importlib
import types
from pathlib import Path

import pytest

from tests.uses.reading import known, uses
from tslp_litellm.state.names import Entity
from tslp_litellm.uses.following import Route

FOUND_MIN = {"jinja2": 280, "click": 90, "httpx": 150, "markdown_it": 150}


def files_of(package: types.ModuleType) -> dict[str, str]:
    folder = Path(package.__path__[0])
    return {
        file.relative_to(folder.parent).as_posix(): file.read_text("utf-8") for file in sorted(folder.rglob("*.py"))
    }


def module_of(path: str) -> types.ModuleType:
    return importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))


def held_by(user: types.ModuleType, used: Entity) -> bool | None:
    """Whether a module's names, or those of a module among them, hold the definition, or its type. None where it has
    no such name as it runs: it is imported for annotations only."""
    assert used.symbol is not None
    name = used.symbol.partition(".")[0]
    there = vars(module_of(used.path))[name]
    values = list(vars(user).values())
    inside = [vars(value) for value in values if isinstance(value, types.ModuleType)]
    if any(value is there for value in (*values, *(value for names in inside for value in names.values()))):
        return True
    return None if name not in vars(user) else False


@pytest.mark.parametrize("name", FOUND_MIN)
def test_every_use_is_the_object_that_the_module_holds(name: str) -> None:
    package = pytest.importorskip(name)
    files = known(files_of(package))
    found = {(path, use.used) for path in files for use in uses(path, files) if use.route is not Route.SAME_FILE}
    wrong, compared = list[tuple[str, str]](), 0
    for path, used in sorted(found, key=str):
        try:
            held = held_by(module_of(path), used)
        except (ImportError, AssertionError):  # of another system, or of what is not installed
            continue
        compared += held is not None
        if held is False:
            wrong.append((path, str(used)))
    assert wrong == []
    assert compared >= FOUND_MIN[name]
