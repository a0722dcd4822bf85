"""A user message's text: what it shows of files, and the prose that is the user's own."""

from __future__ import annotations

from dataclasses import dataclass

from tslp_litellm.clients import reports, synthetic
from tslp_litellm.clients.asides import apart
from tslp_litellm.clients.frames import patterns, without_volatile
from tslp_litellm.conversation.told_changes import ran, taken_back, told_changes
from tslp_litellm.dialects import contexts, listings, selections
from tslp_litellm.dialects.attachments import attached, without_context
from tslp_litellm.dialects.dialect import Dialect, in_turn
from tslp_litellm.dialects.fences import fences, prose_lines
from tslp_litellm.dialects.labelled import shown_by
from tslp_litellm.dialects.lines import join_lines
from tslp_litellm.dialects.tags import tagged, without
from tslp_litellm.dialects.values import Evidence, Report, Shown, Standing
from tslp_litellm.state.markers import unframed

WHOLE: tuple[Dialect, ...] = (listings.read, reports.read, selections.read, contexts.read, synthetic.read)
"""Messages that clients write as a whole, or frame in words of their own."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text holds. `prose`: the user's own words, no code; empty in machine-written messages."""

    evidence: tuple[Evidence | Report, ...] = ()
    prose: str = ""


def read_user_text(text: str) -> Reading:
    """A user message's text, read."""
    written = in_turn(unframed(text), WHOLE)
    if not written.rest:
        return Reading(written.evidence)
    own = without(written.rest, tagged(written.rest, patterns().machine_tags)) if "<" in written.rest else written.rest
    files, rest = attached(own)
    if files:
        files, _ = attached(without_context(own, patterns().machine_tags))
    aside, rest = apart(without_volatile(rest))
    by_client = told_changes(aside, aside) if aside else []
    blocks = fences(rest)
    said = without_context(rest, patterns().machine_tags) if "<" in rest else rest
    shown_in = blocks if said == rest else fences(said)
    shown = shown_by(said, shown_in, by_user=True)
    prose = join_lines(prose_lines(rest, blocks)).strip()
    fenced = [
        piece.path
        for piece in shown
        if isinstance(piece, Shown) and not piece.doubted and piece.standing is Standing.STATED
    ]
    lines = prose_lines(said, shown_in)
    words, texts = join_lines(lines), {piece.text for piece in shown if isinstance(piece, Shown)}
    told: list[Evidence | Report] = [
        *taken_back(words),
        *told_changes(words, prose, fenced),
        *ran(lines, shown_in, texts),
    ]
    changes: list[Evidence | Report] = [*by_client, *told]
    # what a message shows is how it is now
    return Reading((*changes, *written.evidence, *files, *shown), prose)
