"""The answers of the diagnostics as types: what OpenAPI says of them, and what the command line prints with `--json`.

Times are RFC 3339 UTC with milliseconds; an artifact is the lower-case hex SHA-256 of a text.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

State = Literal["PROPOSED", "AUTHORITATIVE", "SUPERSEDED", "TOMBSTONED"]
Freshness = Literal["CLEAN", "DIRTY"]
Event = Literal["promote", "propose", "reject", "log", "tombstone", "dirty", "expire", "confirm", "audit"]
Dependencies = Literal["ok", "pending", "stale"]
Placed = Literal["structure", "sentence", "place"]
Verdict = Literal["adopted", "refused", "waiting", "noted", "dirty", "removed", "replaced"]


class Health(BaseModel):
    """The process is alive; asked with `deep`, so is its database."""

    status: Literal["ok"]


class Check(BaseModel):
    """One finding of the doctor."""

    name: str
    status: Literal["ok", "warn", "fail"]
    detail: str


class Doctor(BaseModel):
    """The doctor's findings: `failed` if anything fails, `degraded` if anything is amiss."""

    status: Literal["ok", "degraded", "failed"]
    checks: list[Check]


class Held(BaseModel):
    """An entity of the State Map."""

    entity: str
    artifact: str
    freshness: Freshness
    source: str = Field(description="How the text was confirmed: AST, pattern, edit or file.")
    updated_at: str
    dependencies: Dependencies | None = Field(None, description="How what it uses stands; if that was asked for.")


class Tombstone(BaseModel):
    """A removed entity, with its last artifact."""

    entity: str
    artifact: str
    since: str


class AsOf(BaseModel):
    """A point of a workspace's Ledger: the state after this event."""

    seq: int = Field(description="0: before the first event.")
    at: str | None = Field(description="When it was recorded.")
    episode_id: str | None = Field(description="In which episode; null for what is no episode's.")


class StateMap(BaseModel):
    """A workspace's State Map, without texts."""

    tenant: str
    workspace: str
    workspaces: list[str] = Field(description="All workspaces of the tenant that the key may see.")
    alike: list[str] | None = Field(None, description="Older workspaces whose names look like this one's, if any.")
    entities: list[Held]
    tombstones: list[Tombstone]
    next: str | None = Field(None, description="Where there are more: what to ask for as `after`.")


class ArtifactState(BaseModel):
    """Where an episode's artifact ended. `entity` is null where none could be proven."""

    entity: str | None
    artifact: str | None
    state: State
    confidence: str | None
    reason: str | None
    witness: dict[str, Any] | None = Field(None, description="With a refusal: what was compared, found and needed.")
    placed: Placed | None = Field(None, description="What said which file it is of, where no label did.")
    verdict: Verdict = Field(description="What became of the text, in a word.")
    says: str = Field(description="The same in sentences, with the reason and the figures.")


class Dirtied(BaseModel):
    """A file of which something became DIRTY: known to have changed, but not into what."""

    path: str
    reason: str | None
    says: str = Field(description="Why, in sentences.")


class By(BaseModel):
    """Who made an episode, by names; what is not known is left out."""

    key: str | None = Field(None, description="The key's alias, else its hash.")
    user: str | None = None
    team: str | None = Field(None, description="The team's alias, else its id.")
    client: str | None = Field(None, description="As the client's User-Agent says.")
    model: str | None = Field(None, description="With an entity's history: the model that was asked.")


class Front(BaseModel):
    """An entity whose current text was put in front of a prompt."""

    entity: str
    tokens: int | None = Field(description="Null in episodes of an older release.")
    why: Literal["mentioned", "moved", "decided", "used"] | None
    says: str = Field(description="Why it stood there, in words.")


class Episode(BaseModel):
    """One completion call that crossed the proxy."""

    episode_id: str
    seq: int = Field(description="Its place in the workspace's Ledger; `after` takes it.")
    at: str = Field(description="When it was recorded.")
    started_at: str
    model: str
    by: By = Field(description="Who made it.")
    injected: int = Field(description="Tokens put in front of the prompt, blocks and notices.")
    front: list[Front] = Field(description="The blocks in front of the prompt.")
    words: str | None = Field(None, description="How the prompt begins. Only with `debug: true`.")
    entities: list[str]
    artifact_states: list[ArtifactState]
    dirtied: list[Dirtied]


class Decision(BaseModel):
    """Something that only the user can settle: an open question, or what was decided."""

    id: str
    state: Literal["open", "made"]
    kind: Literal["rename", "loss", "snippet", "name"]
    about: list[str] = Field(description="Entities, in full.")
    says: str
    options: list[str] | None = Field(None, description="Of an open one; it is answered by `decision ID: N`.")
    conversation: str | None = Field(None, description="Of an open one: where alone it can be answered.")
    option: int | None = Field(None, description="What was decided, and in words: `chosen`.")
    chosen: str | None = None
    at: str | None = None
    episode_id: str | None = None


class Recent(BaseModel):
    """Episodes, newest first."""

    tenant: str
    workspace: str
    episodes: list[Episode]
    decisions: list[Decision] | None = Field(None, description="The open ones, then the past ones, newest first.")
    missing: str | None = Field(None, description="What of it is in an archive that can't be read.")


class Changed(BaseModel):
    """A file of which something changed, and the last thing that was done."""

    path: str
    event: Event
    at: str


class Stated(BaseModel):
    """A decision that a user stated, by a line `decision: …` of their own."""

    says: str
    at: str
    episode_id: str | None


class Failed(BaseModel):
    """A failed edit or tool."""

    tool: str
    paths: list[str]
    says: str | None
    at: str
    episode_id: str | None


class Reported(BaseModel):
    """What a test run, a compiler or a linter said last. `exit`: the exit status of all that ran, if it was stated."""

    tool: str
    verdict: Literal["green", "red"]
    tests: bool = Field(description="Whether it runs tests.")
    counts: dict[str, int]
    exit: int | None
    seq: int
    at: str
    episode_id: str | None


class Resume(BaseModel):
    """Where a workspace stands. Lists are cut to what a screen holds, the newest first."""

    tenant: str
    workspace: str
    head: AsOf
    checkpoint: AsOf | None = Field(description="The last one; null where there is none yet.")
    changed: list[Changed] = Field(description="Files, since the last checkpoint.")
    waiting: list[str] = Field(description="Entities for which a model's text waits for authority.")
    dirty: list[str] = Field(description="Files of which something is DIRTY.")
    stale: list[str] = Field(description="Entities that use something that has changed since.")
    decisions: list[Decision] = Field(description="The open ones.")
    stated: list[Stated]
    errors: list[Failed] = Field(description="Since the last checkpoint.")
    reported: list[Reported] = Field(description="The last verdict of each tool.")
    green: AsOf | None = Field(description="The last point at which tests were green.")
    missing: str | None = Field(None, description="What of it is in an archive that can't be read.")


class WorkspaceTotal(BaseModel):
    """A workspace, and how many episodes it has had."""

    workspace: str
    episodes: int


class Refusals(BaseModel):
    """How many texts were refused for a reason."""

    reason: str
    says: str
    count: int


class Verdicts(BaseModel):
    """How many runs of tests said what."""

    green: int
    red: int


class Day(Verdicts):
    """What was counted on a day. `injected`: tokens."""

    day: str = Field(description="UTC, as YYYY-MM-DD.")
    episodes: int
    injected: int
    refused: int


class Client(BaseModel):
    """A client's share. `injected`: tokens."""

    client: str | None = Field(description="As its User-Agent says; null where it does not.")
    episodes: int
    injected: int


class Overview(BaseModel):
    """A workspace in figures: the newest 2,000 episodes of the last 30 days, and the State Map as it is now."""

    tenant: str
    workspace: str
    workspaces: list[WorkspaceTotal] = Field(description="All workspaces of the tenant that the key may see.")
    alike: list[str] | None = Field(None, description="Older workspaces whose names look like this one's, if any.")
    since: str | None = Field(description="When the first episode that is counted was recorded; null if none is.")
    cut: bool = Field(description="Whether there are more episodes in these 30 days, or may be in an archive.")
    episodes: int
    injected: int = Field(description="Tokens put in front of prompts, blocks and notices.")
    share: float | None = Field(description="That as a part of the models' windows; null if none was known.")
    given: int = Field(description="Episodes with current code in front of their prompt.")
    left_out: int = Field(description="Tokens left out of requests, to fit them into a model's window.")
    too_long: int = Field(description="Requests that were still too long for it.")
    refused: list[Refusals] = Field(description="By reason, the most frequent first.")
    collapses: int = Field(description="Refused: code was only hinted at in them, or too little was left.")
    losses: int = Field(description="Refused: definitions or decorations were missing in them.")
    tests: Verdicts
    clean: int = Field(description="Entities whose current text is known.")
    dirty: int = Field(description="Entities known to have changed, but not into what.")
    removed: int = Field(description="Entities listed as removed.")
    stale: int = Field(description="Entities that use something stale or pending.")
    days: list[Day] = Field(description="Days on which something was counted, in order.")
    clients: list[Client] = Field(description="The most frequent first.")


class Current(BaseModel):
    """An entity's current artifact. `text` only with `debug: true`."""

    artifact: str
    freshness: Freshness
    source: str
    updated_at: str
    text: str | None = Field(None, description="Only with `debug: true`. Of a DIRTY entity: the last known text.")
    erased: bool = Field(False, description="Its text was erased by an operator.")


class Grave(BaseModel):
    """A removed entity's last artifact."""

    artifact: str
    since: str


class Happening(BaseModel):
    """What one event did to one entity."""

    seq: int
    at: str
    episode_id: str | None
    event: Event
    artifact: str | None
    state: State | None = Field(description="Null where the event makes no artifact what it is.")
    confidence: str | None
    reason: str | None
    source: str | None
    replaces: str | None = Field(description="The artifact that was the truth before.")
    origin: str | None = Field(description="Whose word it was: user, tool, model or audit.")
    carrier: str | None
    tool: str | None
    verdict: Verdict | None = Field(description="What became of the text, in a word; null where that did not change.")
    says: str = Field(description="The event in words.")
    witness: dict[str, Any] | None = None
    placed: Placed | None = Field(None, description="What said which file it is of, where no label did.")
    audit: dict[str, Any] | None = Field(None, description="With `audit`: what was said, and what came of it.")
    by: By | None = Field(None, description="With an entity's history: who made the episode.")


class EpisodeHappening(Happening):
    """What one event of an episode did. `entity` is null where none could be proven."""

    entity: str | None


class Use(BaseModel):
    """Something that an entity uses. `before`: its signature when the entity was last confirmed, if it is another."""

    entity: str
    route: Literal["same-file", "import", "re-export"]
    standing: Dependencies
    signature: str | None = Field(description="None where its current text is not known.")
    before: str | None = None


class EntityReport(BaseModel):
    """One entity: where it stands, how it came to that, and why."""

    tenant: str
    workspace: str
    entity: str
    head: int = Field(description="The place of the newest event in the workspace's Ledger.")
    as_of: AsOf | None = Field(None, description="With `at`: the point that it names.")
    current: Current | None
    dependencies: Dependencies | None = Field(
        None,
        description="How what it uses stands: `pending` where something of that is DIRTY, `stale` where something has "
        "another interface, or is gone, since its own text was last confirmed.",
    )
    uses: list[Use] | None = Field(None, description="What it uses, by binding; the worst first.")
    used_by: list[str] | None = Field(None, description="What uses it, by binding.")
    tombstone: Grave | None = None
    missing: str | None = Field(None, description="What of the history is in an archive that can't be read.")
    history: list[Happening] = Field(description="Newest first.")
    why: str = Field(description="Why its text is, or isn't, the truth.")
    refused: Literal["timeout", "memory", "crash"] | None = Field(None, description="Why its file could not be read.")


class EpisodeReport(BaseModel):
    """Everything recorded of an episode. `seq` to `answer` are null while its answer is under way."""

    tenant: str
    workspace: str
    episode_id: str
    seq: int | None
    at: str | None
    started_at: str | None
    model: str | None
    call_type: str | None
    side: bool | None
    complete: bool | None = Field(description="Whether the answer came whole; one that was cut short is no evidence.")
    finish: str | None
    conversation: str | None
    prompt: str | None = Field(description="Artifact of the user's prompt.")
    answer: str | None = Field(description="Artifact of the answer's text.")
    hydrated: list[str]
    in_view: list[str]
    notices: int
    by: By = Field(description="Who made it.")
    injected: int = Field(description="Tokens put in front of the prompt, blocks and notices.")
    front: list[Front] = Field(description="The blocks in front of the prompt.")
    fit: str | None = Field(description="What became of a request that was too long for the model's window, in words.")
    words: str | None = Field(None, description="The user's prompt. Only with `debug: true`.")
    said: list[str] | None = Field(None, description="The notices in front of the prompt. Only with `debug: true`.")
    events: list[EpisodeHappening]


class Artifact(BaseModel):
    """A text of the Vault, secrets redacted."""

    artifact: str
    text: str


class Compared(BaseModel):
    """One of two texts that stand side by side, secrets redacted."""

    artifact: str
    text: str
    cut: bool = Field(description="Only its first 20,000 lines, or 1,000,000 characters, are here.")
    pieces: list[tuple[int, str]] = Field(
        description="The text in pieces: each one's length in units of UTF-16, and `comment`, `keyword`, `string`, "
        "`number`, `name` or nothing; of a long text for its beginning. Empty where its language is not known, or that "
        "takes too long to find out."
    )


class Comparison(BaseModel):
    """Two texts of an entity side by side."""

    entity: str
    before: Compared
    after: Compared
    hunks: list[tuple[int, int, int, int]] = Field(
        description="Where they differ: lines from and up to the first two numbers before (from 0, the last one "
        "excluded) gave way to those from and up to the other two after."
    )


class LastPrompt(BaseModel):
    """What the model was last sent."""

    episode_id: str
    model: str
    messages: Any
    hydrated: list[str]
    notices: list[Any]


class Error(BaseModel):
    """Why there is no answer."""

    detail: str


class Refused(BaseModel):
    """LiteLLM's own refusal of a key."""

    error: dict[str, Any]
