"""Subjects: whatever reads a text that others wrote. Found, not listed.

- every language, in the parser's processes;
- every public function of the reading packages that takes a text;
- whole requests, with the text in each place where a client or a model can put one.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import tslp_litellm
from tslp_litellm import parser
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.shell import Outcome, evaluate
from tslp_litellm.syntax import fallback
from tslp_litellm.syntax.languages import LANGUAGES, Language
from tslp_litellm.wire.openai_chat import OpenAIChat
from tslp_litellm.words.mentions import mentions

from . import alphabets

PACKAGES = ("wire", "dialects", "clients", "conversation", "words", "hydration", "resolution", "state")
"""Where what others wrote is read in the proxy's own process."""
READING, PARSER = "reading", "parser"
GIVEN: dict[str, Any] = {"str": "a.py", "str | None": None, "bool": False, "int": 1}
"""Arguments beside the text, by their type."""
CALLS = {
    "read_file": {"path": "a.py"},
    "read_files": {"files": ["a.py"]},
    "Write": {"file_path": "a.py", "content": "x = 1\n"},
    "Edit": {"file_path": "a.py", "old_string": "x", "new_string": "y"},
    "bash": {"command": "cat a.py"},
    "apply_patch": {"input": "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\n"},
    "grep": {"pattern": "x"},
}
"""One call of each family of tools, whose result is hostile."""
ARGUMENTS = {
    "Write": ("file_path", "content"),
    "Edit": ("old_string", "new_string"),
    "apply_diff": ("path", "diff"),
    "apply_patch": ("input",),
    "bash": ("command",),
    "multi_edit": ("edits",),
}
"""The arguments of calls that are hostile."""


@dataclass(frozen=True)
class Subject:
    """What is swept: `read` takes a text. `level`: where its work is done."""

    level: str
    name: str
    tokens: tuple[str, ...]
    read: Callable[[str], object]


@functools.cache
def subjects() -> tuple[Subject, ...]:
    """All of them, in a fixed order."""
    return (*languages(), *readers(), *places())


def languages() -> Iterator[Subject]:
    """Every row of the table of languages that has a grammar or patterns; and shell scripts, evaluated."""
    for language in LANGUAGES:
        if language.grammar or language.components or fallback.rules_for(language.name):
            yield Subject(PARSER, language.name, alphabets.of_language(language), _outlined(language))
    bash = next(language for language in LANGUAGES if language.name == "bash")
    yield Subject(PARSER, "shell", alphabets.of_language(bash), lambda text: evaluate(text, Outcome.UNKNOWN))


def _outlined(language: Language) -> Callable[[str], object]:
    return lambda text: parser.outline(language, text)


def modules() -> list[ModuleType]:
    """The modules of the reading packages."""
    found = (
        info.name
        for info in pkgutil.walk_packages(tslp_litellm.__path__, "tslp_litellm.")
        if info.name.split(".")[1] in PACKAGES
    )
    return [importlib.import_module(name) for name in found]


def readers() -> Iterator[Subject]:
    """Public functions whose first argument is a text and whose others can be given."""
    for module in modules():
        for name, function in vars(module).items():
            if name[0] != "_" and inspect.isfunction(function) and function.__module__ == module.__name__:
                given = _arguments(function)
                if given is not None:
                    where = f"{module.__name__.removeprefix('tslp_litellm.')}.{name}"
                    yield Subject(READING, where, alphabets.of_module(module), _called(function, given))


def _arguments(function: Callable[..., object]) -> inspect.BoundArguments | None:
    """What a reader is given behind the text, by position or by name; None for what is no reader."""
    first, *others = inspect.signature(function).parameters.values() or [None]
    if first is None or first.annotation != "str" or inspect.signature(function).return_annotation == "None":
        return None
    needed = [p for p in others if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    if any(p.annotation not in GIVEN for p in needed):
        return None
    given = inspect.Signature(needed)
    named = {p.name: GIVEN[p.annotation] for p in needed if p.kind is p.KEYWORD_ONLY}
    return given.bind(*(GIVEN[p.annotation] for p in needed if p.name not in named), **named)


def _called(function: Callable[..., object], given: inspect.BoundArguments) -> Callable[[str], object]:
    def call(text: str) -> object:
        found = function(text, *given.args, **given.kwargs)
        return list(found) if isinstance(found, Iterator) else found

    return call


def places() -> Iterator[Subject]:
    """A text in each place of a request, read as the pre-flight reads it."""
    tokens = tuple(dict.fromkeys(token for module in modules() for token in alphabets.of_module(module)))
    yield Subject(READING, "request/user", tokens, lambda text: _read([_said("user", text)]))
    yield Subject(READING, "request/assistant", tokens, lambda text: _read([_said("assistant", text)]))
    yield Subject(READING, "request/system", tokens, lambda text: _read([_said("system", text), _said("user", "x")]))
    for tool, arguments in CALLS.items():
        yield Subject(
            READING, f"result/{tool}", tokens, lambda text, t=tool, a=arguments: _read(_call(t, json.dumps(a), text))
        )
    for tool, names in ARGUMENTS.items():
        for name in names:
            yield Subject(
                READING,
                f"argument/{tool}.{name}",
                tokens,
                lambda text, t=tool, n=name: _read(_call(t, _hostile(n, text), "ok")),
            )
    yield Subject(READING, "arguments/raw", tokens, lambda text: _read(_call("Write", text, "ok")))


def _hostile(name: str, text: str) -> str:
    edits = [{"old_string": text, "new_string": "x"}]
    return json.dumps({"path": "a.py", "content": "x", name: edits if name == "edits" else text})


def _said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


def _call(tool: str, arguments: str, result: str) -> list[dict[str, Any]]:
    call = {"id": "c", "type": "function", "function": {"name": tool, "arguments": arguments}}
    return [
        _said("user", "Go on."),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": result},
    ]


def _read(messages: list[dict[str, Any]]) -> None:
    """All that a pre-flight reads of a request: its evidence, what it shows, and whom it mentions."""
    readings = ReadingCache()
    talk = readings.talk(OpenAIChat().parse({"messages": messages}))
    for n in range(len(talk.items)):
        readings.evidence(talk, n)
        readings.shown(talk, n)
    mentions(talk.prose)
