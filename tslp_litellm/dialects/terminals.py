"""Commands in a terminal's session that a user pastes: what stands behind a prompt was run (SEMANTICS 2).

Nobody says that it ended well, or in which folder: it proves nothing, and what it may have changed is of unknown text.
What it shows of files is no truth either, but may contradict ours (`dialects/sessions.py`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tslp_litellm.dialects.fences import Fence
from tslp_litellm.dialects.lines import split_lines
from tslp_litellm.parser.budget import spend
from tslp_litellm.shell import is_program
from tslp_litellm.shell.naming import names_files

COMMANDS_MAX = 200
"""So many commands of one text are looked at."""
LINE_CHARS_MAX = 4_000
"""Longer lines are nobody's commands."""
_SESSIONS = frozenset(
    {"", "console", "terminal", "shell", "bash", "sh", "zsh", "fish", "shellsession", "shell-session", "sh-session",
     "session", "powershell", "ps1", "pwsh", "cmd", "text", "txt", "plaintext", "output", "log", "pycon", "python"}
)  # fmt: skip
"""What fences are called that may hold a session."""
_PRINTED = frozenset({"", "console", "terminal", "text", "txt", "plaintext", "output", "log"})
"""What fences are called that hold what something printed."""
_PLACE = r"[^\s$%#❯➜>]{0,200}"
_BRANCH = r"(?: ?(?:git:)?[(\[][\w./+!?*✗ :-]{1,80}[)\]][*✗+!? ]{0,3})?"
_HEAD = (
    r"[ \t]{0,8}(?:[╰└]─{1,3} ?)?(?:\([\w.+-]{1,40}\) )?(?:"
    rf"\[?[\w.-]{{1,40}}@[\w.-]{{1,60}}[: ]{{0,2}}(?P<of_host>{_PLACE}){_BRANCH}\]? ?[$%#❯>]|"  # in a folder of a host
    rf"(?:(?P<alone>[~/]{_PLACE}){_BRANCH} ?)?[$%❯]|"
    rf"(?P<of_shell>[~/]{_PLACE}){_BRANCH} ?>|"
    r"[\w.-]{1,40} (?:git:)?\([^\s()]{1,80}\)[ ✗*]{0,3}[$%❯]|"
    r"(?P<themed>[~/][^\s❯]{0,200}) [^\n❯]{1,80}❯|"
    r"(?:ba|z|da|k)?sh-[\d.]{1,8}[$#]|"
    r"➜ {0,2}(?:[^\s:]{1,80} (?:git:\([^\s()]{1,80}\) )?(?:✗ )?)?(?=\S)|"
    r"(?:PS )?(?P<drive>[A-Za-z]:[\\/][^>\n]{0,200})>|"
    r"PS (?P<of_powershell>[~/][^>\n]{0,200})>)"
)
_PROMPT = re.compile(rf"\A{_HEAD} ?(?<=[ >])(?P<command>[^\s].*)")
_FOLDERS = ("of_host", "alone", "of_shell", "themed", "drive", "of_powershell")
"""The groups of a prompt that hold a folder."""
_IDLE = re.compile(rf"\A{_HEAD}\s{{0,4}}\Z")
"""A prompt behind which nothing was typed yet."""
_BANG = re.compile(r"! ?(?P<command>[A-Za-z./~][^\n]*)")
_PYTHON = re.compile(r"(?:>>>|In \[\d{1,6}\]:) (?P<command>\S.*)")
_MAGIC = "!%"
"""With what IPython's own commands begin, and a shell's in it."""
_SCRIPTS = frozenset({"bash", "sh", "zsh", "fish", "powershell", "ps1", "pwsh", "cmd"})
"""What fences are called that may hold a script: there a line is run only behind what may be a prompt."""
_SIGN = re.compile(r"[$%❯➜→»›λ▶✗✔]\s{0,4}\Z")
_SIGN_OR_MARK = re.compile(r"[$%#>+|❯➜→»›λ▶✗✔]\s{0,4}\Z|\A\s{0,8}(?:\d{1,6}\*?\s{1,4})?\Z")
"""In what a prompt of an unknown shell ends; that may be the number of a line of its history, or nothing."""
NEAR_CHARS = 40
WORDS_BEFORE_MAX = 8
"""A prompt has no more words."""
_TOKEN = re.compile(r"\S+")
_COLOURS = re.compile(r"\x1b(?:\[[\d;?]{0,40}[A-Za-z]|\][^\x07\x1b\n]{0,400}\x07)")


@dataclass(frozen=True, slots=True)
class Typed:
    """A command that stands behind a prompt. `place`: the folder that the prompt names, empty where it names none;
    `output`: the lines below it, up to the next prompt; `spoken`: the user's own words may follow there. `shown`: False
    where nobody knows what stands below."""

    command: str
    place: str = ""
    output: tuple[str, ...] = ()
    spoken: bool = False
    shown: bool = True


def typed_in(prose: Sequence[str], blocks: Sequence[Fence], files: Collection[str]) -> Iterator[list[Typed]]:
    """The commands that stand behind prompts, in the lines of prose and in fences that are no file's text (`files`), as
    scripts; those of one session together. A message of a client's may be nothing but `!` and a command."""
    said = [line for line in prose if line.strip()]
    if said and (bang := _BANG.match(said[0])) is not None:
        yield [Typed(bang["command"], shown=False)]
    held = (block for block in blocks if block.info.lower() in _SESSIONS and block.body not in files)
    left = COMMANDS_MAX
    for lines, around in ((prose, blocks), *((split_lines(block.body), ()) for block in held)):
        session = list(islice(_behind_prompts(lines, around, lines is prose), left))
        left -= len(session)
        if session:
            yield session


def unprompted_in(prose: Sequence[str], blocks: Sequence[Fence], files: Collection[str]) -> Iterator[str]:
    """Lines that read as commands, behind whatever may be a prompt that nobody knows: a known program's name, and files
    named behind it. In a fence that holds what a terminal showed, a line needs none in front of it."""
    sides: list[tuple[Sequence[str], re.Pattern[str]]] = [(prose, _SIGN)]
    for block in blocks:
        if (info := block.info.lower()) in _SESSIONS - {"python", "pycon"} and block.body not in files:
            sides.append((split_lines(block.body), _SIGN if info in _SCRIPTS else _SIGN_OR_MARK))
    found = (command for lines, sign in sides for line in lines for command in _command_in(line, sign))
    yield from islice(found, COMMANDS_MAX)


def _command_in(line: str, sign: re.Pattern[str]) -> Iterator[str]:
    """The command in a line without a known prompt, if there is one."""
    line = _COLOURS.sub("", line[: LINE_CHARS_MAX + 1])
    if len(line) > LINE_CHARS_MAX or _prompt(line) is not None or not names_files(line):
        return
    for word in islice(_TOKEN.finditer(line), WORDS_BEFORE_MAX):
        before = line[max(word.start() - NEAR_CHARS, 0) : word.start()]
        if sign.search(before if word.start() else "") and is_program(word.group()) and names_files(line[word.end() :]):
            yield line[word.start() :]
            return


def printed_in(blocks: Sequence[Fence], files: Collection[str]) -> Iterator[str]:
    """Fences that hold what something printed, without the command that did: those that are no file's text, and called
    nothing else."""
    for block in blocks:
        if (
            block.info.lower() in _PRINTED
            and block.body not in files
            and not any(map(_prompt, split_lines(block.body)))
        ):
            yield _COLOURS.sub("", block.body)


def _behind_prompts(lines: Sequence[str], blocks: Sequence[Fence], spoken: bool) -> Iterator[Typed]:
    """`blocks`: the fences between the lines; `spoken`: these are the user's words, and not a fence."""
    plain = [_COLOURS.sub("", line) if "\x1b" in line else line for line in lines]
    prompts = [(n, match) for n, line in enumerate(plain) if (match := _prompt(line)) is not None]
    for at, (n, match) in enumerate(prompts):
        spend()
        command = match.groupdict().get("command")
        if command is None:
            continue
        if match.re is _PYTHON and command[0] not in _MAGIC:
            yield Typed(f"python3 - <<'EOF'\n{command}\nEOF\n", shown=False)
            continue
        whole, first = _whole(command.lstrip(_MAGIC) if match.re is _PYTHON else command, plain, n)
        end = prompts[at + 1][0] if at + 1 < len(prompts) else len(plain)
        output, inside = _below(plain, first, end, blocks)
        shown = match.re is not _PYTHON
        yield Typed(whole, _place(match), _outdented(plain[n], output), spoken and not inside, shown)


def _prompt(line: str) -> re.Match[str] | None:
    if len(line) > LINE_CHARS_MAX:
        return None
    return _PROMPT.match(line) or _IDLE.match(line) or _PYTHON.match(line.lstrip())


def _place(match: re.Match[str]) -> str:
    """The folder that a prompt names."""
    groups = match.groupdict()
    named = (groups[name] for name in _FOLDERS if groups.get(name))
    place = next(named, "").replace("\\", "/")
    return place if place.startswith(("~", "/")) or groups.get("drive") else ""


def _whole(command: str, lines: Sequence[str], n: int) -> tuple[str, int]:
    """A command with the lines that it goes on in, and the number of the line below."""
    while command.endswith("\\") and n + 1 < len(lines) and len(command) < LINE_CHARS_MAX:
        n += 1
        command = command[:-1] + lines[n].removeprefix("> ")
    return command, n + 1


def _below(lines: Sequence[str], first: int, end: int, blocks: Sequence[Fence]) -> tuple[Sequence[str], bool]:
    """What stands below a command, and whether in a fence of its own."""
    at = bisect_left(blocks, first, key=lambda block: block.first)
    if at == len(blocks) or blocks[at].first >= end:
        return lines[first:end], False
    above = lines[first : blocks[at].first]
    return (above, False) if any(line.strip() for line in above) else (split_lines(blocks[at].body), True)


def _outdented(prompt: str, output: Sequence[str]) -> tuple[str, ...]:
    """Lines without what the prompt above is indented by, and without empty ones at their end."""
    indent = prompt[: len(prompt) - len(prompt.lstrip(" \t"))]
    last = next((n for n in range(len(output), 0, -1) if output[n - 1].strip()), 0)
    return tuple(line.removeprefix(indent) for line in output[:last])


def led_to(prose: Sequence[str], blocks: Sequence[Fence]) -> Iterator[tuple[str, str]]:
    """The fences of commands with the line that leads to each, where one that ends in a colon does."""
    above, read = "", 0
    for block in sorted(blocks, key=lambda block: block.first):
        while read < block.first:
            above, read = prose[read].strip() or above, read + 1
        if block.info.lower() not in _SESSIONS - {"python", "text", "txt", "log", "output"}:
            continue
        if above.endswith(":") and len(above) < LINE_CHARS_MAX:
            yield above[:-1], block.body
