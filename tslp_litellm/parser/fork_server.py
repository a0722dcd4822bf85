"""The parser's first process: lean, with the usual grammars loaded, it parses nothing and forks those that do.

A process that a text has ended is replaced within milliseconds, with its grammars and queries in place; and all of them
share that memory. Started by `tslp_litellm.parser.pool`, with one end of a socket; ends with the proxy.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
from pathlib import Path
from typing import Any

from tslp_litellm.parser import framing, worker
from tslp_litellm.syntax import fallback
from tslp_litellm.syntax.patterns import table

FORK, REAP = "fork", "reap"
_HEADER_BYTES_MAX = 100_000


def main(descriptor: int, own_patterns: str | None) -> None:
    """Fork and reap, as the proxy asks, until it hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the proxy, which records what was said first
    with contextlib.suppress(OSError):  # where memory runs out, the system ends these processes and not the proxy
        Path("/proc/self/oom_score_adj").write_text("1000")
    if own_patterns is not None:
        fallback.install(table(json.loads(Path(own_patterns).read_text("utf-8")), own_patterns))
    control = socket.socket(fileno=descriptor)
    children: set[int] = set()
    while True:
        try:
            header, _ = framing.receive(control, _HEADER_BYTES_MAX)
        except framing.ClosedError:
            return
        if header["do"] == FORK:
            _fork(control, children, header["languages"])
        else:
            framing.send(control, _reaped(children, int(header["pid"])))


def _fork(control: socket.socket, children: set[int], languages: list[str]) -> None:
    for name in languages:
        worker.prepare(name)
    gc.freeze()
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        try:
            control.close()
            ours.close()
            worker.serve(theirs)
        finally:
            os._exit(0)
    children.add(pid)
    theirs.close()
    framing.send(control, {"pid": pid})
    socket.send_fds(control, [b"."], [ours.fileno()])
    ours.close()


def _reaped(children: set[int], pid: int) -> dict[str, Any]:
    """How a process ended, and the most memory that it held, in kB."""
    if pid not in children:
        return {"signal": 0, "peak_kb": 0}
    children.discard(pid)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)  # one that is ending already ends as it was about to
    _, status, usage = os.wait4(pid, 0)
    return {"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, "peak_kb": usage.ru_maxrss}
