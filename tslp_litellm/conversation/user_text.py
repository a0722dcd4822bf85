"""A user message's text: what it shows of files, and the prose that is the user's own."""

from __future__ import annotations

from dataclasses import dataclass

from tslp_litellm.clients import reports, synthetic
from tslp_litellm.clients.asides import without_asides
from tslp_litellm.clients.frames import patterns, without_volatile
from tslp_litellm.conversation.left_open import ended, set_apart
from tslp_litellm.conversation.own_diffs import own_diffs
from tslp_litellm.conversation.pasted import torn
from tslp_litellm.conversation.told_changes import tagged_changes, told_changes
from tslp_litellm.conversation.unfenced import shown_code, unended
from tslp_litellm.dialects import listings
from tslp_litellm.dialects.attachments import attached, without_context
from tslp_litellm.dialects.dialect import Dialect, in_turn
from tslp_litellm.dialects.fences import prose_lines
from tslp_litellm.dialects.labelled import selected_in, shown_by
from tslp_litellm.dialects.lines import join_lines
from tslp_litellm.dialects.values import Evidence, Report, Told
from tslp_litellm.state.markers import unframed
from tslp_litellm.words.mentions import traced

WHOLE: tuple[Dialect, ...] = (listings.read, reports.read, synthetic.read)
"""Messages that clients write as a whole, or frame in words of their own."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text holds. `prose`: the user's own words, no code; empty in machine-written messages. `traced`: the files
    of which what he pastes in fences names a line. `pasted`: he says nothing, and pastes (an error, for one)."""

    evidence: tuple[Evidence | Report | Told, ...] = ()
    prose: str = ""
    traced: tuple[str, ...] = ()
    pasted: bool = False


def read_user_text(text: str) -> Reading:
    """A user message's text, read."""
    written = in_turn(unframed(text), WHOLE)
    if not written.rest:
        return Reading(written.evidence)
    files, rest = attached(written.rest, lambda said: without_context(without_asides(said), patterns().machine_tags))
    rest = ended(set_apart(without_volatile(without_asides(rest))), by_user=True)
    blocks = shown_code(rest)
    said = without_context(rest, patterns().machine_tags) if "<" in rest else rest
    shown_in = blocks if said == rest else shown_code(said)
    shown = [*shown_by(said, shown_in), *selected_in(said, shown_in)]
    prose = join_lines(prose_lines(rest, blocks)).strip()
    told = told_changes(join_lines(prose_lines(said, shown_in)))
    shown += [*torn(said), *unended(said), *own_diffs(said, shown_in)]
    changes: tuple[Told | Evidence, ...] = (*told, *tagged_changes(prose))
    found = (*changes, *written.evidence, *files, *shown)  # what a message shows is how it is now
    pasted = bool(blocks) and not prose and rest.strip() == text.strip()
    return Reading(found, prose, traced("\n".join(block.body for block in blocks)), pasted)
