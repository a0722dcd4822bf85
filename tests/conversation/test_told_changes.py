"""What is told of changes, as evidence."""

from __future__ import annotations

import pytest

from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects.values import Drift, Excerpt, Shown


def drifts(text: str) -> list[Drift]:
    return [piece for piece in read_user_text(text).evidence if isinstance(piece, Drift)]


@pytest.mark.parametrize(
    "text",
    [
        "I edited a.py.",
        '<file_changed path="a.py"/>\nGo on.',
        "<changed_files>\n- a.py (modified)\n</changed_files>\nGo on.",
        "I ran black on a.py.",
        "<context>The user has made edits to a.py since your last message.</context>\nGo on.",
        "```\nMerge made by the 'ort' strategy.\n a.py | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n```\nGo on.",
        "```\nFixing a.py\n```\nGo on.",
        "```\nAuto-merging a.py\n```\nGo on.",
        "```\nOverwriting a.py\n```\nGo on.",
        "```\nproj main* ❯ sed -i s/a/b/ a.py\n```\nGo on.",
        "```\n12:01:33 ~/proj $ sed -i s/a/b/ a.py\n```\nGo on.",
        "```console\n+ sed -i s/a/b/ a.py\n```\nGo on.",
        "```\n# sed -i s/a/b/ a.py\n```\nGo on.",
        "```sh\nbash$ echo x > a.py\n```\nGo on.",
        "```\n  501  sed -i s/a/b/ a.py\n  502  pytest\n```\nGo on.",
        "```\nsed -i s/a/b/ a.py\n```\nGo on.",
        "> λ sed -i s/a/b/ a.py\n\nGo on.",
        "```\nproj ❯ cat > a.py <<'EOF'\nx = 1\nEOF\n```\nGo on.",
        "```\nIn [3]: %%writefile a.py\n   ...: x = 1\n```\nGo on.",
        "```text\nblack.........Failed\n- files were modified by this hook\n\nreformatted a.py\n```\nGo on.",
    ],
)
def test_a_file_that_was_changed(text: str) -> None:
    assert [drift.paths for drift in drifts(text) if drift.paths] == [("a.py",)]


@pytest.mark.parametrize("text", ["I did git checkout main.", "I did a git pull.", "I merged main."])
def test_any_file_may_have_changed(text: str) -> None:
    assert any(drift.anything for drift in drifts(text))


@pytest.mark.parametrize(
    "text",
    [
        "I ran pytest and got an error in a.py.",
        "I did a git status.",
        "Should I run sed -i s/a/b/ a.py?",
        "# Touch a.py\n\nHow?",
        "```bash\n# sed -i s/a/b/ a.py\nsed -i s/a/b/ a.py\n```\nIs this right?",
        "```\n12:01:33 ~/proj $ cat a.py\n+ grep -n x a.py\n  501  wc -l a.py\n```\nSo?",
        "```\nChecking a.py\nCompiling a.py ...\nwould reformat a.py\n```\nSo?",
        "I ran the tests in a.py.",
        '<file path="a.py"/>',
        "```\ncollected 3 items\n\na.py ...   [100%]\n```\nGo on.",
        "```python\n# reformatted a.py\n```\nGo on.",
    ],
)
def test_what_changes_nothing(text: str) -> None:
    assert drifts(text) == []


def test_what_the_same_message_shows_comes_behind() -> None:
    told, shown = read_user_text("I edited a.py.\n\na.py\n```python\nx = 1\n```\n").evidence
    assert isinstance(told, Drift)
    assert isinstance(shown, Shown)


def test_a_line_that_leads_to_the_change_tells_of_that() -> None:
    assert drifts("I changed this in a.py:\n```python\ndef f():\n    return 1\n```\n") == []
    assert drifts("I changed this in a.py:\n```\nTraceback (most recent call last):\n```\n")


@pytest.mark.parametrize("fence", ["```\n", ""])
def test_a_trace_shows_lines_without_a_prompt(fence: str) -> None:
    trace = '  File "a.py", line 2, in f\n    return x.strip()\n'
    text = f"{fence}Traceback (most recent call last):\n{trace}TypeError: x\n{fence}\nWhy?"
    found = [piece for piece in read_user_text(text).evidence if isinstance(piece, Excerpt)]
    assert [(piece.path, piece.first, piece.lines) for piece in found] == [("a.py", 2, ("return x.strip()",))]
    installed = text.replace('"a.py"', '"/venv/lib/python3.11/site-packages/a.py"')
    assert not [piece for piece in read_user_text(installed).evidence if isinstance(piece, Excerpt)]
