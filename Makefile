# The two commands: `make lab` opens the lessons in JupyterLab, `make test` passes every test.
# Both make .venv and install into it when it is missing or pyproject.toml has changed.
# The recipes hold to what GNU and BSD tools share.

PYTHON ?= python3
VENV = .venv
BIN = $(VENV)/bin

# One thread: tests run the same everywhere and do not fight for the cores.
SINGLE_THREADED = OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
PYTEST = $(SINGLE_THREADED) $(BIN)/python -m pytest

.PHONY: help lab test lint quick lessons docs oldest-numpy clean

help:
	@echo "make lab           open the lessons in JupyterLab"
	@echo "make test          lint, types, every test (one builds the site), every lesson twice"
	@echo "make quick         the tests without a browser and without packaging"
	@echo "make docs          build the site: start, concepts, reference"
	@echo "make oldest-numpy  the quick tests on an installed wheel with NumPy 1.26"
	@echo "make clean         remove the virtual environments and all that tests leave behind"

lab: $(VENV)/installed-lab
	$(BIN)/jupyter lab notebooks

test: lint
	$(PYTEST) tests
	$(MAKE) lessons

lint: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/mypy

quick: $(VENV)/installed-test
	$(PYTEST) -m "not browser" --ignore=tests/packaging tests

# Twice: a lesson that passes only in a fresh state, or only sometimes, is not done.
lessons: $(VENV)/installed-test
	$(PYTEST) --nbval notebooks
	$(PYTEST) --nbval notebooks

# Every warning is an error (a test builds the site so too). -E: what the pages show comes from the package.
docs: $(VENV)/installed-test
	$(BIN)/python -m sphinx -W --keep-going -E -q -b html docs docs/_build
	@echo "docs/_build/index.html"

# Not editable, so that what is tested is the wheel. NumPy 1.26 exists for Python 3.10 to 3.12.
OLDEST = .venv-oldest
oldest-numpy:
	rm -rf $(OLDEST)
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet ".[lab,test]" "numpy==1.26.4"
	$(SINGLE_THREADED) $(OLDEST)/bin/pytest -m "not browser" --ignore=tests/packaging tests

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("teachcell needs Python 3.10 or newer" if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed-lab: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[lab]"
	touch $@

$(VENV)/installed-test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[lab,test,docs,dev]"
	touch $(VENV)/installed-lab $@

clean:
	rm -rf $(VENV) $(OLDEST) test-artifacts dist docs/_build docs/reference
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
