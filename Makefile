# Each target makes the virtual environment it needs and installs into it once; a stamp file says so.
#
#   make demo          trains a network on real handwritten digits and shows what it learned
#   make test          the suite, without PyTorch
#   make test-oracle   the suite beside PyTorch 2.13.0, which vouches for every value
#   make pages         writes docs/derivatives.md and the list in docs/operators.md
#   make opdb          asks PyTorch 2.13.0's own table of operators, and prints the accounts
#   make bench         times as ratios to PyTorch 2.13.0
#   make bench-ops     the same of single operators, with two threads
#   make lint          ruff and mypy
#   make record        asks PyTorch 2.13.0 again for what tests/recorded/ holds

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# The first Python found that is new enough; `make PYTHON=... demo` overrides.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	if $$name -c '$(NEW_ENOUGH)' 2>/dev/null; then echo $$name; break; fi; done)

VENV := .venv
ORACLE := .venv-oracle
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
# One process a core; a process does not start threads of its own.
WORKERS ?= 2
PYTEST := -m pytest -n $(WORKERS) --dist worksteal -q
export OMP_NUM_THREADS ?= 1

.PHONY: help demo test test-oracle pages opdb bench bench-ops lint format record clean

help:
	@sed -n 's/^#   //p' Makefile

demo: $(VENV)/.demo
	$(VENV)/bin/python -m seegrad run examples/digits.py

test: $(VENV)/.test
	$(VENV)/bin/python $(PYTEST) $(ARGS)

test-oracle: $(ORACLE)/.oracle
	SEEGRAD_ORACLE=required $(ORACLE)/bin/python $(PYTEST) $(ARGS)

pages: $(ORACLE)/.oracle
	$(ORACLE)/bin/python -m tests.pages

opdb: $(ORACLE)/.oracle
	$(ORACLE)/bin/python -W ignore -m tests.opdb.account $(ARGS)
	$(ORACLE)/bin/python -W ignore -m tests.opdb.dtypes
	$(ORACLE)/bin/python -W ignore -m tests.opdb.errors

bench: $(ORACLE)/.bench
	$(ORACLE)/bin/python benchmarks/bench.py $(ARGS)

bench-ops: $(ORACLE)/.bench
	$(ORACLE)/bin/python benchmarks/operators.py $(ARGS)

lint: $(VENV)/.dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy --strict src

format: $(VENV)/.dev
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

record: $(ORACLE)/.oracle
	$(ORACLE)/bin/python tests/record.py

clean:
	rm -rf $(VENV) $(ORACLE) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist

# `python -m venv` leaves pyvenv.cfg last but one, so it stands for a whole environment.
$(VENV)/pyvenv.cfg $(ORACLE)/pyvenv.cfg:
	@if [ -z "$(PYTHON)" ]; then echo 'seegrad needs Python 3.11 or later: make PYTHON=/path/to/python3.11 ...' >&2; exit 1; fi
	$(PYTHON) -m venv --clear $(@D)
	$(@D)/bin/python $(PIP_INSTALL) --upgrade pip

$(VENV)/.demo: $(VENV)/pyvenv.cfg pyproject.toml
	$(@D)/bin/python $(PIP_INSTALL) --editable '.[demo]'
	@touch $@

$(VENV)/.test: $(VENV)/pyvenv.cfg pyproject.toml
	$(@D)/bin/python $(PIP_INSTALL) --editable '.[demo,files,plot,test,viz]'
	@touch $@

$(VENV)/.dev: $(VENV)/pyvenv.cfg pyproject.toml
	$(@D)/bin/python $(PIP_INSTALL) --editable '.[dev]'
	@touch $@

$(ORACLE)/.oracle: $(ORACLE)/pyvenv.cfg pyproject.toml
	$(@D)/bin/python $(PIP_INSTALL) --editable '.[browser,demo,files,interop,oracle,test,viz]'
	@touch $@

$(ORACLE)/.bench: $(ORACLE)/pyvenv.cfg pyproject.toml
	$(@D)/bin/python $(PIP_INSTALL) --editable '.[bench,demo,viz]'
	@touch $@
