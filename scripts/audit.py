"""`python -m scripts.audit`: every locked dependency against the advisories that PyPI publishes, by pip-audit.

Exit status 0 where none is known, 1 where some are, 77 where that can't be told: no network, or a service that knows
nothing even of a release that is known to be vulnerable.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
UV = str(ROOT / ".venv" / "bin" / "uv")
TOOL = (UV, "tool", "run", "--from", "pip-audit==2.10.1", "pip-audit", "--no-deps", "--disable-pip", "--format=json",
        "--progress-spinner=off", "--requirement")  # fmt: skip
LOCKED = (UV, "export", "--locked", "--quiet", "--all-extras", "--all-groups", "--no-emit-project", "--no-hashes")
CANARY = "jinja2==2.4.1"
UNKNOWN = 77


def audited(requirements: str) -> list[dict[str, Any]] | None:
    """What the service says of each; None, with the reason on stderr, where it can't be asked."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text(requirements)
        done = subprocess.run([*TOOL, str(file)], capture_output=True, text=True, check=False)  # noqa: S603 - ours
    try:
        return list(json.loads(done.stdout)["dependencies"])
    except (ValueError, KeyError):
        sys.stderr.write(done.stderr[-500:])
        return None


def verdict(canary: list[dict[str, Any]] | None, locked: list[dict[str, Any]] | None) -> tuple[int, list[str]]:
    """The exit status, and what to say."""
    if canary is None or locked is None or not locked or not any(one.get("vulns") for one in canary):
        return UNKNOWN, ["skipped: PyPI's advisories can't be reached, so nothing is known of any dependency"]
    bad = [f"{one['name']} {one['version']}: {v['id']}, mended in {', '.join(v['fix_versions']) or 'no release'}"
           for one in locked for v in one.get("vulns") or ()]  # fmt: skip
    untold = [f"{one['name']}: {one['skip_reason']}" for one in locked if "skip_reason" in one]
    said = f"{len(locked)} dependencies, {len(bad)} advisories, {len(untold)} that nothing could be told of"
    return 1 if bad else UNKNOWN if untold else 0, [*bad, *untold, said]


def main() -> int:
    """Ask, and say it."""
    canary = audited(CANARY)
    locked = None
    if any(one.get("vulns") for one in canary or ()):
        exported = subprocess.run(LOCKED, cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S603
        locked = audited(exported)
    status, said = verdict(canary, locked)
    sys.stdout.write("\n".join(said) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
