"""The files that a text in some language names: words with a folder or an extension, and patterns of file names."""

from __future__ import annotations

import re

from tslp_litellm.shell.expansion import Field, Wild
from tslp_litellm.shell.targets import ANYWHERE, UNKNOWN, At, Folder, Like, Target, escaped
from tslp_litellm.syntax.languages import language_of_path

TOKENS_MAX, TARGETS_MAX = 2000, 200
_TOKEN = re.compile(r"[\w.@+~\-/\\*?]+(?![\w.@+~\-/\\*?(])")
_FILE = r"(?<![\w.@+~\-/\\:])(?P<path>[\w.@+~\-/]{1,400}\.\w{1,12})(?![\w@+~\-/\\(])(?!\.\w)"
_SAID, _PLACED = re.compile(_FILE + r"(?!:\d|::|\"?, line \d|\"?, \d)"), re.compile(_FILE)
OUTPUT_CHARS_MAX = 200_000
_VARIABLE = re.compile(r"(?:\$\{?(?:env:)?(\w+)\}?|%(\w+)%|\$?\(([\w-]+)\))(?=[\\/])")
_HERE = frozenset(["pwd", "cd", "get-location"])
_ESCAPE = re.compile(r"\\[nrt](?![\w./])")
"""An end of a line, as code and keystrokes write it."""
_QUOTED = re.compile(r"[\"'`](?:[^\"'`\n]{0,80}\}/|/)?([\w@+~-][\w.@+~-]{0,100}\.\w{1,12})[\"'`]")
"""A string that is the name of a file without its folder, or ends in one behind a folder that is filled in."""
_STARS = re.compile(r"([*?]+)")


def named_in(text: str, folder: Folder) -> list[Target]:
    """What a text names, seen from a folder; any file where it names more than can be followed."""
    text = _VARIABLE.sub(_place, _ESCAPE.sub(" ", text))
    tokens = list(dict.fromkeys(_TOKEN.findall(text)))
    if len(tokens) > TOKENS_MAX:
        return [ANYWHERE]
    found = [target for token in tokens if (target := _named(token.rstrip("."), folder)) is not None]
    return found if len(found) <= TARGETS_MAX else [ANYWHERE]


def quoted_in(code: str) -> list[Target]:
    """The files whose names stand in strings of code without their folders, which the code puts before them; a name
    means a file only where it is the tail of no other."""
    names = [name for name in dict.fromkeys(_QUOTED.findall(code)) if language_of_path(name) is not None]
    return [Like(None, escaped(name), alone=True) for name in names[:TARGETS_MAX]]


def said_in(output: str, places: bool = False) -> list[Target]:
    """The files that a program's output names, wherever they stand; with `places` also where it points at one in them.

    Any file where it names more than can be followed.
    """
    if len(output) > OUTPUT_CHARS_MAX:
        return [ANYWHERE]
    names = {match["path"].removeprefix("./").strip(".") for match in (_PLACED if places else _SAID).finditer(output)}
    found = [_told(name) for name in sorted(names) if name and ("/" in name or language_of_path(name) is not None)]
    return found if len(found) <= TARGETS_MAX else [ANYWHERE]


def _told(name: str) -> Target:
    return At(name) if name.startswith("/") else Like(None, escaped(name))


def names_files(text: str) -> bool:
    """Whether a text names a file for certain: by a folder, or an extension that files of a language have."""
    tokens = (token.strip(".") for token in _TOKEN.findall(text))
    return any("/" in token or ("." in token and language_of_path(token) is not None) for token in tokens)


def _place(variable: re.Match[str]) -> str:
    """The folder that a variable holds, as a path: the working directory, or one that is not known."""
    return "." if (variable[1] or variable[2] or variable[3]).lower() in _HERE else "~"


def _named(token: str, folder: Folder) -> Target | None:
    if token.startswith(("~/", "~\\")):
        token, folder = token[2:], UNKNOWN
    pieces = [piece for piece in _STARS.split(token.replace("\\", "/")) if piece]
    if len(pieces) > 1:
        return Field(tuple(Wild.ANY if _STARS.fullmatch(piece) else piece for piece in pieces)).target(folder)
    if pieces and ("/" in pieces[0] or "." in pieces[0]):
        return folder.at(pieces[0])
    return None
