"""What a client that nobody knows may have run of an answer: fences, tags, brackets, lines of a form of its own.

No form is listed here. Whatever is set off from the prose, and is no file's text under its path, may have been carried
out: as commands, as a program, as a call by its name and arguments; else what it names may have changed (SEMANTICS 2,
Positive proof). Whether anything was, the next message tells (`clients/text_runs.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tslp_litellm import shell
from tslp_litellm.clients.tools import changes_nothing, kind_of
from tslp_litellm.dialects.fences import Fence, fences, prose_lines
from tslp_litellm.dialects.labelled import has_edit_markers
from tslp_litellm.dialects.lines import join_lines, line_from
from tslp_litellm.dialects.paths import hint_in_first_line, hint_in_info, hint_in_line, may_be_path, paths_in
from tslp_litellm.parser.budget import spend
from tslp_litellm.syntax.languages import language_of_fence

SHELLS = frozenset({"bash", "sh", "shell", "zsh", "fish", "console", "terminal", "cmd", "powershell", "ps1", "pwsh"})
"""What fences of commands are called by anybody."""
PROGRAMS = {"python": "python3", "python3": "python3", "py": "python3", "ipython": "python3", "javascript": "node",
            "js": "node", "node": "node", "ruby": "ruby", "perl": "perl"}  # fmt: skip
"""What runs the other fences that an interpreter's client runs."""
PARTS_MAX, PATHS_MAX = 50, 64
_CODE = re.compile(r"(?:^|[_.:-])(?:code|py|python|ipython|jupyter|interpreter)(?:$|[_.:-])")
_TAG = re.compile(r"<(?P<name>[A-Za-z][\w.:-]{0,60})(?P<attributes>\s[^<>\n]{0,400})?>")
_MARKED = re.compile(
    r"\A\s{0,8}(?:\[\[?\s?(?P<held>[A-Za-z][\w -]{0,40})\s?\]?\]:?\s{0,4}|(?P<label>[A-Za-z][\w-]{0,40}):\s{1,4}|"
    r"(?P<sign>[!$%❯]|>>)\s?|(?:\t| {4})\s{0,8})(?P<command>[^\s\[\]].*)"
)
_SIGNED = re.compile(
    r"\A\s{0,8}(?:[@%/:~^]{1,3}(?=\S{1,40} )|(?=[\w.]{1,80}\())(?P<name>[A-Za-z][\w.-]{0,80})(?P<rest>.*)"
)
"""A line that begins as a directive or a call does: `%%writefile a.py`, `write_file("a.py", text)`."""
_SURE = frozenset({"git", "sed", "mv", "cp", "rm", "perl", "python", "python3", "tee", "awk", "npm", "npx", "node"})
"""Programs whose names begin no sentence."""
_OPTION = re.compile(r" -{1,2}\w| >{1,2} ?\S")
_CLOSED = re.compile(r"\[\[?/[^\[\]]{1,60}\]\]?\s{0,9}\Z")
_INLINE = re.compile(r"`([^`\n]{1,40} [^`\n]{1,400})`")
"""A command within a sentence."""
_ACTION = re.compile(r"\A\s{0,8}(?:Action|Tool|Function|Call): {0,4}`?(?P<name>[\w.-]{1,80})`?\s{0,4}\Z", re.I)
_INPUT = re.compile(r"\A\s{0,8}(?:Action |Tool |Function )?(?:Input|Arguments|Args|Parameters): ?(?P<input>.*)", re.I)
_NAMES = ("action", "tool", "tool_name", "name", "function")
_ARGUMENTS = ("action_input", "arguments", "args", "parameters", "params", "tool_input", "kwargs", "input")
_END = "EOF_OF_THE_ANSWER"


@dataclass(frozen=True, slots=True)
class Part:
    """Something that may have been carried out, as a call of a tool."""

    tool: str
    arguments: dict[str, Any]


def script_of(language: str, text: str) -> str:
    """A fence as a shell script; one of another language is given to its program."""
    program = PROGRAMS.get(language)
    return f"{program} - <<'{_END}'\n{text}{_END}\n" if program else text


def parts_in(text: str, known: Collection[str], own: Collection[str]) -> Iterator[Part]:
    """What may have been run of an answer's text. `known`: tags of files; `own`: what clients call their fences."""
    text = text.replace("\n```<", "\n```\n<")  # a client's mark behind a fence's end
    blocks = fences(text) if "```" in text or "~~~" in text else []
    lines = prose_lines(text, blocks)
    for n, block in enumerate(blocks[:PARTS_MAX]):
        spend()
        yield from _of_fence(block, lines[blocks[n - 1].last + 1 if n else 0 : block.first], own)
    rest = yield from _of_tags(join_lines(lines), known)
    yield from _of_object(rest)
    yield from _of_lines(rest.split("\n"))


def _of_fence(block: Fence, above: Sequence[str], own: Collection[str]) -> Iterator[Part]:
    words = block.info.split()
    language = words[0].lower().strip("{}.") if words else ""
    hint = hint_in_info(block.info)
    if language in own or (language in SHELLS and hint is None):
        yield Part("bash", {"command": block.body})
        return
    acts = language == "patch" or (bool(language) and language_of_fence(language) is None and not may_be_path(words[0]))
    if acts and hint is not None:
        yield _named([hint.path])  # ```save util.py
        return
    said = [line for line in above if line.strip()]
    label = hint_in_line(said[-1]) if said else None
    labelled = hint is not None or (label is not None and label.sure) or hint_in_first_line(block.body) is not None
    if labelled or has_edit_markers(block.body):
        return
    if language in PROGRAMS or _CODE.search(language):
        yield Part("bash", {"command": script_of(language if language in PROGRAMS else "python", block.body)})
    elif acts or language in ("", "json", "text"):
        yield from _of_body(language or "run", block.body, named=acts and language != "patch")


def _of_body(name: str, body: str, named: bool) -> Iterator[Part]:
    """What is set off under some name: a call as JSON, commands, or, where the name is nobody's (`named`), something
    that may change what it names."""
    if (call := _call(name, body, named)) is not None:
        yield call
    elif shell.is_program(_first_word(body)):
        yield Part("bash", {"command": body.strip("\n") + "\n"})
    elif named and not changes_nothing(name, {}) and (paths := paths_in(body, PATHS_MAX)):
        yield _named(paths)


def _named(paths: Sequence[str]) -> Part:
    """Something that may change these files, whatever it is called."""
    return Part("carry_out", {"paths": [*paths[:PATHS_MAX]]})


def _first_word(body: str) -> str:
    return next(iter(body.lstrip("$` \t\n").split(None, 1)), "").rpartition("/")[2]


def _call(name: str, body: str, named: bool) -> Part | None:
    """A call that is written as JSON: its name and arguments in it, or only these below a name."""
    if not body.lstrip().startswith("{"):
        return None
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return None
    called = next((said[key] for key in _NAMES if isinstance(said.get(key), str)), name)
    given = next((said[key] for key in _ARGUMENTS if isinstance(said.get(key), (dict, str))), None)
    if given is None and not named:
        return None
    arguments = {"input": given} if isinstance(given, str) else said if given is None else given
    return None if kind_of(called, arguments) == "read" else Part(called, arguments)


def _of_tags(text: str, known: Collection[str]) -> Generator[Part, None, str]:
    """The parts in tags; gives back the text without them."""
    left, at, unclosed = list[str](), 0, set[str]()
    start = 0
    while (tag := _TAG.search(text, at)) is not None:
        spend()
        at, name = tag.end(), tag["name"]
        close = text.find(f"</{name}>", at) if name not in unclosed and name not in known else -1
        if close < 0:
            unclosed.add(name)
            continue
        yield from _of_tag(name.lower(), tag["attributes"] or "", text[at:close].strip("\n"))
        left.append(text[start : tag.start()])
        at = start = close + len(name) + 3
    return "\n".join([*left, text[start:]])


def _of_tag(name: str, attributes: str, inner: str) -> Iterator[Part]:
    if named := paths_in(attributes.replace('"', " ").replace("'", " "), PATHS_MAX):
        yield from [_named(named)] if not changes_nothing(name, {}) else []
    elif _CODE.search(name) and not inner.lstrip().startswith("{") and not shell.is_program(_first_word(inner)):
        yield Part("bash", {"command": script_of("python", inner + "\n")})
    else:
        yield from _of_body(name, inner, named=True)


def _of_object(text: str) -> Iterator[Part]:
    """A call that stands as JSON in the prose, from the beginning of a line on."""
    at = line_from(text, 0, "{")
    end = text.rfind("}") + 1
    if 0 <= at < end and (call := _call("", text[at:end], named=False)) is not None:
        yield call


def _of_lines(lines: Sequence[str]) -> Iterator[Part]:
    """Lines that are marked as commands, and calls whose name and arguments stand below each other."""
    found = 0
    for n, line in enumerate(lines):
        if found >= PARTS_MAX:
            return
        part = [_command(span) for span in _INLINE.findall(line[:4_000]) if shell.is_program(_first_word(span))]
        if (action := _ACTION.match(line)) is not None:
            part = list(_of_action(action["name"], lines[n + 1 :]))
        elif (marked := _MARKED.match(line[:4_000])) is not None and shell.is_program(_first_word(marked["command"])):
            part.append(_command(_CLOSED.sub("", marked["command"]).strip("`")))
        elif (signed := _SIGNED.match(line[:4_000])) is not None:
            part += _of_body(signed["name"].rpartition(".")[2], signed["rest"], named=True)
        elif _is_command(line[:4_000]):
            part.append(_command(line.strip()))
        found += len(part)
        yield from part


def _is_command(line: str) -> bool:
    """Whether a line without any mark is a command: its first word is a program's, and no verb or not as one."""
    name = _first_word(line)
    return name in _SURE or (shell.is_program(name) and _OPTION.search(line) is not None)


def _command(line: str) -> Part:
    return Part("bash", {"command": line})


def _of_action(name: str, below: Sequence[str]) -> Iterator[Part]:
    """A call by name; its input goes on to the text's end, for there its client stops the model."""
    given = _INPUT.match(below[0]) if below else None
    body = "\n".join([given["input"], *below[1:1_000]]) if given is not None else ""
    if not changes_nothing(name, {}):
        yield from _of_body(name, body.strip().strip("`"), named=True)
