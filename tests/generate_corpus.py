"""Prints or rewrites the expected outlines of the corpus; what it writes is to be read before it is committed."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from corpus import cases, rendered  # noqa: E402

for name in sys.argv[1:] or [p.stem for p in sorted((HERE / "corpus").glob("*.txt"))]:
    file = HERE / "corpus" / f"{name}.txt"
    parts = [f"=== {case.title}\n{case.source}---\n{rendered(name, case.source)}" for case in cases(file)]
    file.write_text("\n".join(parts), encoding="utf-8")
