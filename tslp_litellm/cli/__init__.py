"""The `tslp` command: the gateway with one word, what it knows and why, and the care of the database.

`terminal` owns what reaches the terminal, `source` where answers come from: the database that the settings name, or a
running gateway. Each other module holds commands; it is imported when one of them is called, as the database's and
LiteLLM's libraries take seconds.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

from tslp_litellm import __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("gateway", "Start `litellm --config CONFIG`, and say how to use it."),
    "demo": ("demo", "Play a few turns: the model forgets, TSLP does not."),
    "status": ("overview", "Whether all is well, what the workspace holds, what waits for you."),
    "open": ("overview", "Open the status page in a browser."),
    "workspaces": ("overview", "The workspaces, each with its last episode."),
    "client": ("client", "What to put where, so that a coding client uses this gateway."),
    "doctor": ("reads", "Look at database, migrations, disk, parser and model servers."),
    "state": ("reads", "The State Map: every entity with its artifact, freshness and time."),
    "recent": ("reads", "The last episodes: what became the truth, what didn't, and why."),
    "log": ("reads", "Follow the episodes as they are recorded."),
    "resume": ("resuming", "Where the workspace stands, on one screen."),
    "journal": ("journal", "The workspace's history as a journal that people read (LedgerPulse), or where to go on."),
    "show": ("versions", "An entity's text, where it came from, and its history."),
    "diff": ("versions", "What changed between two versions of an entity."),
    "why": ("reads", "Why an entity's text is, or isn't, the truth; or what an episode did."),
    "uses": ("dependencies", "What an entity uses, by binding."),
    "used-by": ("dependencies", "What uses an entity, by binding."),
    "decisions": ("decisions", "What only the user can settle: open questions, and what was decided."),
    "import": ("importing", "Show a running gateway the source files of a folder, as if you had pasted them."),
    "forget": ("forgetting", "Say that what is kept of an entity is not what its file holds: DIRTY."),
    "export": ("exporting", "Write the State Map's files into a folder, a .zip, or as JSON lines."),
    "verify": ("care", "Check every hash, the chain, what is made of the Ledger, and coherence."),
    "head": ("care", "Signed notes of the chains' heads, to keep elsewhere."),
    "maintain": ("care", "For cron: check what came since the last time, and tidy up."),
    "checkpoint": ("care", "A checkpoint for each workspace that has grown since its last one."),
    "archive": ("archiving", "Move old events and texts to compressed segments elsewhere."),
    "restore": ("archiving", "Bring archived events and texts back, byte for byte."),
    "erase": ("archiving", "Remove a workspace's or a user's texts for good; the chain stays."),
    "rebuild": ("care", "Drop the State Map and what entities use, and fold them anew."),
    "backup": ("care", "Copy the database while the gateway runs, and verify the copy."),
    "db": ("care", "The database's schema."),
    "config": ("config_check", "The LiteLLM config."),
    "hook": ("relaying", "What a coding client's hook calls: its prompt and its tools' results go to the gateway."),
    "mcp": ("relaying", "An MCP server over stdio: what is current, what uses what, why."),
}
"""Each command with its module and what `tslp --help` says of it."""
INTERRUPTED = 130


class Commands(click.Group):
    """A group whose commands are imported when they are called, and whose faults are sentences with an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of their use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command's name and its line of help, which is all that help and completion need."""
        return click.Command(cmd_name, short_help=COMMANDS[cmd_name][1]) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that is called, or what completes its entities without it."""
        name, command, rest = super().resolve_command(ctx, args)
        if name is not None:
            command = (_completing(name, rest) if ctx.resilient_parsing else None) or load(name)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what it can't read or set is said in one sentence."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except Exception as error:  # noqa: BLE001 - what is no fault of the user's goes on as it is
            from tslp_litellm.cli.terminal import in_a_sentence  # noqa: PLC0415 - every command has imported it

            raise in_a_sentence(error) from None


def _completing(name: str, words: list[str]) -> click.Command | None:
    from tslp_litellm.cli.completion import stand_in  # noqa: PLC0415 - nothing else needs it

    return stand_in(name, words)


def load(name: str) -> click.Command:
    """A command, with the module that holds it."""
    module = importlib.import_module(f"{__name__}.{COMMANDS[name][0]}")
    return next(found for found in vars(module).values() if isinstance(found, click.Command) and found.name == name)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="tslp")
def main() -> None:
    """TSLP keeps the one true current text of every path::symbol that crosses a LiteLLM proxy.

    Reading commands ask the database that the settings name, or with --url (or TSLP_URL) a running gateway.

    Exit status: 0 all right, 1 a negative finding, 2 wrong usage, 3 what is needed can't be reached or opened.
    """
