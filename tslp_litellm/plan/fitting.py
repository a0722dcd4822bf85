"""The plan: what more to leave out of a request, in the order of SEMANTICS 4, and what is left of it then."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from tslp_litellm.parser.budget import spend
from tslp_litellm.plan.cutting import of_entity, of_result, with_cuts
from tslp_litellm.plan.repeats import repeated
from tslp_litellm.plan.values import ALL, IMAGE_TOKENS, Cut, Demand, LeftOut, Part, Shown, Span, Text
from tslp_litellm.wire.turn import Changes

BATCH = 5
"""What is taken out at once is at least the window's fifth: so the prefix changes seldom."""
SAVING_MIN = 8
"""Tokens: less is not worth a line."""
RESULT_SAVING_MIN = 32
"""Tokens: a result of which less would go says little but how it went, and stays."""


@dataclass(frozen=True, slots=True)
class View:
    """A request without what is left out. `size`: its tokens; `removed`: those that it had more as it was sent."""

    changes: Changes
    size: int
    removed: int


def view(demand: Demand, left: LeftOut, count: Callable[[str], int]) -> View:
    """What is left of a request."""
    gone = _gone(demand, left)
    removed = sum(span.size for span in _out(demand, left))
    texts: dict[int, str] = {}
    bare = set[int]()
    for part in demand.parts:
        cuts = left.cuts.get(part.key)
        if not cuts or not part.open or part.message in gone:
            continue
        text, images = _without(part, cuts)
        if text != part.text or images:
            texts[part.item] = text
            bare |= {part.item} if images else set()
            removed += count(part.text) - count(text) + images * IMAGE_TOKENS
    return View(Changes(texts, frozenset(bare), gone), size(demand) - removed, removed)


def _saved(part: Part, cuts: Sequence[Cut], count: Callable[[str], int]) -> int:
    """The tokens by which a part is shorter without what is cut of it."""
    text, images = _without(part, cuts)
    return count(part.text) - count(text) + images * IMAGE_TOKENS


def _without(part: Part, cuts: Sequence[Cut]) -> tuple[str, int]:
    """A part's text without what is cut of it, and how many images go, too: all of them where all of the text goes."""
    return with_cuts(part.text, cuts), part.images if any(cut.end == ALL for cut in cuts) else 0


def size(demand: Demand) -> int:
    """The tokens of a request as it was sent."""
    return demand.besides + sum(part.size for part in demand.parts)


def more(demand: Demand, left: LeftOut, need: int, batch: int, count: Callable[[str], int]) -> LeftOut:
    """What is left out so that `need` tokens fewer remain, and at least `batch`; as much as can go where not so much
    can. The same where nothing more can go."""
    return _taken(demand, left, max(need, batch), _all_steps(demand, left, count))


def tidied(demand: Demand, left: LeftOut, least: int, count: Callable[[str], int]) -> LeftOut:
    """Repetitions and older texts alone, all of them, where that saves `least` tokens (`history: current`)."""
    steps = list(_repeats(demand, left, count))
    return _taken(demand, left, _ENOUGH, iter(steps)) if sum(step.saves for step in steps) >= max(1, least) else left


_ENOUGH = 2**62


@dataclass(frozen=True, slots=True)
class _Step:
    """One thing that may go: lines of a part, or a span."""

    saves: int
    part: Part | None = None
    cut: Cut | None = None
    span: str = ""


def _taken(demand: Demand, left: LeftOut, need: int, steps: Iterator[_Step]) -> LeftOut:
    cuts, spans, saved = dict(left.cuts), set(left.spans), 0
    for step in steps:
        if saved >= need:
            break
        saved += step.saves
        spans |= {step.span} if step.span else set()
        _add(cuts, step)
    return still(demand, LeftOut(cuts, frozenset(spans)))


def still(demand: Demand, left: LeftOut) -> LeftOut:
    """What of it is in a request: of what the client sends no more, and of what went whole, nothing is remembered."""
    gone, spans = _gone(demand, left), {span.key for span in _out(demand, left)}
    kept = {part.key for part in demand.parts if part.message not in gone}
    return LeftOut({key: cut for key, cut in left.cuts.items() if key in kept}, frozenset(spans))


def outermost(spans: Collection[Span]) -> list[Span]:
    """The spans that no turn among them holds."""
    of_turns = {m for span in spans if span.turn for m in span.messages}
    return [span for span in spans if span.turn or not span.messages <= of_turns]


def _out(demand: Demand, left: LeftOut) -> list[Span]:
    """The spans that are left out."""
    return outermost([span for span in demand.spans if span.key in left.spans])


def _all_steps(demand: Demand, left: LeftOut, count: Callable[[str], int]) -> Iterator[_Step]:
    """What may go, in order. What goes whole later counts less what went of it before."""
    cuts = dict(left.cuts)
    for step in _repeats(demand, left, count):
        _add(cuts, step)
        yield step
    for step in _results(demand, LeftOut(dict(cuts), left.spans), count):
        _add(cuts, step)
        yield step
    yield from _spans(demand, LeftOut(cuts, left.spans), count)


def _add(cuts: dict[str, tuple[Cut, ...]], step: _Step) -> None:
    """One more cut; one of the whole text stands for all others."""
    if step.part is not None and step.cut is not None:
        before = () if step.cut.end == ALL else cuts.get(step.part.key, ())
        cuts[step.part.key] = (*before, step.cut)


def _gone(demand: Demand, left: LeftOut) -> frozenset[int]:
    return frozenset(m for span in demand.spans if span.key in left.spans for m in span.messages)


def _repeats(demand: Demand, left: LeftOut, count: Callable[[str], int]) -> Iterator[_Step]:
    """Repetitions and older texts."""
    gone, parts = _gone(demand, left), {part.item: part for part in demand.parts}
    live = [one for one in (_living(s, parts, left, gone) for s in demand.shown) if one is not None]
    opened = {part.item for part in demand.parts if part.open}
    lines: dict[int, list[str]] = {}
    for one in repeated(live, demand.brought, opened):
        spend()
        part = parts[one.item]
        if one.item not in lines:
            lines[one.item] = part.text.split("\n")
        line = of_entity(one.entity, one.end - one.start)
        saves = count("\n".join(lines[one.item][one.start : one.end])) - count(line)
        if saves >= SAVING_MIN:
            yield _Step(saves, part, Cut(one.start, one.end, line))


def _living(one: Shown, parts: dict[int, Part], left: LeftOut, gone: Collection[int]) -> Shown | None:
    """What a part still shows of what it showed."""
    part = parts.get(one.item)
    if part is None or part.message in gone:
        return None
    cuts = left.cuts.get(part.key, ()) if part.open else ()
    if not cuts:
        return one
    if one.start < 0 or _met(one, cuts):
        inside = tuple(s for s in one.inside if s.start >= 0 and not _met(s, cuts))
        return Shown(one.item, one.entity, Text.OTHER, inside=inside) if inside else None
    return one


def _met(one: Shown, cuts: tuple[Cut, ...]) -> bool:
    return any(cut.end == ALL or (cut.start < one.end and one.start < cut.end) for cut in cuts)


def _results(demand: Demand, left: LeftOut, count: Callable[[str], int]) -> Iterator[_Step]:
    """The oldest tool results, what is outdated first."""
    gone = _gone(demand, left)
    outdated = {one.item for one in demand.shown if one.text is Text.OLDER}
    paths: dict[int, list[str]] = {}
    for one in demand.shown:
        paths.setdefault(one.item, []).append(one.path)
    results = [part for part in demand.parts if part.result and part.open and part.message not in gone]
    for part in sorted(results, key=lambda part: (part.item not in outdated, part.item)):
        before = left.cuts.get(part.key, ())
        if any(cut.end == ALL for cut in before):
            continue
        lines = part.text.count("\n") + 1 if part.text else 0
        line = of_result(part.tool, lines, part.images, list(dict.fromkeys(paths.get(part.item, ()))))
        cut = Cut(0, ALL, line)
        saves = _saved(part, (cut,), count) - _saved(part, before, count)
        if saves >= RESULT_SAVING_MIN:
            yield _Step(saves, part, cut)


def _spans(demand: Demand, left: LeftOut, count: Callable[[str], int]) -> Iterator[_Step]:
    """The oldest turns; then, of turns of which something stays, the oldest calls with their results."""
    gone, of_message = set(_gone(demand, left)), dict[int, list[Part]]()
    inside = {min(span.messages): span.size for span in _out(demand, left)}
    for part in demand.parts:
        of_message.setdefault(part.message, []).append(part)
    for span in sorted(demand.spans, key=lambda span: (not span.turn, min(span.messages))):
        if span.messages <= gone:
            continue
        parts = [part for m in span.messages for part in of_message.get(m, ()) if part.open and part.key in left.cuts]
        less = sum(_saved(part, left.cuts[part.key], count) for part in parts)
        less += sum(inside.get(m, 0) for m in span.messages)
        gone |= span.messages
        yield _Step(span.size - less, span=span.key)
