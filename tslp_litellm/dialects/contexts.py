"""Files that a client puts into a frame of context, each in a fence: Zed's `<context>` … `<files>`, whose fences name
their files, and gptel's `Request context:`, which names each above its fence.

What else is called context was found by somebody, and is no file's text. A fence in `<files>` that is not as Zed writes
it proves nothing but doubt; so does a text in gptel's fence that may hold fences of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tslp_litellm.data import table
from tslp_litellm.data.schema import Attachments
from tslp_litellm.dialects.dialect import Taken
from tslp_litellm.dialects.fences import Fence, fences, prose_lines
from tslp_litellm.dialects.lines import first_on_lines
from tslp_litellm.dialects.paths import hint_in_info
from tslp_litellm.dialects.plausible import is_cut
from tslp_litellm.dialects.tags import tagged
from tslp_litellm.dialects.values import Carrier, Shown
from tslp_litellm.syntax.languages import Nature, language_of_path

_REQUEST = re.compile(r"^Request context:[ \t]*$", re.M)
_IN_FILE = re.compile(r"\AIn file `(?P<path>[^`\n]{1,1024})`:[ \t]*\Z")
_GAP = re.compile(r"^\.\.\. \(Line \d{1,9}\)$", re.M)
"""What gptel writes for lines that it leaves out."""
_NAMED = re.compile(r"\A(?P<ext>\w{1,12}) (?P<path>[^\n`]{1,1024})\Z")


def read(text: str) -> Taken:
    """The files in such frames."""
    found = [*_files(text)] if "<files>" in text else []
    head = first_on_lines(_REQUEST, text) if "In file `" in text else None
    return Taken((*found, *(_below(text[head.end() :]) if head is not None else ())), text)


def _files(text: str) -> Iterator[Shown]:
    for frame in tagged(text, ("context", "files")):
        inside = frame.name == "context"
        above = frame.inner.partition("<files>")[0].strip()
        known = inside and above in table("attachments", Attachments).contexts
        for files in tagged(frame.inner, ("files",)) if inside else (frame,):
            yield from (shown for fence in fences(files.inner) if (shown := _file(fence, known)) is not None)


def _file(fence: Fence, known: bool) -> Shown | None:
    named = _NAMED.match(fence.info)
    hint = hint_in_info(fence.info)
    if hint is None or hint.excerpt or not fence.closed or is_cut(fence.body):
        return None
    exact = known and named is not None and named["path"].lower().endswith("." + named["ext"].lower())
    path = named["path"] if exact and named is not None else hint.path
    body = fence.body.removesuffix("\n")  # the client ends the last line where the file does not
    return Shown(path, body, Carrier.ATTACHMENT, whole=True, ended=False, doubted=not exact or hint.doubted)


def _below(text: str) -> Iterator[Shown]:
    """The files that gptel names above their fences. It puts a line end behind the file's own."""
    blocks = fences(text)
    lines = prose_lines(text, blocks)
    for n, block in enumerate(blocks):
        start = blocks[n - 1].last + 1 if n else 0
        above = [line for line in lines[start : block.first] if line.strip()]
        named = _IN_FILE.match(above[-1]) if above else None
        if named is not None and block.closed and not block.info and not _has_gaps(block.body):
            language = language_of_path(named["path"])
            prose = language is not None and language.nature is Nature.PROSE
            body = block.body.removesuffix("\n")
            yield Shown(named["path"], body, Carrier.FENCE, whole=True, plain=True, doubted=prose)


def _has_gaps(body: str) -> bool:
    return first_on_lines(_GAP, body) is not None
