"""Reads and notices that clients write into messages themselves."""

import pytest

from tslp_litellm.clients.synthetic import rejoined, synthetic
from tslp_litellm.dialects.values import Carrier, Drift, Evidence, Excerpt, Shown
from tslp_litellm.wire.turn import Item, ItemKind, Role

CALLED = 'Called the Read tool with the following input: {"file_path":"/w/a.py"}'
RESULT = "Result of calling the Read tool:"
READ: list[Evidence] = [Shown("/w/a.py", "x = 1\ny = 2\n", Carrier.READ, whole=True, ended=True)]


def user(text: str, message: int = 3, role: Role = Role.USER) -> Item:
    return Item(role, ItemKind.TEXT, text, message)


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        (f"{CALLED}\n{RESULT}\n1\tx = 1\n2\ty = 2\n3\t", READ),
        (f"{CALLED}\n{RESULT}\n     1→x = 1\n     2→y = 2\n     3→\n", READ),
        (
            f'<system-reminder>\n{CALLED}\n</system-reminder>\n<system-reminder>\n{RESULT} "1\tx = 1\n2\ty = 2\n3\t"\n</system-reminder>',
            READ,
        ),
        (
            f"{CALLED}\n{RESULT}\n1\tx = 1\n2\ty = 2\n3\t\n\n{CALLED.replace('a.py', 'b.py')}\n{RESULT}\n1\tz = 1\n2\t",
            [*READ, Shown("/w/b.py", "z = 1\n", Carrier.READ, whole=True)],
        ),
        (f'{CALLED[:-1]},"offset":5}}\n{RESULT}\n5\tx = 1\n6\ty = 2', [Excerpt("/w/a.py", 5, ("x = 1", "y = 2"))]),
        (f"{CALLED}\n{RESULT}\nWasted call — file unchanged since your last Read.", []),
        (f"{CALLED}\n{RESULT}\n<tool_use_error>File does not exist.</tool_use_error>", [Excerpt("/w/a.py", 1, ())]),
        (CALLED, []),
        ('Called the LS tool with the following input: {"path":"/w"}\nResult of calling the LS tool:\na.py', []),
        (
            "Note: /w/a.py was modified, either by the user or by a linter. This change was intentional",
            [Drift(("/w/a.py",), Carrier.REPORT)],
        ),
        (
            "<explicit_instructions>\nCRITICAL FILE STATE ALERT: 2 files have been externally modified since your last interaction.\nsrc/a.py\nsrc/b.py\n\nx.py\n</explicit_instructions>",
            [Drift(("src/a.py", "src/b.py"), Carrier.REPORT)],
        ),
        (
            "<explicit_instructions>\nCRITICAL FILE STATE ALERT: 1 file has been externally modified since your last "
            "interaction: src/a.py\n</explicit_instructions>",
            [Drift(("src/a.py",), Carrier.REPORT)],
        ),
        (
            "Go.\n\n<environment_details>\n# VSCode Visible Files\nsrc/c.py\n\n# Recently Modified Files\nThese files have been "
            "modified since you last accessed them (file was just edited so you may need to re-read it before editing):\n"
            "src/a.py\nsrc/my b.py\n\n# Current Time\n11/20/2026\n</environment_details>",
            [Drift(("src/a.py", "b.py", "src/my b.py"), Carrier.REPORT)],
        ),
        (
            "What?\n--- Content from referenced files ---\nContent from @src/a.py:\nx = 1\n--- End of content ---",
            [Shown("src/a.py", "x = 1", Carrier.ATTACHMENT, whole=True, ended=False)],
        ),
        (
            "--- Content from referenced files ---\nContent from /w/a.py:\nx = 1\n\nContent from /w/b.py:\ny = 1\n\n--- End of content ---",
            [
                Shown("/w/a.py", "x = 1\n", Carrier.ATTACHMENT, whole=True),
                Shown("/w/b.py", "y = 1\n", Carrier.ATTACHMENT, whole=True),
            ],
        ),
        (
            "--- Content from referenced files ---\nContent from /w/a.py:\n[File content truncated: showing 5 lines]\nx\n--- End of content ---",
            [],
        ),
        (
            "--- Content from referenced files ---\nContent from /w/a.py:\nShowing lines 1-5 of 9 total lines.\n\n---\n\nx\n--- End of content ---",
            [],
        ),
        ("Please read a.py.", []),
        ("", []),
    ],
)
def test_texts(text: str, evidence: list[Evidence]) -> None:
    assert synthetic(text) == evidence


def test_parts_of_one_message_are_put_together() -> None:
    items = [user(CALLED), user("1\tx = 1\n2\ty = 2\n3\t")]
    (whole,) = rejoined(items)
    assert synthetic(whole.text) == READ
    header = "--- Content from referenced files ---"
    parts = [f"\n{header}", "\nContent from @a.py:\n", "x = 1\n", "\n--- End of content ---"]
    (whole,) = rejoined([user(part) for part in parts])
    assert synthetic(whole.text) == [Shown("a.py", "x = 1\n", Carrier.ATTACHMENT, whole=True)]
    (whole,) = rejoined([user(part.strip("\n")) for part in parts])
    assert synthetic(whole.text) == [Shown("a.py", "x = 1", Carrier.ATTACHMENT, whole=True, ended=False)]


def test_other_messages_are_left_alone() -> None:
    apart = [user(CALLED, 3), user("1\tx", 4)]
    assert rejoined(apart) == apart
    other = [user(CALLED), user("1\tx", role=Role.ASSISTANT)]
    assert rejoined(other) == other
    outside = [user(CALLED, -1), user("1\tx", -1)]
    assert rejoined(outside) == outside
