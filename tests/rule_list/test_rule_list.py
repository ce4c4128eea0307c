from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rule_lists import AGE, ALL_ROWS, CAPTURED_BY, FEATURES, MALE, PAPER

from surelist import Antecedent, InputError, Rule, RuleList, RuleListClassifier
from surelist.plot import plot_rule_list


def test_text_is_as_in_the_paper() -> None:
    assert str(PAPER) == (
        "if (age = 18-20) and (sex = male) then predict yes\n"
        "else if (priors > 3) then predict yes\n"
        "else predict no"
    )


def test_a_negated_clause_says_not() -> None:
    rule = Rule(Antecedent((replace(MALE, negated=True),)), "yes", 1, (0, 1))
    assert str(replace(PAPER, rules=(rule,))) == (
        "if (not sex = male) then predict yes\nelse predict no"
    )


def test_the_default_alone_has_no_else() -> None:
    alone = replace(PAPER, rules=())
    assert str(alone) == "predict no"
    assert len(alone) == 0
    assert alone
    assert alone.predict(ALL_ROWS).tolist() == ["no"] * 8


def test_the_first_rule_that_applies_captures() -> None:
    assert PAPER.captures(ALL_ROWS).tolist() == CAPTURED_BY


def test_predictions_by_hand() -> None:
    labels = ["yes", "yes", "no"]
    assert PAPER.predict(ALL_ROWS).tolist() == [labels[index] for index in CAPTURED_BY]


def test_probabilities_are_training_shares() -> None:
    shares = np.array([[1 / 4, 3 / 4], [2 / 6, 4 / 6], [8 / 10, 2 / 10]])
    np.testing.assert_array_equal(PAPER.predict_proba(ALL_ROWS), shares[CAPTURED_BY])


def test_a_negated_clause_captures_zeros() -> None:
    antecedent = Antecedent((AGE, replace(MALE, negated=True)))
    assert antecedent.captures(ALL_ROWS).tolist() == [False] * 4 + [True, True, False, False]


def test_a_default_that_captured_nothing_is_sure_of_its_label() -> None:
    empty = replace(PAPER, default=Rule(None, "yes", 0, (0, 0)))
    assert empty.predict_proba([[0, 0, 0]]).tolist() == [[0.0, 1.0]]
    assert math.isnan(empty.default.accuracy)
    assert "captured none in training" in str(empty.explain([[0, 0, 0]])[0])
    assert "—" in empty._repr_html_()


def test_loss_and_objective_are_exact() -> None:
    assert PAPER.total_weight == 20
    assert PAPER.loss == Fraction(5, 20)
    assert PAPER.objective == Fraction(25, 100) + 2 * Fraction(1, 100)
    assert len(PAPER) == 2


def test_explanations_name_the_rule() -> None:
    first, other, default = PAPER.explain([[1, 1, 0], [0, 0, 1], [0, 0, 0]])
    assert (first.rule, first.label, first.captured) == (0, "yes", 4)
    assert first.antecedent == "(age = 18-20) and (sex = male)"
    assert (first.support, first.accuracy) == (4 / 20, 3 / 4)
    assert str(other) == "yes: (priors > 3) (right on 66.7% of the 6 it captured in training)"
    assert (default.rule, default.antecedent, default.label) == (2, "", "no")
    assert str(default) == "no: no rule applies (right on 80.0% of the 10 it captured in training)"


@pytest.mark.parametrize(
    "convert",
    [
        lambda X: X,
        lambda X: X.astype(bool),
        lambda X: X.astype(np.float32),
        lambda X: X.tolist(),
        np.asfortranarray,
        lambda X: np.repeat(X, 2, axis=0)[::2],
        lambda X: pd.DataFrame(X, columns=FEATURES),
        lambda X: pd.DataFrame(X.astype(bool), columns=FEATURES, dtype="boolean"),
        lambda X: pd.DataFrame(X, columns=FEATURES).astype({"sex = male": bool}),
        lambda X: pd.DataFrame(X.astype(object)),
        lambda X: pl.DataFrame(X, schema=list(FEATURES)),
        lambda X: pl.DataFrame(X.astype(bool), schema=list(FEATURES)),
    ],
)
def test_every_container_gives_the_same_captures(convert: Callable[[Any], Any]) -> None:
    assert PAPER.captures(convert(ALL_ROWS)).tolist() == CAPTURED_BY


def test_no_rows_give_no_predictions() -> None:
    assert PAPER.predict(np.empty((0, 3))).tolist() == []


def test_wrong_columns_are_refused() -> None:
    with pytest.raises(InputError, match="X has 2 columns; the rule list knows 3"):
        PAPER.predict([[0, 1]])
    swapped = pd.DataFrame(ALL_ROWS, columns=["age = 18-20", "priors > 3", "sex = male"])
    with pytest.raises(InputError, match=r"column 1 of X is called 'priors > 3' where .* 'sex = "):
        PAPER.predict(swapped)


def test_nothing_can_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        PAPER.rules = ()  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        PAPER.rules[0].label = "no"  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        PAPER.class_shares[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        PAPER.label_codes[0] = 0
    assert hash(PAPER) == hash(replace(PAPER))


def test_rename_changes_names_only() -> None:
    renamed = PAPER.rename(["young", "male", "repeat"])
    assert str(renamed).splitlines()[0] == "if (young) and (male) then predict yes"
    alias = renamed.rules[1].antecedent
    assert alias is not None
    assert [clause.name for clause in alias.aliases[0]] == ["young", "repeat"]
    assert renamed.captures(ALL_ROWS).tolist() == CAPTURED_BY
    assert renamed.objective == PAPER.objective
    for names in (["a", "b"], ["a", "b", "b"], ["a", "b", 3]):
        with pytest.raises(InputError, match="3 different names are needed"):
            PAPER.rename(names)  # type: ignore[arg-type]


def test_pickling_keeps_the_list() -> None:
    PAPER.predict_proba(ALL_ROWS)
    again = pickle.loads(pickle.dumps(PAPER))
    assert again == PAPER
    assert again.captures(ALL_ROWS).tolist() == CAPTURED_BY


class Tags(HTMLParser):
    """Collects what a browser would see, and checks that every tag is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_html_shows_names_as_text() -> None:
    evil = "<script>alert('&')</script>"
    html = Tags(PAPER.rename([evil, "sex = male", "priors > 3"])._repr_html_())
    assert html.seen == {
        *("table", "caption", "thead", "tbody", "tr", "th", "td", "code", "span", "div"),
    }
    shown = "".join(html.text)
    assert f"if ({evil}) and (sex = male)yes" in shown
    assert "75.0%" in html.text
    assert "2 rules, objective 0.27 = loss 0.25 + 2 × λ, where λ = 0.01" in shown
    dear = replace(PAPER, rules=(replace(PAPER.rules[0], cost=Fraction(5, 2)),))
    assert " + 2.5 × λ" in dear._repr_html_()


def test_a_dictionary_survives_json() -> None:
    assert RuleList.from_dict(json.loads(json.dumps(PAPER.to_dict()))) == PAPER
    thirds = replace(PAPER, classes=(False, True), regularization=Fraction(1, 3))
    thirds = replace(
        thirds,
        rules=tuple(replace(rule, label=True) for rule in PAPER.rules),
        default=replace(PAPER.default, label=False),
    )
    assert RuleList.from_dict(json.loads(json.dumps(thirds.to_dict()))) == thirds


def test_classes_that_json_cannot_hold_are_refused() -> None:
    pair = replace(
        PAPER, classes=(b"no", b"yes"), rules=(), default=replace(PAPER.default, label=b"no")
    )
    with pytest.raises(InputError, match="JSON cannot hold the class b'no'"):
        pair.to_dict()


def damaged(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(PAPER.to_dict()))
    change(data)
    return data


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.pop("format"),
        lambda d: d.update(format="something else"),
        lambda d: d.update(version=2),
        lambda d: d.pop("classes"),
        lambda d: d.update(classes=[]),
        lambda d: d.update(regularization="1"),
        lambda d: d.update(regularization="nan"),
        lambda d: d.update(regularization="1e-999999999"),
        lambda d: d.update(regularization=0.01),
        lambda d: d.update(regularization="1/0"),
        lambda d: d.update(feature_names=["age = 18-20"] * 3),
        lambda d: d.update(feature_names=["age = 18-20", "sex = male", 3]),
        lambda d: d.update(rules=None),
        lambda d: d["rules"][0].update(label=2),
        lambda d: d["rules"][0].update(label=-1),
        lambda d: d["rules"][0].update(label=True),
        lambda d: d["rules"][0].update(weights=[1]),
        lambda d: d["rules"][0].update(weights=[1, -3]),
        lambda d: d["rules"][0].update(weights=[1.5, 3]),
        lambda d: d["rules"][0].pop("clauses"),
        lambda d: d["rules"][0]["clauses"][0].update(feature="unknown"),
        lambda d: d["rules"][0]["clauses"][0].update(feature=["list"]),
        lambda d: d["rules"][0]["clauses"][0].update(negated=0),
        lambda d: d.update(rules=[], default={"label": 0, "weights": [0, 0]}),
    ],
)
def test_damaged_dictionaries_are_refused(change: Callable[[dict[str, Any]], object]) -> None:
    with pytest.raises(InputError, match="surelist rule list"):
        RuleList.from_dict(damaged(change))


@pytest.mark.parametrize("data", [None, [], "text", 3])
def test_other_things_than_dictionaries_are_refused(data: Any) -> None:
    with pytest.raises(InputError, match="not a surelist rule list"):
        RuleList.from_dict(data)


def test_accuracy_counts_rows_whatever_mistakes_cost() -> None:
    X, y = [[0], [0], [0], [1]] * 10, ["no", "no", "yes", "yes"] * 10
    plain = RuleListClassifier(regularization=0.1).fit(X, y)
    assert plain.rule_list_.accuracy == plain.score(X, y) == 0.75
    dear = RuleListClassifier(regularization=0.1, cost_matrix=[[0, 3], [1, 0]]).fit(X, y)
    assert dear.rule_list_.accuracy == dear.score(X, y) == 0.75
    free = RuleListClassifier(regularization=0.1, cost_matrix=[[0, 8], [9, 0]], forbidden=["x0"])
    free.fit(X, y)
    assert free.rule_list_.accuracy == free.score(X, y) == 0.5
    assert free.rule_list_.loss == 4


def test_the_picture_says_the_accuracy_and_not_the_cost() -> None:
    X, y = [[0], [0], [0], [1]] * 10, ["no", "no", "yes", "yes"] * 10
    model = RuleListClassifier(regularization=0.1, cost_matrix=[[0, 8], [1, 0]]).fit(X, y)
    texts = [text.get_text() for text in plot_rule_list(model).texts]
    assert any(text.startswith("75.0% of all 40 correct in training") for text in texts), texts
