#!/bin/sh
# Makes .venv-newest with the newest LiteLLM of the supported range. The index may lack the helper packages that a
# new release pins: the newest ones there are taken instead.
set -eu
cd "$(dirname "$0")/.."
export UV_PYTHON_DOWNLOADS=never UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1
uv=.venv/bin/uv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'litellm-proxy-extras\nlitellm-enterprise\ncertifi\n' > "$work/overrides.txt"
"$uv" venv --quiet --clear --python .venv/bin/python .venv-newest
"$uv" pip install --quiet --python .venv-newest --override "$work/overrides.txt" --upgrade-package litellm . pytest hypothesis
.venv-newest/bin/python -c "from importlib.metadata import version; print('litellm', version('litellm'))"
