"""RuleListClassifier: the scikit-learn estimator.

Its parameters are those of `surelist.problem.settings.Settings`, its fitted attributes those of
`surelist.estimators.fitted_model.FittedModel`. The work is done in `surelist.estimators.fit`, which
needs no scikit-learn.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from surelist._common.progress import Progress
from surelist.errors import UncertifiedWarning
from surelist.estimators.fit import columns_of_table, fit_model
from surelist.estimators.fitted_model import OPTIONAL, FittedModel
from surelist.estimators.rule_list_methods import RuleListMethods
from surelist.estimators.uncertified import uncertified_text
from surelist.features.binarization import Binarization, column_names
from surelist.features.binarizer import Binarizer
from surelist.problem.parameters import is_cluster
from surelist.problem.settings import Settings
from surelist.rule_list.rule_list import Explanation, RuleList
from surelist.rule_list.table import read_laplace, smoothed_shares
from surelist.sources.row_source import RowSource
from surelist.tables.table import Table, read_table

__all__ = ["RuleListClassifier", "warn_unless_optimal"]


class RuleListClassifier(RuleListMethods, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Certifiably optimal rule lists (CORELS; Angelino et al., JMLR 2018).

    Among all rule lists over the mined antecedents, ``fit`` finds one with the least objective
    ``loss + regularization * length`` and proves that there is none with less. Where a limit ends
    the search early, ``gap_`` says how far from optimal the list can be at most, and
    ``proven_length_`` up to which length there is no better one. With the limits that it has by
    default, ``fit`` ends on any table.

    Parameters
    ----------
    regularization : float, Decimal or Fraction, default=0.01
        λ, the loss that one more rule has to save; taken as the exact decimal. 0 ≤ λ < 1.
    max_clauses : int, default=2
        Clauses per antecedent, at most.
    negations : bool, default=False
        Whether to mine negated features, too.
    min_support : float, optional
        Least share of the weight that an antecedent captures. None is λ times the least cost of a
        rule, divided by the greatest cost of a mistake: λ where there are no costs. That loses
        nothing.
    max_length : int, optional
        Longest prefix allowed.
    policy : str, default="lower_bound"
        Order of the queue: "lower_bound", "breadth_first", "depth_first", "objective", "curiosity"
        or "random".
    symmetry : str, default="captured"
        Symmetry map: "captured", "permutation" or "none".
    bounds : "all" or collection of str, default="all"
        The bounds in use, by name, for ablation. The optimum does not depend on it.
    initial_rule_list : RuleList, fitted RuleListClassifier or list of str, optional
        A rule list to start from: texts such as ``"(age = 18-20) and (sex = male)"``.
    binarizer : Binarizer, optional
        How columns become Boolean features. None is ``Binarizer(min_frequency=min_support,
        max_features=28)``: up to three cuts by the labels for each column of numbers or dates, and
        of all features the 28 that tell most about the labels, each for itself. What is cut
        finer takes longer to certify. Columns of 0 and 1 are taken as they are, all of them.
    antecedents : list of str, optional
        Antecedents of your own, such as ``"age < 25 and priors > 3"``, over the columns of X; see
        `surelist.predicates`. A 0/1 vector of your own is a column of X like any other.
    antecedents_only : bool, default=False
        Whether ``antecedents`` are used instead of mined ones, not beside them.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class; see `surelist.weights` for how weights become whole numbers.
    cost_matrix : dict of dict or square array, optional
        What it costs to predict a class for a row of another, in units of the row's weight:
        ``{actual: {predicted: cost}}``, or rows and columns in the order of ``classes_``. What a
        dict leaves out costs 1 where the prediction is wrong, and 0 where it is right.
    dnf : class label, True or None, default=None
        The one class that rules may predict, while the default takes what is left: a label, or True
        for the second of two classes. None is no such demand, and so is False, but for labels that
        are bools: with these False is refused, as it could be the class; 0 is the class False, and
        1 or True the class True.
    first, required, forbidden : list of str, optional
        Antecedents that every list begins with, in this order; that every list has; that none has.
        They are texts as antecedents print, or predicates as for ``antecedents``.
    antecedent_costs : "clauses" or dict of str to number, optional
        What rules cost in multiples of λ: as many as their antecedents have clauses, or by
        antecedent, 1 for those left out.
    laplace : float, default=0.0
        Weight that ``predict_proba`` adds to each class of what a rule captured, in the unit of
        ``sample_weight``: 1 is Laplace's rule of succession. It changes no prediction.
    work_limit : "auto", float or None, default="auto"
        Work that mining and search may do, counted in about seconds of one core, so that the same
        data gives the same model on every machine. "auto" is 60, unless there is a ``time_limit``,
        ``max_prefixes`` or a cluster: who sets another limit means that one alone. None is no
        limit. Mining that would take too large a part is cut short as by a time limit.
    time_limit : float, optional
        Seconds from the first row read to the result, its files among it. Where mining takes too
        large a part of them, it is cut short after all antecedents of one clause and some longer
        ones; ``lower_bound_`` then holds for lists over the others, too.
    memory_limit : "auto", int, str or None, default="auto"
        Bytes that the search may hold; text such as "500MB" or "2GiB" is understood. "auto" is a
        quarter of the machine's memory, or of the container's. Where it runs short, the search goes
        on depth first within the limit, and takes longer. None is no limit.
    max_prefixes : int, optional
        Once so many prefixes have entered the queue, the empty one among them, no other one is
        expanded. What expansions that are under way then add comes on top, each at most as many as
        there are antecedents; with one thread there is one of them. See docs/results.md.
    n_jobs : int, None, distributed.Client or str, default=1
        Threads that search; None is 1, -1 is one for each processor. A Dask client, or the address
        of a scheduler such as ``"tcp://host:8786"``, searches on that cluster; see docs/scale.md.
        The optimum does not depend on it; which of several optimal rule lists is found may.
    progress : "auto", bool or callable, default="auto"
        True shows a line on a terminal's standard error; "auto" does so after two seconds, or shows
        a bar in a notebook, and leaves nothing behind. A function is called about ten times a
        second with a `surelist.progress.Progress`, and may raise KeyboardInterrupt to end the
        search with the best rule list so far, just as Ctrl-C does.
    certificate : bool or path, default=False
        Whether to keep a proof of the result that `surelist.verify` checks without the search; a
        path writes it to that file. The search takes somewhat longer: see docs/proofs.md.
    checkpoint : path, optional
        A file for the state of the search, written every so often and at its end. Whatever ends
        the process, `surelist.resume` continues from there.
    checkpoint_interval : float, default=60.0
        Seconds of search between two of them, at least: they take a tenth of the time at most.
    trace_interval : float, optional
        Seconds between the samples in ``trace_``, at least. None: counters only.
    random_state : int, RandomState or None, default=None
        Seed of the policy "random". None is 0: the same data gives the same search.
    fairness : Fairness, dict or None, default=None
        What the predictions must be like, by sensitive group: a `Fairness`, or a dict of its
        parameters. The best list that satisfies it is found and proven; see docs/fairness.md.

    Attributes
    ----------
    rule_list_ : RuleList
        The best rule list found.
    status_ : str
        "optimal", or what ended the search: "work_limit", "time_limit", "memory_limit",
        "prefix_limit" or "interrupted"; "near_optimal" for a list chosen from `RuleLists`.
    objective_, lower_bound_, gap_ : float
        Of ``rule_list_``; of any rule list; their difference, which is 0 exactly when ``status_``
        is "optimal".
    proven_length_ : int or None
        No rule list of up to so many rules has a lower objective; None where no list of any length
        has, so exactly when ``status_`` is "optimal".
    objective_exact_, lower_bound_exact_ : Fraction
        The same without rounding.
    antecedents_ : tuple of Antecedent
        The mined antecedents. Not with all cuts, which are too many to list.
    n_antecedents_ : int
        How many antecedents the rule list could choose from.
    n_groups_ : int
        Distinct rows, as far as antecedents can tell them apart.
    trace_ : Trace
        What the search did.
    certificate_ : Certificate
        The proof. Only where ``certificate`` asks for it.
    fairness_ : FairnessReport
        Rates of the training rows by sensitive group, and over lists with which labels the result
        is proven. Only with ``fairness``.
    classes_ : ndarray
        The class labels.
    weight_unit_ : float
        The whole weight that stands for a weight of 1 as given; see `surelist.weights`.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where X had names.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.datasets import load_tic_tac_toe
    >>> boards = load_tic_tac_toe()
    >>> model = RuleListClassifier(regularization=0.02, max_clauses=1).fit(boards.X, boards.y)
    >>> print(model.rule_list_.rename(boards.feature_names))
    if (centre = x) then predict yes
    else if (top-right = x) then predict yes
    else if (bottom-left = x) then predict yes
    else predict no
    >>> model.status_, model.gap_
    ('optimal', 0.0)
    """

    rule_list_: RuleList
    classes_: NDArray[Any]
    weight_unit_: float

    def __init__(
        self,
        regularization: Any = 0.01,
        *,
        max_clauses: int = 2,
        negations: bool = False,
        min_support: Any = None,
        max_length: int | None = None,
        policy: str = "lower_bound",
        symmetry: str = "captured",
        bounds: str | Iterable[str] = "all",
        initial_rule_list: Any = None,
        binarizer: Binarizer | None = None,
        antecedents: Iterable[str] | None = None,
        antecedents_only: bool = False,
        class_weight: Mapping[Any, float] | str | None = None,
        cost_matrix: Any = None,
        dnf: Any = None,
        first: Iterable[str] | None = None,
        required: Iterable[str] | None = None,
        forbidden: Iterable[str] | None = None,
        antecedent_costs: Mapping[str, Any] | str | None = None,
        laplace: float = 0.0,
        work_limit: float | str | None = "auto",
        time_limit: float | None = None,
        memory_limit: int | str | None = "auto",
        max_prefixes: int | None = None,
        n_jobs: Any = 1,
        progress: str | bool | Callable[[Progress], object] = "auto",
        certificate: bool | str | os.PathLike[str] = False,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_interval: float = 60.0,
        trace_interval: float | None = None,
        random_state: Any = None,
        fairness: Any = None,
    ) -> None:
        self.regularization = regularization
        self.max_clauses = max_clauses
        self.negations = negations
        self.min_support = min_support
        self.max_length = max_length
        self.policy = policy
        self.symmetry = symmetry
        self.bounds = bounds
        self.initial_rule_list = initial_rule_list
        self.binarizer = binarizer
        self.antecedents = antecedents
        self.antecedents_only = antecedents_only
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.dnf = dnf
        self.first = first
        self.required = required
        self.forbidden = forbidden
        self.antecedent_costs = antecedent_costs
        self.laplace = laplace
        self.work_limit = work_limit
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.max_prefixes = max_prefixes
        self.n_jobs = n_jobs
        self.progress = progress
        self.certificate = certificate
        self.checkpoint = checkpoint
        self.checkpoint_interval = checkpoint_interval
        self.trace_interval = trace_interval
        self.random_state = random_state
        self.fairness = fairness

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        sensitive_features: Any = None,
    ) -> Self:
        """Find an optimal rule list.

        Parameters
        ----------
        X : array-like or data frame of shape (rows, features)
            Columns of bools, numbers, dates, text or categories; values may be missing. Or what
            `surelist.from_query` returned: rows that do not fit in memory, with their labels. Or a
            Dask DataFrame, with a Dask Series for ``y``: it is grouped where it is.
        y : array-like of one label per row
            None only where X has the labels itself.
        sample_weight : array-like of one number per row, optional
        sensitive_features : array-like of one value per row, or columns of them, optional
            With ``fairness``: the groups, where they are not made of columns of X.

        Returns
        -------
        RuleListClassifier
            The fitted model itself. A model that was fitted before stays as it was where the input
            is refused.

        Raises
        ------
        InputError
            For parameters or data that cannot be used.

        Warns
        -----
        UncertifiedWarning
            Where the search ended before it could prove that its rule list is optimal.
        UnwrittenWarning
            Where the certificate or a checkpoint cannot be written. The model is fitted all the
            same, and the certificate in ``certificate_``.
        """
        fitted = fit_model(
            Settings.of(self),
            X,
            y,
            sample_weight,
            sensitive_features=sensitive_features,
            columns_of=_columns_of,
        )
        self._adopt(fitted)
        warn_unless_optimal(fitted)
        return self

    def _adopt(self, fitted: FittedModel) -> None:
        """Set the fitted attributes, and remove those of an earlier fit."""
        for name in OPTIONAL:
            if hasattr(self, name):
                delattr(self, name)
        for name, value in fitted.attributes().items():
            setattr(self, name, value)

    @classmethod
    def _of(cls, fitted: FittedModel) -> Self:
        """Return a fitted model as an estimator."""
        parameters = dict(fitted.parameters)
        if isinstance(binarizer := parameters.get("binarizer"), Binarization):
            parameters["binarizer"] = Binarizer.of(binarizer)
        model = cls(**parameters)
        model._adopt(fitted)
        return model

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class of each row."""
        captured_by = self._captured_by(X)
        labels: NDArray[Any] = self.classes_[self.rule_list_.label_codes[captured_by]]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return for each row the share of each class in what its rule captured in training.

        Columns follow ``classes_``; ``laplace`` is added to each class beforehand.
        """
        captured_by = self._captured_by(X)
        return smoothed_shares(self.rule_list_, self._prior())[captured_by]

    def explain(self, X: Any) -> list[Explanation]:
        """Return for each row the rule that captures it and how good that rule was in training.

        Examples
        --------
        >>> from surelist import RuleListClassifier
        >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
        >>> print(model.explain([[1]])[0])
        yes: (x0) (right on 100.0% of the 5 it captured in training)
        """
        captured_by = self._captured_by(X)
        explanations = self.rule_list_.explanations
        return [explanations[index] for index in captured_by]

    def _captured_by(self, X: Any) -> NDArray[np.intp]:
        """Return for each row of a raw table the position of the rule that captures it."""
        check_is_fitted(self)
        table = read_table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        position = {name: index for index, name in enumerate(column_names(self))}
        return self.rule_list_.captures_table(table, position)

    def _prior(self) -> float:
        return read_laplace(self.laplace) * self.weight_unit_

    def __sklearn_clone__(self) -> Self:
        """Copy the parameters, as scikit-learn does, but for a Dask client: there is one of it."""
        if not is_cluster(self.n_jobs):
            return super().__sklearn_clone__()  # type: ignore[no-any-return]
        client, self.n_jobs = self.n_jobs, None
        try:
            copy: Self = super().__sklearn_clone__()
        finally:
            self.n_jobs = client
        copy.n_jobs = client
        return copy

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def warn_unless_optimal(fitted: FittedModel, stacklevel: int = 3) -> None:
    """Warn of a rule list that is not certified, at the place of the caller's caller."""
    if fitted.status_ != "optimal":
        warnings.warn(uncertified_text(fitted), UncertifiedWarning, stacklevel=stacklevel)


def _columns_of(X: Any) -> dict[str, Any]:
    """Return the attributes by which scikit-learn remembers the columns of X."""
    if isinstance(X, Table | RowSource):
        return columns_of_table(X)
    scratch = BaseEstimator()
    validate_data(scratch, X, skip_check_array=True)
    return dict(vars(scratch))
