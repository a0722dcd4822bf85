"""Record what a real small model answers to `prompts.json`, in an order that mixes them; what is there is kept.

    .venv/bin/python -m tests.recorded.models.record 1.5b 50

Needs `../shared/acceptance/model` and its `install.py`. Temperature 0, seed 1, at most 500 tokens, no system message.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MACHINERY = HERE.parents[3] / "shared" / "acceptance" / "model"


def prompts() -> dict[str, dict[str, Any]]:
    """The prompts by their ids, each with its files as path -> text."""
    said = json.loads((HERE / "prompts.json").read_text("utf-8"))
    return {p["id"]: {**p, "files": {path: said["files"][path] for path in p["files"]}} for p in said["prompts"]}


def messages(prompt: dict[str, Any]) -> list[str]:
    """What the user says: the files and the prompt, in one message or in two."""
    shown = "\n\n".join(f"{p}\n```{f['language']}\n{f['text']}```" for p, f in prompt["files"].items())
    if prompt.get("turn") == 2:
        return [f"Here are my files.\n\n{shown}", prompt["prompt"]]
    return [f"{shown}\n\n{prompt['prompt']}"]


def answers(size: str) -> dict[str, str]:
    """What a model has answered, by the prompt's id."""
    path = HERE / f"answers-{size}.jsonl"
    rows = path.read_text("utf-8").splitlines() if path.exists() else []
    return {row["id"]: row["answer"] for row in map(json.loads, rows)}


def main() -> None:
    sys.path[:0] = [str(MACHINERY), str(MACHINERY.parent)]
    import httpx
    from model import RealModel  # type: ignore[import-not-found]  # of the acceptance suite

    size, most = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    known, asked = answers(size), list(prompts().values())
    random.Random(1).shuffle(asked)
    with RealModel(size, window=4096) as model, (HERE / f"answers-{size}.jsonl").open("a") as out:
        for n, prompt in enumerate([p for p in asked if p["id"] not in known][:most], 1):
            said: list[dict[str, str]] = []
            for text in messages(prompt):
                said += [{"role": "assistant", "content": "ok"}] if said else []
                said.append({"role": "user", "content": text})
            body = {"model": "coder", "messages": said, "temperature": 0, "seed": 1, "max_tokens": 500}
            url = f"http://127.0.0.1:{model.port}/v1/chat/completions"
            choice = httpx.post(url, json=body, timeout=3600).raise_for_status().json()["choices"][0]
            row = {"id": prompt["id"], "answer": choice["message"]["content"] or "", "finish": choice["finish_reason"]}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            out.flush()
            print(size, n, prompt["id"], flush=True)


if __name__ == "__main__":
    main()
