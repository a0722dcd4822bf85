"""What users tell that they changed themselves (SEMANTICS 2, Told): in the first person and the past."""

from __future__ import annotations

import re
from functools import cache

from tslp_litellm.dialects.values import Carrier, Drift, Told
from tslp_litellm.words.sentences import holds, is_question, listed, sentences

_TAG = re.compile(r"<(?P<name>[A-Za-z][\w.:-]{0,60})(?P<attributes>\s[^<>\n]{1,2000})/?>")
_PATH = re.compile(r"\b(?:path|file|filepath|file_path|filename|name|uri)=(?:\"([^\"\n]{1,1024})\"|'([^'\n]{1,1024})')")


@cache
def _says() -> re.Pattern[str]:
    """`I changed`, `we've just pulled`, `I have renamed`."""
    between = r"(?:\s+(?:have|had|just|also|already|now|myself|manually|both|all|since|\w+ly))*"
    return re.compile(rf"(?<![\w'’])(?:I|we)(?:['’](?:ve|d))?{between}\s+{listed('told')}(?![\w'’-])", re.I)


def told_changes(prose: str) -> list[Told]:
    """The sentences of a user's own prose that tell of changes."""
    said = [one for one in sentences(prose) if not is_question(one) and _says().search(one)]
    return [Told(one, holds(one, "everywhere")) for one in said]


def tagged_changes(text: str) -> list[Drift]:
    """The paths of tags that say by their name that a file changed: `<file_changed path="util.py"/>`."""
    paths = [
        said[1] or said[2]
        for tag in _TAG.finditer(text)
        if holds(re.sub(r"[\W_]+", " ", tag["name"]), "told")
        for said in _PATH.finditer(tag["attributes"])
    ]
    return [Drift(tuple(paths), Carrier.TOLD)] if paths else []
