#!/usr/bin/env bash
# The end-to-end tests at both ends of the supported range of LiteLLM: the lowest is the locked one, the highest is
# installed beside it in .venv-newest. Takes minutes.
#   scripts/litellm_range.sh [pytest arguments]
set -euo pipefail
cd "$(dirname "$0")/.."
lowest=$(sed -n 's/.*"litellm\[proxy\]>=\([0-9.]*\),.*/\1/p' pyproject.toml)
locked=$(.venv/bin/python -c "from importlib.metadata import version; print(version('litellm'))")
if [ "$lowest" != "$locked" ]; then
    echo "litellm_range: the range begins at $lowest, but uv.lock has $locked: the lowest would not be tested" >&2
    exit 1
fi
echo "lowest: litellm $locked"
.venv/bin/pytest tests/e2e "$@"
echo "highest: $(scripts/newest_litellm.sh)"
.venv-newest/bin/python -m pytest tests/e2e --ignore=tests/e2e/test_wheel.py "$@"
