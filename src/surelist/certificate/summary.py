"""A certificate in plain words: what is claimed, about which data, under which assumptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from surelist._common.messages import counted, shown
from surelist._common.rounding import rounded_down, rounded_up
from surelist.every_cut_checker import EVERY_CUT

if TYPE_CHECKING:
    from surelist.certificate.certificate import Certificate

__all__ = ["summary"]


def summary(certificate: Certificate) -> str:
    """Return the summary, a line for each part of the claim."""
    return "\n".join(_lines(certificate))


def _lines(certificate: Certificate) -> Iterator[str]:
    header = certificate.header
    low, high = certificate.lower_bound, certificate.objective
    software = header.get("software", "unknown software")
    yield f"Certificate of {_text(software)}, to be checked by `surelist verify`."
    bound = _number(low, rounded_down(low))
    if low == high:
        yield f"Claim: none of these rule lists has an objective below {bound}; one has it."
    else:
        yield (
            f"Claim: the least objective of these rule lists lies between {bound} and "
            f"{_number(high, rounded_up(high))}, which the one found has (the search ended with: "
            f"{_text(header.get('status', 'unknown'))})."
        )
    if low < high and type(length := header.get("proven_length")) is int:
        short = f"none of up to {length:,} rules"
        yield f"By length: {short} has an objective below {_number(high, rounded_down(high))}."
    yield "Rule lists: " + _lists(header) + "."
    yield "Objective: " + _objective(header) + "."
    classes = ", ".join(map(_text, _classes(header)))
    yield f"Data: {header['n_rows']:,} rows of the classes {classes}."
    yield f"Fingerprint of the data: {certificate.fingerprint}."
    yield "Weights: " + _weights(header) + "."
    each = f", {certificate.bytes_per_prefix:,.1f} each" if certificate.n_closed > 1 else ""
    closed = counted(certificate.n_closed, "closed prefix", "closed prefixes")
    yield f"Proof: {closed} in {certificate.n_bytes:,} bytes{each}."


def _text(value: Any) -> str:
    """Return untrusted text on one line: further lines could pass for lines of the summary."""
    text = str(value) if isinstance(value, str | bool | int) else ""
    return text if 0 < len(text) < 80 and text.isprintable() else shown(value)


def _number(number: Fraction, rounded: str) -> str:
    exact = str(number)
    return exact if rounded == exact else f"{rounded} (exactly {exact})"


def _classes(header: Mapping[str, Any]) -> list[Any]:
    """Return classes as they are; objects name the type of their only value."""
    return [
        next(iter(item.values())) if isinstance(item, dict) else item for item in header["classes"]
    ]


def _lists(header: Mapping[str, Any]) -> str:
    limits = header["constraints"]
    n_antecedents = len(header["antecedents"])
    text = (
        f"all over the {n_antecedents} antecedents in the file; others, say with more "
        "clauses or other cuts, are not considered"
    )
    if EVERY_CUT in header:
        text = (
            f"all over the {n_antecedents} antecedents in the file, and over every cut of the "
            "columns that it names; `surelist verify` looks for each cut in the data"
        )
    how = header.get("search")
    if isinstance(how, Mapping) and how.get("tried_conjunctions") is not None:
        text += "; these are not all that there are, because mining was cut short"
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
        names = (_text(_classes(header)[code]) for code in limits["rule_labels"])
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
            f", times 2**{weights.get('exponent', 0)}, rounded to whole numbers: the claim is "
            "about the rounded weights"
        )
    return text
