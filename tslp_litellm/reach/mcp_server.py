"""`tslp mcp`: the tools over the Model Context Protocol, on stdin and stdout."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from tslp_litellm.reach.calls import Gateway, RefusedError, UnansweredError
from tslp_litellm.reach.tools import AskedWronglyError, Tools

INSTRUCTIONS = """\
TSLP keeps the one true current text of this project's files and definitions. Ask `current` before you change code that
you have not just read. Call `report` for every file that you have written, changed or removed."""


def make(tools: Tools, version: str = "") -> MCPServer:
    """The server."""
    server: MCPServer = MCPServer("tslp", instructions=INSTRUCTIONS, version=version, log_level="ERROR")

    @server.tool()
    def current(names: list[str]) -> str:
        """The current code of files and definitions. names: `path`, `path::symbol` or `symbol`, as in
        `src/cart.py::Cart.add`."""
        return _said(lambda: tools.current(names))

    @server.tool()
    def uses(entity: str) -> str:
        """What a definition uses elsewhere in this project, with signatures. entity: `path::symbol`."""
        return _said(lambda: tools.uses(entity))

    @server.tool()
    def why(entity: str) -> str:
        """Why the text of an entity is, or isn't, known. entity: `path` or `path::symbol`."""
        return _said(lambda: tools.why(entity))

    @server.tool()
    def report(path: str) -> str:
        """Say that a file was written, changed or removed. Its text is read from the disk. path: as seen from the
        project's folder."""
        return _said(lambda: tools.report(path))

    return server


def _said(tool: Callable[[], str]) -> str:
    try:
        return tool()
    except (AskedWronglyError, RefusedError, UnansweredError) as error:
        raise ToolError(str(error)) from None


def main(version: str) -> None:
    """Serve on stdin and stdout until the client is gone."""
    make(Tools(Gateway.of(os.environ), Path.cwd()), version).run("stdio")
