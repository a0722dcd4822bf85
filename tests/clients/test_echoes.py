"""What results of edits show of the file: lines in their places, and counts."""

import json

import pytest

from tslp_litellm.clients.echoes import Echo, echo_of
from tslp_litellm.dialects.values import Carrier, Excerpt


def lines(first: int, *shown: str, until: int = 0, total: int = 0) -> Excerpt:
    return Excerpt("a.py", first, shown, Carrier.REPORT, until=until, total=total)


SNIPPET = "The file a.py has been edited. Here's the result of running `cat -n` on a snippet of a.py:\n"


@pytest.mark.parametrize(
    ("result", "echo"),
    [
        (SNIPPET + "     3\tx\n     4\ty\nReview the changes.", Echo((lines(3, "x", "y"),))),
        (SNIPPET + "     3\tx\n     7\ty\n", Echo((lines(3, "x"), lines(7, "y")))),
        (SNIPPET + "no lines at all", Echo()),
        (SNIPPET + "     3\tx... [truncated]\n", Echo()),
        (
            "The file: a.py has been updated. Showing lines 2-3 of 9 from the edited file:\n\n---\n\nx\ny",
            Echo((lines(2, "x", "y", until=2, total=9),)),
        ),
        (
            "Successfully modified file: a.py (2 replacements). Here is the updated code:\n\nx\n...\ny\n",
            Echo((lines(0, "x"), lines(0, "y")), replaced=2),
        ),
        (
            json.dumps({"query": "edit:a.py", "result": "Edited a.py\n```diff\n-2: x\n+2: y\n```", "success": True}),
            Echo((lines(0, "y"),), (lines(0, "x"),)),
        ),
        ("Edit applied successfully.", Echo()),
        ("Edited a.py:\n\n```diff\n@@ -1 +1 @@\n-x\n+y\n```", Echo()),
    ],
)
def test_what_results_show(result: str, echo: Echo) -> None:
    assert echo_of("a.py", result) == echo
