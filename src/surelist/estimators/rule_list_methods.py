"""Methods that a fitted classifier has through its rule list: rule_table, export, save."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from surelist._common.files import PathLike
from surelist.errors import InputError
from surelist.estimators.fitted_model import FittedModel
from surelist.rule_list.export import export

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RuleListMethods"]


class RuleListMethods:
    """Methods of a classifier that has a ``rule_list_`` once it is fitted."""

    def rule_table(self) -> pd.DataFrame:
        """Return the rules as a pandas data frame, the default last; see `RuleList.rule_table`.

        Probabilities are those of ``predict_proba``.

        Examples
        --------
        >>> from surelist import RuleListClassifier
        >>> model = RuleListClassifier(laplace=1).fit([[0], [1]] * 5, ["no", "yes"] * 5)
        >>> model.rule_table()[["rule", "label", "captured", "probability"]]
              rule label  captured  probability
        0  if (x0)   yes         5     0.857143
        1     else    no         5     0.857143
        """
        check_is_fitted(self)
        model: Any = self
        table: pd.DataFrame = model.rule_list_.rule_table(model._prior())
        return table

    def export(self, format: str = "text", **options: Any) -> str:  # noqa: A002
        """Return the rule list in another language; see `surelist.export.export`.

        Examples
        --------
        >>> from surelist import RuleListClassifier
        >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
        >>> print(model.export("sql", table="people"))
        CASE
          WHEN "people"."x0" = 1 THEN 'yes'
          ELSE 'no'
        END
        """
        check_is_fitted(self)
        return export(self, format, **options)

    def save(self, path: PathLike) -> None:
        """Write the fitted model to a JSON file, from which `surelist.load` reads it back.

        The file is written whole or not at all. A name that ends in ``.gz`` is compressed. A
        ``progress`` function and the mined ``antecedents_`` are not kept.

        Raises
        ------
        InputError
            Where a parameter cannot be written, or the file cannot.
        """
        check_is_fitted(self)
        model: Any = self
        if type(model).__name__ != "RuleListClassifier":
            raise InputError(f"a {type(model).__name__} cannot be saved; save its rule_list_")
        FittedModel.of(model).save(path)
