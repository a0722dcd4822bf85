"""`python -m benchmarks.turns`: a thousand turns of a simulated small model, bare, with TSLP, and with an oracle.

python -m benchmarks.turns                      the published table, in-process: docs/turns.md
python -m benchmarks.turns --short              two minutes, to see that it works; writes nothing
python -m benchmarks.turns --window 4096 --seed 1 --arm tslp       one of its rows
python -m benchmarks.turns --sweep              where TSLP does not help
python -m benchmarks.turns --keep FOLDER        resumable: what was played stays there
python -m benchmarks.turns --proxy --turns 60   through a real LiteLLM proxy, with Headroom's guardrail as one more arm
python -m benchmarks.turns --client aider --turns 50 --files 6     real aider, through a proxy: it edits real files
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from tslp_litellm.cli.gateway import OFFLINE

os.environ.update(OFFLINE)

from benchmarks.servers import installed_headroom
from benchmarks.turns import playing, rates, tables, with_aider
from benchmarks.turns.proxied import Proxied

ROOT = Path(__file__).resolve().parents[2]
OUT, NOTE = ROOT / "docs" / "turns", ROOT / "docs" / "turns.md"
WINDOWS, SEEDS, TURNS, FILES = (2048, 4096, 8192), (1, 2, 3, 4, 5), 1000, 42
WORKERS = 2
SWEEP = {"as published": {}, "any copy": {"any": 1.0}, "the block is ignored": {"ignored": 1.0}}
UNBOUNDED = 1 << 20


def played(
    arm: str, window: int, seed: int, turns: int, files: int, more: dict[str, float], proxy: bool, model: str | None,
    client: str | None = None, *, folder: Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """An arm of a seed, as JSON holds it. `folder`: where the answers of a real model are kept."""
    plan = playing.Plan(window, turns, seed, rates.measured().of | more, files, model is not None)
    if client:
        program = with_aider.needed()
        out = asyncio.run(with_aider.play(plan, with_aider.Aided(arm, window, model, folder), program))
    else:
        one = Proxied(arm, window, model, folder) if proxy or model else playing.arm(arm, window)
        out = asyncio.run(playing.play(plan, one))
    return {
        "arm": arm, "window": window, "seed": seed, "files": files, "files_right": out.files_right, "state": out.state,
        "turns": [asdict(turn) for turn in out.turns],
    }  # fmt: skip


def rows(cells: list[tuple[Any, ...]], folder: Path | None = None, workers: int = WORKERS) -> list[dict[str, Any]]:
    """All of some cells, by two processes."""
    with ProcessPoolExecutor(workers) as pool:
        waiting = [pool.submit(kept, folder, cell) for cell in cells]
        return [_told(one.result()) for one in waiting]


def kept(folder: Path | None, cell: tuple[Any, ...]) -> dict[str, Any]:
    """A cell as a run before left it in a folder, else played now, and left there."""
    name = "-".join(str(part) for part in cell if part) if folder is not None else ""
    file = folder / f"{re.sub('[^A-Za-z0-9.-]', '_', name)}.json" if folder is not None else None
    if file is not None and file.exists():
        row: dict[str, Any] = json.loads(file.read_text("utf-8"))
        return row
    row = played(*cell, folder=folder)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        part.write_text(json.dumps(row), "utf-8")
        part.replace(file)
    return row


def _told(row: dict[str, Any]) -> dict[str, Any]:
    right = sum(turn["right"] for turn in row["turns"])
    print(
        f"{row['arm']:9} window {row['window']:7} seed {row['seed']}: {right} of {len(row['turns'])} right at once",
        flush=True,
    )
    return row


def arms_of(through_litellm: bool, by_aider: bool = False) -> tuple[str, ...]:
    """The arms where nobody names them. Headroom's is a guardrail of LiteLLM's, so it has no body to be called here."""
    some = with_aider.ARMS if by_aider else tables.ARMS
    return tuple(name for name in some if name != "headroom" or (through_litellm and installed_headroom()))


def report(found: list[dict[str, Any]]) -> str:
    """What was found, as Markdown."""
    parts = [tables.markdown(tables.HEADS, tables.lines(found))]
    if wanted := tables.of_oracle(found):
        heads = ("window", "TSLP, of the oracle's right turns", "in its worst seed", "at least 95 % in each seed")
        parts.append(tables.markdown(heads, wanted))
    return "\n\n".join(parts)


def refuse(arms: tuple[str, ...]) -> None:
    """`click.UsageError` where aider can't be played."""
    if strange := set(arms) - set(with_aider.ARMS):
        raise click.UsageError(f"no arm of aider's: {', '.join(sorted(strange))}.")
    try:
        with_aider.needed()
    except FileNotFoundError as error:
        raise click.UsageError(str(error)) from None


def marks(name: str) -> tuple[str, str]:
    """Around a part of the note; `click.UsageError` where it has none of that name."""
    begin, end = f"<!-- {name}: written by `python -m benchmarks.turns` -->", f"<!-- {name}: end -->"
    if begin not in NOTE.read_text("utf-8"):
        raise click.UsageError(f"docs/turns.md has no place for {name}.")
    return begin, end


def write(name: str, text: str) -> None:
    """A part of the note anew, between its marks."""
    begin, end = marks(name)
    note, made = NOTE.read_text("utf-8"), f"{begin}\n{text}\n{end}"
    NOTE.write_text(re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: made, note, flags=re.S), "utf-8")


def publish(found: list[dict[str, Any]]) -> None:
    """The note's tables and charts, and the figures behind them."""
    OUT.mkdir(parents=True, exist_ok=True)
    brief = [{key: row[key] for key in row if key != "turns"} for row in found]
    (OUT / "results.json").write_text(json.dumps(brief, indent=1) + "\n")
    said = {"right": "Turns that were right at once (simulated model)", "lost": "Lines lost that nobody asked to lose"}
    for name, title in said.items():
        svg = tables.chart(found, name, title, lambda turn, name=name: float(turn[name]))  # type: ignore[misc]
        (OUT / f"{name}.svg").write_text(svg, "utf-8")
    write("results", report(found))
    write("rates", tables.markdown(("the simulated model …", "seen in recorded answers", "rate played"), rates.table()))


def sweep(turns: int, files: int) -> str:
    """Where TSLP does not help: a table."""
    out = []
    for name, more in SWEEP.items():
        cells = [(arm, 4096, 1, turns, files, more, False, None) for arm in ("bare", "tslp", "oracle")]
        out += [[name, "4096", *_brief(row)] for row in rows(cells)]
    cells = [(arm, UNBOUNDED, 1, min(turns, 100), files, {}, False, None) for arm in ("bare", "tslp", "oracle")]
    out += [["everything fits", "none", *_brief(row)] for row in rows(cells)]
    return tables.markdown(("the model", "window", "arm", "right at once", "lines lost, per 100 turns"), out)


def _brief(row: dict[str, Any]) -> list[str]:
    turns = row["turns"]
    right, lost = sum(t["right"] for t in turns), sum(t["lost"] for t in turns)
    low, high = tables.wilson(right, len(turns))
    return [row["arm"], f"{right} of {len(turns)} ({low:.0%} … {high:.0%})", f"{100 * lost / len(turns):.1f}"]


@click.command(help="\b\n" + (__doc__ or ""))
@click.option("--window", "windows", type=int, multiple=True, help="Tokens of the prompt; several.")
@click.option("--seed", "seeds", type=int, multiple=True)
@click.option("--arm", "arms", type=click.Choice(list(tables.ARMS)), multiple=True)
@click.option("--turns", type=int, default=TURNS)
@click.option("--files", type=click.IntRange(3, 60), default=FILES)
@click.option("--short", is_flag=True, help="60 turns of one seed at one window; writes nothing.")
@click.option("--sweep", "swept", is_flag=True, help="Where TSLP does not help.")
@click.option("--proxy", is_flag=True, help="Through a real LiteLLM proxy; a start takes half a minute.")
@click.option("--model", help="A real model: 1.5b or 0.5b of the acceptance suite, or any by LiteLLM name.")
@click.option(
    "--client",
    type=click.Choice(["chat", "aider"]),
    default="chat",
    help="What the user types into: a plain chat, or real aider, through a LiteLLM proxy.",
)
@click.option(
    "--keep",
    "folder",
    type=click.Path(path_type=Path),
    help="A folder for what each arm of a seed came to, and each answer of a real model; a run that was ended goes on.",
)
@click.option("--publish", "published", is_flag=True, help="Write docs/turns.md and its charts.")
def main(
    windows: tuple[int, ...], seeds: tuple[int, ...], arms: tuple[str, ...], turns: int, files: int, short: bool,
    swept: bool,
    proxy: bool,
    model: str | None,
    client: str,
    folder: Path | None,
    published: bool,
) -> None:  # fmt: skip
    if swept:
        found = sweep(60 if short else turns, files)
        print(found)
        if published:
            write("sweep", found)
        return
    if short:
        windows, seeds, turns = windows or (4096,), seeds or (1,), min(turns, 60)
    by_aider = client == "aider"
    through_litellm = proxy or by_aider or model is not None
    if "headroom" in arms and not through_litellm:
        raise click.UsageError("headroom is a guardrail of LiteLLM's: --proxy.")
    if by_aider:
        refuse(arms)
    some = arms or arms_of(through_litellm, by_aider)
    chosen = [
        (arm, window, seed, turns, files, {}, proxy, model, *(["aider"] if by_aider else []))
        for window in windows or WINDOWS
        for seed in seeds or SEEDS
        for arm in some
    ]
    part = "aider" if by_aider else f"real {model}" if model else "proxied" if proxy else "results"
    if published:
        marks(part)  # said before hours of playing
    found_rows = rows(chosen, folder, 1 if model else WORKERS)  # two real models stall each other
    told = with_aider.report(found_rows) if by_aider else report(found_rows)
    print(told)
    if published and part == "results":
        publish(found_rows)
    elif published:
        write(part, told)


if __name__ == "__main__":
    main()
