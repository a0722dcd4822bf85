"""One arm of one seed, turn by turn: the user asks, the server cuts, the model answers, the user judges.

Every arm sees the same changes of the same files; only answers differ. In-process here; `proxied` does it over HTTP.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Protocol

from benchmarks.sight.measures import blocks, copies
from benchmarks.sight.playing import count
from benchmarks.sight.prompts import Prompt, prompt_of
from benchmarks.sight.server import read
from benchmarks.turns import job, model, user
from benchmarks.turns.code import File, file_text, rendered
from benchmarks.turns.job import Target, Task
from tslp_litellm.gateway.attendant import Attendant
from tslp_litellm.gateway.metrics import Metrics
from tslp_litellm.gateway.runtime import Runtime
from tslp_litellm.gateway.telemetry import Telemetry
from tslp_litellm.settings import Settings

ANSWER_TOKENS = 500
TENANT = SimpleNamespace(team_id="bench", api_key=None, user_id=None, user_role=None, metadata={})
Speaker = Callable[[Prompt], tuple[str, str]]
"""What a model makes of what it reads: its answer, and why that ended."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played. `rates`: of the model's failings; `window`: tokens of its prompt; `real`: the model is."""

    window: int
    turns: int
    seed: int
    rates: dict[str, float]
    files: int = 42
    real: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: its kind; whether the first answer was right; lines lost; how what it was about stood in sight
    (`current`, `stale`, `missing`: numbers of functions), how many stood there twice; what a block showed as the
    current text that is not it; tokens of the prompt as it was read; seconds that the arm took beside the model."""

    kind: str
    right: bool
    lost: int
    sight: dict[str, int]
    twice: int
    shown_stale: tuple[str, ...]
    tokens: int
    seconds: float
    wrong: tuple[str, ...] = ()


@dataclass
class Played:
    """An arm's turns; at the end the files, with every answer taken as given and what he saw to be wrong put right,
    against his disk; and the State Map against his disk, in entities."""

    arm: str
    plan: Plan
    turns: list[Turn] = field(default_factory=list)
    files_right: int = 0
    state: dict[str, int] = field(default_factory=dict)


class Arm(Protocol):
    """How a request gets to the model and back."""

    name: str

    async def ask(self, messages: list[dict[str, str]], speak: Speaker) -> tuple[str, str, Prompt]:
        """The answer, why it ended, and what was read by the model."""

    def state(self) -> dict[str, str]:
        """Entity -> artifact, or DIRTY; nothing where no State Map is kept."""

    async def close(self) -> None:
        """End it."""


class Bare:
    """The server alone; with `oracle` the harness itself puts the current text in front."""

    def __init__(self, window: int, name: str = "bare") -> None:
        self.name, self._window = name, window

    async def ask(self, messages: list[dict[str, str]], speak: Speaker) -> tuple[str, str, Prompt]:
        came = read(prompt_of({"messages": messages}), self._window, count).prompt
        return *speak(came), came

    def state(self) -> dict[str, str]:
        return {}

    async def close(self) -> None: ...


class Tslp:
    """The hooks' common body, in-process, with a database in memory. No audit: no model could answer it."""

    name = "tslp"

    def __init__(self, window: int, **settings: Any) -> None:
        made = Settings(database_url="sqlite://", audit=False, window_tokens=window, visit_seconds=120, **settings)
        self._window, self._runtime, self._number = window, Runtime(made, count), 0
        self._attendant = Attendant(self._runtime, Telemetry(Metrics()))

    async def ask(self, messages: list[dict[str, str]], speak: Speaker) -> tuple[str, str, Prompt]:
        self._number += 1
        data: dict[str, Any] = {"model": "coder", "messages": [dict(m) for m in messages], "max_tokens": ANSWER_TOKENS}
        data |= {"litellm_call_id": str(self._number), "metadata": {"tslp_workspace": "turns"}}
        await self._attendant.pre_call(TENANT, data, "acompletion")
        came = read(prompt_of(data), self._window, count).prompt
        self._attendant.headers(data)
        text, finish = self.speaker(speak, data)(came)
        said = {"role": "assistant", "content": text}
        await self._attendant.success(data, {"choices": [{"index": 0, "message": said, "finish_reason": finish}]})
        await self._runtime.drain()
        return text, finish, came

    def speaker(self, speak: Speaker, data: dict[str, Any]) -> Speaker:
        """Who answers a request as it goes out."""
        return speak

    def state(self) -> dict[str, str]:
        with self._runtime.database.reading() as connection:
            rows = connection.exec_driver_sql("SELECT entity, artifact, freshness FROM state_map")
            return {entity: artifact if fresh == "CLEAN" else "DIRTY" for entity, artifact, fresh in rows}

    async def close(self) -> None:
        await self._runtime.close()


def arm(name: str, window: int) -> Arm:
    """An arm by its name."""
    return Tslp(window) if name == "tslp" else Bare(window, name)


Watcher = Callable[[int, Task, str, Any, Arm, Prompt, dict[str, File]], None]


async def play(plan: Plan, one: Arm, watch: Watcher | None = None) -> Played:
    """All turns of an arm."""
    world, out = random.Random(f"{plan.seed} world"), Played(one.name, plan)
    names = job.Names(world)
    disk = job.workspace(world, names, plan.files)
    loose = {path: user._texts(file) for path, file in disk.items()}
    messages = [{"role": "system", "content": user.SYSTEM}]
    for text in user.pasted(disk):
        messages.append({"role": "user", "content": text})
        messages.append({"role": "assistant", "content": (await one.ask(messages, lambda _: ("ok", "stop")))[0]})
    correction = ""
    for number in range(1, plan.turns + 1):
        task, rng = job.next_task(world, disk, names, plan.real), random.Random(f"{plan.seed} {number}")
        wanted = job.changed(disk, task)
        ask, words = user.asks(task, rng)
        front = _front(task, disk) if one.name == "oracle" else ""
        messages.append({"role": "user", "content": front + correction + words})
        began, speaks = time.perf_counter(), [0.0]
        said, finish, came = await one.ask(messages, _speaker(plan, ask, number, speaks))
        taken = time.perf_counter() - began - speaks[0]
        judged = user.judge(said, finish, task, disk, wanted)
        out.turns.append(_turn(task, judged, came, disk, taken))
        if watch:
            watch(number, task, said, judged, one, came, disk)
        for path, given in judged.given.items():
            loose[path] |= given
        final = judged
        if not judged.right and rng.random() < user.AGAIN:
            said, finish, came = await one.ask(messages, _speaker(plan, ask, -number, [0.0]))
            final = user.judge(said, finish, task, disk, wanted)
        messages.append({"role": "assistant", "content": said})
        disk, correction = wanted, ""
        if not final.right:
            correction = user.shows(task, disk, final, rng) + "\n\n"
        if not judged.right:
            _put_right(loose, disk, task)
    if correction:
        await one.ask([*messages, {"role": "user", "content": correction + "Just say ok."}], lambda _: ("ok", "stop"))
    out.files_right = sum({k: v for k, v in loose[p].items() if v} == user._texts(file) for p, file in disk.items())
    out.state = against(one.state(), disk)
    await one.close()
    return out


def _speaker(plan: Plan, ask: model.Ask, number: int, speaks: list[float]) -> Speaker:
    """The simulated model, for one answer; `speaks` gets the seconds that it takes."""

    def speak(came: Prompt) -> tuple[str, str]:
        began = time.perf_counter()
        seen = [text for message in came.messages for text in message.texts]
        out = model.answer(seen, ask, plan.rates, random.Random(f"{plan.seed} {number} model"))
        speaks[0] += time.perf_counter() - began
        return out

    return speak


def _front(task: Task, disk: dict[str, File]) -> str:
    """What the oracle puts in front: the current text of what the change is about, of a file where it is one's."""
    out = []
    for target in task.targets:
        file = disk[target.path]
        f = file.function(target.symbol)
        if task.kind == "remove" or f is None:
            out.append((target.path, file_text(file).rstrip("\n")))
        else:
            out.append((target.entity, rendered(f, file.language)))
    frame = "[CURRENT STATE: AUTHORITATIVE]\nEntity: {}\nArtifact: -\nSource: Oracle\n\n{}\n[END CURRENT STATE]\n\n"
    return "".join(frame.format(*one) for one in dict.fromkeys(out))


def _turn(task: Task, judged: user.Judged, came: Prompt, disk: dict[str, File], seconds: float) -> Turn:
    texts = [text for message in came.messages for text in message.texts]
    sight, twice = {"current": 0, "stale": 0, "missing": 0}, 0
    for target in task.targets:
        file = disk[target.path]
        f = file.function(target.symbol)
        if f is None:
            continue
        text = rendered(f, file.language)
        found = model.copies(texts, target)
        sight["missing" if not found else "current" if found[-1] == text else "stale"] += 1
        twice += copies(text, texts) > 1
    last = Prompt((), came.messages[-1:])
    stale = tuple(
        entity for entity, text, _ in blocks(last) if text.rstrip("\n") != _text_of(entity, disk).rstrip("\n")
    )
    tokens = sum(map(count, (*came.fixed, *texts)))
    return Turn(task.kind, judged.right, judged.lost, sight, twice, stale, tokens, seconds)


def _text_of(entity: str, disk: dict[str, File]) -> str:
    """An entity's text on the disk; nothing where there is none."""
    path, _, symbol = entity.partition("::")
    file = disk.get(path)
    if file is None:
        return ""
    return file_text(file) if not symbol else symbols(file).get(symbol, "")


def symbols(file: File) -> dict[str, str]:
    """Every entity of a file but itself, with its text."""
    out = {f.symbol: rendered(f, file.language) for f in file.functions}
    form = {"python": "{} = {}", "typescript": "export const {} = {};", "go": "const {} = {}"}[file.language]
    out |= {name: form.format(name, value) for name, value in file.constants}
    methods = [f for f in file.functions if f.owner]
    if methods:
        owner, text = methods[0].owner, user.class_text(file)
        out[owner] = text.partition("\n\n")[0] if file.language == "go" else text
    return out


def against(state: dict[str, str], disk: dict[str, File]) -> dict[str, int]:
    """The State Map against the disk, in entities; `wrong`: another text than the disk's, and CLEAN, or gone there."""
    out = {"right": 0, "wrong": 0, "dirty": 0, "missing": 0}
    if state:
        for _, verdict in verdicts(state, disk).items():
            out[verdict] += 1
    return out


def verdicts(state: dict[str, str], disk: dict[str, File]) -> dict[str, str]:
    """Of each entity, on the disk or held, how it is held."""
    held = {path: file_text(file) for path, file in disk.items()}
    held |= {f"{path}::{name}": text for path, file in disk.items() for name, text in symbols(file).items()}
    out = {}
    for entity in held.keys() | state.keys():
        artifact = state.get(entity)
        sha = hashlib.sha256(held[entity].encode()).hexdigest() if entity in held else None
        found = "right" if artifact == sha else "wrong"
        out[entity] = "missing" if artifact is None else "dirty" if artifact == "DIRTY" else found
    return out


def _put_right(loose: dict[str, dict[str, str]], disk: dict[str, File], task: Task) -> None:
    """What he asked for, as it stands on his disk."""
    for target in task.targets:
        held = user._texts(disk[target.path])
        for symbol in (target.symbol, user._symbol(task, target)):
            if symbol in held:
                loose[target.path][symbol] = held[symbol]
            else:
                loose[target.path].pop(symbol, None)


def target_of(entity: str) -> Target:
    """An entity's name as a target."""
    return Target(*entity.split("::"))
