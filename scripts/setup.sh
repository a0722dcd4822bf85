#!/bin/sh
# Makes .venv with the locked dependencies. Needs python3 and the package index; brings uv itself if it is not there.
set -eu
cd "$(dirname "$0")/.."
export UV_PYTHON_DOWNLOADS=never UV_PROJECT_ENVIRONMENT=.venv
export UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1 # the certificates that the rest of the machine trusts
quiet=--quiet
[ ! -t 2 ] || quiet= # a person who waits sees what is done
UV_VERSION='uv>=0.9,<0.14'

find_uv() {
    if command -v uv >/dev/null 2>&1; then
        echo uv
    elif [ -x .uv/bin/uv ]; then
        echo .uv/bin/uv
    fi
}

bring_uv() {
    rm -rf .uv
    if ! python3 -m venv .uv >/dev/null 2>&1; then
        rm -rf .uv
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
            echo "setup: this python3 has no venv module; installing Debian's python3-venv" >&2
            apt-get update -qq >&2 && apt-get install -y -qq python3-venv >&2
            python3 -m venv .uv
        else
            echo "setup: this python3 has no venv module. Install it (on Debian: apt-get install python3-venv), or uv, and run again." >&2
            exit 1
        fi
    fi
    # shellcheck disable=SC2086
    .uv/bin/python -m pip install $quiet --disable-pip-version-check "$UV_VERSION"
}

[ -n "$(find_uv)" ] || bring_uv
echo "setup: the locked dependencies go into .venv" >&2
# shellcheck disable=SC2086
"$(find_uv)" sync --locked $quiet --python "$(command -v python3)"
