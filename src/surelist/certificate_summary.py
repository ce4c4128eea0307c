"""A certificate in plain words: what is claimed, about which data, under which assumptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from surelist.certificate import Certificate

__all__ = ["summary"]


def summary(certificate: Certificate) -> str:
    """Return the summary, a line for each part of the claim."""
    return "\n".join(_lines(certificate))


def _lines(certificate: Certificate) -> Iterator[str]:
    header = certificate.header
    low, high = certificate.lower_bound, certificate.objective
    yield f"Certificate of {header['software']}, to be checked by `surelist verify`."
    if low == high:
        yield f"Claim: none of these rule lists has an objective below {_number(high)}; one has it."
    else:
        yield (
            f"Claim: the least objective of these rule lists lies between {_number(low)} and "
            f"{_number(high)}, which the one found has (the search ended with: {header['status']})."
        )
    yield "Rule lists: " + _lists(header) + "."
    yield "Objective: " + _objective(header) + "."
    classes = ", ".join(map(str, _classes(header)))
    yield f"Data: {header['n_rows']:,} rows of the classes {classes}."
    yield f"Fingerprint of the data: {certificate.fingerprint}."
    yield "Weights: " + _weights(header) + "."
    each = certificate.bytes_per_prefix
    size = f"{certificate.n_bytes:,} bytes" + (f", {each:.1f} each" if each == each else "")
    yield f"Proof: {certificate.n_closed:,} closed prefixes in {size}."


def _number(number: Fraction) -> str:
    return f"{float(number):.6g} (exactly {number})"


def _classes(header: Mapping[str, Any]) -> list[Any]:
    return [item["float"] if isinstance(item, dict) else item for item in header["classes"]]


def _lists(header: Mapping[str, Any]) -> str:
    limits = header["constraints"]
    text = (
        f"all over the {len(header['antecedents'])} antecedents in the file; others, say with more "
        "clauses or other cuts, are not considered"
    )
    if limits["max_length"] is not None:
        text += f"; at most {limits['max_length']} rules"
    for key, words in (
        ("first", "begins with"),
        ("required", "contains"),
        ("forbidden", "does without"),
    ):
        if limits[key]:
            text += f"; each {words} the antecedents {', '.join(map(str, limits[key]))}"
    if limits["rule_labels"] is not None:
        names = (str(_classes(header)[code]) for code in limits["rule_labels"])
        text += f"; rules predict {' or '.join(names)} only"
    return text


def _objective(header: Mapping[str, Any]) -> str:
    loss = "share of the weight that is misclassified"
    if header["costs"] is not None:
        costs = header["costs"]
        loss = f"average cost of predictions by {costs['matrix']}, in units of 1/{costs['unit']}"
    if header["prices"] is None:
        return f"{loss}, plus λ = {header['regularization']} for each rule"
    return (
        f"{loss}, plus for each rule the price of its antecedent (λ = {header['regularization']})"
    )


def _weights(header: Mapping[str, Any]) -> str:
    weights = header["weights"]
    if weights["kind"] == "unit":
        return "every row counts once"
    parts = ["sample weights"] if weights["sample_weight"] else []
    if weights["class_weight"] is not None:
        factors = ", ".join(factor["float"] for factor in weights["class_weight"])
        parts.append(f"a factor for each class ({factors})")
    text = " times ".join(parts)
    if weights["kind"] == "rounded":
        text += (
            f", times 2**{weights['exponent']}, rounded to whole numbers: the claim is about the "
            "rounded weights"
        )
    return text
