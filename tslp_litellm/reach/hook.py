"""`tslp hook CLIENT`: a coding client's prompt and tool hooks, told to the relay (SEMANTICS 13).

Reads the hook's JSON on stdin; prints, in the client's own form, what would stand in front of the prompt, and nothing
where nothing does or no gateway answers. Its exit status is 0 whatever happens: some clients take another for a veto.
It runs at every prompt and tool call of a client, so it imports few modules, all of the standard library.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from tslp_litellm.reach import forms, sessions
from tslp_litellm.reach.calls import Gateway, RefusedError, UnansweredError

INPUT_MAX_BYTES = 32_000_000


def main(arguments: list[str], environment: Mapping[str, str] = os.environ) -> int:
    """One hook. 1 where no such client is known, which no client takes for a veto."""
    if len(arguments) != 1 or arguments[0] not in forms.CLIENTS:
        sys.stderr.write(f"Usage: tslp hook {'|'.join(forms.CLIENTS)}\n")
        return 1
    try:
        payload = json.loads(sys.stdin.buffer.read(INPUT_MAX_BYTES))
        told = hook(arguments[0], payload, Gateway.of(environment), sessions.folder(environment))
        if told:
            sys.stdout.write(json.dumps(told))
    except RefusedError as error:
        sys.stderr.write(f"tslp hook: {error}\n")
    except (UnansweredError, OSError, ValueError, RecursionError):
        pass
    return 0


def hook(client: str, payload: Any, gateway: Gateway, folder: str) -> dict[str, Any] | None:
    """What to tell the client, in its form; None for nothing. UnansweredError where no gateway answers."""
    event = forms.read(client, payload, f"call_{os.urandom(8).hex()}")
    if event is None:
        return None
    with sessions.opened(folder, client, event.session) as session:
        messages = session.said(event)
        stands = gateway.relay(
            [forms.system(client, event.folder), *messages], forms.CLIENTS[client].edits, f"tslp-hook/{client}"
        )
        session.told(stands)
    return forms.told(event, stands)
