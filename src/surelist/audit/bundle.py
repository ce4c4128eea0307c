"""The audit bundle: one file with all that an auditor needs beside the data.

A bundle is a ZIP archive: the report, the model, the certificate, the checker to read and to run,
and a manifest with the hashes of all of these and of the data, the settings and the versions. The
same run gives the same bytes. Hashes only show that no file was exchanged by mistake; whether the
claim is true, only the checker says.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from surelist import checker
from surelist._common.files import PathLike
from surelist._common.strict_json import DamagedError, parse
from surelist._common.version import version
from surelist.audit.data_hashes import sha256_of_file
from surelist.audit.zip_files import unpack_zip, zip_bytes
from surelist.cuts_checker import is_cut_certificate
from surelist.errors import FormatError, SurelistError
from surelist.every_cut_checker import speaks_of_every_cut
from surelist.runs.relabel import Relabelling

__all__ = [
    "BundleError",
    "UnpackedBundle",
    "bundle_bytes",
    "checkers_of",
    "data_file",
    "unpack_bundle",
]

FORMAT, VERSION = "surelist bundle", 1
_MANIFEST, _SUMS, _README = "manifest.json", "SHA256SUMS", "README.txt"
CERTIFICATE, MODEL, REPORT, CHECKER = "certificate.cert", "model.json", "report.html", "checker.py"
_FOR_CUTS = ("cuts_checker.py", "pairs_checker.py")  # beside it, where all cuts were searched
_EVERY_CUT = "every_cut_checker.py"  # beside these, where every cut is among the antecedents
_HASHED = (_README, CERTIFICATE, MODEL, REPORT, CHECKER, *_FOR_CUTS, _EVERY_CUT)
_NAMES = (_MANIFEST, _SUMS, *_HASHED)
_MOST_MANIFEST = 1 << 26
_MOST_UNPACKED = 1 << 34

_TEXT = """\
{title}

This is an audit bundle of Surelist {version}. It holds everything about one rule list but the data.

  report.html        what was learned, how well it does, settings, hashes: open it in a browser
  model.json         the model, for surelist predict and surelist explain
  certificate.cert   the proof
  checker.py         the checker of the proof, one file to read; it needs Python and numpy{beside}
  manifest.json      hashes of these files and of the data, settings, versions
  SHA256SUMS         the same hashes, for sha256sum --check

One command checks all of it, with the data at hand:

  {command}

It says what is proven, or what does not fit. Without installing Surelist, unpack the bundle and run

  {alone}

What is not proven: that the data are right, that the columns were known before the outcome, that
the list does as well on other rows, or that it is fair. The report says what was measured of that.
"""

_CUTS_TEXT = """
  cuts_checker.py    the part of it for proofs over all cuts, which is the one to run
  pairs_checker.py   the part of that for two cuts in a rule"""
_EVERY_CUT_TEXT = """
  every_cut_checker.py    the part of it that looks for every cut, which is the one to run
  cuts_checker.py, pairs_checker.py    parts of that"""


class BundleError(SurelistError, ValueError):
    """A bundle whose parts do not belong together; the message is the reason."""


@dataclass(frozen=True)
class UnpackedBundle:
    """An unpacked bundle, whose files are those that the manifest names.

    Attributes
    ----------
    folder : Path
    manifest : dict
    names : set of str
        The files that it holds.
    """

    folder: Path
    manifest: dict[str, Any]
    names: set[str]

    @property
    def certificate(self) -> Path:
        """The proof."""
        return self.folder / CERTIFICATE

    @property
    def model(self) -> Path | None:
        """The model, if there is one."""
        return self.folder / MODEL if MODEL in self.names else None

    @property
    def data(self) -> dict[str, Any]:
        """The manifest's entry about the data; empty where that entry is missing or malformed."""
        found = self.manifest.get("data")
        return found if isinstance(found, dict) else {}

    @property
    def label(self) -> str | None:
        """The column of labels, as the manifest names it."""
        found = self.data.get("label")
        return found if isinstance(found, str) else None

    @property
    def relabelling(self) -> Relabelling:
        """How the column became the labels."""
        return Relabelling.from_dict(self.data.get("relabel"))

    @property
    def missing(self) -> list[str]:
        """Texts that stand for no value in the data."""
        found = self.data.get("missing")
        return [text for text in found if isinstance(text, str)] if isinstance(found, list) else []


def data_file(path: PathLike, name: str) -> dict[str, Any]:
    """Describe a file of data for the manifest."""
    return {"name": name, "sha256": sha256_of_file(path), "bytes": Path(path).stat().st_size}


def checkers_of(certificate: bytes) -> tuple[str, ...]:
    """Return the files that check a certificate without the package; the first is to be run."""
    if is_cut_certificate(certificate):
        return (*_FOR_CUTS, CHECKER)
    if speaks_of_every_cut(certificate):
        return (_EVERY_CUT, *_FOR_CUTS, CHECKER)
    return (CHECKER,)


def bundle_bytes(
    certificate: bytes,
    model: bytes,
    report: str,
    about: Mapping[str, Any],
    commands: Sequence[str],
) -> bytes:
    """Return the bundle of a run.

    Parameters
    ----------
    certificate, model, report
        What the files hold.
    about : mapping
        For the manifest: "title", "claim", "data", "settings".
    commands : sequence of str
        How to check the bundle, and how without the package.
    """
    folder = Path(checker.__file__).parent
    own = {name: (folder / name).read_bytes() for name in checkers_of(certificate)}
    beside = {_FOR_CUTS[0]: _CUTS_TEXT, _EVERY_CUT: _EVERY_CUT_TEXT}
    readme = _TEXT.format(
        title=about["title"],
        version=version(),
        command=commands[0],
        alone=commands[1],
        beside=beside.get(next(iter(own)), ""),
    )
    files = {
        CERTIFICATE: certificate,
        MODEL: model,
        REPORT: report.encode(),
        **own,
        _README: readme.encode(),
    }
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "versions": {"surelist": version(), "python": platform.python_version(), **_numpy()},
        "check": list(commands),
        "files": {
            name: {"sha256": hashes[name], "bytes": len(data)} for name, data in files.items()
        },
        **about,
    }
    text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    files[_MANIFEST] = text.encode() + b"\n"
    hashes[_MANIFEST] = hashlib.sha256(files[_MANIFEST]).hexdigest()
    files[_SUMS] = _sums(hashes)
    return zip_bytes(files)


def _sums(hashes: Mapping[str, str]) -> bytes:
    """Return hashes as ``sha256sum --check`` reads them."""
    return "".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes)).encode()


def _numpy() -> dict[str, str]:
    import numpy as np

    return {"numpy": np.__version__}


def unpack_bundle(path: PathLike, folder: Path) -> UnpackedBundle:
    """Unpack a bundle into an empty folder.

    Raises
    ------
    FormatError
        For a file that is no bundle.
    BundleError
        For a bundle whose files are not those that its manifest and its list of hashes name.
    """
    names = unpack_zip(path, folder, _NAMES, _MOST_UNPACKED)
    for name in (_MANIFEST, CERTIFICATE):
        if name not in names:
            raise FormatError(f"it holds no {name}: this is no audit bundle", path)
    if (folder / _MANIFEST).stat().st_size > _MOST_MANIFEST:
        raise FormatError("its manifest is too large", path)
    manifest = _read_manifest((folder / _MANIFEST).read_bytes(), path)
    listed = manifest.get("files")
    if not isinstance(listed, dict):
        raise BundleError("the manifest names no files")
    for name in _HASHED:
        about = listed.get(name)
        if (about is not None) != (name in names):
            raise BundleError(f"{name} is in the bundle or in its manifest, but not in both")
        if about is None:
            continue
        if not isinstance(about, dict) or about.get("sha256") != sha256_of_file(folder / name):
            raise BundleError(f"{name} is not the file that the manifest names (SHA-256 differs)")
    _check_sums(folder, names)
    return UnpackedBundle(folder, manifest, names)


def _check_sums(folder: Path, names: set[str]) -> None:
    """Refuse a list for ``sha256sum --check`` that does not hold the hashes of these files."""
    if _SUMS not in names:
        raise BundleError(f"{_SUMS} is missing")
    hashes = {name: sha256_of_file(folder / name) for name in names - {_SUMS}}
    if (folder / _SUMS).read_bytes() != _sums(hashes):
        raise BundleError(f"{_SUMS} does not have the hashes of the files in the bundle")


def _read_manifest(data: bytes, path: PathLike) -> dict[str, Any]:
    try:
        manifest = parse(data.decode()).value
    except (DamagedError, ValueError) as error:
        raise FormatError(f"its manifest cannot be read ({error})", path) from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise FormatError("its manifest is not that of an audit bundle", path)
    if manifest.get("version") != VERSION:
        raise FormatError(
            f"it is a bundle of version {manifest.get('version')!r}, and this reads version "
            f"{VERSION}; install a newer Surelist",
            path,
        )
    return manifest
