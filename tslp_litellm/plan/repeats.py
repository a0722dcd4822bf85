"""What repeats, or is an older text of, what stands in the request (SEMANTICS 4, The window, step 1).

Of each entity one copy of the current text is kept: one that can't be cut, else the last. Without such a copy,
in the request or in a block, nothing of the entity is a repetition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from tslp_litellm.plan.values import Shown, Text


def repeated(shown: Sequence[Shown], brought: Collection[str], opened: Collection[int]) -> list[Shown]:
    """The lines that may go, in the order of the request. `brought`: entities whose current text a block brings;
    `opened`: the items that may be changed."""
    found: list[Shown] = []
    of_path: dict[str, list[Shown]] = defaultdict(list)
    for one in shown:
        of_path[one.path].append(one)
    for path, ones in of_path.items():
        keeper = _keeper([one for one in ones if _is_copy(one, path)], opened)
        if keeper is None and path not in brought:
            found += _parts(ones, brought, opened)
            continue
        for one in ones:
            if one is keeper:
                continue
            found += [one] if one.text is not Text.OTHER else [s for s in one.inside if s.text is not Text.OTHER]
    placed = sorted((s for s in found if s.item in opened and s.start >= 0), key=lambda s: (s.item, s.start, -s.end))
    return list(_outermost(placed))


def _outermost(placed: Sequence[Shown]) -> Iterator[Shown]:
    """Lines that no other of them hold."""
    item, end = -1, 0
    for one in placed:
        if one.item != item or one.start >= end:
            yield one
            item, end = one.item, one.end


def _parts(ones: Sequence[Shown], brought: Collection[str], opened: Collection[int]) -> Iterator[Shown]:
    """Of a file whose current text stands nowhere whole: the definitions whose own does."""
    of_entity: dict[str, list[Shown]] = defaultdict(list)
    for one in ones:
        for part in one.inside:
            of_entity[part.entity].append(part)
    for entity, parts in of_entity.items():
        keeper = _keeper([part for part in parts if part.whole and part.text is Text.CURRENT], opened)
        if keeper is not None or entity in brought:
            yield from (part for part in parts if part is not keeper and part.text is not Text.OTHER)


def _is_copy(one: Shown, path: str) -> bool:
    return one.entity == path and one.whole and one.text is Text.CURRENT


def _keeper(copies: Sequence[Shown], opened: Collection[int]) -> Shown | None:
    closed = [copy for copy in copies if copy.item not in opened or copy.start < 0]
    return (closed or copies or [None])[-1]  # type: ignore[list-item]
