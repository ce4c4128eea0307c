"""The page's scripts: their pure functions, by node's own test runner."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from repository import ROOT

SCRIPTS = ROOT / "src" / "surelist" / "web" / "static" / "js"
TESTS = ROOT / "tests" / "web" / "js"


@pytest.mark.slow
def test_the_pure_functions_of_the_scripts() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on this machine: the scripts' functions are not tested")
    files = sorted(str(path) for path in TESTS.glob("*.test.js"))
    finished = subprocess.run([node, "--test", *files], cwd=ROOT, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout
    assert int(re.findall(r"^\D*pass (\d+)$", finished.stdout, re.M)[0]) >= len(files)


def test_a_script_and_its_test_have_the_same_name() -> None:
    scripts = {path.stem for path in SCRIPTS.glob("*.js")}
    assert {path.name.removesuffix(".test.js") for path in TESTS.iterdir()} <= scripts
