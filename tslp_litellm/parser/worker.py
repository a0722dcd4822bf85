"""A process that parses: one text after the other, each under limits that the kernel holds it to.

Time is the process's own CPU time, and what passes it is ended by a signal that no text can catch; so a text that runs
away ends even if the proxy is gone. Address space is bounded before a text is looked at.
"""

from __future__ import annotations

import contextlib
import gc
import resource
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson

from tslp_litellm.parser import framing, limits
from tslp_litellm.syntax import binding, codec, parsing
from tslp_litellm.syntax.languages import Language, language_named
from tslp_litellm.syntax.measuring import outlined
from tslp_litellm.syntax.outline import Outline

SCRIPTS = ("javascript", "typescript", "tsx")
"""What may stand in a component."""
Answer = Callable[[Language, bytes], bytes]
_PAGE_BYTES = resource.getpagesize()


@cache
def prepare(name: str) -> None:
    """Load a language's grammars and compile their queries: no text's time is spent on it."""
    language = language_named(name)
    for other in (*([language.otherwise] if language.otherwise else []), *(SCRIPTS if language.components else ())):
        prepare(other)
    if language.grammar is not None:
        with contextlib.suppress(LookupError):
            parsing.tags_query(language.name, language.grammar, language.wrappers)


def serve(channel: socket.socket) -> None:
    """Answer requests until the proxy hangs up, or a text has left the process too large."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.disable()  # it ends before cycles could matter
    while True:
        try:
            header, source = framing.receive(channel, limits.TEXT_BYTES_MAX + 10_000)
        except framing.ClosedError:
            return
        question, language = header.get("question", "outline"), language_named(header["language"])
        prepare(language.name)
        if question == "pieces":
            _colouring().lexer(language)
        before = memory()
        reply, body = _bounded(_ANSWERS[question], language, source, before)
        now = memory()
        last = before is not None and now is not None and now.held - before.held > limits.LEFT_BYTES
        framing.send(channel, {**reply, "last": last}, body)
        if last:
            return


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes of address space, and of memory held."""

    space: int
    held: int


def _bounded(answer: Answer, language: Language, source: bytes, memory: Memory | None) -> tuple[dict[str, Any], bytes]:
    """The answer under the limits. Without a word about memory from the system (macOS) only time is limited."""
    if memory is not None:
        _limit_space(memory.space + limits.space(len(source)))
    signal.setitimer(signal.ITIMER_PROF, limits.cpu_s(len(source)))
    try:
        return {}, answer(language, source)
    except MemoryError:
        return {"refused": "memory"}, b""
    except Exception:  # noqa: BLE001 - whatever a text brings about, it is the text's
        return {"refused": "crash"}, b""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        _limit_space(resource.RLIM_INFINITY)


def _outline(language: Language, source: bytes) -> bytes:
    made = outlined(language, source)
    if len(made.symbols) > limits.SYMBOLS_MAX or len(made.errors) > limits.ERRORS_MAX:
        made = Outline(source, parsed=False, language=language.name)
    return codec.encoded(made)


def _bindings(language: Language, source: bytes) -> bytes:
    return codec.encoded_bindings(binding.bindings(language, source))


def _colouring() -> Any:
    from tslp_litellm.syntax import colouring  # noqa: PLC0415 - Pygments, for the few texts that are looked at

    return colouring


def _pieces(language: Language, source: bytes) -> bytes:
    return orjson.dumps(_colouring().pieces(language, source.decode()))


_ANSWERS: dict[str, Answer] = {
    "outline": _outline,
    "bindings": _bindings,
    "pieces": _pieces,
}
"""What may be asked about a text."""


def _limit_space(most: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))


def memory() -> Memory | None:
    """What the process has; None where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - a path object costs more than the read
            space, held, *_ = file.read().split()
    except OSError:
        return None
    return Memory(int(space) * _PAGE_BYTES, int(held) * _PAGE_BYTES)
