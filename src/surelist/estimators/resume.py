"""Resume: continue a search from its checkpoint."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from surelist import _core
from surelist._common.limits import counting_from
from surelist._common.progress import reporting
from surelist._common.strict_json import Place
from surelist.errors import FormatError, InputError
from surelist.estimators.fitted_model import FittedModel, fitted_model
from surelist.problem.arrays import fingerprint_of
from surelist.problem.mining import Cut
from surelist.problem.parameters import Parameters, read_parameters
from surelist.problem.prepare import prepare_data
from surelist.problem.settings import Settings
from surelist.rule_list.table import read_laplace
from surelist.search.checkpoint import Checkpoint, read_checkpoint
from surelist.search.checkpoint_contents import read_columns, read_data, read_parameter_values
from surelist.search.engine import initial_prefix
from surelist.search.run import SearchRun

if TYPE_CHECKING:
    from surelist.estimators.classifier import RuleListClassifier

__all__ = ["CHANGEABLE", "resume", "resume_model"]

# What may be different from now on: nothing that the problem or the proof depends on.
CHANGEABLE = (
    "work_limit",
    "time_limit",
    "memory_limit",
    "max_prefixes",
    "n_jobs",
    "progress",
    "checkpoint_interval",
)
# What the engine says at the end of a search whose state was wrong.
CONTRADICTIONS = (
    "the best rule list does not have the objective recorded for it",
    "the search ended with prefixes still open",
)


def resume(path: str | os.PathLike[str], **changes: Any) -> RuleListClassifier:
    """Continue a search from its checkpoint, to the same result as without the interruption.

    The training data is not needed: the checkpoint holds its groups. Checkpoints are written to the
    same file from here on.

    Parameters
    ----------
    path : str or os.PathLike
        What ``RuleListClassifier(checkpoint=…)`` has written.
    **changes
        Parameters that may be different from now on: ``work_limit``, ``time_limit``,
        ``memory_limit``, ``max_prefixes``, ``n_jobs``, ``progress`` and ``checkpoint_interval``.
        Limits of work and time count from here.

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
    from surelist.estimators.classifier import RuleListClassifier, warn_unless_optimal

    fitted = resume_model(path, **changes)
    warn_unless_optimal(fitted)
    return RuleListClassifier._of(fitted)


def resume_model(path: str | os.PathLike[str], **changes: Any) -> FittedModel:
    """Do what `resume` does, without scikit-learn, and without a warning."""
    unknown = sorted(set(changes) - set(CHANGEABLE))
    if unknown:
        raise InputError(
            f"{unknown[0]} cannot be changed in the middle of a search; "
            f"what can be are {', '.join(CHANGEABLE)}"
        )
    began = time.monotonic()
    checkpoint = read_checkpoint(path)
    with counting_from(began):
        settings, search = _begin(checkpoint, Path(path), changes)
    with reporting(search.parameters.progress, search.prepared.antecedents) as report:
        try:
            search.run(report)
        except RuntimeError as error:
            if not str(error).startswith(CONTRADICTIONS):
                raise
            raise FormatError(
                f"the checkpoint is damaged: {error}; begin the search anew", path
            ) from error
    count, names = read_columns(checkpoint)
    columns: dict[str, Any] = {"n_features_in_": count}
    if names is not None:
        columns["feature_names_in_"] = np.array(names, dtype=object)
    return fitted_model(settings, search.prepared, search.outcome(), columns)


def _begin(
    checkpoint: Checkpoint, path: Path, changes: dict[str, Any]
) -> tuple[Settings, SearchRun]:
    """Set the search up as it was."""
    with _blaming(path):
        given = read_parameter_values(checkpoint) | {"checkpoint": str(path)}
        _read(Settings(**given))
        data, top = read_data(checkpoint), Place(checkpoint.header)
        fingerprint, software = top["fingerprint"].text(), top["software"].text()
    settings = Settings(**given | changes)
    parameters = _read(settings)
    with _blaming(path):
        prepared = prepare_data(data, parameters, cut=_cut(checkpoint.header))
        if fingerprint_of(prepared.problem) != fingerprint:
            raise FormatError(
                f"surelist {software}, which wrote this checkpoint, makes other antecedents of the "
                "data than the version that reads it: resume it with that version",
                path,
            )
        start = settings.initial_rule_list, prepared.antecedents, parameters.max_length
        search = SearchRun(prepared, parameters, initial_prefix(*start), _contents(checkpoint))
        try:
            search.restore(checkpoint)
        except _core.InputError as error:
            raise FormatError(f"{error} (written by surelist {software})", path) from None
    return settings, search


def _read(settings: Settings) -> Parameters:
    read_laplace(settings.laplace)
    return read_parameters(settings)


@contextmanager
def _blaming(path: Path) -> Iterator[None]:
    """Turn any error about what a checkpoint holds into one that names the file."""
    try:
        yield
    except FormatError:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        what = "cannot be used" if isinstance(error, InputError) else "is damaged"
        raise FormatError(f"the checkpoint {what}: {error}", path) from error


def _cut(header: dict[str, Any]) -> Cut | None:
    """Return where mining was cut short, so that it gives the same antecedents again."""
    tried, by = header.get("tried"), header.get("cut_by")
    if tried is None:
        return None
    if type(tried) is not int or tried < 0:
        raise ValueError(f"mining cannot have tried {tried!r} conjunctions")
    if by not in ("time_limit", "work_limit"):
        raise ValueError(f"mining cannot have been cut short by {by!r}")
    return Cut(tried, by)


def _contents(checkpoint: Checkpoint) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return what the next checkpoint holds besides the state; changes are for this run alone."""
    header = {k: v for k, v in checkpoint.header.items() if k not in ("status", "trace")}
    parts = {name: checkpoint.parts[name] for name in ("rows", "weights")}
    return header, parts
