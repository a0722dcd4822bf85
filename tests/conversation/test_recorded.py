"""Requests that seven real clients sent (`tests/recorded`), read: prose, outcomes, shown files, folder, side requests.

The expectations were written by hand, from what the clients were seen to do on disk.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tslp_litellm.clients.frames import edit_forms, working_directory
from tslp_litellm.clients.side_requests import side_request, stated_diffs
from tslp_litellm.dialects.unified_diff import parse_diff
from tslp_litellm.dialects.values import (
    Carrier,
    Drift,
    Edit,
    Excerpt,
    Insertion,
    Outcome,
    Removal,
    Replacement,
    Report,
    Shown,
)
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.wire import FORMATS
from tslp_litellm.wire.turn import Role, Turn

FOLDER = Path(__file__).parent.parent / "recorded"
ROOT = "/home/dev/repo"
CALL_TYPES = {"/v1/messages": "anthropic_messages", "/v1/responses": "responses", "/v1/chat/completions": "completion"}
CLIENTS = ("aider", "claude", "cline", "cn", "codex", "opencode", "qwen")

# -- what stood in the repository

SHAPES = "def area(w, h):\n    return w * h\n\n\ndef perimeter(w, h):\n    return 2 * (w + h)\n"
FLOAT = SHAPES.replace("w * h\n", "float(w * h)\n", 1)
CALC = (
    '"""Small arithmetic helpers."""\n\n\ndef add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n\n\n'
    "class Calculator:\n    def __init__(self):\n        self.total = 0\n\n    def push(self, n):\n"
    "        self.total += n\n        return self.total\n"
)
VARIADIC = CALC.replace("def add(a, b):\n    return a + b\n", "def add(*args):\n    return sum(args)\n")
UTIL = (
    "def clamp(n, low, high):\n    return max(low, min(n, high))\n\n\n"
    "def slug(text):\n    return text.lower().replace(' ', '-')\n"
)
CLAMP_DOC = 'def clamp(n, low, high):\n    """Limit n to [low, high]."""\n'
EXTRA = "export function twice(x) {\n  return 2 * x;\n}\n\nexport const thrice = (x) => 3 * x;\n"
VOLUME = "def volume(w, h, d):\n    return area(w, h) * d\n"
CRLF = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
NONL = "# naïve – ünïcode ✓\ndef tab():\n\treturn 'a\\tb'\n\n\ndef last():\n    return 'no newline at the end'"
FUZZY = "class Box:\n    def size(self):\n        total = 0\n        return total\n\n    def name(self):\n        return 'box'\n"
DUP = "def a():\n    return None\n\n\ndef b():\n    return None\n"
OLD = "def gone():\n    return 'gone'\n"
README = "# Demo\n\nA small repository.\n"
GUIDE = (
    "# Guide\n\n```python\ndef shown():\n    return 1\n```\n\n"
    "<<<<<<< SEARCH\nnot a conflict\n=======\nreally\n>>>>>>> REPLACE\n\nThe end.\n"
)

# -- a short form of evidence


def ok(*changes: Any) -> tuple[Any, ...]:
    return ("success", *changes)


def failed(*changes: Any) -> tuple[Any, ...]:
    return ("failure", *changes)


def whole(path: str, text: str, ended: bool = True) -> tuple[Any, ...]:
    """A file; `ended`: the carrier shows how its last line ends."""
    return ("whole", path, text if ended else text.removesuffix("\n"), ended)


def edit(path: str, *steps: tuple[str, str]) -> tuple[Any, ...]:
    return ("edit", path, *steps)


def gone(path: str) -> tuple[Any, ...]:
    return ("gone", path)


def drift(*paths: str) -> tuple[Any, ...]:
    return ("drift", *paths)


def part(path: str, first: int, lines: int) -> tuple[Any, ...]:
    return ("part", path, first, lines)


def says(*changes: Any) -> tuple[Any, ...]:
    """What the result itself states of the file."""
    return ("says", *changes)


AREA_EDIT = edit("src/shapes.py", ("    return w * h\n", "    return float(w * h)\n"))
PERIMETER_EDIT = edit("src/shapes.py", ("    return 4 * w  # square\n", "    result = 4 * w\n    return result\n"))
ADD_EDIT = edit("src/calc.py", ("def add(a, b):\n    return a + b\n", "def add(*args):\n    return sum(args)\n"))
CLAMP_EDIT = edit("src/util.py", ("def clamp(n, low, high):\n", CLAMP_DOC))
VOLUME_EDIT = edit(
    "src/shapes.py",
    ("def perimeter(w, h):\n    return 2 * (w + h)\n", "def perimeter(w, h):\n    return 2 * (w + h)\n\n\n" + VOLUME),
)
ONE_EDIT = edit("src/crlf.py", ("    return 1\n", "    return 11\n"))
TAB_EDIT = edit("src/nonl.py", ("\treturn 'a\\tb'\n", "\treturn ''\n"))
SIZE_EDIT = edit("src/fuzzy.py", ("  total = 0\n  return total\n", "  total = 1\n  return total\n"))
F5_EDIT = edit("src/big.py", ("    return x + 5\n", "    return x + 500\n"))
B_EDIT = edit("src/dup.py", ("    return None\n", "    return 2\n"))
ALL_EDIT = edit("src/dup.py", ("all", "return None", "return 3"))
SLUG_EDIT = edit("src/util.py", ("def slug(text):\n", 'def slug(text):\n    """URL form of text."""\n'))
PASTE_EDIT = edit("src/paste.py", ("    return [x]\n", "    return (x,)\n"))
UNPASTE_EDIT = edit("src/paste.py", ("    return xs[1]\n", "    return xs[2]\n"))
END_EDIT = edit("docs/guide.md", ("The end.\n", "The very end.\n"))

CREATE = "Create src/shapes.py with the two functions area and perimeter."
MAKE = "Make area in src/shapes.py return a float."
RENAME = "Rename the result of perimeter in src/shapes.py."
READ = "Read src/calc.py and let add take any number of arguments."
ADD = "Add web/extra.js, document clamp in src/util.py, and add volume to src/shapes.py."
REWRITE = "Rewrite src/shapes.py from scratch: only area and volume, no perimeter."
WHICH = "Which files did you change? Do not change anything."
F5 = "Let f5 in src/big.py add 500; it is near line 20."
SED = "Rename slug to slugify in src/util.py with sed."
DELETE = "Read src/old.py, then delete it."
BOTH = "Change both functions in src/paste.py."

# -- the requests: the user's words, and what is evidence in them

TURNS: dict[str, dict[str, tuple[str, list[Any]]]] = {
    "claude": {
        "create": (CREATE, [ok(whole("src/shapes.py", SHAPES))]),
        "failing edit": (RENAME, [failed(PERIMETER_EDIT)]),
        "read, edit": (READ, [whole("src/calc.py", CALC), ok(ADD_EDIT)]),
        "several files": (
            ADD,
            [
                whole("src/util.py", UTIL),
                whole("src/shapes.py", FLOAT),
                ok(whole("web/extra.js", EXTRA)),
                ok(CLAMP_EDIT),
                ok(VOLUME_EDIT),
            ],
        ),
        "question": (WHICH, []),
        "CRLF": ("Read src/crlf.py and let one return 11.", [whole("src/crlf.py", CRLF), ok(ONE_EDIT)]),
        "no final newline": (
            "Read src/nonl.py and let tab return an empty string.",
            [whole("src/nonl.py", NONL), ok(TAB_EDIT)],
        ),
        "partial read": (F5, [part("src/big.py", 18, 8), ok(F5_EDIT)]),
        "changed by hand": ("Document slug in src/util.py.", [("failure", "moved", SLUG_EDIT)]),
        "replace all": ("Let all functions in src/dup.py return 3.", [whole("src/dup.py", DUP), ok(ALL_EDIT)]),
        "edit by shell": (SED, [ok(drift("src/util.py"))]),
        "delete by shell": (DELETE, [whole("src/old.py", OLD), ok(gone("src/old.py"))]),
        "read twice": ("Read README.md twice.", [whole("README.md", README)]),
        "mention": ("What does @src/fuzzy.py do? Do not change anything.", [whole("src/fuzzy.py", FUZZY)]),
    },
    "cline": {
        "create": (CREATE, [ok(edit("src/shapes.py", ("", SHAPES)))]),
        "read, edit": (READ, [whole("src/calc.py", CALC, ended=False), ok(ADD_EDIT)]),
        "several files": (
            ADD,
            [
                whole("src/util.py", UTIL, ended=False),
                whole("src/shapes.py", FLOAT, ended=False),
                ok(edit("web/extra.js", ("", EXTRA))),
                ok(CLAMP_EDIT),
                ok(VOLUME_EDIT),
            ],
        ),
        "question": (WHICH, []),
        "CRLF": ("Read src/crlf.py and let one return 11.", [whole("src/crlf.py", CRLF, ended=False), ok(ONE_EDIT)]),
        "failing edit": (
            "Read src/fuzzy.py and let size start at 1.",
            [whole("src/fuzzy.py", FUZZY, ended=False), failed(SIZE_EDIT)],
        ),
        "partial read": (F5, [part("src/big.py", 18, 8), ok(F5_EDIT)]),
        "edit by shell": (SED, [ok(drift("src/util.py"))]),
        "delete by shell": (DELETE, [whole("src/old.py", OLD, ended=False), ok(gone("src/old.py"))]),
        "one of two edits fails": (BOTH, [ok(PASTE_EDIT), failed(UNPASTE_EDIT)]),
        "mention": ("What does @src/fuzzy.py do? Do not change anything.", [whole("src/fuzzy.py", FUZZY)]),
    },
    "cn": {
        "create": (CREATE, [ok(whole("src/shapes.py", SHAPES))]),
        "read, edit": (
            MAKE,
            [
                whole("src/shapes.py", SHAPES),
                ok(
                    AREA_EDIT,
                    says(
                        edit(
                            "src/shapes.py",
                            (
                                "def area(w, h):\n    return w * h\n\n\ndef perimeter(w, h):\n",
                                "def area(w, h):\n    return float(w * h)\n\n\ndef perimeter(w, h):\n",
                            ),
                        )
                    ),
                ),
            ],
        ),
        "failing edit": (RENAME, [whole("src/shapes.py", FLOAT), failed(PERIMETER_EDIT)]),
        "several files": (
            ADD,
            [
                whole("src/util.py", UTIL),
                whole("src/shapes.py", FLOAT),
                ok(whole("web/extra.js", EXTRA)),
                ok(
                    CLAMP_EDIT,
                    says(
                        edit(
                            "src/util.py",
                            (
                                "def clamp(n, low, high):\n    return max(low, min(n, high))\n\n\n",
                                CLAMP_DOC + "    return max(low, min(n, high))\n\n\n",
                            ),
                        )
                    ),
                ),
                ok(
                    VOLUME_EDIT,
                    says(
                        edit(
                            "src/shapes.py",
                            (
                                "\ndef perimeter(w, h):\n    return 2 * (w + h)\n",
                                "\ndef perimeter(w, h):\n    return 2 * (w + h)\n\n\n" + VOLUME,
                            ),
                        )
                    ),
                ),
            ],
        ),
        "rewrite": (
            REWRITE,
            [
                whole("src/shapes.py", FLOAT + "\n\n" + VOLUME),
                ok(
                    whole("src/shapes.py", "def area(w, h):\n    return float(w) * h\n\n\n" + VOLUME),
                    says(
                        edit(
                            "src/shapes.py",
                            (
                                FLOAT + "\n\n" + VOLUME,
                                "def area(w, h):\n    return float(w) * h\n\n\n" + VOLUME,
                            ),
                        )
                    ),
                ),
            ],
        ),
        "question": (WHICH, []),
    },
    "codex": {
        "create": (CREATE, [ok(whole("src/shapes.py", SHAPES))]),
        "failing edit": (RENAME, [failed(PERIMETER_EDIT)]),
        "read, edit": (READ, [whole("src/calc.py", CALC), ok(ADD_EDIT)]),
        "several files": (
            ADD,
            [
                whole("src/util.py", UTIL),
                whole("src/shapes.py", FLOAT),
                ok(whole("web/extra.js", EXTRA)),
                ok(CLAMP_EDIT),
                ok(VOLUME_EDIT),
            ],
        ),
        "question": (WHICH, []),
        "CRLF": (
            "Read src/crlf.py and let one return 11.",
            [whole("src/crlf.py", CRLF.replace("\n", "\r\n")), ok(ONE_EDIT)],
        ),
        "no final newline": (
            "Read src/nonl.py and let tab return an empty string.",
            [whole("src/nonl.py", NONL, ended=False), ok(TAB_EDIT)],
        ),
        "partial read": (F5, [part("src/big.py", 18, 8), ok(F5_EDIT)]),
        "edit by shell": (SED, [ok(drift("src/util.py"))]),
        "delete by shell": (DELETE, [whole("src/old.py", OLD), ok(gone("src/old.py"))]),
        "one of two edits fails": (BOTH, [ok(PASTE_EDIT), failed(UNPASTE_EDIT)]),
    },
    "opencode": {
        "create": (CREATE, [ok(whole("src/shapes.py", SHAPES))]),
        "read, edit": (READ, [whole("src/calc.py", CALC, ended=False), ok(ADD_EDIT)]),
        "several files": (
            ADD,
            [
                whole("src/util.py", UTIL, ended=False),
                whole("src/shapes.py", FLOAT, ended=False),
                ok(whole("web/extra.js", EXTRA)),
                ok(CLAMP_EDIT),
                ok(VOLUME_EDIT),
            ],
        ),
        "question": (WHICH, []),
        "wrong indentation": (
            "Read src/fuzzy.py and let size start at 1.",
            [whole("src/fuzzy.py", FUZZY, ended=False), ok(SIZE_EDIT)],
        ),
        "partial read": (F5, [part("src/big.py", 18, 8), ok(F5_EDIT)]),
        "ambiguous edit": (
            "Read src/dup.py and let b return 2.",
            [whole("src/dup.py", DUP, ended=False), failed(B_EDIT)],
        ),
        "replace all": (
            "Let all functions in src/dup.py return 3.",
            [whole("src/dup.py", DUP, ended=False), ok(ALL_EDIT)],
        ),
        "delete by shell": (DELETE, [whole("src/old.py", OLD, ended=False), ok(gone("src/old.py"))]),
        "one of two edits fails": (BOTH, [ok(PASTE_EDIT), failed(UNPASTE_EDIT)]),
        "file with markers": (
            "Read docs/guide.md and change its last line.",
            [whole("docs/guide.md", GUIDE, ended=False), ok(END_EDIT)],
        ),
    },
    "qwen": {
        "create": (CREATE, [ok(whole("src/shapes.py", SHAPES))]),
        "read, edit": (READ, [whole("src/calc.py", CALC), ok(ADD_EDIT)]),
        "several files": (
            ADD,
            [
                whole("src/util.py", UTIL),
                whole("src/shapes.py", FLOAT),
                ok(whole("web/extra.js", EXTRA)),
                ok(CLAMP_EDIT),
                ok(VOLUME_EDIT),
            ],
        ),
        "CRLF": ("Read src/crlf.py and let one return 11.", [whole("src/crlf.py", CRLF), ok(ONE_EDIT)]),
        "failing edit": (
            "Read src/fuzzy.py and let size start at 1.",
            [whole("src/fuzzy.py", FUZZY), failed(SIZE_EDIT)],
        ),
        "partial read": (F5, [part("src/big.py", 18, 8), ok(F5_EDIT)]),
        "ambiguous edit": ("Read src/dup.py and let b return 2.", [whole("src/dup.py", DUP), failed(B_EDIT)]),
        "edit by shell": (SED, [ok(drift("src/util.py"))]),
        "delete by shell": (DELETE, [whole("src/old.py", OLD), ok(gone("src/old.py"))]),
    },
    "aider": {
        "create": (CREATE, []),
        "edit": (MAKE, [whole("src/shapes.py", SHAPES)]),
        "failing edit": (RENAME, [whole("src/shapes.py", FLOAT), ("report", "    return 4 * w  # square\n")]),
        "several files": (
            ADD,
            [whole("src/shapes.py", FLOAT), whole("src/util.py", UTIL), whole("src/calc.py", VARIADIC)],
        ),
        "question": (
            WHICH,
            [
                whole("web/extra.js", EXTRA),
                whole("src/shapes.py", "def area(w, h):\n    return float(w) * h\n\n\n" + VOLUME),
                whole("src/util.py", UTIL.replace("def clamp(n, low, high):\n", CLAMP_DOC)),
                whole("src/calc.py", VARIADIC),
            ],
        ),
        "no final newline": (
            "Read src/nonl.py and let tab return an empty string.",
            [whole("src/crlf.py", CRLF.replace("return 1\n", "return 11\n")), whole("src/nonl.py", NONL)],
        ),
        "one of two edits fails": (
            BOTH,
            [
                whole("src/crlf.py", CRLF.replace("return 1\n", "return 11\n")),
                whole(
                    "src/util.py",
                    "def clamp(n, low, high):\n    return min(high, max(n, low))\n\n\n"
                    'def slug(text):\n    """URL form of text."""\n    return text.lower().replace(\' \', \'-\')\n',
                ),
                whole("src/dup.py", "def a():\n    return 2\n\n\ndef b():\n    return None\n"),
                whole("src/paste.py", "def paste(x):\n    return (x,)\n\n\ndef unpaste(xs):\n    return xs[0]\n"),
                whole("src/nonl.py", NONL.replace("'a\\tb'", "''") + "\n"),
                whole("src/fuzzy.py", FUZZY.replace("total = 0", "total = 1")),
                ("report", "    return xs[1]\n"),
            ],
        ),
    },
}

SIDE: dict[tuple[str, str], list[Any]] = {
    ("aider", "commit of a new file"): [whole("src/shapes.py", SHAPES)],
    ("aider", "commit"): [
        edit(
            "src/shapes.py",
            (
                "def area(w, h):\n    return w * h\n\n\ndef perimeter(w, h):\n",
                "def area(w, h):\n    return float(w * h)\n\n\ndef perimeter(w, h):\n",
            ),
        )
    ],
    ("aider", "commit of several files"): [
        edit(
            "src/shapes.py",
            (
                "\ndef perimeter(w, h):\n    return 2 * (w + h)\n",
                "\ndef perimeter(w, h):\n    return 2 * (w + h)\n\n\n" + VOLUME,
            ),
        ),
        edit(
            "src/util.py",
            (
                "def clamp(n, low, high):\n    return max(low, min(n, high))\n\n\n",
                CLAMP_DOC + "    return max(low, min(n, high))\n\n\n",
            ),
        ),
        whole("web/extra.js", EXTRA),
    ],
    ("aider", "commit that adds the final newline"): [
        edit("src/nonl.py", (NONL, NONL.replace("'a\\tb'", "''") + "\n")),
    ],
    ("aider", "summary"): [],
    ("opencode", "title"): [],
    ("qwen", "memory sub-agent"): [],
}


@cache
def recorded(client: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / f"{client}.json").read_text("utf-8")))


def turn_of(client: str, name: str) -> Turn:
    request = recorded(client)[name]
    return FORMATS[CALL_TYPES[request["path"]]].parse(request["body"])


def short(piece: Any) -> tuple[Any, ...]:
    """A piece of evidence in the short form."""
    match piece:
        case Outcome():
            said = [says(*map(short, piece.stated))] if piece.stated else []
            moved = ["moved"] if piece.moved else []
            return (str(piece.verdict), *moved, *map(short, piece.attempt.changes), *said)
        case Shown():
            assert piece.whole
            text = piece.text.removesuffix("\n") if not piece.ended else piece.text
            return ("whole", bare(piece.path), text, piece.ended)
        case Excerpt():
            return ("part", bare(piece.path), piece.first, len(piece.lines))
        case Edit():
            return ("edit", bare(piece.path), *(step_of(step) for step in piece.steps))
        case Removal():
            return ("gone", bare(piece.path))
        case Drift():
            return ("drift", *map(bare, piece.paths))
        case Report():
            return ("undone",) if piece.undone else ("report", *piece.failed)
        case _:
            return ("other", piece)


def step_of(step: Replacement | Insertion) -> tuple[Any, ...]:
    if isinstance(step, Insertion):
        return ("insert", step.before, step.new)
    return ("all", step.old, step.new) if step.everywhere else (step.old, step.new)


def bare(path: str) -> str:
    return path.removeprefix(ROOT + "/")


def exact_end(expected: tuple[Any, ...]) -> tuple[Any, ...]:
    """Raw and listed texts show how they end, also where that is without a newline."""
    return (*expected[:3], True) if expected[0] == "whole" and not expected[2].endswith("\n") else expected


@pytest.mark.parametrize(("client", "name"), [(client, name) for client, of in TURNS.items() for name in of])
def test_a_turn(client: str, name: str) -> None:
    turn = turn_of(client, name)
    prose, expected = TURNS[client][name]
    readings = ReadingCache()
    talk = readings.talk(turn)
    seen = [
        short(piece)
        for n, item in enumerate(talk.items)
        if item.role in (Role.USER, Role.TOOL)
        for piece in readings.evidence(talk, n)
    ]
    assert side_request(turn) is None
    assert talk.prose == prose
    assert seen == (list(map(exact_end, expected)) if client in ("aider", "codex") else expected)
    assert working_directory(turn) == (None if client == "aider" else ROOT)
    assert edit_forms(turn) == (frozenset({Carrier.SEARCH_REPLACE}) if client == "aider" else frozenset())


@pytest.mark.parametrize(("client", "name"), list(SIDE))
def test_a_side_request(client: str, name: str) -> None:
    turn = turn_of(client, name)
    assert side_request(turn) is not None
    assert [short(change) for change in parse_diff(stated_diffs(turn), stated=True)] == SIDE[client, name]


def test_every_request_is_expected() -> None:
    known = {(client, name) for client, of in TURNS.items() for name in of} | set(SIDE)
    assert {(client, name) for client in CLIENTS for name in recorded(client)} == known


@pytest.mark.parametrize("client", CLIENTS)
def test_the_data_is_small_and_holds_no_secrets(client: str) -> None:
    text = (FOLDER / f"{client}.json").read_text("utf-8")
    assert len(text.encode()) < 60_000
    for word in ("Bearer", "sk-", "/tmp/", "user_id", "device", "x-claude"):
        assert word not in text
