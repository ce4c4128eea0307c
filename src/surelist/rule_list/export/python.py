"""A rule list as a Python function of one row that needs nothing but Python.

Names and values enter the source as literals that Python itself wrote (``repr``), never as text, so
that none of them can end a string, a comment or a line.
"""

from __future__ import annotations

import keyword
import math
import re
from datetime import date
from typing import TYPE_CHECKING

from surelist._common.messages import shown
from surelist._common.moments import naive_utc
from surelist.conditions.conditions import Condition, Interval, IsTrue, Missing
from surelist.conditions.values import Value
from surelist.errors import InputError
from surelist.rule_list.export.values import check_labels
from surelist.rule_list.rules import Clause, Rule, used_columns

if TYPE_CHECKING:
    from surelist.rule_list.rule_list import RuleList

__all__ = ["to_python"]

_WIDTH = 100

_DATES = """\
from datetime import datetime, timezone


"""

_PRESENT = '''\
def {present}(value):
    """Return the value, or None where it is missing: None, NaN, NaT or NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return None
    return value
'''

_MOMENT = '''

def {moment}(value):
    """Return a date, or a datetime of any zone, as a datetime in UTC without a zone."""
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if value.tzinfo is not None:
        value = value.astimezone(timezone.utc).replace(tzinfo=None)
    return value
'''


def to_python(rule_list: RuleList, *, function: str = "predict") -> str:
    """Return the source of a Python function that predicts one row.

    The function takes a mapping from column names to values, such as a dict, and returns the label.
    It needs the columns that the rules ask about; None and NaN count as missing.

    Parameters
    ----------
    rule_list : RuleList
    function : str, default="predict"
        Name of the function.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.export import to_python
    >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
    >>> namespace = {}
    >>> exec(to_python(model.rule_list_), namespace)
    >>> namespace["predict"]({"x0": 1})
    'yes'
    """
    if not isinstance(function, str) or not _usable(function):
        raise InputError(f"function must be a name that Python allows; got {shown(function)}")
    check_labels(rule_list)
    helpers = {name: _unlike(name, {function}) for name in ("present", "moment")}
    taken = {function, "row", "datetime", "timezone", *helpers.values()}
    variables: dict[str, str] = {}
    for column in used_columns(rule_list.rules):
        variables[column] = _variable(column, taken | set(variables.values()))
    writer = _Writer(variables, helpers["moment"])
    body = "".join(
        f"    {name} = {helpers['present']}(row[{column!r}])\n"
        for column, name in variables.items()
    )
    body += "".join(map(writer.rule, rule_list.all_rules))
    head = _DATES if writer.dates else ""
    if variables:
        head += _PRESENT.format(**helpers)
        head += _MOMENT.format(**helpers) if writer.dates else ""
        head += "\n\n"
    return (
        f"{head}def {function}(row):\n"
        '    """Return the predicted class of a row, given as a mapping from column to value."""\n'
        f"{body}"
    )


def _usable(name: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII)) and not keyword.iskeyword(name)


def _unlike(name: str, taken: set[str]) -> str:
    while name in taken or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        name += "_"
    return name


def _variable(column: str, taken: set[str]) -> str:
    """Return a name that reminds of the column's: letters, digits and underscores are kept."""
    name = re.sub(r"\W+", "_", column, flags=re.ASCII).strip("_").lower()[:40]
    if not name or name[0].isdigit():
        name = f"column_{name}".rstrip("_")
    number = 2
    unique = _unlike(name, {"type", "isinstance", "none"})
    while unique in taken:
        unique = f"{name}_{number}"
        number += 1
    return unique


class _Writer:
    """Writes rules as Python, and notes whether any is about dates."""

    def __init__(self, variables: dict[str, str], moment: str) -> None:
        self.variables = variables
        self.moment = moment
        self.dates = False

    def rule(self, rule: Rule) -> str:
        label = f"return {rule.label!r}{_record(rule)}\n"
        if rule.antecedent is None:
            return f"    {label}"
        clauses = [self.clause(clause) for clause in rule.clauses]
        if len(clauses) > 1:
            clauses = [text if _stands_alone(text) else f"({text})" for text in clauses]
        line = f"    if {' and '.join(clauses)}:\n"
        if len(line) > _WIDTH:
            tests = "\n        and ".join(clauses)
            line = f"    if (\n        {tests}\n    ):\n"
        return f"{line}        {label}"

    def clause(self, clause: Clause) -> str:
        text: str = clause.asks.accept(self)
        return f"not ({text})" if clause.negated else text

    def is_true(self, condition: IsTrue) -> str:
        return f"{self.variables[condition.column]} == 1"

    def missing(self, condition: Missing) -> str:
        return f"{self.variables[condition.column]} is None"

    def one_of(self, condition: Condition, values: tuple[Value, ...]) -> str:
        name = self.variables[condition.column]
        literals = [self.literal(value) for value in values]
        if any(isinstance(value, date) for value in values):
            members = f"{', '.join(literals)}{',' * (len(literals) == 1)}"
            return f"{name} is not None and {self.moment}({name}) in ({members})"
        if len(literals) == 1:
            return f"{name} == {literals[0]}"
        return f"{name} in ({', '.join(literals)})"

    def between(self, condition: Interval) -> str:
        name, low, high = self.variables[condition.column], condition.low, condition.high
        is_date = isinstance(low, date) or isinstance(high, date)
        value = f"{self.moment}({name})" if is_date else name
        above, below = _sign(condition.low_closed), _sign(condition.high_closed)
        if low is None and high is not None:
            test = f"{value} {below} {self.literal(high)}"
        elif high is None and low is not None:
            test = f"{value} {above.replace('<', '>')} {self.literal(low)}"
        elif low is not None and high is not None:
            test = f"{self.literal(low)} {above} {value} {below} {self.literal(high)}"
        return f"{name} is not None and {test}"

    def literal(self, value: Value) -> str:
        if isinstance(value, date):
            self.dates = True
            moment = naive_utc(value)
            parts = [moment.year, moment.month, moment.day, moment.hour, moment.minute]
            parts += [moment.second, moment.microsecond]
            while len(parts) > 3 and parts[-1] == 0:
                parts.pop()
            return f"datetime({', '.join(map(str, parts))})"
        if isinstance(value, float) and not math.isfinite(value):
            return f"float({str(value)!r})"
        return repr(value)


def _sign(closed: bool) -> str:
    return "<=" if closed else "<"


def _stands_alone(text: str) -> bool:
    """Whether a test stands by itself between two ``and``."""
    return " and " not in text or text.startswith("not (")


def _record(rule: Rule) -> str:
    if not rule.captured:
        return "  # captured none in training"
    return f"  # captured {rule.captured}, {rule.accuracy:.1%} correct"
