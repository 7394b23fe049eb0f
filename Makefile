# War Room. `make run` starts the product, `make test` checks it; both set up what is missing.

.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
STACK := $(BIN)/python -m config.stack

.PHONY: help
help: ## What there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

.PHONY: setup
setup: ## Install what the checkout lacks
	@$(PYTHON) -m config.stack setup

.PHONY: setup-dev
setup-dev:
	@$(PYTHON) -m config.stack setup --dev

.PHONY: run
run: setup ## Start the product with its demo on http://127.0.0.1:8000
	@exec $(STACK) up --with-parent

.PHONY: storm
storm: ## Send a plane failure through the real hooks of the running product
	@$(BIN)/python manage.py storm

.PHONY: test
test: setup-dev check ## Everything CI checks

.PHONY: check
check: check-text check-types check-product check-journeys ## The same without the set-up

.PHONY: check-text
check-text:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	find templates -name '*.html' -print0 | xargs -0 $(BIN)/djade --check --target-version 5.2
	$(BIN)/djlint --lint --quiet templates

.PHONY: check-types
check-types:
	$(BIN)/mypy .

# All that needs a database shares one, which lives as long as the checks.
.PHONY: check-product
check-product:
	$(STACK) exec --careless -- $(MAKE) --no-print-directory check-beside-database

.PHONY: check-beside-database
check-beside-database:
	DJANGO_SETTINGS_MODULE=config.settings.prod $(BIN)/python -W ignore manage.py check --deploy --fail-level WARNING
	DJANGO_SETTINGS_MODULE=config.settings.test $(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/pytest -n auto -m "not browser and not journey"
	$(MAKE) --no-print-directory check-generated
	$(BIN)/pytest -m "browser and not journey"

.PHONY: check-generated
check-generated:
	mkdir -p var
	DJANGO_SETTINGS_MODULE=config.settings.test $(BIN)/python manage.py spectacular --validate --fail-on-warn --file var/openapi.yaml
	diff -u docs/openapi.yaml var/openapi.yaml
	DJANGO_SETTINGS_MODULE=config.settings.test $(BIN)/python manage.py catalogue check

# The whole product as real processes, with databases that sync to disk.
.PHONY: check-journeys
check-journeys:
	$(BIN)/pytest -m journey

.PHONY: fix
fix: ## Format, and mend what can be mended by machine
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	find templates -name '*.html' -print0 | xargs -0 $(BIN)/djade --target-version 5.2

.PHONY: schema
schema: ## Write docs/openapi.yaml anew
	$(STACK) exec --careless -- env DJANGO_SETTINGS_MODULE=config.settings.test $(BIN)/python manage.py spectacular --file docs/openapi.yaml

.PHONY: bench
bench: setup ## Measure, and write docs/performance.md (ONLY=intake for a part)
	$(BIN)/python -m config.bench $(ONLY)

.PHONY: lock
lock: ## Compile requirements/*.txt with hashes (needs uv)
	cd requirements && for name in base dev; do \
	  uv pip compile --quiet --upgrade --python-version 3.11 --generate-hashes --no-header \
	    --no-emit-index-url --output-file $$name.txt $$name.in || exit 1; done

.PHONY: clean
clean: ## Remove what the set-up made; var/ with the data stays
	rm -rf .venv node_modules staticfiles .mypy_cache .ruff_cache .pytest_cache
