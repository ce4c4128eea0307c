"""The build works next year, too: versions are locked, and every command is documented."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
import warnings
from pathlib import Path

import pytest
from repository import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PYTHONS = [
    name.rpartition(" ")[2]
    for name in PROJECT["classifiers"]
    if re.search(r":: Python :: 3\.\d+$", name)
]


def names(requirements: list[str]) -> set[str]:
    """The packages that are required, with those of extras of our own in their place."""
    found = set()
    for requirement in requirements:
        name, _, chosen = re.findall(r"^([\w.-]+)(\[([\w,]+)\])?", requirement)[0]
        if name == "surelist":
            found |= {each for extra in chosen.split(",") for each in names(EXTRAS[extra])}
        else:
            found.add(re.sub(r"[-_.]+", "-", name).lower())
    return found


def locked(file: Path) -> dict[str, list[str]]:
    """The packages that a file locks, and the lines about each."""
    found: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            current = found.setdefault(line.partition("==")[0], [])
        current.append(line)
    return found


def phony() -> set[str]:
    declared = re.search(r"^\.PHONY: ((?:.*\\\n)*.*)$", MAKEFILE, re.M)
    assert declared is not None
    return set(declared[1].replace("\\\n", " ").split())


def test_every_command_of_the_makefile_says_what_it_does() -> None:
    assert set(re.findall(r"^([a-z-]+):.*##", MAKEFILE, re.M)) == phony()
    assert set(re.findall(r"^([a-z-]+):(?!=)", MAKEFILE, re.M)) == phony()


def test_the_page_for_contributors_has_every_command_of_the_makefile() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `make ([a-z-]+)` \| .+ \|$", text, re.M)
    assert sorted(rows) == sorted(phony())


@pytest.mark.parametrize("file", LOCKS, ids=lambda file: file.stem)
def test_locked_versions_have_hashes_and_no_address(file: Path) -> None:
    for name, lines in locked(file).items():
        assert re.match(r"[\w.-]+==\S+", lines[0]), name
        assert sum("--hash=sha256:" in line for line in lines) >= 1, name
    assert "://" not in file.read_text(encoding="utf-8")


def test_everything_that_is_required_is_locked() -> None:
    direct = names(PROJECT["dependencies"])
    by_name = {file.stem: set(locked(file)) for file in LOCKS}
    assert set(by_name) == {"dev", "oldest"}
    assert direct | names(EXTRAS["dev"]) <= by_name["dev"], "run `make lock`"
    assert direct | names(EXTRAS["test"]) | names(EXTRAS["build"]) <= by_name["oldest"]


def test_lower_bounds_are_those_that_are_tested() -> None:
    oldest = locked(ROOT / "requirements" / "oldest.txt")
    for requirement in {*PROJECT["dependencies"], *EXTRAS["test"], *EXTRAS["all"]}:
        if bound := re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", requirement):
            version = oldest[bound[1]][0].partition("==")[2].split()[0]
            assert re.match(rf"{re.escape(bound[2])}(?:\.|$)", version), requirement


def test_all_has_every_extra_that_a_user_may_want() -> None:
    # In pyproject.toml, those for users stand before it, and those for contributors after it.
    for_users = list(EXTRAS)[: list(EXTRAS).index("all")]
    assert EXTRAS["all"] == [f"surelist[{','.join(for_users)}]"]


def test_what_the_build_needs_is_what_contributors_install() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(settings["build-system"]["requires"]) <= set(EXTRAS["build"])


def test_javascript_packages_are_locked_without_an_address() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: about for name, about in lock["packages"].items() if name}
    assert len(packages) > 10
    for name, about in packages.items():
        assert about["integrity"].startswith("sha512-"), name
        assert "resolved" not in about, name
    wanted = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert wanted == {name: packages[f"node_modules/{name}"]["version"] for name in wanted}


def test_python_versions_agree() -> None:
    assert PYTHONS == ["3.11", "3.12", "3.13", "3.14"]
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    workflow = ROOT / ".github" / "workflows" / "test.yml"
    if not workflow.exists():
        pytest.skip("a source archive has no workflows")
    tested = re.search(r"python: \[(.+)\]", workflow.read_text(encoding="utf-8"))
    assert tested is not None
    assert re.findall(r'"([\d.]+)"', tested[1]) == PYTHONS


def test_actions_are_pinned_by_commit_and_call_targets_that_exist() -> None:
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    if not workflows:
        pytest.skip("a source archive has no workflows")
    targets = set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))
    for path in workflows:
        text = path.read_text(encoding="utf-8")
        for action in re.findall(r"uses: (.+)", text):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", action), action
        for target in re.findall(r"run: make ([\w-]+)", text):
            assert target in targets, f"{path.name}: make {target}"
    tested = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    for needed in ("test", "test LOCK=requirements/oldest.txt", "test LOCK=", "thread-safety"):
        assert f"run: make {needed} JOBS=4" in tested, needed
    assert "run: make proof" in tested


def test_files_of_slow_tests_exist() -> None:
    conftest = runpy.run_path(str(ROOT / "tests" / "conftest.py"))
    for name in conftest["SLOW_FILES"]:
        assert (ROOT / "tests" / f"{name}.py").is_file(), name


def warn_in(module: str) -> None:
    exec("import warnings\nwarnings.warn('old', DeprecationWarning)", {"__name__": module})


@pytest.mark.parametrize(
    "module", ["surelist", "surelist.cli.fit", "tests.core.test_mine", "oracle"]
)
def test_a_warning_in_our_own_code_is_an_error(module: str) -> None:
    with pytest.raises(DeprecationWarning):
        warn_in(module)


@pytest.mark.parametrize("module", ["pandas.core.frame", "surelisted", "oracledb"])
def test_a_warning_in_the_code_of_others_is_none(module: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warn_in(module)
    assert [str(each.message) for each in caught] == ["old"]
