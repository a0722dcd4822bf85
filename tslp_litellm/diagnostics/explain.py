"""Why something is, or isn't, the truth, in words: the codes, figures and limits of the Ledger as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tslp_litellm.resolution.reasons import GRANTS, REASONS

_UNITS = {"nodes": "syntax nodes", "tokens": "tokens"}
_WAITING = frozenset({"awaiting-result", "removal-unconfirmed"})
"""Reasons of texts that nobody has judged for good: the client's word is still to come."""
_VERDICTS = {
    "adopted": "it is the current text from here on.",
    "refused": "refused; the current text stays as it was.",
    "waiting": "nothing has changed yet.",
    "noted": "it belongs to no entity that could be proven, and changes nothing.",
    "dirty": "the text changed, and what it is now was not shown; no model is given the old one.",
    "removed": "it is no part of the code any more.",
    "replaced": "a newer text took its place.",
}
_STATES = {"AUTHORITATIVE": "adopted", "TOMBSTONED": "removed", "SUPERSEDED": "replaced"}
_ORIGINS = {
    "user": "Shown by the user's side",
    "tool": "Told by a tool's result",
    "model": "From the model's answer",
    "audit": "By the shadow audit",
}
_FRONT = {
    "mentioned": "the prompt mentions it",
    "moved": "the prompt mentions it by an older name",
    "decided": "you decided that it is meant",
    "used": "what the prompt mentions uses it",
}
_PLACED = {
    "structure": "No label named the file: of those in play it is the one in which what the code defines stands.",
    "sentence": "No label named the file: the sentence above the code did.",
    "place": "No label named the file: the prompt says that what the code defines belongs there.",
}
_EVENTS = {
    "expire": "Its removal is no longer listed.",
    "confirm": "Confirmed: the text was shown once more; only an answer had made it true, or what it uses is another.",
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
    grant, _, refusal = (reason or "").partition(":")
    parts = [_of_code(code) for code in (grant, *refusal.split(":")) if code]
    return " The gates alone would have refused it: ".join([parts[0], " ".join(parts[1:])] if refusal else parts)


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
                f"{gate} counted {found['found']} {_UNITS[found['compared']]} in {_of(found['of'])}, which is "
                f"{100 * found['found'] // found['before']} % of the {found['before']} in the current text; at least "
                f"{100 * found['limit']:g} % must stay (setting `parity_{found['compared']}_min_ratio`)."
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


def verdict(row: Mapping[str, Any]) -> str:
    """What became of a text in one word: a key of `_VERDICTS`. `row`: of a history, or an artifact's state."""
    if row.get("event") == "dirty":
        return "dirty"
    if row["state"] in _STATES:
        return _STATES[row["state"]]
    if row.get("event") == "log" or row.get("confidence") == "UNRESOLVED":
        return "noted"
    return "waiting" if row["reason"] in _WAITING else "refused"


def of_event(row: Mapping[str, Any]) -> str:
    """What became of a text, and why, in sentences for a stranger. `row`: of a history, or an artifact's state."""
    if row.get("event") == "audit":
        return _of_audit(row["audit"])
    said = _EVENTS.get(row.get("event") or "") or _told(row)
    because = sentence(row["reason"]).replace(": DIRTY.", ".").replace(": TOMBSTONED.", ".")
    placed = _PLACED.get(row.get("placed") or "", "") if verdict(row) in ("adopted", "refused") else ""
    parts = [said, placed, because, witness(row["witness"]) if row.get("witness") else ""]
    return " ".join(part for part in parts if part)


def dirtied(reason: str | None) -> str:
    """Why a file is DIRTY, in sentences."""
    return of_event({"event": "dirty", "state": None, "reason": reason})


def _told(row: Mapping[str, Any]) -> str:
    said = _VERDICTS[verdict(row)]
    return f"{_ORIGINS[row['origin']]}: {said}" if row.get("origin") in _ORIGINS else said[0].upper() + said[1:]


def _of_audit(said: Mapping[str, Any]) -> str:
    status = f"said `{said['status']}`" if said.get("status") else "gave no usable reply"
    fault = f" ({said['fault']})" if said.get("fault") else ""
    return f"The shadow audit {status}{fault}; what came of it: {said['conclusion']}."


def in_front(why: str | None) -> str:
    """Why a block stood in front of a prompt; empty where that was not recorded."""
    return _FRONT.get(why or "", "")


def fit(said: str | None) -> str | None:
    """What became of a request that was too long, by the value of `x-tslp-window`; None of one that was not."""
    if said is None or said == "fits":
        return None
    left_out = said.rpartition("=")[2] if said.startswith("fitted") else None
    done = f"{left_out} tokens of repetitions, old results or old turns were left out" if left_out else "it still is"
    return f"The request was too long for the model's window: {done}."


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
        stands = f"{entity} is DIRTY: its current text is not known."
    elif current is not None:
        stands = f"{entity} has a current text, artifact {current['artifact'][:12]}."
    elif tombstone is not None:
        stands = f"{entity} was removed, and is listed as a tombstone since {tombstone['since']}."
    else:
        stands = f"{entity} has no text that is the truth."
    return " ".join(part for part in (stands, of_event(last) if last else "", _REFUSED.get(refused or "", "")) if part)
