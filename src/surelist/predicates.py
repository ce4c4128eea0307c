"""Predicates in text: ``age < 25 and sex = Male and not (race in {a, b})`` into conditions."""

from surelist.features.predicates import (
    AmbiguousError,
    Literal,
    parse_antecedent,
)

__all__ = [
    "AmbiguousError",
    "Literal",
    "parse_antecedent",
]
