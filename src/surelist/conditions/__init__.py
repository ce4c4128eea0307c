"""Conditions: what one Boolean feature asks of one column of a raw table."""

from surelist.conditions.conditions import (
    Condition,
    ConditionVisitor,
    Equals,
    Interval,
    IsTrue,
    Missing,
    OneOf,
    condition_from_dict,
)

__all__ = [
    "Condition",
    "ConditionVisitor",
    "Equals",
    "Interval",
    "IsTrue",
    "Missing",
    "OneOf",
    "condition_from_dict",
]
