"""What task runners run: the commands that a Makefile, a justfile or a `package.json` has under some names."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Sequence

_RULE = re.compile(
    r"^@?(?P<names>[\w.%/-]+(?:[ \t]+[\w.%/-]+)*)(?P<takes>[^:\n]{0,200}):{1,2}(?![=:])(?P<needs>[^\n]*)$"
)
_VARIABLE = re.compile(r"^(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*[:?+]{0,2}=[ \t]*(.*)$")
_USE = re.compile(r"\$[({]([A-Za-z_]\w*)[)}]")
_JUST = re.compile(r"\{\{[^{}\n]*\}\}")
_WORD = re.compile(r"[\w.:%/-]+")
_NAMES_MAX, PASSES_MAX = 200, 4
_MADE = {"MAKE": "make", "SHELL": "sh"}


def is_recipe_book(path: str) -> bool:
    """Whether a file holds commands under names."""
    return posixpath.basename(path).lower() in ("makefile", "gnumakefile", "justfile", ".justfile", "package.json")


def commands_of(path: str, text: str, names: Sequence[str]) -> str | None:
    """The commands that a runner runs for some names (none: for the first one), and those that they run by their
    names, as a script; None where they are not found."""
    book = _of_package(text) if path.endswith(".json") else _of_rules(text)
    if not book:
        return None
    wanted = [name for name in names if name in book]
    if not wanted and not names and not path.endswith(".json"):
        wanted = [next(iter(book))]
    if not wanted:
        return None
    reached = list(wanted)
    for name in reached:
        words = _WORD.findall(book[name])
        found = (other for word in (f"pre{name}", f"post{name}", *words) for other in (word,) if other in book)
        reached += [other for other in dict.fromkeys(found) if other not in reached][:_NAMES_MAX]
    return "\n".join(book[name].partition("\n")[2] for name in reached)


def _of_package(text: str) -> dict[str, str]:
    """Scripts by their names, each below an empty line."""
    try:
        scripts = json.loads(text).get("scripts")
    except (ValueError, AttributeError, RecursionError):
        return {}
    found = scripts.items() if isinstance(scripts, dict) else ()
    return {name: "\n" + command for name, command in found if isinstance(command, str)}


def _of_rules(text: str) -> dict[str, str]:
    """Recipes by their names, each below the line of what it needs."""
    book: dict[str, str] = {}
    variables, current = dict(_MADE), list[str]()
    for line in text.replace("\\\n", " ").split("\n"):
        if line[:1] in (" ", "\t"):
            command = line.strip().lstrip("@-+")
            for name in current:
                book[name] += "\n" + command
        elif match := _VARIABLE.match(line):
            variables[match[1]] = match[2]
        elif match := _RULE.match(line):
            current = match["names"].split()[:_NAMES_MAX]
            for name in current:
                book[name] = book.get(name, "\n").partition("\n")[0] + " " + match["needs"]
        elif line.strip() and not line.startswith("#"):
            current = []
    return {name: _expanded(recipe, variables) for name, recipe in book.items()}


def _expanded(recipe: str, variables: dict[str, str]) -> str:
    """A recipe with the variables that the file sets; what is not known of it is a parameter of nobody's."""
    for _ in range(PASSES_MAX):
        recipe = _USE.sub(lambda use: variables.get(use[1], use[0]), recipe)
    return _JUST.sub('"$_"', recipe.replace("$$", "$"))
