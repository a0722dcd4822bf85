"""What a user, or a client in words that no table knows, tells of changes of files: they are of unknown text then."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from tslp_litellm import shell
from tslp_litellm.clients.shell import changes_of
from tslp_litellm.dialects.paths import may_be_path
from tslp_litellm.dialects.values import Carrier, Drift
from tslp_litellm.parser.budget import spend
from tslp_litellm.prose.told import is_change, told
from tslp_litellm.shell.targets import Like, escaped

_TAG = re.compile(r"<(?P<name>[A-Za-z][\w.:-]{0,60})(?P<attributes>\s[^<>\n]{1,2000})/?>")
_PATH = re.compile(r"\b(?:path|file|filepath|file_path|filename|name|uri)=(?:\"([^\"\n]{1,1024})\"|'([^'\n]{1,1024})')")


def told_changes(own: str, prose: str, shown: Collection[str] = ()) -> list[Drift]:
    """The drift that a user's own words tell of, and tags in all the prose around them.

    `shown`: the paths that the same message shows code of: a line that leads to it says that this is the change.

    A path that is written short may be any tracked file that ends so: the user says `util.py` of `src/util.py`.
    """
    found = told(own, may_be_path, spend)
    if found.everything:
        return [Drift((), Carrier.TOLD)]
    drifts = [_drift([*(n for n in found.names if not (n in found.leading and n in shown)), *_tagged(prose)])]
    for command in found.commands:
        for change in changes_of(command, "", shell.Outcome.UNKNOWN, None):
            drifts.append(change if isinstance(change, Drift) and not change.paths else None)
            drifts.append(_drift(change.paths if isinstance(change, Drift) else [change.path]))
    return [drift for drift in drifts if drift is not None]


def _drift(named: Iterable[str]) -> Drift | None:
    paths = list(dict.fromkeys(path.removeprefix("@") for path in named))
    like = tuple(Like(None, escaped(path.replace("\\", "/").removeprefix("./"))) for path in paths)
    return Drift(tuple(paths), Carrier.TOLD, like) if paths else None


def _tagged(text: str) -> list[str]:
    """The paths of tags that say by their name that a file changed: `<file_changed path="util.py"/>`."""
    return [
        said[1] or said[2]
        for tag in _TAG.finditer(text)
        if any(is_change(word) for word in re.split(r"[\W_]+", tag["name"]))
        for said in _PATH.finditer(tag["attributes"])
    ]
