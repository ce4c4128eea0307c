"""The core's containers by themselves: the tests in `tests/core_cpp`, built and run.

The build is kept in `build/core_tests`, so that only what has changed is compiled again.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from repository import ROOT

BUILD = ROOT / "build" / "core_tests"
# The environment's own cmake and ninja come first, as in the Makefile.
TOOLS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
TESTS = ["chunked", "key_table", "key_table_read_while_written", "leb128"]
TESTS += ["queue", "queue_keys", "rule_pool"]


def missing() -> str:
    compilers = [os.environ["CXX"]] if "CXX" in os.environ else ["c++", "g++", "clang++"]
    if shutil.which("cmake", path=TOOLS) is None:
        return "there is no cmake"
    if not any(shutil.which(compiler, path=TOOLS) for compiler in compilers):
        return "there is no C++ compiler"
    return ""


def run(*command: str | Path) -> str:
    done = subprocess.run(
        command,
        env=os.environ | {"PATH": TOOLS},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_containers_of_the_core() -> None:
    generator = ["-G", "Ninja"] if shutil.which("ninja", path=TOOLS) else []
    configure = ["cmake", "-S", str(ROOT), "-B", str(BUILD), "-DSURELIST_TESTS=ON", *generator]
    run(*configure, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1")
    run("cmake", "--build", BUILD, "--target", "core_tests")
    said = run(BUILD / "core_tests")
    assert said.splitlines() == [f"ok      {name}" for name in TESTS]
