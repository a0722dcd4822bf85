# `make run` starts the gateway, `make test` passes the tests; both set up what they need.
.PHONY: setup run test test-slow bench lint format demo docs release clean
.DEFAULT_GOAL := help

help:
	@echo "make run    start the gateway on port 4000     make demo   see it work, in three turns"
	@echo "make test   pass the tests                     make lint   ruff, mypy, import-linter"
	@echo "make docs   build the documentation          make release   wheel, sdist and SBOM into dist/"
	@echo "make bench  measure beside bare LiteLLM; an hour; BENCH=short to see that it works"

setup: .venv/.done

.venv/.done: pyproject.toml uv.lock scripts/setup.sh
	@./scripts/setup.sh
	@touch $@

run: setup
	@.venv/bin/tslp run $(ARGS)

demo: setup
	@.venv/bin/tslp demo $(ARGS)

# Two at once, each file in one: most of the time goes into starts of LiteLLM. `ARGS="-n 0"` for one after the other.
TWO = -n 2 --dist loadfile

test: setup
	@.venv/bin/pytest $(TWO) $(ARGS)

test-slow: setup
	@.venv/bin/pytest $(TWO) -m slow $(ARGS)

bench: setup
	@.venv/bin/uv sync --locked --quiet --group bench
	@.venv/bin/python -m benchmarks $(if $(filter short,$(BENCH)),--short) $(ARGS)

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
