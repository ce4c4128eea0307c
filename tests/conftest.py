"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from corels_files import Files
from hypothesis import settings

# Pictures are drawn without a display, whatever the machine has.
os.environ["MPLBACKEND"] = "agg"

_BESIDE_THE_REPOSITORY = Path(__file__).resolve().parents[2] / "shared" / "data"


# How long an example takes depends on what else the machine does.
settings.register_profile("surelist", deadline=None)
settings.load_profile("surelist")

# Files of slow tests, which start servers, browsers and commands, or look for faults at random. A
# slow test among quick ones is marked itself.
SLOW_FILES = {
    *("checker/test_forge", "checker/test_odd_headers", "checker/test_seeded_fault"),
    *("checker/test_verify", "checker/test_verify_csv", "checker/test_verify_hostile"),
    *("core/test_core_cpp", "core/test_large_numbers", "core/test_lengths", "core/test_optimum"),
    *("cli/test_cli_imports", "plot/test_plot", "problem/test_demands", "search/test_limits"),
    *("estimators/near_optimal/test_search", "estimators/path/test_search_demands"),
    *("search/test_unwritten", "sources/duckdb/test_sources", "tables/test_readers_agree"),
    *("cli/test_cli_install", "cli/test_cli_proofs", "cli/test_resume"),
    *("cli/test_cli_streams", "cli/test_cli_terminal"),
    *("estimators/test_cross_validation", "estimators/test_estimator_checks"),
    *("estimators/test_fuzz_api", "search/test_work_limit"),
    *("repo/test_benchmarks", "repo/test_benchmarks_keel", "repo/test_big", "repo/test_demo"),
    *("repo/test_docs", "repo/test_docs_cli", "repo/test_examples", "repo/test_experiments"),
    *("repo/test_oracle", "repo/test_package", "repo/test_scale_simulation"),
    *(
        "search/cluster/test_coordinator",
        "search/cluster/test_coordinator_losses",
        "sources/test_dask",
    ),
    *("web/test_web_browser", "web/test_web_folder", "web/test_web_kept", "web/test_web_load"),
    *("audit/test_bundle", "web/test_web_audits", "web/test_web_stories"),
    *("web/test_web_runs", "web/test_web_security", "web/test_web_uploads"),
    *("web/test_web_numbers", "web/test_web_rivals", "web/test_web_understand"),
    *("web/test_alternatives", "web/test_fair_front", "web/test_web_screens"),
    *("web/test_outlook", "web/test_web_watch"),
    "runs/test_python_lines",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow = {Path(__file__).parent / f"{name}.py" for name in SLOW_FILES}
    for item in items:
        if item.path in slow:
            item.add_marker(pytest.mark.slow)


def _data_folder() -> Path:
    given = os.environ.get("SURELIST_DATA")
    return Path(given) if given else _BESIDE_THE_REPOSITORY


def pytest_configure(config: pytest.Config) -> None:
    """Make errors of warnings that are attributed to code of this repository."""
    helpers = [path.stem for path in (Path(__file__).parent / "helpers").glob("*.py")]
    ours = [*("__main__", "benchmarks", "experiments", "surelist", "tests"), *sorted(helpers)]
    config.addinivalue_line("filterwarnings", rf"error:::({'|'.join(ours)})(\.|\Z)")
    # A shell makes its background jobs ignore Ctrl-C, and tests press it in processes of their own.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    folder = _data_folder()
    return f"data sets: {folder}" + ("" if folder.is_dir() else " (absent: their tests skip)")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Files in the CORELS text format, in a folder of a test's own."""
    return Files(tmp_path)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The same for all examples of a property."""
    return Files(tmp_path_factory.mktemp("scratch"))


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real data sets, which are too large to be part of the repository."""
    folder = _data_folder()
    if folder.is_dir():
        return folder
    if os.environ.get("SURELIST_DATA"):
        # Whoever names a folder wants these tests run: a skip would hide the slip.
        pytest.fail(f"SURELIST_DATA is not a folder: {folder}")
    pytest.skip(f"no data sets at {folder}; set SURELIST_DATA to the folder that holds them")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A small table to try commands on."""
    from cli_helpers import write_people

    return write_people(tmp_path)


@pytest.fixture
def people_model(people: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    """The model that ``surelist fit`` makes of it."""
    from cli_helpers import run

    path = people.with_name("model.json")
    finished = run(capfd, "fit", people, "--label", "member", "--drop", "postcode", "-o", path)
    assert (finished.code, finished.err) == (0, "")
    return path


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    """Pictures that a test drew do not pile up."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
