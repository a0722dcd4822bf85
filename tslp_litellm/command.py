"""The entry of the `tslp` command: hooks run at every prompt of a client, so they load nothing else."""

from __future__ import annotations

import sys


def main() -> None:
    """`tslp hook CLIENT` by itself; every other command, and every question for help, by `cli`."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["hook"] and not {"-h", "--help"} & set(arguments):
        from tslp_litellm.reach.hook import main as hook  # noqa: PLC0415

        sys.exit(hook(arguments[1:]))
    from tslp_litellm.cli import main as commands  # noqa: PLC0415

    commands()
