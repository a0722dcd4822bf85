"""Code without a label that holds definitions of several files: a piece of it for each (SEMANTICS 2, Which file 2)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tslp_litellm.dialects.values import Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.readings import readings
from tslp_litellm.placing.structure import brings_tests, held_in, in_play
from tslp_litellm.placing.values import Asked, Known
from tslp_litellm.syntax.languages import Language, language_of_path
from tslp_litellm.syntax.outline import Kind, Outline, Symbol


def apart(snippet: Snippet, asked: Asked, known: Known) -> list[Snippet]:
    """A piece a file, as people put such code into their files: where no file has all the definitions, and each that is
    tracked stands in exactly one that may be meant; else none. Definitions that are new are a piece by themselves.

    `total` of a.py and `report` of b.py in one fence, both in play: two pieces.
    """
    for language, seen in readings(snippet, known.languages):
        if (files := _files(language, seen, asked, known)) is not None:
            new = [symbol for symbol in seen.top_level() if symbol.name not in files]
            pieces = [_piece(seen, path, files, known) for path in dict.fromkeys(files.values())]
            return [replace(snippet, text=text) for text in (*pieces, _texts(seen, new)) if text]
    return []


def _files(language: Language, seen: Outline, asked: Asked, known: Known) -> dict[str, str] | None:
    """The file of each definition that is tracked; None where the code is not of several files."""
    holding = {s.name: paths for s in seen.top_level() if (paths := held_in(s.name, language, known))}
    if not holding or frozenset.intersection(*holding.values()) or _in_doubt(seen, holding):
        return None
    found = {name: in_play(dict.fromkeys(sorted(paths), (name,)), asked) for name, paths in holding.items()}
    files = {name: paths[0] for name, paths in found.items() if len(paths) == 1}
    meant = len(files) == len(holding) and (not asked.by_model or asked.play.files().issuperset(files.values()))
    return files if meant else None


def _in_doubt(seen: Outline, tracked: Collection[str]) -> bool:
    """Whether code shows two versions of a name, brings tests of what it repeats, or may only give values to names that
    it uses."""
    gives = any(seen.by_name[name].kind is Kind.VALUE for name in tracked) and seen.loose - seen.preamble
    names = [symbol.name for symbol in seen.top_level()]
    return bool(gives) or any("#" in name for name in names) or brings_tests(names, tracked)


def _piece(seen: Outline, path: str, files: dict[str, str], known: Known) -> str:
    """A file's definitions, behind the imports that none of the files has yet: those may be of each."""
    own = [symbol for symbol in seen.top_level() if files.get(symbol.name) == path]
    have = frozenset[str]().union(*(_preamble(other, known) for other in files.values()))
    new = sorted(seen.preamble - have, key=seen.text.decode().find)
    return "".join(f"{line}\n" for line in new) + _texts(seen, own)


def _preamble(path: str, known: Known) -> frozenset[str]:
    state = known.file(path)
    return outline(language_of_path(path), state.file.text if state.file is not None else "").preamble


def _texts(seen: Outline, symbols: list[Symbol]) -> str:
    return "\n\n".join(seen.slice(symbol) for symbol in symbols) + ("\n" if symbols else "")
