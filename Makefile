# Everything runs inside this project's own virtual environment; nothing is installed by hand.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CORE := $(wildcard core/*.cpp core/*.hpp) CMakeLists.txt pyproject.toml
JOBS ?= 2
FUZZ_PROBLEMS ?= 1000000

.PHONY: demo test lint format fuzz fuzz-certificates bench big experiments docs serve load stubs clean

demo: $(STAMP)           ## fit a certified rule list on an embedded data set
	$(BIN)/python -m surelist.demo

test: $(STAMP)           ## every test
	$(BIN)/pytest -n $(JOBS) -q

lint: $(STAMP)           ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror core/*.cpp core/*.hpp fuzz/*.cpp fuzz/*.hpp
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format -q .
	$(BIN)/clang-format -i core/*.cpp core/*.hpp fuzz/*.cpp fuzz/*.hpp

stubs: $(STAMP)          ## write the typed stub of the C++ module again
	$(BIN)/python -m nanobind.stubgen -q -m surelist._core -o src/surelist/_core.pyi

fuzz: $(STAMP)           ## random problems against brute force, with sanitizers
	JOBS=$(JOBS) PATH=$(CURDIR)/$(BIN):$$PATH fuzz/run $(FUZZ_PROBLEMS)

MUTANTS ?= 10000
fuzz-certificates: $(STAMP)  ## mutated certificates, faulty engines and many more random proofs
	$(BIN)/python tests/mutate.py $(MUTANTS)
	SURELIST_FUZZ_CERTIFICATES=10 $(BIN)/pytest -n $(JOBS) -q tests/test_verify.py tests/test_seeded_fault.py

bench: $(STAMP)          ## speed and counters on the data sets beside the project; BENCH=--help
	$(BIN)/python -m benchmarks.run $(BENCH)

big: $(STAMP)            ## a hundred million generated rows, 3 GB on disk; BIG=--help
	$(BIN)/python -m benchmarks.big $(BIG)

experiments: $(STAMP)    ## the paper's experiments, into build/experiments; EXPERIMENTS=--help
	$(BIN)/python -m experiments.run --jobs $(JOBS) $(EXPERIMENTS)

serve: $(STAMP)          ## the local web page
	$(BIN)/surelist serve $(SERVE)

load: $(STAMP)           ## fifty clients of the web page while two searches run
	SURELIST_LOAD=1 $(BIN)/pytest -q -s tests/test_web_load.py

docs: $(STAMP)           ## the documentation, warnings are errors
	$(BIN)/sphinx-build -W --keep-going -b html -q docs docs/_build/html

$(STAMP): $(CORE)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --upgrade pip
	$(BIN)/pip install -q -e ".[dev]" cmake ninja
	touch $@

clean:
	rm -rf $(VENV) build dist docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis
