"""Benchmarks: what TSLP costs, beside bare LiteLLM in the same run. `make bench`."""
