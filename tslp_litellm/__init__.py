"""TSLP: the one true current text of every `path::symbol`, kept from the traffic of a LiteLLM proxy.

LiteLLM loads `tslp_litellm.proxy_handler_instance` (a callback) or `tslp_litellm.TSLPGuardrail` (a guardrail class).
Both are made on first use, so that the package itself imports nothing heavy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from tslp_litellm.litellm_hooks import TSLPCallback, TSLPGuardrail

    proxy_handler_instance: TSLPCallback

__all__ = ["TSLPGuardrail", "__version__", "proxy_handler_instance"]


def __getattr__(name: str) -> Any:
    if name == "proxy_handler_instance":
        from tslp_litellm.litellm_hooks import TSLPCallback  # noqa: PLC0415 - LiteLLM is imported only when it asks

        globals()[name] = instance = TSLPCallback.from_proxy_config()
        return instance
    if name == "TSLPGuardrail":
        from tslp_litellm.litellm_hooks import TSLPGuardrail  # noqa: PLC0415

        return TSLPGuardrail
    if name == "offline_demo_model":
        from tslp_litellm.demo_model import OfflineDemoModel  # noqa: PLC0415

        globals()[name] = model = OfflineDemoModel()
        return model
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
