"""What a notice says of what was left out (SEMANTICS 4, The window)."""

from __future__ import annotations

from tslp_litellm.plan.fitting import View
from tslp_litellm.plan.values import ALL, Demand, LeftOut

HEAD = "To fit into the model's context window, these parts of the conversation were left out of this prompt:"
END = "Where something that was left out is needed, read it again."


def told(demand: Demand, left: LeftOut, seen: View) -> list[str]:
    """The lines of the notice; it stands as long as something is left out, and changes only when more is."""
    parts = {part.item: part for part in demand.parts}
    cuts = [cut for item in seen.changes.texts for cut in left.cuts.get(parts[item].key, ())]
    results = sum(cut.end == ALL for cut in cuts)
    turns = sum(span.turn for span in demand.spans if span.key in left.spans)
    calls = sum(not span.turn for span in demand.spans if span.key in left.spans)
    copies = len(cuts) - results
    lines = [f"- {_some(turns, 'whole turn')} of the conversation, the oldest"] if turns else []
    lines += [f"- {_some(calls, 'older step')}, calls with their results"] if calls else []
    lines += [f"- {_some(results, 'older tool result')}"] if results else []
    lines += (
        [f"- {_some(copies, 'repeated or outdated copy', 'repeated or outdated copies')} of code"] if copies else []
    )
    return [HEAD, *lines, END]


def _some(number: int, one: str, many: str = "") -> str:
    return f"1 {one}" if number == 1 else f"{number} {many or one + 's'}"
