"""Clients' tool calls: which tool is called for what, by a table of what is known of each (`data/tools.json`).

A tool proves something only by a row that knows its name and every argument of the call. What fits no row may have
changed what it names, and proves nothing (SEMANTICS 2, Positive proof). What a known call changes is told by the
arguments it brings (`clients/makers.py`), for clients use the same names for different things.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from tslp_litellm.data import schema, table
from tslp_litellm.data.schema import Tool
from tslp_litellm.state.names import is_absolute
from tslp_litellm.wire.turn import Item, string

Arguments = Mapping[str, Any]
CHANGING = frozenset({"write", "edit", "patch", "delete", "move", "shell", "command", "lazy", "insert", "drift"})
NAMED_MAX = 64
"""So many values of an unknown call are looked at for paths."""
_PATH_CHARS_MAX = 400
NAME_CHARS_MAX = 400
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PATH_WORDS = frozenset(
    ["path", "paths", "file", "files", "filename", "filepath", "uri", "target", "source", "destination", "document"]
)
_FILE_NAME = re.compile(r"(?<![\w./\\-])[\w./\\-]{0,200}\.\w{1,10}(?![\w/\\])")


@cache
def _table() -> schema.Tools:
    return table("tools", schema.Tools)


@cache
def _by_name() -> Mapping[str, tuple[Tool, ...]]:
    by_name: dict[str, tuple[Tool, ...]] = {}
    for row in _table().tools:
        for name in row.names:
            by_name[name] = (*by_name.get(name, ()), row)
    return by_name


@cache
def _takes(tool: Tool) -> frozenset[str] | None:
    """The names of the arguments that a row knows; None for any."""
    if tool.only is not None:
        return tool.only
    return None if schema.ANY in tool.takes else _names(tool.takes)


def _fits(tool: Tool, arguments: Arguments) -> bool:
    """Whether all arguments of a call are known to the row."""
    given, known = {name for name, value in arguments.items() if value is not None}, _takes(tool)
    return known is None or (given <= known and (not tool.needs or bool(given & tool.needs)))


def _names(roles: tuple[str, ...]) -> frozenset[str]:
    """The names of the arguments that play some roles."""
    return frozenset(name for role in roles for name in _table().roles[role])


@cache
def _parts() -> frozenset[str]:
    return _names(_table().parts) | {"insert_line"}


def arguments_of(call: Item) -> Arguments:
    """A call's arguments; a bare text (a custom tool's) as `input`; empty where they are no JSON object."""
    try:
        decoded = json.loads(call.text)
    except (ValueError, RecursionError):
        return {"input": call.text} if call.text.lstrip().startswith("*** ") else {}
    return decoded if isinstance(decoded, dict) else {}


def bare_name(name: str) -> str:
    """A tool's name in lower case, without that of a server which is known to work on the workspace's own files
    (`mcp__fs__edit_file`, `functions.Read`). The name of any other server stays part of the tool's."""
    name = name.lower().replace("-", "_")
    server, mark, tool = name.rpartition("__") if "__" in name else name.rpartition(".")
    return tool if not mark or server.removeprefix("mcp__") in _table().servers else name


def tool_of(name: str, arguments: Arguments) -> Tool | None:
    """The row that knows a call, by the tool's name and all arguments; None where there is none."""
    return next((tool for tool in _by_name().get(bare_name(name), ()) if _fits(tool, arguments)), None)


def kind_of(name: str, arguments: Arguments) -> str | None:
    """What a call does: write, edit, patch, read, delete, move, shell, lazy, insert, drift, search, nothing.

    None for a tool that no row knows, and for a call with an argument that its row doesn't know.
    """
    tool = tool_of(name, arguments)
    if tool is None or is_elsewhere(name, arguments) or not _is_plain(tool, arguments):
        return None
    return _table().commands.get(string(arguments.get("command"))) if tool.does == "command" else tool.does


_SCHEME = re.compile(r"(?!file:)[A-Za-z][\w+.-]{1,40}://")
_TEXTS = frozenset({"write", "edit", "command", "insert"})


def _is_plain(tool: Tool, arguments: Arguments) -> bool:
    """Whether a call names its file and its texts once each, and writes them in a way that is known."""
    known = _table()
    given = {name: value for name, value in arguments.items() if value is not None}
    if tool.does not in _TEXTS | {"read"}:
        return True
    for role in known.once:
        values = [given[name] for name in known.roles[role] if name in given]
        if any(value != values[0] for value in values):
            return False
    return tool.does not in _TEXTS or all(
        any(value == good and type(value) is type(good) for good in known.values[name])
        for name, value in given.items()
        if name in known.values
    )


def is_known_part(edit: Arguments) -> bool:
    """Whether all that one of several edits says is known."""
    return {name for name, value in edit.items() if value is not None} <= _parts()


def is_elsewhere(name: str, arguments: Arguments, but: frozenset[str] = frozenset()) -> bool:
    """Whether a call is about files of another place: a host, a repository, a revision. `but`: arguments that say
    nothing of it."""
    known = tool_of(name, arguments)
    if known is not None and _takes(known) is None:
        return False
    named = _strings([argument(arguments, role) for role in ("path", "paths")])
    return any(arguments.get(word) not in (None, "", False) for word in _table().elsewhere - but) or any(
        _SCHEME.match(value) for value in named
    )


def changes_nothing(name: str, arguments: Arguments) -> bool:
    """Whether a call that no row knows changes no file here: its name only reads, or it is about another place."""
    known, words = _table().unknown, _words_of(name)
    versions, rows = _is_of_versions(name), _by_name().get(bare_name(name), ())
    if is_elsewhere(name, arguments, known.revisions if versions or _restores(words) else frozenset()):
        return True
    if versions:
        return _keeps(words, arguments)
    return any(tool.does in ("read", "search", "nothing") for tool in rows) or bool(
        not rows and words and words[0] in known.readers
    )


def may_change(name: str, arguments: Arguments) -> tuple[str, ...] | None:
    """What a call that no row knows may have changed, as paths; empty for any file, None for nothing.

    A name that only reads changes nothing; any other tool may change the files that its arguments name anywhere; what
    restores a state, or does something to a work tree under version control, may change all.
    """
    if changes_nothing(name, arguments):
        return None
    if _is_of_versions(name):
        return _listed(arguments)
    words = _words_of(name)
    named = list(_strings([value for key, value in arguments.items() if _PATH_WORDS & _words(key)]))
    if not named and _restores(words):
        return ()
    strings = named or list(_strings(list(arguments.values())))
    found = [] if set(words) & _table().unknown.runners else _short(strings)
    found += code_paths(arguments)
    return tuple(dict.fromkeys(found))[:NAMED_MAX] or None


def changes_what_it_names(name: str) -> bool:
    """Whether the name of a tool that no row knows says that it changes files: its result names which."""
    return bool(set(_words_of(name)) & _table().unknown.doers)


_SYMBOL = re.compile(r"(?:[\w$]+(?:::|[./#]))*(?P<leaf>[A-Za-z_$][\w$]*)(?:\(\))?")
_NEW = frozenset(["new", "to", "target", "destination", "replacement", "after"])
_OLD = frozenset(["old", "symbol", "name", "identifier", "from"])
_OF_SYMBOLS = frozenset(["kind", "type", "scope", "language", "mode"])


def renamed_symbols(name: str, arguments: Arguments) -> tuple[str, ...]:
    """The symbols to which a tool that no row knows may give another name; their last parts."""
    if not set(_words_of(name)) & _table().unknown.renamers:
        return ()
    said = {k: v for k, v in arguments.items() if isinstance(v, str) and not _words(k) & (_NEW | _OF_SYMBOLS)}
    old = [value for key, value in said.items() if _words(key) & _OLD] or list(said.values())
    found = [m["leaf"] for text in _short(old) if not _FILE_NAME.fullmatch(text) and (m := _SYMBOL.fullmatch(text))]
    return tuple(dict.fromkeys(found))


def _words_of(name: str) -> list[str]:
    """The words of a tool's own name, in lower case, without its server's."""
    told = name.rsplit("__", 1)[-1] if len(name) <= NAME_CHARS_MAX else ""
    return [word.lower() for word in _WORDS.findall(told)]


def _is_of_versions(name: str) -> bool:
    """Whether a tool, or its server, is one of version control."""
    return len(name) <= NAME_CHARS_MAX and bool(_words(name) & _table().unknown.versions)


def _restores(words: list[str]) -> bool:
    """Whether the words of a name say that it brings files back to another state."""
    known = _table().unknown
    return bool(set(words) & known.restorers and set(words) & known.restored)


_LISTS = ("files", "paths", "file_paths")
_VERBS = ("command", "subcommand", "action", "operation", "args")


def _keeps(words: list[str], arguments: Arguments) -> bool:
    """Whether a tool of version control leaves the work tree: by its verb, in its name or else in its arguments."""
    known = _table().unknown
    said = _strings([arguments.get(name) for name in _VERBS])
    verbs = [word for word in words if word not in known.versions] or [w for text in said for w in text.lower().split()]
    return bool(verbs) and verbs[0] in known.readers | known.keepers


def _listed(arguments: Arguments) -> tuple[str, ...]:
    """The files that a call lists; empty where it lists none, for any."""
    listed = next((files for name in _LISTS if isinstance(files := arguments.get(name), list)), [])
    return tuple(_short(list(_strings(listed))))


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORDS.findall(name)}


def _short(strings: list[str]) -> list[str]:
    """The strings that may be paths. Where an argument is called so, only such ones are asked."""
    return [text for text in strings if 0 < len(text) <= _PATH_CHARS_MAX and "\n" not in text]


def code_paths(arguments: Arguments) -> list[str]:
    """The file names that stand anywhere in a call's arguments."""
    return [name for text in _strings(list(arguments.values())) for name in _FILE_NAME.findall(text)]


def texts_of(call: Item) -> list[str]:
    """All texts in a call's arguments, as the tool gets them."""
    return [*_strings(arguments_of(call))]


def _strings(value: object, depth: int = 0) -> Iterator[str]:
    """All strings in a call's arguments."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)) and depth < NAMED_MAX:
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner, depth + 1)


def argument(arguments: Arguments, role: str) -> Any:
    """The argument that plays a role (`path`, `content`, `old`, …) under whatever name; None where it is missing."""
    for name in _table().roles[role]:
        if arguments.get(name) is not None:
            return arguments[name]
    return None


@cache
def _of_shells() -> frozenset[str]:
    """All arguments that shells are known to take."""
    return frozenset(name for row in _table().tools for name in _names(row.knows))


def shell_folder(arguments: Arguments) -> str | None:
    """The folder that a shell call states, empty for none; None where its arguments may say that it runs elsewhere."""
    roles = _table().roles
    given = {name: value for name, value in arguments.items() if value not in (None, "", [], {})}
    stated = [given[name] for name in (*roles["folder"], *roles["root"]) if name in given]
    named = [given[name] for name in roles["root"] if name in given]
    if (
        not given.keys() <= _of_shells()
        or any(given[name] not in (False, "false") for name in roles["off"] if name in given)
        or any(not isinstance(folder, str) or folder != stated[0] for folder in stated)
        or any(folder != "." and not is_absolute(folder) for folder in named)
    ):
        return None
    return stated[0] if stated else ""


def only_shows(arguments: Arguments) -> bool:
    """Whether a call asks only for what it would do."""
    return argument(arguments, "dry") not in (None, False, "false", "False", 0, "")


def edits_files(tools: tuple[str, ...]) -> bool:
    """Whether a client has tools that change files: then code in the model's text is talk, not an edit."""
    rows = _by_name()
    return any(tool.does in CHANGING for name in tools for tool in rows.get(bare_name(name), ())) or any(
        _is_file_tool(bare_name(name)) for name in tools
    )


_CHANGES_FILES = frozenset(
    ["write", "edit", "create", "update", "modify", "replace", "patch", "insert", "append", "overwrite", "rewrite"]
)


def _is_file_tool(name: str) -> bool:
    words = set(name.split("_"))
    return "file" in words and bool(words & _CHANGES_FILES)
