"""What a client's errand tells of its own doings: a diff may confirm what the last answer proposed."""

from __future__ import annotations

from typing import Any

from tslp_litellm.dialects.values import Edit, FileChange
from tslp_litellm.resolution.by_applier import confirmed, proposed_on_disk
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import Origin
from tslp_litellm.store.reading import WorkspaceReader


def confirms(store: WorkspaceReader, unit: UnitOfWork, change: FileChange, context: Context) -> bool:
    """Whether a client's own diff says that it has the text which the last answer about a file proposed; then that is
    the truth."""
    path = normalise_path(change.path, context.root) if isinstance(change, Edit) else None
    if path is None or not isinstance(change, Edit) or unit.file(path).text() is not None:
        return False
    judged = [(entry.seq, entry.moves(), entry.content()) for entry in store.entries_about([path])[path]]
    artifact = proposed_on_disk(judged, path)
    text = store.texts([artifact]).get(artifact) if artifact is not None else None
    about: dict[str, Any] = {"origin": Origin.TOOL, "carrier": change.carrier}
    return text is not None and confirmed(unit, change, text, context, about)
