"""Mutual tests: wordings that nobody listed become no grant and no path proof, and plain requests are understood."""

from __future__ import annotations

import random

import pytest

from tslp_litellm.dialects.labelled import shown_in
from tslp_litellm.dialects.values import Shown
from tslp_litellm.resolution.intent import Intent

from .wordings import NO_LOSS, no_change, no_file, no_loss, plain

NAMES = ["shout", "title_case", "slugify", "toJson", "total", "render2"]
FEW, MANY = 300, 10_000
UNDERSTOOD_MIN = 0.9


def granted(kind: str, count: int) -> list[str]:
    draw = random.Random(f"{kind}{count}")
    out = []
    for _ in range(count):
        name = draw.choice(NAMES)
        prompt = no_loss(kind, draw, name)
        intent = Intent(prompt, "src/fmt.py")
        if intent.asks_to_lose(name) or intent.asks_to_rename(name, "clean"):
            out.append(prompt)
    return out


@pytest.mark.parametrize("kind", NO_LOSS)
def test_no_leave_to_lose(kind: str) -> None:
    assert granted(kind, FEW) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", NO_LOSS)
def test_no_leave_to_lose_at_length(kind: str) -> None:
    assert granted(kind, MANY) == []


def verified(count: int) -> list[str]:
    draw = random.Random(count)
    prompts = [no_change(draw, "src/fmt.py") for _ in range(count)]
    return [prompt for prompt in prompts if Intent(prompt).asks_for_change("src/fmt.py")]


def test_no_further_change() -> None:
    assert verified(FEW) == []


@pytest.mark.slow
def test_no_further_change_at_length() -> None:
    assert verified(MANY) == []


def proven(count: int) -> list[str]:
    draw = random.Random(count)
    lines = [no_file(draw, draw.choice(["src/a.py", "a.py", "lib/b.ts", "conf.json"])) for _ in range(count)]
    infos = ["", "python", "ts", "json"]
    texts = {line: f"{line}\n\n```{draw.choice(infos)}\nx = 1\n```\n" for line in lines}
    return [line for line, text in texts.items() if any(isinstance(e, Shown) for e in shown_in(text))]


def test_no_path_proof() -> None:
    assert proven(FEW) == []


@pytest.mark.slow
def test_no_path_proof_at_length() -> None:
    assert proven(MANY) == []


def test_plain_requests_are_understood() -> None:
    draw = random.Random(1)
    prompts = [(name, plain(draw, name)) for name in (draw.choice(NAMES) for _ in range(FEW))]
    refused = [p for name, p in prompts if not Intent(p, "src/fmt.py").asks_to_lose(name)]
    print(f"plain requests understood: {len(prompts) - len(refused)} of {len(prompts)}", *refused[:20], sep="\n")
    assert len(refused) <= (1 - UNDERSTOOD_MIN) * len(prompts)
