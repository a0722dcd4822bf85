"""`python -m tests.hostile`: play a share of the sweep, and name what did harm."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from tslp_litellm import parser

from .subjects import PARSER, READING, Subject, subjects
from .sweep import Finding, Job, parser_answers, play, share, smallest

ASK_EVERY = 25


def main() -> int:
    """Exit status 0 where nothing did harm, and something was played."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--minutes", type=float, default=10.0)
    ask.add_argument("--seed", default=f"{datetime.now(UTC):%Y-%m-%d}", help="the day, by default")
    ask.add_argument("--level", choices=(READING, PARSER))
    ask.add_argument("--subject", action="append", help="only names that contain it; may be repeated")
    ask.add_argument("--shape", help="only shapes whose name contains it")
    ask.add_argument("--size", type=int, help="instead of the sizes that the seed gives")
    ask.add_argument("--list", action="store_true")
    ask.add_argument("--json", type=Path)
    options = ask.parse_args()
    swept = [
        s
        for s in subjects()
        if (not options.level or s.level == options.level)
        and (not options.subject or any(word in s.name for word in options.subject))
    ]
    if options.list:
        print("\n".join(f"{s.level:8} {s.name:45} {len(s.tokens):5} tokens" for s in swept))
        return 0
    return _swept(swept, options)


def _swept(swept: list[Subject], options: argparse.Namespace) -> int:
    began, played, findings = time.monotonic(), Counter[str](), list[Finding]()
    for job in share(swept, options.seed, options.minutes * 60):
        if options.shape and options.shape not in job.shape.name:
            continue
        one = Job(job.subject, job.shape, options.size or job.size)
        played[one.subject.level] += 1
        found = play(one) and play(one)  # what a busy machine may have done is tried again before it counts
        if found is not None:
            least = smallest(one)
            findings.append(Finding(least.name, found.harm))
            print(f"HARM  {least.name}\n      {found.harm}", flush=True)
        if played.total() % ASK_EVERY == 0 and not parser_answers():
            findings.append(Finding(one.name, "the parser answers no more"))
            print(f"HARM  {one.name}\n      the parser answers no more", flush=True)
    refused = Counter(f"{r.language} {r.reason}" for r in parser.news())
    print(f"seed {options.seed}: {dict(played)} texts for {len(swept)} subjects in {time.monotonic() - began:.0f} s, "
          f"{len(findings)} did harm; refused by the parser: {dict(refused.most_common())}")  # fmt: skip
    if options.json:
        report = {"seed": options.seed, "played": dict(played), "refused": dict(refused)}
        options.json.write_text(json.dumps({**report, "findings": [[f.job, f.harm] for f in findings]}, indent=1))
    return 1 if findings or not played else 0


if __name__ == "__main__":
    sys.exit(main())
