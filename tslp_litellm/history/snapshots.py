"""A checkpoint's snapshot: a State Map as one text, whose hash is the checkpoint's root (SEMANTICS 12).

The text is kept in the Vault like any other, so a State Map that did not change is kept once.
"""

from __future__ import annotations

import json

from tslp_litellm.state.events import Entry, Event, EventKind, canonical
from tslp_litellm.state.values import Freshness, Held, Source, StateMap, Tombstone, artifact_hash

EVERY = 1000
"""Each event whose place is a multiple of it is a checkpoint: any point is fewer events away."""


def made(state: StateMap) -> tuple[Event, str]:
    """The checkpoint of a State Map, and its snapshot for the Vault."""
    text = snapshot(state)
    rows = len(state.entities) + len(state.tombstones)
    about = (("snapshot", artifact_hash(text)), ("episodes", state.episodes), ("rows", rows))
    return Event(EventKind.CHECKPOINT, (), about), text


def snapshot(state: StateMap) -> str:
    """A State Map's entities and tombstones, in the order of their names; equal ones make equal texts."""
    held = [[e, h.artifact, h.freshness, h.source, h.updated_at] for e, h in sorted(state.entities.items())]
    graves = [[e, t.artifact, t.since, t.episode] for e, t in sorted(state.tombstones.items())]
    return canonical({"entities": held, "tombstones": graves})


def restored(checkpoint: Entry, text: str) -> StateMap:
    """The State Map at a checkpoint."""
    said = json.loads(text)
    return StateMap(
        {e: Held(artifact, Freshness(f), Source(s), at) for e, artifact, f, s, at in said["entities"]},
        {e: Tombstone(artifact, since, episode) for e, artifact, since, episode in said["tombstones"]},
        checkpoint.content()["episodes"],
    )


def root(checkpoint: Entry) -> str:
    """The hash of a checkpoint's snapshot."""
    return str(checkpoint.content()["snapshot"])


def holds(checkpoint: Entry, state: StateMap) -> bool:
    """Whether a checkpoint is that of a State Map."""
    return checkpoint.body == made(state)[0].body()
