"""Going on with a search from its checkpoint."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from surelist import _core
from surelist._json_place import DamagedError
from surelist.checkpoint import Checkpoint, read_checkpoint
from surelist.classifier import RuleListClassifier
from surelist.errors import FormatError, InputError
from surelist.fit_state import read_data, read_parameter_values
from surelist.fitting import Fitting
from surelist.parameters import read_parameters
from surelist.problem_state import fingerprint_of
from surelist.progress import reporting
from surelist.training import initial_prefix, prepare_data

__all__ = ["CHANGEABLE", "resume"]

# What may be different from now on: nothing that the problem or the proof depends on.
CHANGEABLE = (
    "time_limit",
    "memory_limit",
    "max_prefixes",
    "n_jobs",
    "progress",
    "checkpoint_interval",
)


def resume(path: str | os.PathLike[str], **changes: Any) -> RuleListClassifier:
    """Go on with a search from its checkpoint, to the same result as if nothing had happened.

    The training data is not needed: the checkpoint holds its groups. Checkpoints are written to the
    same file from here on.

    Parameters
    ----------
    path : str or os.PathLike
        What ``RuleListClassifier(checkpoint=…)`` has written.
    **changes
        Parameters that may be different from now on: ``time_limit``, ``memory_limit``,
        ``max_prefixes``, ``n_jobs``, ``progress`` and ``checkpoint_interval``. A time limit counts
        from here.

    Returns
    -------
    RuleListClassifier
        Fitted, as ``fit`` would have left it.

    Raises
    ------
    FormatError
        For a file that is no checkpoint, is damaged, or was written by a version that searches
        another way.
    InputError
        For parameters that cannot be changed.

    Warns
    -----
    UncertifiedWarning
        Where the search ended before it could prove that its rule list is optimal.

    Examples
    --------
    >>> import tempfile, warnings
    >>> import surelist
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["no", "no", "yes", "no"] * 5
    >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     kept = f"{folder}/search"
    ...     stopped = surelist.RuleListClassifier(checkpoint=kept, max_prefixes=1).fit(X, y)
    ...     model = surelist.resume(kept, max_prefixes=None)
    >>> model.status_
    'optimal'
    """
    unknown = sorted(set(changes) - set(CHANGEABLE))
    if unknown:
        raise InputError(
            f"{unknown[0]} cannot be changed in the middle of a search; "
            f"what can be are {', '.join(CHANGEABLE)}"
        )
    checkpoint = read_checkpoint(path)
    model, fitting = _begin(checkpoint, Path(path), changes)
    fitting.keep(*_kept(checkpoint))
    with reporting(fitting.parameters.progress, fitting.prepared.antecedents) as report:
        fitting.run(report)
    model.n_features_in_ = checkpoint.header["n_features_in"]
    names = checkpoint.header["feature_names_in"]
    if names is not None:
        model.feature_names_in_ = np.array(names, dtype=object)
    unit = checkpoint.header["weight_unit"]
    model._adopt(fitting.prepared, fitting.outcome(), unit)
    model._warn_unless_optimal()
    return model


def _begin(
    checkpoint: Checkpoint, path: Path, changes: dict[str, Any]
) -> tuple[RuleListClassifier, Fitting]:
    """Set the search up as it was."""
    header = checkpoint.header
    try:
        given = read_parameter_values(checkpoint) | {"checkpoint": str(path)} | changes
        data = read_data(checkpoint)
        model = RuleListClassifier(**given)
        parameters = read_parameters(model)
        prepared = prepare_data(data, parameters)
    except (DamagedError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError) and changes:
            raise
        raise FormatError(f"the checkpoint is damaged: {error}", path) from None
    if fingerprint_of(prepared.problem) != header["fingerprint"]:
        raise FormatError(
            f"surelist {header['software']}, which wrote this checkpoint, makes other antecedents "
            "of the data than the version that reads it: resume it with that version",
            path,
        )
    prefix = initial_prefix(model.initial_rule_list, prepared.antecedents, parameters.max_length)
    fitting = Fitting(prepared, parameters, prefix)
    try:
        fitting.restore(checkpoint)
    except _core.InputError as error:
        raise FormatError(f"{error} (written by surelist {header['software']})", path) from None
    return model, fitting


def _kept(checkpoint: Checkpoint) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return what the next checkpoint holds besides the state; changes are for this run alone."""
    header = {k: v for k, v in checkpoint.header.items() if k not in ("status", "trace")}
    parts = {name: checkpoint.parts[name] for name in ("rows", "weights")}
    return header, parts
