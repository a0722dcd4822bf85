"""What an import's text binds, by its language. A value without a name opens all that its module defines; the member
`*` is a star import, which binds what nobody knows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tslp_litellm.syntax.references import Import

Read = Callable[[str], Iterator[Import]]
_NAME = r"[^\W\d]\w*"


def _rust(text: str) -> Iterator[Import]:
    """`use a::{b, c::d as e};`, `mod a;`."""
    found = re.search(rf"\bmod\s+({_NAME})\s*;", text)
    if found is not None:
        yield Import(found[1], "self", found[1])
        return
    said = re.search(r"\buse\s+(.*?);?\s*\Z", text, re.DOTALL)
    for path, alias in _flat("", said[1], "::") if said is not None else ():
        module, _, member = path.rpartition("::")
        if member == "self":
            module, _, member = module.rpartition("::")
        if module or member not in ("crate", "super", "self"):
            yield Import(alias or member, module, member)


def _flat(prefix: str, text: str, between: str) -> Iterator[tuple[str, str]]:
    """The paths of a list with lists in it, each with its alias: `a::{b, c as d}`."""
    depth, begin = 0, 0
    for at, letter in enumerate([*text, ","]):
        depth += (letter == "{") - (letter == "}")
        if letter != "," or depth:
            continue
        one, begin = text[begin:at].strip(), at + 1
        head, brace, rest = one.partition("{")
        if brace:
            yield from _flat(prefix + "".join(head.split()), rest.rpartition("}")[0], between)
        elif one:
            path, _, alias = re.sub(r"\s+(?:as|=>)\s+", "\0", one).partition("\0")
            yield prefix + "".join(path.split()), alias.strip()


def _java(text: str) -> Iterator[Import]:
    """`import a.b.C;`, `import static a.b.C.d;`: a type is no package, so the name means nothing."""
    said = re.search(r"\bimport\s+(?:static\s+)?([\w.]*[\w*])", text)
    if said is not None:
        module, _, member = said[1].rpartition(".")
        yield Import(member, module, member)


def _kotlin(text: str) -> Iterator[Import]:
    """`import a.b.c`, `import a.b.c as d`, `import a.b.*`."""
    said = re.search(r"\bimport\s+([\w.]+?)\.(\w+|\*)(?:\s+as\s+(\w+))?\s*;?\s*\Z", text)
    if said is not None:
        yield Import(said[3] or said[2], said[1], said[2])


def _scala(text: str) -> Iterator[Import]:
    """`import a.b.C`, `import a.b.{C, D => E}`."""
    said = re.search(r"\bimport\s+(.*)\Z", text, re.DOTALL)
    for path, alias in _flat("", said[1], ".") if said is not None else ():
        module, _, member = path.rpartition(".")
        star = member in ("_", "*", "given")
        if module and alias != "_":
            yield Import("*" if star else alias or member, module, "*" if star else member)


def _csharp(text: str) -> Iterator[Import]:
    """`using A.B;`, `using C = A.B.C;`."""
    said = re.search(r"\busing\s+(?P<static>static\s+)?(?:(?P<name>\w+)\s*=\s*)?(?P<path>[\w.]+)\s*;", text)
    if said is None or said["static"]:
        return
    module, _, member = said["path"].rpartition(".")
    yield Import(said["name"], module, member) if said["name"] else Import("", said["path"], None)


def _php(text: str) -> Iterator[Import]:
    """`use A\\B\\C as D;`, `use function A\\b;`, `use A\\{B, C};`."""
    said = re.search(r"\buse\s+(?:(?:function|const)\s+)?(.*?);?\s*\Z", text, re.DOTALL)
    for path, alias in _flat("", said[1], "\\") if said is not None else ():
        module, _, member = path.strip("\\").rpartition("\\")
        if module:
            yield Import(alias or member, module, member)


def _go(text: str) -> Iterator[Import]:
    """`"a/b/c"`, `d "a/b/c"`, `. "a/b/c"`, in a list or alone."""
    for said in re.finditer(r'(?:(?P<name>[\w.]+)\s+)?[`"](?P<path>[^`"\s]+)[`"]', text.removeprefix("import")):
        if said["name"] == ".":
            yield Import("*", said["path"], "*")
        elif said["name"] != "_":
            yield Import(said["name"] or said["path"].rpartition("/")[2], said["path"], None)


def _opening(pattern: str) -> Read:
    """An import that opens all that a file defines, by a pattern whose group is the file."""
    searched = re.compile(pattern)

    def read(text: str) -> Iterator[Import]:
        if (said := searched.search(text)) is not None:
            yield Import("", said[1], None)

    return read


def _dart(text: str) -> Iterator[Import]:
    """`import 'a.dart';`, with `as`, `show` and `hide`."""
    said = re.search(r"\b(?:import|export)\s+['\"]([^'\"]+)['\"]([^;]*)", text)
    if said is None:
        return
    named, shown = re.search(r"\bas\s+(\w+)", said[2]), re.search(r"\bshow\s+([\w\s,]+)", said[2])
    if named is not None:
        yield Import(named[1], said[1], None)
    elif shown is not None:
        yield from (Import(name.strip(), said[1], name.strip()) for name in shown[1].split(","))
    elif "hide" not in said[2]:
        yield Import("", said[1], None)


def _lua(text: str) -> Iterator[Import]:
    """`local m = require("a.b")`."""
    said = re.search(r"\blocal\s+(\w+)\s*=\s*require\s*\(?\s*['\"]([\w./]+)['\"]", text)
    if said is not None:
        yield Import(said[1], said[2], None)


def _elixir(text: str) -> Iterator[Import]:
    """`alias A.B`, `alias A.B, as: C`, `alias A.{B, C}`, `import A.B`."""
    said = re.match(r"(alias|import)\s+([\w.]+?)(?:\.\{([\w\s,]+)\})?(?:\s*,\s*as:\s*(\w+))?\s*\Z", text)
    if said is None:
        return
    inner = [name.strip() for name in said[3].split(",")] if said[3] else []
    for path in [f"{said[2]}.{name}" for name in inner] or [said[2]]:
        name = "" if said[1] == "import" else said[4] or path.rpartition(".")[2]
        yield Import(name, path, None)


READERS: dict[str, Read] = {
    "rust": _rust,
    "java": _java,
    "kotlin": _kotlin,
    "scala": _scala,
    "csharp": _csharp,
    "php": _php,
    "go": _go,
    "c": _opening(r'#\s*include\s*"([^"]+)"'),
    "cpp": _opening(r'#\s*include\s*"([^"]+)"'),
    "ruby": _opening(r"\brequire_relative\s*\(?\s*['\"]([^'\"#]+)['\"]"),
    "bash": _opening(r"(?:source|\.)\s+['\"]?((?:\./|\.\./)?[\w./-]+)['\"]?\s*\Z"),
    "dart": _dart,
    "lua": _lua,
    "elixir": _elixir,
}
