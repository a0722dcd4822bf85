"""Containers: a command that runs in one may change the files of ours that are mounted there, under other paths."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import replace

from tslp_litellm.shell.effects import Dirtied, Effect, Formatted, Ran, touched
from tslp_litellm.shell.evaluation import EITHER
from tslp_litellm.shell.expansion import Field
from tslp_litellm.shell.simple import Call, Result
from tslp_litellm.shell.targets import ANYWHERE, UNKNOWN, At, Like, Target, escaped

ENGINES = frozenset({"docker", "podman", "nerdctl", "docker-compose"})
_MOUNTS = ("-v", "--volume", "--mount", "--volumes-from")
_FLAGS = frozenset(
    {"-i", "-t", "-it", "-ti", "-d", "-dit", "-T", "-q", "--rm", "--init", "--privileged", "--interactive", "--tty"}
    | {"--detach", "--read-only", "--no-deps", "--build", "--quiet", "--no-TTY", "--service-ports", "--use-aliases"}
    | {"-P", "--publish-all", "--no-healthcheck", "--remove-orphans", "--quiet-pull"}
)
"""Options that take no value; any other one may."""


def contained(call: Call, execute: Callable[[Call], Result]) -> Result | None:
    """Run a command in a container; None where an engine does something else."""
    texts = call.texts
    verb = next((n for n, text in enumerate(texts) if text in ("run", "exec")), None)
    if verb is None or any(_is_another(text) for text in texts[:verb]):
        return None
    composed = call.name == "docker-compose" or "compose" in texts[:verb]
    arguments = call.arguments[verb + 1 :]
    if texts[verb] == "run" and not composed and not any(_mounts(argument) for argument in arguments):
        return Result(call.run.status(call.shell, call.point), None)
    inner = _inner(list(arguments))
    before = len(call.run.effects)
    if not inner or inner[0].text is None:
        call.run.dirty([ANYWHERE], call.shell, call.point)
    else:
        shell = call.shell.copy()
        shell.folder, shell.functions = UNKNOWN, {}
        execute(replace(call, name=inner[0].text, arguments=tuple(inner[1:]), shell=shell, point=call.point.maybe()))
    call.run.effects[before:] = [_outside(effect) for effect in call.run.effects[before:]]
    return Result(EITHER, None)


def _is_another(text: str | None) -> bool:
    return text in ("cp", "build", "buildx", "push", "pull", "logs", "up")


def _mounts(argument: Field) -> bool:
    text = argument.text if argument.text is not None else str(argument.parts[0])
    return text.startswith(_MOUNTS)


def _inner(arguments: list[Field]) -> list[Field]:
    """The command: what stands behind the image or the service."""
    while arguments and (text := arguments[0].text) is not None and text.startswith("-"):
        arguments = arguments[1 if text in _FLAGS or "=" in text else 2 :]
    return arguments[1:]


def _outside(effect: Effect) -> Effect:
    """An effect as seen from outside, where the container's folders have other paths."""
    if isinstance(effect, Ran):
        return replace(effect, folder=None)
    if isinstance(effect, Formatted):
        targets = tuple(_anywhere(target, ".") for target in effect.targets)
        return replace(effect, by="", targets=targets)
    return Dirtied(tuple(_anywhere(target) for target in touched(effect)))


def _anywhere(target: Target, mark: str = "") -> Target:
    """A file of that name in any folder; any file where the name is of a folder (`mark`: what a file's name holds)."""
    if isinstance(target, At):
        name = posixpath.basename(target.path)
        return Like(None, escaped(name)) if name.strip(".") and mark in name else ANYWHERE
    return Like(None, "**" + target.tail.lstrip("*")) if target.folder else target
