"""aider's reports of edits that failed or were undone."""

import pytest

from tslp_litellm.clients.reports import report_in
from tslp_litellm.dialects.values import Report

FAILED = """# 2 SEARCH/REPLACE blocks failed to match!

## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/a.py
<<<<<<< SEARCH
    return 1
=======
    return 2
>>>>>>> REPLACE

Did you mean to match some of these actual lines from src/a.py?

```
    return  1
```

## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/b.py
<<<<<<< SEARCH
x = 1
y = 1
=======
x = 2
>>>>>>> REPLACE

The SEARCH section must exactly match an existing block of lines including all white space, comments, indentation, docstrings, etc

# The other 1 SEARCH/REPLACE block were applied successfully.
Don't re-send them.
"""
UDIFF = """UnifiedDiffNoMatch: hunk failed to apply!

src/a.py does not contain lines that match the diff you provided!
Try again.
DO NOT skip blank lines, comments, docstrings, etc!
The diff needs to apply cleanly to the lines in src/a.py!

src/a.py does not contain these 2 exact lines in a row:
```
a
b
```
"""


@pytest.mark.parametrize(
    ("text", "report"),
    [
        (FAILED, Report(False, ("    return 1\n", "x = 1\ny = 1\n"))),
        (
            FAILED + "\n\n# *SEARCH/REPLACE block* Rules:\n\nEvery …",
            Report(False, ("    return 1\n", "x = 1\ny = 1\n")),
        ),
        (UDIFF, Report(False, ("a\nb\n",))),
        ("UnifiedDiffNotUnique: hunk failed to apply!\n\nsomething", Report(False, ("",))),
        ("a\n```\n^^^ Bad/missing filename. The filename must be alone on the line", Report(False)),
        ("Expected `=======`\n\nx", Report(False)),
        ("No filename provided before ``` in file listing", Report(False)),
        ("The LLM did not conform to the edit format.\nhttps://…", Report(False)),
        (
            "I did `git reset --hard HEAD~1` to discard the last edits. Please wait for further instructions",
            Report(True),
        ),
    ],
)
def test_reports(text: str, report: Report) -> None:
    assert report_in(text) == report


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I committed the changes with git hash 15d7118 & commit msg: # 1 SEARCH/REPLACE block failed to match!",
        "Why does it say # 1 SEARCH/REPLACE block failed to match!",
        "Please git reset --hard HEAD~1",
        "I updated the files.",
    ],
)
def test_other_messages_are_none(text: str) -> None:
    assert report_in(text) is None
