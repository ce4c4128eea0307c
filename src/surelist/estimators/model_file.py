"""Loading a model from a file."""

from __future__ import annotations

import os

from surelist._common.files import PathLike
from surelist.errors import FormatError
from surelist.estimators.classifier import RuleListClassifier
from surelist.estimators.model_json import read_model

__all__ = ["load"]


def load(path: PathLike) -> RuleListClassifier:
    """Read a fitted model that `RuleListClassifier.save` wrote.

    No code comes out of a file, so one from a stranger is safe to load; it may still predict badly.

    Parameters
    ----------
    path : str or os.PathLike

    Returns
    -------
    RuleListClassifier
        Fitted: it predicts, explains and prints as the model that was saved, and has its
        parameters. The mined ``antecedents_`` are not in the file.

    Raises
    ------
    FormatError
        For a file that cannot be read, is no such file, is damaged or is of a newer version.

    Examples
    --------
    >>> import tempfile
    >>> import surelist
    >>> model = surelist.RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(f"{folder}/model.json")
    ...     again = surelist.load(f"{folder}/model.json")
    >>> again.status_, again.predict([[1]]).tolist()
    ('optimal', ['yes'])
    """
    fitted = read_model(path)
    known = RuleListClassifier().get_params(deep=False)
    for name in fitted.parameters:
        if name not in known:
            raise FormatError(f"at parameters: there is no parameter {name!r}", os.fsdecode(path))
    return RuleListClassifier._of(fitted)
