"""Where the time goes: a profile of both visits by part, and what a parser's process does once for a language."""

from __future__ import annotations

import cProfile
import pstats
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import orjson

from benchmarks import load, seed, workloads
from benchmarks.seed import CHAT, engine_on
from tslp_litellm.engine import Request
from tslp_litellm.store.database import Database
from tslp_litellm.syntax import parsing
from tslp_litellm.syntax.languages import LANGUAGES

WARM = 20
ANSWER = {"choices": [{"message": {"content": "It is right. " + workloads.words(600)}, "finish_reason": "stop"}]}


def measure(folder: Path, calls: int, entities: int) -> dict[str, Any]:
    """Both visits of agentic and small requests, and what is done once in a parser's process."""
    seed.seed(folder / "profiled.db", load.WORKSPACE, entities)
    visits = {size: _visits(folder / "profiled.db", size, calls, entities) for size in ("small", "agentic")}
    return {"entities": entities, "calls": calls, "visits": visits, "queries": _queries()}


def _visits(path: Path, size: str, calls: int, entities: int) -> dict[str, dict[str, float]]:
    """Milliseconds of a call's thread, by part: without the profiler in `all`, the parts in proportion."""
    database = Database(f"sqlite:///{path}")
    engine, ask = engine_on(database), load.asks("chat", size, 77, "m", f"profile {size}", entities // 10)
    answer = CHAT.whole(ANSWER)
    profiles = {"first visit": cProfile.Profile(), "second visit": cProfile.Profile()}
    plain = dict.fromkeys(profiles, 0.0)
    for n in range(WARM + 2 * calls):
        body = orjson.loads(ask(n).body)
        profiled, episode = n >= WARM + calls, None
        for visit, profile in profiles.items():
            began = time.thread_time()
            if profiled:
                profile.enable()
            if episode is None:
                episode = engine.preflight(Request("local", load.WORKSPACE, "acompletion", "m", CHAT.parse(body)))
                if episode.prompt_message is not None:
                    CHAT.insert(body, episode.prompt_message, episode.preface)
            else:
                engine.record(episode, answer)
            profile.disable()
            if WARM <= n < WARM + calls:
                plain[visit] += (time.thread_time() - began) * 1000 / calls
    database.close()
    return {visit: {"all": plain[visit], **_shares(profile, plain[visit])} for visit, profile in profiles.items()}


def _shares(profile: cProfile.Profile, whole: float) -> dict[str, float]:
    """A profile's time by part, scaled to what the calls take without a profiler."""
    parts: dict[str, float] = defaultdict(float)
    for (file, _, name), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        parts[_part(file, name)] += own
    total = sum(parts.values())
    ranked = sorted(parts.items(), key=lambda part: -part[1])
    return {name: own * whole / total for name, own in ranked}


def _part(file: str, name: str) -> str:
    if "sqlite3" in name:
        return "SQLite"
    if "sqlalchemy" in file:
        return "SQLAlchemy"
    if "tslp_litellm" in file:
        return "tslp_litellm." + Path(file.rpartition("tslp_litellm/")[2]).with_suffix("").parts[0]
    return "built-in functions and the standard library"


def _queries() -> dict[str, float]:
    """Milliseconds to compile a language's tags query: once in a parser's process."""
    out = {}
    for language in LANGUAGES:
        if language.grammar is None or parsing.tags_query(language.name, language.grammar) is None:
            continue
        began = time.thread_time()
        parsing.tags_query.__wrapped__(language.name, language.grammar, language.wrappers)
        out[language.name] = (time.thread_time() - began) * 1000
    return out
