"""Why something is, or isn't, the truth, in words: the codes, figures and limits of the Ledger as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tslp_litellm.resolution.reasons import GRANTS, REASONS

_EVENTS = {
    "promote": "This text became the truth",
    "propose": "A text was put forward and did not become the truth",
    "reject": "A text that had been put forward was rejected",
    "log": "A text was recorded that could not be tied to an entity",
    "tombstone": "The entity was removed",
    "dirty": "The current text became unknown (DIRTY)",
    "expire": "Its tombstone is no longer listed",
    "confirm": "The text was shown once more, beside another interface of what it uses",
    "audit": "The shadow audit was asked about a text",
}

_REFUSED = {
    reason: f"The parser {did} the current text of its file, which is kept whole: its definitions can't be told apart."
    for reason, did in {
        "timeout": "ran out of time on",
        "memory": "ran out of memory on",
        "crash": "crashed on",
    }.items()
}


def sentence(reason: str | None) -> str:
    """A reason code's sentence; of a compound one (`client-confirmation:left-out-code`) the parts' sentences."""
    return " ".join(_of_code(code) for code in (reason or "").split(":") if code)


def _of_code(code: str) -> str:
    if code in REASONS:
        return REASONS[code].sentence
    grants = {str(grant): text for grant, text in GRANTS.items()}
    return grants.get(code, f"({code})").partition(" After a colon:")[0]


def witness(found: Mapping[str, Any]) -> str:
    """What a gate compared, found and needed, as a sentence."""
    gate = f"Gate {found['gate']}"
    match found:
        case {"reason": "collapse"}:
            return (
                f"{gate} counted {found['found']} {found['compared']} in {_of(found['of'])} where the current text has "
                f"{found['before']}; at least {found['needed']} are needed ({found['limit']:g} of them)."
            )
        case {"placeholders": placeholders}:
            return f"{gate} found left-out code at: {_listed(placeholders)}."
        case {"errors": errors, "line": line}:
            return f"{gate} found {errors} new syntax error{'' if errors == 1 else 's'}, the first at: {line}"
        case {"lost": lost}:
            return f"{gate} misses {_listed(lost)}; needed: {found.get('needed', 'all of them')}."
        case {"renamed": renamed}:
            return f"{gate} saw only other names: {_listed(renamed)}."
    rest = {key: value for key, value in found.items() if key not in ("gate", "reason")}
    figures = ", ".join(f"{key}: {_listed(value)}" for key, value in rest.items())
    return f"{gate} refused it ({figures})." if figures else f"{gate} refused it."


def _of(what: str) -> str:
    return "the whole file" if what == "file" else f"`{what}`"


def _listed(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} → {item}" for key, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def of_event(row: Mapping[str, Any]) -> str:
    """One row of a history in words."""
    if row["event"] == "audit":
        return _of_audit(row["audit"])
    parts = [f"{_EVENTS.get(row['event'], row['event'])}{_from(row)}.", sentence(row["reason"])]
    if row.get("witness"):
        parts.append(witness(row["witness"]))
    return " ".join(part for part in parts if part)


def _from(row: Mapping[str, Any]) -> str:
    origin = {"user": "the user's side", "tool": "a tool's result", "model": "the model", "audit": "the shadow audit"}
    return f", by the word of {origin[row['origin']]}" if row.get("origin") in origin else ""


def _of_audit(said: Mapping[str, Any]) -> str:
    status = f"said `{said['status']}`" if said.get("status") else "gave no usable reply"
    fault = f" ({said['fault']})" if said.get("fault") else ""
    return f"The shadow audit {status}{fault}; what came of it: {said['conclusion']}."


def why(
    entity: str,
    current: Mapping[str, Any] | None,
    tombstone: Mapping[str, Any] | None,
    history: Sequence[Mapping[str, Any]],
    refused: str | None = None,
) -> str:
    """Why an entity's text is, or isn't, the truth: where it stands, and the last decision in words.

    `refused`: why no parser could read the text of its file.
    """
    last = next((row for row in history if row["event"] not in ("expire", "confirm", "audit")), None)
    if current is not None and current["freshness"] == "DIRTY":
        stands = f"{entity} is DIRTY: its last known text is not shown to models."
    elif current is not None:
        stands = f"{entity} has a current text, artifact {current['artifact'][:12]}."
    elif tombstone is not None:
        stands = f"{entity} was removed, and is listed as a tombstone since {tombstone['since']}."
    else:
        stands = f"{entity} has no text that is the truth."
    return " ".join(part for part in (stands, _last(current, last), _REFUSED.get(refused or "", "")) if part)


def _last(current: Mapping[str, Any] | None, last: Mapping[str, Any] | None) -> str:
    if last is None:
        return ""
    still = current is not None and last["event"] in ("propose", "reject", "log")
    return f"{of_event(last)}{' What was the truth before still is.' if still else ''}"
