"""What a notice says of what was left out (SEMANTICS 4, The window)."""

from __future__ import annotations

from tslp_litellm.plan.fitting import View
from tslp_litellm.plan.values import ALL, Demand, LeftOut

HEAD = "Left out of this prompt, for room in the model's context window: "
END = "Where something that was left out is needed, read it again."


def told(demand: Demand, left: LeftOut, seen: View, tools: bool) -> list[str]:
    """The lines of the notice; it stands as long as something is left out, and changes only when more is. `tools`:
    whether the model has any, to read something again with.

    Example: Left out of this prompt, for room in the model's context window: the 2 oldest turns of the conversation,
    1 older tool result.
    """
    parts = {part.item: part for part in demand.parts}
    cuts = [cut for item in seen.changes.texts for cut in left.cuts.get(parts[item].key, ())]
    results = sum(cut.end == ALL for cut in cuts)
    turns = sum(span.turn for span in demand.spans if span.key in left.spans)
    calls = sum(not span.turn for span in demand.spans if span.key in left.spans)
    found = (
        (turns, "the oldest turn of the conversation", "the {} oldest turns of the conversation"),
        (calls, "1 older call with its results", "{} older calls with their results"),
        (results, "1 older tool result", "{} older tool results"),
        (len(cuts) - results, "a repeated or outdated copy of code", "{} repeated or outdated copies of code"),
    )
    said = ", ".join((one if number == 1 else many).format(number) for number, one, many in found if number)
    return [f"{HEAD}{said}.", *([END] if tools else [])]
