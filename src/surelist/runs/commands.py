"""Commands for a terminal that do what a run did: to reproduce it, and to check it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from surelist.runs.choices import Policy, Strategy, Symmetry

__all__ = ["WRITTEN_FLAGS", "checker_command", "fit_command", "verify_command"]

# What a run that is reproduced writes.
WRITTEN_FLAGS = ("--output", "model.json", "--certificate", "certificate.cert")

# Settings with a flag of the same meaning, and what is the same as to say nothing.
_FLAGS = {
    "max_clauses": ("--max-clauses", 2),
    "strategy": ("--strategy", Strategy.AUTO),
    "n_cuts": ("--n-cuts", 3),
    "max_features": ("--max-features", 28),
    "min_support": ("--min-support", None),
    "min_frequency": ("--min-frequency", None),
    "max_length": ("--max-length", None),
    "policy": ("--policy", Policy.LOWER_BOUND),
    "symmetry": ("--symmetry", Symmetry.CAPTURED),
    "time_limit": ("--time-limit", None),
}


def fit_command(files: Sequence[str], settings: Mapping[str, Any]) -> str:
    """Return the ``surelist fit`` that searches as a run with these settings did.

    Parameters
    ----------
    files : sequence of str
        The table; or antecedents and labels in the CORELS text format.
    settings : mapping
        As the page keeps them.

    Examples
    --------
    >>> from surelist.runs.commands import fit_command
    >>> fit_command(["my data.csv"], {"label": "y", "regularization": "0.02", "roles": {"id": "x"}})
    "surelist fit 'my data.csv' --label y --drop id --regularization 0.02"
    """
    parts = ["surelist", "fit", *_data_flags(files, settings)]
    roles = settings.get("roles") or {}
    dropped = [name for name, role in roles.items() if role != "use"]
    for name in dropped:
        parts += ["--drop", name]
    parts += ["--regularization", str(settings.get("regularization", "0.01"))]
    corels = len(files) > 1
    columns = {
        name: how for name, how in (settings.get("columns") or {}).items() if name not in dropped
    }
    for name, (flag, default) in _FLAGS.items():
        value = settings.get(name, default)
        if name == "max_features" and "all" in (settings.get("n_cuts"), *columns.values()):
            continue  # every cut is kept
        usual = 1 if corels and name == "max_clauses" else default
        if value is not None and value != usual:
            parts += [flag, _number(value)]
    if settings.get("negations"):
        parts.append("--negations")
    for name, how in columns.items():
        text = how if isinstance(how, str) else "".join(f"{_number(cut)}," for cut in how)
        parts += ["--column", f"{name}={text}"]
    weights = settings.get("class_weight")
    if isinstance(weights, str):
        parts += ["--class-weight", weights]
    elif weights:
        for label, weight in weights.items():
            parts += ["--class-weight", f"{label}={_number(weight)}"]
    for bound in settings.get("bounds") or ():
        parts += ["--bound", bound]
    if memory := settings.get("memory_limit_mb"):
        parts += ["--memory-limit", f"{_number(memory)}MB"]
    return shlex.join(parts + list(settings.get("more_flags") or ()))


def verify_command(what: str, files: Sequence[str], settings: Mapping[str, Any]) -> str:
    """Return the ``surelist verify`` for a certificate or a bundle."""
    return shlex.join(["surelist", "verify", what, *_data_flags(files, settings)])


def checker_command(
    files: Sequence[str], settings: Mapping[str, Any], checker: str = "checker.py"
) -> str:
    """Return the command that runs the checker without the package.

    The checker reads labels as they are in the file: where they were cut, merged or left out, only
    the package can make them.
    """
    if _relabel_flags(settings):
        return "(the labels were cut, merged or left out: only the package can make them again)"
    label = str(settings.get("label"))
    missing = [part for text in settings.get("missing") or () for part in ("--missing", text)]
    command = ["python", checker, "certificate.cert", files[0], "--label", label, *missing]
    return shlex.join(command)


def _data_flags(files: Sequence[str], settings: Mapping[str, Any]) -> list[str]:
    if len(files) > 1:
        return ["--rules", files[0], "--labels", files[1]]
    label = settings.get("label")
    missing = [part for text in settings.get("missing") or () for part in ("--missing", text)]
    named = () if label is None else ("--label", str(label))
    return [files[0], *named, *_relabel_flags(settings), *missing]


def _relabel_flags(settings: Mapping[str, Any]) -> list[str]:
    how = settings.get("relabel") or {}
    flags = [] if how.get("cut") is None else ["--label-cut", _number(how["cut"])]
    merged: dict[str, list[str]] = {}
    for old, new in (how.get("merge") or {}).items():
        merged.setdefault(new, []).append(old)
    for new, old in merged.items():
        flags += ["--merge-labels", f"{new}={','.join(old)}"]
    return [*flags, *(["--skip-unlabelled"] if how.get("skip_missing") else [])]


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
