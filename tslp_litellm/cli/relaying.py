"""For clients that can't put their model behind the gateway (SEMANTICS 13): `hook`, `mcp`."""

from __future__ import annotations

import sys

import click

from tslp_litellm import __version__


@click.command(name="hook")
@click.argument("client", metavar="claude-code|codex|gemini")
def hook(client: str) -> None:
    """Tell the gateway of a client's hook (JSON on stdin), and the client what it answers.

    TSLP_URL (http://localhost:4000 if not set), TSLP_KEY, else LITELLM_MASTER_KEY, and TSLP_WORKSPACE say where. Where
    no gateway answers it says nothing. It ends with 0 whatever happens.
    """
    from tslp_litellm.reach.hook import main  # noqa: PLC0415

    sys.exit(main([client]))


@click.command(name="mcp")
def mcp() -> None:
    """Serve the tools current, uses, why and report over the Model Context Protocol, on stdin and stdout.

    For the project in the current folder. TSLP_URL, TSLP_KEY and TSLP_WORKSPACE say where the gateway is.
    """
    from tslp_litellm.reach.mcp_server import main  # noqa: PLC0415 - it takes a second to load

    main(__version__)
