"""Settings: from the `tslp:` block or a guardrail's `litellm_params`, with `TSLP_*` in the environment winning.

Checked once, at start: an unknown or malformed setting is an error whose sentence names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

PREFIX, ENVIRONMENT = "TSLP_", "os.environ/"
WINDOW_MIN = 256
Tokens = Annotated[int, Field(ge=WINDOW_MIN, strict=True)]
Share = Annotated[float, Field(ge=0, le=1)]


class SettingsError(Exception):
    """A setting is unknown or malformed; the message names it. No ValueError: LiteLLM would skip a guardrail for one,
    and start without it."""


class Webhook(BaseModel):
    """A receiver of what happens: where, with which secret, of what, and of which workspaces (SEMANTICS 13)."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    url: str = Field(min_length=1, max_length=2_000)
    secret: SecretStr
    events: tuple[str, ...] = ()
    workspaces: tuple[str, ...] = ()
    allow_private: bool = Field(False, strict=True)

    @field_validator("url")
    @classmethod
    def _is_http(cls, value: str) -> str:
        try:
            where, port = urlsplit(value), urlsplit(value).port
        except ValueError:
            raise ValueError("`url` is no URL") from None
        if where.scheme not in ("http", "https") or not where.hostname or port == 0:
            raise ValueError("`url` must be http://… or https://…")
        if where.username or where.password:
            raise ValueError("`url` holds a password; `secret` signs what is sent")
        return value

    def wants(self, workspace: str) -> bool:
        """Whether it hears of a workspace."""
        return not self.workspaces or any(fnmatchcase(workspace, pattern) for pattern in self.workspaces)


class Settings(BaseModel):
    """What can be set. The descriptions are the documentation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    database_url: str = Field(
        "sqlite:///tslp.db",
        min_length=1,
        description="SQLAlchemy URL of the database: `sqlite:///file`, or `postgresql+psycopg://…` for teams.",
    )
    reader_database_url: str | None = Field(
        None,
        min_length=1,
        description="The same database under a role that may only read, for the diagnostics (PostgreSQL).",
    )
    debug: bool = Field(
        False, strict=True, description="Serve `/tslp/debug/last-prompt`, and texts on the status page."
    )
    audit: bool | Literal["all"] = Field(
        True,
        union_mode="left_to_right",
        description="Shadow audit: `true` where a promotion hangs on it, `all` for every candidate, `false` never.",
    )
    audit_model: str | None = Field(
        None, min_length=1, description="Model for the shadow audit; the model that answered if unset."
    )
    hydration_tokens_max: int | None = Field(
        None,
        ge=0,
        strict=True,
        description="Tokens of injected blocks a prompt; a quarter of the model's window, at most 8192, if unset.",
    )
    dependencies: Literal["signatures", "full", "off"] = Field(
        "signatures",
        description="What a prompt is told of what the entities that it mentions use: the `signatures`, the whole "
        "artifacts (`full`), or nothing (`off`).",
    )
    dependencies_tokens_max: int = Field(
        256,
        ge=0,
        strict=True,
        description="Tokens of that a prompt, inside of `hydration_tokens_max` and after all that is mentioned.",
    )
    window_tokens: Tokens | dict[str, Tokens] | None = Field(
        None,
        description="The window in tokens that the model's server really has: a number for all models, or a mapping of "
        "model names to numbers. Unset: the deployment's `num_ctx` or `max_input_tokens`, or what ollama says.",
    )
    workspace: str | None = Field(
        None,
        pattern=r"\S",
        max_length=512,
        description="The workspace of requests that name none and whose client states no working directory; `default` "
        "if unset.",
    )
    trust: Literal["proof", "client", "human"] = Field(
        "proof",
        description="Whose word makes a text the truth: what is proven, the model's included (`proof`); only what "
        "users and clients do (`client`); only what users show (`human`). `tslp_trust` of a key or a team wins.",
    )
    window: Literal["fit", "leave"] = Field(
        "fit",
        description="A request that is too long for the model's window: make it `fit`, or `leave` it to the server, "
        "which cuts or refuses it. Nothing is done where the window is unknown.",
    )
    history: Literal["keep", "current"] = Field(
        "keep",
        description="With `current`, repeated and outdated copies of tracked code are left out of every request in "
        "which that saves a fifth, not only of one that does not fit. With `window: leave` nothing is.",
    )
    placement: Literal["auto", "start", "tail", "stay"] = Field(
        "auto",
        description="Blocks and notices stand at the `start` of the user's latest message, or at the `tail`, behind "
        "the last message's content, which keeps a server's prompt cache longest. With `stay` they stand at the start, "
        "and blocks stay in front of that message in the conversation's later requests, where the model's window is "
        "known: a small model sees how each earlier answer came of its block. `auto` is `stay` in plain chat, and "
        "`start` for clients that edit files themselves or offer tools.",
    )
    tombstone_episodes: int = Field(
        10, ge=0, strict=True, description="For how many episodes of its workspace a tombstone is listed."
    )
    parity_nodes_min_ratio: Share = Field(
        0.5, description="Syntax nodes that a candidate must keep of what it replaces, as a share."
    )
    parity_tokens_min_ratio: Share = Field(
        0.5, description="Tokens that a candidate must keep of what it replaces, as a share."
    )
    symbols_file: Path | None = Field(
        None, description="A `symbols.json` of your own, for languages without a grammar."
    )
    refuse_secrets: bool = Field(
        False,
        strict=True,
        description="Keep no text that holds a secret of a known form; needs the extra `secrets`.",
    )
    webhooks: tuple[Webhook, ...] = Field(
        (),
        description="Receivers of what happens: each with `url`, `secret` (`whsec_…`, or `os.environ/NAME`), and, if "
        "not all, `events`, `workspaces` (patterns) and `allow_private: true`; needs the extra `webhooks`.",
    )
    on_error: Literal["pass", "block"] = Field(
        "pass", description="On a fault of TSLP: let the request pass unhydrated, or refuse it with 503."
    )

    diagnostics_per_minute: int = Field(
        1200,
        ge=0,
        strict=True,
        description="How often a key may ask the diagnostics in a minute, of each worker; then it is told 429 and when "
        "to come again. A status page asks about 100 times. `0`: as often as it likes.",
    )
    visit_seconds: float = Field(
        10.0,
        gt=0,
        allow_inf_nan=False,
        description="How long a request or an answer may be read; what it would have shown by then is DIRTY.",
    )
    collect_between_callbacks: bool = Field(
        True,
        strict=True,
        description="Python 3.11: run garbage collections between two callbacks of the event loop, where LiteLLM's "
        "finalizers can't end the process (gh-148891); `false` leaves them to Python.",
    )

    @field_validator("audit", mode="before")
    @classmethod
    def _no_words(cls, value: object) -> object:
        if not isinstance(value, bool) and value != "all":
            raise ValueError("must be true, false or all")
        return value

    @field_validator("window_tokens", mode="before")
    @classmethod
    def _one_for_all_or_each(cls, value: object) -> object:
        each = value if isinstance(value, Mapping) else {} if value is None else {"*": value}
        if all(isinstance(name, str) and type(tokens) is int and tokens >= WINDOW_MIN for name, tokens in each.items()):
            return value
        raise ValueError(f"must be a number, {WINDOW_MIN} or more, or a mapping of model names to such numbers")

    @field_validator("webhooks")
    @classmethod
    def _once_each(cls, value: tuple[Webhook, ...]) -> tuple[Webhook, ...]:
        if len({one.url for one in value}) < len(value):
            raise ValueError("two have one `url`")
        return value

    @field_validator("dependencies", mode="before")
    @classmethod
    def _yaml_off(cls, value: object) -> object:
        """YAML reads a bare `off` as false."""
        return "off" if value is False else value


def load(given: Mapping[str, Any] | None, environment: Mapping[str, str]) -> Settings:
    """The settings; SettingsError where one is unknown or malformed."""
    if given is not None and not isinstance(given, Mapping):
        raise SettingsError(f"The `tslp` block must be a mapping of settings, not {type(given).__name__}.")
    values = {name: _named(value, environment) for name, value in (given or {}).items()}
    sources = dict.fromkeys(values, "the `tslp` settings")
    for name in Settings.model_fields:
        text = environment.get(PREFIX + name.upper())
        if text is not None:
            values[name] = _scalar(text) if _is_scalar(name) else text
            sources[name] = f"{PREFIX}{name.upper()} in the environment"
    for name in environment:
        _refuse_misspelt(name)
    for name, value in (given or {}).items():
        if values[name] is None and isinstance(value, str) and not _may_be_none(name):
            raise SettingsError(f"Setting `{name}` in the `tslp` settings is {value}, and that variable is not set.")
    try:
        return Settings(**values)
    except ValidationError as error:
        raise SettingsError(_sentence(error, sources)) from None


def _refuse_misspelt(variable: str) -> None:
    """SettingsError for a variable that is nearly a setting's; what else begins so may be somebody else's."""
    name = variable.removeprefix(PREFIX).lower() if variable.startswith(PREFIX) else ""
    if name and name not in Settings.model_fields and (meant := get_close_matches(name, Settings.model_fields, 1, 0.8)):
        raise SettingsError(f"{variable} in the environment is no setting: {PREFIX}{meant[0].upper()} is.")


MODES = frozenset({"pre_call", "post_call"})
"""What a guardrail of ours must run on: without the answers, what is hydrated would be older than what was said."""


def modes_lacking(mode: object) -> list[str]:
    """What a guardrail's `mode` lacks. One that depends on tags is LiteLLM's to decide, request by request."""
    if isinstance(mode, str):
        return sorted(MODES - {mode})
    return sorted(MODES - set(mode)) if isinstance(mode, (list, tuple)) else []


def _named(value: Any, environment: Mapping[str, str]) -> Any:
    """What `os.environ/NAME` stands for, as LiteLLM reads its config: the command line reads the same file."""
    if not isinstance(value, str) or not value.startswith(ENVIRONMENT):
        return value
    text = environment.get(value.removeprefix(ENVIRONMENT))
    return {"true": True, "false": False}.get(text.lower(), text) if text is not None else None


def _may_be_none(name: str) -> bool:
    field = Settings.model_fields.get(name)
    return field is None or type(None) in get_args(field.annotation)


def _is_scalar(name: str) -> bool:
    """Whether a setting may be a number, a truth value or a mapping, so that its text is read as YAML reads it."""
    annotation = Settings.model_fields[name].annotation
    return name in ("window_tokens", "webhooks") or bool({bool, int, float} & {annotation, *get_args(annotation)})


def _scalar(text: str) -> object:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return text


_WORDS = {
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "string_type": "must be a text",
    "string_too_short": "must be a text",
    "path_type": "must be a path",
    "tuple_type": "must be a list, each part of it with a dash in front",
    "model_type": "must be a mapping",
}
"""What pydantic says in words of Python's, by its type of error."""


def _sentence(error: ValidationError, sources: Mapping[str, str]) -> str:
    parts = []
    for problem in error.errors():
        name = str(problem["loc"][0]) if problem["loc"] else "?"
        where = sources.get(name, "the `tslp` settings")
        if problem["type"] == "extra_forbidden" and len(problem["loc"]) == 1:
            parts.append(f"Unknown setting `{name}` in {where}; known are {', '.join(Settings.model_fields)}.")
        else:
            name += "".join(f".{part}" for part in problem["loc"][1:]) if name == "webhooks" else ""
            given = "" if name.startswith("webhooks") else _said(problem["input"])  # they hold secrets
            words = _WORDS.get(problem["type"], problem["msg"].removeprefix("Value error, "))
            words = words.replace("Input should", "must")
            parts.append(f"Setting `{name}` in {where}{given}: {words}.")
    return " ".join(dict.fromkeys(parts))


def _said(value: object) -> str:
    return " is empty" if value is None or value == "" else f" is {value!r}"
