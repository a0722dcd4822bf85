"""What `tslp mcp` offers a model, beside the protocol (SEMANTICS 13): `current`, `uses`, `why`, `report`.

A model's words are no user's, so it can name entities and files and nothing else: what a file holds is read from the
disk by this process, which is the client that confirms it. Nothing outside the folder is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tslp_litellm.reach import forms
from tslp_litellm.reach.calls import Gateway, RefusedError

CLIENT = "tslp-mcp"
NAMES_MAX, NAME_MAX_CHARS, FILE_MAX_BYTES = 20, 1_000, 4_000_000
NOTHING = "Nothing is known of that."
_TELLING = re.compile(r"[`\n\r]")


class AskedWronglyError(Exception):
    """What was asked for can't be; the text says why."""


class Tools:
    """The tools, for one folder and one gateway."""

    def __init__(self, gateway: Gateway, folder: Path) -> None:
        self._gateway, self._folder = gateway, folder.resolve()

    def current(self, names: Sequence[str]) -> str:
        """The current code of entities: an ordinary prompt that mentions them and says nothing. What it brings nothing
        of is named."""
        for name in names:
            if not name or len(name) > NAME_MAX_CHARS or _TELLING.search(name):
                raise AskedWronglyError("A name is one line: path, path::symbol or symbol.")
        if not 0 < len(names) <= NAMES_MAX:
            raise AskedWronglyError(f"1 to {NAMES_MAX} names at once.")
        prompt = {"role": "user", "content": "\n".join(f"`{name}`" for name in names)}
        found = self._relay(prompt).strip()
        missing = [name for name in names if name not in found]
        return f"{found}\n\nNothing is known of {', '.join(missing)}." if found and missing else found or NOTHING

    def uses(self, entity: str) -> str:
        """What an entity uses, a line each: name, how it stands, its signature now and before."""
        rows = self._entity(entity).get("uses") or ()
        lines = [f"{row['entity']} ({row['standing']}): {row['signature'] or '?'}{_before(row)}" for row in rows]
        return "\n".join(lines) or "It uses nothing known."

    def why(self, entity: str) -> str:
        """Why an entity's text is, or isn't, the truth."""
        return str(self._entity(entity)["why"])

    def report(self, path: str) -> str:
        """What a file holds now, or that it is gone, as a client confirms what it did."""
        file = (self._folder / path.replace("\0", "")).resolve()
        if not path or not file.is_relative_to(self._folder) or file == self._folder:
            raise AskedWronglyError(f"{path!r} is no file under {self._folder}.")
        name = file.relative_to(self._folder).as_posix()
        if not file.exists():
            self._confirm("delete_file", {"path": name}, f"Successfully deleted {name}")
            return f"{name} is gone, and that is reported."
        text = text_of(file, name)
        self._confirm("write_file", {"path": name, "content": text}, f"Successfully wrote to file: {name}")
        return f"{name} is reported as it is on the disk ({text.count(chr(10))} lines)."

    def _entity(self, entity: str) -> dict[str, Any]:
        where = self._gateway.workspace or str(self._folder)
        try:
            found = self._gateway.get("entity", CLIENT, entity=entity, workspace=where)
        except RefusedError as error:
            raise AskedWronglyError(NOTHING if "HTTP 404" in str(error) else str(error)) from None
        return dict(found)

    def _confirm(self, tool: str, arguments: dict[str, str], result: str) -> None:
        self._relay(*forms.messages((tool, arguments, result), f"call_{os.urandom(8).hex()}"))

    def _relay(self, *messages: dict[str, Any]) -> str:
        return self._gateway.relay(
            [forms.system(CLIENT, str(self._folder)), *messages], ("write_file", "delete_file"), CLIENT
        )


def _before(row: dict[str, Any]) -> str:
    return f" (was: {row['before']})" if row.get("before") else ""


def text_of(file: Path, name: str, bytes_max: int = FILE_MAX_BYTES) -> str:
    """A file's text; AskedWronglyError where it is none, too large, or no UTF-8. `name`: as it is told."""
    if not file.is_file():
        raise AskedWronglyError(f"{name} is no file.")
    try:
        with file.open("rb") as stream:
            data = stream.read(bytes_max + 1)
    except OSError as error:
        raise AskedWronglyError(f"{name} can't be read ({error.strerror}).") from None
    if len(data) > bytes_max:
        raise AskedWronglyError(f"{name} is larger than {bytes_max} bytes.")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise AskedWronglyError(f"{name} is no UTF-8 text.") from None
