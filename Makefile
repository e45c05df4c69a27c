# make compare   the solver comparison (sets everything up first)
# make test      all tests; make quick leaves out the slow ones
# make check     lint and types
# make models    writes the generated files of models/ anew
# make bench     the tables and plots behind the README: some two hours, see benchmarks/README.md
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: compare test quick check models bench setup clean

compare: $(READY)
	$(BIN)/kt-cp compare

test: $(READY)
	$(BIN)/python -m pytest

quick: $(READY)
	$(BIN)/python -m pytest -m "not slow"

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

models: $(READY)
	$(BIN)/python -m tests.artefacts

bench: $(READY)
	$(BIN)/python -m benchmarks --plots benchmarks/plots --force

setup: $(READY)

# Build tools come first and from the same list, so that nothing is installed that is not pinned.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "kt_cp needs Python 3.11 or later, and $(PYTHON) is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt setuptools wheel
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[test,benchmark]'
	@touch $(READY)

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
