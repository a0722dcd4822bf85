"""The same jobs with real aider as the client (`--client aider`): it edits real files, in its `whole` format.

What lies on the disk after its turn is judged. Where that is wrong, the user puts it right there and says nothing, as
aider lists its files with every request. `python -m benchmarks.turns --client aider`; docs/turns.md.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.servers import KEY
from benchmarks.sight.prompts import Prompt
from benchmarks.turns import job, model, playing, tables, user
from benchmarks.turns.code import File, file_text
from benchmarks.turns.proxied import SETTLES, Proxied
from tslp_litellm.cli.gateway import OFFLINE

ARMS = ("bare", "headroom", "tslp")
"""An oracle would add nothing that is its own: aider itself puts the current files in front."""
VERSION = "0.86.2"
MISSING = f"""aider was not found. Install it into a folder of its own, and name that folder:
    python3.11 -m venv FOLDER/aider && FOLDER/aider/bin/pip install aider-chat=={VERSION}
    export TSLP_CLIENTS=FOLDER"""
OPTIONS = [
    "--model", "openai/coder", "--weak-model", "openai/coder", "--edit-format", "whole", "--map-tokens", "0",
    "--yes-always", "--no-auto-commits", "--no-dirty-commits", "--no-gitignore", "--no-suggest-shell-commands",
    "--no-stream", "--no-pretty", "--no-fancy-input", "--no-detect-urls", "--no-show-model-warnings",
    "--no-check-update", "--no-show-release-notes", "--analytics-disable", "--disable-playwright",
]  # fmt: skip
"""No `--no-git`: without a repository aider names files from their common folder on, `order.py` for `shop/order.py`."""
ASKS = b"\n> "
OK = "Just say ok."
QUIET_S, STARTS_WITHIN_S, ANSWERS_WITHIN_S = 0.3, 900.0, 3600.0
SUMMARY_ASKED, SUMMARY = "summarize this partial conversation", "I asked you to change some functions of my files."


def command() -> Path | None:
    """aider's command: in `TSLP_CLIENTS`, in `.clients`, or on the path."""
    folder = Path(os.environ.get("TSLP_CLIENTS") or ".clients").absolute()
    own = folder / "aider" / "bin" / "aider"
    elsewhere = shutil.which("aider")
    return own if own.exists() else Path(elsewhere) if elsewhere else None


def needed() -> Path:
    """The same; FileNotFoundError, which says how it is installed."""
    found = command()
    if found is None:
        raise FileNotFoundError(MISSING)
    return found


class Aider:
    """One aider on a pipe, in a folder. RuntimeError where it ends by itself or says nothing for too long."""

    def __init__(self, program: Path, folder: Path, home: Path, paths: list[str], **environment: str) -> None:
        told = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "dumb", "HOME": str(home), "BROWSER": "true"}
        told |= OFFLINE | {"NO_PROXY": "127.0.0.1", "HTTPS_PROXY": "http://127.0.0.1:9", "PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(
            [str(program), *OPTIONS, *paths], cwd=folder, env=told | environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self._until_it_asks(STARTS_WITHIN_S)

    def tell(self, words: str) -> str:
        """One line, and what it says until it asks for the next one."""
        assert self._process.stdin is not None
        self._process.stdin.write(words.encode() + b"\n")
        self._process.stdin.flush()
        return self._until_it_asks(ANSWERS_WITHIN_S)

    def _until_it_asks(self, within: float) -> str:
        out, said, ends = self._process.stdout, b"", time.monotonic() + within
        assert out is not None
        while time.monotonic() < ends:
            if select.select([out], [], [], QUIET_S)[0]:
                piece = os.read(out.fileno(), 1 << 16)
                if not piece:
                    break
                said += piece
            elif said.endswith(ASKS):
                return said.decode("utf-8", "replace")
        raise RuntimeError("aider asks for nothing:\n" + said.decode("utf-8", "replace")[-2000:])

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(20)


def write(folder: Path, files: dict[str, File]) -> None:
    """The user's files as they should be; what else was made is removed."""
    for path in texts(folder).keys() - files.keys():
        (folder / path).unlink()
    for path, file in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(file_text(file), "utf-8")


def texts(folder: Path) -> dict[str, str]:
    """What lies in a folder, but for aider's own notes."""
    found = sorted(one for one in folder.rglob("*") if one.is_file())
    paths = [(one, one.relative_to(folder).as_posix()) for one in found]
    return {path: one.read_text("utf-8", "replace") for one, path in paths if not path.startswith((".aider", ".git/"))}


def judge(found: dict[str, str], before: dict[str, File], wanted: dict[str, File]) -> user.Judged:
    """What lies on the disk. Right: what was asked for, and of every other function and file nothing else."""
    right, lost = found.keys() == wanted.keys(), 0
    for path, file in wanted.items():
        text = found.get(path, "")
        right &= _same(text, file)
        lost += user._lost(file_text(before[path]), file_text(file), text)
    return user.Judged(right, lost, {}, frozenset(wanted))


def _same(text: str, file: File) -> bool:
    want = user._texts(file)
    own = len(model.all_functions(text, file.language)) == len(want)  # and none beside them
    return own and user._as_file(text, file) == want and user._head(text, file)


def wrong(state: dict[str, str], found: dict[str, str]) -> tuple[str, ...]:
    """Files that a State Map holds as CLEAN and another text than the disk's."""
    held = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in found.items()}
    own = {entity: artifact for entity, artifact in state.items() if "::" not in entity and artifact != "DIRTY"}
    return tuple(sorted(path for path, artifact in own.items() if held.get(path) != artifact))


def summarises(came: Prompt) -> bool:
    """Whether aider asks for a summary of the chat, which is no turn."""
    return any(SUMMARY_ASKED in text for text in came.fixed)


def speaker(plan: playing.Plan, ask: model.Ask, number: int, speaks: list[float]) -> playing.Speaker:
    """The simulated model, for one turn, in which aider may ask again. `speaks` gets the seconds that it takes."""
    tries = iter(range(1, 1000))

    def speak(came: Prompt) -> tuple[str, str]:
        if summarises(came):
            return SUMMARY, "stop"
        began, again = time.perf_counter(), next(tries)
        rng = random.Random(f"{plan.seed} {number} model" + (f" {again}" if again > 1 else ""))
        out = model.answer([text for message in came.messages for text in message.texts], ask, plan.rates, rng)
        speaks[0] += time.perf_counter() - began
        return out

    return speak


class Aided(Proxied):
    """An arm's servers, to which aider speaks by itself."""

    @contextlib.contextmanager
    def client(self, program: Path, folder: Path, paths: list[str]) -> Iterator[Aider]:
        """aider in a folder, which becomes a repository, with a home of its own."""
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        with tempfile.TemporaryDirectory(prefix="turns-home-", ignore_cleanup_errors=True) as home:
            key = {"OPENAI_API_BASE": f"{self._proxy.base}/v1", "OPENAI_API_KEY": KEY}
            one = Aider(program, folder, Path(home), paths, **key)
            try:
                yield one
            finally:
                one.close()

    def turn(self, aider: Aider, words: str, speak: playing.Speaker) -> Prompt:
        """A turn of aider's, and what the model read of its first request."""
        self._model.speak, since = speak, len(self._model.seen)
        said = aider.tell(words)
        read = [came for came in self.seen(since) if not summarises(came)]
        if not read:
            raise RuntimeError("aider asked nothing:\n" + said[-2000:])
        return read[0]

    def wrong(self, found: dict[str, str]) -> tuple[str, ...]:
        """Files that the State Map, once the last answer is recorded, holds otherwise than the disk, and CLEAN."""
        return wrong(self.state(0), found) and wrong(self.state(SETTLES), found)


def report(rows: list[tables.Row]) -> str:
    """The table; all files are right at the end, as the user sees to it."""
    at = tables.HEADS.index("files right")
    heads = [*tables.HEADS[:at], "files wrong and CLEAN, behind a turn", *tables.HEADS[at + 1 :]]
    out = []
    for some, line in zip(tables.grouped(rows).values(), tables.lines(rows), strict=True):
        found = str(sum(len(turn["wrong"]) for row in some for turn in row["turns"]))
        out.append([*line[:at], found if line[1] == "tslp" else "–", *line[at + 1 :]])
    return tables.markdown(heads, out)


async def play(plan: playing.Plan, one: Aided, program: Path) -> playing.Played:
    """All turns of an arm, the changes those of `playing.play`."""
    try:
        return played(plan, one, program)
    finally:
        await one.close()


def played(plan: playing.Plan, one: Aided, program: Path) -> playing.Played:
    """The same, and the servers go on."""
    world, out = random.Random(f"{plan.seed} world"), playing.Played(one.name, plan)
    names = job.Names(world)
    disk = job.workspace(world, names, plan.files)
    with tempfile.TemporaryDirectory(prefix="turns-") as made:
        folder = Path(made)
        write(folder, disk)
        with one.client(program, folder, list(disk)) as aider:
            one.turn(aider, OK, lambda _: ("ok", "stop"))  # it lists its files, and loads what its first request takes
            for number in range(1, plan.turns + 1):
                task = job.next_task(world, disk, names, plan.real)
                wanted = job.changed(disk, task)
                began, speaks = time.perf_counter(), [0.0]
                came = one.turn(aider, task.words, speaker(plan, model.Ask(task, "listing"), number, speaks))
                taken = time.perf_counter() - began - speaks[0]
                found = texts(folder)
                turn = playing._turn(task, judge(found, disk, wanted), came, disk, taken)
                out.turns.append(replace(turn, wrong=one.wrong(found)))
                write(folder, wanted)
                disk = wanted
            one.turn(aider, OK, lambda _: ("ok", "stop"))
        out.state = playing.against(one.state(), disk)
    return out
