"""Any point of a replay: after each turn `tslp export --at` is, byte for byte, what the repository's commit says.

    python -m tests.replayed ../shared/acceptance --seed 7 anyhow h11 pflag

The acceptance suite's replays as they are, noise included; their proxies are forked from one import of LiteLLM. Then
each turn's point is exported: the files are those of the State Map at that time, and those that the turns have touched
are the commit's. Once more with all of it in an archive. Exit status 0 where nothing else is exported than was true,
few enough files are missing, and the archive takes a tenth of what left the database. `linenoise` is not among those of `make
check`, as what fails there is not the past: a README is unknown after some turns, and with `--seed 412` turn 21 has a
block that is unique only by a blank last line, which aider, and so we, do not count.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sqlite3
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from click.testing import CliRunner

from tslp_litellm.cli import main as tslp
from tslp_litellm.cli.safe_paths import unsafe

from .acceptance import Forking
from .e2e.nursery import Nursery

NOISE = 0.3
REQUIRED = 0.97
"""The share of files that must be there; the rest is DIRTY, and claims nothing."""
SMALLER = 10
"""So many bytes of the database become one of an archive."""
ALL = "2999-12-31"


@dataclass(frozen=True)
class Turn:
    """A turn's end: the Ledger's head; what each touched file holds (None: it is gone) but those that may stay back;
    files and hashes of the State Map, without those that are DIRTY."""

    number: int
    seq: int
    truth: dict[str, str | None]
    state: dict[str, str]


def played(player: Any) -> list[Turn]:
    """Play it to the end; its turns. AssertionError where a call fails."""
    from score import DIRTY  # type: ignore[import-not-found]

    turns, score = list[Turn](), player.tally.turn

    def told(number: int, client: str, state: dict[str, str], root: str, truth: Any, carried: Any, held: Any) -> None:
        score(number, client, state, root, truth, carried, held)
        texts = {path: truth.now.get(path) for path in truth.touched() if path not in held}
        files = {e: h for e, h in state.items() if "::" not in e and h != DIRTY and not unsafe(e)}
        turns.append(Turn(number, player.get("/tslp/resume")["head"]["seq"], texts, files))

    player.tally.turn = told
    player.run()
    assert not player.errors, player.errors[:3]
    return turns


def exported(where: list[str], environment: dict[str, str], turn: Turn) -> dict[str, bytes]:
    """The files of a turn's point, as they were written."""
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder) / "files"
        CliRunner(env=environment).invoke(tslp, ["export", str(to), "--at", str(turn.seq), *where])
        return {str(file.relative_to(to)): file.read_bytes() for file in to.rglob("*") if file.is_file()}


def compared(found: dict[str, bytes], turn: Turn) -> Counter[str]:
    """How many files are the commit's, missing, or false; and `other`: what was not the State Map of that time."""
    counted: Counter[str] = Counter()
    for path, text in turn.truth.items():
        have = found.get(path)
        if have == (None if text is None else text.encode()):
            counted["identical"] += 1
        else:
            counted["missing" if have is None else "false"] += 1
            if have is not None:
                print(f"turn {turn.number}, event {turn.seq}: {path} is not the commit's")
    hashes = {path: hashlib.sha256(text).hexdigest() for path, text in found.items()}
    counted["other"] += len(hashes.items() ^ turn.state.items())
    return counted


def size(environment: dict[str, str]) -> int:
    """The bytes of a database's pages, without free ones."""
    file = sqlite3.connect(environment["TSLP_DATABASE_URL"].removeprefix("sqlite:///"))
    file.execute("VACUUM")
    (pages,), (each,) = (file.execute(f"PRAGMA {what}").fetchone() for what in ("page_count", "page_size"))
    file.close()
    return int(pages * each)


def holds(name: str, folder: Path, seed: int) -> bool:
    """Play a replay, and export each of its turns, before and after all of it was archived."""
    import replay  # type: ignore[import-not-found]
    import stack  # type: ignore[import-not-found]

    asked = argparse.Namespace(
        data=folder / "replay" / "data" / f"{name}.jsonl", seed=seed, noise=NOISE, hard=False, paths="relative",
        turns=None, workspace=None, oracle=None, no_state=False, key=stack.MASTER_KEY,
    )  # fmt: skip
    good = True
    with (
        stack.ScriptedModel() as model,
        stack.Proxy(model, venv=sys.prefix, params={"audit": False}) as proxy,
        tempfile.TemporaryDirectory() as archive,
    ):
        with httpx.Client(base_url=proxy.base, timeout=60) as http:
            player = replay.Player(asked, http, model)
            turns, tenant = played(player), player.get("/tslp/state?limit=1")["tenant"]
        proxy.stop()
        environment = {"TSLP_DATABASE_URL": proxy.env["TSLP_DATABASE_URL"]}
        where = ["--config", str(proxy.config), "--tenant", tenant, "--workspace", player.workspace]
        for archived in (False, True):
            if archived:
                before = size(environment)
                done = CliRunner(env=environment).invoke(tslp, ["archive", archive, "--before", ALL, *where])
                assert done.exit_code == 0 and any(Path(archive).iterdir()), done.output
                left, took = before - size(environment), sum(file.stat().st_size for file in Path(archive).iterdir())
                print(f"{name}: {left:,} bytes of the database became {took:,}, {left / took:.1f} to 1")
                good &= left >= SMALLER * took
            counted: Counter[str] = Counter()
            for turn in turns:
                counted += compared(exported(where, environment, turn), turn)
            share = counted["identical"] / max(1, counted["identical"] + counted["missing"] + counted["false"])
            good &= share >= REQUIRED and not counted["false"] and not counted["other"]
            print(f"{name}{' archived' * archived}: {len(turns)} turns, {dict(counted)}, {share:.4f}", flush=True)
    return good


def main() -> int:
    """Exit status 0 where every replay holds."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", type=Path)
    ask.add_argument("replays", nargs="+")
    ask.add_argument("--seed", type=int, default=1)
    options = ask.parse_args()
    folder = options.folder.absolute()
    sys.path[:0] = [str(folder), str(folder / "replay")]
    for name in ("TSLP_URL", "TSLP_WORKSPACE", "LITELLM_MASTER_KEY"):
        os.environ.pop(name, None)
    with Nursery() as nursery:
        import stack

        stack.subprocess = Forking(nursery)
        good = [holds(name, folder, options.seed) for name in options.replays]
        return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
