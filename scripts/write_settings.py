"""Write docs/settings.md from the code: `.venv/bin/python -m scripts.write_settings`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from scripts.markdown_tables import table
from tslp_litellm.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "settings.md"

HEAD = """\
# Settings

<!-- Written by scripts/write_settings.py from the code; a test holds it against it. -->

In the top-level `tslp:` block of LiteLLM's config, or among a guardrail's `litellm_params`:

```yaml
tslp:
  database_url: "sqlite:///.tslp/tslp.db"
  audit: false
```

The environment wins over both: the setting's name in capitals after `{prefix}`, as `{prefix}AUDIT=false`. An unknown or
malformed setting stops the start with a sentence that names it, and so does a variable that is nearly a setting's. A
value `os.environ/NAME` is that variable's, as in the rest of LiteLLM's config.
"""

REQUEST = """\
## Headers and metadata of a request

{headers}
Where no header names the workspace, the first of these does: `metadata.tslp_workspace` in the body, `tslp_workspace` in
the key's metadata, the working directory that the client states in its prompt, the setting `workspace`, `default`. A
working directory that begins at a drive letter gives a name in lower case with `/` (`c:/dev/shop`): it is one folder
however it is written.

What LiteLLM's metadata of a key or of its team says under these names holds for its requests; the key's own wins over
the team's, name by name. A value that is none of these counts as the strictest, and `/tslp/doctor` says so.

{metadata}
A text that a `client` or `human` turn does not take is PROPOSED with the reason `model-not-trusted`; where under
`human` a client confirmed it or a read shows it, the file becomes DIRTY (`word-not-trusted`). Several guardrails may
differ in `trust` and `workspace` alone; which of them runs may be the caller's choice, so bind a key by `tslp_trust`.

The tenant is the LiteLLM team of the calling key, else the key (by its hash), else `local`. No tenant reads or changes
another's state. The diagnostics take `?workspace=` or the header, else the workspace of the key's
requests that name none; the proxy admin may add `?tenant=`.
"""

HEADERS = {
    "x-tslp-workspace": "`NAME`: the workspace of this request.",
    "x-tslp-bypass": "`true`: neither hydrate nor record this request.",
}
"""Every request header that the code reads -> what it does."""
METADATA = {
    "tslp_workspace": "`NAME`: the workspace, where no request names another.",
    "tslp_pinned": "`true`: no header or body names another workspace, for the diagnostics neither.",
    "tslp_trust": "`proof`, `client` or `human`: in place of the setting `trust`.",
    "tslp_access": "`read`: hydrated, and changes nothing of the state, not even to DIRTY. Else `write`.",
    "tslp": "`off`: neither hydrate nor record its requests.",
}
"""Every name of ours in a key's or a team's metadata -> what it does."""

RESPONSE = """\
## Headers of a response

{headers}"""
RESPONSE_HEADERS = {
    "x-tslp-injected": "The tokens of what was put in front of the prompt, blocks and notices.",
    "x-tslp-window": "Where the window is known: the request `fits`, was `fitted; removed=TOKENS`, or is `over`.",
    "x-tslp-workspace-alike": "Older workspaces whose names look like this one's, in another case or of letters that "
    "look the same; percent-encoded. Most likely one of them was meant.",
}
"""Every response header that the code gives -> what it says."""

AUDIT = """\
## The shadow audit

It costs one more call to a model, in the background, for an answer whose code lacks nothing but authority; those calls
are booked on the key that caused them. On a machine that serves one small model the audit competes with the next
prompt: name a smaller one in `audit_model`, or set `audit: false`. `/tslp/doctor` shows how many questions wait, how
the others ended and what went wrong with the last one.

## LiteLLM's own

`make run` and `tslp run` set what keeps LiteLLM from fetching things at start (`LITELLM_LOCAL_MODEL_COST_MAP` and its
like). These you may set yourself:

| | |
| --- | --- |
| `LITELLM_MASTER_KEY` | the gateway's key, `sk-…`; without it `tslp run` keeps one in `.tslp/master.key` |
| `OLLAMA_API_BASE` | where ollama is; `http://localhost:11434` if unset |
| `DATABASE_URL` | LiteLLM's own PostgreSQL, for virtual keys ([team gateway](team.md)); not the database of TSLP |

## The window

A model's server takes so many tokens. What is longer is cut, from its beginning, whole messages at a time, and often
in silence; only the system's messages and the last one stay. So TSLP injects what is mentioned unless it stands in
what the window keeps: the newest messages that fit beside the blocks and the answer (`max_tokens` of the request,
else an eighth; also where it asks for more than half of the window, and does not fit beside that).

Only what proves a window counts: `window_tokens`; then `num_ctx` among a model's `litellm_params`, which ollama then
really gives it, and `max_input_tokens` in its `model_info`, the smaller where both are there; then what an ollama
server says of a model (`/api/ps`, `/api/show`), which is asked beside the requests. Of several deployments of one
name the smallest window counts. LiteLLM's table of models proves none.

Where no window is known it counts as 4096 tokens for this, and blocks may take 1024. The start's output,
`tslp doctor`, `tslp config check` and the status page say each model's window, or what to set.

A request that with its tools, its blocks and the room for an answer does not fit into a known window is made to fit
(`window: fit`), no further than needed: first lines that repeat a text which stands elsewhere in it, or are an older
version of one, become one line that names the entity; then the oldest tool results do, but for short ones; then the
oldest turns go, calls with their results. Your latest message, the system prompt and the last three tool results always
stay. Blocks that stayed (`placement: stay`) go with their turns, as a model takes the turns that it sees for examples;
in a long chat they take some of the room of older talk. The model's own answers are never shortened, for a model writes
once more what it finds in its own words: they go
whole, with their turn. What was left out stays out in the same form in the conversation's later requests, so that a
server's prompt cache lives, and a notice says what it was; a larger window brings it back. The header `x-tslp-window`
says `over` where even that is not enough: the server will cut the rest, so give the model a larger window or start a
new chat. Nothing that is left out is lost: what is judged is the request as the client sent it, and the State Map is
the same either way.
"""


SEE = {"symbols_file": "[format](symbols.md)", "window_tokens": "[The window](#the-window)."}


def page() -> str:
    """The page's text."""
    schema = Settings.model_json_schema()["properties"]
    rows = [_row(name, schema[name], field.default) for name, field in Settings.model_fields.items()]
    return "\n".join(
        [
            HEAD.format(prefix=PREFIX),
            table(("setting", "value", "default", ""), rows),
            REQUEST.format(
                headers=_names("header", HEADERS),
                metadata=_names("metadata", METADATA),
            ),
            RESPONSE.format(headers=_names("header", RESPONSE_HEADERS)),
            AUDIT,
        ]
    )


def _names(kind: str, known: dict[str, str]) -> str:
    return table((kind, ""), ((f"`{name}`", said) for name, said in known.items()))


def headers_in_code() -> set[str]:
    """The headers of ours that the package names."""
    texts = (module.read_text("utf-8") for module in (ROOT / "tslp_litellm").rglob("*.py"))
    return {found for text in texts for found in re.findall(r'"(x-tslp-[a-z-]+)"', text)}


def _row(name: str, schema: dict[str, Any], default: object) -> tuple[str, str, str, str]:
    said = schema.get("description", "").replace("|", "\\|") + (f" {SEE[name]}" if name in SEE else "")
    return f"`{name}`", _values(schema), _default(default), said


def _values(schema: dict[str, Any]) -> str:
    """What may be given, in words: from the JSON schema."""
    choices = [s for s in schema.get("anyOf", [schema]) if s.get("type") != "null"]
    return " or ".join(_kind(s) for s in choices)


def _kind(schema: dict[str, Any]) -> str:
    if "const" in schema or "enum" in schema:
        return " or ".join(f"`{v}`" for v in schema.get("enum", [schema.get("const")]))
    low, high = schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("maximum")
    span = f", {low} to {high}" if None not in (low, high) else f", {low} or more" if low is not None else ""
    kind = {"boolean": "`true` or `false`", "array": "list", "object": "mapping", "string": "text"}.get(
        schema.get("type", "")
    )
    if schema.get("format") == "path":
        kind = "path"
    return f"{kind or schema.get('type', 'value')}{span}"


def _default(value: object) -> str:
    if value is None or value == ():
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
