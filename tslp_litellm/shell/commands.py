"""What programs are known to do (`data/shell.json`), with a strict schema: a row too many or misspelt stops the start.

A row is found by a program's name and, where it names them, its first words; the longest that fits counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cache

from tslp_litellm import data


class Does(StrEnum):
    """What a program does to files.

    `reads`: nothing. `rewrites`: changes its operands. `formats`: changes its operands, or all files of its languages
    where it has none. `generates`: changes the files that it is known to write. `runs`: runs somebody's program, which
    may have changed what it is given by name and what the output names. `anything`: may change any file.
    """

    READS = "reads"
    REWRITES = "rewrites"
    FORMATS = "formats"
    GENERATES = "generates"
    RUNS = "runs"
    ANYTHING = "anything"


class Row(data.Row):
    """One row: `run`: names, each with the words that must follow; `needs`: options of which one must be there, else it
    reads; `reads_with`: options with which it only reads; `values`: options that take the next word; `outputs`: options
    whose value is a file that it writes; `files`: names of files that it writes or formats, `%` for some characters,
    any file where there are none; `says`: patterns of output lines that name, as `path`, what it wrote; `counts`: of
    one that tells, as `count`, of how much it wrote, which is all where as much is named; `idle`: of one by which it
    says that it wrote nothing; `echoes`: of one that tells a `command` that it runs; `recipes`:
    files that hold, under the names that it is given, the commands that it runs; `harmless`: a pattern of words: where
    all that are given fit it, it reads; `writes_from`: the operand, counted from 1, from which on it writes them."""

    run: tuple[str, ...]
    does: Does
    needs: frozenset[str] = frozenset()
    reads_with: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    outputs: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    counts: str = ""
    idle: str = ""
    echoes: str = ""
    recipes: tuple[str, ...] = ()
    harmless: str = ""
    writes_from: int = 0


class Wrapper(data.Row):
    """A program that runs another one: `values`: options that take the next word; `takes`: words of its own before the
    other program's."""

    run: tuple[str, ...]
    values: frozenset[str] = frozenset()
    takes: int = 0
    limits: bool = False


class Interpreter(data.Row):
    """A program that runs scripts: `code`: options whose value is a program; `values`: options that take the next word;
    `words`: words that may stand before the script; `bare_calls`: a function is called without parentheses, too;
    `commands`: its programs are commands, as those of a shell are; `parts`: files of one kind that follow one another
    are one program."""

    run: tuple[str, ...]
    code: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    modules: bool = False
    bare_calls: bool = False
    commands: bool = False
    parts: bool = False


class Tools(data.Row):
    """Clients' tools: `keeps_folder`: names of those whose next call begins where the last one was left;
    `begins_anew`: of those that begin in the working directory, as all do that have an argument of `begins_anew_with`,
    those that are not known to keep it also with one of `begins_anew_else_with`, and all of clients whose prompt says
    what `begins_anew_by` matches; of others nobody knows. `silent`: of those whose empty result says that the commands
    ran and printed nothing; `bare`: of those whose result, if it is no error, is what the commands printed, as it is
    for those of `bare_with` that have its argument. `folder_is`: patterns of results that name the folder (`path`);
    `ran_in`: of those that name the one in which the terminal stands that the command ran in; `cut`: of results that
    are not whole."""

    keeps_folder: frozenset[str]
    begins_anew: frozenset[str]
    begins_anew_with: frozenset[str]
    begins_anew_else_with: frozenset[str]
    begins_anew_by: tuple[str, ...]
    silent: frozenset[str]
    bare: frozenset[str]
    bare_with: dict[str, str]
    folder_is: tuple[str, ...]
    ran_in: tuple[str, ...]
    cut: tuple[str, ...]


class Tables(data.Table):
    """The whole file. `powershell`: a pattern of scripts for another kind of shell; `git_reads`: git's commands that
    change no file of the work tree, `git_refused`: lines by which others, or any, say that they changed none;
    `calls_that_read`: functions of other languages that change no file; `reaching`: modules of theirs by which a
    program reaches files and other programs; `commit_says`: lines that a commit, a check that passed or a client
    around them prints, `commit_done`: the one by which git says that it is made; `patch_refused`: words of
    `apply_patch` that it applied nothing; `not_found`: lines by which a shell says that there is no program `name`."""

    powershell: str
    programs: tuple[Row, ...]
    tools: Tools
    wrappers: tuple[Wrapper, ...]
    interpreters: tuple[Interpreter, ...]
    git_reads: frozenset[str]
    git_refused: dict[str, tuple[str, ...]]
    calls_that_read: frozenset[str]
    reaching: frozenset[str]
    commit_says: tuple[str, ...]
    commit_done: str
    patch_refused: tuple[str, ...]
    not_found: tuple[str, ...]


def tables() -> Tables:
    """The file, read once. ValidationError where it does not keep to the schema."""
    return data.table("shell", Tables)


@cache
def _index() -> dict[str, list[tuple[tuple[str, ...], Row]]]:
    found: dict[str, list[tuple[tuple[str, ...], Row]]] = {}
    for row in tables().programs:
        for run in row.run:
            name, *words = run.split()
            found.setdefault(name, []).append((tuple(words), row))
    for rows in found.values():
        rows.sort(key=lambda row: -len(row[0]))
    return found


def row_of(name: str, words: Sequence[str | None]) -> tuple[Row, int] | None:
    """The row of a program with these words (no options among them), and how many of them it names.

    A `+` in a name is an `x` in the table.
    """
    for first, row in _index().get(name.replace("+", "x"), ()):
        if tuple(words[: len(first)]) == first:
            return row, len(first)
    return None


@cache
def _wrappers() -> dict[str, Wrapper]:
    return {run: wrapper for wrapper in tables().wrappers for run in wrapper.run}


def wrapper_of(name: str, second: str | None) -> tuple[Wrapper, int] | None:
    """The wrapper that a program with its first word is, and how many words name it."""
    if second is not None and (found := _wrappers().get(f"{name} {second}")):
        return found, 2
    return (found, 1) if (found := _wrappers().get(name)) else None


@cache
def _interpreters() -> dict[str, Interpreter]:
    return {run: interpreter for interpreter in tables().interpreters for run in interpreter.run}


def interpreter_of(name: str) -> Interpreter | None:
    """The interpreter of that name, with or without a version."""
    return _interpreters().get(name) or _interpreters().get(name.rstrip("0123456789."))


def has(option: str, word: str) -> bool:
    """Whether a word is, or holds, an option: `--fix=all`, `-ni` for `-i`."""
    if word == option or word.startswith(option + "="):
        return True
    short = len(option) == 2 and option[0] == "-" and option[1] != "-"
    return short and word[:1] == "-" and word[:2] != "--" and option[1] in word[1:].partition("=")[0]
