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
    roots = [root for folder in _above(importer) for root in (folder, posixpath.join(folder, "src"))]
    return [root for root in dict.fromkeys(roots) if posixpath.join(root, "__init__.py") not in known]


def _above(path: str) -> list[str]:
    """The folders above a file, the nearest first."""
    folders = [posixpath.dirname(path)]
    while folders[-1] not in ("", "/"):
        folders.append(posixpath.dirname(folders[-1]))
    return folders


def _only(paths: list[str], known: Collection[str]) -> str | None:
    found = {path for path in paths if path in known}
    return found.pop() if len(found) == 1 else None


def python_member(module: str, member: str) -> str:
    """The module that a member of a package may be."""
    return module + member if module.endswith(".") else f"{module}.{member}"


_ECMA = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs")
_WRITTEN_AS = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""How a module's file may end that is imported by its compiled name."""


_ALIASES = {"@": "", "~": "", "$lib": "lib"}
"""Names that the tools of these languages give to the project's own folder, or one in it; no package is called so."""
_BY_ALIAS = frozenset({"javascript", "typescript", "tsx", "vue", "svelte"})


def ecma_file(importer: str, module: str, known: Collection[str]) -> str | None:
    """A JavaScript or TypeScript module's file: of a relative one, or one by an alias of the project's folder, where
    exactly one known file fits."""
    return _only([path for base in _ecma_bases(importer, module) for path in _ecma_files(base)], known)


def _ecma_bases(importer: str, module: str) -> list[str]:
    """What a module may be without its ending; by an alias in the `src` that the importer is in, or beside it, else in
    the workspace's."""
    first, _, rest = module.partition("/")
    if first in (".", ".."):
        return [posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))]
    if first not in _ALIASES or not rest:
        return []
    own = next((folder for folder in _above(importer) if posixpath.basename(folder) == "src"), "src")
    return [posixpath.join(folder, _ALIASES[first], rest) for folder in (own, posixpath.dirname(own))]


def _ecma_files(base: str) -> list[str]:
    stem, ending = posixpath.splitext(base)
    paths = [base, *(f"{stem}{other}" for other in _WRITTEN_AS.get(ending, ()))]
    return [*paths, *(f"{base}{end}" for end in _ECMA), *(f"{base}/index{end}" for end in _ECMA)]


def component_file(importer: str, module: str, known: Collection[str]) -> str | None:
    """A module as a component imports it: another component by its whole name, or a script."""
    if module.endswith((".vue", ".svelte")):
        return _only(_ecma_bases(importer, module), known)
    return ecma_file(importer, module, known)


RUST_ROOTS = ("crate", "self", "super")
"""What a whole path begins with in Rust."""
_ROOT_FILES = ("lib.rs", "main.rs", "mod.rs")


def rust_file(importer: str, module: str, known: Collection[str]) -> str | None:
    """A Rust module's file: of one that begins at `crate`, `self` or `super`."""
    parts = module.split("::")
    stem, base = posixpath.splitext(importer)[0], posixpath.basename(importer)
    own = posixpath.dirname(importer) if base in _ROOT_FILES else stem
    if parts[0] == "crate":
        folder, at = _rust_root(importer), 1
    elif parts[0] == "self":
        folder, at = own, 1
    elif parts[0] == "super":
        at = next((n for n, part in enumerate(parts) if part != "super"), len(parts))
        folder = own
        for _ in range(at):
            folder = posixpath.dirname(folder)
    else:
        return None
    inner = posixpath.join(folder, *parts[at:])
    if at == len(parts):
        return _only([*(posixpath.join(inner, root) for root in _ROOT_FILES), f"{inner}.rs"], known)
    return _only([f"{inner}.rs", posixpath.join(inner, "mod.rs")], known)


def _rust_root(importer: str) -> str:
    """The folder of a crate's root module: `src`, or that of the file itself."""
    parts = importer.split("/")[:-1]
    last = max((n for n, part in enumerate(parts) if part == "src"), default=None)
    return "/".join(parts[: last + 1] if last is not None else parts)


def _relative(*endings: str) -> Find:
    """Files that are named by a path relative to the importer's folder, with or without their ending."""

    def find(importer: str, module: str, known: Collection[str]) -> str | None:
        base = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
        return _only([base, *(f"{base}{ending}" for ending in endings)], known)

    return find


def dart_file(importer: str, module: str, known: Collection[str]) -> str | None:
    """A Dart library's file: of a relative one. A package's name tells no folder."""
    return None if ":" in module else _relative()(importer, module, known)


def lua_file(importer: str, module: str, known: Collection[str]) -> str | None:
    """A Lua module's file: below the importer's folder or those above it, where exactly one known file fits."""
    inner = module.replace(".", "/")
    ends = (f"{inner}.lua", posixpath.join(inner, "init.lua"))
    return _only([posixpath.join(folder, end) for folder in _above(importer) for end in ends], known)


FILES: dict[str, Find] = {
    "python": python_file,
    **dict.fromkeys(("javascript", "typescript", "tsx"), ecma_file),
    **dict.fromkeys(("vue", "svelte"), component_file),
    "rust": rust_file,
    **dict.fromkeys(("c", "cpp"), _relative()),
    "ruby": _relative(".rb"),
    "bash": _relative(),
    "dart": dart_file,
    "lua": lua_file,
}
"""Languages whose imports name a file."""
MEMBERS: dict[str, Callable[[str, str], str]] = {
    "python": python_member,
    "rust": lambda module, member: f"{module}::{member}" if module else member,
}
"""Languages in which a member of a module may itself be a module, and its name."""
BY_PATH = frozenset({"c", "cpp", "ruby", "bash", "dart"})
"""Languages in which a file of the workspace is imported by its path, and only such are read."""


def is_own(language: str, importer: str, module: str, known: Collection[str]) -> bool:
    """Whether a module is of the workspace, and no third party's: it says so itself, or, of an absolute one in Python,
    other known files stand in its outermost folder."""
    if language in BY_PATH:
        return not (":" in module or module.startswith(("/", "~")))
    first = module.partition(".")[0]
    if language != "python" or first == "":
        aliased = language in _BY_ALIAS and module.split("/", maxsplit=1)[0] in _ALIASES
        in_rust = language == "rust" and module.split("::", maxsplit=1)[0] in RUST_ROOTS
        return module.startswith(".") or aliased or in_rust
    folders = [posixpath.join(root, first, "") for root in _roots(importer, known)]
    there = any(path.startswith(folder) for path in (importer, *known) for folder in folders)
    return there and first not in sys.stdlib_module_names


PACKAGES = {
    "java": "jvm",
    "kotlin": "jvm",
    "scala": "jvm",
    "csharp": "csharp",
    "php": "php",
    "elixir": "elixir",
    "go": "go",
}
"""Languages whose imports name a declared package, by whose packages they see."""
READ = FILES.keys() | PACKAGES.keys()
"""Languages whose uses are read."""
IMPLICIT_THIS = frozenset({"cpp", "csharp", "dart", "java", "kotlin", "ruby", "scala"})
"""Languages in which a bare name in a type may be a member that it inherits."""
TELLING = frozenset({"cpp", "java", "kotlin"})
"""Those among them in which a type's head tells whether it inherits anything."""


def package_key(language: str, package: str) -> str | None:
    """What a declared package is found by; None where the language has none."""
    kin = PACKAGES.get(language)
    return f"{kin}:{package.rpartition('/')[2] if kin == 'go' else package}" if kin is not None else None


def in_package(importer: str, language: str, module: str | None, paths: Collection[str]) -> list[str]:
    """Of the files that declare a package, those that a module means; without one those of the importer's own."""
    if module is None:
        folder = posixpath.dirname(importer)
        return [path for path in paths if posixpath.dirname(path) == folder]
    if language != "go":
        return list(paths)
    return [path for path in paths if (at := posixpath.dirname(path)) and f"/{module}".endswith(f"/{at}")]
