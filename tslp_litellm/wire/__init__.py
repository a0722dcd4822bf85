"""Provider JSON to turns and back: a table by LiteLLM's `call_type`. Knows nothing of code, paths or state."""

from __future__ import annotations

from tslp_litellm.wire.anthropic_messages import AnthropicMessages
from tslp_litellm.wire.openai_chat import OpenAIChat
from tslp_litellm.wire.openai_responses import OpenAIResponses
from tslp_litellm.wire.turn import WireFormat

FORMATS: dict[str, WireFormat] = {
    "completion": OpenAIChat(),
    "acompletion": OpenAIChat(),
    "anthropic_messages": AnthropicMessages(),
    "responses": OpenAIResponses(),
    "aresponses": OpenAIResponses(),
}
"""Call types that TSLP attends to; all others pass untouched."""
