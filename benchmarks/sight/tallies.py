"""What was seen, added up: a row for each kind of workload, window and way of sending. Pure functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from benchmarks.sight.measures import Seen

Pair = tuple[Any, Seen, Seen]
"""A call, as it is seen bare, and as it is seen with TSLP."""
WORST_MAX = 40


def face(setting: Any) -> str:
    """What a setting is called in the tables."""
    return f"tslp, history {setting.history}" + (", at the tail" if setting.placement == "tail" else "")


def rows(played: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of all that was played; the bare ones are those beside `history: keep`."""
    groups: dict[tuple[str, int, str], list[Pair]] = defaultdict(list)
    states: dict[tuple[str, int, str], int] = defaultdict(int)
    first: dict[Any, dict[str, str]] = {}
    for one in played:
        setting, workload = one["setting"], one["workload"]
        key = (workload.kind, setting.window, face(setting))
        groups[key] += one["rows"]
        states[key] += first.setdefault(workload, one["state"]) != one["state"]
    out = []
    for (kind, window, name), pairs in sorted(groups.items(), key=lambda group: group[0][:2]):
        if name == "tslp, history keep":
            bare = row([p[1] for p in pairs], pairs, lambda pair: pair[1])
            out.append({"kind": kind, "window": window, "with": "bare", **bare})
        ours = row([p[2] for p in pairs], pairs, lambda pair: pair[2])
        differing = {"states_differing": states[kind, window, name]}
        out.append({"kind": kind, "window": window, "with": name, **ours, **differing})
    return out


def row(seen: Sequence[Seen], pairs: Sequence[Pair], of: Callable[[Pair], Seen]) -> dict[str, Any]:
    """The figures of some requests. Shares are None where there was nothing to take a share of."""
    found = [f for one in seen for f in one.found if f.can]
    single = [f for f in found if f.single]
    fitted = [f for pair in pairs if pair[2].fitted for f in of(pair).found if f.can and f.single]
    others = [f for pair in pairs if not pair[2].fitted for f in of(pair).found if f.can and f.single]
    able = [one for one in seen if one.task_can]
    return {
        "requests": len(seen),
        "fit": share(one.fits for one in seen),
        "fit_possible": share(one.fits for one in seen if one.can_fit),
        "task": share(one.task for one in able),
        "task_cut": sum(not one.task for one in able),
        "task_cut_alone": sum(not one.task for one in seen if one.task_alone),
        "mentioned": sum(len(one.found) for one in seen),
        "possible": len(found),
        "present": share(f.copies > 0 for f in found),
        "one": share(f.copies == 1 for f in single),
        "one_fitted": share(f.copies == 1 for f in fitted),
        "one_others": share(f.copies == 1 for f in others),
        "injected": sum(one.injected for one in seen),
        "redundant": ratio(sum(one.redundant for one in seen), sum(one.injected for one in seen)),
        "prefill_chat": prefill(pairs, of, loop=False),
        "prefill_loop": prefill(pairs, of, loop=True),
    }


def share(found: Iterable[bool]) -> float | None:
    """How many of some are so."""
    listed = list(found)
    return sum(listed) / len(listed) if listed else None


def ratio(part: float, whole: float) -> float | None:
    """One number of another."""
    return part / whole if whole else None


def prefill(pairs: Sequence[Pair], of: Callable[[Pair], Seen], *, loop: bool) -> float | None:
    """Tokens that are prefilled again, relative to bare, of the clients that work in loops or of the others."""
    chosen = [pair for pair in pairs if pair[0].loop is loop and pair[1].prefilled is not None]
    return ratio(sum(of(pair).prefilled or 0 for pair in chosen), sum(pair[1].prefilled or 0 for pair in chosen))


def worst(played: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Requests that miss a goal with TSLP, the worst first: for whoever looks for the cause."""
    out = []
    for one in played:
        setting, workload = one["setting"], one["workload"]
        for number, (call, _, seen) in enumerate(one["rows"]):
            absent = [f.entity for f in seen.found if f.can and not f.copies]
            lost = seen.task_can and not seen.task
            if lost or absent:
                where = f"{workload.kind} {workload.name} {workload.which}".strip()
                said = {"task": call.task[:120], "lost": lost, "absent": absent, "size": seen.size}
                out.append(
                    {"workload": where, "request": number, "window": setting.window, "with": face(setting), **said}
                )
    return sorted(out, key=lambda one: (not one["lost"], -len(one["absent"])))[:WORST_MAX]
