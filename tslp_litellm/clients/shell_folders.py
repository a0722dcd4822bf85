"""In which folder a shell call begins: some clients' shells stay where earlier calls left them (`data/shell.json`)."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from tslp_litellm.clients.makers import shell_scripts
from tslp_litellm.clients.outcomes import shell_outcome
from tslp_litellm.clients.shell import begins_anew, defines, folder_after, may_define, may_move, ran_in
from tslp_litellm.clients.tools import arguments_of, kind_of, shell_folder
from tslp_litellm.parser.budget import spend
from tslp_litellm.state.names import is_absolute
from tslp_litellm.wire.turn import Item

DEFINITIONS_MAX = 20
"""So many scripts that define something are followed."""


class ShellFolders:
    """Where the shell calls of a conversation begin. `calls`: for each item the call that it answers; `anew`: whether
    each of them begins in the working directory, as the client's prompt says.

    A tool's calls are followed once, however many of them are asked about, as long as they are asked about in order.
    """

    def __init__(self, items: Sequence[Item], calls: Sequence[Item | None], *, anew: bool = False) -> None:
        self._items, self._calls, self._anew = items, calls, anew
        self._defined: dict[str, list[tuple[int, str]]] = {}
        self._followed: dict[tuple[str, str | None], tuple[int, str | None]] = {}

    def begins_anew(self, call: Item) -> bool | None:
        """Whether a call begins in the working directory; None where that is not known."""
        return True if self._anew else begins_anew(call.name, arguments_of(call))

    def before(self, n: int, root: str | None) -> str | None:
        """The folder in which the shell call begins that the result `n` answers; empty for the working directory.

        None where that is not known: the tool may keep its folder, and a call before may have left it.
        """
        call = self._calls[n]
        if call is None or kind_of(call.name, arguments_of(call)) != "shell":
            return ""
        anew = self.begins_anew(call)
        if anew:
            return ""
        if (stated := ran_in(call.text, self._items[n].text)) is not None:
            return _seen_from(stated, root)
        folder = self._left(call.name, n, root)
        return folder if anew is False or folder == "" else None

    def definitions(self, n: int) -> tuple[str, ...]:
        """The scripts before a result's call that tell what words mean in its shell; none where it begins anew."""
        call = self._calls[n]
        if call is None or kind_of(call.name, arguments_of(call)) != "shell" or self.begins_anew(call):
            return ()
        if call.name not in self._defined:
            calls = ((at, one) for at, one in enumerate(self._calls) if one is not None and one.name == call.name)
            self._defined[call.name] = [
                (at, script)
                for at, one in calls
                if may_define(one.text)
                for script, _ in shell_scripts(arguments_of(one))
                if defines(script)
            ][:DEFINITIONS_MAX]
        return tuple(script for at, script in self._defined[call.name] if at < n)

    def _left(self, tool: str, n: int, root: str | None) -> str | None:
        """Where the calls of a tool before item `n` leave it."""
        start, folder = self._followed.get((tool, root), (0, ""))
        if start > n:
            start, folder = 0, ""
        for at in range(start, n):
            call = self._calls[at]
            if call is not None and call.name == tool and may_move(call.text):
                spend()
                folder = _left_in(call, self._items[at], folder, root)
        self._followed[tool, root] = n, folder
        return folder


def _left_in(call: Item, result: Item, folder: str | None, root: str | None) -> str | None:
    arguments = arguments_of(call)
    if shell_folder(arguments) is None:
        return None
    said = shell_outcome(result, call.name, arguments)
    for script, place in shell_scripts(arguments, folder):
        folder = _seen_from(folder_after(script, place, said, result.text), root)
    return folder


def _seen_from(folder: str | None, root: str | None) -> str | None:
    """A folder as seen from the working directory, if it lies in it."""
    if folder is None or root is None or not is_absolute(folder):
        return folder
    inside = posixpath.relpath(folder, root) if is_absolute(root) else folder
    return "" if inside == "." else folder if inside.startswith("..") else inside
