"""Sample and class weights as whole numbers."""

from surelist.tables.weights import (
    describe_weights,
    read_sample_weights,
    row_weights,
    weight_unit,
    whole_weights,
)

__all__ = [
    "describe_weights",
    "read_sample_weights",
    "row_weights",
    "weight_unit",
    "whole_weights",
]
