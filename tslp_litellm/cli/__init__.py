"""The `tslp` command: the gateway with one word, what it knows and why, and the care of the database.

`terminal` owns what reaches the terminal, `source` where answers come from: the database that the settings name, or a
running gateway. `gateway`, `reads`, `versions`, `dependencies`, `decisions`, `resuming`, `exporting`, `care`,
`heads` and `config_check` hold the commands.
"""

from __future__ import annotations

import click

from tslp_litellm import __version__
from tslp_litellm.cli import care, config_check, decisions, dependencies, exporting, gateway, reads, resuming, versions
from tslp_litellm.cli.gateway import OFFLINE, master_key, ollama_models
from tslp_litellm.cli.terminal import Commands

__all__ = ["OFFLINE", "main", "master_key", "ollama_models"]


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="tslp")
def main() -> None:
    """TSLP keeps the one true current text of every path::symbol that crosses a LiteLLM proxy.

    Reading commands ask the database that the settings name, or with --url (or TSLP_URL) a running gateway.

    Exit status: 0 all right, 1 a negative finding, 2 wrong usage, 3 what is needed can't be reached or opened.
    """


for command in (
    gateway.run,
    gateway.demo,
    reads.doctor,
    reads.state,
    reads.recent,
    reads.log,
    resuming.resume,
    versions.show,
    versions.diff,
    reads.why,
    dependencies.uses,
    dependencies.used_by,
    decisions.decisions,
    exporting.export,
    care.verify,
    care.head,
    care.maintain,
    care.checkpoint,
    care.rebuild,
    care.backup,
    care.db,
    config_check.config,
):
    main.add_command(command)
