"""What results state of files: whole texts and diffs, each client's."""

import json

import pytest

from tslp_litellm.clients.stated import stated_in
from tslp_litellm.dialects.values import Attempt, Carrier, Drift, Edit, FileChange, Replacement, Shown

R = Carrier.REPORT
MADE = Attempt("c", "edit", (Shown("a.py", "x\n", Carrier.WRITE, whole=True),))
TWO = Attempt("c", "edit", (*MADE.changes, Shown("b.py", "x\n", Carrier.WRITE, whole=True)))


def edit(old: str, new: str, line: int = 1) -> Edit:
    return Edit("a.py", (Replacement(old, new, lines=True, line=line, keeps_end=True),), R, stated=True)


FULL = Shown("a.py", "y = 1\n", Carrier.ATTACHMENT, whole=True)
DIFF = "@@ -1,2 +1,2 @@\n-a\n+b\n c\n"

TEXTS: list[tuple[str, list[FileChange]]] = [
    # Cline 3: the file as it is now, also after an edit of the user's or a failure
    (
        'saved to a.py.\n\n<final_file_content path="a.py">\ny = 1\n\n</final_file_content>\n\nIMPORTANT: For any',
        [FULL],
    ),
    (
        'The user made the following updates to your content:\n\n--- a\n\n<final_file_content path="a.py">\ny = 1\n\n</final_file_content>',
        [FULL],
    ),
    (
        '<error>\nx\n</error>\nThe file was reverted to its original state:\n\n<file_content path="a.py">\ny = 1\n\n</file_content>',
        [FULL],
    ),
    # … and where the text is missing, nobody knows it
    ("The user made the following updates to your content:\n\nsomething", [Drift(("a.py",), R)]),
    ("Along with your edits, the editor applied the following auto-formatting:\n\nsomething", [Drift(("a.py",), R)]),
    # a diff of the formatter's
    (
        f"the user's editor applied the following auto-formatting to your content:\n\n{DIFF}\n\n(Note: x",
        [edit("a\nc\n", "b\nc\n")],
    ),
    # Roo
    (
        json.dumps({"path": "a.py", "operation": "modified", "user_edits": f"--- a.py\n+++ a.py\n{DIFF}"}),
        [edit("a\nc\n", "b\nc\n")],
    ),
    (json.dumps({"path": "a.py", "operation": "modified", "user_edits": DIFF}), [edit("a\nc\n", "b\nc\n")]),
    (f"<file_write_result>\n<user_edits>\n{DIFF}</user_edits>", [edit("a\nc\n", "b\nc\n")]),
    (json.dumps({"path": "a.py", "user_edits": "unclear"}), [Drift(("a.py",), R)]),
    (json.dumps({"path": "a.py", "operation": "modified"}), []),
    (
        f"<file_write_result>\n<user_edits>--- a.py\n+++ a.py\n{DIFF.replace('-a', '-&lt;')}</user_edits>",
        [edit("<\nc\n", "b\nc\n")],
    ),
    # Continue, Zed
    (f"Successfully edited a.py\nDiff:\nIndex: a.py\n===\n--- a.py\n+++ a.py\n{DIFF}", [edit("a\nc\n", "b\nc\n")]),
    (f"Edited a.py:\n\n```diff\n{DIFF}```", [edit("a\nc\n", "b\nc\n")]),
    # Cline 4: lines with numbers only are no diff that could be applied
    ("Edited a.py\n```diff\n-2: a\n+2: b\n```", []),
    # Gemini, Qwen
    (
        "Successfully overwrote file: a.py. User modified the `content` to be: y = 1\n",
        [Shown("a.py", "y = 1\n", R, whole=True)],
    ),
    # nothing
    ("The file a.py has been updated. Here's the result of running `cat -n` on a snippet:\n     1→x", []),
    ("Wrote file successfully.", []),
    ("", []),
    ('{broken "user_edits"', []),
]


@pytest.mark.parametrize(("text", "changes"), TEXTS)
def test_texts(text: str, changes: list[FileChange]) -> None:
    assert stated_in(MADE, text) == changes


def test_the_diff_of_a_call_about_several_files_is_nobody_s() -> None:
    assert stated_in(TWO, f"Edited:\n\n```diff\n{DIFF}```") == []
    assert stated_in(TWO, '<final_file_content path="b.py">\ny = 1\n\n</final_file_content>') == [
        Shown("b.py", "y = 1\n", Carrier.ATTACHMENT, whole=True)
    ]
