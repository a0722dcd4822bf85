"""Scripts that stand in no file: a path that is a stream of the shell, such as `/dev/stdin` or `<(…)`."""

from __future__ import annotations

from dataclasses import dataclass

from tslp_litellm.shell.expansion import Field
from tslp_litellm.shell.simple import Call
from tslp_litellm.shell.targets import At

_INPUTS = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
_STREAMS = ("/dev/", "/proc/")


@dataclass(frozen=True, slots=True)
class Streamed:
    """A script on a stream; None where its text is not known."""

    text: str | None


def streamed(call: Call, script: Field) -> Streamed | None:
    """The script that a word names where that is a stream; None where it is a file."""
    target = call.target(script)
    path = target.path if isinstance(target, At) else f"{target.folder or ''}/"
    if not path.startswith(_STREAMS):
        return None
    return Streamed(call.point.given if path in _INPUTS else None)
