# Everything runs inside this project's own virtual environment; nothing is installed by hand.
PYTHON ?= python3
# The versions to install: the locked ones, requirements/oldest.txt, or with LOCK= the newest that there are.
LOCK ?= requirements/dev.txt
VARIANT := $(if $(filter requirements/dev.txt,$(LOCK)),,-$(or $(basename $(notdir $(LOCK))),newest))
VENV := .venv$(VARIANT)
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CORE := $(wildcard core/*/*.cpp core/*/*.hpp checker/*.cpp checker/*.hpp) CMakeLists.txt pyproject.toml
JOBS ?= 2
# Each process gets a row of neighbouring tests, which share the servers and browsers that they start.
PYTEST = $(BIN)/pytest -n $(JOBS) --dist worksteal -q
FUZZ_PROBLEMS ?= 1000000
# Tests start hundreds of commands, each of which would compile the package again.
unexport PYTHONDONTWRITEBYTECODE
NPM ?= $(shell command -v npm)

.PHONY: demo test quick coverage lint lint-js format stubs lock fuzz fuzz-api fuzz-certificates cluster hosts kills \
	scale bench tables cuts big near-optimal near-optimal-bench experiments serve load pagekills docs wheel thread-safety \
	proof fuzz-verified fairness fuzz-fairness clean

demo: $(STAMP)           ## fit a certified rule list on an embedded data set
	$(BIN)/python -m surelist.demo

test: $(STAMP)           ## every test
	$(PYTEST)

quick: $(STAMP)          ## the tests to run while working, in less than a minute: all but the slow ones
	$(PYTEST) -m "not slow"

coverage: $(STAMP)       ## every test, and which lines of the package none of them runs
	$(PYTEST) --cov --cov-report=term-missing:skip-covered --cov-fail-under=95

lint: $(STAMP) lint-js   ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror core/*/*.cpp core/*/*.hpp checker/*.cpp checker/*.hpp fuzz/*.cpp fuzz/*.hpp tests/core_cpp/*
	$(BIN)/mypy

CLANGXX ?= clang++
LOCKED := $(filter-out core/count/% core/bindings/%,$(wildcard core/*/*.cpp))
thread-safety:           ## Clang checks the lock discipline of the core; CLANGXX names another clang++
	@command -v $(CLANGXX) >/dev/null || { echo "make thread-safety needs Clang: apt-get install clang" >&2; exit 2; }
	printf '%s\n' $(LOCKED) | xargs -P $(JOBS) -n 1 $(CLANGXX) -std=c++20 -Icore -fsyntax-only -Wthread-safety -Werror

lint-js:                 ## the web page's scripts, where there is npm
ifneq ($(NPM),)
lint-js: node_modules/.package-lock.json
	node_modules/.bin/eslint .
else
	@echo "npm is not installed: JavaScript is not checked" >&2
endif

# The tests in a browser try every screen with axe-core.
ifneq ($(NPM),)
test quick coverage: node_modules/.package-lock.json
endif

node_modules/.package-lock.json: package-lock.json
	$(NPM) ci

format: $(STAMP)         ## what ruff and clang-format can put right by themselves
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format -q .
	$(BIN)/clang-format -i core/*/*.cpp core/*/*.hpp checker/*.cpp checker/*.hpp fuzz/*.cpp fuzz/*.hpp tests/core_cpp/*

stubs: $(STAMP)          ## write the typed stubs of the C++ modules again
	$(BIN)/python -m nanobind.stubgen -q -m surelist._core -o src/surelist/_core.pyi
	$(BIN)/python -m nanobind.stubgen -q -m surelist._checker -o src/surelist/_checker.pyi

fuzz: $(STAMP)           ## random problems against brute force, with sanitizers
	JOBS=$(JOBS) PATH=$(CURDIR)/$(BIN):$$PATH fuzz/run $(FUZZ_PROBLEMS)

FUZZ_SECONDS ?= 3600
FUZZ_SEED ?= 0
fuzz-api: $(STAMP)       ## random uses of the public interface against brute force
	$(BIN)/python tests/helpers/fuzz_api.py $(FUZZ_SECONDS) $(FUZZ_SEED)

NEAR_OPTIMAL ?= 2000
NEAR_OPTIMAL_PROOFS ?= 500
near-optimal-bench: $(STAMP)  ## sets of lists on real data, beside TreeFARMS; NEAR_OPTIMAL_BENCH=--help
	$(BIN)/python -m benchmarks.near_optimal $(NEAR_OPTIMAL_BENCH)

near-optimal: $(STAMP)   ## whole sets of near-optimal lists against brute force, their proofs against forgeries
	$(BIN)/python tests/helpers/near_optimal_check.py $(NEAR_OPTIMAL)
	$(BIN)/python tests/helpers/near_optimal_proofs.py $(NEAR_OPTIMAL_PROOFS)

MUTANTS ?= 10000
FORGERIES ?= 100000
fuzz-certificates: $(STAMP)  ## mutated and forged certificates, faulty engines and many more random proofs
	$(BIN)/python tests/helpers/mutate.py $(MUTANTS)
	$(BIN)/python tests/helpers/forge.py $(FORGERIES)
	$(BIN)/python tests/helpers/forge_cuts.py $(MUTANTS)
	$(BIN)/python tests/helpers/odd_headers.py $(MUTANTS)
	SURELIST_FUZZ_CERTIFICATES=10 $(PYTEST) tests/checker/test_verify.py tests/checker/test_seeded_fault.py

FAIRNESS ?=
fairness: $(STAMP)       ## certified fronts of fair lists on COMPAS, German credit and adult
	$(BIN)/python -m benchmarks.fairness $(FAIRNESS)

FAIR_PROBLEMS ?= 2000
fuzz-fairness: $(STAMP)  ## fair lists against brute force, for each metric
	$(BIN)/python tests/helpers/fair_problems.py $(FAIR_PROBLEMS)
	$(BIN)/python tests/helpers/fair_certify.py $(FAIR_PROBLEMS)

cluster: $(STAMP)        ## COMPAS and NYCLU on a local Dask cluster, with workers killed; CLUSTER=--help
	$(BIN)/python -m benchmarks.cluster --kills 3 $(CLUSTER)

hosts: $(STAMP)          ## a search on hosts in network namespaces, one of which is cut off; needs root
	$(BIN)/python -m benchmarks.hosts

KILLS ?= 50
kills: $(STAMP)          ## kill searches at random moments and resume each from its checkpoint
	$(BIN)/python tests/helpers/kills.py $(KILLS)

scale: $(STAMP)          ## how far one search scales over a cluster: measured and simulated
	$(BIN)/python -m benchmarks.scale_simulation

bench: $(STAMP)          ## speed and counters on the data sets beside the project; BENCH=--help
	$(BIN)/python -m benchmarks.run $(BENCH)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.proofs

tables: $(STAMP)         ## real tables with the defaults, beside other packages; TABLES=--help
	$(BIN)/python -m benchmarks.keel.run $(TABLES)

cuts: $(STAMP)           ## rule lists over all cuts beside optimal trees over all thresholds; CUTS=--help
	$(BIN)/python -m benchmarks.cuts.run $(CUTS)

big: $(STAMP)            ## a hundred million generated rows, 3 GB on disk; BIG=--help
	$(BIN)/python -m benchmarks.big $(BIG)

experiments: $(STAMP)    ## the paper's experiments, into build/experiments; EXPERIMENTS=--help
	$(BIN)/python -m experiments.run --jobs $(JOBS) $(EXPERIMENTS)

serve: $(STAMP)          ## the local web page
	$(BIN)/surelist serve $(SERVE)

load: $(STAMP)           ## fifty clients of the web page while two searches run
	SURELIST_LOAD=1 $(BIN)/pytest -q -s tests/web/test_web_load.py

pagekills: $(STAMP)      ## kill the web page and its searches at random moments: nothing shown is lost
	SURELIST_KILLS=60 $(BIN)/pytest -q tests/web/test_web_kept.py -k kills

proof:                   ## check the proof of the verified checker with Coq, and compile it into $(BIN)
	proof/build build/proof $(BIN)/surelist-verified

VERIFIED ?= 2500
fuzz-verified: $(STAMP)  ## valid, mutated and forged certificates for all three checkers, which have to agree
	$(BIN)/python tests/helpers/three_checkers.py $(VERIFIED)

docs: $(STAMP)           ## the documentation, warnings are errors
	$(BIN)/sphinx-build -W --keep-going -b html -q docs docs/_build/html

wheel: $(STAMP)          ## source archive and wheel into dist, tried in an empty environment
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python release/check.py dist

$(VENV)/.locked: $(LOCK)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q $(if $(LOCK),--require-hashes -r $(LOCK),--upgrade ".[dev]")
	touch $@

$(STAMP): $(CORE) $(VENV)/.locked
	$(BIN)/pip install -q --no-deps --no-build-isolation -e . \
		--config-settings="build-dir=build/{wheel_tag}$(VARIANT)"
	touch $@

# The hashes are of all files of a version: they hold on every platform, and wherever the files come from.
COMPILE = $(BIN)/uv pip compile pyproject.toml -q --upgrade --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make lock"
lock: $(STAMP)           ## look for the newest versions of all requirements, and for the oldest allowed
	$(COMPILE) --extra dev -o requirements/dev.txt
	$(COMPILE) --extra build --extra test --resolution lowest-direct -o requirements/oldest.txt

clean:                   ## remove everything that was made here
	rm -rf .venv .venv-* node_modules build dist docs/_build docs/examples .pytest_cache .mypy_cache .ruff_cache .hypothesis
