"""Takes the answers of each arm, in their order, out of what `benchmarks.turns --model … --keep FOLDER` left.

python -m tests.recorded.turns.record benchmarks/turns/answers/1.5b-2048.jsonl --turns 60 --files 12 --window 2048 --arm tslp --arm oracle

Arms that are not named stay as they were recorded.
"""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import click

from tslp_litellm.cli.gateway import OFFLINE

os.environ.update(OFFLINE)

from benchmarks.sight.prompts import Prompt, prompt_of
from benchmarks.turns import playing
from benchmarks.turns.remembered import asked

HERE = Path(__file__).parent
Said = list[tuple[str, str]]
"""Texts, and why they ended."""


class Kept:
    """Answers by what was asked, and those that were given, in their order."""

    def __init__(self, file: Path) -> None:
        self._known = {one["asked"]: one for one in map(json.loads, file.read_text("utf-8").splitlines())}
        self.said: Said = []

    def answer(self, messages: list[Any]) -> tuple[str, str]:
        body = {"messages": messages, "max_tokens": playing.ANSWER_TOKENS, "temperature": 0, "seed": 1}
        found = self._known.get(asked(body))
        if found is None:
            raise click.ClickException(f"no answer is kept to request {len(self.said) + 1}; has the arm been played?")
        self.said.append((found["text"], found["finish"]))
        return self.said[-1]


class Bare(playing.Bare):
    """What the server alone was asked."""

    def __init__(self, kept: Kept, window: int, name: str) -> None:
        super().__init__(window, name)
        self._kept = kept

    async def ask(self, messages: list[dict[str, str]], speak: playing.Speaker) -> tuple[str, str, Prompt]:
        return *self._kept.answer(messages), prompt_of({"messages": messages})


class Tslp(playing.Tslp):
    """What was asked with TSLP in front, by the code as it is."""

    def __init__(self, kept: Kept, window: int) -> None:
        super().__init__(window)
        self._kept = kept

    def speaker(self, speak: playing.Speaker, data: dict[str, Any]) -> playing.Speaker:
        return lambda _: self._kept.answer(data["messages"])


@click.command(help="\b\n" + (__doc__ or ""))
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@click.option("--turns", type=int, required=True)
@click.option("--files", type=int, required=True)
@click.option("--window", type=int, required=True)
@click.option("--seed", type=int, default=1)
@click.option("--arm", "arms", multiple=True, required=True)
def main(file: Path, turns: int, files: int, window: int, seed: int, arms: tuple[str, ...]) -> None:
    plan, out = playing.Plan(window, turns, seed, {}, files, real=True), HERE / f"{file.stem}.json"
    about = {"plan": {"window": window, "seed": seed, "files": files}}
    before = json.loads(out.read_text("utf-8")) if out.exists() else {}
    answers = before["answers"] if before.get("plan") == about["plan"] else {}
    for arm in arms:
        kept = Kept(file)
        asyncio.run(playing.play(plan, Tslp(kept, window) if arm == "tslp" else Bare(kept, window, arm)))
        answers[arm] = {"turns": turns, "said": kept.said}
    out.write_text(json.dumps(about | {"answers": answers}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
