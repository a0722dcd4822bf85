"""A gateway with a webhook: what happens is told, by a real receiver's reading, and nothing waits for it."""

from __future__ import annotations

import threading
import time
from http.server import ThreadingHTTPServer
from pathlib import Path

from tests.reach.test_webhooks import SECRET, Listening

from .gateway import free_port
from .nursery import Nursery, NurseryGateway
from .upstream import Upstream


def test_what_happens_is_told(upstream: Upstream, nursery: Nursery, tmp_path: Path) -> None:
    port = free_port()
    hook = {"url": f"http://127.0.0.1:{port}/hook", "secret": "os.environ/HOOK_SECRET", "allow_private": True}
    settings, environment = {"webhooks": [hook]}, {"HOOK_SECRET": SECRET}
    shown = [{"role": "user", "content": "geo.py\n```python\ndef area_of(r):\n    return 3 * r * r\n```\n"}]
    with NurseryGateway(
        tmp_path, upstream.port, nursery=nursery, settings=settings, environment=environment
    ) as gateway:
        gateway.ask("chat", "openai", shown, stream=True, headers={"x-tslp-workspace": "told"})  # nobody listens yet
        gateway.settled("told", 1)
        server = ThreadingHTTPServer(("127.0.0.1", port), Listening)
        server.lock, server.heard = threading.Lock(), []  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        rows = gateway.http.get("/tslp/entity", params={"entity": "geo.py", "workspace": "told"}).json()["history"]
        for _ in range(1_200):
            if len(server.heard) >= 3:  # type: ignore[attr-defined]
                break
            time.sleep(0.1)
        server.shutdown()
        server.server_close()
    assert rows
    heard = server.heard  # type: ignore[attr-defined]
    assert len(set(heard)) == 3  # the workspace, the evidence, the episode
    assert {workspace for workspace, _ in heard} == {"told"}
