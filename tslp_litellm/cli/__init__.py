"""The `tslp` command: the gateway with one word, what it knows and why, and the care of the database.

`terminal` owns what reaches the terminal, `source` where answers come from: the database that the settings name, or a
running gateway. `gateway`, `reads`, `versions`, `dependencies`, `exporting`, `care` and `config_check` hold the
commands.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from tslp_litellm import __version__

__all__ = ["main"]

COMMANDS = {
    "run": "gateway",
    "demo": "gateway",
    "doctor": "reads",
    "state": "reads",
    "recent": "reads",
    "log": "reads",
    "show": "versions",
    "diff": "versions",
    "why": "reads",
    "uses": "dependencies",
    "used-by": "dependencies",
    "export": "exporting",
    "verify": "care",
    "rebuild": "care",
    "backup": "care",
    "db": "care",
    "config": "config_check",
}
"""The module of each command, which bears its name there. What brings the database is imported when it is run."""
INTERRUPTED = 130


class Commands(click.Group):
    """A group of commands that are imported when they are asked for, and whose faults are sentences."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of them."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"{__name__}.{COMMANDS[cmd_name]}"), cmd_name.replace("-", "_"))
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names of commands by themselves: a word about each would import them all, a second for every TAB."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [CompletionItem(name) for name in self.list_commands(ctx) if name.startswith(incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what it can't read or set is said in one sentence."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except click.ClickException:
            raise
        except Exception as error:
            from tslp_litellm.cli.terminal import in_words  # noqa: PLC0415 - brings the database with it

            said = in_words(error)
            if said is None:
                raise
            raise said from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="tslp")
def main() -> None:
    """TSLP keeps the one true current text of every path::symbol that crosses a LiteLLM proxy.

    Reading commands ask the database that the settings name, or with --url (or TSLP_URL) a running gateway.

    Exit status: 0 all right, 1 a negative finding, 2 wrong usage, 3 what is needed can't be reached or opened.
    """
