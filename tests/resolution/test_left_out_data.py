"""Rows, items, values, rules and sections that gave way to words, in files of data and of words; and edits of them."""

from __future__ import annotations

import pytest

from .test_emptied_blocks import of
from .test_stubs_by_language import is_taken

# A file whose lines with `§` in front are a part, what may stand for it, `¦` apart; `!` in front: an edit.
# fmt: off
DATA = {
    "d.json": ('{\n  "a": {\n    "x": 1\n  },\n§  "b": {\n§    "x": 1,\n§    "y": [1, 2, 3]\n§  },\n  "c": "text"\n}\n',
               '  "b": "same as before",¦  "b": "wie gehabt",¦  "b": "…",¦!  "b": 5,¦!  "b": "github:a/b",¦!  "b": {\n    "x": 2,\n    "y": [1, 2, 3]\n  },'),
    "d.yaml": ("a:\n  x: 1\n  y: 2\nsome: of it\n§b:\n§  context: here\n§  target: web\n§  args: none\nc: 1\n",
               "b: unchanged¦b: ...¦b: siehe oben¦!b: .¦!b: context here¦!b: 5"),
    "d.md": ("# T\n\nIntro.\n\n```bash\n§make\n§make test\n§make ship\n```\n\n## End\n\nBye.\n",
             "# commands¦# wie gehabt¦!make all¦!# all of it\nmake all"),
    "a.csv": ("id,name,price\n1,anvil,10\n§2,rope,3\n§3,glue,4\n§4,wax,5\n5,tnt,90\n",
              "…¦...¦(rows 3–40 unchanged)¦[rows 2-4]¦...,...,...¦…,…,…¦rows as they were¦{weitere Zeilen}¦<snip>¦# wie gehabt¦!2,rope,30¦!2,rope,3\n3,glue,4\n4,wax,6"),
    "a.json": ('{\n  "name": "a",\n  "tags": [\n§    "one",\n§    "two",\n    "three"\n  ],\n  "port": 80\n}\n',
               '    "...",¦    "…",¦    "... 12 more",¦    "<unchanged>",¦    "(other items)",¦!    "four",'),
    "b.json": ('{\n§  "name": "alpha",\n§  "tags": ["one", "two", "three"],\n  "port": 80\n}\n',
               '  "name": "alpha",\n  "tags": ["one", "..."],¦  "name": "<unchanged>",\n  "tags": ["one", "two", "three"],¦  "name": "...",\n  "tags": ["one", "two", "three"],¦  "name": "alpha",\n  "tags": ["...", "three"],¦!  "name": "beta",\n  "tags": ["one", "two", "three"],¦!  "name": "alpha",\n  "tags": ["one"],'),
    "a.yaml": ("name: a\nport: 8080\nsteps:\n§  - run: make\n§  - run: test\n  - run: ship\nlast: 5\n",
               "  - ...¦  - …¦  # wie gehabt¦  - \"...\"¦  ...: ...¦  - (unchanged)¦  - \"<remaining steps>\"¦!  - run: all"),
    "b.yaml": ("name: a\n§port: 8080\n§host: here\nlast: 5\n",
               "port: ...\nhost: here¦port: …\nhost: here¦port: <unchanged>\nhost: here¦port: 8080\nhost: '...'¦!port: 81\nhost: there"),
    "a.toml": ("[a]\nname = 'x'\n§port = 80\n§hosts = ['a', 'b']\n\n[b]\nk = 1\n",
               "port = \"...\"\nhosts = ['a', 'b']¦port = 80\nhosts = ['a', '...']¦# siehe oben¦!port = 81\nhosts = ['a']"),
    ".env": ("HOST=example.org\n§KEY=abc123\n§TOKEN=def456\nPORT=80\n",
             "KEY=<unchanged>\nTOKEN=def456¦KEY=…\nTOKEN=def456¦KEY=...\nTOKEN=def456¦KEY=<wie gehabt>\nTOKEN=def456¦KEY=***\nTOKEN=def456¦# …¦# wie gehabt¦...¦!KEY=xyz\nTOKEN=def456¦!KEY=\nTOKEN=def456"),
    "a.conf": ("http {\n  server {\n§    listen 80;\n§    root /a;\n  }\n  gzip on;\n}\n",
               "    # ...¦    # wie gehabt¦    ...¦!    listen 81;\n    root /a;"),
    "a.xml": ("<a>\n  <b>\n§    <c>1</c>\n§    <c>2</c>\n§    <c>3</c>\n    <c>4</c>\n  </b>\n</a>\n",
              "    <!-- other items -->¦    <c>1</c>\n    <!-- other items -->¦    <c>7</c>\n    <!-- other items -->¦    <c>1</c><!-- wie gehabt -->¦    <c>...</c>¦    ...¦!    <c>1</c>\n    <c>5</c>¦!    <c>1</c>\n    <!-- two is gone -->\n    <c>2</c>\n    <c>3</c>"),
    "a.html": ("<html>\n<body>\n  <ul>\n§    <li>one</li>\n§    <li>two</li>\n§    <li>three</li>\n    <li>four</li>\n  </ul>\n</body>\n</html>\n",
               "    <!-- other items -->¦    <li>one</li>\n    <!-- other items -->¦    <li>uno</li>\n    <!-- wie gehabt -->¦    <li>...</li>¦    ...¦!    <li>one</li>\n    <li>five</li>"),
    "a.md": ("# Title\n\nSome words.\n\n## Install\n\n§Run make.\n§Then run test.\n\n## Usage\n\nCall it.\n",
             "[...]¦_(unchanged)_¦_unchanged_¦*wie gehabt*¦(wie gehabt)¦…¦...¦> ...¦**(siehe oben)**¦The rest of this section is unchanged.¦Everything else stays the same.¦<!-- wie gehabt -->¦`...`¦!Run make and test.¦!Run make.\n_Then_ run test twice."),
    "b.md": ("# Title\n\n| a | b |\n| - | - |\n§| 1 | 2 |\n§| 3 | 4 |\n| 5 | 6 |\n",
             "| ... | ... |¦| … | … |¦...¦!| 1 | 3 |"),
    "a.css": (".a {\n  color: red;\n}\n§.b {\n§  margin: 0;\n§}\n.c {\n  top: 0;\n}\n",
              "/* ... */¦/* wie gehabt */¦...¦!.b {\n  margin: 1px;\n}"),
    "a.sql": ("CREATE TABLE a (b int);\n§CREATE TABLE c (d int);\n§INSERT INTO c VALUES (1);\nDROP TABLE e;\n",
              "-- ...¦-- wie gehabt¦-- other statements¦...¦!CREATE TABLE c (d int, f int);"),
    "Dockerfile": ("FROM a AS build\n§RUN apk add x\n§RUN make all\nCOPY . /app\nFROM b\nCMD run\n",
                   "RUN ...¦RUN <unchanged>¦# wie gehabt¦!RUN apk add x && make all"),
    "c.json": ('[\n  {"a": 1, "b": "x"},\n§  {"a": 2, "b": "y"},\n§  {"a": 3, "b": "z"},\n  {"a": 4, "b": "w"}\n]\n',
               '  {"...": "..."},¦  {"a": "...", "b": "..."},¦  "2 more items",¦  {"_comment": "unchanged items"},¦!  {"a": 2, "b": "q"},'),
    "compose.yaml": ("services:\n  web:\n    image: a\n    environment:\n§      - KEY=abc\n§      - DB=def\n  db:\n    image: b\n",
                     "      - KEY=<unchanged>\n      - DB=def¦      - KEY=...\n      - DB=def¦      [...]¦!      - KEY=xyz\n      - DB=def"),
    "a.tsv": ("a\tb\tc\n1\t2\t3\n§4\t5\t6\n§7\t8\t9\n10\t11\t12\n", "...¦(rows)¦2 more rows¦!4\t5\t7\n7\t8\t9"),
    "requirements.txt": ("flask==2.0\n§requests==1.1\n§rich==3.0\nclick==8.0\n", "...¦# ...¦# wie gehabt¦(others)¦!requests==1.2\nrich==3.0"),
}
# fmt: on
CASES = [(path, marked, put) for path, (marked, puts) in DATA.items() for put in puts.split("¦")]


@pytest.mark.parametrize(("path", "marked", "put"), CASES)
def test_what_stands_for_entries(path: str, marked: str, put: str) -> None:
    base, text = of(marked, put.removeprefix("!"))
    assert is_taken(path, base, text) == put.startswith("!")
