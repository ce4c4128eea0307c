"""Names that look like something else: a text means one antecedent, or is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surelist import Clause, InputError, RuleListClassifier
from surelist.conditions.conditions import Condition, Equals, Interval, IsTrue, Missing, OneOf
from surelist.features.binarization import feature_names
from surelist.features.predicates import AmbiguousError, Literal, parse_antecedent
from surelist.problem.antecedents import name_antecedents
from surelist.tables.table import Columns, read_table

ODD = (
    *("a and b", "(a) and (b)", "a) and (b", "not a", "not not a", "and", "not", "(a)", "((a", ")"),
    *('"a"', '"', "'", "\\", "a < 3", "3 < a", "a = b", "a in {b}", "a is missing", "x and not y"),
    *("", " ", " a", "a ", "a  and  b", "\t", "a\nb", "A AND B", "é", "日本", "λ ≤ 1", "7", "nan"),
)


def frame_of(*names: str) -> pd.DataFrame:
    """Columns of 0 and 1, all of them different, and none the opposite or a part of another."""
    bits = list(product([0, 1], repeat=len(names)))
    return pd.DataFrame(bits, columns=list(names))


def asked(model: RuleListClassifier, rule: int = 0) -> set[tuple[str, bool]]:
    clauses = model.rule_list_.rules[rule].clauses
    return {(clause.asks.column, clause.negated) for clause in clauses}


def fit(frame: pd.DataFrame, **parameters: Any) -> RuleListClassifier:
    y = frame.iloc[:, 0] & frame.iloc[:, -1]
    return RuleListClassifier(0.01, **parameters).fit(frame, y)


def test_a_name_with_and_in_it_is_told_from_two_names() -> None:
    frame = frame_of("a", "b", "a and b")
    assert asked(fit(frame, first=["(a) and (b)"])) == {("a", False), ("b", False)}
    assert asked(fit(frame, first=["(b) and a"])) == {("a", False), ("b", False)}
    assert asked(fit(frame, first=["(a and b)"])) == {("a and b", False)}
    assert asked(fit(frame, first=['"a and b"'])) == {("a and b", False)}
    for where in ("first", "required", "forbidden", "antecedents"):
        with pytest.raises(InputError) as caught:
            fit(frame, **{where: ["a and b"]})
        assert '("a") and ("b")' in str(caught.value)
        assert '("a and b")' in str(caught.value)
    with pytest.raises(InputError, match="in 2 ways"):
        fit(frame, antecedent_costs={"a and b": 2})
    with pytest.raises(InputError, match=r"initial_rule_list: .* in 2 ways"):
        fit(frame, initial_rule_list=["a and b"])


def test_what_is_forbidden_or_priced_is_what_was_named() -> None:
    frame = frame_of("a", "b", "a and b")
    y = (frame["a"] & frame["b"]) | frame["a and b"]

    def used(**parameters: Any) -> list[set[str]]:
        model = RuleListClassifier(0.01, **parameters).fit(frame, y)
        return [{clause.asks.column for clause in rule.clauses} for rule in model.rule_list_.rules]

    assert {"a and b"} in used()
    assert {"a and b"} in used(forbidden=["(a) and (b)"])
    assert {"a", "b"} not in used(forbidden=["(a) and (b)"])
    assert {"a and b"} not in used(forbidden=["(a and b)"])
    dear = RuleListClassifier(0.01, antecedent_costs={"(a and b)": 3}).fit(frame, y)
    for rule in dear.rule_list_.rules:
        named = {clause.asks.column for clause in rule.clauses} == {"a and b"}
        assert rule.cost == (3 if named else 1)


@pytest.mark.parametrize("name", ODD)
def test_any_name_can_be_written_as_it_prints(name: str) -> None:
    """Beside columns that it could be confused with."""
    others = [other for other in ("a", "b") if other != name]
    frame = frame_of(*others, name)
    printed = str(Clause(0, name))
    parameters: list[dict[str, Any]] = [
        {"first": [printed]},
        {"required": [printed]},
        {"antecedents": [printed], "antecedents_only": True},
        {"initial_rule_list": [printed]},
        {"antecedent_costs": {printed: Fraction(1, 2)}},
    ]
    for chosen in parameters:
        model = fit(frame, negations=True, **chosen)
        if "first" in chosen:
            assert asked(model) == {(name, False)}
        if "antecedents" in chosen:
            assert [str(antecedent) for antecedent in model.antecedents_] == [printed]
        if "antecedent_costs" in chosen:
            cheap = [rule for rule in model.rule_list_.rules if rule.cost != 1]
            assert all(rule.clauses[0].asks.column == name for rule in cheap)
    model = fit(frame, negations=True, forbidden=[printed])
    assert all(str(rule.antecedent) != printed for rule in model.rule_list_.rules)
    negated = str(Clause(0, name, negated=True))
    assert asked(fit(frame, negations=True, first=[negated])) == {(name, True)}


@pytest.mark.parametrize("name", ODD)
def test_any_name_can_be_written_in_parentheses(name: str) -> None:
    """Wherever that is not what another antecedent prints."""
    frame = frame_of(*(other for other in ("a", "b") if other != name), name)
    if name in ("a) and (b", "not a"):
        with pytest.raises(InputError, match="in 2 ways"):
            fit(frame, negations=True, first=[f"({name})"])
    elif name == '"a"':  # quotes are those around a name
        assert asked(fit(frame, first=[f"({name})"])) == {("a", False)}
    else:
        assert asked(fit(frame, first=[f"({name})"])) == {(name, False)}


@pytest.mark.parametrize(
    ("names", "text", "readings"),
    [
        (("a", "(a)"), "(a)", ['("a")', '("(a)")']),
        (("a", "(a)"), "(a) and (a)", ['("a") and ("a")', '("a") and ("(a)")']),
        (("a", "b", "(a)"), "(a) and (b)", ['("a") and ("b")', '("(a)") and ("b")']),
        (("a", "b", "(a) and (b)"), "(a) and (b)", ['("a") and ("b")', '("(a) and (b)")']),
        (("a", "b", "a) and (b"), "(a) and (b)", ['("a") and ("b")', '("a) and (b")']),
        (("a", "not a"), "(not a)", ['(not "a")', '("not a")']),
        (("a", "(not a)"), "(not a)", ['(not "a")', '("(not a)")']),
    ],
)
def test_what_one_prints_and_another_is_called_is_refused(
    names: tuple[str, ...], text: str, readings: list[str]
) -> None:
    columns = Columns(read_table(frame_of(*names)))
    with pytest.raises(AmbiguousError) as caught:
        parse_antecedent(text, columns)
    for reading in readings:
        assert reading in str(caught.value)
        assert reading == " and ".join(
            str(Clause(0, "-", one.negated)).replace("-", one.condition.text(quoted=True))
            for one in parse_antecedent(reading, columns)
        )
    frame = frame_of(*names)
    wheres = ("first", "required", "forbidden", "antecedents", "initial_rule_list")
    chosen: list[dict[str, Any]] = [{where: [text]} for where in wheres]
    for parameters in (*chosen, {"antecedent_costs": {text: 2}}):
        with pytest.raises(InputError, match=r"in \d ways"):
            fit(frame, negations=True, **parameters)


def test_no_two_features_have_the_same_name() -> None:
    conditions = (Equals("a", "3"), IsTrue("a = 3"), IsTrue('"a" = 3'), IsTrue(' "a" = 3'))
    names = feature_names(conditions)
    assert names == ('  "a" = 3', "a = 3", '"a" = 3', ' "a" = 3')
    frame = pd.DataFrame({"a": list("3443")} | {one: [0, 1, 0, 1] for one in names[1:]})
    columns, printed = Columns(read_table(frame)), dict(zip(names, conditions, strict=True))
    for condition in conditions:
        quoted = f"({condition.text(quoted=True)})"
        assert parse_antecedent(quoted, columns, printed) == (Literal(condition),)


PIECES = (*"ab()\"' <=3{},\\", "and", " and ", "not ", ") and (", '"a"', "(a)", " is missing", "≤")
AROUND = (
    *("({0})", "not {0}", "(not {0})", "{0} and {1}", "({0}) and ({1})", "{0}) and ({1}"),
    *('"{0}"', '("{0}")', 'not "{0}"', "{0} < 3", "{0} = b", '"{0}" = b', " {0}", "{0} is missing"),
)
nasty_names = st.one_of(
    st.sampled_from(ODD), st.lists(st.sampled_from(PIECES), max_size=5).map("".join)
)


@st.composite
def nasty_features(draw: st.DrawFn) -> tuple[Columns, tuple[Condition, ...]]:
    """Columns of such names with conditions on them, not all of which are features."""
    # Names made of others: any others are hardly ever taken for one another.
    names = draw(st.lists(st.one_of(st.sampled_from("ab"), nasty_names), min_size=1, max_size=2))
    for around in draw(st.lists(st.sampled_from(AROUND), min_size=1, max_size=2)):
        names.append(around.format(*(draw(st.sampled_from(names)) for _ in range(2))))
    names = list(dict.fromkeys(names))
    columns: dict[str, list[Any]] = {}
    conditions: list[Condition] = []
    for name in names:
        kinds: list[tuple[list[Any], list[Condition]]] = [
            ([0, 1, 1, 0], [IsTrue(name)]),
            ([0, 1, 1, 0], [IsTrue(name)]),
            ([1, 2, 3, 4], [Interval(name, None, 3, high_closed=False), Equals(name, 3)]),
            (["b", "a", "a) and (b", "b"], [Equals(name, "b"), OneOf(name, ("a", "b"))]),
            ([1.5, 2, None, 4], [Interval(name, 1.5, 3), Missing(name)]),
        ]
        columns[name], about = draw(st.sampled_from(kinds))
        conditions += about
    features = draw(st.lists(st.sampled_from(conditions), min_size=1, max_size=5, unique=True))
    return Columns(read_table(pd.DataFrame(columns))), tuple(features)


@pytest.mark.slow
@settings(deadline=None)
@given(nasty_features())
def test_what_is_printed_is_read_as_itself_or_refused(
    table: tuple[Columns, tuple[Condition, ...]],
) -> None:
    columns, conditions = table
    names = feature_names(conditions)
    printed = dict(zip(names, conditions, strict=True))
    literals = [2 * n + negated for n in range(len(conditions)) for negated in (0, 1)]
    found = [[one] for one in literals]
    found += [[one, two] for one, two in combinations(literals, 2) if one // 2 != two // 2]
    antecedents = name_antecedents([[one] for one in found], names, conditions)
    assert len(printed) == len(conditions)
    assert len(set(map(str, antecedents))) == len(antecedents)
    for antecedent in antecedents:
        own = frozenset(Literal(clause.asks, clause.negated) for clause in antecedent.clauses)
        assert meaning(str(antecedent), columns, printed) in (own, None)
        quoted = " and ".join(
            f"({'not ' * clause.negated}{clause.asks.text(quoted=True)})"
            for clause in antecedent.clauses
        )
        assert meaning(quoted, columns, printed) == own
        # Nor does one that is written without parentheses mean another one.
        bare = " and ".join(
            ("not " if clause.negated else "") + clause.name for clause in antecedent.clauses
        )
        if '"' not in bare:
            assert meaning(bare, columns, printed) in (own, None)


def meaning(
    text: str, columns: Columns, printed: dict[str, Condition]
) -> frozenset[Literal] | None:
    """What a text means; None where it is refused for its two readings."""
    try:
        return frozenset(parse_antecedent(text, columns, printed))
    except AmbiguousError as error:
        said = str(error)
    assert " ways: as " in said
    assert ", or as " in said
    return None


@pytest.mark.parametrize("name", ODD)
def test_any_name_can_be_written_in_quotes(name: str) -> None:
    from surelist.conditions.values import quote

    others = [other for other in ("a", "b") if other != name]
    frame = frame_of(*others, name)
    assert asked(fit(frame, first=[f"not {quote(name)}"])) == {(name, True)}
    assert asked(fit(frame, first=[f'{quote(name)} and "b"'])) == {(name, False), ("b", False)}


def test_a_rule_list_to_start_from_needs_no_reading() -> None:
    frame = frame_of("a", "b", "a and b", "not a")
    y = (frame["a"] & frame["b"]) | frame["not a"]
    model = RuleListClassifier(0.01, negations=True).fit(frame, y)
    again = RuleListClassifier(0.01, negations=True, initial_rule_list=model).fit(frame, y)
    assert again.objective_exact_ == model.objective_exact_


def test_a_rule_list_of_features_is_a_start_for_the_table_they_were_made_of() -> None:
    frame = pd.DataFrame({"sex": ["m", "f"] * 10, "age": [20, 30, 40, 50] * 5})
    y = frame["sex"] == "m"
    features = pd.DataFrame({"sex = m": frame["sex"] == "m", "sex = f": frame["sex"] == "f"})
    start = RuleListClassifier(0.01).fit(features, y)
    assert len(start.rule_list_) == 1
    RuleListClassifier(0.01, initial_rule_list=start).fit(frame, y)


def test_two_readings_of_a_predicate() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "x < 3": [0, 1, 0, 1]})
    columns = Columns(read_table(frame))
    with pytest.raises(AmbiguousError, match="in 2 ways"):
        parse_antecedent("x < 3", columns)
    assert parse_antecedent('"x" < 3', columns)[0].condition.kind == "interval"
    assert parse_antecedent('"x < 3"', columns)[0].condition.kind == "is_true"
    # The same clauses in two orders are one reading.
    assert len(parse_antecedent("(x ≥ 2) and (x ≥ 2)", columns)) == 2


def test_readings_beyond_number_are_refused_soon() -> None:
    names = ["a" + " and a" * n for n in range(12)]
    columns = Columns(read_table(pd.DataFrame({name: [0, 1] for name in names})))
    with pytest.raises(InputError, match="too many readings"):
        parse_antecedent(" and ".join("a" * 40), columns)
    assert parse_antecedent('("a")', columns) == (
        Literal(parse_antecedent("a", columns)[0].condition),
    )


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"first": ["a"], "forbidden": ["(a)"]}, "first has 'a' and forbidden '\\(a\\)'"),
        ({"required": ["b and a"], "forbidden": ["(a) and (b)"]}, "required has 'b and a'"),
        ({"first": ["a", "(a)"]}, "captures the same training rows"),
        ({"required": ["a and b", "b and a"]}, "captures the same training rows"),
        ({"first": ["a", "b"], "max_length": 1}, "max_length is 1"),
        ({"first": ["a"], "required": ["b", "twin"], "max_length": 1}, "max_length is 1"),
        ({"antecedent_costs": {"a": 2, '"a"': 3}}, "are the same antecedent, but cost 2 and 3"),
        ({"forbidden": ["agee"]}, "'agee' is no column"),
        ({"antecedent_costs": {"agee": 2}}, "'agee' is no column"),
    ],
)
def test_demands_that_contradict_each_other_are_refused(
    parameters: dict[str, Any], complaint: str
) -> None:
    frame = frame_of("a", "b")
    frame["twin"] = frame["a"]  # so that something is left of what is forbidden
    with pytest.raises(InputError, match=complaint):
        fit(frame, **parameters)


def test_demands_that_agree_are_not_refused() -> None:
    frame = frame_of("a", "b")
    frame["twin"] = frame["a"]
    model = fit(frame, first=["a"], required=["a"], forbidden=["twin"])
    assert asked(model) == {("a", False)}
    # What is demanded stands there by the name and the price that it was demanded by.
    dear = fit(frame, required=["twin"], antecedent_costs={"twin": 3})
    assert [rule.cost for rule in dear.rule_list_.rules if str(rule.antecedent) == "(twin)"] == [3]
    assert asked(fit(frame, first=["twin"])) == {("twin", False)}
    # One price twice is no contradiction, and neither is one for what is no antecedent.
    fit(frame, antecedent_costs={"a": 2, "(a)": 2, "a = 7": 1, "b = 7": 3})
