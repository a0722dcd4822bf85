"""Code without a label that holds definitions of several files: a piece of it for each (SEMANTICS 2, Which file 2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from tslp_litellm.dialects.values import Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.readings import readings
from tslp_litellm.placing.structure import brings_tests, held_in, in_play
from tslp_litellm.placing.values import Asked, Known
from tslp_litellm.syntax.languages import Language, language_of_path
from tslp_litellm.syntax.outline import Kind, Outline, Symbol


def apart(snippet: Snippet, asked: Asked, known: Known) -> list[Snippet]:
    """A piece a file, as people put such code into their files, where no file has all the definitions; else none. What
    is new is of the file of what stands above it; what may be of several files, or of one that is not in play, is a
    piece of its own, and each piece is placed by itself.

    `total` of a.py and `report` of b.py in one fence, both in play: two pieces.
    """
    for language, seen in readings(snippet, known.languages):
        files = _files(language, seen, asked, known)
        if len(set(files.values())) > 1:
            return [replace(snippet, text=text) for text in _texts(seen, files, known).values()]
    return []


NO_FILE = ""


def _files(language: Language, seen: Outline, asked: Asked, known: Known) -> dict[str, str]:
    """The file of each definition that is tracked; empty where one file has them all, or they may be no versions."""
    holding = {s.name: paths for s in _top(seen) if (paths := held_in(s.name, language, known))}
    if not holding or frozenset.intersection(*holding.values()) or _in_doubt(seen, holding):
        return {}
    found = {name: in_play(dict.fromkeys(sorted(paths), (name,)), asked) for name, paths in holding.items()}
    return {name: paths[0] if len(paths) == 1 else NO_FILE for name, paths in found.items()}


def _top(seen: Outline) -> list[Symbol]:
    return [symbol for symbol in seen.in_order if symbol.parent is None]


def _in_doubt(seen: Outline, tracked: Collection[str]) -> bool:
    """Whether code shows two versions of a name, brings tests of what it repeats, or may only give values to names that
    it uses."""
    gives = any(seen.by_name[name].kind is Kind.VALUE for name in tracked) and seen.loose - seen.preamble
    names = [symbol.name for symbol in _top(seen)]
    return bool(gives) or any("#" in name for name in names) or brings_tests(names, tracked)


def _texts(seen: Outline, files: dict[str, str], known: Known) -> dict[str, str]:
    """The text of each file: its runs of definitions, with what stands above them, as they are."""
    top = _top(seen)
    path, at, out = next(files[symbol.name] for symbol in top if symbol.name in files), 0, dict[str, str]()
    for n, symbol in enumerate(top):
        path = files.get(symbol.name, path)
        end = symbol.end if n + 1 < len(top) else len(seen.text)
        text = seen.text[at:end].decode()
        out[path] = out.get(path, "") + (text if n else _own_imports(text, path, files.values(), known))
        at = end
    return {path: text.strip("\n") + "\n" for path, text in out.items()}


def _own_imports(text: str, path: str, others: Iterable[str], known: Known) -> str:
    """Code without the imports that others of the files have, and its own file has not."""
    theirs = frozenset[str]().union(*(_preamble(other, known) for other in others)) - _preamble(path, known)
    for line in theirs:
        text = text.replace(f"{line}\n", "")
    return text


def _preamble(path: str, known: Known) -> frozenset[str]:
    if path == NO_FILE:
        return frozenset()
    state = known.file(path)
    return outline(language_of_path(path), state.file.text if state.file is not None else "").preamble
