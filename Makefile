# `make run` starts the gateway, `make test` passes the tests; both set up what they need.
.PHONY: setup run test check bench turns lint format demo docs release clean
.DEFAULT_GOAL := help
# What Python compiles is kept: without that, each start of LiteLLM compiles it anew, 22 s of CPU instead of 12.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make run    start the gateway on port 4000     make demo   see it work, in eight turns"
	@echo "make test   pass the tests                     make lint   ruff, mypy, import-linter"
	@echo "make docs   build the documentation          make release   wheel, sdist and SBOM into dist/"
	@echo "make check  what takes too long for CI: hours; PART=clients for a part of it"
	@echo "make bench  measure beside bare LiteLLM; 50 minutes; BENCH=short to see that it works"
	@echo "make turns  a thousand turns of a simulated small model, bare, with TSLP and with an oracle"

setup: .venv/.done

.venv/.done: pyproject.toml uv.lock scripts/setup.sh
	@./scripts/setup.sh
	@touch $@

run: setup
	@.venv/bin/tslp run $(ARGS)

demo: setup
	@.venv/bin/tslp demo $(ARGS)

# Five at once, as some wait for servers, and other work may stand beside. `ARGS="-n 0"` for one after the other.
AT_ONCE = -n 5

test: setup
	@.venv/bin/pytest $(AT_ONCE) $(ARGS)

# In parts, a table of times at the end: `make check PART=growth,clients SEED=7`.
check: setup
	@.venv/bin/python -m tests.check $(if $(PART),--part $(PART)) $(if $(SEED),--seed $(SEED))

bench: setup
	@.venv/bin/uv sync --locked --quiet --group bench
	@.venv/bin/python -m benchmarks $(if $(filter short,$(BENCH)),--short) $(ARGS)

# Of a simulated model, half an hour; `make turns ARGS=--short` to see that it works.
turns: setup
	@.venv/bin/python -m benchmarks.turns $(ARGS)

lint: setup
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports

format: setup
	@.venv/bin/ruff check --fix --quiet . || true
	@.venv/bin/ruff format .

# --inexact: beside what the other targets brought.
docs: setup
	@.venv/bin/uv sync --locked --quiet --inexact --group docs
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict --quiet $(ARGS)
	@echo "The documentation is in site/index.html"

release: setup
	@.venv/bin/uv sync --locked --quiet --inexact --group release
	@./scripts/release.sh $(ARGS)

clean:
	rm -rf .venv .venv-newest .uv dist site
