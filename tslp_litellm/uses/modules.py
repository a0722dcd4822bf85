"""Which known file a module is: a table by language (SEMANTICS 10, Use)."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Callable, Collection

Find = Callable[[str, str, Collection[str]], str | None]
"""The known file that a module is, from the path of who imports it, the module as it is written, the known paths."""


def python_file(importer: str, module: str, known: Collection[str]) -> str | None:
    """A Python module's file. Relative ones by their dots; absolute ones below the folders above the importer that are
    no packages, and their `src`, where exactly one known file fits."""
    name = module.lstrip(".")
    dots, parts = len(module) - len(name), name.split(".") if name else []
    if dots:
        base: str | None = posixpath.dirname(importer)
        for _ in range(dots - 1):
            base = posixpath.dirname(base) if base else None
        return _only(_files(base, parts), known) if base is not None else None
    if parts[0] in sys.stdlib_module_names:
        return None
    return _only([path for root in _roots(importer, known) for path in _files(root, parts)], known)


def _files(base: str, parts: list[str]) -> list[str]:
    stem = posixpath.join(base, *parts)
    package = posixpath.join(stem, "__init__.py")
    return [f"{stem}.py", package] if parts else [package]


def _roots(importer: str, known: Collection[str]) -> list[str]:
    """Folders that Python may look in: no package is one."""
    roots, at = list[str](), posixpath.dirname(importer)
    while True:
        here = (at, posixpath.join(at, "src"))
        roots += [folder for folder in here if posixpath.join(folder, "__init__.py") not in known]
        if at in ("", "/"):
            return list(dict.fromkeys(roots))
        at = posixpath.dirname(at)


def _only(paths: list[str], known: Collection[str]) -> str | None:
    found = {path for path in paths if path in known}
    return found.pop() if len(found) == 1 else None


def python_member(module: str, member: str) -> str:
    """The module that a member of a package may be."""
    return module + member if module.endswith(".") else f"{module}.{member}"


_ECMA = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs")
_WRITTEN_AS = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""How a module's file may end that is imported by its compiled name."""


def ecma_file(importer: str, module: str, known: Collection[str]) -> str | None:
    """A JavaScript or TypeScript module's file: of a relative one, where exactly one known file fits."""
    if module.split("/", maxsplit=1)[0] not in (".", ".."):
        return None
    base = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
    stem, ending = posixpath.splitext(base)
    paths = [base, *(f"{stem}{other}" for other in _WRITTEN_AS.get(ending, ()))]
    return _only([*paths, *(f"{base}{end}" for end in _ECMA), *(f"{base}/index{end}" for end in _ECMA)], known)


FILES: dict[str, Find] = {
    "python": python_file,
    **dict.fromkeys(("javascript", "typescript", "tsx"), ecma_file),
}
MEMBERS: dict[str, Callable[[str, str], str]] = {"python": python_member}
"""Languages in which a member of a module may itself be a module, and its name."""
