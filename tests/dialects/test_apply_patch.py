"""V4A patches: sections, chunks, and what is refused."""

import pytest

from tslp_litellm.dialects.apply_patch import is_patch, parse_patch, patches_in
from tslp_litellm.dialects.values import (
    Carrier,
    Drift,
    Edit,
    FileChange,
    Insertion,
    Removal,
    Replacement,
    Shown,
    Transfer,
)

C = Carrier.PATCH


def wrapped(body: str) -> str:
    return f"*** Begin Patch\n{body}\n*** End Patch"


def swap(old: str, new: str, scope: str = "") -> Replacement:
    return Replacement(old, new, lines=True, scope=scope)


PATCHES: list[tuple[str, list[FileChange]]] = [
    ("*** Add File: a.py\n+x\n+\n+y", [Shown("a.py", "x\n\ny\n", C, whole=True)]),
    ("*** Add File: a b.py  \n+x", [Shown("a b.py", "x\n", C, whole=True)]),
    ("*** Add File: a.py", [Shown("a.py", "", C, whole=True)]),
    ("*** Delete File: a.py", [Removal("a.py", C)]),
    ("*** Update File: a.py\n@@\n-x\n+y", [Edit("a.py", (swap("x\n", "y\n"),), C)]),
    ("*** Update File: a.py\n@@\n-x\n+y\n ", [Edit("a.py", (swap("x\n\n", "y\n\n"),), C)]),
    ("*** Add File: a.py\n+x\n ", [Shown("a.py", "x\n", C, whole=True)]),
    ("*** Update File: a.py\n-x\n+y", [Edit("a.py", (swap("x\n", "y\n"),), C)]),
    ("*** Update File: a.py\n@@\n c\n-x\n+y\n d", [Edit("a.py", (swap("c\nx\nd\n", "c\ny\nd\n"),), C)]),
    ("*** Update File: a.py\n@@ def f():\n-x\n+y", [Edit("a.py", (swap("x\n", "y\n", "def f():"),), C)]),
    ("*** Update File: a.py\n@@class A\n-x\n+y", [Edit("a.py", (swap("x\n", "y\n", "class A"),), C)]),
    ("*** Update File: a.py\n@@ class A @@\n-x\n+y", [Edit("a.py", (swap("x\n", "y\n", "class A"),), C)]),
    ("*** Update File: a.py\n@@ class A\n@@ def f():\n-x\n+y", [Edit("a.py", (swap("x\n", "y\n", "def f():"),), C)]),
    (
        "*** Update File: a.py\n@@\n-x\n+y\n@@\n-z\n+w",
        [Edit("a.py", (swap("x\n", "y\n"), swap("z\n", "w\n")), C)],
    ),
    ("*** Update File: a.py\n@@\n-x\n", [Edit("a.py", (swap("x\n", ""),), C)]),
    ("*** Update File: a.py\n@@\n-x\n+y\n*** End of File", [Edit("a.py", (swap("x\n", "y\n"),), C)]),
    ("*** Update File: a.py\n@@\n+y\n*** End of File", [Edit("a.py", (Insertion("y\n"),), C)]),
    ("*** Update File: a.py\n@@\n a\n\n-x\n+y", [Edit("a.py", (swap("a\n\nx\n", "a\n\ny\n"),), C)]),
    ("*** Update File: a.py\n@@\n-\tx\n+\ty", [Edit("a.py", (swap("\tx\n", "\ty\n"),), C)]),
    ("*** Update File: a.py\n@@\n--- x\n+++ y", [Edit("a.py", (swap("-- x\n", "++ y\n"),), C)]),
    ("*** Update File: a.py\n*** Move to: b.py", [Transfer("a.py", "b.py", C)]),
    (
        "*** Update File: a.py\n*** Move to: b.py\n@@\n-x\n+y",
        [Transfer("a.py", "b.py", C, steps=(swap("x\n", "y\n"),))],
    ),
    (
        "*** Add File: a.py\n+x\n*** Update File: b.py\n@@\n-x\n+y\n*** Delete File: c.py",
        [Shown("a.py", "x\n", C, whole=True), Edit("b.py", (swap("x\n", "y\n"),), C), Removal("c.py", C)],
    ),
    # where clients place an addition below a scope is not sure, and an empty update changes something unknown
    ("*** Update File: a.py\n@@ def f():\n+y", [Drift(("a.py",), C)]),
    ("*** Update File: a.py", [Drift(("a.py",), C)]),
]


@pytest.mark.parametrize(("body", "changes"), PATCHES)
def test_patches(body: str, changes: list[FileChange]) -> None:
    assert parse_patch(wrapped(body)) == changes


@pytest.mark.parametrize(("body", "changes"), PATCHES)
def test_the_sentinels_are_optional(body: str, changes: list[FileChange]) -> None:
    assert parse_patch(body) == changes


def test_what_stands_around_a_patch_is_no_part_of_it() -> None:
    patch = wrapped("*** Update File: a.py\n@@\n-x\n+y")
    expected = [Edit("a.py", (swap("x\n", "y\n"),), C)]
    assert parse_patch(f"Sure:\n{patch}\nDone.\n-z") == expected
    assert parse_patch("  *** Begin Patch  \n*** Update File: a.py\n@@\n-x\n+y\n  *** End Patch \n") == expected
    assert parse_patch(patch + "\n\n\n") == expected


@pytest.mark.parametrize(
    "body",
    [
        "*** Update File: a.py\n@@\nx\n-y\n+z",
        "*** Update File: a.py\n@@\n*** Whatever: b\n-x",
        "*** Add File: a.py\nx\ny",
        "*** Add File: a.py\n+x\ny",
        "x\n*** Update File: a.py\n@@\n-x\n+y",
        "*** Move to: b.py",
        "*** Frobnicate File: a.py",
        "-x\n+y",
        "*** Delete File: a.py\n+x",
        "*** Update File: a.py\n@@\n-x\n+y\n*** Add File: b.py\nbad",
    ],
)
def test_malformed_patches_are_refused_as_a_whole(body: str) -> None:
    assert parse_patch(wrapped(body)) == []


@pytest.mark.parametrize("text", ["", "\n", "x", "*** ", "*** Begin Patch", "*** Begin Patch\n*** End Patch"])
def test_no_patch(text: str) -> None:
    assert parse_patch(text) == []


def test_which_texts_are_patches() -> None:
    assert is_patch("*** Begin Patch\n*** End Patch")
    assert is_patch("*** Update File: a.py\n@@\n-x")
    assert not is_patch("x *** Begin Patch")
    assert not is_patch("*** bold ***")


def test_patches_in_prose() -> None:
    one, two = wrapped("*** Delete File: a.py"), wrapped("*** Delete File: b.py")
    text = f"a\n{one}\nb\n{two}\nc"
    assert [text[start:end] for start, end in patches_in(text)] == [one, two]
    unended = "*** Begin Patch\n*** Delete File: a.py"
    assert patches_in(unended) == [(0, len(unended))]
    assert patches_in("nothing") == []


def test_stars_behind_a_blank_are_context() -> None:
    (change,) = parse_patch("*** Begin Patch\n*** Update File: a.md\n@@\n ***\n-x\n+y\n*** End of File\n*** End Patch")
    assert isinstance(change, Edit)
    assert change.steps == (Replacement("***\nx\n", "***\ny\n", lines=True),)
