"""Comments told by a language's marks."""

from __future__ import annotations

import pytest

from tslp_litellm.syntax.comment_marks import marked
from tslp_litellm.syntax.languages import LANGUAGES

WITHOUT = {"csv", "diff", "output"}
"""Languages that have no comments."""


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("zig", "a\n    // b\n c(); // d\n", ["// b"]),
        ("proto", "message A {\n  /* b\n  c */\n}\n", ["/* b\n  c */"]),
        ("scss", ".a { /* b */ }\n.c { d: url(http://x/*.png) }\n", ["/* b */"]),
        ("xml", "<a><!-- b --></a><!-- c -->", ["<!-- b -->", "<!-- c -->"]),
        ("makefile", "a:\n\t# b\n\t@# c\n\tcc a.c # d\n", ["# b", "@# c"]),
        ("haskell", "f =\n  -- a\n  {- b -}\n  x\n", ["-- a", "{- b -}"]),
        ("markdown", "# a\n\n*(b)*\n\n[c]\n\n[d](e) [f]\n<!-- g -->\n- h\n", ["*(b)*", "[c]", "<!-- g -->"]),
        ("text", "a (b)\n(c)\n", ["(c)"]),
        ("python", "a\n# ü\n", ["# ü"]),
        ("", "a\n-- b\n", ["-- b"]),
        ("xml", "<!-- a", ["<!-- a"]),
        ("csv", "# a\n", []),
    ],
)
def test_marks(language: str, text: str, expected: list[str]) -> None:
    found = list(marked(language, text))
    assert [comment for _, comment in found] == expected
    assert all(text.startswith(comment, at) for at, comment in found)


@pytest.mark.parametrize("language", [row.name for row in LANGUAGES if row.name not in WITHOUT])
def test_every_language_has_marks(language: str) -> None:
    samples = ("//", "#", "--", ";", "%", "!", "*>", "/* */", "<!-- -->", "(* *)", "(a)")
    assert any(list(marked(language, sample)) for sample in samples)
