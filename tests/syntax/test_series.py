"""Entries of data and words that are merely gone."""

import pytest

from tslp_litellm.syntax.series import merely_gone

CSS = "/* a */\n.a {\n  top: 0;\n}\n.b,\n.c { top: 1px; }\n@media print {\n  .d { top: 2px; }\n}\n.e { top: 3px; }\n"
XML = '<?xml version="1.0"?>\n<a>\n  <!-- <b/> -->\n  <b id="x"><c/></b>\n  <b id="y"/>\n  <d>1</d>\n  <d>2</d>\n  <e/>\n</a>\n'
MD = "# T\n\nWords.\n\n## Install\n\n```sh\n# no heading\n```\n\n## Usage ##\n\nCall.\n\n## License\n\nMIT\n"
CONF = "http {\n  # server { }\n  server {\n    location / { root /a; }\n    location /b { root /b; }\n  }\n  server {\n    listen 81;\n  }\n  upstream u { }\n}\n"
TOML = "x = 1\n[a]\none = 1\ntwo = 2\nthree = 3\n\n[[b]]\nname = 'n'\nk = 1\n\n[c]\nd = 1\n"


@pytest.mark.parametrize(
    ("language", "text", "old", "new", "gone"),
    [
        ("css", CSS, ".b,\n.c { top: 1px; }\n", "", [".b", ".c"]),
        ("scss", CSS, ".b,\n", "", [".b"]),
        ("css", CSS, "@media print {\n  .d { top: 2px; }\n}\n", "", ["@media print"]),
        ("css", CSS, ".a {\n  top: 0;\n}\n.b,", ".a, .b,", []),
        ("css", CSS, ".b,\n.c { top: 1px; }\n", ".f, .c { top: 1px; }\n", []),
        ("css", CSS, "  .d { top: 2px; }\n", "", []),
        ("xml", XML, '  <b id="y"/>\n', "", ["y"]),
        ("xml", XML, "  <d>2</d>\n", "", ["d"]),
        ("xml", XML, "<c/>", "", []),
        ("xml", XML, "<d>2</d>", "<f>2</f>", []),
        ("markdown", MD, "## Usage ##\n\nCall.\n\n", "", ["Usage"]),
        ("markdown", MD, "## Usage ##", "## How to use", []),
        ("markdown", MD, "# no heading\n", "", []),
        ("ini", CONF, "    location /b { root /b; }\n", "", ["location /b"]),
        ("ini", CONF, "  server {\n    listen 81;\n  }\n", "", ["server"]),
        ("ini", CONF, "location /b", "location /c", []),
        ("ini", "A=${B}\nC=1\nD=${E}\n", "A=${B}\n", "", []),
        ("toml", TOML, "two = 2\n", "", ["two"]),
        ("toml", TOML, "two = 2\n", "four = 2\n", []),
        ("toml", TOML, "k = 1\n", "", ["k"]),
        ("toml", TOML, "[c]\nd = 1\n", "", ["c"]),
        ("yaml", "a: 1\nb: 2\n", "b: 2\n", "", []),
    ],
)
def test_what_is_merely_gone(language: str, text: str, old: str, new: str, gone: list[str]) -> None:
    assert old in text
    assert [name for _, name in merely_gone(language, text, text.replace(old, new, 1))] == gone
    assert merely_gone(language, text, text) == []
