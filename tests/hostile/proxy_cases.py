"""Cases of the sweep for a real proxy: `acceptance/hostile/run.py --cases tests/hostile/proxy_cases.py`.

`TSLP_SWEEP_SEED` chooses them (the day, by default), `TSLP_SWEEP_CASES` says how many subjects.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from cases import Case, Text, call, command, file, prose, tool  # type: ignore[import-not-found]  # run.py's own

from tests.hostile.shapes import shapes
from tests.hostile.subjects import PARSER, Subject, subjects
from tests.hostile.sweep import SIZES
from tslp_litellm.syntax.languages import language_named

SEED = os.environ.get("TSLP_SWEEP_SEED", f"{datetime.now(UTC):%Y-%m-%d}")
COUNT = int(os.environ.get("TSLP_SWEEP_CASES", "8"))
TEXTS = 6
"""Texts of each subject, in one workspace."""


def texts(subject: Subject) -> Iterator[Text]:
    """Texts of a seed's shapes and sizes, each placed where the subject reads it."""
    rng = random.Random(f"{SEED} {subject.name}")
    for shape in rng.sample(shapes(subject.tokens, f"{SEED} {subject.name}"), TEXTS):
        size = rng.choice(SIZES)
        yield _placed(subject, shape.make(size), f"{shape.name}, {size}")


def _placed(subject: Subject, body: str, label: str) -> Text:
    kind, _, where = subject.name.partition("/")
    if subject.level == PARSER:
        return command(body, label) if subject.name == "commands" else file(_path(subject.name), body, label)
    if kind == "argument":
        name, _, argument = where.partition(".")
        return tool([call(name, {"path": "a.py", "content": "x", argument: body})], ["ok"], label)
    if kind == "result":
        return tool([call(where, {"path": "a.py", "file_path": "a.py", "command": "cat a.py"})], [body], label)
    return tool([call("Write", body)], ["ok"], label) if kind == "arguments" else prose(body, label)


def _path(language: str) -> str:
    row = language_named(language)
    return f"a{row.extensions[0]}" if row.extensions else row.filenames[0]


def case(subject: Subject) -> Case:
    return Case(f"sweep {subject.name}", f"{TEXTS} shapes of seed {SEED}", lambda: texts(subject))


SUBJECTS = [subject for subject in subjects() if subject.level == PARSER or "/" in subject.name]
"""What a request can hold. A function alone is swept in its own process."""
CASES = [case(subject) for subject in random.Random(SEED).sample(SUBJECTS, COUNT)]
