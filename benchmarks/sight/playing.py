"""A workload played through the hooks' common body, in-process: what goes out, and what a model reads of it."""

from __future__ import annotations

import asyncio
import copy
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchmarks.sight.measures import Seen, Wanted, see
from benchmarks.sight.prompts import Prompt, prompt_of
from benchmarks.sight.server import read
from benchmarks.sight.workloads import Call, Workload
from tslp_litellm.clients.side_requests import side_request
from tslp_litellm.gateway.attendant import Attendant
from tslp_litellm.gateway.callers import reserve_of
from tslp_litellm.gateway.metrics import Metrics
from tslp_litellm.gateway.runtime import Runtime
from tslp_litellm.gateway.telemetry import Telemetry
from tslp_litellm.settings import Settings
from tslp_litellm.state.values import Tracked
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire import FORMATS

WINDOWS = (4096, 8192, 16384, 32768)
UNBOUNDED = 1 << 20
"""A window that nothing has to be fitted into."""
KEY = SimpleNamespace(team_id="bench", api_key=None, user_id=None, user_role=None, metadata={})
TENANT, WORKSPACE = "team:bench", "sight"
OLDER_MAX = 4
FENCED = re.compile(r"^```.*?^```$", re.S | re.M)
"""Pasted code mentions nothing."""
WORD = r"(?<![\w/.\-]){}(?![\w/\-:]|\.\w)"


@dataclass(frozen=True, slots=True)
class Setting:
    """How TSLP is set."""

    window: int
    history: str = "keep"
    placement: str = "auto"


@lru_cache(maxsize=200_000)
def count(text: str) -> int:
    """Tokens of a text by the tokenizer that LiteLLM takes where it knows no other."""
    from tslp_litellm.litellm_hooks import count_tokens  # noqa: PLC0415 - importing LiteLLM takes seconds

    return count_tokens(text) if text else 0


def play(workload: Workload, acceptance: Path, settings: Sequence[Setting]) -> list[dict[str, Any]]:
    """For each setting what was seen of each request, bare and with TSLP; `state`: the State Map at the end."""
    calls = workload.calls(acceptance)
    return [asyncio.run(_play(calls, setting, workload)) for setting in settings]


async def _play(calls: Sequence[Call], setting: Setting, workload: Workload) -> dict[str, Any]:
    made = Settings(
        database_url="sqlite://",
        audit=False,
        window_tokens=setting.window,
        history=setting.history,
        placement=setting.placement,
    )
    runtime = Runtime(made, count)
    attendant = Attendant(runtime, Telemetry(Metrics()))
    run = _Run(runtime, setting.window)
    try:
        for number, call in enumerate(calls):
            data = copy.deepcopy(call.body)
            data |= {"litellm_call_id": str(number), "metadata": {"tslp_workspace": WORKSPACE}}
            await attendant.pre_call(KEY, data, call.call_type)
            run.saw(call, prompt_of(data), attendant.headers(data) or {})
            await attendant.success(data, call.answer)
            await runtime.drain()
        return {"workload": workload, "setting": setting, "rows": run.rows, "state": run.state()}
    finally:
        await runtime.close()


class _Run:
    """What was seen so far."""

    def __init__(self, runtime: Runtime, window: int) -> None:
        self._runtime, self._window = runtime, window
        self._before: dict[tuple[str, bool], Prompt] = {}
        self._older: dict[str, list[str]] = defaultdict(list)
        self.rows: list[tuple[Call, Seen, Seen]] = []

    def saw(self, call: Call, sent: Prompt, headers: dict[str, str]) -> None:
        """One request: bare, and as TSLP let it out. A client's errand (a title, a commit message) is given nothing."""
        side = side_request(FORMATS[call.call_type].parse(call.body)) is not None
        origin, wanted = prompt_of(call.body), [] if side else self._wanted(call.task)
        fitted = headers.get("x-tslp-window", "fits") != "fits"
        pair = []
        for ours, prompt in ((False, origin), (True, sent)):
            came = read(prompt, self._window, count)
            before = self._before.get((call.conversation, ours))
            about = {"window": self._window, "fitted": fitted, "count": count, "answer": reserve_of(call.body)}
            pair.append(see(prompt, came, origin, before, call.task, wanted, **about))
            self._before[(call.conversation, ours)] = came.prompt
        self.rows.append((call, pair[0], pair[1]))

    def _wanted(self, task: str) -> list[Wanted]:
        """The entities that a task names in full, as far as their current text is known."""
        with self._runtime.database.reading() as connection:
            store = WorkspaceReader(connection, TENANT, WORKSPACE)
            prose = FENCED.sub("", task)
            rows = named(prose, [row for row in store.tracked(_paths(prose)) if row.clean])
            texts = store.texts(row.artifact for row in rows)
        out = []
        for row in rows:
            text, known = texts.get(row.artifact, ""), self._older[row.entity]
            if not text.strip():
                continue
            if not known or known[-1] != text:
                known.append(text)
            older = tuple(t for t in known[-OLDER_MAX - 1 : -1] if t != text)
            out.append(Wanted(row.entity, text, older))
        return out

    def state(self) -> dict[str, str]:
        """The State Map: entity to artifact, or DIRTY."""
        with self._runtime.database.reading() as connection:
            rows = connection.exec_driver_sql("SELECT entity, artifact, freshness FROM state_map ORDER BY entity")
            return {entity: artifact if fresh == "CLEAN" else "DIRTY" for entity, artifact, fresh in rows}


def _paths(task: str) -> list[str]:
    """Words of a task that may be paths."""
    return list(dict.fromkeys(word.partition("::")[0] for word in re.findall(r"[\w./\-]+\w(?:::[\w.]+)?", task)))


def named(task: str, rows: Sequence[Tracked]) -> list[Tracked]:
    """The entities that a task names: symbols of a file that it names, and the file only where it names none of them
    (SEMANTICS 4: the most specific mention wins)."""
    files = [row for row in rows if row.symbol is None and _says(task, row.path)]
    paths = {row.path for row in rows if _says(task, row.path) or f"{row.path}::" in task}
    whole = {(row.path, row.symbol) for row in rows}
    symbols = [row for row in rows if row.symbol is not None and row.path in paths and _is_named(task, row, whole)]
    specific = {row.path for row in symbols}
    return [*symbols, *(row for row in files if row.path not in specific)]


def _is_named(task: str, symbol: Tracked, whole: Collection[tuple[str, str | None]]) -> bool:
    """By its own name, with the path or as a name that no word of prose looks like. A bare name that is all of another
    definition's in the file (`whole`) is no member's: a new `VarP` is not `FlagSet.VarP`."""
    name = (symbol.symbol or "").partition("#")[0]
    leaf = name.rpartition(".")[2]
    if any(_says(task, f"{symbol.path}::{one}") for one in {name, leaf}):
        return True
    if leaf != name and (symbol.path, leaf) in whole:
        return False
    looks = re.search(r"[_\dA-Z]", leaf) is not None
    return re.search(rf"`{re.escape(leaf)}`|\b{re.escape(leaf)}\(", task) is not None or (looks and _says(task, leaf))


def _says(task: str, word: str) -> bool:
    return re.search(WORD.format(re.escape(word)), task) is not None
