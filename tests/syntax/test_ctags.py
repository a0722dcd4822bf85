"""Outlines against Universal Ctags, on the corpus and on the real files of the replays where they are there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.corpus import cases
from tslp_litellm.syntax.languages import language_named, language_of_path

from . import ctags

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
REPLAYS = ROOT.parent / "shared" / "acceptance" / "replay" / "data"
RECALL_MIN, PRECISION_MIN = 0.90, 0.80
"""Precision is low where ctags knows less than we do: constants bound to functions, properties with code."""


def replayed(folder: Path) -> dict[str, list[Path]]:
    """The last text of every file in the replays, written out; by language."""
    texts: dict[Path, str] = {}
    for data in sorted(REPLAYS.glob("*.jsonl")):
        for line in data.read_text("utf-8").splitlines():
            for change in json.loads(line).get("changes", []):
                texts[folder / data.stem / change["path"]] = change.get("after") or change.get("before") or ""
    found: dict[str, list[Path]] = {}
    for path, text in texts.items():
        language = language_of_path(path.name)
        if language is not None and language.name in ctags.LANGUAGES:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            found.setdefault(language.name, []).append(path)
    return found


def ours(folder: Path) -> dict[str, list[Path]]:
    """The sources of the corpus, written out; by language. ctags is not asked what it reads wrongly."""
    found: dict[str, list[Path]] = {}
    for name in ctags.LANGUAGES:
        for n, case in enumerate(cases(ROOT / "tests" / "corpus" / f"{name}.txt")):
            if "errors:" not in case.expected:
                path = folder / f"{name}-{n}{language_named(name).extensions[0]}"
                path.write_text(case.source, "utf-8")
                found.setdefault(name, []).append(path)
    return found


def test_outlines_agree_with_ctags(tmp_path: Path) -> None:
    if not ctags.available():
        pytest.skip("Universal Ctags with JSON output is not installed")
    real = replayed(tmp_path)
    print(f"\n{'language':<12}{'text':<8}{'files':>6}{'both':>7}{'ours':>6}{'theirs':>7}{'local':>6}  recall precision")
    low = []
    for kind, files in (("corpus", ours(tmp_path)), ("real", real)):
        for name, paths in sorted(files.items()):
            d = ctags.compare(name, paths)
            print(
                f"{name:<12}{kind:<8}{d.files:>6}{d.both:>7}{d.ours.total():>6}{d.theirs.total():>7}{d.local:>6}"
                f"  {d.recall:.3f}  {d.precision:.3f}"
            )
            if kind == "real" and d.both >= 20 and (d.recall < RECALL_MIN or d.precision < PRECISION_MIN):
                low.append((name, d.recall, d.precision, sorted(d.theirs)[:10], sorted(d.ours)[:10]))
    if not real:
        pytest.skip(f"no replays in {REPLAYS}: only the corpus was compared")
    assert not low
