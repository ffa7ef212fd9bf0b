# The two commands: `make run` and `make test`. Each sets up what it needs; the work is in tools/.

PORT ?= 3000
export PORT

IS_RIGHT := import sys; sys.exit(sys.version_info[:2] != (3, 11))
PYTHON ?= $(shell for name in python3.11 python3 python; do "$$name" -c "$(IS_RIGHT)" 2>/dev/null && echo "$$name" && exit; done)
SET_UP = @$(or $(PYTHON),$(error Python 3.11 is missing: install it, or name it, as in "make $(or $(MAKECMDGOALS),run) PYTHON=/path/to/python3.11")) -m tools.environment
PY = .venv/bin/python
# with extras, for which pip would otherwise look beyond the lock
LOCK = .venv/bin/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-strip-extras \
    --no-annotate --no-header --no-emit-index-url --system-certs $(ARGS)

# one more than there are cores: a browser test waits for a third of its time
TEST_WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

.DEFAULT_GOAL := run
.PHONY: run build publish serve demo screenshots release dev test unit soak check format lock bench market clean help

run: build ## set up, build when sources changed, and serve on http://localhost:$(PORT)
	@exec $(PY) -m tools.serve

build: ## set up and build when sources changed
	$(SET_UP)
	@$(PY) -m tools.build

publish: ## copy the content, build, change over with no request lost; ARGS=--accept-removals lets many pages go
	$(SET_UP)
	@$(PY) -m tools.publish $(ARGS)

serve: ## serve what is built
	$(SET_UP)
	@exec $(PY) -m tools.serve

demo: build ## serve a firm that is made up, to try the desk with; ARGS="--state DIR" names its folder, which must be new
	@exec $(PY) -m tools.demo $(ARGS)

screenshots: build ## take the pictures of README and docs/staff.md from the demo, into docs/pictures
	$(SET_UP) --tests
	@$(PY) -m tools.screenshots

release: build ## pack what a server needs into one file, .build/site.tar.gz
	@$(PY) -m tools.package

dev: ## serve for editing: a change shows within seconds; PAGES=/,/tools/rates/ names what to compile first
	$(SET_UP)
	@exec $(PY) -m tools.develop

test: ## set up, run every test but the long ones, then what failed once more; ARGS= narrows it, TEST_WORKERS= sets how many run at once
	$(SET_UP) --tests
	@$(PY) -m tools.run_tests --numprocesses=$(TEST_WORKERS) --maxprocesses=5 --dist=loadfile --no-loadscope-reorder $(ARGS)

unit: ## the tests that need no browser, no server and no build
	$(SET_UP) --tests
	@$(PY) -m pytest tests/unit $(wildcard tests/test_*.py) --numprocesses=auto --dist=loadfile $(ARGS)

soak: ## the long tests
	$(SET_UP) --tests
	@$(PY) -m pytest -m soak --timeout=0 $(ARGS)

check: ## format, lint, types, import directions, style limits, spelling and JavaScript: all of them, then what failed
	$(SET_UP) --tests
	@$(PY) -m tools.check

format: ## write the code as `make check` wants it
	$(SET_UP) --tests
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format .

lock: ## write the lock files again after a change of requirements.txt or requirements-dev.txt; ARGS=--upgrade raises all packages
	$(SET_UP) --tests
	@grep '^uv==' requirements-dev.txt | $(LOCK) - --output-file requirements-uv.lock
	@$(LOCK) requirements.txt --output-file requirements.lock
	@$(LOCK) requirements.txt requirements-dev.txt --constraints requirements.lock --output-file requirements-dev.lock

bench: ## searches beside their rivals, a live feed, the questionnaire, PDFs, two processes, many pages, then Lighthouse
	$(SET_UP) --tests
	@$(PY) -m tests.bench.bench_search
	@$(PY) -m tests.bench.bench_feed
	@$(PY) -m tests.bench.bench_questionnaire
	@$(PY) -m tests.bench.bench_pdf
	@$(PY) -m tests.bench.bench_processes
	@$(PY) -m tests.bench.bench_scale
	@$(PY) -m tools.lighthouse

market: ## write the sample market again, on the averages in data/market/bank_of_england
	$(SET_UP)
	@$(PY) -m broker.rates.market.generate

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

clean: ## remove what was built; the virtual environment stays
	rm -rf .web .build .pytest_cache .ruff_cache .hypothesis
