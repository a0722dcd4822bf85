"""Have a chat with a real small model through TSLP, and keep what it says.

    .venv/bin/python -m tests.recorded.chats.record NAME

Reads the prompts of `NAME.json` and writes its answers anew. `became` is what they made of the State Map once the faults
that reading them showed were mended: it is to be read again, too. Needs `../shared/acceptance/model` and its
`install.py`. 1.5B, 4,096 tokens, temperature 0, seed 1, at most 1,600 tokens. Most were had by earlier rules, so that some
prompts came to the model with other blocks: nine (bank, cart, flask, java, limiter, react, rust, todo, web) were cut at
1,000 tokens, seven (errors, express, fresh, freshgo, kotlin, php, terse) at 700, and of terse nothing was tracked.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
WINDOW, ANSWER_TOKENS = 4096, 1600
SYSTEM = "You are a helpful coding assistant."


def chats() -> dict[str, list[dict[str, Any]]]:
    """The turns of each chat: prompt, answer, why it ended (`finish`), and what it made of the State Map (`became`).
    `new`: with that turn a chat of its own begins."""
    return {file.stem: json.loads(file.read_text("utf-8")) for file in sorted(HERE.glob("*.json"))}


async def record(name: str) -> None:
    """Play a chat and write it."""
    from benchmarks.turns import proxied  # once LiteLLM is told that it is offline

    proxied.ANSWER_TOKENS = ANSWER_TOKENS
    turns, messages = chats()[name], [{"role": "system", "content": SYSTEM}]
    arm = proxied.Proxied("tslp", WINDOW, "1.5b")
    try:
        for turn in turns:
            messages = messages[:1] if turn.get("new") else messages
            messages.append({"role": "user", "content": turn["prompt"]})
            turn["answer"], turn["finish"], _ = await arm.ask(messages, lambda _: ("", ""))
            messages.append({"role": "assistant", "content": turn["answer"]})
    finally:
        await arm.close()
    (HERE / f"{name}.json").write_text(json.dumps(turns, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    from tslp_litellm.cli.gateway import OFFLINE

    os.environ.update(OFFLINE)
    asyncio.run(record(sys.argv[1]))
