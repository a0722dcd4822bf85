"""Unified diffs: models' without numbers, clients' with them, git's extras."""

import pytest

from tslp_litellm.dialects.unified_diff import parse_diff
from tslp_litellm.dialects.values import Carrier, Edit, FileChange, Removal, Replacement, Shown, Transfer

C = Carrier.UDIFF


def swap(old: str, new: str, line: int = 0) -> Replacement:
    return Replacement(old, new, lines=True, line=line, keeps_end=line > 0)


def edit(path: str, *steps: Replacement, stated: bool = False) -> Edit:
    return Edit(path, steps, C, stated)


HEAD = "--- a/a.py\n+++ b/a.py\n"

BOTH: list[tuple[str, list[FileChange]]] = [
    (HEAD + "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", [edit("a.py", swap("a\nb\n", "a\nc\n", 1))]),
    (HEAD + "@@ -1 +1 @@\n-b\n+c\n", [edit("a.py", swap("b\n", "c\n", 1))]),
    (HEAD + "@@ -7,2 +8,1 @@ def f():\n a\n-b\n", [edit("a.py", swap("a\nb\n", "a\n", 8))]),
    ("--- a.py\n+++ a.py\n@@ -1 +1 @@\n-b\n+c\n", [edit("a.py", swap("b\n", "c\n", 1))]),
    ("--- a.py\t2026-01-01 00:00:00\n+++ a.py\t2026\n@@ -1 +1 @@\n-b\n+c\n", [edit("a.py", swap("b\n", "c\n", 1))]),
    ("--- /w/a.py\n+++ /w/a.py\n@@ -1 +1 @@\n-b\n+c\n", [edit("/w/a.py", swap("b\n", "c\n", 1))]),
    ("--- a/a.py\n+++ a/a.py\n@@ -1 +1 @@\n-b\n+c\n", [edit("a/a.py", swap("b\n", "c\n", 1))]),
    ('--- "a/\\303\\274.py"\n+++ "b/\\303\\274.py"\n@@ -1 +1 @@\n-b\n+c\n', [edit("ü.py", swap("b\n", "c\n", 1))]),
    ('--- "a/x\\ty.py"\n+++ "b/x\\ty.py"\n@@ -1 +1 @@\n-b\n+c\n', [edit("x\ty.py", swap("b\n", "c\n", 1))]),
    ("--- a/x y.py\n+++ b/x y.py\n@@ -1 +1 @@\n-b\n+c\n", [edit("x y.py", swap("b\n", "c\n", 1))]),
    ("--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,2 @@\n+a\n+b\n", [Shown("a.py", "a\nb\n", C, whole=True)]),
    (
        "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
        [Shown("a.py", "a", C, whole=True)],
    ),
    ("--- a/a.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", [Removal("a.py", C)]),
    (
        HEAD + "@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+b\n",
        [edit("a.py", swap("b", "b\n", 1))],
    ),
    (
        HEAD + "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n",
        [edit("a.py", swap("a\nb", "c\nb", 1))],
    ),
    (
        HEAD + "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n",
        [edit("a.py", swap("a\n", "b\n", 1), swap("c\n", "d\n", 9))],
    ),
    (
        "diff --git a/a.py b/a.py\nindex 1..2 100644\n" + HEAD + "@@ -1 +1 @@\n-a\n+b\n"
        "diff --git a/b.py b/b.py\nindex 1..2 100644\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-c\n+d\n",
        [edit("a.py", swap("a\n", "b\n", 1)), edit("b.py", swap("c\n", "d\n", 1))],
    ),
]

STATED: list[tuple[str, list[FileChange]]] = [
    # a hunk's lines may look like the head of a file: the counts tell
    (HEAD + "@@ -1,2 +1,2 @@\n--- x\n-y\n+++ z\n+w\n", [edit("a.py", swap("-- x\ny\n", "++ z\nw\n", 1), stated=True)]),
    (HEAD + "@@ -1 +1 @@\n-a\n+b\ntrailing words\n-c\n", [edit("a.py", swap("a\n", "b\n", 1), stated=True)]),
    (
        "diff --git a/a.py b/b.py\nsimilarity index 100%\nrename from a.py\nrename to b.py\n",
        [Transfer("a.py", "b.py", C)],
    ),
    (
        "diff --git a/a.py b/b.py\nsimilarity index 90%\nrename from a.py\nrename to b.py\n--- a/a.py\n+++ b/b.py\n"
        "@@ -1 +1 @@\n-a\n+b\n",
        [Transfer("a.py", "b.py", C, steps=(swap("a\n", "b\n", 1),))],
    ),
    # an empty file that was filled, and a hunk with only added lines
    (HEAD + "@@ -0,0 +1,2 @@\n+a\n+b\n", [Edit("a.py", (Replacement("", "a\nb\n"),), C, stated=True)]),
    (HEAD + "@@ -5,0 +6 @@\n+a\n", []),
    # cut at the end: aider strips its message
    (HEAD + "@@ -1,4 +1,4 @@\n-a\n+b\n c", [edit("a.py", swap("a\nc\n", "b\nc\n", 1), stated=True)]),
    ("diff --git a/x.bin b/x.bin\nBinary files a/x.bin and b/x.bin differ\n", []),
    ("diff --git a/a.sh b/a.sh\nold mode 100644\nnew mode 100755\n", []),
]

SAID: list[tuple[str, list[FileChange]]] = [
    (HEAD + "@@ ... @@\n a\n-b\n+c\n", [edit("a.py", swap("a\nb\n", "a\nc\n"))]),
    (HEAD + "@@\n-b\n+c\n@@\n-d\n+e\n", [edit("a.py", swap("b\n", "c\n"), swap("d\n", "e\n"))]),
    (HEAD + "@@ ... @@\n a\n\n-b\n+c\n", [edit("a.py", swap("a\n\nb\n", "a\n\nc\n"))]),
    # models count badly
    (HEAD + "@@ -1,9 +1,9 @@\n-b\n+c\n", [edit("a.py", swap("b\n", "c\n", 1))]),
    (HEAD + "@@ ... @@\n+a\n", []),
    (HEAD, []),
    ("@@ ... @@\n-a\n+b\n", []),
    ("-a\n+b\n", []),
    ("", []),
    ("diff --git a/a.py b/b.py\nrename from a.py\nrename to b.py\n", []),
]


def with_stated(changes: list[FileChange]) -> list[FileChange]:
    return [Edit(c.path, c.steps, c.carrier, True) if isinstance(c, Edit) else c for c in changes]


@pytest.mark.parametrize(("text", "changes"), BOTH)
def test_with_numbers(text: str, changes: list[FileChange]) -> None:
    assert parse_diff(text) == changes
    assert parse_diff(text, stated=True) == with_stated(changes)


@pytest.mark.parametrize(("text", "changes"), STATED)
def test_what_a_client_states(text: str, changes: list[FileChange]) -> None:
    assert parse_diff(text, stated=True) == changes


@pytest.mark.parametrize(("text", "changes"), SAID)
def test_what_a_model_says(text: str, changes: list[FileChange]) -> None:
    assert parse_diff(text) == changes


def test_a_known_path_counts_more_than_the_diff_s() -> None:
    text = "--- old.py\n+++ new.py\n@@ -1 +1 @@\n-a\n+b\n"
    assert parse_diff(text, path="a.py") == [edit("a.py", swap("a\n", "b\n", 1))]


def test_carriage_returns_are_part_of_the_lines() -> None:
    assert parse_diff(HEAD + "@@ -1 +1 @@\n-a\r\n+b\r\n") == [edit("a.py", swap("a\r\n", "b\r\n", 1))]
