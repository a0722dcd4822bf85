"""Two neighbouring fences of an answer, the second of which takes the place of the first, whatever is said above them:
the lines of the first stand in what is in play exactly once (SEMANTICS 2, Edits)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from tslp_litellm.dialects.values import Carrier, Edit, EditStep, Evidence, Replacement, Shown, Snippet
from tslp_litellm.parser import outline
from tslp_litellm.placing.lines import shows_whole
from tslp_litellm.placing.members import within
from tslp_litellm.placing.rules import only_asks
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.edits import applied, occurrences
from tslp_litellm.resolution.files import dirty, language_of, outline_of, with_holders
from tslp_litellm.resolution.quotes import stands_in
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import FileState, Origin
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.outline import Kind, Symbol
from tslp_litellm.words.sentences import holds, mentions_word

OLD_LINES_MAX = 200
"""What gives way is shown in a few lines."""
_HOLDER = "Tslp"
Code = Shown | Snippet


class _Pair(NamedTuple):
    """The edit of a file that two fences are (None: nobody knows how), and the definitions that it is in."""

    path: str
    step: Replacement | None
    inside: list[str]


def paired(unit: UnitOfWork, evidence: Sequence[Evidence], context: Context) -> list[Evidence]:
    """The evidence, with an edit for the fences that are one; all of a file's are applied, or what they are about is
    DIRTY."""
    if context.forms is not None or not unit.trust.takes_model:
        return list(evidence)
    code = {n: piece for n, piece in enumerate(evidence) if _is_code(piece)}
    pairs = {n: pair for n in code if (pair := _pair(unit, n, code, context)) is not None}
    firsts = {n - 1 for n in pairs if n - 1 in code and code[n - 1].text.strip() == code[n].before.strip()}
    others = [piece for n, piece in code.items() if n not in pairs.keys() | firsts]
    out = {n: piece for n, piece in enumerate(evidence) if n not in pairs.keys() | firsts}
    for path in sorted({pair.path for pair in pairs.values()}):
        here, state = {n: pair for n, pair in pairs.items() if pair.path == path}, unit.file(path)
        steps = tuple(pair.step for pair in here.values() if pair.step is not None)
        half = _half_shown(state, [piece for piece in others if _fits(piece, state, context)])
        if half is None and len(steps) == len(here) and applied(state.text() or "", steps) is not None:
            out[min(here)] = Edit(path, steps, Carrier.FENCE)
        else:
            doubt_pair(unit, state, {name for pair in here.values() for name in pair.inside} | (half or set()))
    return [out[n] for n in sorted(out)]


def told_by_pairs(unit: UnitOfWork, shown: Sequence[object], context: Context) -> list[Entity]:
    """What a user's own fences are about, the second of which he put in the place of the first."""
    code = {n: piece for n, piece in enumerate(shown) if _is_code(piece)}
    pairs = [pair for n in code if (pair := _pair(unit, n, code, context)) is not None]
    return [Entity(pair.path, name) for pair in pairs for name in tuple(pair.inside) or (None,)]


def doubt_pair(unit: UnitOfWork, state: FileState, names: Collection[str]) -> None:
    """What fences are about that can't be applied as they are has changed."""
    change = dirty(state, "unplaced-pair", with_holders(state, names))
    unit.change(change, origin=Origin.MODEL, carrier=Carrier.FENCE)


def _is_code(piece: object) -> TypeGuard[Code]:
    return isinstance(piece, Snippet) or (isinstance(piece, Shown) and piece.carrier is Carrier.FENCE)


def _fits(piece: Code, state: FileState, context: Context) -> bool:
    """Whether code may be of a file, by its label and its language."""
    language, said = language_of(state), language_named(piece.language) if piece.language else None
    path = normalise_path(piece.path, context.root) if isinstance(piece, Shown) and piece.sure else state.path
    if language is None or path != state.path:
        return False
    return said is None or said.kin == language.kin or said.family == language.family != ""


def _pair(unit: UnitOfWork, n: int, code: Mapping[int, Code], context: Context) -> _Pair | None:
    """The edit that a fence is with the one before it, if it is one."""
    old, new = code[n].before, code[n].text
    states = [unit.file(path) for path in sorted(context.play.files())] if old.strip() else []
    found = [(state, *it) for state in states if _fits(code[n], state, context) for it in _places(state, old, new)]
    if len(found) != 1 or new.strip() == old.strip():
        return None
    state, at, step = found[0]
    base, text = outline_of(state), state.text() or ""
    if base is None or stands_in(text, new) or _defines(state, old) or _defines(state, new):
        return None
    start, end = (len(text[:k].encode()) for k in (at, at + len(step.old)))
    inside = [symbol for symbol in base.symbols if symbol.start < end and start < symbol.end]
    holders = [symbol for symbol in inside if symbol.kind is not Kind.VALUE]
    names = [e.leaf for e in map(Entity.parse, context.play.entities) if e.path == state.path and e.leaf]
    if (
        only_asks(context.intent.prompt, state.path.rpartition("/")[2], *names)
        or _uses(old, new, holders)
        or any(_shows(state, other.text, holders) for other in code.values())
    ):
        return None
    fits = step.new and _is_twin(state, old, new, code[n].above)
    return _Pair(state.path, step if fits else None, [symbol.name for symbol in inside])


def _places(state: FileState, old: str, new: str) -> Iterator[tuple[int, Replacement]]:
    """Where old lines stand in a file's text, white space in front of them aside, and what takes their place: new ones
    as much further in (nothing where that is not known, or a line beside them would stand twice). Else where a single
    line is a part of one."""
    text = state.text() or ""
    whole, part, put = text.split("\n"), old.strip("\n").split("\n"), new.strip("\n").split("\n")
    if len(part) > OLD_LINES_MAX or shows_whole(new, "", state):
        return
    bare, wanted = [line.strip() for line in whole], [line.strip() for line in part]
    spots = [n for n, line in enumerate(bare) if line == wanted[0] and bare[n : n + len(part)] == wanted]
    for n in spots:
        there, beside = whole[n : n + len(part)], (*bare[max(n - 1, 0) : n], *bare[n + len(part) :][:1])
        twice = any(re.search(r"\w", line) and line in (put[0].strip(), put[-1].strip()) for line in beside)
        end = "\n" if n + len(part) < len(whole) else ""
        moved = "" if twice else _moved(there, part, put)
        step = Replacement("\n".join(there) + end, moved + end if moved else "", lines=True, keeps_end=True)
        yield sum(len(line) + 1 for line in whole[:n]), step
    line, other = old.strip(), new.strip()
    if not spots and len(re.findall(r"\w+", line)) > 1 and "\n" not in line + other:
        yield from ((at, Replacement(line, other)) for at in occurrences(text, line))


def moved_as(state: FileState, steps: Iterable[EditStep]) -> tuple[Replacement, ...]:
    """The steps of a diff with lines as far in as they stand in a file, each in the one place where they do; none where
    that does not fit."""
    out: list[Replacement] = []
    for step in steps:
        old, new = (step.old, step.new) if isinstance(step, Replacement) else ("", "")
        spots = [one for _, one in _places(state, old, new) if one.lines] if old.strip() else []
        if len(spots) != 1 or bool(spots[0].new) != bool(new.strip()):
            return ()
        out += spots
    return tuple(out)


def _moved(there: Sequence[str], part: Sequence[str], put: Sequence[str]) -> str:
    """New lines as much further in or out as all of the old ones stand. Nothing where these are not all moved alike, or
    some new line would stand further out than all of them: Python's grammar lets it out of its function in silence."""
    margins = [(_margin(a), _margin(b)) for a, b in zip(there, part, strict=True) if a.strip()]
    moves = {
        (a.removesuffix(b), "") if a.endswith(b) else ("", b.removesuffix(a)) if b.endswith(a) else (a, b)
        for a, b in margins
    }
    further, less = min(moves)
    said, least = [line for line in put if line.strip()], min((b for _, b in margins), key=len)
    if len(moves) > 1 or not all(line.startswith(least) for line in said) or not least.startswith(less):
        return ""
    ended = "\r" if all(line.endswith("\r") for line in there) else ""
    return "\n".join((further + line[len(less) :].rstrip("\r") if line.strip() else "") + ended for line in put)


def _margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _defines(state: FileState, text: str) -> bool:
    """Whether a text is a whole definition, for which there are rules of their own. Lines may give values to names."""
    language = language_of(state)
    member = within(language, text, _HOLDER) if language is not None else None
    read = [outline(language, one) for one in (text, member) if one is not None]
    return any(
        seen.sound and any(s.kind is not Kind.VALUE and s.name != _HOLDER for s in seen.symbols) for seen in read
    )


def _is_twin(state: FileState, old: str, new: str, said: str) -> bool:
    """Whether new lines are the old ones changed, and not some that go beside them: they keep half of the words at
    least, or all where they are imports, or are said to be added."""
    words, kept = (Counter(re.findall(r"\w+", part)) for part in (old, new))
    beside = outline(language_of(state), old).only_imports or holds(said, "adds")
    return not words - kept if beside else 2 * (words & kept).total() >= words.total()


def _uses(old: str, new: str, holders: Iterable[Symbol]) -> bool:
    """Whether new lines use the function that the old ones stand in: they are no part of it."""
    names = [symbol.leaf for symbol in holders if symbol.kind is Kind.FUNCTION]
    return any(mentions_word(new, name) and not mentions_word(old, name) for name in names)


def _shows(state: FileState, text: str, symbols: Iterable[Symbol]) -> bool:
    """Whether a text shows one of some definitions whole."""
    seen = outline(language_of(state), text)
    shown = seen.sound and not placeholders(seen, outline_of(state))
    return shown and any(symbol.name in seen.by_name for symbol in symbols)


def _half_shown(state: FileState, others: Sequence[Code]) -> set[str] | None:
    """The definitions that the rest of an answer changes, nobody knows how: it shows only their heads, or lines that
    take the place of others which do not stand there. None where there is no such thing."""
    text, base, found = state.text() or "", outline_of(state), None
    for other in others:
        seen = outline(language_of(state), other.text)
        names = {s.name for s in seen.symbols if s.kind is not Kind.VALUE} & state.symbols.keys()
        if stands_in(text, other.text):
            continue
        lost = other.before.strip() and not (
            stands_in(text, other.before) or _defines(state, other.before + other.text)
        )
        if names and (seen.errors or placeholders(seen, base)):
            found = names | (found or set())
        elif lost and not names and _is_twin(state, other.before, other.text, other.above):
            found = found or set()
    return found
