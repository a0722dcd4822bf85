"""A user message's text: what it shows of files, and the prose that is the user's own."""

from __future__ import annotations

from dataclasses import dataclass

from tslp_litellm.clients.frames import is_machine, patterns, without_volatile
from tslp_litellm.clients.reports import report_in
from tslp_litellm.clients.synthetic import REFERENCED, REFERENCED_END, synthetic
from tslp_litellm.conversation.told_changes import told_changes
from tslp_litellm.dialects.attachments import attached, without_context
from tslp_litellm.dialects.fences import fences, prose_lines
from tslp_litellm.dialects.labelled import shown_by
from tslp_litellm.dialects.lines import join_lines
from tslp_litellm.dialects.listings import is_listing, listed_files
from tslp_litellm.dialects.tags import tagged, without
from tslp_litellm.dialects.values import Evidence, Report, Shown
from tslp_litellm.state.markers import unframed


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text holds. `prose`: the user's own words, no code; empty in machine-written messages."""

    evidence: tuple[Evidence | Report, ...] = ()
    prose: str = ""


def read_user_text(text: str) -> Reading:
    """A user message's text, read."""
    text = unframed(text)
    if is_listing(text):
        return Reading(tuple(listed_files(text)))
    report = report_in(text)
    if report is not None:
        return Reading((report,))
    written = tuple(synthetic(text))
    if is_machine(text):
        return Reading(written)
    if REFERENCED in text:
        text = _without_referenced(text)
    own = without(text, tagged(text, patterns().machine_tags)) if "<" in text else text
    files, rest = attached(own)
    if files:
        files, _ = attached(without_context(own, patterns().machine_tags))
    rest = without_volatile(rest)
    blocks = fences(rest)
    said = without_context(rest, patterns().machine_tags) if "<" in rest else rest
    shown_in = blocks if said == rest else fences(said)
    shown = shown_by(said, shown_in, by_user=True)
    prose = join_lines(prose_lines(rest, blocks)).strip()
    fenced = [piece.path for piece in shown if isinstance(piece, Shown) and not piece.doubted]
    changes = told_changes(join_lines(prose_lines(said, shown_in)), prose, fenced)
    return Reading((*changes, *written, *files, *shown), prose)  # what the same message shows is how it is now


def _without_referenced(text: str) -> str:
    """The text without the files that a client put behind the user's words."""
    before, _, after = text.partition(REFERENCED)
    _, _, rest = after.partition(REFERENCED_END)
    return before + rest
