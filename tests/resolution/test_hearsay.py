"""Whether a model wrote what a text says otherwise than ours."""

from __future__ import annotations

import pytest

from tslp_litellm.dialects.line_keys import line_keys
from tslp_litellm.dialects.values import Carrier, Shown
from tslp_litellm.resolution.hearsay import is_models
from tslp_litellm.state.values import FileState, Known

OURS = "import os\n\n\ndef slug(s):\n    return s.lower()\n\n\ndef title(s):\n    return s.title()\n"
NEW = "    return s.strip().casefold().replace(' ', '-')\n"
THEIRS = OURS.replace("    return s.lower()\n", NEW)


def lines(text: str) -> frozenset[int]:
    return frozenset(line_keys(text).keys) - {0}


@pytest.mark.parametrize(
    ("shown", "said", "expected"),
    [
        (THEIRS, [THEIRS], True),
        (THEIRS, [NEW], True),
        (THEIRS, ["def f():\n    pass\n"], False),
        (THEIRS.replace("title()", "title().swapcase().removeprefix('a')"), [NEW], False),
        (OURS.replace("s.lower()", "None"), ["def f():\n    return None\n"], False),
        (OURS.replace("import os\n", ""), [OURS], False),
        (OURS.replace("import os\n", ""), [OURS.replace("import os\n", "")], True),
        (THEIRS, [], False),
    ],
)
@pytest.mark.parametrize("tracked", [True, False])
def test_what_is_new_in_it_tells(shown: str, said: list[str], expected: bool, tracked: bool) -> None:
    known = Known("", OURS) if tracked else None
    piece = Shown("a.py", shown, Carrier.ATTACHMENT, heard=tuple(map(lines, said)))
    if tracked:
        assert is_models(piece, FileState("a.py", known)) is expected
    else:
        assert is_models(piece, FileState("a.py")) is any(lines(shown) <= lines(text) for text in said)
