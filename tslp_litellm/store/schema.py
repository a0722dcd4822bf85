"""The tables. Vault and Ledger only ever grow; triggers refuse anything else (SEMANTICS 6), but that rows inside a
recorded segment leave, and what an erasure has recorded (SEMANTICS 12); `texts_gone` says which texts have left by it.

`state_map` and `tombstones` are the projection of the Ledger, `event_paths` is its index by file, by which the
diagnostics find an entity's history. `conversations` and `conversation_items` are what is remembered of message lists,
and no truth; `uses`, `uses_files`, `uses_parts` and `uses_heads` are what entities use (SEMANTICS 10), as far as the
Ledger has been read for that; `parser_refusals` names texts, of whatever workspace, that no parser is given again;
`webhooks` and `webhook_cursors` say who delivers a webhook, and how far each Ledger has been told to it.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

workspaces = Table(
    "workspaces",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("name", Text, nullable=False),
    Column("head_seq", Integer, nullable=False),
    Column("head_hash", String(64), nullable=False),
    Column("episodes", Integer, nullable=False),
    Column("rows", Integer),  # of the State Map and the tombstones; None until they have been counted
    Column("digest", String(32)),  # the sum of their hashes
    Column("proven_seq", Integer, nullable=False, server_default="0"),  # how far `tslp maintain` has proven the Ledger
    UniqueConstraint("tenant", "name", name="uq_workspaces_tenant_name"),
)

vault = Table(
    "vault",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("encoding", String(8), nullable=False),  # utf-8, zlib, or slice ("hash:start:end" of another row)
    Column("body", LargeBinary, nullable=False),
    Column(
        "crc", BigInteger, nullable=False
    ),  # of encoding and body: padding bits of a packed body are in no content hash
)

events = Table(
    "events",
    metadata,
    Column("workspace_id", Integer, ForeignKey("workspaces.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("episode_id", String(36)),
    Column("at", String(24), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("body", Text, nullable=False),
    Column("prev_hash", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Index("ix_events_episode", "workspace_id", "episode_id"),
    Index("ix_events_kind", "workspace_id", "kind", "seq"),
)

texts_gone = Table(
    "texts_gone",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("workspace_id", Integer, ForeignKey("workspaces.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # of the event that says where it is, or that it was erased
    sqlite_with_rowid=False,
)

event_paths = Table(
    "event_paths",
    metadata,
    Column("workspace_id", Integer, ForeignKey("workspaces.id"), primary_key=True),
    Column("path", Text, primary_key=True),
    Column("seq", Integer, primary_key=True),
    sqlite_with_rowid=False,
)

state_map = Table(
    "state_map",
    metadata,
    Column("workspace_id", Integer, ForeignKey("workspaces.id"), primary_key=True),
    Column("entity", Text, primary_key=True),
    Column("path", Text, nullable=False),
    Column("basename", Text, nullable=False),
    Column("symbol", Text),
    Column("leaf", Text),
    Column("artifact", String(64), nullable=False),
    Column("freshness", String(8), nullable=False),
    Column("source", String(8), nullable=False),
    Column("updated_at", String(24), nullable=False),
    Index("ix_state_map_path", "workspace_id", "path"),
    Index("ix_state_map_basename", "workspace_id", "basename"),
    Index("ix_state_map_leaf", "workspace_id", "leaf", "path"),
    Index("ix_state_map_symbol", "workspace_id", "symbol", "path"),
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("workspace_id", Integer, ForeignKey("workspaces.id"), primary_key=True),
    Column("entity", Text, primary_key=True),
    Column("artifact", String(64), nullable=False),
    Column("since", String(24), nullable=False),
    Column("episode", Integer, nullable=False),
)

conversations = Table(
    "conversations",
    metadata,
    Column("workspace_id", Integer, ForeignKey("workspaces.id"), primary_key=True),
    Column("id", String(36), primary_key=True),
    Column("items", Integer, nullable=False),
    Column("last_episode", String(36)),
    Column("turn_digest", LargeBinary),
    Column("turn_flags", Text, nullable=False),
    Column("next_flags", Text, nullable=False),
    Column("left_out", Text, nullable=False, server_default=""),  # of its requests, as `plan` writes it down
    Column("used", Integer, nullable=False),  # counts up in its workspace: the last one used has the greatest
    Column("used_at", String(24), nullable=False),
    Index("ix_conversations_used", "workspace_id", "used"),
)

conversation_items = Table(
    "conversation_items",
    metadata,
    Column("workspace_id", Integer, primary_key=True),
    Column("conversation_id", String(36), primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    Column("digest", LargeBinary(16), nullable=False),
    Column("said", Integer, nullable=False),  # its conversation's `used` when it came
    Index("ix_conversation_items_digest", "workspace_id", "digest", "said"),
)

parser_refusals = Table(
    "parser_refusals",
    metadata,
    Column("artifact", String(64), primary_key=True),
    Column("language", String(64), primary_key=True),
    Column("reason", String(16), nullable=False),
    Column("refused_at", String(24), nullable=False),
    Index("ix_parser_refusals_refused_at", "refused_at"),
)

uses_files = Table(
    "uses_files",
    metadata,
    Column("workspace_id", Integer, ForeignKey("workspaces.id"), primary_key=True),
    Column("path", Text, primary_key=True),
    Column("artifact", String(64), nullable=False),
    Column("body", Text, nullable=False),  # what is known of the text (`uses.known`)
    Column("package", Text, nullable=False),  # the key of the package that it declares; empty for none
)

uses = Table(
    "uses",
    metadata,
    Column("workspace_id", Integer, ForeignKey("workspaces.id"), primary_key=True),
    Column("entity", Text, primary_key=True),  # the user
    Column("used", Text, primary_key=True),
    Column("path", Text, nullable=False),
    Column("used_path", Text, nullable=False),
    Column("route", String(16), nullable=False),  # or the doubt whether it is a use (`values.Doubt`)
    Column("interface", String(64), nullable=False),  # of what is used, when the user was last confirmed
    Column("signature", Text, nullable=False),
    Index("ix_uses_path", "workspace_id", "path"),
    Index("ix_uses_used_path", "workspace_id", "used_path"),
)

uses_parts = Table(  # definitions whose text is newer than that of their file
    "uses_parts",
    metadata,
    Column("workspace_id", Integer, ForeignKey("workspaces.id"), primary_key=True),
    Column("entity", Text, primary_key=True),
    Column("artifact", String(64), nullable=False),
    Column("interface", String(64), nullable=False),
    Column("signature", Text, nullable=False),
)

uses_heads = Table(
    "uses_heads",
    metadata,
    Column("workspace_id", Integer, ForeignKey("workspaces.id"), primary_key=True),
    Column("seq", Integer, nullable=False),  # of the last event that was read
)

webhooks = Table(
    "webhooks",
    metadata,
    Column("webhook", String(64), primary_key=True),  # SHA-256 of its URL
    Column("owner", String(36), nullable=False),  # the worker that delivers it; nobody where it is empty
    Column("until", BigInteger, nullable=False),  # milliseconds since 1970: until then it is his, or waits
    Column("failures", Integer, nullable=False),  # in a row
)

webhook_cursors = Table(
    "webhook_cursors",
    metadata,
    Column("webhook", String(64), ForeignKey("webhooks.webhook"), primary_key=True),
    Column("workspace_id", Integer, ForeignKey("workspaces.id"), primary_key=True),
    Column("seq", Integer, nullable=False),  # the last event that was delivered, or passed over
)
