"""Everything between a LiteLLM hook and the engine."""
