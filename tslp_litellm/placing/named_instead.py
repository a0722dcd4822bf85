"""Members of a name that types in several files have, or may have: whose they are where the words name another one than
has them by now (SEMANTICS 2, Which file)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tslp_litellm.dialects.paths import paths_in
from tslp_litellm.dialects.values import Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.values import Asked, Known
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.alike import counted
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.syntax.outline import Kind, Symbol
from tslp_litellm.words.sentences import PART_MIN, mentions_word

NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}(?![a-z])")
"""Of `handleDelete` these are `handle` and `Delete`."""


def named_instead(container: Entity, members: Iterable[Symbol], snippet: Snippet, asked: Asked, known: Known) -> bool:
    """Whether the sentence above a model's members, else the prompt, names another type or file than one that has
    members of these names. They are new there, but for such as repeat a line of those that are tracked: `Add delete to
    NoteController`, where a service has one, too."""
    types = types_in(snippet.above, asked, known)
    named = filter(None, (normalise_path(word, asked.root) for word in paths_in(snippet.above)))
    files = {path for one in named for path in (one, *known.longer(one)) if known.file(path).tracked}
    if types or files:
        other = container not in types and (container.path not in files or bool(types))
    else:
        spoken_of = asked.play.named()
        other = bool(spoken_of) and container.path not in spoken_of
    return asked.by_model and other and not _repeats(container, members, snippet.text, known)


def _repeats(container: Entity, members: Iterable[Symbol], text: str, known: Known) -> bool:
    """Whether members have a line of the tracked ones in common, behind the first."""
    state = known.file(container.path)
    base = outline(language_of_path(state.path), state.file.text if state.file is not None else "")
    names = {f"{container.symbol}.{member.leaf}" for member in members}
    bodies = (base.slice(symbol).partition("\n")[2] for symbol in base.symbols if symbol.name in names)
    return bool(counted("\n".join(bodies).encode()) & counted(text.partition("\n")[2].encode()))


def types_in(sentence: str, asked: Asked, known: Known) -> list[Entity]:
    """The types of the files in play that the sentence above the model's code names (`In `Cart`:`), or the one that it
    calls by a part of its name (`In the controller:`)."""
    if not asked.by_model:
        return []
    tops = [Entity(path, s.name) for path in sorted(asked.play.files()) for s in types_of(known.file(path))]
    said = frozenset(re.findall(r"\w+", sentence.lower()))
    long = {one: {p.lower() for p in NAME_PARTS.findall(one.leaf or "") if len(p) >= PART_MIN} for one in tops}
    shared = {one: len(said & parts) for one, parts in long.items()}
    called = [one for one, n in shared.items() if n and n == max(shared.values())]
    return [one for one in tops if mentions_word(sentence, one.leaf or "")] or (called if len(called) == 1 else [])


def types_of(state: FileState) -> list[Symbol]:
    """The types that stand in a file by themselves, in its last text that is known."""
    seen = outline(language_of_path(state.path), state.file.text if state.file is not None else "")
    return [symbol for symbol in seen.top_level() if symbol.kind is Kind.TYPE]
