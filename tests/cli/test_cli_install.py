"""The command line as it is installed: quick to start, and clear about what is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli_helpers import Captured, run


def test_help_is_quick_to_load() -> None:
    """What takes long to import is not imported before it is needed."""
    heavy = {"numpy", "sklearn", "scipy", "pandas", "polars", "pyarrow", "narwhals", "matplotlib"}
    for arguments in (["--help"], ["--version"], ["fit", "--help"]):
        program = (
            "import sys; from surelist.cli import main; code = main(sys.argv[1:]);"
            "print(code, *sorted({m.split('.')[0] for m in sys.modules}), file=sys.stderr)"
        )
        finished = subprocess.run(
            [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
        )
        code, *modules = finished.stderr.split()
        assert code == "0"
        assert heavy.isdisjoint(modules), heavy & set(modules)


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_missing_libraries_are_named(missing: str) -> None:
    program = (
        f"import sys; sys.modules['{missing}'] = None\n"
        "from surelist.cli import main; sys.exit(main(['--version']))"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert finished.returncode == 2
    assert finished.stderr == (
        f"surelist: the command line needs {missing}, which is missing: pip install rich typer\n"
    )


def test_without_pyarrow_parquet_is_refused_with_a_remedy(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    path.write_bytes(b"PAR1")
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from surelist.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "fit", str(path), "-l", "y"]
    finished = subprocess.run(command, capture_output=True, text=True)
    assert finished.returncode == 2
    assert finished.stderr.endswith("needs pyarrow: pip install 'surelist[parquet]'\n")


def test_a_base_install_can_fit_a_csv_file(people: Path) -> None:
    program = (
        "import sys\n"
        "for name in ('pandas', 'polars', 'pyarrow', 'matplotlib'): sys.modules[name] = None\n"
        "from surelist.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "fit", str(people), "-l", "member", "--json"]
    finished = subprocess.run(command, capture_output=True, text=True)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert json.loads(finished.stdout)["status"] == "optimal"


def test_completion_is_offered(capfd: Captured) -> None:
    environment = {"_SURELIST_COMPLETE": "complete_bash", "COMP_WORDS": "surelist fi"}
    environment |= {"COMP_CWORD": "1", "_TYPER_COMPLETE_ARGS": "surelist fi"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        with pytest.raises(SystemExit):
            run(capfd)
    assert capfd.readouterr().out.split() == ["fit"]


def test_the_program_is_installed() -> None:
    from importlib.metadata import entry_points

    (script,) = entry_points(group="console_scripts", name="surelist")
    assert script.value == "surelist.cli:main"
