# Two commands for people: `make run` and `make test`. Both make what they need the first time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_ARGS ?=
INSTALL_ARGS ?=
LOCKED := build/install
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: run demo test test-long check bench bench-recorder bench-soak kills firmware build deb install uninstall clean help

help:
	@echo "make run         set up, then start the daemon on the virtual board (prints the page's address)"
	@echo "make demo        a game with a few irregularities, drawn in the terminal"
	@echo "make test        set up, then run the tests"
	@echo "make test-long   the same with many more cases"
	@echo "make check       ruff and mypy --strict"
	@echo "make bench       measure, side by side with python-chess; writes BENCHMARKS.md"
	@echo "make firmware    the firmware for microcontrollers (Debian's gcc-avr)"
	@echo "make build       the wheel, in dist/"
	@echo "make install     install the service on this machine (asks for the board; sudo)"
	@echo "make deb         a package for Debian and Raspberry Pi OS, in dist/"
	@echo "make kills       kill the daemon a thousand times in the middle of games"
	@echo "make bench-soak  a day of games in minutes, and the memory meanwhile"

# pyproject.toml is what decides the environment, so a changed one renews it.
$(VENV)/made-run: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "touchmove needs Python 3.11 or newer, $(PYTHON) is $$($(PYTHON) --version): set PYTHON=/path/to/python3"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "could not make a virtual environment: on Debian and Raspberry Pi OS run: sudo apt-get install python3-venv"; exit 2; }
	@test -x $(BIN)/pip || { rm -rf $(VENV); \
	  echo "the virtual environment has no pip: on Debian and Raspberry Pi OS run: sudo apt-get install python3-venv, then make again"; exit 2; }
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/made-test: $(VENV)/made-run
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

$(VENV)/made-dev: $(VENV)/made-test
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,dev]'
	@touch $@

run: $(VENV)/made-run
	@exec $(BIN)/touchmove run --board virtual $(RUN_ARGS)

demo: $(VENV)/made-run
	@exec $(BIN)/touchmove demo $(RUN_ARGS)

test: $(VENV)/made-test
	$(BIN)/python -m pytest -m "not long"

test-long: $(VENV)/made-test
	$(BIN)/python -m pytest

check: $(VENV)/made-dev
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/made-test
	$(BIN)/python -m benchmarks

bench-recorder: $(VENV)/made-test
	$(BIN)/python -m benchmarks.recorder

firmware:
	$(MAKE) -C hardware/firmware

build: $(VENV)/made-dev
	$(BIN)/python -m build --wheel --outdir dist

# What runs as root is installed by the lock (board_driver/installing/locks), file by file with its hash.
$(LOCKED)/made: pyproject.toml $(wildcard board_driver/installing/locks/*.txt)
	$(PYTHON) -m venv $(LOCKED)
	$(LOCKED)/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement board_driver/installing/locks/service.txt
	$(LOCKED)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

install: $(LOCKED)/made
	$(SUDO) $(LOCKED)/bin/touchmove install $(INSTALL_ARGS)

uninstall: $(LOCKED)/made
	$(SUDO) $(LOCKED)/bin/touchmove uninstall $(INSTALL_ARGS)

deb: $(VENV)/made-dev
	$(BIN)/python -m build --wheel --outdir dist
	.ci/deb dist

kills: $(VENV)/made-test
	$(BIN)/python -m benchmarks.kills --kills 1000

bench-soak: $(VENV)/made-test
	$(BIN)/python -m benchmarks.soak

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
