"""In which languages a text looks to be written, by how definitions begin: what is asked before anything is parsed."""

from __future__ import annotations

import re

from tslp_litellm.syntax.languages import Language, language_named

_LOOKS = (
    ("python", re.compile(r"^[ \t]*(?:async def|def|class) \w+.*:", re.M)),
    ("typescript", re.compile(r"^[ \t]*(?:export |async )*(?:function\b|const \w|class \w|interface \w)", re.M)),
    ("go", re.compile(r"^(?:func|type) ", re.M)),
    ("rust", re.compile(r"^[ \t]*(?:pub )?(?:fn|struct|enum|trait|impl)\b", re.M)),
    ("ruby", re.compile(r"^[ \t]*(?:def|class|module) \w+", re.M)),
    ("java", re.compile(r"^[ \t]*(?:public|private|protected|abstract|final)\b.*[{(]", re.M)),
    ("c", re.compile(r"^[\w*]++[ \t][ \t*]*+\w++\(.*\)", re.M)),
)
LOOKED_AT_CHARS_MAX = 20_000


def looks_like(text: str) -> list[Language]:
    """The languages in which some line of a text may begin a definition; none of a long text.

    >>> [language.name for language in looks_like("Here it is:\\n\\ndef total(items):\\n    return 1\\n")]
    ['python', 'ruby']
    """
    if len(text) > LOOKED_AT_CHARS_MAX:
        return []
    return [language_named(name) for name, looks in _LOOKS if looks.search(text)]
