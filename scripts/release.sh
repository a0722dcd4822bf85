#!/usr/bin/env bash
# Builds what is released into dist/: wheel, sdist, SBOM, checksums; and checks it. Publishes nothing.
#
# The build is reproducible: times come from the last commit (or SOURCE_DATE_EPOCH), the build backend is pinned.
#   scripts/release.sh [--out DIR] [--draft]
#
# A draft is what is tried between releases: changes may be uncommitted, and CHANGELOG.md may have `## Unreleased`.
set -euo pipefail
cd "$(dirname "$0")/.."
export UV_PYTHON_DOWNLOADS=never UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1
bin=$PWD/.venv/bin
out=$PWD/dist
rules=release
while [ $# -gt 0 ]; do
    case "$1" in
    --out) mkdir -p "$2" && out=$(cd "$2" && pwd) && shift 2 ;;
    --draft) rules=check && shift ;;
    *) echo "release: unknown argument $1" >&2 && exit 2 ;;
    esac
done

if [ "$rules" = release ] && [ -n "$(git status --porcelain)" ]; then
    echo "release: the checkout has changes that are not committed" >&2
    exit 1
fi
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
export UV_CONSTRAINT=$PWD/scripts/build-constraints.txt # the backend writes its own version into the wheel
umask 022 # file modes are part of the archives

version=$("$bin/python" scripts/changelog.py "$rules")
rm -rf "$out"
mkdir -p "$out"

# The wheel is built from the sdist, so the sdist is known to be whole.
"$bin/python" -m build --quiet --installer uv --outdir "$out" .
"$bin/twine" check --strict "$out"/*.whl "$out"/*.tar.gz

# What a user of this release gets, with every extra: the locked versions, their licences and hashes.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
requirements=$work/requirements.txt
sed "s/^dynamic = \[\"version\"\]/version = \"$version\"/" pyproject.toml > "$work/pyproject.toml"
"$bin/uv" export --quiet --locked --no-dev --all-extras --no-emit-project --output-file "$requirements"
"$bin/cyclonedx-py" requirements "$requirements" --pyproject "$work/pyproject.toml" --output-reproducible \
    --spec-version 1.6 --output-format JSON --validate --output-file "$out/tslp_litellm-$version.cdx.json"

"$bin/python" scripts/changelog.py notes > "$out/NOTES.md"
(cd "$out" && sha256sum -- *.whl *.tar.gz *.cdx.json > SHA256SUMS)
ls -l "$out"
