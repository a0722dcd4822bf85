"""`python -m benchmarks.sight`: measures what a model really sees, and nothing else of `make bench`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from tslp_litellm.cli.gateway import OFFLINE

os.environ.update(OFFLINE)

from benchmarks.__main__ import main as everything
from benchmarks.sight.workloads import ACCEPTANCE


@click.command()
@click.option("--short", is_flag=True, help="Less than a minute: to see that it works, not to quote.")
@click.option("--acceptance", type=click.Path(path_type=Path), default=ACCEPTANCE, help="The acceptance suite.")
@click.pass_context
def main(context: click.Context, short: bool, acceptance: Path) -> None:
    """Measure what a model sees, bare and with TSLP."""
    context.invoke(everything, short=short, only=("sight",), acceptance=acceptance)


if __name__ == "__main__":
    main()
