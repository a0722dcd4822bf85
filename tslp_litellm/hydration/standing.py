"""What already stands in a request, as the model will see it: an entity's current text is not injected twice (SEMANTICS
4).

Unless an older text that was once the entity's stands behind it, and would have the last word. A proposal, a quotation
of part of it and a fragment are no older texts. Whose word a text is matters to neither.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tslp_litellm.dialects.fences import fences
from tslp_litellm.dialects.values import Evidence, Shown
from tslp_litellm.parser import outline
from tslp_litellm.parser.budget import spend
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import artifact_hash
from tslp_litellm.syntax.languages import language_of_path

_WORD = re.compile(r"[A-Za-z0-9_]+")
TELLING_CHARS = 4_000
_FENCE = "```"
Once = Callable[[str, str], bool]
"""Whether an artifact (the second) was ever the truth of an entity (the first)."""


@dataclass(frozen=True, slots=True)
class Stated:
    """One item of a request: its text as it reads, and the files it shows. `call`: for a result, the call's text;
    `kept`: whether the model's window keeps it; `within`: for JSON, the texts in it."""

    text: str
    evidence: Callable[[], Iterable[Evidence]]
    call: str = ""
    kept: Callable[[], bool] = lambda: True
    within: Callable[[], Iterable[str]] = tuple

    def may_hold(self, word: str) -> bool:
        """Whether the item can show a text with that word. No carrier breaks up a word, whatever it does to what
        stands around it, so an item without it need not be read."""
        return word in self.text or word in self.call


def telling(text: str) -> str:
    """The longest word at a text's beginning: what it can be recognised by at a glance."""
    return max(_WORD.findall(text, 0, TELLING_CHARS), key=len, default="")


def stands(entity: str, text: str, items: Sequence[Stated], root: str | None, once: Once) -> bool:
    """Whether the text stands in an item that is kept, with none behind it that was once the entity's."""
    spend()
    word = telling(text)
    copies = (n for n in range(len(items) - 1, -1, -1) if items[n].may_hold(word))
    last = next((n for n in copies if _holds(items[n], text, entity, root) and items[n].kept()), -1)
    if last < 0:
        return False
    name = Entity.parse(entity)
    file = telling(posixpath.basename(name.path))
    behind = (item for item in items[last + 1 :] if _may_show(item, name, file) and item.kept())
    return not any(_older_text(item, entity, text, root, once) for item in behind)


def _may_show(item: Stated, name: Entity, file: str) -> bool:
    """Whether an item can show an older text: it names the file, or has a fence that holds the symbol's name. `file`:
    the word that tells the file."""
    if item.may_hold(file):
        return True
    return _FENCE in item.text and (name.leaf or "") in item.text


def _holds(item: Stated, text: str, entity: str, root: str | None) -> bool:
    if _contains(item.text, text) or any(_contains(one, text) for one in item.within()):
        return True
    path = Entity.parse(entity).path
    return any(
        isinstance(e, Shown) and normalise_path(e.path, root) == path and _contains(e.text, text)
        for e in item.evidence()
    )


def _contains(whole: str, part: str) -> bool:
    """Whether a text stands in another one, on lines of its own."""
    part = part.rstrip("\n")
    if not part or part not in whole:
        return False
    if whole == part or whole.startswith((part + "\n", part + "\r")) or whole.endswith("\n" + part):
        return True
    return f"\n{part}\n" in whole or f"\n{part}\r" in whole


def _older_text(item: Stated, entity: str, text: str, root: str | None, once: Once) -> bool:
    """Whether an item shows another text of the entity that was once its own: by its path, or in a fence that is not
    another file's."""
    path, shown = Entity.parse(entity).path, [e for e in item.evidence() if isinstance(e, Shown)]
    ours = [e.text for e in shown if normalise_path(e.path, root) == path]
    theirs = [e.text for e in shown if normalise_path(e.path, root) != path]
    fenced = [f.body for f in fences(item.text) if f.closed and not any(f.body.endswith(other) for other in theirs)]
    others = {other for one in dict.fromkeys([*ours, *fenced]) for other in _texts_of(entity, one)}
    current = text.rstrip("\n")
    return any(once(entity, artifact_hash(other)) for other in others if other.rstrip("\n") != current)


def _texts_of(entity: str, shown: str) -> Iterable[str]:
    """What the entity's text may be by a text that is shown. A carrier may not show how a file ends."""
    spend()
    name = Entity.parse(entity)
    if name.symbol is None:
        bare = shown.rstrip("\n")
        return (shown, bare, f"{bare}\n")
    seen = outline(language_of_path(name.path), shown)
    found = (seen.by_name.get(one or "") for one in (name.symbol, name.leaf))  # a member may be shown alone
    return [seen.slice(symbol) for symbol in found if symbol is not None]
