"""Webhooks: what the Ledger holds is told to receivers, in order, at least once (SEMANTICS 13).

A thread for each webhook, which nothing waits for. CloudEvents 1.0 in JSON, signed as Standard Webhooks; names and
hashes, never texts. What is not taken is tried again, later each time, and never given up; an event's id is its hash in
the chain, by which a receiver knows one that comes twice.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlsplit

from tslp_litellm.reach.posting import UndeliveredError, post
from tslp_litellm.settings import SettingsError, Webhook
from tslp_litellm.state.events import Entry, EventKind, Op
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store import outbox
from tslp_litellm.store.database import Database

POLL_S, LEASE_S, BACKOFF_MAX_S = 2.0, 60.0, 300.0
"""How often other workers' events are looked for; how long a worker that died keeps a webhook; the longest pause."""
PAGE, TOGETHER = 50, 10
"""How many events of a workspace are read at a time; after how many the cursor is written down."""
SECRET_MIN_BYTES = 24
EVENTS = frozenset({*map(str, EventKind), *map(str, Op)})
Post = Callable[[str, Mapping[str, str], bytes, bool], None]
Note = Callable[[str, BaseException], None]


@dataclass(frozen=True, slots=True)
class Receiver:
    """A receiver whose settings are sound. `name`: as people read it, no other has it; `sign`: id, time and body to a
    signature."""

    webhook: Webhook
    name: str
    sign: Callable[[str, datetime, str], str]

    def hears(self, entry: Entry) -> bool:
        """Whether it hears of an event: by its kind, or by what one of its moves does."""
        events = self.webhook.events
        return not events or entry.kind in events or any(str(move.op) in events for move in entry.moves())


def receivers(webhooks: Sequence[Webhook], environment: Mapping[str, str] = os.environ) -> list[Receiver]:
    """The receivers; SettingsError where one can't be used."""
    if not webhooks:
        return []
    try:
        from standardwebhooks import Webhook as Signer  # noqa: PLC0415 - an extra
    except ImportError:
        raise SettingsError(
            "Setting `webhooks` needs the extra `webhooks`: pip install 'tslp-litellm[webhooks]'."
        ) from None
    made, hosts = list[Receiver](), Counter(urlsplit(webhook.url).hostname for webhook in webhooks)
    for n, webhook in enumerate(webhooks, 1):
        if unknown := set(webhook.events) - EVENTS:
            raise SettingsError(
                f"Setting `webhooks`: no events {sorted(unknown)}; there are {', '.join(sorted(EVENTS))}."
            )
        host = urlsplit(webhook.url).hostname  # a URL's path may hold a key
        name = f"webhook {host}" if hosts[host] == 1 else f"webhook {host} (no. {n} of the settings)"
        made.append(Receiver(webhook, name, Signer(_secret(webhook, environment)).sign))
    return made


def _secret(webhook: Webhook, environment: Mapping[str, str]) -> bytes:
    where, given = f"Setting `webhooks`, {urlsplit(webhook.url).hostname}:", webhook.secret.get_secret_value()
    if given.startswith("os.environ/"):
        name = given.removeprefix("os.environ/")
        if name not in environment:
            raise SettingsError(f"{where} its secret names {name}, which is not in the environment.")
        given = environment[name]
    text = given.removeprefix("whsec_").rstrip("=")
    try:
        found = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        found = b""
    if len(found) < SECRET_MIN_BYTES:
        raise SettingsError(f"{where} its secret must be base64 of {SECRET_MIN_BYTES} bytes or more, behind `whsec_`.")
    return found


def cloud_event(key: WorkspaceKey, entry: Entry) -> dict[str, Any]:
    """An event of the Ledger as a CloudEvent; without texts."""
    tenant, workspace = (quote(name, safe="") for name in key)
    what = {"seq": entry.seq, "episode": entry.episode_id, "moves": [move.body() for move in entry.moves()]}
    return {
        "specversion": "1.0",
        "id": entry.hash,
        "source": f"/tslp/{tenant}/{workspace}",
        "type": f"tslp.{entry.kind}",
        "time": entry.at,
        "datacontenttype": "application/json",
        "data": {"tenant": key.tenant, "workspace": key.workspace, **what},
    }


class _LostError(Exception):
    """Another worker holds the webhook: this one took too long. He goes on from the cursors."""


class Webhooks:
    """All receivers' threads. `note` and `healed`: told of a receiver that takes nothing, and that does again."""

    def __init__(
        self, database: Database, receivers: Sequence[Receiver], note: Note, healed: Callable[[str], None], **more: Any
    ) -> None:
        self._deliveries = [Delivery(database, one, note, healed, **more) for one in receivers]
        self._threads = [threading.Thread(target=one.run, name="tslp-webhook", daemon=True) for one in self._deliveries]

    def start(self) -> None:
        """Begin to tell."""
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """Something was committed."""
        for one in self._deliveries:
            one.woken.set()

    def close(self, within_s: float = 1.0) -> None:
        """Let others go on: at once, but for what is being sent."""
        for one in self._deliveries:
            one.ending = True
        self.wake()
        deadline = time.monotonic() + within_s
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))


class Delivery:
    """One receiver, as this worker tells it."""

    def __init__(
        self,
        database: Database,
        receiver: Receiver,
        note: Note,
        healed: Callable[[str], None],
        *,
        send: Post = post,
        clock: Callable[[], float] = time.time,
        lease_s: float = LEASE_S,
    ) -> None:
        self._database, self._receiver, self._note, self._healed = database, receiver, note, healed
        self._send, self._clock, self._lease_ms = send, clock, int(lease_s * 1000)
        self._id, self._owner, self._known = outbox.identity(receiver.webhook.url), str(uuid.uuid4()), False
        self._held_until, self._told, self._count, self._through = 0, dict[int, int](), 0, 0
        self.woken, self.ending = threading.Event(), False

    def run(self) -> None:
        """Until the process ends."""
        while not self.ending:
            try:
                more = self.round()
            except Exception as error:  # noqa: BLE001 - the database can't be asked: it is tried again
                self._note(self._receiver.name, error)
                more = False
            if not more and not self.ending:
                self.woken.wait(POLL_S)
                self.woken.clear()

    def round(self) -> bool:
        """Tell some of what is untold, if this worker may; whether there is more."""
        if not self._known:
            with self._database.writing() as connection:
                outbox.know(connection, self._id)
            self._known = True
        with self._database.reading() as connection:
            untold = outbox.untold(connection, self._id)
        wanted = {workspace: one for workspace, one in untold.items() if self._receiver.webhook.wants(one[0].workspace)}
        if not wanted:
            return False
        failures = self._take()
        return failures is not None and self._tell(failures)

    def _take(self) -> int | None:
        """Hold the webhook; how often it failed in a row, None where another worker holds it, or it is too early."""
        now = self._now()
        self._held_until = now + self._lease_ms
        with self._database.writing() as connection:
            return outbox.take(connection, self._id, self._owner, now, self._held_until)

    def _tell(self, failures: int) -> bool:
        """A page of each workspace, from where it stands now that the webhook is held; whether there may be more."""
        with self._database.reading() as connection:
            untold = outbox.untold(connection, self._id)
        more, until = False, 0
        self._told, self._count, self._through = {}, 0, 0
        try:
            for workspace, (key, seq) in untold.items():
                if self._receiver.webhook.wants(key.workspace):
                    more = self._tell_page(workspace, key, seq) or more
            failures = 0
            self._healed(self._receiver.name)
        except UndeliveredError as error:
            more, failures = False, 1 if self._through else failures + 1
            until = self._now() + int(1000 * min(BACKOFF_MAX_S, 2.0 ** min(failures, 20)))
            self._note(self._receiver.name, error)
        except _LostError:
            return False
        with self._database.writing() as connection:
            if outbox.advance(connection, self._id, self._owner, 0, self._told):
                outbox.let_go(connection, self._id, self._owner, until, failures)
        return more and not self.ending

    def _tell_page(self, workspace: int, key: WorkspaceKey, seq: int) -> bool:
        with self._database.reading() as connection:
            page = outbox.after(connection, workspace, seq, PAGE)
        for entry in page:
            if self.ending:
                break
            if self._receiver.hears(entry):
                self._post(key, entry)
            self._told[workspace] = entry.seq
            self._hold_on()
        return len(page) == PAGE

    def _hold_on(self) -> None:
        """Write the cursors down now and then, and well before another worker could take the webhook."""
        self._count += 1
        if self._count < TOGETHER and self._held_until - self._now() > self._lease_ms // 2:
            return
        self._held_until = self._now() + self._lease_ms
        with self._database.writing() as connection:
            if not outbox.advance(connection, self._id, self._owner, self._held_until, self._told):
                raise _LostError
        self._told, self._count = {}, 0

    def _post(self, key: WorkspaceKey, entry: Entry) -> None:
        body, now = json.dumps(cloud_event(key, entry)), datetime.fromtimestamp(int(self._clock()), UTC)
        headers = {
            "Content-Type": "application/cloudevents+json; charset=utf-8",
            "User-Agent": "tslp-webhooks",
            "webhook-id": entry.hash,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": self._receiver.sign(entry.hash, now, body),
        }
        self._send(self._receiver.webhook.url, headers, body.encode(), self._receiver.webhook.allow_private)
        self._through += 1

    def _now(self) -> int:
        return int(self._clock() * 1000)
