"""What is released is complete, and the automation calls targets that exist."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT

import surelist

CHECK = runpy.run_path(str(ROOT / "release" / "check.py"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def names_of_sdist() -> list[str]:
    return [f"surelist-0.1.0/{name}" for name in CHECK["_IN_SDIST"]]


def names_of_wheel() -> list[str]:
    metadata = [f"surelist-0.1.0.dist-info/{name}" for name in ("METADATA", "licenses/LICENSE")]
    return [*CHECK["_IN_WHEEL"], "surelist/_core.abi3.so", "surelist/_checker.abi3.so", *metadata]


def test_complete_archives_are_accepted() -> None:
    assert CHECK["problems_of_sdist"](names_of_sdist()) == []
    assert CHECK["problems_of_wheel"](names_of_wheel()) == []


@pytest.mark.parametrize(
    "name", ["build/x.o", ".ci/run", "docs/_build/index.html", "data/compas.csv.gz", "dist/a"]
)
def test_what_does_not_belong_into_the_source_archive_is_noticed(name: str) -> None:
    problems = CHECK["problems_of_sdist"]([*names_of_sdist(), f"surelist-0.1.0/{name}"])
    assert problems == [f"{name} is inside"]


@pytest.mark.parametrize(
    "name", ["tests/helpers/oracle.py", "surelist/core/search/search.cpp", "lib/a.a"]
)
def test_what_does_not_belong_into_the_wheel_is_noticed(name: str) -> None:
    assert CHECK["problems_of_wheel"]([*names_of_wheel(), name]) == [f"{name} is inside"]


def test_what_is_missing_is_noticed() -> None:
    wheel = [name for name in names_of_wheel() if "_core.abi3" not in name]
    assert CHECK["problems_of_wheel"](wheel) == ["surelist/_core is missing"]
    assert "LICENSE is missing" in CHECK["problems_of_sdist"](names_of_sdist()[1:])


def test_the_smoke_test_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert runpy.run_path(str(ROOT / "release" / "smoke.py"))["main"]() == 0
    assert capsys.readouterr().out.startswith(f"surelist {surelist.__version__} in ")


def test_the_version_stands_in_one_place() -> None:
    assert PROJECT["project"]["version"] == surelist.__version__
    assert not re.search(r"^version:", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)


@pytest.mark.skipif(not WORKFLOWS, reason="a source archive has no workflows")
def test_workflows_call_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = set(re.findall(r"^([a-z-]+):", makefile, re.M)) | {".venv/.installed"}
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    called = set(re.findall(r"run: make (\S+)", text))
    assert {"test", "lint", "docs", "coverage", "wheel"} <= called <= known
    assert "secrets." not in text


@pytest.mark.skipif(not WORKFLOWS, reason="a source archive has no workflows")
def test_actions_are_pinned_by_commit() -> None:
    for path in WORKFLOWS:
        for used in re.findall(r"uses: (.+)", path.read_text(encoding="utf-8")):
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+(\.\d+)*", used), used


def test_stable_abi_wheels_are_built_for_the_first_python_that_has_them() -> None:
    settings: dict[str, Any] = PROJECT["tool"]
    assert settings["scikit-build"]["wheel"]["py-api"] == "cp312"
    assert settings["cibuildwheel"]["build"] == ["cp311-*", "cp312-*"]
    assert PROJECT["project"]["requires-python"] == ">=3.11"
    assert Path(ROOT / "cmake" / "clang_cl.cmake").is_file()
