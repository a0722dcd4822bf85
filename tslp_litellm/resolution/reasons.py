"""Every reason code with a sentence: why an artifact stands where it stands, as the Ledger and `/tslp/recent` say it.

`docs/rules.md` is written from here (`python -m scripts.write_rules`); the tests hold the codes against the code that
uses them.
"""

from __future__ import annotations

from dataclasses import dataclass

from tslp_litellm.state.values import ArtifactState, Confidence, Grant


@dataclass(frozen=True, slots=True)
class Reason:
    """A code's meaning. `gate`: the gate that it is a refusal of, `A` or `B`; empty for what is no refusal."""

    sentence: str
    gate: str = ""


REASONS: dict[str, Reason] = {
    "syntax-error": Reason("The text has syntax errors; the text that it would replace does not have them.", "A"),
    "unparsable": Reason("The parser ran out of time or memory on the text, or crashed: nothing is proven of it.", "A"),
    "left-out-code": Reason("A comment, a bare `...` or a stub stands for code that was not written out.", "A"),
    "collapse": Reason("Too little is left of the file or of a definition.", "A"),
    "lost-decoration": Reason("A decorator, an attribute or `export` in front of the definition is gone.", "A"),
    "leaf-of-another": Reason("The file knows the name only as a member of a type, and the text shows it alone.", "A"),
    "idle-constant": Reason(
        "A known constant that nobody asked for and nothing uses, beside code without a label; the file's own: DIRTY.",
        "A",
    ),
    "out-of-sight": Reason(
        "A member that the prompt does not name, of a type of which the model saw others; DIRTY where these use it.",
        "A",
    ),
    "base-unknown": Reason("The current text of what would be replaced is not known.", "A"),
    "text-of-another-file": Reason("The text is that of another file, under this one's path.", "A"),
    "unplaced-fragment": Reason("It can't be told beyond doubt where in the file the text belongs.", "A"),
    "several-versions": Reason("The answer shows several versions of it that are not edits in order.", "A"),
    "lost-symbols": Reason("The text lacks definitions, constants or keys that the prompt did not ask to remove.", "B"),
    "rename-unconfirmed": Reason("A definition came back under another name, and the prompt did not name both.", "B"),
    "model-not-trusted": Reason("The caller's trust (`client`, `human`) takes no text of the model's by itself.", "B"),
    "not-one-match": Reason("The text that an edit would replace is not in the file exactly once."),
    "short-path": Reason("The path is unknown, and a known one ends with it: most likely that file is meant."),
    "no-path": Reason("Nothing proves which file the code belongs to."),
    "only-asked": Reason("The prompt merely asked about it: the code is an explanation."),
    "not-asked": Reason("The words name other definitions, or another file, than the code without a label shows."),
    "given-back": Reason("The code was said before what is current now, and the prompt names other code."),
    "client-edits-otherwise": Reason("The client does not apply edits in this form: it is only talk."),
    "removal-unconfirmed": Reason("The model's text would delete or move the file: the client's word is needed."),
    "awaiting-result": Reason("A tool call that would change the file has no result yet."),
    "failure": Reason("The client reported that the edit failed."),
    "denied": Reason("The user refused the edit."),
    "outcome-unknown": Reason("The result of an edit can't be read, so the file may have changed: DIRTY."),
    "edit-on-another-base": Reason(
        "The client made an edit whose old text is not in the known text exactly once: DIRTY."
    ),
    "unread-turn": Reason("TSLP failed to judge a turn, and so does not know what it changed: all is DIRTY."),
    "over-budget": Reason("To read the text took longer than `visit_seconds`: what it shows is DIRTY."),
    "asked-to-go": Reason("The prompt asks to remove it, and the answer shows only its neighbours, or only it: DIRTY."),
    "told": Reason("The user says that he changed it, and did not show how: DIRTY."),
    "not-undone": Reason(
        "The prompt asks to undo what the answer before brought, and the answer shows nothing: DIRTY."
    ),
    "forgotten": Reason("An operator said (`tslp forget`) that the text is not what the file holds: DIRTY."),
    "drift": Reason("A command or a tool changed the file and did not show the new text: DIRTY."),
    "deleted": Reason("The file was deleted: TOMBSTONED."),
    "moved": Reason("The file was moved: TOMBSTONED here."),
    "moved-over": Reason("A file of unknown text was moved or copied to this place: DIRTY."),
    "modified-elsewhere": Reason("The client says that the file had been changed since it was read: DIRTY."),
    "result-differs": Reason(
        "An edit's result shows other lines or counts than the edit gives in the known text: DIRTY."
    ),
    "diff-on-another-base": Reason("The client's own diff fits neither before nor after: DIRTY."),
    "diff-on-unknown-base": Reason("The client's own diff is about a file whose text is not known: DIRTY."),
    "read-differs": Reason(
        "A read shows other lines than the known text has at that place, or finds no such file: DIRTY."
    ),
    "other-name": Reason("A file that may be this one by another name has another text, or changed: DIRTY."),
    "read-in-doubt": Reason("A tool's bare output may be the file's text, or may be something else: DIRTY."),
    "refused-though-it-fits": Reason(
        "The client refused a change that fits the known text, or gave a reason that is not true of it: DIRTY."
    ),
    "undone": Reason("The edit that made the file was undone: TOMBSTONED."),
    "rewound": Reason(
        "The conversation went back to before a change that the client made, or that later ones build on: DIRTY."
    ),
    "undone-elsewhere": Reason("An edit was undone, but the file had moved on since: DIRTY."),
    "applied-unproven": Reason(
        "The client applies edits out of the model's text itself, and the gates refuse what is then on its disk: DIRTY."
    ),
    "applied-unfollowed": Reason(
        "The client applies edits out of the model's text itself, and what it did with this one is not known: DIRTY."
    ),
    "holds-secret": Reason(
        "The text holds a secret and `refuse_secrets` is set: it is not kept, and its file is DIRTY if it was tracked."
    ),
    "most-shown": Reason(
        "The user shows most of a file again below its name. The definitions that are missing may have gone: DIRTY."
    ),
    "shown-in-part": Reason(
        "The answer shows some of a type's members, and lines of its own that are new in it: the type is DIRTY."
    ),
    "unplaced-inside": Reason(
        "The answer shows code that uses what stands inside of it: it goes in there, where is not known: DIRTY."
    ),
    "unplaced-pair": Reason("The answer shows lines of it and what takes their place, but that does not fit: DIRTY."),
    "unplaced-lines": Reason(
        "The answer shows lines that define nothing by themselves, and that go in there; how is not known: DIRTY."
    ),
    "ambiguous": Reason(
        "The file has other definitions of that name; which of them it is, or where it stands, is not known: DIRTY."
    ),
    "unknown-place": Reason(
        "A definition or an import is new to the file, and its place is unknown: the file is DIRTY."
    ),
    "decoration-in-doubt": Reason(
        "The prompt names what stands in front of a definition (a decorator), and the answer shows it without: DIRTY."
    ),
    "exported-twice": Reason(
        "A definition is shown with an `export`, and the file exports its name elsewhere, too: the file is DIRTY."
    ),
    "part-shown": Reason(
        "The user showed a part of a file that nobody knows, and what the model shows of it is no more: it is DIRTY."
    ),
    "word-not-trusted": Reason(
        "A client or a read tells another text, and with `human` trust only the user's word counts: DIRTY."
    ),
    "rename-used": Reason("The answer before gave it another name, unconfirmed, and new code uses that one: DIRTY."),
    "stands-elsewhere": Reason(
        "The answer shows it in another file, or as a member of a type, and no longer where it stood: DIRTY."
    ),
    "unknown-label": Reason(
        "The answer shows it otherwise, below a path that nobody has named: most likely this file was meant: DIRTY."
    ),
    "no-longer-used": Reason("The answer shows all that used it, and uses it no more: DIRTY."),
    "not-taken": Reason("The user shows a part of it without what the answer before brought, or was to remove: DIRTY."),
    "unplaced-change": Reason("The user showed a change of the file that can't be placed in it: DIRTY."),
}

GRANTS: dict[Grant, str] = {
    Grant.PARITY: "It has every top-level definition of the text that it replaces; only those that the prompt asks by "
    "name to remove may be missing.",
    Grant.AUDIT: "The shadow audit, one more question to a model, called it `completed` before the next user turn.",
    Grant.USER_VERIFICATION: "The model had the entity in view, and the user went on with it: the next prompt mentions "
    "it, brings no code, asks no mere question and finds no fault.",
    Grant.CLIENT: "The client reported that it made the edit. After a colon: what the gates would have said.",
    Grant.WRITE_HEAD: "The user, the client or a read showed it as the file's content.",
    Grant.REINSTATED: "A later text was taken back, so this one is current again.",
}

STATES: dict[ArtifactState, str] = {
    ArtifactState.PROPOSED: "Every artifact begins here; a refused or rejected one stays, with the reason.",
    ArtifactState.AUTHORITATIVE: "The entity's current text.",
    ArtifactState.SUPERSEDED: "Another artifact took its place.",
    ArtifactState.TOMBSTONED: "Its entity was removed by an authoritative update.",
}

CONFIDENCES: dict[Confidence, str] = {
    Confidence.CONFIRMED: "A proven path and a definition without error, or a pattern that fits exactly one entity. "
    "May become authoritative.",
    Confidence.INFERRED: "It most likely belongs to an entity. Only ever PROPOSED.",
    Confidence.UNRESOLVED: "It belongs to no entity that could be proven. Only logged.",
}
