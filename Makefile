# make compare   the solver comparison (sets everything up first)
# make test      the tests: on two cores within five minutes after the set-up
# make test-all  these and the slow tests; FULL=1 tries every case of every lemma, not a sample
# make digests   tries every case of every lemma, and stores the digests of their code
# make check     lint, types (of the page's scripts too, if npm is there), spelling, and the packaging
# make docs      the pages, in docs/_build/html; every command and cell on them runs
# make wheel     builds the wheel, installs it alone, and runs the README with it
# make lowest    the quick tests with the lowest versions that pyproject.toml allows
# make models    writes the generated files of models/ anew
# make man       writes the manual page anew
# make bench     the tables and plots behind the README: many hours, see benchmarks/README.md
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools

# pip compiles no modules: Python compiles them on import, and most are never imported.
# Python always stores compiled code, because hundreds of tests start a process.
PIP := pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
INSTALL := $(BIN)/python -m $(PIP)
unexport PYTHONDONTWRITEBYTECODE

PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)

# Commands that compile the kernels and, for the first proof, OR-Tools and pandas, so that the first
# answer is as fast as the next.  They run in parallel, the slowest first.
KERNELS := "optimize 4x4 --objective longest-uncrossed" \
  "optimize 4x5 --start a1 --objective fewest-crossings" \
  "unrank 3x4 3 --method dense" \
  "solve 12x14 --closed --given a1=1,d4=41 --engine windows" \
  "prove 4x14 --closed --evidence refutation" \
  "solve 9x9 --piece wazir --given a1=1,i9=81 --engine windows" \
  "solve 3x4 --engine windows" \
  "unrank 3x4 3 --method frontier" \
  "enumerate 3x4 --unique --count" \
  "prove 4x4" \
  "count 5x6 --closed --method dense" \
  "reference 3x4 --recursion compiled --start a1"
LADDER = $(BIN)/python -c \
  'import networkx, kt_cp; kt_cp.hamiltonian_cycle(networkx.circular_ladder_graph(5000))'

# One test per processor.  Tests that measure time run separately, two at a time: each waits for a
# process, so they do not compete for processors.
PYTEST := $(BIN)/python -m pytest
AT_ONCE := --numprocesses logical --maxprocesses 8
# Slow tests wait for processes and limits, so more of them run at a time.  Some share a browser, a
# cluster or compiled kernels: see tests/support/scheduling.py.
SLOW_AT_ONCE := --numprocesses $(shell expr $(PROCESSORS) \* 3 / 2) --maxprocesses 8 --dist loadgroup
BY_THE_CLOCK := --numprocesses logical --maxprocesses 2
CLOCK = $(shell grep -rl pytest.mark.clock --include='test_*.py' tests)

.PHONY: compare test test-all digests check scripts docs wheel lowest models man bench setup tools clean
.NOTPARALLEL:

compare: $(READY)
	$(BIN)/kt-cp compare

test: $(READY)
	$(PYTEST) $(AT_ONCE) -m "not slow and not clock"
	$(PYTEST) $(BY_THE_CLOCK) -m "not slow and clock" $(CLOCK)

test-all: $(READY)
	$(PYTEST) $(AT_ONCE) -m "not slow and not clock"
	$(PYTEST) $(SLOW_AT_ONCE) -m "slow and not clock"
	$(PYTEST) $(BY_THE_CLOCK) -m clock $(CLOCK)

# tests/support/exhaustive.py explains when an exhaustive test must try all cases.
digests: $(READY)
	FULL=1 $(PYTEST) $(AT_ONCE) -m exhaustive
	$(BIN)/python -m tests.support.exhaustive

# TypeScript checks the scripts of the page, which have types in comments: see jsconfig.json.
TSC := build/typescript/node_modules/.bin/tsc
$(TSC):
	npm install --prefix build/typescript --no-save --no-audit --no-fund --silent typescript@5.9.3

scripts: $(TSC)
	$(TSC) -p jsconfig.json

check: $(TOOLS)
	@if command -v npm > /dev/null; then $(MAKE) scripts; \
	else echo "npm is missing: the scripts of the page are not type-checked" >&2; fi
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/reuse --no-multiprocessing lint --quiet || $(BIN)/reuse lint
	$(BIN)/validate-pyproject pyproject.toml
	$(BIN)/python -m repo_review .
	rm -rf build/dist && mkdir -p build
	$(BIN)/python -m build --no-isolation --outdir build/dist . > build/log 2>&1 || { cat build/log; exit 1; }
	$(BIN)/twine check --strict build/dist/*
	$(BIN)/check-wheel-contents build/dist/*.whl

docs: $(TOOLS)
	$(BIN)/python -m sphinx -W --keep-going -q -j auto -b html docs docs/_build/html

# One tool is only available as source, and needs poetry-core.
$(TOOLS): $(READY)
	$(INSTALL) poetry-core
	$(INSTALL) --no-build-isolation -e '.[check,docs]'
	@touch $@

# The README runs with the wheel alone, without extras, in an empty environment.
wheel: $(READY)
	rm -rf build/wheel build/empty
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation -w build/wheel .
	$(PYTHON) -m venv --without-pip build/empty
	$(BIN)/python -m pip --python build/empty/bin/python $(PIP:pip=) build/wheel/*.whl
	$(BIN)/python -m tests.support.readme build/empty/bin/python

# Lower bounds are read from pyproject.toml.  Some of those versions do not run on Python 3.14.
LOWEST = $$($(BIN)/python -c \
  'import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
   extra = project["optional-dependencies"]; \
   needs = [*project["dependencies"], *extra["web"], *extra["notebook"], *extra["cluster"]]; \
   print(*(need.replace(">=", "==") for need in needs))')
lowest: $(READY)
	rm -rf build/lowest
	$(PYTHON) -m venv build/lowest
	build/lowest/bin/python -m pip install --quiet --disable-pip-version-check \
	  -e '.[test,benchmark]' $(LOWEST)
	build/lowest/bin/python -m pytest $(AT_ONCE) -m "not slow and not clock"

models: $(READY)
	$(BIN)/python -m tests.support.artefacts

man: $(READY)
	$(BIN)/python -m tests.support.man_page

bench: $(READY)
	$(BIN)/python -m benchmarks --plots benchmarks/plots --force

setup: $(READY)

tools: $(TOOLS)

# Build tools come first and from the same list, so that every installed package is pinned.
# Kernels compile as soon as the requirements of the package are installed, in parallel to the rest.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "kt_cp needs Python 3.11 or later, and $(PYTHON) is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) setuptools wheel
	$(INSTALL) $$($(BIN)/python -c \
	  'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"])')
	@$(LADDER) & ladder=$$!; \
	{ echo '$(PIP) --no-build-isolation -e .[test,benchmark]'; printf 'kt_cp %s\n' $(KERNELS); } | \
	  xargs -P $(PROCESSORS) -I '{}' sh -c \
	  'output=$$($(BIN)/python -m {} 2>&1) || { echo "{}: $$output" >&2; exit 1; }' && wait $$ladder
	@touch $(READY)

clean:
	rm -rf $(VENV) build dist docs/_build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
