"""What a user's prompt asks for by name: removals, renames, further changes (SEMANTICS 3, gate B 1 and 3).

The grammar is `prose`'s; here its names meet the entities. A request counts for an entity where its object is exactly
that, and all the places that it names are true of it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from tslp_litellm.prose.clauses import Act, Request
from tslp_litellm.prose.reading import MAIN_GUARD, Named
from tslp_litellm.prose.requests import PROMPT_CHARS_MAX, asked
from tslp_litellm.syntax.symbols import Kind

_NOUNS = {
    "function": (Kind.FUNCTION, Kind.VALUE),
    "type": (Kind.TYPE,),
    "value": (Kind.VALUE,),
    "file": (),
}
"""What a definition may be that is called so; a function may be a value that holds one."""


def names(text: str, name: str) -> bool:
    """Whether a text contains a name as a word of its own, letter for letter."""
    return name in text and re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) is not None


@dataclass(frozen=True, slots=True)
class Intent:
    """A prompt, to be asked about the symbols of a file. `path`: that file; None where it is not known."""

    prompt: str = ""
    path: str | None = None

    def at(self, path: str) -> Intent:
        """The same prompt, asked about a file's symbols."""
        return replace(self, path=path)

    def mentions(self, symbol: str) -> bool:
        """Whether the prompt names a symbol: in full, or by its last part."""
        bare = symbol.partition("#")[0]
        heard = self.prompt[-PROMPT_CHARS_MAX:]
        return names(heard, bare) or names(heard, bare.rsplit(".", 1)[-1]) or _dotted(heard, bare)

    def asks_to_lose(self, symbol: str, kind: Kind | None = None) -> bool:
        """Whether the prompt asks for a symbol, or what holds it, to be removed or renamed."""
        return any(
            self._means(one, symbol, kind) and not self._stays_here(request)
            for request in self._requests(symbol, Act.LOSE, Act.RENAME)
            for one in request.objects
        )

    def asks_to_rename(self, old: str, new: str) -> bool:
        """Whether the prompt asks for a symbol to be renamed, and names the new name."""
        return any(
            self._means(one, old) and _is_symbol(request.target, new)
            for request in self._requests(old, Act.RENAME)
            for one in request.objects
        )

    def asks_to_lose_key(self, key: str) -> bool:
        """Whether the prompt asks for a key or an entry of a data file to be removed or renamed."""
        return any(
            one.text == key and (one.noun in ("", "value", "any") or key.startswith("."))  # a style sheet's class
            for request in self._requests(key, Act.LOSE, Act.RENAME)
            for one in request.objects
        )

    def asks_to_lose_guard(self) -> bool:
        """Whether the prompt asks for a script's main guard to be removed."""
        requests = self._requests(MAIN_GUARD, Act.LOSE)
        return any(one.text == MAIN_GUARD for request in requests for one in request.objects)

    def asks_for_change(self, *written: str) -> bool:
        """Whether the prompt asks for a (further) change to a symbol or file, by one of the names it is written with.

        In doubt it doesn't: a prompt that finds fault or looks back asks for something else.
        """
        prompt = asked(self.prompt)
        if prompt.looks_back:
            return False
        parts = {part for name in written for part in re.split(r"[.:/]+", name)}
        return any(_changes(request, name, parts) for request in prompt.requests for name in written)

    def _requests(self, symbol: str, *acts: Act) -> Iterable[Request]:
        """The requests of some kinds that can be about a symbol of this file, where none says the contrary."""
        prompt = asked(self.prompt)
        found = [r for r in prompt.requests if r.act in acts and all(self._is_place(p, symbol) for p in r.places)]
        if not found:
            return ()
        leaf = symbol.partition("#")[0].rsplit(".", 1)[-1]
        kept = (one for request in prompt.requests if request.act is Act.KEEP for one in request.objects)
        if any(names(text, leaf) or _dotted(text, symbol) for text in prompt.doubtful):
            return ()
        if any(self._means(one, symbol) for one in kept):
            return ()
        return found

    def _means(self, one: Named, symbol: str, kind: Kind | None = None) -> bool:
        """Whether a written name is that of a symbol, or of a type that holds it."""
        path, separator, rest = one.text.rpartition("::")
        if separator and re.search(r"[./\\]", path):
            written = rest
            if self.path is not None and not _same_file(path, self.path):
                return False
        else:
            written = one.text
        if kind is not None and one.noun in _NOUNS and kind not in _NOUNS[one.noun]:
            return False
        return _is_symbol(written, symbol) or self._in_module(written, symbol) or _holds(written, symbol)

    def _in_module(self, written: str, symbol: str) -> bool:
        """`util.shout` for the `shout` of `util.py`."""
        module, dot, rest = written.partition(".")
        return bool(dot) and self.path is not None and module == _stem(self.path) and _is_symbol(rest, symbol)

    def _is_place(self, place: str, symbol: str) -> bool:
        """Whether a place is this file, or a type that holds the symbol."""
        if self.path is None or _same_file(place, self.path) or place == _stem(self.path):
            return True
        return _holds(place, symbol)

    def _stays_here(self, request: Request) -> bool:
        """Whether something is moved into the very file that it is in."""
        return request.act is Act.LOSE and self.path is not None and _same_file(request.target, self.path)


NOTHING_ASKED = Intent()


def _dotted(text: str, symbol: str) -> bool:
    leaf = symbol.partition("#")[0].rsplit(".", 1)[-1]
    return leaf in text and re.search(rf"[\w)\]`](?:\.|::|#){re.escape(leaf)}(?!\w)", text) is not None


def _is_symbol(written: str, symbol: str) -> bool:
    """Whether a symbol is written in full, or by its last part."""
    bare = ".".join(part.partition("#")[0] for part in symbol.split("."))
    said = re.sub(r"::|->|#", ".", written)
    return said == bare or bare.endswith("." + said)


def _holds(written: str, symbol: str) -> bool:
    """Whether a name is that of something that a symbol stands in."""
    holders = symbol.split(".")[:-1]
    return any(_is_symbol(written, ".".join(holders[: n + 1])) for n in range(len(holders)))


def _same_file(written: str, path: str) -> bool:
    written = written.replace("\\", "/").removeprefix("./").lstrip("@")
    return bool(written) and (written == path or path.endswith("/" + written) or written.endswith("/" + path))


def _stem(path: str) -> str:
    return posixpath.basename(path).partition(".")[0]


def _changes(request: Request, name: str, parts: Collection[str]) -> bool:
    """Whether a request changes what is written with a name: it is its object, or a file that its object is in.

    `parts`: what its names are made of. In the README, which is none of them, it is the README that changes.
    """
    if request.act is Act.CHANGE and any(one.text == name for one in request.objects):
        return all(
            place == name or (not _is_path(name) if _is_path(place) else place in parts) for place in request.places
        )
    return request.act in (Act.CHANGE, Act.RENAME) and bool(request.places) and set(request.places) == {name}


def _is_path(name: str) -> bool:
    return re.search(r"\w\.\w|/", name) is not None
