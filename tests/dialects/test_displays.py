"""Excerpts that shell commands show."""

import pytest

from tslp_litellm.dialects.displays import excerpts
from tslp_litellm.dialects.values import Carrier, Drift, Excerpt
from tslp_litellm.resolution.quotes import contradicts
from tslp_litellm.shell.certainty import Outcome

C = Carrier.SHELL
OURS = "import re\n\n\ndef a():\n    return 'one'\n"
BLAMED = "^abc1234 (An Author 2026-01-01 10:00:00 +0000 5) "
DIFF = "--- a/a.py\n+++ b/a.py\n@@ -4,2 +4,2 @@\n def a():\n-    return 'zero'\n+    return {}\n"


def seen(script: str, output: str, said: Outcome = Outcome.RAN) -> list[Excerpt | Drift]:
    return excerpts(script, "", output, said, False)


@pytest.mark.parametrize(
    ("script", "output", "differs"),
    [
        ("sed -n '4,5p' a.py", "def a():\n    return 'ONE'\n", True),
        ("sed -n '4,5p' a.py", "def a():\n    return 'one'", False),
        ("sed -n '5p' a.py", "return 'one'", False),
        ("sed -n '1,200p' a.py", OURS, False),
        ("sed -n '1,200p' a.py", OURS + "x = 1\n", True),
        ("head -3 a.py", "import re", False),
        ("grep -n return a.py", "5:    return 'ONE'\n", True),
        ("grep -n return a.py", "5:    return 'one'\n", False),
        ("cat -n a.py", "     1\timport re\n     2\t\n     3\t\n     4\tdef b():\n", True),
        ("tail -n 2 a.py", "def a():\n    return 'ONE'\n", True),
        ("tail -n 2 a.py", "def a():\n    return 'one'\n", False),
        ("tail -n +4 a.py", "def a():\n    return 'one'\n", False),
        ("tail a.py", OURS, False),
        ("git blame -L 5,5 a.py", BLAMED + "    return 'ONE'\n", True),
        ("git blame -L 5,5 a.py", BLAMED + "    return 'one'\n", False),
        ("git diff", DIFF.format("'ONE'"), True),
        ("git diff", DIFF.format("'one'"), False),
        ("ls; cat a.py", "a.py\n" + OURS, False),
        ("ls; cat a.py", "a.py\nimport re\n", True),
    ],
)
def test_what_contradicts_our_text(script: str, output: str, differs: bool) -> None:
    found = seen(script, output)
    assert found and any(isinstance(one, Excerpt) and contradicts(one, OURS) for one in found) is differs


@pytest.mark.parametrize("script", ["cat b.py a.py", "pytest; cat a.py", "for f in b a; do cat $f.py; done"])
@pytest.mark.parametrize(
    ("output", "differs"),
    [
        ("1 passed\n" + OURS + "x = 1\n", False),
        ("x = 1\n" + OURS.replace("one", "ONE"), True),
        (OURS.replace("\n\n\n", "\nimport os\n\n\n"), True),
        ("the user said no\n", False),
        ("E   import re\n", False),
        ("import re\n", False),
    ],
)
def test_of_what_may_not_have_run_only_what_shows_most_of_our_text(script: str, output: str, differs: bool) -> None:
    for said in (Outcome.UNKNOWN, Outcome.FAILURE):
        found = [one for one in seen(script, output, said) if isinstance(one, Excerpt) and one.path == "a.py"]
        assert len(found) == 1 and contradicts(found[0], OURS) is differs


def test_one_of_several_files_is_not_there() -> None:
    said = "cat: b.py: No such file or directory\n" + OURS.replace("one", "ONE")
    gone, shown = seen("cat b.py a.py", said, Outcome.FAILURE)
    assert gone == Drift(("b.py",), C) and isinstance(shown, Excerpt) and contradicts(shown, OURS)


@pytest.mark.parametrize("command", ["cat a.py", "head -3 a.py", "sed -n 1,3p a.py"])
def test_a_file_that_is_not_there(command: str) -> None:
    said = f"{command.split(maxsplit=1)[0]}: a.py: No such file or directory\n"
    assert seen(command, said, Outcome.UNKNOWN) == [Drift(("a.py",), C)]


@pytest.mark.parametrize("said", [*Outcome])
@pytest.mark.parametrize(
    ("script", "output", "places"),
    [
        ("grep -rn def .", "./a.py:4:def b():\n./b.py:1:def c():\n", [("./a.py", 4), ("./b.py", 1)]),
        ("rg -n def src/", "src/a.py:4:def b():\n", [("src/a.py", 4)]),
        ("rg -n def a.py", "4:def b():\n", [("a.py", 4)]),
        (
            "rg def",
            "src/a.py\n4:def b():\n9-    pass\n--\n12:def d():\n\nb.py\n1:def c():\n",
            [("src/a.py", 4), ("src/a.py", 12), ("b.py", 1)],
        ),
        ("cd src && grep -rn def", "a.py:4:def b():\n", [("src/a.py", 4)]),
        ("grep -rn def . | cut -c1-9", "./a.py:4:def b():\n", []),
        ("grep -rn def src", "grep: src: No such file or directory\n", []),
        ("git grep -n def v1.2", "v1.2:a.py:4:def b():\n", []),
    ],
)
def test_lines_that_a_search_found(said: Outcome, script: str, output: str, places: list[tuple[str, int]]) -> None:
    found = seen(script, output, said)
    assert [(one.path, one.first) for one in found if isinstance(one, Excerpt)] == places


@pytest.mark.parametrize("output", ["awaiting approval", "", "x\n[100 lines truncated]\n"])
def test_a_note_is_no_excerpt(output: str) -> None:
    assert seen("sed -n 1,3p a.py", output, Outcome.UNKNOWN) == []


def test_a_file_that_a_diff_removes() -> None:
    assert seen("git diff", "--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n") == [Drift(("a.py",), C)]
