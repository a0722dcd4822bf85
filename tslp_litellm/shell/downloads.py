"""Programs that fetch files: into the files that their options name, else under the last part of an address."""

from __future__ import annotations

import re

from tslp_litellm.shell.commands import has
from tslp_litellm.shell.expansion import Field, Wild
from tslp_litellm.shell.simple import Call

DOWNLOADERS = frozenset({"curl", "wget", "aria2c"})
_ADDRESS = re.compile(r"\A(?:\w+://)?[^\s/?#]+/(?:[^\s?#]*/)?([^\s/?#]+)(?:[?#].*)?")
_BY_ADDRESS = ("-O", "--remote-name", "--remote-name-all", "-J", "--remote-header-name")


def download(call: Call) -> None:
    """The files that get the names of what is fetched may have changed."""
    options = [text for text in call.texts if text is not None and text.startswith("-")]
    if call.name == "curl" and not any(has(option, text) for option in _BY_ADDRESS for text in options):
        return
    fields = [Field((Wild.ANY,)) if text is None else _name(text) for text in call.texts]
    call.dirty([field for field in fields if field is not None])


def _name(text: str) -> Field | None:
    match = _ADDRESS.fullmatch(text)
    return Field((match[1],)) if match else None
