"""`python -m benchmarks.calls`: does a real small model call a function that is out of its sight, by a signature that
nobody can guess? With the signatures of what a mentioned entity uses in front of its prompt, and without them
(SEMANTICS 10).

The user pastes forty modules with one function each, and forty that call them wrongly; then, in one long chat, asks for
one call a turn to be set right, and names the caller alone. An answer is right where the caller then gives the right
sums; else the user pastes the right one with the next words. The server cuts the chat as ollama does. Greedy, so a run
repeats. Needs the acceptance suite and its model (`../shared/acceptance/model`), and an idle machine.
"""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import httpx

from benchmarks.sight.workloads import ACCEPTANCE
from benchmarks.turns.tables import markdown, wilson
from tslp_litellm.dialects.fences import fences

VENV = Path(sys.executable).parent.parent
STARTS_S, ANSWERS_S, ANSWER_TOKENS = 300.0, 1800.0, 300
ARMS = ("off", "signatures")
ODD = (
    *("keff", "brutto", "zwick", "orlop", "tare", "quoin", "fid", "gunge", "moil", "skeg", "thrum", "wale", "yaw"),
    *("cess", "dunnage", "ullage", "kerf", "lien", "nonce", "pelf"),
)
"""Names of arguments that no other word of the job gives away."""
PLACES = (
    *("alpine", "baltic", "coastal", "delta", "estuary", "fjord", "glacier", "harbour", "island", "jungle"),
    *("karst", "lagoon", "meadow", "narrows", "oasis", "prairie", "quarry", "river", "savanna", "tundra"),
    *("upland", "valley", "wetland", "xeric", "yard", "zenith", "arctic", "beach", "canyon", "desert"),
    *("eyot", "forest", "gorge", "heath", "inlet", "jetty", "knoll", "loch", "marsh", "nook"),
)
VERBS = ("skim", "dock", "levy", "shave", "dun")
SYSTEM = "You are a careful programmer. You change only what you are asked to change."
TASK = (
    "In {path}, `{bill}` hands the whole order to the function that it calls. Hand over what that function asks for "
    "instead: for each of its arguments, in their order, the value in `order` under the argument's own name, such as "
    '`order["net"]`. Answer with the whole function in one fence.'
)
CORRECTION = "That was not right. Here is my function now:\n\n{entity}\n```python\n{text}```\n\n"
CALLER = """def {bill}(order):
    \"\"\"What an order costs in all.\"\"\"
    return order["net"] + {name}({arguments})
"""
RUN = """
import ast, sys
texts, name, orders = ast.literal_eval(sys.stdin.read())
space = {}
for text in texts:
    exec(compile(text, "answer", "exec"), space)
print(repr([round(space[name](order), 6) for order in orders]))
"""


@dataclass(frozen=True)
class Pair:
    """A function and its caller. `callee`: the function's text."""

    place: str
    name: str
    arguments: tuple[str, ...]
    callee: str

    @property
    def bill(self) -> str:
        return f"{self.place}_bill"

    @property
    def path(self) -> str:
        return f"shop/bills/{self.place}.py"

    def caller(self, arguments: str) -> str:
        return CALLER.format(bill=self.bill, name=self.name, arguments=arguments)

    @property
    def right(self) -> str:
        return self.caller(", ".join(f'order["{name}"]' for name in self.arguments))

    def files(self, call: str) -> str:
        """Both modules, as a user pastes them."""
        head = f"from shop.tariffs.{self.place} import {self.name}\n\n\n"
        shown = ((f"shop/tariffs/{self.place}.py", self.callee), (self.path, head + call))
        return "\n\n".join(f"{path}\n```python\n{text}```" for path, text in shown)


def pairs(number: int, seed: int) -> list[Pair]:
    """So many, each with three or four arguments."""
    chance = random.Random(seed)
    found = []
    for place in PLACES[:number]:
        arguments = tuple(chance.sample(ODD, chance.choice((3, 4))))
        name = f"{chance.choice(VERBS)}_{place}"
        weighed = zip(arguments, chance.sample(range(2, 10), len(arguments)), strict=True)
        weights = [f"{argument} * {weight}" for argument, weight in weighed]
        text = f'def {name}({", ".join(arguments)}):\n    """What is due beside."""\n    return {" + ".join(weights)}\n'
        found.append(Pair(place, name, arguments, text))
    return found


def sums(pair: Pair, caller: str) -> list[float] | None:
    """What a caller gives for three orders, in a process of its own; None where it gives nothing."""
    chance = random.Random(pair.place)
    orders = [{key: chance.randint(1, 99) for key in ("net", *ODD)} for _ in range(3)]
    given = repr(([pair.callee, caller], pair.bill, orders))
    try:
        run = subprocess.run(
            [sys.executable, "-I", "-c", RUN], input=given, capture_output=True, text=True, timeout=10, check=False
        )
        return ast.literal_eval(run.stdout) if run.returncode == 0 else None
    except (subprocess.TimeoutExpired, ValueError, SyntaxError):
        return None


def function_of(answer: str, name: str) -> str:
    """The function of that name in an answer's fences, as the user copies it; empty where there is none."""
    for code in (fence.body for fence in fences(answer)):
        try:
            tree = ast.parse(code)
        except SyntaxError:
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return f"{ast.get_source_segment(code, node)}\n"
    return ""


def words_of(messages: list[dict[str, Any]]) -> str:
    """What the model read."""
    said = (message["content"] for message in messages)
    return "\n".join(one if isinstance(one, str) else "".join(part.get("text", "") for part in one) for one in said)


class Job:
    """One chat. `right`: calls that were right at once; `seen`: turns in which the model read the signature."""

    def __init__(self, proxy: Any, model: Any, pairs: list[Pair]) -> None:
        self._proxy, self._model, self.right, self.seen, self._told = proxy, model, 0, 0, ""
        self._messages = [{"role": "system", "content": SYSTEM}]
        for pair in pairs:
            self._say(f"Two of my files.\n\n{pair.files(pair.caller('order'))}\n\nJust say ok.", "ok")

    def _say(self, asked: str, answer: str) -> None:
        self._messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}]

    def turn(self, pair: Pair) -> bool:
        """One call to be set right; whether it was."""
        asked = self._told + TASK.format(path=pair.path, bill=pair.bill)
        answer = self._ask(asked)
        self._say(asked, answer)
        self.seen += f"{pair.name}({', '.join(pair.arguments)})" in words_of(self._model.seen[-1]["messages"])
        right = sums(pair, function_of(answer, pair.bill)) == sums(pair, pair.right)
        self._told = "" if right else CORRECTION.format(entity=f"{pair.path}::{pair.bill}", text=pair.right)
        self.right += right
        return right

    def _ask(self, asked: str) -> str:
        messages = [*self._messages, {"role": "user", "content": asked}]
        body = {"model": "coder", "messages": messages, "max_tokens": ANSWER_TOKENS, "temperature": 0, "seed": 1}
        url, headers = self._proxy.base + "/v1/chat/completions", self._proxy.headers()
        answer = httpx.post(url, json=body, headers=headers, timeout=ANSWERS_S).raise_for_status()
        return answer.json()["choices"][0]["message"]["content"] or ""


def played(arm: str, size: str, window: int, turns: int, seed: int) -> Job:
    """An arm, through a real proxy."""
    sys.path[:0] = [str(ACCEPTANCE), str(ACCEPTANCE / "model")]
    from model import RealModel  # type: ignore[import-not-found]  # noqa: PLC0415 - of the acceptance suite
    from stack import Proxy  # type: ignore[import-not-found]  # noqa: PLC0415

    told, params = pairs(turns, seed), {"audit": False, "window_tokens": window, "dependencies": arm}
    with RealModel(size, window) as model:
        proxy = Proxy(model, venv=str(VENV), face="callback", params=params)
        proxy.start(STARTS_S)
        try:
            job = Job(proxy, model, told)
            for number, pair in enumerate(random.Random(seed).sample(told, turns), 1):
                said = "right" if job.turn(pair) else "WRONG"
                print(f"{arm} {number}/{turns} {pair.bill}: {said} ({job.right}; in sight {job.seen})", flush=True)
        finally:
            proxy.__exit__(None, None, None)
    return job


@click.command(help="\b\n" + (__doc__ or ""))
@click.option("--arm", "arms", type=click.Choice(ARMS), multiple=True, default=ARMS)
@click.option("--size", default="1.5b")
@click.option("--window", type=int, default=2048)
@click.option("--turns", type=click.IntRange(1, len(PLACES)), default=len(PLACES))
@click.option("--seed", type=int, default=1)
def main(arms: tuple[str, ...], size: str, window: int, turns: int, seed: int) -> None:
    rows = []
    for arm in arms:
        job = played(arm, size, window, turns, seed)
        low, high = wilson(job.right, turns)
        rows.append([arm, f"{job.seen} of {turns}", f"{job.right} of {turns} ({low:.0%} … {high:.0%})"])
    print(markdown(("dependencies", "the signature was in sight", "calls right at once"), rows))


if __name__ == "__main__":
    main()
