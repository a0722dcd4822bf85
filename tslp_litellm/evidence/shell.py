"""What a shell command does to files: writes, removals and moves where the text or the name is literal, else drift.

The commands are known by `data/shell.json`. What is not known there is taken to change no file of the conversation.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any

from tslp_litellm.evidence.apply_patch import parse_patch
from tslp_litellm.evidence.paths import paths_in
from tslp_litellm.evidence.values import Carrier, Drift, Edit, FileChange, Insertion, Removal, Shown, Transfer
from tslp_litellm.parser import commands
from tslp_litellm.state.names import is_absolute
from tslp_litellm.syntax.commands import Command, Word

EVERYTHING = Drift((), Carrier.SHELL)
_ASIDE = re.compile(r"/dev/|/tmp/|/var/tmp/|/proc/")
_PATCH_ECHO = re.compile(r"\*\*\* Begin Patch")
_INTERPRETERS = frozenset(
    {"python", "python3", "node", "ruby", "perl", "deno", "bun", "php", "pypy3", "tsx", "ts-node"}
)
_SCRIPTED = frozenset({"sed", "gsed", "awk", "gawk", "perl", "ruby"})
_SCRIPT_FOLLOWS, _SCRIPT_GLUED = r"-\w*[ef]|--(?:expression|file)", r"-[nErsz]*[ef].|--(?:expression|file)="
_PATCHERS = frozenset({"apply_patch", "applypatch"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})


@dataclass(frozen=True, slots=True)
class Script:
    """A script, read. `changes` in order; `certain`: its exit status tells whether they were made."""

    changes: tuple[FileChange, ...] = ()
    certain: bool = True


@dataclass(slots=True)
class _Reader:
    """The folder that a script stands in (None: unknown), and what it did so far."""

    folder: str | None = ""
    changes: list[FileChange] = field(default_factory=list)


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((resources.files("tslp_litellm") / "data" / "shell.json").read_text("utf-8"))
    for kind in ("harmless", "rewriting", "everything"):
        data[kind] = re.compile("|".join(f"(?:{p})" for p in data[kind]))
    for kind in ("writing_code", "powershell", "unsure"):
        data[kind] = re.compile(data[kind], re.M)
    return data


def read_script(script: str, folder: str = "") -> Script:
    """What a script does, begun in a folder (empty: the working directory)."""
    if _data()["powershell"].search(script):
        return Script((Drift(tuple(paths_in(script)), Carrier.SHELL),), certain=False)
    found = commands(script)
    if found is None:
        if _PATCH_ECHO.search(script):
            return Script(tuple(_in_folder(parse_patch(script, Carrier.SHELL), _Reader(folder))))
        return Script((EVERYTHING,), certain=False) if _data()["unsure"].search(script) else Script()
    reader, certain = _Reader(folder), True
    for command in found:
        before = len(reader.changes)
        _read(command, reader)
        if len(reader.changes) > before:
            if not command.sure:
                reader.changes[before:] = [_loose(change) for change in reader.changes[before:]]
            certain = command.last and before == 0 and _all_or_nothing(command, reader.changes)
    return Script(tuple(reader.changes), certain)


def _all_or_nothing(command: Command, changes: list[FileChange]) -> bool:
    """Whether a command that failed has changed nothing: a patch, or one change that can't be made in part."""
    if command.sure and any((word.text or "") in _PATCHERS for word in _unwrapped(command.words)[:1]):
        return True
    only = changes[0] if len(changes) == 1 else None
    return isinstance(only, (Shown, Edit, Transfer)) or (isinstance(only, Removal) and not only.tree)


def path_shown(script: str, folder: str = "") -> str | None:
    """The path of a script that is only `cat PATH`."""
    found = commands(script)
    if found is None or len(found) != 1 or found[0].name != "cat" or found[0].output or found[0].input is not None:
        return None
    words = [word for word in found[0].words[1:] if word.text != "--"]
    if len(words) != 1 or words[0].text is None or words[0].glob or words[0].text.startswith("-"):
        return None
    return posixpath.join(folder, words[0].text)


def _loose(change: FileChange) -> FileChange:
    """A change that may or may not have been made."""
    match change:
        case Drift():
            return change
        case Transfer(path=path, to=to):
            return Drift((path, to), Carrier.SHELL)
        case _:
            return Drift((change.path,), Carrier.SHELL)


def _read(command: Command, reader: _Reader) -> None:
    words = _unwrapped(command.words)
    name = (words[0].text or "").rsplit("/", 1)[-1] if words else ""
    if name == "cd" or name in ("pushd", "chdir"):
        _enter(words[1:] if command.sure else [], reader)
        return
    if name in _SHELLS and _inner(words) is not None:
        script = read_script(_inner(words) or "", reader.folder or "")
        reader.changes += script.changes
        return
    if name in _PATCHERS:
        text = command.input if command.input is not None else next((w.text for w in words[1:] if w.text), "")
        reader.changes += _in_folder(parse_patch(text, Carrier.SHELL), reader) or [EVERYTHING]
        return
    handler = _HANDLERS.get(name)
    if handler is not None:
        handler(words, command, reader)
    elif name:
        _by_table(words, name, command, reader)
    _output(words, name, command, reader)


def _unwrapped(words: list[Word]) -> list[Word]:
    """The words without `sudo`, `npx`, `FOO=1 env`, `timeout 10` and the like."""
    while words:
        joined = " ".join(word.text or "\0" for word in words[:2])
        one, two = words[0].text in _data()["wrappers"], joined in _data()["wrappers"]
        if not one and not two and words[0].text != "timeout":
            return words
        words = words[2:] if two or words[0].text == "timeout" else words[1:]
        while words and (words[0].text or "").startswith("-"):
            words = words[1:]
        while words and re.match(r"\w+=", words[0].text or ""):
            words = words[1:]
    return words


def _inner(words: list[Word]) -> str | None:
    """The script of `bash -lc SCRIPT`."""
    for n, word in enumerate(words[1:-1], 1):
        if word.text and re.fullmatch(r"-\w*c", word.text):
            return words[n + 1].text
    return None


def _enter(words: list[Word], reader: _Reader) -> None:
    target = words[0] if words else Word(None)
    if target.text is None or target.glob or target.text == "-":
        reader.folder = None
    elif is_absolute(target.text) or reader.folder is not None:
        reader.folder = posixpath.join(reader.folder or "", target.text)


def _paths(words: Iterable[Word], reader: _Reader) -> list[str] | None:
    """The words as paths seen from the working directory; None where one of them can't be known."""
    found: list[str] = []
    for word in words:
        if word.text is None or (reader.folder is None and not is_absolute(word.text)):
            return None
        path = posixpath.join(reader.folder or "", word.text)
        if word.glob:
            stem = re.split(r"[*?\[{~]", path, maxsplit=1)[0]
            if "/" not in stem:
                return None
            path = stem.rpartition("/")[0] + "/"
        found.append(path)
    return found


def _operands(words: list[Word]) -> list[Word]:
    end = next((n for n, word in enumerate(words) if word.text == "--"), None)
    if end is not None:
        return _operands(words[:end]) + words[end + 1 :]
    return [word for word in words[1:] if word.text is None or not word.text.startswith("-")]


def _files(words: list[Word], name: str) -> list[Word]:
    """The operands that are files: no subcommands, and those of `sed` and its like less their script."""
    operands = [word for word in _operands(words) if word.text != ""]
    if name in _data()["subcommands"]:
        return [word for word in operands if word.text is None or "." in word.text or "/" in word.text]
    if name not in _SCRIPTED:
        return operands
    said = [n for n, word in enumerate(words) if n and re.fullmatch(_SCRIPT_FOLLOWS, words[n - 1].text or "")]
    if said:
        return [word for word in operands if not any(word is words[n] for n in said)]
    glued = any(re.match(_SCRIPT_GLUED, word.text or "") for word in words)
    return operands if glued or name in ("perl", "ruby") else operands[1:]


def _by_table(words: list[Word], name: str, command: Command, reader: _Reader) -> None:
    line = " ".join([name, *(word.text if word.text is not None else "$" for word in words[1:])])
    if name in _INTERPRETERS:
        _program(words, command, reader)
    if _data()["harmless"].search(line):
        return
    if _data()["rewriting"].search(line):
        paths = _paths(_files(words, name), reader)
        reader.changes.append(EVERYTHING if not paths or "." in paths else Drift(tuple(paths), Carrier.SHELL))
    elif _data()["everything"].search(line):
        reader.changes.append(_drift_of_git(words, reader) if name == "git" else EVERYTHING)


def _drift_of_git(words: list[Word], reader: _Reader) -> Drift:
    """`git checkout -- a.py` and `git restore a.py` change some files; other forms may change any."""
    if len(words) < 2 or words[1].text not in ("checkout", "restore"):
        return EVERYTHING
    rest = words[2:]
    texts = [word.text for word in rest]
    if "--" in texts:
        rest = rest[texts.index("--") + 1 :]
    elif words[1].text == "checkout" and not all(t and paths_in(t) for t in texts):
        return EVERYTHING
    paths = _paths([w for w in rest if not (w.text or "").startswith("-")], reader)
    return Drift(tuple(paths), Carrier.SHELL) if paths and "." not in paths else EVERYTHING


def _program(words: list[Word], command: Command, reader: _Reader) -> None:
    """A program given on the command line: it changes files if it has words for that."""
    given = [w.text for n, w in enumerate(words) if n and words[n - 1].text in ("-c", "-e", "--eval", "-p", "-r")]
    if command.input is None and not given:
        return
    text = "\n".join([command.input or "", *(t or "open('', 'w')" for t in given)])
    if _data()["writing_code"].search(text):
        paths = [posixpath.join(reader.folder or "", path) for path in paths_in(text)]
        reader.changes.append(Drift(tuple(paths), Carrier.SHELL) if paths and reader.folder is not None else EVERYTHING)


def _remove(words: list[Word], _command: Command, reader: _Reader) -> None:
    tree = any(re.match(r"-\w*[rR]|--recursive", word.text or "") for word in words)
    paths = _paths(_operands(words), reader)
    if paths is None:
        reader.changes.append(EVERYTHING)
        return
    for word, path in zip(_operands(words), paths, strict=True):
        gone = Drift((path,), Carrier.SHELL) if word.glob else Removal(path.rstrip("/"), Carrier.SHELL, tree)
        reader.changes.append(gone)


def _move(words: list[Word], _command: Command, reader: _Reader) -> None:
    keep = words[0].text == "cp"
    tree = keep and any(re.match(r"-\w*[rRa]|--recursive|--archive", word.text or "") for word in words)
    operands = _operands(words)
    paths = _paths(operands, reader)
    if paths is None or len(paths) < 2:
        reader.changes.append(EVERYTHING)
        return
    *sources, to = paths
    into = len(sources) > 1 or to.endswith("/")
    for source in sources:
        target = posixpath.join(to, posixpath.basename(source)) if into else to
        if tree or source.endswith("/"):
            reader.changes.append(Drift((target, source), Carrier.SHELL))
        else:
            reader.changes.append(Transfer(source, target, Carrier.SHELL, keep=keep))


def _git(words: list[Word], command: Command, reader: _Reader) -> None:
    """`git rm` and `git mv` are `rm` and `mv`; `git -C folder …` is elsewhere."""
    while len(words) > 2 and (words[1].text or "").startswith("-"):
        words = [words[0], *words[3 if words[1].text in ("-C", "-c") else 2 :]]
    verb = words[1].text if len(words) > 1 else None
    line = " ".join(word.text or "$" for word in words)
    if verb in ("rm", "mv") and not _data()["harmless"].search(line):
        (_remove if verb == "rm" else _move)([words[1], *words[2:]], command, reader)
    else:
        _by_table(words, "git", command, reader)


def _tee(words: list[Word], command: Command, reader: _Reader) -> None:
    append = any(word.text in ("-a", "--append") for word in words)
    for word in _operands(words):
        _write(word, append, command.input, reader)


_HANDLERS = {"rm": _remove, "unlink": _remove, "mv": _move, "cp": _move, "git": _git, "tee": _tee}


def _output(words: list[Word], name: str, command: Command, reader: _Reader) -> None:
    """What a command writes through `>`."""
    for target, append in command.output:
        _write(target, append, _printed(words, name, command), reader)


def _printed(words: list[Word], name: str, command: Command) -> str | None:
    """What a command prints, where that is literal."""
    texts = [word.text for word in words[1:] if not word.glob]
    if len(texts) != len(words[1:]) or any(text is None for text in texts):
        return None
    said = " ".join(text or "" for text in texts)
    match name:
        case "cat" if not texts or texts == ["-"]:
            return command.input
        case "echo" if "\\" not in said and not said.startswith("-"):
            return said + "\n"
        case "echo" if "\\" not in said and said.startswith("-n "):
            return said[3:]
        case "printf" if len(texts) == 1 and "%" not in said and not re.search(r"\\[^nt]", said):
            return said.replace("\\n", "\n").replace("\\t", "\t")
        case ":" | "true" | "":
            return ""
        case _:
            return None


def _write(target: Word, append: bool, text: str | None, reader: _Reader) -> None:
    if target.text is not None and (_ASIDE.match(target.text) or target.text.startswith("&") or target.text == "-"):
        return
    paths = _paths([target], reader)
    if paths is None:
        reader.changes.append(EVERYTHING)
    elif text is None or paths[0].endswith("/"):
        reader.changes.append(Drift((paths[0],), Carrier.SHELL))
    elif append:
        reader.changes.append(Edit(paths[0], (Insertion(text, exact=True),), Carrier.SHELL))
    else:
        reader.changes.append(Shown(paths[0], text, Carrier.SHELL, whole=True))


def _in_folder(changes: list[FileChange], reader: _Reader) -> list[FileChange]:
    """The changes of a patch, its paths seen from the working directory."""
    return [moved(change, reader.folder) for change in changes] if reader.folder else changes


def moved(change: FileChange, folder: str | None) -> FileChange:
    """A change with its relative paths below a folder."""
    base = folder or ""
    if isinstance(change, Drift):
        return replace(change, paths=tuple(posixpath.join(base, path) for path in change.paths))
    if isinstance(change, Transfer):
        return replace(change, path=posixpath.join(base, change.path), to=posixpath.join(base, change.to))
    return replace(change, path=posixpath.join(base, change.path))
